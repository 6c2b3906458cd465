/* test_ranges.c - an instruction's registers as ranges are exactly its masks
 * (docs/contract/model.md 5.2): for every instruction of the compiled kernels, of
 * random kernels, and what has no such form is refused. tests/run: timeout=600 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include <string.h>

#include "bridge/engines/rtl/rtl_ranges.h"
#include "igpu/isa_decode.h"
#include "tests/support/isa_material.h"
#include "traces/feed/uops.h"

/* The masks that the fields of the store's words stand for, as the RTL reads them. */
struct masks {
    uint64_t need[2], set[2];
    uint8_t need_x, set_x;
};

static void add_field(uint64_t *bits, uint64_t field)
{
    unsigned first = field & 127, last = field >> 7 & 127;

    for (unsigned i = first; i <= last; i++)
        bits[i / 64] |= UINT64_C(1) << i % 64;
}

static struct masks expand(uint32_t set_word, uint64_t need_word)
{
    struct masks m = {.set_x = (uint8_t)(set_word >> 14)};

    add_field(m.set, set_word & 0x3fff);
    memcpy(m.need, m.set, sizeof(m.need));
    for (unsigned i = 0; i < RTL_SOURCES; i++)
        add_field(m.need, need_word >> 14 * i & 0x3fff);
    m.need_x = (uint8_t)(need_word >> 42 | m.set_x);
    return m;
}

/* Fails the test unless *u has ranges and they are its masks. */
static void check_uop(const char *name, uint32_t index, const struct uop *u)
{
    struct rtl_ranges r;
    struct masks m, want = {.need_x = u->need_x, .set_x = u->set_x};

    memcpy(want.need, u->need, sizeof(want.need));
    memcpy(want.set, u->set, sizeof(want.set));
    if (u->flags & UOP_EOT) {
        want.need[0] = want.need[1] = UINT64_MAX;
        want.need_x = UINT8_MAX;
    }
    if (!rtl_ranges(u, &r))
        fail_msg("%s, instruction %u: no ranges for need %016llx%016llx set "
                 "%016llx%016llx",
                 name, (unsigned)index, (unsigned long long)u->need[1],
                 (unsigned long long)u->need[0], (unsigned long long)u->set[1],
                 (unsigned long long)u->set[0]);
    m = expand(rtl_set_word(&r), rtl_need_word(&r));
    assert_memory_equal(m.need, want.need, sizeof(want.need));
    assert_memory_equal(m.set, want.set, sizeof(want.set));
    assert_int_equal(m.need_x, want.need_x);
    assert_int_equal(m.set_x, want.set_x);
}

static void visit(void *ctx, const char *kernel, uint32_t index,
                  const struct isa_inst *inst)
{
    struct uop uop;

    (void)ctx;
    uop_from_inst(inst, NULL, &uop);
    check_uop(kernel, index, &uop);
}

static void ranges_are_the_masks_of_all_compiled_kernels(void **state)
{
    uint32_t count = material_instructions(visit, NULL);

    (void)state;
    print_message("%u instructions\n", count);
    assert_true(count > 40000);
}

static uint64_t bits_of(unsigned first, unsigned last)
{
    return (UINT64_MAX >> (63 - (last - first))) << first;
}

static void a_destination_may_lie_in_or_beside_a_source(void **state)
{
    struct uop u = {.cls = UOP_ALU32};

    (void)state;
    u.set[0] = bits_of(4, 5);
    u.need[0] = bits_of(2, 9) | bits_of(20, 20) | bits_of(62, 63);
    u.need[1] = bits_of(0, 1); /* the range goes over the halves' border */
    check_uop("inside", 0, &u);
    u.need[0] = bits_of(4, 5) | bits_of(7, 8) | bits_of(10, 11) | bits_of(13, 14);
    u.need[1] = 0;
    check_uop("four apart", 0, &u);
    u.set[0] = u.set[1] = u.need[0] = u.need[1] = UINT64_MAX;
    check_uop("indirect", 0, &u);
    u.set[0] = u.set[1] = u.need[0] = u.need[1] = 0;
    u.set_x = u.need_x = UOP_X_F0_1;
    check_uop("flags alone", 0, &u);
}

static void what_has_no_ranges_is_refused(void **state)
{
    struct uop holes = {.set = {5, 0}, .need = {5, 0}};
    struct uop many = {.set = {1, 0}, .need = {0x155, 0}};
    struct rtl_ranges r;

    (void)state;
    assert_false(rtl_ranges(&holes, &r));
    assert_false(rtl_ranges(&many, &r));
    many.need[0] = 0x55;
    assert_true(rtl_ranges(&many, &r));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_the_masks_of_all_compiled_kernels),
        cmocka_unit_test(a_destination_may_lie_in_or_beside_a_source),
        cmocka_unit_test(what_has_no_ranges_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_warm.c - the lines that warm.h keeps: the last read and the last write of each,
 * in their order, of as many as the caches hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bridge/host/sample/warm.h"
#include "tests/support/rng.h"

#define READ(line) ((line)*UINT64_C(2))
#define WRITE(line) ((line)*UINT64_C(2) + 1)

static void use(struct warm *w, const uint64_t *uses, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        warm_line(w, uses[i] / 2, uses[i] % 2 != 0);
}

/* The list is exactly this. */
static void expect(struct warm *w, const uint64_t *uses, unsigned count)
{
    struct warm_list list;

    assert_int_equal(warm_uses(w), count);
    assert_true(warm_take(w, &list));
    assert_int_equal(list.count, count);
    assert_memory_equal(list.line, uses, count * sizeof(*uses));
    free(list.line);
    assert_int_equal(warm_uses(w), 0);
}

static void a_line_read_behind_its_write_ends_as_read(void **state)
{
    struct warm *w = warm_new(8);
    const uint64_t uses[] = {WRITE(5), READ(6), READ(5)};

    (void)state;
    use(w, uses, 3);
    assert_int_equal(warm_lines(w), 2);
    assert_int_equal(warm_written(w), 1);
    expect(w, uses, 3);
    warm_free(w);
}

static void a_read_before_the_write_is_kept(void **state)
{
    struct warm *w = warm_new(8);
    const uint64_t uses[] = {READ(5), READ(6), READ(5), WRITE(5), WRITE(5)};
    const uint64_t kept[] = {READ(6), READ(5), WRITE(5)};

    (void)state;
    use(w, uses, 5);
    expect(w, kept, 3);
    warm_free(w);
}

static void what_is_told_as_older_comes_before(void **state)
{
    struct warm *w = warm_new(8);
    const uint64_t late[] = {READ(1), WRITE(2)}, old[] = {WRITE(1), READ(3), READ(1)};
    const uint64_t kept[] = {WRITE(1), READ(3), READ(1), WRITE(2)};

    (void)state;
    use(w, late, 2);
    warm_older(w);
    use(w, old, 3);
    expect(w, kept, 4);
    warm_free(w);
}

/* Against the history looked through backwards. */
static void lines_of_others_are_left_out_once(void **state)
{
    struct warm *w = warm_new(8);
    const uint64_t others[] = {READ(5), WRITE(6)};
    const uint64_t uses[] = {READ(6), READ(7), WRITE(5), READ(8)},
                   kept[] = {READ(7), READ(8)};

    (void)state;
    use(w, others, 2);
    warm_leave(w);
    assert_int_equal(warm_lines(w), 0);
    use(w, uses, 4);
    assert_int_equal(warm_lines(w), 2);
    assert_int_equal(warm_written(w), 0);
    expect(w, kept, 2);
    use(w, uses, 4);
    expect(w, uses, 4);
    warm_free(w);
}

static void of_many_lines_those_used_last_are_kept(void **state)
{
    enum { USES = 50000, MOST = 1000, LINES = 7001 };
    struct warm *w = warm_new(MOST);
    uint64_t *uses = malloc(USES * sizeof(*uses)), seed = 1, lines = 0, n = 0;
    uint8_t *seen = calloc(2 * LINES, 1);
    uint64_t *kept = malloc(2 * MOST * sizeof(*kept));
    struct warm_list list;

    (void)state;
    for (unsigned i = 0; i < USES; i++) {
        uses[i] = lcg_below(&seed, 2 * LINES);
    }
    use(w, uses, USES);
    for (unsigned i = USES; i-- > 0;) {
        bool known = seen[uses[i]] != 0 || seen[uses[i] ^ 1] != 0;

        if (seen[uses[i]] != 0 || (!known && lines == MOST))
            continue;
        lines += !known;
        seen[uses[i]] = 1;
        kept[n++] = uses[i];
    }
    assert_true(warm_take(w, &list));
    /* Uses before a line was dropped are forgotten with it. */
    assert_in_range(list.count, MOST, n);
    for (uint64_t i = 0; i < MOST; i++)
        assert_int_equal(list.line[list.count - 1 - i], kept[i]);
    free(list.line);
    free(uses);
    free(seen);
    free(kept);
    warm_free(w);
}

/* What a lane reads may be more than the way to the next one, or less. */
static void a_row_is_its_lanes(void **state)
{
    static const uint64_t strides[] = {0,  1,  4,  8,   16,   20,
                                       63, 64, 65, 100, 4096, UINT64_MAX - 3};
    enum { TIMES = 20000 };
    struct warm *row = warm_new(1000), *lanes = warm_new(1000);
    struct isa_inst inst = {.msg = {.family = ISA_MSG_UNTYPED_READ}};
    struct warm_list a, b;
    uint64_t seed = 1;

    (void)state;
    for (unsigned i = 0; i < TIMES; i++) {
        uint64_t stride = strides[lcg_below(&seed, sizeof(strides) / sizeof(*strides))];
        uint64_t addr[32], at = (1 << 20) + lcg_below(&seed, 1 << 20);
        uint32_t n = 1 + (uint32_t)lcg_below(&seed, 32);

        inst.msg.is_write = lcg_below(&seed, 2) != 0;
        inst.msg.comp_mask = (uint8_t)lcg_below(&seed, 16);
        for (uint32_t k = 0; k < n; k++)
            addr[k] = at + k * stride;
        warm_lanes(lanes, &inst, UINT32_MAX >> (32 - n), addr);
        warm_row(row, &inst, UINT32_MAX >> (32 - n), at, n > 1 ? stride : 0);
    }
    assert_true(warm_take(row, &a) && warm_take(lanes, &b));
    assert_in_range(a.count, 1000, 2000);
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.line, b.line, a.count * sizeof(*a.line));
    free(a.line);
    free(b.line);
    warm_free(row);
    warm_free(lanes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_its_lanes),
        cmocka_unit_test(a_line_read_behind_its_write_ends_as_read),
        cmocka_unit_test(a_read_before_the_write_is_kept),
        cmocka_unit_test(what_is_told_as_older_comes_before),
        cmocka_unit_test(lines_of_others_are_left_out_once),
        cmocka_unit_test(of_many_lines_those_used_last_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

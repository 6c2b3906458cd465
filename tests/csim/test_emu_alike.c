/* test_emu_alike.c - what is proved of groups (csim/emu/emu_alike.h) against what they
 * compute: random instructions and branches from registers of which some depend on the
 * group's number; in other groups, near and at the corners of those for which it is
 * proved, the path and each register, flag and count must be as said.
 *
 *   test_emu_alike [PROGRAMS [SEED]]         IGPU_LONG=1: 20 times as many
 *
 * Can not find: messages, and what is proved of too few groups; the kernels of
 * bridge/test_alike have the former. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csim/emu/emu_alike.h"
#include "random_text.h"

enum { PROGRAMS = 4000, LONGER = 20, TURN = 300, GROUPS = 6, DIMENSIONS = 3 };
/* Registers depend on the group's number in one dword of so many. */
enum { SLOPED = 4 };

static unsigned long programs = PROGRAMS, proved, numbers;

static uint32_t random_value(void)
{
    static const uint32_t special[] = {0, 0x80000000, 0x7FFFFFFF, 0xFFFFFFFF, 1, 16};
    uint32_t size = below(5);

    return size == 0   ? PICK(special)
           : size == 1 ? (uint32_t)emu_rig_random(&random_text.seed)
           : size == 2 ? below(1000) * 64
           : size == 3 ? 0u - below(1000)
                       : below(4096);
}

static struct alike_slope random_slope(void)
{
    static const int64_t by[] = {0, 0, 0, 1, 4, 16, 64, -64, 1024, 63488, 1 << 20, -1};
    struct alike_slope s;

    for (uint32_t d = 0; d < DIMENSIONS; d++)
        s.by[d] = PICK(by);
    if (one_in(50))
        s.by[0] = (int32_t)(uint32_t)emu_rig_random(&random_text.seed);
    return s;
}

/* What depends on the group: of each dword of the registers, how. */
static struct alike_slope slope_at[EMU_GRF_SIZE / 4];

static void random_thread(struct emu_thread *t, uint32_t simd)
{
    memset(t, 0, sizeof(*t));
    for (uint32_t i = 0; i < EMU_GRF_SIZE / 4; i++)
        ((emu_ud *)t->grf)[i] = random_value();
    for (uint32_t i = 0; i < 2; i++)
        t->flag[i] = (uint32_t)emu_rig_random(&random_text.seed);
    for (uint32_t i = 0; i < EMU_GRF_SIZE / 4; i++) {
        memset(&slope_at[i], 0, sizeof(slope_at[i]));
        if (i >= 8 && one_in(SLOPED)) /* one register, or its lanes, alike */
            slope_at[i] = i % 8 != 0 && one_in(2) ? slope_at[i - 1] : random_slope();
    }
    slope_at[1].by[0] = slope_at[6].by[1] = slope_at[7].by[2] = 1;
    t->ctrl[0] = 0x4C0;
    t->live = t->active = igpu_low_bits(simd);
    t->next_pc = UINT32_MAX;
    emu_ctrl_changed(t);
}

static void run(struct emu_machine *m, struct emu_thread *t)
{
    t->m = m;
    t->turn_end = TURN;
    m->status = IGPU_OK;
    emu_thread_run(t);
}

static uint64_t further(const struct alike_slope *s, const uint64_t *group)
{
    uint64_t sum = 0;

    for (uint32_t d = 0; d < DIMENSIONS; d++)
        sum += (uint64_t)s->by[d] * group[d];
    return sum;
}

static void differ(const struct isa_inst *text, const char *what, uint32_t at)
{
    for (uint32_t i = 0; i < RANDOM_TEXT; i++) {
        char line[200];

        (void)isa_disasm(&text[i], line, sizeof(line));
        printf("# %3u %s\n", i, line);
    }
    fail_msg("%s differs at %u", what, at);
}

static uint64_t number_at(const struct emu_thread *t, uint32_t at, uint32_t bytes)
{
    return bytes == 8 ? *(const emu_uq *)(t->grf + at) : *(const emu_ud *)(t->grf + at);
}

static void compare_registers(const struct isa_inst *text, const struct emu_alike *a,
                              const struct emu_thread *one,
                              const struct emu_thread *other, const uint64_t *group)
{
    const struct alike_thread *k = &a->thread[0];

    for (uint32_t at = 0; at < EMU_GRF_SIZE; at++) {
        const struct alike_mark *mark = &k->mark[at];

        if (mark->slope == ALIKE_SAME && one->grf[at] != other->grf[at])
            differ(text, "a register's byte", at);
        if (mark->slope <= ALIKE_FREE || mark->part != 0)
            continue;
        for (uint32_t bytes = 4; bytes <= mark->bytes; bytes += 4) {
            uint64_t sum =
                number_at(one, at, bytes) + further(&a->slope[mark->slope], group);

            if (alike_read(k, at, bytes) != mark->slope)
                continue;
            numbers++;
            if (number_at(other, at, bytes) != (bytes == 8 ? sum : (uint32_t)sum))
                differ(text, "a register's number", at);
        }
    }
    for (uint32_t i = 0; i < 2; i++)
        if (((one->flag[i] ^ other->flag[i]) & ~(uint32_t)(k->free_flags >> 32 * i)) !=
            0)
            differ(text, "flag", i);
}

/* One of the groups for which it is proved. */
static void random_group(const struct emu_alike *a, uint64_t *group)
{
    for (uint32_t d = 0; d < DIMENSIONS; d++)
        group[d] = one_in(2)   ? a->most[d]
                   : one_in(2) ? a->most[d] - (a->most[d] > 0)
                               : below((uint32_t)a->most[d] + 1);
}

static void compare_group(struct emu_machine *m, const struct emu_alike *a,
                          const struct emu_thread *begin, const struct emu_thread *one)
{
    static struct emu_thread other;
    const struct isa_inst *text = m->p->code->inst;
    uint64_t group[DIMENSIONS];

    random_group(a, group);
    other = *begin;
    for (uint32_t i = 0; i < EMU_GRF_SIZE / 4; i++)
        ((emu_ud *)other.grf)[i] += (uint32_t)further(&slope_at[i], group);
    ((emu_ud *)other.grf)[5] = random_value(); /* a place on the device */
    run(m, &other);
    if (one->stop != other.stop || (one->stop != EMU_STOP_EOT && one->at != other.at) ||
        one->live != other.live || one->active != other.active)
        differ(text, "where the thread is", other.at);
    if (one->counts.instructions != other.counts.instructions)
        differ(text, "the count of instructions", (uint32_t)other.counts.instructions);
    compare_registers(text, a, one, &other, group);
}

static void test_program(void)
{
    static const uint32_t widths[] = {8, 16, 32};
    static struct emu_thread begin, one;
    struct isa_inst text[RANDOM_TEXT];
    struct isa_kernel_code code = {text, RANDOM_TEXT, 16 * RANDOM_TEXT};
    struct emu_kernel kernel = {
        .name = "random", .code = &code, .simd = PICK(widths), .walk_order = {0, 1, 2}};
    struct igpu_err err = {.text = ""};
    struct emu_launch launch = {.work_dim = 3};
    struct emu_machine m = {.launch = &launch,
                            .mem = emu_mem_new(),
                            .threads_per_group = 1,
                            .groups = {1 + below(300), 1 + below(40), 1 + below(5)},
                            .err = &err};
    struct emu_alike *a;

    random_text_put(text);
    m.p = emu_program_new(&kernel, &err);
    if (m.p == NULL)
        fail_msg("%s", err.text);
    random_thread(&begin, kernel.simd);
    a = m.proves = emu_alike_new(&m);
    assert_non_null(a);
    for (uint32_t i = 8; i < EMU_GRF_SIZE / 4; i++)
        emu_alike_know(a, 0, 4 * i, 4, slope_at[i]);
    one = begin;
    run(&m, &one);
    m.proves = NULL;
    proved += !a->failed;
    for (uint32_t i = 0; i < GROUPS && !a->failed && one.stop != EMU_STOP_ERROR; i++)
        compare_group(&m, a, &begin, &one);
    emu_alike_free(a);
    emu_program_free((struct emu_program *)m.p);
    emu_mem_free(m.mem);
}

static void what_is_proved_holds(void **state)
{
    (void)state;
    programs *= getenv("IGPU_LONG") != NULL ? LONGER : 1;
    for (unsigned long i = 0; i < programs; i++)
        test_program();
    printf("# %lu programs, %lu proved, %lu numbers that depend on the group\n",
           programs, proved, numbers);
    assert_true(proved > programs / 10);
    assert_true(numbers > 100 * programs);
}

/* ---- comparisons ----------------------------------------------------------------- */

/* Near where types end, or near each other. */
static struct alike_number random_number(struct emu_alike *a)
{
    static const uint32_t near[] = {0, 0, 0, 0x80000000};
    static const int64_t by[] = {0, 0, 1, -1, 2, 3, -4};
    uint32_t bits = PICK(near) + below(12) - 6u;
    struct alike_slope s = {{PICK(by), PICK(by), 0}};
    struct alike_number n = {.slope = alike_slope_of(a, s, 4), .bytes = 4};

    n.type = one_in(2) ? ISA_TYPE_D : ISA_TYPE_UD;
    n.value = n.type == ISA_TYPE_D ? (int64_t)(int32_t)bits : (int64_t)bits;
    return n;
}

/* What it is in another group; *wraps: another number than its slope says. */
static int64_t value_in(const struct emu_alike *a, const struct alike_number *n,
                        const uint64_t *group, bool *wraps)
{
    uint64_t sum = (uint64_t)n->value + further(&a->slope[n->slope], group);
    int64_t value = n->type == ISA_TYPE_D ? (int64_t)(int32_t)(uint32_t)sum
                                          : (int64_t)(uint32_t)sum;

    *wraps |= value != (int64_t)sum;
    return value;
}

static bool stands(int64_t x, int64_t y, uint32_t cmod)
{
    switch (cmod) {
    case ISA_CMOD_EQ:
        return x == y;
    case ISA_CMOD_NE:
        return x != y;
    case ISA_CMOD_GT:
        return x > y;
    case ISA_CMOD_GE:
        return x >= y;
    case ISA_CMOD_LT:
        return x < y;
    default:
        return x <= y;
    }
}

/* In how many groups up to `most` is it as in the first? In all of them, and all of
 * their numbers being in their types: *good. */
static void count_alike(const struct emu_alike *a, const struct alike_number *n,
                        uint32_t cmod, const uint64_t *most, bool *alike, bool *good)
{
    bool so = stands(n[0].value, n[1].value, cmod), wraps = false;
    uint64_t group[DIMENSIONS] = {0};

    *alike = true;
    for (group[0] = 0; group[0] <= most[0]; group[0]++)
        for (group[1] = 0; group[1] <= most[1]; group[1]++) {
            int64_t x = value_in(a, &n[0], group, &wraps);
            int64_t y = value_in(a, &n[1], group, &wraps);

            *alike = *alike && stands(x, y, cmod) == so;
        }
    *good = *alike && !wraps;
}

static void comparisons_are_decided(void **state)
{
    static struct emu_alike a;
    unsigned long same = 0, less = 0;

    (void)state;
    for (uint32_t i = 0; i < 50 * programs; i++) {
        const uint64_t most[DIMENSIONS] = {below(9), one_in(2) ? below(5) : 0, 0};
        uint32_t cmod = ISA_CMOD_EQ + below(ISA_CMOD_LE + 1 - ISA_CMOD_EQ);
        struct alike_number n[2];
        bool alike, good, decided;

        a.slopes = ALIKE_FREE + 1;
        memcpy(a.most, most, sizeof(most));
        n[0] = random_number(&a);
        n[1] = random_number(&a);
        decided = alike_compare(&a, &n[0], &n[1], cmod);
        count_alike(&a, n, cmod, most, &alike, &good);
        if (good && cmod > ISA_CMOD_NE) /* nothing is given up for nothing */
            assert_true(decided && memcmp(a.most, most, sizeof(most)) == 0);
        count_alike(&a, n, cmod, a.most, &alike, &good);
        assert_true(!decided || alike);
        assert_true(decided || memcmp(a.most, most, sizeof(most)) == 0);
        same += decided;
        less += memcmp(a.most, most, sizeof(most)) != 0;
        for (uint32_t d = 0; d < DIMENSIONS; d++)
            assert_true(a.most[d] == most[d] || 2 * a.most[d] + 1 >= most[d]);
    }
    printf("# %lu decided, %lu of them for fewer groups\n", same, less);
    assert_true(less > programs / 5);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_proved_holds),
                                       cmocka_unit_test(comparisons_are_decided)};

    programs = argc > 1 ? strtoul(argv[1], NULL, 10) : PROGRAMS;
    random_text.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 20261130;
    printf("# seed %llu\n", (unsigned long long)random_text.seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_jit_random.c - random instructions and branches, translated
 * (docs/contract/jit.md) and interpreted, from the same registers, or as a group's
 * threads that begin in translated code and by the emulator: after each run the
 * registers that are read later (in most programs all), accumulators, macro registers,
 * flags, lanes, counts, memory and the error's text are compared.
 *
 *   test_jit_random [SEED]        IGPU_LONG=1: 160 times as many programs
 *
 * IGPU_JIT_LIBRARY: another translator than the build's (tests/fail).
 * Can not find: images, blocks and shaders' messages, which are called, nor
 * what is told of messages: test_jit's kernels have them.
 * tests/run: timeout=1800 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csim/emu/emu_jit_int.h"
#include "random_text.h"

enum {
    PROGRAMS = 30,
    WITH_MATH = 5,
    WITH_ENDS = 15,
    WITH_MACROS = 15,
    WITH_BEGINS = 15,
    WITH_SENDS = 15,
    WITH_OTHERS = 10,
    PARTS = 8, /* by the commit's first digit, each with a seed of its own */
    LONGER = 160,
    RUNS = 6,
    BARRIERS = 4, /* that are complete */
    TURN = 300
};
static bool with_ends;   /* few registers are read at the end; words of state are set */
static bool with_begins; /* threads begin */
static bool failed;      /* then no other programs run: tests/fail waits for each */
static unsigned long executed, translated_runs;

/* ---- what is read later -----------------------------------------------------------
 */

static void add_reads(const struct isa_inst *inst, uint64_t grf[2])
{
    struct isa_regset reads, writes;

    isa_regs(inst, &reads, &writes);
    for (uint32_t k = 0; k < 2; k++)
        grf[k] |= reads.indirect ? UINT64_MAX : reads.grf[k];
}

/* What block b, and what can come behind it, reads. */
static void add_from(const struct emu_program *p, uint32_t b, bool *seen,
                     uint64_t grf[2])
{
    const struct isa_block *block = &p->blocks.block[b];

    if (seen[b])
        return;
    seen[b] = true;
    for (uint32_t i = 0; i < block->count && block->first + i < RANDOM_TEXT - 1; i++)
        add_reads(&p->code->inst[block->first + i], grf);
    for (uint32_t i = 0; i < block->nsucc; i++)
        add_from(p, block->succ[i], seen, grf);
    if (block->is_dynamic) /* to anywhere */
        grf[0] = grf[1] = UINT64_MAX;
}

/* Registers that are read later; nothing is promised of others (docs/contract/jit.md).
 */
static void find_read(const struct emu_program *p, const struct emu_thread *t,
                      uint64_t grf[2])
{
    bool seen[RANDOM_TEXT] = {false};
    uint32_t waiting = t->live & ~t->active;

    grf[0] = grf[1] = p->k.keeps ? UINT64_MAX : 0;
    if (t->stop == EMU_STOP_ERROR ||
        t->stop == EMU_STOP_EOT) /* nothing runs any more */
        return;
    if (t->at < RANDOM_TEXT)
        add_from(p, p->blocks.block_of[t->at], seen, grf);
    for (uint32_t i = 0; i < EMU_LANES; i++)
        if ((waiting >> i & 1) && t->pc[i] < RANDOM_TEXT)
            add_from(p, p->blocks.block_of[t->pc[i]], seen, grf);
}

/* ---- a thread ------------------------------------------------------------------- */

static uint32_t small_dword(void)
{
    /* The least normal floats, and what makes denormals of them. */
    static const uint32_t small[] = {0x00800000, 0x80800001, 0x00900000, 0x3F000000,
                                     0x3E800000, 0x00000000, 0x80A00000, 0xBF000000};

    return PICK(small);
}

/* calm: no NaN, by which translated code leaves most of what computes with floats. */
static uint32_t random_dword(bool calm)
{
    static const uint32_t special[] = {0,          0x80000000, 1,          0x7F800000,
                                       0x7FC00001, 0x007FFFFF, 0xFFFFFFFF, 0x7F7FFFFF,
                                       0x3F800000, 0x80000001, 0x4F000000, 0x7FA00000};
    float f = (float)(int32_t)(below(2000) - 1000) / 16;
    uint32_t u;

    if (calm && !random_text.macros && one_in(3))
        return small_dword();
    if (!calm && one_in(60))
        return PICK(special);
    if (!calm && one_in(3))
        return below(2000) - 1000;
    if (!calm && one_in(6))
        return (uint32_t)emu_rig_random(&random_text.seed);
    memcpy(&u, &f, sizeof(u));
    return u;
}

/* Doubles; in few lanes others. */
static void random_macros(struct emu_thread *t, bool calm)
{
    for (uint32_t m = 0; m < EMU_MME_COUNT; m++)
        for (uint32_t i = 0; i < EMU_LANES; i++) {
            uint64_t bits = (uint64_t)random_dword(calm) << 32 | below(1u << 31);

            emu_mme_put(&t->mme[m], i, emu_num_unpack(bits, ISA_TYPE_DF));
        }
}

/* Where indirect operands and branches through registers lead. */
static void random_ways(struct emu_thread *t)
{
    uint32_t to[2] = {16 * (below(2 * RANDOM_TEXT) - RANDOM_TEXT), 16 * below(8)};

    memcpy(t->grf + RANDOM_TARGET * ISA_GRF_BYTES, to, sizeof(to));
    memcpy(t->grf + RANDOM_LINK * ISA_GRF_BYTES, &to[1], sizeof(to[1]));
    for (uint32_t i = 0; i < 16; i++)
        t->addr[i] = (uint16_t)(8 * below(256));
}

static void random_thread(struct emu_thread *t, uint32_t simd, bool flushes)
{
    enum { KEEP = 0x4C0, FLUSH = 0x400 };
    uint32_t all = simd == 32 ? UINT32_MAX : (1u << simd) - 1;
    bool calm = one_in(2);

    memset(t, 0, sizeof(*t));
    for (uint32_t i = 0; i < EMU_GRF_SIZE / 4; i++)
        ((emu_ud *)t->grf)[i] = calm && !random_text.macros && i / 8 < RANDOM_SMALL_GRFS
                                    ? small_dword()
                                    : random_dword(calm);
    for (uint32_t i = 0; i < sizeof(t->acc) / 4; i++)
        ((emu_ud *)t->acc)[i] = random_dword(calm);
    for (uint32_t i = 0; i < EMU_LANES; i++)
        t->acc_wide[i] = (int64_t)emu_rig_random(&random_text.seed);
    for (uint32_t i = 0; i < 2; i++)
        t->flag[i] =
            one_in(3) ? UINT32_MAX : (uint32_t)emu_rig_random(&random_text.seed);
    t->ctrl[0] = one_in(6) ? below(0x800) : one_in(6) ? 0 : flushes ? FLUSH : KEEP;
    t->live = one_in(2) ? all : (uint32_t)emu_rig_random(&random_text.seed) & all;
    t->live = t->live ? t->live : 1;
    t->active = t->live;
    t->next_pc = UINT32_MAX;
    emu_ctrl_changed(t);
    random_macros(t, calm);
    if (random_text.others)
        random_ways(t);
}

/* ---- memory -----------------------------------------------------------------------
 */

/* The middle third of each is what a program may reach. */
enum { BYTES = 1024, SURFACE, SLM, MEMORIES };
static uint8_t memory[MEMORIES - SURFACE][3 * BYTES];

static uint8_t *reached(uint32_t which)
{
    return memory[which - SURFACE] + BYTES;
}

/* Offset of a lane that a message reads or writes: most are inside, and aligned. */
static uint32_t random_offset(void)
{
    return one_in(100) ? BYTES - below(20) : 4 * below(BYTES / 4 - 20);
}

/* Lanes in a row, at one place, or anywhere. */
static void random_offsets(uint32_t out[16])
{
    uint32_t choice = below(4), first = 4 * below(64), last = one_in(8);
    uint32_t pitch = choice == 1 ? 0 : 4 * (1 + below(8));

    for (uint32_t i = 0; i < 16; i++)
        out[i] = choice < 3 ? first + i * pitch : random_offset();
    if (last) /* a row up to the end, or over it */
        for (uint32_t i = 0; i < 16; i++)
            out[i] += BYTES - out[15] - below(pitch + 2);
}

static void random_addresses(struct emu_thread *t, uint64_t va)
{
    for (uint32_t k = 0; k < RANDOM_OFFSET_SETS + RANDOM_ADDRESS_SETS; k++) {
        uint32_t offset[16];

        random_offsets(offset);
        if (k < RANDOM_OFFSET_SETS)
            memcpy(t->grf + (RANDOM_OFFSETS + 2 * k) * ISA_GRF_BYTES, offset,
                   sizeof(offset));
        for (uint32_t i = 0; k >= RANDOM_OFFSET_SETS && i < 16; i++) {
            uint32_t reg = RANDOM_ADDRESSES + 4 * (k - RANDOM_OFFSET_SETS);
            uint64_t at = one_in(200) ? below(BYTES) : va + offset[i];

            memcpy(t->grf + reg * ISA_GRF_BYTES + 8 * i, &at, sizeof(at));
        }
    }
}

static uint8_t at_first[sizeof(memory)], interpreted[sizeof(memory)];

static void random_memory(struct emu_thread *t, uint64_t va)
{
    random_addresses(t, va);
    for (uint32_t i = 0; i < sizeof(memory) / 4; i++) {
        uint32_t u = random_dword(true);

        memcpy((uint8_t *)memory + 4 * i, &u, sizeof(u));
    }
}

static uint64_t map_memory(struct emu_machine *m)
{
    uint64_t va = 0;

    assert_int_equal(emu_mem_map(m->mem, reached(SURFACE), BYTES, 0, &va, m->err),
                     IGPU_OK);
    m->surface[RANDOM_BTI] =
        (struct emu_bound){.va = va, .bytes = BYTES, .bound = true};
    m->group.slm = reached(SLM);
    m->slm_bytes = BYTES;
    return va;
}

/* ---- runs ------------------------------------------------------------------------
 */

static void run(struct emu_machine *m, struct emu_thread *t, enum emu_jit_mode mode)
{
    ((struct emu_launch *)m->launch)->jit = (uint8_t)mode;
    assert_int_equal(emu_jit_set_up(m, m->err), IGPU_OK);
    emu_jit_choose(m);
    t->m = m;
    t->turn_end = TURN;
    for (uint32_t i = 0; i < BARRIERS && (i == 0 || t->stop == EMU_STOP_WAIT); i++) {
        t->stop = EMU_STOP_NONE;
        t->notify[0] = i != 0;
        emu_thread_run(t);
    }
    translated_runs += m->translated != NULL;
    free(m->places);
    m->places = NULL;
    m->translated = NULL;
    t->m = NULL;
}

/* A thread that begins, by the emulator or in translated code, where a thread ended
 * that left these registers; of a group whose threads' registers are random ones. */
static void run_begin(struct emu_machine *m, struct emu_thread *t,
                      enum emu_jit_mode mode)
{
    ((struct emu_launch *)m->launch)->jit = (uint8_t)mode;
    assert_int_equal(emu_jit_set_up(m, m->err), IGPU_OK);
    emu_jit_choose(m);
    translated_runs += m->translated != NULL;
    if (m->translated != NULL) {
        emu_thread_start_translated(m, t, 0);
    } else {
        emu_head_group(m);
        emu_thread_start(m, t, 0);
        t->turn_end = TURN;
        emu_thread_run(t);
    }
    free(m->places);
    m->places = NULL;
    m->translated = NULL;
    t->m = NULL;
}

static void random_group(struct emu_machine *m, uint8_t *row, uint32_t bytes)
{
    for (uint32_t i = ISA_GRF_BYTES; i < bytes; i += 4) {
        uint32_t u = random_dword(one_in(2));

        memcpy(row + i, &u, sizeof(u));
    }
    memset(row, 0, ISA_GRF_BYTES);
    if (m->p->k.local_id_dims == 0)
        memset(row + ISA_GRF_BYTES, EMU_POISON, ISA_GRF_BYTES);
    m->start = row;
    m->start_bytes = bytes;
    m->threads_per_group = 1;
    m->hw_threads = 168;
    m->scratch_slice = 1024;
    m->turn = TURN;
    m->items = one_in(4) ? 1 + below(m->p->k.simd) : m->p->k.simd;
    for (uint32_t d = 0; d < 3; d++)
        m->groups[d] = 100;
    emu_set_group(m, below(1000000));
}

static void tell_program(const struct isa_inst *text)
{
    for (uint32_t i = 0; i < RANDOM_TEXT; i++) {
        char line[200];

        (void)isa_disasm(&text[i], line, sizeof(line));
        printf("# %3u %s\n", i, line);
    }
}

static void differ(const struct isa_inst *text, unsigned program, const char *what,
                   uint32_t at)
{
    tell_program(text);
    failed = true;
    fail_msg("program %u: %s differs at %u", program, what, at);
}

static bool same_number(const struct emu_mme *a, const struct emu_mme *b, uint32_t i)
{
    struct emu_num x = emu_mme_number(a, i), y = emu_mme_number(b, i);

    return x.cls == y.cls && x.sign == y.sign &&
           (x.cls != EMU_FINITE || (x.exp == y.exp && x.mant == y.mant));
}

static void compare(const struct emu_program *p, unsigned program,
                    const struct emu_thread *a, const struct emu_thread *b)
{
    const struct isa_inst *text = p->code->inst;
    uint64_t read[2];

    find_read(p, a, read);
    for (uint32_t i = 0; i < EMU_GRF_SIZE; i++)
        if ((read[i / ISA_GRF_BYTES / 64] >> i / ISA_GRF_BYTES % 64 & 1) &&
            a->grf[i] != b->grf[i])
            differ(text, program, "a register's byte", i);
    for (uint32_t i = 0; i < sizeof(a->acc); i++)
        if (a->acc[i] != b->acc[i])
            differ(text, program, "an accumulator's byte", i);
    for (uint32_t i = 0; i < EMU_LANES; i++)
        if (a->acc_wide[i] != b->acc_wide[i])
            differ(text, program, "a product of lane", i);
    for (uint32_t i = 0; i < EMU_MME_COUNT * EMU_LANES; i++) {
        uint32_t m = i / EMU_LANES, lane = i % EMU_LANES;

        if (!same_number(&a->mme[m], &b->mme[m], lane))
            differ(text, program, "a macro register's lane", i);
    }
    for (uint32_t i = 0; i < 2; i++)
        if (a->flag[i] != b->flag[i])
            differ(text, program, "flag", i);
    if (a->ctrl[0] != b->ctrl[0] || a->notify[0] != b->notify[0] ||
        memcmp(&a->round, &b->round, 4) != 0)
        differ(text, program, "a word of state, cr0.0", a->ctrl[0]);
    if (memcmp(a->addr, b->addr, sizeof(a->addr)) != 0 || a->depth != b->depth)
        differ(text, program, "an address, or the depth of calls", a->depth);
    if (a->stop != b->stop ||
        (a->stop != EMU_STOP_NONE && a->stop != EMU_STOP_ERROR && a->at != b->at))
        differ(text, program, "where the thread is", a->at);
    if (a->active != b->active || a->live != b->live || a->next_pc != b->next_pc)
        differ(text, program, "lanes", a->active);
    for (uint32_t i = 0; i < EMU_LANES; i++)
        if (((a->live & ~a->active) >> i & 1) && a->pc[i] != b->pc[i])
            differ(text, program, "a lane's place", i);
    if (memcmp(&a->counts, &b->counts, sizeof(a->counts)) != 0)
        differ(text, program, "a count, of instructions",
               (uint32_t)a->counts.instructions);
}

static void compare_memory(const struct isa_inst *text, unsigned program)
{
    for (uint32_t i = 0; i < sizeof(memory); i++)
        if (((const uint8_t *)memory)[i] != interpreted[i])
            differ(text, program, "a byte of memory", i);
}

static void test_program(unsigned number)
{
    static const uint32_t widths[] = {8, 16, 32, 32};
    static uint8_t row[EMU_GRF_SIZE];
    /* Registers to 80 or so have their own, others are poison. */
    const struct emu_payload payload = {
        .kind = EMU_PAYLOAD_PRIVATE_BASE, .offset = 64 * below(38), .size = 8};
    static struct emu_thread a, b;
    struct isa_inst text[RANDOM_TEXT];
    struct isa_kernel_code code = {text, RANDOM_TEXT, 16 * RANDOM_TEXT};
    struct emu_kernel kernel = {.name = "random",
                                .code = &code,
                                .simd = PICK(widths),
                                .walk_order = {0, 1, 2},
                                .flushes = one_in(2),
                                .keeps = !with_ends && !with_begins,
                                .local_id_dims = with_begins ? (uint8_t)below(4) : 0,
                                .payload = &payload,
                                .payload_count = with_begins};
    struct igpu_err err = {.text = ""};
    struct emu_launch launch = {.work_dim = 1};
    struct emu_machine m = {.launch = &launch, .mem = emu_mem_new(), .err = &err};
    uint64_t va = map_memory(&m);

    random_text_put(text);
    m.p = emu_program_new(&kernel, &err);
    if (m.p == NULL)
        fail_msg("%s", err.text);
    for (uint32_t i = 0; i < RUNS; i++) {
        struct igpu_err errors[2] = {{.text = ""}, {.text = ""}};

        random_thread(&a, kernel.simd, kernel.flushes);
        if (random_text.sends)
            random_memory(&a, va);
        b = a;
        memcpy(at_first, memory, sizeof(memory));
        if (with_begins)
            random_group(&m, row, m.p->cross_grf * ISA_GRF_BYTES + m.p->cross_bytes);
        m.err = &errors[0];
        m.status = IGPU_OK;
        (with_begins ? run_begin : run)(&m, &a, EMU_JIT_OFF);
        memcpy(interpreted, memory, sizeof(memory));
        memcpy(memory, at_first, sizeof(memory));
        m.err = &errors[1];
        m.status = IGPU_OK;
        (with_begins ? run_begin : run)(&m, &b, EMU_JIT_NOW);
        if (emu_jit_refused(m.p) != NULL)
            fail_msg("program %u: %s", number, emu_jit_refused(m.p));
        executed += a.counts.instructions;
        compare(m.p, number, &a, &b);
        compare_memory(text, number);
        assert_string_equal(errors[0].text, errors[1].text);
    }
    emu_program_free((struct emu_program *)m.p);
    emu_mem_free(m.mem);
}

static void test_programs(unsigned count)
{
    if (failed)
        skip();
    count *= getenv("IGPU_LONG") != NULL ? LONGER : 1;
    executed = translated_runs = 0;
    for (unsigned i = 0; i < count; i++)
        test_program(i);
    printf("# %u programs, %lu instructions, %lu translated runs\n", count, executed,
           translated_runs);
    assert_int_equal(translated_runs, (unsigned long)count * RUNS);
}

static void test_random_programs(void **state)
{
    (void)state;
    test_programs(PROGRAMS);
}

static void test_random_math(void **state)
{
    (void)state;
    random_text.math = true;
    test_programs(WITH_MATH);
    random_text.math = false;
}

static void test_random_macros(void **state)
{
    (void)state;
    random_text.macros = true;
    test_programs(WITH_MACROS);
    random_text.macros = false;
}

static void test_random_ends(void **state)
{
    (void)state;
    with_ends = random_text.states = true;
    test_programs(WITH_ENDS);
    with_ends = random_text.states = false;
}

static void test_random_sends(void **state)
{
    (void)state;
    random_text.sends = true;
    test_programs(WITH_SENDS);
    random_text.sends = false;
}

static void test_random_others(void **state)
{
    (void)state;
    random_text.others = true;
    test_programs(WITH_OTHERS);
    with_ends = true;
    test_programs(WITH_OTHERS);
    with_ends = random_text.others = false;
}

static void test_random_begins(void **state)
{
    (void)state;
    with_begins = true;
    test_programs(WITH_BEGINS);
    with_ends = random_text.states = true;
    test_programs(WITH_BEGINS);
    with_ends = with_begins = random_text.states = false;
}

/* Commits take turns; what each of them has is always the same. */
static uint64_t seed_of_commit(void)
{
    const char *commit = getenv("IGPU_COMMIT");
    char digit[] = {commit != NULL ? commit[0] : '0', 0};

    return 20261126 + strtoull(digit, NULL, 16) % PARTS;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_programs), cmocka_unit_test(test_random_math),
        cmocka_unit_test(test_random_ends),     cmocka_unit_test(test_random_begins),
        cmocka_unit_test(test_random_macros),   cmocka_unit_test(test_random_sends),
        cmocka_unit_test(test_random_others)};

    random_text.seed = argc > 1 ? strtoull(argv[1], NULL, 10) : seed_of_commit();
    if (!emu_rig_use_jit()) {
        puts("1..0 # SKIP no LLVM 14: nothing is translated");
        return 0;
    }
    printf("# seed %llu\n", (unsigned long long)random_text.seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

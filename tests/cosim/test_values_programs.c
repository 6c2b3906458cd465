/* test_values_programs.c - whole random legal programs (random_program.h), executed by
 * the RTL of an EU's values in lock-step with the emulator: threads of a launch issue
 * in random order, messages are granted late, and after each instruction all that it
 * changed is compared (docs/contract/execution.md). The first difference names thread,
 * instruction and channel, and the seed that makes the program again.
 *
 *   test_values_programs                      24 programs
 *   test_values_programs --programs N [SEED]  programs SEED, SEED + 1, ..; 0 shows
 *                                             SEED's own text
 *
 * Can not find: what the emulator does wrongly too.
 * tests/run: timeout=1800 slow */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bridge/engines/rtl/lockstep.h"
#include "igpu/isa_decode.h"
#include "tests/cosim/random_program.h"
#include "traces/feed/beside.h"

enum {
    CI_PROGRAMS = 24,
    FIRST_SEED = 2800,
    MAX_THREADS = 24,
    MAX_STEPS = 200000,
    REPORT_EVERY = 100
};

struct run {
    struct random_program program;
    struct isa_kernel_code code;
    struct emu_program *prepared;
    struct emu_mem *mem;
    struct emu_step *step;
    uint8_t *buffer;
    struct emu_launch launch;
    struct emu_arg arg;
    struct emu_step_thread *thread[MAX_THREADS]; /* by place */
    bool reads[MAX_THREADS]; /* a message that returns something is not granted */
    uint32_t place[MAX_THREADS], left; /* of threads that have not ended */
    uint64_t now;
    struct igpu_err err;
};

static struct lockstep *values;
static const struct execute_beside *beside;
static uint64_t executed[ISA_OP_COUNT];

/* ---- numbers ------------------------------------------------------------------- */

/* 64 bytes of one kind: floats of each size near 1, small integers, edges, noise. */
static void fill(uint8_t *at, struct rng *rng)
{
    uint64_t kind = rng_in(rng, 0, 7);

    for (uint32_t i = 0; i < 64; i += 8) {
        uint64_t r = rng_next(rng), x = r;

        if (kind == 0 || kind == 1) /* F: 2^-8 to 2^8 */
            x = (r & 0x807FFFFF807FFFFF) + ((uint64_t)(119 + (r >> 24 & 15)) << 23) +
                ((uint64_t)(119 + (r >> 56 & 15)) << 55);
        if (kind == 2) /* DF */
            x = (r & 0x800FFFFFFFFFFFFF) + ((uint64_t)(1015 + (r >> 52 & 15)) << 52);
        if (kind == 3) /* HF */
            x = (r & 0x83FF83FF83FF83FF) + 0x3000300030003000 +
                (r >> 3 & 0x0C000C000C000C00);
        if (kind == 4 || kind == 5)
            x = r & 0x0000001F0000003F;
        if (kind == 6) /* zero, infinity, the largest, denormals, -1 */
            x = (const uint64_t[]){0,
                                   0x7F80000080000000,
                                   0x7F7FFFFF00000001,
                                   0x7FF0000000000000,
                                   0x7FEFFFFFFFFFFFFF,
                                   0x7C00FC00,
                                   UINT64_MAX,
                                   0x8000000000000000}[r & 7];
        memcpy(at + i, &x, sizeof(x));
    }
}

/* ---- a launch ------------------------------------------------------------------- */

static void prepare(struct run *r, uint64_t seed)
{
    static const struct emu_surface surface = {.bti = 0};
    struct rng *rng = &r->program.rng;
    struct emu_kernel kernel = {.name = "random",
                                .slm_bytes = PROGRAM_SLM,
                                .scratch_bytes = PROGRAM_SCRATCH,
                                .local_id_dims = 1,
                                .walk_order = {0, 1, 2},
                                .arg_count = 1,
                                .surface = &surface,
                                .surface_count = 1};

    random_program_make(&r->program, seed);
    if (isa_decode("random", r->program.text, r->program.bytes, &r->code, &r->err) !=
        IGPU_OK)
        fail_msg("seed %" PRIu64 ": %s", seed, r->err.text);
    kernel.code = &r->code;
    kernel.simd = r->program.simd;
    r->prepared = emu_program_new(&kernel, &r->err);
    r->mem = emu_mem_new();
    r->buffer = malloc(PROGRAM_BUFFER);
    if (r->prepared == NULL || r->mem == NULL || r->buffer == NULL)
        fail_msg("seed %" PRIu64 ": %s", seed, r->err.text);
    for (uint32_t i = 0; i < PROGRAM_BUFFER; i += 64)
        fill(r->buffer + i, rng);
    assert_int_equal(
        emu_mem_map_at(r->mem, PROGRAM_VA, r->buffer, PROGRAM_BUFFER, 0, &r->err),
        IGPU_OK);
}

static void start(struct run *r, uint64_t seed)
{
    struct rng *rng = &r->program.rng;
    uint64_t simd = r->program.simd, groups = rng_in(rng, 1, 3);
    uint64_t local = rng_in(rng, 1, 3 * simd); /* the last thread has fewer lanes */

    r->arg = (struct emu_arg){
        .kind = EMU_ARG_BUFFER, .size = PROGRAM_BUFFER, .va = PROGRAM_VA};
    r->launch = (struct emu_launch){.work_dim = 1,
                                    .global = {local * groups},
                                    .local = {local},
                                    .arg = &r->arg,
                                    .arg_count = 1};
    if (emu_step_new(&r->step, r->prepared, r->mem, &r->launch, MAX_THREADS, &r->err) !=
            IGPU_OK ||
        lockstep_code(values, (uint32_t)seed, &r->code, r->program.text,
                      r->program.bytes, &r->err) != IGPU_OK)
        fail_msg("seed %" PRIu64 ": %s", seed, r->err.text);
    r->left = (uint32_t)((local + simd - 1) / simd * groups);
    for (uint32_t i = 0; i < r->left; i++) {
        r->place[i] = i;
        r->thread[i] = emu_step_begin(r->step, i);
        assert_non_null(r->thread[i]);
        beside->open(beside->ctx, i, r->thread[i], i);
    }
}

static void grant(struct run *r, uint32_t place)
{
    struct emu_step_thread *t = r->thread[place];
    struct emu_access access;
    uint32_t at, mask;

    beside->settle(beside->ctx, place, t);
    if (!emu_step_oldest(t, &at, &mask))
        return;
    (void)emu_step_send(r->step, t, &access);
    beside->granted(beside->ctx, place, t, at, mask);
}

/* All messages are granted before the thread goes on if one of them returns something,
 * or it ends; others may be late. */
static bool must_wait(const struct run *r, uint32_t place, bool ends)
{
    uint32_t waiting = emu_step_waiting(r->thread[place]);

    return waiting > 3 || (waiting > 0 && (ends || r->reads[place]));
}

static void step(struct run *r)
{
    uint32_t which = (uint32_t)rng_in(&r->program.rng, 0, r->left - 1);
    uint32_t place = r->place[which], at;
    struct emu_step_thread *t = r->thread[place];
    const struct isa_inst *in;

    at = emu_step_at(t);
    in = &r->code.inst[at];
    while (must_wait(r, place, in->eot))
        grant(r, place);
    if (emu_step_waiting(t) > 0 && rng_once_in(&r->program.rng, 4)) {
        grant(r, place);
        return;
    }
    executed[in->op]++;
    r->reads[place] = in->msg.rlen != 0;
    beside->settle(beside->ctx, place, t);
    (void)emu_step_issue(r->step, t, r->now++);
    if (in->eot)
        r->place[which] = r->place[--r->left];
    else if (emu_step_status(r->step, NULL) == IGPU_OK)
        beside->issued(beside->ctx, place, t, at, r->now - 1);
}

static void run_program(uint64_t seed)
{
    static struct run r;

    memset(&r, 0, sizeof(r));
    prepare(&r, seed);
    start(&r, seed);
    for (uint32_t i = 0; r.left > 0; i++) {
        step(&r);
        if (emu_step_status(r.step, &r.err) != IGPU_OK ||
            beside->status(beside->ctx, &r.err) != IGPU_OK)
            fail_msg("seed %" PRIu64 ": %s", seed, r.err.text);
        if (i == MAX_STEPS)
            fail_msg("seed %" PRIu64 ": no end within %d instructions", seed, i);
    }
    emu_step_free(r.step);
    emu_program_free(r.prepared);
    isa_code_free(&r.code);
    emu_mem_free(r.mem);
    free(r.buffer);
}

/* ---- tests ---------------------------------------------------------------------- */

static uint64_t programs = CI_PROGRAMS, first = FIRST_SEED;

static void programs_compute_the_emulators_values(void **state)
{
    uint32_t opcodes = 0;

    (void)state;
    for (uint64_t i = 0; i < programs; i++) {
        run_program(first + i);
        if ((i + 1) % REPORT_EVERY == 0) {
            printf("%" PRIu64 " programs\n", i + 1);
            lockstep_print(values, stdout);
            fflush(stdout);
        }
    }
    lockstep_print(values, stdout);
    for (uint32_t op = 0; op < ISA_OP_COUNT; op++)
        opcodes += executed[op] != 0;
    printf("%" PRIu64 " programs, %u opcodes; none:", programs, opcodes);
    for (uint32_t op = 0; op < ISA_OP_COUNT; op++)
        if (executed[op] == 0)
            printf(" %s", isa_opcode_name((enum isa_opcode)op));
    printf("\n");
    assert_true(lockstep_channels(values) > 10000 * programs / 2);
}

static void show(uint64_t seed)
{
    static struct run r;
    char text[256];

    prepare(&r, seed);
    for (uint32_t i = 0; i < r.code.count; i++) {
        (void)isa_disasm(&r.code.inst[i], text, sizeof(text));
        printf("%5X %s\n", r.code.inst[i].pc, text);
    }
}

static int open_all(void **state)
{
    struct igpu_err err;

    (void)state;
    if (lockstep_create(&values, &err) != IGPU_OK)
        return 1;
    beside = lockstep_beside(values);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    lockstep_destroy(values);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_compute_the_emulators_values)};

    if (argc > 2 && strcmp(argv[1], "--programs") == 0) {
        programs = strtoull(argv[2], NULL, 0);
        first = argc > 3 ? strtoull(argv[3], NULL, 0) : first;
    }
    if (programs == 0) {
        show(first);
        return 0;
    }
    return cmocka_run_group_tests(tests, open_all, close_all);
}

/* test_jit_mutants.c - compiled programs with a few bits changed, most of them in a
 * kernel's code: translated (docs/contract/jit.md) a small launch ends as interpreted,
 * with the same error's text, counts, memory, blocks and accesses.
 *
 *   test_jit_mutants [SEED [COUNT [FIRST]]]     24 mutants; IGPU_LONG=1: 3,000;
 *                                               those before FIRST are not run
 *
 * Can not find: what both do wrong; that is fuzzing/fuzz_zebin's.
 * tests/run: timeout=900 slow */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "emu_rig.h"
#include "tests/support/rng.h"
#include "traces/program/compile.h"
#include "traces/program/program.h"

enum { MUTANTS = 24, MANY = 3000, BUFFER = 16384, MAX_ARGS = 32, VALUE = 256 };

static const char *const sources[] = {
    "traces/kernels/arith.cl",   "traces/kernels/atomics.cl",
    "traces/kernels/bits.cl",    "traces/kernels/convert.cl",
    "traces/kernels/diverge.cl", "traces/kernels/functions.cl",
    "traces/kernels/int64.cl",   "traces/kernels/matmul.cl",
    "traces/kernels/private.cl", "traces/kernels/reduce.cl",
    "traces/kernels/slm.cl",     "traces/kernels/stream.cl"};
enum { SOURCES = sizeof(sources) / sizeof(sources[0]) };

static struct rng rng;
static struct compile_result compiled[SOURCES];
static uint8_t buffer[BUFFER], at_first[BUFFER];
static unsigned count = MUTANTS, from, ran, translated;

/* What a launch left behind. */
struct seen {
    enum igpu_status status;
    struct igpu_err err;
    struct emu_counts counts;
    uint64_t told; /* a digest */
    uint8_t buffer[BUFFER];
};

/* ---- a launch ---------------------------------------------------------------------
 */

static void on_block(void *ctx, uint64_t thread, uint32_t block)
{
    struct seen *s = ctx;

    s->told = rng_mix(s->told ^ rng_mix(thread << 32 | block));
}

static void on_access(void *ctx, uint64_t thread, const struct emu_access *access)
{
    struct seen *s = ctx;

    s->told = rng_mix(s->told ^ thread ^ (uint64_t)access->inst << 32 ^ access->mask);
    for (uint32_t i = 0; i < EMU_LANES; i++)
        if (access->mask >> i & 1)
            s->told = rng_mix(s->told ^ access->addr[i]);
}

static void launch(const struct program_kernel *k, struct emu_mem *mem, uint64_t va,
                   uint8_t jit, bool told, struct seen *s)
{
    static const uint8_t value[VALUE] = {5, 0, 0, 0, 3, 0, 0, 0, 7};
    struct emu_arg arg[MAX_ARGS] = {{0}};
    struct emu_launch l = {.work_dim = 2,
                           .global = {32, 4, 1},
                           .local = {16, 4, 1},
                           .arg = arg,
                           .arg_count = k->arg_count,
                           .printf_va = va,
                           .hw_threads = 16,
                           .host_threads = 1,
                           .jit = jit,
                           .max_instructions = 3000};

    for (uint32_t i = 0; i < k->arg_count; i++)
        arg[i] =
            (struct emu_arg){.kind = k->arg[i].kind,
                             .value = value,
                             .size = k->arg[i].kind == EMU_ARG_BUFFER ? BUFFER : VALUE,
                             .va = va};
    if (told) {
        l.hooks.ctx = s;
        l.hooks.block = on_block;
        l.hooks.access = on_access;
    }
    memcpy(buffer, at_first, BUFFER);
    s->status = emu_run(k->emu, mem, &l, &s->counts, &s->err);
    memcpy(s->buffer, buffer, BUFFER);
}

static bool has_images(const struct program_kernel *k)
{
    bool any = k->arg_count > MAX_ARGS;

    for (uint32_t i = 0; !any && i < k->arg_count; i++)
        any = k->arg[i].kind == EMU_ARG_IMAGE || k->arg[i].kind == EMU_ARG_SAMPLER;
    return any;
}

/* The same kernel once more for each way, as programs are changed when they are
 * placed. False: it can not be run. */
static bool run(const uint8_t *image, size_t bytes, const char *name, uint8_t jit,
                bool told, struct seen *s)
{
    struct emu_mem *mem = emu_mem_new();
    struct program_kernel *k = NULL;
    struct program *program;
    uint64_t va = 0;
    bool can = false;

    memset(s, 0, sizeof(*s));
    assert_int_equal(emu_mem_map(mem, buffer, BUFFER, 0, &va, &s->err), IGPU_OK);
    if (program_open_memory("mutant", image, bytes, mem, &program, &s->err) ==
        IGPU_OK) {
        k = program_kernel_new(program->image, name, &s->err);
        can = k != NULL && !has_images(k);
        if (can)
            launch(k, mem, va, jit, told, s);
        if (k != NULL)
            program_kernel_free(k);
        program_free(program);
    }
    emu_mem_free(mem);
    return can;
}

/* ---- mutants ----------------------------------------------------------------------
 */

/* Where in the image a kernel of it has its code; a random one. */
static const char *pick_kernel(const struct compile_result *c, size_t *first,
                               size_t *size)
{
    static char name[256];
    struct loader_program *p = NULL;
    struct igpu_err err;
    const struct loader_kernel *k;

    assert_int_equal(loader_open_memory("whole", c->image, c->bytes, &p, &err),
                     IGPU_OK);
    k = &p->kernel[rng_in(&rng, 0, p->kernels - 1)];
    (void)snprintf(name, sizeof(name), "%s", k->name);
    *first = k->file_offset;
    *size = k->text_bytes;
    loader_free(p);
    return name;
}

static void mutate(uint8_t *image, size_t bytes, size_t first, size_t size)
{
    for (uint64_t n = rng_in(&rng, 1, 3); n > 0; n--) {
        bool code = rng_in(&rng, 0, 9) != 0;
        size_t at =
            code ? first + rng_in(&rng, 0, size - 1) : rng_in(&rng, 0, bytes - 1);

        image[at] ^= (uint8_t)(1u << rng_in(&rng, 0, 7));
    }
}

static void compare(const char *name, unsigned number, const struct seen *a,
                    const struct seen *b)
{
    if (a->status != b->status || strcmp(a->err.text, b->err.text) != 0)
        fail_msg("mutant %u of %s: \"%s\", translated \"%s\"", number, name,
                 a->err.text, b->err.text);
    if (memcmp(&a->counts, &b->counts, sizeof(a->counts)) != 0)
        fail_msg("mutant %u of %s: counts differ, of instructions %llu and %llu",
                 number, name, (unsigned long long)a->counts.instructions,
                 (unsigned long long)b->counts.instructions);
    if (memcmp(a->buffer, b->buffer, BUFFER) != 0)
        fail_msg("mutant %u of %s: memory differs", number, name);
    if (a->told != b->told)
        fail_msg("mutant %u of %s: what is told differs", number, name);
}

static void mutants_end_as_interpreted(void **state)
{
    static struct seen off, now;

    (void)state;
    for (unsigned i = 0; i < count; i++) {
        const struct compile_result *c = &compiled[rng_in(&rng, 0, SOURCES - 1)];
        bool told = rng_in(&rng, 0, 1) != 0;
        uint8_t *image = malloc(c->bytes);
        size_t first, size;
        const char *name = pick_kernel(c, &first, &size);

        assert_non_null(image);
        memcpy(image, c->image, c->bytes);
        mutate(image, c->bytes, first, size);
        if (i < from) {
            free(image);
            continue;
        }
        if (run(image, c->bytes, name, EMU_JIT_OFF, told, &off) ==
            run(image, c->bytes, name, EMU_JIT_NOW, told, &now))
            compare(name, i, &off, &now);
        else
            fail_msg("mutant %u of %s: one of both runs", i, name);
        ran += off.counts.instructions != 0;
        translated += now.status == IGPU_OK && now.counts.instructions != 0;
        free(image);
    }
    printf("# %u mutants, %u ran, %u to their end\n", count, ran, translated);
    assert_true(translated >= (count - from) / 8);
}

static void compile_all(void)
{
    for (uint32_t i = 0; i < SOURCES; i++) {
        const struct compile_request request = {
            .source_path = sources[i], .device = "skl", .to = COMPILE_SOURCE};
        struct igpu_err err;

        if (compile_opencl(&request, &compiled[i], &err) != IGPU_OK) {
            printf("not ok %s\n", err.text);
            exit(1);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mutants_end_as_interpreted)};

    if (argc > 2)
        count = (unsigned)strtoul(argv[2], NULL, 10);
    else if (getenv("IGPU_LONG") != NULL)
        count = MANY;
    from = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
    rng.state = argc > 1 ? strtoull(argv[1], NULL, 10) : 20261130;
    if (!emu_rig_use_jit()) {
        puts("1..0 # SKIP no LLVM 14: nothing is translated");
        return 0;
    }
    for (uint32_t i = 0; i < BUFFER; i++)
        at_first[i] = (uint8_t)(i % 4 == 0 ? i / 4 : 0);
    compile_all();
    printf("# seed %llu\n", (unsigned long long)rng.state);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_tokens.c - binaries in patch tokens: the same programs as zebins, machine code
 * put in their place as nGEN does, and that nothing in a damaged one crashes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "traces/program/container.h"
#include "traces/program/printf.h"
#include "traces/program/program.h"
#include "zebin_image.h"

static struct image tokens, zebin, small; /* set up once */

static struct loader_program *open_bytes(const uint8_t *bytes, size_t size)
{
    struct loader_program *program = NULL;
    struct igpu_err err = {.text = ""};

    if (loader_open_memory("kernels.bin", bytes, size, &program, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    return program;
}

/* Pieces of the payload of a type. */
static uint32_t count(const struct loader_kernel *k, enum loader_arg_type type)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < k->args; i++)
        found += k->arg[i].type == type;
    return found;
}

static void a_program_is_that_of_its_zebin(void **state)
{
    struct loader_program *a = open_bytes(tokens.bytes, tokens.size);
    struct loader_program *b = open_bytes(zebin.bytes, zebin.size);

    (void)state;
    assert_int_equal(a->kernels, b->kernels);
    for (uint32_t i = 0; i < b->kernels; i++) {
        const struct loader_kernel *z = &b->kernel[i], *k = loader_find(a, z->name);

        assert_non_null(k);
        assert_int_equal(k->simd_size, z->simd_size);
        assert_int_equal(k->slm_size, z->slm_size);
        assert_int_equal(k->barrier_count, z->barrier_count);
        assert_memory_equal(k->required_work_group_size, z->required_work_group_size,
                            sizeof(k->required_work_group_size));
        assert_int_equal(k->per_thread_args, z->per_thread_args);
        if (z->per_thread_args > 0)
            assert_int_equal(k->per_thread_arg[0].size, z->per_thread_arg[0].size);
        assert_int_equal(k->arg_infos, z->arg_infos);
        assert_int_equal(count(k, LOADER_ARG_LOCAL_SIZE),
                         count(z, LOADER_ARG_LOCAL_SIZE));
    }
    loader_free(a);
    loader_free(b);
}

static void tokens_say_what_a_kernel_takes(void **state)
{
    struct loader_program *p = open_bytes(small.bytes, small.size);
    const struct loader_kernel *look = loader_find(p, "look");
    const struct loader_kernel *draw = loader_find(p, "draw");

    (void)state;
    assert_non_null(look);
    assert_non_null(draw);
    assert_int_equal(look->required_work_group_size[0], 16);
    assert_int_equal(look->arg_infos, 4);
    assert_string_equal(look->arg_info[2].type_name, "long;8");
    assert_int_equal(count(look, LOADER_ARG_CONST_BASE), 1);
    assert_int_equal(count(look, LOADER_ARG_GLOBAL_BASE), 1);
    assert_int_equal(loader_bti_of(look, 0), 0);
    assert_int_equal(draw->required_sub_group_size, 8);
    assert_int_equal(draw->samplers, 1);
    assert_string_equal(draw->sampler[0].addrmode, "repeat");
    assert_string_equal(draw->sampler[0].filtermode, "linear");
    assert_true(draw->sampler[0].normalized);
    assert_int_equal(count(draw, LOADER_ARG_IMAGE_WIDTH), 1);
    assert_int_equal(p->datas, 2);
    assert_int_equal(p->relocs, 1);
    loader_free(p);
}

struct text {
    char text[512]; /* of 16 items */
    size_t length;
};

static void keep(void *ctx, const char *text, size_t length)
{
    struct text *t = ctx;

    assert_true(t->length + length < sizeof(t->text));
    memcpy(t->text + t->length, text, length);
    t->length += length;
}

/* One group of 16 of a kernel with these arguments. */
static void run(const struct program *program, const char *name, struct emu_mem *mem,
                struct emu_arg *arg, uint32_t args, uint64_t printf_va)
{
    struct emu_launch l = {.work_dim = 1,
                           .global = {16},
                           .local = {16},
                           .arg = arg,
                           .arg_count = args,
                           .printf_va = printf_va,
                           .hw_threads = 8,
                           .host_threads = 1};
    struct igpu_err err = {.text = ""};
    struct program_kernel *k = program_kernel_new(program->image, name, &err);

    if (k == NULL || emu_run(k->emu, mem, &l, NULL, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    program_kernel_free(k);
}

static void variables_and_printf_are_found(void **state)
{
    static uint8_t said[PRINTF_BUFFER_BYTES];
    static const uint8_t v[4] = {9, 9, 30, 9};
    static const int64_t x = 1000;
    int32_t out[16] = {2};
    struct emu_mem *mem = emu_mem_new();
    struct program *p = NULL;
    struct igpu_err err = {.text = ""};
    uint64_t va = 0, said_va = 0;
    struct text text = {.length = 0};
    struct emu_arg arg[4] = {
        {.kind = EMU_ARG_BUFFER, .size = sizeof(out)},
        {.kind = EMU_ARG_LOCAL, .size = 64},
        {.kind = EMU_ARG_VALUE, .value = &x, .size = 8},
        {.kind = EMU_ARG_VALUE, .value = v, .size = 4},
    };

    (void)state;
    printf_buffer_clear(said);
    assert_int_equal(emu_mem_map(mem, out, sizeof(out), 0, &va, &err), IGPU_OK);
    assert_int_equal(emu_mem_map(mem, said, sizeof(said), 0, &said_va, &err), IGPU_OK);
    assert_int_equal(
        program_open_memory("small", small.bytes, small.size, mem, &p, &err), IGPU_OK);
    arg[0].va = va;
    run(p, "look", mem, arg, 4, 0);
    assert_int_equal(out[0], 3 + 5 + 1000 + 30);
    run(p, "say", mem, arg, 1, said_va);
    assert_int_equal(printf_print(said, sizeof(said), mem, loader_find(p->image, "say"),
                                  keep, &text, &err),
                     IGPU_OK);
    assert_memory_equal(text.text, "1038 words\n", strlen("1038 words\n"));
    program_free(p);
    emu_mem_free(mem);
}

/* Of the bare tokens: the dword at `at`. */
static uint32_t word(const uint8_t *p, size_t at)
{
    uint32_t value;

    memcpy(&value, p + at, 4);
    return value;
}

/* The container that a program is given, with other code of the same length in its
 * first kernel: the code counts, and no longer the zebin beside it. */
static void code_that_was_put_in_counts(void **state)
{
    size_t bytes = 0, at;
    uint8_t *made =
        container_make(tokens.bytes, tokens.size, zebin.bytes, zebin.size, &bytes);
    struct loader_program *p;
    struct container c;
    struct igpu_err err = {.text = ""};

    (void)state;
    assert_non_null(made);
    assert_true(container_is(made, bytes));
    p = open_bytes(made, bytes);
    assert_string_not_equal(p->build_options, ""); /* the zebin's */
    loader_free(p);
    assert_int_equal(container_open("made", tokens.bytes, tokens.size, &c, &err),
                     IGPU_OK);
    for (at = 0; memcmp(made + at, c.binary, 28) != 0; at++)
        assert_true(at + c.bytes < bytes);
    at += 28 + word(made, at + 24);
    at += 40 + word(made, at + 12); /* behind its header and name: the code */
    memset(made + at, 0x7E, 16);
    p = open_bytes(made, bytes);
    assert_string_equal(p->build_options, "");
    assert_int_equal(p->kernel[0].text[0], 0x7E);
    loader_free(p);
    free(made);
}

static bool survives(const uint8_t *bytes, size_t size)
{
    struct loader_program *program = NULL;
    struct igpu_err err = {.text = ""};
    uint8_t *exact = malloc(size == 0 ? 1 : size); /* so that ASan sees its end */
    enum igpu_status status;

    assert_non_null(exact);
    memcpy(exact, bytes, size);
    status = loader_open_memory("damaged.bin", exact, size, &program, &err);
    free(exact);
    if (status != IGPU_OK) {
        assert_null(program);
        assert_non_null(strstr(err.text, "damaged.bin"));
        assert_null(strchr(err.text, '\n'));
    }
    loader_free(program);
    return status == IGPU_OK;
}

static void damage_is_refused_or_harmless(void **state)
{
    uint32_t rounds = getenv("IGPU_LONG") != NULL ? 50000 : 3000, passed = 0;
    struct container c;
    struct igpu_err err = {.text = ""};
    uint8_t *copy;
    uint64_t seed = 31;

    (void)state;
    assert_int_equal(container_open("small", small.bytes, small.size, &c, &err),
                     IGPU_OK);
    for (size_t n = 0; n < c.bytes; n += n < 64 ? 1 : 61)
        assert_false(survives(c.binary, n));
    for (size_t n = 4; n < small.size; n += 97)
        assert_false(survives(small.bytes, n));
    copy = malloc(c.bytes);
    assert_non_null(copy);
    for (uint32_t i = 0; i < rounds; i++) {
        memcpy(copy, c.binary, c.bytes);
        for (uint32_t k = 0; k < 1 + i % 3; k++) {
            size_t at = image_random(&seed) % (c.bytes / 4) * 4;
            uint32_t value = image_random(&seed) >> image_random(&seed) % 32;

            memcpy(copy + at, &value, 4);
        }
        passed += survives(copy, c.bytes);
    }
    print_message("%u of %u damaged programs open\n", passed, rounds);
    assert_true(passed > 0 && passed < rounds);
    free(copy);
}

/* A dword of the bare tokens set to a value: the message says why that is no good. */
static void refuse_word(size_t at, uint32_t value, const char *why)
{
    struct loader_program *program = NULL;
    struct igpu_err err = {.text = ""};
    struct container c;
    uint8_t *copy;

    assert_int_equal(container_open("small", small.bytes, small.size, &c, &err),
                     IGPU_OK);
    copy = malloc(c.bytes);
    assert_non_null(copy);
    memcpy(copy, c.binary, c.bytes);
    memcpy(copy + at, &value, 4);
    assert_int_equal(loader_open_memory("bad.bin", copy, c.bytes, &program, &err),
                     IGPU_BAD_INPUT);
    if (strstr(err.text, why) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, why);
    free(copy);
}

static void headers_are_checked(void **state)
{
    (void)state;
    refuse_word(8, 11, "core family 11, expected 12 (Gen9)");
    refuse_word(12, 4, "32-bit device");
    refuse_word(16, 100000, "more kernels than there are");
    refuse_word(24, 0x7FFFFFFF, "list reaches beyond the end");
    refuse_word(28, 99, "does not fit in its list"); /* nobody counts its bytes */
}

static int set_up(void **state)
{
    (void)state;
    tokens = image_compile_tokens();
    zebin = image_compile();
    small = image_compile_small_tokens();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    image_free(&tokens);
    image_free(&zebin);
    image_free(&small);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_is_that_of_its_zebin),
        cmocka_unit_test(tokens_say_what_a_kernel_takes),
        cmocka_unit_test(variables_and_printf_are_found),
        cmocka_unit_test(code_that_was_put_in_counts),
        cmocka_unit_test(damage_is_refused_or_harmless),
        cmocka_unit_test(headers_are_checked),
    };

    return cmocka_run_group_tests_name("tokens", tests, set_up, tear_down);
}

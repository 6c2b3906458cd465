/* test_program_fuzz.c - damaged zebins from the file to the end of a launch: whatever
 * bytes change in the container, in .ze_info or in the code, each step works or fails
 * with one line, and nothing crashes, hangs or reads outside its memory (run it with
 * SAN=1). Does not find: a damaged file that is taken for a good one.
 * IGPU_FUZZ_SECONDS sets how long it goes on; the seed is printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "traces/program/compile.h"
#include "traces/program/printf.h"
#include "traces/program/program.h"
#include "zebin_image.h"

enum { ROUNDS = 600, LONG_SECONDS = 120, BUFFER = 65536, MAX_ARGS = 32 };

static const char *const sources[] = {"tests/traces/test_program.cl",
                                      "tests/traces/test_images.cl"};
enum { SOURCES = sizeof(sources) / sizeof(sources[0]) };
static struct image good[SOURCES];
static uint64_t seed = 1;
static unsigned loaded, kernels, ran;

static int set_up(void **state)
{
    const char *dir = getenv("IGPU_TMP"), *given = getenv("IGPU_FUZZ_SEED");
    struct igpu_err err = {""};

    (void)state;
    if (given != NULL)
        seed = strtoull(given, NULL, 0);
    for (unsigned i = 0; i < SOURCES; i++) {
        struct compile_request request = {.source_path = sources[i],
                                          .device = "skl",
                                          .options = "-cl-std=CL2.0",
                                          .cache_dir = dir != NULL ? dir : ""};
        struct compile_result built;

        if (compile_opencl(&request, &built, &err) != IGPU_OK) {
            fprintf(stderr, "%s\n", err.text);
            return -1;
        }
        good[i] = (struct image){built.image, built.bytes};
        built.image = NULL;
        compile_free(&built);
    }
    printf("seed %llu\n", (unsigned long long)seed);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SOURCES; i++)
        image_free(&good[i]);
    return 0;
}

static uint32_t below(uint32_t n)
{
    return n == 0 ? 0 : image_random(&seed) % n;
}

/* Where .ze_info starts; its text is the only one with this word at its head. */
static size_t info_start(const struct image *image)
{
    for (size_t i = 0; i + 8 < image->size; i++)
        if (memcmp(image->bytes + i, "---\nversi", 9) == 0)
            return i;
    return 0;
}

static void change_info(struct image *image)
{
    static const char *const words[] = {"0",     "-1", "99999999", "4294967296", "[",
                                        "{",     ":",  "\n",       "- ",         "true",
                                        "image", "\t", "&a",       "*a",         "!!"};
    size_t start = info_start(image);
    const char *word = words[below(sizeof(words) / sizeof(words[0]))];
    size_t at = start + below((uint32_t)(image->size - start - 16));

    memcpy(image->bytes + at, word, strlen(word));
}

/* Change a copy of a good file in one to four places; a cut is the last change, since
 * the others count on the file's size. */
static struct image damage(const struct image *from)
{
    struct image image = {malloc(from->size), from->size};
    uint32_t times = 1 + below(4);

    memcpy(image.bytes, from->bytes, from->size);
    while (times-- > 0)
        switch (below(5)) {
        case 0:
            image.bytes[below((uint32_t)image.size)] ^= (uint8_t)(1u << below(8));
            break;
        case 1: /* code lies in the first half */
            image.bytes[64 + below((uint32_t)image.size / 2)] = (uint8_t)below(256);
            break;
        case 2:
            change_info(&image);
            break;
        case 3: /* the section table lies at the end */
            image.bytes[image.size - 1 - below(1024)] = (uint8_t)below(256);
            break;
        default:
            if (below(8) > 0)
                break;
            image.size = 1 + below((uint32_t)image.size);
            return image;
        }
    return image;
}

static void check_line(const struct igpu_err *err)
{
    assert_true(err->text[0] != '\0');
    assert_null(strchr(err->text, '\n'));
}

/* Arguments as the kernel wants them, all of them small. */
static void fill_args(const struct program_kernel *k, uint64_t va, struct emu_arg *arg,
                      struct emu_image *image)
{
    static const struct emu_sampler sampler = {SAMPLER_CLAMP, true, true};
    static const uint8_t value[256];

    for (uint32_t i = 0; i < k->arg_count; i++) {
        arg[i] =
            (struct emu_arg){.kind = k->arg[i].kind,
                             .value = value,
                             .size = k->arg[i].kind == EMU_ARG_BUFFER ? BUFFER : 256,
                             .va = va,
                             .image = &image[i],
                             .sampler = &sampler};
        image[i] = (struct emu_image){.kind = k->arg[i].image_kind,
                                      .order = IMAGE_RGBA,
                                      .type = IMAGE_UNORM8,
                                      .width = 8,
                                      .height = 1,
                                      .depth = 1,
                                      .array_size = 1,
                                      .va = va};
    }
}

static void run_kernel(const struct program_kernel *k, struct emu_mem *mem, uint64_t va)
{
    struct emu_arg arg[MAX_ARGS];
    struct emu_image image[MAX_ARGS];
    struct emu_launch l = {.work_dim = 1,
                           .global = {32},
                           .local = {16},
                           .arg = arg,
                           .arg_count = k->arg_count,
                           .printf_va = va,
                           .hw_threads = 16,
                           .max_instructions = 20000};
    struct igpu_err err = {""};

    if (k->arg_count > MAX_ARGS)
        return;
    fill_args(k, va, arg, image);
    if (emu_run(k->emu, mem, &l, NULL, &err) != IGPU_OK)
        check_line(&err);
    else
        ran++;
}

static void nothing(void *ctx, const char *text, size_t length)
{
    (void)ctx, (void)text, (void)length;
}

static void try_file(const struct image *image)
{
    static uint8_t buffer[BUFFER];
    struct emu_mem *mem = emu_mem_new();
    struct program *program;
    struct igpu_err err = {""};
    uint64_t va;

    assert_int_equal(emu_mem_map(mem, buffer, sizeof(buffer), 0, &va, &err), IGPU_OK);
    if (program_open_memory("damaged", image->bytes, image->size, mem, &program,
                            &err) != IGPU_OK) {
        check_line(&err);
        assert_null(program);
        emu_mem_free(mem);
        return;
    }
    loaded++;
    for (uint32_t i = 0; i < program->image->kernels && i < 4; i++) {
        uint32_t which = below(program->image->kernels);
        struct program_kernel *k = program_kernel_new(
            program->image, program->image->kernel[which].name, &err);

        if (k == NULL) {
            check_line(&err);
            continue;
        }
        kernels++;
        run_kernel(k, mem, va);
        if (printf_print(buffer, sizeof(buffer), mem, nothing, NULL, &err) != IGPU_OK)
            check_line(&err);
        program_kernel_free(k);
    }
    program_free(program);
    emu_mem_free(mem);
}

static void damaged_files_fail_with_one_line_or_run(void **state)
{
    const char *seconds = getenv("IGPU_FUZZ_SECONDS"), *slow = getenv("IGPU_LONG");
    long limit = seconds != NULL ? atol(seconds) : slow != NULL ? LONG_SECONDS : 0;
    time_t end = time(NULL) + limit;
    unsigned round = 0;

    (void)state;
    for (; round < ROUNDS || time(NULL) < end; round++) {
        struct image image = damage(&good[round % SOURCES]);

        try_file(&image);
        image_free(&image);
    }
    printf("%u files, %u loaded, %u kernels made ready, %u ran to their end\n", round,
           loaded, kernels, ran);
    assert_true(loaded > round / 4 && loaded < round);
    assert_true(kernels > loaded && ran > 0 && ran < kernels);
}

static void good_files_run(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SOURCES; i++)
        try_file(&good[i]);
    assert_int_equal(loaded, SOURCES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files_run),
        cmocka_unit_test(damaged_files_fail_with_one_line_or_run),
    };

    return cmocka_run_group_tests_name("program_fuzz", tests, set_up, tear_down);
}

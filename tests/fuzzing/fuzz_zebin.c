/* fuzz_zebin.c - compiled programs: container, .ze_info, relocations and code, up to
 * the end of a small launch of each kernel. */
#include <string.h>

#include "tests/fuzzing/fuzz.h"
#include "traces/program/printf.h"
#include "traces/program/program.h"

enum { BUFFER = 4096, MAX_ARGS = 32, MAX_KERNELS = 4 };

static uint8_t buffer[BUFFER];

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
                           .host_threads = 1,
                           .max_instructions = 2000};
    struct igpu_err err = {.text = ""};

    if (k->arg_count > MAX_ARGS)
        return;
    fill_args(k, va, arg, image);
    (void)fuzz_worked(emu_run(k->emu, mem, &l, NULL, &err), &err);
}

static void nothing(void *ctx, const char *text, size_t length)
{
    (void)ctx, (void)text, (void)length;
}

static void run_program(const struct program *program, struct emu_mem *mem, uint64_t va)
{
    for (uint32_t i = 0; i < program->image->kernels && i < MAX_KERNELS; i++) {
        struct igpu_err err = {.text = ""};
        struct program_kernel *k =
            program_kernel_new(program->image, program->image->kernel[i].name, &err);

        if (!fuzz_worked(k != NULL ? IGPU_OK : IGPU_BAD_INPUT, &err))
            continue;
        run_kernel(k, mem, va);
        (void)fuzz_worked(
            printf_print(buffer, sizeof(buffer), mem, k->info, nothing, NULL, &err),
            &err);
        program_kernel_free(k);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct emu_mem *mem = emu_mem_new();
    struct program *program = NULL;
    struct igpu_err err = {.text = ""};
    uint64_t va = 0;

    memset(buffer, 0, sizeof(buffer));
    fuzz_check(mem != NULL &&
                   emu_mem_map(mem, buffer, sizeof(buffer), 0, &va, &err) == IGPU_OK,
               "no memory for the emulator");
    if (fuzz_worked(program_open_memory("input", data, size, mem, &program, &err),
                    &err)) {
        run_program(program, mem, va);
        program_free(program);
    }
    emu_mem_free(mem);
    return 0;
}

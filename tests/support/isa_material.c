/* isa_material.c - see isa_material.h. */
#include "tests/support/isa_material.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "igpu/isa_decode.h"
#include "tests/support/rng.h"
#include "traces/program/compile.h"
#include "traces/program/compile_run.h"
#include "traces/program/file_cache.h"

struct loader_program *material_compile(const char *path, const char *device)
{
    const char *cache = getenv("IGPU_TMP");
    struct compile_request request = {.source_path = path,
                                      .device = device,
                                      .options = "-cl-std=CL2.0",
                                      .cache_dir = cache != NULL ? cache : ""};
    struct loader_program *program = NULL;
    struct compile_result result;
    struct igpu_err err = {.text = ""};
    enum igpu_status status = compile_opencl(&request, &result, &err);

    if (status == IGPU_OK)
        status = loader_open_memory(path, result.image, result.bytes, &program, &err);
    compile_free(&result);
    if (status != IGPU_OK)
        fail_msg("%s", err.text);
    return program;
}

static uint32_t visit_kernel(const struct loader_kernel *kernel, material_visit *visit,
                             void *ctx)
{
    struct isa_kernel_code code;
    struct igpu_err err = {.text = ""};
    uint32_t count;

    if (isa_decode(kernel->name, kernel->text, kernel->text_bytes, &code, &err))
        fail_msg("%s", err.text);
    for (uint32_t i = 0; i < code.count; i++)
        visit(ctx, kernel->name, i, &code.inst[i]);
    count = code.count;
    isa_code_free(&code);
    return count;
}

uint32_t material_instructions(material_visit *visit, void *ctx)
{
    uint32_t count = 0;
    glob_t found;

    assert_int_equal(glob("traces/kernels/*.cl", 0, NULL, &found), 0);
    assert_int_equal(glob("tests/csim/isa_kernels.cl", GLOB_APPEND, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct loader_program *program = material_compile(found.gl_pathv[i], "skl");

        for (uint32_t k = 0; k < program->kernels; k++)
            count += visit_kernel(&program->kernel[k], visit, ctx);
        loader_free(program);
    }
    globfree(&found);
    return count;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

uint8_t *material_assemble(const char *text, size_t *bytes)
{
    const char *top = getenv("IGPU_TMP");
    char folder[128], source[160], output[160], program[256];
    char *const arguments[] = {"iga64", "-a", "-Wnone", "-p=9",
                               source,  "-o", output,   NULL};
    struct igpu_err err = {.text = ""};
    char *log = NULL;
    uint8_t *code;
    int exit_code = -1;

    snprintf(folder, sizeof(folder), "%s/assemble-%ld", top != NULL ? top : "/tmp",
             (long)getpid());
    assert_int_equal(mkdir(folder, 0700), 0);
    snprintf(source, sizeof(source), "%s/a.asm", folder);
    snprintf(output, sizeof(output), "%s/a.krn", folder);
    write_text(source, text);
    assert_int_equal(compile_find("iga64", program, sizeof(program), &err), IGPU_OK);
    assert_int_equal(compile_run(program, arguments, NULL, &log, &exit_code, &err),
                     IGPU_OK);
    if (exit_code != 0)
        fail_msg("iga64: %s", log);
    code = read_whole_file(output, 1 << 20, bytes);
    (void)unlink(source);
    (void)unlink(output);
    (void)rmdir(folder);
    free(log);
    assert_non_null(code);
    return code;
}

void material_code(const char *text, struct isa_kernel_code *code)
{
    struct igpu_err err = {.text = ""};
    size_t bytes = 0;
    uint8_t *raw = material_assemble(text, &bytes);
    enum igpu_status status = isa_decode("assembled", raw, bytes, code, &err);

    free(raw);
    if (status != IGPU_OK)
        fail_msg("%s", err.text);
}

uint32_t material_random(uint64_t *seed)
{
    return (uint32_t)(xorshift_next(seed) >> 32);
}

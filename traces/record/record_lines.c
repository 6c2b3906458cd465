/* record_lines.c - a kernel's source lines for the trace; see record.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/program/compile.h"
#include "traces/record/record.h"

/* The file's text; "" where it cannot be read or is too long. NULL: memory is short. */
static char *read_text(const char *path)
{
    char *text = calloc(TRACE_MAX_TEXT + 1, 1);
    FILE *in = path != NULL && text != NULL ? fopen(path, "r") : NULL;
    size_t size;

    if (in == NULL)
        return text;
    size = fread(text, 1, TRACE_MAX_TEXT, in);
    if (size == TRACE_MAX_TEXT || memchr(text, '\0', size) != NULL)
        text[0] = '\0';
    (void)fclose(in);
    return text;
}

static bool add_sources(const struct record_program *p,
                        const struct loader_program *from, struct trace_source *source)
{
    for (uint32_t i = 0; i < from->sources; i++) {
        const char *name = from->source[i];
        bool own = loader_own_source(name);

        source[i].name = strdup(own && p->file != NULL ? p->file : name);
        source[i].text = read_text(own ? p->file : name);
        if (source[i].name == NULL || source[i].text == NULL)
            return false;
    }
    return true;
}

/* Where its inlined functions are called. */
static void record_calls(const struct record_program *p,
                         const struct loader_program *from, struct trace_kernel *kernel,
                         struct trace_line *line)
{
    struct trace_call *call =
        from->calls != 0 ? calloc(from->calls, sizeof(*call)) : NULL;

    kernel->call = call;
    kernel->calls = call != NULL ? from->calls : 0;
    for (uint32_t i = 0; i < kernel->calls; i++)
        call[i] = (struct trace_call){from->call[i].source + 1, from->call[i].line,
                                      from->call[i].up};
    for (uint32_t i = 0; i < p->code.count && kernel->calls != 0; i++)
        line[i].call = loader_call_of(from, p->code.inst[i].pc);
}

void record_lines(const struct record_program *p, struct trace_kernel *kernel)
{
    const struct loader_program *from = p->lines != NULL ? p->lines : p->image;
    uint32_t sources = from->sources;
    struct trace_source *source;
    struct trace_line *line;

    if (from->lines == 0)
        return;
    source = calloc(sources, sizeof(*source));
    line = calloc(p->code.count, sizeof(*line));
    kernel->source = source;
    kernel->line = line;
    kernel->sources = source != NULL ? sources : 0;
    if (source == NULL || line == NULL || !add_sources(p, from, source)) {
        record_lines_free(kernel);
        return;
    }
    for (uint32_t i = 0; i < p->code.count; i++) {
        const struct loader_line *at = loader_line_of(from, p->code.inst[i].pc);

        if (at != NULL)
            line[i] = (struct trace_line){at->source + 1, at->line, 0};
    }
    record_calls(p, from, kernel, line);
}

void record_lines_free(struct trace_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->sources; i++) {
        free((char *)kernel->source[i].name);
        free((char *)kernel->source[i].text);
    }
    free((struct trace_source *)kernel->source);
    free((struct trace_line *)kernel->line);
    free((struct trace_call *)kernel->call);
    kernel->call = NULL;
    kernel->calls = 0;
    kernel->source = NULL;
    kernel->line = NULL;
    kernel->sources = 0;
}

/* ---- several kernels in a source -----------------------------------------
 * The compiler writes lines for a program of one kernel only (igc 1.0.12504). So the
 * source's SPIR-V is compiled once more, without the other kernels' entry points; the
 * lines are taken if the kernel's code comes out the same. */

enum { SPV_HEADER = 5, SPV_ENTRY_POINT = 15, SPV_MODE = 16, SPV_MODE_ID = 331 };

static uint32_t word_at(const uint8_t *image, size_t word)
{
    uint32_t value;

    memcpy(&value, image + 4 * word, sizeof(value));
    return value;
}

/* Does the instruction at `at`, `length` words long, belong to the entry point of
 * another kernel? */
static bool of_another(const uint8_t *image, size_t at, uint32_t length,
                       const char *kernel, uint32_t own)
{
    uint32_t op = word_at(image, at) & 0xffff;

    if (op == SPV_ENTRY_POINT && length > 3)
        return strncmp((const char *)image + 4 * (at + 3), kernel,
                       4 * (size_t)(length - 3)) != 0;
    return (op == SPV_MODE || op == SPV_MODE_ID) && length > 1 &&
           word_at(image, at + 1) != own;
}

/* The number of the kernel's function; 0: there is none. */
static uint32_t entry_of(const uint8_t *image, size_t words, const char *kernel)
{
    for (size_t at = SPV_HEADER; at < words;) {
        uint32_t length = word_at(image, at) >> 16;

        if (length == 0 || length > words - at)
            return 0;
        if ((word_at(image, at) & 0xffff) == SPV_ENTRY_POINT && length > 3 &&
            !of_another(image, at, length, kernel, 0))
            return word_at(image, at + 2);
        at += length;
    }
    return 0;
}

/* Leave out, in place, what is of other kernels. Returns the bytes that are left; 0: it
 * is no SPIR-V, or has no such kernel. */
static size_t keep_one(uint8_t *image, size_t bytes, const char *kernel)
{
    size_t words = bytes / 4, to = SPV_HEADER;
    uint32_t own = words > SPV_HEADER ? entry_of(image, words, kernel) : 0;

    for (size_t at = SPV_HEADER; own != 0 && at < words;) {
        uint32_t length = word_at(image, at) >> 16;

        if (length == 0 || length > words - at)
            return 0;
        if (!of_another(image, at, length, kernel, own)) {
            memmove(image + 4 * to, image + 4 * at, 4 * (size_t)length);
            to += length;
        }
        at += length;
    }
    return own != 0 ? 4 * to : 0;
}

static bool same_code(const struct loader_program *one,
                      const struct loader_program *image, const char *kernel)
{
    const struct loader_kernel *a = loader_find(one, kernel);
    const struct loader_kernel *b = loader_find(image, kernel);

    return a != NULL && b != NULL && a->text_bytes == b->text_bytes &&
           memcmp(a->text, b->text, a->text_bytes) == 0;
}

void record_find_lines(struct record_program *p, const struct loader_program *image,
                       const char *device, const char *options, const char *kernel)
{
    struct compile_request request = {.source_path = p->file,
                                      .device = device,
                                      .options = options,
                                      .to = COMPILE_SPIRV};
    struct compile_result spirv = {0}, built = {0};
    struct igpu_err ignored;

    if (p->file == NULL || kernel == NULL || options == NULL ||
        strstr(options, "-g") == NULL || image->kernels < 2)
        return;
    if (compile_opencl(&request, &spirv, &ignored) == IGPU_OK)
        spirv.bytes = keep_one(spirv.image, spirv.bytes, kernel);
    else
        spirv.bytes = 0;
    request.source_path = NULL;
    request.source = (const char *)spirv.image;
    request.source_bytes = spirv.bytes;
    request.from = COMPILE_SPIRV;
    request.to = COMPILE_ZEBIN;
    if (spirv.bytes != 0 && compile_opencl(&request, &built, &ignored) == IGPU_OK &&
        loader_open_memory(p->file, built.image, built.bytes, &p->lines, &ignored) ==
            IGPU_OK &&
        !same_code(p->lines, image, kernel)) {
        loader_free(p->lines);
        p->lines = NULL;
    }
    compile_free(&built);
    compile_free(&spirv);
}

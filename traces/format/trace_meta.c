/* trace_meta.c - kernels, launches and the header, see trace_code.h. */
#include <stdlib.h>
#include <string.h>

#include "igpu/json.h"
#include "traces/format/trace_code.h"

static const char ged_prefix[] = "GED_OPCODE_";

enum { GED_NAME_BYTES = 32, BLOCK_ENDS_THREAD = 1, BLOCK_CALL = 2, BLOCK_DYNAMIC = 4 };

/* protobuf-c's strings are not const, but never written to. */
static char *text(const char *s)
{
    return (char *)(s ? s : "");
}

/* A copy to be freed, '?' for each byte that is no UTF-8: the strings of protobuf must
 * be. NULL when memory is short. */
static char *utf8_text(const char *s)
{
    char *copy = strdup(text(s));

    for (char *c = copy; c != NULL && *c != '\0';) {
        int n = igpu_utf8_bytes(c);

        if (n == 0)
            *c = '?';
        c += n > 0 ? n : 1;
    }
    return copy;
}

static void free_text(const char *s)
{
    free((char *)s);
}

static char *copy_text(const char *s)
{
    size_t n = strlen(s ? s : "");
    char *copy = n <= TRACE_MAX_TEXT ? malloc(n + 1) : NULL;

    if (copy)
        memcpy(copy, s ? s : "", n + 1);
    return copy;
}

static bool too_long(const char *s)
{
    return s && strlen(s) > TRACE_MAX_TEXT;
}

/* ---- kernel ------------------------------------------------------------- */

/* The columns of a block list, in one allocation. */
static uint32_t *pack_blocks(const struct isa_block_list *blocks,
                             Vigpu__Trace__Blocks *to)
{
    uint32_t n = blocks->count,
             *column = calloc(3 + ISA_MAX_SUCC, n * sizeof(uint32_t));

    if (!column)
        return NULL;
    to->count = column;
    to->flags = column + n;
    to->nsucc = column + 2 * (size_t)n;
    to->succ = column + 3 * (size_t)n;
    to->n_count = to->n_flags = to->n_nsucc = n;
    for (uint32_t b = 0; b < n; b++) {
        const struct isa_block *block = &blocks->block[b];

        to->count[b] = block->count;
        to->flags[b] = (block->ends_thread ? BLOCK_ENDS_THREAD : 0u) |
                       (block->is_call ? BLOCK_CALL : 0u) |
                       (block->is_dynamic ? BLOCK_DYNAMIC : 0u);
        to->nsucc[b] = block->nsucc;
        for (uint32_t s = 0; s < block->nsucc; s++)
            to->succ[to->n_succ++] = block->succ[s];
    }
    return column;
}

/* Columns, in one piece: of calls, then of instructions. */
static bool pack_calls(const struct trace_kernel *kernel, Vigpu__Trace__Kernel *message)
{
    uint32_t calls = kernel->calls, count = kernel->code.count, *column;

    if (calls == 0)
        return true;
    column = calloc(3 * (size_t)calls + count, sizeof(*column));
    if (column == NULL)
        return false;
    message->call_source = column;
    message->call_line = column + calls;
    message->call_up = column + 2 * (size_t)calls;
    message->call_of = column + 3 * (size_t)calls;
    message->n_call_source = message->n_call_line = message->n_call_up = calls;
    message->n_call_of = count;
    for (uint32_t i = 0; i < calls; i++) {
        message->call_source[i] = kernel->call[i].source;
        message->call_line[i] = kernel->call[i].line;
        message->call_up[i] = kernel->call[i].up;
    }
    for (uint32_t i = 0; i < count; i++)
        message->call_of[i] = kernel->line[i].call;
    return true;
}

/* What is told of sources; texts that are too long stay out. False: memory is short. */
static bool pack_sources(const struct trace_kernel *kernel,
                         Vigpu__Trace__Kernel *message)
{
    uint32_t count = kernel->code.count;
    Vigpu__Trace__Source *source = calloc(kernel->sources, sizeof(*source));

    if (kernel->line == NULL || kernel->sources == 0) {
        free(source);
        return true;
    }
    message->sources = calloc(kernel->sources, sizeof(*message->sources));
    message->line_source = calloc(2 * (size_t)count, sizeof(*message->line_source));
    if (source == NULL || message->sources == NULL || message->line_source == NULL) {
        free(source);
        return false;
    }
    message->line = message->line_source + count;
    message->n_sources = kernel->sources;
    message->n_line = message->n_line_source = count;
    for (uint32_t i = 0; i < kernel->sources; i++) {
        const struct trace_source *from = &kernel->source[i];

        vigpu__trace__source__init(&source[i]);
        source[i].name = utf8_text(too_long(from->name) ? NULL : from->name);
        source[i].text = utf8_text(too_long(from->text) ? NULL : from->text);
        message->sources[i] = &source[i];
        if (source[i].name == NULL || source[i].text == NULL)
            return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        message->line_source[i] = kernel->line[i].source;
        message->line[i] = kernel->line[i].line;
    }
    return pack_calls(kernel, message);
}

static void free_sources(Vigpu__Trace__Kernel *message, uint32_t sources)
{
    for (uint32_t i = 0; message->sources != NULL && i < sources; i++)
        if (message->sources[i] != NULL) {
            free(message->sources[i]->name);
            free(message->sources[i]->text);
        }
    if (message->sources != NULL)
        free(message->sources[0]);
    free(message->sources);
    free(message->line_source);
    free(message->call_source);
}

enum igpu_status trace_kernel_write(struct trace_out *out,
                                    const struct trace_kernel *kernel,
                                    struct trace_section *section, struct igpu_err *err)
{
    Vigpu__Trace__Kernel message = VIGPU__TRACE__KERNEL__INIT;
    Vigpu__Trace__Blocks blocks = VIGPU__TRACE__BLOCKS__INIT;
    enum isa_opcode opcodes[ISA_OP_COUNT];
    char names[ISA_OP_COUNT][GED_NAME_BYTES], *name[ISA_OP_COUNT];
    struct trace_bytes inst = {0};
    char *options = NULL;
    uint32_t nopcodes = 0, *columns = pack_blocks(&kernel->blocks, &blocks);
    enum igpu_status status;

    if (!columns)
        return igpu_no_memory(err, "trace writer");
    trace_code_pack(&kernel->code, opcodes, &nopcodes, &inst);
    for (uint32_t i = 0; i < nopcodes; i++) {
        snprintf(names[i], sizeof(names[i]), "%s%s", ged_prefix,
                 isa_opcode_name(opcodes[i]));
        name[i] = names[i];
    }
    message.name = text(kernel->name);
    options = utf8_text(kernel->build_options);
    message.build_options = text(options);
    message.source_hash = kernel->source_hash;
    message.simd = kernel->simd;
    message.slm_bytes = kernel->slm_bytes;
    message.grf_count = kernel->grf_count;
    message.barriers = kernel->barriers;
    message.stage = kernel->graphics ? VIGPU__TRACE__STAGE__STAGE_GRAPHICS
                                     : VIGPU__TRACE__STAGE__STAGE_COMPUTE;
    message.opcodes = name;
    message.n_opcodes = nopcodes;
    message.inst_count = kernel->code.count;
    message.inst.data = inst.data;
    message.inst.len = inst.size;
    message.blocks = &blocks;
    inst.failed |= !pack_sources(kernel, &message);
    status = inst.failed ? igpu_no_memory(err, "trace writer")
                         : trace_out_section(out, TRACE_KIND_KERNEL, &message.base,
                                             section, err);
    trace_bytes_free(&inst);
    free_sources(&message, kernel->sources);
    free(columns);
    free(options);
    return status;
}

static const char *read_calls(const Vigpu__Trace__Kernel *from,
                              struct trace_kernel *kernel, struct trace_line *line)
{
    static const char damaged[] = "its calls of inlined functions are not valid";
    size_t calls = from->n_call_source;
    struct trace_call *call;

    if (calls > TRACE_MAX_CALLS || from->n_call_line != calls ||
        from->n_call_up != calls || from->n_call_of != kernel->code.count)
        return damaged;
    call = calloc(calls, sizeof(*call));
    kernel->call = call;
    if (call == NULL)
        return igpu_short_memory;
    kernel->calls = (uint32_t)calls;
    for (uint32_t i = 0; i < calls; i++) {
        if (from->call_source[i] == 0 || from->call_source[i] > from->n_sources ||
            from->call_up[i] > i)
            return damaged;
        call[i] = (struct trace_call){from->call_source[i], from->call_line[i],
                                      from->call_up[i]};
    }
    for (uint32_t i = 0; i < kernel->code.count; i++) {
        if (from->call_of[i] > calls)
            return damaged;
        line[i].call = from->call_of[i];
    }
    return NULL;
}

static const char *read_sources(const Vigpu__Trace__Kernel *from,
                                struct trace_kernel *kernel)
{
    uint32_t count = kernel->code.count;
    struct trace_source *source;
    struct trace_line *line;

    if (from->n_sources == 0)
        return NULL;
    if (from->n_sources > TRACE_MAX_SOURCES || from->n_line != count ||
        from->n_line_source != count)
        return "its source lines are not valid";
    source = calloc(from->n_sources, sizeof(*source));
    line = calloc(count, sizeof(*line));
    kernel->source = source;
    kernel->line = line;
    if (source == NULL || line == NULL)
        return igpu_short_memory;
    for (uint32_t i = 0; i < from->n_sources; i++) {
        kernel->sources++;
        source[i].name = copy_text(from->sources[i]->name);
        source[i].text = copy_text(from->sources[i]->text);
        if (source[i].name == NULL || source[i].text == NULL)
            return "a string is too long";
    }
    for (uint32_t i = 0; i < count; i++) {
        if (from->line_source[i] > from->n_sources)
            return "its source lines are not valid";
        line[i] = (struct trace_line){from->line_source[i], from->line[i], 0};
    }
    return from->n_call_source != 0 ? read_calls(from, kernel, line) : NULL;
}

static const char *read_blocks(const Vigpu__Trace__Blocks *from,
                               const struct isa_kernel_code *code,
                               struct isa_block_list *blocks)
{
    size_t n = from ? from->n_count : 0, next = 0;
    uint32_t first = 0;

    if (n == 0 || n > code->count || from->n_flags != n || from->n_nsucc != n)
        return "its blocks are not valid";
    blocks->block = calloc(n, sizeof(*blocks->block));
    blocks->block_of = calloc(code->count, sizeof(*blocks->block_of));
    if (!blocks->block || !blocks->block_of)
        return igpu_short_memory;
    blocks->count = (uint32_t)n;
    for (uint32_t b = 0; b < n; b++) {
        struct isa_block *block = &blocks->block[b];

        if (from->nsucc[b] > ISA_MAX_SUCC || from->nsucc[b] > from->n_succ - next ||
            from->count[b] > code->count - first)
            return "its blocks are not valid";
        block->first = first;
        block->count = from->count[b];
        block->nsucc = (uint8_t)from->nsucc[b];
        for (uint32_t s = 0; s < block->nsucc; s++)
            block->succ[s] = from->succ[next++];
        block->ends_thread = from->flags[b] & BLOCK_ENDS_THREAD;
        block->is_call = from->flags[b] & BLOCK_CALL;
        block->is_dynamic = from->flags[b] & BLOCK_DYNAMIC;
        for (uint32_t i = 0; i < block->count; i++)
            blocks->block_of[first++] = b;
    }
    return NULL;
}

static const char *read_kernel(const Vigpu__Trace__Kernel *from,
                               struct trace_kernel *kernel)
{
    enum isa_opcode opcodes[ISA_OP_COUNT];
    const char *what;
    uint32_t inst;

    kernel->name = copy_text(from->name);
    kernel->build_options = copy_text(from->build_options);
    if (!kernel->name || !kernel->build_options)
        return "a string is too long";
    kernel->source_hash = from->source_hash;
    kernel->simd = from->simd;
    kernel->slm_bytes = from->slm_bytes;
    kernel->grf_count = from->grf_count;
    kernel->barriers = from->barriers;
    kernel->graphics = from->stage == VIGPU__TRACE__STAGE__STAGE_GRAPHICS;
    if (!kernel->graphics && from->stage != VIGPU__TRACE__STAGE__STAGE_COMPUTE)
        return "it is of another version's frame; record that with igpu frame trace";
    if (from->n_opcodes > ISA_OP_COUNT)
        return "it has too many opcodes";
    for (size_t i = 0; i < from->n_opcodes; i++) {
        if (strncmp(from->opcodes[i], ged_prefix, sizeof(ged_prefix) - 1) != 0)
            return "an opcode has no GED name";
        opcodes[i] = isa_opcode_from_name(from->opcodes[i] + sizeof(ged_prefix) - 1);
        if (opcodes[i] == ISA_OP_COUNT)
            return "an opcode is not known to this version";
    }
    what = trace_code_unpack(from->inst.data, from->inst.len, from->inst_count, opcodes,
                             (uint32_t)from->n_opcodes, &kernel->code);
    if (!what)
        what = read_blocks(from->blocks, &kernel->code, &kernel->blocks);
    if (!what)
        what = read_sources(from, kernel);
    return what ? what : trace_kernel_fault(kernel, &inst);
}

struct trace_kernel *trace_kernel_read(const void *raw, size_t size, const char **what)
{
    struct trace_kernel *kernel = calloc(1, sizeof(*kernel));
    struct trace_budget budget;
    Vigpu__Trace__Kernel *message;

    trace_budget_init(&budget, size);
    message = vigpu__trace__kernel__unpack(&budget.allocator, size, raw);
    *what = !kernel ? igpu_short_memory : !message ? "it cannot be read" : NULL;
    if (!*what)
        *what = read_kernel(message, kernel);
    if (message)
        vigpu__trace__kernel__free_unpacked(message, &budget.allocator);
    if (*what) {
        trace_kernel_free(kernel);
        return NULL;
    }
    return kernel;
}

void trace_kernel_free(struct trace_kernel *kernel)
{
    if (!kernel)
        return;
    free_text(kernel->name);
    free_text(kernel->build_options);
    for (uint32_t i = 0; i < kernel->sources; i++) {
        free_text(kernel->source[i].name);
        free_text(kernel->source[i].text);
    }
    free((struct trace_source *)kernel->source);
    free((struct trace_line *)kernel->line);
    free((struct trace_call *)kernel->call);
    free(kernel->code.inst);
    free(kernel->blocks.block);
    free(kernel->blocks.block_of);
    free(kernel);
}

/* ---- header ------------------------------------------------------------- */

enum igpu_status trace_header_write(struct trace_out *out,
                                    const struct trace_header *header,
                                    struct trace_section *section, struct igpu_err *err)
{
    Vigpu__Trace__Header message = VIGPU__TRACE__HEADER__INIT;
    char *program, *command;
    enum igpu_status status;

    if (too_long(header->producer) || too_long(header->device) ||
        too_long(header->program) || too_long(header->command_line))
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "trace writer: a string of the header is over %d bytes",
                         TRACE_MAX_TEXT);
    message.producer = text(header->producer);
    message.device = text(header->device);
    program = utf8_text(header->program);
    command = utf8_text(header->command_line);
    message.program = text(program);
    message.command_line = text(command);
    status = trace_out_section(out, TRACE_KIND_HEADER, &message.base, section, err);
    free(program);
    free(command);
    return status;
}

struct trace_header *trace_header_read(const void *raw, size_t size, const char **what)
{
    struct trace_header *header = calloc(1, sizeof(*header));
    struct trace_budget budget;
    Vigpu__Trace__Header *message;

    trace_budget_init(&budget, size);
    message = vigpu__trace__header__unpack(&budget.allocator, size, raw);
    *what = !header ? igpu_short_memory : !message ? "it cannot be read" : NULL;
    if (!*what) {
        header->producer = copy_text(message->producer);
        header->device = copy_text(message->device);
        header->program = copy_text(message->program);
        header->command_line = copy_text(message->command_line);
        if (!header->producer || !header->device || !header->program ||
            !header->command_line)
            *what = "a string is too long";
    }
    if (message)
        vigpu__trace__header__free_unpacked(message, &budget.allocator);
    if (*what) {
        trace_header_free(header);
        return NULL;
    }
    return header;
}

void trace_header_free(struct trace_header *header)
{
    if (!header)
        return;
    free_text(header->producer);
    free_text(header->device);
    free_text(header->program);
    free_text(header->command_line);
    free(header);
}

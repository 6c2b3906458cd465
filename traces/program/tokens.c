/* tokens.c - a program in patch tokens: its header, its variables and its kernels; see
 * traces/program/tokens.h. */
#include "tokens.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAGIC = 0x494E5443, /* "CTNI" */
    HEADER_BYTES = 28,
    KERNEL_BYTES = 40,
    POINTER_BYTES = 28, /* a token of one */
    CORE_GEN9 = 12,
    PADDING = 128 /* zeros behind the text, as the compiler leaves them */
};

/* Tokens of the program. */
enum {
    GLOBAL_VARIABLES = 41,
    CONSTANT_VARIABLES = 42,
    POINTER_IN_GLOBAL = 47,
    POINTER_IN_CONSTANT = 48
};

/* A load under way. */
struct load {
    struct loader_program *program;
    struct tokens_span rest;
    const uint8_t *start;
    struct igpu_err *err;
};

static enum igpu_status tokens_bad(const struct load *l, const char *what)
{
    return igpu_fail(l->err, IGPU_BAD_INPUT, "%s: patch tokens at 0x%zx: %s",
                     l->program->label, (size_t)(l->rest.at - l->start), what);
}

static enum igpu_status no_memory(const struct load *l)
{
    return igpu_no_memory(l->err, "%s", l->program->label);
}

/* ---- variables ---------------------------------------------------------- */

/* The section of a kind, or -1. */
static int32_t find_data(const struct loader_program *p, enum loader_data_kind kind)
{
    for (uint32_t i = 0; i < p->datas; i++)
        if (p->data[i].kind == kind)
            return (int32_t)i;
    return -1;
}

/* The bytes of the variables lie behind their token, which does not count them. */
static enum igpu_status read_variables(struct load *l, const struct token *token,
                                       struct tokens_span *list)
{
    bool global = token->number == GLOBAL_VARIABLES;
    uint32_t words = global ? 3 : 2;
    struct loader_data *d = &l->program->data[l->program->datas];
    struct tokens_span bytes;

    if (token->body.bytes < 4 * (size_t)words)
        return tokens_bad(l, "variables without a size");
    if (!tokens_cut(list, tokens_word(token->body, words - 1), &bytes))
        return tokens_bad(l, "variables reach beyond the end of the list");
    d->kind = global ? LOADER_DATA_GLOBAL : LOADER_DATA_CONST;
    if (find_data(l->program, d->kind) >= 0)
        return tokens_bad(l, "variables of one kind come twice");
    d->name = loader_copy_text(global ? ".data.global" : ".data.const",
                               global ? strlen(".data.global") : strlen(".data.const"));
    d->data = calloc(1, bytes.bytes + 1);
    l->program->datas++;
    if (d->name == NULL || d->data == NULL)
        return no_memory(l);
    memcpy(d->data, bytes.at, bytes.bytes);
    d->bytes = bytes.bytes;
    d->align = 64;
    return IGPU_OK;
}

/* A variable that holds the address of another: which buffer, where in it; of which. */
static enum igpu_status read_pointer(struct load *l, const struct token *token)
{
    struct loader_reloc *r = &l->program->reloc[l->program->relocs];
    enum loader_data_kind kind =
        token->number == POINTER_IN_GLOBAL ? LOADER_DATA_GLOBAL : LOADER_DATA_CONST;

    if (token->body.bytes < POINTER_BYTES - 8)
        return tokens_bad(l, "a pointer's token is too short");
    r->kernel = -1;
    r->data = find_data(l->program, kind);
    r->type = LOADER_RELOC_64;
    r->offset = tokens_word(token->body, 1) | (uint64_t)tokens_word(token->body, 2)
                                                  << 32;
    r->symbol = tokens_word(token->body, 3) == 0 ? 0 : 1; /* global, constant */
    if (r->data < 0 || l->program->symbol[r->symbol].data < 0 ||
        r->offset > l->program->data[r->data].bytes ||
        l->program->data[r->data].bytes - r->offset < 8)
        return tokens_bad(l, "a pointer lies outside of the variables");
    l->program->relocs++;
    return IGPU_OK;
}

/* One symbol for all global variables, one for all constants. */
static enum igpu_status make_symbols(struct load *l, size_t pointers)
{
    struct loader_program *p = l->program;

    p->symbol = calloc(2, sizeof(*p->symbol));
    p->reloc = calloc(pointers + 1, sizeof(*p->reloc));
    if (p->symbol == NULL || p->reloc == NULL)
        return no_memory(l);
    for (; p->symbols < 2; p->symbols++) {
        struct loader_symbol *s = &p->symbol[p->symbols];

        s->kernel = -1;
        s->data =
            find_data(p, p->symbols == 0 ? LOADER_DATA_GLOBAL : LOADER_DATA_CONST);
        s->name = loader_copy_text("variables", strlen("variables"));
        if (s->name == NULL)
            return no_memory(l);
    }
    return IGPU_OK;
}

/* Variables first: pointers among them need all. */
static enum igpu_status read_program_list(struct load *l, struct tokens_span list)
{
    enum igpu_status status = IGPU_OK;
    struct tokens_span rest = list;
    struct token token;

    l->program->data = calloc(2, sizeof(*l->program->data));
    if (l->program->data == NULL)
        return no_memory(l);
    while (status == IGPU_OK && tokens_next(&rest, &token))
        if (token.number == GLOBAL_VARIABLES || token.number == CONSTANT_VARIABLES)
            status = read_variables(l, &token, &rest);
    if (status == IGPU_OK && rest.bytes >= 8)
        status = tokens_bad(l, "a token of the program does not fit in its list");
    if (status == IGPU_OK)
        status = make_symbols(l, list.bytes / POINTER_BYTES);
    for (rest = list; status == IGPU_OK && tokens_next(&rest, &token);) {
        struct tokens_span skipped;
        bool global = token.number == GLOBAL_VARIABLES;

        if (global || token.number == CONSTANT_VARIABLES)
            (void)tokens_cut(&rest, tokens_word(token.body, global ? 2 : 1), &skipped);
        else if (token.number != POINTER_IN_GLOBAL &&
                 token.number != POINTER_IN_CONSTANT)
            continue; /* symbols, for others */
        else
            status = read_pointer(l, &token);
    }
    return status;
}

/* ---- kernels ------------------------------------------------------------ */

static enum igpu_status read_text(struct load *l, struct loader_kernel *k,
                                  struct tokens_span name, struct tokens_span text)
{
    const char *letters = (const char *)name.at;

    if (name.bytes == 0 || letters[0] == '\0' || name.bytes > LOADER_MAX_NAME_BYTES ||
        memchr(letters, 0, name.bytes) == NULL)
        return tokens_bad(l, "a kernel's name is missing or does not end");
    if (text.bytes == 0)
        return tokens_bad(l, "a kernel has no code");
    k->name = loader_copy_text(letters, strlen(letters));
    k->text = calloc(1, text.bytes + PADDING);
    if (k->name == NULL || k->text == NULL)
        return no_memory(l);
    memcpy(k->text, text.at, text.bytes);
    k->text_bytes = text.bytes;
    k->file_offset = (uint64_t)(text.at - l->start);
    return IGPU_OK;
}

/* Header, name, code, three heaps, tokens. */
static enum igpu_status read_kernel(struct load *l)
{
    struct loader_kernel *k = &l->program->kernel[l->program->kernels];
    struct tokens_span head, name, text, general, dynamic, surface, list;
    enum igpu_status status;

    if (!tokens_cut(&l->rest, KERNEL_BYTES, &head) ||
        !tokens_cut(&l->rest, tokens_word(head, 3), &name) ||
        !tokens_cut(&l->rest, tokens_word(head, 5), &text) ||
        !tokens_cut(&l->rest, tokens_word(head, 6), &general) ||
        !tokens_cut(&l->rest, tokens_word(head, 7), &dynamic) ||
        !tokens_cut(&l->rest, tokens_word(head, 8), &surface) ||
        !tokens_cut(&l->rest, tokens_word(head, 4), &list))
        return tokens_bad(l, "a kernel reaches beyond the end");
    l->program->kernels++;
    status = read_text(l, k, name, text);
    return status == IGPU_OK ? tokens_read_kernel(l->program->label, k, dynamic,
                                                  surface, list, l->err)
                             : status;
}

static enum igpu_status check_header(const struct load *l, struct tokens_span head)
{
    if (tokens_word(head, 0) != MAGIC)
        return tokens_bad(l, "do not begin with CTNI");
    if (tokens_word(head, 2) != CORE_GEN9)
        return igpu_fail(l->err, IGPU_BAD_INPUT,
                         "%s: was compiled for the core family %" PRIu32
                         ", expected 12 (Gen9); compile it for skl or kbl",
                         l->program->label, tokens_word(head, 2));
    if (tokens_word(head, 3) != 8)
        return tokens_bad(l, "are for a 32-bit device; compile with ocloc ... -64");
    if (tokens_word(head, 4) > LOADER_MAX_KERNELS ||
        tokens_word(head, 4) > l->rest.bytes / KERNEL_BYTES)
        return tokens_bad(l, "claim more kernels than there are");
    return IGPU_OK;
}

enum igpu_status tokens_parse(struct loader_program *program, const uint8_t *bytes,
                              size_t size, struct igpu_err *err)
{
    struct load l = {program, {bytes, size}, bytes, err};
    struct tokens_span head, list;
    enum igpu_status status;
    uint32_t kernels;

    if (!tokens_cut(&l.rest, HEADER_BYTES, &head))
        return tokens_bad(&l, "cut off");
    status = check_header(&l, head);
    if (status != IGPU_OK)
        return status;
    kernels = tokens_word(head, 4);
    if (!tokens_cut(&l.rest, tokens_word(head, 6), &list))
        return tokens_bad(&l, "the program's list reaches beyond the end");
    program->build_options = loader_copy_text("", 0);
    program->kernel = calloc(kernels + 1u, sizeof(*program->kernel));
    if (program->build_options == NULL || program->kernel == NULL)
        return no_memory(&l);
    status = read_program_list(&l, list);
    while (status == IGPU_OK && program->kernels < kernels)
        status = read_kernel(&l);
    return status;
}

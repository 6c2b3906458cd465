/* tokens_kernel.c - a kernel's patch tokens to struct loader_kernel; see
 * traces/program/tokens.h. What a kernel cannot do without and is not read here is
 * refused by its number; tokens that only inform are passed over, as newer compilers
 * add some. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

enum { MAX_ARGS = 1024, MAX_SAMPLERS = 32, SAMPLER_BYTES = 16, SURFACE_BYTES = 64 };

/* A kernel under way. */
struct reader {
    const char *label;
    struct loader_kernel *k;
    struct tokens_span dynamic, surface; /* heaps */
    struct tokens_span table;            /* of bindings, in the surface heap */
    struct tokens_span samplers;         /* in the dynamic heap */
    uint32_t samplers_at;                /* where there */
    uint32_t payload_bytes;
    bool has_environment;
    struct igpu_err *err;
};

static enum igpu_status kernel_bad(const struct reader *r, uint32_t token,
                                   const char *what)
{
    return igpu_fail(r->err, IGPU_BAD_INPUT,
                     "%s: kernel %s: patch token %" PRIu32 ": %s", r->label, r->k->name,
                     token, what);
}

static enum igpu_status unsupported(const struct reader *r, uint32_t token,
                                    const char *what)
{
    return igpu_fail(r->err, IGPU_BAD_INPUT,
                     "%s: kernel %s needs %s (patch token %" PRIu32
                     "), which is not supported; compile it with --format zebin",
                     r->label, r->k->name, what, token);
}

/* ---- arguments ---------------------------------------------------------- */

/* A further piece of the payload; its list has room. */
static struct loader_arg *add_arg(struct reader *r, enum loader_arg_type type,
                                  int32_t index)
{
    struct loader_arg *arg = &r->k->arg[r->k->args++];

    arg->type = (uint8_t)type;
    arg->arg_index = index;
    arg->sampler_index = -1;
    (void)snprintf(arg->type_name, sizeof(arg->type_name), "%s",
                   loader_arg_type_name(type));
    return arg;
}

/* Argument `index`, or variables, are at the surface at `offset` of its heap, if at
 * one.
 */
static void bind(struct reader *r, int32_t index, uint32_t offset)
{
    struct loader_bti *bti = &r->k->bti[r->k->btis];
    uint32_t entries = (uint32_t)(r->table.bytes / 4);

    if (offset == UINT32_MAX)
        return;
    bti->arg_index = index;
    bti->bti = offset / SURFACE_BYTES;
    for (uint32_t i = 0; i < entries; i++)
        if (tokens_word(r->table, i) == offset) {
            bti->bti = i;
            break;
        }
    if (bti->bti < 256)
        r->k->btis++;
}

static void set_place(struct loader_arg *arg, uint32_t offset, uint32_t bytes)
{
    arg->offset = offset;
    arg->size = bytes;
}

static enum igpu_status read_pointer(struct reader *r, const struct token *t)
{
    uint32_t index = tokens_word(t->body, 0), surface = tokens_word(t->body, 1);
    struct loader_arg *arg;

    if (index >= MAX_ARGS)
        return kernel_bad(r, t->number, "an argument beyond 1024");
    if (surface != UINT32_MAX) {
        arg = add_arg(r, LOADER_ARG_BYPOINTER, (int32_t)index);
        arg->addrmode = LOADER_MODE_STATEFUL;
        arg->addrspace = t->number == 31 ? LOADER_SPACE_CONSTANT : LOADER_SPACE_GLOBAL;
        bind(r, (int32_t)index, surface);
    }
    if (t->number == 11)
        return IGPU_OK; /* a surface alone */
    arg = add_arg(r, LOADER_ARG_BYPOINTER, (int32_t)index);
    arg->addrmode = LOADER_MODE_STATELESS;
    arg->addrspace = t->number == 31 ? LOADER_SPACE_CONSTANT : LOADER_SPACE_GLOBAL;
    set_place(arg, tokens_word(t->body, 2), tokens_word(t->body, 3));
    return IGPU_OK;
}

static enum igpu_status read_image(struct reader *r, const struct token *t)
{
    static const char *const types[] = {
        [1] = "image_buffer",   [2] = "image_1d",
        [3] = "image_1d_array", [4] = "image_2d",
        [5] = "image_2d_array", [6] = "image_3d",
        [9] = "image_2d_depth", [10] = "image_2d_array_depth",
        [15] = "image_2d",      [16] = "image_2d", /* read in blocks */
    };
    uint32_t index = tokens_word(t->body, 0), type = tokens_word(t->body, 1);
    struct loader_arg *arg;

    if (index >= MAX_ARGS)
        return kernel_bad(r, t->number, "an argument beyond 1024");
    if (type >= sizeof(types) / sizeof(types[0]) || types[type] == NULL)
        return unsupported(r, t->number, "a kind of image");
    arg = add_arg(r, LOADER_ARG_BYPOINTER, (int32_t)index);
    arg->addrmode = LOADER_MODE_STATEFUL;
    arg->addrspace = LOADER_SPACE_IMAGE;
    arg->access =
        tokens_word(t->body, 5) != 0 ? LOADER_ACCESS_READWRITE : LOADER_ACCESS_READONLY;
    (void)snprintf(arg->image_type, sizeof(arg->image_type), "%s", types[type]);
    bind(r, (int32_t)index, tokens_word(t->body, 2));
    return IGPU_OK;
}

static enum igpu_status read_sampler(struct reader *r, const struct token *t)
{
    uint32_t index = tokens_word(t->body, 0), at = tokens_word(t->body, 2);
    struct loader_arg *arg;

    if (index >= MAX_ARGS)
        return kernel_bad(r, t->number, "an argument beyond 1024");
    if (tokens_word(t->body, 1) != 1)
        return unsupported(r, t->number, "a sampler that is none of textures");
    if (at < r->samplers_at || (at - r->samplers_at) % SAMPLER_BYTES != 0 ||
        at - r->samplers_at >= r->samplers.bytes)
        return kernel_bad(r, t->number, "a sampler that is not in the kernel's table");
    arg = add_arg(r, LOADER_ARG_BYPOINTER, (int32_t)index);
    arg->addrmode = LOADER_MODE_STATEFUL;
    arg->addrspace = LOADER_SPACE_SAMPLER;
    arg->sampler_index = (int32_t)((at - r->samplers_at) / SAMPLER_BYTES);
    (void)snprintf(arg->sampler_type, sizeof(arg->sampler_type), "texture");
    return IGPU_OK;
}

/* ---- pieces of the payload ---------------------------------------------- */

/* Kinds by their number in the file; three of them come dimension by dimension. */
static const struct {
    uint8_t type;       /* enum loader_arg_type */
    bool sizes, of_arg; /* of dimensions; of an argument */
} pieces[] = {
    [1] = {LOADER_ARG_BYVALUE, false, true},
    [2] = {LOADER_ARG_LOCAL_SIZE, true, false},
    [3] = {LOADER_ARG_GLOBAL_SIZE, true, false},
    [4] = {LOADER_ARG_GROUP_COUNT, true, false},
    [5] = {LOADER_ARG_WORK_DIMENSIONS, false, false},
    [8] = {LOADER_ARG_BYPOINTER, false, true}, /* to local memory */
    [9] = {LOADER_ARG_IMAGE_WIDTH, false, true},
    [10] = {LOADER_ARG_IMAGE_HEIGHT, false, true},
    [11] = {LOADER_ARG_IMAGE_DEPTH, false, true},
    [12] = {LOADER_ARG_IMAGE_CHANNEL_DATA_TYPE, false, true},
    [13] = {LOADER_ARG_IMAGE_CHANNEL_ORDER, false, true},
    [14] = {LOADER_ARG_SAMPLER_ADDRESS, false, true},
    [15] = {LOADER_ARG_SAMPLER_NORMALIZED, false, true},
    [16] = {LOADER_ARG_GLOBAL_ID_OFFSET, true, false},
    [18] = {LOADER_ARG_IMAGE_ARRAY_SIZE, false, true},
    [20] = {LOADER_ARG_IMAGE_NUM_SAMPLES, false, true},
    [21] = {LOADER_ARG_SAMPLER_SNAP_WA, false, true},
    [27] = {LOADER_ARG_IMAGE_NUM_MIP_LEVELS, false, true},
    [28] = {LOADER_ARG_ENQUEUED_LOCAL_SIZE, true, false},
    [42] = {LOADER_ARG_BUFFER_OFFSET, false, true},
};
enum { PIECES = sizeof(pieces) / sizeof(pieces[0]), STATEFUL_ALONE = 43 };

/* One dimension of a size: dimension 0 begins a piece, the others follow it. */
static enum igpu_status read_size(struct reader *r, const struct token *t,
                                  enum loader_arg_type type)
{
    struct loader_arg *last = r->k->args > 0 ? &r->k->arg[r->k->args - 1] : NULL;
    uint32_t at = tokens_word(t->body, 2), dimension = tokens_word(t->body, 4) / 4;

    if (tokens_word(t->body, 3) != 4 || dimension > 2)
        return kernel_bad(r, t->number, "a size that is no dword of three");
    if (dimension == 0)
        set_place(add_arg(r, type, -1), at, 4);
    else if (last == NULL || last->type != type || last->size != 4 * dimension ||
             at != last->offset + last->size)
        return unsupported(r, t->number, "sizes whose dimensions lie apart");
    else
        last->size += 4;
    return IGPU_OK;
}

/* A local pointer: its alignment is in the place of the source's offset. */
static void finish_value(const struct token *t, struct loader_arg *arg)
{
    if (arg->type == LOADER_ARG_BYPOINTER) {
        arg->addrmode = LOADER_MODE_SLM;
        arg->addrspace = LOADER_SPACE_LOCAL;
        arg->slm_alignment = tokens_word(t->body, 4);
    } else if (arg->type == LOADER_ARG_BYVALUE) {
        arg->source_offset = tokens_word(t->body, 4);
    }
}

static enum igpu_status read_piece(struct reader *r, const struct token *t)
{
    uint32_t kind = tokens_word(t->body, 0), index = tokens_word(t->body, 1);
    struct loader_arg *arg;

    if (kind == STATEFUL_ALONE)
        return IGPU_OK; /* only tells that a pointer is never used as such */
    if (kind >= PIECES || pieces[kind].type == LOADER_ARG_UNKNOWN) {
        arg = add_arg(r, LOADER_ARG_UNKNOWN, -1); /* its use will be refused */
        (void)snprintf(arg->type_name, sizeof(arg->type_name),
                       "data parameter %" PRIu32, kind);
        set_place(arg, tokens_word(t->body, 2), tokens_word(t->body, 3));
        return IGPU_OK;
    }
    if (pieces[kind].sizes)
        return read_size(r, t, pieces[kind].type);
    if (pieces[kind].of_arg && index >= MAX_ARGS)
        return kernel_bad(r, t->number, "an argument beyond 1024");
    arg = add_arg(r, pieces[kind].type, pieces[kind].of_arg ? (int32_t)index : -1);
    set_place(arg, tokens_word(t->body, 2), tokens_word(t->body, 3));
    finish_value(t, arg);
    if (arg->source_offset > LOADER_MAX_PAYLOAD_BYTES ||
        arg->slm_alignment > LOADER_MAX_PAYLOAD_BYTES)
        return kernel_bad(r, t->number, "an offset or alignment over 64 KiB");
    return IGPU_OK;
}

/* ---- memory of the kernel's own ----------------------------------------- */

static void add_buffer(struct reader *r, uint8_t type, uint8_t usage, uint32_t bytes)
{
    struct loader_thread_buffer *b = &r->k->buffer[r->k->buffers];

    if (bytes == 0)
        return;
    b->type = type;
    b->usage = usage;
    b->size = bytes;
    r->k->buffers++;
}

static enum igpu_status read_private(struct reader *r, const struct token *t)
{
    bool by_item = t->body.bytes >= 20 && tokens_word(t->body, 4) != 0;
    uint32_t bytes = tokens_word(t->body, 3), lanes = r->k->simd_size;

    if (bytes > 1u << 30)
        return kernel_bad(r, t->number, "private memory over 1 GiB");
    if (!by_item && lanes > 0)
        bytes = (bytes + lanes - 1) / lanes; /* of a thread: so much for an item */
    add_buffer(r, LOADER_BUFFER_GLOBAL, LOADER_USAGE_PRIVATE, bytes);
    set_place(add_arg(r, LOADER_ARG_PRIVATE_BASE, -1), tokens_word(t->body, 1),
              tokens_word(t->body, 2));
    return IGPU_OK;
}

static enum igpu_status read_scratch(struct reader *r, const struct token *t)
{
    uint32_t bytes = tokens_word(t->body, 1);

    if (bytes > 1u << 30)
        return kernel_bad(r, t->number, "scratch space over 1 GiB");
    if (t->number == 55 && bytes != 0)
        return unsupported(r, t->number, "a second scratch space");
    add_buffer(r, LOADER_BUFFER_SCRATCH, LOADER_USAGE_SINGLE_SPACE, bytes);
    return IGPU_OK;
}

/* Addresses that the driver knows: of printf's buffer, of variables. */
static enum igpu_status read_base(struct reader *r, const struct token *t)
{
    enum loader_arg_type type = t->number == 33   ? LOADER_ARG_PRINTF_BUFFER
                                : t->number == 43 ? LOADER_ARG_GLOBAL_BASE
                                                  : LOADER_ARG_CONST_BASE;

    set_place(add_arg(r, type, -1), tokens_word(t->body, 2), tokens_word(t->body, 3));
    if (t->number != 33)
        bind(r, t->number == 43 ? LOADER_BTI_GLOBAL : LOADER_BTI_CONST,
             tokens_word(t->body, 1));
    return IGPU_OK;
}

static enum igpu_status read_local(struct reader *r, const struct token *t)
{
    r->k->slm_size = tokens_word(t->body, 1);
    return r->k->slm_size > 1u << 20
               ? kernel_bad(r, t->number, "local memory over 1 MiB")
               : IGPU_OK;
}

/* ---- what the kernel is ------------------------------------------------- */

static enum igpu_status read_environment(struct reader *r, const struct token *t)
{
    struct loader_kernel *k = r->k;
    uint32_t order = tokens_word(t->body, 21), seen = 0;

    for (uint32_t i = 0; i < 3; i++) {
        k->required_work_group_size[i] = tokens_word(t->body, i);
        k->walk_order[i] = order != 0 ? order >> (2 * i) & 3 : i;
        seen |= 1u << k->walk_order[i];
        if (k->required_work_group_size[i] > 1u << 20)
            return kernel_bad(r, t->number, "a group of over a million items");
    }
    k->simd_size = tokens_word(t->body, 3);
    k->barrier_count = tokens_word(t->body, 5) != 0;
    k->disable_mid_thread_preemption = tokens_word(t->body, 6) != 0;
    k->grf_count = tokens_word(t->body, 20);
    k->has_global_atomics = tokens_word(t->body, 22) != 0;
    if (k->simd_size != 1 && k->simd_size != 8 && k->simd_size != 16 &&
        k->simd_size != 32)
        return kernel_bad(r, t->number, "the SIMD width must be 1, 8, 16 or 32");
    if (k->grf_count != 128)
        return kernel_bad(r, t->number, "must ask for 128 registers on Gen9");
    if (seen != 7)
        return kernel_bad(r, t->number, "the order of dimensions must hold each once");
    if (tokens_word(t->body, 10) != 0)
        return unsupported(r, t->number, "enqueueing on the device");
    r->has_environment = true;
    return IGPU_OK;
}

static enum igpu_status read_threads(struct reader *r, const struct token *t)
{
    struct loader_arg *ids;
    uint32_t dimensions = 0;

    for (uint32_t i = 1; i <= 3; i++)
        dimensions += tokens_word(t->body, i) != 0;
    if (tokens_word(t->body, 4) != 0)
        return unsupported(r, t->number, "flat local ids");
    if (tokens_word(t->body, 5) == 0)
        return unsupported(r, t->number, "a payload in the URB");
    if (dimensions == 0 || r->k->per_thread_arg != NULL)
        return IGPU_OK;
    ids = calloc(1, sizeof(*ids));
    if (ids == NULL)
        return igpu_no_memory(r->err, "%s", r->label);
    ids->type = LOADER_ARG_LOCAL_ID;
    ids->arg_index = ids->sampler_index = -1;
    ids->size = dimensions * (r->k->simd_size > 16 ? 64 : 32);
    r->k->per_thread_arg = ids;
    r->k->per_thread_args = 1;
    return IGPU_OK;
}

static enum igpu_status read_stream(struct reader *r, const struct token *t)
{
    r->payload_bytes = tokens_word(t->body, 0);
    return r->payload_bytes > LOADER_MAX_PAYLOAD_BYTES
               ? kernel_bad(r, t->number, "a payload over 64 KiB")
               : IGPU_OK;
}

/* The numbers behind `word(` in the attributes, up to three. */
static void read_numbers(const char *text, const char *word, uint32_t *out,
                         uint32_t count)
{
    const char *at = strstr(text, word);
    char *end;

    if (at == NULL)
        return;
    at += strlen(word);
    for (uint32_t i = 0; i < count; i++) {
        out[i] = (uint32_t)strtoul(at, &end, 10);
        if (end == at || *end != ',')
            break;
        at = end + 1;
    }
}

/* Attributes as the source has them, with spaces between. */
static enum igpu_status read_attributes(struct reader *r, const struct token *t)
{
    struct tokens_span rest = tokens_after(t->body, 4);
    static const char hint[] = "vec_type_hint(";
    const char *at;
    char *text;

    text = loader_copy_text((const char *)rest.at, rest.bytes);
    if (text == NULL)
        return igpu_no_memory(r->err, "%s", r->label);
    read_numbers(text, "intel_reqd_sub_group_size(", &r->k->required_sub_group_size, 1);
    read_numbers(text, "work_group_size_hint(", r->k->work_group_size_hint, 3);
    at = strstr(text, hint);
    if (at != NULL)
        (void)snprintf(r->k->vec_type_hint, sizeof(r->k->vec_type_hint), "%.*s",
                       (int)strcspn(at + strlen(hint), ")"), at + strlen(hint));
    free(text);
    return IGPU_OK;
}

static bool take_text(struct tokens_span *rest, uint32_t bytes, char *out, size_t room)
{
    struct tokens_span text;

    if (!tokens_cut(rest, bytes, &text))
        return false;
    (void)snprintf(out, room, "%.*s", (int)strnlen((const char *)text.at, text.bytes),
                   (const char *)text.at);
    return true;
}

/* Five texts behind their lengths. */
static enum igpu_status read_arg_info(struct reader *r, const struct token *t)
{
    struct loader_arg_info *info = &r->k->arg_info[r->k->arg_infos];
    struct tokens_span rest = tokens_after(t->body, 24);

    if (tokens_word(t->body, 0) >= MAX_ARGS)
        return kernel_bad(r, t->number, "an argument beyond 1024");
    info->index = (int32_t)tokens_word(t->body, 0);
    if (!take_text(&rest, tokens_word(t->body, 1), info->address_qualifier,
                   sizeof(info->address_qualifier)) ||
        !take_text(&rest, tokens_word(t->body, 2), info->access_qualifier,
                   sizeof(info->access_qualifier)) ||
        !take_text(&rest, tokens_word(t->body, 3), info->name, sizeof(info->name)) ||
        !take_text(&rest, tokens_word(t->body, 4), info->type_name,
                   sizeof(info->type_name)) ||
        !take_text(&rest, tokens_word(t->body, 5), info->type_qualifiers,
                   sizeof(info->type_qualifiers)))
        return kernel_bad(r, t->number, "a text reaches beyond its token");
    r->k->arg_infos++;
    return IGPU_OK;
}

/* A text of printf's, with escapes as the source has them. */
static enum igpu_status read_string(struct reader *r, const struct token *t)
{
    static const char letters[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
    uint32_t index = tokens_word(t->body, 0);
    struct tokens_span rest = tokens_after(t->body, 8);
    const char *at;
    char *text, *to;

    if (index >= r->k->strings || r->k->string[index] != NULL)
        return kernel_bad(r, t->number, "texts that are not numbered from 0 on");
    text = loader_copy_text((const char *)rest.at, rest.bytes);
    if (text == NULL)
        return igpu_no_memory(r->err, "%s", r->label);
    r->k->string[index] = text;
    for (at = to = text; *at != '\0'; at++) {
        const char *found;

        if (*at == '\\' && at[1] != '\0') {
            at++;
            found = strchr(letters, *at);
            *to++ = found != NULL ? values[found - letters] : *at;
        } else {
            *to++ = *at;
        }
    }
    *to = '\0';
    return IGPU_OK;
}

/* ---- the list ----------------------------------------------------------- */

static enum igpu_status refuse_relocations(struct reader *r, const struct token *t)
{
    return tokens_word(t->body, 0) != 0
               ? unsupported(r, t->number, "relocations of its code")
               : IGPU_OK;
}

static enum igpu_status refuse_queue(struct reader *r, const struct token *t)
{
    return unsupported(r, t->number, "a queue on the device");
}

static const struct {
    uint8_t words; /* at least, behind its header */
    enum igpu_status (*read)(struct reader *r, const struct token *t);
} readers[] = {
    [11] = {2, read_pointer},    [12] = {6, read_image},
    [15] = {2, read_local},      [16] = {3, read_sampler},
    [17] = {5, read_piece},      [18] = {2, read_scratch},
    [22] = {15, read_threads},   [23] = {23, read_environment},
    [25] = {1, read_stream},     [26] = {6, read_arg_info},
    [27] = {1, read_attributes}, [28] = {2, read_string},
    [30] = {4, read_pointer},    [31] = {4, read_pointer},
    [33] = {4, read_base},       [36] = {0, refuse_queue},
    [38] = {4, read_private},    [43] = {4, read_base},
    [44] = {4, read_base},       [45] = {0, refuse_queue},
    [46] = {0, refuse_queue},    [54] = {1, refuse_relocations},
    [55] = {2, read_scratch},    [56] = {0, refuse_queue},
};
enum {
    READERS = sizeof(readers) / sizeof(readers[0]),
    SAMPLER_TABLE = 5,
    BINDING_TABLE = 8,
    ENVIRONMENT = 23,
    TEXT = 28
};

static enum igpu_status read_token(struct reader *r, const struct token *t)
{
    if (t->number >= READERS || readers[t->number].read == NULL)
        return IGPU_OK;
    if (t->body.bytes < 4 * (size_t)readers[t->number].words)
        return kernel_bad(r, t->number, "is too short");
    return readers[t->number].read(r, t);
}

/* A table: where in its heap, and how many entries. */
static enum igpu_status find_table(const struct reader *r, const struct token *t,
                                   struct tokens_span heap, uint32_t entry_bytes,
                                   struct tokens_span *table)
{
    struct tokens_span before;
    uint64_t bytes;

    if (t->body.bytes < 8)
        return kernel_bad(r, t->number, "is too short");
    bytes = (uint64_t)tokens_word(t->body, 1) * entry_bytes;
    return tokens_cut(&heap, tokens_word(t->body, 0), &before) &&
                   tokens_cut(&heap, bytes, table)
               ? IGPU_OK
               : kernel_bad(r, t->number, "a table that is not in its heap");
}

/* Tables and the SIMD width come first: others need them. Counts tokens and texts. */
static enum igpu_status scan(struct reader *r, struct tokens_span list,
                             uint32_t *tokens, uint32_t *texts)
{
    enum igpu_status status = IGPU_OK;
    struct token t;

    while (status == IGPU_OK && tokens_next(&list, &t)) {
        ++*tokens;
        *texts += t.number == TEXT;
        if (t.number == SAMPLER_TABLE) {
            status = find_table(r, &t, r->dynamic, SAMPLER_BYTES, &r->samplers);
            if (status == IGPU_OK)
                r->samplers_at = tokens_word(t.body, 0);
        } else if (t.number == BINDING_TABLE) {
            status = find_table(r, &t, r->surface, 4, &r->table);
        } else if (t.number == ENVIRONMENT) {
            status = read_token(r, &t);
        }
    }
    if (status == IGPU_OK && list.bytes >= 8)
        return kernel_bad(r, tokens_word(list, 0), "does not fit in the kernel's list");
    if (status == IGPU_OK && !r->has_environment)
        return kernel_bad(r, ENVIRONMENT, "is missing");
    if (status == IGPU_OK && *tokens > LOADER_MAX_ITEMS)
        return kernel_bad(r, 0, "more than 4096 tokens");
    if (status == IGPU_OK && r->samplers.bytes > MAX_SAMPLERS * SAMPLER_BYTES)
        return kernel_bad(r, SAMPLER_TABLE, "more than 32 samplers");
    return status;
}

static enum igpu_status make_lists(struct reader *r, uint32_t tokens, uint32_t texts)
{
    struct loader_kernel *k = r->k;

    k->arg = calloc(2 * tokens + 1u, sizeof(*k->arg)); /* a pointer makes two */
    k->bti = calloc(tokens + 1u, sizeof(*k->bti));
    k->buffer = calloc(tokens + 1u, sizeof(*k->buffer));
    k->arg_info = calloc(tokens + 1u, sizeof(*k->arg_info));
    k->string = calloc(texts + 1u, sizeof(*k->string));
    k->sampler = calloc(MAX_SAMPLERS, sizeof(*k->sampler));
    k->strings = texts;
    return k->arg == NULL || k->bti == NULL || k->buffer == NULL ||
                   k->arg_info == NULL || k->string == NULL || k->sampler == NULL
               ? igpu_no_memory(r->err, "%s", r->label)
               : IGPU_OK;
}

/* Samplers of the table that no argument fills: SAMPLER_STATE as the hardware has it,
 * the filter in dword 0, addressing along x and normalisation in dword 3. */
static enum igpu_status read_inline_samplers(struct reader *r)
{
    static const char *const modes[8] = {
        [0] = "repeat", [1] = "mirror", [2] = "clamp_edge", [4] = "clamp_border"};

    for (uint32_t i = 0; i < r->samplers.bytes / SAMPLER_BYTES; i++) {
        struct loader_inline_sampler *s = &r->k->sampler[r->k->samplers];
        uint32_t filter = tokens_word(r->samplers, 4 * i) >> 14 & 7;
        uint32_t last = tokens_word(r->samplers, 4 * i + 3);
        bool of_arg = false;

        for (uint32_t a = 0; a < r->k->args; a++)
            of_arg = of_arg || r->k->arg[a].sampler_index == (int32_t)i;
        if (of_arg)
            continue;
        if (modes[last >> 6 & 7] == NULL || filter > 1)
            return unsupported(r, SAMPLER_TABLE, "a sampler of its own kind");
        s->sampler_index = (int32_t)i;
        s->normalized = (last >> 10 & 1) == 0;
        (void)snprintf(s->addrmode, sizeof(s->addrmode), "%s", modes[last >> 6 & 7]);
        (void)snprintf(s->filtermode, sizeof(s->filtermode), "%s",
                       filter == 1 ? "linear" : "nearest");
        r->k->samplers++;
    }
    return IGPU_OK;
}

static enum igpu_status check_payload(const struct reader *r)
{
    for (uint32_t i = 0; i < r->k->args; i++)
        if (r->k->arg[i].offset > r->payload_bytes ||
            r->k->arg[i].size > r->payload_bytes - r->k->arg[i].offset)
            return igpu_fail(
                r->err, IGPU_BAD_INPUT,
                "%s: kernel %s: %s lies outside of the payload of %" PRIu32 " bytes",
                r->label, r->k->name, r->k->arg[i].type_name, r->payload_bytes);
    return IGPU_OK;
}

enum igpu_status tokens_read_kernel(const char *label, struct loader_kernel *kernel,
                                    struct tokens_span dynamic,
                                    struct tokens_span surface, struct tokens_span list,
                                    struct igpu_err *err)
{
    struct reader r = {.label = label,
                       .k = kernel,
                       .dynamic = dynamic,
                       .surface = surface,
                       .err = err};
    uint32_t tokens = 0, texts = 0;
    enum igpu_status status = scan(&r, list, &tokens, &texts);
    struct token t;

    if (status == IGPU_OK)
        status = make_lists(&r, tokens, texts);
    while (status == IGPU_OK && tokens_next(&list, &t))
        status = read_token(&r, &t);
    if (status == IGPU_OK)
        status = read_inline_samplers(&r);
    return status == IGPU_OK ? check_payload(&r) : status;
}

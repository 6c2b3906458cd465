/* cases.c - reads cases.yaml; see cases.h. */
#include "traces/kernels/cases.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "traces/kernels/check.h"

enum { MAX_FILE_BYTES = 1 << 20, MAX_ARGS = 16 };

/* What the readers need: the document, and where to complain. */
struct reader {
    const char *path;
    yaml_document_t doc;
    struct igpu_err *err;
};

static enum igpu_status fail_at(struct reader *r, const yaml_node_t *node,
                                const char *what)
{
    return igpu_fail(r->err, IGPU_BAD_INPUT, "%s:%zu: %s", r->path,
                     node->start_mark.line + 1, what);
}

static enum igpu_status cases_no_memory(struct reader *r)
{
    return igpu_no_memory(r->err, "%s", r->path);
}

static yaml_node_t *node_at(struct reader *r, int index)
{
    return yaml_document_get_node(&r->doc, index);
}

static const char *scalar(const yaml_node_t *node)
{
    return (const char *)node->data.scalar.value;
}

static enum igpu_status read_string(struct reader *r, const yaml_node_t *node,
                                    char **out)
{
    if (node->type != YAML_SCALAR_NODE ||
        strlen(scalar(node)) != node->data.scalar.length)
        return fail_at(r, node, "expected text");
    if (*out != NULL)
        return fail_at(r, node, "the key is given twice");
    *out = strdup(scalar(node));
    return *out != NULL ? IGPU_OK : cases_no_memory(r);
}

static enum igpu_status read_integer(struct reader *r, const yaml_node_t *node,
                                     int64_t least, int64_t most, int64_t *out)
{
    char *end;

    if (node->type != YAML_SCALAR_NODE)
        return fail_at(r, node, "expected a number");
    errno = 0;
    *out = strtoll(scalar(node), &end, 0);
    if (errno != 0 || end == scalar(node) || *end != '\0' || *out < least ||
        *out > most)
        return igpu_fail(r->err, IGPU_BAD_INPUT,
                         "%s:%zu: '%s', expected a number from %" PRId64 " to %" PRId64,
                         r->path, node->start_mark.line + 1, scalar(node), least, most);
    return IGPU_OK;
}

/* The items of a sequence; fails unless there are 1 to `most`. */
static enum igpu_status read_items(struct reader *r, const yaml_node_t *node,
                                   size_t most, size_t *count)
{
    if (node->type != YAML_SEQUENCE_NODE)
        return fail_at(r, node, "expected a list");
    *count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    if (*count >= 1 && *count <= most)
        return IGPU_OK;
    return igpu_fail(r->err, IGPU_BAD_INPUT, "%s:%zu: a list of %zu, expected 1 to %zu",
                     r->path, node->start_mark.line + 1, *count, most);
}

static yaml_node_t *item(struct reader *r, const yaml_node_t *node, size_t i)
{
    return node_at(r, node->data.sequence.items.start[i]);
}

static enum igpu_status read_sizes(struct reader *r, const yaml_node_t *node,
                                   uint32_t out[3], unsigned *dims)
{
    size_t count = 0;
    enum igpu_status status = read_items(r, node, 3, &count);

    for (size_t i = 0; i < 3; i++) {
        int64_t value = 1;

        if (status == IGPU_OK && i < count)
            status = read_integer(r, item(r, node, i), 1, INT32_MAX, &value);
        out[i] = (uint32_t)value;
    }
    if (status == IGPU_OK && *dims != 0 && *dims != count)
        return fail_at(r, node, "global and local have different dimensions");
    *dims = (unsigned)count;
    return status;
}

static enum igpu_status read_simd(struct reader *r, const yaml_node_t *node,
                                  struct kernel_case *c)
{
    enum igpu_status status = read_items(r, node, CASE_MAX_SIMD, &c->simd_count);

    for (size_t i = 0; i < c->simd_count && status == IGPU_OK; i++) {
        int64_t value = 0;

        status = read_integer(r, item(r, node, i), 8, 32, &value);
        c->simd[i] = (unsigned)value;
        if (status == IGPU_OK && value != 8 && value != 16 && value != 32)
            status = fail_at(r, node, "a SIMD width is 8, 16 or 32");
    }
    return status;
}

static enum igpu_status read_args(struct reader *r, const yaml_node_t *node,
                                  struct kernel_case *c)
{
    size_t count = 0;
    enum igpu_status status = read_items(r, node, MAX_ARGS, &count);

    if (status != IGPU_OK)
        return status;
    if (c->args != NULL)
        return fail_at(r, node, "the key is given twice");
    c->args = calloc(count, sizeof(*c->args));
    c->arg_texts = calloc(count, sizeof(*c->arg_texts));
    if (c->args == NULL || c->arg_texts == NULL)
        return cases_no_memory(r);
    c->arg_count = count;
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *text = item(r, node, i);
        struct igpu_err why;

        status = read_string(r, text, &c->arg_texts[i]);
        if (status != IGPU_OK)
            return status;
        if (argspec_parse(c->arg_texts[i], &c->args[i], &why) != IGPU_OK)
            return fail_at(r, text, why.text);
    }
    return IGPU_OK;
}

static enum igpu_status read_tolerance(struct reader *r, const yaml_node_t *node,
                                       struct tolerance *out)
{
    static const char *const kinds[] = {"exact", "ulp", "rel", "abs"};
    char kind[8];
    char rest[2];
    int fields = 0;

    if (node->type == YAML_SCALAR_NODE)
        fields = sscanf(scalar(node), "%7s %lf %1s", kind, &out->limit, rest);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && fields > 0; i++) {
        out->kind = (enum tolerance_kind)i;
        if (strcmp(kind, kinds[i]) == 0 && fields == (i == 0 ? 1 : 2) &&
            (i == 0 || out->limit > 0.0))
            return IGPU_OK;
    }
    return fail_at(r, node, "expected exact, ulp N, rel X or abs X");
}

static enum igpu_status read_tolerances(struct reader *r, const yaml_node_t *node,
                                        struct kernel_case *c)
{
    enum igpu_status status;

    if (node->type == YAML_SCALAR_NODE)
        return read_tolerance(r, node, &c->tolerance[0]);
    status = read_items(r, node, CASE_MAX_TOLERANCES, &c->tolerance_count);
    for (size_t i = 0; i < c->tolerance_count && status == IGPU_OK; i++)
        status = read_tolerance(r, item(r, node, i), &c->tolerance[i]);
    return status;
}

static enum igpu_status read_params(struct reader *r, const yaml_node_t *node,
                                    struct kernel_case *c)
{
    enum igpu_status status = IGPU_OK;

    if (node->type != YAML_MAPPING_NODE)
        return fail_at(r, node, "expected name: number pairs");
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top && status == IGPU_OK; pair++) {
        struct case_param *param;

        if (c->param_count == CASE_MAX_PARAMS)
            return fail_at(r, node, "more than 4 params");
        param = &c->params[c->param_count++];
        status = read_string(r, node_at(r, pair->key), &param->name);
        if (status == IGPU_OK)
            status = read_integer(r, node_at(r, pair->value), INT64_MIN, INT64_MAX,
                                  &param->value);
    }
    return status;
}

static enum igpu_status read_key(struct reader *r, const yaml_node_t *key,
                                 const yaml_node_t *value, struct kernel_case *c)
{
    struct {
        const char *name;
        char **to;
    } texts[] = {{"name", &c->name},
                 {"file", &c->file},
                 {"kernel", &c->kernel},
                 {"options", &c->options},
                 {"check", &c->check}};
    const char *name = key->type == YAML_SCALAR_NODE ? scalar(key) : "";
    int64_t number = 0;
    enum igpu_status status;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (strcmp(name, texts[i].name) == 0)
            return read_string(r, value, texts[i].to);
    }
    if (strcmp(name, "global") == 0)
        return read_sizes(r, value, c->global, &c->dims);
    if (strcmp(name, "local") == 0)
        return read_sizes(r, value, c->local, &c->dims);
    if (strcmp(name, "simd") == 0)
        return read_simd(r, value, c);
    if (strcmp(name, "args") == 0)
        return read_args(r, value, c);
    if (strcmp(name, "tolerance") == 0)
        return read_tolerances(r, value, c);
    if (strcmp(name, "params") == 0)
        return read_params(r, value, c);
    if (strcmp(name, "sample") == 0) {
        status = read_integer(r, value, 8, 32, &number);
        c->sample_simd = (unsigned)number;
        return status;
    }
    return igpu_fail(r->err, IGPU_BAD_INPUT,
                     "%s:%zu: unknown key '%s', expected name, file, kernel, options, "
                     "global, local, args, check, params, tolerance, simd or sample",
                     r->path, key->start_mark.line + 1, name);
}

/* What a whole case must satisfy. */
static enum igpu_status validate(struct reader *r, const yaml_node_t *node,
                                 struct kernel_case *c)
{
    bool sampled = c->sample_simd == 0;

    if (c->name == NULL || c->file == NULL || c->kernel == NULL || c->check == NULL ||
        c->args == NULL || c->simd_count == 0 || c->global[0] == 0 || c->local[0] == 0)
        return fail_at(r, node,
                       "a case needs name, file, kernel, global, local, args, check "
                       "and simd");
    if (c->options == NULL && (c->options = calloc(1, 1)) == NULL)
        return cases_no_memory(r);
    for (size_t i = 0; i < 3; i++) {
        if (c->global[i] % c->local[i] != 0)
            return fail_at(r, node, "local does not divide global");
    }
    for (size_t i = 0; i < c->simd_count; i++)
        sampled = sampled || c->simd[i] == c->sample_simd;
    if (!sampled)
        return fail_at(r, node, "sample is not one of the case's SIMD widths");
    if (!check_known(c->check))
        return igpu_fail(r->err, IGPU_BAD_INPUT, "%s:%zu: no check is named '%s'",
                         r->path, node->start_mark.line + 1, c->check);
    return IGPU_OK;
}

static enum igpu_status read_case(struct reader *r, const yaml_node_t *node,
                                  struct case_list *list)
{
    struct kernel_case *c = &list->cases[list->count];
    enum igpu_status status = IGPU_OK;

    if (node->type != YAML_MAPPING_NODE)
        return fail_at(r, node, "expected a case: a mapping with a name");
    list->count++; /* from here on cases_free() owns what is read */
    c->tolerance_count = 1;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top && status == IGPU_OK; pair++)
        status = read_key(r, node_at(r, pair->key), node_at(r, pair->value), c);
    if (status == IGPU_OK)
        status = validate(r, node, c);
    if (status == IGPU_OK && cases_find(list, c->name) != c)
        return fail_at(r, node, "another case has the same name");
    return status;
}

static enum igpu_status read_list(struct reader *r, struct case_list *out)
{
    const yaml_node_t *root = yaml_document_get_root_node(&r->doc);
    const yaml_node_t *cases;
    const yaml_node_t *key;
    enum igpu_status status;
    size_t count = 0;

    if (root == NULL || root->type != YAML_MAPPING_NODE ||
        root->data.mapping.pairs.top - root->data.mapping.pairs.start != 1)
        return igpu_fail(r->err, IGPU_BAD_INPUT, "%s: expected one key, 'cases'",
                         r->path);
    key = node_at(r, root->data.mapping.pairs.start->key);
    if (key->type != YAML_SCALAR_NODE || strcmp(scalar(key), "cases") != 0)
        return fail_at(r, key, "expected the key 'cases'");
    cases = node_at(r, root->data.mapping.pairs.start->value);
    status = read_items(r, cases, 10000, &count);
    if (status != IGPU_OK)
        return status;
    out->cases = calloc(count, sizeof(*out->cases));
    if (out->cases == NULL)
        return cases_no_memory(r);
    for (size_t i = 0; i < count && status == IGPU_OK; i++)
        status = read_case(r, item(r, cases, i), out);
    return status;
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) : 1;
    char *folder = calloc(length + 2, 1);

    if (folder != NULL)
        memcpy(folder,
               slash == path   ? "/"
               : slash != NULL ? path
                               : ".",
               length > 0 ? length : 1);
    return folder;
}

static enum igpu_status read_file(const char *path, char **text, size_t *length,
                                  struct igpu_err *err)
{
    FILE *file = fopen(path, "rb");
    size_t got = 0;

    if (file == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: cannot open: %s", path,
                         strerror(errno));
    *text = malloc(MAX_FILE_BYTES + 1);
    if (*text != NULL)
        got = fread(*text, 1, MAX_FILE_BYTES + 1, file);
    (void)fclose(file);
    *length = got;
    if (*text != NULL && got > 0 && got <= MAX_FILE_BYTES)
        return IGPU_OK;
    free(*text);
    *text = NULL;
    return igpu_fail(err, IGPU_BAD_INPUT, "%s: expected a list of 1 to %d bytes", path,
                     (int)MAX_FILE_BYTES);
}

enum igpu_status cases_load(const char *path, struct case_list *out,
                            struct igpu_err *err)
{
    struct reader r = {.path = path, .err = err};
    yaml_parser_t parser;
    char *text = NULL;
    size_t length = 0;
    enum igpu_status status = read_file(path, &text, &length, err);

    memset(out, 0, sizeof(*out));
    if (status != IGPU_OK)
        return status;
    out->folder = folder_of(path);
    if (out->folder == NULL || yaml_parser_initialize(&parser) == 0) {
        free(text);
        cases_free(out);
        return cases_no_memory(&r);
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    if (yaml_parser_load(&parser, &r.doc) == 0) {
        status = igpu_fail(err, IGPU_BAD_INPUT, "%s:%zu: not YAML: %s", path,
                           parser.problem_mark.line + 1,
                           parser.problem != NULL ? parser.problem : "unreadable");
    } else {
        status = read_list(&r, out);
        yaml_document_delete(&r.doc);
    }
    yaml_parser_delete(&parser);
    free(text);
    if (status != IGPU_OK)
        cases_free(out);
    return status;
}

void cases_free(struct case_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct kernel_case *c = &list->cases[i];

        free(c->name);
        free(c->file);
        free(c->kernel);
        free(c->options);
        free(c->check);
        for (size_t k = 0; k < c->arg_count; k++)
            free(c->arg_texts[k]);
        for (size_t k = 0; k < c->param_count; k++)
            free(c->params[k].name);
        free(c->arg_texts);
        free(c->args);
    }
    free(list->cases);
    free(list->folder);
    memset(list, 0, sizeof(*list));
}

const struct kernel_case *cases_find(const struct case_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->cases[i].name, name) == 0)
            return &list->cases[i];
    }
    return NULL;
}

int64_t case_param(const struct kernel_case *c, const char *name, int64_t absent)
{
    for (size_t i = 0; i < c->param_count; i++) {
        if (strcmp(c->params[i].name, name) == 0)
            return c->params[i].value;
    }
    return absent;
}

uint64_t case_items(const struct kernel_case *c)
{
    return (uint64_t)c->global[0] * c->global[1] * c->global[2];
}

int case_options(const struct kernel_case *c, unsigned simd, char *text, size_t size)
{
    int length = snprintf(text, size, "%s%s-DSIMD=%u", c->options,
                          c->options[0] != '\0' ? " " : "", simd);

    return length >= 0 && (size_t)length < size ? 0 : -1;
}

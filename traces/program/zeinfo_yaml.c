/* zeinfo_yaml.c - see zeinfo_yaml.h. */
#include "zeinfo_yaml.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libyaml's tree is walked to a fixed depth only, so aliases cannot loop it. Its
 * accessors want a document that is not const and change nothing. */
static const yaml_node_t *node_at(struct zeinfo *z, int index)
{
    return yaml_document_get_node(&z->document, index);
}

static bool is_text(const yaml_node_t *node, const char *text)
{
    return node != NULL && node->type == YAML_SCALAR_NODE &&
           node->data.scalar.length == strlen(text) &&
           memcmp(node->data.scalar.value, text, strlen(text)) == 0;
}

static const yaml_node_t *node_find(struct zeinfo *z, const yaml_node_t *node,
                                    const char *key)
{
    if (z->status != IGPU_OK || node->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++)
        if (is_text(node_at(z, pair->key), key))
            return node_at(z, pair->value);
    return NULL;
}

void zeinfo_fail(struct zeinfo *z, const yaml_node_t *node, const char *key,
                 const char *what)
{
    if (z->status != IGPU_OK)
        return;
    z->status = igpu_fail(
        z->err, IGPU_BAD_INPUT, "%s: .ze_info line %zu: %s%s%s%s %s", z->program->label,
        node->start_mark.line + 1, z->kernel != NULL ? "kernel " : "",
        z->kernel != NULL ? z->kernel : "", z->kernel != NULL ? ": " : "", key, what);
}

/* libyaml takes time quadratic in the depth of brackets and in the number of anchors.
 * Real files have neither; quoted words with a few of these characters do no harm. */
static bool is_plausible(const char *text, size_t bytes)
{
    enum { MAX_DEPTH = 64, MAX_ANCHORS = 1000 };
    uint32_t depth = 0, anchors = 0;

    for (size_t i = 0; i < bytes; i++) {
        if (text[i] == '[' || text[i] == '{')
            depth++;
        else if ((text[i] == ']' || text[i] == '}') && depth > 0)
            depth--;
        else if (text[i] == '&')
            anchors++;
        if (depth > MAX_DEPTH || anchors > MAX_ANCHORS)
            return false;
    }
    return true;
}

const yaml_node_t *zeinfo_open(struct zeinfo *z, const char *text, size_t bytes)
{
    const yaml_node_t *root;
    yaml_parser_t parser;

    if (!is_plausible(text, bytes)) {
        z->status = igpu_fail(z->err, IGPU_BAD_INPUT,
                              "%s: .ze_info is nested or anchored as no compiler does",
                              z->program->label);
        return NULL;
    }
    if (!yaml_parser_initialize(&parser)) {
        z->status = igpu_no_memory(z->err, "%s: .ze_info", z->program->label);
        return NULL;
    }
    z->max_items = bytes / 4; /* an entry takes more than "- x\n" */
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, bytes);
    z->open = yaml_parser_load(&parser, &z->document) != 0;
    if (!z->open)
        z->status = igpu_fail(z->err, IGPU_BAD_INPUT, "%s: .ze_info line %zu: %s",
                              z->program->label, parser.problem_mark.line + 1,
                              parser.problem != NULL ? parser.problem : "not YAML");
    yaml_parser_delete(&parser);
    if (!z->open)
        return NULL;
    root = yaml_document_get_root_node(&z->document);
    if (root != NULL && root->type == YAML_MAPPING_NODE)
        return root;
    z->status = igpu_fail(z->err, IGPU_BAD_INPUT,
                          "%s: .ze_info holds no mapping; expected the key 'kernels'",
                          z->program->label);
    return NULL;
}

void zeinfo_close(struct zeinfo *z)
{
    if (z->open)
        yaml_document_delete(&z->document);
    z->open = false;
}

/* The scalar under key, or NULL; a collection there fails. */
static const yaml_node_t *scalar(struct zeinfo *z, const yaml_node_t *node,
                                 const char *key)
{
    const yaml_node_t *value = node_find(z, node, key);

    if (value != NULL && value->type != YAML_SCALAR_NODE) {
        zeinfo_fail(z, value, key, "is not a plain value");
        return NULL;
    }
    return value;
}

/* Decimal or 0x hexadecimal, the whole text. */
static bool to_number(const yaml_node_t *value, int64_t *number)
{
    const char *text = (const char *)value->data.scalar.value;
    char *end;

    if (value->data.scalar.length == 0 || value->data.scalar.length > 20)
        return false;
    errno = 0;
    *number = strtoll(text, &end, 0);
    return errno == 0 && end == text + value->data.scalar.length;
}

static void set_u32(struct zeinfo *z, const yaml_node_t *value, const char *key,
                    uint32_t *out, uint32_t max)
{
    char what[64];
    int64_t number;

    if (value->type == YAML_SCALAR_NODE && to_number(value, &number) && number >= 0 &&
        number <= (int64_t)max) {
        *out = (uint32_t)number;
        return;
    }
    snprintf(what, sizeof(what), "must be a number from 0 to %" PRIu32, max);
    zeinfo_fail(z, value, key, what);
}

void zeinfo_u32(struct zeinfo *z, const yaml_node_t *node, const char *key,
                uint32_t *value, uint32_t max)
{
    const yaml_node_t *found = scalar(z, node, key);

    if (found != NULL)
        set_u32(z, found, key, value, max);
}

void zeinfo_index(struct zeinfo *z, const yaml_node_t *node, const char *key,
                  int32_t *value)
{
    const yaml_node_t *found = scalar(z, node, key);
    uint32_t number = 0;

    if (found == NULL)
        return;
    set_u32(z, found, key, &number, LOADER_MAX_ITEMS);
    *value = (int32_t)number;
}

void zeinfo_bool(struct zeinfo *z, const yaml_node_t *node, const char *key,
                 bool *value)
{
    const yaml_node_t *found = scalar(z, node, key);

    if (found == NULL)
        return;
    if (is_text(found, "true"))
        *value = true;
    else if (is_text(found, "false"))
        *value = false;
    else
        zeinfo_fail(z, found, key, "must be true or false");
}

void zeinfo_u32x3(struct zeinfo *z, const yaml_node_t *node, const char *key,
                  uint32_t value[3], uint32_t max)
{
    const yaml_node_t *found = node_find(z, node, key);
    const yaml_node_item_t *item;

    if (found == NULL)
        return;
    if (found->type != YAML_SEQUENCE_NODE ||
        found->data.sequence.items.top - found->data.sequence.items.start != 3) {
        zeinfo_fail(z, found, key, "must be a list of three numbers");
        return;
    }
    item = found->data.sequence.items.start;
    for (uint32_t i = 0; i < 3; i++)
        set_u32(z, node_at(z, item[i]), key, &value[i], max);
}

void zeinfo_text(struct zeinfo *z, const yaml_node_t *node, const char *key, char *text,
                 size_t cap)
{
    const yaml_node_t *found = scalar(z, node, key);
    size_t length;

    if (found == NULL)
        return;
    length = found->data.scalar.length < cap ? found->data.scalar.length : cap - 1;
    memcpy(text, found->data.scalar.value, length);
    text[length] = '\0';
}

uint8_t zeinfo_word(struct zeinfo *z, const yaml_node_t *node, const char *key,
                    const char *const *words, uint32_t count)
{
    const yaml_node_t *found = scalar(z, node, key);

    for (uint32_t i = 1; found != NULL && i < count; i++)
        if (is_text(found, words[i]))
            return (uint8_t)i;
    return 0;
}

static bool has_control(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7F)
            return true;
    return false;
}

char *zeinfo_name(struct zeinfo *z, const yaml_node_t *node, const char *key)
{
    const yaml_node_t *found = scalar(z, node, key);
    const char *text;
    size_t length;
    char *copy;

    if (found == NULL) {
        zeinfo_fail(z, node, key, "is missing");
        return NULL;
    }
    text = (const char *)found->data.scalar.value;
    length = found->data.scalar.length;
    if (length == 0 || length > LOADER_MAX_NAME_BYTES || has_control(text, length)) {
        zeinfo_fail(z, found, key, "is empty, too long or not a name");
        return NULL;
    }
    copy = loader_copy_text(text, length);
    if (copy == NULL)
        zeinfo_fail(z, found, key, "does not fit in memory");
    return copy;
}

const yaml_node_t *zeinfo_map(struct zeinfo *z, const yaml_node_t *node,
                              const char *key)
{
    const yaml_node_t *found = node_find(z, node, key);

    if (found != NULL && found->type != YAML_MAPPING_NODE) {
        zeinfo_fail(z, found, key, "must be a mapping");
        return NULL;
    }
    return found;
}

/* The sequence under key, or NULL when absent, empty or wrong. */
static const yaml_node_t *sequence(struct zeinfo *z, const yaml_node_t *node,
                                   const char *key, size_t *length)
{
    const yaml_node_t *found = node_find(z, node, key);

    *length = 0;
    if (found == NULL || is_text(found, ""))
        return NULL;
    if (found->type != YAML_SEQUENCE_NODE) {
        zeinfo_fail(z, found, key, "must be a list");
        return NULL;
    }
    *length =
        (size_t)(found->data.sequence.items.top - found->data.sequence.items.start);
    z->items += *length;
    if (*length > LOADER_MAX_KERNELS || z->items > z->max_items ||
        (z->kernel != NULL && *length > LOADER_MAX_ITEMS)) {
        zeinfo_fail(z, found, key, "has too many entries");
        return NULL;
    }
    return *length > 0 ? found : NULL;
}

void *zeinfo_list(struct zeinfo *z, const yaml_node_t *node, const char *key,
                  size_t item_bytes, uint32_t *count,
                  void (*read)(struct zeinfo *, const yaml_node_t *, void *))
{
    size_t length;
    const yaml_node_t *list = sequence(z, node, key, &length);
    uint8_t *items;

    *count = 0;
    if (list == NULL)
        return NULL;
    items = calloc(length, item_bytes);
    if (items == NULL) {
        zeinfo_fail(z, list, key, "does not fit in memory");
        return NULL;
    }
    for (size_t i = 0; i < length && z->status == IGPU_OK; i++) {
        const yaml_node_t *item = node_at(z, list->data.sequence.items.start[i]);

        if (item->type != YAML_MAPPING_NODE) {
            zeinfo_fail(z, item, key, "has an entry that is not a mapping");
            break;
        }
        (*count)++;
        read(z, item, items + i * item_bytes);
    }
    return items;
}

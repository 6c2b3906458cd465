/* config_file.c - see config_file.h. */
#include "bridge/host/sim/config_file.h"

#include <errno.h>
#include <string.h>
#include <yaml.h>

enum { MAX_DEPTH = 8, MAX_FILE_BYTES = 1 << 20 };

struct loader {
    const char *path;
    yaml_document_t document;
    struct igpu_config *config;
    struct igpu_err *err;
};

static enum igpu_status config_bad(const struct loader *l, enum igpu_status status,
                                   const yaml_node_t *node, const char *what)
{
    return igpu_fail(l->err, status, "%s:%zu: %s", l->path, node->start_mark.line + 1,
                     what);
}

static const char *scalar(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value
                                          : NULL;
}

static enum igpu_status set_key(struct loader *l, const yaml_node_t *node,
                                const char *key, const char *value)
{
    char text[512];
    struct igpu_err inner;
    enum igpu_status status;

    if (snprintf(text, sizeof(text), "%s=%s", key, value) >= (int)sizeof(text))
        return config_bad(l, IGPU_USAGE, node, "key and value are too long");
    status = igpu_config_set(l->config, text, &inner);
    return status == IGPU_OK ? status : config_bad(l, status, node, inner.text);
}

/* Apply a mapping's pairs, their keys prefixed by `prefix`. */
static enum igpu_status apply(struct loader *l, yaml_node_t *map, const char *prefix,
                              unsigned depth)
{
    enum igpu_status status = IGPU_OK;

    if (map->type != YAML_MAPPING_NODE)
        return config_bad(l, IGPU_BAD_INPUT, map,
                          "expected a mapping of keys to values");
    if (depth > MAX_DEPTH)
        return config_bad(l, IGPU_BAD_INPUT, map, "mappings are nested too deeply");
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start;
         status == IGPU_OK && pair < map->data.mapping.pairs.top; pair++) {
        yaml_node_t *key = yaml_document_get_node(&l->document, pair->key);
        yaml_node_t *value = yaml_document_get_node(&l->document, pair->value);
        const char *name = scalar(key);
        char full[256];

        if (name == NULL)
            return config_bad(l, IGPU_BAD_INPUT, key, "a key must be a plain word");
        if (*prefix == '\0' && strcmp(name, "base") == 0)
            continue;
        if (snprintf(full, sizeof(full), "%s%s%s", prefix, *prefix != '\0' ? "." : "",
                     name) >= (int)sizeof(full))
            return config_bad(l, IGPU_BAD_INPUT, key, "the key is too long");
        if (scalar(value) != NULL)
            status = set_key(l, key, full, scalar(value));
        else
            status = apply(l, value, full, depth + 1);
    }
    return status;
}

/* The preset that the file starts from. */
static enum igpu_status apply_base(struct loader *l, yaml_node_t *map)
{
    const char *base = "skl-gt2";
    yaml_node_t *at = map;
    struct igpu_err inner;
    enum igpu_status status;

    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start;
         map->type == YAML_MAPPING_NODE && pair < map->data.mapping.pairs.top; pair++) {
        const char *name = scalar(yaml_document_get_node(&l->document, pair->key));
        yaml_node_t *value = yaml_document_get_node(&l->document, pair->value);

        if (name != NULL && strcmp(name, "base") == 0 && scalar(value) != NULL) {
            base = scalar(value);
            at = value;
        }
    }
    status = igpu_config_preset(l->config, base, &inner);
    return status == IGPU_OK ? status : config_bad(l, status, at, inner.text);
}

static enum igpu_status load_document(struct loader *l, FILE *file)
{
    yaml_parser_t parser;
    yaml_node_t *root;
    enum igpu_status status;

    if (!yaml_parser_initialize(&parser))
        return igpu_no_memory(l->err, "%s", l->path);
    yaml_parser_set_input_file(&parser, file);
    if (!yaml_parser_load(&parser, &l->document)) {
        status = igpu_fail(l->err, IGPU_BAD_INPUT, "%s:%zu: no valid YAML: %s", l->path,
                           parser.problem_mark.line + 1,
                           parser.problem != NULL ? parser.problem : "unreadable");
        yaml_parser_delete(&parser);
        return status;
    }
    root = yaml_document_get_root_node(&l->document);
    if (root == NULL)
        status = igpu_fail(l->err, IGPU_BAD_INPUT,
                           "%s: empty; expected a mapping of keys to values", l->path);
    else if ((status = apply_base(l, root)) == IGPU_OK)
        status = apply(l, root, "", 0);
    yaml_document_delete(&l->document);
    yaml_parser_delete(&parser);
    return status;
}

static enum igpu_status load_file(struct igpu_config *config, const char *path,
                                  struct igpu_err *err)
{
    struct loader l = {.path = path, .config = config, .err = err};
    struct igpu_config fresh = *config;
    FILE *file = fopen(path, "rb");
    enum igpu_status status;

    if (file == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: cannot open the configuration: %s",
                         path, strerror(errno));
    l.config = &fresh;
    if (fseek(file, 0, SEEK_END) != 0 || ftell(file) > MAX_FILE_BYTES) {
        (void)fclose(file);
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: no regular file of at most %d bytes",
                         path, MAX_FILE_BYTES);
    }
    rewind(file);
    status = load_document(&l, file);
    (void)fclose(file);
    if (status == IGPU_OK)
        *config = fresh;
    return status;
}

static bool is_file_name(const char *name)
{
    size_t n = strlen(name);

    return strchr(name, '/') != NULL || (n > 5 && strcmp(name + n - 5, ".yaml") == 0) ||
           (n > 4 && strcmp(name + n - 4, ".yml") == 0);
}

enum igpu_status config_load(struct igpu_config *config, const char *name,
                             struct igpu_err *err)
{
    if (is_file_name(name)) {
        memset(config, 0, sizeof(*config));
        return load_file(config, name, err);
    }
    return igpu_config_preset(config, name, err);
}

void config_dump(FILE *out, const struct igpu_config *config)
{
    size_t count;
    const struct igpu_param_info *params = igpu_params(&count);

    fprintf(out, "base: %s\n", config->name);
    for (size_t i = 0; i < count; i++) {
        uint64_t value;
        char text[24];

        memcpy(&value, (const char *)config + params[i].offset, sizeof(value));
        fprintf(out, "%s: %s # %s\n", params[i].key,
                igpu_param_text(&params[i], value, text, sizeof(text)), params[i].unit);
    }
}

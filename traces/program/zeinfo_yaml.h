/* zeinfo_yaml.h - typed reads from a YAML document, with one message for the first
 * thing that is wrong: after it, reads do nothing. For zeinfo.c only. */
#ifndef TRACES_ZEINFO_YAML_H
#define TRACES_ZEINFO_YAML_H
#include <yaml.h>

#include "loader_impl.h"

struct zeinfo {
    struct loader_program *program;
    struct igpu_err *err;
    enum igpu_status status; /* of the first failure */
    const char *kernel;      /* being read, for messages; or NULL */
    yaml_document_t document;
    bool open;
    size_t items, max_items; /* list entries read; aliases cannot multiply them */
};

/* Parse text; the root mapping, or NULL with z->status set. */
const yaml_node_t *zeinfo_open(struct zeinfo *z, const char *text, size_t bytes);
void zeinfo_close(struct zeinfo *z);

/* Record that `key` of the mapping `node` is wrong. The first record stays. */
void zeinfo_fail(struct zeinfo *z, const yaml_node_t *node, const char *key,
                 const char *what);

/* Each leaves *value alone when the key is absent. Numbers above max fail. */
void zeinfo_u32(struct zeinfo *z, const yaml_node_t *node, const char *key,
                uint32_t *value, uint32_t max);
void zeinfo_index(struct zeinfo *z, const yaml_node_t *node, const char *key,
                  int32_t *value);
void zeinfo_bool(struct zeinfo *z, const yaml_node_t *node, const char *key,
                 bool *value);
void zeinfo_u32x3(struct zeinfo *z, const yaml_node_t *node, const char *key,
                  uint32_t value[3], uint32_t max);
/* Cut to cap - 1 bytes. */
void zeinfo_text(struct zeinfo *z, const yaml_node_t *node, const char *key, char *text,
                 size_t cap);

/* Index of the value in words[count], or 0 when absent or another word. */
uint8_t zeinfo_word(struct zeinfo *z, const yaml_node_t *node, const char *key,
                    const char *const *words, uint32_t count);

/* malloc'ed; NULL after a failure: absent, empty or too long. */
char *zeinfo_name(struct zeinfo *z, const yaml_node_t *node, const char *key);

/* The mapping under key, or NULL. */
const yaml_node_t *zeinfo_map(struct zeinfo *z, const yaml_node_t *node,
                              const char *key);

/* The sequence of mappings under key: calloc'ed items of item_bytes, each filled by
 * read(). *count says how many are valid, also after a failure. NULL when absent. */
void *zeinfo_list(struct zeinfo *z, const yaml_node_t *node, const char *key,
                  size_t item_bytes, uint32_t *count,
                  void (*read)(struct zeinfo *, const yaml_node_t *, void *));

#endif

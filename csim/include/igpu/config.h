/* config.h - one flat struct of all run-time parameters.
 * Fields, keys, units, ranges and sources: params.def. */
#ifndef IGPU_CONFIG_H
#define IGPU_CONFIG_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "igpu/err.h"
#include "igpu/policy_file.h"

struct igpu_config {
    char name[32]; /* preset the configuration started from */
#define IGPU_PARAM(id, key, def, min, max, unit, source) uint64_t id;
#include "igpu/params.def"
#undef IGPU_PARAM
};

/* Values of eu.arbiter. */
enum igpu_arbiter { IGPU_ARBITER_RR, IGPU_ARBITER_OLDEST };
/* Of disp.policy. */
enum igpu_dispatch { IGPU_DISPATCH_RR, IGPU_DISPATCH_FILL, IGPU_DISPATCH_LEAST };
/* Of l3.policy and llc.policy, or an object of igpu/policy_file.h. */
enum igpu_replace { IGPU_LRU, IGPU_RANDOM, IGPU_SRRIP, IGPU_TREE_PLRU };
/* Of llc.prefetch, or an object. */
enum igpu_prefetcher { IGPU_NO_PREFETCH, IGPU_NEXT_LINE, IGPU_STRIDE };
/* Of dram.schedule. */
enum igpu_schedule { IGPU_FR_FCFS, IGPU_FCFS, IGPU_BLISS };

struct igpu_param_info {
    const char *key, *unit, *source;
    /* Which engines honour it: "host" (the C around them, so all), "all", or the names
     * of those that do, blanks between. */
    const char *engines;
    const char *names; /* of the values from 0 on, '|' between; NULL: it is a number */
    enum igpu_policy_kind policy; /* a file may be the value, too */
    uint64_t def, min, max;
    size_t offset; /* of the uint64_t in struct igpu_config */
};

/* All parameters, in the order of params.def; *count gets their number. */
const struct igpu_param_info *igpu_params(size_t *count);

/* The value as users write it: in text[size], always terminated, or the path of a
 * loaded policy. */
const char *igpu_param_text(const struct igpu_param_info *param, uint64_t value,
                            char *text, size_t size);

/* Read such a text. Where a policy may be one of a file, a text with a slash is its
 * path, and the object is loaded. IGPU_USAGE: it is neither a number of the range nor a
 * name, or no such object; *value is unchanged then. */
enum igpu_status igpu_param_parse(const struct igpu_param_info *param, const char *text,
                                  uint64_t *value, struct igpu_err *err);

/* May the parameter have the value? */
bool igpu_param_allows(const struct igpu_param_info *param, uint64_t value);

/* Does the engine of this name (struct host_engine_ops; what follows a '-' or ':' is a
 * form of it) honour the parameter? */
bool igpu_param_honoured(const struct igpu_param_info *param, const char *engine);

/* Fill *config with preset `name`. IGPU_USAGE names the known presets. */
enum igpu_status igpu_config_preset(struct igpu_config *config, const char *name,
                                    struct igpu_err *err);
/* Comma-separated list of the preset names, for messages. */
const char *igpu_config_preset_names(void);

/* Apply "key=value" (value: decimal or 0x..., with K, M, G meaning 2^10, 2^20,
 * 2^30, or the value's name where it has one). IGPU_USAGE names an unknown key (with
 * the nearest known one) or the permitted range; *config is unchanged then. */
enum igpu_status igpu_config_set(struct igpu_config *config, const char *key_value,
                                 struct igpu_err *err);

/* Rules of the memory side's parameters that involve several keys or forms of a
 * number. IGPU_USAGE names the keys and the rule. mem_create() checks them too. */
enum igpu_status igpu_config_check_memory(const struct igpu_config *config,
                                          struct igpu_err *err);

/* All rules that involve several keys, those of the memory side among them.
 * IGPU_USAGE names the keys and the rule. */
enum igpu_status igpu_config_check(const struct igpu_config *config,
                                   struct igpu_err *err);

/* IGPU_USAGE names the key, and the engines that have it, if the engine of this name
 * does not honour a value of *config: what it has is the default. */
enum igpu_status igpu_config_engine(const struct igpu_config *config,
                                    const char *engine, struct igpu_err *err);
#endif

/* config.c - see igpu/config.h. Tests: tests/csim/test_config.c */
#include "igpu/config.h"
#include "igpu/limits.h"
#include "igpu/nearest.h"

#include <inttypes.h>
#include <string.h>

struct preset {
    const char *name;
    size_t offset;
    uint64_t value;
};

#define INFO(id, key, def, min, max, unit, names, policy, engines, source)             \
    {                                                                                  \
        key, unit, source, engines, names, policy, def, min, max,                      \
            offsetof(struct igpu_config, id)                                           \
    }
static const struct igpu_param_info params[] = {
#define IGPU_PARAM(id, key, def, min, max, unit, source)                               \
    INFO(id, key, def, min, max, unit, NULL, IGPU_POLICY_NONE, "host", source),
#define IGPU_ENGINE_PARAM(id, key, def, min, max, unit, engines, source)               \
    INFO(id, key, def, min, max, unit, NULL, IGPU_POLICY_NONE, engines, source),
#define IGPU_ENGINE_CHOICE(id, key, def, max, names, engines, source)                  \
    INFO(id, key, def, 0, max, names, names, IGPU_POLICY_NONE, engines, source),
#define IGPU_POLICY(id, key, def, max, names, kind, source)                            \
    INFO(id, key, def, 0, max, names, names, IGPU_POLICY_##kind, "host", source),
#include "igpu/params.def"
#undef IGPU_PARAM
};
#undef INFO

/* Ranges of parameters, held against what the largest machine has room for. */
enum {
    FAR = 1 << 30,
#define IGPU_PARAM(id, key, def, min, max, unit, source)                               \
    MOST_##id = (max) < FAR ? (int)(max) : (int)FAR,
#include "igpu/params.def"
#undef IGPU_PARAM
};
#define HELD(id, limit)                                                                \
    _Static_assert((int)MOST_##id <= (int)(limit), #id " beyond igpu/limits.h")
HELD(gpu_slices, LIMIT_SLICES);
HELD(gpu_subslices, LIMIT_SUBSLICES);
HELD(eu_count, LIMIT_EUS);
HELD(eu_threads, LIMIT_SLOTS);
HELD(dp_queue, LIMIT_CREDITS);
HELD(l3_banks, LIMIT_L3_BANKS / LIMIT_SLICES);
HELD(l3_mshrs, LIMIT_MSHRS);
HELD(l3_ways, LIMIT_WAYS);
HELD(l3_ways_slm, LIMIT_WAYS);
HELD(llc_ways, LIMIT_WAYS);
HELD(llc_slices, LIMIT_LLC_SLICES);
HELD(edram_ways, LIMIT_WAYS);
HELD(dram_channels, LIMIT_DRAM_CHANNELS);
HELD(dram_ranks, LIMIT_DRAM_RANKS);
HELD(dram_groups, LIMIT_DRAM_GROUPS);
HELD(dram_banks, LIMIT_DRAM_BANKS);

static const struct preset presets[] = {
#define IGPU_PRESET(name, id, value) {name, offsetof(struct igpu_config, id), value},
#include "igpu/presets.def"
#undef IGPU_PRESET
};

enum {
    PARAMS = sizeof(params) / sizeof(params[0]),
    PRESETS = sizeof(presets) / sizeof(presets[0]),
    MAX_KEY = 63 /* characters of a key that are compared and printed */
};

const struct igpu_param_info *igpu_params(size_t *count)
{
    *count = PARAMS;
    return params;
}

static uint64_t *field(struct igpu_config *config, size_t offset)
{
    return (uint64_t *)(void *)((char *)config + offset);
}

/* ---- presets ---- */

const char *igpu_config_preset_names(void)
{
    return IGPU_PRESET_NAMES;
}

enum igpu_status igpu_config_preset(struct igpu_config *config, const char *name,
                                    struct igpu_err *err)
{
    bool known = false;

    for (size_t i = 0; i < PRESETS; i++)
        known = known || strcmp(presets[i].name, name) == 0;
    if (!known)
        return igpu_fail(err, IGPU_USAGE, "configuration '%.*s' is unknown; known: %s",
                         MAX_KEY, name, igpu_config_preset_names());
    memset(config, 0, sizeof(*config));
    strncpy(config->name, name, sizeof(config->name) - 1);
    for (size_t i = 0; i < PARAMS; i++)
        *field(config, params[i].offset) = params[i].def;
    for (size_t i = 0; i < PRESETS; i++) {
        if (strcmp(presets[i].name, name) == 0)
            *field(config, presets[i].offset) = presets[i].value;
    }
    return IGPU_OK;
}

/* ---- key=value ---- */

static const char *nearest_key(const char *key, size_t length)
{
    size_t best = 0, least = SIZE_MAX;

    for (size_t i = 0; i < PARAMS; i++) {
        size_t d = igpu_distance(key, length, params[i].key);

        if (d < least) {
            least = d;
            best = i;
        }
    }
    return params[best].key;
}

static const struct igpu_param_info *key_find(const char *key, size_t length)
{
    for (size_t i = 0; i < PARAMS; i++) {
        if (strlen(params[i].key) == length && memcmp(params[i].key, key, length) == 0)
            return &params[i];
    }
    return NULL;
}

enum igpu_status igpu_config_set(struct igpu_config *config, const char *key_value,
                                 struct igpu_err *err)
{
    const char *equals = strchr(key_value, '=');
    const struct igpu_param_info *param;
    uint64_t value;
    size_t length;
    enum igpu_status status;

    if (equals == NULL)
        return igpu_fail(err, IGPU_USAGE,
                         "'%.*s': expected key=value, as in %s=%" PRIu64, MAX_KEY,
                         key_value, params[0].key, params[0].def);
    length = (size_t)(equals - key_value);
    param = key_find(key_value, length);
    if (param == NULL) {
        if (length > MAX_KEY)
            length = MAX_KEY;
        return igpu_fail(err, IGPU_USAGE,
                         "configuration key '%.*s' is unknown; did you mean %s?",
                         (int)length, key_value, nearest_key(key_value, length));
    }
    status = igpu_param_parse(param, equals + 1, &value, err);
    if (status == IGPU_OK)
        *field(config, param->offset) = value;
    return status;
}

/* ---- rules ---- */

enum igpu_status igpu_config_check(const struct igpu_config *config,
                                   struct igpu_err *err)
{
    for (size_t i = 0; i < PARAMS; i++) {
        uint64_t value;

        memcpy(&value, (const char *)config + params[i].offset, sizeof(value));
        if (!igpu_param_allows(&params[i], value))
            return igpu_fail(err, IGPU_USAGE,
                             "%s: %" PRIu64 " is out of range; it is %" PRIu64
                             " to %" PRIu64 " (%s)",
                             params[i].key, value, params[i].min, params[i].max,
                             params[i].unit);
    }
    if (config->gpu_subslices % config->gpu_slices != 0)
        return igpu_fail(err, IGPU_USAGE,
                         "gpu.subslices = %" PRIu64
                         " is not a multiple of gpu.slices = "
                         "%" PRIu64 "; every slice has as many subslices",
                         config->gpu_subslices, config->gpu_slices);
    return igpu_config_check_memory(config, err);
}

enum igpu_status igpu_config_engine(const struct igpu_config *config,
                                    const char *engine, struct igpu_err *err)
{
    for (size_t i = 0; i < PARAMS; i++) {
        const struct igpu_param_info *p = &params[i];
        char text[24], plain[24];
        uint64_t value;

        memcpy(&value, (const char *)config + p->offset, sizeof(value));
        if (value != p->def && !igpu_param_honoured(p, engine))
            return igpu_fail(
                err, IGPU_USAGE, "%s=%s: the engine '%s' has only %s; use --engine %s",
                p->key, igpu_param_text(p, value, text, sizeof(text)), engine,
                igpu_param_text(p, p->def, plain, sizeof(plain)), p->engines);
    }
    return IGPU_OK;
}

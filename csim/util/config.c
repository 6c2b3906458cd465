/* config.c - see igpu/config.h. Tests: tests/csim/test_config.c */
#include "igpu/config.h"
#include "igpu/nearest.h"

#include <inttypes.h>
#include <string.h>

struct preset {
    const char *name;
    size_t offset;
    uint64_t value;
};

static const struct igpu_param_info params[] = {
#define IGPU_PARAM(id, key, def, min, max, unit, source)                               \
    {key, unit, source, def, min, max, offsetof(struct igpu_config, id)},
#include "igpu/params.def"
#undef IGPU_PARAM
};

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
    return "skl-gt2, kbl-gt2, kbl-gt3e, cfl-gt2";
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

static unsigned digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return 16;
}

static unsigned suffix_shift(char c)
{
    switch (c) {
    case 'k':
    case 'K':
        return 10;
    case 'm':
    case 'M':
        return 20;
    case 'g':
    case 'G':
        return 30;
    default:
        return 0;
    }
}

/* False: `text` is not a number of 64 bits in the form of config.h. */
static bool parse(const char *text, uint64_t *value)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    unsigned base = hex ? 16 : 10, shift;
    const char *p = hex ? text + 2 : text;
    const char *first = p;
    uint64_t v = 0;

    for (; digit(*p) < base; p++) {
        if (v > (UINT64_MAX - digit(*p)) / base)
            return false;
        v = v * base + digit(*p);
    }
    if (p == first)
        return false;
    shift = suffix_shift(*p);
    if (shift > 0) {
        if (v > UINT64_MAX >> shift)
            return false;
        v <<= shift;
        p++;
    }
    *value = v;
    return *p == '\0';
}

static const struct igpu_param_info *find(const char *key, size_t length)
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

    if (equals == NULL)
        return igpu_fail(err, IGPU_USAGE,
                         "'%.*s': expected key=value, as in %s=%" PRIu64, MAX_KEY,
                         key_value, params[0].key, params[0].def);
    length = (size_t)(equals - key_value);
    param = find(key_value, length);
    if (param == NULL) {
        if (length > MAX_KEY)
            length = MAX_KEY;
        return igpu_fail(err, IGPU_USAGE,
                         "configuration key '%.*s' is unknown; did you mean %s?",
                         (int)length, key_value, nearest_key(key_value, length));
    }
    if (!parse(equals + 1, &value))
        return igpu_fail(
            err, IGPU_USAGE,
            "%s: '%.*s' is no number; expected decimal or 0x..., with K, M "
            "or G behind it for 2^10, 2^20 or 2^30",
            param->key, MAX_KEY, equals + 1);
    if (value < param->min || value > param->max)
        return igpu_fail(err, IGPU_USAGE,
                         "%s: %" PRIu64 " is out of range; it is %" PRIu64
                         " to %" PRIu64 " (%s)",
                         param->key, value, param->min, param->max, param->unit);
    *field(config, param->offset) = value;
    return IGPU_OK;
}

/* ---- rules ---- */

enum igpu_status igpu_config_check(const struct igpu_config *config,
                                   struct igpu_err *err)
{
    for (size_t i = 0; i < PARAMS; i++) {
        uint64_t value;

        memcpy(&value, (const char *)config + params[i].offset, sizeof(value));
        if (value < params[i].min || value > params[i].max)
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

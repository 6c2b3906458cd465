/* config_value.c - a parameter's values as users write them, and the engines that
 * honour it (igpu/config.h). Tests: tests/csim/test_config.c */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "igpu/config.h"

enum { MAX_TEXT = 63 /* characters of a value that are printed */ };

/* ---- numbers ---- */

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

/* ---- names ---- */

/* Name number `value` of the list, its length in *length; NULL: there is none. */
static const char *name_of(const char *names, uint64_t value, size_t *length)
{
    for (; names != NULL && value > 0; value--) {
        names = strchr(names, '|');
        names = names != NULL ? names + 1 : NULL;
    }
    *length = names != NULL ? strcspn(names, "|") : 0;
    return names;
}

const char *igpu_param_text(const struct igpu_param_info *param, uint64_t value,
                            char *text, size_t size)
{
    size_t length;
    const char *name =
        value <= param->max ? name_of(param->names, value, &length) : NULL;

    if (param->policy != IGPU_POLICY_NONE && igpu_policy_path(value) != NULL)
        return igpu_policy_path(value);
    if (name != NULL)
        (void)snprintf(text, size, "%.*s", (int)length, name);
    else
        (void)snprintf(text, size, "%" PRIu64, value);
    return text;
}

/* False: no value of *param has this name. */
static bool named(const struct igpu_param_info *param, const char *text,
                  uint64_t *value)
{
    const char *name;
    size_t length;

    for (uint64_t v = 0; (name = name_of(param->names, v, &length)) != NULL; v++)
        if (strlen(text) == length && memcmp(name, text, length) == 0) {
            *value = v;
            return true;
        }
    return false;
}

bool igpu_param_allows(const struct igpu_param_info *param, uint64_t value)
{
    return (value >= param->min && value <= param->max) ||
           igpu_policy_loaded(value, param->policy) != NULL;
}

/* A policy of a file, with the key before what is wrong with it. */
static enum igpu_status policy_load(const struct igpu_param_info *param,
                                    const char *path, uint64_t *value,
                                    struct igpu_err *err)
{
    struct igpu_err why;
    enum igpu_status status = igpu_policy_load(path, param->policy, value, &why);

    return status == IGPU_OK
               ? IGPU_OK
               : igpu_fail(err, status, "%s: %.400s", param->key, why.text);
}

enum igpu_status igpu_param_parse(const struct igpu_param_info *param, const char *text,
                                  uint64_t *value, struct igpu_err *err)
{
    uint64_t v;

    if (param->policy != IGPU_POLICY_NONE && strchr(text, '/') != NULL)
        return policy_load(param, text, value, err);
    if (!named(param, text, &v) && !parse(text, &v)) {
        if (param->names != NULL)
            return igpu_fail(err, IGPU_USAGE, "%s: '%.*s' is unknown; expected %s%s",
                             param->key, MAX_TEXT, text, param->names,
                             param->policy != IGPU_POLICY_NONE
                                 ? ", or a file's path with a slash in it"
                                 : "");
        return igpu_fail(
            err, IGPU_USAGE,
            "%s: '%.*s' is no number; expected decimal or 0x..., with K, M "
            "or G behind it for 2^10, 2^20 or 2^30",
            param->key, MAX_TEXT, text);
    }
    if (!igpu_param_allows(param, v))
        return igpu_fail(err, IGPU_USAGE,
                         "%s: %" PRIu64 " is out of range; it is %" PRIu64
                         " to %" PRIu64 " (%s)",
                         param->key, v, param->min, param->max, param->unit);
    *value = v;
    return IGPU_OK;
}

/* ---- engines ---- */

bool igpu_param_honoured(const struct igpu_param_info *param, const char *engine)
{
    size_t length = strcspn(engine, "-:");

    if (strcmp(param->engines, "all") == 0 || strcmp(param->engines, "host") == 0)
        return true;
    for (const char *p = param->engines; *p != '\0';) {
        size_t n = strcspn(p, " ");

        if (n == length && memcmp(p, engine, n) == 0)
            return true;
        p += n + (p[n] == ' ');
    }
    return false;
}

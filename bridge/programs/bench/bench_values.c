/* bench_values.c - the values of an experiment's options. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/bench/bench.h"

enum { MAX_VALUES = 100000 };

const char *bench_text(const struct bench_context *c, const char *name)
{
    const struct bench_option *o = c->bench->options;
    uint32_t i = 0;

    while (o[i].name != NULL && strcmp(o[i].name, name) != 0)
        i++;
    assert(o[i].name != NULL);
    return c->value[i];
}

/* Read a number at *at with K, M or G behind it and move *at behind it. */
static bool take_number(const char **at, uint64_t *value)
{
    static const char suffixes[] = "KkMmGg";
    char *end;
    const char *suffix;
    unsigned shift = 0;

    if (**at < '0' || **at > '9')
        return false;
    *value = strtoull(*at, &end, 10);
    suffix = *end != '\0' ? strchr(suffixes, *end) : NULL;
    if (suffix != NULL) {
        shift = 10 * (1 + (unsigned)(suffix - suffixes) / 2);
        end++;
    }
    *at = end;
    if (*value > UINT64_MAX >> shift)
        return false;
    *value <<= shift;
    return true;
}

enum igpu_status bench_number(const struct bench_context *c, const char *name,
                              uint64_t min, uint64_t max, uint64_t *value,
                              struct igpu_err *err)
{
    const char *text = bench_text(c, name), *at = text;

    if (!take_number(&at, value) || *at != '\0' || *value < min || *value > max)
        return igpu_fail(err, IGPU_USAGE,
                         "--%s %s: expected a number from %llu to %llu", name, text,
                         (unsigned long long)min, (unsigned long long)max);
    return IGPU_OK;
}

enum igpu_status bench_choice(const struct bench_context *c, const char *name,
                              const char *const *choices, uint32_t *index,
                              struct igpu_err *err)
{
    const char *text = bench_text(c, name);
    char all[256] = "";
    size_t used = 0;

    for (*index = 0; choices[*index] != NULL; (*index)++)
        if (strcmp(choices[*index], text) == 0)
            return IGPU_OK;
    for (uint32_t i = 0; choices[i] != NULL && used < sizeof(all) - 1; i++)
        used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s",
                                 i == 0 ? "" : ", ", choices[i]);
    return igpu_fail(err, IGPU_USAGE, "--%s %s: expected one of %s", name, text, all);
}

static int ascending(const void *a, const void *b)
{
    uint64_t x, y;

    memcpy(&x, a, sizeof(x));
    memcpy(&y, b, sizeof(y));
    return (x > y) - (x < y);
}

static bool append(struct bench_list *list, uint64_t value)
{
    if (list->count == MAX_VALUES)
        return false;
    list->value[list->count++] = value;
    return true;
}

/* One item of a list: N, A..B or A..B:STEP. */
static bool take_item(const char **at, bool doubling, struct bench_list *list)
{
    uint64_t first, last, step = 0;

    if (!take_number(at, &first))
        return false;
    if (strncmp(*at, "..", 2) != 0)
        return append(list, first);
    *at += 2;
    if (!take_number(at, &last) || last < first || first == 0)
        return false;
    if (**at == ':') {
        (*at)++;
        if (!take_number(at, &step) || step == 0)
            return false;
    } else if (!doubling) {
        step = 1;
    }
    for (uint64_t n = first; n <= last; n += step != 0 ? step : n)
        if (!append(list, n))
            return false;
    return true;
}

static bool take_list(const char *at, bool doubling, uint64_t min, uint64_t max,
                      struct bench_list *list)
{
    uint32_t kept = 0;

    for (;;) {
        if (!take_item(&at, doubling, list))
            return false;
        if (*at == '\0')
            break;
        if (*at++ != ',')
            return false;
    }
    qsort(list->value, list->count, sizeof(*list->value), ascending);
    for (uint32_t i = 0; i < list->count; i++)
        if (i == 0 || list->value[i] != list->value[kept - 1])
            list->value[kept++] = list->value[i];
    list->count = kept;
    return list->value[0] >= min && list->value[kept - 1] <= max;
}

enum igpu_status bench_numbers(const struct bench_context *c, const char *name,
                               bool doubling, uint64_t min, uint64_t max,
                               struct bench_list *list, struct igpu_err *err)
{
    const char *text = bench_text(c, name);

    list->count = 0;
    list->value = calloc(MAX_VALUES, sizeof(*list->value));
    if (list->value == NULL)
        return igpu_no_memory(err, "a list of values");
    if (!take_list(text, doubling, min, max, list)) {
        free(list->value);
        list->value = NULL;
        return igpu_fail(err, IGPU_USAGE,
                         "--%s %s: expected numbers from %llu to %llu as N, A..B, "
                         "A..B:STEP, or several with commas between",
                         name, text, (unsigned long long)min, (unsigned long long)max);
    }
    return IGPU_OK;
}

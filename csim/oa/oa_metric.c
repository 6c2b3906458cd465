/* oa_metric.c - metric sets and their equations, see igpu/oa.h. */
#include <stdlib.h>
#include <string.h>

#include "igpu/oa.h"

enum {
#define OA_METRIC(id, symbol, name, unit, type, equation, maximum, available)          \
    METRIC_##id,
#include "oa_metrics.def"
#undef OA_METRIC
};

static const struct oa_metric metrics[] = {
#define OA_METRIC(id, symbol, name, unit, type, equation, maximum, available)          \
    {symbol, name, unit, type, equation, maximum, available},
#include "oa_metrics.def"
#undef OA_METRIC
};

/* Of each set in turn: places in metrics[]. */
static const uint16_t members[] = {
#define OA_SET(symbol, name, uuid, first, count)
#define OA_HAS(id) METRIC_##id,
#include "oa_sets.def"
#undef OA_SET
#undef OA_HAS
};

static const struct oa_set sets[] = {
#define OA_SET(symbol, name, uuid, first, count) {symbol, name, uuid, first, count},
#define OA_HAS(id)
#include "oa_sets.def"
#undef OA_SET
#undef OA_HAS
};

enum { SETS = sizeof(sets) / sizeof(sets[0]), DEEPEST = 16, LONGEST = 64 };

const struct oa_set *oa_sets(uint32_t *count)
{
    *count = SETS;
    return sets;
}

const struct oa_set *oa_set_find(const char *symbol)
{
    for (uint32_t i = 0; i < SETS; i++)
        if (strcmp(sets[i].symbol, symbol) == 0)
            return &sets[i];
    return NULL;
}

const struct oa_metric *oa_set_metric(const struct oa_set *set, uint32_t index)
{
    return &metrics[members[set->first + index]];
}

/* ---- equations: a stack of numbers, integers or floats --------------------- */

struct number {
    bool is_float;
    uint64_t u;
    double f;
};

struct machine {
    const struct oa_set *set;
    const struct oa_device *device;
    const struct oa_counters *counted;
    const struct oa_value *value; /* of the set's metrics before this one */
    uint32_t known;               /* how many those are */
    struct number stack[DEEPEST];
    uint32_t depth;
};

static struct number of_integer(uint64_t u)
{
    return (struct number){false, u, (double)u};
}

static struct number of_float(double f)
{
    return (struct number){true, f > 0 ? (uint64_t)f : 0, f};
}

static bool push(struct machine *m, struct number n)
{
    if (m->depth == DEEPEST)
        return false;
    m->stack[m->depth++] = n;
    return true;
}

static bool push_property(struct machine *m, const char *name)
{
    const struct oa_device *d = m->device;
    const struct {
        const char *name;
        uint64_t value;
    } property[] = {{"GpuTimestampFrequency", d->timestamp_hz},
                    {"GpuMinFrequency", d->min_hz},
                    {"GpuMaxFrequency", d->max_hz},
                    {"EuCoresTotalCount", d->eus},
                    {"EuSlicesTotalCount", d->slices},
                    {"EuSubslicesTotalCount", d->subslices},
                    {"EuThreadsCount", d->threads},
                    {"SliceMask", d->slice_mask},
                    {"SubsliceMask", d->subslice_mask},
                    {"QueryMode", 0}};

    for (uint32_t i = 0; i < sizeof(property) / sizeof(property[0]); i++)
        if (strcmp(property[i].name, name) == 0)
            return push(m, of_integer(property[i].value));
    for (uint32_t i = 0; i < m->known; i++)
        if (strcmp(oa_set_metric(m->set, i)->symbol, name) == 0)
            return push(m, m->value[i].is_float ? of_float(m->value[i].number)
                                                : of_integer(m->value[i].integer));
    return false;
}

/* NAME INDEX READ: the two lie on the stack as one number, the name's letter above. */
enum { SPACE_SHIFT = 32 };
enum space { SPACE_A = 1, SPACE_B, SPACE_C, SPACE_TIME, SPACE_CLOCK };

static bool read_counter(struct machine *m)
{
    uint64_t space, index;
    const struct oa_counters *c = m->counted;

    if (m->depth < 2)
        return false;
    index = m->stack[--m->depth].u;
    space = m->stack[--m->depth].u >> SPACE_SHIFT;
    if (space == SPACE_A && index < OA_A_COUNTERS)
        return push(m, of_integer(c->a[index]));
    if (space == SPACE_B && index < OA_B_COUNTERS)
        return push(m, of_integer(c->b[index]));
    if (space == SPACE_C && index < OA_C_COUNTERS)
        return push(m, of_integer(c->c[index]));
    if (space == SPACE_TIME)
        return push(m, of_integer(c->timestamp));
    return space == SPACE_CLOCK && push(m, of_integer(c->clocks));
}

static bool push_space(struct machine *m, const char *word)
{
    static const char *const name[] = {"", "A", "B", "C", "GPU_TIME", "GPU_CLOCK"};

    for (uint32_t i = SPACE_A; i <= SPACE_CLOCK; i++)
        if (strcmp(name[i], word) == 0)
            return push(m, of_integer((uint64_t)i << SPACE_SHIFT));
    return false;
}

static bool operate_integer(const char *word, uint64_t a, uint64_t b, uint64_t *r)
{
    if (strcmp(word, "UADD") == 0)
        *r = a + b;
    else if (strcmp(word, "USUB") == 0)
        *r = a - b;
    else if (strcmp(word, "UMUL") == 0)
        *r = a * b;
    else if (strcmp(word, "UDIV") == 0)
        *r = b == 0 ? 0 : a / b;
    else if (strcmp(word, "UMIN") == 0)
        *r = a < b ? a : b;
    else if (strcmp(word, "AND") == 0)
        *r = a & b;
    else if (strcmp(word, "&&") == 0)
        *r = a != 0 && b != 0;
    else
        return false;
    return true;
}

static bool operate_float(const char *word, double a, double b, double *r)
{
    if (strcmp(word, "FADD") == 0)
        *r = a + b;
    else if (strcmp(word, "FSUB") == 0)
        *r = a - b;
    else if (strcmp(word, "FMUL") == 0)
        *r = a * b;
    else if (strcmp(word, "FDIV") == 0)
        *r = b > 0 || b < 0 ? a / b : 0;
    else if (strcmp(word, "FMAX") == 0)
        *r = a > b ? a : b;
    else
        return false;
    return true;
}

static bool operate(struct machine *m, const char *word)
{
    const struct number *a, *b;
    uint64_t u;
    double f;

    if (m->depth < 2)
        return false;
    b = &m->stack[m->depth - 1];
    a = &m->stack[m->depth - 2];
    if (operate_integer(word, a->u, b->u, &u)) {
        m->depth -= 2;
        return push(m, of_integer(u));
    }
    if (operate_float(word, a->f, b->f, &f)) {
        m->depth -= 2;
        return push(m, of_float(f));
    }
    return false;
}

static bool equation_step(struct machine *m, const char *word)
{
    char *end;
    uint64_t number = strtoull(word, &end, 0);

    if (*end == '\0')
        return push(m, of_integer(number));
    if (word[0] == '$')
        return push_property(m, word + 1);
    if (strcmp(word, "true") == 0)
        return push(m, of_integer(1));
    if (strcmp(word, "READ") == 0)
        return read_counter(m);
    return push_space(m, word) || operate(m, word);
}

/* One number from `equation`, or false: it is malformed. */
static bool evaluate(struct machine *m, const char *equation, struct number *result)
{
    char word[LONGEST];

    m->depth = 0;
    while (*equation != '\0') {
        size_t length = strcspn(equation, " ");

        if (length >= sizeof(word))
            return false;
        memcpy(word, equation, length);
        word[length] = '\0';
        if (!equation_step(m, word))
            return false;
        equation += length + (equation[length] == ' ');
    }
    if (m->depth != 1)
        return false;
    *result = m->stack[0];
    return true;
}

static bool evaluate_metric(struct machine *m, const struct oa_metric *metric,
                            struct oa_value *v)
{
    struct number n;

    *v = (struct oa_value){.available = true, .is_float = metric->type == OA_FLOAT};
    if (metric->available[0] != '\0') {
        if (!evaluate(m, metric->available, &n))
            return false;
        v->available = n.u != 0;
    }
    if (!v->available)
        return true;
    if (!evaluate(m, metric->equation, &n))
        return false;
    v->integer = n.u;
    v->number = v->is_float ? n.f : (double)n.u;
    v->has_maximum = metric->maximum[0] != '\0';
    if (!v->has_maximum)
        return true;
    if (!evaluate(m, metric->maximum, &n))
        return false;
    v->maximum = n.f;
    return true;
}

enum igpu_status oa_set_evaluate(const struct oa_set *set,
                                 const struct oa_device *device,
                                 const struct oa_counters *counted,
                                 struct oa_value *value, struct igpu_err *err)
{
    struct machine m = {
        .set = set, .device = device, .counted = counted, .value = value};

    for (m.known = 0; m.known < set->count; m.known++) {
        const struct oa_metric *metric = oa_set_metric(set, m.known);

        if (!evaluate_metric(&m, metric, &value[m.known]))
            return igpu_fail(err, IGPU_SIM_ERROR,
                             "metric %s of set %s has a malformed equation",
                             metric->symbol, set->symbol);
    }
    return IGPU_OK;
}

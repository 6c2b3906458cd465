/* view_parts.c - a profile by EU, thread slot, work-group or stage
 * (docs/guide/profile.md, section 5); see view.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/view/view.h"
#include "igpu/json.h"

const char *view_by_name(enum view_by by)
{
    static const char *const names[] = {"none", "eu", "slot", "group", "stage"};

    return names[by];
}

enum profile_by view_by_parts(enum view_by by)
{
    if (by == VIEW_BY_GROUP)
        return PROFILE_BY_GROUP;
    if (by == VIEW_BY_STAGE)
        return PROFILE_BY_STAGE;
    return by == VIEW_BY_NONE ? PROFILE_BY_INST : PROFILE_BY_SLOT;
}

static const char *const stages[PROFILE_STAGES] = {
    [TRACE_STAGE_COMPUTE] = "compute", [TRACE_STAGE_VERTEX] = "vertex",
    [TRACE_STAGE_PIXEL] = "pixel",     [TRACE_STAGE_GEOMETRY] = "geometry",
    [TRACE_STAGE_HULL] = "hull",       [TRACE_STAGE_DOMAIN] = "domain"};

/* How many of the profile's parts are one of the view's: an EU has its slots. */
static uint32_t width(const struct view *v)
{
    return v->by == VIEW_BY_EU ? HOST_SLOTS : 1;
}

/* The view's part `at`; false: no thread ran there. */
static bool part_at(const struct view *v, const struct profile_result *r, uint32_t at,
                    struct profile_part *sum)
{
    memset(sum, 0, sizeof(*sum));
    for (uint32_t i = at * width(v); i < (at + 1) * width(v); i++) {
        const struct profile_part *p = &r->part[i];

        if (p->thread_cycles == 0)
            continue;
        sum->first =
            sum->thread_cycles == 0 || p->first < sum->first ? p->first : sum->first;
        sum->last = p->last > sum->last ? p->last : sum->last;
        sum->subslice = p->subslice;
        sum->threads += p->threads;
        sum->thread_cycles += p->thread_cycles;
        sum->issues += p->issues;
        for (unsigned k = 0; k < PROFILE_REASONS; k++)
            sum->wait[k] += p->wait[k];
    }
    return sum->thread_cycles != 0;
}

static uint32_t parts_of(const struct view *v, const struct profile_result *r)
{
    return r->parts / width(v);
}

/* ---- text ---- */

struct row {
    uint32_t at;
    uint64_t key;
};

/* Work-groups: those that took longest first; EUs and slots: in their order. */
static int by_key(const void *left, const void *right)
{
    const struct row *a = left, *b = right;

    if (a->key != b->key)
        return a->key > b->key ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole != 0 ? 100.0 * (double)part / (double)whole : 0;
}

static void print_name(FILE *out, const struct view *v, uint32_t at,
                       const struct profile_part *p)
{
    char name[48];

    if (v->by == VIEW_BY_GROUP)
        (void)snprintf(name, sizeof(name), "%" PRIu32 " in subslice %u", at,
                       p->subslice);
    else if (v->by == VIEW_BY_STAGE)
        (void)snprintf(name, sizeof(name), "%s", stages[at]);
    else if (v->by == VIEW_BY_EU)
        (void)snprintf(name, sizeof(name), "subslice %u EU %" PRIu32, p->subslice,
                       at % HOST_EUS);
    else
        (void)snprintf(name, sizeof(name), "subslice %u EU %" PRIu32 " slot %" PRIu32,
                       p->subslice, at / HOST_SLOTS % HOST_EUS, at % HOST_SLOTS);
    fprintf(out, "%-24s", name);
}

/* The three reasons with the most cycles. */
static void print_waits(FILE *out, const struct profile_part *p)
{
    bool done[PROFILE_REASONS] = {false};

    for (unsigned n = 0; n < 3; n++) {
        unsigned most = PROFILE_REASONS;

        for (unsigned k = 0; k < PROFILE_REASONS; k++)
            if (!done[k] && p->wait[k] != 0 &&
                (most == PROFILE_REASONS || p->wait[k] > p->wait[most]))
                most = k;
        if (most == PROFILE_REASONS)
            break;
        done[most] = true;
        fprintf(out, "  %s %.1f %%", profile_key((enum profile_reason)most),
                percent(p->wait[most], p->thread_cycles));
    }
    fputc('\n', out);
}

static void print_row(FILE *out, const struct view *v, const struct profile_result *r,
                      uint32_t at)
{
    struct profile_part p;

    if (!part_at(v, r, at, &p))
        return;
    print_name(out, v, at, &p);
    fprintf(out, "  %9" PRIu64 "  %9" PRIu64 "  %7" PRIu64 "  %12" PRIu64 "  %5.1f %%",
            p.first - r->start, p.last - r->start, p.threads, p.thread_cycles,
            percent(p.issues, p.thread_cycles));
    print_waits(out, &p);
}

static void print_spread(FILE *out, const struct view *v, const struct row *row,
                         uint32_t count)
{
    static const char *const plurals[VIEW_BYS] = {"", "EUs", "thread slots",
                                                  "work-groups", "stages"};
    bool group = v->by == VIEW_BY_GROUP;

    fputc('\n', out);
    if (v->by != VIEW_BY_STAGE)
        fprintf(out,
                "%" PRIu32 " %s: %s %" PRIu64 " to %" PRIu64
                ", half of them at most %" PRIu64 "\n",
                count, plurals[v->by],
                group ? "cycles from first to last" : "thread-cycles",
                row[count - 1].key, row[0].key, row[count / 2].key);
    fprintf(out, "%-24s  %9s  %9s  %7s  %12s  %7s  most for\n",
            group                    ? "work-group"
            : v->by == VIEW_BY_STAGE ? "stage"
                                     : "where",
            "from", "to", "threads", "thread-cycles", "issue");
}

void view_text_parts(FILE *out, const struct view *v, uint32_t at)
{
    const struct profile_result *r = &v->result[at];
    uint32_t count = 0, parts = parts_of(v, r);
    struct row *row = calloc(parts + 1U, sizeof(*row));
    struct profile_part p;

    for (uint32_t i = 0; row != NULL && i < parts; i++)
        if (part_at(v, r, i, &p))
            row[count++] = (struct row){i, v->by == VIEW_BY_GROUP ? p.last - p.first
                                                                  : p.thread_cycles};
    if (count != 0) {
        qsort(row, count, sizeof(*row), by_key);
        print_spread(out, v, row, count);
        if (v->by == VIEW_BY_GROUP)
            for (uint32_t i = 0; i < count && i < v->top; i++)
                print_row(out, v, r, row[i].at);
        else
            for (uint32_t i = 0; i < parts; i++)
                print_row(out, v, r, i);
    }
    free(row);
}

/* ---- JSON ---- */

static void json_name(struct igpu_json *j, const struct view *v, uint32_t at,
                      const struct profile_part *p)
{
    if (v->by == VIEW_BY_GROUP)
        igpu_json_u64(j, "group", at);
    if (v->by == VIEW_BY_STAGE)
        igpu_json_text(j, "stage", stages[at]);
    else
        igpu_json_u64(j, "subslice", p->subslice);
    if (v->by == VIEW_BY_EU)
        igpu_json_u64(j, "eu", at % HOST_EUS);
    if (v->by == VIEW_BY_SLOT) {
        igpu_json_u64(j, "eu", at / HOST_SLOTS % HOST_EUS);
        igpu_json_u64(j, "slot", at % HOST_SLOTS);
    }
}

void view_json_parts(struct igpu_json *j, const struct view *v, uint32_t at)
{
    const struct profile_result *r = &v->result[at];
    struct profile_part p;

    if (v->by == VIEW_BY_NONE)
        return;
    igpu_json_text(j, "by", view_by_name(v->by));
    igpu_json_array(j, "parts", IGPU_JSON_LINES);
    for (uint32_t i = 0; i < parts_of(v, r); i++) {
        if (!part_at(v, r, i, &p))
            continue;
        igpu_json_object(j, NULL, IGPU_JSON_ROW);
        json_name(j, v, i, &p);
        igpu_json_u64(j, "from", p.first - r->start);
        igpu_json_u64(j, "to", p.last - r->start);
        igpu_json_u64(j, "threads", p.threads);
        igpu_json_u64(j, "thread_cycles", p.thread_cycles);
        igpu_json_u64(j, "issues", p.issues);
        view_json_reasons(j, "wait", p.wait);
        igpu_json_end(j);
    }
    igpu_json_end(j);
}

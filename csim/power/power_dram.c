/* power_dram.c - from DRAM commands to what their energy needs: how many, and for how
 * many clocks each rank had a row open, which is the union of its banks' open times. A
 * bank's time is known when its row is closed, perhaps told late; so the times wait
 * until nothing earlier can come, and are added in the order of their begins. Between
 * them the rank may be powered down. */
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "igpu/power.h"

enum { RANKS = 16, BANKS = 64, SETTLE = 4096 };

struct span {
    uint64_t from, to;
};

struct rank {
    struct span *span; /* closed rows' times that are not added yet */
    uint32_t count, capacity, settle_at;
    bool open[BANKS];
    uint64_t since[BANKS], last_use[BANKS];
    uint64_t covered;                  /* clocks before it are added */
    uint64_t open_clocks, down_clocks; /* added so far */
};

struct power_dram {
    uint32_t ranks, banks_per_rank;
    uint32_t channels;
    uint64_t idle_close, down_after;
    struct rank rank[RANKS];
    uint64_t acts, pres; /* since the last take */
    uint64_t open_taken, down_taken;
    bool out_of_memory;
};

struct power_dram *power_dram_create(const struct igpu_config *config, uint64_t start)
{
    struct power_dram *d = calloc(1, sizeof(*d));

    if (d == NULL)
        return NULL;
    d->channels = (uint32_t)config->dram_channels;
    d->ranks = (uint32_t)config->dram_ranks;
    d->down_after = config->power_dram_down;
    d->banks_per_rank = (uint32_t)(config->dram_groups * config->dram_banks);
    d->idle_close = config->dram_idle_close;
    for (uint32_t i = 0; i < RANKS; i++) {
        d->rank[i].settle_at = SETTLE;
        d->rank[i].covered = start;
    }
    return d;
}

void power_dram_destroy(struct power_dram *d)
{
    for (uint32_t i = 0; d != NULL && i < RANKS; i++)
        free(d->rank[i].span);
    free(d);
}

static int by_begin(const void *left, const void *right)
{
    const struct span *a = left, *b = right;

    return a->from != b->from ? (a->from < b->from ? -1 : 1)
                              : (a->to > b->to) - (a->to < b->to);
}

/* A rank without an open row for down_after clocks is powered down until the next. */
static void add_gap(const struct power_dram *d, struct rank *r, uint64_t until)
{
    if (d->down_after != 0 && until > r->covered + d->down_after)
        r->down_clocks += until - r->covered - d->down_after;
}

static void cover(const struct power_dram *d, struct rank *r, struct span s)
{
    add_gap(d, r, s.from);
    if (s.from < r->covered)
        s.from = r->covered;
    if (s.to > s.from) {
        r->open_clocks += s.to - s.from;
        r->covered = s.to;
    }
}

/* Add what begins before the first row that is still open. */
static void settle(const struct power_dram *d, struct rank *r)
{
    uint64_t horizon = UINT64_MAX;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < BANKS; i++)
        if (r->open[i] && r->since[i] < horizon)
            horizon = r->since[i];
    if (r->count > 1)
        qsort(r->span, r->count, sizeof(*r->span), by_begin);
    for (uint32_t i = 0; i < r->count; i++)
        if (r->span[i].from < horizon)
            cover(d, r, r->span[i]);
        else
            r->span[kept++] = r->span[i];
    r->count = kept;
    r->settle_at = 2 * kept > SETTLE ? 2 * kept : SETTLE;
}

static void close_row(struct power_dram *d, struct rank *r, uint32_t bank,
                      uint64_t clock)
{
    if (!r->open[bank])
        return;
    r->open[bank] = false;
    if (!IGPU_APPEND(r->span, r->count, r->capacity,
                     (struct span){r->since[bank], clock}))
        d->out_of_memory = true;
    else if (r->count >= r->settle_at)
        settle(d, r);
}

void power_dram_command(void *ctx, const struct dram_issue *issue)
{
    struct power_dram *d = ctx;
    uint32_t index = issue->channel * d->ranks + issue->bank / d->banks_per_rank;
    uint32_t bank = issue->bank % d->banks_per_rank;
    struct rank *r = &d->rank[index];

    switch (issue->command) {
    case DRAM_ACT:
        d->acts++;
        r->open[bank] = true;
        r->since[bank] = r->last_use[bank] = issue->clock;
        break;
    case DRAM_PRE:
        d->pres++;
        close_row(d, r, bank, issue->clock);
        break;
    case DRAM_REF:
        settle(d, r);
        break;
    default:
        r->last_use[bank] = issue->clock;
        break;
    }
}

/* Add to *sums what rank *r would have if all that is open closed by `now`; *r stays.
 */
static bool add_until(const struct power_dram *d, const struct rank *r, uint64_t now,
                      struct rank *sums)
{
    struct rank copy = *r;

    copy.span = malloc((r->count + BANKS) * sizeof(*copy.span));
    if (copy.span == NULL)
        return false;
    if (r->count > 0)
        memcpy(copy.span, r->span, r->count * sizeof(*copy.span));
    for (uint32_t i = 0; i < BANKS; i++)
        if (r->open[i]) {
            uint64_t to = r->last_use[i] + d->idle_close;

            copy.open[i] = false;
            if (r->since[i] >= now)
                continue;
            copy.span[copy.count++] =
                (struct span){r->since[i], d->idle_close == 0 || to > now ? now : to};
        }
    settle(d, &copy);
    add_gap(d, &copy, now);
    free(copy.span);
    sums->open_clocks += copy.open_clocks;
    sums->down_clocks += copy.down_clocks;
    return true;
}

enum igpu_status power_dram_look(const struct power_dram *d, uint64_t now,
                                 struct power_events *events, struct igpu_err *err)
{
    struct rank sums = {.open_clocks = 0};
    bool whole = !d->out_of_memory;

    for (uint32_t i = 0; i < d->channels * d->ranks; i++)
        whole = add_until(d, &d->rank[i], now, &sums) && whole;
    if (!whole)
        return igpu_no_memory(err, "energy of the DRAM");
    events->dram_acts = d->acts;
    events->dram_pres = d->pres;
    events->dram_open_clocks =
        sums.open_clocks > d->open_taken ? sums.open_clocks - d->open_taken : 0;
    events->dram_down_clocks =
        sums.down_clocks > d->down_taken ? sums.down_clocks - d->down_taken : 0;
    return IGPU_OK;
}

enum igpu_status power_dram_take(struct power_dram *d, uint64_t now,
                                 struct power_events *events, struct igpu_err *err)
{
    enum igpu_status status = power_dram_look(d, now, events, err);

    if (status == IGPU_OK) {
        d->acts = d->pres = 0;
        d->open_taken += events->dram_open_clocks;
        d->down_taken += events->dram_down_clocks;
    }
    return status;
}

/* dram.c - see dram.h: queues, addresses, refresh and the choice of commands. The
 * effect of a command on later ones is in dram_timing.c. */
#include "csim/mem/dram.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "csim/mem/clock.h"
#include "csim/mem/dram_timing.h"

#define NEVER UINT64_MAX

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Take log2(size) bits off *bits. */
static uint32_t field(uint64_t *bits, uint64_t size)
{
    uint32_t value = (uint32_t)(*bits & (size - 1));

    *bits >>= __builtin_ctzll(size);
    return value;
}

/* Neighbouring lines go to other channels, then bank groups, then columns of the row.
 * Row bits are mixed into the rest, so that rows of one bank are not at a fixed
 * stride (as in Intel's controllers; which bits is an estimate). */
void dram_place(const struct dram *dram, uint64_t line, struct dram_place *place)
{
    const struct igpu_config *c = dram->config;
    uint64_t bits = line, mix;
    uint32_t bank;

    place->channel = field(&bits, c->dram_channels);
    place->group = field(&bits, c->dram_groups);
    place->column = field(&bits, c->dram_row_bytes / 64);
    bank = field(&bits, c->dram_banks);
    place->rank = field(&bits, c->dram_ranks);
    place->row = mix = bits;
    place->group ^= field(&mix, c->dram_groups);
    bank ^= field(&mix, c->dram_banks);
    place->rank ^= field(&mix, c->dram_ranks);
    mix ^= bits ^ place->column;
    place->channel ^= (uint32_t)((mix ^ mix >> 3 ^ mix >> 7) & (c->dram_channels - 1));
    place->bank = (place->rank * (uint32_t)c->dram_groups + place->group) *
                      (uint32_t)c->dram_banks +
                  bank;
}

bool dram_init(struct dram *dram, const struct igpu_config *config, uint32_t requests,
               struct agenda *agenda, uint32_t done_kind, struct mem_stats *stats)
{
    memset(dram, 0, sizeof(*dram));
    dram->config = config;
    dram->cl = config->dram_cl * config->dram_latency_scale;
    dram->trcd = config->dram_trcd * config->dram_latency_scale;
    dram->trp = config->dram_trp * config->dram_latency_scale;
    dram->channels = (uint32_t)config->dram_channels;
    dram->ranks = (uint32_t)config->dram_ranks;
    dram->banks_per_rank = (uint32_t)(config->dram_groups * config->dram_banks);
    dram->requests = requests;
    dram->agenda = agenda;
    dram->done_kind = done_kind;
    dram->stats = stats;
    dram->next_ps = NEVER;
    dram->only_delays = config->dram_trtrs <= config->dram_burst;
    dram->channel = calloc(dram->channels, sizeof(*dram->channel));
    if (dram->channel == NULL)
        return false;
    for (uint32_t i = 0; i < dram->channels; i++) {
        struct dram_channel *ch = &dram->channel[i];

        ch->index = i;
        ch->bus_rank = &ch->rank[0];
        ch->wake = ch->wake_ps = NEVER;
        ch->pool = calloc(2 * (size_t)requests, sizeof(*ch->pool));
        if (ch->pool == NULL)
            return false;
        ch->free = ch->pool;
        for (uint32_t r = 0; r + 1 < 2 * requests; r++)
            ch->pool[r].next = &ch->pool[r + 1];
        for (uint32_t b = 0; b < DRAM_MAX_BANKS; b++) {
            ch->bank[b].row = DRAM_CLOSED;
            ch->bank[b].idle = config->dram_idle_close;
        }
        for (uint32_t r = 0; r < dram->ranks; r++)
            ch->rank[r].refresh_due = config->dram_trefi == 0
                                          ? NEVER
                                          : config->dram_trefi * (r + 1) / dram->ranks;
    }
    return true;
}

void dram_free(struct dram *dram)
{
    for (uint32_t i = 0; dram->channel != NULL && i < dram->channels; i++)
        free(dram->channel[i].pool);
    free(dram->channel);
    dram->channel = NULL;
}

/* ---- queues ---- */

static void set_wake(struct dram *dram, struct dram_channel *ch, uint64_t clock)
{
    ch->wake = clock;
    ch->wake_ps = clock == NEVER ? NEVER : clock_ps(clock, dram->config->dram_clock_hz);
    if (ch->wake_ps < dram->next_ps)
        dram->next_ps = ch->wake_ps;
}

static void append(struct dram_queue *queue, struct dram_request *r)
{
    r->next = NULL;
    if (queue->head == NULL)
        queue->head = r;
    else
        queue->tail->next = r;
    queue->tail = r;
    queue->count++;
}

/* Only reads wait, and the controller sees all of them: what a scan found stays true
 * until a command is issued, a request comes or a refresh is due. */
static bool calm(const struct dram *dram, const struct dram_channel *ch)
{
    return dram->only_delays && ch->writes.count == 0 && !ch->draining &&
           ch->reads.count <= dram->config->dram_queue;
}

/* When to look at a channel that was to look at its requests later than `now`, as a
 * read comes: at its next clock, or when that read's first command can be issued. */
static uint64_t first_chance(const struct dram *dram, const struct dram_channel *ch,
                             const struct dram_request *r, uint64_t now)
{
    uint64_t at;

    if (ch->wake == NEVER || !calm(dram, ch))
        return now;
    at = dram_ready(dram, ch, r, dram_needs(r));
    at = at < ch->wake ? at : ch->wake;
    return at > now && at < ch->refresh_due ? at : now;
}

static void enqueue(struct dram *dram, uint64_t ps, uint64_t line,
                    const struct dram_place *place, uint32_t tag, bool write)
{
    struct dram_channel *ch = &dram->channel[place->channel];
    struct dram_request *r = ch->free;
    uint64_t now = clock_tick(ps, dram->config->dram_clock_hz);

    assert(r != NULL);
    ch->free = r->next;
    *r = (struct dram_request){.line = line,
                               .row = place->row,
                               .arrival = now,
                               .bank = &ch->bank[place->bank],
                               .rank = &ch->rank[place->rank],
                               .group = &ch->rank[place->rank].group[place->group],
                               .tag = tag,
                               .write = write};
    dram_close_idle(dram, ch, place->bank, place->row, now);
    r->bank->waiting++;
    r->bank->last_use = now;
    append(write ? &ch->writes : &ch->reads, r);
    if (now < ch->wake)
        set_wake(dram, ch, write ? now : first_chance(dram, ch, r, now));
}

static bool write_waits(const struct dram_channel *ch, uint64_t line)
{
    for (const struct dram_request *r = ch->writes.head; r != NULL; r = r->next)
        if (r->line == line)
            return true;
    return false;
}

void dram_read(struct dram *dram, uint64_t ps, uint64_t line, uint32_t tag)
{
    struct dram_place place;

    dram_place(dram, line, &place);
    if (write_waits(&dram->channel[place.channel], line)) {
        dram->stats->dram_forwarded++;
        agenda_put(dram->agenda, ps, dram->done_kind, line, tag);
        return;
    }
    enqueue(dram, ps, line, &place, tag, false);
}

void dram_write(struct dram *dram, uint64_t ps, uint64_t line)
{
    struct dram_place place;

    dram_place(dram, line, &place);
    enqueue(dram, ps, line, &place, 0, true);
}

bool dram_stalled(const struct dram *dram)
{
    for (uint32_t i = 0; i < dram->channels; i++)
        if (dram->channel[i].writes.count >= dram->config->dram_queue)
            return true;
    return false;
}

bool dram_idle(const struct dram *dram)
{
    for (uint32_t i = 0; i < dram->channels; i++)
        if (dram->channel[i].reads.count != 0 || dram->channel[i].writes.count != 0)
            return false;
    return true;
}

/* ---- scheduling ---- */

/* The controller turns to writes when many wait or no read does. */
static struct dram_queue *choose_queue(const struct dram *dram, struct dram_channel *ch)
{
    if (ch->writes.count >= dram->config->dram_write_high)
        ch->draining = true;
    else if (ch->writes.count <= dram->config->dram_write_low)
        ch->draining = false;
    if (ch->writes.count != 0 && (ch->draining || ch->reads.count == 0))
        return &ch->writes;
    return &ch->reads;
}

/* What a scan of a queue found: the request to serve now and the one before it in the
 * queue; when the first of those that cannot be served yet can be. `rest`: how many
 * others could be served now too. */
struct pick {
    struct dram_request *request, *before;
    enum dram_command command;
    uint32_t rest;
    uint64_t again;
};

/* Which open rows are wanted. */
static void mark_wanted(const struct dram *dram, struct dram_channel *ch,
                        const struct dram_queue *queue)
{
    const struct dram_request *r = queue->head;

    for (uint64_t n = 0; r != NULL && n < dram->config->dram_queue; n++, r = r->next)
        if (r->bank->row == r->row)
            r->bank->wanted = ch->scan;
    ch->marked = ch->scan;
}

/* A row that others want is not closed for a request before it has waited too long. */
static bool row_is_wanted(const struct dram *dram, struct dram_channel *ch,
                          const struct dram_queue *queue, const struct dram_bank *bank)
{
    if (bank->waiting == 1)
        return false;
    if (ch->marked != ch->scan)
        mark_wanted(dram, ch, queue);
    return bank->wanted == ch->scan;
}

static bool is_column(enum dram_command command)
{
    return command == DRAM_RD || command == DRAM_WR;
}

/* Is a request that can be served now, behind that of the pick, rather served? */
static bool better(const struct pick *pick, enum dram_command command)
{
    return pick->request == NULL || (is_column(command) && !is_column(pick->command));
}

/* What is known of requests to `bank`, or with NULL to any, holds no longer. */
static void forget(struct dram_channel *ch, const struct dram_bank *bank)
{
    const struct dram_queue *queue[] = {&ch->reads, &ch->writes};

    for (unsigned q = 0; q < 2; q++)
        for (struct dram_request *r = queue[q]->head; r != NULL; r = r->next)
            if (bank == NULL || r->bank == bank)
                r->not_before = 0;
}

/* A request that cannot be served now: when again? */
static void put_off(struct pick *pick, uint64_t ready)
{
    if (ready < pick->again)
        pick->again = ready;
}

/* The oldest request that can use an open row now, else the oldest for which a row
 * can be opened or closed now. The queue is in order of arrival, so that the first of a
 * bank that has waited too long is the first of that bank at all: it keeps the bank for
 * itself. `all`: look at those behind the pick too. */
static void scan(const struct dram *dram, struct dram_channel *ch,
                 const struct dram_queue *queue, uint64_t now, bool all,
                 struct pick *pick)
{
    struct dram_request *r = queue->head, *before = NULL;
    uint64_t limit = dram->config->dram_age_limit, left = queue->count, ready;
    bool old = r != NULL && now >= r->arrival + limit;

    *pick = (struct pick){NULL, NULL, DRAM_ACT, 0, NEVER};
    ch->scan++;
    if (left > dram->config->dram_queue)
        left = dram->config->dram_queue;
    for (; left != 0; left--, before = r, r = r->next) {
        enum dram_command command;

        if (!old && r->not_before > now) {
            put_off(pick, r->not_before);
            continue;
        }
        if (old && r->bank->kept == ch->scan)
            continue; /* again when the keeper is through */
        command = dram_needs(r);
        ready = dram_ready(dram, ch, r, command);
        r->not_before = dram->only_delays ? ready : 0;
        if (old && now >= r->arrival + limit)
            r->bank->kept = ch->scan;
        else if (command == DRAM_PRE && row_is_wanted(dram, ch, queue, r->bank))
            ready = later(ready, r->arrival + limit);
        if (ready > now) {
            put_off(pick, ready);
            continue;
        }
        pick->rest += pick->request != NULL;
        if (better(pick, command)) {
            *pick = (struct pick){r, before, command, pick->rest, pick->again};
            if (is_column(command) && !all)
                return;
        }
    }
}

static void count_row(struct dram *dram, const struct dram_request *r,
                      enum dram_command command)
{
    if (r->begun)
        return;
    if (command == DRAM_PRE)
        dram->stats->dram_row_conflicts++;
    else if (command == DRAM_ACT)
        dram->stats->dram_row_misses++;
    else
        dram->stats->dram_row_hits++;
}

/* A column command ends a request's stay in its queue. */
static void finish(struct dram *dram, struct dram_channel *ch, struct dram_queue *queue,
                   const struct pick *pick, uint64_t now)
{
    struct dram_request *r = pick->request;
    uint64_t end = now + dram->cl + dram->config->dram_burst;

    if (pick->before == NULL)
        queue->head = r->next;
    else
        pick->before->next = r->next;
    if (queue->tail == r)
        queue->tail = pick->before;
    queue->count--;
    r->bank->waiting--;
    r->bank->last_use = now;
    dram->stats->dram_bytes += 64;
    if (r->write) {
        dram->stats->dram_writes++;
    } else {
        dram->stats->dram_reads++;
        dram->stats->dram_wait_clocks += end - r->arrival;
        agenda_put(dram->agenda, clock_ps(end, dram->config->dram_clock_hz),
                   dram->done_kind, r->line, r->tag);
    }
    r->next = ch->free;
    ch->free = r;
}

/* The clock to look again after the pick's command was issued at `now`: the next one,
 * unless nothing can be issued then. */
static uint64_t look_again(const struct dram *dram, const struct dram_channel *ch,
                           const struct pick *pick, uint64_t now)
{
    const struct dram_request *r = pick->request;
    bool column = is_column(pick->command);
    uint64_t again = pick->again, own;

    if (pick->rest != 0 || r->bank->waiting != (column ? 0U : 1U))
        return now + 1;
    if (!column) {
        own = dram_ready(dram, ch, r, dram_needs(r));
        again = own < again ? own : again;
    }
    return again < ch->refresh_due ? later(again, now + 1) : now + 1;
}

static void serve(struct dram *dram, struct dram_channel *ch, struct dram_queue *queue,
                  const struct pick *pick, uint64_t now)
{
    struct dram_request *r = pick->request;

    count_row(dram, r, pick->command);
    if (!r->begun && !r->write)
        dram->stats->dram_queue_clocks += now - r->arrival;
    r->begun = true;
    dram_issue(dram, ch, r, pick->command, now);
    if (r->bank->waiting > 1)
        forget(ch, r->bank);
    if (is_column(pick->command))
        finish(dram, ch, queue, pick, now);
}

static void run_channel(struct dram *dram, struct dram_channel *ch)
{
    uint64_t now = ch->wake;
    struct dram_queue *queue;
    struct pick pick;
    bool all;

    if (ch->refresh_due <= now) {
        dram_refresh(dram, ch, now);
        forget(ch, NULL);
    }
    queue = choose_queue(dram, ch);
    all = calm(dram, ch);
    scan(dram, ch, queue, now, all, &pick);
    if (pick.request == NULL && pick.again >= ch->refresh_due) {
        forget(ch, NULL); /* the refresh waits for the very clock */
        scan(dram, ch, queue, now, all, &pick);
    }
    if (pick.request != NULL) {
        serve(dram, ch, queue, &pick, now);
        pick.again = all ? look_again(dram, ch, &pick, now) : now + 1;
    }
    if (ch->reads.count == 0 && ch->writes.count == 0)
        pick.again = NEVER;
    set_wake(dram, ch, pick.again);
}

void dram_run(struct dram *dram, uint64_t ps)
{
    uint64_t next = NEVER;

    for (uint32_t i = 0; i < dram->channels; i++) {
        struct dram_channel *ch = &dram->channel[i];

        if (ch->wake_ps == ps)
            run_channel(dram, ch);
        if (ch->wake_ps < next)
            next = ch->wake_ps;
    }
    dram->next_ps = next;
}

uint64_t dram_begun(const struct dram *dram)
{
    uint64_t begun = 0;

    for (uint32_t c = 0; c < dram->channels; c++) {
        const struct dram_channel *ch = &dram->channel[c];

        for (const struct dram_request *r = ch->reads.head; r != NULL; r = r->next)
            begun += r->begun;
        for (const struct dram_request *r = ch->writes.head; r != NULL; r = r->next)
            begun += r->begun;
    }
    return begun;
}

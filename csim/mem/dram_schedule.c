/* dram_schedule.c - see dram_schedule.h. */
#include "csim/mem/dram_schedule.h"

#include "csim/mem/dram_timing.h"
#include "igpu/heat.h"

#define NEVER UINT64_MAX

/* ---- when ---- */

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void set_wake(struct dram *dram, struct dram_channel *ch, uint64_t clock)
{
    ch->wake = clock;
    ch->wake_ps = clock == NEVER ? NEVER : clock_at(&dram->clock, clock);
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
    at = dram_ready(ch, r, dram_needs(r));
    at = at < ch->wake ? at : ch->wake;
    return at > now && at < ch->refresh_due ? at : now;
}

void dram_joined(struct dram *dram, struct dram_channel *ch,
                 const struct dram_request *r, uint64_t now)
{
    if (now >= ch->wake)
        return;
    set_wake(dram, ch, r->write ? now : first_chance(dram, ch, r, now));
    dram->next_ps = sooner(ch->wake_ps, dram->next_ps);
}

/* ---- choice ---- */

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

/* What a scan of a queue found: the request to serve now; when the first of those that
 * cannot be served yet can be. `ready`: how many could be served now. */
struct pick {
    struct dram_request *request;
    enum dram_command command;
    uint32_t ready;
    uint64_t again;
};

static bool is_behind(const struct dram_channel *ch, const struct dram_request *r)
{
    return (ch->behind >> r->source & 1) != 0;
}

/* Has its bank a request of somebody who is not behind? Then those behind stay away. */
static bool stays_away(const struct dram_channel *ch, const struct dram_request *r)
{
    return is_behind(ch, r) && r->bank->front == ch->scan;
}

/* Which banks that is. */
static void mark_fronts(const struct dram *dram, struct dram_channel *ch,
                        const struct dram_queue *queue)
{
    struct dram_request *r = queue->head;

    for (uint64_t n = 0; r != NULL && n < dram->config->dram_queue; n++, r = r->next)
        if (!is_behind(ch, r))
            r->bank->front = ch->scan;
}

/* Which open rows are wanted. */
static void mark_wanted(const struct dram *dram, struct dram_channel *ch,
                        const struct dram_queue *queue)
{
    const struct dram_request *r = queue->head;

    for (uint64_t n = 0; r != NULL && n < dram->config->dram_queue; n++, r = r->next)
        if (r->bank->row == r->row && !stays_away(ch, r))
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

/* The first request that the controller does not look at: too far behind, or with fcfs
 * the second one; NULL: none. */
static const struct dram_request *unseen(const struct dram *dram,
                                         const struct dram_queue *queue)
{
    const struct dram_request *r = NULL;

    if (dram->config->dram_schedule == IGPU_FCFS)
        return queue->head != NULL ? queue->head->next : NULL;
    if (queue->count > dram->config->dram_queue) {
        r = queue->head;
        for (uint64_t n = 0; n < dram->config->dram_queue; n++)
            r = r->next;
    }
    return r;
}

/* ---- dram.schedule bliss: who had several reads in a row stands behind the others
 * ---- */

static void forget_those_behind(const struct dram *dram, struct dram_channel *ch,
                                uint64_t now)
{
    if (now < ch->forget_at)
        return;
    ch->behind = 0;
    ch->forget_at = now + dram->config->dram_bliss_clocks;
}

/* A read of `source` is served. */
static void put_behind(const struct dram *dram, struct dram_channel *ch,
                       uint32_t source)
{
    ch->in_a_row = source == ch->last_source ? ch->in_a_row + 1 : 1;
    ch->last_source = source;
    if (ch->in_a_row >= dram->config->dram_bliss_after)
        ch->behind |= UINT32_C(1) << source;
}

/* Lower goes first; among equals the oldest. */
static uint32_t place_in_line(const struct dram_channel *ch,
                              const struct dram_request *r, enum dram_command command)
{
    return 2U * is_behind(ch, r) + !is_column(command);
}

/* The oldest request that can use an open row now, else the oldest for which a row
 * can be opened or closed now; with bliss, of those that are not behind if there is
 * one. The queue is in order of arrival, so that the first of a bank that has waited
 * too long is the first of that bank at all: it keeps the bank for itself. `all`: look
 * at those behind the pick too. */
static struct pick scan(const struct dram *dram, struct dram_channel *ch,
                        const struct dram_queue *queue, uint64_t now, bool all)
{
    const struct dram_request *end = unseen(dram, queue);
    struct dram_request *first = NULL;
    uint32_t least = UINT32_MAX;
    uint64_t aged = now - dram->config->dram_age_limit, again = NEVER;
    uint32_t number = ++ch->scan, ready_count = 0;
    enum dram_command first_command = DRAM_ACT;
    bool known = dram->only_delays, shared = ch->crowded != 0;

    if (ch->behind != 0)
        mark_fronts(dram, ch, queue);
    for (struct dram_request *r = queue->head; r != end; r = r->next) {
        enum dram_command command;
        uint64_t ready;

        if (shared && r->bank->kept == number)
            continue; /* again when the keeper is through */
        if (ch->behind != 0 && stays_away(ch, r))
            continue;
        if (shared && (int64_t)(aged - r->arrival) >= 0)
            r->bank->kept = number;
        if (r->not_before > now) {
            again = sooner(again, r->not_before);
            continue;
        }
        command = dram_needs(r);
        ready = dram_ready(ch, r, command);
        r->not_before = known ? ready : 0;
        if (shared && command == DRAM_PRE && r->bank->kept != number &&
            row_is_wanted(dram, ch, queue, r->bank))
            ready = dram_later(ready, r->arrival + dram->config->dram_age_limit);
        if (ready > now) {
            again = sooner(again, ready);
            continue;
        }
        ready_count++;
        if (place_in_line(ch, r, command) >= least)
            continue;
        least = place_in_line(ch, r, command);
        first = r;
        first_command = command;
        if (least == 0 && !all)
            break;
    }
    return (struct pick){first, first_command, ready_count, again};
}

/* ---- issue ---- */

/* What is known of requests to `bank`, or with NULL to any, holds no longer. */
static void bank_forget(struct dram_channel *ch, const struct dram_bank *bank)
{
    const struct dram_queue *queue[] = {&ch->reads, &ch->writes};

    for (unsigned q = 0; q < 2; q++)
        for (struct dram_request *r = queue[q]->head; r != NULL; r = r->next)
            if (bank == NULL || r->bank == bank)
                r->not_before = 0;
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

    *(r->prev == NULL ? &queue->head : &r->prev->next) = r->next;
    *(r->next == NULL ? &queue->tail : &r->next->prev) = r->prev;
    queue->count--;
    ch->crowded -= --r->bank->waiting == 1;
    r->bank->last_use = now;
    dram->stats->dram_bytes += 64;
    if (r->write) {
        dram->stats->dram_writes++;
    } else {
        if (dram->config->dram_schedule == IGPU_BLISS)
            put_behind(dram, ch, r->source);
        dram->stats->dram_reads++;
        dram->stats->dram_wait_clocks += end - r->arrival;
        agenda_put(dram->agenda, clock_at(&dram->clock, end), dram->done_kind, r->line,
                   r->tag);
    }
    r->next = ch->free;
    ch->free = r;
}

/* When a command can be issued first for a read of `bank`: of several that wait for it,
 * and of those that the first one kept from it too. */
static uint64_t bank_chance(const struct dram_channel *ch, const struct dram_bank *bank)
{
    uint64_t first = NEVER;

    for (struct dram_request *r = ch->reads.head; r != NULL; r = r->next)
        if (r->bank == bank) {
            r->not_before = dram_ready(ch, r, dram_needs(r));
            first = r->not_before < first ? r->not_before : first;
        }
    return first;
}

/* The clock to look again after the pick's command was issued at `now`: the next one,
 * unless nothing can be issued then. */
static uint64_t look_again(const struct dram_channel *ch, const struct pick *pick,
                           uint64_t now)
{
    struct dram_request *r = pick->request;
    uint64_t again = pick->again, own = NEVER;

    if (pick->ready > 1)
        return now + 1;
    if (r->bank->waiting > 1 || (is_column(pick->command) && r->bank->waiting != 0))
        own = bank_chance(ch, r->bank);
    else if (!is_column(pick->command))
        own = r->not_before = dram_ready(ch, r, dram_needs(r));
    again = own < again ? own : again;
    return again < ch->refresh_due ? dram_later(again, now + 1) : now + 1;
}

static void serve(struct dram *dram, struct dram_channel *ch, struct dram_queue *queue,
                  const struct pick *pick, uint64_t now)
{
    struct dram_request *r = pick->request;

    count_row(dram, r, pick->command);
    if (dram->heat != NULL && pick->command != DRAM_PRE) {
        struct heat_cell *cell =
            &heat_now(dram->heat)->dram[ch->index][r->bank - ch->bank];

        *(is_column(pick->command) ? &cell->uses : &cell->lost) += 1;
    }
    if (!r->begun && !r->write)
        dram->stats->dram_queue_clocks += now - r->arrival;
    r->begun = true;
    dram_issue(dram, ch, r, pick->command, now);
    if (r->bank->waiting > 1)
        bank_forget(ch, r->bank);
    if (is_column(pick->command))
        finish(dram, ch, queue, pick, now);
}

/* The channel's clock `wake`: refresh what is due, issue at most one command, and set
 * when to look again. */
static void decide(struct dram *dram, struct dram_channel *ch)
{
    uint64_t now = ch->wake;
    struct dram_queue *queue;
    struct pick pick;
    bool all;

    if (ch->refresh_due <= now) {
        dram_refresh(dram, ch, now);
        bank_forget(ch, NULL);
    }
    if (dram->config->dram_schedule == IGPU_BLISS)
        forget_those_behind(dram, ch, now);
    all = calm(dram, ch);
    queue = all ? &ch->reads : choose_queue(dram, ch);
    all = all || calm(dram, ch);
    for (bool exact = false;; exact = true) {
        pick = scan(dram, ch, queue, now, all);
        if (exact || pick.request != NULL || pick.again < ch->refresh_due)
            break;
        bank_forget(ch, NULL); /* the refresh waits for the very clock */
    }
    if (pick.request != NULL) {
        serve(dram, ch, queue, &pick, now);
        pick.again = all ? look_again(ch, &pick, now) : now + 1;
    }
    if (ch->reads.count == 0 && ch->writes.count == 0)
        pick.again = NEVER;
    set_wake(dram, ch, pick.again);
}

void dram_run(struct dram *dram, uint64_t ps)
{
    struct dram_channel *end = dram->channel + dram->channels;
    uint64_t next = NEVER;

    for (struct dram_channel *ch = dram->channel; ch != end; ch++) {
        if (ch->wake_ps == ps)
            decide(dram, ch);
        next = sooner(ch->wake_ps, next);
    }
    dram->next_ps = next;
}

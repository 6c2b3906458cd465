/* dram_schedule.c - see dram_schedule.h. */
#include "csim/mem/dram_schedule.h"

#include "csim/mem/dram_timing.h"

#define NEVER UINT64_MAX

/* ---- when ---- */

static void set_wake(struct dram *dram, struct dram_channel *ch, uint64_t clock)
{
    ch->wake = clock;
    ch->wake_ps = clock == NEVER ? NEVER : clock_at(&dram->clock, clock);
    if (ch->wake_ps < dram->next_ps)
        dram->next_ps = ch->wake_ps;
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
    if (now < ch->wake)
        set_wake(dram, ch, r->write ? now : first_chance(dram, ch, r, now));
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
    uint64_t limit = dram->config->dram_age_limit, left = queue->count;
    bool known = dram->only_delays, shared = ch->crowded != 0;
    uint32_t number = ++ch->scan;

    *pick = (struct pick){NULL, NULL, DRAM_ACT, 0, NEVER};
    if (left > dram->config->dram_queue)
        left = dram->config->dram_queue;
    for (; left != 0; left--, before = r, r = r->next) {
        enum dram_command command;
        uint64_t ready;

        if (shared && r->bank->kept == number)
            continue; /* again when the keeper is through */
        if (shared && now >= r->arrival + limit)
            r->bank->kept = number;
        if (r->not_before > now) {
            put_off(pick, r->not_before);
            continue;
        }
        command = dram_needs(r);
        ready = dram_ready(ch, r, command);
        r->not_before = known ? ready : 0;
        if (shared && command == DRAM_PRE && r->bank->kept != number &&
            row_is_wanted(dram, ch, queue, r->bank))
            ready = dram_later(ready, r->arrival + limit);
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

/* ---- issue ---- */

/* What is known of requests to `bank`, or with NULL to any, holds no longer. */
static void forget(struct dram_channel *ch, const struct dram_bank *bank)
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

    if (pick->before == NULL)
        queue->head = r->next;
    else
        pick->before->next = r->next;
    if (queue->tail == r)
        queue->tail = pick->before;
    queue->count--;
    ch->crowded -= --r->bank->waiting == 1;
    r->bank->last_use = now;
    dram->stats->dram_bytes += 64;
    if (r->write) {
        dram->stats->dram_writes++;
    } else {
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

    if (pick->rest != 0)
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
    if (!r->begun && !r->write)
        dram->stats->dram_queue_clocks += now - r->arrival;
    r->begun = true;
    dram_issue(dram, ch, r, pick->command, now);
    if (r->bank->waiting > 1)
        forget(ch, r->bank);
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
        forget(ch, NULL);
    }
    queue = choose_queue(dram, ch);
    all = calm(dram, ch);
    for (bool exact = false;; exact = true) {
        scan(dram, ch, queue, now, all, &pick);
        if (exact || pick.request != NULL || pick.again < ch->refresh_due)
            break;
        forget(ch, NULL); /* the refresh waits for the very clock */
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
        if (ch->wake_ps < next)
            next = ch->wake_ps;
    }
    dram->next_ps = next;
}

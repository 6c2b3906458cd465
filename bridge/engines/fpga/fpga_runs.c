/* fpga_runs.c - runs of threads, sent before the board needs them
 * (docs/develop/fpga.md, Runs). A run whose code is certain to be in the instruction
 * cache is marked so; of another the board asks, in the cycle in which it is due. Where
 * the board's store has a part of the kernel, a run goes in pieces, each within a page
 * (fpga_pages.c). Of a thread that is executed nobody knows the run behind a branch
 * before that has issued: a run of length 0 is sent in its place, and then, with all
 * others of that time, a redirect.
 */
#include "bridge/engines/fpga/fpga_state.h"

static uint32_t place_word(unsigned tile, unsigned eu, unsigned slot)
{
    return FIELD(IGPU_LINK_TILE, tile) | FIELD(IGPU_LINK_EU, eu) |
           FIELD(IGPU_LINK_SLOT, slot);
}

static bool ends_thread(const struct fpga *f, struct uop_run run)
{
    return run.len == 0 ? !f->calls.executes
                        : run.pc + run.len > f->uop_count ||
                              (f->uops[run.pc + run.len - 1].flags & UOP_EOT) != 0;
}

static void fetch_next(struct fpga *f, struct fpga_slot *s, unsigned tile, unsigned eu,
                       unsigned slot)
{
    if (s->has_next || s->ended || s->branching || !s->open)
        return;
    s->next = f->calls.next(f->calls.ctx, tile, eu, slot);
    s->has_next = true;
    s->given = 0;
    s->asked += s->next.len != 0;
    s->ended = ends_thread(f, s->next);
    s->branching = s->next.len == 0 && !s->ended;
}

/* Pieces in the board's queue, and those that wait to go there. */
static uint32_t queued(const struct fpga_slot *s)
{
    uint32_t first = s->opening && s->readies > 0;

    return s->sent - s->taken + s->readies - first;
}

/* Make the next piece of s->next ready to be sent. False: the board has no room for it,
 * or its code is not in the store and cannot be put there now. */
static bool slot_prepare(struct fpga *f, struct fpga_slot *s, unsigned tile)
{
    bool first = s->opening && s->readies == 0, begins = s->given == 0, sure, last;
    struct uop_run piece = {s->next.pc + s->given, s->next.len - s->given, 0};
    uint32_t most, place;

    sure = first || !begins || piece.len == 0 ||
           icache_sure(f->icache[tile], s->next, f->base);
    most = sure ? RUNS_AHEAD : RUNS_UNSURE;
    if (!first && queued(s) >= most)
        return false;
    if (!fpga_pages_get(f, &piece, &place))
        return false;
    last = s->given + piece.len == s->next.len;
    if (!first) {
        uint32_t at = (s->sent + s->readies - s->opening) % RUNS_AHEAD;

        s->run[at] = s->next;
        s->order[at] = s->asked;
    }
    s->ready[s->readies++] =
        FIELD(IGPU_LINK_RUN_PC, place) | FIELD(IGPU_LINK_RUN_LEN, piece.len) |
        FIELD(IGPU_LINK_RUN_HIT, sure) |
        FIELD(IGPU_LINK_RUN_LAST, last && (s->ended || s->branching));
    s->given += piece.len;
    s->has_next = !last;
    return true;
}

/* Pieces beyond the one that the thread takes next. */
static void count_extras(struct fpga *f, struct fpga_slot *s)
{
    uint32_t extras = queued(s) > 1 ? queued(s) - 1 : 0;

    f->extras += extras - s->extras;
    s->extras = extras;
}

/* As many pieces as the board has room for. One that it needs to go on is always made
 * ready where it may be; of a thread that opens, the first and one more. */
static void slot_fill(struct fpga *f, unsigned tile, unsigned eu, unsigned slot)
{
    struct fpga_slot *s = &f->slot[tile][eu][slot];

    count_extras(f, s);
    for (fetch_next(f, s, tile, eu, slot); s->has_next;
         fetch_next(f, s, tile, eu, slot)) {
        bool must = s->opening ? s->readies < 2 : queued(s) == 0;

        if ((!must && !fpga_pages_spare(f)) || !slot_prepare(f, s, tile))
            break;
        count_extras(f, s);
    }
}

/* What is ready goes to the board; a thread's first run last, so that it is never short
 * of the one behind. A redirect is taken by the board only where it has said that it
 * waits for it. */
static bool send(struct fpga *f, unsigned tile, unsigned eu, unsigned slot)
{
    struct fpga_slot *s = &f->slot[tile][eu][slot];
    uint32_t first = s->opening;

    if (s->readies == 0 || (first && s->readies < 2 && (s->has_next || !s->ended)) ||
        (first && s->redirects && !f->held))
        return false;
    if (s->readies > first)
        fpga_put(f, IGPU_LINK_CMD_RUN,
                 place_word(tile, eu, slot) |
                     FIELD(IGPU_LINK_RUN_WORDS, s->readies - first));
    for (uint32_t i = first; i < s->readies; i++)
        fpga_link_put(f->link, s->ready[i]);
    if (first) {
        fpga_put(f, s->redirects ? IGPU_LINK_CMD_REDIR : IGPU_LINK_CMD_FIRST,
                 place_word(tile, s->redirects ? eu : 0, s->redirects ? slot : 0) |
                     FIELD(IGPU_LINK_WAIT, s->wait));
        fpga_link_put(f->link, s->ready[0]);
    }
    s->sent += s->readies - first;
    f->pieces = (uint16_t)(f->pieces + s->readies);
    s->readies = 0;
    s->opening = false;
    f->stands = false;
    return true;
}

static void send_ahead(struct fpga *f, unsigned tile, unsigned eu, unsigned slot)
{
    slot_fill(f, tile, eu, slot);
    if (send(f, tile, eu, slot))
        f->held = false;
    fpga_link_flush(f->link);
}

/* All that is ready, and all that may be made so. */
static void send_all(struct fpga *f)
{
    bool sent = false;

    for (unsigned t = 0; t < f->tiles; t++)
        for (unsigned e = 0; e < HOST_EUS; e++)
            for (unsigned k = 0; k < HOST_SLOTS; k++)
                slot_fill(f, t, e, k);
    /* Only now: with the first run the board may go on. */
    for (unsigned t = 0; t < f->tiles; t++)
        for (unsigned e = 0; e < HOST_EUS; e++)
            for (unsigned k = 0; k < HOST_SLOTS; k++)
                sent |= send(f, t, e, k);
    if (!sent)
        return;
    f->held = false;
    fpga_link_flush(f->link);
}

/* A thread that the board waits for has a run. */
static void slot_begin(struct fpga *f, unsigned tile, unsigned eu, unsigned slot,
                       struct uop_run first, uint64_t cycle)
{
    struct fpga_slot *s = &f->slot[tile][eu][slot];

    s->next = first;
    s->given = 0;
    s->ended = ends_thread(f, first);
    s->branching = false;
    s->open = s->opening = s->has_next = true;
    s->asked++;
    s->wait =
        (uint8_t)icache_wait(f->icache[tile], icache_of(eu, slot), first, cycle + 1);
}

void fpga_runs_open(struct fpga *f, unsigned tile, unsigned eu, unsigned slot,
                    struct uop_run first, uint64_t cycle)
{
    f->slot[tile][eu][slot].redirects = false;
    slot_begin(f, tile, eu, slot, first, cycle);
    send_ahead(f, tile, eu, slot);
    f->times.opens++;
}

void fpga_runs_redirect(struct fpga *f, unsigned tile, unsigned eu, unsigned slot,
                        uint64_t cycle)
{
    struct fpga_slot *s = &f->slot[tile][eu][slot];
    struct uop_run run;

    if (!s->branching) {
        fpga_wrong(f, "a thread waits behind a branch that has a run");
        return;
    }
    run = f->calls.next(f->calls.ctx, tile, eu, slot);
    if (run.len == 0) {
        fpga_wrong(f, "a thread leads nowhere");
        return;
    }
    s->redirects = true;
    slot_begin(f, tile, eu, slot, run, cycle);
    f->redirects = true;
}

void fpga_runs_answer(struct fpga *f)
{
    if (f->redirects && f->held)
        send_all(f);
    f->redirects = false;
}

void fpga_runs_taken(struct fpga *f, unsigned tile, unsigned eu, unsigned slot,
                     unsigned place)
{
    struct fpga_slot *s = &f->slot[tile][eu][slot];
    uint32_t taken = (place - s->taken) % RUNS_AHEAD + 1; /* since the last TAKE */

    if (s->sent - s->taken < taken) {
        fpga_wrong(f, "it took more runs than it was sent");
        return;
    }
    s->taken += taken;
    send_ahead(f, tile, eu, slot);
}

void fpga_runs_held(struct fpga *f, uint16_t pieces)
{
    /* It goes on, and comes to be held again, only by what it is sent. */
    if (f->held_before && pieces == f->held_with) {
        fpga_wrong(f, "it says twice that time is held");
        return;
    }
    f->held_with = pieces;
    f->held_before = true;
    if (pieces != f->pieces) /* some are on their way: it will say so again */
        return;
    f->held = true;
    if (f->branched || f->pages == NULL)
        f->times.branches++;
    else
        f->times.held++;
    f->branched = false;
    send_all(f);
}

void fpga_runs_asked(struct fpga *f, unsigned tile, unsigned eu, unsigned slot,
                     unsigned place, uint64_t cycle)
{
    struct fpga_slot *s = &f->slot[tile][eu][slot];
    uint32_t behind = (s->sent - 1 - place) % RUNS_AHEAD; /* runs sent after it */
    struct icache_who who = icache_of(eu, slot);
    uint32_t wait;

    if (s->sent - s->taken <= behind) {
        fpga_wrong(f, "it asks about a run that it was not sent");
        return;
    }
    who.behind = (uint8_t)(s->asked - s->order[place % RUNS_AHEAD]);
    wait = icache_wait(f->icache[tile], who, s->run[place % RUNS_AHEAD], cycle + 1);
    fpga_put(f, IGPU_LINK_CMD_WAIT, wait);
    send_ahead(f, tile, eu, slot);
    f->times.asks++;
}

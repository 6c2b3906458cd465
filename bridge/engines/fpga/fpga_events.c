/* fpga_events.c - what the board made. It may run ahead of the host, so events are kept
 * until the host's window reaches them. They come in ascending cycles. */
#include <stdlib.h>
#include <string.h>

#include "bridge/engines/fpga/fpga_state.h"
#include "igpu/uop_cycles.h"

/* ---- rings ---- */

static bool ring_grow(struct fpga *f, struct fpga_ring *r)
{
    uint32_t size = r->size == 0 ? EVENT_KEPT : 2 * r->size;
    struct fpga_event *event = malloc(size * sizeof(*event));

    if (event == NULL) {
        fpga_wrong(f, "out of memory");
        return false;
    }
    for (uint32_t i = r->head; i != r->tail; i++)
        event[i - r->head] = r->event[i % r->size];
    free(r->event);
    r->event = event;
    r->size = size;
    r->tail -= r->head;
    r->head = 0;
    return true;
}

static void word_keep(struct fpga *f, struct fpga_ring *r, uint32_t word)
{
    if (r->tail - r->head == r->size && !ring_grow(f, r))
        return;
    r->event[r->tail++ % r->size] = (struct fpga_event){f->base, word};
}

static const struct fpga_event *first(const struct fpga_ring *r)
{
    return r->head == r->tail ? NULL : &r->event[r->head % r->size];
}

uint64_t fpga_first_kept(const struct fpga *f)
{
    const struct fpga_event *e = first(&f->kept);

    return e == NULL ? HOST_NEVER : e->cycle;
}

/* ---- fields of an event word ---- */

static unsigned tag(uint32_t word)
{
    return FIELD_OF(IGPU_LINK_TAG, word);
}

static unsigned tile_of(uint32_t word)
{
    return FIELD_OF(IGPU_LINK_TILE, word);
}

static unsigned eu_of(uint32_t word)
{
    return FIELD_OF(IGPU_LINK_EU, word);
}

static unsigned slot_of(uint32_t word)
{
    return FIELD_OF(IGPU_LINK_SLOT, word);
}

static uint32_t uop_of(uint32_t word)
{
    return FIELD_OF(IGPU_LINK_UOP, word);
}

unsigned fpga_kind(const struct uop *u)
{
    if (u->flags & UOP_EOT)
        return IGPU_LINK_KIND_EOT;
    if (u->flags & UOP_GATE)
        return IGPU_LINK_KIND_GATE;
    return u->rlen == 0 ? IGPU_LINK_KIND_WRITE : IGPU_LINK_KIND_PORT;
}

static bool is_issue(uint32_t word)
{
    return tag(word) == IGPU_LINK_EV_ISSUE || tag(word) == IGPU_LINK_EV_BRANCH;
}

/* A message or an end: what the host may have to answer. */
static bool is_mark(const struct fpga *f, uint32_t word)
{
    return tag(word) == IGPU_LINK_EV_MSG || tag(word) == IGPU_LINK_EV_END ||
           (tag(word) == IGPU_LINK_EV_ISSUE &&
            (f->uops[uop_of(word)].flags & UOP_EOT) != 0);
}

uint64_t fpga_kept_wall(const struct fpga *f)
{
    const struct fpga_ring *r = &f->waiting;
    uint64_t wall = HOST_NEVER;

    for (uint32_t i = r->head; i != r->tail; i++) {
        const struct fpga_event *e = &r->event[i % r->size];
        unsigned kind = tag(e->word) == IGPU_LINK_EV_END
                            ? IGPU_LINK_KIND_EOT
                            : fpga_kind(&f->uops[uop_of(e->word)]);

        if (f->look[kind] != 0 && e->cycle + f->look[kind] < wall)
            wall = e->cycle + f->look[kind];
    }
    return wall;
}

/* ---- they come ---- */

static bool names_uop(uint32_t word)
{
    return tag(word) == IGPU_LINK_EV_MSG || is_issue(word);
}

/* The board names an instruction by its place in the store. */
static uint32_t named(const struct fpga *f, uint32_t word)
{
    uint32_t all = ((1U << IGPU_LINK_UOP_BITS) - 1) << IGPU_LINK_UOP_AT, uop;

    if (!names_uop(word))
        return word;
    uop = fpga_pages_uop(f, uop_of(word));
    return (word & ~all) | (uop << IGPU_LINK_UOP_AT & all);
}

/* The board's numbers are indices here: none may lead outside. */
static bool sound(struct fpga *f, uint32_t word)
{
    unsigned t = tag(word);
    bool has_uop = names_uop(word);
    bool has_place = has_uop || t == IGPU_LINK_EV_OPEN || t == IGPU_LINK_EV_ASK ||
                     t == IGPU_LINK_EV_TAKE || t == IGPU_LINK_EV_END;

    if ((has_place && (tile_of(word) >= f->tiles || eu_of(word) >= HOST_EUS ||
                       slot_of(word) >= HOST_SLOTS)) ||
        (has_uop && uop_of(word) >= f->uop_count)) {
        fpga_wrong(f, "an event names what there is not");
        return false;
    }
    return true;
}

static void take_state(struct fpga *f, uint32_t word)
{
    switch (tag(word)) {
    case IGPU_LINK_EV_TIME:
        f->base += FIELD_OF(IGPU_LINK_REST, word);
        fpga_pages_passed(f);
        break;
    case IGPU_LINK_EV_ASK:
        fpga_runs_asked(f, tile_of(word), eu_of(word), slot_of(word),
                        FIELD_OF(IGPU_LINK_ASK_QUEUED, word), f->base);
        break;
    case IGPU_LINK_EV_TAKE:
        fpga_runs_taken(f, tile_of(word), eu_of(word), slot_of(word),
                        FIELD_OF(IGPU_LINK_ASK_QUEUED, word));
        break;
    case IGPU_LINK_EV_HELD:
        fpga_runs_held(f, (uint16_t)FIELD_OF(IGPU_LINK_REST, word));
        break;
    case IGPU_LINK_EV_IDLE:
        f->idle = true;
        f->soon = FIELD_OF(IGPU_LINK_IDLE_SOON, word);
        f->times.clocks += 16 * (uint64_t)FIELD_OF(IGPU_LINK_IDLE_CLOCKS, word);
        break;
    case IGPU_LINK_EV_COUNT:
        fpga_counts_take(f, word);
        break;
    case IGPU_LINK_EV_LATE:
        fpga_wrong(f, "a completion came after its cycle (a defect of the link)");
        break;
    default:
        fpga_wrong(f, "an event of an unknown kind");
        break;
    }
}

bool fpga_take_event(struct fpga *f)
{
    uint32_t word;

    if (fpga_failed(f) || !fpga_link_get(f->link, &word))
        return false;
    word = named(f, word);
    if (!sound(f, word))
        return false;
    if (tag(word) == IGPU_LINK_EV_MSG)
        fpga_pages_sent(f, uop_of(word));
    if (is_issue(word))
        fpga_pages_issued(f, uop_of(word), FIELD_OF(IGPU_LINK_UNIT, word));
    if (tag(word) == IGPU_LINK_EV_OPEN || tag(word) == IGPU_LINK_EV_HELD)
        f->stands = true;
    if (tag(word) == IGPU_LINK_EV_BRANCH)
        f->branched = true;
    switch (tag(word)) {
    case IGPU_LINK_EV_OVER:
        f->over_came = true;
        word_keep(f, &f->kept, word);
        break;
    case IGPU_LINK_EV_MSG:
    case IGPU_LINK_EV_OPEN:
    case IGPU_LINK_EV_ISSUE:
    case IGPU_LINK_EV_BRANCH:
    case IGPU_LINK_EV_END:
        word_keep(f, &f->kept, word);
        if (is_mark(f, word)) {
            f->marks++;
            word_keep(f, &f->waiting, word);
        }
        break;
    default:
        take_state(f, word);
        break;
    }
    return !fpga_failed(f);
}

/* ---- they are told ---- */

static void tell_open(struct fpga *f, const struct fpga_event *e)
{
    unsigned tile = tile_of(e->word), eu = eu_of(e->word), slot = slot_of(e->word);
    uint8_t bslot = (uint8_t)FIELD_OF(IGPU_LINK_OPEN_BSLOT, e->word);
    uint32_t thread = f->opened++;
    struct uop_run run;

    if (thread % (1u << IGPU_LINK_OPEN_THREAD_BITS) !=
        FIELD_OF(IGPU_LINK_OPEN_THREAD, e->word)) {
        fpga_wrong(f, "threads are not opened in order");
        return;
    }
    f->slot[tile][eu][slot].bslot = bslot;
    run = f->calls.open(f->calls.ctx, tile, eu, slot, thread, bslot, e->cycle);
    fpga_runs_open(f, tile, eu, slot, run, e->cycle);
}

static void tell_end(struct fpga *f, const struct fpga_event *e)
{
    unsigned tile = tile_of(e->word), eu = eu_of(e->word), slot = slot_of(e->word);
    struct host_end end = {.cycle = e->cycle,
                           .eu = (uint8_t)eu,
                           .slot = (uint8_t)slot,
                           .bslot = f->slot[tile][eu][slot].bslot};

    if (tag(e->word) == IGPU_LINK_EV_END)
        end.left = (uint8_t)FIELD_OF(IGPU_LINK_END_LEFT, e->word);
    else if (f->calls.issue == NULL)
        end.left = (uint8_t)(f->busy_until[tile][eu] - e->cycle);
    f->calls.end(f->calls.ctx, tile, &end);
}

/* Where nobody else looks at issues: until when units are occupied, as an END tells. */
static void occupy(struct fpga *f, const struct host_issue *i)
{
    uint64_t *until = &f->busy_until[i->tile][i->eu];
    uint64_t to = i->cycle + uop_occupancy(&f->config, &f->uops[i->uop]);

    if (to > *until)
        *until = to;
}

static void tell_issue(struct fpga *f, const struct fpga_event *e)
{
    struct host_issue issue = {.cycle = e->cycle,
                               .uop = uop_of(e->word),
                               .tile = (uint8_t)tile_of(e->word),
                               .eu = (uint8_t)eu_of(e->word),
                               .slot = (uint8_t)slot_of(e->word),
                               .unit = (uint8_t)FIELD_OF(IGPU_LINK_UNIT, e->word)};

    if (f->calls.issue == NULL && f->pages == NULL) {
        fpga_wrong(f, "it reports issues that were not asked for");
        return;
    }
    if (f->calls.issue != NULL)
        f->calls.issue(f->calls.ctx, &issue);
    else
        occupy(f, &issue);
    if (f->uops[issue.uop].flags & UOP_EOT)
        tell_end(f, e);
    if (tag(e->word) == IGPU_LINK_EV_BRANCH)
        fpga_runs_redirect(f, issue.tile, issue.eu, issue.slot, issue.cycle);
}

static void event_tell(struct fpga *f, const struct fpga_event *e)
{
    struct host_msg msg;

    switch (tag(e->word)) {
    case IGPU_LINK_EV_MSG:
        msg = (struct host_msg){.cycle = e->cycle,
                                .uop = uop_of(e->word),
                                .tile = (uint8_t)tile_of(e->word),
                                .eu = (uint8_t)eu_of(e->word),
                                .slot = (uint8_t)slot_of(e->word)};
        f->calls.msg(f->calls.ctx, &msg);
        break;
    case IGPU_LINK_EV_OPEN:
        tell_open(f, e);
        break;
    case IGPU_LINK_EV_ISSUE:
    case IGPU_LINK_EV_BRANCH:
        tell_issue(f, e);
        break;
    case IGPU_LINK_EV_END:
        tell_end(f, e);
        break;
    default:
        f->over = true;
        f->end = e->cycle;
        break;
    }
}

void fpga_deliver(struct fpga *f, uint64_t until)
{
    while (!fpga_failed(f) && fpga_first_kept(f) < until) {
        struct fpga_event event = *first(&f->kept);

        f->kept.head++;
        event_tell(f, &event);
    }
    fpga_runs_answer(f);
}

void fpga_answered(struct fpga *f, uint64_t until)
{
    const struct fpga_event *e;

    while ((e = first(&f->waiting)) != NULL && e->cycle < until)
        f->waiting.head++;
}

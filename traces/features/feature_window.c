/* feature_window.c - the order in which lines are touched. Threads are told one after
 * the other, but run side by side: those of a window take turns here, a message of each
 * at a time, before their touches are followed. What a window keeps until then depends
 * on the window alone, so that the numbers do not depend on how its threads were told.
 */
#include "traces/features/feature_state.h"

#include <string.h>

#include "igpu/grow.h"

enum {
    KEEP = 1 << 18,  /* touches of a window in memory */
    MOST = 1 << 17,  /* that are followed of a window, at most, ... */
    LEAST = 256,     /* ... at least, ... */
    START = 1 << 16, /* ... and of a program in all: so many, and ... */
    SHARE = 24,      /* ... one for so many instructions */
    MAX_RATE = 6,
    TURNS = 128 /* messages of a thread that are put in order at a time */
};

static bool passes(uint64_t what, unsigned rate)
{
    return what & TOUCH_PAGE ? reuse_in_sample(what >> 2, feature_page_rate(rate))
                             : feature_line_passes(what >> 2, rate);
}

/* Drop what the window's filters no longer let through. */
static void thin(struct features *f, struct window *w)
{
    w->kept = 0;
    for (uint64_t n = w->first; n < w->first + WINDOW; n++) {
        struct thread *t = &f->ring[n % RING];
        struct touches *list = &t->touches;
        uint32_t kept = 0;

        if (t->number != n)
            continue;
        for (uint32_t i = 0; i < list->count; i++)
            if (list->touch[i].ordinal < w->ordinals &&
                passes(list->touch[i].what, w->rate))
                list->touch[kept++] = list->touch[i];
        list->count = kept;
        w->kept += kept;
    }
}

void feature_coarser(struct window *w)
{
    if (w->rate < MAX_RATE)
        w->rate++;
    else
        w->ordinals /= 2;
}

static void keep_less(struct features *f, struct window *w, uint64_t most)
{
    while (w->kept > most && w->ordinals > 1) {
        feature_coarser(w);
        thin(f, w);
    }
}

void feature_window_joined(struct features *f, struct window *w)
{
    if (w->rate >= f->rate)
        return;
    w->rate = f->rate;
    if (w->kept > 0)
        thin(f, w);
}

/* The thread takes the room of the one that gave its last: what the host has at hand.
 */
void feature_touches_begin(struct features *f, struct thread *t)
{
    if (t->touches.room == 0 && f->spares > 0)
        t->touches = f->spare[--f->spares];
    t->touches.count = 0;
}

/* Its touches have been followed. */
static void forget(struct features *f, struct thread *t)
{
    t->like = NULL;
    if (t->touches.room == 0)
        return;
    f->spare[f->spares++] = t->touches;
    t->touches = (struct touches){NULL, 0, 0};
}

/* Room for the touches of a message: a page and a line each. */
static bool has_room(struct features *f, struct touches *list, uint32_t lines)
{
    if (IGPU_RESERVE(list->touch, list->room, list->count + 2 * lines))
        return true;
    features_fault(f, igpu_short_memory);
    return false;
}

static uint64_t mask_of(unsigned rate)
{
    return (UINT64_C(1) << rate) - 1;
}

static struct touch *put_page(struct features *f, struct thread *t, struct touch *to,
                              uint64_t page, uint64_t mask)
{
    t->page = page + 1;
    f->page_touches++;
    *to = (struct touch){page << 2 | TOUCH_PAGE, t->ordinal};
    return to + ((reuse_hash(page) & mask) == 0);
}

/* A touch is written whether it passes() or not: no branch could foretell which do. */
void feature_touch(struct features *f, struct thread *t, uint64_t first,
                   const uint64_t *line, uint32_t lines, bool write)
{
    struct touches *list = &t->touches;
    struct window *w = t->window;
    uint64_t mask = mask_of(w->rate), of_pages = mask_of(feature_page_rate(w->rate)),
             last = 0;
    struct touch *to;

    if (list->room - list->count < 2 * lines && !has_room(f, list, lines))
        return;
    to = list->touch + list->count;
    for (uint32_t i = 0; i < lines; i++) {
        uint64_t now = first + line[i], page = now / 64;

        *to = (struct touch){now << 2 | (write ? TOUCH_WRITE : 0), t->ordinal};
        to += ((reuse_hash(now) & mask) == 0) | feature_of_sets(now, w->rate);
        if (t->page != page + 1)
            to = put_page(f, t, to, page, of_pages);
        f->pages_changed += last != page + 1;
        last = page + 1;
    }
    f->line_touches += lines;
    if (t->ordinal++ >= w->ordinals)
        return;
    w->kept += (uint64_t)(to - list->touch) - list->count;
    list->count = (uint32_t)(to - list->touch);
    keep_less(f, w, KEEP);
}

/* ---- in order ------------------------------------------------------------- */

/* How many touches of the window may be followed. */
static uint64_t budget_of(struct features *f, const struct window *w)
{
    uint64_t budget;

    f->instructions += w->instructions;
    budget = START + f->instructions / SHARE;
    budget = budget > f->followed ? budget - f->followed : 0;
    return budget < LEAST ? LEAST : budget > MOST ? MOST : budget;
}

/* What is left of a thread's touches: those before `next` have their turn. */
struct turn {
    const struct touch *touch, *next, *end;
    uint32_t thread;
};

/* Place of a touch in place[]: lines first, then pages; lines and pages are followed
 * apart, each in their order. */
static uint32_t turn_of(const struct touch *touch, uint32_t now)
{
    return touch->ordinal - now + (touch->what & TOUCH_PAGE ? TURNS : 0);
}

/* Put what the threads touched in their messages from `now` on, TURNS of them, in
 * order: a message of each at a time. How many lines there are, and touches in all;
 * false: memory is short. */
static bool put_in_order(struct features *f, struct turn *turn, uint32_t open,
                         uint32_t now, uint32_t *lines, uint32_t *all)
{
    uint32_t place[2 * TURNS] = {0}, sum = 0;

    for (uint32_t i = 0; i < open; i++)
        for (struct turn *t = &turn[i];
             t->next < t->end && t->next->ordinal - now < TURNS; t->next++)
            place[turn_of(t->next, now)]++;
    for (uint32_t i = 0; i < 2 * TURNS; i++) {
        uint32_t here = place[i];

        *lines = i == TURNS ? sum : *lines;
        place[i] = sum;
        sum += here;
    }
    *all = sum;
    if (!IGPU_RESERVE(f->ordered, f->ordered_room, sum))
        return false;
    for (uint32_t i = 0; i < open; i++)
        for (struct turn *t = &turn[i]; t->touch < t->next; t->touch++)
            f->ordered[place[turn_of(t->touch, now)]++] =
                (struct ordered){t->touch->what, t->thread};
    return true;
}

/* Follow what each of the threads touched in TURNS messages from `*now` on, and make
 * that the next one that any has. Returns how many have touches left. */
static uint32_t take_turns(struct features *f, struct turn *turn, uint32_t open,
                           uint32_t *now)
{
    uint32_t next = UINT32_MAX, left = 0, lines = 0, all = 0;

    if (!put_in_order(f, turn, open, *now, &lines, &all)) {
        features_fault(f, igpu_short_memory);
        return 0;
    }
    feature_follow(f, lines, f->ordered + lines, all - lines);
    for (uint32_t i = 0; i < open; i++) {
        if (turn[i].touch == turn[i].end)
            continue;
        if (turn[i].touch->ordinal < next)
            next = turn[i].touch->ordinal;
        turn[left++] = turn[i];
    }
    *now = next;
    return left;
}

/* The window's threads take turns at what is kept of their touches. */
static void take_all_turns(struct features *f, const struct window *w)
{
    uint32_t now = 0, open = 0;
    struct turn turn[WINDOW];

    for (uint64_t n = w->first; n < w->first + WINDOW; n++) {
        const struct thread *t = &f->ring[n % RING];

        if (t->number == n && t->touches.count > 0)
            turn[open++] =
                (struct turn){t->touches.touch, t->touches.touch,
                              t->touches.touch + t->touches.count, (uint32_t)n};
    }
    while (open > 0)
        open = take_turns(f, turn, open, &now);
}

/* All threads of the window have ended: follow their touches in turns. */
static void merge(struct features *f, struct window *w)
{
    uint64_t budget = budget_of(f, w);
    struct ordered *page;
    uint32_t lines, pages;
    bool alike;

    feature_window_joined(f, w);
    alike = feature_alike_order(f, w, budget, &lines, &page, &pages);
    if (!alike)
        keep_less(f, w, budget);
    f->followed += w->kept;
    f->rate = w->rate;
    reuse_set_rate(f->lines, f->rate);
    reuse_set_rate(f->pages, feature_page_rate(f->rate));
    if (alike)
        feature_follow(f, lines, page, pages);
    else
        take_all_turns(f, w);
}

static void begin_window(struct window *w, uint64_t first)
{
    *w = (struct window){.first = first, .ordinals = UINT32_MAX};
}

void feature_windows_done(struct features *f, bool all)
{
    uint64_t threads = f->told;

    while (f->merged < threads) {
        struct window *w = feature_window(f, f->merged);
        uint64_t left = threads - f->merged;

        if (w->ended < (left < WINDOW ? left : WINDOW) && !all)
            return;
        if (w->ended > 0 && w->first == f->merged)
            merge(f, w);
        for (uint64_t n = w->first; n < w->first + WINDOW; n++)
            if (f->ring[n % RING].number == n)
                forget(f, &f->ring[n % RING]);
        f->merged += WINDOW;
        /* The place is that of the window which comes so many later. */
        begin_window(w, w->first + WINDOW * (RING / WINDOW + 2));
    }
}

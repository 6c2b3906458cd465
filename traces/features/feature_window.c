/* feature_window.c - the order in which lines are touched. Threads are told one after
 * the other, but run side by side: those of a window take turns here, a message of each
 * at a time, before their touches are followed. */
#include "traces/features/feature_state.h"

#include <string.h>

#include "igpu/grow.h"

enum {
    MOST = 1 << 17,  /* touches that are followed of a window, at most, ... */
    LEAST = 256,     /* ... at least, ... */
    START = 1 << 16, /* ... and of a program in all: so many, and ... */
    SHARE = 24,      /* ... one for so many instructions */
    TURNS = 128      /* messages of a thread that are put in order at a time */
};

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
        feature_keep_less(f, w, budget);
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
                feature_forget(f, &f->ring[n % RING]);
        f->merged += WINDOW;
        /* The place is that of the window which comes so many later. */
        begin_window(w, w->first + WINDOW * (RING / WINDOW + 2));
    }
}

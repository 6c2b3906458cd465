/* feature_touch.c - what the threads of a window touched, each in a list of its own
 * until the window is followed (feature_window.c). What is kept depends on the window
 * alone, so that the numbers do not depend on how its threads were told. */
#include "traces/features/feature_state.h"

#include "igpu/grow.h"

enum {
    KEEP = 1 << 18, /* touches of a window in memory */
    MAX_RATE = 6
};

static bool passes(uint64_t what, unsigned rate)
{
    return what & TOUCH_PAGE ? reuse_in_sample(what >> 2, feature_page_rate(rate))
                             : feature_line_passes(what >> 2, rate);
}

/* Drop the lines and pages that the window's rate no longer lets through. */
static void thin(struct features *f, struct window *w)
{
    w->kept = 0;
    for (uint64_t n = w->first; n < w->first + WINDOW; n++) {
        struct thread *t = &f->ring[n % RING];
        struct touches *list = &t->touches;
        uint32_t kept = 0;

        if (t->number != n)
            continue;
        for (uint32_t i = 0; i < list->count; i++) {
            list->touch[kept] = list->touch[i];
            kept += passes(list->touch[i].what, w->rate);
        }
        list->count = kept;
        w->kept += kept;
    }
}

/* Drop the messages that are too late for the window. */
static void shorten(struct features *f, struct window *w)
{
    w->kept = 0;
    for (uint64_t n = w->first; n < w->first + WINDOW; n++) {
        struct thread *t = &f->ring[n % RING];
        const struct touch *touch = t->touches.touch;
        uint32_t kept = 0, all = t->touches.count;

        if (t->number != n)
            continue;
        while (kept < all) {
            uint32_t i = kept + (all - kept) / 2;

            if (touch[i].ordinal < w->ordinals)
                kept = i + 1;
            else
                all = i;
        }
        t->touches.count = kept;
        w->kept += kept;
    }
}

/* Messages up to the last one of which something is kept. */
static uint32_t longest_kept(const struct features *f, const struct window *w)
{
    uint32_t longest = 0;

    for (uint64_t n = w->first; n < w->first + WINDOW; n++) {
        const struct thread *t = &f->ring[n % RING];
        uint32_t count = t->touches.count, here;

        here =
            t->number == n && count > 0 ? t->touches.touch[count - 1].ordinal + 1 : 0;
        longest = here > longest ? here : longest;
    }
    return longest;
}

void feature_coarser(struct window *w, uint32_t longest)
{
    if (w->rate < MAX_RATE) {
        w->rate++;
        return;
    }
    do
        w->ordinals /= 2;
    while (w->ordinals >= longest && w->ordinals > 1);
}

void feature_keep_less(struct features *f, struct window *w, uint64_t most)
{
    while (w->kept > most && w->ordinals > 1) {
        unsigned rate = w->rate;

        feature_coarser(w, longest_kept(f, w));
        if (w->rate != rate)
            thin(f, w);
        else
            shorten(f, w);
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
void feature_forget(struct features *f, struct thread *t)
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

/* Too late to be kept: counted alone. */
static void count_touches(struct features *f, struct thread *t, uint64_t first,
                          const uint64_t *line, uint32_t lines)
{
    uint64_t before = t->page;

    for (uint32_t i = 0; i < lines; i++) {
        uint64_t page = (first + line[i]) / 64 + 1;

        f->page_touches += page != before;
        f->pages_changed += page != before || i == 0;
        before = page;
    }
    t->page = before;
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

    f->line_touches += lines;
    if (t->ordinal >= w->ordinals) {
        count_touches(f, t, first, line, lines);
        t->ordinal++;
        return;
    }
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
    t->ordinal++;
    w->kept += (uint64_t)(to - list->touch) - list->count;
    list->count = (uint32_t)(to - list->touch);
    feature_keep_less(f, w, KEEP);
}

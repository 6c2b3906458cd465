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

void feature_keep_less(struct features *f, struct window *w, uint64_t most)
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
    feature_keep_less(f, w, KEEP);
}

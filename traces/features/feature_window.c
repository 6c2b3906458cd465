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
    TURNS = 128,   /* messages of a thread that are put in order at a time */
    BATCH = 256,   /* lines that are followed at a time */
    AHEAD = 16,    /* touches whose keys are fetched */
    PAGE_FINER = 2 /* pages are fewer: their rate is lower by this */
};

static unsigned page_rate(unsigned rate)
{
    return rate > PAGE_FINER ? rate - PAGE_FINER : 0;
}

static uint32_t of_sets(uint64_t line, unsigned rate)
{
    return set_of(line) < (uint32_t)SET_COUNT >> rate;
}

static bool passes(uint64_t what, unsigned rate)
{
    if (what & TOUCH_PAGE)
        return reuse_in_sample(what >> 2, page_rate(rate));
    return of_sets(what >> 2, rate) | reuse_in_sample(what >> 2, rate);
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

/* The next coarser filter: of lines, then of the time that is looked at. */
static void coarser(struct features *f, struct window *w)
{
    if (w->rate < MAX_RATE)
        w->rate++;
    else
        w->ordinals /= 2;
    thin(f, w);
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

static void give_touches(struct features *f, struct thread *t)
{
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
    uint64_t mask = mask_of(w->rate), of_pages = mask_of(page_rate(w->rate)), last = 0;
    struct touch *to;

    if (list->room - list->count < 2 * lines && !has_room(f, list, lines))
        return;
    to = list->touch + list->count;
    for (uint32_t i = 0; i < lines; i++) {
        uint64_t now = first + line[i], page = now / 64;

        *to = (struct touch){now << 2 | (write ? TOUCH_WRITE : 0), t->ordinal};
        to += ((reuse_hash(now) & mask) == 0) | of_sets(now, w->rate);
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
    while (w->kept > KEEP && w->ordinals > 1)
        coarser(f, w);
}

/* ---- following them ------------------------------------------------------- */

static uint32_t line_bin(uint64_t distance)
{
    static const uint32_t limit[] = {16,    128,   512,   2048,  4096,   6144,   8192,
                                     12288, 16384, 32768, 65536, 131072, 1048576};
    uint32_t bin = 0;

    if (distance == REUSE_NEW)
        return FEATURE_REUSE_COLD;
    for (uint32_t i = 0; i < sizeof(limit) / sizeof(limit[0]); i++)
        bin += distance >= limit[i];
    return FEATURE_REUSE_16 + bin;
}

static uint32_t page_bin(uint64_t distance)
{
    static const uint32_t limit[] = {16, 64, 256, 512, 1024, 4096};
    uint32_t bin = 0;

    if (distance == REUSE_NEW)
        return FEATURE_PAGE_COLD;
    while (bin < sizeof(limit) / sizeof(limit[0]) && distance >= limit[bin])
        bin++;
    return FEATURE_PAGE_16 + bin;
}

static uint32_t set_bin(uint32_t depth)
{
    static const uint32_t limit[] = {16, 32, 48, 64, 96};
    uint32_t bin = 0;

    if (depth == SET_DEPTH)
        return FEATURE_SET_COLD;
    while (bin < sizeof(limit) / sizeof(limit[0]) && depth >= limit[bin])
        bin++;
    return FEATURE_SET_16 + bin;
}

static void note_line(struct features *f, struct reuse_note *note, uint32_t thread,
                      bool write, double weight)
{
    double *value = f->value;

    if (note->launch != f->number) {
        value[FEATURE_FOOT_LINES] += weight;
        value[FEATURE_FOOT_NEW] += note->launch == 0 ? weight : 0;
        *note = (struct reuse_note){f->number, thread, false, false};
    }
    if (write && !note->written)
        value[FEATURE_FOOT_WRITTEN] += weight;
    if (note->thread != thread && !note->shared)
        value[FEATURE_FOOT_SHARED] += weight;
    note->written = note->written || write;
    note->shared = note->shared || note->thread != thread;
}

static void follow_line(struct features *f, uint64_t line, uint32_t thread, bool write)
{
    unsigned rate = reuse_rate(f->lines);
    double weight = (double)(UINT64_C(1) << rate);
    struct reuse_note *note;

    if (!reuse_in_sample(line, rate)) /* any more */
        return;
    f->value[line_bin(reuse_touch(f->lines, line, &note))] += weight;
    note_line(f, note, thread, write, weight);
}

static void follow_page(struct features *f, uint64_t page)
{
    unsigned rate = reuse_rate(f->pages);
    double weight = (double)(UINT64_C(1) << rate);
    struct reuse_note *note;

    if (!reuse_in_sample(page, rate))
        return;
    f->value[page_bin(reuse_touch(f->pages, page, &note))] += weight;
    if (note->launch != f->number)
        f->value[FEATURE_FOOT_PAGES] += weight;
    note->launch = f->number;
}

/* How many touches of the window may be followed. */
static uint64_t budget_of(struct features *f, const struct window *w)
{
    uint64_t budget;

    f->instructions += w->instructions;
    budget = START + f->instructions / SHARE;
    budget = budget > f->followed ? budget - f->followed : 0;
    return budget < LEAST ? LEAST : budget > MOST ? MOST : budget;
}

/* Lines one behind the other. What only some of them do is done by lists of those, so
 * that no branch asks for each line. */
static void follow_lines(struct features *f, const struct ordered *o, uint32_t n)
{
    uint32_t in[BATCH], sets[BATCH], ins = 0, set = 0;
    unsigned rate = reuse_rate(f->lines);
    uint64_t same = 0, row = f->row;

    for (uint32_t i = 0; i < n; i++) {
        uint64_t line = o[i].what >> 2;

        same += line / 128 == row;
        row = line / 128;
        in[ins] = sets[set] = i;
        ins += reuse_in_sample(line, rate);
        set += of_sets(line, f->rate);
    }
    f->row = row;
    f->rows += n;
    f->same_rows += (double)same;
    for (uint32_t i = 0; i < ins && i < AHEAD; i++)
        reuse_ahead(f->lines, o[in[i]].what >> 2);
    for (uint32_t i = 0; i < ins; i++) {
        if (i + AHEAD < ins)
            reuse_ahead(f->lines, o[in[i + AHEAD]].what >> 2);
        follow_line(f, o[in[i]].what >> 2, o[in[i]].thread,
                    (o[in[i]].what & TOUCH_WRITE) != 0);
    }
    for (uint32_t i = 0; i < set; i++)
        f->value[set_bin(set_touch(f->sets, o[sets[i]].what >> 2))]++;
}

static void follow_all(struct features *f, const struct ordered *o, uint32_t lines,
                       uint32_t pages)
{
    for (uint32_t i = 0; i < lines; i += BATCH)
        follow_lines(f, o + i, lines - i < BATCH ? lines - i : BATCH);
    o += lines;
    for (uint32_t i = 0; i < pages; i++) {
        if (i + AHEAD < pages)
            reuse_ahead(f->pages, o[i + AHEAD].what >> 2);
        follow_page(f, o[i].what >> 2);
    }
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
    follow_all(f, f->ordered, lines, all - lines);
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

/* All threads of the window have ended: follow their touches in turns. */
static void merge(struct features *f, struct window *w)
{
    uint64_t budget = budget_of(f, w);
    uint32_t now = 0, open = 0;
    struct turn turn[WINDOW];

    if (w->rate < f->rate) {
        w->rate = f->rate;
        thin(f, w);
    }
    while (w->kept > budget && w->ordinals > 1)
        coarser(f, w);
    f->followed += w->kept;
    f->rate = w->rate;
    reuse_set_rate(f->lines, f->rate);
    reuse_set_rate(f->pages, page_rate(f->rate));
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
                give_touches(f, &f->ring[n % RING]);
        f->merged += WINDOW;
        /* The place is that of the window which comes so many later. */
        begin_window(w, w->first + WINDOW * (RING / WINDOW + 2));
    }
}

/* ---- values --------------------------------------------------------------- */

/* What was followed stands for all of it. */
static void stretch(double *value, uint32_t first, uint32_t last, double total)
{
    double sum = 0;

    for (uint32_t i = first; i <= last; i++)
        sum += value[i];
    for (uint32_t i = first; i <= last; i++)
        value[i] *= sum > 0 ? total / sum : 0;
}

void feature_reuse_values(struct features *f)
{
    double *value = f->value;

    stretch(value, FEATURE_REUSE_COLD, FEATURE_REUSE_MORE, (double)f->line_touches);
    stretch(value, FEATURE_SET_COLD, FEATURE_SET_128, (double)f->line_touches);
    stretch(value, FEATURE_PAGE_COLD, FEATURE_PAGE_MORE, (double)f->page_touches);
    value[FEATURE_FOOT_ROW] = f->rows > 0 ? f->same_rows / f->rows : 0;
}

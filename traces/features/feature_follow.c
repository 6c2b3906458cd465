/* feature_follow.c - touched lines and pages one behind the other, as feature_window.c
 * has them: how many others were touched since each was touched last, and whose they
 * are. Threads that run side by side mostly touch the same lines, or lines of the same
 * pages, in turn: what comes in laps is followed for two of them. */
#include "traces/features/feature_state.h"

#include <string.h>

enum {
    BATCH = 1024, /* lines that are followed at a time */
    AHEAD = 16,   /* touches whose keys are fetched */
    LAP = 32,     /* touches of a lap at most */
    PAUSE = 32    /* touches between two looks for laps, at most */
};

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

/* ---- each touch ----------------------------------------------------------- */

/* True: the same once more changes nothing but what it counts. */
typedef bool follow_fn(struct features *f, const struct ordered *o);

static bool follow_line(struct features *f, const struct ordered *o)
{
    uint64_t line = o->what >> 2;
    unsigned rate = reuse_rate(f->lines);
    double weight = (double)(UINT64_C(1) << rate);
    struct reuse_note *note;

    if (!reuse_in_sample(line, rate)) /* any more */
        return true;
    f->value[line_bin(reuse_touch(f->lines, line, &note))] += weight;
    note_line(f, note, o->thread, (o->what & TOUCH_WRITE) != 0, weight);
    return note->shared;
}

static bool follow_page(struct features *f, const struct ordered *o)
{
    uint64_t page = o->what >> 2;
    unsigned rate = reuse_rate(f->pages);
    double weight = (double)(UINT64_C(1) << rate);
    struct reuse_note *note;

    if (!reuse_in_sample(page, rate))
        return true;
    f->value[page_bin(reuse_touch(f->pages, page, &note))] += weight;
    if (note->launch != f->number)
        f->value[FEATURE_FOOT_PAGES] += weight;
    note->launch = f->number;
    return true;
}

static bool follow_set(struct features *f, const struct ordered *o)
{
    f->value[set_bin(set_touch(f->sets, o->what >> 2))]++;
    return true;
}

/* ---- laps ------------------------------------------------------------------ */

/* How it is followed, where it is kept (or NULL), and what counts it. */
struct way {
    follow_fn *follow;
    struct reuse *keys;
    double *bin;
    uint32_t bins;
};
enum { MOST_BINS = FEATURE_REUSE_MORE - FEATURE_REUSE_COLD + 1 };

/* After how many the first one comes again; 0: not within a lap. */
static uint32_t find_period(const struct ordered *o, uint32_t n)
{
    for (uint32_t i = 1; i < n && i <= LAP; i++)
        if (o[i].what == o[0].what)
            return i;
    return 0;
}

static uint32_t count_laps(const struct ordered *o, uint32_t n, uint32_t period)
{
    uint32_t i = period;

    while (i < n && o[i].what == o[i - period].what)
        i++;
    return i / period;
}

static inline __attribute__((always_inline)) bool follow_some(struct features *f,
                                                              const struct way *way,
                                                              const struct ordered *o,
                                                              uint32_t n)
{
    bool same = true;

    for (uint32_t i = 0; i < n; i++)
        same &= way->follow(f, &o[i]);
    return same;
}

/* The second lap finds what the first one left and leaves the same, and so do all
 * others, unless the sample became smaller meanwhile, or a line had one thread alone.
 */
static inline __attribute__((always_inline)) void
follow_laps(struct features *f, const struct way *way, const struct ordered *o,
            uint32_t period, uint32_t laps)
{
    unsigned rate;
    double before[MOST_BINS];
    bool same;

    follow_some(f, way, o, period);
    rate = way->keys == NULL ? 0 : reuse_rate(way->keys);
    memcpy(before, way->bin, way->bins * sizeof(*before));
    same = follow_some(f, way, o + period, period);
    if (!same || (way->keys != NULL && reuse_rate(way->keys) != rate)) {
        follow_some(f, way, o + 2 * period, (laps - 2) * period);
        return;
    }
    for (uint32_t i = 0; i < way->bins; i++)
        way->bin[i] += (way->bin[i] - before[i]) * (laps - 2);
}

static inline __attribute__((always_inline)) void follow_list(struct features *f,
                                                              const struct way *way,
                                                              const struct ordered *o,
                                                              uint32_t n)
{
    uint32_t pause = 0, wait = 0;

    for (uint32_t i = 0; way->keys != NULL && i < n && i < AHEAD; i++)
        reuse_ahead(way->keys, o[i].what >> 2);
    for (uint32_t i = 0, period = 0; i < n;) {
        if (way->keys != NULL && i + AHEAD < n)
            reuse_ahead(way->keys, o[i + AHEAD].what >> 2);
        period = wait > 0 ? 0 : find_period(o + i, n - i);
        if (period > 0) {
            uint32_t laps = count_laps(o + i, n - i, period);

            if (laps > 2)
                follow_laps(f, way, o + i, period, laps);
            else
                follow_some(f, way, o + i, laps * period);
            i += laps * period;
            pause = 0;
            continue;
        }
        if (wait == 0)
            wait = pause = pause < PAUSE ? 2 * pause + 1 : PAUSE;
        else
            wait--;
        way->follow(f, &o[i++]);
    }
}

/* Lines are followed by lists of those that are in the sample, or the sets, so that no
 * branch asks for each line. */
static void follow_lines(struct features *f, const struct ordered *o, uint32_t n)
{
    const struct way of_lines = {follow_line, f->lines, f->value + FEATURE_REUSE_COLD,
                                 MOST_BINS};
    const struct way of_sets = {follow_set, NULL, f->value + FEATURE_SET_COLD,
                                FEATURE_SET_128 - FEATURE_SET_COLD + 1};
    struct ordered in[BATCH], sets[BATCH];
    uint32_t ins = 0, set = 0;
    unsigned rate = reuse_rate(f->lines);
    uint64_t same = 0, row = f->row;

    for (uint32_t i = 0; i < n; i++) {
        uint64_t line = o[i].what >> 2;

        same += line / 128 == row;
        row = line / 128;
        in[ins] = sets[set] = o[i];
        ins += reuse_in_sample(line, rate);
        set += feature_of_sets(line, f->rate);
    }
    f->row = row;
    f->rows += n;
    f->same_rows += (double)same;
    follow_list(f, &of_lines, in, ins);
    follow_list(f, &of_sets, sets, set);
}

void feature_follow(struct features *f, uint32_t lines, const struct ordered *page,
                    uint32_t pages)
{
    const struct way of_pages = {follow_page, f->pages, f->value + FEATURE_PAGE_COLD,
                                 FEATURE_PAGE_MORE - FEATURE_PAGE_COLD + 1};
    const struct ordered *line = f->ordered;

    for (uint32_t i = 0; i < lines; i += BATCH)
        follow_lines(f, line + i, lines - i < BATCH ? lines - i : BATCH);
    follow_list(f, &of_pages, page, pages);
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

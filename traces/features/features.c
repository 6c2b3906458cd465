/* features.c - see features.h: the life of a launch, and of its threads. */
#include "traces/features/features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "traces/features/feature_launch.h"
#include "traces/features/feature_state.h"
#include "traces/feed/uops.h"

enum { LINES = 1 << 14, PAGES = 1 << 12 }; /* that are followed at a time */
enum { MANY_SENDS = 256 };

const struct feature_info feature_table[] = {
#define FEATURE(id, name, unit, set, kind, text)                                       \
    {name, unit, FEATURE_SET_##set, FEATURE_KIND_##kind, text},
#include "traces/features/features.def"
#undef FEATURE
};

struct features *features_new(void)
{
    struct features *f = calloc(1, sizeof(*f));

    if (f == NULL)
        return NULL;
    f->lines = reuse_new(LINES);
    f->pages = reuse_new(PAGES);
    f->sets = calloc(1, sizeof(*f->sets));
    if (f->lines != NULL && f->pages != NULL && f->sets != NULL)
        return f;
    features_free(f);
    return NULL;
}

static void free_launch(struct features *f)
{
    feature_alike_free(f);
    free(f->blocks);
    free(f->uops);
    free(f->sends);
    free(f->patterns);
    free(f->rows_known);
    free(f->path_insts);
    f->path_insts = NULL;
    f->patterns = NULL;
    f->rows_known = NULL;
    f->blocks = NULL;
    f->uops = NULL;
    f->sends = NULL;
}

void features_free(struct features *f)
{
    if (f == NULL)
        return;
    free_launch(f);
    for (uint32_t i = 0; i < RING; i++)
        free(f->ring[i].touches.touch);
    for (uint32_t i = 0; i < f->spares; i++)
        free(f->spare[i].touch);
    reuse_free(f->lines);
    reuse_free(f->pages);
    free(f->sets);
    free(f->ordered);
    free(f);
}

static void clear_launch(struct features *f)
{
    memset(f->value, 0, sizeof(f->value));
    memset(f->steps, 0, sizeof(f->steps));
    memset(f->bucket, 0, sizeof(f->bucket));
    memset(f->group, 0, sizeof(f->group));
    for (uint32_t i = 0; i < SPANS; i++) {
        f->span[i].told = 0;
        f->span[i].repeats = 0;
    }
    memset(f->span_at, 0, sizeof(f->span_at));
    f->spans = 0;
    memset(f->span_first, 0, sizeof(f->span_first));
    f->span_credit = SPAN_CREDIT;
    f->span_pause = 0;
    memset(&f->path_sums, 0, sizeof(f->path_sums));
    f->thread_insts = f->thread_lanes = (struct moments){0, 0, 0, 0, 0};
    f->merged = f->line_touches = f->page_touches = 0;
    f->went.back = f->went.jumps = f->pages_changed = 0;
    f->less = f->ended = 0;
    f->rows = f->same_rows = 0;
    f->paths = 0;
    f->row = UINT64_MAX;
    f->status = IGPU_OK;
    for (uint32_t i = 0; i < RING; i++) {
        f->ring[i].number = UINT64_MAX;
        f->ring[i].ended = true;
        f->ring[i].touches.count = 0;
        f->ring[i].like = NULL;
    }
    for (uint32_t i = 0; i < sizeof(f->window) / sizeof(f->window[0]); i++)
        f->window[i] =
            (struct window){.first = i * (uint64_t)WINDOW, .ordinals = UINT32_MAX};
}

enum igpu_status features_begin(struct features *f, const struct trace_kernel *kernel,
                                const struct trace_launch *launch, uint64_t told,
                                struct igpu_err *err)
{
    uint32_t count = kernel->code.count, sends = 0;

    free_launch(f);
    clear_launch(f);
    f->kernel = kernel;
    f->launch = launch;
    f->told = told;
    f->number++;
    f->blocks = calloc(kernel->blocks.count + 1, sizeof(*f->blocks));
    f->uops = calloc(count + 1, sizeof(*f->uops));
    f->sends = calloc(count + 1, sizeof(*f->sends));
    for (uint32_t i = 0; i < count; i++)
        sends += trace_has_access(&kernel->code.inst[i]);
    f->ways = sends <= MANY_SENDS ? WAYS : 1;
    f->patterns = calloc((size_t)sends * f->ways + 1, sizeof(*f->patterns));
    f->rows_known = calloc((size_t)sends * f->ways + 1, sizeof(*f->rows_known));
    f->path_insts = calloc(count + 1, sizeof(*f->path_insts));
    if (f->blocks == NULL || f->uops == NULL || f->sends == NULL ||
        f->patterns == NULL || f->rows_known == NULL || f->path_insts == NULL)
        return igpu_no_memory(err, "features");
    uops_from_code(&kernel->code, NULL, f->uops);
    f->steps_kept = feature_send_kinds(&kernel->code, f->sends);
    feature_launch(kernel, launch, f->value);
    return IGPU_OK;
}

/* ---- threads --------------------------------------------------------------- */

/* PATHS of them, spread evenly. */
static bool is_followed(const struct features *f, uint64_t number)
{
    return f->told <= PATHS || (number * PATHS + PATHS / 2) / f->told !=
                                   ((number + 1) * PATHS + PATHS / 2) / f->told;
}

struct thread *features_thread_begin(struct features *f, uint64_t number)
{
    struct thread *t = &f->ring[number % RING];

    t->number = number;
    t->ended = false;
    t->block = UINT32_MAX;
    t->ordinal = 0;
    t->page = 0;
    t->window = feature_window(f, number);
    feature_window_joined(f, t->window);
    feature_touches_begin(f, t);
    memset(t->last, 0, f->steps_kept * sizeof(*t->last));
    t->path = NULL;
    t->span = NULL;
    t->like = NULL;
    memcpy(t->next, feature_span_first(f, t), sizeof(t->next));
    if (f->paths < PATHS && is_followed(f, number)) {
        t->path = &f->path[f->paths++];
        path_begin(t->path);
    }
    return t;
}

void features_block(struct features *f, struct thread *t, uint32_t block)
{
    f->blocks[block]++;
    if (t->block != UINT32_MAX)
        feature_went(&f->went, t->block, block, 1);
    t->block = block;
    feature_path(f, t, block);
}

static void moment(struct moments *m, double value)
{
    m->least = m->n == 0 || value < m->least ? value : m->least;
    m->most = m->n == 0 || value > m->most ? value : m->most;
    m->n++;
    m->sum += value;
    m->square += value * value;
}

static double mean(const struct moments *m)
{
    return m->n > 0 ? m->sum / m->n : 0;
}

/* Standard deviation over mean. */
static double variation(const struct moments *m)
{
    double average = mean(m), variance = m->n > 0 ? m->square / m->n : 0;

    variance -= average * average;
    return average > 0 && variance > 1e-12 * average * average
               ? sqrt(variance) / average
               : 0;
}

void features_thread_end(struct features *f, struct thread *t,
                         const struct trace_totals *totals)
{
    struct window *w = t->window;
    uint64_t tpg = f->launch->threads_per_group;
    uint64_t groups = (f->told + tpg - 1) / tpg;
    uint64_t buckets = groups < BUCKETS ? groups : BUCKETS;
    double insts = (double)totals->instructions;

    f->value[FEATURE_INST_LANES] += (double)totals->lane_instructions;
    f->value[FEATURE_INST_FLOPS] += (double)totals->flops;
    moment(&f->thread_insts, insts);
    moment(&f->thread_lanes, insts > 0 ? (double)totals->lane_instructions / insts : 0);
    f->bucket[t->number / tpg * buckets / groups] += insts;
    if (t->path != NULL)
        path_end(t->path, totals->instructions, &f->path_sums);
    t->path = NULL;
    t->ended = true;
    w->ended++;
    f->ended++;
    w->instructions += totals->instructions;
    feature_windows_done(f, false);
}

/* ---- the emulator's hooks -------------------------------------------------- */

static bool on_begin(void *ctx, uint64_t thread)
{
    struct features *f = ctx;

    (void)features_thread_begin(f, thread - f->less);
    return f->status == IGPU_OK;
}

static void on_block(void *ctx, uint64_t thread, uint32_t block)
{
    const uint64_t word = told_head(TOLD_BLOCK, 0, block, 0);
    struct features *f = ctx;

    if (f->alike != NULL)
        feature_alike_told(f, thread - f->less, &word, 1);
    features_block(f, &f->ring[(thread - f->less) % RING], block);
}

static void on_access(void *ctx, uint64_t thread, const struct emu_access *access)
{
    uint64_t word[1 + TRACE_MAX_LANES] = {
        told_head(TOLD_LANES, TRACE_MAX_LANES, access->inst, access->mask)};
    struct features *f = ctx;

    if (f->alike != NULL) {
        memcpy(word + 1, access->addr, TRACE_MAX_LANES * sizeof(*word));
        feature_alike_told(f, thread - f->less, word, 1 + TRACE_MAX_LANES);
    }
    feature_access(f, &f->ring[(thread - f->less) % RING], access->inst, access->mask,
                   access->addr);
}

enum { LAP = 16 }; /* blocks of a loop whose laps are counted at once */

static void count_block(struct went *w, uint64_t *blocks, uint32_t before,
                        uint32_t block, uint64_t times)
{
    blocks[block] += times;
    feature_went(w, before, block, times);
}

/* As often as they come from here on once more: the `period` blocks before. Returns the
 * first word behind them. */
static const uint64_t *laps_told(struct went *w, uint64_t *blocks, const uint64_t *word,
                                 const uint64_t *end, size_t period)
{
    const uint64_t *lap = word - period, *last = word;
    uint32_t before = told_what(word[-1]);
    size_t times;

    while (last < end && *last == *(last - period))
        last++;
    times = (size_t)(last - word) / period;
    for (size_t i = 0; i < period && times > 0; i++) {
        count_block(w, blocks, before, told_what(lap[i]), times);
        before = told_what(lap[i]);
    }
    return word + times * period;
}

/* Blocks one behind the other, of a thread whose path is not followed; returns the
 * first word that is none. */
static const uint64_t *blocks_told(struct features *f, struct thread *t,
                                   const uint64_t *word, const uint64_t *end)
{
    struct went w = {0, 0};
    const uint64_t *lap = NULL; /* where the loop was entered from behind */

    while (word < end && (*word & TOLD_KIND) == TOLD_BLOCK) {
        uint32_t block = told_what(*word);

        if (block <= t->block) {
            const uint64_t *now = word;

            if (lap != NULL && now - lap <= LAP)
                word = laps_told(&w, f->blocks, now, end, (size_t)(now - lap));
            lap = now;
            if (word != now)
                continue;
        }
        count_block(&w, f->blocks, t->block, block, 1);
        t->block = block;
        word++;
    }
    f->went.back += w.back;
    f->went.jumps += w.jumps;
    return word;
}

/* What translated code tells of a thread, in bulk. */
static void on_told(void *ctx, uint64_t thread, const uint64_t *word, size_t words)
{
    struct features *f = ctx;
    struct thread *t = &f->ring[(thread - f->less) % RING];

    if (f->alike != NULL)
        feature_alike_told(f, thread - f->less, word, words);
    if (t->path == NULL && feature_span(f, t, word, words))
        return;
    for (const uint64_t *end = word + words; word < end;) {
        const uint64_t *next = word + 1 + told_words(*word);

        if ((*word & TOLD_KIND) == TOLD_GROUP)
            feature_group(f, t, word);
        else if ((*word & TOLD_KIND) == TOLD_LANES)
            feature_access(f, t, told_what(*word), told_mask(*word), word + 1);
        else if (t->path == NULL && t->block != UINT32_MAX)
            next = blocks_told(f, t, word, end);
        else
            features_block(f, t, told_what(*word));
        word = next;
    }
}

static void counted_end(void *ctx, uint64_t thread, const struct emu_counts *counts)
{
    struct trace_totals totals = {counts->instructions, counts->lane_instructions,
                                  counts->flops};
    struct features *f = ctx;

    features_thread_end(f, &f->ring[(thread - f->less) % RING], &totals);
}

static void on_alike_begin(void *ctx, uint64_t first, uint32_t threads)
{
    struct features *f = ctx;

    feature_alike_begin(f, first - f->less, threads);
}

static bool on_alike_ended(void *ctx, bool proved)
{
    return feature_alike_ended(ctx, proved);
}

/* All that a thread did that is like another one. */
static void tell_again(struct features *f, struct thread *t,
                       const struct emu_alike_thread *like)
{
    const uint64_t *word;
    uint32_t words = feature_alike_words(f, like->like, &word);

    for (uint32_t i = 0; i < words; i += 1 + told_words(word[i])) {
        uint64_t addr[TRACE_MAX_LANES] = {0}, way = 0;
        uint32_t what = told_what(word[i]);

        if ((word[i] & TOLD_KIND) == TOLD_BLOCK) {
            features_block(f, t, what);
            continue;
        }
        for (uint32_t k = 0; k < like->sends; k++)
            way = like->inst[k] == what ? like->way[k] : way;
        for (uint32_t lane = 0; lane < told_count(word[i]); lane++)
            addr[lane] = word[i + 1 + lane] + way;
        feature_access(f, t, what, told_mask(word[i]), addr);
    }
}

static void on_alike(void *ctx, const struct emu_alike_thread *like,
                     const struct emu_counts *counts)
{
    struct features *f = ctx;
    struct thread *t = features_thread_begin(f, like->thread - f->less);

    if (!feature_alike(f, t, like))
        tell_again(f, t, like);
    counted_end(f, like->thread, counts);
}

static const struct emu_alike_hooks alike = {on_alike_begin, on_alike_ended, on_alike};

void features_piece_begins(struct features *f, uint64_t first)
{
    f->less = first * f->launch->threads_per_group - f->ended;
}

struct emu_hooks features_hooks(struct features *f)
{
    return (struct emu_hooks){.ctx = f,
                              .thread_begin = on_begin,
                              .block = on_block,
                              .access = on_access,
                              .thread_end = counted_end,
                              .told = on_told,
                              .alike = &alike};
}

/* ---- values ---------------------------------------------------------------- */

static double share_part(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* Of the buckets' instructions, the mean of those from `first` share on to `last`. */
static double stretch_mean(const double *bucket, uint64_t count, double first,
                           double last)
{
    uint64_t from = (uint64_t)((double)count * first), n = 0;
    uint64_t to = (uint64_t)ceil((double)count * last);
    double sum = 0;

    for (uint64_t i = from; i < to; i++, n++)
        sum += bucket[i];
    return share_part(sum, (double)n);
}

static void group_values(struct features *f)
{
    uint64_t tpg = f->launch->threads_per_group, groups = (f->told + tpg - 1) / tpg;
    uint64_t buckets = groups < BUCKETS ? groups : BUCKETS;
    struct moments m = {0, 0, 0, 0, 0};
    double skew = 0;

    for (uint64_t i = 0; i < buckets; i++)
        moment(&m, f->bucket[i]);
    for (uint32_t i = 0; i < 20; i++) {
        double now = stretch_mean(f->bucket, buckets, i / 20.0, (i + 1) / 20.0);

        skew = now > skew ? now : skew;
    }
    f->value[FEATURE_GROUP_MAX] = share_part(m.most, mean(&m));
    f->value[FEATURE_GROUP_CV] = variation(&m);
    f->value[FEATURE_GROUP_HEAD] =
        share_part(stretch_mean(f->bucket, buckets, 0, 0.1), mean(&m));
    f->value[FEATURE_GROUP_TAIL] =
        share_part(stretch_mean(f->bucket, buckets, 0.9, 1), mean(&m));
    f->value[FEATURE_GROUP_SKEW] = share_part(skew, mean(&m));
}

static void thread_values(struct features *f)
{
    const struct moments *m = &f->thread_insts;
    double *value = f->value;

    value[FEATURE_THREAD_MEAN] = mean(m);
    value[FEATURE_THREAD_MAX] = m->most;
    value[FEATURE_THREAD_MIN] = m->least;
    value[FEATURE_THREAD_CV] = variation(m);
    value[FEATURE_DIV_LANES] =
        share_part(value[FEATURE_INST_LANES], value[FEATURE_INST_SLOTS]);
    value[FEATURE_DIV_WORST] =
        share_part(f->thread_lanes.least, mean(&f->thread_lanes));
    value[FEATURE_DIV_CV] = variation(&f->thread_lanes);
    value[FEATURE_BARRIER_COUNT] = share_part(value[FEATURE_MSG_BARRIER], m->n);
    value[FEATURE_BARRIER_GAP] = share_part(m->sum, value[FEATURE_MSG_BARRIER]);
}

static void path_values(struct features *f)
{
    const struct path_sums *s = &f->path_sums;
    double *value = f->value;

    for (uint32_t i = 0; i < PATH_DISTS; i++)
        value[FEATURE_DEP_NONE + i] = share_part(s->dist[i], s->insts);
    value[FEATURE_DEP_MEAN] = share_part(s->dist_sum, s->dists);
    for (uint32_t i = 0; i < PATH_USES; i++)
        value[FEATURE_USE_2 + i] = share_part(s->use[i], s->answers);
    value[FEATURE_ILP_16] = share_part(s->insts, s->windows[0]);
    value[FEATURE_ILP_64] = share_part(s->insts, s->windows[1]);
    value[FEATURE_ILP_ALL] = share_part(s->insts, s->depth);
    value[FEATURE_CHAIN_ALU] = share_part(s->alu, s->threads);
    value[FEATURE_CHAIN_MATH] = share_part(s->math, s->threads);
    value[FEATURE_CHAIN_SEND] = share_part(s->send, s->threads);
    value[FEATURE_WAIT_COUNT] = share_part(s->waits_whole, s->threads);
    value[FEATURE_WAIT_MAX] = s->most_waits;
    value[FEATURE_WAIT_DEPTH] = share_part(s->under_way, s->waits);
    value[FEATURE_WAIT_ALU] = share_part(s->alu_waits_whole, s->threads);
}

static void message_values(struct features *f)
{
    double *value = f->value;
    double all = value[FEATURE_DIV_MSG_FULL] + value[FEATURE_DIV_MSG_HALF] +
                 value[FEATURE_DIV_MSG_FEW];
    double lines = value[FEATURE_LINE_READ] + value[FEATURE_LINE_WRITE];

    for (uint32_t i = 0; i < 3; i++)
        value[FEATURE_DIV_MSG_FULL + i] =
            share_part(value[FEATURE_DIV_MSG_FULL + i], all);
    value[FEATURE_LINE_USED] = share_part(
        value[FEATURE_MEM_READ_BYTES] + value[FEATURE_MEM_WRITE_BYTES], 64 * lines);
}

/* Of a sample, sums are those of the whole launch; it touches no more lines than its
 * arguments have, where there are any. */
static void scale(struct features *f, double factor)
{
    double room = f->value[FEATURE_GEO_ARG_BYTES] / 64;
    double lines = f->value[FEATURE_FOOT_LINES];

    for (uint32_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_table[i].kind == FEATURE_KIND_SUM)
            f->value[i] *= factor;
    if (room <= lines || lines * factor <= room)
        return;
    for (uint32_t i = FEATURE_FOOT_LINES; i <= FEATURE_FOOT_PAGES; i++)
        f->value[i] *= room / (lines * factor);
}

enum igpu_status features_end(struct features *f, double *value, struct igpu_err *err)
{
    if (f->thread_insts.n == 0)
        features_fault(f, "features: the launch has no thread");
    if (f->status != IGPU_OK) {
        if (err != NULL)
            *err = f->err;
        return f->status;
    }
    feature_windows_done(f, true);
    feature_spans_done(f);
    feature_alike_done(f);
    feature_mix(f);
    feature_patterns_done(f);
    for (uint32_t i = 0; i < STRIDES; i++)
        f->value[FEATURE_STEP_0 + i] = (double)f->steps[i];
    f->value[FEATURE_PATH_BACK] = (double)f->went.back;
    f->value[FEATURE_PATH_JUMPS] = (double)f->went.jumps;
    f->value[FEATURE_LINE_PAGES] = (double)f->pages_changed;
    feature_reuse_values(f);
    group_values(f);
    thread_values(f);
    path_values(f);
    message_values(f);
    if (f->launch->threads > f->told)
        scale(f, f->launch->threads / (double)f->told);
    memcpy(value, f->value, sizeof(f->value));
    return IGPU_OK;
}

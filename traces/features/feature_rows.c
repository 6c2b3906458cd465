/* feature_rows.c - what threads that are alike touch, in order: a message of each at a
 * time. Whole groups of them are mostly as far away as their first thread is, so a row
 * of touches is a row of the models' with one number added. */
#include "traces/features/feature_alike.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/emu.h"

enum { WIDE = 8 }; /* touches that are looked at together */
#define MANY UINT32_MAX

/* A line of a row's, of the models in their order. */
struct cells {
    uint64_t *line;
    uint32_t *what; /* send, times 2, and 1 if it writes */
    uint32_t *model;
};

/* Touches of a row, of the window's threads. */
struct touched {
    uint64_t *line;
    uint64_t *page; /* that the thread touched before, then the line's */
    const uint32_t *turn;
    const uint8_t *write;
    uint8_t *line_passes, *page_passes;
};

/* Finds what passes the filters, of lines and of pages other than the one before;
 * returns how many of these there are in all. Arrays have room for a multiple of WIDE.
 */
typedef uint64_t passes_fn(const struct touched *now, uint32_t n, unsigned rate);

struct feature_rows {
    uint32_t count, sends, models;
    uint32_t *first; /* cell of each row, and behind the last one */
    uint32_t *same; /* `what` of all of a row's cells, if each model has one, or MANY */
    struct cells cell;
    /* Of a row whose threads have one touch each, and of others. */
    uint64_t *line, *page;
    uint32_t *turn, one[WINDOW]; /* one: 0, 1, ... */
    uint8_t *write, reads[WINDOW], writes[WINDOW], *passes;
    passes_fn *find_passes;
};

/* ---- filters -----------------------------------------------------------------------
 */

typedef uint64_t wide __attribute__((vector_size(8 * WIDE)));
typedef uint8_t wide_bytes __attribute__((vector_size(WIDE)));

static inline __attribute__((always_inline)) uint64_t
passes_wide(const struct touched *now, uint32_t n, unsigned rate)
{
    const uint64_t mask = (UINT64_C(1) << rate) - 1, sets = SET_COUNT >> rate;
    const uint64_t page_mask = (UINT64_C(1) << feature_page_rate(rate)) - 1;
    const wide lane = {0, 1, 2, 3, 4, 5, 6, 7};
    wide sum = {0};
    uint64_t all = 0;

    for (uint32_t i = 0; i < n; i += WIDE) {
        wide at, page, before, line_mix, page_mix, other;
        wide_bytes out;

        memcpy(&at, now->line + i, sizeof(at));
        memcpy(&before, now->page + i, sizeof(before));
        page = at >> 6;
        other = (wide)(page != before) & (wide)(lane < n - i);
        sum -= other;
        line_mix = REUSE_MIX(at);
        page_mix = REUSE_MIX(page);
        at = (wide)((REUSE_HASH(line_mix) & mask) == 0) | (wide)(SET_FOLD(at) < sets);
        other &= (wide)((REUSE_HASH(page_mix) & page_mask) == 0);
        out = __builtin_convertvector(at & 1, wide_bytes);
        memcpy(now->line_passes + i, &out, sizeof(out));
        out = __builtin_convertvector(other & 1, wide_bytes);
        memcpy(now->page_passes + i, &out, sizeof(out));
        memcpy(now->page + i, &page, sizeof(page));
    }
    for (uint32_t i = 0; i < WIDE; i++)
        all += sum[i];
    return all;
}

static uint64_t passes_any(const struct touched *now, uint32_t n, unsigned rate)
{
    return passes_wide(now, n, rate);
}

#if defined(__x86_64__)
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) static uint64_t
passes_avx512(const struct touched *now, uint32_t n, unsigned rate)
{
    return passes_wide(now, n, rate);
}
__attribute__((target("avx2"))) static uint64_t passes_avx2(const struct touched *now,
                                                            uint32_t n, unsigned rate)
{
    return passes_wide(now, n, rate);
}

static passes_fn *choose_passes(void)
{
    return emu_has_avx512() ? passes_avx512 : emu_has_avx2() ? passes_avx2 : passes_any;
}
#else
static passes_fn *choose_passes(void)
{
    return passes_any;
}
#endif

/* ---- the models' rows --------------------------------------------------------------
 */

static bool make_room(struct feature_rows *r, size_t cells, uint32_t widest)
{
    size_t n = (size_t)widest * (WINDOW / r->models + 2) + WINDOW + WIDE;

    r->first = calloc(r->count + (size_t)1, sizeof(*r->first));
    r->same = calloc(r->count + (size_t)1, sizeof(*r->same));
    r->cell.line = malloc((cells + 1) * sizeof(*r->cell.line));
    r->cell.what = malloc((cells + 1) * sizeof(*r->cell.what));
    r->cell.model = malloc((cells + 1) * sizeof(*r->cell.model));
    r->line = calloc(n, sizeof(*r->line));
    r->page = calloc(n, sizeof(*r->page));
    r->turn = malloc(n * sizeof(*r->turn));
    r->write = malloc(n);
    r->passes = malloc(2 * n);
    for (uint32_t i = 0; i < WINDOW; i++) {
        r->one[i] = i;
        r->writes[i] = 1;
    }
    return r->first != NULL && r->same != NULL && r->cell.line != NULL &&
           r->cell.what != NULL && r->cell.model != NULL && r->line != NULL &&
           r->page != NULL && r->turn != NULL && r->write != NULL && r->passes != NULL;
}

/* Returns how many cells the row has. */
static uint32_t add_row(struct feature_rows *r, uint32_t row, const struct model *model,
                        uint32_t models)
{
    uint32_t n = r->first[row];

    for (uint32_t k = 0; k < models; k++) {
        const struct model_message *m = &model[k].message[row];

        for (uint32_t i = 0; row < model[k].messages && i < m->lines; i++, n++) {
            r->cell.line[n] = m->at + model[k].line[m->first + i];
            r->cell.what[n] = m->send << 1 | m->write;
            r->cell.model[n] = k;
        }
    }
    r->same[row] = r->cell.what[r->first[row]];
    for (uint32_t i = r->first[row]; i < n; i++)
        if (r->cell.what[i] != r->same[row] || r->cell.model[i] != i - r->first[row])
            r->same[row] = MANY;
    if (n != r->first[row] + models)
        r->same[row] = MANY;
    return n - r->first[row];
}

static void count_cells(const struct model *model, uint32_t models, uint32_t *rows,
                        size_t *cells)
{
    *rows = 0;
    *cells = 0;
    for (uint32_t k = 0; k < models; k++) {
        *rows = model[k].messages > *rows ? model[k].messages : *rows;
        *cells += model[k].lines;
    }
}

static uint32_t widest_row(const struct model *model, uint32_t models, uint32_t rows)
{
    uint32_t widest = 0;

    for (uint32_t row = 0; row < rows; row++) {
        uint32_t n = 0;

        for (uint32_t k = 0; k < models; k++)
            n += row < model[k].messages ? model[k].message[row].lines : 0;
        widest = n > widest ? n : widest;
    }
    return widest;
}

struct feature_rows *feature_rows_new(const struct model *model, uint32_t models,
                                      uint32_t sends)
{
    struct feature_rows *r = calloc(1, sizeof(*r));
    size_t cells;

    if (r == NULL)
        return NULL;
    count_cells(model, models, &r->count, &cells);
    r->sends = sends;
    r->models = models;
    r->find_passes = choose_passes();
    if (cells > UINT32_MAX ||
        !make_room(r, cells, widest_row(model, models, r->count))) {
        feature_rows_free(r);
        return NULL;
    }
    for (uint32_t row = 0; row < r->count; row++)
        r->first[row + 1] = r->first[row] + add_row(r, row, model, models);
    return r;
}

void feature_rows_free(struct feature_rows *r)
{
    if (r == NULL)
        return;
    free(r->first);
    free(r->same);
    free(r->cell.line);
    free(r->cell.what);
    free(r->cell.model);
    free(r->line);
    free(r->page);
    free(r->turn);
    free(r->write);
    free(r->passes);
    free(r);
}

uint32_t feature_rows_count(const struct feature_rows *r)
{
    return r->count;
}

/* ---- a row of the window's threads --------------------------------------------------
 */

/* Threads one behind the other like models one behind the other. */
struct run {
    uint32_t turn, model, end; /* the first one's, and behind the last model */
    bool same;                 /* all are as far away */
};

static uint32_t find_runs(const struct feature_rows *r, const struct feature_turn *turn,
                          uint32_t turns, struct run *run)
{
    uint32_t runs = 0;

    for (uint32_t i = 0; i < turns; i++) {
        struct run *last = &run[runs - (runs > 0)];

        if (runs == 0 || turn[i].model != last->end) {
            run[runs++] = (struct run){i, turn[i].model, turn[i].model + 1, true};
            continue;
        }
        last->end++;
        last->same = last->same && memcmp(turn[i].way, turn[i - 1].way,
                                          r->sends * sizeof(*turn->way)) == 0;
    }
    return runs;
}

/* The run's touches, one of each thread. */
static void put_ones(struct feature_rows *r, uint32_t row, const struct run *run,
                     const struct feature_turn *turn)
{
    const uint64_t *from = r->cell.line + r->first[row] + run->model;
    uint32_t send = r->same[row] >> 1, n = run->end - run->model;
    uint64_t *to = r->line + run->turn, way = turn[run->turn].way[send];

    if (run->same) {
        for (uint32_t i = 0; i < n; i++)
            to[i] = from[i] + way;
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        to[i] = from[i] + turn[run->turn + i].way[send];
}

/* The same where threads have none or several, behind the first n. Returns how many
 * there are then. */
static uint32_t put_any(struct feature_rows *r, uint32_t row, const struct run *run,
                        const struct feature_turn *turn, uint32_t n, uint64_t *last,
                        uint64_t *changed)
{
    const struct cells *c = &r->cell;

    for (uint32_t i = r->first[row]; i < r->first[row + 1]; i++) {
        uint32_t now = c->model[i] - run->model + run->turn;

        if (c->model[i] < run->model || c->model[i] >= run->end)
            continue;
        r->line[n] = c->line[i] + turn[now].way[c->what[i] >> 1];
        r->page[n] = last[now];
        last[now] = r->line[n] / 64;
        *changed += r->page[n] != last[now] || n == 0 || r->turn[n - 1] != now;
        r->turn[n] = now;
        r->write[n++] = c->what[i] & 1;
    }
    return n;
}

/* Of eight bytes that are 0 or 1, those below n that are not 0, as bits. */
static uint64_t bytes_set(const uint8_t *byte, uint32_t n)
{
    uint64_t bits;

    memcpy(&bits, byte, sizeof(bits));
    return n < WIDE ? bits & ((UINT64_C(1) << 8 * n) - 1) : bits;
}

static void put_passing(const struct touched *now, uint32_t n,
                        const struct feature_turn *turn, struct feature_order *o)
{
    struct ordered *line = o->line, *page = o->page;

    for (uint32_t i = 0; i < n; i += WIDE) {
        uint64_t lines = bytes_set(now->line_passes + i, n - i);
        uint64_t pages = bytes_set(now->page_passes + i, n - i);

        for (; lines != 0; lines &= lines - 1) {
            uint32_t k = i + (uint32_t)__builtin_ctzll(lines) / 8;

            *line++ =
                (struct ordered){now->line[k] << 2 | (now->write[k] ? TOUCH_WRITE : 0),
                                 turn[now->turn[k]].thread};
        }
        for (; pages != 0; pages &= pages - 1) {
            uint32_t k = i + (uint32_t)__builtin_ctzll(pages) / 8;

            *page++ = (struct ordered){now->line[k] / 64 << 2 | TOUCH_PAGE,
                                       turn[now->turn[k]].thread};
        }
    }
    o->line = line;
    o->page = page;
}

/* The row's touches; returns how many. last: pages, of each turn. */
static uint32_t put_row(struct feature_rows *r, uint32_t row, const struct run *run,
                        uint32_t runs, const struct feature_turn *turn, uint64_t *last,
                        struct touched *now, uint64_t *changed)
{
    uint32_t n = 0;

    if (r->same[row] == MANY) {
        for (uint32_t i = 0; i < runs; i++)
            n = put_any(r, row, &run[i], turn, n, last, changed);
        *now = (struct touched){r->line, r->page, r->turn, r->write, r->passes, NULL};
    } else {
        for (uint32_t i = 0; i < runs; i++) {
            put_ones(r, row, &run[i], turn);
            n += run[i].end - run[i].model;
        }
        *changed += n;
        *now = (struct touched){r->line,   last,
                                r->one,    r->same[row] & 1 ? r->writes : r->reads,
                                r->passes, NULL};
    }
    now->page_passes = r->passes + (n + WIDE - 1) / WIDE * WIDE;
    return n;
}

bool feature_rows_order(struct feature_rows *r, const struct feature_turn *turn,
                        uint32_t turns, struct feature_order *o)
{
    const struct ordered *line = o->line, *page = o->page;
    struct run run[WINDOW];
    uint64_t last[WINDOW + WIDE];
    uint32_t runs = find_runs(r, turn, turns, run);

    memset(last, 0xff, sizeof(last));
    for (uint32_t row = 0; row < r->count; row++) {
        struct touched now;
        uint32_t n = put_row(r, row, run, runs, turn, last, &now, &o->changed);

        o->lines += n;
        o->pages += r->find_passes(&now, n, o->rate);
        if (row < o->ordinals)
            put_passing(&now, n, turn, o);
        if ((uint64_t)(o->line - line + (o->page - page)) > o->most)
            return false;
    }
    return true;
}

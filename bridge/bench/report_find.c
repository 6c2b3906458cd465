/* report_find.c - what the runs show against what is published. Each function looks at
 * one run's table; a run that a short report left out gives no finding. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "bridge/bench/published.h"
#include "bridge/bench/report.h"

static const struct report_run *find_run(const struct report *r, const char *id)
{
    for (uint32_t i = 0; i < r->runs; i++)
        if (strcmp(r->run[i].plan->id, id) == 0)
            return &r->run[i];
    return NULL;
}

static struct report_finding *add(struct report *r, const struct report_run *run,
                                  const char *quantity, const char *published)
{
    /* The last one is used again when there are too many: never in practice. */
    struct report_finding *f =
        &r->finding[r->findings < REPORT_MAX_FINDINGS ? r->findings++
                                                      : REPORT_MAX_FINDINGS - 1];

    memset(f, 0, sizeof(*f));
    f->run = run;
    f->error = NAN;
    f->verdict = REPORT_TOLD;
    (void)snprintf(f->quantity, sizeof(f->quantity), "%s", quantity);
    (void)snprintf(f->published, sizeof(f->published), "%s", published);
    return f;
}

__attribute__((format(printf, 2, 3))) static void ours(struct report_finding *f,
                                                       const char *format, ...)
{
    va_list list;

    va_start(list, format);
    (void)vsnprintf(f->ours, sizeof(f->ours), format, list);
    va_end(list);
}

static void judge(struct report_finding *f, bool holds)
{
    f->verdict = holds ? REPORT_HOLDS : REPORT_DIFFERS;
}

/* Two numbers, the error in per cent, and how much of it is allowed. */
static void compare(struct report *r, const struct report_run *run,
                    const char *quantity, double published, double value,
                    const char *unit, double room)
{
    struct report_finding *f = add(r, run, quantity, "");

    (void)snprintf(f->published, sizeof(f->published), "%.4g %s", published, unit);
    ours(f, "%.4g %s", value, unit);
    f->error = published_error(value, published);
    judge(f, fabs(f->error) <= room);
}

/* The row where column `key` is `value`; -1: none. */
static int32_t row_at(const struct bench_table *t, const char *key, double value)
{
    for (uint32_t i = 0; i < t->rows; i++)
        if (fabs(bench_table_get(t, i, key) - value) < 0.5)
            return (int32_t)i;
    return -1;
}

/* Column `get` of the row where `key` is `value`; NaN: no such row. */
static double at(const struct report_run *run, const char *key, double value,
                 const char *get)
{
    int32_t row = run != NULL ? row_at(&run->table, key, value) : -1;

    return row < 0 ? NAN : bench_table_get(&run->table, (uint32_t)row, get);
}

/* ---- throughput ---------------------------------------------------------- */

static void find_peak(struct report *r, const char *id, double groups, double low,
                      double high, const char *published)
{
    const struct report_run *run = find_run(r, id);
    double share = at(run, "work_groups", groups, "of_peak_percent");
    char quantity[REPORT_TEXT];
    struct report_finding *f;

    if (isnan(share))
        return;
    (void)snprintf(quantity, sizeof(quantity), "%s, %.0f work-groups",
                   run->c.config.name, groups);
    f = add(r, run, quantity, published);
    ours(f, "%.1f GFLOP/s, %.1f %% of %.1f", at(run, "work_groups", groups, "gflops"),
         share, at(run, "work_groups", groups, "peak_gflops"));
    judge(f, low <= share && share <= high);
}

static void find_ratio(struct report *r, const char *id, const char *quantity,
                       double published, double room)
{
    const struct report_run *run = find_run(r, id), *base = find_run(r, "flops-long");
    double rate = at(run, "work_groups", 168, "flop_per_cycle");

    if (!isnan(rate))
        compare(r, run, quantity, published,
                rate / at(base, "work_groups", 168, "flop_per_cycle"), "", room);
}

/* Points higher than both neighbours, as words. A point without both is none. */
static void find_maxima(struct report *r, const char *id, double first, double last,
                        const char *published)
{
    const struct report_run *run = find_run(r, id);
    char found[REPORT_TEXT] = "", quantity[REPORT_TEXT];
    struct report_finding *f;
    size_t used = 0;

    if (run == NULL)
        return;
    for (double x = first; x <= last; x++) {
        double y = at(run, "work_groups", x, "gflops");

        if (y > at(run, "work_groups", x - 1, "gflops") &&
            y > at(run, "work_groups", x + 1, "gflops") && used + 8 < sizeof(found))
            used += (size_t)snprintf(found + used, sizeof(found) - used, "%s%.0f",
                                     used == 0 ? "" : ", ", x);
    }
    (void)snprintf(quantity, sizeof(quantity), "local maxima, %.0f to %.0f work-groups",
                   first, last);
    f = add(r, run, quantity, published);
    ours(f, "%s", found);
    judge(f, strcmp(found, published) == 0);
}

static void find_flops(struct report *r)
{
    const struct report_run *run = find_run(r, "flops");

    find_peak(r, "flops-long", 48, 0, 80, "far below the peak");
    find_peak(r, "flops-long", 72, 0, 95, "below the peak");
    find_peak(r, "flops-long", 96, 95, 100, "the peak of 441.6 GFLOP/s");
    find_peak(r, "flops-long", 168, 95, 100, "the peak of 441.6 GFLOP/s");
    find_peak(r, "flops-gt3e", 96, 0, 80, "far below the peak");
    find_peak(r, "flops-gt3e", 192, 95, 100, "the peak of 883.2 GFLOP/s");
    find_peak(r, "flops-gt3e", 336, 95, 100, "the peak of 883.2 GFLOP/s");
    find_peak(r, "flops-private", 168, 97, 99, "98 % of 403.2 GFLOP/s");
    find_peak(r, "flops-add", 168, 95, 100, "201.6 GFLOP/s, half of mad's");
    find_ratio(r, "flops-dp", "double / single", 0.25, 4);
    find_ratio(r, "flops-hp", "half / single", 2, 5);
    find_ratio(r, "flops-int", "32-bit integer mad / single", 1.0 / 3, 9);
    find_maxima(r, "flops", 96, 168, "96, 120, 144, 168");
    find_maxima(r, "flops-256", 12, 21, "12, 15, 18, 21");
    if (run != NULL)
        compare(r, run, "throughput at 97 / at 96 work-groups", 0.81,
                at(run, "work_groups", 97, "gflops") /
                    at(run, "work_groups", 96, "gflops"),
                "", 4);
}

/* ---- latency ------------------------------------------------------------- */

static void size_text(char *text, size_t size, double bytes)
{
    bool mega = bytes >= 1048576;

    (void)snprintf(text, size, "%.0f %s", bytes / (mega ? 1048576 : 1024),
                   mega ? "MB" : "KB");
}

static void find_points(struct report *r, const char *id, double room)
{
    const struct report_run *run = find_run(r, id);

    for (uint32_t i = 0; run != NULL && i < run->table.rows; i++) {
        double published = bench_table_get(&run->table, i, "published_ns");
        char size[32], quantity[REPORT_TEXT];

        if (isnan(published))
            continue;
        size_text(size, sizeof(size), bench_table_get(&run->table, i, "ws_bytes"));
        (void)snprintf(quantity, sizeof(quantity), "%s %s, %s", run->c.config.name,
                       bench_table_get_word(&run->table, i, "agent"), size);
        compare(r, run, quantity, published, bench_table_get(&run->table, i, "ns"),
                "ns", room);
    }
}

/* A straight line through (MB, ns) from 2 to 9 MB, by least squares. */
static void find_line(struct report *r)
{
    const struct report_run *run = find_run(r, "latency");
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0, error = 0, slope, square;
    struct report_finding *f;

    for (double mb = 1; mb <= 9; mb++) {
        double y = at(run, "ws_bytes", mb * 1048576, "ns");

        if (isnan(y))
            return;
        error += fabs(at(run, "ws_bytes", mb * 1048576, "error_percent")) / 9;
        if (mb < 2)
            continue;
        n++, sx += mb, sy += y, sxx += mb * mb, sxy += mb * y, syy += y * y;
    }
    f = add(r, run, "GPU alone, 1 to 9 MB: mean absolute error", "under 3 %");
    ours(f, "%.2f %%", error);
    judge(f, error < 3);
    slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    compare(r, run, "the same, 2 to 9 MB: slope", 14.57, slope, "ns/MB", 10);
    square = slope * slope * (n * sxx - sx * sx) / (n * syy - sy * sy);
    f = add(r, run, "the same: R squared of a straight line", "above 0.99");
    ours(f, "%.4f", square);
    judge(f, square > 0.99);
}

/* ---- two agents ---------------------------------------------------------- */

/* The mean of the errors over the cells that are published. */
static void find_interference(struct report *r, const char *id, double room)
{
    const struct report_run *run = find_run(r, id);
    char quantity[REPORT_TEXT], published[REPORT_TEXT];
    struct report_finding *f;
    double sum = 0;
    int cells = 0;

    for (uint32_t i = 0; run != NULL && i < run->table.rows; i++) {
        double error = bench_table_get(&run->table, i, "error_percent");

        if (!isnan(error)) {
            sum += fabs(error);
            cells++;
        }
    }
    if (cells == 0)
        return;
    (void)snprintf(quantity, sizeof(quantity),
                   "mean absolute error over %d published cells", cells);
    (void)snprintf(published, sizeof(published), "at most %.0f %%", room);
    f = add(r, run, quantity, published);
    ours(f, "%.2f %%", sum / cells);
    if (cells > 20) /* the aim is the whole table's */
        judge(f, sum / cells <= room);
}

/* ---- parallelism and bandwidth ------------------------------------------- */

static void find_mlp(struct report *r)
{
    const struct report_run *run = find_run(r, "mlp");

    for (uint32_t i = 0; run != NULL && i < run->table.rows; i++) {
        double knee = bench_table_get(&run->table, i, "knee");
        double ws = bench_table_get(&run->table, i, "ws_bytes");
        char quantity[REPORT_TEXT];
        struct report_finding *f;

        if (fabs(bench_table_get(&run->table, i, "threads") - 168) > 0.5)
            continue;
        (void)snprintf(quantity, sizeof(quantity),
                       "knee (168 / relative time at 168), %.0f bytes a thread", ws);
        f = add(r, run, quantity, "100 to 120");
        ours(f, "%.1f", knee);
        judge(f, knee >= 100 && knee <= 120);
    }
}

static void find_coalescing(struct report *r)
{
    static const double strides[] = {1, 2, 4, 8, 16};
    const struct report_run *run = find_run(r, "coalescing");

    for (unsigned s = 0; run != NULL && s < sizeof(strides) / sizeof(strides[0]); s++) {
        double best = 0, lines = NAN, groups = NAN;
        char quantity[REPORT_TEXT];
        struct report_finding *f;

        for (uint32_t i = 0; i < run->table.rows; i++) {
            double share = bench_table_get(&run->table, i, "of_peak_percent");

            if (fabs(bench_table_get(&run->table, i, "stride") - strides[s]) > 0.5)
                continue;
            lines = bench_table_get(&run->table, i, "lines_per_message");
            best = share > best ? share : best;
            if (isnan(groups) && share >= 85)
                groups = bench_table_get(&run->table, i, "groups");
        }
        if (isnan(lines))
            continue;
        (void)snprintf(quantity, sizeof(quantity), "stride of %.0f words", strides[s]);
        f = add(r, run, quantity,
                strides[s] >= 4 ? "near the peak of 34.1 GB/s" : "rises with threads");
        if (isnan(groups))
            ours(f, "%.3g lines a message, at most %.1f %% of the peak", lines, best);
        else
            ours(f,
                 "%.3g lines a message, at most %.1f %%, 85 %% from %.0f work-groups",
                 lines, best, groups);
        judge(f, fabs(lines - strides[s]) < 0.001 && best <= 100 &&
                     (strides[s] < 4 || best >= 85));
    }
}

static void find_bandwidth(struct report *r)
{
    const struct report_run *run = find_run(r, "l3");
    double rate[17] = {0};
    struct report_finding *f;

    for (uint32_t i = 0; run != NULL && i < run->table.rows; i++) {
        double vector = bench_table_get(&run->table, i, "vector");
        double subslices = bench_table_get(&run->table, i, "subslices");
        double here = bench_table_get(&run->table, i, "bytes_per_cycle");
        char quantity[REPORT_TEXT];

        if (subslices > 2.5)
            rate[(unsigned)vector] = here;
        (void)snprintf(quantity, sizeof(quantity), "L3, 4 elements, %.0f subslice%s",
                       subslices, subslices > 1 ? "s" : "");
        if (fabs(vector - 4) < 0.5)
            compare(r, run, quantity, 64 * subslices, here, "B/cycle", 10);
    }
    if (run != NULL) {
        f = add(r, run, "L3, which vector type", "4 best, 16 below scalar");
        ours(f, "1: %.1f, 4: %.1f, 16: %.1f B/cycle", rate[1], rate[4], rate[16]);
        judge(f, rate[4] > rate[1] && rate[16] < rate[1] && rate[4] >= rate[2] &&
                     rate[4] >= rate[8]);
        f = add(r, run, "L3, scalar, 3 subslices: limit of messages in flight", "none");
        ours(f, "%.1f B/cycle, the closed form says %.1f", rate[1],
             at(run, "vector", 1, "message_limit") * 3);
    }
    run = find_run(r, "llc");
    if (run != NULL) {
        f = add(r, run, "GPU stream out of the LLC, 4 elements", "one line per cycle");
        ours(f, "%.3f lines per cycle", at(run, "vector", 4, "gti_lines_per_cycle"));
        judge(f, at(run, "vector", 4, "gti_lines_per_cycle") >= 0.9);
    }
    run = find_run(r, "slm");
    if (run != NULL)
        compare(r, run, "SLM, 4 elements, 3 subslices", 192,
                at(run, "vector", 4, "bytes_per_cycle"), "B/cycle", 10);
    run = find_run(r, "dram");
    if (run != NULL) {
        f = add(r, run, "GPU stream out of DRAM, 4 elements", "peak 34.1 GB/s");
        ours(f, "%.1f GB/s, %.1f %%", at(run, "vector", 4, "gb_per_s"),
             at(run, "vector", 4, "of_peak_percent"));
    }
}

void report_find(struct report *r)
{
    find_flops(r);
    find_points(r, "latency", 5);
    find_line(r);
    find_points(r, "latency-gt3e", 10);
    find_points(r, "latency-cpu", 5);
    find_points(r, "latency-cpu-gt3e", 10);
    find_interference(r, "interference-a", 2);
    find_interference(r, "interference-b", 4);
    find_interference(r, "interference-c", 8);
    find_interference(r, "interference-d", 8);
    find_mlp(r);
    find_coalescing(r);
    find_bandwidth(r);
}

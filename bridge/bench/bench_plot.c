/* bench_plot.c - see bench_plot.h. */
#include "bridge/bench/bench_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 720, HEIGHT = 420, LEFT = 70, RIGHT = 20, TOP = 66, BOTTOM = 56 };
enum { COLOURS = 10, MAX_SERIES = 16, TICKS = 6, LEGEND_STEP = 110 };

struct axis {
    double low, high;
    bool log;
};

struct drawing {
    FILE *out;
    const struct bench_plot *plot;
    const struct bench_table *t;
    struct axis x, y;
    struct bench_cell series[MAX_SERIES]; /* values of the series column */
    uint32_t count;
};

void bench_plot_style(FILE *out)
{
    static const char *const light[COLOURS] = {
        "#1f5fa8", "#b3471b", "#2b7a3f", "#7b4aa3", "#a1301f",
        "#0f7c84", "#8a6d0b", "#b03a7a", "#555f6b", "#4d6b1e"};
    static const char *const dark[COLOURS] = {
        "#7fb2f0", "#f0975f", "#7fcf92", "#c39be8", "#f08a7a",
        "#5fd0d8", "#e0c04f", "#f08fc4", "#b4bcc6", "#b4d47a"};

    fputs(".plot{font:13px sans-serif}.plot text{fill:#222}"
          ".plot .frame{stroke:#888;fill:none}.plot .grid{stroke:#ddd}",
          out);
    for (unsigned i = 0; i < COLOURS; i++)
        fprintf(out, ".plot .c%u{stroke:%s;color:%s}", i, light[i], light[i]);
    fputs(".plot .line{fill:none;stroke-width:1.8}.plot .dot{fill:currentColor}"
          ".plot .mark{fill:none;stroke-width:1.8}\n"
          "@media (prefers-color-scheme:dark){.plot text{fill:#ddd}"
          ".plot .frame{stroke:#999}.plot .grid{stroke:#333}",
          out);
    for (unsigned i = 0; i < COLOURS; i++)
        fprintf(out, ".plot .c%u{stroke:%s;color:%s}", i, dark[i], dark[i]);
    fputs("}\n", out);
}

/* ---- axes ---------------------------------------------------------------- */

static double place(const struct axis *a, double v)
{
    return a->log ? log2(v / a->low) / log2(a->high / a->low)
                  : (v - a->low) / (a->high - a->low);
}

static double place_x(const struct drawing *d, double v)
{
    return LEFT + place(&d->x, v) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const struct drawing *d, double v)
{
    return HEIGHT - BOTTOM - place(&d->y, v) * (HEIGHT - TOP - BOTTOM);
}

/* A step of 1, 2 or 5 times a power of ten that gives about TICKS ticks. */
static double nice_step(double span)
{
    double raw = span / TICKS, unit = pow(10, floor(log10(raw)));

    return raw <= unit       ? unit
           : raw <= 2 * unit ? 2 * unit
           : raw <= 5 * unit ? 5 * unit
                             : 10 * unit;
}

static void widen(struct axis *a, double v)
{
    if (isnan(v) || (a->log && v <= 0))
        return;
    a->low = isnan(a->low) || v < a->low ? v : a->low;
    a->high = isnan(a->high) || v > a->high ? v : a->high;
}

static void close_axis(struct axis *a, bool zero)
{
    if (isnan(a->low)) /* nothing to show */
        a->low = a->high = 1;
    if (a->log) {
        a->low = exp2(floor(log2(a->low)));
        a->high = exp2(ceil(log2(a->high)));
        a->high = a->high > a->low ? a->high : 2 * a->low;
    } else {
        double step;

        a->low = zero ? 0 : a->low;
        a->high = a->high > a->low ? a->high : a->low + 1;
        step = nice_step(a->high - a->low);
        a->low = floor(a->low / step) * step;
        a->high = ceil(a->high / step) * step;
    }
}

/* A number as a label; bytes with K, M, G. */
static void label(char *text, size_t size, double v, const char *unit)
{
    static const char suffix[] = {' ', 'K', 'M', 'G'};
    unsigned i = 0;

    if (strcmp(unit, "B") != 0) {
        (void)snprintf(text, size, "%.6g", v);
        return;
    }
    for (; v >= 1024 && i < 3; i++)
        v /= 1024;
    (void)snprintf(text, size, i == 0 ? "%.6g" : "%.6g%c", v, suffix[i]);
}

static void tick_x(const struct drawing *d, double v, const char *unit)
{
    char text[32];
    double x = place_x(d, v);

    label(text, sizeof(text), v, unit);
    fprintf(d->out,
            "<line class='grid' x1='%.1f' y1='%d' x2='%.1f' y2='%d'/>"
            "<text x='%.1f' y='%d' text-anchor='middle'>%s</text>\n",
            x, TOP, x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 18, text);
}

static void tick_y(const struct drawing *d, double v, const char *unit)
{
    char text[32];
    double y = place_y(d, v);

    label(text, sizeof(text), v, unit);
    fprintf(d->out,
            "<line class='grid' x1='%d' y1='%.1f' x2='%d' y2='%.1f'/>"
            "<text x='%d' y='%.1f' text-anchor='end'>%s</text>\n",
            LEFT, y, WIDTH - RIGHT, y, LEFT - 6, y + 4, text);
}

static void ticks(const struct drawing *d, const struct axis *a, const char *unit,
                  void (*tick)(const struct drawing *d, double v, const char *unit))
{
    double doublings = log2(a->high / a->low), step = nice_step(a->high - a->low);

    if (a->log) {
        double stride = doublings > 13 ? 4 : doublings > 9 ? 2 : 1;

        for (double e = 0; e <= doublings + 1e-9; e += stride)
            tick(d, a->low * exp2(e), unit);
        return;
    }
    for (double n = 0; a->low + n * step <= a->high + step / 1000; n++)
        tick(d, a->low + n * step, unit);
}

static void frame(const struct drawing *d)
{
    ticks(d, &d->x, d->t->columns[bench_table_column(d->t, d->plot->x)].unit, tick_x);
    ticks(d, &d->y, d->t->columns[bench_table_column(d->t, d->plot->y)].unit, tick_y);
    fprintf(d->out, "<rect class='frame' x='%d' y='%d' width='%d' height='%d'/>\n",
            LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    fprintf(d->out, "<text x='%d' y='%d' text-anchor='middle'>%s</text>\n",
            (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, d->plot->x_title);
    fprintf(d->out,
            "<text transform='translate(16 %d) rotate(-90)' text-anchor='middle'>%s"
            "</text>\n",
            (TOP + HEIGHT - BOTTOM) / 2, d->plot->y_title);
    fprintf(d->out, "<text x='%d' y='20' font-weight='bold'>%s</text>\n", LEFT,
            d->plot->title);
}

/* ---- series -------------------------------------------------------------- */

static bool same(const struct bench_cell *a, const struct bench_cell *b)
{
    if (a->word != NULL || b->word != NULL)
        return a->word != NULL && b->word != NULL && strcmp(a->word, b->word) == 0;
    return a->number <= b->number && a->number >= b->number;
}

static const struct bench_cell *series_cell(const struct drawing *d, uint32_t row)
{
    return &d->t->cell[row * d->t->count + bench_table_column(d->t, d->plot->series)];
}

static void find_series(struct drawing *d)
{
    d->count = d->plot->series == NULL;
    for (uint32_t i = 0; d->plot->series != NULL && i < d->t->rows; i++) {
        uint32_t j = 0;

        while (j < d->count && !same(&d->series[j], series_cell(d, i)))
            j++;
        if (j == d->count && d->count < MAX_SERIES)
            d->series[d->count++] = *series_cell(d, i);
    }
}

static bool in_series(const struct drawing *d, uint32_t row, uint32_t s)
{
    return d->plot->series == NULL || same(&d->series[s], series_cell(d, row));
}

static bool visible(const struct drawing *d, double x, double y)
{
    return !isnan(x) && !isnan(y) && !(d->x.log && x <= 0);
}

static void curve(const struct drawing *d, uint32_t s)
{
    bool first = true;

    fprintf(d->out, "<path class='line c%u' d='", s % COLOURS);
    for (uint32_t i = 0; i < d->t->rows; i++) {
        double x = bench_table_get(d->t, i, d->plot->x);
        double y = bench_table_get(d->t, i, d->plot->y);

        if (!in_series(d, i, s) || !visible(d, x, y))
            continue;
        fprintf(d->out, "%c%.1f %.1f", first ? 'M' : 'L', place_x(d, x), place_y(d, y));
        first = false;
    }
    fputs("'/>\n", d->out);
}

static void marks(const struct drawing *d, uint32_t s)
{
    for (uint32_t i = 0; i < d->t->rows; i++) {
        double x = bench_table_get(d->t, i, d->plot->x);
        double y = bench_table_get(d->t, i, d->plot->y);

        if (!in_series(d, i, s))
            continue;
        if (visible(d, x, y))
            fprintf(d->out, "<circle class='dot c%u' cx='%.1f' cy='%.1f' r='2.2'/>",
                    s % COLOURS, place_x(d, x), place_y(d, y));
        y = d->plot->published != NULL ? bench_table_get(d->t, i, d->plot->published)
                                       : NAN;
        if (visible(d, x, y))
            fprintf(d->out, "<path class='mark c%u' d='M%.1f %.1fl5 5l5 -5l-5 -5z'/>\n",
                    s % COLOURS, place_x(d, x) - 5, place_y(d, y));
    }
    fputc('\n', d->out);
}

static void legend(const struct drawing *d)
{
    char text[64];
    unsigned x = LEFT;
    uint32_t column =
        d->plot->series != NULL ? bench_table_column(d->t, d->plot->series) : 0;

    for (uint32_t s = 0; s < d->count && d->plot->series != NULL; s++) {
        if (d->series[s].word != NULL)
            (void)snprintf(text, sizeof(text), "%s", d->series[s].word);
        else
            label(text, sizeof(text), d->series[s].number, d->t->columns[column].unit);
        fprintf(d->out,
                "<path class='line c%u' d='M%u 38h16'/><text x='%u' y='42'>%s</text>\n",
                s % COLOURS, x, x + 20, text);
        x += d->count > 6 ? LEGEND_STEP / 2 : LEGEND_STEP;
    }
    if (d->plot->published != NULL)
        fprintf(d->out,
                "<path class='mark c0' d='M%d 56l5 5l5 -5l-5 -5z'/><text x='%d' "
                "y='60'>published</text><path class='line c0' d='M%d 56h16'/><text "
                "x='%d' y='60'>Vigpu</text>\n",
                LEFT, LEFT + 20, LEFT + 110, LEFT + 130);
}

void bench_plot_svg(FILE *out, const struct bench_plot *plot,
                    const struct bench_table *table, bool alone)
{
    struct drawing d = {.out = out, .plot = plot, .t = table};

    d.x = (struct axis){NAN, NAN, plot->x_log};
    d.y = (struct axis){NAN, NAN, false};
    for (uint32_t i = 0; i < table->rows; i++) {
        widen(&d.x, bench_table_get(table, i, plot->x));
        widen(&d.y, bench_table_get(table, i, plot->y));
        if (plot->published != NULL)
            widen(&d.y, bench_table_get(table, i, plot->published));
    }
    close_axis(&d.x, false);
    close_axis(&d.y, plot->y_zero);
    find_series(&d);
    fprintf(out,
            "<svg class='plot' xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' "
            "width='%d' height='%d' role='img' aria-label='%s'>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, plot->title);
    if (alone) {
        fputs("<style>", out);
        bench_plot_style(out);
        fputs(".plot .back{fill:#fff}@media (prefers-color-scheme:dark){.plot "
              ".back{fill:#181a1d}}</style><rect class='back' width='100%' "
              "height='100%'/>\n",
              out);
    }
    frame(&d);
    for (uint32_t s = 0; s < d.count; s++)
        curve(&d, s);
    for (uint32_t s = 0; s < d.count; s++)
        marks(&d, s);
    legend(&d);
    fputs("</svg>\n", out);
}

/* bench_plot.h - a plot as SVG, in light and dark, without any library. */
#ifndef BRIDGE_BENCH_PLOT_H
#define BRIDGE_BENCH_PLOT_H
#include <stdbool.h>
#include <stdio.h>

#include "bridge/bench/bench.h"

/* With `alone` it is a file of its own; else an element for a page that already has
 * bench_plot_style()'s rules. */
void bench_plot_svg(FILE *out, const struct bench_plot *plot,
                    const struct bench_table *table, bool alone);

/* The CSS rules of the plots, light and dark. */
void bench_plot_style(FILE *out);
#endif

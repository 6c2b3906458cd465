/* bench.h - `igpu bench`: the published experiments as commands.
 *
 * An experiment (struct bench) has a table of options and a function that plans
 * simulations and fills a table with their results. Every simulation is a process
 * of its own: `igpu record` once for its trace (cached), then `igpu ref` or ./Vigpu
 * with --csv, so that what is measured is what the command line gives.
 * Tests: tests/bridge/test_bench.sh */
#ifndef BRIDGE_BENCH_H
#define BRIDGE_BENCH_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bridge/programs/bench/bench_sim.h"
#include "bridge/programs/bench/bench_table.h"
#include "igpu/config.h"
#include "igpu/err.h"

enum { BENCH_MAX_OPTIONS = 12, BENCH_MAX_SETTINGS = 32 };

struct bench_option {
    const char *name, *arg, *value, *help; /* value: the default; NULL: none */
};

struct bench_context;

struct bench {
    const char *name, *text;
    const struct bench_option *options; /* ends with a NULL name */
    const struct bench_column *columns; /* ends with a NULL key */
    /* Read the options into a plan and bench_measure() it. */
    enum igpu_status (*run)(const struct bench_context *c, struct bench_table *table,
                            struct igpu_err *err);
    /* Of a plan: the simulation of row i, and the row from its result. Rows are filled
     * in order, so a row may look at those before it. */
    void (*make)(const struct bench_context *c, const void *plan, uint32_t i,
                 struct bench_sim *sim);
    void (*fill)(const struct bench_context *c, const void *plan,
                 const struct bench_sim *sim, struct bench_table *table, uint32_t i);
};

extern const struct bench bench_flops, bench_latency, bench_interference, bench_mlp,
    bench_coalescing, bench_bandwidth, bench_flop, bench_memory, bench_power,
    bench_measured;

/* One invocation. */
struct bench_context {
    const struct bench *bench;
    const char *value[BENCH_MAX_OPTIONS]; /* of bench->options, in order */
    struct igpu_config config;            /* resolved */
    const char *config_name;
    const char *setting[BENCH_MAX_SETTINGS]; /* -s, as given */
    uint32_t settings;
    const char *engine; /* "ref" or "rtl" */
    uint32_t jobs;
    bool quiet, help;
    const char *json; /* a file, "-": stdout; NULL: none */
};

/* The experiments, ending with NULL. */
extern const struct bench *const benches[];

/* ---- for the experiments ---- */

/* The value of option `name`, which the experiment has. */
const char *bench_text(const struct bench_context *c, const char *name);
/* The same as a number from min to max; K, M, G are powers of 1024. */
enum igpu_status bench_number(const struct bench_context *c, const char *name,
                              uint64_t min, uint64_t max, uint64_t *value,
                              struct igpu_err *err);
/* The same as one of `choices` (ends with NULL): its index. */
enum igpu_status bench_choice(const struct bench_context *c, const char *name,
                              const char *const *choices, uint32_t *index,
                              struct igpu_err *err);

/* Numbers in ascending order, each once: items separated by commas, each N, A..B:STEP,
 * or A..B in steps of 1 or, with `doubling`, A, 2 A, 4 A ... up to B. */
struct bench_list {
    uint64_t *value;
    uint32_t count;
};
enum igpu_status bench_numbers(const struct bench_context *c, const char *name,
                               bool doubling, uint64_t min, uint64_t max,
                               struct bench_list *list, struct igpu_err *err);

/* Create the table with `rows` rows, simulate each, and fill it; `plan` goes to the
 * experiment's make() and fill(). */
enum igpu_status bench_measure(const struct bench_context *c, const void *plan,
                               uint32_t rows, struct bench_table *table,
                               struct igpu_err *err);
#endif

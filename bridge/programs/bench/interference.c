/* interference.c - `igpu bench interference`: what one agent's accesses cost while the
 * other one works in the same LLC (paper 1, fig. 7). The measured agent walks a
 * dependent chase; the other one chases too, or streams. CPU agents are those of the
 * configuration (cpu.*); the GPU's are kernels chase_on and circulate. The launches:
 * docs/guide/bench.md, Two agents.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/bench/bench.h"
#include "bridge/programs/bench/bench_chase.h"
#include "bridge/programs/bench/published.h"

enum {
    MEASURED_STEPS = 16384, /* of the GPU */
    BESIDE_STREAM_STEPS = 4096,
    BALANCE_LAUNCHES = 2,
    STREAM_LAPS = 3,
    STREAM_LINES = 1 << 19, /* of the GPU's stream while the CPU is measured */
    LINE_WORDS = 16,
    STREAM_ITEMS = 5376,
    STREAM_UNROLL = 8,
    LARGEST_MB = 64
};

static const struct bench_option options[] = {
    {"table", "a|b|c|d", "none",
     "a whole table: a gpu beside chase, b gpu beside stream, c cpu, chase, d cpu, "
     "stream"},
    {"measure", "gpu|cpu", "gpu", "whose accesses are measured"},
    {"other", "chase|stream", "chase", "what the other one does"},
    {"gpu-ws", "LIST", "auto", "the GPU's working sets in MB; auto: 1..9, or 0..9"},
    {"cpu-ws", "LIST", "auto", "the CPU's; 0: the other one does nothing"},
    {NULL, NULL, NULL, NULL}};

static const struct bench_column columns[] = {
    {"measured", -1},     {"other", -1},       {"gpu_ws_mb", 0},
    {"cpu_ws_mb", 0},     {"ns", 2},           {"published_ns", 2},
    {"error_percent", 2}, BENCH_CHASE_COLUMNS, {NULL, 0}};

static const char *const tables[] = {"none", "a", "b", "c", "d", NULL};
static const char *const measures[] = {"gpu", "cpu", NULL};
static const char *const others[] = {"chase", "stream", NULL};

struct plan {
    uint32_t table;
    bool cpu, stream;              /* the CPU is measured; the other one streams */
    struct bench_list row, column; /* measured and other working sets in MB */
};

/* ---- options ------------------------------------------------------------- */

static enum igpu_status sizes(const struct bench_context *c, const char *name,
                              bool measured, struct bench_list *list,
                              struct igpu_err *err)
{
    uint64_t first = measured ? 1 : 0;

    if (strcmp(bench_text(c, name), "auto") != 0)
        return bench_numbers(c, name, false, first, LARGEST_MB, list, err);
    list->value = calloc(10, sizeof(*list->value));
    if (list->value == NULL)
        return igpu_no_memory(err, "interference cells");
    for (uint64_t mb = first; mb <= 9; mb++)
        list->value[list->count++] = mb;
    return IGPU_OK;
}

static enum igpu_status read_options(const struct bench_context *c, struct plan *p,
                                     struct igpu_err *err)
{
    uint32_t measure = 0, other = 0;
    enum igpu_status status = bench_choice(c, "table", tables, &p->table, err);

    if (status == IGPU_OK)
        status = bench_choice(c, "measure", measures, &measure, err);
    if (status == IGPU_OK)
        status = bench_choice(c, "other", others, &other, err);
    p->cpu = p->table == 0 ? measure == 1 : p->table >= 3;
    p->stream = p->table == 0 ? other == 1 : p->table % 2 == 0;
    if (status == IGPU_OK)
        status = sizes(c, p->cpu ? "cpu-ws" : "gpu-ws", true, &p->row, err);
    if (status == IGPU_OK)
        status = sizes(c, p->cpu ? "gpu-ws" : "cpu-ws", false, &p->column, err);
    return status;
}

/* ---- simulations --------------------------------------------------------- */

static uint64_t lines_of(uint64_t mb)
{
    return mb << 14;
}

static void set_cpu(struct bench_sim *sim, bool stream, uint64_t mb)
{
    if (mb == 0)
        return;
    bench_sim_set(sim, "cpu.agent=%d", stream ? 2 : 1);
    bench_sim_set(sim, "cpu.ws=%llu", (unsigned long long)(mb << 20));
}

/* Three launches: the GPU's stream alone, the same while the CPU's agent comes into
 * balance with it, and measured. Loads of each work-item, a word each, for `lines`
 * lines. */
static uint64_t stream_loads(uint64_t lines)
{
    return (lines * LINE_WORDS / STREAM_ITEMS / STREAM_UNROLL + 1) * STREAM_UNROLL;
}

static void stream_sim(struct bench_sim *sim, uint64_t gpu_mb)
{
    sim->file = "bandwidth.cl";
    sim->kernel = "circulate";
    (void)strcpy(sim->options, "-DV=uint");
    sim->global = STREAM_ITEMS;
    sim->local = 32;
    sim->repeat = 3;
    bench_sim_set(sim, "cpu.start=2");
    bench_sim_arg(sim, "buf:%lluM", (unsigned long long)gpu_mb);
    bench_sim_arg(sim, "buf:%d", STREAM_ITEMS * 4);
    bench_sim_arg(sim, "u32:%llu",
                  (unsigned long long)stream_loads(STREAM_LAPS * lines_of(gpu_mb)));
    bench_sim_arg(sim, "u32:%llu", (unsigned long long)(gpu_mb << 18));
    sim->again_arg = 2;
    (void)snprintf(sim->again, sizeof(sim->again), "u32:%llu",
                   (unsigned long long)stream_loads(STREAM_LINES));
}

/* Launches: the GPU's lap alone, some in which both come into balance, the measured
 * one. */
static void chase_sim(struct bench_sim *sim, uint64_t gpu_mb, bool stream)
{
    bench_chase_on_sim(sim, gpu_mb << 20, lines_of(gpu_mb),
                       1 + (stream ? 1 : BALANCE_LAUNCHES),
                       stream ? BESIDE_STREAM_STEPS : MEASURED_STEPS);
    bench_sim_set(sim, "cpu.start=2");
}

static void make_sim(const struct bench_context *c, const void *plan, uint32_t i,
                     struct bench_sim *sim)
{
    const struct plan *p = plan;
    uint64_t row = p->row.value[i / p->column.count];
    uint64_t column = p->column.value[i % p->column.count];
    uint64_t gpu = p->cpu ? column : row, cpu = p->cpu ? row : column;

    (void)c;
    if (gpu == 0) {
        bench_chase_alone(sim, cpu << 20, lines_of(cpu), lines_of(cpu));
        return;
    }
    if (p->cpu && p->stream)
        stream_sim(sim, gpu);
    else
        chase_sim(sim, gpu, p->stream);
    set_cpu(sim, !p->cpu && p->stream, cpu);
}

/* ---- results ------------------------------------------------------------- */

static double published(const struct bench_context *c, const struct plan *p,
                        uint64_t row, uint64_t column)
{
    char table = (char)((p->cpu ? 'c' : 'a') + (p->stream ? 1 : 0));

    return strcmp(c->config.name, "skl-gt2") == 0 ? published_cell(table, row, column)
                                                  : NAN;
}

static void fill_row(const struct bench_context *c, const void *plan,
                     const struct bench_sim *sim, struct bench_table *t, uint32_t i)
{
    const struct plan *p = plan;
    uint64_t row = p->row.value[i / p->column.count];
    uint64_t column = p->column.value[i % p->column.count];
    double known = published(c, p, row, column);
    double ns = p->cpu ? bench_chase_cpu_ns(sim)
                       : bench_sim_value(sim, "time_ns") /
                             (p->stream ? BESIDE_STREAM_STEPS : MEASURED_STEPS);

    bench_table_word(t, i, "measured", p->cpu ? "cpu" : "gpu");
    bench_table_word(t, i, "other", column == 0 ? "none" : others[p->stream]);
    bench_table_set(t, i, "gpu_ws_mb", (double)(p->cpu ? column : row));
    bench_table_set(t, i, "cpu_ws_mb", (double)(p->cpu ? row : column));
    bench_table_set(t, i, "ns", ns);
    bench_table_set(t, i, "published_ns", known);
    bench_table_set(t, i, "error_percent", published_error(ns, known));
    bench_chase_served(c, sim, t, i);
}

static enum igpu_status interference_run(const struct bench_context *c,
                                         struct bench_table *t, struct igpu_err *err)
{
    struct plan p = {0};
    enum igpu_status status = read_options(c, &p, err);

    if (status == IGPU_OK)
        status = bench_measure(c, &p, p.row.count * p.column.count, t, err);
    free(p.row.value);
    free(p.column.value);
    return status;
}

const struct bench bench_interference = {
    .name = "interference",
    .text = "access time of GPU or CPU while the other works in the same LLC",
    .options = options,
    .columns = columns,
    .run = interference_run,
    .make = make_sim,
    .fill = fill_row};

/* flops.c - `igpu bench flops`: arithmetic throughput against work-groups. A work-item
 * runs dependent steps of one operation (traces/kernels/mad.cl, ops.cl); the rate is
 * the kernel's own operations, a mad counting two, over the launch's whole time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/bench/bench.h"

enum { TURN_STEPS = 64, STRAIGHT_STEPS = 1024 }; /* as in the kernels' heads */

static const struct bench_option options[] = {
    {"work-groups", "LIST", "1,12,24..336:24,97,121,145,169", "work-groups"},
    {"work-items", "N", "32", "work-items of a group"},
    {"type", "TYPE", "sp", "sp, dp, hp (half) or int"},
    {"op", "OP", "mad", "add, sub, mul, div or mad"},
    {"vector", "N", "1", "elements of the vector type: 1, 2, 4, 8 or 16"},
    {"variant", "V", "loop",
     "loop, unrolled, private or independent (the last three: mad of vector 1)"},
    {"loops", "N", "32", "turns of 64 steps for each work-item"},
    {"simd", "N", "32", "sub-group size to compile for: 8, 16 or 32"},
    {NULL, NULL, NULL, NULL}};

static const struct bench_column columns[] = {
    {"work_groups", 0}, {"gflops", 2},
    {"peak_gflops", 1}, {"of_peak_percent", 2},
    {"cycles", 0},      {"flop_per_cycle", 2},
    {NULL, 0}};

static const char *const types[] = {"sp", "dp", "hp", "int", NULL};
static const char *const ops[] = {"mad", "add", "sub", "mul", "div", NULL};
static const char *const variants[] = {"loop", "unrolled", "private", "independent",
                                       NULL};
enum { SP, DP, HP, INT };

struct plan {
    uint32_t type, op, variant;
    uint64_t items, vector, loops, simd;
    char kernel[32];
    struct bench_list groups;
};

static enum igpu_status read_options(const struct bench_context *c, struct plan *p,
                                     struct igpu_err *err)
{
    enum igpu_status status = bench_choice(c, "type", types, &p->type, err);

    if (status == IGPU_OK)
        status = bench_choice(c, "op", ops, &p->op, err);
    if (status == IGPU_OK)
        status = bench_choice(c, "variant", variants, &p->variant, err);
    if (status == IGPU_OK)
        status = bench_number(c, "work-items", 1, 256, &p->items, err);
    if (status == IGPU_OK)
        status = bench_number(c, "vector", 1, 16, &p->vector, err);
    if (status == IGPU_OK)
        status = bench_number(c, "loops", 1, 1000000, &p->loops, err);
    if (status == IGPU_OK)
        status = bench_number(c, "simd", 8, 32, &p->simd, err);
    if (status != IGPU_OK)
        return status;
    if ((p->vector & (p->vector - 1)) != 0 || (p->simd & (p->simd - 1)) != 0)
        return igpu_fail(err, IGPU_USAGE, "--vector and --simd are powers of two");
    if (p->op != 0 && p->type != SP && p->type != DP)
        return igpu_fail(err, IGPU_USAGE, "--op %s is there for --type sp and dp",
                         ops[p->op]);
    if (p->variant != 0 && (p->op != 0 || p->vector != 1))
        return igpu_fail(err, IGPU_USAGE,
                         "--variant %s is there for --op mad and --vector 1",
                         variants[p->variant]);
    return IGPU_OK;
}

static void name_kernel(struct plan *p)
{
    static const char *const endings[] = {"", "_unrolled", "_private", "_ind"};
    char vector[8] = "";

    if (p->vector > 1)
        (void)snprintf(vector, sizeof(vector), "_v%u", (unsigned)p->vector);
    (void)snprintf(p->kernel, sizeof(p->kernel), "%s_%s%s%s", ops[p->op],
                   types[p->type], vector, endings[p->variant]);
}

static bool is_div(const struct plan *p)
{
    return strcmp(ops[p->op], "div") == 0;
}

/* Operations of one work-item. */
static double operations(const struct plan *p)
{
    double steps = TURN_STEPS;

    if (is_div(p)) /* 7 / N vector steps a turn, one at least */
        steps = (double)p->vector * (p->vector > 7 ? 1 : (double)(7 / p->vector));
    steps *= (double)p->loops;
    if (p->variant == 1)
        steps = STRAIGHT_STEPS;
    return p->op == 0 ? 2 * steps : steps;
}

static void make_sim(const struct bench_context *c, const void *plan, uint32_t i,
                     struct bench_sim *sim)
{
    static const unsigned bytes[] = {4, 8, 2, 4};
    static const char *const factor[] = {"f32:0.9990234375", "f64:0.9990234375",
                                         "f16:0.9990234375", "i32:3"};
    const struct plan *p = plan;
    uint64_t chains = p->variant > 1 ? 8 : p->vector;

    (void)c;
    sim->file = p->op == 0 ? "mad.cl" : "ops.cl";
    sim->kernel = p->kernel;
    (void)snprintf(sim->options, sizeof(sim->options), "-DSIMD=%u%s", (unsigned)p->simd,
                   p->op != 0 && p->type == DP ? " -DDOUBLE" : "");
    sim->global = p->groups.value[i] * p->items;
    sim->local = p->items;
    sim->repeat = 1;
    bench_sim_arg(sim, "buf:%llu",
                  (unsigned long long)(sim->global * chains * bytes[p->type]));
    bench_sim_arg(sim, "i32:%u", (unsigned)p->loops);
    bench_sim_arg(sim, "%s", factor[p->type]);
    if (p->op == 0)
        bench_sim_arg(sim, "%s", factor[p->type]);
}

/* FLOP a cycle and EU: two FPUs of four lanes, a mad two operations; double precision
 * a quarter, half twice, a 32 x 32 integer mad a third. */
static double peak_per_eu(const struct plan *p)
{
    static const double share[] = {1, 0.25, 2, 1.0 / 3};

    return (p->op == 0 ? 16 : 8) * share[p->type];
}

static void fill_row(const struct bench_context *c, const void *plan,
                     const struct bench_sim *sim, struct bench_table *t, uint32_t i)
{
    const struct plan *p = plan;
    double ghz = (double)c->config.gpu_clock_hz / 1e9;
    double eus = (double)(c->config.gpu_subslices * c->config.eu_count);
    double cycles = bench_sim_value(sim, "cycles");
    double rate = operations(p) * (double)sim->global / cycles;

    bench_table_set(t, i, "work_groups", (double)p->groups.value[i]);
    bench_table_set(t, i, "gflops", rate * ghz);
    bench_table_set(t, i, "cycles", cycles);
    bench_table_set(t, i, "flop_per_cycle", rate);
    if (is_div(p)) /* an expansion of many instructions: no peak of its own */
        return;
    bench_table_set(t, i, "peak_gflops", eus * peak_per_eu(p) * ghz);
    bench_table_set(t, i, "of_peak_percent", 100 * rate / (eus * peak_per_eu(p)));
}

static enum igpu_status flops_run(const struct bench_context *c, struct bench_table *t,
                                  struct igpu_err *err)
{
    struct plan p = {0};
    enum igpu_status status = read_options(c, &p, err);

    if (status == IGPU_OK)
        status = bench_numbers(c, "work-groups", false, 1, 65536, &p.groups, err);
    if (status == IGPU_OK) {
        name_kernel(&p);
        status = bench_measure(c, &p, p.groups.count, t, err);
    }
    free(p.groups.value);
    return status;
}

const struct bench bench_flops = {.name = "flops",
                                  .text = "arithmetic throughput against work-groups",
                                  .options = options,
                                  .columns = columns,
                                  .run = flops_run,
                                  .make = make_sim,
                                  .fill = fill_row};

/* bench_arith.c - see bench_arith.h. */
#include "bridge/programs/bench/bench_arith.h"

#include <stdio.h>
#include <stdlib.h>

enum { CHAINS = 8 }; /* elements side by side in the private array, at least */

static const char *const ops[] = {"mad", "add", "sub", "mul", "div", NULL};
static const char *const types[] = {"single", "double", "half", "int", NULL};
static const char *const variants[] = {
    "loop", "single", "unrolled32", "unrolled64", "unrolled128", "private", NULL};
enum { LOOP, SINGLE_STEP, UNROLLED32, UNROLLED64, UNROLLED128, PRIVATE };

static enum igpu_status read_vectors(const struct bench_context *c, struct arith *a,
                                     struct igpu_err *err)
{
    enum igpu_status status = bench_numbers(c, "vector", true, 1, 16, &a->vector, err);

    for (uint32_t i = 0; status == IGPU_OK && i < a->vector.count; i++)
        if ((a->vector.value[i] & (a->vector.value[i] - 1)) != 0)
            status = igpu_fail(err, IGPU_USAGE, "--vector: powers of two, 1 to 16");
    return status;
}

enum igpu_status arith_read(const struct bench_context *c, struct arith *a,
                            const char *groups, struct igpu_err *err)
{
    enum igpu_status status = bench_choice(c, "op", ops, &a->op, err);

    if (status == IGPU_OK)
        status = bench_choice(c, "type", types, &a->type, err);
    if (status == IGPU_OK)
        status = bench_choice(c, "variant", variants, &a->variant, err);
    if (status == IGPU_OK)
        status = bench_number(c, "work-items", 8, 256, &a->items, err);
    if (status == IGPU_OK)
        status = bench_number(c, "loops", 128, 100000000, &a->loops, err);
    if (status == IGPU_OK)
        status = bench_number(c, "launches", 2, 100, &a->launches, err);
    if (status == IGPU_OK)
        status = bench_number(c, "seed", 0, 1000000, &a->seed, err);
    if (status == IGPU_OK)
        status = read_vectors(c, a, err);
    return status == IGPU_OK
               ? bench_numbers(c, groups, false, 1, 65536, &a->groups, err)
               : status;
}

void arith_free(struct arith *a)
{
    free(a->vector.value);
    free(a->groups.value);
}

const char *arith_name(const struct arith *a, uint64_t vector)
{
    static char name[5][48]; /* a table's words point here until it is written */
    static const char *const shape[] = {"scalar", "vect2", "vect4", "vect8", "vect16"};
    int i = __builtin_ctzll(vector);

    (void)snprintf(name[i], sizeof(name[i]), "%s_%s_%s_%s", ops[a->op], types[a->type],
                   shape[i], variants[a->variant]);
    return name[i];
}

/* Vectors of the private array. */
static uint64_t chains(const struct arith *a, uint64_t vector)
{
    return a->variant == PRIVATE && vector < CHAINS ? CHAINS / vector : 1;
}

/* Steps in a turn of the loop, over all chains. A division's expansion is long; and
 * twice a / x would be x. */
static uint64_t turn(const struct arith *a, uint64_t vector)
{
    static const uint64_t unrolled[] = {1, 1, 32, 64, 128, 64};

    if (a->op == ARITH_DIV)
        return a->variant == LOOP ? 1 : 3 * chains(a, vector);
    return unrolled[a->variant];
}

static uint64_t turns(const struct arith *a, uint64_t vector)
{
    uint64_t steps = turn(a, vector) * vector;

    return a->variant == SINGLE_STEP ? 1 : (a->loops + steps - 1) / steps;
}

double arith_operations(const struct arith *a, uint64_t vector, uint64_t groups)
{
    double steps = (double)(turns(a, vector) * turn(a, vector));

    return (a->op == ARITH_MAD ? 2 : 1) * steps * (double)(vector * groups * a->items);
}

void arith_sim(const struct arith *a, uint64_t vector, uint64_t groups,
               struct bench_sim *sim)
{
    static const char *const names[] = {"float", "double", "half", "int"};
    static const char *const defines[] = {"OP_MAD", "OP_ADD", "OP_SUB", "OP_MUL",
                                          "OP_DIV"};
    static const char *const inits[] = {"randf32:1", "randf64:1", "randf16:1", "iota"};
    static const char *const factors[] = {"f32:0.9990234375", "f64:0.9990234375",
                                          "f16:0.9990234375", "i32:3"};
    static const unsigned bytes[] = {4, 8, 2, 4};
    char steps[32] = "-DSINGLE";

    if (a->variant != SINGLE_STEP)
        (void)snprintf(steps, sizeof(steps), "-DSTEPS=%u%s", (unsigned)turn(a, vector),
                       a->variant == PRIVATE ? " -DPRIVATE" : "");
    sim->file = "arith.cl";
    sim->kernel = "arith";
    (void)snprintf(sim->options, sizeof(sim->options), "-DT=%s -DN=%u -D%s %s%s%s",
                   names[a->type], (unsigned)vector, defines[a->op], steps,
                   a->type == ARITH_DOUBLE ? " -DPER_LANE" : "",
                   a->type == ARITH_INT ? " -DINTEGER" : "");
    sim->global = groups * a->items;
    sim->local = a->items;
    sim->repeat = (uint32_t)a->launches;
    sim->energy = true;
    bench_sim_arg(sim, "buf:%llu:%s",
                  (unsigned long long)(sim->global * vector * bytes[a->type]),
                  inits[a->type]);
    bench_sim_arg(sim, "i32:%u", (unsigned)turns(a, vector));
    bench_sim_arg(sim, "%s", factors[a->type]);
    bench_sim_arg(sim, "%s", factors[a->type]);
}

double arith_peak(const struct arith *a, const struct igpu_config *config)
{
    static const double share[] = {1, 0.25, 2, 1}; /* of single precision */
    double eus = (double)(config->gpu_subslices * config->eu_count), part;

    if (a->op == ARITH_DIV)
        return 0;
    part = share[a->type];
    if (a->type == ARITH_INT && a->op == ARITH_MUL)
        part = 0.5; /* a 32 x 32 multiply takes two passes */
    if (a->type == ARITH_INT && a->op == ARITH_MAD)
        part = 1.0 / 3; /* and the addition a third */
    return eus * (a->op == ARITH_MAD ? 16 : 8) * part;
}

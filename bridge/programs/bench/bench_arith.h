/* bench_arith.h - what the groups flop and power share: one operation on one type, by
 * vector type and variant (traces/kernels/arith.cl). */
#ifndef BRIDGE_BENCH_ARITH_H
#define BRIDGE_BENCH_ARITH_H
#include "bridge/programs/bench/bench.h"

enum arith_op { ARITH_MAD, ARITH_ADD, ARITH_SUB, ARITH_MUL, ARITH_DIV };
enum arith_type { ARITH_SINGLE, ARITH_DOUBLE, ARITH_HALF, ARITH_INT };

struct arith {
    uint32_t op, type, variant;
    uint64_t items, loops, launches, seed;
    struct bench_list vector, groups;
};

/* The options that both have, for a table of options. */
#define ARITH_OPTIONS                                                                  \
    {"op", "OP", "mad", "add, sub, mul, div or mad"},                                  \
        {"type", "TYPE", "single", "single, double, half or int"},                     \
        {"vector", "LIST", "1..16", "elements of the vector type; A..B doubles"},      \
        {"variant", "V", "loop",                                                       \
         "single, loop, unrolled32, unrolled64, unrolled128 or private"},              \
        {"work-items", "N", "256", "work-items of a group"},                           \
        {"loops", "N", "4096", "steps of a work-item, over its vector's elements"},    \
        {"launches", "N", "3", "launches; the first warms up and does not count"},     \
    {                                                                                  \
        "seed", "N", "1", "when the first reading of the energy counters begins"       \
    }

enum igpu_status arith_read(const struct bench_context *c, struct arith *a,
                            const char *groups, struct igpu_err *err);
void arith_free(struct arith *a);

/* "mad_single_vect4_private", as in paper 2; scalar for one element. Stays the
 * program's, until a name of the same vector type is asked for. */
const char *arith_name(const struct arith *a, uint64_t vector);
/* Fill *sim: `groups` work-groups of that vector type. */
void arith_sim(const struct arith *a, uint64_t vector, uint64_t groups,
               struct bench_sim *sim);
/* Operations of a launch; a mad is two. */
double arith_operations(const struct arith *a, uint64_t vector, uint64_t groups);
/* FLOP (or integer operations) a cycle that the EUs can do; 0: not one operation. */
double arith_peak(const struct arith *a, const struct igpu_config *config);
#endif

/* array_pairs.h - a shape of the EU pipelines as an engine, and a pair of it and the C
 * reference, for the tests that compare both on random cases. */
#ifndef COSIM_ARRAY_PAIRS_H
#define COSIM_ARRAY_PAIRS_H
#include "bridge/engines/rtl/engine_array.h"
#include "igpu/ref.h"
#include "random_run.h"

/* The engine ops_NAME, on the class behind array_NAME(). */
#define SHAPE(shape)                                                                   \
    static enum igpu_status make_##shape(                                              \
        void **engine, const struct igpu_config *config,                               \
        const struct host_calls *calls, struct igpu_err *err)                          \
    {                                                                                  \
        struct array_ports ports;                                                      \
                                                                                       \
        array_##shape(&ports);                                                         \
        return array_engine_create(engine, &ports, config, calls, err);                \
    }                                                                                  \
    static const struct host_engine_ops ops_##shape =                                  \
        ARRAY_ENGINE_OPS(#shape, make_##shape)

/* Cycles of a case: a few cases have most of the cycles. */
enum { BUDGET = 15000 };

#define PAIR(shape, tiles_, eus_, every_)                                              \
    {                                                                                  \
        .name = "ref-" #shape, .a = {"the reference", &host_engine_ref, 0, true},      \
        .b = {"pipelines x contexts " #shape, &ops_##shape, 0, false},                 \
        .every = every_, .subslices = tiles_, .eus = eus_, .budget = BUDGET            \
    }
/* ... of seed 1 these cases. */
#define PAIR_CHOSEN(shape, tiles_, eus_, every_, chosen_)                              \
    {                                                                                  \
        .name = "ref-" #shape, .a = {"the reference", &host_engine_ref, 0, true},      \
        .b = {"pipelines x contexts " #shape, &ops_##shape, 0, false},                 \
        .every = every_, .long_every = every_, .subslices = tiles_, .eus = eus_,       \
        .budget = BUDGET, .chosen = chosen_                                            \
    }
/* ... with IGPU_LONG=1 one case in long_every_; without, in commits of that turn of
 * three. */
#define PAIR_TURN(shape, tiles_, eus_, every_, long_every_, turn_)                     \
    {                                                                                  \
        .name = "ref-" #shape, .a = {"the reference", &host_engine_ref, 0, true},      \
        .b = {"pipelines x contexts " #shape, &ops_##shape, 0, false},                 \
        .every = every_, .long_every = long_every_, .subslices = tiles_, .eus = eus_,  \
        .budget = BUDGET, .turns = 3, .turn = turn_                                    \
    }
#endif

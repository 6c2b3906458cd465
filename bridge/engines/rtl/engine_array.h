/* engine_array.h - the EU pipelines (rtl/igpu_array.v) behind host.h, in the shapes
 * that are Verilated for ./Vigpu, and in whatever shape a test Verilates. */
#ifndef IGPU_ENGINE_ARRAY_H
#define IGPU_ENGINE_ARRAY_H
#include "bridge/engines/rtl/array_ports.h"
#include "igpu/host.h"

/* --engine array: in the simulator's shell, a pipeline for each 3 subslices.
 * --engine pipe, pipe:3x8: up to 3 subslices in the hardware's shell, as on a board:
 * one pipeline, or one for each subslice. */
extern const struct host_engine_ops host_engine_array;
extern const struct host_engine_ops host_engine_pipe, host_engine_pipe_3x8;

/* An engine around *ports (copied; its model is the engine's from then on, and freed on
 * failure too). IGPU_USAGE: *config needs more than was built. */
enum igpu_status array_engine_create(void **engine, const struct array_ports *ports,
                                     const struct igpu_config *config,
                                     const struct host_calls *calls,
                                     struct igpu_err *err);

/* struct host_engine_ops of one shape, with the function that makes it; the others are
 * as host.h says. */
#define ARRAY_ENGINE_OPS(name, create)                                                 \
    {                                                                                  \
        name, create, array_engine_destroy, array_engine_load, array_engine_launch,    \
            array_engine_done, array_engine_run, array_engine_next_event,              \
            array_engine_skip, array_engine_over, array_engine_count, false, false,    \
            NULL, NULL                                                                 \
    }
void array_engine_destroy(void *engine);
enum igpu_status array_engine_load(void *engine, const struct uop *uops, uint32_t count,
                                   struct igpu_err *err);
void array_engine_launch(void *engine, const struct host_launch *launch);
void array_engine_done(void *engine, const struct host_done *done);
void array_engine_run(void *engine, uint64_t until);
uint64_t array_engine_next_event(void *engine);
void array_engine_count(void *engine, unsigned tile, unsigned eu,
                        struct host_counts *counts);
void array_engine_skip(void *engine, uint64_t cycle);
bool array_engine_over(void *engine, uint64_t *end);
#endif

/* windows.h - a simulation of some windows of a launch, one behind the other, with the
 * caches that the groups between them leave (docs/guide/sampling.md, section 2). */
#ifndef IGPU_SAMPLE_WINDOWS_H
#define IGPU_SAMPLE_WINDOWS_H
#include "bridge/host/sample/machine.h"
#include "bridge/host/sample/waits.h"

enum { WINDOWS_MOST = MEASURE_MOST };

struct windows {
    struct machine *m;
    uint32_t launch;
    struct sample_shape shape;
    bool cold;           /* the launch finds empty caches */
    const uint64_t *sum; /* of the launch: instructions before each group */
    struct warm *warm;
    /* In the order of their simulation. */
    uint32_t count;
    struct sample_window window[WINDOWS_MOST];
    /* Asked when nearly all threads are open; true: it has put windows behind the
     * others. NULL: not. */
    bool (*more)(void *ctx);
    void *more_ctx;
    uint32_t begun;         /* windows with which the simulation began */
    struct measure measure; /* what each took, once they are simulated */
    struct waits waits;     /* with m->profile, of all simulations so far */
    /* The rest is its own affair. */
    struct mem_system *mem;
    struct feeder_part part[WINDOWS_MOST];
    enum igpu_status status; /* of walks */
    struct igpu_err err;
};

/* Instructions of groups. */
uint64_t windows_instructions(const struct windows *w, uint64_t first, uint64_t groups);
/* While they are simulated: what each would have taken had the measured threads that
 * still run cost, an instruction, what those cost that have ended. */
enum igpu_status windows_so_far(struct windows *w, struct measure *m,
                                struct igpu_err *err);
/* Simulate them, in *mem, which has the caches of the launch's begin: r's stats,
 * threads and instructions; *next: the cycle behind. */
enum igpu_status windows_run(struct windows *w, struct mem_system *mem,
                             struct machine_result *r, uint64_t *next,
                             struct igpu_err *err);
#endif

/* measure.h - what the windows of a launch took, while they are simulated one behind
 * the other as one launch, and what follows for all of it (docs/guide/sampling.md,
 * section 3).
 *
 * While the device is full, a launch takes the cycles that its threads are on it,
 * divided by how many are on it at a time. So what was left out of a stratum takes, a
 * thread instruction, what the measured threads of its window took. */
#ifndef IGPU_SAMPLE_MEASURE_H
#define IGPU_SAMPLE_MEASURE_H
#include "bridge/host/sample/plan.h"
#include "bridge/host/sim/sim.h"

/* Of a window, sums over threads. */
struct measure_window {
    uint64_t threads, lead_threads;
    uint64_t instructions;      /* of the measured threads; 0: it does not count */
    uint64_t rest_instructions; /* of what its stratum leaves out */
    uint64_t resident; /* cycles that the measured threads were on the device */
    uint64_t
        wait[PROFILE_REASONS]; /* of these, with a profile, those that they waited */
};

struct measure {
    const struct sim *sim; /* set once it is made */
    uint32_t windows;
    struct measure_window window[SAMPLE_MOST_STRATA + 3];
    /* Called before window i's first thread is opened; NULL: not. */
    void (*before)(void *ctx, uint32_t i);
    void *before_ctx;
    /* The rest is its own affair. */
    uint32_t next;
    uint64_t next_thread, measured_from;
    uint16_t place[HOST_MAX_TILES][HOST_EUS][HOST_SLOTS]; /* 0: not measured */
    uint64_t since[HOST_MAX_TILES][HOST_EUS][HOST_SLOTS];
    uint64_t open, at,
        sum; /* threads on the device, since `at`; over cycles until then */
    struct {
        uint64_t cycle, sum;
    } full, last; /* when the first thread ended; at the last dispatch */
};

/* The launch's cycles in all, and half of their interval: the statistics' part with 95
 * % confidence, and what is allowed for what windows cannot show. */
struct estimate {
    double cycles, statistical, allowed;
    double fades;     /* of what is allowed, what more windows make less */
    double trend;     /* of the windows' costs: second half less first, by the mean */
    double rest;      /* of the cycles, what was not simulated */
    double at_a_time; /* threads on the device */
};

/* Fill in windows, threads, lead_threads, instructions, rest_instructions, before; for
 * a sim over the windows' threads. */
struct sim_watch measure_watch(struct measure *m);
/* The simulation is over and took `cycles`. Windows that do not count are taken for
 * what the nearest on both sides show; at least two count. */
struct estimate measure_estimate(const struct measure *m, uint64_t cycles);

/* Thread-cycles by reason of what windows leave out, and half of each one's interval.
 */
void measure_waits(const struct measure *m, double rest[PROFILE_REASONS],
                   double half[PROFILE_REASONS]);

/* Thread-cycles an instruction of the measured threads; 0: there are none. */
double measure_cost(const struct measure_window *w);

/* By how many strata that would have done for the error are more than these, which have
 * shown *e; what fades is not asked. */
uint32_t measure_more_strata(const struct estimate *e, double error, uint32_t strata);

/* Half of the interval of a mean with 95 % confidence, in standard errors. */
double measure_student(double degrees);
/* Degrees of freedom of a standard error that is made of the changes from each of so
 * many windows to the next; at least 2. */
double measure_degrees(uint32_t windows);
#endif

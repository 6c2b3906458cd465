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

enum { MEASURE_MOST = SAMPLE_MOST_STRATA + 32 };

/* Of a window, sums over threads. */
struct measure_window {
    uint64_t threads, lead_threads;
    uint64_t instructions;      /* of the measured threads; 0: it does not count */
    uint64_t rest_instructions; /* of what its stratum leaves out */
    uint64_t resident; /* cycles that the measured threads were on the device */
    uint64_t opened;   /* cycle in which the last one was opened that has been */
    uint64_t
        wait[PROFILE_REASONS]; /* of these, with a profile, those that they waited */
};

struct measure {
    struct sim *sim; /* set once it is made; for near_end */
    uint32_t windows;
    struct measure_window window[MEASURE_MOST];
    /* Called in the cycle in which window i's first thread is opened, to which the
     * memory side has come; NULL: not. */
    void (*before)(void *ctx, uint32_t i);
    /* Called at the open that leaves no more than `left` of `threads` to be opened, if
     * `left` is not 0 then; it may add windows behind the others, and ask again. */
    void (*near_end)(void *ctx, struct sim *sim);
    uint64_t threads, left;
    bool asks;
    void *ctx; /* of both */
    /* The rest is its own affair. */
    uint32_t next;
    uint64_t next_thread, measured_from, begun;
    uint16_t place[HOST_MAX_TILES][HOST_EUS][HOST_SLOTS]; /* 0: not measured */
    uint32_t thread[HOST_MAX_TILES][HOST_EUS][HOST_SLOTS];
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
    uint32_t count;   /* windows that count */
    double scatter;   /* standard error by the statistics */
    double fades;     /* of what is allowed, what more windows make less */
    double trend;     /* of the windows' costs: second half less first, by the mean */
    double rest;      /* of the cycles, what was not simulated */
    double at_a_time; /* threads on the device */
};

/* Fill in windows, threads, lead_threads, instructions, rest_instructions, before,
 * near_end; for a sim over the windows' threads. */
struct sim_threads measure_threads(struct measure *m);
/* Is a measured thread in that slot? *thread gets its number, *window its window's. */
bool measure_runs(const struct measure *m, unsigned tile, unsigned eu, unsigned slot,
                  uint32_t *thread, uint32_t *window);
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

/* Windows are added until the interval is small enough, which it is the sooner the more
 * the scatter is underestimated: from the second look on it is wider by this factor,
 * with which it holds as often as at the first one's, whatever the scatter
 * (tests/perf/sampling/intervals.py). */
#define MEASURE_AGAIN 1.08
/* How many windows have to be added to those that count, which have shown *e, so that
 * the next look should find the interval small enough: 1 or more, at most seven times
 * as many as they are. What fades is not asked. */
uint32_t measure_more(const struct estimate *e, double error);

/* Half of the interval of a mean with 95 % confidence, in standard errors. */
double measure_student(double degrees);
/* Degrees of freedom of a standard error that is made of the changes from each of so
 * many windows to the next; at least 2. */
double measure_degrees(uint32_t windows);
#endif

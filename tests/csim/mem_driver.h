/* mem_driver.h - drives the memory side as the engines do: windows, messages in
 * (cycle, subslice) order, and closed-loop threads that mimic a pointer chase. */
#ifndef TEST_MEM_DRIVER_H
#define TEST_MEM_DRIVER_H
#include "igpu/mem.h"
#include "igpu/mem_stats.h"

/* Threads that each repeat: `alu` cycles, one message of one lane, its answer. The
 * step's time is that of the whole loop. */
struct drive_chase {
    uint64_t region_bytes; /* each thread's own cycle of 64 B lines */
    uint32_t threads;      /* round-robin over subslices, then EUs */
    uint32_t alu;          /* cycles from an answer to the next grant */
    uint64_t steps;        /* measured, of each thread, after one lap */
    uint64_t lap_most;     /* steps of that lap at most; 0: all */
    uint64_t seed;
    uint64_t window; /* of the driver; 0: the largest */
};

struct drive_result {
    uint64_t cycles;   /* of the measured steps, until the last thread is through */
    double step_ns;    /* mean of all threads */
    uint64_t messages; /* in all */
    struct mem_stats stats;
};

/* Run *chase on a new memory side of *config; fails the test on any error. */
void drive_chase(const struct igpu_config *config, const struct drive_chase *chase,
                 struct drive_result *result);

/* Messages in ascending (cycle, subslice) order sent to `mem` in windows; completions
 * go to done[] (room for count) in the order in which they were taken. Runs until all
 * are answered; msg[0].cycle is behind the end of the run before. */
void drive_messages(struct mem_system *mem, const struct igpu_config *config,
                    const struct mem_msg *msg, uint32_t count, struct mem_done *done);

/* A message with one lane at addr, from EU 0 slot 0. */
struct mem_msg drive_read(uint64_t cycle, uint64_t addr);
#endif

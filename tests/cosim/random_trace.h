/* random_trace.h - constrained-random cases for any two engines behind
 * csim/include/igpu/host.h: a configuration, kernels, launches, what each thread
 * executes, and how the memory side behaves. A case is a function of its seed. */
#ifndef RANDOM_TRACE_H
#define RANDOM_TRACE_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/host.h"

enum { RT_PATHS = 4, RT_KERNELS = 2, RT_LAUNCHES = 3, RT_MAX_UOPS = 4400 };

/* What a thread executes. */
struct rt_path {
    struct uop_run *run;
    uint32_t runs, capacity;
};

struct rt_kernel {
    struct uop uop[RT_MAX_UOPS];
    uint32_t count;
    bool gates; /* has barrier messages: pinned launches only */
    uint32_t paths;
    struct rt_path path[RT_PATHS];
};

struct rt_launch {
    struct host_launch launch; /* cycle: not set */
    unsigned kernel;           /* index of rt_case.kernel */
    uint64_t salt;             /* chooses each thread's path */
};

/* How the memory side of a case answers. All in cycles. */
struct rt_memory {
    uint64_t min_latency; /* from a message to its DONE, at least 1 */
    uint64_t spread;      /* random time on top: 0..spread */
    uint64_t burst;       /* 0, or answers come in bursts with this period */
    uint64_t stall;       /* one answer in 64 takes so much longer */
};

struct rt_case {
    uint64_t seed;
    bool executes; /* a run behind a branch is known once that has issued */
    struct igpu_config config;
    struct rt_memory memory;
    uint32_t kernels, launches;
    struct rt_kernel kernel[RT_KERNELS];
    struct rt_launch launch[RT_LAUNCHES];
};

/* Build the case of `seed`, with large kernels if `large`; NULL: no memory. */
struct rt_case *rt_case_create(uint64_t seed, bool large);
void rt_case_destroy(struct rt_case *c);
/* Take away what does not fit so many subslices of so many EUs. */
void rt_case_limit(struct rt_case *c, uint64_t subslices, uint64_t eus);

/* The path of `thread` in `launch`. */
const struct rt_path *rt_path(const struct rt_case *c, unsigned launch,
                              uint32_t thread);

/* One line for people into buf. */
void rt_describe(const struct rt_case *c, char *buf, unsigned size);
#endif

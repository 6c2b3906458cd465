/* random_trace.c - see random_trace.h: configuration, launches, paths.
 * Kernels: random_kernel.c */
#include "random_trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "random_kernel.h"
#include "tests/support/rng.h"

/* PIPELINED: units take an instruction a cycle and finish it late, so that as many
 * are in flight as can be. */
enum config_mode { DEFAULTS, ALL_MIN, SMALL, RANDOM, EXTREMES, PIPELINED, MODES };

enum { CASE_INSTRUCTIONS = 24000 /* of all threads of a launch, about */ };

static uint64_t pick_value(struct rng *r, const struct igpu_param_info *p,
                           enum config_mode mode)
{
    uint64_t small = p->max - p->min < 5 ? p->max : p->min + 5;

    switch (mode) {
    case ALL_MIN:
        return p->min;
    case SMALL:
        return rng_in(r, p->min, small);
    case RANDOM:
        return rng_in(r, p->min, p->max);
    case EXTREMES:
        return rng_once_in(r, 2) ? p->min : rng_once_in(r, 3) ? p->max : p->def;
    case PIPELINED:
        if (strncmp(p->key, "eu.", 3) != 0)
            return p->def;
        return strstr(p->key, ".lat") != NULL ? p->max : p->min;
    default:
        return p->def;
    }
}

static void random_structure(struct rng *r, struct igpu_config *c)
{
    static const struct {
        uint64_t subslices, eus;
    } shapes[] = {{1, 1}, {1, 1}, {3, 1}, {1, 3}, {2, 2}, {3, 8}, {6, 8}};
    unsigned i = (unsigned)rng_in(r, 0, sizeof(shapes) / sizeof(shapes[0]));

    if (i < sizeof(shapes) / sizeof(shapes[0])) {
        c->gpu_subslices = shapes[i].subslices;
        c->eu_count = shapes[i].eus;
    } else {
        c->gpu_subslices = rng_in(r, 1, 6);
        c->eu_count = rng_in(r, 1, 8);
    }
    c->gpu_slices = 1;
    c->eu_threads = rng_once_in(r, 3) ? rng_in(r, 1, 7) : 7;
}

static void random_config(struct rng *r, struct igpu_config *c)
{
    enum config_mode mode = (enum config_mode)rng_in(r, 0, MODES - 1);
    size_t count;
    const struct igpu_param_info *p = igpu_params(&count);

    (void)igpu_config_preset(c, "skl-gt2", NULL);
    for (size_t i = 0; i < count; i++) {
        if (p[i].names != NULL)
            continue; /* drawn for each launch */
        if (strncmp(p[i].key, "eu.", 3) == 0 || strncmp(p[i].key, "disp.", 5) == 0 ||
            strncmp(p[i].key, "icache.", 7) == 0 || strcmp(p[i].key, "dp.queue") == 0)
            memcpy((char *)c + p[i].offset, &(uint64_t){pick_value(r, &p[i], mode)},
                   sizeof(uint64_t));
    }
    random_structure(r, c);
    /* No draw, so that the rest of a seed's case is as it was. */
    c->disp_policy = (c->disp_start_latency + c->disp_end_latency) % 3;
    /* Keep a case's cycles bounded, and room for one group at least. */
    if (c->disp_interval > 12)
        c->disp_interval = rng_in(r, 1, 12);
    if (c->disp_launch_cycles > 100)
        c->disp_launch_cycles = rng_in(r, 0, 100);
    if (mode == ALL_MIN) {
        c->disp_barriers = rng_in(r, 1, 16);
        c->disp_slm_kb = rng_in(r, 1, 64);
        if (rng_once_in(r, 2))
            c->dp_queue = rng_in(r, 1, 64);
    }
}

/* Few credits make every message wait for the ones before: then the memory side
 * is quick, to keep a case's cycles bounded. */
static void random_memory(struct rng *r, uint64_t credits, struct rt_memory *m)
{
    static const uint64_t least[] = {1, 1, 2, 5, 30, 120};

    m->min_latency = least[rng_in(r, 0, credits < 8 ? 3 : 5)];
    m->spread = rng_once_in(r, 3) ? 0 : rng_in(r, 0, credits < 8 ? credits : 60);
    m->burst = rng_once_in(r, 3) ? rng_in(r, 2, 4 + 3 * credits) : 0;
    m->stall = rng_once_in(r, 4) ? rng_in(r, 20, 20 + 20 * credits) : 0;
}

/* ---- what a thread executes ---- */

static bool add_run(struct rt_path *p, uint32_t pc, uint32_t len)
{
    return IGPU_APPEND(p->run, p->runs, p->capacity, (struct uop_run){pc, len, 0});
}

/* A piece of the body [0, body): a short or long run, perhaps looped over. */
static bool add_piece(struct rng *r, struct rt_path *p, uint32_t body, uint64_t *left)
{
    static const unsigned kinds[] = {3, 3, 4, 1};
    uint32_t pc = (uint32_t)rng_in(r, 0, body - 1), len = body - pc;
    uint64_t laps = rng_once_in(r, 3) ? rng_in(r, 2, 12) : 1;
    static const uint32_t most[] = {1, 2, 20, UOP_RUN_MAX};
    uint32_t limit = most[rng_weighted(r, kinds, 4)];

    if (len > limit)
        len = (uint32_t)rng_in(r, 1, limit);
    for (; laps > 0 && *left > 0; laps--) {
        if (!add_run(p, pc, len))
            return false;
        *left -= len < *left ? len : *left;
    }
    return true;
}

/* Instructions about `left`, then EOT, the kernel's last instruction. */
static bool random_path(struct rng *r, struct rt_path *p, uint32_t count, uint64_t left)
{
    uint32_t tail = (uint32_t)rng_in(r, 1, count < 6 ? count : 6);

    while (left > 0) {
        if (count == 1 || !add_piece(r, p, count - 1, &left))
            return count == 1 && add_run(p, 0, 1);
    }
    return add_run(p, count - tail, tail);
}

/* ---- launches ---- */

static uint32_t random_threads(struct rng *r, uint32_t slots)
{
    switch (rng_in(r, 0, 5)) {
    case 0:
        return 1;
    case 1:
        return (uint32_t)rng_in(r, 1, 8);
    case 2:
        return slots;
    case 3:
        return slots + 1;
    case 4:
        return (uint32_t)rng_in(r, 1, slots);
    default:
        return (uint32_t)rng_in(r, slots, 3 * slots);
    }
}

static void random_launch(struct rng *r, const struct rt_case *c, struct rt_launch *l)
{
    uint32_t tile_slots = (uint32_t)(c->config.eu_count * c->config.eu_threads);
    uint32_t threads =
        random_threads(r, (uint32_t)c->config.gpu_subslices * tile_slots);
    uint32_t tpg = rng_once_in(r, 4) ? 1 : (uint32_t)rng_in(r, 1, tile_slots);

    l->kernel = (unsigned)rng_in(r, 0, c->kernels - 1);
    l->salt = rng_next(r);
    l->launch.tpg = tpg;
    l->launch.pinned = c->kernel[l->kernel].gates || rng_once_in(r, 3);
    l->launch.slm_kb = 0;
    if (l->launch.pinned) {
        uint64_t most = c->config.disp_slm_kb;

        threads = (threads + tpg - 1) / tpg * tpg;
        if (most >= 4 && rng_once_in(r, 2))
            l->launch.slm_kb =
                (uint8_t)(rng_once_in(r, 2) ? rng_in(r, 4, most)
                                            : rng_in(r, 4, most < 16 ? most : 16));
    }
    l->launch.threads = threads;
}

/* Instructions for each thread of a case that has `threads` in its largest
 * launch. */
static uint64_t thread_instructions(struct rng *r, const struct rt_case *c)
{
    uint64_t threads = 1, most;

    for (unsigned i = 0; i < c->launches; i++) {
        if (c->launch[i].launch.threads > threads)
            threads = c->launch[i].launch.threads;
    }
    most = CASE_INSTRUCTIONS / threads;
    return rng_in(r, 0, most < 10 ? 10 : most > 250 ? 250 : most);
}

static bool random_paths(struct rng *r, struct rt_case *c)
{
    for (unsigned k = 0; k < c->kernels; k++) {
        struct rt_kernel *kernel = &c->kernel[k];

        kernel->paths = (uint32_t)rng_in(r, 1, RT_PATHS);
        for (unsigned i = 0; i < kernel->paths; i++) {
            if (!random_path(r, &kernel->path[i], kernel->count,
                             thread_instructions(r, c)))
                return false;
        }
    }
    return true;
}

/* By a sequence of its own, so that the rest of a seed's case does not depend on it. */
static void random_arbiters(struct rt_case *c)
{
    struct rng r = {.state = rng_mix(c->seed)};

    for (unsigned i = 0; i < c->launches; i++)
        c->launch[i].launch.oldest = rng_once_in(&r, 3);
}

struct rt_case *rt_case_create(uint64_t seed, bool large)
{
    struct rng r = {.state = seed};
    struct rt_case *c = calloc(1, sizeof(*c));

    if (c == NULL)
        return NULL;
    c->seed = seed;
    random_config(&r, &c->config);
    random_memory(&r, c->config.dp_queue, &c->memory);
    c->kernels = (uint32_t)rng_in(&r, 1, RT_KERNELS);
    for (unsigned i = 0; i < c->kernels; i++)
        random_kernel(&r, &c->kernel[i], large);
    c->launches = (uint32_t)rng_in(&r, 1, RT_LAUNCHES);
    for (unsigned i = 0; i < c->launches; i++)
        random_launch(&r, c, &c->launch[i]);
    random_arbiters(c);
    if (!random_paths(&r, c)) {
        rt_case_destroy(c);
        return NULL;
    }
    return c;
}

void rt_case_limit(struct rt_case *c, uint64_t subslices, uint64_t eus)
{
    uint32_t slots;

    if (c->config.gpu_subslices > subslices)
        c->config.gpu_subslices = subslices;
    if (c->config.eu_count > eus)
        c->config.eu_count = eus;
    slots = (uint32_t)(c->config.eu_count * c->config.eu_threads);
    for (unsigned i = 0; i < c->launches; i++) {
        struct host_launch *l = &c->launch[i].launch;

        if (l->tpg > slots)
            l->tpg = slots;
        if (l->pinned)
            l->threads = (l->threads + l->tpg - 1) / l->tpg * l->tpg;
    }
}

void rt_case_destroy(struct rt_case *c)
{
    if (c == NULL)
        return;
    for (unsigned k = 0; k < RT_KERNELS; k++) {
        for (unsigned i = 0; i < RT_PATHS; i++)
            free(c->kernel[k].path[i].run);
    }
    free(c);
}

const struct rt_path *rt_path(const struct rt_case *c, unsigned launch, uint32_t thread)
{
    const struct rt_launch *l = &c->launch[launch];
    const struct rt_kernel *kernel = &c->kernel[l->kernel];

    return &kernel->path[rng_mix(l->salt + thread) % kernel->paths];
}

void rt_describe(const struct rt_case *c, char *buf, unsigned size)
{
    const struct igpu_config *g = &c->config;

    (void)snprintf(
        buf, size,
        "case of seed 0x%" PRIx64 ": %" PRIu64 " subslices of %" PRIu64
        " EUs of %" PRIu64 " threads, start/end latency %" PRIu64 "/%" PRIu64
        ", memory latency from %" PRIu64 ", %" PRIu64
        " credits, %u launches, first of %u threads in groups of %u%s%s",
        c->seed, g->gpu_subslices, g->eu_count, g->eu_threads, g->disp_start_latency,
        g->disp_end_latency, c->memory.min_latency, g->dp_queue, (unsigned)c->launches,
        (unsigned)c->launch[0].launch.threads, (unsigned)c->launch[0].launch.tpg,
        c->launch[0].launch.pinned ? ", pinned" : "",
        c->launch[0].launch.oldest ? ", oldest first" : "");
}

/* fixed.h - the fixed functions in front of the EUs: when each thread of graphics has
 * its payload. They work through the threads in the order in which these are opened; a
 * thread that waits for others, which deliver what it begins with, is worked for when
 * those have ended. Contract: docs/contract/fixed-functions.md, "Fixed functions".
 * Tests: tests/csim/test_mem_fixed.c */
#ifndef MEM_FIXED_H
#define MEM_FIXED_H
#include "igpu/config.h"
#include "igpu/mem.h"
#include "igpu/mem_stats.h"

enum {
    FIXED_TILES = 6,
    FIXED_EUS = 8,
    FIXED_SLOTS = 7,
    FIXED_QUEUE = 512, /* threads that wait for others: at most one a slot. A power of
                          two */
    FIXED_STEPS = 4096 /* remembered deliveries. A power of two */
};

/* One fixed function: what it was given since it last began, and when that is done. */
struct fixed_unit {
    uint64_t from, work, done;
};

struct fixed_slot {
    uint64_t made;   /* its thread's payload, the memory side's cycle; FIXED_UNKNOWN */
    uint64_t tested; /* once made is known: tests before it were done by then */
    uint64_t number; /* of a thread that delivers, in the launch */
    bool runs, pixel;
    bool depth; /* made waits for lines of depth, or has */
};
#define FIXED_UNKNOWN UINT64_MAX

/* A thread that waits for others, and where it is. */
struct fixed_waiting {
    struct mem_graphics thread;
    uint8_t tile, eu, slot;
};

struct fixed {
    const struct igpu_config *config;
    struct mem_stats *stats;
    struct fixed_unit unit[MEM_WORKS];
    bool used;                   /* in this launch */
    uint64_t begun;              /* threads that deliver, opened so far */
    uint64_t delivered;          /* of these, the first so many have ended */
    uint64_t start, pixels_made; /* the latest of a pixel thread */
    uint64_t draw, told;         /* the last draw whose thread was opened, and when its
                                    commands have been read */
    struct {
        uint64_t count, at; /* so many had delivered at that cycle */
    } step[FIXED_STEPS];    /* ring, ascending */
    uint32_t first_step, steps;
    struct fixed_waiting queue[FIXED_QUEUE]; /* ring, in the order of opening */
    uint32_t first, waiting;
    struct fixed_slot slot[FIXED_TILES][FIXED_EUS][FIXED_SLOTS];
};

/* *fixed is zero. */
void fixed_init(struct fixed *fixed, const struct igpu_config *config,
                struct mem_stats *stats);
/* A launch begins. */
void fixed_launch(struct fixed *fixed);
/* A thread of graphics is opened; `start`: its launch's first cycle. */
void fixed_begin(struct fixed *fixed, uint8_t tile, uint8_t eu, uint8_t slot,
                 uint64_t start, const struct mem_graphics *thread);
/* The slot's thread ended at `cycle`; cycles ascend. */
void fixed_end(struct fixed *fixed, uint8_t tile, uint8_t eu, uint8_t slot,
               uint64_t cycle);
/* Take the next thread whose wait is over. False: there is none. */
bool fixed_made(struct fixed *fixed, struct fixed_waiting *thread);
#endif

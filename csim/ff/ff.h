/* ff.h - graphics' fixed functions in time, as one: the threads' payloads, the
 * subslices' samplers and render targets, the slices' caches of pixels and of depth.
 * Its ports: to the memory below, the data ports that it is given, on whose lines to
 * the L3 its parts put what they lack (PACKET_TEXEL, PACKET_PIXEL, PACKET_DEPTH come
 * back); to whoever owns the clock, the functions here. What a launch does not use is
 * not asked before it was given something. Contract: docs/contract/fixed-functions.md.
 * Tests: tests/csim/test_mem_graphics.c, test_mem_depth.c, test_mem_fixed.c */
#ifndef FF_FF_H
#define FF_FF_H
#include "csim/ff/depth.h"
#include "csim/ff/fixed.h"
#include "csim/ff/payload.h"
#include "csim/ff/target.h"
#include "csim/ff/texture.h"

struct ff {
    const struct igpu_config *config;
    uint32_t ports;
    uint32_t used; /* bit: this launch has used that subslice's payload, texture or
                      target */
    struct fixed fixed;
    struct payload payload[LINES_MAX_PORTS];
    struct texture texture[LINES_MAX_PORTS];
    struct target target[LINES_MAX_PORTS];
    uint64_t target_free[LINES_MAX_PORTS]; /* of each slice: target.h */
    struct pixels pixels[LINES_MAX_PORTS]; /* of each slice */
    struct depth depth[LINES_MAX_PORTS];   /* the same */
    uint64_t depth_at;                     /* no slice's has something to do before */
};

/* All of it zeros before. ports: of all subslices. False: no memory. */
bool ff_init(struct ff *ff, const struct igpu_config *config, struct dataport *ports,
             struct mem_stats *stats);
void ff_free(struct ff *ff);

/* A launch begins: `flush` is called for each modified line, and nothing is used. */
void ff_launch(struct ff *ff, void (*flush)(void *ctx, uint64_t line), void *ctx);
/* The samplers' caches hold nothing. */
void ff_forget_texels(struct ff *ff);

/* A MEM_PAYLOAD, MEM_TEXTURE, MEM_TARGET or MEM_FLUSH message; ascending cycles. */
void ff_send(struct ff *ff, const struct mem_msg *msg);
/* Which subslices' ff_next() may have changed, a bit each. */
typedef uint32_t ff_changed;
/* A thread of graphics is opened, in `cycle` of a launch whose first one is `start`; it
 * ended. Cycles ascend. */
void ff_begin(struct ff *ff, uint8_t tile, uint8_t eu, uint8_t slot, uint64_t cycle,
              uint64_t start, const struct mem_graphics *thread);
ff_changed ff_end(struct ff *ff, uint8_t tile, uint8_t eu, uint8_t slot,
                  uint64_t cycle);

/* What launches of compute kernels leave alone. */
static inline bool ff_uses(const struct ff *ff, uint32_t port)
{
    return (ff->used >> port & 1) != 0;
}
/* A subslice's cycle `now`, and the next one with something to do; UINT64_MAX. */
void ff_tick(struct ff *ff, uint32_t port, uint64_t now);
uint64_t ff_next(const struct ff *ff, uint32_t port);
/* The same of the slices' depth, whose next cycle is depth_at: ff_plan_depth() tells
 * and notes it. ff_depth(): the lines that are done, one call each, until it is false;
 * *room: they were a message's, so messages that wait for room are to look again,
 * else *changed tells. */
uint64_t ff_plan_depth(struct ff *ff);
bool ff_depth(struct ff *ff, uint64_t now, bool *room, ff_changed *changed);

/* PACKET_DEPTH takes effect. */
void ff_depth_line(struct ff *ff, uint32_t unit, uint64_t now, uint32_t packet);

/* Nothing is under way; nothing would hold up what comes behind cycle `inside`. */
bool ff_idle(const struct ff *ff);
bool ff_rested(const struct ff *ff, uint64_t inside);
/* Of the slice that has most, how many lines are modified; the last cycle in which one
 * of depth was looked up or came, for which nobody waits. */
uint32_t ff_modified(const struct ff *ff);
uint64_t ff_last(const struct ff *ff);
#endif

/* others.h - of the memory side what is not the data port's way: the subslices'
 * gateways, payloads, samplers and render targets, and the slices' depth. When they
 * have something to do is in other_at of system.h and in ff.h; what a launch of
 * graphics uses is not asked before it was given something. Contract:
 * docs/contract/memory.md, section 7.5, docs/contract/fixed-functions.md. Tests:
 * tests/csim/test_mem_graphics.c, test_mem_depth.c */
#ifndef MEM_OTHERS_H
#define MEM_OTHERS_H
#include "csim/side/system.h"

/* A message for them. */
void others_send(struct mem_system *mem, const struct mem_msg *msg);

/* Note when a subslice's have something to do. */
void others_plan(struct mem_system *mem, uint32_t port);
/* Those of graphics look again in cycle `now`: they may have waited for something. */
void others_wake(struct mem_system *mem, uint64_t now);

/* Cycle `now` of a subslice's; of the slices' depth. */
void others_tick(struct mem_system *mem, uint32_t port, uint64_t now);
void others_depth(struct mem_system *mem, uint64_t now);
#endif

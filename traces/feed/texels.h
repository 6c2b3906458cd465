/* texels.h - a recorded access of the sampler's messages of OpenCL kernels, which name
 * texels, as what the memory side's sampler takes. Contract:
 * docs/contract/fixed-functions.md, "Sampler". Tests:
 * tests/traces/test_feeder_messages.c */
#ifndef FEED_TEXELS_H
#define FEED_TEXELS_H
#include "igpu/mem.h"

/* msg->addr holds an address for each lane of mask, in order: make of them the samples
 * and the distinct lines of a MEM_TEXTURE message. */
void texels_to_lines(uint32_t mask, struct mem_msg *msg);
#endif

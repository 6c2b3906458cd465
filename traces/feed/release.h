/* release.h - when fixed functions have made what a thread of graphics begins with.
 * Contract: docs/graphics.md, "Timing". Tests: tests/traces/test_release.c */
#ifndef FEED_RELEASE_H
#define FEED_RELEASE_H
#include "igpu/config.h"
#include "traces/format/trace.h"

/* Cycles from the launch's first one on; work: what fixed functions did for the thread
 * and those before it. Below 2^48. */
uint64_t feed_release(const struct igpu_config *config,
                      const uint64_t work[TRACE_WORKS]);
#endif

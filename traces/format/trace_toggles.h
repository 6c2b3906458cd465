/* trace_toggles.h - toggles of data of a launch, in memory and as a message. Internal
 * to traces/format. */
#ifndef IGPU_TRACE_TOGGLES_H
#define IGPU_TRACE_TOGGLES_H
#include "traces/format/trace_code.h"

/* Give *launch a copy of count of them (NULL: none), which its owner frees. False: out
 * of memory. */
bool trace_toggles_copy(struct trace_launch *launch, const struct toggle_count *from,
                        uint32_t count);

/* The message of a launch's toggles, to be freed by the second. False: out of memory.
 */
bool trace_toggles_pack(const struct trace_launch *launch,
                        Vigpu__Trace__Toggles *message);
void trace_toggles_pack_free(Vigpu__Trace__Toggles *message);

/* The way back, into memory that is the launch's. NULL on success, else what is wrong.
 */
const char *trace_toggles_read(const Vigpu__Trace__Toggles *from,
                               struct trace_launch *launch);

/* NULL when they fit a kernel of `insts` instructions, or there are none; else what is
 * wrong. */
const char *trace_toggles_fault(const struct trace_launch *launch, uint32_t insts);

#endif

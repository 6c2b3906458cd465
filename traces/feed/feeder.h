/* feeder.h - turns an open trace into what the timing side consumes: static uops,
 * runs of a thread's path, and its memory accesses as messages.
 *
 * A hardware slot holds one running thread. A thread that has ended may still have
 * stores in its EU's send queue; the feeder keeps it until the last one is granted.
 * One feeder is used by one host thread at a time. Errors inside a launch (a corrupt
 * section) are kept: runs then lead to the kernel's EOT, and feeder_error() reports.
 * Tests: tests/traces/test_feeder.c, tests/traces/test_feeder_messages.c */
#ifndef IGPU_FEEDER_H
#define IGPU_FEEDER_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/config.h"
#include "igpu/err.h"
#include "igpu/mem.h"
#include "igpu/uop.h"
#include "traces/format/trace.h"

struct feeder;
struct launch_file; /* traces/launch/launch.h */

struct feeder_launch {
    uint32_t kernel, threads, tpg;
    bool graphics;
    bool pinned;    /* uses a barrier or SLM: stays in one subslice */
    uint8_t slm_kb; /* of one group, at least 4 if any */
};

/* Does not own the reader. IGPU_BAD_INPUT: memory is short. */
enum igpu_status feeder_create(struct feeder **feeder, struct trace_reader *reader,
                               const struct igpu_config *config, struct igpu_err *err);
void feeder_destroy(struct feeder *feeder);

/* From now on launches are executed while they are simulated: *file is that of the
 * reader, which has no paths, and stays the caller's. An engine then has to tell
 * issues, feeder_issue(). beside: who executes beside the emulator, or NULL; its places
 * are numbered by tile, EU and slot. IGPU_BAD_INPUT: memory is short. */
struct execute_beside;
enum igpu_status feeder_execute(struct feeder *feeder, const struct launch_file *file,
                                const struct execute_beside *beside,
                                struct igpu_err *err);

/* uops of a kernel; *count gets their number. Valid until feeder_destroy(). */
const struct uop *feeder_uops(const struct feeder *feeder, uint32_t kernel,
                              uint32_t *count);

/* Shape of a launch. IGPU_USAGE: a group needs more threads or SLM than a subslice
 * of this configuration has. */
enum igpu_status feeder_launch(const struct feeder *feeder, uint32_t index,
                               struct feeder_launch *shape, struct igpu_err *err);
/* Begin launch `index`: all slots empty. IGPU_USAGE: a launch that is executed cannot
 * be. */
enum igpu_status feeder_begin(struct feeder *feeder, uint32_t index,
                              struct igpu_err *err);

/* Parts of a launch's threads, whole groups. */
struct feeder_part {
    uint64_t first, threads;
};
/* From now on a launch is only these parts of it, one behind the other, numbered
 * without gaps. *part stays the caller's; count 0: the whole launch. A launch that has
 * begun may get more of them. */
void feeder_pick(struct feeder *feeder, const struct feeder_part *part, uint32_t count);

/* `thread` now runs in the slot; returns its first run. */
struct uop_run feeder_open(struct feeder *feeder, unsigned tile, unsigned eu,
                           unsigned slot, uint32_t thread);
/* What fixed functions do for the slot's thread. False: it is none of graphics. */
bool feeder_graphics(const struct feeder *feeder, unsigned tile, unsigned eu,
                     unsigned slot, struct mem_graphics *made);
/* Whose shader it runs. */
enum trace_stage feeder_stage(const struct feeder *feeder, unsigned tile, unsigned eu,
                              unsigned slot);
/* The next run of the slot's thread. Where it is executed: length 0, and to be asked
 * once more behind its last instruction's feeder_issue(). */
struct uop_run feeder_next(struct feeder *feeder, unsigned tile, unsigned eu,
                           unsigned slot);
/* With feeder_execute(): the slot's thread issues instruction `uop`. */
void feeder_issue(struct feeder *feeder, unsigned tile, unsigned eu, unsigned slot,
                  uint32_t uop, uint64_t cycle);
/* The same: look out for threads that go round without an effect, or no longer; whether
 * all do, or wait for those that do. */
void feeder_watch(struct feeder *feeder, bool on);
bool feeder_stuck(const struct feeder *feeder);
/* What the thread in a slot has issued. The engine counts it, an instruction at a
 * time; the slot's counts stay where they are until feeder_destroy(). */
struct feeder_issues {
    uint64_t all, sends;
};
struct feeder_issues *feeder_issues(struct feeder *feeder, unsigned tile, unsigned eu,
                                    unsigned slot);
/* It issued an instruction (send: other than EOT to SEND). */
static inline void feeder_issued(struct feeder_issues *issues, bool send)
{
    issues->all++;
    issues->sends += send;
}
/* The send arbiter granted the next message of the slot, static uop `uop`: fill
 * everything of *msg but cycle and bslot. */
void feeder_message(struct feeder *feeder, unsigned tile, unsigned eu, unsigned slot,
                    uint32_t uop, struct mem_msg *msg);
/* The slot's thread ended. */
void feeder_end(struct feeder *feeder, unsigned tile, unsigned eu, unsigned slot);

/* IGPU_OK, or the first error since feeder_create(); no launch after it counts. */
enum igpu_status feeder_error(const struct feeder *feeder, struct igpu_err *err);

/* Lane instructions and FLOPs of the launch so far: ended threads in full, running
 * ones in proportion to the instructions they have issued. */
void feeder_work(struct feeder *feeder, uint64_t *lane_instructions, uint64_t *flops);

/* Where a slot's thread is, for the watchdog. False: the slot is empty. */
struct feeder_where {
    uint32_t thread;
    uint64_t issued, messages_waiting;
};
bool feeder_where(const struct feeder *feeder, unsigned tile, unsigned eu,
                  unsigned slot, struct feeder_where *where);
#endif

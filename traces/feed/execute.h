/* execute.h - threads whose path is found while they are simulated: the feeder's other
 * source beside a trace (docs/contract/execution.md). Tests: tests/cosim/test_execute.c
 */
#ifndef FEED_EXECUTE_H
#define FEED_EXECUTE_H
#include "igpu/emu_step.h"
#include "traces/feed/beside.h"
#include "traces/feed/feeder.h"

struct execute;

/* NULL: memory is short. beside: it outlives this; NULL: nobody. */
struct execute *execute_new(const struct execute_beside *beside);
void execute_free(struct execute *e); /* NULL is allowed */

/* Launch `index` of the file begins; no thread is there. slots: of the device. */
enum igpu_status execute_begin(struct execute *e, const struct launch_file *file,
                               uint32_t index, const struct isa_kernel_code *code,
                               uint32_t slots, struct igpu_err *err);
/* What a slot of the device holds; all zero but its place: nothing. */
struct execute_thread;
struct execute_slot {
    struct execute_thread *oldest, *running; /* as the feeder's threads */
    unsigned place;                          /* its number in the device */
};

/* `thread` runs in the slot from now on. */
void execute_open(struct execute *e, struct execute_slot *slot, uint64_t thread);
/* The next run of the slot's thread; length 0: not known before it has issued what it
 * was given. False: there is none, behind an error. */
bool execute_run(struct execute *e, struct execute_slot *slot, struct uop_run *run);
/* It issues instruction `uop`. False: there may be an error. */
bool execute_issue(struct execute *e, struct execute_slot *slot, uint32_t uop,
                   uint64_t cycle);
/* Its next message is granted. False: as emu_step_send(). */
bool execute_send(struct execute *e, struct execute_slot *slot,
                  struct emu_access *access);
/* Nobody is in the slot any more. */
void execute_clear(struct execute *e, struct execute_slot *slot);
/* Of the thread that runs in the slot: its number and messages that wait. False: none
 * runs. */
bool execute_where(const struct execute_slot *slot, uint64_t *thread,
                   uint32_t *messages);
/* emu_step_watch(), emu_step_stuck(). */
void execute_watch(struct execute *e, bool on);
bool execute_stuck(const struct execute *e);
/* The first error; what was executed in this launch. */
enum igpu_status execute_status(const struct execute *e, struct igpu_err *err);
struct emu_counts execute_counts(const struct execute *e);
#endif

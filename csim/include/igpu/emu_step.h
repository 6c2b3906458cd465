/* emu_step.h - a launch whose threads somebody else steps: an engine that knows when
 * (docs/contract/execution.md). The caller says in which order instructions issue and
 * messages take effect; the emulator says what they do.
 *
 *   emu_step_new() -> for each thread: emu_step_begin()
 *   an instruction issues:              emu_step_issue(), which decides where it goes
 *   a message is granted:               emu_step_send(), in the order of its thread
 *
 * A message's payload is read when it issues, memory when it is granted, and what it
 * returns is in the registers from then on: whoever calls keeps a thread from issuing
 * what needs it before. Threads of a group share its memory; a barrier message does
 * nothing but count, and `wait` never waits: that, too, is the caller's.
 * A thread is gone once it has ended and its last message was granted.
 * One host thread. Tests: tests/csim/test_emu_step.c */
#ifndef IGPU_EMU_STEP_H
#define IGPU_EMU_STEP_H
#include "igpu/emu.h"

struct emu_step;
struct emu_step_thread;

/* Prepare *launch (of which hooks and host_threads do not count) of
 * the program on *mem; all three outlive the step, which maps pools for `slots` threads
 * at a time at the least. Statuses as of emu_run(). */
enum igpu_status emu_step_new(struct emu_step **step, const struct emu_program *program,
                              struct emu_mem *mem, const struct emu_launch *launch,
                              uint32_t slots, struct igpu_err *err);
/* The pools are unmapped; no thread is there any more. NULL is allowed. */
void emu_step_free(struct emu_step *step);

/* Thread `number` of the launch begins; a group's first thread comes before its others.
 * NULL: memory is short, or more threads are there than there are shares of the pools;
 * then emu_step_status() tells. */
struct emu_step_thread *emu_step_begin(struct emu_step *step, uint64_t number);
/* The index of its next instruction. */
uint32_t emu_step_at(const struct emu_step_thread *t);
/* From instruction `at` on, up to the next one that may lead elsewhere, with it: how
 * many they are. *ends: that one ends the thread. */
uint32_t emu_step_straight(const struct emu_step *step, uint32_t at, bool *ends);
/* It issues instruction `at`. True: that is its next one, which nobody but the thread
 * sees, and nothing is left to say of it. The emulator computes such ones together,
 * before anything of the thread is seen or changed from outside; whoever looks at it
 * (emu_step_look()) does without them. False: nothing happened. */
bool emu_step_defer(struct emu_step *step, struct emu_step_thread *t, uint32_t at);
/* It issues its next instruction in cycle `now`, which is what tm0 reads. True: that
 * was its end; then it is gone if no message waits. */
bool emu_step_issue(struct emu_step *step, struct emu_step_thread *t, uint64_t now);
/* Its oldest message that was not granted takes effect; *access (addresses in a buffer
 * of the step's) is what emu_hooks.access() would be told. False: it accesses no
 * memory, or has failed. */
bool emu_step_send(struct emu_step *step, struct emu_step_thread *t,
                   struct emu_access *access);
/* A thread that will not go on. */
void emu_step_drop(struct emu_step *step, struct emu_step_thread *t);
/* What a thread is like now, for whoever executes beside the emulator. Pointers are
 * into the thread; nothing of it may be changed. */
struct emu_step_state {
    const uint8_t *grf, *acc; /* 4096 bytes; 128 */
    const uint32_t *flag;     /* f0, f1 */
    const uint16_t *addr;     /* a0, 16 words */
    const uint32_t *ctrl, *state;
    uint32_t at;           /* next instruction */
    uint32_t active, live; /* lanes */
    const uint32_t *pc;    /* of live lanes that are not active */
    uint32_t next_pc;      /* the lowest of those; UINT32_MAX: none */
    uint32_t mask;         /* lanes of the last instruction that issued */
    uint64_t executed;     /* instructions, with that one */
};
void emu_step_look(const struct emu_step_thread *t, struct emu_step_state *state);
/* Its oldest message that was not granted: instruction, lanes. False: none waits. */
bool emu_step_oldest(const struct emu_step_thread *t, uint32_t *at, uint32_t *mask);
/* Messages that it issued and that were not granted. */
uint32_t emu_step_waiting(const struct emu_step_thread *t);

/* Look out for threads that go round, from now on or no longer; it takes time. */
void emu_step_watch(struct emu_step *step, bool on);
/* While it is watched: every thread waits at a barrier, or has come back to a state in
 * which it was before, clock aside, and no message has changed memory in between, no
 * thread has come or gone: so none ever will. */
bool emu_step_stuck(const struct emu_step *step);

/* The first error; IGPU_OK without. Behind one, steps do nothing. */
enum igpu_status emu_step_status(const struct emu_step *step, struct igpu_err *err);
/* What was executed. */
struct emu_counts emu_step_counts(struct emu_step *step);
#endif

/* emu_alike.h - groups of which it is proved, while the first one runs, that their
 * threads do the same as its threads: the same path, and messages whose addresses lie
 * further by so many bytes for each group in each dimension. Of those hooks are told by
 * the threads that they are like (igpu/emu.h, struct emu_alike_hooks).
 * The contract: docs/contract/jit.md#alike.
 *
 * Tests   tests/csim/test_emu_alike.c */
#ifndef EMU_ALIKE_H
#define EMU_ALIKE_H
#include "emu_int.h"

/* What a number of the first group becomes in the others: so much more for each group
 * further in each dimension. */
struct alike_slope {
    int64_t by[3];
};

enum {
    ALIKE_SLOPES = 256,
    ALIKE_SAME = 0, /* a slope's number: none, the number is the same in all groups; */
    ALIKE_FREE = 1, /* and nothing is known of it */
    ALIKE_MARKS = offsetof(struct emu_thread, mask),
    ALIKE_UNSENT = 0xFFFF,
    ALIKE_DWORD = 4
};

/* A byte of a register: the slope of the number that it is part of, that one's bytes,
 * and which of them it is; 0 both where the slope is SAME or FREE. */
struct alike_mark {
    uint16_t slope;
    uint8_t bytes, part;
};

struct alike_thread {
    struct alike_mark mark[ALIKE_MARKS];
    uint64_t free_flags;   /* bits of f0, f1 of which nothing is known */
    uint64_t instructions; /* that it ran */
    /* Of its messages those whose addresses are not the same. */
    uint32_t sends;
    struct alike_send {
        uint32_t inst, slope;
    } * send;
};

struct emu_alike {
    const struct emu_program *p;
    uint64_t first[3]; /* the group that ran.. */
    uint64_t number;   /* ..and its first thread's number */
    uint64_t most[3];  /* it holds for those that are so much further, at most */
    uint32_t threads, slopes;
    bool failed;
    struct alike_slope slope[ALIKE_SLOPES];
    struct alike_thread *thread;
    uint16_t *way; /* of each thread's each instruction: its addresses' slope */
};

/* An operand's lane: its slope, and its value in the group that runs. */
struct alike_number {
    uint16_t slope;
    uint8_t bytes, type;
    int64_t value;
};

/* emu_alike_slope.c. The number of a slope, of a number of so many bytes. */
uint16_t alike_slope_of(struct emu_alike *a, struct alike_slope s, uint32_t bytes);
/* x times the one and y times the other one. */
uint16_t alike_sum(struct emu_alike *a, uint16_t one, int64_t x, uint16_t other,
                   int64_t y, uint32_t bytes);
/* Is the value one of its type in all groups, so that its size is what its slope says?
 */
bool alike_in_type(const struct emu_alike *a, const struct alike_number *n);

/* The slope of the number at these bytes of a thread; read_at: also of two dwords, the
 * higher of which is the same in all groups. */
uint16_t alike_read(const struct alike_thread *k, uint32_t at, uint32_t bytes);
uint16_t alike_read_at(const struct emu_alike *a, const struct alike_thread *k,
                       const struct emu_thread *t, uint32_t at, uint32_t bytes);
bool alike_all_same(const struct alike_mark *m, uint32_t bytes);
void alike_write(struct alike_thread *k, uint32_t at, uint32_t bytes, uint16_t slope);
void alike_free(struct alike_thread *k, uint32_t at, uint32_t bytes);
/* n dwords one behind the other in general registers, all of one slope. */
void alike_write_dwords(struct alike_thread *k, uint32_t at, uint32_t n,
                        uint16_t slope);
bool alike_are_dwords(const struct alike_thread *k, uint32_t at, uint32_t n,
                      uint16_t slope);

/* Does x - y stand in relation cmod to zero in all groups as it does here? */
bool alike_compare(struct emu_alike *a, const struct alike_number *x,
                   const struct alike_number *y, uint32_t cmod);
/* The slope of a result of `bytes`; n[k] is what source k is. selected: of sel, with a
 * predicate that is `first` here, or `free`. */
uint16_t alike_result(struct emu_alike *a, const struct emu_op *op,
                      const struct alike_number *n, uint32_t bytes);
uint16_t alike_selected(struct emu_alike *a, const struct emu_op *op,
                        const struct alike_number *n, uint32_t bytes, bool free,
                        bool first);

/* For the group that the machine begins with. NULL: memory is short. */
struct emu_alike *emu_alike_new(const struct emu_machine *m);
void emu_alike_free(struct emu_alike *a);
/* Thread `index` begins with a number of this slope at these bytes. */
void emu_alike_know(struct emu_alike *a, uint32_t index, uint32_t at, uint32_t bytes,
                    struct alike_slope s);
/* Instruction op of thread t is next. */
void emu_alike_step(struct emu_thread *t, const struct emu_op *op);
/* Each thread's sends. False: memory is short. */
bool emu_alike_gather(struct emu_alike *a);

/* emu_alike_run.c. Which group of the machine's launch is worth a proof: m->prove_at.
 */
void emu_alike_set_up(struct emu_machine *m);
/* It has just been put on the machine: m->proves. */
void emu_alike_begin(struct emu_machine *m);
/* A thread of it has ended. */
void emu_alike_thread_ended(const struct emu_thread *t);
/* It has ended; m->alike is what those behind it need, if they are alike; else another
 * one may have a proof. */
void emu_alike_ended(struct emu_machine *m);
/* Another group was put on the machine: who is told of it. */
void emu_alike_turn(struct emu_machine *m);
/* No group is on it: m->launch is the whole one. */
void emu_alike_rest(struct emu_machine *m);
/* What a host thread needs for itself that runs groups of base on m, and tells of a
 * thread by tell(ctx); m->alike stays NULL where base has none. False: memory is short.
 */
typedef void emu_alike_tell_fn(void *ctx, uint64_t thread,
                               const struct emu_counts *counts);
bool emu_alike_share(struct emu_machine *m, const struct emu_machine *base,
                     emu_alike_tell_fn *tell, void *ctx);
/* The launch's hooks are told of the thread. */
void emu_alike_tell(struct emu_machine *m, uint64_t thread,
                    const struct emu_counts *counts);
/* All that is the machine's own is given back. */
void emu_alike_end(struct emu_machine *m);

#endif

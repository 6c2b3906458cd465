/* uop.h - the static instruction as the timing engines see it: which unit,
 * which timing class, how many GRFs, and which scoreboard bits it needs and
 * sets. Made once per kernel by the feeder (traces/feed/feeder.h). An engine turns
 * class and counts into cycles by itself (docs/contract/model.md section 5). */
#ifndef IGPU_UOP_H
#define IGPU_UOP_H
#include <stdint.h>

/* Where an instruction may issue. */
enum uop_unit {
    UOP_FPU_ANY = 0, /* FPU0 or FPU1 */
    UOP_FPU1 = 1,    /* FPU1 only: extended math, double float */
    UOP_SEND = 2,
    UOP_BRANCH = 3 /* control flow, nop, wait */
};

/* The units of an EU: where an instruction has issued. */
enum eu_unit { EU_FPU0, EU_FPU1, EU_SEND, EU_BRANCH, EU_UNITS };

/* Timing classes; keys eu.<class>.* of params.def. */
enum uop_class {
    UOP_ALU32 = 0,
    UOP_ALU64 = 1,
    UOP_DF = 2,
    UOP_MATH = 3,
    UOP_MATH2 = 4,
    UOP_IDIV = 5,
    UOP_DOT = 6,
    UOP_LRP = 7,
    UOP_CTRL = 8, /* branch unit: control flow */
    UOP_NOP = 9,  /* branch unit: nop, wait */
    UOP_MSG = 10  /* send unit */
};

/* Which latency of its class an FPU instruction has: the longest of what it
 * writes (flag > GRF or address > accumulator). */
enum uop_dst { UOP_DST_GRF = 0, UOP_DST_ACC = 1, UOP_DST_FLAG = 2 };

enum uop_flags {
    UOP_EOT = 1,  /* end of thread */
    UOP_PORT = 2, /* message to the data port: takes a credit, gets it back */
    UOP_GATE = 4, /* barrier message to the gateway: no credit */
    UOP_WB = 8    /* its completion clears scoreboard bits (response or notify) */
};

/* Scoreboard bits beyond the 128 GRFs, in uop.need_x / uop.set_x. */
enum uop_x {
    UOP_X_F0_0 = 1,
    UOP_X_F0_1 = 2,
    UOP_X_F1_0 = 4,
    UOP_X_F1_1 = 8,
    UOP_X_ACC = 16,
    UOP_X_ADDR = 32, /* a0 */
    UOP_X_N0 = 64,   /* barrier notification */
    UOP_X_CTL = 128  /* cr0, sr0, tm0, ip: control and state */
};

enum { UOP_MAX_KERNEL = 1 << 17 }; /* static instructions of one kernel */

struct uop {
    uint64_t need[2]; /* GRFs that must not be busy: read or written by it */
    uint64_t set[2];  /* GRFs it makes busy: written by it */
    uint8_t need_x, set_x;
    uint8_t unit;      /* enum uop_unit */
    uint8_t cls;       /* enum uop_class */
    uint8_t exec_grfs; /* executed GRFs, 1..15: passes through the unit */
    uint8_t dst_grfs;  /* for the front end, 1..15: destination GRFs, and more for
                          operands of section 5.5 */
    uint8_t conflicts; /* GRFs of a 3-source instruction read with a bank conflict */
    uint8_t dst;       /* enum uop_dst */
    uint8_t payload;   /* UOP_MSG: GRFs of payload, both sources, 1..31 */
    uint8_t rlen;      /* UOP_MSG: GRFs of response, 0..16 */
    uint8_t flags;     /* enum uop_flags */
    uint8_t switches;  /* 1: {Switch}, the thread yields behind it */
    uint8_t bytes;     /* of the instruction: 8 (compacted) or 16 */
    uint32_t at;       /* byte in the kernel's text */
};

/* A run: consecutive static instructions that a thread executes one after the
 * other; the last may be a branch. Where threads are executed in time, its end may be
 * all that is known (docs/contract/model.md, section 4.2). */
struct uop_run {
    uint32_t pc;    /* index of the first uop */
    uint32_t len;   /* number of uops, 1..UOP_RUN_MAX; 0: not known yet */
    uint32_t ahead; /* so many behind it may follow: their code is asked for as well */
};
enum { UOP_RUN_MAX = 4095 };

#endif

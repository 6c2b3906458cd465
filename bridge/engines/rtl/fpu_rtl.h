/* fpu_rtl.h - the RTL datapath of one FPU (rtl/eu/igpu_eu_fpu.v, FPU1) for C.
 * One clock at a time; a result comes FPU_RTL_LATENCY clocks after its operands, a
 * clock later for a product in two passes; of extended math 16, of pow 28 or more.
 * Contract and fields: the module's header. */
#ifndef BRIDGE_FPU_RTL_H
#define BRIDGE_FPU_RTL_H
#include "igpu_fpu_ops.h" /* made from rtl/include/igpu_fpu.vh */

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FPU_RTL_LATENCY = 9, FPU_RTL_SLOTS = 8 };
/* Clocks after which extended math is empty: a vector of pow, its second half 12 late.
 */
enum { FPU_RTL_MATH_DRAIN = 44 };

/* Bits of an element's exceptions, as IGPU_EXC_ of igpu_fpu.vh. */
enum { FPU_INEXACT = 1, FPU_UNDERFLOW = 2, FPU_OVERFLOW = 4, FPU_INVALID = 8 };
/* Bits of ftz. */
enum { FPU_FTZ_HF = 1, FPU_FTZ_F = 2, FPU_FTZ_DF = 4 };

struct fpu_rtl_in {
    bool math;                /* op is extended math's function */
    uint8_t op;               /* enum igpu_fpu_op */
    uint8_t dtype, stype[3];  /* enum isa_type; absent sources like source 0 */
    uint8_t mod[3];           /* enum isa_mod */
    uint8_t cmod;             /* enum isa_cmod */
    uint8_t rnd, ftz;         /* as cr0: rounding, FPU_FTZ_ */
    bool int_round, saturate; /* as cr0: float to integer rounds by rnd */
    uint8_t pred;             /* a bit for each slot: predicate; math: enabled */
    union {                   /* packed slots of 2, 4 or 8 bytes */
        uint16_t h[8];
        uint32_t w[4];
        uint64_t q[2];
    } src[3];
};

struct fpu_rtl_out {
    union {
        uint16_t h[8];
        uint32_t w[4];
        uint64_t q[2];
    } result;
    uint8_t flag, carry; /* a bit for each slot */
    uint32_t exc;        /* four bits for each slot */
};

/* Clocks for which each part of an FPU holds something; all 0: it is empty. */
struct fpu_rtl_clocks {
    int lanes, halves, wide, math, math_halves;
    int math_in; /* ... in which the last vector of math goes in */
};
enum {
    FPU_CLK_LANES = 1,
    FPU_CLK_HALVES = 2, /* upper 16-bit slots */
    FPU_CLK_WIDE = 4,   /* 64-bit slots */
    FPU_CLK_MATH = 8,
    FPU_CLK_MATH_HALVES = 16, /* its lanes of upper halves */
    FPU_CLK_ALL = 31
};

/* The parts that the next clock is for, in which *in is offered (NULL: nothing): those
 * that hold something. Extended math only while its operands go in, or nothing does:
 * what is under way there comes out with its next operands. */
uint32_t fpu_rtl_clocks_next(struct fpu_rtl_clocks *c, const struct fpu_rtl_in *in);

/* Bits of a slot: the widest type's, 16 at least (docs/contract/fpu.md). */
uint32_t fpu_rtl_slot_bits(const struct fpu_rtl_in *in);

/* An FPU after reset; free with fpu_rtl_free(). */
void *fpu_rtl_new(void);
void fpu_rtl_free(void *fpu);

/* One clock. in, when not NULL, is offered; *taken (may be NULL) says whether the FPU
 * took it (else offer it again). Returns whether *out holds a result. */
bool fpu_rtl_clock(void *fpu, const struct fpu_rtl_in *in, bool *taken,
                   struct fpu_rtl_out *out);
/* Whether the last clock gave a result of extended math, and it (only .result), and
 * whether it is of pow, which other functions' results may pass. */
bool fpu_rtl_math(void *fpu, struct fpu_rtl_out *out, bool *is_pow);

#ifdef __cplusplus
}
#endif
#endif

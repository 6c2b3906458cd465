/* isa_oracle.h - what one instruction must do, told without the emulator: integers in
 * 128 bits, floating point in MPFR. Shares with it the form of an instruction alone. */
#ifndef TESTS_ISA_ORACLE_H
#define TESTS_ISA_ORACLE_H
#include "igpu/isa.h"

__extension__ typedef __int128 oracle_int;
__extension__ typedef unsigned __int128 oracle_uint;

enum { ORACLE_GRF_BYTES = ISA_GRF_COUNT * ISA_GRF_BYTES };

struct oracle_state {
    uint8_t grf[ORACLE_GRF_BYTES];
    uint16_t addr[16];
    uint32_t flag[2];
    uint8_t acc[ISA_MAX_SIMD * 8];  /* acc0 as it reads, for floats */
    int64_t acc_wide[ISA_MAX_SIMD]; /* and as integers, in full */
    uint32_t ctrl;                  /* cr0.0 */
};

/* Open and close MPFR's numbers; once. */
void oracle_open(void);
void oracle_close(void);

/* Execute *inst on *s for the thread's channels `active`. `got` are the registers after
 * the emulator's own run: where a result is only bounded (any NaN for a NaN, one unit
 * of the last place for extended math) and got lies within, *s takes it over. False
 * when the oracle knows nothing of the instruction. */
bool oracle_run(const struct isa_inst *inst, struct oracle_state *s, uint32_t active,
                const uint8_t *got);

/* What a comparison of integers says. */
static inline bool oracle_holds(uint32_t cmod, oracle_int a, oracle_int b)
{
    switch (cmod) {
    case ISA_CMOD_EQ:
        return a == b;
    case ISA_CMOD_NE:
        return a != b;
    case ISA_CMOD_GT:
        return a > b;
    case ISA_CMOD_GE:
        return a >= b;
    case ISA_CMOD_LT:
        return a < b;
    case ISA_CMOD_LE:
        return a <= b;
    default:
        return false;
    }
}

/* ---- between its files -------------------------------------------------- */

struct oracle_lane {
    uint64_t src[ISA_MAX_SRC]; /* bits as read, modifiers not applied */
    uint64_t group[2][4];      /* sources 0, 1 of the lane's group of four */
    uint64_t plane[4], uv[2];  /* line and pln */
    uint64_t pair[2][2];       /* sad2: sources 0, 1 of the lane's pair */
    uint64_t acc;              /* as the destination's type */
    int64_t wide;              /* accumulator, integer */
    bool chosen;               /* sel: the predicate */
};

struct oracle_result {
    uint64_t bits;   /* to be stored; the type's low bytes count */
    uint64_t second; /* idiv: remainder */
    bool flag;       /* condition */
    bool any_nan;    /* every NaN will do */
    uint32_t ulps;   /* allowed distance */
    int64_t wide;    /* accumulator after */
};

/* Width and sign of an integer's bits; the value of source k with its modifier. */
oracle_int oracle_extend(uint64_t bits, uint32_t type);
bool oracle_integer(const struct isa_inst *inst, const struct oracle_lane *l,
                    struct oracle_result *r, uint32_t ctrl);
bool oracle_float(const struct isa_inst *inst, const struct oracle_lane *l,
                  struct oracle_result *r, uint32_t ctrl);
/* An exact integer as floating-point `type`, rounded by cr0. */
uint64_t oracle_to_float(oracle_int x, uint32_t type, uint32_t ctrl);
#endif

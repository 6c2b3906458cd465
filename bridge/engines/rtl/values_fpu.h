/* values_fpu.h - one FPU of one EU under --check-values: operands in, results against
 * what the trace has. Its RTL is clocked only when operands enter, which no result can
 * tell: what is under way comes out with those that follow, or with values_fpu_drain.
 * The clock edges left out are those in which nothing enters. */
#ifndef IGPU_VALUES_FPU_H
#define IGPU_VALUES_FPU_H
#include "bridge/engines/rtl/values_plan.h"

enum { VALUES_RING = 64 }; /* vectors under way: 10 in the lanes, 14 of extended math */

/* Whose operands they are. */
struct values_origin {
    uint64_t cycle; /* of issue */
    uint32_t launch, thread, inst;
    uint8_t tile, eu, slot, unit;
};

/* A difference; found is false while there is none. */
struct values_difference {
    bool found, is_flag;
    struct values_origin at;
    uint8_t lane, nsrc;
    uint64_t src[3], got, want;
};

struct values_expect { /* of one vector of slots */
    uint64_t want[2], care[2], src[3][2];
    struct values_origin at;
    uint8_t flags, carry;           /* wanted */
    uint8_t flags_care, carry_care; /* slots */
    uint8_t first_lane, slot_bytes, nsrc;
};

struct values_queue {
    struct values_expect ring[VALUES_RING];
    uint32_t in, out;
};

struct values_fpu {
    void *rtl;
    struct values_queue lanes, math, pow; /* of each, results come in order */
    uint64_t free;    /* cycle from which the next operands can enter */
    uint64_t waited;  /* most cycles that operands waited for that */
    uint64_t vectors; /* that went through */
    struct values_difference first;
};

bool values_fpu_make(struct values_fpu *f); /* false: memory is short */
void values_fpu_free(struct values_fpu *f);

/* The operands of one instruction. *p has no reason against it. */
void values_fpu_issue(struct values_fpu *f, const struct values_plan *p,
                      const struct fpu_values *v, const struct values_origin *at);
/* Clock until nothing is under way. */
void values_fpu_drain(struct values_fpu *f);
#endif

/* isa_form.h - what Gen9 allows, counted: forms (opcode x types) from isa_gen9.def, and
 * for each form the bins that a test can reach.
 * Two full products, since one of everything is beyond counting:
 *   source side  form x region of source 0 x its modifier x predicate x exec size
 *   result side  form x region of the last source x condition x saturation x dst shape
 */
#ifndef TESTS_ISA_FORM_H
#define TESTS_ISA_FORM_H
#include "igpu/isa.h"

enum isa_shape {
    SHAPE_SCALAR,   /* <0;1,0> */
    SHAPE_PACKED,   /* <w;w,1> */
    SHAPE_STRIDED,  /* <2w;w,2> */
    SHAPE_ROWS,     /* <2;1,0> */
    SHAPE_REPEAT,   /* <0;2,1> */
    SHAPE_OVERLAP,  /* <1;2,1> */
    SHAPE_INDIRECT, /* r[a0.n, imm]<w;w,1> */
    SHAPE_VXH,      /* r[a0.n]<2,1>: an address a row */
    SHAPE_VX1,      /* r[a0.n]<1,0>: an address an element */
    SHAPE_IMM,
    SHAPE_VECTOR_IMM, /* v, uv, vf */
    SHAPE_COUNT
};
enum isa_dst_shape {
    DST_PACKED,
    DST_STRIDE2,
    DST_STRIDE4,
    DST_INDIRECT,
    DST_NULL,
    DST_SHAPE_COUNT
};
enum { FORM_PREDS = 15, FORM_CMODS = 9, FORM_EXECS = 6, FORM_MODS = 4 };

struct isa_form {
    uint8_t op, math, nsrc;
    uint8_t dst, src[ISA_MAX_SRC]; /* enum isa_type */
    uint8_t props;                 /* FORM_P.. */
};
enum { FORM_P = 1, FORM_C = 2, FORM_S = 4, FORM_M = 8 };

/* All forms, without repetition; *count of them. Freed by the caller. */
struct isa_form *isa_forms(uint32_t *count);

/* A place in one of the two products. */
struct isa_bin {
    uint8_t shape, mod, pred, exec;  /* source side; exec is log2 */
    uint8_t last, cmod, sat, dshape; /* result side */
};
enum {
    BINS_SOURCE = SHAPE_COUNT * FORM_MODS * FORM_PREDS * FORM_EXECS,
    BINS_RESULT = SHAPE_COUNT * FORM_CMODS * 2 * DST_SHAPE_COUNT
};

/* The instruction of a bin: what the bin leaves open is drawn from *seed. False when
 * Gen9 does not allow the bin (for any choice of the rest). */
bool isa_form_source(const struct isa_form *form, uint32_t bin, uint64_t *seed,
                     struct isa_inst *inst);
bool isa_form_result(const struct isa_form *form, uint32_t bin, uint64_t *seed,
                     struct isa_inst *inst);
#endif

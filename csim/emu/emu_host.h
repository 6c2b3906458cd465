/* emu_host.h - handlers of common forms, which exist twice: for any host, and for one
 * with AVX2 and FMA. emu_fast.c, emu_fused.c, emu_copy.c and emu_madm.c are compiled
 * once for each (the Makefile's TWICE_emu); emu_form.c knows the forms, and chooses.
 * Both give the same bits, since every operation is exactly rounded. */
#ifndef EMU_HOST_H
#define EMU_HOST_H
#include "emu_int.h"

#if defined(EMU_AVX2)
#define EMU_HOST(name) name##_avx2
#else
#define EMU_HOST(name) name##_any
#endif

/* What op->run is. */
#define HANDLER(name)                                                                  \
    static void name(struct emu_thread *t, const struct emu_op *op, uint32_t mask)

/* emu_fast.c: packed or scalar sources, packed result; by opcode and width: lanes of
 * float, double, 32-bit and 64-bit integers. */
enum emu_width { EMU_F8, EMU_F16, EMU_D4, EMU_D8, EMU_I8, EMU_I16, EMU_Q8, EMU_WIDTHS };
struct emu_packed {
    emu_run_fn *run[ISA_OP_COUNT][EMU_WIDTHS];
};

/* emu_fused.c: any stride; one for each count of lanes. */
enum emu_compared { EMU_SIGNED_64, EMU_UNSIGNED_64, EMU_FLOATS };
struct emu_strided {
    emu_run_fn *arith[ISA_OP_COUNT];
    emu_run_fn *cmp[3][ISA_CMOD_COUNT]; /* as enum emu_compared */
    emu_run_fn *sel, *fsel;             /* of integers or raw bits, of floats */
    emu_run_fn *to_f[ISA_TYPE_COUNT], *to_df[ISA_TYPE_COUNT]; /* by source */
};

/* emu_copy.c: moves of low bits. */
struct emu_copies {
    emu_run_fn *any, *by[3][3]; /* [source's stride][destination's] in elements */
};

struct emu_handlers {
    const struct emu_packed *packed;
    const struct emu_strided *strided;    /* 1, 4, 8, 16 lanes */
    const struct emu_copies (*copies)[4]; /* 4, 8, 16 lanes; 1, 2, 4, 8 bytes */
    emu_run_fn *madm;
};

/* emu_madm.c */
extern emu_run_fn emu_exec_madm_any, emu_exec_madm_avx2;

extern const struct emu_packed emu_packed_any, emu_packed_avx2;
extern const struct emu_strided emu_strided_any[4], emu_strided_avx2[4];
extern const struct emu_copies emu_copies_any[3][4], emu_copies_avx2[3][4];

#endif

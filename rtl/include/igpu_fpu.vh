// igpu_fpu.vh - what the files of rtl/fpu share: operations, types, the control
// word that travels down the pipeline. Written by hand; the Makefile turns the
// lines of IGPU_FPU_OP_ into an enum for C (build/gen/igpu_fpu_ops.h).
`ifndef IGPU_FPU_VH
`define IGPU_FPU_VH

`define IGPU_FPU_OP_MOV   5'd0
`define IGPU_FPU_OP_ADD   5'd1
`define IGPU_FPU_OP_MUL   5'd2
`define IGPU_FPU_OP_MAD   5'd3
`define IGPU_FPU_OP_CMP   5'd4
`define IGPU_FPU_OP_SEL   5'd5
`define IGPU_FPU_OP_CSEL  5'd6
`define IGPU_FPU_OP_RNDD  5'd7
`define IGPU_FPU_OP_RNDU  5'd8
`define IGPU_FPU_OP_RNDE  5'd9
`define IGPU_FPU_OP_RNDZ  5'd10
`define IGPU_FPU_OP_FRC   5'd11
`define IGPU_FPU_OP_AND   5'd12
`define IGPU_FPU_OP_OR    5'd13
`define IGPU_FPU_OP_XOR   5'd14
`define IGPU_FPU_OP_NOT   5'd15
`define IGPU_FPU_OP_SHL   5'd16
`define IGPU_FPU_OP_SHR   5'd17
`define IGPU_FPU_OP_ASR   5'd18
`define IGPU_FPU_OP_AVG   5'd19
`define IGPU_FPU_OP_ADDC  5'd20
`define IGPU_FPU_OP_SUBB  5'd21
`define IGPU_FPU_OP_MACH  5'd22
`define IGPU_FPU_OP_BFE   5'd23
`define IGPU_FPU_OP_BFI1  5'd24
`define IGPU_FPU_OP_BFI2  5'd25
`define IGPU_FPU_OP_BFREV 5'd26
`define IGPU_FPU_OP_CBIT  5'd27
`define IGPU_FPU_OP_FBH   5'd28
`define IGPU_FPU_OP_FBL   5'd29
`define IGPU_FPU_OP_LZD   5'd30
`define IGPU_FPU_OP_CMPN  5'd31

// Types, as enum isa_type of csim/include/igpu/isa.h.
`define IGPU_TYPE_UB 4'd1
`define IGPU_TYPE_B  4'd2
`define IGPU_TYPE_UW 4'd3
`define IGPU_TYPE_W  4'd4
`define IGPU_TYPE_UD 4'd5
`define IGPU_TYPE_D  4'd6
`define IGPU_TYPE_UQ 4'd7
`define IGPU_TYPE_Q  4'd8
`define IGPU_TYPE_HF 4'd9
`define IGPU_TYPE_F  4'd10
`define IGPU_TYPE_DF 4'd11

// Source modifiers, as enum isa_mod: bit 0 absolute value, then bit 1 negation
// (of logic operations: bit 1 inverts every bit).

// Condition modifiers, as enum isa_cmod.
`define IGPU_CMOD_NONE 4'd0
`define IGPU_CMOD_EQ   4'd1
`define IGPU_CMOD_NE   4'd2
`define IGPU_CMOD_GT   4'd3
`define IGPU_CMOD_GE   4'd4
`define IGPU_CMOD_LT   4'd5
`define IGPU_CMOD_LE   4'd6
`define IGPU_CMOD_OV   4'd7
`define IGPU_CMOD_UN   4'd8

// Rounding, as cr0.0[5:4].
`define IGPU_RNE 2'd0
`define IGPU_RTP 2'd1
`define IGPU_RTN 2'd2
`define IGPU_RTZ 2'd3

// Exceptions.
`define IGPU_EXC_INEXACT   0
`define IGPU_EXC_UNDERFLOW 1
`define IGPU_EXC_OVERFLOW  2
`define IGPU_EXC_INVALID   3
`define IGPU_EXC_W         4

// What an EU's FPU is offered: {valid, math, op 5, type of the result 4, of sources 2,
// 1, 0 12, modifiers 6, condition 4, saturate, rounding 2, float to integer rounds so,
// flush 3, predicate 8, sources 2, 1, 0}. What it gives: {ready, extended math's result
// is pow's, valid, exceptions 6, result; valid, exceptions, carries, flags, result}.
`define IGPU_FPU_IN_W  432
`define IGPU_FPU_OUT_W 314

// Floating-point formats.
`define IGPU_FMT_HF 2'd0
`define IGPU_FMT_F  2'd1
`define IGPU_FMT_DF 2'd2

// Classes of an unpacked number.
`define IGPU_CLS_ZERO   2'd0
`define IGPU_CLS_FINITE 2'd1
`define IGPU_CLS_INF    2'd2
`define IGPU_CLS_NAN    2'd3

// Control word of an operation in the pipeline (igpu_fpu_decode makes it).
`define IGPU_FCTL_OP    4:0    // operation
`define IGPU_FCTL_DTYPE 8:5    // type of the result
`define IGPU_FCTL_FMT   10:9   // format in which a float operation computes
`define IGPU_FCTL_FLT   11     // it computes in floating point
`define IGPU_FCTL_RAW   12     // bits are copied, whatever they mean
`define IGPU_FCTL_SAT   13     // saturate
`define IGPU_FCTL_CMOD  17:14  // condition modifier
`define IGPU_FCTL_RND1  19:18  // rounding of the operation
`define IGPU_FCTL_RND2  21:20  // rounding of the conversion to the result's type
`define IGPU_FCTL_FTZ   24:22  // flush denormals:
`define IGPU_FCTL_FTZ_HF 22    // ... of half floats
`define IGPU_FCTL_FTZ_F 23     // ... of single
`define IGPU_FCTL_FTZ_DF 24    // ... of double
`define IGPU_FCTL_WHOLE 25     // the operation rounds to whole numbers; of CMP: it is CMPN
`define IGPU_FCTL_MUL   26     // it multiplies (float or integer)
`define IGPU_FCTL_TWICE 27     // the integer product takes two passes
`define IGPU_FCTL_PASS2 28     // this is the second
`define IGPU_FCTL_DFLT  29     // the result is a float
`define IGPU_FCTL_DFMT  31:30  // of this format
`define IGPU_FCTL_STYPE 35:32  // type of source x
`define IGPU_FCTL_SH64  36     // shift counts have six bits
`define IGPU_FCTL_SLOT  38:37  // slots of 0: 16, 1: 32, 2: 64 bits
`define IGPU_FCTL_SLOT_32 37   // they have 32
`define IGPU_FCTL_SLOT_64 38   // they have 64
`define IGPU_FPU_CTL_W 39

`endif

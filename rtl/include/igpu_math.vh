// igpu_math.vh - what travels with an operation through the extended-math pipeline
// (rtl/fpu/igpu_math.v). Written by hand.
`ifndef IGPU_MATH_VH
`define IGPU_MATH_VH

// Functions, as math's FC field codes them.
`define IGPU_MATH_INV   4'd1
`define IGPU_MATH_LOG   4'd2
`define IGPU_MATH_EXP   4'd3
`define IGPU_MATH_SQT   4'd4
`define IGPU_MATH_RSQT  4'd5
`define IGPU_MATH_SIN   4'd6
`define IGPU_MATH_COS   4'd7
`define IGPU_MATH_FDIV  4'd9
`define IGPU_MATH_POW   4'd10
`define IGPU_MATH_IDIV  4'd11
`define IGPU_MATH_IQOT  4'd12
`define IGPU_MATH_IREM  4'd13
`define IGPU_MATH_INVM  4'd14
`define IGPU_MATH_RSQTM 4'd15

// Classes of a result.
`define IGPU_MATH_FINITE 3'd0   // to be computed
`define IGPU_MATH_ZERO   3'd1
`define IGPU_MATH_INF    3'd2
`define IGPU_MATH_NAN    3'd3
`define IGPU_MATH_ONE    3'd4
`define IGPU_MATH_BYZERO 3'd5   // an integer by zero

// Exceptions, at their places in sr0.1.
`define IGPU_MATH_INVALID   6'd1
`define IGPU_MATH_DENORMAL  6'd2
`define IGPU_MATH_DIVZERO   6'd4
`define IGPU_MATH_OVERFLOW  6'd8
`define IGPU_MATH_UNDERFLOW 6'd16
`define IGPU_MATH_INEXACT   6'd32

// Fields of the control word that each stage hands on.
`define IGPU_MATH_TAG_W    8
`define IGPU_MATH_CTL_W    59
`define IGPU_MATH_C_FN     3:0
`define IGPU_MATH_C_HALF   4       // half precision
`define IGPU_MATH_C_ROUND  6:5     // as cr0.0[5:4]
`define IGPU_MATH_C_FLUSH  7       // denormals become zeros
`define IGPU_MATH_C_SECOND 8       // the second pass of pow
`define IGPU_MATH_C_CLS    11:9    // IGPU_MATH_FINITE...
`define IGPU_MATH_C_SIGN   12      // of x; from `reduce` on of the result (log: of t)
`define IGPU_MATH_C_FLAGS  18:13   // exceptions of the operands
`define IGPU_MATH_C_QNEG   19      // integers: the quotient is negative
`define IGPU_MATH_C_RNEG   20      // integers: the remainder is negative
`define IGPU_MATH_C_UP     25:21   // integers: leading zeros of the divisor
`define IGPU_MATH_C_ODD    26      // roots: the exponent is odd
`define IGPU_MATH_C_YSIGN  27      // pow: sign of y
`define IGPU_MATH_C_YEXP   37:28   // pow: exponent of y
`define IGPU_MATH_C_YEXP_SIGN 37   // ... its top bit
`define IGPU_MATH_C_EXP    48:38   // exponent: of x, of the result, of bit 63
`define IGPU_MATH_C_LOW    49      // the true value lies above the bits
`define IGPU_MATH_C_NEAR1  50      // sine: 1 less almost nothing
`define IGPU_MATH_C_TAG    58:51
`endif

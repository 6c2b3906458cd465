// igpu_fpu_round - round a number to a format, or to whole numbers.
//
// Function  The task of igpu_fpu_round.vh as a module. NaN, infinity and zero pass.
// Timing    Combinational.
// Contract  A finite mant_i has its top bit set; its lowest bit also stands for
//           all below. Formats no wider than M bits.
// Tests     tests/formal/test_proofs.sh, tests/fpu
// Source    IEEE 754-2008 4.3, 7.4 to 7.6; docs/contract/fpu.md#rounding

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_round #(
    parameter M  = 24,                     // bits of a rounded mantissa
    parameter XW = 10
) (
    input  wire          on_i,             // else the number passes
    input  wire [1:0]    fmt_i,
    input  wire          whole_i,          // to whole numbers
    input  wire          free_i,           // ... and to no format
    input  wire [1:0]    rnd_i,
    input  wire [1:0]    cls_i,
    input  wire          sign_i,
    input  wire [XW-1:0] exp_i,
    input  wire [M+1:0]  mant_i,
    output reg  [1:0]    cls_o,
    output reg  [XW-1:0] exp_o,
    output reg  [M-1:0]  mant_o,
    output reg           inexact_o,
    output reg           underflow_o,
    output reg           overflow_o
);

`include "igpu_fpu_round.vh"

    always @* begin
        cls_o  = cls_i;
        exp_o  = exp_i;
        mant_o = mant_i[M+1:2];
        {overflow_o, underflow_o, inexact_o} = 3'd0;
        if (on_i && cls_i == `IGPU_CLS_FINITE)
            rounded(fmt_i, whole_i, free_i, rnd_i, sign_i, exp_i, mant_i, cls_o, exp_o,
                    mant_o, {overflow_o, underflow_o, inexact_o});
    end

endmodule

`default_nettype wire

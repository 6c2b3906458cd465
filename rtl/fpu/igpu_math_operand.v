// igpu_math_operand - one operand of extended math: class, sign, exponent, mantissa.
//
// Function  A number is mant_o / 2^31 * 2^exp_o with the top bit of mant_o set,
//           denormals too; or, with whole_i, the unsigned bits_i is shifted up by up_o.
// Timing    combinational.
// Contract  half_i: the pattern is bits_i[15:0]. A flushed denormal is a zero.
// Reset     none.
// Model     csim/fpu/math_number.c: math_unpack()  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none
`include "igpu_math.vh"

module igpu_math_operand (
    input  wire [31:0]        bits_i,        // pattern
    input  wire               half_i,        // of half precision
    input  wire               flush_i,       // denormals are zeros
    input  wire               whole_i,       // an unsigned integer
    output wire [2:0]         cls_o,         // IGPU_MATH_FINITE, _ZERO, _INF or _NAN
    output wire               sign_o,        // negative
    output wire signed [10:0] exp_o,         // exponent
    output wire [31:0]        mant_o,        // mantissa, top bit set
    output wire [4:0]         up_o,          // shifted by
    output wire               denormal_o,    // a denormal that is kept
    output wire               signalling_o   // a signalling NaN
);

    wire [7:0]  biased;
    wire [22:0] frac;
    wire        none, full, denormal;

    assign biased   = half_i ? {3'b000, bits_i[14:10]} : bits_i[30:23];
    assign frac     = half_i ? {bits_i[9:0], 13'd0} : bits_i[22:0];
    assign none     = biased == 8'd0;
    assign full     = half_i ? biased == 8'd31 : biased == 8'd255;
    assign denormal = none && frac != 23'd0;

    assign sign_o       = half_i ? bits_i[15] : bits_i[31];
    assign denormal_o   = denormal && !flush_i;
    assign signalling_o = full && frac != 23'd0 && !frac[22];
    assign cls_o = full ? (frac != 23'd0 ? `IGPU_MATH_NAN : `IGPU_MATH_INF)
                 : none && !denormal_o ? `IGPU_MATH_ZERO : `IGPU_MATH_FINITE;

    igpu_math_up #(.W(32), .LOG(5)) u_up (
        .value_i(whole_i ? bits_i : {!none, frac, 8'd0}), .top_o(mant_o), .up_o(up_o));

    // A denormal has the least exponent, less what it was shifted up.
    wire signed [10:0] bias, stored;
    assign bias   = half_i ? 11'sd15 : 11'sd127;
    assign stored = none ? 11'sd1 : $signed({3'b000, biased});
    assign exp_o  = stored - bias - (none ? $signed({6'd0, up_o}) : 11'sd0);

endmodule

`default_nettype wire

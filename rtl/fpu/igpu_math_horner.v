// igpu_math_horner - extended math: one step of a polynomial, s * d + c.
//
// Function  s_o = c_i + (s_i * d_i >> DW), the product cut downwards.
// Timing    1 cycle.
// Contract  The sum fits CW bits. s_i and c_i are signed, d_i is not.
// Reset     none: data follows.
// Model     csim/fpu/math_int.h: math_cubic_at()  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none
`include "igpu_assert.vh"

module igpu_math_horner #(
    parameter SW = 21,   // bits of s_i
    parameter DW = 20,   // bits of d_i, all behind the point
    parameter CW = 28    // bits of c_i and s_o; SW or more
) (
    input  wire                 clk_i,
    input  wire signed [SW-1:0] s_i,   // sum so far
    input  wire [DW-1:0]        d_i,   // place in the segment
    input  wire signed [CW-1:0] c_i,   // next coefficient
    output reg  signed [CW-1:0] s_o    // next sum
);

    // SW + DW + 1 bits, of which the product fills all but one.
    wire signed [SW+DW:0] product;
    assign product = $signed({{(DW+1){s_i[SW-1]}}, s_i}) * $signed({{(SW+1){1'b0}}, d_i});

    wire signed [SW-1:0] cut;
    assign cut = product[DW +: SW];

    always @(posedge clk_i)
        s_o <= c_i + {{(CW-SW){cut[SW-1]}}, cut};

    wire unused = &{1'b0, product[SW+DW], product[DW-1:0]};

    `IGPU_SHADOW(wire signed [CW:0] sum = {c_i[CW-1], c_i} + {{(CW+1-SW){cut[SW-1]}}, cut};)
    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_REQUIRE(clk_i, (sum[CW] == sum[CW-1]) !== 1'b0, "the sum fits CW bits")

endmodule

`default_nettype wire

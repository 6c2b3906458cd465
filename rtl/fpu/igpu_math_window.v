// igpu_math_window - extended math, stage 2: the factors of the argument.
//
// Function  The argument of sine and cosine is m 2/pi, of exp m times 1, of pow's
//           second pass y times the logarithm. k_o is the 24-bit factor, w_o the wide
//           one: for sine and cosine the 90 bits of 2/pi that count modulo 4.
// Timing    1 cycle.
// Contract  Exponents below -1 count as -1; the next stages scale.
// Reset     none: data follows.
// Model     csim/fpu/math_trig.c: window()  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none
`include "igpu_math.vh"

module igpu_math_window (
    input  wire                        clk_i,
    input  wire [`IGPU_MATH_CTL_W-1:0] ctl_i,   // control word
    input  wire [31:0]                 a_i,     // dividend, or y's mantissa
    input  wire [31:0]                 m_i,     // mantissa
    input  wire [39:0]                 log_i,   // second pass: the logarithm's mantissa
    output reg  [`IGPU_MATH_CTL_W-1:0] ctl_o,
    output reg  [31:0]                 a_o,
    output reg  [31:0]                 m_o,
    output reg  [23:0]                 k_o,     // factors
    output reg  [89:0]                 w_o
);

    // 2/pi, 192 bits behind the point.
    localparam [191:0] TWO_OVER_PI =
        192'hA2F9836E4E441529_FC2757D1F534DDC0_DB6295993C439042;

    wire [3:0]         fn;
    wire signed [10:0] exp;
    wire [7:0]         down;    // 127 - exponent: 0 to 128
    wire [191:0]       bits;
    assign fn   = ctl_i[`IGPU_MATH_C_FN];
    assign exp  = ctl_i[`IGPU_MATH_C_EXP];
    assign down = exp < -11'sd1 ? 8'd128 : 8'd127 - exp[7:0];
    assign bits = TWO_OVER_PI >> down;

    always @(posedge clk_i) begin
        ctl_o <= ctl_i;
        a_o   <= a_i;
        m_o   <= m_i;
        k_o   <= ctl_i[`IGPU_MATH_C_SECOND] ? a_i[23:0] : m_i[31:8];
        if (fn == `IGPU_MATH_SIN || fn == `IGPU_MATH_COS)
            w_o <= bits[89:0];
        else if (ctl_i[`IGPU_MATH_C_SECOND])
            w_o <= {50'd0, log_i};
        else
            w_o <= {50'd0, 1'b1, 39'd0};
    end

    wire unused = &{1'b0, bits[191:90]};

endmodule

`default_nettype wire

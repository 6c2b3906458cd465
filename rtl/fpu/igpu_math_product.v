// igpu_math_product - extended math, stage 3: the product of the argument's factors.
//
// Function  t_o = k_i * w_i modulo 2^90.
// Timing    1 cycle.
// Contract  none.
// Reset     none: data follows.
// Model     csim/fpu/math_trig.c: math_trig(), math_log.c  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none
`include "igpu_math.vh"

module igpu_math_product (
    input  wire                        clk_i,
    input  wire [`IGPU_MATH_CTL_W-1:0] ctl_i,   // control word
    input  wire [31:0]                 a_i,     // dividend
    input  wire [31:0]                 m_i,     // mantissa
    input  wire [23:0]                 k_i,     // factors
    input  wire [89:0]                 w_i,
    output reg  [`IGPU_MATH_CTL_W-1:0] ctl_o,
    output reg  [31:0]                 a_o,
    output reg  [31:0]                 m_o,
    output reg  [89:0]                 t_o      // product
);

    always @(posedge clk_i) begin
        ctl_o <= ctl_i;
        a_o   <= a_i;
        m_o   <= m_i;
        t_o   <= {66'd0, k_i} * w_i;
    end

endmodule

`default_nettype wire

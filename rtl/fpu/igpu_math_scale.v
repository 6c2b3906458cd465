// igpu_math_scale - extended math, stage 10: the table's value times its factor.
//
// Function  t_o = f_i * p_i.
// Timing    1 cycle.
// Contract  none.
// Reset     none: data follows.
// Model     csim/fpu/  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none
`include "igpu_math.vh"

module igpu_math_scale (
    input  wire                        clk_i,
    input  wire [`IGPU_MATH_CTL_W-1:0] ctl_i,   // control word
    input  wire [31:0]                 a_i,     // dividend
    input  wire [31:0]                 b_i,     // divisor
    input  wire [35:0]                 f_i,     // factor
    input  wire [40:0]                 p_i,     // value
    output reg  [`IGPU_MATH_CTL_W-1:0] ctl_o,
    output reg  [31:0]                 a_o,
    output reg  [31:0]                 b_o,
    output reg  [76:0]                 t_o      // product
);

    always @(posedge clk_i) begin
        ctl_o <= ctl_i;
        a_o   <= a_i;
        b_o   <= b_i;
        t_o   <= {41'd0, f_i} * {36'd0, p_i};
    end

endmodule

`default_nettype wire

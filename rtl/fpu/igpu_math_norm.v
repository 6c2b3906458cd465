// igpu_math_norm - extended math, stage 13: 40 leading bits of the value.
//
// Function  The result is mant_o / 2^39 * 2^exponent; the lowest bit of mant_o also
//           stands for everything below.
// Timing    1 cycle.
// Contract  v_i is not zero when the result is finite.
// Reset     none: data follows.
// Model     csim/fpu/math_number.c: math_number()  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none
`include "igpu_math.vh"

module igpu_math_norm (
    input  wire                        clk_i,
    input  wire [`IGPU_MATH_CTL_W-1:0] ctl_i,   // control word
    input  wire [31:0]                 a_i,     // y's mantissa, for pow
    input  wire [63:0]                 v_i,     // value
    input  wire [31:0]                 whole_i, // integer result
    output reg  [`IGPU_MATH_CTL_W-1:0] ctl_o,
    output reg  [31:0]                 a_o,
    output reg  [39:0]                 mant_o,  // mantissa
    output reg  [31:0]                 whole_o
);

    wire [63:0] top;
    wire [5:0]  up;
    igpu_math_up #(.W(64), .LOG(6)) u_up (.value_i(v_i), .top_o(top), .up_o(up));

    always @(posedge clk_i) begin
        ctl_o                   <= ctl_i;
        ctl_o[`IGPU_MATH_C_EXP] <= ctl_i[`IGPU_MATH_C_EXP] - {5'd0, up};
        a_o                     <= a_i;
        mant_o                  <= {top[63:25], |top[24:0] || ctl_i[`IGPU_MATH_C_LOW]};
        whole_o                 <= whole_i;
    end

endmodule

`default_nettype wire

// igpu_math_window - extended math, stage 2: the factors of the argument.
//
// Function  The argument of sine and cosine is m 2/pi, of exp m times 1, of pow's
//           second pass y times the logarithm. k_o is the 24-bit factor, w_o the wide
//           one: for sine and cosine the 90 bits of 2/pi that count modulo 4.
// Timing    1 cycle, then a selection.
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
    output wire [89:0]                 w_o
);

    wire [3:0]         fn;
    wire signed [10:0] exp;
    wire               is_trig;
    wire [7:0]         row;    // exponent + 1: 0 to 128
    assign fn      = ctl_i[`IGPU_MATH_C_FN];
    assign exp     = ctl_i[`IGPU_MATH_C_EXP];
    assign is_trig = fn == `IGPU_MATH_SIN || fn == `IGPU_MATH_COS;
    assign row     = exp < -11'sd1 ? 8'd0 : exp[7:0] + 8'd1;

    reg         turn_q;
    reg  [39:0] other_q;
    wire [89:0] turn;
    igpu_math_rom_turn u_turn (
        .clk_i(clk_i), .en_i(is_trig), .seg_i(row), .data_o(turn));
    assign w_o = turn_q ? turn : {50'd0, other_q};

    always @(posedge clk_i) begin
        ctl_o   <= ctl_i;
        a_o     <= a_i;
        m_o     <= m_i;
        k_o     <= ctl_i[`IGPU_MATH_C_SECOND] ? a_i[23:0] : m_i[31:8];
        turn_q  <= is_trig;
        other_q <= ctl_i[`IGPU_MATH_C_SECOND] ? log_i : {1'b1, 39'd0};
    end

endmodule

`default_nettype wire

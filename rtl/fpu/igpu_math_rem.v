// igpu_math_rem - extended math, stage 11: the remainder of an estimated result.
//
// Function  q_o: the estimate of a quotient or root as a whole number; rest_o: what
//           q_o leaves of the dividend, signed, modulo 2^34. It fits, since the
//           estimate is off by one at the most.
// Timing    1 cycle.
// Contract  none.
// Reset     none: data follows.
// Model     csim/fpu/math_div.c  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none
`include "igpu_math.vh"

module igpu_math_rem (
    input  wire                        clk_i,
    input  wire [`IGPU_MATH_CTL_W-1:0] ctl_i,   // control word
    input  wire [31:0]                 a_i,     // dividend
    input  wire [31:0]                 b_i,     // divisor
    input  wire [76:0]                 t_i,     // product
    output reg  [`IGPU_MATH_CTL_W-1:0] ctl_o,
    output reg  [31:0]                 a_o,
    output reg  [31:0]                 b_o,
    output reg  [76:0]                 t_o,
    output reg  [31:0]                 q_o,     // estimate
    output reg  [33:0]                 rest_o   // remainder
);

    wire [3:0]  fn;
    wire        is_int, is_root;
    wire [6:0]  down;
    wire [76:0] moved;
    wire [31:0] q;
    wire [33:0] dividend;
    assign fn       = ctl_i[`IGPU_MATH_C_FN];
    assign is_int   = fn == `IGPU_MATH_IDIV || fn == `IGPU_MATH_IQOT ||
                      fn == `IGPU_MATH_IREM;
    assign is_root  = fn == `IGPU_MATH_SQT;
    assign down     = is_int ? 7'd71 - {2'b00, ctl_i[`IGPU_MATH_C_UP]}
                    : is_root ? 7'd39 : 7'd38;
    assign moved    = t_i >> down;
    assign q        = moved[31:0];
    assign dividend = is_int ? {2'b00, a_i} : {a_i[8:0], 25'd0};

    always @(posedge clk_i) begin
        ctl_o  <= ctl_i;
        a_o    <= a_i;
        b_o    <= b_i;
        t_o    <= t_i;
        q_o    <= q;
        rest_o <= dividend - {2'b00, q} * {2'b00, is_root ? q : b_i};
    end

    wire unused = &{1'b0, moved[76:32]};

endmodule

`default_nettype wire

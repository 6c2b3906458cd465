// igpu_fpu_convert - stage 7: rounding to the result's type.
//
// Function  The number rounds to the result's format, or to a whole number when that
//           is an integer; nothing happens when it already has that format.
// Timing    1 cycle.
// Reset     rst_ni low, synchronous: nothing valid.
// Tests     tests/fpu.  Source: docs/fpu.md#rounding

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_convert #(
    parameter W  = 32,
    parameter M  = 24,
    parameter XW = 10
) (
    input  wire                       clk_i,
    input  wire                       rst_ni,
    input  wire                       s6_valid_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s6_ctl_i,
    input  wire [1:0]                 s6_cls_i,
    input  wire                       s6_sign_i,
    input  wire [XW-1:0]              s6_exp_i,
    input  wire [M-1:0]               s6_mant_i,
    input  wire [`IGPU_EXC_W-1:0]     s6_exc_i,
    input  wire                       s6_hold_i,
    input  wire [W-1:0]               s6_int_i,
    input  wire                       s6_less_i,
    input  wire                       s6_equal_i,
    input  wire                       s6_over_i,
    input  wire                       s6_carry_i,
    output reg                        s7_valid_o,
    output reg  [`IGPU_FPU_CTL_W-1:0] s7_ctl_o,
    output reg  [1:0]                 s7_cls_o,
    output reg                        s7_sign_o,
    output reg  [XW-1:0]              s7_exp_o,
    output reg  [M-1:0]               s7_mant_o,
    output reg  [`IGPU_EXC_W-1:0]     s7_exc_o,
    output reg                        s7_hold_o,
    output reg  [W-1:0]               s7_int_o,
    output reg                        s7_less_o,
    output reg                        s7_equal_o,
    output reg                        s7_over_o,
    output reg                        s7_carry_o
);

    wire       flt  = s6_ctl_i[`IGPU_CTL_FLT];
    wire       dflt = s6_ctl_i[`IGPU_CTL_DFLT];
    wire [4:0] op   = s6_ctl_i[`IGPU_CTL_OP];

    wire [1:0]    cls;
    wire [XW-1:0] exp;
    wire [M-1:0]  mant;
    wire          inexact, underflow, overflow;
    wire [2:0]    exc = {overflow, underflow, inexact};
    wire          float = s6_valid_i && flt && op != `IGPU_FPU_OP_CMP &&
                          !(dflt && s6_ctl_i[`IGPU_CTL_FMT] == s6_ctl_i[`IGPU_CTL_DFMT]);

    igpu_fpu_round #(.M(M), .XW(XW)) u_round (
        .on_i(float), .fmt_i(s6_ctl_i[`IGPU_CTL_DFMT]), .whole_i(!dflt), .free_i(!dflt),
        .rnd_i(s6_ctl_i[`IGPU_CTL_RND2]),
        .cls_i(s6_cls_i), .sign_i(s6_sign_i), .exp_i(s6_exp_i),
        .mant_i({s6_mant_i, 2'b00}),
        .cls_o(cls), .exp_o(exp), .mant_o(mant),
        .inexact_o(inexact), .underflow_o(underflow), .overflow_o(overflow));

    always @(posedge clk_i) begin
        s7_valid_o <= rst_ni && s6_valid_i;
        if (s6_valid_i) begin
            s7_ctl_o   <= s6_ctl_i;
            s7_cls_o   <= cls;
            s7_sign_o  <= s6_sign_i;
            s7_exp_o   <= exp;
            s7_mant_o  <= mant;
            s7_exc_o   <= op == `IGPU_FPU_OP_CMP ? s6_exc_i & (4'd1 << `IGPU_EXC_INVALID) :
                          s6_exc_i | {1'b0, {3{float}} & exc};
            s7_hold_o  <= s6_hold_i;
            s7_less_o  <= s6_less_i;
            s7_equal_o <= s6_equal_i;
            s7_over_o  <= s6_over_i;
            s7_int_o   <= s6_int_i;
            s7_carry_o <= s6_carry_i;
        end
    end

endmodule

`default_nettype wire

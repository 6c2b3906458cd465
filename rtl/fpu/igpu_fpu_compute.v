// igpu_fpu_compute - stage 6: round the result to the format it computes in.
//
// Function  The one rounding of a float operation (igpu_fpu_round). An integer that
//           becomes a float rounds to the result's format here. The fraction of a
//           number that rounds to 1 is the largest number below 1.
// Timing    1 cycle.
// Reset     rst_ni low, synchronous: nothing valid.
// Tests     tests/fpu.  Source: docs/fpu.md#rounding

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_compute #(
    parameter W  = 32,
    parameter M  = 24,
    parameter XW = 10
) (
    input  wire                       clk_i,
    input  wire                       rst_ni,
    input  wire                       s5_valid_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s5_ctl_i,
    input  wire [1:0]                 s5_cls_i,
    input  wire                       s5_sign_i,
    input  wire [XW-1:0]              s5_exp_i,
    input  wire [M+1:0]               s5_mant_i,
    input  wire                       s5_invalid_i,
    input  wire                       s5_hold_i,
    input  wire [W-1:0]               s5_int_i,
    input  wire                       s5_less_i,
    input  wire                       s5_equal_i,
    input  wire                       s5_over_i,
    input  wire                       s5_carry_i,
    output reg                        s6_valid_o,
    output reg  [`IGPU_FPU_CTL_W-1:0] s6_ctl_o,
    output reg  [1:0]                 s6_cls_o,
    output reg                        s6_sign_o,
    output reg  [XW-1:0]              s6_exp_o,
    output reg  [M-1:0]               s6_mant_o,
    output reg  [`IGPU_EXC_W-1:0]     s6_exc_o,
    output reg                        s6_hold_o,
    output reg  [W-1:0]               s6_int_o,
    output reg                        s6_less_o,
    output reg                        s6_equal_o,
    output reg                        s6_over_o,
    output reg                        s6_carry_o
);

    wire [1:0]    cls;
    wire [XW-1:0] exp;
    wire [M-1:0]  mant;
    wire          inexact, underflow, overflow;
    wire [1:0]    fmt = s5_ctl_i[`IGPU_CTL_FMT];
    wire          float = s5_ctl_i[`IGPU_CTL_FLT] || s5_ctl_i[`IGPU_CTL_DFLT];
    wire          full = s5_ctl_i[`IGPU_CTL_OP] == `IGPU_FPU_OP_FRC &&
                         cls == `IGPU_CLS_FINITE && exp == {XW{1'b0}};

    igpu_fpu_round #(.M(M), .XW(XW)) u_round (
        .on_i(s5_valid_i && float), .fmt_i(fmt), .whole_i(s5_ctl_i[`IGPU_CTL_WHOLE]),
        .free_i(1'b0), .rnd_i(s5_ctl_i[`IGPU_CTL_RND1]), .cls_i(s5_cls_i),
        .sign_i(s5_sign_i), .exp_i(s5_exp_i), .mant_i(s5_mant_i), .cls_o(cls), .exp_o(exp), .mant_o(mant),
        .inexact_o(inexact), .underflow_o(underflow), .overflow_o(overflow));

    // Ones in all bits of the format's precision.
    reg [M-1:0] ones;
    always @* begin
        ones = {M{1'b1}};
        if (M > 24 && fmt == `IGPU_FMT_F)
            ones = ~(ones >> 24);
        else if (M > 11 && fmt == `IGPU_FMT_HF)
            ones = ~(ones >> 11);
    end

    always @(posedge clk_i) begin
        s6_valid_o <= rst_ni && s5_valid_i;
        if (s5_valid_i) begin
            s6_ctl_o   <= s5_ctl_i;
            s6_cls_o   <= cls;
            s6_sign_o  <= s5_sign_i;
            s6_exp_o   <= full ? {XW{1'b1}} : exp;
            s6_mant_o  <= full ? ones : mant;
            s6_exc_o   <= {s5_invalid_i, {3{float}} & {overflow, underflow, inexact}};
            s6_hold_o  <= s5_hold_i;
            s6_int_o   <= s5_int_i;
            s6_less_o  <= s5_less_i;
            s6_equal_o <= s5_equal_i;
            s6_over_o  <= s5_over_i;
            s6_carry_o <= s5_carry_i;
        end
    end

endmodule

`default_nettype wire

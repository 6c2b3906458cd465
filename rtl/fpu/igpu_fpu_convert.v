// igpu_fpu_convert - stage 7: rounding to the result's type.
//
// Function  The number rounds to the result's format, or to a whole number when that
//           is an integer; nothing happens when it already has that format.
// Timing    1 cycle.
// Tests     tests/fpu.  Source: docs/contract/fpu.md#rounding

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_convert #(
    parameter W  = 32,
    parameter M  = 24,
    parameter XW = 10
) (
    input  wire                       clk_i,
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

`include "igpu_fpu_round.vh"

    // A comparison's outcome travels as an integer.
    wire flt  = s6_ctl_i[`IGPU_FCTL_FLT] && s6_ctl_i[`IGPU_FCTL_OP] != `IGPU_FPU_OP_CMP;
    wire dflt = s6_ctl_i[`IGPU_FCTL_DFLT];

    task floats;
        reg [1:0]    cls;
        reg [XW-1:0] exp;
        reg [M-1:0]  mant;
        reg [2:0]    exc;
        begin
            cls  = s6_cls_i;
            exp  = s6_exp_i;
            mant = s6_mant_i;
            exc  = 3'd0;
            if (flt && cls == `IGPU_CLS_FINITE &&
                !(dflt && s6_ctl_i[`IGPU_FCTL_FMT] == s6_ctl_i[`IGPU_FCTL_DFMT]))
                rounded(s6_ctl_i[`IGPU_FCTL_DFMT], !dflt, !dflt, s6_ctl_i[`IGPU_FCTL_RND2],
                        s6_sign_i, s6_exp_i, {s6_mant_i, 2'b00}, cls, exp, mant, exc);
            s7_cls_o  <= cls;
            s7_sign_o <= s6_sign_i;
            s7_exp_o  <= exp;
            s7_mant_o <= mant;
            s7_exc_o  <= s6_exc_i | {1'b0, exc};
        end
    endtask

    always @(posedge clk_i)
        if (s6_valid_i) begin
            s7_hold_o <= s6_hold_i;
            if (flt || dflt)
                floats;
            else
                s7_exc_o <= s6_exc_i;
            if (!flt) begin
                s7_less_o  <= s6_less_i;
                s7_equal_o <= s6_equal_i;
                s7_over_o  <= s6_over_i;
                s7_int_o   <= s6_int_i;
                s7_carry_o <= s6_carry_i;
            end
        end

    wire unused = &{1'b0, s6_ctl_i};

endmodule

`default_nettype wire

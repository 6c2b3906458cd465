// igpu_fpu_compute - stage 6: round the result to the format it computes in.
//
// Function  The one rounding of a float operation (igpu_fpu_round). An integer that
//           becomes a float rounds to the result's format here. The fraction of a
//           number that rounds to 1 is the largest number below 1.
// Timing    1 cycle.
// Tests     tests/fpu.  Source: docs/contract/fpu.md#rounding

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_compute #(
    parameter W  = 32,
    parameter M  = 24,
    parameter XW = 10
) (
    input  wire                       clk_i,
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

`include "igpu_fpu_round.vh"

    // A comparison's outcome travels as an integer.
    wire flt = s5_ctl_i[`IGPU_FCTL_FLT] && s5_ctl_i[`IGPU_FCTL_OP] != `IGPU_FPU_OP_CMP;

    task floats;
        reg [1:0]    cls;
        reg [XW-1:0] exp;
        reg [M-1:0]  mant;
        reg [2:0]    exc;
        begin
            cls  = s5_cls_i;
            exp  = s5_exp_i;
            mant = s5_mant_i[M+1:2];
            exc  = 3'd0;
            if (cls == `IGPU_CLS_FINITE)
                rounded(s5_ctl_i[`IGPU_FCTL_FMT], s5_ctl_i[`IGPU_FCTL_WHOLE], 1'b0,
                        s5_ctl_i[`IGPU_FCTL_RND1], s5_sign_i, s5_exp_i, s5_mant_i, cls, exp,
                        mant, exc);
            if (s5_ctl_i[`IGPU_FCTL_OP] == `IGPU_FPU_OP_FRC && cls == `IGPU_CLS_FINITE &&
                exp == {XW{1'b0}}) begin
                exp  = {XW{1'b1}};
                // Ones in all bits of the format's precision.
                mant = {M{1'b1}};
                if (M > 24 && s5_ctl_i[`IGPU_FCTL_FMT] == `IGPU_FMT_F)
                    mant = ~(mant >> 24);
                else if (M > 11 && s5_ctl_i[`IGPU_FCTL_FMT] == `IGPU_FMT_HF)
                    mant = ~(mant >> 11);
            end
            s6_cls_o  <= cls;
            s6_sign_o <= s5_sign_i;
            s6_exp_o  <= exp;
            s6_mant_o <= mant;
            s6_exc_o  <= {s5_invalid_i, exc};
        end
    endtask

    always @(posedge clk_i)
        if (s5_valid_i) begin
            s6_hold_o <= s5_hold_i;
            if (flt || s5_ctl_i[`IGPU_FCTL_DFLT])
                floats;
            else
                s6_exc_o <= {s5_invalid_i, 3'd0};
            if (!flt) begin
                s6_int_o   <= s5_int_i;
                s6_less_o  <= s5_less_i;
                s6_equal_o <= s5_equal_i;
                s6_over_o  <= s5_over_i;
                s6_carry_o <= s5_carry_i;
            end
        end

    wire unused = &{1'b0, s5_ctl_i};

endmodule

`default_nettype wire

// igpu_fpu_pack - stage 8: the result's bits, its flag, saturation.
//
// Function  A number in its type's encoding, denormals flushed where the control
//           register says so (underflow and inexact then); or as an integer,
//           saturated, NaN 0 (invalid when out of range or NaN); or the integer
//           result. Bits above the type are 0. The condition modifier looks at that
//           value; then saturation to a float type clamps it to [0, 1], NaN to 0.
// Timing    1 cycle.
// Contract  The number is rounded to the type.
// Model     csim/emu/emu_store.c.
// Tests     tests/fpu.  Source: docs/contract/fpu.md

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_fpu.vh"

module igpu_fpu_pack #(
    parameter W  = 32,
    parameter DF = 0,
    parameter M  = 24,
    parameter XW = 10
) (
    input  wire                       clk_i,
    input  wire                       s7_valid_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s7_ctl_i,
    input  wire [1:0]                 s7_cls_i,
    input  wire                       s7_sign_i,
    input  wire [XW-1:0]              s7_exp_i,
    input  wire [M-1:0]               s7_mant_i,
    input  wire [`IGPU_EXC_W-1:0]     s7_exc_i,
    input  wire                       s7_hold_i,
    input  wire [W-1:0]               s7_int_i,
    input  wire                       s7_less_i,
    input  wire                       s7_equal_i,
    input  wire                       s7_over_i,
    input  wire                       s7_carry_i,
    output reg  [W-1:0]               result_o,
    output reg                        flag_o,
    output reg                        carry_o,
    output reg  [`IGPU_EXC_W-1:0]     exc_o
);

    localparam E_HF = 15, E_F = 127, E_DF = 1023;
    localparam F_DOWN = M > 24 ? M - 24 : 0;   // from the top to a single's fraction
    localparam [W+31:0] X_HF = 31, X_F = 255, X_DF = 2047, ONE = 1; // exponent fields

`include "igpu_fpu_cond.vh"
`include "igpu_fpu_toint.vh"

    wire flt  = s7_ctl_i[`IGPU_FCTL_FLT];
    wire dflt = s7_ctl_i[`IGPU_FCTL_DFLT];
    wire cmp  = s7_ctl_i[`IGPU_FCTL_OP] == `IGPU_FPU_OP_CMP;

    // The number from weight 2^-(M-1) on, where it becomes an integer.
    wire [W+M-1:0] up = (flt && !dflt) ? {{W{1'b0}}, s7_mant_i} << s7_exp_i[6:0] : {(W+M){1'b0}};

    // A number in its type's encoding; what is 0 in it, by itself or flushed.
    task number(output [W-1:0] bits, output flush, output none);
        reg [1:0]           fmt;
        reg                 nan, is_inf, zero, is_df, is_f, sat, to_0, to_1, denorm;
        reg signed [XW-1:0] bias, biased;
        reg [M-1:0]         mant;
        reg [XW-1:0]        field, under;
        reg [W+31:0]        wide, high;
        begin
            fmt    = s7_ctl_i[`IGPU_FCTL_DFMT];
            nan    = s7_cls_i == `IGPU_CLS_NAN;
            is_inf = s7_cls_i == `IGPU_CLS_INF;
            zero   = s7_cls_i == `IGPU_CLS_ZERO;
            is_df  = fmt == `IGPU_FMT_DF && DF != 0;
            is_f   = fmt == `IGPU_FMT_F && W >= 32;
            sat    = s7_ctl_i[`IGPU_FCTL_SAT];
            to_0   = sat && (s7_sign_i || nan || zero);
            to_1   = sat && !to_0 && (is_inf || !s7_exp_i[XW-1]);  // 1 or more
            bias   = is_df ? E_DF[XW-1:0] : is_f ? E_F[XW-1:0] : E_HF[XW-1:0];
            biased = s7_exp_i + bias;
            denorm = biased <= 0 && s7_cls_i == `IGPU_CLS_FINITE;
            flush  = denorm && (is_df ? s7_ctl_i[`IGPU_FCTL_FTZ_DF] :
                                is_f  ? s7_ctl_i[`IGPU_FCTL_FTZ_F] :
                                        s7_ctl_i[`IGPU_FCTL_FTZ_HF]);
            none   = zero || flush;

            field  = biased;
            mant   = s7_mant_i;
            if (to_1) begin
                field = bias;
                mant  = {M{1'b0}};
            end else if (to_0 || none) begin
                field = {XW{1'b0}};
                mant  = {M{1'b0}};
            end else if (nan || is_inf) begin
                field = {XW{1'b1}};
                if (is_inf)
                    mant = {M{1'b0}};
            end else if (denorm) begin
                field = {XW{1'b0}};
                under = 1 - biased;
                mant  = s7_mant_i >> under;
            end

            mant[M-1] = 1'b0;
            wide = {{(W+32-M){1'b0}}, mant};
            high = {{(W+32-XW){1'b0}}, field};
            if (is_df)
                wide = wide | (high & X_DF) << 52;
            else if (is_f)
                wide = wide >> F_DOWN | (high & X_F) << 23;
            else
                wide = wide >> (M - 11) | (high & X_HF) << 10;
            if (s7_sign_i && !sat)
                wide = wide | ONE << (is_df ? 63 : is_f ? 31 : 15);
            bits = wide[W-1:0];
        end
    endtask

    task step;
        reg [W-1:0] bits;
        reg         flush, none, bad, less, equal, un, over;
        begin
            bits  = s7_int_i;
            flush = 1'b0;
            none  = 1'b0;
            bad   = 1'b0;
            if (dflt)
                number(bits, flush, none);
            else if (flt && !cmp) begin
                integer_of(s7_ctl_i[`IGPU_FCTL_DTYPE], s7_cls_i, s7_sign_i, s7_exp_i,
                           up[W+M-1:M-1], bits, bad);
                none = bits == {W{1'b0}};
            end
            result_o <= bits;
            carry_o  <= s7_carry_i;
            exc_o    <= bad ? 4'd1 << `IGPU_EXC_INVALID : s7_exc_i | {2'd0, {2{flush}}};
            flag_o   <= cmp && s7_hold_i;
            if (s7_ctl_i[`IGPU_FCTL_CMOD] != `IGPU_CMOD_NONE && !cmp) begin
                less  = s7_less_i;
                equal = s7_equal_i;
                un    = 1'b0;
                over  = s7_over_i;
                if (flt) begin
                    un    = s7_cls_i == `IGPU_CLS_NAN;
                    less  = s7_sign_i && !none && !un;
                    equal = none;
                    un    = un && (dflt || s7_ctl_i[`IGPU_FCTL_CMOD] == `IGPU_CMOD_UN);
                    over  = s7_exc_i[`IGPU_EXC_OVERFLOW];
                end
                flag_o <= condition(s7_ctl_i[`IGPU_FCTL_CMOD], less, equal, un, over);
            end
        end
    endtask

    always @(posedge clk_i)
        if (s7_valid_i)
            step;

    wire unused = &{1'b0, s7_ctl_i, up};

    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_REQUIRE(clk_i, !s7_valid_i || !dflt || s7_cls_i != `IGPU_CLS_FINITE ||
                         (s7_ctl_i[`IGPU_FCTL_DFMT] == `IGPU_FMT_DF && DF != 0) ||
                         ((s7_ctl_i[`IGPU_FCTL_DFMT] == `IGPU_FMT_F && W >= 32) ?
                          (s7_mant_i << 24) == {M{1'b0}} : (s7_mant_i << 11) == {M{1'b0}}),
                  "the number is rounded to the type")
    `IGPU_REQUIRE(clk_i, !s7_valid_i || dflt || !flt || cmp || s7_cls_i != `IGPU_CLS_FINITE ||
                         (!s7_exp_i[XW-1] && ((s7_mant_i << s7_exp_i) << 1) == {M{1'b0}}),
                  "the number is rounded to a whole one")

endmodule

`default_nettype wire

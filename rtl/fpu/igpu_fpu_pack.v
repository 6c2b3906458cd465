// igpu_fpu_pack - stage 8: the result's bits, its flag, saturation.
//
// Function  A number in its type's encoding, denormals flushed where the control
//           register says so (underflow and inexact then); or as an integer,
//           saturated, NaN 0 (invalid when out of range or NaN); or the integer
//           result. Bits above the type are 0. The condition modifier looks at that
//           value; then saturation to a float type clamps it to [0, 1], NaN to 0.
// Timing    1 cycle.
// Contract  The number is rounded to the type.
// Model     csim/emu/emu_store.c.  Reset: rst_ni low, synchronous: nothing valid.
// Tests     tests/fpu.  Source: docs/fpu.md

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_pack #(
    parameter W  = 32,
    parameter DF = 0,
    parameter M  = 24,
    parameter XW = 10
) (
    input  wire                       clk_i,
    input  wire                       rst_ni,
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
    output reg                        valid_o,
    output reg  [W-1:0]               result_o,
    output reg                        flag_o,
    output reg                        carry_o,
    output reg  [`IGPU_EXC_W-1:0]     exc_o
);

    localparam E_HF = 15, E_F = 127, E_DF = 1023;

    wire [1:0] fmt  = s7_ctl_i[`IGPU_CTL_DFMT];
    wire       nan  = s7_cls_i == `IGPU_CLS_NAN;
    wire       inf  = s7_cls_i == `IGPU_CLS_INF;
    wire       zero = s7_cls_i == `IGPU_CLS_ZERO;
    wire       is_df = fmt == `IGPU_FMT_DF && DF != 0;
    wire       is_f  = fmt == `IGPU_FMT_F && W >= 32;
    wire       dflt  = s7_valid_i && s7_ctl_i[`IGPU_CTL_DFLT];

    // ---- saturation -----------------------------------------------------
    wire sat  = s7_ctl_i[`IGPU_CTL_SAT] && dflt;
    wire to_0 = sat && (s7_sign_i || nan || zero);
    wire to_1 = sat && !to_0 && (inf || !s7_exp_i[XW-1]);  // 1 or more
    wire sign = s7_sign_i && !sat;

    // ---- float ----------------------------------------------------------
    wire signed [XW-1:0] bias   = is_df ? E_DF[XW-1:0] : is_f ? E_F[XW-1:0]
                                                             : E_HF[XW-1:0];
    wire signed [XW-1:0] biased = s7_exp_i + bias;
    wire                 denorm = biased <= 0;
    wire                 flush  = denorm && s7_cls_i == `IGPU_CLS_FINITE &&
                                  s7_ctl_i[22 + (is_df ? 2 : is_f ? 1 : 0)];
    reg  [M-2:0]         frac;
    reg  [M-1:0]         shifted;
    reg  [XW-1:0]        under, field;

    always @* begin
        frac    = {(M-1){1'b0}};
        field   = {XW{1'b0}};
        under   = 1 - biased;
        shifted = {M{1'b0}};
        if (to_1) begin
            field = bias;
        end else if (dflt && !to_0 && !zero) begin
            if (nan || inf) begin
                field = {XW{1'b1}};
                if (nan)
                    frac = s7_mant_i[M-2:0];
            end else if (!denorm) begin
                field = biased;
                frac  = s7_mant_i[M-2:0];
            end else if (!flush) begin
                shifted = s7_mant_i >> under;
                frac    = shifted[M-2:0];
            end
        end
    end

    reg  [W-1:0]         number;
    wire [W-1:0]         number_f, number_df;

    generate
        if (W >= 32) begin : g_f
            wire [W+31:0] wide = {{W{1'b0}}, sign, field[7:0], frac[M-2 -: 23]};
            assign number_f = wide[W-1:0];
            wire unused_wide = &{1'b0, wide};
        end else begin : g_no_f
            assign number_f = {W{1'b0}};
        end
        if (DF != 0) begin : g_df
            assign number_df = {sign, field[10:0], frac[M-2 -: 52]};
        end else begin : g_no_df
            assign number_df = {W{1'b0}};
        end
    endgenerate

    always @* begin
        number = {W{1'b0}};
        if (dflt && is_df)
            number = number_df;
        else if (dflt && is_f)
            number = number_f;
        else if (dflt)
            number[15:0] = {sign, field[4:0], frac[M-2 -: 10]};
    end

    // ---- integer --------------------------------------------------------
    wire [W-1:0] whole;
    wire         bad;
    wire         convert = s7_valid_i && s7_ctl_i[`IGPU_CTL_FLT] && !dflt &&
                           s7_ctl_i[`IGPU_CTL_OP] != `IGPU_FPU_OP_CMP;

    igpu_fpu_toint #(.W(W), .M(M), .XW(XW)) u_toint (
        .on_i(convert), .type_i(s7_ctl_i[`IGPU_CTL_DTYPE]), .cls_i(s7_cls_i),
        .sign_i(s7_sign_i), .exp_i(s7_exp_i), .mant_i(s7_mant_i), .int_o(whole), .invalid_o(bad));

    // ---- flag -----------------------------------------------------------
    wire       flt  = s7_ctl_i[`IGPU_CTL_FLT];
    wire [3:0] cmod = s7_ctl_i[`IGPU_CTL_CMOD];
    reg        none, less, equal, un, over;
    wire       hold;

    always @* begin
        {none, less, equal, un, over} = 5'd0;
        if (s7_valid_i && cmod != `IGPU_CMOD_NONE && flt) begin
            none  = dflt ? zero || flush : whole == {W{1'b0}};
            less  = s7_sign_i && !none && !nan;
            equal = none;
            un    = nan && (dflt || cmod == `IGPU_CMOD_UN);
            over  = s7_exc_i[`IGPU_EXC_OVERFLOW];
        end else if (s7_valid_i && cmod != `IGPU_CMOD_NONE) begin
            less  = s7_less_i;
            equal = s7_equal_i;
            over  = s7_over_i;
        end
    end

    igpu_fpu_cond u_cond (
        .cmod_i(cmod), .less_i(less), .equal_i(equal), .nan_i(un), .over_i(over),
        .hold_o(hold));

    always @(posedge clk_i) begin
        valid_o <= rst_ni && s7_valid_i;
        if (s7_valid_i) begin
            result_o <= dflt ? number : convert ? whole : s7_int_i;
            flag_o   <= s7_ctl_i[`IGPU_CTL_OP] == `IGPU_FPU_OP_CMP ? s7_hold_i : hold;
            carry_o  <= s7_carry_i;
            exc_o    <= convert && bad ? 4'd1 << `IGPU_EXC_INVALID :
                        s7_exc_i | {2'd0, {2{dflt && flush}}};
        end
    end

    wire unused = &{1'b0, s7_ctl_i, field, shifted};

endmodule

`default_nettype wire

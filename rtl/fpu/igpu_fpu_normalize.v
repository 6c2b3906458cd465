// igpu_fpu_normalize - stage 5: leading 1 to the top; integers cut or saturated.
//
// Function  The sum, or the magnitude of an integer that becomes a float, with its
//           leading 1 on top, in M + 2 bits, the lowest standing for all below.
//           Integer results: saturated to their type, else its low bits; and how
//           they stand to zero, before saturation.
// Timing    1 cycle.
// Contract  Integers that become floats lie within W + 2 bits.
// Reset     rst_ni low, synchronous: nothing valid.
// Tests     tests/fpu.  Source: docs/fpu.md

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_normalize #(
    parameter W  = 32,
    parameter M  = 24,
    parameter XW = 10,
    parameter R  = 68,
    parameter G  = 51,
    parameter N  = 52                      // the wider of G + 1 and W + 2
) (
    input  wire                       clk_i,
    input  wire                       rst_ni,
    input  wire                       s4_valid_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s4_ctl_i,
    input  wire [G:0]                 s4_sum_i,
    input  wire                       s4_sign_i,
    input  wire [XW-1:0]              s4_exp_i,
    input  wire [1:0]                 s4_cls_i,
    input  wire [M-1:0]               s4_nan_i,
    input  wire                       s4_invalid_i,
    input  wire                       s4_hold_i,
    input  wire [R-1:0]               s4_int_i,
    output reg                        s5_valid_o,
    output reg  [`IGPU_FPU_CTL_W-1:0] s5_ctl_o,
    output reg  [1:0]                 s5_cls_o,
    output reg                        s5_sign_o,
    output reg  [XW-1:0]              s5_exp_o,
    output reg  [M+1:0]               s5_mant_o,   // NaN: left-aligned
    output reg                        s5_invalid_o,
    output reg                        s5_hold_o,
    output reg  [W-1:0]               s5_int_o,
    output reg                        s5_less_o,   // the integer against zero
    output reg                        s5_equal_o,
    output reg                        s5_over_o,   // it does not fit its type
    output reg                        s5_carry_o   // of addc, borrow of subb
);

    localparam CW = N > 64 ? 7 : N > 32 ? 6 : 5;
    localparam TOP = W + 1;                // exponent of an integer's top bit
    localparam HIGH = W > 32 ? W - 32 : 0; // bits above 32
    localparam [W-1:0] ALL = {W{1'b1}};

    wire       flt   = s4_ctl_i[`IGPU_CTL_FLT];
    wire [3:0] dtype = s4_ctl_i[`IGPU_CTL_DTYPE];

    // ---- leading 1 ------------------------------------------------------
    wire          minus = s4_int_i[R-1];
    wire          float = s4_valid_i && !flt && s4_ctl_i[`IGPU_CTL_DFLT];
    reg  [W+1:0]  mag;                     // of an integer that becomes a float
    reg  [N-1:0]  top;
    wire [N-1:0]  norm;
    wire [CW-1:0] lead;

    always @* begin
        mag = {(W+2){1'b0}};
        top = {N{1'b0}};
        if (flt) begin
            top[N-1 -: G+1] = s4_sum_i;
        end else if (float) begin
            mag = minus ? -s4_int_i[W+1:0] : s4_int_i[W+1:0];
            top[N-1 -: W+2] = mag;
        end
    end

    igpu_fpu_norm #(.N(N), .CW(CW)) u_norm (
        .on_i(s4_valid_i && (float || s4_cls_i == `IGPU_CLS_FINITE)), .data_i(top),
        .data_o(norm), .count_o(lead));

    wire [XW-1:0] base = flt ? s4_exp_i : TOP[XW-1:0];
    wire [N-1:0]  rest = norm << (M + 1);

    // ---- integer result -------------------------------------------------
    wire          ints  = s4_valid_i && (!flt || s4_ctl_i[`IGPU_CTL_OP] == `IGPU_FPU_OP_CMP);
    wire          clamp = s4_ctl_i[`IGPU_CTL_SAT] && !s4_ctl_i[`IGPU_CTL_RAW];
    reg  [W-1:0]  keep;                    // the type's bits
    reg           is_signed;
    reg  [R-1:0]  most, low, wrap;         // largest and smallest value; its bits
    reg  [W-1:0]  whole;
    reg           less, equal, over;

    always @* begin
        keep      = ALL;
        is_signed = 1'b0;
        most      = {R{1'b0}};
        low       = {R{1'b0}};
        wrap      = {R{1'b0}};
        whole     = s4_int_i[W-1:0];
        less      = minus;
        equal     = 1'b0;
        over      = 1'b0;
        if (ints && s4_ctl_i[`IGPU_CTL_DFLT]) begin
            equal = s4_int_i == {R{1'b0}};
        end else if (ints) begin
            case (dtype)
            `IGPU_TYPE_UB, `IGPU_TYPE_B:                keep = ALL >> (W - 8);
            `IGPU_TYPE_UW, `IGPU_TYPE_W, `IGPU_TYPE_HF: keep = ALL >> (W - 16);
            `IGPU_TYPE_UD, `IGPU_TYPE_D, `IGPU_TYPE_F:  keep = ALL >> HIGH;
            default:                                    keep = ALL;
            endcase
            is_signed = dtype == `IGPU_TYPE_B || dtype == `IGPU_TYPE_W ||
                        dtype == `IGPU_TYPE_D || dtype == `IGPU_TYPE_Q;
            most  = {{(R-W){1'b0}}, is_signed ? keep >> 1 : keep};
            low   = is_signed ? ~most : {R{1'b0}};
            wrap  = s4_int_i & {{(R-W){1'b0}}, keep};
            less  = is_signed && (wrap & ~most) != {R{1'b0}};
            equal = wrap == {R{1'b0}};
            if (!minus && s4_int_i > most) begin
                over = 1'b1;
                if (clamp)
                    whole = most[W-1:0];
            end else if (minus && $signed(s4_int_i) < $signed(low)) begin
                over = 1'b1;
                if (clamp)
                    whole = low[W-1:0];
            end
        end
    end

    always @(posedge clk_i) begin
        s5_valid_o <= rst_ni && s4_valid_i;
        if (s4_valid_i) begin
            s5_ctl_o     <= s4_ctl_i;
            s5_cls_o     <= flt ? s4_cls_i :
                            mag == {(W+2){1'b0}} ? `IGPU_CLS_ZERO : `IGPU_CLS_FINITE;
            s5_sign_o    <= flt ? s4_sign_i : minus;
            s5_exp_o     <= base - {{(XW-CW){1'b0}}, lead};
            s5_mant_o    <= flt && s4_cls_i == `IGPU_CLS_NAN ? {s4_nan_i, 2'b00} :
                            {norm[N-1 -: M+1], rest != {N{1'b0}}};
            s5_invalid_o <= s4_invalid_i;
            s5_hold_o    <= s4_hold_i;
            s5_int_o     <= whole & keep;
            s5_less_o    <= less;
            s5_equal_o   <= equal;
            s5_over_o    <= over;
            s5_carry_o   <= s4_ctl_i[`IGPU_CTL_OP] == `IGPU_FPU_OP_SUBB ? minus
                                                                        : s4_int_i[32];
        end
    end

endmodule

`default_nettype wire

// igpu_fpu_normalize - stage 5: leading 1 to the top; integers cut or saturated.
//
// Function  The sum, or the magnitude of an integer that becomes a float, with its
//           leading 1 on top, in M + 2 bits, the lowest standing for all below.
//           Integer results: saturated to their type, else its low bits; and how
//           they stand to zero, before saturation.
// Timing    1 cycle.
// Contract  Integers that become floats lie within W + 2 bits.
// Tests     tests/fpu.  Source: docs/contract/fpu.md

`default_nettype none
`include "igpu_assert.vh"
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

    localparam TOP = W + 1;                // exponent of an integer's top bit
    localparam HIGH = W > 32 ? W - 32 : 0; // bits above 32
    localparam [W-1:0] ALL = {W{1'b1}};
    localparam NORM_N  = N;
    localparam NORM_CW = N > 64 ? 7 : N > 32 ? 6 : 5;
`include "igpu_fpu_norm.vh"

    // A comparison's outcome travels as an integer.
    wire flt = s4_ctl_i[`IGPU_FCTL_FLT] && s4_ctl_i[`IGPU_FCTL_OP] != `IGPU_FPU_OP_CMP;

    // The leading 1 to the top: of a sum, or of an integer that becomes a float.
    task floats;
        reg [N-1:0]       top, norm, rest;
        reg [W+1:0]       mag;
        reg [NORM_CW-1:0] lead;
        reg [XW-1:0]      base;
        reg [1:0]         cls;
        begin
            top = {N{1'b0}};
            if (flt) begin
                top[N-1 -: G+1] = s4_sum_i;
                base = s4_exp_i;
                cls  = s4_cls_i;
                s5_sign_o <= s4_sign_i;
            end else begin
                mag = s4_int_i[R-1] ? -s4_int_i[W+1:0] : s4_int_i[W+1:0];
                top[N-1 -: W+2] = mag;
                base = TOP[XW-1:0];
                cls  = mag == {(W+2){1'b0}} ? `IGPU_CLS_ZERO : `IGPU_CLS_FINITE;
                s5_sign_o <= s4_int_i[R-1];
            end
            s5_cls_o <= cls;
            if (cls == `IGPU_CLS_FINITE) begin
                normalized(top, norm, lead);
                rest = norm << (M + 1);
                s5_exp_o  <= base - {{(XW-NORM_CW){1'b0}}, lead};
                s5_mant_o <= {norm[N-1 -: M+1], rest != {N{1'b0}}};
            end else begin
                s5_mant_o <= {s4_nan_i, 2'b00};
            end
        end
    endtask

    // An integer result: saturated, or its low bits; how it stands to zero.
    task integers;
        reg [W-1:0] keep, whole;           // keep: the type's bits
        reg         is_signed, minus, less, equal, over, clamp;
        reg [R-1:0] most, low, wrap;       // largest and smallest value; its bits
        begin
            minus = s4_int_i[R-1];
            clamp = s4_ctl_i[`IGPU_FCTL_SAT] && !s4_ctl_i[`IGPU_FCTL_RAW];
            keep  = ALL;
            whole = s4_int_i[W-1:0];
            less  = minus;
            equal = s4_int_i == {R{1'b0}};
            over  = 1'b0;
            if (!s4_ctl_i[`IGPU_FCTL_DFLT]) begin
                case (s4_ctl_i[`IGPU_FCTL_DTYPE])
                `IGPU_TYPE_UB, `IGPU_TYPE_B:                keep = ALL >> (W - 8);
                `IGPU_TYPE_UW, `IGPU_TYPE_W, `IGPU_TYPE_HF: keep = ALL >> (W - 16);
                `IGPU_TYPE_UD, `IGPU_TYPE_D, `IGPU_TYPE_F:  keep = ALL >> HIGH;
                default:                                    keep = ALL;
                endcase
                is_signed = s4_ctl_i[`IGPU_FCTL_DTYPE] == `IGPU_TYPE_B ||
                            s4_ctl_i[`IGPU_FCTL_DTYPE] == `IGPU_TYPE_W ||
                            s4_ctl_i[`IGPU_FCTL_DTYPE] == `IGPU_TYPE_D ||
                            s4_ctl_i[`IGPU_FCTL_DTYPE] == `IGPU_TYPE_Q;
                most  = {{(R-W){1'b0}}, is_signed ? keep >> 1 : keep};
                low   = is_signed ? ~most : {R{1'b0}};
                wrap  = s4_int_i & {{(R-W){1'b0}}, keep};
                // What saturates is looked at whole, else as its type has it.
                if (!clamp) begin
                    less  = is_signed && (wrap & ~most) != {R{1'b0}};
                    equal = wrap == {R{1'b0}};
                end
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
            s5_int_o   <= whole & keep;
            s5_less_o  <= less;
            s5_equal_o <= equal;
            s5_over_o  <= over;
            s5_carry_o <= s4_ctl_i[`IGPU_FCTL_OP] == `IGPU_FPU_OP_SUBB ? minus : s4_int_i[32];
        end
    endtask

    always @(posedge clk_i)
        if (s4_valid_i) begin
            s5_invalid_o <= s4_invalid_i;
            s5_hold_o    <= s4_hold_i;
            if (flt || s4_ctl_i[`IGPU_FCTL_DFLT])
                floats;
            if (!flt)
                integers;
        end

    wire unused = &{1'b0, s4_ctl_i};

    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_REQUIRE(clk_i, !s4_valid_i || flt || !s4_ctl_i[`IGPU_FCTL_DFLT] ||
                         s4_int_i[R-1:W+1] == {(R-W-1){s4_int_i[W+1]}},
                  "integers that become floats lie within W + 2 bits")

endmodule

`default_nettype wire

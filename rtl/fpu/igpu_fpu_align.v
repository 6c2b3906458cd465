// igpu_fpu_align - stage 3: bring product and addend to one exponent.
//
// Function  Floats: the one with the larger exponent stays on top of a window of G
//           bits, the other is shifted right below it, with what is lost in its
//           lowest bit. The window leaves the smaller one M + 3 bits (the larger
//           being the product) or 3: a difference that cancels more than one bit
//           has an exact shift, so rounding the sum is rounding the exact result.
//           frc: the product's bits below one; from 1 when x is negative.
//           Integers: the two passes of a product are added; mach takes its bits
//           from 32 up.
// Timing    1 cycle; the first of two passes waits for the second.
// Tests     tests/fpu.  Source: docs/contract/fpu.md#sum

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_align #(
    parameter W  = 32,
    parameter M  = 24,
    parameter XW = 10,
    parameter B  = 25,
    parameter R  = 68,
    parameter G  = 51                      // bits of the window, 2 M + 3
) (
    input  wire                       clk_i,
    input  wire                       s2_valid_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s2_ctl_i,
    input  wire [W+B+1:0]             s2_prod_i,
    input  wire                       s2_sign_i,
    input  wire [XW-1:0]              s2_exp_i,
    input  wire                       s2_zero_i,
    input  wire                       s2_sum_i,
    input  wire [M+XW:0]              s2_c_i,
    input  wire                       s2_special_i,
    input  wire [1:0]                 s2_cls_i,
    input  wire [M-1:0]               s2_nan_i,
    input  wire                       s2_invalid_i,
    input  wire                       s2_hold_i,
    input  wire [R-1:0]               s2_int_i,
    input  wire [W+1:0]               s2_addend_i,
    output reg  [G-1:0]               s3_big_o,
    output reg  [G-1:0]               s3_small_o,
    output reg                        s3_sign_o,    // of the big one
    output reg                        s3_minus_o,   // the signs differ
    output reg  [XW-1:0]              s3_exp_o,     // of the big one's top bit
    output reg                        s3_special_o,
    output reg  [1:0]                 s3_cls_o,
    output reg  [M-1:0]               s3_nan_o,
    output reg                        s3_invalid_o,
    output reg                        s3_hold_o,
    output reg  [R-1:0]               s3_int_o,
    output reg  [W+1:0]               s3_addend_o
);

    localparam NW = M + XW;
    localparam JAM_N  = G;
    localparam JAM_SW = G > 64 ? 7 : G > 32 ? 6 : 5;
    localparam JAM_XW = XW;
`include "igpu_fpu_jam.vh"

    reg [W+B+1:0] held;                    // of a product's first pass

    // A comparison's outcome travels as an integer.
    wire flt = s2_ctl_i[`IGPU_FCTL_FLT] && s2_ctl_i[`IGPU_FCTL_OP] != `IGPU_FPU_OP_CMP;

    task floats;
        reg                 frc, p_none, c_some, c_sign, c_big;
        reg [2*M-1:0]       prod;
        reg signed [XW-1:0] pe, ce;
        reg [XW-1:0]        whole;         // bits that are no fraction
        reg [M-1:0]         c;
        reg [G-1:0]         p_win, c_win, lesser;
        begin
            frc    = s2_ctl_i[`IGPU_FCTL_OP] == `IGPU_FPU_OP_FRC;
            pe     = s2_exp_i;
            prod   = s2_prod_i[2*M-1:0];
            p_none = s2_zero_i;
            c_some = s2_sum_i;
            c_sign = s2_c_i[NW];
            ce     = s2_c_i[NW-1:M];
            c      = s2_c_i[M-1:0];
            // Of a fraction: the bits below one, and 1 when the number is negative.
            if (frc) begin
                whole = pe + 1;
                if (!pe[XW-1])
                    prod = prod & ({(2*M){1'b1}} >> whole);
                p_none = s2_zero_i || prod == {(2*M){1'b0}};
                c_some = s2_sign_i && !p_none;
                c_sign = 1'b0;
                ce     = {XW{1'b0}};
                c      = {1'b1, {(M-1){1'b0}}};
            end

            // ---- order and shift ----
            c_big  = c_some && (p_none || ce > pe);
            p_win  = {prod, {(G-2*M){1'b0}}};
            c_win  = {c, {(G-M){1'b0}}};
            lesser = {G{1'b0}};
            if (c_some && !p_none)
                jammed(c_big ? p_win : c_win, c_big ? ce - pe : pe - ce, lesser);

            s3_big_o     <= c_big ? c_win : p_none ? {G{1'b0}} : p_win;
            s3_small_o   <= lesser;
            s3_sign_o    <= s2_special_i ? s2_sign_i : c_big ? c_sign :
                            s2_sign_i && !(frc && p_none);
            s3_minus_o   <= c_sign != s2_sign_i;
            s3_exp_o     <= c_big ? ce : pe;
            s3_special_o <= s2_special_i || (!c_some && p_none);
            s3_cls_o     <= s2_special_i ? s2_cls_i : `IGPU_CLS_ZERO;
            s3_nan_o     <= s2_nan_i;
        end
    endtask

    task integers;
        reg [R-1:0] full;
        begin
            full = s2_int_i;
            if (s2_ctl_i[`IGPU_FCTL_MUL]) begin
                full = {{(R-W-B-2){s2_prod_i[W+B+1]}}, s2_prod_i};
                if (s2_ctl_i[`IGPU_FCTL_PASS2])
                    full = (full << (W/2)) + {{(R-W-B-2){held[W+B+1]}}, held};
                if (s2_ctl_i[`IGPU_FCTL_OP] == `IGPU_FPU_OP_MACH)
                    full = {{32{full[R-1]}}, full[R-1:32]};
            end
            s3_int_o    <= full;
            s3_addend_o <= s2_addend_i;
            if (s2_ctl_i[`IGPU_FCTL_TWICE] && !s2_ctl_i[`IGPU_FCTL_PASS2])
                held <= s2_prod_i;
        end
    endtask

    always @(posedge clk_i)
        if (s2_valid_i) begin
            s3_invalid_o <= s2_invalid_i;
            s3_hold_o    <= s2_hold_i;
            if (flt)
                floats;
            else
                integers;
        end

    wire unused = &{1'b0, s2_ctl_i};

endmodule

`default_nettype wire

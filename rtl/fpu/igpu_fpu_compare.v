// igpu_fpu_compare - order of two operands, and which one a selection takes.
//
// Function  less_o, equal_o, nan_o of x against y (of z against zero for csel), as
//           floats or as integers. second_o: a select takes y: by predicate; by
//           condition; for lt, le (minimum) and ge, gt (maximum) the number when
//           one of both is NaN. All 0 with on_i 0.
// Timing    Combinational.
// Contract  Numbers as igpu_fpu_source makes them. +0 equals -0.
// Model     csim/emu/emu_alu_float.c, emu_alu_int.c.  Tests: tests/fpu
// Source    docs/fpu.md#comparison

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_compare #(
    parameter W  = 32,
    parameter M  = 24,
    parameter XW = 10
) (
    input  wire            on_i,
    input  wire [4:0]      op_i,
    input  wire [3:0]      cmod_i,
    input  wire            flt_i,          // compare as floats
    input  wire            pred_i,         // the predicate's bit
    input  wire [M+XW+3:0] x_i,
    input  wire [M+XW+3:0] y_i,
    input  wire [M+XW+3:0] z_i,
    input  wire [W+1:0]    xi_i,
    input  wire [W+1:0]    yi_i,
    input  wire [W+1:0]    zi_i,
    output wire            hold_o,         // the condition holds
    output reg             nan_o,          // a NaN took part
    output reg             second_o        // take y
);

    localparam NW = M + XW;

    // A key that orders magnitudes: class first, then exponent, then mantissa.
    function [NW:0] key;
        input [NW+3:0] n;
        case (n[NW+2:NW+1])
        `IGPU_CLS_ZERO: key = {(NW+1){1'b0}};
        `IGPU_CLS_INF:  key = {(NW+1){1'b1}};
        default:        key = {1'b0, !n[NW-1], n[NW-2:0]};
        endcase
    endfunction

    wire       csel  = op_i == `IGPU_FPU_OP_CSEL;
    wire [1:0] xc    = x_i[NW+2:NW+1], yc = y_i[NW+2:NW+1], zc = z_i[NW+2:NW+1];
    wire       sx    = x_i[NW], sy = y_i[NW];
    wire       y_nan = flt_i && yc == `IGPU_CLS_NAN;
    reg  [NW:0] kx, ky;
    reg        less, equal;
    wire       hold;

    always @* begin
        nan_o = 1'b0;
        less  = 1'b0;
        equal = 1'b0;
        kx    = {(NW+1){1'b0}};
        ky    = {(NW+1){1'b0}};
        if (on_i && flt_i && csel) begin
            nan_o = zc == `IGPU_CLS_NAN;
            less  = z_i[NW] && zc != `IGPU_CLS_ZERO && !nan_o;
            equal = zc == `IGPU_CLS_ZERO;
        end else if (on_i && flt_i) begin
            nan_o = xc == `IGPU_CLS_NAN || yc == `IGPU_CLS_NAN;
            kx    = key(x_i);
            ky    = key(y_i);
            if (xc == `IGPU_CLS_ZERO && yc == `IGPU_CLS_ZERO) begin
                equal = 1'b1;
            end else if (!nan_o) begin
                equal = kx == ky && sx == sy;
                less  = sx != sy ? sx : sx ? ky < kx : kx < ky;
            end
        end else if (on_i && csel) begin
            less  = zi_i[W+1];
            equal = zi_i == {(W+2){1'b0}};
        end else if (on_i) begin
            less  = $signed(xi_i) < $signed(yi_i);
            equal = xi_i == yi_i;
        end
    end

    igpu_fpu_cond u_cond (
        .cmod_i(on_i ? cmod_i : `IGPU_CMOD_NONE), .less_i(less), .equal_i(equal),
        .nan_i(nan_o), .over_i(1'b0), .hold_o(hold));

    assign hold_o = hold;

    always @* begin
        second_o = 1'b0;
        if (on_i && csel)
            second_o = !hold;
        else if (on_i && op_i == `IGPU_FPU_OP_SEL)
            case (cmod_i)
            `IGPU_CMOD_NONE:                second_o = !pred_i;
            `IGPU_CMOD_LT, `IGPU_CMOD_LE:   second_o = !(less || y_nan);
            `IGPU_CMOD_GT, `IGPU_CMOD_GE:   second_o = !((!less && !nan_o) || y_nan);
            default:                        second_o = !hold;
            endcase
    end

    wire unused = &{1'b0, x_i[NW+3], y_i[NW+3], z_i[NW+3], z_i[NW-1:0]};

endmodule

`default_nettype wire

// igpu_fpu_special - results that no arithmetic gives: NaN, infinity, zero.
//
// Function  For x * y + addend, x + addend or x alone. special_o: the result is
//           number_o as it stands. A NaN result is the first NaN source, quieted
//           (sources in the instruction's order: z, x, y for mad), else the default
//           one, positive. invalid_o: a signalling NaN among the sources;
//           infinity times zero, infinities that cancel, the fraction of an
//           infinity, without any NaN source.
//           A zero result has the product's sign when the addend's is the same, else
//           + (- when rounding down).
// Timing    Combinational.
// Contract  Numbers as igpu_fpu_source makes them.
// Model     csim/emu/emu_num.c, emu_alu_float.c.  Tests: tests/fpu
// Source    IEEE 754-2008 6.1 to 6.3, 7.2; docs/fpu.md#nan

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_special #(
    parameter M  = 24,
    parameter XW = 10
) (
    input  wire            on_i,           // else: no special result
    input  wire            product_i,      // x * y, else x
    input  wire            sum_i,          // + addend
    input  wire            frc_i,          // fraction of x
    input  wire            down_i,         // rounding down
    input  wire [M+XW+3:0] x_i,
    input  wire [M+XW+3:0] y_i,
    input  wire [M+XW+3:0] c_i,            // the addend
    input  wire            c_first_i,      // the addend is the first source
    output reg             special_o,
    output reg  [1:0]      cls_o,
    output reg             sign_o,
    output reg  [M-1:0]    mant_o,         // of a NaN
    output reg             invalid_o
);

    localparam NW = M + XW;

    wire [1:0] xc = x_i[NW+2:NW+1], yc = y_i[NW+2:NW+1], cc = c_i[NW+2:NW+1];
    reg        x_nan, y_nan, c_nan, p_inf, p_zero, c_inf, p_sign, differ;

    always @* begin
        {x_nan, y_nan, c_nan, p_inf, p_zero, c_inf, p_sign, differ} = 8'd0;
        special_o = 1'b0;
        invalid_o = 1'b0;
        cls_o     = `IGPU_CLS_NAN;
        {sign_o, mant_o} = {1'b0, 2'b11, {(M-2){1'b0}}};
        // Nothing special in finite numbers.
        if (on_i && (xc != `IGPU_CLS_FINITE || (product_i && yc != `IGPU_CLS_FINITE) ||
                     (sum_i && cc != `IGPU_CLS_FINITE))) begin
            x_nan  = xc == `IGPU_CLS_NAN;
            y_nan  = product_i && yc == `IGPU_CLS_NAN;
            c_nan  = sum_i && cc == `IGPU_CLS_NAN;
            p_inf  = xc == `IGPU_CLS_INF || (product_i && yc == `IGPU_CLS_INF);
            p_zero = xc == `IGPU_CLS_ZERO || (product_i && yc == `IGPU_CLS_ZERO);
            c_inf  = sum_i && cc == `IGPU_CLS_INF;
            p_sign = x_i[NW] ^ (product_i && y_i[NW]);
            differ = p_sign != c_i[NW];
            special_o = 1'b1;
            invalid_o = x_i[NW+3] || (product_i && y_i[NW+3]) || (sum_i && c_i[NW+3]);
            if (x_nan || y_nan || c_nan) begin
                {sign_o, mant_o} = c_first_i && c_nan ? {c_i[NW], c_i[M-1:0]} :
                                   x_nan ? {x_i[NW], x_i[M-1:0]} :
                                   y_nan ? {y_i[NW], y_i[M-1:0]} : {c_i[NW], c_i[M-1:0]};
            end else if ((p_inf && p_zero) || (p_inf && c_inf && differ) ||
                         (p_inf && frc_i)) begin
                invalid_o = 1'b1;
            end else if (p_inf || c_inf) begin
                cls_o  = `IGPU_CLS_INF;
                sign_o = p_inf ? p_sign : c_i[NW];
            end else if (p_zero && (!sum_i || cc == `IGPU_CLS_ZERO)) begin
                cls_o  = `IGPU_CLS_ZERO;
                sign_o = frc_i ? 1'b0 : sum_i && differ ? down_i : p_sign;
            end else begin
                special_o = 1'b0;
            end
        end
    end

    wire unused = &{1'b0, x_i, y_i, c_i};

endmodule

`default_nettype wire

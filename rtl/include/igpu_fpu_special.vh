// igpu_fpu_special.vh - results that no arithmetic gives: NaN, infinity, zero; a task.
//
// Function  For x * y + c, x + c or x alone (product, sum). special: the result is cls,
//           sign, nan as it stands. A NaN result is the first NaN source, quieted
//           (sources in the instruction's order: c first with c_first, then x, y), else
//           the default one, positive. invalid: a signalling NaN among the sources;
//           infinity times zero, infinities that cancel, the fraction of an infinity
//           (frc), without any NaN source.
//           A zero result has the product's sign when the addend's is the same, else
//           + (- when rounding down).
// Contract  The module has M, XW and NW, their sum; numbers as igpu_fpu_source.vh
//           makes them, not all finite.
// Model     csim/emu/emu_num.c, emu_alu_float.c.  Tests: tests/fpu
// Source    IEEE 754-2008 6.1 to 6.3, 7.2; docs/contract/fpu.md#nan

    task special_result(input product, input sum, input frc, input down, input c_first,
                        input [M+XW+3:0] x, input [M+XW+3:0] y, input [M+XW+3:0] c,
                        output special, output [1:0] cls, output sign,
                        output [M-1:0] nan, output invalid);
        reg [1:0] xc, yc, cc;
        reg       x_nan, y_nan, c_nan, p_inf, p_zero, c_inf, p_sign, differ;
        begin
            xc = x[NW+2:NW+1];
            yc = y[NW+2:NW+1];
            cc = c[NW+2:NW+1];
            x_nan  = xc == `IGPU_CLS_NAN;
            y_nan  = product && yc == `IGPU_CLS_NAN;
            c_nan  = sum && cc == `IGPU_CLS_NAN;
            p_inf  = xc == `IGPU_CLS_INF || (product && yc == `IGPU_CLS_INF);
            p_zero = xc == `IGPU_CLS_ZERO || (product && yc == `IGPU_CLS_ZERO);
            c_inf  = sum && cc == `IGPU_CLS_INF;
            p_sign = x[NW] ^ (product && y[NW]);
            differ = p_sign != c[NW];
            special = 1'b1;
            cls     = `IGPU_CLS_NAN;
            {sign, nan} = {1'b0, 2'b11, {(M-2){1'b0}}};
            invalid = x[NW+3] || (product && y[NW+3]) || (sum && c[NW+3]);
            if (x_nan || y_nan || c_nan) begin
                {sign, nan} = c_first && c_nan ? {c[NW], c[M-1:0]} :
                              x_nan ? {x[NW], x[M-1:0]} :
                              y_nan ? {y[NW], y[M-1:0]} : {c[NW], c[M-1:0]};
            end else if ((p_inf && p_zero) || (p_inf && c_inf && differ) ||
                         (p_inf && frc)) begin
                invalid = 1'b1;
            end else if (p_inf || c_inf) begin
                cls  = `IGPU_CLS_INF;
                sign = p_inf ? p_sign : c[NW];
            end else if (p_zero && (!sum || cc == `IGPU_CLS_ZERO)) begin
                cls  = `IGPU_CLS_ZERO;
                sign = frc ? 1'b0 : sum && differ ? down : p_sign;
            end else begin
                special = 1'b0;
            end
        end
    endtask

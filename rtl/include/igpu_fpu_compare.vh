// igpu_fpu_compare.vh - order of two operands, and which one a selection takes; tasks.
//
// Function  compare_numbers, compare_integers: less, equal, nan (a NaN took part) of x
//           against y, of z against zero for csel. chosen: a select takes y: by
//           predicate; by condition; for lt, le (minimum) and ge, gt (maximum) the
//           number when one of both is NaN.
// Contract  The module has W, M, XW and NW = M + XW. Numbers as igpu_fpu_source.vh
//           makes them. +0 equals -0.
// Model     csim/emu/emu_alu_float.c, emu_alu_int.c.  Tests: tests/fpu
// Source    docs/contract/fpu.md#comparison

    // A key that orders magnitudes: class first, then exponent, then mantissa.
    function [M+XW:0] key(input [M+XW+3:0] n);
        case (n[NW+2:NW+1])
        `IGPU_CLS_ZERO: key = {(NW+1){1'b0}};
        `IGPU_CLS_INF:  key = {(NW+1){1'b1}};
        default:        key = {1'b0, !n[NW-1], n[NW-2:0]};
        endcase
    endfunction

    task compare_numbers(input csel, input [M+XW+3:0] x, input [M+XW+3:0] y,
                         input [M+XW+3:0] z, output less, output equal, output nan);
        reg [1:0]     xc, yc, zc;
        reg [M+XW:0]  kx, ky;
        begin
            xc = x[NW+2:NW+1];
            yc = y[NW+2:NW+1];
            zc = z[NW+2:NW+1];
            less  = 1'b0;
            equal = 1'b0;
            if (csel) begin
                nan   = zc == `IGPU_CLS_NAN;
                less  = z[NW] && zc != `IGPU_CLS_ZERO && !nan;
                equal = zc == `IGPU_CLS_ZERO;
            end else begin
                nan = xc == `IGPU_CLS_NAN || yc == `IGPU_CLS_NAN;
                kx  = key(x);
                ky  = key(y);
                if (xc == `IGPU_CLS_ZERO && yc == `IGPU_CLS_ZERO) begin
                    equal = 1'b1;
                end else if (!nan) begin
                    equal = kx == ky && x[NW] == y[NW];
                    less  = x[NW] != y[NW] ? x[NW] : x[NW] ? ky < kx : kx < ky;
                end
            end
        end
    endtask

    task compare_integers(input csel, input [W+1:0] x, input [W+1:0] y,
                          input [W+1:0] z, output less, output equal);
        begin
            less  = csel ? z[W+1] : $signed(x) < $signed(y);
            equal = csel ? z == {(W+2){1'b0}} : x == y;
        end
    endtask

    // The operation selects.
    function chosen(input csel, input [3:0] cmod, input pred, input hold, input less,
                    input nan, input y_nan);
        if (csel)
            chosen = !hold;
        else
            case (cmod)
            `IGPU_CMOD_NONE:                chosen = !pred;
            `IGPU_CMOD_LT, `IGPU_CMOD_LE:   chosen = !(less || y_nan);
            `IGPU_CMOD_GT, `IGPU_CMOD_GE:   chosen = !((!less && !nan) || y_nan);
            default:                        chosen = !hold;
            endcase
    endfunction

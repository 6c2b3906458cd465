// igpu_fpu_toint.vh - a whole number as an integer of a type, saturated; a task.
//
// Function  value: the number, or the type's nearest; NaN gives 0. bad: the number does
//           not fit, or is NaN or infinite. Bits above the type are 0.
// Contract  The module has W, M and XW. The number is whole: no bit of weight below 1.
//           It is mant * 2^(exp - (M - 1)); `whole` are its bits from weight 1 on, below
//           2^(W+1).
// Model     csim/emu/emu_store.c: float_to_int().  Tests: tests/fpu
// Source    docs/contract/fpu.md#conversions

    localparam [W:0] ALL  = {1'b0, {W{1'b1}}};
    localparam       HIGH = W > 32 ? W - 32 : 0;           // bits above 32

    task integer_of(input [3:0] kind, input [1:0] cls, input sign, input [XW-1:0] exp,
                    input [W:0] whole, output [W-1:0] value, output bad);
        reg           is_signed;
        reg [W:0]     keep, most, size;    // the type's bits; its limit; magnitude
        begin
            is_signed = kind == `IGPU_TYPE_B || kind == `IGPU_TYPE_W ||
                        kind == `IGPU_TYPE_D || kind == `IGPU_TYPE_Q;
            value = {W{1'b0}};
            bad   = cls == `IGPU_CLS_NAN;
            if (cls == `IGPU_CLS_FINITE || cls == `IGPU_CLS_INF) begin
                case (kind)
                `IGPU_TYPE_UB, `IGPU_TYPE_B: keep = ALL >> (W - 8);
                `IGPU_TYPE_UW, `IGPU_TYPE_W: keep = ALL >> (W - 16);
                `IGPU_TYPE_UD, `IGPU_TYPE_D: keep = ALL >> HIGH;
                default:                     keep = ALL;
                endcase
                size = whole;
                most = is_signed ? keep >> 1 : keep;
                if (sign)
                    most = is_signed ? most + {{W{1'b0}}, 1'b1} : {(W+1){1'b0}};
                bad = cls == `IGPU_CLS_INF || (!exp[XW-1] && exp[XW-2:0] >= W[XW-2:0]) ||
                      size > most;
                if (bad)
                    size = most;
                if (sign)
                    size = -size;
                value = size[W-1:0] & keep[W-1:0];
            end
        end
    endtask

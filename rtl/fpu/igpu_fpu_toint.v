// igpu_fpu_toint - a whole number as an integer of a type, saturated.
//
// Function  int_o: the value, or the type's nearest; NaN gives 0. invalid_o: the
//           value does not fit, or is NaN or infinite. Bits above the type are 0.
// Timing    Combinational.
// Contract  The number is whole: no bit of weight below 1.
// Model     csim/emu/emu_store.c: float_to_int().  Tests: tests/fpu
// Source    docs/fpu.md#conversions

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_toint #(
    parameter W  = 32,
    parameter M  = 24,
    parameter XW = 10
) (
    input  wire          on_i,             // else both results are 0
    input  wire [3:0]    type_i,
    input  wire [1:0]    cls_i,
    input  wire          sign_i,
    input  wire [XW-1:0] exp_i,
    input  wire [M-1:0]  mant_i,
    output reg  [W-1:0]  int_o,
    output reg           invalid_o
);

    localparam V = W + M;

    localparam [W:0] ALL  = {1'b0, {W{1'b1}}};
    localparam       HIGH = W > 32 ? W - 32 : 0;           // bits above 32
    wire         wide  = cls_i == `IGPU_CLS_INF ||
                         (!exp_i[XW-1] && exp_i[XW-2:0] >= W[XW-2:0]);
    reg          is_signed, over;
    reg  [V-1:0] up;
    reg  [W:0]   keep, most, value;        // the type's bits; its limit; magnitude

    always @* begin
        is_signed = type_i == `IGPU_TYPE_B || type_i == `IGPU_TYPE_W ||
                    type_i == `IGPU_TYPE_D || type_i == `IGPU_TYPE_Q;
        over      = 1'b0;
        up        = {V{1'b0}};
        keep      = ALL;
        most      = ALL;
        value     = {(W+1){1'b0}};
        int_o     = {W{1'b0}};
        invalid_o = on_i && cls_i == `IGPU_CLS_NAN;
        if (on_i && (cls_i == `IGPU_CLS_FINITE || cls_i == `IGPU_CLS_INF)) begin
            case (type_i)
            `IGPU_TYPE_UB, `IGPU_TYPE_B: keep = ALL >> (W - 8);
            `IGPU_TYPE_UW, `IGPU_TYPE_W: keep = ALL >> (W - 16);
            `IGPU_TYPE_UD, `IGPU_TYPE_D: keep = ALL >> HIGH;
            default:                     keep = ALL;
            endcase
            up    = {{W{1'b0}}, mant_i} << exp_i[6:0];
            value = up[V-1:M-1];
            most  = is_signed ? keep >> 1 : keep;
            if (sign_i)
                most = is_signed ? most + {{W{1'b0}}, 1'b1} : {(W+1){1'b0}};
            over = wide || value > most;
            if (over)
                value = most;
            if (sign_i)
                value = -value;
            int_o     = value[W-1:0] & keep[W-1:0];
            invalid_o = over;
        end
    end

    wire unused = &{1'b0, up[M-2:0], value[W], keep[W]};

endmodule

`default_nettype wire

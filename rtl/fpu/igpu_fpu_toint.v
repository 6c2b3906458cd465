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
    input  wire [3:0]    type_i,
    input  wire [1:0]    cls_i,
    input  wire          sign_i,
    input  wire [XW-1:0] exp_i,
    input  wire [M-1:0]  mant_i,
    output reg  [W-1:0]  int_o,
    output reg           invalid_o
);

    localparam V = W + M;

    reg  [6:0]   bits;                     // of the type
    reg          is_signed;
    wire         wide  = cls_i == `IGPU_CLS_INF ||
                         (cls_i == `IGPU_CLS_FINITE && !exp_i[XW-1] &&
                          exp_i[XW-2:0] >= W[XW-2:0]);
    wire [V-1:0] up    = {{W{1'b0}}, mant_i} << exp_i[6:0];
    wire [W:0]   value = up[V-1:M-1];      // magnitude
    wire [W:0]   keep  = ~({(W+1){1'b1}} << bits);
    wire [W:0]   top   = {{W{1'b0}}, 1'b1} << (bits - 7'd1);
    wire [W:0]   most  = sign_i ? (is_signed ? top : {(W+1){1'b0}}) :
                         is_signed ? top - {{W{1'b0}}, 1'b1} : keep;
    wire         over  = wide || value > most;
    wire [W:0]   size  = over ? most : value;
    wire [W:0]   out   = sign_i ? -size : size;

    always @* begin
        is_signed = type_i == `IGPU_TYPE_B || type_i == `IGPU_TYPE_W ||
                    type_i == `IGPU_TYPE_D || type_i == `IGPU_TYPE_Q;
        case (type_i)
        `IGPU_TYPE_UB, `IGPU_TYPE_B: bits = 7'd8;
        `IGPU_TYPE_UW, `IGPU_TYPE_W: bits = 7'd16;
        `IGPU_TYPE_UD, `IGPU_TYPE_D: bits = 7'd32;
        default:                     bits = 7'd64;
        endcase
        int_o     = {W{1'b0}};
        invalid_o = cls_i == `IGPU_CLS_NAN;
        if (cls_i == `IGPU_CLS_FINITE || cls_i == `IGPU_CLS_INF) begin
            int_o     = out[W-1:0] & keep[W-1:0];
            invalid_o = over;
        end
    end

    wire unused = &{1'b0, up[M-2:0], out[W]};

endmodule

`default_nettype wire

// igpu_fpu_cond - does a condition modifier hold?
//
// Function  hold_o for a pair (or a value against zero) of which one of less_i,
//           equal_i, nan_i may be set; none: greater. ne holds for NaN.
// Timing    Combinational.
// Model     csim/emu/emu_exec.c.  Tests: tests/formal/fpu.sh, tests/fpu
// Source    docs/fpu.md#comparison

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_cond (
    input  wire [3:0] cmod_i,
    input  wire       less_i,
    input  wire       equal_i,
    input  wire       nan_i,               // unordered
    input  wire       over_i,              // the result overflowed
    output reg        hold_o
);

    always @* begin
        case (cmod_i)
        `IGPU_CMOD_EQ: hold_o = equal_i;
        `IGPU_CMOD_NE: hold_o = !equal_i;
        `IGPU_CMOD_GT: hold_o = !less_i && !equal_i && !nan_i;
        `IGPU_CMOD_GE: hold_o = !less_i && !nan_i;
        `IGPU_CMOD_LT: hold_o = less_i;
        `IGPU_CMOD_LE: hold_o = less_i || equal_i;
        `IGPU_CMOD_OV: hold_o = over_i;
        `IGPU_CMOD_UN: hold_o = nan_i;
        default:       hold_o = 1'b0;
        endcase
    end

endmodule

`default_nettype wire

// igpu_fpu_jam - shift right; what falls off makes the lowest bit 1.
//
// Function  The task of igpu_fpu_jam.vh as a module.
// Timing    Combinational.
// Contract  2^(SW-1) < N <= 2^SW <= 2^XW. shift_i is unsigned.
// Tests     tests/formal/test_proofs.sh, tests/fpu
// Source    docs/contract/fpu.md

`default_nettype none

module igpu_fpu_jam #(
    parameter N  = 51,             // bits
    parameter SW = 6,              // bits of a shift that leaves something
    parameter XW = 10              // bits of shift_i, more than SW
) (
    input  wire [N-1:0]  data_i,
    input  wire [XW-1:0] shift_i,
    output reg  [N-1:0]  data_o
);

    localparam JAM_N  = N;
    localparam JAM_SW = SW;
    localparam JAM_XW = XW;
`include "igpu_fpu_jam.vh"

    always @*
        jammed(data_i, shift_i, data_o);

endmodule

`default_nettype wire

// igpu_fpu_norm - count leading zeros and shift them out.
//
// Function  The task of igpu_fpu_norm.vh as a module: count_o zeros above the highest
//           1 of data_i; data_o is data_i shifted left by that. With on_i 0 data_i
//           passes, count_o is 0.
// Timing    Combinational.
// Contract  2^(CW-1) < N <= 2^CW.
// Tests     tests/formal/test_proofs.sh (against a definition, several N), tests/fpu
// Source    docs/contract/fpu.md

`default_nettype none

module igpu_fpu_norm #(
    parameter N  = 24,             // bits
    parameter CW = 5               // bits of the count
) (
    input  wire          on_i,
    input  wire [N-1:0]  data_i,
    output reg  [N-1:0]  data_o,   // with the highest 1 on top
    output reg  [CW-1:0] count_o   // zeros above it
);

    localparam NORM_N  = N;
    localparam NORM_CW = CW;
`include "igpu_fpu_norm.vh"

    always @* begin
        data_o  = data_i;
        count_o = {CW{1'b0}};
        if (on_i)
            normalized(data_i, data_o, count_o);
    end

endmodule

`default_nettype wire

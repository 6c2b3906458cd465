// igpu_fpga_gate - a clock that stands where en_i is 0: the FPGA's own primitive.
//
// Function  clk_o has the pulses of clk_i whose clock en_i was 1 in.
// Timing    en_i is a register's or a short path's output of clk_i: it has to be there
//           half a clock before the edge that it lets through.
// Contract  Registers of clk_i and clk_o may read each other: on an FPGA both come from
//           one root over buffers of one kind. TARGET 0 is for simulators.
// Reset     None.
// Tests     tests/cosim/test_fpga.c
// Source    docs/develop/fpga.md#time

`default_nettype none

module igpu_fpga_gate #(
    parameter integer TARGET = 0               // 1: Lattice ECP5, 2: Xilinx
) (
    input  wire clk_i,
    input  wire en_i,
    output wire clk_o
);

    generate
        if (TARGET == 1) begin : g_ecp5
            DCCA u_gate (.CLKI(clk_i), .CE(en_i), .CLKO(clk_o));
        end else if (TARGET == 2) begin : g_xilinx
            BUFGCE u_gate (.I(clk_i), .CE(en_i), .O(clk_o));
        end else begin : g_sim
            reg en_q;

            always @(negedge clk_i)
                en_q <= en_i;

            assign clk_o = clk_i && en_q;
        end
    endgenerate

endmodule

`default_nettype wire

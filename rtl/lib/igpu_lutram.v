// igpu_lutram - small memory with one write port and an unregistered read port.
//
// Function  Distributed RAM for queues and per-thread words.
// Timing    rdata_o is combinational from raddr_i; a write is seen from the
//           next cycle on.
// Contract  Addresses are below DEPTH; DEPTH is a power of two.
// Reset     None; the content is undefined until it is written.
// Tests     tests/rtl/igpu_ram_tb.v

`default_nettype none
`include "igpu_assert.vh"

module igpu_lutram #(
    parameter WIDTH = 32,
    parameter DEPTH = 16,
    parameter AW    = 4                // log2 of DEPTH
) (
    input  wire             clk_i,
    input  wire             we_i,      // write wdata_i to waddr_i
    input  wire [AW-1:0]    waddr_i,
    input  wire [WIDTH-1:0] wdata_i,
    input  wire [AW-1:0]    raddr_i,
    output wire [WIDTH-1:0] rdata_o    // the word at raddr_i
);

    reg [WIDTH-1:0] mem [0:DEPTH-1];

    always @(posedge clk_i) begin
        if (we_i)
            mem[waddr_i] <= wdata_i;
    end

    assign rdata_o = mem[raddr_i];

    `IGPU_BUILT(DEPTH == 1 << AW, "DEPTH is a power of two, AW its logarithm")

endmodule

`default_nettype wire

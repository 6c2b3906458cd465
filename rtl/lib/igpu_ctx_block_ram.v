// igpu_ctx_block_ram - igpu_ctx_ram in block RAM, however few its rows are.
//
// Function  Wide state of few rows, which tools would spread over distributed RAM.
// Timing    rdata_o is the word at raddr_i of the clock before, when re_i was 1 in it.
//           A write is seen by reads from the next clock on.
// Contract  Nobody uses what is read of a word while it is written. Addresses are below
//           DEPTH.
// Reset     None; the content is undefined until it is written.
// Tests     tests/rtl/igpu_ram_tb.v
// Source    docs/eu-pipeline.md#state

`default_nettype none
`include "igpu_assert.vh"

module igpu_ctx_block_ram #(
    parameter WIDTH = 32,
    parameter DEPTH = 8,
    parameter AW    = 3                // log2 of DEPTH, rounded up; at least 1
) (
    input  wire             clk_i,
    input  wire             re_i,      // read
    input  wire [AW-1:0]    raddr_i,
    output reg  [WIDTH-1:0] rdata_o,   // what was read
    input  wire             we_i,      // write wdata_i to waddr_i
    input  wire [AW-1:0]    waddr_i,
    input  wire [WIDTH-1:0] wdata_i
);

    (* ram_style = "block", no_rw_check *)
    reg [WIDTH-1:0] mem [0:DEPTH-1];

    always @(posedge clk_i) begin
        if (re_i)
            rdata_o <= mem[raddr_i];
    end

    always @(posedge clk_i) begin
        if (we_i)
            mem[waddr_i] <= wdata_i;
    end

    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_REQUIRE(clk_i, (!re_i || {{(32-AW){1'b0}}, raddr_i} < DEPTH) &&
                         (!we_i || {{(32-AW){1'b0}}, waddr_i} < DEPTH),
                  "addresses are below DEPTH")

endmodule

`default_nettype wire

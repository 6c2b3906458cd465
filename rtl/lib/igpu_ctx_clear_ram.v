// igpu_ctx_clear_ram - igpu_ctx_ram whose read can be made to show 0.
//
// Function  State that is empty in a context's first visit, and that nobody has written
//           by then: the read register is cleared instead of the memory.
// Timing    As igpu_ctx_ram; rdata_o is 0 in the clock after clear_i, whatever re_i was.
// Contract  As igpu_ctx_ram.
// Reset     None; the content is undefined until it is written.
// Tests     tests/rtl/igpu_ram_tb.v
// Source    docs/eu-pipeline.md#state

`default_nettype none
`include "igpu_assert.vh"

module igpu_ctx_clear_ram #(
    parameter WIDTH = 32,
    parameter DEPTH = 8,
    parameter AW    = 3                // log2 of DEPTH, rounded up; at least 1
) (
    input  wire             clk_i,
    input  wire             re_i,      // read
    input  wire             clear_i,   // show 0 instead
    input  wire [AW-1:0]    raddr_i,
    output reg  [WIDTH-1:0] rdata_o,   // what was read
    input  wire             we_i,      // write wdata_i to waddr_i
    input  wire [AW-1:0]    waddr_i,
    input  wire [WIDTH-1:0] wdata_i
);

    (* no_rw_check *)                  // by contract: no logic for it
    reg [WIDTH-1:0] mem [0:DEPTH-1];

    always @(posedge clk_i) begin
        if (clear_i)
            rdata_o <= {WIDTH{1'b0}};
        else if (re_i)
            rdata_o <= mem[raddr_i];
    end

    always @(posedge clk_i) begin
        if (we_i)
            mem[waddr_i] <= wdata_i;
    end

    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_SHADOW(reg reads_q = 1'b0;               // re_i is not always 1
                 always @(posedge clk_i) reads_q <= reads_q || !re_i;)
    `IGPU_REQUIRE(clk_i, !(reads_q && re_i && !clear_i && we_i && raddr_i == waddr_i),
                  "nobody reads the word that is written")
    `IGPU_REQUIRE(clk_i, (!re_i || clear_i || {{(32-AW){1'b0}}, raddr_i} < DEPTH) &&
                         (!we_i || {{(32-AW){1'b0}}, waddr_i} < DEPTH),
                  "addresses are below DEPTH")

endmodule

`default_nettype wire

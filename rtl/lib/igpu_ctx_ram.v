// igpu_ctx_ram - one word for each context: one write port, one registered read port.
//
// Function  State that a pipeline stage keeps by context number. clear_i shows 0 instead:
//           state that is empty in a context's first visit, and that nobody has written
//           by then; the read register is cleared instead of the memory. BLOCK: in block
//           RAM, however few its rows are; tools would spread them over distributed RAM.
// Timing    rdata_o is the word at raddr_i of the clock before, when re_i was 1 in it, or
//           0 when clear_i was. A write is seen by reads from the next clock on.
// Contract  Nobody reads the word that is written in the same clock: two visits of one
//           context never overlap (igpu_eu_seq). In block RAM, and where re_i is always 1,
//           nobody uses what is read of that word. Addresses are below DEPTH.
// Reset     None; the content is undefined until it is written.
// Tests     tests/rtl/igpu_ram_tb.v
// Source    docs/develop/eu-pipeline.md#state

`default_nettype none
`include "igpu_assert.vh"

module igpu_ctx_ram #(
    parameter WIDTH = 32,
    parameter DEPTH = 8,
    parameter AW    = 3,               // log2 of DEPTH, rounded up; at least 1
    parameter BLOCK = 0                // 1: in block RAM
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

    // no_rw_check: by contract no logic for it. An attribute takes no parameter.
    generate
        if (BLOCK != 0) begin : g_block
            (* ram_style = "block", no_rw_check *)
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
        end else begin : g_any
            (* no_rw_check *)
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
        end
    endgenerate

    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_SHADOW(reg reads_q = 1'b0;               // re_i is not always 1
                 always @(posedge clk_i) reads_q <= reads_q || !re_i;)
    `IGPU_REQUIRE(clk_i, BLOCK != 0 ||
                         !(reads_q && re_i && !clear_i && we_i && raddr_i == waddr_i),
                  "nobody reads the word that is written")
    `IGPU_REQUIRE(clk_i, (!re_i || clear_i || {{(32-AW){1'b0}}, raddr_i} < DEPTH) &&
                         (!we_i || {{(32-AW){1'b0}}, waddr_i} < DEPTH),
                  "addresses are below DEPTH")

endmodule

`default_nettype wire

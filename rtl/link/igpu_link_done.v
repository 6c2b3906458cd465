// igpu_link_done - the DONEs of one tile, until their cycle.
//
// Function  A queue; the oldest is shown (valid_q) in its cycle and leaves when that ends.
// Timing    Shown in the second clock of its cycle, and in the fifth after push_i, at the
//           earliest.
// Contract  Cycles ascend strictly, none is 65536 or more ahead, and at most DEPTH wait:
//           a tile has at most 64 credits and 56 threads at barriers. A cycle takes two
//           clocks at least, and none ends while one is pushed for it.
// Reset     rst_ni low, synchronous: empty.
// Tests     tests/cosim/test_fpga.c
// Source    docs/develop/fpga.md#time

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_regs.vh"

module igpu_link_done #(
    parameter AW = 7                               // log2 of the DONEs that it holds
) (
    input  wire                     clk_i,
    input  wire                     rst_ni,
    input  wire [15:0]              now_i,         // the cycle
    input  wire                     tick_i,        // it ends
    input  wire                     push_i,        // a DONE:
    input  wire [15:0]              cycle_i,       // in this cycle
    input  wire [24:0]              data_i,        // IGPU_LINK_DONE_BITS
    output reg                      valid_q,
    output reg  [24:0]              data_q
);

    localparam W = 25 + 16;

    wire         there;
    wire [W-1:0] head;
    wire         pop = valid_q && tick_i;

    always @(posedge clk_i) begin
        valid_q <= rst_ni && there && head[W-1 -: 16] == now_i;
        data_q  <= head[24:0];
    end

    igpu_fifo #(.WIDTH(W), .DEPTH(1 << AW), .AW(AW)) u_queue (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(push_i), .data_i({cycle_i, data_i}),
        .pop_i(pop), .valid_o(there), .head_o(head));

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_KEPT(last_cycle_q, 16, clk_i, push_i, cycle_i)
    `IGPU_PAST(past_pop_q, 1, clk_i, pop)
    `IGPU_REQUIRE(clk_i, !push_i || waiting_q == {(AW+1){1'b0}} || cycle_i != last_cycle_q,
                  "a tile's DONEs have a cycle each")
    `IGPU_REQUIRE(clk_i, !push_i || !waiting_q[AW], "at most DEPTH DONEs wait")
    `IGPU_REQUIRE(clk_i, !(pop && past_pop_q), "a cycle takes two clocks at least")
    `IGPU_SHADOW(reg [AW:0] waiting_q;
                 always @(posedge clk_i)
                     waiting_q <= !rst_ni ? {(AW+1){1'b0}} :
                                  waiting_q + {{AW{1'b0}}, push_i} - {{AW{1'b0}}, pop};)

endmodule

`default_nettype wire

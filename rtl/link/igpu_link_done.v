// igpu_link_done - the DONEs of one tile, until their cycle.
//
// Function  A queue; the oldest is shown (valid_q) in its cycle and leaves when that ends.
//           Words lie in block RAM, the oldest in a register: so what a cycle's end sets off
//           is no more than to take the next one, which has been read.
// Timing    Shown in the second clock of its cycle, and in the fifth after push_i, at the
//           earliest.
// Contract  Cycles ascend strictly, none is 65536 or more ahead, and at most DEPTH wait:
//           a tile has at most 64 credits and 56 threads at barriers. A cycle takes two
//           clocks at least, and none ends while one is pushed for it.
// Reset     rst_ni low, synchronous: empty.
// Tests     tests/cosim/test_fpga.c
// Source    docs/fpga.md#time

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
    localparam [AW-1:0] ONE = 1;

    reg  [AW-1:0] wr_q, rd_q;
    reg           head_valid_q, next_valid_q;      // the oldest; next is the one behind it
    reg  [W-1:0]  head_q;
    wire [W-1:0]  next;
    wire          pop  = valid_q && tick_i;
    wire          load = next_valid_q && (pop || !head_valid_q);

    igpu_ctx_ram #(.WIDTH(W), .DEPTH(1 << AW), .AW(AW), .BLOCK(1)) u_words (
        .clk_i(clk_i), .re_i(1'b1), .clear_i(1'b0), .raddr_i(rd_q), .rdata_o(next),
        .we_i(push_i), .waddr_i(wr_q), .wdata_i({cycle_i, data_i}));

    always @(posedge clk_i) begin
        if (load)
            head_q <= next;
        valid_q <= rst_ni && head_valid_q && head_q[W-1 -: 16] == now_i;
        data_q  <= head_q[24:0];
        if (!rst_ni) begin
            wr_q         <= {AW{1'b0}};
            rd_q         <= {AW{1'b0}};
            head_valid_q <= 1'b0;
            next_valid_q <= 1'b0;
        end else begin
            if (push_i)
                wr_q <= wr_q + ONE;
            if (load)
                rd_q <= rd_q + ONE;
            if (load || pop)
                head_valid_q <= load;
            next_valid_q <= !load && rd_q != wr_q;
        end
    end

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_KEPT(last_cycle_q, 16, clk_i, push_i, cycle_i)
    `IGPU_PAST(past_pop_q, 1, clk_i, pop)
    `IGPU_REQUIRE(clk_i, !push_i || (rd_q == wr_q && !head_valid_q) || cycle_i != last_cycle_q,
                  "a tile's DONEs have a cycle each")
    `IGPU_REQUIRE(clk_i, !push_i || wr_q + ONE != rd_q, "at most DEPTH DONEs wait")
    `IGPU_REQUIRE(clk_i, !(pop && past_pop_q), "a cycle takes two clocks at least")

endmodule

`default_nettype wire

// igpu_send_arb - send arbiter of one tile.
//
// Function  Grants one EU's oldest message a cycle, round-robin; a message to
//           the data port needs a credit, which its completion gives back.
// Timing    grant_o is combinational. A credit given back at t can be used from
//           t + 1 on.
// Contract  port_i belongs to the message requested. limit_i is 1 to 64.
// Reset     rst_ni low, synchronous: EU 0 goes first, limit_i credits.
// Model     csim/ref.  Tests: tests/rtl/igpu_send_arb_tb.v
// Source    docs/contract/model.md section 4.7

`default_nettype none
`include "igpu_assert.vh"

module igpu_send_arb (
    input  wire       clk_i,
    input  wire       rst_ni,
    input  wire       ce_i,
    input  wire [6:0] limit_i,    // credits (dp.queue)
    input  wire [7:0] req_i,      // EUs whose oldest message can be granted
    input  wire [7:0] port_i,     // ... and needs a credit
    input  wire       credit_i,   // a completion gives one back
    output wire [7:0] grant_o     // one-hot, or zero
);

    reg  [6:0] credit_q;
    wire [7:0] may  = req_i & ((credit_q != 7'd0) ? 8'hff : ~port_i);
    wire       take = (grant_o & port_i) != 8'd0;
    wire [2:0] unused_index;

    igpu_rr_arb #(.N(8)) u_arb (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(may), .take_i(ce_i),
        .grant_o(grant_o), .index_o(unused_index));

    always @(posedge clk_i) begin
        if (!rst_ni)
            credit_q <= limit_i;
        else if (ce_i && take != credit_i)
            credit_q <= take ? credit_q - 7'd1 : credit_q + 7'd1;
    end

    wire unused = &{1'b0, unused_index};

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, limit_i != 7'd0 && limit_i <= 7'd64, "limit_i is 1 to 64")
    `IGPU_REQUIRE(clk_i, !(ce_i && credit_i) || credit_q < 7'd64,
                  "no more credits come back than were taken")

endmodule

`default_nettype wire

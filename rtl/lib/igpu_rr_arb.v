// igpu_rr_arb - round-robin arbiter: one grant a cycle, no starvation.
//
// Function  Grants the first requester after the last winner, else the first
//           requester from bit 0. N is 1 to 8, since index_o has three bits, and
//           need not be a power of two (a Gen9 EU has 7 hardware threads).
// Timing    grant_o and index_o are combinational from req_i. The priority
//           moves on the clock edge where take_i is 1.
// Contract  A requester held high is granted within N taken grants.
//           req_i == 0 gives grant_o == 0, and the priority does not move.
// Reset     rst_ni low, synchronous: bit 0 has the highest priority.
// Model     docs/contract/model.md section 4.4.  Tests: tests/rtl/igpu_rr_arb_tb.v
// Source    docs/contract/model.md

`default_nettype none
`include "igpu_assert.vh"

module igpu_rr_arb #(
    parameter N = 7               // requesters; 1 to 8
) (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire [N-1:0] req_i,    // bit i: requester i wants a grant
    input  wire         take_i,   // the grant is used in this cycle
    output wire [N-1:0] grant_o,  // one-hot, or zero when req_i is zero
    output wire [2:0]   index_o   // number of the granted; 0 when none is
);

    localparam [N-1:0] NONE = 0;

    reg  [N-1:0] above_q;          // the requesters after the last winner
    wire [N-1:0] above;

    igpu_rr_pick #(.N(N)) u_pick (
        .req_i(req_i), .above_i(above_q), .grant_o(grant_o), .above_o(above));

    igpu_index #(.N(N), .W(3)) u_index (.onehot_i(grant_o), .index_o(index_o));

    always @(posedge clk_i) begin
        if (!rst_ni)
            above_q <= NONE;
        else if (take_i && req_i != NONE)
            above_q <= above;
    end

    `IGPU_BUILT(N >= 1 && N <= 8, "N is 1 to 8")
    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, req_i != NONE || grant_o == NONE, "without a request no grant")
    `IGPU_REQUIRE(clk_i, (above_q | (above_q << 1)) == above_q,
                  "the priority is all requesters from one on, or none")

endmodule

`default_nettype wire

// igpu_rr_pick - one decision of a round-robin arbiter, without its memory.
//
// Function  Grants the first requester after the last winner, else the first from bit
//           0. Whoever owns the pointer keeps it: a flop (igpu_rr_arb), or a RAM that
//           holds one for each context (the EU, which calls the functions itself).
// Timing    Combinational.
// Contract  above_i is what above_o was at the last grant, or zero: bit 0 goes first.
//           req_i == 0 gives grant_o == 0 and above_o == above_i.
// Tests     tests/rtl/igpu_rr_arb_tb.v; tests/formal proves igpu_rr_arb with it
// Source    docs/contract/model.md section 4.4

`default_nettype none
`include "igpu_assert.vh"

module igpu_rr_pick #(
    parameter N = 7               // requesters; 1 or more
) (
    input  wire [N-1:0] req_i,    // bit i: requester i wants a grant
    input  wire [N-1:0] above_i,  // the requesters after the last winner
    output reg  [N-1:0] grant_o,  // one-hot, or zero when req_i is zero
    output reg  [N-1:0] above_o   // the pointer after this grant
);

    localparam RR_N = N;
    `include "igpu_rr.vh"

    // Nothing is computed while nobody asks: most arbiters rest most cycles.
    always @* begin
        grant_o = RR_0;
        above_o = above_i;
        if (req_i != RR_0)
            rr_take(req_i, above_i, grant_o, above_o);
    end

    `IGPU_HOLDS(req_i != RR_0 || (grant_o == RR_0 && above_o == above_i),
                "without a request no grant, and the pointer stays")

endmodule

`default_nettype wire

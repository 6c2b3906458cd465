// igpu_rr_pick2 - igpu_rr_pick with a second choice: who it would be without the first.
//
// Function  grant_o and above_o as igpu_rr_pick; grant2_o and above2_o what igpu_rr_pick
//           gives without the one that grant_o granted. For a unit that may not take
//           what another takes in the same clock: it need not wait for the other.
// Timing    Combinational, a level deeper than igpu_rr_pick.
// Contract  As igpu_rr_pick.
// Tests     tests/rtl/igpu_rr_pick2_tb.v, tests/formal/rr_pick2_proof.v
// Source    docs/contract/model.md section 4.4

`default_nettype none
`include "igpu_assert.vh"

module igpu_rr_pick2 #(
    parameter N = 7                // requesters; 1 or more
) (
    input  wire [N-1:0] req_i,     // bit i: requester i wants a grant
    input  wire [N-1:0] above_i,   // the requesters after the last winner
    output reg  [N-1:0] grant_o,   // one-hot, or zero when req_i is zero
    output reg  [N-1:0] above_o,   // the pointer after this grant
    output reg  [N-1:0] grant2_o,  // the second: one-hot, or zero
    output reg  [N-1:0] above2_o   // the pointer after that one
);

    localparam RR_N = N;
    `include "igpu_rr.vh"

    always @* begin
        {grant_o, grant2_o} = {2*N{1'b0}};
        {above_o, above2_o} = {2{above_i}};
        if (req_i != RR_0) begin
            rr_take(req_i, above_i, grant_o, above_o);
            rr_second(req_i, above_i, grant2_o, above2_o);
        end
    end

    `IGPU_HOLDS(req_i != RR_0 || (grant_o == RR_0 && above_o == above_i),
                "without a request no grant, and the pointer stays")

endmodule

`default_nettype wire

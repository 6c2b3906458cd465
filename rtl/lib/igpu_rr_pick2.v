// igpu_rr_pick2 - igpu_rr_pick with a second choice: who it would be without the first.
//
// Function  grant_o and above_o as igpu_rr_pick; grant2_o and above2_o what igpu_rr_pick
//           gives without the one that grant_o granted. For a unit that may not take
//           what another takes in the same clock: it need not wait for the other.
// Timing    Combinational, a level deeper than igpu_rr_pick.
// Contract  As igpu_rr_pick.
// Tests     tests/rtl/igpu_rr_pick2_tb.v, tests/formal/rr_pick2_proof.v
// Source    docs/model.md section 4.4

`default_nettype none

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

    localparam [N-1:0] NONE = 0;

    // In a line: those above the last winner, then the others. seen: one is before this
    // place; more: two are.
    reg [2*N-1:0] line, seen, more, first, second;
    integer       i;

    always @* begin
        grant_o  = NONE;
        above_o  = above_i;
        grant2_o = NONE;
        above2_o = above_i;
        line     = {2*N{1'b0}};
        seen     = {2*N{1'b0}};
        more     = {2*N{1'b0}};
        first    = {2*N{1'b0}};
        second   = {2*N{1'b0}};
        if (req_i != NONE) begin
            line = {req_i & ~above_i, req_i & above_i};
            seen = line << 1;
            for (i = 1; i < 2*N; i = i * 2) begin
                more = more | (more << i) | (seen & (seen << i));
                seen = seen | (seen << i);
            end
            first   = line & ~seen;
            second  = line & seen & ~more;
            grant_o = first[N-1:0] | first[2*N-1:N];
            above_o = seen[N] ? seen[N-1:0] : seen[2*N-1:N];
            grant2_o = second[N-1:0] | second[2*N-1:N];
            if (second != {2*N{1'b0}})
                above2_o = more[N] ? more[N-1:0] : more[2*N-1:N];
        end
    end

endmodule

`default_nettype wire

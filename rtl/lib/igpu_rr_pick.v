// igpu_rr_pick - one decision of a round-robin arbiter, without its memory.
//
// Function  Grants the first requester after the last winner, else the first from bit
//           0. Whoever owns the pointer keeps it: a flop (igpu_rr_arb), or a RAM that
//           holds one for each context (the EU pipeline).
// Timing    Combinational.
// Contract  above_i is what above_o was at the last grant, or zero: bit 0 goes first.
//           req_i == 0 gives grant_o == 0 and above_o == above_i.
// Tests     tests/rtl/igpu_rr_arb_tb.v; tests/formal proves igpu_rr_arb with it
// Source    docs/model.md section 4.4

`default_nettype none

module igpu_rr_pick #(
    parameter N = 7               // requesters; 1 or more
) (
    input  wire [N-1:0] req_i,    // bit i: requester i wants a grant
    input  wire [N-1:0] above_i,  // the requesters after the last winner
    output reg  [N-1:0] grant_o,  // one-hot, or zero when req_i is zero
    output reg  [N-1:0] above_o   // the pointer after this grant
);

    localparam [N-1:0] NONE = 0;

    reg [N-1:0] high, over, over_high;   // over: above the first one
    integer     s;

    // Both choices at once, with few levels of logic each. Nothing is computed while
    // nobody asks: most arbiters rest most cycles.
    always @* begin
        grant_o   = NONE;
        above_o   = above_i;
        high      = NONE;
        over      = NONE;
        over_high = NONE;
        if (req_i != NONE) begin
            high      = req_i & above_i;
            over      = req_i << 1;
            over_high = high << 1;
            for (s = 1; s < N; s = 2 * s) begin
                over      = over | (over << s);
                over_high = over_high | (over_high << s);
            end
            grant_o = (high != NONE) ? high & ~over_high : req_i & ~over;
            above_o = (high != NONE) ? over_high : over;
        end
    end

endmodule

`default_nettype wire

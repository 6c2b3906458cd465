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

    localparam [N-1:0] ONE  = 1;
    localparam [N-1:0] NONE = 0;

    reg [N-1:0] pool;

    // Nothing is computed while nobody asks: most arbiters rest most cycles.
    always @* begin
        grant_o = NONE;
        pool    = NONE;
        above_o = above_i;
        if (req_i != NONE) begin
            pool = req_i & above_i;
            if (pool == NONE)
                pool = req_i;
            // x & -x keeps the lowest set bit of x.
            grant_o = pool & (~pool + ONE);
            // ~(g | (g - 1)): every bit above the one-hot g.
            above_o = ~(grant_o | (grant_o - ONE));
        end
    end

endmodule

`default_nettype wire

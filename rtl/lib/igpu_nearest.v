// igpu_nearest - how far it is to the first of N marks ahead, two marks a clock.
//
// Function  soon_q is the least of mark - now over the marks that are set (modulo 2^W), all
//           ones where none is. For hardware that has the time: a search over all marks in
//           one clock would be as deep as they are many, and has a subtraction for each.
// Timing    From when still_i is 1 and nothing changes: right after STEPS + 2 clocks, too
//           large before.
// Contract  While still_i, now_i stays, and marks are neither set anew nor changed.
// Reset     None: still_i 0 begins anew.
// Tests     tests/rtl/igpu_nearest_tb.v

`default_nettype none
`include "igpu_assert.vh"

module igpu_nearest #(
    parameter N     = 8,                           // marks, 1 to 48
    parameter W     = 11,
    parameter STEPS = (N + 1) / 2                  // not to be set
) (
    input  wire           clk_i,
    input  wire           still_i,
    input  wire [W-1:0]   now_i,
    input  wire [N-1:0]   set_i,
    input  wire [W*N-1:0] marks_i,                 // W bits each
    output reg  [W-1:0]   soon_q
);

    localparam [STEPS-1:0] FIRST = 1;

    // ---- two marks, by turns ----
    reg  [STEPS-1:0]     turn_q;                   // one-hot
    reg  [2*STEPS-1:0]   set;
    reg  [2*W*STEPS-1:0] marks;
    reg  [1:0]           set2;
    reg  [2*W-1:0]       marks2;
    integer              s;

    always @* begin
        set    = {(2*STEPS){1'b0}};
        marks  = {(2*W*STEPS){1'b0}};
        set2   = 2'd0;
        marks2 = {(2*W){1'b0}};
        set[N-1:0]     = set_i;
        marks[W*N-1:0] = marks_i;
        for (s = 0; s < STEPS; s = s + 1) begin
            set2   = set2   | ({2{turn_q[s]}} & set[2*s +: 2]);
            marks2 = marks2 | ({(2*W){turn_q[s]}} & marks[2*W*s +: 2*W]);
        end
    end

    // ---- how far each is; the least of the two; of all ----
    reg  [1:0]     set_q;
    reg  [W-1:0]   far0_q, far1_q, least_q;
    reg            any_q;

    always @(posedge clk_i) begin
        turn_q  <= still_i ? (turn_q << 1) | (turn_q >> (STEPS - 1)) : FIRST;
        set_q   <= still_i ? set2 : 2'd0;
        far0_q  <= marks2[W-1:0] - now_i;
        far1_q  <= marks2[2*W-1:W] - now_i;
        any_q   <= still_i && set_q != 2'd0;
        least_q <= (set_q[0] && (!set_q[1] || far0_q < far1_q)) ? far0_q : far1_q;
        if (!still_i)
            soon_q <= {W{1'b1}};
        else if (any_q && least_q < soon_q)
            soon_q <= least_q;
    end

    `IGPU_BUILT(N >= 1 && N <= 48, "N is 1 to 48")
    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_PAST(past_still_q, 1, clk_i, still_i)
    `IGPU_PAST(past_now_q, W, clk_i, now_i)
    `IGPU_REQUIRE(clk_i, !(still_i && past_still_q) || now_i == past_now_q,
                  "while still_i now_i stays")

endmodule

`default_nettype wire

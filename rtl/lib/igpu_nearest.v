// igpu_nearest - how far it is to the first of N marks ahead, four marks a clock.
//
// Function  soon_q is the least of mark - now over the marks that are set (modulo 2^W), all
//           ones where none is. For hardware that has the time: a search over all marks in
//           one clock would be as deep as they are many.
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
    parameter STEPS = (N + 3) / 4                  // not to be set
) (
    input  wire           clk_i,
    input  wire           still_i,
    input  wire [W-1:0]   now_i,
    input  wire [N-1:0]   set_i,
    input  wire [W*N-1:0] marks_i,                 // W bits each
    output reg  [W-1:0]   soon_q
);

    localparam [3:0] LAST = STEPS[3:0] - 4'd1;

    // ---- four marks, by turns ----
    reg  [3:0]           step_q;
    reg  [4*STEPS-1:0]   set;
    reg  [4*W*STEPS-1:0] marks;
    reg  [3:0]           set4;
    reg  [4*W-1:0]       marks4;
    integer              s;

    always @* begin
        set   = {(4*STEPS){1'b0}};
        marks = {(4*W*STEPS){1'b0}};
        set[N-1:0]     = set_i;
        marks[W*N-1:0] = marks_i;
        set4   = set[3:0];
        marks4 = marks[4*W-1:0];
        for (s = 1; s < STEPS; s = s + 1)
            if (step_q == s[3:0]) begin
                set4   = set[4*s +: 4];
                marks4 = marks[4*W*s +: 4*W];
            end
    end

    // ---- how far each is; the least of the four; of all ----
    reg  [3:0]     set_q;
    reg  [4*W-1:0] far_q;
    reg            any_q;
    reg  [W-1:0]   least_q;
    wire           any;
    wire [W-1:0]   least;
    integer        k;

    igpu_min4 #(.W(W)) u_least (
        .valid_i(set_q), .data_i(far_q), .any_o(any), .least_o(least));

    always @(posedge clk_i) begin
        step_q  <= (!still_i || step_q == LAST) ? 4'd0 : step_q + 4'd1;
        set_q   <= still_i ? set4 : 4'd0;
        for (k = 0; k < 4; k = k + 1)
            far_q[W*k +: W] <= marks4[W*k +: W] - now_i;
        any_q   <= still_i && any;
        least_q <= least;
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

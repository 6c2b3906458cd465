// igpu_eu_track - FPU tracker: the instructions in flight in FPU0 or FPU1.
//
// Function  s1 compares the oldest one's D with the cycle: its result is there
//           (tr_who_q, for s2). s6 takes what issues: D = now + max(latency, D' - now)
//           + occupancy. An entry carries what a write-back needs: D, thread, set.
// State     The oldest in a word of its own, up to 15 others in a ring; D'.
// Timing    tr_room_q is for s4, tr_busy_q and tr_left_q for s7.
// Contract  s6_issue_i only if tr_room_q was 1 in this visit. A result comes in a cycle
//           in which the context is visited (s7 names it). occ is 1 or more, occ + lat at
//           most 318 and D' - now at most the longest latency (63), so no D lies 1024
//           cycles ahead.
// Reset     None: s1_first_i and s3_first_i make the state empty.
// Model     csim/ref/eu.c: issue_fpu().  Tests: tests/cosim/test_array.c
// Source    docs/contract/model.md sections 4.3 and 4.6

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"

module igpu_eu_track #(
    parameter ROWS = 8,                            // of the state RAMs: contexts
    parameter CW   = 3                             // log2 of ROWS
) (
    input  wire                     clk_i,
    input  wire                     s0_valid_i,
    input  wire [CW-1:0]            s0_ctx_i,
    input  wire                     s1_valid_i,
    input  wire [`IGPU_DIST_W-1:0]  s1_now_i,
    input  wire                     s1_first_i,
    input  wire                     s2_valid_i,
    input  wire [CW-1:0]            s2_ctx_i,
    input  wire                     s3_valid_i,
    input  wire                     s3_first_i,
    input  wire                     s5_valid_i,
    input  wire [CW-1:0]            s5_ctx_i,
    input  wire [`IGPU_DIST_W-1:0]  s5_now_i,
    input  wire                     s6_valid_i,
    input  wire [CW-1:0]            s6_ctx_i,
    input  wire [`IGPU_DIST_W-1:0]  s6_now_i,
    input  wire                     s6_issue_i,    // an instruction issues
    input  wire [2:0]               s6_slot_i,     // of this thread
    input  wire [`IGPU_SET_W-1:0]   s6_set_i,      // what it sets
    input  wire [7:0]               s6_occ_i,      // cycles in the unit
    input  wire [5:0]               s6_lat_i,      // and from there to its result
    output reg  [6:0]               tr_who_q,      // s2: whose result is there (one-hot),
                                                   // none if no one's;
    output reg  [`IGPU_SET_W-1:0]   tr_set_q,      // what it made busy
    output reg                      tr_room_q,     // s4: fewer than 16 in flight
    output reg                      tr_busy_q,     // s7: an instruction is in flight,
    output reg  [`IGPU_DIST_W-1:0]  tr_left_q      // the oldest for so many cycles
);

    localparam D = `IGPU_DIST_W;
    localparam E = `IGPU_FLIGHT_W;                 // an entry: {D, thread, set}

    `include "igpu_eu_slot.vh"
    `include "igpu_eu_track.vh"

    // ---- s1: the oldest ----
    wire         head_busy_m;
    wire [E-1:0] head_m;
    wire [D-1:0] head_left = head_m[`IGPU_FLIGHT_D] - s1_now_i;
    wire         head_busy = head_busy_m && !s1_first_i;
    wire         done      = track_done(head_busy, head_m[`IGPU_FLIGHT_D], s1_now_i);
    reg          s2_busy_q, s3_busy_q, s4_busy_q, s5_busy_q;
    reg          s2_done_q, s3_done_q, s4_done_q, s5_done_q, s6_done_q;
    reg  [D-1:0] s2_left_q, s3_left_q, s4_left_q, s5_left_q, s6_left_q;

    // ---- s3: the ring; s5: is anything left when the oldest goes? ----
    wire [3:0]   wr_m, rd_m;
    wire [6:0]   last_m;
    reg  [3:0]   s4_wr_q, s4_rd_q, s5_wr_q, s5_rd_q, s6_wr_q, s6_rd_q;
    reg  [6:0]   s4_last_q, s5_last_q, s6_prior_q;
    reg          s6_busy_q;                        // ... before this cycle's issue
    wire         s5_busy = s5_done_q ? s5_wr_q != s5_rd_q : s5_busy_q;
    wire [6:0]   s5_prior = track_prior(s5_busy, s5_last_q, s5_now_i[6:0]);

    // ---- s6: one leaves, one comes ----
    wire [E-1:0] ring_m;
    // Both sums at once: the unit's words come late in the clock.
    reg  [D-1:0] s6_after_q;                       // now + prior
    wire         later    = track_later(s6_prior_q, s6_lat_i);
    wire [D-1:0] occ      = {{(D-8){1'b0}}, s6_occ_i};
    wire [D-1:0] lat      = {{(D-6){1'b0}}, s6_lat_i};
    wire [D-1:0] span     = track_span(s6_prior_q, s6_lat_i, s6_occ_i);
    wire [D-1:0] d        = later ? s6_now_i + lat + occ : s6_after_q + occ;
    wire [E-1:0] entry    = {d, s6_slot_i, s6_set_i};
    wire         moves_up = s6_done_q && s6_busy_q;
    wire         to_head  = s6_issue_i && !s6_busy_q;
    wire         to_ring  = s6_issue_i && s6_busy_q;
    wire         busy     = s6_busy_q || s6_issue_i;
    wire [E-1:0] head     = moves_up ? ring_m : entry;

    igpu_ctx_ram #(.WIDTH(1 + E), .DEPTH(ROWS), .AW(CW)) u_head (
        .clk_i(clk_i), .re_i(s0_valid_i), .clear_i(1'b0), .raddr_i(s0_ctx_i),
        .rdata_o({head_busy_m, head_m}),
        .we_i(s6_valid_i && (s6_done_q || to_head || !busy)), .waddr_i(s6_ctx_i),
        .wdata_i({busy, head}));
    igpu_ctx_ram #(.WIDTH(15), .DEPTH(ROWS), .AW(CW)) u_state (
        .clk_i(clk_i), .re_i(s2_valid_i), .clear_i(1'b0), .raddr_i(s2_ctx_i),
        .rdata_o({wr_m, rd_m, last_m}), .we_i(s6_valid_i), .waddr_i(s6_ctx_i),
        .wdata_i({s6_wr_q + {3'd0, to_ring}, s6_rd_q + {3'd0, moves_up},
                  s6_issue_i ? d[6:0] : s6_prior_q + s6_now_i[6:0]}));
    igpu_ctx_ram #(.WIDTH(E), .DEPTH(16 * ROWS), .AW(CW + 4)) u_ring (
        .clk_i(clk_i), .re_i(s5_valid_i && s5_done_q), .clear_i(1'b0),
        .raddr_i({s5_ctx_i, s5_rd_q}),
        .rdata_o(ring_m), .we_i(s6_valid_i && to_ring), .waddr_i({s6_ctx_i, s6_wr_q}),
        .wdata_i(entry));

    always @(posedge clk_i) begin
        s2_done_q <= s1_valid_i && done;
        tr_who_q  <= (s1_valid_i && done) ? slot_set(head_m[`IGPU_FLIGHT_SLOT]) : 7'd0;
        if (s1_valid_i) begin
            tr_set_q  <= head_m[`IGPU_FLIGHT_SET];
            s2_busy_q <= head_busy;
            s2_left_q <= head_left;
        end
        {s3_done_q, s3_busy_q, s3_left_q} <= {s2_done_q, s2_busy_q, s2_left_q};
        {s4_done_q, s4_busy_q, s4_left_q} <= {s3_done_q, s3_busy_q, s3_left_q};
        {s5_done_q, s5_busy_q, s5_left_q} <= {s4_done_q, s4_busy_q, s4_left_q};
        {s6_done_q, s6_busy_q, s6_left_q} <= {s5_done_q, s5_busy, s5_left_q};
        if (s3_valid_i) begin
            s4_wr_q   <= s3_first_i ? 4'd0 : wr_m;
            s4_rd_q   <= s3_first_i ? 4'd0 : rd_m;
            s4_last_q <= last_m;
            tr_room_q <= s3_first_i || track_room(s3_done_q, wr_m, rd_m);
        end
        {s5_wr_q, s5_rd_q, s5_last_q} <= {s4_wr_q, s4_rd_q, s4_last_q};
        {s6_wr_q, s6_rd_q} <= {s5_wr_q, s5_rd_q};
        s6_prior_q <= s5_prior;
        s6_after_q <= s5_now_i + {{(D-7){1'b0}}, s5_prior};
        if (s6_valid_i) begin
            tr_busy_q <= busy;
            tr_left_q <= moves_up ? ring_m[`IGPU_FLIGHT_D] - s6_now_i :
                         to_head ? span : s6_left_q;
        end
    end

    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_PAST(s5_room_q, 1, clk_i, tr_room_q)
    `IGPU_PAST(s6_room_q, 1, clk_i, s5_room_q)
    `IGPU_REQUIRE(clk_i, !(s6_valid_i && s6_issue_i) || s6_room_q,
                  "s6_issue_i only if tr_room_q was 1 in this visit")
    `IGPU_REQUIRE(clk_i, !(s6_valid_i && s6_issue_i) || s6_occ_i != 8'd0,
                  "what issues occupies the unit")
    `IGPU_REQUIRE(clk_i, !(s6_valid_i && s6_issue_i) || s6_prior_q <= 7'd63,
                  "D' - now is at most the longest latency")
    `IGPU_REQUIRE(clk_i, !(s1_valid_i && head_busy) || head_left <= 10'd318,
                  "a result comes in a cycle in which the context is visited")

endmodule

`default_nettype wire

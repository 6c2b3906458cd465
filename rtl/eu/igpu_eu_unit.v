// igpu_eu_unit - one of FPU0, FPU1, SEND: when it may issue again, and what it last did.
//
// Function  s3 says whether the unit is free in this cycle (un_free_q, for s4). An issue
//           in s6 occupies it. What that instruction makes busy is kept, and shown to
//           the scoreboards (s3) in the context's next visit.
// State     Occupied, until when; the last issue's thread and set. Stamps are cycles
//           modulo 2^10: an occupancy is at most 255, and the sequencer says when the
//           last visit is over 256 cycles ago (s3_old_i).
// Timing    un_is_* are for s2, un_free_q for s4, un_busy_q and un_left_q for s7.
// Contract  s6_issue_i only if un_free_q was 1 in this visit; an occupancy is 1 or more.
// Reset     None: s3_first_i and s1_first_i make the state empty.
// Model     csim/ref/eu.c: avail.  Tests: tests/cosim/test_array.c
// Source    docs/contract/model.md sections 4.3 and 4.5

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"

module igpu_eu_unit #(
    parameter ROWS = 8,                            // of the state RAMs: contexts
    parameter CW   = 3                             // log2 of ROWS
) (
    input  wire                     clk_i,
    input  wire                     s1_valid_i,
    input  wire [CW-1:0]            s1_ctx_i,
    input  wire                     s1_first_i,
    input  wire                     s2_valid_i,
    input  wire [CW-1:0]            s2_ctx_i,
    input  wire                     s3_valid_i,
    input  wire [`IGPU_DIST_W-1:0]  s3_now_i,
    input  wire                     s3_first_i,
    input  wire                     s3_old_i,
    input  wire                     s6_valid_i,
    input  wire [CW-1:0]            s6_ctx_i,
    input  wire [`IGPU_DIST_W-1:0]  s6_now_i,
    input  wire                     s6_issue_i,    // it issues, which makes busy
    input  wire [6:0]               s6_who_i,      // this thread's bits (one-hot; none
                                                   // if it does not issue),
    input  wire [`IGPU_SET_W-1:0]   s6_set_i,      // these
    input  wire [7:0]               s6_occ_i,      // cycles until it can again
    output wire [6:0]               un_is_who_o,   // s2: the last visit's issue: its
                                                   // thread, none if there was none;
    output wire [`IGPU_SET_W-1:0]   un_is_set_o,   // and what it made busy
    output reg                      un_free_q,     // s4: can issue
    output reg                      un_busy_q,     // s7: occupied,
    output reg  [7:0]               un_left_q      // ... for so many cycles
);

    localparam D = `IGPU_DIST_W;

    `include "igpu_eu_unit.vh"

    // ---- what the last issue made busy ----
    // Nothing stands between these registers and the scoreboards: a visit that is not valid
    // shows something, and a scoreboard does not write then.
    igpu_ctx_ram #(.WIDTH(7 + `IGPU_SET_W), .DEPTH(ROWS), .AW(CW)) u_last (
        .clk_i(clk_i), .re_i(s1_valid_i), .clear_i(s1_first_i), .raddr_i(s1_ctx_i),
        .rdata_o({un_is_who_o, un_is_set_o}), .we_i(s6_valid_i), .waddr_i(s6_ctx_i),
        .wdata_i({s6_who_i, s6_set_i}));

    // ---- occupancy ----
    wire         busy_m;
    wire [D-1:0] until_m;
    reg          busy;
    reg  [7:0]   left;
    reg          s4_busy_q, s5_busy_q, s6_busy_q;
    reg  [7:0]   s4_left_q, s5_left_q, s6_left_q;
    wire         s6_busy = s6_issue_i || s6_busy_q;
    wire [7:0]   s6_left = s6_issue_i ? s6_occ_i : s6_left_q;

    always @* begin
        unit_left(busy_m && !s3_first_i, s3_old_i, until_m, s3_now_i, busy, left);
    end

    igpu_ctx_ram #(.WIDTH(1 + D), .DEPTH(ROWS), .AW(CW)) u_until (
        .clk_i(clk_i), .re_i(s2_valid_i), .clear_i(1'b0), .raddr_i(s2_ctx_i),
        .rdata_o({busy_m, until_m}),
        .we_i(s6_valid_i), .waddr_i(s6_ctx_i),
        .wdata_i({s6_busy, s6_now_i + {{(D-8){1'b0}}, s6_left}}));

    always @(posedge clk_i) begin
        if (s3_valid_i) begin
            s4_busy_q <= busy;
            s4_left_q <= left;
            un_free_q <= !busy;
        end
        s5_busy_q <= s4_busy_q;
        s5_left_q <= s4_left_q;
        s6_busy_q <= s5_busy_q;
        s6_left_q <= s5_left_q;
        if (s6_valid_i) begin
            un_busy_q <= s6_busy;
            un_left_q <= s6_left;
        end
    end

    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_PAST(s5_free_q, 1, clk_i, un_free_q)
    `IGPU_PAST(s6_free_q, 1, clk_i, s5_free_q)
    `IGPU_REQUIRE(clk_i, !(s6_valid_i && s6_issue_i) || s6_free_q,
                  "s6_issue_i only if un_free_q was 1 in this visit")
    `IGPU_REQUIRE(clk_i, !(s6_valid_i && s6_issue_i) || s6_occ_i != 8'd0,
                  "what issues occupies the unit")

endmodule

`default_nettype wire

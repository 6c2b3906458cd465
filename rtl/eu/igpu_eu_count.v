// igpu_eu_count - what each context's units and threads have done, for the host to read.
//
// Function  Adds up, by context, for how many cycles FPU0, FPU1 and SEND were occupied,
//           both FPUs at once, and any unit; BRANCH's instructions; and by thread slot the
//           instructions that were fetched. Keeps the last issue's cycle, and for how long
//           it leaves each unit occupied: what of the sums lies behind a given cycle.
// State     All in RAMs by context. Sums run on: nobody clears them, and the difference
//           of two readings is what happened between them.
// Timing    A visit's gains are formed in s7, added in s8, written in s9. left_o is for
//           ret_*_q, in s7. count_q is the word that was addressed two clocks before.
// Contract  Read only while no visit is under way. What issues to a unit occupies it.
// Reset     None; sums begin at any value.
// Model     csim/include/igpu/eu_counters.h.  Tests: tests/cosim/test_array_engine.sh
// Source    docs/develop/eu-pipeline.md#counters, docs/contract/model.md section 7

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"
`include "igpu_regs.vh"

module igpu_eu_count #(
    parameter ROWS = 8,                            // of the state RAMs: contexts
    parameter CW   = 3                             // log2 of ROWS
) (
    input  wire                     clk_i,
    input  wire                     tick_i,        // cycle now_i is over
    input  wire [`IGPU_NOW_W-1:0]   now_i,
    input  wire                     s7_fetch_i,    // a thread has fetched
    input  wire [2:0]               s7_slot_i,
    input  wire                     s7_valid_i,
    input  wire [CW-1:0]            s7_ctx_i,
    input  wire                     s7_odd_i,      // the visit's cycle is
    input  wire [3:0]               s7_issue_i,    // to FPU0, FPU1, SEND, BRANCH
    input  wire [2:0]               s7_busy_i,     // FPU0, FPU1, SEND are occupied
    input  wire [23:0]              s7_left_i,     // ... for so many cycles
    input  wire [6:0]               s7_held_i,     // threads that hold an instruction
    output wire [7:0]               left_o,        // until no unit is occupied
    input  wire [CW-1:0]            ctx_i,         // read this context's
    input  wire [4:0]               word_i,        // word (IGPU_COUNT_*)
    output reg  [`IGPU_COUNT_W-1:0] count_q
);

    localparam N = `IGPU_NOW_W;
    localparam W = `IGPU_COUNT_W;

    function [7:0] most(input [7:0] a, input [7:0] b);
        most = (a > b) ? a : b;
    endfunction

    // ---- s7: occupied after this visit, and before it ----
    wire [7:0] now0 = s7_busy_i[0] ? s7_left_i[7:0]   : 8'd0;
    wire [7:0] now1 = s7_busy_i[1] ? s7_left_i[15:8]  : 8'd0;
    wire [7:0] now2 = s7_busy_i[2] ? s7_left_i[23:16] : 8'd0;
    wire [7:0] old0 = s7_issue_i[0] ? 8'd0 : now0;
    wire [7:0] old1 = s7_issue_i[1] ? 8'd0 : now1;
    wire [7:0] old2 = s7_issue_i[2] ? 8'd0 : now2;
    wire [7:0] old  = most(most(old0, old1), old2);

    // Beside each other, not one after the other: on a board it is the way to the link.
    wire   over01 = now0 > now1, over02 = now0 > now2, over12 = now1 > now2;

    assign left_o = (over01 && over02) ? now0 :
                    (!over01 && over12) ? now1 :
                    (now2 != 8'd0) ? now2 : {7'd0, s7_issue_i[3]};

    // ---- s8: added to the sums; a RAM is read for a visit that adds, or to be shown ----
    wire          issues = s7_valid_i && s7_issue_i != 4'd0;
    reg           s8_any_q, s9_any_q, s8_branch_q;
    reg  [CW-1:0] s8_ctx_q, s9_ctx_q;
    reg  [7:0]    s8_gain0_q, s8_gain1_q, s8_gain2_q, s8_both_q, s8_active_q;
    reg  [6*N-1:0] s9_sums_q;
    wire [6*N-1:0] sums;

    always @(posedge clk_i) begin
        s8_any_q    <= issues;
        s8_ctx_q    <= s7_ctx_i;
        if (issues) begin
            s8_gain0_q  <= now0 - old0;
            s8_gain1_q  <= now1 - old1;
            s8_gain2_q  <= now2 - old2;
            s8_branch_q <= s7_issue_i[3];
            s8_both_q   <= ((now0 < now1) ? now0 : now1) - ((old0 < old1) ? old0 : old1);
            s8_active_q <= left_o - old;
        end
        s9_any_q    <= s8_any_q;
        s9_ctx_q    <= s8_ctx_q;
        if (s8_any_q) begin
            s9_sums_q[0   +: N] <= sums[0   +: N] + {{(N-8){1'b0}}, s8_gain0_q};
            s9_sums_q[N   +: N] <= sums[N   +: N] + {{(N-8){1'b0}}, s8_gain1_q};
            s9_sums_q[2*N +: N] <= sums[2*N +: N] + {{(N-8){1'b0}}, s8_gain2_q};
            s9_sums_q[3*N +: N] <= sums[3*N +: N] + {{(N-1){1'b0}}, s8_branch_q};
            s9_sums_q[4*N +: N] <= sums[4*N +: N] + {{(N-8){1'b0}}, s8_both_q};
            s9_sums_q[5*N +: N] <= sums[5*N +: N] + {{(N-8){1'b0}}, s8_active_q};
        end
    end

    igpu_ctx_ram #(.WIDTH(6 * N), .DEPTH(ROWS), .AW(CW), .BLOCK(1)) u_sums (
        .clk_i(clk_i), .re_i(!s7_valid_i || issues), .clear_i(1'b0),
        .raddr_i(s7_valid_i ? s7_ctx_i : ctx_i), .rdata_o(sums), .we_i(s9_any_q),
        .waddr_i(s9_ctx_q), .wdata_i(s9_sums_q));

    // ---- the last issue: its cycle is this one, or the one before ----
    reg  [N-1:0]  past_q;
    wire [N-1:0]  at = (s7_odd_i == now_i[0]) ? now_i : past_q;
    wire [N-1:0]  last;
    wire [23:0]   left;
    wire [6:0]    held;

    always @(posedge clk_i) begin
        if (tick_i)
            past_q <= now_i;
    end

    igpu_ctx_ram #(.WIDTH(N + 24), .DEPTH(ROWS), .AW(CW), .BLOCK(1)) u_last (
        .clk_i(clk_i), .re_i(!s7_valid_i), .clear_i(1'b0), .raddr_i(ctx_i), .rdata_o({last, left}),
        .we_i(issues), .waddr_i(s7_ctx_i),
        .wdata_i({at, now2, now1, now0}));
    igpu_ctx_ram #(.WIDTH(7), .DEPTH(ROWS), .AW(CW)) u_held (
        .clk_i(clk_i), .re_i(!s7_valid_i), .clear_i(1'b0), .raddr_i(ctx_i), .rdata_o(held),
        .we_i(s7_valid_i), .waddr_i(s7_ctx_i), .wdata_i(s7_held_i));

    // ---- s7 to s9: fetched, by thread ----
    reg           s8_fetch_q, s9_fetch_q;
    reg  [CW+2:0] s8_thread_q, s9_thread_q;
    reg  [N-1:0]  s9_fetched_q;
    wire [N-1:0]  fetched;

    always @(posedge clk_i) begin
        s8_fetch_q  <= s7_fetch_i;
        s8_thread_q <= {s7_ctx_i, s7_slot_i};
        s9_fetch_q  <= s8_fetch_q;
        s9_thread_q <= s8_thread_q;
        if (s8_fetch_q)
            s9_fetched_q <= fetched + {{(N-1){1'b0}}, 1'b1};
    end

    igpu_ctx_ram #(.WIDTH(N), .DEPTH(8 * ROWS), .AW(CW + 3), .BLOCK(1)) u_fetched (
        .clk_i(clk_i), .re_i(!s7_valid_i || s7_fetch_i), .clear_i(1'b0),
        .raddr_i(s7_fetch_i ? {s7_ctx_i, s7_slot_i} : {ctx_i, word_i[3:1]}),
        .rdata_o(fetched), .we_i(s9_fetch_q), .waddr_i(s9_thread_q),
        .wdata_i(s9_fetched_q));

    // ---- the word that is read: sums and cycles in two halves, the low one first ----
    // By the number's bits: a choice by comparing would be a chain behind the RAMs.
    function [W-1:0] word_of(input [16*W-1:0] words, input [N-1:0] of_thread, input [4:0] number);
        reg [8*W-1:0] of8;
        reg [4*W-1:0] of4;
        reg [2*W-1:0] pair;
        begin
            of8     = number[3] ? words[16*W-1:8*W] : words[8*W-1:0];
            of4     = number[2] ? of8[8*W-1:4*W] : of8[4*W-1:0];
            pair    = number[1] ? of4[4*W-1:2*W] : of4[2*W-1:0];
            pair    = number[4] ? of_thread : pair;
            word_of = number[0] ? pair[2*W-1:W] : pair[W-1:0];
        end
    endfunction

    always @(posedge clk_i) begin
        if (!s7_valid_i)
            count_q <= word_of({{(W-7){1'b0}}, held, left, last, sums}, fetched, word_i);
    end

    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_REQUIRE(clk_i, s7_valid_i || (s7_issue_i == 4'd0 && !s7_fetch_i),
                  "a visit issues and fetches")
    `IGPU_REQUIRE(clk_i, !s7_valid_i || ((s7_issue_i[0] <= (now0 != 8'd0)) &&
                                         (s7_issue_i[1] <= (now1 != 8'd0)) &&
                                         (s7_issue_i[2] <= (now2 != 8'd0))),
                  "what issues occupies its unit")

endmodule

`default_nettype wire

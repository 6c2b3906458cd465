// igpu_sched_global - global thread dispatcher.
//
// Function  Dispatches a launch's threads in order, one each interval, to the subslice
//           that the policy chooses; a pinned group (barrier or SLM) takes all
//           its resources in one subslice with its first thread.
// Timing    over_o comes two clocks after the ends, and start_* tell of the clock before,
//           so that a decision is a register. The first dispatch can be in the first
//           enabled cycle after launch_i.
// Contract  launch_i with ce_i 0 and the launch before over. subslices_i is 1
//           to TILES. threads_i of a pinned launch is a multiple of tpg_i. extend_i with
//           ce_i 0, while more_o, and more threads_i than before. Nothing changes
//           in the clock before one with ce_i and dispatch_i, while more_o; ends come with
//           dispatch_i 0, and four clocks before such a one.
// Reset     rst_ni low, synchronous: nothing to dispatch.
// Model     csim/ref.  Tests: tests/rtl/igpu_sched_global_tb.v
// Source    docs/contract/model.md section 2

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_regs.vh"

module igpu_sched_global #(
    parameter TILES = 3                            // subslices built, 1 to 6
) (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire                   ce_i,
    input  wire [`IGPU_NOW_W-1:0] now_i,           // this cycle
    input  wire [2:0]             subslices_i,     // in use (gpu.subslices)
    input  wire [5:0]             eu_slots_i,      // thread slots of a subslice
    input  wire [4:0]             barriers_i,      // disp.barriers
    input  wire [6:0]             slm_kb_i,        // disp.slm_kb
    input  wire [7:0]             interval_i,      // disp.interval
    input  wire [1:0]             policy_i,        // disp.policy
    input  wire                   launch_i,        // begin a launch
    input  wire                   extend_i,        // it gets more threads
    input  wire [31:0]            threads_i,       // its threads
    input  wire [5:0]             tpg_i,           // threads of a group
    input  wire                   pinned_i,        // groups stay in a subslice
    input  wire [6:0]             group_slm_i,     // KB of SLM of a group
    input  wire                   dispatch_i,      // 0: only count the ends
    input  wire [8*TILES-1:0]     end_i,           // ends that take effect
    input  wire [40*TILES-1:0]    end_bslot_i,     // their barrier slots
    output wire [TILES-1:0]       start_valid_o,   // a thread is dispatched here
    output wire [31:0]            start_thread_o,  // its number
    output wire [4:0]             start_bslot_o,   // its barrier slot; 31: none
    output wire                   over_o,          // the last end takes effect
    output wire                   more_o,          // threads are left to dispatch
    output wire                   wait_o,          // only the interval is waited for
    output wire [`IGPU_NOW_W-1:0] next_o           // first cycle of the next dispatch
);

    reg  [31:0]            thread_q;               // the next to dispatch
    reg  [31:0]            threads_q, ended_q;
    reg  [5:0]             tpg_q, left_q;          // left of the group in hand
    reg                    pinned_q;
    reg  [6:0]             group_slm_q;
    reg  [`IGPU_NOW_W-1:0] next_q;
    reg  [TILES-1:0]       tile_q;                 // of the group in hand, one-hot
    reg  [3:0]             bslot_q;

    // ---- what could be dispatched, and where ----
    wire [TILES-1:0]   thread_fits, group_fits, pick;
    wire [16*TILES-1:0] lowest;
    wire [4*TILES-1:0] ends;
    wire [6*TILES-1:0] room;                       // free thread slots
    wire [2:0]         unused_index;
    wire [TILES-1:0]   used   = ~({TILES{1'b1}} << subslices_i);
    wire               later  = left_q != 6'd0;    // not a group's first thread
    wire               left   = thread_q != threads_q;
    reg                ripe_q;                     // the interval is over: found before,
    wire               ripe   = ripe_q ||          // or now; every cycle up to there comes
                                now_i[8:0] == next_q[8:0];
    wire               try    = left && ripe && dispatch_i;
    wire [TILES-1:0]   fits   = (pinned_q ? group_fits : thread_fits) & used;
    wire [TILES-1:0]   found  = later ? (try ? tile_q : {TILES{1'b0}}) : pick;
    reg  [TILES-1:0]   target_q, first_q;          // decided: the tile, for a first thread
    reg  [4:0]         with_q;
    reg                more_q;
    wire               go     = target_q != {TILES{1'b0}} && dispatch_i;

    // Those that the policy leaves to the arbiter, whose turn stands still with `fill`.
    reg  [TILES-1:0]   best;
    integer            a, b;

    always @* begin
        best = fits;
        if (policy_i == `IGPU_CHOOSE_LEAST)
            for (a = 0; a < TILES; a = a + 1)
                for (b = 0; b < TILES; b = b + 1)
                    if (fits[b] && room[6*b +: 6] > room[6*a +: 6])
                        best[a] = 1'b0;
    end

    igpu_rr_arb #(.N(TILES)) u_arb (
        .clk_i(clk_i), .rst_ni(rst_ni && !launch_i),
        .req_i((try && !later) ? best : {TILES{1'b0}}),
        .take_i(ce_i && policy_i != `IGPU_CHOOSE_FILL),
        .grant_o(pick), .index_o(unused_index));

    // The barrier slot of a group that begins.
    reg  [15:0] new_one;
    wire [3:0]  new_bslot;
    integer     t;

    always @* begin
        new_one = 16'd0;
        if (pick != {TILES{1'b0}})
            for (t = 0; t < TILES; t = t + 1)
                new_one = new_one | (pick[t] ? lowest[16*t +: 16] : 16'd0);
    end

    igpu_index #(.N(16), .W(4)) u_bslot (.onehot_i(new_one), .index_o(new_bslot));

    wire [4:0] with_bslot = !pinned_q ? 5'd31 : {1'b0, later ? bslot_q : new_bslot};

    always @(posedge clk_i) begin
        target_q <= found;
        first_q  <= pick;
        with_q   <= with_bslot;
        more_q   <= left;
        if (!rst_ni || launch_i)
            ripe_q <= 1'b1;
        else if (ce_i)
            ripe_q <= go ? interval_i == 8'd0 : ripe;
    end

    assign start_valid_o  = target_q;
    assign start_thread_o = thread_q;
    assign start_bslot_o  = with_q;
    assign more_o         = more_q;
    // A dispatch that is not decided yet is waited for, too.
    assign wait_o         = left && (!ripe || found != {TILES{1'b0}});
    assign next_o         = next_q;

    // ---- resources ----
    genvar i;
    generate
        for (i = 0; i < TILES; i = i + 1) begin : g_tile
            igpu_sched_account u_account (
                .clk_i(clk_i), .rst_ni(rst_ni && !launch_i), .ce_i(ce_i),
                .all_threads_i(eu_slots_i), .all_bslots_i(~(16'hffff << barriers_i)),
                .all_slm_i(slm_kb_i), .group_threads_i(tpg_q),
                .group_slm_i(group_slm_q), .end_i(end_i[8*i +: 8]),
                .end_bslot_i(end_bslot_i[40*i +: 40]),
                .take_thread_i(first_q[i] && dispatch_i && !pinned_q),
                .take_group_i(first_q[i] && dispatch_i && pinned_q),
                .thread_fits_o(thread_fits[i]), .group_fits_o(group_fits[i]),
                .lowest_o(lowest[16*i +: 16]), .threads_o(room[6*i +: 6]),
                .ends_o(ends[4*i +: 4]));
        end
    endgenerate

    // ---- the launch's end ----
    reg     [5:0] ends_all;
    reg     [5:0] ends_q;                          // in a clock of its own
    wire   [31:0] ended = ended_q + {26'd0, ends_q};
    integer       k;

    always @* begin
        ends_all = 6'd0;
        if (ends != {(4*TILES){1'b0}})
            for (k = 0; k < TILES; k = k + 1)
                ends_all = ends_all + {2'd0, ends[4*k +: 4]};
    end

    always @(posedge clk_i) begin
        ends_q <= (rst_ni && !launch_i) ? ends_all : 6'd0;
    end

    assign over_o = ends_q != 6'd0 && ended == threads_q;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            thread_q  <= 32'd0;
            threads_q <= 32'd0;
            ended_q   <= 32'd0;
            left_q    <= 6'd0;
            pinned_q  <= 1'b0;
            next_q    <= {`IGPU_NOW_W{1'b0}};
        end else if (launch_i) begin
            thread_q    <= 32'd0;
            threads_q   <= threads_i;
            ended_q     <= 32'd0;
            left_q      <= 6'd0;
            tpg_q       <= tpg_i;
            pinned_q    <= pinned_i;
            group_slm_q <= group_slm_i;
            next_q      <= {`IGPU_NOW_W{1'b0}};
        end else begin
            if (extend_i)
                threads_q <= threads_i;
            if (ends_q != 6'd0)
                ended_q <= ended;
            if (ce_i && go) begin
                thread_q <= thread_q + 32'd1;
                next_q   <= now_i + {{(`IGPU_NOW_W-8){1'b0}}, interval_i};
                tile_q   <= target_q;
                bslot_q  <= start_bslot_o[3:0];
                if (pinned_q)
                    left_q <= (later ? left_q : tpg_q) - 6'd1;
            end
        end
    end

    `IGPU_BUILT(TILES >= 1 && TILES <= 6, "TILES is 1 to 6")
    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !(launch_i && ce_i), "launch_i with ce_i 0")
    `IGPU_REQUIRE(clk_i, !launch_i || ended_q == threads_q, "launch_i when the launch before is over")
    `IGPU_REQUIRE(clk_i, subslices_i != 3'd0 && {29'd0, subslices_i} <= TILES,
                  "subslices_i is 1 to TILES")
    `IGPU_REQUIRE(clk_i, !(launch_i && pinned_i) ||
                         (tpg_i != 6'd0 && threads_i % {26'd0, tpg_i} == 32'd0),
                  "threads_i of a pinned launch is a multiple of tpg_i")
    `IGPU_REQUIRE(clk_i, !extend_i || (!ce_i && !launch_i && left && threads_i > threads_q),
                  "extend_i while threads are left, with more of them")
    `IGPU_REQUIRE(clk_i, !(extend_i && pinned_q) || threads_i % {26'd0, tpg_q} == 32'd0,
                  "threads_i of a pinned launch that is extended is a multiple of tpg_i")
    `IGPU_REQUIRE(clk_i, !ce_i || !dispatch_i || end_i == {(8*TILES){1'b0}},
                  "ends come with dispatch_i 0")

endmodule

`default_nettype wire

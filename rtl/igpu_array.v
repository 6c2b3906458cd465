// igpu_array - the compute side on P pipelines of CONTEXTS EUs each (wiring, and time).
//
// Function  Global dispatcher, tiles with local dispatcher, send arbiter and
//           EUs; but EUs are contexts of pipelines (igpu_eus), TILES x EUS in all.
//           Pipeline p holds EUs p * CONTEXTS and on, counted over the tiles.
// Timing    A target cycle takes as many clocks as the fullest pipeline has contexts with
//           something to do in it, and at least one (igpu_array_time). What a cycle
//           brought is on the outputs in the clock after the one that ended it.
//           asleep_o: nothing happens by itself before now_o + soon_o. Without LEAPS, which
//           only simulators use, both are registers, and soon_o is right so many clocks
//           after now_o came to stand as there are twos of CONTEXTS and of PIPES, and
//           four more; too large until then.
// Contract  Target time goes on while now_o != limit_i. skip_*: igpu_array_time; without
//           a DONE, while asleep_o, not beyond soon_o. done_* are those of cycle now_o
//           and are taken when it ends. open_pc_i and so on answer the last open_valid_o
//           of the tile before the next cycle ends; run_* answer ask_o in its clock. Length
//           0 (not FLAT): redir_* answer ret_branch_o, each context's once; until all have
//           come (stands_o: nothing else is left to do) these are not visited again.
//           Configuration, stores and launch_i only while idle_o; counters are read then.
//           tile_clk_i has each edge of clk_i at which tile_work_o is 1: dispatchers, tiles
//           and their queues have it. Of the others any, or none: nothing changes at them.
// Reset     rst_ni low, synchronous: idle; the stores keep their content.
// Model     csim/ref.  Tests: tests/cosim/test_array.c
// Source    docs/develop/eu-pipeline.md, docs/contract/model.md

`default_nettype none
`include "igpu_eu.vh"
`include "igpu_regs.vh"

module igpu_array #(
    parameter FLAT        = 0,                          // 1: EUs in the simulator's shell
    parameter LEAPS       = 1,                          // 1: soon_o at once; 0: no skip_i
    parameter TILES       = 3,                          // subslices, 1 to 6
    parameter EUS         = 8,                          // EUs of each, 1 to 8
    parameter CONTEXTS    = 24,                         // EUs of a pipeline: divides
    parameter CW          = 5,                          // EUS, or a multiple of it
    parameter STORE_DEPTH = 512,                        // instructions, a power of two
    parameter STORE_AW    = 9,
    parameter PIPES       = TILES * EUS / CONTEXTS      // not to be set
) (
    input  wire                         clk_i,
    input  wire                         tile_clk_i,     // clk_i; a simulator leaves edges out
    output wire                         tile_work_o,    // ... but none while this is 1
    input  wire                         rst_ni,
    input  wire [`IGPU_NOW_W-1:0]       limit_i,        // run up to this cycle
    output wire [`IGPU_NOW_W-1:0]       now_o,          // this cycle
    output wire                         can_o,          // it ends with this clock, unless hold_i
    output wire                         idle_o,         // stands at the limit, drained
    output wire                         asleep_o,       // nothing happens by itself
    output wire [`IGPU_STAMP_W-1:0]     soon_o,         // ... for so many cycles, or ever
    input  wire                         hold_i,         // time stands
    input  wire                         skip_i,         // go on at skip_now_i, later than
    input  wire [`IGPU_NOW_W-1:0]       skip_now_i,     // the next cycle
    input  wire                         launch_i,       // begin a launch
    input  wire [`IGPU_NOW_W-1:0]       launch_now_i,   // in this cycle
    input  wire [31:0]                  launch_threads_i,
    input  wire [5:0]                   launch_tpg_i,   // threads of a group
    input  wire                         launch_pinned_i,
    input  wire [6:0]                   launch_slm_i,   // KB of a group
    output reg                          over_o,         // its last END took effect
    input  wire                         cfg_we_i,       // write a register
    input  wire [6:0]                   cfg_addr_i,
    input  wire [7:0]                   cfg_data_i,
    input  wire                         store_we_i,     // write an instruction
    input  wire [STORE_AW-1:0]          store_addr_i,
    input  wire [`IGPU_SET_W-1:0]       store_set_i,
    input  wire [`IGPU_NEED_W-1:0]      store_need_i,
    input  wire [`IGPU_UCTL_W-1:0]      store_uctl_i,
    output wire [TILES-1:0]             open_valid_o,   // a thread was opened
    output wire [3*TILES-1:0]           open_eu_o,
    output wire [3*TILES-1:0]           open_slot_o,
    output wire [32*TILES-1:0]          open_thread_o,
    output wire [5*TILES-1:0]           open_bslot_o,
    input  wire [`IGPU_UOP_W*TILES-1:0] open_pc_i,      // its first run
    input  wire [`IGPU_LEN_W*TILES-1:0] open_len_i,
    input  wire [8*TILES-1:0]           open_wait_i,
    input  wire [TILES-1:0]             done_valid_i,
    input  wire [3*TILES-1:0]           done_eu_i,
    input  wire [3*TILES-1:0]           done_slot_i,
    input  wire [`IGPU_UOP_W*TILES-1:0] done_uop_i,
    input  wire [TILES-1:0]             done_credit_i,
    input  wire [TILES-1:0]             done_wb_i,
    output wire [TILES-1:0]             msg_valid_o,
    output wire [3*TILES-1:0]           msg_eu_o,
    output wire [3*TILES-1:0]           msg_slot_o,
    output wire [`IGPU_UOP_W*TILES-1:0] msg_uop_o,
    output wire [PIPES-1:0]             ask_o,          // a next run is wanted
    output wire [CW*PIPES-1:0]          ask_ctx_o,
    output wire [3*PIPES-1:0]           ask_slot_o,
    output wire [`IGPU_STAMP_W*PIPES-1:0] ask_now_o,
    input  wire [`IGPU_UOP_W*PIPES-1:0] run_pc_i,
    input  wire [`IGPU_LEN_W*PIPES-1:0] run_len_i,
    input  wire [8*PIPES-1:0]           run_wait_i,
    output wire [CW*PIPES-1:0]          ret_ctx_o,      // issues of a visit (retire port)
    output wire [`IGPU_STAMP_W*PIPES-1:0] ret_now_o,
    output wire [4*PIPES-1:0]           ret_valid_o,
    output wire [12*PIPES-1:0]          ret_slot_o,
    output wire [4*`IGPU_UOP_W*PIPES-1:0] ret_uop_o,
    output wire [PIPES-1:0]             ret_end_o,      // SEND's ends its thread,
    output wire [8*PIPES-1:0]           ret_left_o,     // units are occupied so long;
    output wire [PIPES-1:0]             ret_branch_o,   // BRANCH's thread has no next run:
    input  wire [PIPES-1:0]             redir_i,        // here it is, of this pipeline's
    input  wire [CW*PIPES-1:0]          redir_ctx_i,    // context
    input  wire [2:0]                   redir_slot_i,   // and slot
    input  wire [`IGPU_UOP_W-1:0]       redir_pc_i,
    input  wire [`IGPU_LEN_W-1:0]       redir_len_i,
    input  wire [7:0]                   redir_wait_i,
    output wire                         stands_o,       // nothing moves before that
    input  wire [5:0]                   count_pipe_i,   // counters (igpu_eu_count) of
    input  wire [CW-1:0]                count_ctx_i,    // this context
    input  wire [4:0]                   count_word_i,
    output wire [`IGPU_COUNT_W-1:0]     count_o         // ... two clocks later
);

    localparam U      = `IGPU_UOP_W;
    localparam L      = `IGPU_LEN_W;
    localparam T      = `IGPU_STAMP_W;
    localparam W      = `IGPU_COUNT_W;
    localparam N      = TILES * EUS;
    localparam GROUPS = (CONTEXTS > EUS) ? CONTEXTS / EUS : 1; // tiles of a pipeline
    localparam SIZE   = CONTEXTS / GROUPS;                     // EUs of a group
    localparam EW     = (SIZE > 4) ? 3 : (SIZE > 2) ? 2 : 1;
    localparam SHARE  = EUS / SIZE;                            // groups of a tile

    // A launch begins as if after a reset; registers and stores stay. A clock later, since
    // many registers have it: no cycle is over by then (igpu_array_time).
    reg live_n;

    always @(posedge clk_i)
        live_n <= rst_ni && !launch_i;

    // ---- registers, decode ----
    wire [2:0] subslices, threads;
    wire       oldest;
    wire [3:0] eus;
    wire [5:0] eu_slots, start_latency, end_latency;
    wire [7:0] interval, dur;
    wire [4:0] barriers;
    wire [6:0] slm_kb, queue;
    wire [1:0] policy;
    wire [`IGPU_CTL_W-1:0] ctl;

    igpu_sched_regs #(.TILES(TILES), .EUS(EUS)) u_regs (
        .clk_i(tile_clk_i), .rst_ni(rst_ni), .cfg_we_i(cfg_we_i), .cfg_addr_i(cfg_addr_i),
        .cfg_data_i(cfg_data_i), .subslices_o(subslices), .eus_o(eus), .threads_o(threads),
        .queue_o(queue), .oldest_o(oldest), .eu_slots_o(eu_slots), .interval_o(interval),
        .start_latency_o(start_latency), .end_latency_o(end_latency), .barriers_o(barriers),
        .slm_kb_o(slm_kb), .policy_o(policy));
    igpu_decode u_decode (
        .clk_i(tile_clk_i), .rst_ni(rst_ni), .cfg_we_i(cfg_we_i), .cfg_addr_i(cfg_addr_i),
        .cfg_data_i(cfg_data_i), .uctl_i(store_uctl_i), .ctl_o(ctl), .dur_o(dur));

    // The store is written a clock later.
    reg                     store_we_q;
    reg  [STORE_AW-1:0]     store_addr_q;
    reg  [`IGPU_SET_W-1:0]  store_set_q;
    reg  [`IGPU_NEED_W-1:0] store_need_q;

    always @(posedge clk_i) begin
        store_we_q   <= store_we_i;
        store_addr_q <= store_addr_i;
        store_set_q  <= store_set_i;
        store_need_q <= store_need_i;
    end

    // ---- time ----
    wire             go, settle, take, count, work, tick;
    wire [PIPES-1:0] calm, empty, asleep, waits;
    wire [T*PIPES-1:0] soon;
    wire [`IGPU_NOW_W-1:0] next;               // with tick: of the next clock
    wire             ends_wait;                // ends of the cycle before, not counted
    wire [TILES-1:0] ends_any;                 // tiles with ENDs that take effect in this one
    wire             ends_due = ends_any != {TILES{1'b0}};
    wire             more;                     // the global dispatcher needs a clock

    igpu_array_time u_time (
        .clk_i(clk_i), .tile_clk_i(tile_clk_i), .rst_ni(rst_ni), .launch_i(launch_i),
        .launch_now_i(launch_now_i), .limit_i(limit_i), .skip_i(skip_i), .hold_i(hold_i),
        .skip_now_i(skip_now_i), .next_o(next), .calm_i(calm == {PIPES{1'b1}}),
        .empty_i(empty == {PIPES{1'b1}}), .ends_i(ends_wait), .late_ends_i(ends_due),
        .decide_i(more), .now_o(now_o), .go_o(go), .settle_o(settle), .take_o(take),
        .count_o(count), .work_o(work), .can_o(can_o), .tick_o(tick), .idle_o(idle_o));

    igpu_array_work #(.PIPES(PIPES)) u_work (
        .clk_i(clk_i), .change_i(!rst_ni || launch_i || cfg_we_i || store_we_i),
        .time_i(work), .issue_i(ret_valid_o), .work_o(tile_work_o));

    // ---- global dispatcher, behind delay lines ----
    wire [TILES-1:0]    start_valid;
    wire [31:0]         start_thread;
    wire [4:0]          start_bslot;
    wire [8*TILES-1:0]  end_valid;
    wire [40*TILES-1:0] end_bslot;
    wire                over, dispatch_waits;
    reg                 over_q;                // found in this cycle
    wire [`IGPU_NOW_W-1:0] unused_next;

    igpu_sched_global #(.TILES(TILES)) u_global (
        .clk_i(tile_clk_i), .rst_ni(rst_ni), .ce_i(tick || count), .now_i(now_o),
        .subslices_i(subslices), .eu_slots_i(eu_slots), .barriers_i(barriers), .slm_kb_i(slm_kb),
        .interval_i(interval), .policy_i(policy), .launch_i(launch_i), .extend_i(1'b0),
        .threads_i(launch_threads_i),
        .tpg_i(launch_tpg_i), .pinned_i(launch_pinned_i), .group_slm_i(launch_slm_i),
        .dispatch_i(!count), .end_i(count ? end_valid : {(8*TILES){1'b0}}), .end_bslot_i(end_bslot),
        .start_valid_o(start_valid), .start_thread_o(start_thread), .start_bslot_o(start_bslot),
        .over_o(over), .more_o(more), .wait_o(dispatch_waits), .next_o(unused_next));

    // One thread is dispatched in a cycle at most: one delay line for all tiles.
    wire [TILES+36:0] start;                   // {tiles, barrier slot, thread}
    wire              starts;                  // one is under way

    igpu_delay #(.WIDTH(TILES + 37)) u_start (
        .clk_i(tile_clk_i), .rst_ni(live_n), .ce_i(tick), .latency_i(start_latency),
        .data_i((start_valid == {TILES{1'b0}}) ? {(TILES+37){1'b0}} :
                {start_valid, start_bslot, start_thread}),
        .data_o(start), .any_o(starts));

    always @(posedge tile_clk_i) begin
        if (!live_n)
            {over_o, over_q} <= 2'd0;
        else if (tick)
            {over_o, over_q} <= {over_q, 1'b0};
        else if (over)
            over_q <= 1'b1;
    end

    reg waits_q;                               // a redirect is waited for, a clock ago

    always @(posedge clk_i) waits_q <= waits != {PIPES{1'b0}};
    assign stands_o = empty == {PIPES{1'b1}} && waits_q && !idle_o;

    // ---- what EUs and tiles tell each other; bit or field e is EU e, over all tiles ----
    wire [N-1:0]     req, port, full, young, grant, woken, opens, dones;
    wire [2*N-1:0]   ends;                     // of even cycles, of odd cycles
    wire [6*N-1:0]   end_slots;
    wire [PIPES*GROUPS*3-1:0] q_slot;          // each group's granted message
    wire [PIPES*GROUPS*U-1:0] q_uop;
    wire [3*TILES-1:0] g_open_slot, g_done_slot;
    wire [U*TILES-1:0] g_open_pc, g_done_uop;
    wire [L*TILES-1:0] g_open_len;
    wire [8*TILES-1:0] g_open_wait;
    wire [TILES-1:0]   tile_busy;
    wire [PIPES-1:0]   even_any, odd_any;      // pipelines with ends in such a cycle
    wire [W*PIPES-1:0] counts;

    assign ends_wait = (now_o[0] ? even_any : odd_any) != {PIPES{1'b0}};

    // The pipeline whose counter is read; not by an index, which is a multiplier times W.
    reg [W-1:0] count_read;
    integer     c;

    always @* begin
        count_read = {W{1'b0}};
        for (c = 0; c < PIPES; c = c + 1)
            if (PIPES == 1 || count_pipe_i == c[5:0])
                count_read = count_read | counts[W*c +: W];
    end

    assign count_o = count_read;

    // ---- nothing to do ----
    wire sleeps = asleep == {PIPES{1'b1}} && ends == {(2*N){1'b0}} &&
                  tile_busy == {TILES{1'b0}} && !starts &&
                  start_valid == {TILES{1'b0}} && !dispatch_waits;

    generate
        if (LEAPS != 0) begin : g_leaps
            reg [T-1:0] soonest;
            integer     k;

            always @* begin
                soonest = {T{1'b1}};
                if (sleeps)
                    for (k = 0; k < PIPES; k = k + 1)
                        if (soon[T*k +: T] < soonest)
                            soonest = soon[T*k +: T];
            end

            assign asleep_o = sleeps;
            assign soon_o   = soonest;
        end else begin : g_walks
            reg sleeps_q;

            always @(posedge clk_i)
                sleeps_q <= sleeps;

            assign asleep_o = sleeps_q;
            igpu_nearest #(.N(PIPES), .W(T)) u_soon (
                .clk_i(clk_i), .still_i(sleeps && !tick), .now_i({T{1'b0}}),
                .set_i({PIPES{1'b1}}), .marks_i(soon), .soon_q(soon_o));
        end
    endgenerate

    genvar i, p, g;
    generate
        for (i = 0; i < TILES; i = i + 1) begin : g_tile
            wire [EUS-1:0] ends_now = now_o[0] ? ends[EUS*i +: EUS] : ends[N + EUS*i +: EUS];
            wire [3*EUS-1:0] slots_now = now_o[0] ? end_slots[3*EUS*i +: 3*EUS] :
                                         end_slots[3*N + 3*EUS*i +: 3*EUS];

            igpu_array_tile #(.EUS(EUS), .SIZE(SIZE)) u_tile (
                .clk_i(tile_clk_i), .rst_ni(live_n), .tick_i(tick), .settle_i(settle),
                .count_i(take), .eus_i(eus), .threads_i(threads), .queue_i(queue),
                .end_latency_i(end_latency), .start_valid_i(start[37+i]),
                .start_thread_i(start[31:0]), .start_bslot_i(start[36:32]),
                .open_valid_o(open_valid_o[i]), .open_eu_o(open_eu_o[3*i +: 3]),
                .open_slot_o(open_slot_o[3*i +: 3]), .open_thread_o(open_thread_o[32*i +: 32]),
                .open_bslot_o(open_bslot_o[5*i +: 5]), .open_pc_i(open_pc_i[U*i +: U]),
                .open_len_i(open_len_i[L*i +: L]), .open_wait_i(open_wait_i[8*i +: 8]),
                .done_valid_i(done_valid_i[i]), .done_eu_i(done_eu_i[3*i +: 3]),
                .done_slot_i(done_slot_i[3*i +: 3]), .done_uop_i(done_uop_i[U*i +: U]),
                .done_credit_i(done_credit_i[i]), .done_wb_i(done_wb_i[i]),
                .msg_valid_o(msg_valid_o[i]), .msg_eu_o(msg_eu_o[3*i +: 3]),
                .msg_slot_o(msg_slot_o[3*i +: 3]), .msg_uop_o(msg_uop_o[U*i +: U]),
                .end_i(ends_now), .end_slot_i(slots_now), .end_any_o(ends_any[i]),
                .end_valid_q(end_valid[8*i +: 8]), .end_bslot_q(end_bslot[40*i +: 40]),
                .req_i(req[EUS*i +: EUS]), .port_i(port[EUS*i +: EUS]), .full_i(full[EUS*i +: EUS]),
                .young_i(young[EUS*i +: EUS]), .busy_o(tile_busy[i]), .grant_o(grant[EUS*i +: EUS]),
                .q_slot_i(q_slot[3*SHARE*i +: 3*SHARE]), .q_uop_i(q_uop[U*SHARE*i +: U*SHARE]),
                .given_o(woken[EUS*i +: EUS]), .eu_open_q(opens[EUS*i +: EUS]),
                .eu_open_slot_q(g_open_slot[3*i +: 3]), .eu_open_pc_q(g_open_pc[U*i +: U]),
                .eu_open_len_q(g_open_len[L*i +: L]), .eu_open_wait_q(g_open_wait[8*i +: 8]),
                .eu_done_q(dones[EUS*i +: EUS]), .eu_done_slot_q(g_done_slot[3*i +: 3]),
                .eu_done_uop_q(g_done_uop[U*i +: U]));
        end

        for (p = 0; p < PIPES; p = p + 1) begin : g_pipe
            localparam FIRST = p * CONTEXTS / EUS;             // its first tile
            wire          ret_eot, ret_port;
            wire [T-1:0]  ret_from;
            wire [CW-1:0] ctx = ret_ctx_o[CW*p +: CW];
            wire          sent = ret_valid_o[4*p+2] && !ret_eot;
            wire          ended = ret_valid_o[4*p+2] && ret_eot;

            igpu_eus #(
                .FLAT(FLAT), .LEAPS(LEAPS), .CONTEXTS(CONTEXTS), .CW(CW), .GROUPS(GROUPS),
                .SIZE(SIZE), .STORE_DEPTH(STORE_DEPTH), .STORE_AW(STORE_AW)
            ) u_eus (
                .clk_i(clk_i), .rst_ni(live_n), .oldest_i(oldest), .go_i(go), .tick_i(tick),
                .now_i(now_o), .next_i(next[T-1:0]), .given_i(woken[CONTEXTS*p +: CONTEXTS]),
                .calm_o(calm[p]), .empty_o(empty[p]), .asleep_o(asleep[p]), .soon_o(soon[T*p +: T]),
                .open_i(opens[CONTEXTS*p +: CONTEXTS]),
                .open_slot_i(g_open_slot[3*FIRST +: 3*GROUPS]),
                .open_pc_i(g_open_pc[U*FIRST +: U*GROUPS]),
                .open_len_i(g_open_len[L*FIRST +: L*GROUPS]),
                .open_wait_i(g_open_wait[8*FIRST +: 8*GROUPS]),
                .done_i(dones[CONTEXTS*p +: CONTEXTS]),
                .done_slot_i(g_done_slot[3*FIRST +: 3*GROUPS]),
                .done_uop_i(g_done_uop[U*FIRST +: U*GROUPS]), .full_i(full[CONTEXTS*p +: CONTEXTS]),
                .store_we_i(store_we_q), .store_addr_i(store_addr_q), .store_ctl_i(ctl),
                .store_dur_i(dur), .store_set_i(store_set_q), .store_need_i(store_need_q),
                .ask_o(ask_o[p]), .ask_ctx_o(ask_ctx_o[CW*p +: CW]),
                .ask_slot_o(ask_slot_o[3*p +: 3]), .ask_now_o(ask_now_o[T*p +: T]),
                .run_pc_i(run_pc_i[U*p +: U]), .run_len_i(run_len_i[L*p +: L]),
                .run_wait_i(run_wait_i[8*p +: 8]), .ret_ctx_o(ret_ctx_o[CW*p +: CW]),
                .ret_now_o(ret_now_o[T*p +: T]), .ret_valid_o(ret_valid_o[4*p +: 4]),
                .ret_slot_o(ret_slot_o[12*p +: 12]), .ret_uop_o(ret_uop_o[4*U*p +: 4*U]),
                .ret_eot_o(ret_eot), .ret_port_o(ret_port), .ret_from_o(ret_from),
                .ret_left_o(ret_left_o[8*p +: 8]), .ret_branch_o(ret_branch_o[p]),
                .redir_i(redir_i[p]), .redir_ctx_i(redir_ctx_i[CW*p +: CW]),
                .redir_slot_i(redir_slot_i), .redir_pc_i(redir_pc_i), .redir_len_i(redir_len_i),
                .redir_wait_i(redir_wait_i), .any_waits_i(waits_q), .waits_o(waits[p]),
                .count_ctx_i(count_ctx_i), .count_word_i(count_word_i), .count_o(counts[W*p +: W]));
            assign ret_end_o[p] = ended;

            igpu_array_ends #(.EUS(CONTEXTS), .EW(CW)) u_ends (
                .clk_i(tile_clk_i), .rst_ni(live_n), .settle_i(settle), .odd_i(now_o[0]),
                .end_i(ended), .end_eu_i(ctx), .end_slot_i(ret_slot_o[12*p+6 +: 3]),
                .end_odd_i(ret_now_o[T*p]), .even_q(ends[CONTEXTS*p +: CONTEXTS]),
                .odd_q(ends[N + CONTEXTS*p +: CONTEXTS]), .even_any_q(even_any[p]),
                .odd_any_q(odd_any[p]), .even_slot_q(end_slots[3*CONTEXTS*p +: 3*CONTEXTS]),
                .odd_slot_q(end_slots[3*N + 3*CONTEXTS*p +: 3*CONTEXTS]));

            for (g = 0; g < GROUPS; g = g + 1) begin : g_queue
                localparam Q = p * GROUPS + g;
                wire mine;

                if (GROUPS > 1) begin : g_some
                    assign mine = ctx[CW-1:EW] == g;
                end else begin : g_all
                    assign mine = 1'b1;
                end
                igpu_eu_sendq #(.EUS(SIZE), .EW(EW)) u_sendq (
                    .clk_i(tile_clk_i), .rst_ni(live_n), .tick_i(tick), .now_i(now_o[T-1:0]),
                    .next_i(next[T-1:0]), .push_i(sent && mine), .push_eu_i(ctx[EW-1:0]),
                    .push_slot_i(ret_slot_o[12*p+6 +: 3]), .push_uop_i(ret_uop_o[U*(4*p+2) +: U]),
                    .push_port_i(ret_port), .push_from_i(ret_from), .req_o(req[SIZE*Q +: SIZE]),
                    .port_o(port[SIZE*Q +: SIZE]), .full_o(full[SIZE*Q +: SIZE]),
                    .young_o(young[SIZE*Q +: SIZE]), .grant_i(grant[SIZE*Q +: SIZE]),
                    .msg_slot_o(q_slot[3*Q +: 3]), .msg_uop_o(q_uop[U*Q +: U]));
            end
        end
    endgenerate

    wire unused = &{1'b0, unused_next, next};

endmodule

`default_nettype wire

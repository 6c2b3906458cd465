// igpu_link - between one stream of words to and from a host, and igpu_array.
//
// Function  Frames (igpu_link_rx, igpu_link_tx), commands (igpu_link_cmd) with the queues
//           that they fill (igpu_link_tile, igpu_link_runs), events (igpu_link_brought,
//           igpu_link_report), the limit (igpu_link_wall).
//           Target time goes on up to the host's limit, but no further than the first
//           message that the host has not seen may be answered (its kind's lookahead).
// Timing    array_en_q: the array's clock runs in this clock, in every second one at
//           most (igpu_link_report). All else of the array changes with that clock only;
//           all that it gets are registers.
// Contract  As docs/develop/fpga.md says for the host; igpu_array's contract is kept.
// Reset     rst_ni low, synchronous: no session, the array in reset. A new session too.
// Tests     tests/cosim/test_fpga.c
// Source    docs/develop/fpga.md

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"
`include "igpu_link.vh"
`include "igpu_regs.vh"

module igpu_link #(
    parameter TILES     = 3,
    parameter EUS       = 8,
    parameter CONTEXTS  = 24,
    parameter CW        = 5,
    parameter STORE_AW  = 9,
    parameter RETIRE    = 1,                        // can report each issue
    parameter CLOCK_KHZ = 0,                        // as the host is told; 0: none
    parameter PIPES     = TILES * EUS / CONTEXTS    // not to be set
) (
    input  wire                         clk_i,
    input  wire                         rst_ni,
    input  wire                         in_valid_i, // from the host
    input  wire [31:0]                  in_data_i,
    input  wire                         in_last_i,  // a frame's last word
    output wire                         out_valid_o, // to the host
    output wire [31:0]                  out_data_o,
    output wire                         out_last_o,
    input  wire                         out_ready_i,
    output wire [9:0]                   out_words_o, // of the frame
    output wire                         rest_o,     // waits for the host
    output wire                         array_en_q,
    output wire                         array_rst_no,
    output wire [`IGPU_NOW_W-1:0]       array_limit_q,
    output reg                          array_hold_q,  // time stands
    input  wire [`IGPU_NOW_W-1:0]       array_now_i,
    input  wire                         array_can_i,  // a cycle is over, unless it stands
    input  wire                         array_idle_i,
    input  wire                         array_asleep_i,
    input  wire [`IGPU_STAMP_W-1:0]     array_soon_i,
    output wire                         launch_o,
    output wire [`IGPU_NOW_W-1:0]       launch_now_o,
    output wire [31:0]                  launch_threads_o,
    output wire [5:0]                   launch_tpg_o,
    output wire                         launch_pinned_o,
    output wire [6:0]                   launch_slm_o,
    input  wire                         over_i,
    output wire                         cfg_we_o,
    output wire [6:0]                   cfg_addr_o,
    output wire [7:0]                   cfg_data_o,
    output wire                         store_we_o,
    output wire [STORE_AW-1:0]          store_addr_o,
    output wire [`IGPU_SET_W-1:0]       store_set_o,
    output wire [`IGPU_NEED_W-1:0]      store_need_o,
    output wire [`IGPU_UCTL_W-1:0]      store_uctl_o,
    input  wire [TILES-1:0]             open_valid_i,
    input  wire [3*TILES-1:0]           open_eu_i,
    input  wire [3*TILES-1:0]           open_slot_i,
    input  wire [32*TILES-1:0]          open_thread_i,
    input  wire [5*TILES-1:0]           open_bslot_i,
    output wire [`IGPU_UOP_W*TILES-1:0] open_pc_o,
    output wire [`IGPU_LEN_W*TILES-1:0] open_len_o,
    output wire [8*TILES-1:0]           open_wait_o,
    output wire [TILES-1:0]             done_valid_o,
    output wire [3*TILES-1:0]           done_eu_o,
    output wire [3*TILES-1:0]           done_slot_o,
    output wire [`IGPU_UOP_W*TILES-1:0] done_uop_o,
    output wire [TILES-1:0]             done_credit_o,
    output wire [TILES-1:0]             done_wb_o,
    input  wire [TILES-1:0]             msg_valid_i,
    input  wire [3*TILES-1:0]           msg_eu_i,
    input  wire [3*TILES-1:0]           msg_slot_i,
    input  wire [`IGPU_UOP_W*TILES-1:0] msg_uop_i,
    input  wire [PIPES-1:0]             ask_i,
    input  wire [CW*PIPES-1:0]          ask_ctx_i,
    input  wire [3*PIPES-1:0]           ask_slot_i,
    input  wire [`IGPU_STAMP_W*PIPES-1:0] ask_now_i,
    output wire [`IGPU_UOP_W*PIPES-1:0] run_pc_o,
    output wire [`IGPU_LEN_W*PIPES-1:0] run_len_o,
    output wire [8*PIPES-1:0]           run_wait_o,
    input  wire [CW*PIPES-1:0]          ret_ctx_i,
    input  wire [`IGPU_STAMP_W*PIPES-1:0] ret_now_i,
    input  wire [4*PIPES-1:0]           ret_valid_i,
    input  wire [12*PIPES-1:0]          ret_slot_i,
    input  wire [4*`IGPU_UOP_W*PIPES-1:0] ret_uop_i,
    input  wire [PIPES-1:0]             ret_end_i,
    input  wire [8*PIPES-1:0]           ret_left_i,
    input  wire [PIPES-1:0]             ret_branch_i,
    output wire [PIPES-1:0]             redir_o,
    output wire [CW*PIPES-1:0]          redir_ctx_o,
    output wire [2:0]                   redir_slot_o,
    output wire [`IGPU_UOP_W-1:0]       redir_pc_o,
    output wire [`IGPU_LEN_W-1:0]       redir_len_o,
    output wire [7:0]                   redir_wait_o,
    input  wire                         array_stands_i, // waits for redirects alone
    output wire [5:0]                   count_pipe_o,
    output wire [CW-1:0]                count_ctx_o,
    output wire [4:0]                   count_word_o,
    input  wire [`IGPU_COUNT_W-1:0]     count_i
);

    localparam U   = `IGPU_UOP_W;
    localparam L   = `IGPU_LEN_W;
    localparam NOW = `IGPU_NOW_W;
    localparam R   = `IGPU_LINK_RUN_W;
    localparam N   = 2 * TILES + 1 + 5 * PIPES;     // what a clock of the array may bring
    localparam SW  = (TILES > 4) ? 9 : (TILES > 2) ? 8 : (TILES > 1) ? 7 : 6;
    localparam DW  = 3;                             // log2 of the runs ahead of a thread
    localparam [7:0] VERSION = `IGPU_LINK_VERSION;

    // ---- frames ----
    wire [31:0] build0, build2;

    assign build0[`IGPU_LINK_BUILD_VERSION]  = VERSION;
    assign build0[`IGPU_LINK_BUILD_TILES]    = TILES[7:0];
    assign build0[`IGPU_LINK_BUILD_EUS]      = EUS[7:0];
    assign build0[`IGPU_LINK_BUILD_CONTEXTS] = CONTEXTS[7:0];
    assign build2[`IGPU_LINK_BUILD_RUNS]     = 8'd1 << DW;
    assign build2[`IGPU_LINK_BUILD_FRAMES]   = `IGPU_LINK_RX_SLOTS;
    assign build2[`IGPU_LINK_BUILD_RETIRE]   = RETIRE[0];
    assign build2[31:17]                     = 15'd0;

    wire [32*`IGPU_LINK_BUILD-1:0] build =
        {CLOCK_KHZ[31:0], build2, 32'd1 << STORE_AW, build0};
    wire        hello, clear, stranger, reply, ack, resend, rx_busy, tx_busy;
    wire [15:0] session, ack_seq, taken;
    wire        cmd_valid, cmd_ready, runs_busy, ev_valid, ev_room, flush;
    wire [31:0] cmd_data, ev_data;

    igpu_link_rx u_rx (
        .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid_i), .in_data_i(in_data_i),
        .in_last_i(in_last_i), .hello_o(hello), .clear_o(clear), .session_q(session),
        .stranger_o(stranger), .reply_o(reply), .ack_o(ack), .ack_seq_o(ack_seq),
        .resend_o(resend), .taken_q(taken), .cmd_valid_o(cmd_valid),
        .cmd_data_o(cmd_data), .cmd_ready_i(cmd_ready && !runs_busy), .busy_o(rx_busy));
    igpu_link_tx u_tx (
        .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear), .hello_i(hello),
        .stranger_i(stranger), .reply_i(reply), .session_i(session), .taken_i(taken),
        .build_i(build), .ack_i(ack), .ack_seq_i(ack_seq), .resend_i(resend),
        .ev_valid_i(ev_valid), .ev_data_i(ev_data), .room_o(ev_room), .flush_i(flush),
        .out_valid_o(out_valid_o), .out_data_o(out_data_o), .out_last_o(out_last_o),
        .out_ready_i(out_ready_i), .out_words_o(out_words_o), .busy_o(tx_busy));

    // ---- a new session resets everything behind ----
    // for 15 clocks of the array.
    reg  [4:0] reset_q;
    reg        live_n;

    always @(posedge clk_i) begin
        if (!rst_ni || clear)
            reset_q <= ~5'd0;
        else if (reset_q != 5'd0)
            reset_q <= reset_q - 5'd1;
        live_n <= rst_ni && !clear && reset_q == 5'd0;
    end

    assign array_rst_no = live_n;

    // Nothing is on its way between them: a command's effect shows after some clocks.
    reg  [3:0] calm_q;

    always @(posedge clk_i) begin
        if (!rst_ni || !flush || rx_busy || tx_busy || !live_n)
            calm_q <= 4'd0;
        else if (!rest_o)
            calm_q <= calm_q + 4'd1;
    end

    assign rest_o = calm_q == ~4'd0 && flush && !rx_busy && !tx_busy;

    // ---- commands ----
    wire [TILES-1:0] done;
    wire [27:0]      done_data, limit_more;
    wire [NOW-1:0]   base;
    wire             run, first, redir, wait_cmd, limit, look;
    wire [8:0]       run_slot;
    wire [R+1:0]     run_data;
    wire [2:0]       first_tile;
    wire [R-1:0]     first_run;
    wire [7:0]       wait_data;
    wire [15:0]      limit_seen;
    wire [1:0]       look_kind, store_kind;
    wire [11:0]      look_cycles;
    wire             count, counted;
    reg              retire_q, paged_q;            // IGPU_REG_RETIRE, _PAGED
    reg  [15:0]      more_q;                       // runs, first ones, redirects that came
    wire             more = run || first || (redir && array_en_q);

    igpu_link_cmd #(.TILES(TILES), .STORE_AW(STORE_AW)) u_cmd (
        .clk_i(clk_i), .rst_ni(live_n), .valid_i(cmd_valid && !runs_busy),
        .data_i(cmd_data), .ready_o(cmd_ready), .en_i(array_en_q), .launch_q(launch_o),
        .launch_now_q(launch_now_o), .launch_threads_q(launch_threads_o),
        .launch_tpg_q(launch_tpg_o), .launch_pinned_q(launch_pinned_o),
        .launch_slm_q(launch_slm_o), .cfg_we_q(cfg_we_o), .cfg_addr_q(cfg_addr_o),
        .cfg_data_q(cfg_data_o), .store_we_q(store_we_o), .store_addr_q(store_addr_o),
        .store_kind_q(store_kind), .store_set_q(store_set_o),
        .store_need_q(store_need_o), .store_uctl_q(store_uctl_o), .done_q(done),
        .done_data_q(done_data), .base_q(base), .run_q(run), .run_slot_q(run_slot),
        .run_data_q(run_data), .first_q(first), .first_tile_q(first_tile),
        .first_run_q(first_run), .redir_q(redir), .wait_q(wait_cmd), .wait_data_q(wait_data),
        .limit_q(limit), .limit_more_q(limit_more), .limit_seen_q(limit_seen),
        .look_q(look), .look_kind_q(look_kind), .look_cycles_q(look_cycles),
        .count_q(count), .counted_i(counted));

    always @(posedge clk_i) begin
        if (!live_n)
            {retire_q, paged_q} <= 2'b10;
        else if (cfg_we_o && cfg_addr_o == `IGPU_REG_RETIRE)
            retire_q <= cfg_data_o[0];
        else if (cfg_we_o && cfg_addr_o == `IGPU_REG_PAGED)
            paged_q <= cfg_data_o[0];
        more_q <= !live_n ? 16'd0 : more_q + {15'd0, more};
    end

    wire [NOW-1:0] limit_now = base + {{(NOW-28){1'b0}}, limit_more};

    // ---- DONEs and first runs, by tile ----
    // The array's clock runs in every second clock at most, so what it would do is known in
    // the clock before.
    reg              can_q;
    wire             tick = can_q && !array_hold_q && array_en_q;
    wire [TILES-1:0] first_valid;

    always @(posedge clk_i)
        can_q <= array_can_i;

    genvar i;
    generate
        for (i = 0; i < TILES; i = i + 1) begin : g_tile
            igpu_link_tile u_tile (
                .clk_i(clk_i), .rst_ni(live_n && !launch_o), .now_i(array_now_i[15:0]),
                .tick_i(tick), .done_i(done[i]), .done_now_i(base[15:0]),
                .done_data_i(done_data[`IGPU_LINK_DONE_BITS]),
                .done_valid_o(done_valid_o[i]), .done_eu_o(done_eu_o[3*i +: 3]),
                .done_slot_o(done_slot_o[3*i +: 3]), .done_uop_o(done_uop_o[U*i +: U]),
                .done_credit_o(done_credit_o[i]), .done_wb_o(done_wb_o[i]),
                .first_i(first && first_tile == i), .first_run_i(first_run),
                .first_wait_i(wait_data), .open_i(open_valid_i[i]),
                .first_valid_q(first_valid[i]), .open_pc_o(open_pc_o[U*i +: U]),
                .open_len_o(open_len_o[L*i +: L]), .open_wait_q(open_wait_o[8*i +: 8]));
        end
    endgenerate

    // ---- further runs ----
    wire [8:0]  slot;
    wire        have, read, half;
    wire [R+1:0] run_out;
    wire [2:0]  place;
    wire        short;

    igpu_link_runs #(.SW(SW), .DW(DW)) u_runs (
        .clk_i(clk_i), .rst_ni(live_n), .busy_o(runs_busy), .push_i(run),
        .push_slot_i(run_slot[SW-1:0]), .push_run_i(run_data), .slot_i(slot[SW-1:0]),
        .have_o(have), .read_i(read), .run_o(run_out), .half_o(half),
        .place_o(place), .short_o(short));

    // Where the store has a part of the kernel, no cycle is over before it is there.
    wire held = paged_q && (short || (open_valid_i & ~first_valid) != {TILES{1'b0}});

    // The cycle and the limit that are compared are those of the array's next clock: the
    // cycle changes in the first clock after one, and the next comes after the second.
    always @(posedge clk_i)
        array_hold_q <= !live_n || held || array_now_i == array_limit_q;

    // ---- events ----
    wire [2:0]      tile;
    wire [U-1:0]    kind_uop;
    wire [1:0]      kind, mark_kind;
    wire            mark;
    wire [NOW-1:0]  mark_now;
    wire [7:0]      firsts = {{(8-TILES){1'b0}}, first_valid};
    wire [R*PIPES-1:0] runs;
    wire            ran, ticked, stream, any, prior;
    wire [N-1:0]    seen, pick, picked;
    wire [27:0]     word;
    wire [7:0]      units_left;
    reg             go_q, go1_q;
    reg             late_q;

    igpu_ctx_ram #(.WIDTH(2), .DEPTH(1 << STORE_AW), .AW(STORE_AW)) u_kind (
        .clk_i(clk_i), .re_i(1'b1), .clear_i(1'b0),
        .raddr_i(kind_uop[STORE_AW-1:0]), .rdata_o(kind),
        .we_i(store_we_o), .waddr_i(store_addr_o), .wdata_i(store_kind));

    igpu_link_brought #(
        .TILES(TILES), .EUS(EUS), .CONTEXTS(CONTEXTS), .CW(CW)
    ) u_brought (
        .now_i(array_now_i[0]), .ran_i(ran), .ticked_i(ticked), .stream_i(stream),
        .seen_i(seen), .pick_i(picked), .over_i(over_i), .msg_valid_i(msg_valid_i),
        .msg_eu_i(msg_eu_i), .msg_slot_i(msg_slot_i), .msg_uop_i(msg_uop_i),
        .open_valid_i(open_valid_i),
        .open_eu_i(open_eu_i), .open_slot_i(open_slot_i), .open_thread_i(open_thread_i),
        .open_bslot_i(open_bslot_i), .ask_i(ask_i), .ask_ctx_i(ask_ctx_i),
        .ask_slot_i(ask_slot_i), .ask_now_i(ask_now_i), .ret_ctx_i(ret_ctx_i),
        .ret_now_i(ret_now_i), .ret_valid_i(ret_valid_i), .ret_slot_i(ret_slot_i),
        .ret_uop_i(ret_uop_i), .ret_end_i(ret_end_i), .ret_left_i(ret_left_i),
        .any_o(any), .pick_o(pick), .word_o(word), .prior_o(prior),
        .units_left_o(units_left));

    igpu_link_report #(
        .TILES(TILES), .EUS(EUS), .CONTEXTS(CONTEXTS), .CW(CW), .RETIRE(RETIRE)
    ) u_report (
        .clk_i(clk_i), .rst_ni(live_n), .en_q(array_en_q), .now_i(array_now_i),
        .tick_i(tick), .idle_i(array_idle_i), .asleep_i(array_asleep_i),
        .soon_i(array_soon_i), .ran_q(ran), .ticked_q(ticked), .seen_q(seen),
        .stream_o(stream), .any_i(any), .pick_i(pick), .pick_q(picked), .word_i(word),
        .prior_i(prior), .units_left_i(units_left), .run_q(runs), .run_wait_q(run_wait_o),
        .branch_i(ret_branch_i), .stands_i(array_stands_i),
        .count_pipe_q(count_pipe_o),
        .count_ctx_q(count_ctx_o), .count_word_q(count_word_o),
        .count_data_i(count_i), .retire_i(retire_q), .paged_i(paged_q),
        .hold_i(held), .more_i(more), .more_count_i(more_q),
        .count_i(count),
        .counted_o(counted),
        .begin_i(launch_o), .launch_now_i(launch_now_o), .go_i(go_q),
        .first_i(firsts[tile]), .tile_q(tile), .slot_o(slot), .have_i(have),
        .read_o(read), .run_i(run_out[R:0]), .half_i(half), .place_i(place),
        .wait_i(wait_cmd), .wait_data_i(wait_data),
        .late_i(late_q), .kind_uop_o(kind_uop), .kind_i(kind),
        .mark_o(mark), .mark_now_o(mark_now), .mark_kind_q(mark_kind), .ev_valid_o(ev_valid),
        .ev_data_o(ev_data), .ev_room_i(ev_room), .flush_o(flush));

    // Of all EUs, the one that is redirected.
    wire [5:0] number = {3'd0, run_slot[8:6]} * EUS[5:0] + {3'd0, run_slot[5:3]};

    generate
        for (i = 0; i < PIPES; i = i + 1) begin : g_pipe
            wire [R-1:0] run_bits = runs[R*i +: R];
            assign run_pc_o[U*i +: U]  = run_bits[`IGPU_LINK_RUN_PC];
            assign run_len_o[L*i +: L] = run_bits[`IGPU_LINK_RUN_LEN];
            // {tile, EU} to a pipeline and its context.
            wire [5:0]   ctx = number - i[5:0] * CONTEXTS[5:0];
            assign redir_o[i] = redir && {26'd0, ctx} < CONTEXTS;
            assign redir_ctx_o[CW*i +: CW] = ctx[CW-1:0];
        end
    endgenerate

    assign redir_slot_o = run_slot[2:0];
    assign redir_pc_o   = first_run[`IGPU_LINK_RUN_PC];
    assign redir_len_o  = first_run[`IGPU_LINK_RUN_LEN];
    assign redir_wait_o = wait_data;

    // ---- how far ----
    igpu_link_wall u_wall (
        .clk_i(clk_i), .rst_ni(live_n), .begin_i(launch_o), .launch_now_i(launch_now_o),
        .limit_i(limit), .limit_now_i(limit_now), .limit_seen_i(limit_seen), .look_i(look),
        .look_kind_i(look_kind), .look_cycles_i(look_cycles), .mark_i(mark),
        .mark_now_i(mark_now), .mark_kind_i(mark_kind), .limit_q(array_limit_q));

    always @(posedge clk_i) begin
        go1_q  <= live_n && limit;
        go_q   <= live_n && go1_q;
        late_q <= live_n && done != {TILES{1'b0}} && base < array_now_i;
    end

    wire unused = &{1'b0, slot, run_out, kind_uop, run_slot, done_data, firsts};

    `IGPU_BUILT(PIPES * CONTEXTS == TILES * EUS, "CONTEXTS divides the EUs")

endmodule

`default_nettype wire

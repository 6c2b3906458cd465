// igpu_dpi - what is Verilated for the default engine: the parts of igpu_array, one class
// each, behind wrappers that hold the DPI imports (Verilog-2005 has none) and the input
// registers.
//
//   igpu_dpi_eu      one EU, in the simulator's shell, and its send queue
//   igpu_dpi_local   local dispatcher, send arbiter and decode of one tile
//   igpu_dpi_global  global dispatcher
//
// The host (engine_tiles.c) is the sequencer: it says when an EU is visited, and carries
// what the parts tell each other from one to the other. An import gets the tile's context
// first, so that there is no global state. No input reaches combinational logic, which
// which would be evaluated at every edge; for the same reason the send queue, and the
// local class's inputs, have clocks of their own.

`default_nettype none
`include "igpu_eu.vh"
`include "igpu_regs.vh"

package igpu_dpi_pkg;
    // A thread's end.
    import "DPI-C" function void igpu_dpi_end(input chandle tile,
        input int unsigned eu, input int unsigned slot,
        input int unsigned bslot);
    // A thread was opened; returns its first run: first index, length * 2^32, and
    // cycles to wait for the instruction cache * 2^48.
    import "DPI-C" function longint unsigned igpu_dpi_open(input chandle tile,
        input int unsigned eu, input int unsigned slot,
        input int unsigned thread, input int unsigned bslot);
endpackage

module igpu_dpi_eu #(
    parameter STORE_DEPTH = 16384,
    parameter STORE_AW    = 14
) (
    input  wire                     clk_i,
    input  wire                     rst_ni,
    input  wire                     oldest_i,        // units take the oldest thread
    input  wire                     visit_i,         // a visit
    input  wire [`IGPU_STAMP_W-1:0] now_i,           // in this cycle
    input  wire                     first_i,         // the first since the launch
    input  wire                     old_i,           // the last was over 256 cycles ago
    input  wire [1:0]               runs_i,          // 0: a thread was opened two cycles ago,
                                                     // 1: a branch issued one ago
    input  wire [2:0]               open_slot_i,
    input  wire [`IGPU_UOP_W-1:0]   open_pc_i,       // its first run
    input  wire [`IGPU_LEN_W-1:0]   open_len_i,
    input  wire [7:0]               open_wait_i,
    input  wire [2:0]               redir_slot_i,    // the branch's thread,
    input  wire [`IGPU_UOP_W-1:0]   redir_pc_i,      // its next run
    input  wire [`IGPU_LEN_W-1:0]   redir_len_i,
    input  wire [7:0]               redir_wait_i,
    input  wire                     done_i,          // a response of the cycle before
    input  wire [2:0]               done_slot_i,
    input  wire [`IGPU_UOP_W-1:0]   done_uop_i,
    input  wire                     store_we_i,      // write an instruction
    input  wire [STORE_AW-1:0]      store_addr_i,
    input  wire [`IGPU_CTL_W-1:0]   store_ctl_i,
    input  wire [7:0]               store_dur_i,
    input  wire [`IGPU_SET_W-1:0]   store_set_i,
    input  wire [`IGPU_NEED_W-1:0]  store_need_i,
    output wire                     ask_o,           // the next run is wanted:
    output wire [2:0]               ask_slot_o,
    input  wire [`IGPU_UOP_W-1:0]   run_pc_i,        // it is here in the next clock;
                                                     // length 0: runs_i tells
    input  wire [`IGPU_LEN_W-1:0]   run_len_i,
    input  wire [7:0]               run_wait_i,
    output wire [3:0]               ret_valid_o,     // issues to FPU0, FPU1, SEND, BRANCH:
    output wire [11:0]              ret_slot_o,      // thread
    output wire [`IGPU_UOP_W-1:0]   ret0_uop_o,      // and index of each
    output wire [`IGPU_UOP_W-1:0]   ret1_uop_o,
    output wire [`IGPU_UOP_W-1:0]   ret2_uop_o,
    output wire [`IGPU_UOP_W-1:0]   ret3_uop_o,
    output wire                     ret_eot_o,       // SEND's ends its thread
    output wire                     ret_port_o,      // its message needs a credit,
    output wire [`IGPU_STAMP_W-1:0] ret_from_o,      // and can be granted then
    output wire [`IGPU_STAMP_W-1:0] wake_o,          // its next cycle; the one before now_i:
                                                     // none by itself
    input  wire                     send_clk_i,      // the send queue: cycle now_i is over,
    input  wire [`IGPU_STAMP_W-1:0] next_i,          // this one follows
    input  wire                     push_i,          // a message joins
    input  wire [2:0]               push_slot_i,
    input  wire [`IGPU_UOP_W-1:0]   push_uop_i,
    input  wire                     push_port_i,
    input  wire [`IGPU_STAMP_W-1:0] push_from_i,
    input  wire                     grant_i,         // the oldest leaves,
    output wire [2:0]               msg_slot_o,      // and is this one
    output wire [`IGPU_UOP_W-1:0]   msg_uop_o,
    output wire                     req_o,           // the oldest can be granted,
    output wire                     port_o,          // and needs a credit
    output wire                     full_o           // four wait
);
    wire       unused_young, unused_any, unused_fetch, unused_leave, unused_sleep;
    wire       unused_ctx, unused_ask_ctx, unused_leave_ctx;
    wire [2:0] unused_fetch_slot, unused_busy;
    wire [6:0] unused_held;
    wire [23:0] unused_left;
    wire [`IGPU_STAMP_W-1:0] unused_now, unused_ask_now, unused_wake;

    igpu_eu_flat #(
        .CONTEXTS(1), .CW(1), .STORE_DEPTH(STORE_DEPTH), .STORE_AW(STORE_AW)
    ) u_flat (
        .clk_i(clk_i), .rst_ni(rst_ni), .oldest_i(oldest_i), .s0_valid_i(visit_i), .s0_ctx_i(1'b0),
        .s0_now_i(now_i), .s0_first_i(first_i), .s0_old_i(old_i), .s0_runs_i(runs_i),
        .s0_open_slot_i(open_slot_i), .s0_open_pc_i(open_pc_i), .s0_open_len_i(open_len_i),
        .s0_open_wait_i(open_wait_i), .s0_redir_slot_i(redir_slot_i),
        .s0_redir_pc_i(redir_pc_i), .s0_redir_len_i(redir_len_i),
        .s0_redir_wait_i(redir_wait_i), .s0_done_i(done_i), .s0_done_slot_i(done_slot_i),
        .s0_done_uop_i(done_uop_i), .s0_full_i(full_o), .store_we_i(store_we_i),
        .store_addr_i(store_addr_i), .store_ctl_i(store_ctl_i), .store_dur_i(store_dur_i),
        .store_set_i(store_set_i), .store_need_i(store_need_i), .ask_o(ask_o),
        .ask_ctx_o(unused_ask_ctx), .ask_slot_o(ask_slot_o), .ask_now_o(unused_ask_now),
        .run_pc_i(run_pc_i), .run_len_i(run_len_i), .run_wait_i(run_wait_i),
        .ret_any_o(unused_any), .ret_ctx_o(unused_ctx), .ret_now_o(unused_now),
        .ret_valid_o(ret_valid_o), .ret_slot_o(ret_slot_o), .ret0_uop_o(ret0_uop_o),
        .ret1_uop_o(ret1_uop_o), .ret2_uop_o(ret2_uop_o), .ret3_uop_o(ret3_uop_o),
        .ret_eot_o(ret_eot_o), .ret_port_o(ret_port_o), .ret_from_o(ret_from_o),
        .ret_fetch_o(unused_fetch), .ret_fetch_slot_o(unused_fetch_slot),
        .ret_busy_o(unused_busy), .ret_left_o(unused_left), .ret_held_o(unused_held),
        .leave_o(unused_leave), .leave_ctx_o(unused_leave_ctx), .leave_sleep_o(unused_sleep),
        .leave_wake_o(unused_wake), .wake_o(wake_o));

    igpu_eu_sendq #(.EUS(1), .EW(1)) u_sendq (
        .clk_i(send_clk_i), .rst_ni(rst_ni), .tick_i(1'b1), .now_i(now_i), .next_i(next_i),
        .push_i(push_i), .push_eu_i(1'b0), .push_slot_i(push_slot_i),
        .push_uop_i(push_uop_i), .push_port_i(push_port_i), .push_from_i(push_from_i),
        .req_o(req_o), .port_o(port_o), .full_o(full_o), .young_o(unused_young),
        .grant_i(grant_i), .msg_slot_o(msg_slot_o), .msg_uop_o(msg_uop_o));
endmodule

module igpu_dpi_local (
    input  chandle                 tile_i,          // context for the imports
    input  wire                    rst_ni,
    input  wire                    restart_i,       // a launch begins
    input  wire                    load_i,          // dispatcher: load the next five
    input  wire                    start_i,         // START in this cycle
    input  wire [31:0]             start_thread_i,
    input  wire [4:0]              start_bslot_i,
    input  wire [7:0]              end_i,           // EUs that end a thread
    input  wire [23:0]             end_slot_i,
    input  wire                    clk_i,           // dispatcher: execute the cycle
    input  wire                    ce_i,            // ... 0: only a reset or a write
    input  wire                    cfg_we_i,        // write a register
    input  wire [6:0]              cfg_addr_i,
    input  wire [7:0]              cfg_data_i,
    output reg                     open_o,          // in the next cycle: first run
    output reg  [2:0]              open_eu_o,
    output reg  [2:0]              open_slot_o,
    output longint unsigned        open_run_o,
    input  wire                    decode_clk_i,    // decode: these counts
    input  wire [`IGPU_UCTL_W-1:0] uctl_i,
    output wire [`IGPU_CTL_W-1:0]  ctl_o,           // ... in cycles, two edges later
    output wire [7:0]              dur_o,
    input  wire                    send_load_i,     // send arbiter: load the next three
    input  wire [7:0]              req_i,           // EUs with a message
    input  wire [7:0]              port_i,          // ... that needs a credit
    input  wire                    credit_i,        // a DONE gives one back
    input  wire                    send_clk_i,      // send arbiter: execute the cycle
    output wire [7:0]              grant_o
);
    import igpu_dpi_pkg::*;

    wire        live_n = rst_ni && !restart_i;
    wire [6:0]  queue, unused_slm;
    wire [1:0]  unused_policy;
    wire [2:0]  unused_subslices;
    wire        unused_oldest;
    wire [5:0]  unused_slots, unused_start, unused_end;
    wire [7:0]  unused_interval;
    wire [4:0]  unused_barriers;
    wire [3:0]  eus;
    wire [2:0]  threads, open_eu, open_slot;
    wire        open;
    wire [39:0] end_bslot;
    reg         start_q, credit_q;
    reg  [31:0] start_thread_q;
    reg  [4:0]  start_bslot_q;
    reg  [7:0]  end_q, req_q, port_q;
    reg  [23:0] end_slot_q;
    reg  [`IGPU_UCTL_W-1:0] uctl_q;

    always @(posedge load_i) begin
        start_q        <= start_i;
        start_thread_q <= start_thread_i;
        start_bslot_q  <= start_bslot_i;
        end_q          <= end_i;
        end_slot_q     <= end_slot_i;
    end

    always @(posedge send_load_i) begin
        req_q    <= req_i;
        port_q   <= port_i;
        credit_q <= credit_i;
    end

    always @(posedge decode_clk_i) uctl_q <= uctl_i;

    igpu_sched_regs #(.TILES(6)) u_regs (
        .clk_i(clk_i), .rst_ni(rst_ni), .cfg_we_i(cfg_we_i), .cfg_addr_i(cfg_addr_i),
        .cfg_data_i(cfg_data_i), .subslices_o(unused_subslices), .eus_o(eus),
        .threads_o(threads), .queue_o(queue), .oldest_o(unused_oldest), .eu_slots_o(unused_slots),
        .interval_o(unused_interval), .start_latency_o(unused_start),
        .end_latency_o(unused_end), .barriers_o(unused_barriers), .slm_kb_o(unused_slm),
        .policy_o(unused_policy));
    igpu_decode u_decode (
        .clk_i(decode_clk_i), .rst_ni(rst_ni), .cfg_we_i(cfg_we_i), .cfg_addr_i(cfg_addr_i),
        .cfg_data_i(cfg_data_i), .uctl_i(uctl_q), .ctl_o(ctl_o), .dur_o(dur_o));
    igpu_sched_local u_local (
        .clk_i(clk_i), .rst_ni(live_n), .ce_i(ce_i), .end_ce_i(ce_i), .eus_i(~(8'hff << eus)),
        .threads_i(threads), .start_valid_i(start_q), .start_bslot_i(start_bslot_q), .open_valid_o(open),
        .open_eu_o(open_eu), .open_slot_o(open_slot), .end_i(end_q),
        .end_slot_i(end_slot_q), .end_bslot_o(end_bslot));
    igpu_send_arb u_send (
        .clk_i(send_clk_i), .rst_ni(live_n), .ce_i(1'b1), .limit_i(queue),
        .req_i(req_q), .port_i(port_q), .credit_i(credit_q), .grant_o(grant_o));

    always @(posedge clk_i) begin
        if (!live_n) begin
            open_o <= 1'b0;
        end else if (ce_i) begin
            for (int i = 0; i < 8; i++)
                if (end_q[i])
                    igpu_dpi_end(tile_i, i, {29'd0, end_slot_q[3*i +: 3]},
                                 {27'd0, end_bslot[5*i +: 5]});
            open_o      <= open;
            open_eu_o   <= open_eu;
            open_slot_o <= open_slot;
            if (open)
                open_run_o <= igpu_dpi_open(tile_i, {29'd0, open_eu}, {29'd0, open_slot},
                                            start_thread_q, {27'd0, start_bslot_q});
        end
    end
endmodule

module igpu_dpi_global #(
    parameter TILES = 6
) (
    input  wire                   clk_i,
    input  wire                   load_i,           // load the inputs below
    input  wire                   rst_ni,
    input  wire                   step_i,           // the clocks of cycle now_i follow
    input  wire [`IGPU_NOW_W-1:0] now_i,
    input  wire                   cfg_we_i,         // write a register
    input  wire [6:0]             cfg_addr_i,
    input  wire [7:0]             cfg_data_i,
    input  wire                   launch_i,         // begin a launch
    input  wire                   extend_i,         // it gets more threads
    input  wire [31:0]            threads_i,
    input  wire [5:0]             tpg_i,
    input  wire                   pinned_i,
    input  wire [6:0]             slm_kb_i,
    input  wire [8*TILES-1:0]     end_i,            // ends that take effect
    input  wire [39:0]            end_bslot_i [TILES],
    output wire [TILES-1:0]       start_o,          // a thread is dispatched
    output wire [31:0]            start_thread_o,
    output wire [4:0]             start_bslot_o,
    output wire                   over_o,           // the last end takes effect
    output wire                   more_o,           // threads are left
    output wire                   wait_o,           // only the interval is waited for
    output wire [`IGPU_NOW_W-1:0] next_o            // then it dispatches here
);
    wire [2:0] subslices;
    wire [5:0] eu_slots, start_latency, end_latency;
    wire [7:0] interval;
    wire [4:0] barriers;
    wire [6:0] slm_kb, unused_queue;
    wire [1:0] policy;
    wire [3:0] unused_eus;
    wire       unused_oldest;
    wire [2:0] unused_threads;
    reg  [40*TILES-1:0] end_bslot_q;
    reg  [8*TILES-1:0]  end_q;
    reg  [`IGPU_NOW_W-1:0] now_q;
    reg                 rst_nq, launch_q, extend_q, cfg_we_q;
    // The clocks of igpu_array_time: one that takes the ends and four in which they are
    // counted and a dispatch is decided, or one to decide; then the one that dispatches.
    reg                 step_q, stepped_q;          // differ: the first clock of a cycle
    reg  [2:0]          clock_q;
    wire                first = step_q != stepped_q;
    wire                takes = first && end_q != '0;
    wire                last = !first && clock_q == (end_q != '0 ? 3'd5 : 3'd1);

    always @(posedge load_i) begin
        {rst_nq, launch_q, extend_q, cfg_we_q} <= {rst_ni, launch_i, extend_i, cfg_we_i};
        step_q <= step_q ^ step_i;
        now_q <= now_i;
        end_q <= end_i;
        if (end_i != '0)
            for (int i = 0; i < TILES; i++)
                end_bslot_q[40*i +: 40] <= end_bslot_i[i];
    end

    always @(posedge clk_i) begin
        stepped_q <= step_q;
        clock_q   <= first ? 3'd1 : last || clock_q == '0 ? 3'd0 : clock_q + 3'd1;
    end

    igpu_sched_regs #(.TILES(TILES)) u_regs (
        .clk_i(clk_i), .rst_ni(rst_nq), .cfg_we_i(cfg_we_q), .cfg_addr_i(cfg_addr_i),
        .cfg_data_i(cfg_data_i), .subslices_o(subslices), .eus_o(unused_eus),
        .threads_o(unused_threads), .queue_o(unused_queue), .oldest_o(unused_oldest), .eu_slots_o(eu_slots),
        .interval_o(interval), .start_latency_o(start_latency),
        .end_latency_o(end_latency), .barriers_o(barriers), .slm_kb_o(slm_kb),
        .policy_o(policy));
    igpu_sched_global #(.TILES(TILES)) u_global (
        .clk_i(clk_i), .rst_ni(rst_nq), .ce_i(takes || last), .now_i(now_q),
        .subslices_i(subslices), .eu_slots_i(eu_slots), .barriers_i(barriers),
        .slm_kb_i(slm_kb), .interval_i(interval), .policy_i(policy),
        .launch_i(launch_q), .extend_i(extend_q),
        .threads_i(threads_i), .tpg_i(tpg_i), .pinned_i(pinned_i),
        .group_slm_i(slm_kb_i), .dispatch_i(!takes), .end_i(takes ? end_q : '0),
        .end_bslot_i(end_bslot_q),
        .start_valid_o(start_o), .start_thread_o(start_thread_o),
        .start_bslot_o(start_bslot_o), .over_o(over_o),
        .more_o(more_o), .wait_o(wait_o),
        .next_o(next_o));
endmodule

// igpu_dpi - what is Verilated: the RTL behind wrappers that hold the DPI imports
// (Verilog-2005 has none) and the input registers.
//
//   igpu_dpi_eu      one EU; instanced as a C++ class for each EU that is used
//   igpu_dpi_local   local dispatcher, send arbiter and decode of one tile
//   igpu_dpi_global  global dispatcher
//   igpu_dpi_full    the whole top igpu
//
// Every import gets the tile's context first, so that there is no global state.
// The context also knows the cycle: the caller sets it before it clocks.
//
// An EU's cycle is one or two rising edges of clk_i: one with eval_i, in which the EU
// decides what it does in cycle now_i, and, if it gets any input in that cycle, one
// with ce_i. What it decided is reported by a rising edge of report_i. No input
// reaches combinational logic, which Verilator would evaluate at every edge; for the
// same reason the EU's store has a write clock of its own, and the local class loads
// its inputs with clocks of their own.

`default_nettype none
`include "igpu_regs.vh"
`include "igpu_fpu.vh"

package igpu_dpi_pkg;
    // An issue in (eu, slot) to unit 0 FPU0, 1 FPU1, 2 SEND, 3 BRANCH.
    import "DPI-C" function void igpu_dpi_issue(input chandle tile,
        input int unsigned eu, input int unsigned slot,
        input int unsigned unit, input int unsigned uop);
    // A message granted by the send arbiter.
    import "DPI-C" function void igpu_dpi_msg(input chandle tile,
        input int unsigned eu, input int unsigned slot,
        input int unsigned uop);
    // A thread's end.
    import "DPI-C" function void igpu_dpi_end(input chandle tile,
        input int unsigned eu, input int unsigned slot,
        input int unsigned bslot);
    // A thread was opened; returns its first run: first index, length * 2^32, and
    // cycles to wait for the instruction cache * 2^48.
    import "DPI-C" function longint unsigned igpu_dpi_open(input chandle tile,
        input int unsigned eu, input int unsigned slot,
        input int unsigned thread, input int unsigned bslot);
    // The run after the one whose last instruction is uop; 0 when that is EOT.
    import "DPI-C" function longint unsigned igpu_dpi_next(input chandle tile,
        input int unsigned eu, input int unsigned slot, input int unsigned uop);
endpackage

module igpu_dpi_eu #(
    parameter STORE_DEPTH = 16384,
    parameter STORE_AW    = 14
) (
    input  chandle                 tile_i,          // context for the imports
    input  wire [2:0]              number_i,        // of this EU in its tile
    input  wire                    clk_i,
    input  wire                    rst_ni,
    input  wire                    eval_i,          // the edge of clk_i decides
    input  wire                    ce_i,            // ... takes what follows
    input  wire                    report_i,        // report what was decided
    input  wire [`IGPU_NOW_W-1:0]  now_i,           // this cycle
    input  wire                    done_i,          // a response
    input  wire [2:0]              done_slot_i,
    input  wire [`IGPU_UOP_W-1:0]  done_uop_i,
    input  wire                    grant_i,         // the send arbiter's grant
    input  wire                    open_i,          // first run of a thread that was
    input  wire [2:0]              open_slot_i,     // opened in the last cycle
    input  wire [`IGPU_UOP_W-1:0]  open_pc_i,
    input  wire [`IGPU_LEN_W-1:0]  open_len_i,
    input  wire [7:0]              open_wait_i,
    input  wire                    store_clk_i,     // writes an instruction
    input  wire [STORE_AW-1:0]     store_addr_i,
    input  wire [63:0]             need_lo_i,
    input  wire [63:0]             need_hi_i,
    input  wire [7:0]              need_x_i,
    input  wire [63:0]             set_lo_i,
    input  wire [63:0]             set_hi_i,
    input  wire [7:0]              set_x_i,
    input  wire [`IGPU_CTL_W-1:0]  ctl_i,
    input  wire [7:0]              dur_i,
    output wire [`IGPU_NOW_W-1:0]  wake_o,          // next cycle to decide
    output wire [`IGPU_NOW_W-1:0]  from_o,          // first cycle of the message
    output wire                    msg_valid_o,     // a message waits
    output wire                    msg_port_o,      // ... and needs a credit
    output wire                    end_o,           // a thread ends in this cycle
    output wire [2:0]              end_slot_o,
    output wire                    next_o,          // something to report: a run ends,
    output wire [3:0]              ret_o            // instructions issue
);
    import igpu_dpi_pkg::*;

    longint unsigned       run_q;
    wire [2:0]             next_slot, msg_slot, slot0, slot1, slot2, slot3;
    wire [`IGPU_UOP_W-1:0] next_uop, msg_uop, uop0, uop1, uop2, uop3;

    // Its datapaths are classes of their own (igpu_eu_fpu, bridge/rtl/fpu_rtl.cpp).
    wire [2*`IGPU_FPU_OUT_W-1:0] unused_res;

    igpu_eu #(.STORE_DEPTH(STORE_DEPTH), .STORE_AW(STORE_AW), .WAKE(1)) u_eu (
        .clk_i(clk_i), .rst_ni(rst_ni), .eval_i(eval_i), .ce_i(ce_i), .now_i(now_i),
        .store_clk_i(store_clk_i), .store_we_i(1'b1), .store_addr_i(store_addr_i),
        .store_need_lo_i(need_lo_i), .store_need_hi_i(need_hi_i),
        .store_need_x_i(need_x_i), .store_set_lo_i(set_lo_i),
        .store_set_hi_i(set_hi_i), .store_set_x_i(set_x_i), .store_ctl_i(ctl_i),
        .store_dur_i(dur_i), .open_valid_i(open_i), .open_slot_i(open_slot_i),
        .open_pc_i(open_pc_i), .open_len_i(open_len_i), .open_wait_i(open_wait_i),
        .next_o(next_o),
        .next_slot_o(next_slot), .next_uop_o(next_uop),
        .run_pc_i(run_q[`IGPU_UOP_W-1:0]), .run_len_i(run_q[32 +: `IGPU_LEN_W]),
        .run_wait_i(run_q[48 +: 8]),
        .done_i(done_i), .done_slot_i(done_slot_i), .done_uop_i(done_uop_i),
        .msg_valid_o(msg_valid_o), .msg_from_o(from_o), .msg_port_o(msg_port_o),
        .msg_slot_o(msg_slot), .msg_uop_o(msg_uop), .msg_grant_i(grant_i), .end_o(end_o),
        .end_slot_o(end_slot_o), .ret_valid_o(ret_o), .ret0_slot_o(slot0),
        .ret0_uop_o(uop0), .ret1_slot_o(slot1), .ret1_uop_o(uop1),
        .ret2_slot_o(slot2), .ret2_uop_o(uop2), .ret3_slot_o(slot3),
        .ret3_uop_o(uop3), .wake_o(wake_o), .fpu_clk_i(1'b0),
        .fpu_op_i({2*`IGPU_FPU_IN_W{1'b0}}), .fpu_res_o(unused_res));
    wire unused = &{1'b0, unused_res};

    always @(posedge clk_i) begin
        if (ce_i && grant_i)
            igpu_dpi_msg(tile_i, {29'd0, number_i}, {29'd0, msg_slot}, {15'd0, msg_uop});
    end

    always @(posedge report_i) begin
        if (ret_o != 4'd0) begin
            if (ret_o[0])
                igpu_dpi_issue(tile_i, {29'd0, number_i}, {29'd0, slot0}, 0, {15'd0, uop0});
            if (ret_o[1])
                igpu_dpi_issue(tile_i, {29'd0, number_i}, {29'd0, slot1}, 1, {15'd0, uop1});
            if (ret_o[2])
                igpu_dpi_issue(tile_i, {29'd0, number_i}, {29'd0, slot2}, 2, {15'd0, uop2});
            if (ret_o[3])
                igpu_dpi_issue(tile_i, {29'd0, number_i}, {29'd0, slot3}, 3, {15'd0, uop3});
        end
        if (next_o)
            run_q <= igpu_dpi_next(tile_i, {29'd0, number_i}, {29'd0, next_slot},
                                   {15'd0, next_uop});
    end
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
    input  wire                    uctl_load_i,     // decode: load counts
    input  wire [`IGPU_UCTL_W-1:0] uctl_i,
    output wire [`IGPU_CTL_W-1:0]  ctl_o,           // cycles
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
    wire [6:0]  queue;
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

    always @(posedge uctl_load_i) uctl_q <= uctl_i;

    igpu_tile_regs u_regs (
        .clk_i(clk_i), .rst_ni(rst_ni), .cfg_we_i(cfg_we_i), .cfg_addr_i(cfg_addr_i),
        .cfg_data_i(cfg_data_i), .queue_o(queue), .eus_o(eus), .threads_o(threads));
    igpu_decode u_decode (
        .clk_i(clk_i), .rst_ni(rst_ni), .cfg_we_i(cfg_we_i), .cfg_addr_i(cfg_addr_i),
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
    input  wire                   rst_ni,
    input  wire                   ce_i,             // execute the cycle now_i
    input  wire [`IGPU_NOW_W-1:0] now_i,
    input  wire                   cfg_we_i,         // write a register
    input  wire [6:0]             cfg_addr_i,
    input  wire [7:0]             cfg_data_i,
    input  wire                   launch_i,         // begin a launch
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
    output wire                   wait_o,           // only the interval is waited for
    output wire [`IGPU_NOW_W-1:0] next_o            // then it dispatches here
);
    wire [2:0] subslices;
    wire [5:0] eu_slots, start_latency, end_latency;
    wire [7:0] interval;
    wire [4:0] barriers;
    wire [6:0] slm_kb;
    wire [40*TILES-1:0] end_bslot;

    for (genvar i = 0; i < TILES; i++) begin : g_tile
        assign end_bslot[40*i +: 40] = end_bslot_i[i];
    end

    igpu_sched_regs #(.TILES(TILES)) u_regs (
        .clk_i(clk_i), .rst_ni(rst_ni), .cfg_we_i(cfg_we_i), .cfg_addr_i(cfg_addr_i),
        .cfg_data_i(cfg_data_i), .subslices_o(subslices), .eu_slots_o(eu_slots),
        .interval_o(interval), .start_latency_o(start_latency),
        .end_latency_o(end_latency), .barriers_o(barriers), .slm_kb_o(slm_kb));
    wire unused_more;

    igpu_sched_global #(.TILES(TILES)) u_global (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce_i), .now_i(now_i),
        .subslices_i(subslices), .eu_slots_i(eu_slots), .barriers_i(barriers),
        .slm_kb_i(slm_kb), .interval_i(interval), .launch_i(launch_i),
        .threads_i(threads_i), .tpg_i(tpg_i), .pinned_i(pinned_i),
        .group_slm_i(slm_kb_i), .dispatch_i(1'b1), .end_i(end_i), .end_bslot_i(end_bslot),
        .start_valid_o(start_o), .start_thread_o(start_thread_o),
        .start_bslot_o(start_bslot_o), .over_o(over_o),
        .more_o(unused_more), .wait_o(wait_o),
        .next_o(next_o));
endmodule

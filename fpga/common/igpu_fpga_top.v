// igpu_fpga_top - one tile for an FPGA: streams and registers instead of DPI.
//
// Function  A tile whose clock enable is target time. Tokens and runs come in, and
//           what the tile makes goes out, as valid/ready streams; the kernel stays
//           in the tile's instruction stores. Wiring only.
// Timing    Two host clocks a target cycle at least. All ready_o and out valid_o come
//           from registers; run_ready_o also depends on run_eu_i and run_slot_i.
// Contract  docs/fpga.md: the limit stays at or below the stamp of every START and
//           DONE that has not been accepted; a thread's runs (but the first, which
//           START brings) follow its record on the open stream, and at most
//           2^RUN_AW more than its records on the take stream.
// Reset     rst_ni low, synchronous: idle at cycle 0, timing registers at their
//           defaults; the store keeps its content.
// Tests     tests/rtl/igpu_fpga_top_tb.v
// Source    docs/model.md sections 1, 3, 4; docs/fpga.md

`default_nettype none
`include "igpu_regs.vh"
`include "igpu_fpu.vh"

module igpu_fpga_top #(
    parameter EUS      = 1,                    // EUs built, 1 to 8
    parameter STORE_AW = 9,                    // log2 of the instructions held
    parameter RUN_AW   = 2,                    // log2 of the runs held a thread
    parameter START_AW = 4,                    // log2 of the queues' depths
    parameter DONE_AW  = 5,
    parameter OUT_AW   = 4,
    parameter RETIRE   = 0                     // 1: with the retire stream
) (
    input  wire                   clk_i,       // host clock
    input  wire                   rst_ni,
    input  wire                   reg_we_i,    // register port (igpu_fpga_regs)
    input  wire [7:0]             reg_addr_i,
    input  wire [31:0]            reg_data_i,
    output wire [31:0]            reg_data_o,
    input  wire                   start_valid_i, // START
    output wire                   start_ready_o,
    input  wire [`IGPU_NOW_W-1:0] start_cycle_i,
    input  wire [4:0]             start_bslot_i,
    input  wire [`IGPU_UOP_W-1:0] start_pc_i,    // the thread's first run
    input  wire [`IGPU_LEN_W-1:0] start_len_i,
    input  wire                   start_last_i,  // ... which is its last
    input  wire                   done_valid_i,  // DONE
    output wire                   done_ready_o,
    input  wire [`IGPU_NOW_W-1:0] done_cycle_i,
    input  wire [2:0]             done_eu_i,
    input  wire [2:0]             done_slot_i,
    input  wire [`IGPU_UOP_W-1:0] done_uop_i,
    input  wire                   done_credit_i,
    input  wire                   done_wb_i,
    input  wire                   run_valid_i,   // a further run of a thread
    output wire                   run_ready_o,
    input  wire [2:0]             run_eu_i,
    input  wire [2:0]             run_slot_i,
    input  wire [`IGPU_UOP_W-1:0] run_pc_i,
    input  wire [`IGPU_LEN_W-1:0] run_len_i,
    input  wire                   run_last_i,
    output wire                   open_valid_o,  // the oldest START got its place
    input  wire                   open_ready_i,
    output wire [`IGPU_NOW_W-1:0] open_cycle_o,
    output wire [2:0]             open_eu_o,
    output wire [2:0]             open_slot_o,
    output wire                   take_valid_o,  // runs left their queues
    input  wire                   take_ready_i,
    output wire [EUS-1:0]         take_eu_o,     // of these EUs
    output wire [3*EUS-1:0]       take_slot_o,   // and slots
    output wire                   msg_valid_o,   // MSG
    input  wire                   msg_ready_i,
    output wire [`IGPU_NOW_W-1:0] msg_cycle_o,
    output wire [2:0]             msg_eu_o,
    output wire [2:0]             msg_slot_o,
    output wire [`IGPU_UOP_W-1:0] msg_uop_o,
    output wire                   end_valid_o,   // ENDs of one cycle
    input  wire                   end_ready_i,
    output wire [`IGPU_NOW_W-1:0] end_cycle_o,
    output wire [EUS-1:0]         end_eu_o,      // of these EUs
    output wire [3*EUS-1:0]       end_slot_o,
    output wire [5*EUS-1:0]       end_bslot_o,
    output wire                   ret_valid_o,   // issues of one cycle
    input  wire                   ret_ready_i,
    output wire [`IGPU_NOW_W-1:0] ret_cycle_o,
    output wire [4*EUS-1:0]       ret_unit_o,    // FPU0, FPU1, SEND, BRANCH an EU
    output wire [12*EUS-1:0]      ret_slot_o,
    output wire [4*`IGPU_UOP_W*EUS-1:0] ret_uop_o
);

    localparam N   = `IGPU_NOW_W;
    localparam U   = `IGPU_UOP_W;
    localparam L   = `IGPU_LEN_W;
    localparam RUN = U + L + 1;

    // ---- registers and time ----
    wire                   cfg_we, store_we, limit, launch, eval, ce;
    wire [6:0]             cfg_addr, cfg_data;
    wire [STORE_AW-1:0]    store_addr;
    wire [127:0]           store_need, store_set;
    wire [7:0]             store_need_x, store_set_x, wait_eu, run_full;
    wire [`IGPU_UCTL_W-1:0] store_uctl;
    wire [N-1:0]           cycle, now;
    wire [3:0]             stop;
    wire                   start_late, done_late, full;

    igpu_fpga_regs #(.EUS(EUS), .STORE_AW(STORE_AW), .RUN_AW(RUN_AW)) u_regs (
        .clk_i(clk_i), .rst_ni(rst_ni), .reg_we_i(reg_we_i), .reg_addr_i(reg_addr_i),
        .reg_data_i(reg_data_i), .reg_data_o(reg_data_o), .cfg_we_o(cfg_we),
        .cfg_addr_o(cfg_addr), .cfg_data_o(cfg_data), .store_we_o(store_we),
        .store_addr_o(store_addr), .store_need_o(store_need), .store_set_o(store_set),
        .store_need_x_o(store_need_x), .store_set_x_o(store_set_x),
        .store_uctl_o(store_uctl), .limit_o(limit), .launch_o(launch),
        .cycle_o(cycle), .now_i(now),
        .stop_i({done_late, start_late, stop[2:0]}), .wait_eu_i(wait_eu));
    igpu_fpga_time u_time (
        .clk_i(clk_i), .rst_ni(rst_ni), .limit_i(limit), .launch_i(launch),
        .cycle_i(cycle), .wait_run_i(wait_eu != 8'd0), .full_i(full),
        .late_i(start_late || done_late), .now_o(now), .eval_o(eval), .ce_o(ce),
        .stop_o(stop));

    // ---- tokens in ----
    wire             start, done, start_last, done_credit, done_wb;
    wire [4:0]       start_bslot;
    wire [U-1:0]     start_pc, done_uop;
    wire [L-1:0]     start_len;
    wire [2:0]       done_eu, done_slot;
    reg  [U+L-1:0]   first_q;                  // a thread's first run, a cycle later

    igpu_fpga_token #(.WIDTH(5 + RUN), .DEPTH(1 << START_AW), .AW(START_AW)) u_start (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce), .now_i(now),
        .in_valid_i(start_valid_i), .in_ready_o(start_ready_o),
        .in_cycle_i(start_cycle_i),
        .in_data_i({start_last_i, start_len_i, start_pc_i, start_bslot_i}),
        .valid_o(start), .data_o({start_last, start_len, start_pc, start_bslot}),
        .late_o(start_late));
    igpu_fpga_token #(.WIDTH(8 + U), .DEPTH(1 << DONE_AW), .AW(DONE_AW)) u_done (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce), .now_i(now),
        .in_valid_i(done_valid_i), .in_ready_o(done_ready_o),
        .in_cycle_i(done_cycle_i),
        .in_data_i({done_wb_i, done_credit_i, done_eu_i, done_slot_i, done_uop_i}),
        .valid_o(done), .data_o({done_wb, done_credit, done_eu, done_slot, done_uop}),
        .late_o(done_late));

    always @(posedge clk_i) begin
        if (ce && start)
            first_q <= {start_len, start_pc};
    end

    // ---- the tile ----
    wire             open, msg;
    wire [2:0]       open_eu, open_slot, msg_eu, msg_slot;
    wire [U-1:0]     msg_uop;
    wire [EUS-1:0]   next;
    wire [3*EUS-1:0] next_slot, take_slot;
    wire [U*EUS-1:0] run_pc, unused_next_uop;
    wire [L*EUS-1:0] run_len;
    wire [7:0]       ends, take;
    wire [23:0]      end_slot;
    wire [39:0]      end_bslot;
    wire [4*EUS-1:0]   ret;
    wire [12*EUS-1:0]  ret_slot;
    wire [4*U*EUS-1:0] ret_uop;
    wire [31:0]      unused_thread;
    wire [4:0]       unused_bslot;
    wire [2*`IGPU_FPU_OUT_W*EUS-1:0] unused_res; // no registers, so no operands

    // STARTs open in order, so the host knows each one's thread; the tile need not.
    // The host delivers runs ahead of time: every fetch hits the instruction cache.
    igpu_tile #(.EUS(EUS), .STORE_DEPTH(1 << STORE_AW), .STORE_AW(STORE_AW)) u_tile (
        .clk_i(clk_i), .rst_ni(rst_ni), .eval_i(eval), .ce_i(ce), .restart_i(launch),
        .now_i(now),
        .cfg_we_i(cfg_we), .cfg_addr_i(cfg_addr), .cfg_data_i(cfg_data),
        .store_we_i(store_we), .store_addr_i(store_addr),
        .store_need_lo_i(store_need[63:0]), .store_need_hi_i(store_need[127:64]),
        .store_need_x_i(store_need_x), .store_set_lo_i(store_set[63:0]),
        .store_set_hi_i(store_set[127:64]), .store_set_x_i(store_set_x),
        .store_uctl_i(store_uctl), .start_valid_i(start), .start_thread_i(32'd0),
        .start_bslot_i(start_bslot), .open_valid_o(open), .open_eu_o(open_eu),
        .open_slot_o(open_slot), .open_thread_o(unused_thread),
        .open_bslot_o(unused_bslot), .open_pc_i(first_q[U-1:0]),
        .open_len_i(first_q[U +: L]), .open_wait_i(8'd0),
        .run_wait_i({8*EUS{1'b0}}), .next_o(next), .next_slot_o(next_slot),
        .next_uop_o(unused_next_uop), .run_pc_i(run_pc), .run_len_i(run_len),
        .done_valid_i(done), .done_eu_i(done_eu), .done_slot_i(done_slot),
        .done_uop_i(done_uop), .done_credit_i(done_credit), .done_wb_i(done_wb),
        .msg_valid_o(msg), .msg_eu_o(msg_eu), .msg_slot_o(msg_slot),
        .msg_uop_o(msg_uop), .end_o(ends), .end_slot_o(end_slot),
        .end_bslot_o(end_bslot), .ret_valid_o(ret), .ret_slot_o(ret_slot),
        .ret_uop_o(ret_uop), .fpu_clk_i(1'b0),
        .fpu_op_i({2*`IGPU_FPU_IN_W*EUS{1'b0}}), .fpu_res_o(unused_res));

    // ---- runs ----
    assign run_ready_o = !run_full[run_eu_i];

    genvar i;
    generate
        for (i = 0; i < 8; i = i + 1) begin : g_runs
            localparam [2:0] NUMBER = i;
            if (i < EUS) begin : g_built
                igpu_fpga_runs #(.AW(RUN_AW)) u_runs (
                    .clk_i(clk_i), .rst_ni(rst_ni && !launch), .ce_i(ce),
                    .put_i(run_valid_i && run_eu_i == NUMBER),
                    .put_slot_i(run_slot_i), .put_pc_i(run_pc_i),
                    .put_len_i(run_len_i), .put_last_i(run_last_i),
                    .put_full_o(run_full[i]),
                    .open_i(open && open_eu == NUMBER), .open_slot_i(open_slot),
                    .open_last_i(start_last), .next_i(next[i]),
                    .next_slot_i(next_slot[3*i +: 3]), .wait_o(wait_eu[i]),
                    .run_pc_o(run_pc[U*i +: U]), .run_len_o(run_len[L*i +: L]),
                    .take_o(take[i]), .take_slot_o(take_slot[3*i +: 3]));
            end else begin : g_none
                assign run_full[i] = 1'b0;
                assign wait_eu[i]  = 1'b0;
                assign take[i]     = 1'b0;
            end
        end
    endgenerate

    // ---- streams out ----
    wire open_full, take_full, msg_full, end_full, ret_full;

    assign full = open_full || take_full || msg_full || end_full || ret_full;

    igpu_fpga_out #(.WIDTH(N + 6), .DEPTH(1 << OUT_AW), .AW(OUT_AW)) u_open (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce), .valid_i(open),
        .data_i({open_slot, open_eu, now}), .full_o(open_full),
        .out_valid_o(open_valid_o), .out_ready_i(open_ready_i),
        .out_data_o({open_slot_o, open_eu_o, open_cycle_o}));
    igpu_fpga_out #(.WIDTH(4*EUS), .DEPTH(1 << OUT_AW), .AW(OUT_AW)) u_take (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce), .valid_i(take != 8'd0),
        .data_i({take_slot, take[EUS-1:0]}), .full_o(take_full),
        .out_valid_o(take_valid_o), .out_ready_i(take_ready_i),
        .out_data_o({take_slot_o, take_eu_o}));
    igpu_fpga_out #(.WIDTH(N + 6 + U), .DEPTH(1 << OUT_AW), .AW(OUT_AW)) u_msg (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce), .valid_i(msg),
        .data_i({msg_uop, msg_slot, msg_eu, now}), .full_o(msg_full),
        .out_valid_o(msg_valid_o), .out_ready_i(msg_ready_i),
        .out_data_o({msg_uop_o, msg_slot_o, msg_eu_o, msg_cycle_o}));
    igpu_fpga_out #(.WIDTH(N + 9*EUS), .DEPTH(1 << OUT_AW), .AW(OUT_AW)) u_end (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce), .valid_i(ends != 8'd0),
        .data_i({end_bslot[5*EUS-1:0], end_slot[3*EUS-1:0], ends[EUS-1:0], now}),
        .full_o(end_full), .out_valid_o(end_valid_o), .out_ready_i(end_ready_i),
        .out_data_o({end_bslot_o, end_slot_o, end_eu_o, end_cycle_o}));

    generate
        if (RETIRE != 0) begin : g_retire
            igpu_fpga_out #(.WIDTH(N + (16 + 4*U)*EUS), .DEPTH(1 << OUT_AW),
                            .AW(OUT_AW)) u_ret (
                .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce),
                .valid_i(ret != {(4*EUS){1'b0}}),
                .data_i({ret_uop, ret_slot, ret, now}), .full_o(ret_full),
                .out_valid_o(ret_valid_o), .out_ready_i(ret_ready_i),
                .out_data_o({ret_uop_o, ret_slot_o, ret_unit_o, ret_cycle_o}));
        end else begin : g_no_retire
            assign ret_full    = 1'b0;
            assign ret_valid_o = 1'b0;
            assign ret_cycle_o = {N{1'b0}};
            assign ret_unit_o  = {(4*EUS){1'b0}};
            assign ret_slot_o  = {(12*EUS){1'b0}};
            assign ret_uop_o   = {(4*U*EUS){1'b0}};
            wire unused_ret = &{1'b0, ret, ret_slot, ret_uop, ret_ready_i};
        end
    endgenerate

    wire unused = &{1'b0, unused_thread, unused_bslot, unused_next_uop, stop[3],
                     ends, end_slot, end_bslot};

endmodule

`default_nettype wire

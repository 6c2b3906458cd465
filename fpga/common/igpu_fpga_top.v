// igpu_fpga_top - the GPU's compute side behind a link of words (wiring).
//
// Function  igpu_array, whose clock igpu_link lets run. What a board adds is a clock and
//           something that carries frames.
// Timing    One clock; the array's is the same, gated.
// Contract  docs/develop/fpga.md. rest_o: nothing happens before the next frame comes.
// Reset     rst_ni low, synchronous: no session.
// Tests     tests/cosim/test_fpga.c
// Source    docs/develop/fpga.md

`default_nettype none
`include "igpu_eu.vh"
`include "igpu_regs.vh"

module igpu_fpga_top #(
    parameter integer TILES     = 3,
    parameter integer EUS       = 8,
    parameter integer CONTEXTS  = 24,
    parameter integer CW        = 5,
    parameter integer STORE_AW  = 12,
    parameter integer RETIRE    = 1,
    parameter integer CLOCK_KHZ = 0,
    parameter integer TARGET    = 0,                       // igpu_fpga_gate
    parameter integer PIPES     = TILES * EUS / CONTEXTS   // not to be set
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        in_valid_i,                 // from the host
    input  wire [31:0] in_data_i,
    input  wire        in_last_i,
    output wire        out_valid_o,                // to the host
    output wire [31:0] out_data_o,
    output wire        out_last_o,
    input  wire        out_ready_i,
    output wire [9:0]  out_words_o,                // of this frame
    output wire        rest_o
);

    localparam U = `IGPU_UOP_W;
    localparam L = `IGPU_LEN_W;
    localparam T = `IGPU_STAMP_W;

    wire                   unused_work;             // no clock is left out here
    wire                   en, array_clk, array_rst_n, can, idle, launch, pinned, over;
    wire [`IGPU_NOW_W-1:0] limit, now, launch_now;
    wire                   asleep, hold;
    wire [`IGPU_STAMP_W-1:0] soon;
    wire [31:0]            threads;
    wire [5:0]             tpg;
    wire [6:0]             slm, cfg_addr;
    wire                   cfg_we, store_we;
    wire [7:0]             cfg_data;
    wire [STORE_AW-1:0]    store_addr;
    wire [`IGPU_SET_W-1:0]  store_set;
    wire [`IGPU_NEED_W-1:0] store_need;
    wire [`IGPU_UCTL_W-1:0] store_uctl;
    wire [TILES-1:0]       open_valid, done_valid, done_credit, done_wb, msg_valid;
    wire [3*TILES-1:0]     open_eu, open_slot, done_eu, done_slot, msg_eu, msg_slot;
    wire [32*TILES-1:0]    open_thread;
    wire [5*TILES-1:0]     open_bslot;
    wire [U*TILES-1:0]     open_pc, done_uop, msg_uop;
    wire [L*TILES-1:0]     open_len;
    wire [8*TILES-1:0]     open_wait;
    wire [PIPES-1:0]       ask;
    wire [CW*PIPES-1:0]    ask_ctx, ret_ctx;
    wire [3*PIPES-1:0]     ask_slot;
    wire [U*PIPES-1:0]     run_pc;
    wire [T*PIPES-1:0]     ask_now, ret_now;
    wire [L*PIPES-1:0]     run_len;
    wire [8*PIPES-1:0]     run_wait;
    wire [4*PIPES-1:0]     ret_valid;
    wire [12*PIPES-1:0]    ret_slot;
    wire [4*U*PIPES-1:0]   ret_uop;
    wire [PIPES-1:0]       ret_end;
    wire [8*PIPES-1:0]     ret_left;
    wire [PIPES-1:0]       ret_branch, redir;
    wire [CW*PIPES-1:0]    redir_ctx;
    wire [2:0]             redir_slot;
    wire [U-1:0]           redir_pc;
    wire [L-1:0]           redir_len;
    wire [7:0]             redir_wait;
    wire                   stands;
    wire [5:0]             count_pipe;
    wire [CW-1:0]          count_ctx;
    wire [4:0]             count_word;
    wire [`IGPU_COUNT_W-1:0] count;

    igpu_link #(
        .TILES(TILES), .EUS(EUS), .CONTEXTS(CONTEXTS), .CW(CW), .STORE_AW(STORE_AW),
        .RETIRE(RETIRE), .CLOCK_KHZ(CLOCK_KHZ)
    ) u_link (
        .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid_i), .in_data_i(in_data_i),
        .in_last_i(in_last_i), .out_valid_o(out_valid_o), .out_data_o(out_data_o),
        .out_last_o(out_last_o), .out_ready_i(out_ready_i), .out_words_o(out_words_o),
        .rest_o(rest_o), .array_en_q(en), .array_rst_no(array_rst_n),
        .array_limit_q(limit), .array_hold_q(hold), .array_now_i(now), .array_can_i(can),
        .array_idle_i(idle), .array_asleep_i(asleep), .array_soon_i(soon), .launch_o(launch),
        .launch_now_o(launch_now), .launch_threads_o(threads), .launch_tpg_o(tpg),
        .launch_pinned_o(pinned),
        .launch_slm_o(slm), .over_i(over), .cfg_we_o(cfg_we), .cfg_addr_o(cfg_addr),
        .cfg_data_o(cfg_data), .store_we_o(store_we), .store_addr_o(store_addr),
        .store_set_o(store_set), .store_need_o(store_need), .store_uctl_o(store_uctl),
        .open_valid_i(open_valid), .open_eu_i(open_eu), .open_slot_i(open_slot),
        .open_thread_i(open_thread), .open_bslot_i(open_bslot), .open_pc_o(open_pc),
        .open_len_o(open_len), .open_wait_o(open_wait), .done_valid_o(done_valid),
        .done_eu_o(done_eu), .done_slot_o(done_slot), .done_uop_o(done_uop),
        .done_credit_o(done_credit), .done_wb_o(done_wb), .msg_valid_i(msg_valid),
        .msg_eu_i(msg_eu), .msg_slot_i(msg_slot), .msg_uop_i(msg_uop), .ask_i(ask),
        .ask_ctx_i(ask_ctx), .ask_slot_i(ask_slot), .ask_now_i(ask_now),
        .run_pc_o(run_pc), .run_len_o(run_len), .run_wait_o(run_wait),
        .ret_ctx_i(ret_ctx), .ret_now_i(ret_now), .ret_valid_i(ret_valid),
        .ret_slot_i(ret_slot), .ret_uop_i(ret_uop), .ret_end_i(ret_end),
        .ret_left_i(ret_left), .ret_branch_i(ret_branch), .redir_o(redir),
        .redir_ctx_o(redir_ctx), .redir_slot_o(redir_slot), .redir_pc_o(redir_pc),
        .redir_len_o(redir_len), .redir_wait_o(redir_wait), .array_stands_i(stands),
        .count_pipe_o(count_pipe), .count_ctx_o(count_ctx),
        .count_word_o(count_word), .count_i(count));

    igpu_fpga_gate #(.TARGET(TARGET)) u_gate (
        .clk_i(clk_i), .en_i(en), .clk_o(array_clk));

    igpu_array #(
        .TILES(TILES), .EUS(EUS), .CONTEXTS(CONTEXTS), .CW(CW),
        .STORE_DEPTH(1 << STORE_AW), .STORE_AW(STORE_AW), .LEAPS(0)
    ) u_array (
        .clk_i(array_clk), .tile_clk_i(array_clk), .tile_work_o(unused_work),
        .rst_ni(array_rst_n), .limit_i(limit), .now_o(now),
        .can_o(can), .idle_o(idle), .asleep_o(asleep), .soon_o(soon),
        .hold_i(hold), .skip_i(1'b0),
        .skip_now_i({`IGPU_NOW_W{1'b0}}), .launch_i(launch), .launch_now_i(launch_now),
        .launch_threads_i(threads), .launch_tpg_i(tpg), .launch_pinned_i(pinned),
        .launch_slm_i(slm), .over_o(over), .cfg_we_i(cfg_we), .cfg_addr_i(cfg_addr),
        .cfg_data_i(cfg_data), .store_we_i(store_we), .store_addr_i(store_addr),
        .store_set_i(store_set), .store_need_i(store_need), .store_uctl_i(store_uctl),
        .open_valid_o(open_valid), .open_eu_o(open_eu), .open_slot_o(open_slot),
        .open_thread_o(open_thread), .open_bslot_o(open_bslot), .open_pc_i(open_pc),
        .open_len_i(open_len), .open_wait_i(open_wait), .done_valid_i(done_valid),
        .done_eu_i(done_eu), .done_slot_i(done_slot), .done_uop_i(done_uop),
        .done_credit_i(done_credit), .done_wb_i(done_wb), .msg_valid_o(msg_valid),
        .msg_eu_o(msg_eu), .msg_slot_o(msg_slot), .msg_uop_o(msg_uop), .ask_o(ask),
        .ask_ctx_o(ask_ctx), .ask_slot_o(ask_slot),
        .ask_now_o(ask_now), .run_pc_i(run_pc), .run_len_i(run_len),
        .run_wait_i(run_wait), .ret_ctx_o(ret_ctx), .ret_now_o(ret_now),
        .ret_valid_o(ret_valid), .ret_slot_o(ret_slot), .ret_uop_o(ret_uop),
        .ret_end_o(ret_end), .ret_left_o(ret_left), .ret_branch_o(ret_branch),
        .redir_i(redir), .redir_ctx_i(redir_ctx), .redir_slot_i(redir_slot),
        .redir_pc_i(redir_pc), .redir_len_i(redir_len), .redir_wait_i(redir_wait),
        .stands_o(stands),
        .count_pipe_i(count_pipe),
        .count_ctx_i(count_ctx), .count_word_i(count_word), .count_o(count));

endmodule

`default_nettype wire

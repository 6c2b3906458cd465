// igpu_eu_miter - both shells of the EU side by side, for igpu_eu_miter_tb.cpp: they get
// the same visits; each its own answers, as they ask in different clocks. Fields that
// belong together are one port.
`default_nettype none
`include "igpu_eu.vh"
`include "igpu_regs.vh"

module igpu_eu_miter (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        valid_i,
    input  wire [2:0]  ctx_i,
    input  wire [10:0] now_i,
    input  wire        first_i,
    input  wire        old_i,
    input  wire        open_i,
    input  wire [2:0]  open_slot_i,
    input  wire [16:0] open_pc_i,
    input  wire [11:0] open_len_i,
    input  wire [7:0]  open_wait_i,
    input  wire        redir_i,      // a cycle behind the branch
    input  wire [2:0]  redir_slot_i,
    input  wire [16:0] redir_pc_i,
    input  wire [11:0] redir_len_i,
    input  wire [7:0]  redir_wait_i,
    input  wire        done_i,
    input  wire [2:0]  done_slot_i,
    input  wire [16:0] done_uop_i,
    input  wire        full_i,
    input  wire        oldest_i,
    input  wire        store_we_i,
    input  wire [8:0]  store_addr_i,
    input  wire [25:0] store_ctl_i,
    input  wire [7:0]  store_dur_i,
    input  wire [21:0] store_set_i,
    input  wire [49:0] store_need_i,
    // [0]: igpu_eu_flat, [1]: igpu_eu_pipe
    output wire [1:0]  ask_o,
    output wire [2:0]  ask_ctx_o [2],
    output wire [2:0]  ask_slot_o [2],
    output wire [10:0] ask_now_o [2],
    input  wire [16:0] run_pc_i [2],
    input  wire [11:0] run_len_i [2],
    input  wire [7:0]  run_wait_i [2],
    output wire [1:0]  ret_any_o,
    output wire [2:0]  ret_ctx_o [2],
    output wire [10:0] ret_now_o [2],
    output wire [3:0]  ret_valid_o [2],
    output wire [11:0] ret_slot_o [2],
    output wire [16:0] ret0_uop_o [2],
    output wire [16:0] ret1_uop_o [2],
    output wire [16:0] ret2_uop_o [2],
    output wire [16:0] ret3_uop_o [2],
    output wire [1:0]  ret_eot_o,
    output wire [1:0]  ret_port_o,
    output wire [10:0] ret_from_o [2],
    output wire [1:0]  ret_fetch_o,
    output wire [2:0]  ret_fetch_slot_o [2],
    output wire [2:0]  ret_busy_o [2],
    output wire [23:0] ret_left_o [2],
    output wire [6:0]  ret_held_o [2],
    output wire        ret_branch_o, // of pipe: it is redirected in the next cycle
    output wire [1:0]  leave_o,
    output wire [2:0]  leave_ctx_o [2],
    output wire [1:0]  leave_sleep_o,
    output wire [10:0] leave_wake_o [2]
);

    `define SHELL_PORTS(N) \
        .oldest_i(oldest_i), .clk_i(clk_i), .rst_ni(rst_ni), \
        .s0_valid_i(valid_i), .s0_ctx_i(ctx_i), \
        .s0_now_i(now_i), .s0_first_i(first_i), .s0_old_i(old_i), \
        .s0_open_slot_i(open_slot_i), .s0_open_pc_i(open_pc_i), \
        .s0_open_len_i(open_len_i), .s0_open_wait_i(open_wait_i), \
        .s0_redir_slot_i(redir_slot_i), .s0_redir_pc_i(redir_pc_i), \
        .s0_redir_len_i(redir_len_i), .s0_redir_wait_i(redir_wait_i), .s0_done_i(done_i), \
        .s0_done_slot_i(done_slot_i), .s0_done_uop_i(done_uop_i), .s0_full_i(full_i), \
        .store_we_i(store_we_i), .store_addr_i(store_addr_i), .store_ctl_i(store_ctl_i), \
        .store_dur_i(store_dur_i), .store_set_i(store_set_i), .store_need_i(store_need_i), \
        .ask_o(ask_o[N]), .ask_ctx_o(ask_ctx_o[N]), .ask_slot_o(ask_slot_o[N]), \
        .ask_now_o(ask_now_o[N]), .run_pc_i(run_pc_i[N]), .run_len_i(run_len_i[N]), \
        .run_wait_i(run_wait_i[N]), .ret_any_o(ret_any_o[N]), .ret_ctx_o(ret_ctx_o[N]), \
        .ret_now_o(ret_now_o[N]), .ret_valid_o(ret_valid_o[N]), .ret_slot_o(ret_slot_o[N]), \
        .ret0_uop_o(ret0_uop_o[N]), .ret1_uop_o(ret1_uop_o[N]), .ret2_uop_o(ret2_uop_o[N]), \
        .ret3_uop_o(ret3_uop_o[N]), .ret_eot_o(ret_eot_o[N]), .ret_port_o(ret_port_o[N]), \
        .ret_from_o(ret_from_o[N]), .ret_fetch_o(ret_fetch_o[N]), \
        .ret_fetch_slot_o(ret_fetch_slot_o[N]), .ret_busy_o(ret_busy_o[N]), \
        .ret_left_o(ret_left_o[N]), .ret_held_o(ret_held_o[N]), .leave_o(leave_o[N]), \
        .leave_ctx_o(leave_ctx_o[N]), .leave_sleep_o(leave_sleep_o[N]), \
        .leave_wake_o(leave_wake_o[N])

    wire [10:0] unused_wake;

    igpu_eu_flat u_flat (`SHELL_PORTS(0), .s0_runs_i({redir_i, open_i}),
        .wake_o(unused_wake));
    igpu_eu_pipe u_pipe (`SHELL_PORTS(1), .s0_open_i(open_i), .s0_redir_i(redir_i),
        .ret_branch_o(ret_branch_o));

endmodule

`default_nettype wire

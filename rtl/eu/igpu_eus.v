// igpu_eus - CONTEXTS EUs, executed in turn.
//
// Function  igpu_eu_seq chooses which EU is visited next, igpu_eu_given holds what it is
//           given, and one of two shells executes the visit: igpu_eu_pipe in ten stages,
//           for hardware, or igpu_eu_flat in one clock, for a simulator. Both call the same
//           steps (rtl/eu/igpu_eu_*.vh), and no decision is made beside them.
//           igpu_eu_count only looks.
// Timing    A visit a clock. Issues are on ret_*_o, as is what a message needs, seven
//           clocks after s0 (FLAT: one).
// Contract  As igpu_eu_seq and igpu_eu_given.
// Reset     rst_ni low, synchronous: all EUs empty. The store keeps its content.
// Model     csim/ref/eu.c.  Tests: tests/cosim/test_array.c
// Source    docs/develop/eu-pipeline.md

`default_nettype none
`include "igpu_eu.vh"
`include "igpu_regs.vh"

module igpu_eus #(
    parameter FLAT        = 0,                       // 1: the simulator's shell
    parameter LEAPS       = 1,                       // 1: soon_o at once (igpu_eu_seq)
    parameter CONTEXTS    = 8,                       // EUs, 1 to 32
    parameter CW          = 3,                       // log2 of CONTEXTS, at least 1
    parameter GROUPS      = 1,                       // tiles that they belong to
    parameter SIZE        = 8,                       // CONTEXTS / GROUPS
    parameter STORE_DEPTH = 512,
    parameter STORE_AW    = 9
) (
    input  wire                          clk_i,
    input  wire                          rst_ni,
    input  wire                          oldest_i,   // units take the oldest thread
    input  wire                          go_i,       // visits may begin
    input  wire                          tick_i,     // cycle now_i is over
    input  wire [`IGPU_NOW_W-1:0]        now_i,
    input  wire [`IGPU_STAMP_W-1:0]      next_i,     // with tick_i: the next cycle
    input  wire [CONTEXTS-1:0]           given_i,    // with tick_i: who gets an input
    output wire                          calm_o,     // the cycle may be over
    output wire                          empty_o,    // no visit is under way,
    output wire                          asleep_o,   // nor due
    output wire [`IGPU_STAMP_W-1:0]      soon_o,     // for so many cycles
    input  wire [CONTEXTS-1:0]           open_i,     // a thread was opened
    input  wire [3*GROUPS-1:0]           open_slot_i,
    input  wire [`IGPU_UOP_W*GROUPS-1:0] open_pc_i,  // its first run
    input  wire [`IGPU_LEN_W*GROUPS-1:0] open_len_i,
    input  wire [8*GROUPS-1:0]           open_wait_i,
    input  wire [CONTEXTS-1:0]           done_i,     // a response arrived
    input  wire [3*GROUPS-1:0]           done_slot_i,
    input  wire [`IGPU_UOP_W*GROUPS-1:0] done_uop_i,
    input  wire [CONTEXTS-1:0]           full_i,     // the send queue is full
    input  wire                          store_we_i, // write an instruction
    input  wire [STORE_AW-1:0]           store_addr_i,
    input  wire [`IGPU_CTL_W-1:0]        store_ctl_i,
    input  wire [7:0]                    store_dur_i,
    input  wire [`IGPU_SET_W-1:0]        store_set_i,
    input  wire [`IGPU_NEED_W-1:0]       store_need_i,
    output wire                          ask_o,      // a thread's next run is wanted:
    output wire [CW-1:0]                 ask_ctx_o,
    output wire [2:0]                    ask_slot_o,
    output wire [`IGPU_STAMP_W-1:0]      ask_now_o,  // in this cycle
    input  wire [`IGPU_UOP_W-1:0]        run_pc_i,   // here it is, in the same clock
    input  wire [`IGPU_LEN_W-1:0]        run_len_i,
    input  wire [7:0]                    run_wait_i,
    output wire [CW-1:0]                 ret_ctx_o,  // what a visit issues:
    output wire [`IGPU_STAMP_W-1:0]      ret_now_o,  // in this cycle,
    output wire [3:0]                    ret_valid_o, // to FPU0, FPU1, SEND, BRANCH,
    output wire [11:0]                   ret_slot_o, // thread
    output wire [4*`IGPU_UOP_W-1:0]      ret_uop_o,  // and instruction of each;
    output wire                          ret_eot_o,  // SEND: ends its thread,
    output wire                          ret_port_o, // needs a credit,
    output wire [`IGPU_STAMP_W-1:0]      ret_from_o, // can be granted from then on
    output wire [7:0]                    ret_left_o, // until no unit is occupied;
    output wire                          ret_branch_o, // BRANCH: its thread has no next run:
    input  wire                          redir_i,    // here it is, before the cycle behind is over
    input  wire [CW-1:0]                 redir_ctx_i,
    input  wire [2:0]                    redir_slot_i,
    input  wire [`IGPU_UOP_W-1:0]        redir_pc_i,
    input  wire [`IGPU_LEN_W-1:0]        redir_len_i,
    input  wire [7:0]                    redir_wait_i,
    input  wire                          any_waits_i, // an EU of any pipeline waits for one
    output wire                          waits_o,    // ... of this one
    input  wire [CW-1:0]                 count_ctx_i, // counters of this context:
    input  wire [4:0]                    count_word_i, // this word
    output wire [`IGPU_COUNT_W-1:0]      count_o
);

    localparam T = `IGPU_STAMP_W;
    localparam U = `IGPU_UOP_W;
    localparam L = `IGPU_LEN_W;

    // ---- which EU, and what it is given ----
    wire [CONTEXTS-1:0] sq_first, gv_wait, unused_pick;
    wire          s0_valid, s0_first, s0_old;
    wire [CW-1:0] s0_ctx;
    wire [T-1:0]  s0_now;
    wire          leave, leave_sleep;
    wire [CW-1:0] leave_ctx;
    wire [T-1:0]  leave_wake;

    igpu_eu_seq #(.LEAPS(LEAPS), .CONTEXTS(CONTEXTS), .CW(CW)) u_seq (
        .clk_i(clk_i), .rst_ni(rst_ni), .go_i(go_i), .tick_i(tick_i), .now_i(now_i[T-1:0]),
        .next_i(next_i), .given_i(given_i), .wait_i(gv_wait), .calm_o(calm_o), .empty_o(empty_o),
        .asleep_o(asleep_o), .soon_o(soon_o), .first_o(sq_first), .pick_o(unused_pick),
        .leave_i(leave), .leave_ctx_i(leave_ctx), .leave_sleep_i(leave_sleep),
        .leave_wake_i(leave_wake), .sq_valid_q(s0_valid), .sq_ctx_q(s0_ctx), .sq_now_q(s0_now),
        .sq_first_q(s0_first), .sq_old_q(s0_old));

    wire         gv_open, gv_done, gv_full, gv_redir;
    wire [2:0]   gv_open_slot, gv_done_slot, gv_redir_slot;
    wire [U-1:0] gv_open_pc, gv_done_uop, gv_redir_pc;
    wire [L-1:0] gv_open_len, gv_redir_len;
    wire [7:0]   gv_open_wait, gv_redir_wait;

    igpu_eu_given #(.CONTEXTS(CONTEXTS), .CW(CW), .GROUPS(GROUPS), .SIZE(SIZE)) u_given (
        .clk_i(clk_i), .rst_ni(rst_ni), .branch_i(ret_branch_o), .branch_ctx_i(ret_ctx_o),
        .redir_i(redir_i), .redir_ctx_i(redir_ctx_i), .redir_slot_i(redir_slot_i),
        .redir_pc_i(redir_pc_i), .redir_len_i(redir_len_i), .redir_wait_i(redir_wait_i),
        .any_i(any_waits_i), .waits_o(waits_o), .wait_o(gv_wait), .s0_ctx_i(s0_ctx),
        .gv_redir_q(gv_redir), .gv_redir_slot_o(gv_redir_slot), .gv_redir_pc_o(gv_redir_pc),
        .gv_redir_len_o(gv_redir_len), .gv_redir_wait_o(gv_redir_wait), .go_i(go_i),
        .pick_i(sq_first), .open_i(open_i), .open_slot_i(open_slot_i), .open_pc_i(open_pc_i),
        .open_len_i(open_len_i), .open_wait_i(open_wait_i),
        .done_i(done_i), .done_slot_i(done_slot_i), .done_uop_i(done_uop_i), .full_i(full_i),
        .gv_open_q(gv_open), .gv_open_slot_q(gv_open_slot), .gv_open_pc_q(gv_open_pc),
        .gv_open_len_q(gv_open_len), .gv_open_wait_q(gv_open_wait), .gv_done_q(gv_done),
        .gv_done_slot_q(gv_done_slot), .gv_done_uop_q(gv_done_uop), .gv_full_q(gv_full));

    // ---- the visits ----
    wire         ret_any, ret_fetch;
    wire [2:0]   ret_fetch_slot, ret_busy;
    wire [23:0]  ret_left;
    wire [6:0]   ret_held;

    generate
        if (FLAT != 0) begin : g_flat
            wire [T-1:0] unused_wake;

            // No host of an array has redirects for it: it does not tell of branches.
            assign ret_branch_o = 1'b0;

            igpu_eu_flat #(
                .CONTEXTS(CONTEXTS), .CW(CW), .STORE_DEPTH(STORE_DEPTH), .STORE_AW(STORE_AW)
            ) u_flat (
                .clk_i(clk_i), .rst_ni(rst_ni), .oldest_i(oldest_i), .s0_valid_i(s0_valid),
                .s0_ctx_i(s0_ctx), .s0_now_i(s0_now), .s0_first_i(s0_first), .s0_old_i(s0_old),
                .s0_runs_i({gv_redir, gv_open}), .s0_open_slot_i(gv_open_slot),
                .s0_open_pc_i(gv_open_pc), .s0_open_len_i(gv_open_len), .s0_open_wait_i(gv_open_wait),
                .s0_redir_slot_i(gv_redir_slot), .s0_redir_pc_i(gv_redir_pc),
                .s0_redir_len_i(gv_redir_len), .s0_redir_wait_i(gv_redir_wait),
                .s0_done_i(gv_done), .s0_done_slot_i(gv_done_slot),
                .s0_done_uop_i(gv_done_uop), .s0_full_i(gv_full), .store_we_i(store_we_i),
                .store_addr_i(store_addr_i), .store_ctl_i(store_ctl_i),
                .store_dur_i(store_dur_i), .store_set_i(store_set_i),
                .store_need_i(store_need_i), .ask_o(ask_o), .ask_ctx_o(ask_ctx_o),
                .ask_slot_o(ask_slot_o), .ask_now_o(ask_now_o), .run_pc_i(run_pc_i),
                .run_len_i(run_len_i), .run_wait_i(run_wait_i), .ret_any_o(ret_any),
                .ret_ctx_o(ret_ctx_o), .ret_now_o(ret_now_o), .ret_valid_o(ret_valid_o),
                .ret_slot_o(ret_slot_o), .ret0_uop_o(ret_uop_o[U*0 +: U]),
                .ret1_uop_o(ret_uop_o[U*1 +: U]), .ret2_uop_o(ret_uop_o[U*2 +: U]),
                .ret3_uop_o(ret_uop_o[U*3 +: U]), .ret_eot_o(ret_eot_o),
                .ret_port_o(ret_port_o), .ret_from_o(ret_from_o), .ret_fetch_o(ret_fetch),
                .ret_fetch_slot_o(ret_fetch_slot), .ret_busy_o(ret_busy),
                .ret_left_o(ret_left), .ret_held_o(ret_held), .leave_o(leave),
                .leave_ctx_o(leave_ctx), .leave_sleep_o(leave_sleep),
                .leave_wake_o(leave_wake),
                .wake_o(unused_wake));
        end else begin : g_pipe
            igpu_eu_pipe #(
                .CONTEXTS(CONTEXTS), .CW(CW), .STORE_DEPTH(STORE_DEPTH), .STORE_AW(STORE_AW)
            ) u_pipe (
                .clk_i(clk_i), .rst_ni(rst_ni), .oldest_i(oldest_i), .s0_valid_i(s0_valid),
                .s0_ctx_i(s0_ctx),
                .s0_now_i(s0_now), .s0_first_i(s0_first), .s0_old_i(s0_old),
                .s0_open_i(gv_open), .s0_open_slot_i(gv_open_slot), .s0_open_pc_i(gv_open_pc),
                .s0_open_len_i(gv_open_len), .s0_open_wait_i(gv_open_wait), .s0_redir_i(gv_redir),
                .s0_redir_slot_i(gv_redir_slot), .s0_redir_pc_i(gv_redir_pc),
                .s0_redir_len_i(gv_redir_len), .s0_redir_wait_i(gv_redir_wait),
                .s0_done_i(gv_done), .s0_done_slot_i(gv_done_slot),
                .s0_done_uop_i(gv_done_uop), .s0_full_i(gv_full), .store_we_i(store_we_i),
                .store_addr_i(store_addr_i), .store_ctl_i(store_ctl_i),
                .store_dur_i(store_dur_i), .store_set_i(store_set_i),
                .store_need_i(store_need_i), .ask_o(ask_o), .ask_ctx_o(ask_ctx_o),
                .ask_slot_o(ask_slot_o), .ask_now_o(ask_now_o), .run_pc_i(run_pc_i),
                .run_len_i(run_len_i), .run_wait_i(run_wait_i), .ret_any_o(ret_any),
                .ret_ctx_o(ret_ctx_o), .ret_now_o(ret_now_o), .ret_valid_o(ret_valid_o),
                .ret_slot_o(ret_slot_o), .ret0_uop_o(ret_uop_o[U*0 +: U]),
                .ret1_uop_o(ret_uop_o[U*1 +: U]), .ret2_uop_o(ret_uop_o[U*2 +: U]),
                .ret3_uop_o(ret_uop_o[U*3 +: U]), .ret_eot_o(ret_eot_o),
                .ret_port_o(ret_port_o), .ret_from_o(ret_from_o), .ret_fetch_o(ret_fetch),
                .ret_fetch_slot_o(ret_fetch_slot), .ret_busy_o(ret_busy),
                .ret_left_o(ret_left), .ret_branch_o(ret_branch_o),
                .ret_held_o(ret_held), .leave_o(leave),
                .leave_ctx_o(leave_ctx), .leave_sleep_o(leave_sleep),
                .leave_wake_o(leave_wake));
        end
    endgenerate

    igpu_eu_count #(
        .ROWS((FLAT != 0) ? 1 << CW : (CONTEXTS < 2) ? 2 : CONTEXTS), .CW(CW)
    ) u_count (
        .clk_i(clk_i), .tick_i(tick_i), .now_i(now_i), .s7_fetch_i(ret_fetch),
        .s7_slot_i(ret_fetch_slot), .s7_valid_i(ret_any), .s7_ctx_i(ret_ctx_o),
        .s7_odd_i(ret_now_o[0]), .s7_issue_i(ret_valid_o), .s7_busy_i(ret_busy),
        .s7_left_i(ret_left), .s7_held_i(ret_held), .left_o(ret_left_o), .ctx_i(count_ctx_i),
        .word_i(count_word_i), .count_q(count_o));

endmodule

`default_nettype wire

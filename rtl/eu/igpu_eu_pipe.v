// igpu_eu_pipe - the EU in ten stages: the shell for hardware (wiring only).
//
// Function  s0 (igpu_eus)                   which context; what it is given
//           s1 igpu_eu_look, igpu_eu_track  what is over or there; who fetches
//           s2 igpu_eu_mark, igpu_eu_resp   ranges become bits; responses
//           s3 igpu_eu_board (7)            scoreboards: who is ready
//           s4 igpu_eu_pick                 who issues
//           s5 igpu_eu_held                 the words of what issues
//           s6 igpu_eu_front, _unit, _track issue
//              igpu_eu_rest (to s9)         write back; next cycle with work
//           beside them igpu_eu_fetch (s2 to s6) and igpu_eu_store (s3 and s1).
// Timing    A visit a clock. Issues are on ret_* in s7, as is what a message needs.
// Contract  Visits of one context do not overlap (igpu_eu_seq). Who is given something is
//           visited. Of a page of the store that is written none is read.
// Reset     rst_ni low, synchronous: no visit. s0_first_i makes a context's state empty.
// Model     csim/ref/eu.c.  Tests: tests/cosim/test_array.c
// Source    docs/develop/eu-pipeline.md

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"
`include "igpu_regs.vh"

module igpu_eu_pipe #(
    parameter CONTEXTS    = 8,                       // EUs, 1 to 32
    parameter CW          = 3,                       // log2 of CONTEXTS, at least 1
    parameter STORE_DEPTH = 512,
    parameter STORE_AW    = 9
) (
    input  wire                     clk_i,
    input  wire                     rst_ni,
    input  wire                     oldest_i,        // units take the oldest thread
    input  wire                     s0_valid_i,      // a visit
    input  wire [CW-1:0]            s0_ctx_i,        // of this context
    input  wire [`IGPU_STAMP_W-1:0] s0_now_i,        // in this cycle
    input  wire                     s0_first_i,      // its state is empty
    input  wire                     s0_old_i,        // its last was over 256 cycles ago
    input  wire                     s0_open_i,       // a thread was opened
    input  wire [2:0]               s0_open_slot_i,
    input  wire [`IGPU_UOP_W-1:0]   s0_open_pc_i,    // its first run
    input  wire [`IGPU_LEN_W-1:0]   s0_open_len_i,
    input  wire [7:0]               s0_open_wait_i,
    input  wire                     s0_redir_i,      // a branch issued one cycle ago:
    input  wire [2:0]               s0_redir_slot_i, // its thread,
    input  wire [`IGPU_UOP_W-1:0]   s0_redir_pc_i,   // and its next run
    input  wire [`IGPU_LEN_W-1:0]   s0_redir_len_i,
    input  wire [7:0]               s0_redir_wait_i,
    input  wire                     s0_done_i,       // a response arrived
    input  wire [2:0]               s0_done_slot_i,
    input  wire [`IGPU_UOP_W-1:0]   s0_done_uop_i,
    input  wire                     s0_full_i,       // the send queue is full
    input  wire                     store_we_i,      // write an instruction
    input  wire [STORE_AW-1:0]      store_addr_i,
    input  wire [`IGPU_CTL_W-1:0]   store_ctl_i,
    input  wire [7:0]               store_dur_i,
    input  wire [`IGPU_SET_W-1:0]   store_set_i,
    input  wire [`IGPU_NEED_W-1:0]  store_need_i,
    output wire                     ask_o,           // a thread's next run is wanted:
    output wire [CW-1:0]            ask_ctx_o,
    output wire [2:0]               ask_slot_o,
    output wire [`IGPU_STAMP_W-1:0] ask_now_o,       // in this cycle
    input  wire [`IGPU_UOP_W-1:0]   run_pc_i,        // here it is, in the same clock
    input  wire [`IGPU_LEN_W-1:0]   run_len_i,
    input  wire [7:0]               run_wait_i,      // (length 0: s0_redir_* tells)
    output wire                     ret_any_o,       // a visit,
    output reg  [CW-1:0]            ret_ctx_o,       // and what it issues:
    output reg  [`IGPU_STAMP_W-1:0] ret_now_o,       // in this cycle,
    output reg  [3:0]               ret_valid_o,     // to FPU0, FPU1, SEND, BRANCH,
    output reg  [11:0]              ret_slot_o,      // thread
    output reg  [`IGPU_UOP_W-1:0]   ret0_uop_o,      // and instruction of each;
    output reg  [`IGPU_UOP_W-1:0]   ret1_uop_o,
    output reg  [`IGPU_UOP_W-1:0]   ret2_uop_o,
    output reg  [`IGPU_UOP_W-1:0]   ret3_uop_o,
    output reg                      ret_eot_o,       // SEND: ends its thread,
    output reg                      ret_port_o,      // needs a credit,
    output reg  [`IGPU_STAMP_W-1:0] ret_from_o,      // can be granted from then on
    output reg                      ret_fetch_o,     // a thread has fetched
    output reg  [2:0]               ret_fetch_slot_o,
    output wire [2:0]               ret_busy_o,      // FPU0, FPU1, SEND are occupied
    output wire [23:0]              ret_left_o,      // ... for so many cycles
    output reg                      ret_branch_o,    // BRANCH: its thread has no next run
    output wire [6:0]               ret_held_o,      // threads that hold an instruction
    output wire                     leave_o,         // a visit ends,
    output wire [CW-1:0]            leave_ctx_o,     // of this context,
    output wire                     leave_sleep_o,   // which has no next cycle
    output wire [`IGPU_STAMP_W-1:0] leave_wake_o     // ... or this one
);

    localparam ROWS = (CONTEXTS < 2) ? 2 : CONTEXTS; // of the state RAMs
    localparam T = `IGPU_STAMP_W;
    localparam D = `IGPU_DIST_W;
    localparam S = `IGPU_SET_W;
    localparam U = `IGPU_UOP_W;

    `include "igpu_eu_board.vh"

    // ---- the visits ----
    wire          re_sleep;
    wire [T-1:0]  re_wake;
    wire          s1_valid, s2_valid, s3_valid, s4_valid, s5_valid, s6_valid, s7_valid;
    wire          unused_valid, s9_valid;
    wire [CW-1:0] s1_ctx, s2_ctx, s3_ctx, s4_ctx, s5_ctx, s6_ctx, s7_ctx, unused_ctx, s9_ctx;
    wire [T-1:0]  s1_now, s2_now, s3_now, s4_now, s5_now, s6_now, s7_now;
    wire          s1_first, s2_first, s3_first, s1_old, s2_old, s3_old;

    igpu_eu_visit #(.CW(CW)) u_visit (
        .clk_i(clk_i), .rst_ni(rst_ni), .s0_valid_i(s0_valid_i), .s0_ctx_i(s0_ctx_i),
        .s0_now_i(s0_now_i), .s0_first_i(s0_first_i), .s0_old_i(s0_old_i), .s1_valid_q(s1_valid),
        .s1_ctx_q(s1_ctx), .s1_now_q(s1_now), .s2_valid_q(s2_valid), .s2_ctx_q(s2_ctx),
        .s2_now_q(s2_now), .s3_valid_q(s3_valid), .s3_ctx_q(s3_ctx), .s3_now_q(s3_now),
        .s4_valid_q(s4_valid), .s4_ctx_q(s4_ctx), .s4_now_q(s4_now), .s5_valid_q(s5_valid),
        .s5_ctx_q(s5_ctx), .s5_now_q(s5_now), .s6_valid_q(s6_valid), .s6_ctx_q(s6_ctx),
        .s6_now_q(s6_now), .s7_valid_q(s7_valid), .s7_ctx_q(s7_ctx), .s7_now_q(s7_now),
        .s8_valid_q(unused_valid), .s8_ctx_q(unused_ctx), .s9_valid_q(s9_valid), .s9_ctx_q(s9_ctx),
        .s1_first_q(s1_first), .s1_old_q(s1_old), .s2_first_q(s2_first), .s2_old_q(s2_old),
        .s3_first_q(s3_first), .s3_old_q(s3_old));

    // ---- s1 ----
    wire         s1_open, s1_redir, s1_done, s4_full;
    wire [2:0]   s1_open_slot, s1_redir_slot, s1_done_slot;
    wire [7:0]   s1_open_wait, s1_redir_wait;
    wire [U-1:0] s1_open_pc, s1_redir_pc;
    wire [`IGPU_LEN_W-1:0] s1_open_len, s1_redir_len;

    igpu_shift #(.WIDTH(2 + 3 + 3 + 8 + U + `IGPU_LEN_W), .STAGES(1)) u_given1 (
        .clk_i(clk_i), .data_i({s0_open_i, s0_done_i, s0_open_slot_i, s0_done_slot_i,
                                s0_open_wait_i, s0_open_pc_i, s0_open_len_i}),
        .data_o({s1_open, s1_done, s1_open_slot, s1_done_slot, s1_open_wait, s1_open_pc,
                 s1_open_len}));
    igpu_shift #(.WIDTH(1 + 3 + 8 + U + `IGPU_LEN_W), .STAGES(1)) u_redir1 (
        .clk_i(clk_i), .data_i({s0_redir_i, s0_redir_slot_i, s0_redir_wait_i, s0_redir_pc_i,
                                s0_redir_len_i}),
        .data_o({s1_redir, s1_redir_slot, s1_redir_wait, s1_redir_pc, s1_redir_len}));
    igpu_shift #(.WIDTH(1), .STAGES(4)) u_full (
        .clk_i(clk_i), .data_i(s0_full_i), .data_o(s4_full));

    wire [6:0]  lk_has, lk_late, lk_hold, lk_young, lk_held, lk_ready, lk_unit1, lk_unit0;
    wire [6:0]  lk_who;
    wire [55:0] lk_free_at, fr_free_at;
    wire [62:0] lk_late_at, fr_late_at;
    wire        lk_fetch, lk_fresh;
    wire [6:0]  fr_has, fr_late, fr_hold, fr_young, fr_held, fr_ready, fr_unit1, fr_unit0;
    wire [48:0] ag_older;

    igpu_eu_look #(.ROWS(ROWS), .CW(CW)) u_look (
        .clk_i(clk_i), .s0_valid_i(s0_valid_i), .s0_first_i(s0_first_i), .s0_ctx_i(s0_ctx_i),
        .s1_valid_i(s1_valid), .s1_ctx_i(s1_ctx), .s1_now_i(s1_now[8:0]), .s1_open_i(s1_open),
        .s1_slot_i(s1_open_slot), .s1_wait_i(s1_open_wait), .s1_redir_i(s1_redir),
        .s1_redir_slot_i(s1_redir_slot), .s1_redir_wait_i(s1_redir_wait), .s7_valid_i(s7_valid),
        .s7_ctx_i(s7_ctx),
        .s7_flags_i({fr_has, fr_late, fr_hold, fr_young, fr_held, fr_ready, fr_unit1, fr_unit0}),
        .s7_free_i(fr_free_at), .s7_late_i(fr_late_at), .lk_has_q(lk_has), .lk_late_q(lk_late),
        .lk_late_at_q(lk_late_at), .lk_hold_q(lk_hold), .lk_free_at_q(lk_free_at),
        .lk_young_q(lk_young), .lk_held_q(lk_held), .lk_ready_q(lk_ready), .lk_unit1_q(lk_unit1),
        .lk_unit0_q(lk_unit0), .lk_fetch_q(lk_fetch), .lk_who_q(lk_who), .lk_fresh_q(lk_fresh));

    igpu_eu_age #(.ROWS(ROWS), .CW(CW)) u_age (
        .clk_i(clk_i), .s0_valid_i(s0_valid_i), .s0_first_i(s0_first_i), .s0_ctx_i(s0_ctx_i),
        .s1_valid_i(s1_valid), .s1_ctx_i(s1_ctx), .s1_open_i(s1_open), .s1_slot_i(s1_open_slot),
        .ag_older_o(ag_older));

    // ---- s2: six events for the scoreboards: three set, three clear ----
    wire [20:0]    is_who, ev_who;         // 7 bits each: who sets, who clears
    wire [3*S-1:0] is_set, ev_set;
    wire [191:0]   mk_lo, mk_hi;
    wire [23:0]    mk_x;
    wire [7:0]     rp_dur, rs_left;
    wire [S-1:0]   rp_set;
    wire           rs_busy;

    igpu_eu_mark u_mark (
        .s2_set_i(ev_set), .mk_lo_o(mk_lo), .mk_hi_o(mk_hi), .mk_x_o(mk_x));
    igpu_eu_resp #(.ROWS(ROWS), .CW(CW)) u_resp (
        .clk_i(clk_i), .s0_valid_i(s0_valid_i), .s0_ctx_i(s0_ctx_i), .s1_valid_i(s1_valid),
        .s1_ctx_i(s1_ctx), .s1_now_i(s1_now[7:0]), .s1_first_i(s1_first), .s1_given_i(s1_done),
        .s1_slot_i(s1_done_slot), .s1_dur_i(rp_dur), .s1_set_i(rp_set), .s2_valid_i(s2_valid),
        .s2_ctx_i(s2_ctx), .s2_now_i(s2_now[7:0]), .rs_who_q(ev_who[20:14]),
        .rs_set_q(ev_set[2*S +: S]), .rs_busy_q(rs_busy), .rs_left_q(rs_left));

    // ---- s3: scoreboards ----
    wire [7*64-1:0] bd_lo, bd_hi;
    wire [7*8-1:0]  bd_x;
    wire [6:0]      bd_met, s3_cleared, s3_held, s3_ready, s3_unit1, s3_unit0;
    wire            ft_done;
    wire [6:0]      ft_who;
    wire [63:0]     ft_need_lo, ft_need_hi;
    wire [7:0]      ft_need_x, ft_wait;

    igpu_shift #(.WIDTH(35), .STAGES(1)) u_look3 (
        .clk_i(clk_i), .data_i({lk_held, lk_ready, lk_unit1, lk_unit0,
                                ev_who[6:0] | ev_who[13:7] | ev_who[20:14]}),
        .data_o({s3_held, s3_ready, s3_unit1, s3_unit0, s3_cleared}));

    genvar i, e;
    generate
        for (i = 0; i < `IGPU_SLOTS; i = i + 1) begin : g_slot
            wire [2:0]    issued, hit;
            wire [CW-1:0] c2, c3, c6;              // s2_ctx, s3_ctx, s6_ctx
            wire          first2;                  // s2_first

            // Of their own: what addresses 272 bits is one of the longest wires as it is.
            igpu_copy #(.WIDTH(3 * CW + 1)) u_ctx (
                .clk_i(clk_i), .data_i({s1_ctx, s2_ctx, s5_ctx, s1_first}),
                .data_q({c2, c3, c6, first2}));

            for (e = 0; e < 3; e = e + 1) begin : g_event
                assign {issued[e], hit[e]} = {is_who[7*e+i], ev_who[7*e+i]};
            end
            igpu_eu_board #(.ROWS(ROWS), .CW(CW)) u_board (
                .clk_i(clk_i), .s2_first_i(first2), .s2_ctx_i(c2), .s2_issued_i(issued),
                .s2_set_i(is_set), .s2_hit_i(hit), .s2_lo_i(mk_lo), .s2_hi_i(mk_hi), .s2_x_i(mk_x),
                .s3_valid_i(s3_valid), .s3_ctx_i(c3), .s3_first_i(s3_first),
                .s6_fetch_i(ft_done && ft_who[i]), .s6_ctx_i(c6), .s6_need_lo_i(ft_need_lo),
                .s6_need_hi_i(ft_need_hi), .s6_need_x_i(ft_need_x),
                .bd_busy_lo_o(bd_lo[64*i +: 64]), .bd_busy_hi_o(bd_hi[64*i +: 64]),
                .bd_busy_x_o(bd_x[8*i +: 8]), .bd_met_o(bd_met[i]));
        end
    endgenerate

    // Results came for these threads: is what they hold ready now? What was ready stays so.
    wire [6:0]  s3_may = board_may(s3_ready, s3_held, s3_cleared, bd_met);

    // ---- s4 ----
    wire [2:0]  un_free;
    wire [1:0]  tr_room;
    wire [3:0]  pk_issue;
    wire [27:0] pk_who;
    wire [11:0] pk_slot;

    igpu_eu_pick #(.ROWS(ROWS), .CW(CW)) u_pick (
        .clk_i(clk_i), .s3_valid_i(s3_valid), .s3_first_i(s3_first), .s3_ctx_i(s3_ctx),
        .s3_ready_i(s3_may), .s3_unit1_i(s3_unit1), .s3_unit0_i(s3_unit0), .oldest_i(oldest_i),
        .s4_older_i(ag_older), .s4_valid_i(s4_valid), .s4_ctx_i(s4_ctx),
        .s4_can_i({1'b1, un_free[2] && !s4_full, un_free[1] && tr_room[1], un_free[0] && tr_room[0]}),
        .pk_issue_q(pk_issue), .pk_who_q(pk_who), .pk_slot_o(pk_slot));

    // ---- s5 ----
    wire [3:0]   s6_issue;
    wire [27:0]  s6_who;
    wire [11:0]  s6_slot;
    wire [2:0]   ft_slot;
    wire [U-1:0] ft_uop;
    wire [`IGPU_CTL_W-1:0] ft_ctl;
    wire [S-1:0] ft_set;
    wire [31:0]  hd_occ, hd_fe;
    wire [3:0]   hd_hold;
    wire [11:0]  hd_lat;
    wire [3*S-1:0] hd_set;
    wire [4*U-1:0] hd_uop;
    wire         hd_port, hd_eot, hd_none, ft_none;

    igpu_eu_held #(.ROWS(ROWS), .CW(CW)) u_held (
        .clk_i(clk_i), .s5_ctx_i(s5_ctx), .s5_issue_i(pk_issue), .s5_slot_i(pk_slot),
        .s6_fetch_i(ft_done), .s6_ctx_i(s6_ctx), .s6_slot_i(ft_slot), .s6_uop_i(ft_uop),
        .s6_set_i(ft_set), .s6_ctl_i(ft_ctl), .s6_none_i(ft_none), .hd_uop_o(hd_uop),
        .hd_occ_o(hd_occ), .hd_hold_o(hd_hold), .hd_fe_o(hd_fe), .hd_lat_o(hd_lat),
        .hd_set_o(hd_set), .hd_port_o(hd_port), .hd_eot_o(hd_eot), .hd_none_o(hd_none));
    igpu_shift #(.WIDTH(44), .STAGES(1)) u_issue6 (
        .clk_i(clk_i), .data_i({pk_issue, pk_who, pk_slot}),
        .data_o({s6_issue, s6_who, s6_slot}));

    // ---- s2 to s6: fetch; the store ----
    wire          ft_read, ft_met, ft_last, ft_more;
    wire [U-1:0]  ft_addr;
    wire [`IGPU_CTL_W-1:0]  st_ctl;
    wire [S-1:0]  st_set;
    wire [`IGPU_NEED_W-1:0] st_need;
    igpu_eu_store #(.STORE_DEPTH(STORE_DEPTH), .STORE_AW(STORE_AW)) u_store (
        .clk_i(clk_i), .we_i(store_we_i), .waddr_i(store_addr_i), .ctl_i(store_ctl_i),
        .dur_i(store_dur_i), .set_i(store_set_i), .need_i(store_need_i), .a_read_i(ft_read),
        .a_addr_i(ft_addr[STORE_AW-1:0]), .a_ctl_o(st_ctl), .a_set_o(st_set), .a_need_o(st_need),
        .b_read_i(s0_done_i), .b_addr_i(s0_done_uop_i[STORE_AW-1:0]), .b_dur_o(rp_dur),
        .b_set_o(rp_set));
    igpu_eu_fetch #(.ROWS(ROWS), .CW(CW)) u_fetch (
        .clk_i(clk_i), .s1_open_i(s1_open), .s1_ctx_i(s1_ctx), .s1_slot_i(s1_open_slot),
        .s1_pc_i(s1_open_pc), .s1_len_i(s1_open_len), .s2_fetch_i(lk_fetch), .s2_ctx_i(s2_ctx),
        .s2_who_i(lk_who), .s2_fresh_i(lk_fresh), .ft_read_o(ft_read), .ft_addr_o(ft_addr),
        .s3_busy_lo_i(bd_lo), .s3_busy_hi_i(bd_hi), .s3_busy_x_i(bd_x), .s4_ctl_i(st_ctl),
        .s4_set_i(st_set), .s4_need_i(st_need), .ft_ask_o(ask_o), .ft_ask_slot_o(ask_slot_o),
        .run_pc_i(run_pc_i), .run_len_i(run_len_i), .run_wait_i(run_wait_i),
        .s1_redir_i(s1_redir), .s1_redir_slot_i(s1_redir_slot), .s1_redir_pc_i(s1_redir_pc),
        .s1_redir_len_i(s1_redir_len), .s6_ctx_i(s6_ctx), .ft_done_q(ft_done),
        .ft_who_q(ft_who), .ft_slot_o(ft_slot), .ft_uop_q(ft_uop), .ft_ctl_q(ft_ctl),
        .ft_set_q(ft_set), .ft_need_lo_q(ft_need_lo), .ft_need_hi_q(ft_need_hi),
        .ft_need_x_q(ft_need_x), .ft_met_o(ft_met), .ft_last_q(ft_last), .ft_more_q(ft_more),
        .ft_wait_q(ft_wait), .ft_none_q(ft_none));

    assign {ask_ctx_o, ask_now_o} = {s5_ctx, s5_now};

    // ---- s6: units ----
    wire [2:0]     un_busy;
    wire [23:0]    un_left;
    wire [1:0]     tr_busy;
    wire [2*D-1:0] tr_left;

    generate
        for (i = 0; i < 3; i = i + 1) begin : g_unit
            igpu_eu_unit #(.ROWS(ROWS), .CW(CW)) u_unit (
                .clk_i(clk_i), .s1_valid_i(s1_valid), .s1_ctx_i(s1_ctx), .s1_first_i(s1_first),
                .s2_valid_i(s2_valid), .s2_ctx_i(s2_ctx), .s3_valid_i(s3_valid),
                .s3_now_i(s3_now[D-1:0]), .s3_first_i(s3_first), .s3_old_i(s3_old),
                .s6_valid_i(s6_valid), .s6_ctx_i(s6_ctx), .s6_now_i(s6_now[D-1:0]),
                .s6_issue_i(s6_issue[i]), .s6_who_i(s6_who[7*i +: 7]), .s6_set_i(hd_set[S*i +: S]),
                .s6_occ_i(hd_occ[8*i +: 8]), .un_is_who_o(is_who[7*i +: 7]),
                .un_is_set_o(is_set[S*i +: S]), .un_free_q(un_free[i]), .un_busy_q(un_busy[i]),
                .un_left_q(un_left[8*i +: 8]));
        end
        for (i = 0; i < 2; i = i + 1) begin : g_track
            igpu_eu_track #(.ROWS(ROWS), .CW(CW)) u_track (
                .clk_i(clk_i), .s0_valid_i(s0_valid_i), .s0_ctx_i(s0_ctx_i), .s1_valid_i(s1_valid),
                .s1_now_i(s1_now[D-1:0]), .s1_first_i(s1_first), .s2_valid_i(s2_valid),
                .s2_ctx_i(s2_ctx), .s3_valid_i(s3_valid), .s3_first_i(s3_first),
                .s5_valid_i(s5_valid), .s5_ctx_i(s5_ctx), .s5_now_i(s5_now[D-1:0]),
                .s6_valid_i(s6_valid), .s6_ctx_i(s6_ctx), .s6_now_i(s6_now[D-1:0]),
                .s6_issue_i(s6_issue[i]), .s6_slot_i(s6_slot[3*i +: 3]),
                .s6_set_i(hd_set[S*i +: S]), .s6_occ_i(hd_occ[8*i +: 8]),
                .s6_lat_i(hd_lat[6*i +: 6]), .tr_who_q(ev_who[7*i +: 7]),
                .tr_set_q(ev_set[S*i +: S]), .tr_room_q(tr_room[i]), .tr_busy_q(tr_busy[i]),
                .tr_left_q(tr_left[D*i +: D]));
        end
    endgenerate

    // ---- s6: front end ----
    wire [6:0]  s6_has, s6_late, s6_hold, s6_young, s6_held, s6_ready, s6_unit1, s6_unit0;
    wire [55:0] s6_free_at;
    wire [62:0] s6_late_at;
    wire        fr_met, fr_later, so_any;
    wire [1:0]  fr_unit;
    wire [3:0]  fr_begun;
    wire [31:0] fr_holds;
    wire [8:0]  fr_code, so_left;

    igpu_shift #(.WIDTH(49 + 56 + 63), .STAGES(4)) u_flags6 (
        .clk_i(clk_i),
        .data_i({lk_has, lk_late, lk_hold, lk_young, lk_held, lk_unit1, lk_unit0, lk_free_at,
                 lk_late_at}),
        .data_o({s6_has, s6_late, s6_hold, s6_young, s6_held, s6_unit1, s6_unit0, s6_free_at,
                 s6_late_at}));
    igpu_shift #(.WIDTH(7), .STAGES(3)) u_ready6 (
        .clk_i(clk_i), .data_i(s3_may), .data_o(s6_ready));
    igpu_eu_front u_front (
        .clk_i(clk_i), .s6_valid_i(s6_valid), .s6_now_i(s6_now), .s6_has_i(s6_has),
        .s6_late_i(s6_late), .s6_hold_i(s6_hold), .s6_young_i(s6_young), .s6_held_i(s6_held),
        .s6_ready_i(s6_ready), .s6_unit1_i(s6_unit1), .s6_unit0_i(s6_unit0),
        .s6_free_at_i(s6_free_at), .s6_late_at_i(s6_late_at), .s6_issue_i(s6_issue),
        .s6_who_i(s6_who), .s6_slot_i(s6_slot), .s6_held_by_i(hd_hold), .s6_fe_i(hd_fe),
        .s6_eot_i(hd_eot), .s6_fetch_i(ft_done), .s6_new_i(ft_who), .s6_met_i(ft_met),
        .s6_unit_i(ft_ctl[`IGPU_CTL_UNIT]), .s6_last_i(ft_last), .s6_more_i(ft_more),
        .s6_wait_i(ft_wait), .fr_has_q(fr_has), .fr_late_q(fr_late), .fr_hold_q(fr_hold),
        .fr_young_q(fr_young), .fr_held_q(fr_held), .fr_ready_q(fr_ready), .fr_unit1_q(fr_unit1),
        .fr_unit0_q(fr_unit0), .fr_free_at_q(fr_free_at), .fr_late_at_q(fr_late_at),
        .fr_met_q(fr_met), .fr_unit_q(fr_unit), .fr_begun_q(fr_begun), .fr_holds_q(fr_holds),
        .fr_later_q(fr_later), .fr_code_q(fr_code));

    always @(posedge clk_i) begin
        ret_valid_o <= rst_ni ? s6_issue : 4'd0;
        ret_branch_o <= rst_ni && s6_issue[3] && hd_none;
        ret_fetch_o <= rst_ni && ft_done;
        if (s6_valid) begin
            {ret_ctx_o, ret_now_o, ret_slot_o} <= {s6_ctx, s6_now, s6_slot};
            {ret3_uop_o, ret2_uop_o, ret1_uop_o, ret0_uop_o} <= hd_uop;
            {ret_eot_o, ret_port_o} <= {hd_eot, hd_port};
            ret_from_o <= s6_now + {{(T-8){1'b0}}, hd_occ[23:16]};
            ret_fetch_slot_o <= ft_slot;
        end
    end

    assign {ret_any_o, ret_busy_o, ret_left_o, ret_held_o} = {s7_valid, un_busy, un_left, fr_held};

    // ---- s7 to s9 ----
    igpu_eu_soon u_soon (
        .clk_i(clk_i), .s2_valid_i(s2_valid), .s2_now_i(s2_now[8:0]), .s2_hold_i(lk_hold),
        .s2_free_at_i(lk_free_at), .s2_late_i(lk_late), .s2_late_at_i(lk_late_at),
        .so_any_q(so_any), .so_left_q(so_left));
    igpu_eu_rest u_rest (
        .clk_i(clk_i), .s7_valid_i(s7_valid), .s7_now_i(s7_now), .s7_has_i(fr_has),
        .s7_hold_i(fr_hold), .s7_held_i(fr_held), .s7_ready_i(fr_ready), .s7_unit1_i(fr_unit1),
        .s7_unit0_i(fr_unit0), .s7_met_i(fr_met), .s7_unit_i(fr_unit), .s7_any_i(so_any),
        .s7_soon_i(so_left), .s7_begun_i(fr_begun), .s7_holds_i(fr_holds), .s7_later_i(fr_later),
        .s7_code_i(fr_code), .s7_branch_i(ret_branch_o),
        .s7_occupied_i(un_busy), .s7_occ_left_i(un_left), .s7_flight_i(tr_busy),
        .s7_left_i(tr_left), .s7_resp_i(rs_busy), .s7_resp_left_i(rs_left), .re_sleep_q(re_sleep),
        .re_wake_q(re_wake));

    assign {leave_o, leave_ctx_o} = {s9_valid, s9_ctx};
    assign {leave_sleep_o, leave_wake_o} = {re_sleep, re_wake};

    wire unused = &{1'b0, s1_now, s1_old, s2_first, s2_old, s2_now, s3_now, s4_now, ft_addr,
                     s0_done_uop_i, hd_occ, unused_valid, unused_ctx};

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, s0_valid_i || !(s0_open_i || s0_redir_i || s0_done_i),
                  "who is given something is visited")

endmodule

`default_nettype wire

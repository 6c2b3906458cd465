// eu_same_proof - the two shells of the EU do the same: a step of an induction over visits.
//
// Both have one context. Before a visit the pipeline's RAMs hold what the flat shell's state
// says (l_*), wherever it means something, and anything where not; what else must hold of
// that state is `kept`. Then both get the same visit, any that the contracts allow, also the
// first after a launch, from any state. What it gives back and asks is the same, its next
// cycle is the first end of the same list (eu_same_least), and the pipeline's RAMs again
// hold what the flat shell's state says. So it is the same for all visits of a launch,
// however many. No run comes later than it is asked for (no redirects).
//
// Who fetches, who may issue, what issues, whether what was fetched may are proved first; for
// the rest the pipeline takes the flat shell's (eu_same_cut.vh): a question that a solver
// answers at once.
//
// Clocks: 0 to 10 what was in the pipeline leaves it, two instructions are written; 11 load;
// 12 the visit; 22 all is over. bad_o: what must never be 1, but for [35], which has
// to be possible. eu_same_joins.sh joins f_*, p_* and l_* to the shells.
`default_nettype none
`include "igpu_eu.vh"
`include "igpu_regs.vh"

module eu_same_proof #(
    parameter RING = 4                             // responses that a ring holds
) (
    input  wire                     clk_i,
    // ---- the launch: oldest first; the store's two instructions ----
    input  wire                     oldest_i,
    input  wire [`IGPU_CTL_W-1:0]   ctl_i,
    input  wire [7:0]               dur_i,
    input  wire [`IGPU_SET_W-1:0]   set_i,
    input  wire [`IGPU_NEED_W-1:0]  need_i,
    // ---- the last visit: its cycle, and the next that it named ----
    input  wire [`IGPU_STAMP_W-1:0] last_i,
    input  wire                     sleeps_i,
    input  wire [`IGPU_STAMP_W-1:0] wake_i,
    // ---- the visit, so many cycles later ----
    input  wire [`IGPU_STAMP_W-1:0] after_i,
    input  wire                     first_i,
    input  wire                     old_i,
    input  wire                     open_i,
    input  wire [2:0]               slot_i,
    input  wire [`IGPU_UOP_W-1:0]   pc_i,
    input  wire [`IGPU_LEN_W-1:0]   len_i,
    input  wire [7:0]               wait_i,
    input  wire                     done_i,
    input  wire [2:0]               done_slot_i,
    input  wire [`IGPU_UOP_W-1:0]   done_uop_i,
    input  wire                     full_i,
    input  wire [`IGPU_UOP_W-1:0]   run_pc_i,      // the answer, if it asks
    input  wire [`IGPU_LEN_W-1:0]   run_len_i,
    input  wire [7:0]               run_wait_i,
    input  wire [2:0]               cut_i,         // see `cut`
    output wire [110:0]             bad_o
);

    localparam T = `IGPU_STAMP_W;
    localparam D = `IGPU_DIST_W;
    localparam E = `IGPU_FLIGHT_W;
    localparam L = `IGPU_LEN_W;
    localparam P = `IGPU_LEN_W + `IGPU_UOP_W;      // a place in a run
    localparam R = `IGPU_RESP_W;
    localparam S = `IGPU_SET_W;
    localparam U = `IGPU_UOP_W;
    localparam [31:0] MOST = RING;
    localparam DUE = E - D;                        // of a flight: `IGPU_FLIGHT_D
    localparam END = 6;                            // `IGPU_WORD_EOT
    localparam [T-1:0] HALF = 511, MARK = 256;     // cycles: what a stamp tells, and `old`

    // ---- the flat shell's state ----
    (* keep *) wire [6:0]   f_has, f_late, f_hold, f_held, f_ready, f_unit1, f_unit0, f_above;
    (* keep *) wire [55:0]  f_free;
    (* keep *) wire [62:0]  f_late_at;
    (* keep *) wire [48:0]  f_older;
    (* keep *) wire [8:0]   f_near;
    (* keep *) wire [27:0]  f_rr;
    (* keep *) wire [1:0]   f_flying;
    (* keep *) wire [2*E-1:0] f_head;
    (* keep *) wire [7:0]   f_wr, f_rd;
    (* keep *) wire [13:0]  f_last;
    (* keep *) wire [32*E-1:0] f_ring;
    (* keep *) wire [2:0]   f_taken;
    (* keep *) wire [3*D-1:0] f_until;
    (* keep *) wire         f_writes;
    (* keep *) wire [7:0]   f_written;
    (* keep *) wire [R-1:0] f_resp;
    (* keep *) wire [6:0]   f_rwr, f_rrd;
    (* keep *) wire [RING*R-1:0] f_rring;
    (* keep *) wire [7*64-1:0] f_busy_lo, f_busy_hi, f_need_lo, f_need_hi, f_word;
    (* keep *) wire [7*8-1:0]  f_busy_x, f_need_x;
    (* keep *) wire [7*P-1:0]  f_place;
    (* keep *) wire [6:0]   t_who;                 // who fetches,
    (* keep *) wire [6:0]   t_fresh;               // ... and needs nothing more,
    (* keep *) wire [6:0]   t_cleared, t_met;      // whose results come, who needs no more,
    (* keep *) wire [3:0]   t_issue;               // what issues,
    (* keep *) wire [27:0]  t_picked;              // ... of whom

    // ---- the same in the pipeline; what it takes instead, if `cut` ----
    (* keep *) wire         own_fetch, own_met;
    (* keep *) wire [6:0]   own_who, own_may;
    (* keep *) wire [3:0]   own_issue;
    (* keep *) wire [27:0]  own_picked;
    (* keep *) reg  [6:0]   cut_who, cut_may;
    (* keep *) reg  [3:0]   cut_issue;
    (* keep *) reg  [27:0]  cut_picked;
    (* keep *) reg          cut_met;
    (* keep *) wire         cut_fetches, cut_picks, cut_mays, cut_mets;

    // ---- the pipeline's RAMs, and what they have to hold ----
    (* keep *) wire [55:0]  p_flags, p_free;
    (* keep *) wire [62:0]  p_late_at;
    (* keep *) wire [6:0]   p_above;
    (* keep *) wire [20:0]  p_pairs;
    (* keep *) wire [27:0]  p_rr;
    (* keep *) wire [2*(1+E)-1:0] p_head;
    (* keep *) wire [2*15-1:0] p_track;
    (* keep *) wire [32*E-1:0] p_ring;
    (* keep *) wire [22:0]  p_resp;
    (* keep *) wire [S+2:0] p_rword;
    (* keep *) wire [RING*R-1:0] p_rring;
    (* keep *) wire [7*64-1:0] p_busy_lo, p_busy_hi, p_need_lo, p_need_hi;
    (* keep *) wire [7*8-1:0]  p_busy_x, p_need_x;
    (* keep *) wire [4*8*64-1:0] p_word;
    (* keep *) wire [3*(7+S)-1:0] p_last;
    (* keep *) wire [3*(1+D)-1:0] p_until;
    (* keep *) wire [8*P-1:0]  p_first;
    (* keep *) wire         p_next;                // whether the next cycle is one with work
    (* keep *) wire [8*P+7:0]  p_place;            // and whether it is redirected: never here
    reg  [55:0]  l_flags, l_free;
    reg  [62:0]  l_late_at;
    reg  [6:0]   l_above;
    reg  [20:0]  l_pairs;
    reg  [27:0]  l_rr;
    reg  [2*(1+E)-1:0] l_head;
    reg  [2*15-1:0] l_track;
    reg  [32*E-1:0] l_ring;
    reg  [22:0]  l_resp;
    reg  [S+2:0] l_rword;
    reg  [RING*R-1:0] l_rring;
    reg  [7*64-1:0] l_busy_lo, l_busy_hi, l_need_lo, l_need_hi;
    reg  [7*8-1:0]  l_busy_x, l_need_x;
    reg  [4*8*64-1:0] l_word;
    reg  [3*(7+S)-1:0] l_last;
    reg  [3*(1+D)-1:0] l_until;
    reg  [8*P-1:0]  l_first;
    reg  [8*P+7:0]  l_place;

    `include "eu_same_state.vh"

    // ---- visits ----
    reg  [4:0]   clock_q = 5'd0;
    reg  [2:0]   cut_q;                            // any, and stays
    reg          legal_q = 1'b1, oldest_q, sleeps_q;
    reg  [T-1:0] now_q, wake_q;
    reg  [S-1:0] set0_q, set1_q;
    reg  [7:0]   dur0_q, dur1_q;
    reg  [U-1:0] run_pc_q;
    reg  [L-1:0] run_len_q;
    reg  [7:0]   run_wait_q;
    wire         load  = clock_q == 5'd11;
    wire         visit = clock_q == 5'd12;
    wire         over  = clock_q == 5'd22;
    wire         write = clock_q == 5'd8 || clock_q == 5'd9;
    assign       cut_fetches = cut_q[0] && clock_q == 5'd14;
    assign       cut_picks   = cut_q[0] && clock_q == 5'd17;
    assign       cut_mays    = cut_q[1] && clock_q == 5'd15;
    assign       cut_mets    = cut_q[2] && clock_q == 5'd18;
    wire [T-1:0] now   = now_q + after_i;

    `include "eu_same_kept.vh"

    // ---- contracts ----
    wire [1:0] unit = ctl_i[`IGPU_CTL_UNIT];
    wire       instruction = (unit == `IGPU_UNIT_BRANCH || ctl_i[`IGPU_CTL_OCC] != 8'd0) &&
                             ctl_i[`IGPU_CTL_FE] >= 8'd2 && dur_i != 8'd0 &&
                             (!ctl_i[`IGPU_CTL_EOT] || unit == `IGPU_UNIT_SEND);
    wire       in_time = old_i ? (sleeps_q || (after_i > MARK && after_i <= wake_q - now_q)) :
                         after_i != {T{1'b0}} && after_i <= HALF &&
                         (sleeps_q || after_i <= wake_q - now_q);
    wire       opens   = slot_i != 3'd7 && (first_i || (live & (7'd1 << slot_i)) == 7'd0) &&
                         len_i != {L{1'b0}};

    wire allowed = (first_i ? !done_i : in_time) && (!open_i || opens) && done_slot_i != 3'd7 &&
                   run_len_i != {L{1'b0}};

    // ---- the shells: [0] igpu_eu_flat, [1] igpu_eu_pipe ----
    wire [1:0]     ask, any, eot, port, fetch, leave, sleep, unused_ask, unused_ret, unused_leave;
    wire [5:0]     ask_slot, fetch_slot, occupied;
    wire [2*T-1:0] ask_now, ret_now, from, wake;
    wire [7:0]     valid;
    wire [23:0]    slots;
    wire [8*U-1:0] uops;
    wire [47:0]    cycles;
    wire [13:0]    held;
    wire [T-1:0]   unused_wake;
    wire           branch;                         // a thread is redirected: never here

    `define SHELL_PORTS(N) \
        .clk_i(clk_i), .rst_ni(clock_q > 5'd11), .oldest_i(oldest_q), .s0_valid_i(visit), \
        .s0_ctx_i(1'b0), .s0_now_i(now), .s0_first_i(first_i), .s0_old_i(old_i), \
        .s0_open_slot_i(slot_i), .s0_open_pc_i(pc_i), .s0_open_len_i(len_i), \
        .s0_open_wait_i(wait_i), .s0_redir_slot_i(3'd0), .s0_redir_pc_i({U{1'b0}}), \
        .s0_redir_len_i({L{1'b0}}), .s0_redir_wait_i(8'd0), \
        .s0_done_i(visit && done_i), .s0_done_slot_i(done_slot_i), \
        .s0_done_uop_i(done_uop_i), .s0_full_i(full_i), .store_we_i(write), \
        .store_addr_i(clock_q[0]), .store_ctl_i(ctl_i), .store_dur_i(dur_i), \
        .store_set_i(set_i), .store_need_i(need_i), .ask_o(ask[N]), \
        .ask_ctx_o(unused_ask[N]), .ask_slot_o(ask_slot[3*N +: 3]), \
        .ask_now_o(ask_now[T*N +: T]), .run_pc_i(run_pc_q), .run_len_i(run_len_q), \
        .run_wait_i(run_wait_q), .ret_any_o(any[N]), .ret_ctx_o(unused_ret[N]), \
        .ret_now_o(ret_now[T*N +: T]), .ret_valid_o(valid[4*N +: 4]), \
        .ret_slot_o(slots[12*N +: 12]), .ret0_uop_o(uops[U*(4*N) +: U]), \
        .ret1_uop_o(uops[U*(4*N+1) +: U]), .ret2_uop_o(uops[U*(4*N+2) +: U]), \
        .ret3_uop_o(uops[U*(4*N+3) +: U]), .ret_eot_o(eot[N]), .ret_port_o(port[N]), \
        .ret_from_o(from[T*N +: T]), .ret_fetch_o(fetch[N]), \
        .ret_fetch_slot_o(fetch_slot[3*N +: 3]), .ret_busy_o(occupied[3*N +: 3]), \
        .ret_left_o(cycles[24*N +: 24]), .ret_held_o(held[7*N +: 7]), .leave_o(leave[N]), \
        .leave_ctx_o(unused_leave[N]), .leave_sleep_o(sleep[N]), .leave_wake_o(wake[T*N +: T])

    igpu_eu_flat #(.CONTEXTS(1), .CW(1), .STORE_DEPTH(2), .STORE_AW(1)) u_flat (
        `SHELL_PORTS(0), .s0_runs_i({1'b0, visit && open_i}),
        .wake_o(unused_wake));
    igpu_eu_pipe #(.CONTEXTS(1), .CW(1), .STORE_DEPTH(2), .STORE_AW(1)) u_pipe (
        `SHELL_PORTS(1), .s0_open_i(visit && open_i), .s0_redir_i(1'b0), .ret_branch_o(branch));

    // ---- what a visit gives back, as far as it means something ----
    localparam W = T + 4 + 12 + 4*U + 2 + T + 1 + 3 + 3 + 24 + 7;

    function [11:0] three(input [3:0] which);
        three = {{3{which[3]}}, {3{which[2]}}, {3{which[1]}}, {3{which[0]}}};
    endfunction

    wire [2*W-1:0] gives;
    genvar         n;
    generate
        for (n = 0; n < 2; n = n + 1) begin : g_shell
            wire [3:0]     v = valid[4*n +: 4];
            wire [4*U-1:0] u = {{U{v[3]}}, {U{v[2]}}, {U{v[1]}}, {U{v[0]}}};
            wire [2:0]     b = occupied[3*n +: 3];

            assign gives[W*n +: W] = {
                ret_now[T*n +: T], v, slots[12*n +: 12] & three(v),
                uops[4*U*n +: 4*U] & u, {eot[n], port[n]} & {2{v[2]}},
                from[T*n +: T] & {T{v[2]}}, fetch[n], fetch_slot[3*n +: 3] & {3{fetch[n]}}, b,
                cycles[24*n +: 24] & {{8{b[2]}}, {8{b[1]}}, {8{b[0]}}}, held[7*n +: 7]};
        end
    endgenerate

    // [0]: flat, [1]: pipe; each since the visit.
    reg              branch_q;
    reg  [1:0]       asked_q, any_q, left_q;
    reg  [2*(3+T)-1:0] asks_q;
    reg  [2*W-1:0]   gave_q;
    reg  [2*T+1:0]   leaves_q;
    reg              fetches_q, picks_q;           // the two differ
    reg  [6:0]       mays_q, mets_q;               // ... by thread
    reg  [6:0]       may_q, may_held_q;            // before the visit
    reg  [1:0]       next_q;                       // something may fetch or issue at once
    integer          m;

    // As igpu_eu_rest.vh says it: of the flat shell's state behind the visit, and who has
    // fetched what may issue.
    wire [6:0]       now_fresh = t_fresh & f_held;
    wire             next = (f_has & ~f_held & ~f_hold) != 7'd0 ||
                            (f_ready & f_unit1 & f_unit0) != 7'd0 ||
                            (f_taken[1:0] != 2'b11 && (now_fresh & ~f_unit1 & ~f_unit0) != 7'd0) ||
                            (!f_taken[1] && (now_fresh & ~f_unit1 & f_unit0) != 7'd0) ||
                            (!f_taken[2] && (now_fresh & f_unit1 & ~f_unit0) != 7'd0);

    always @(posedge clk_i) begin
        clock_q <= (clock_q == 5'd23) ? 5'd23 : clock_q + 5'd1;
        if (write) begin
            {set1_q, dur1_q, set0_q, dur0_q} <= {set_i, dur_i, set1_q, dur1_q};
            legal_q <= legal_q && instruction;
        end
        if (clock_q < 5'd11) begin
            oldest_q <= oldest_i;
            now_q    <= last_i;
            sleeps_q <= sleeps_i;
            wake_q   <= wake_i;
        end
        if (visit) begin
            legal_q <= legal_q && allowed && (first_i || kept == {28{1'b1}});
            now_q   <= now;
            {run_pc_q, run_len_q, run_wait_q} <= {run_pc_i, run_len_i, run_wait_i};
            {asked_q, any_q, left_q, branch_q} <= 7'd0;
            asks_q  <= {2*(3+T){1'b0}};
        end else
            for (m = 0; m < 2; m = m + 1) begin
                if (ask[m])
                    asks_q[(3+T)*m +: 3+T] <= {ask_slot[3*m +: 3], ask_now[T*m +: T]};
                if (any[m] && (m == 1) && branch)
                    branch_q <= 1'b1;
                if (any[m])
                    gave_q[W*m +: W] <= gives[W*m +: W];
                if (leave[m])
                    leaves_q[(T+1)*m +: T+1] <= {sleep[m], sleep[m] ? {T{1'b0}} : wake[T*m +: T]};
                asked_q[m] <= asked_q[m] || ask[m];
                any_q[m]   <= any_q[m] || any[m];
                left_q[m]  <= left_q[m] || leave[m];
            end
        if (clock_q == 5'd0)
            cut_q <= cut_i;
        if (clock_q == 5'd13)
            {cut_who, cut_may, cut_met, cut_issue, cut_picked} <=
                {t_who, may_q | (may_held_q & t_cleared & t_met), t_fresh != 7'd0, t_issue,
                 t_picked};
        if (clock_q == 5'd14)
            fetches_q <= own_fetch != (cut_who != 7'd0) || own_who != cut_who;
        if (visit)
            {may_q, may_held_q} <= first_i ? 14'd0 : {f_ready, f_held};
        if (clock_q == 5'd15)
            mays_q <= own_may ^ cut_may;
        if (clock_q == 5'd18)
            mets_q <= cut_who & {7{own_met != cut_met}};
        if (clock_q == 5'd17)
            picks_q <= own_issue != cut_issue || own_picked != cut_picked;
        if (leave[0])
            {sleeps_q, wake_q} <= {sleep[0], wake[0 +: T]};
        if (clock_q == 5'd13)
            next_q[0] <= next;
        if (clock_q == 5'd20)
            next_q[1] <= p_next;
    end

    wire differ_ret  = branch_q || any_q != 2'b11 || gave_q[W-1:0] != gave_q[2*W-1:W];
    wire differ_ask  = asked_q[0] != asked_q[1] || asks_q[0 +: 3+T] != asks_q[3+T +: 3+T];
    wire differ_next = left_q != 2'b11 || next_q[0] != next_q[1];
    // All that a visit can do, at once: a result of each kind, a fetch that asks, an issue
    // of each unit.
    wire reached     = gave_q[W-1-T -: 4] == 4'b1111 && asked_q == 2'b11;

    // By thread, and by plane of the flags: smaller questions are answered sooner.
    reg [6:0] busies;
    reg [7:0] flags;

    always @* begin
        for (i = 0; i < 7; i = i + 1)
            busies[i] = p_busy_lo[64*i +: 64] != l_busy_lo[64*i +: 64] ||
                        p_busy_hi[64*i +: 64] != l_busy_hi[64*i +: 64] ||
                        p_busy_x[8*i +: 8] != l_busy_x[8*i +: 8];
        for (i = 0; i < 8; i = i + 1)
            flags[i] = p_flags[7*i +: 7] != l_flags[7*i +: 7];
    end

    `include "eu_same_ends.vh"

    // What is proved first: who fetches and may issue, of the pipeline alone; what issues, with
    // those that may as cut; whether the fetched instruction may issue, with what was fetched
    // and issued as cut. All else with all cuts.
    wire [7:0] cut = 8'd1 << cut_q;

    assign bad_o = {111{legal_q && over}} & {
        {59{cut[7]}} & {ends, ~kept},
        {7{cut[1]}} & mets_q, {7{cut[0]}} & mays_q, cut[2] && picks_q, cut[0] && fetches_q,
        reached, {35{cut[7]}} & {
            flags, busies, differ_next, differ_ask, differ_ret, p_free != l_free,
            p_late_at != l_late_at, p_above != l_above, p_pairs != l_pairs, p_rr != l_rr,
            p_head != l_head, p_track != l_track, p_ring != l_ring, p_resp != l_resp,
            p_rword != l_rword, p_rring != l_rring,
            {p_need_lo, p_need_hi, p_need_x} != {l_need_lo, l_need_hi, l_need_x},
            p_word != l_word, p_until != l_until, p_first != l_first, p_place != l_place,
            1'b0}};

endmodule

`default_nettype wire

// The two shells of the EU side by side, one context, from its first visit on: all that a
// visit gives back is equal, whatever four instructions there are, whatever RAMs and
// registers begin with, and whatever the visits are given, as the contracts allow it. A
// visit is made every twelve clocks, so that it has left both shells before the next; bad
// is 1 in a clock in which they differ. For ABC's bounded model checking, which asks for
// outputs: what the contracts allow is made of free inputs, not assumed.
module eu_shells_proof (
    input  wire        clk,
    input  wire [49:0] any_need,       // an instruction
    input  wire [21:0] any_set,
    input  wire [25:0] any_ctl,
    input  wire [7:0]  any_dur,
    input  wire [9:0]  any_step,       // a visit
    input  wire        any_old,
    input  wire        any_full,
    input  wire        any_done,
    input  wire        any_open,
    input  wire [2:0]  any_slot,
    input  wire [1:0]  any_pc,         // a thread's first run
    input  wire [1:0]  any_len,
    input  wire [7:0]  any_wait,
    input  wire [1:0]  any_run_pc,     // the run that it asks for
    input  wire [1:0]  any_run_len,
    input  wire [7:0]  any_run_wait,
    input  wire        any_oldest,
    output wire        bad
);
    // ---- time: four clocks of reset, in which the store is written, then visits ----
    reg [2:0] before_q = 3'd0;
    reg [3:0] phase_q = 4'd0;
    reg       first_q = 1'b1, oldest_q = 1'b0;
    wire      rst_n = before_q[2];
    wire      visit = rst_n && phase_q == 4'd0;

    always @(posedge clk) begin
        if (!rst_n)
            {before_q, oldest_q} <= {before_q + 3'd1, any_oldest};
        else
            phase_q <= phase_q == 4'd11 ? 4'd0 : phase_q + 4'd1;
        if (visit)
            first_q <= 1'b0;
    end

    // ---- the store: the last instruction ends its thread ----
    wire        eot  = before_q[1:0] == 2'd3;
    wire [1:0]  unit = eot ? 2'd2 : any_ctl[1:0];
    wire [7:0]  occ  = any_ctl[11:4] == 8'd0 ? 8'd1 : any_ctl[11:4];
    wire [7:0]  fe   = any_ctl[19:12] < 8'd2 ? 8'd2 : any_ctl[19:12];
    wire [25:0] ctl  = {any_ctl[25:20], fe, occ, any_ctl[3], eot, unit};
    wire [7:0]  dur  = any_dur == 8'd0 ? 8'd1 : any_dur;
    wire [21:0] set  = (eot || unit == 2'd3) ? 22'h00007f : any_set;
    wire [49:0] need = eot ? {8'hff, 28'd0, 14'h3f80} : {any_need[49:42] | set[21:14], any_need[41:0]};

    // ---- what a visit is given ----
    reg  [10:0] now_q, wake_q;
    reg         sleep_q;
    reg  [6:0]  threads_q = 7'd0;
    reg  [2:0]  messages_q = 3'd0;     // that wait for a response, the oldest in the lowest bits
    reg  [19:0] which_q;               // {thread, instruction} of each
    wire [10:0] ahead = {1'b0, any_step} + 11'd1;
    wire [10:0] span  = wake_q - now_q;
    wire [10:0] step  = (first_q || sleep_q || ahead < span) ? ahead : span;
    wire [10:0] now   = now_q + step;
    wire        old   = !first_q && (step > 11'd511 || (step > 11'd256 && any_old));
    wire        open  = visit && any_open && any_slot != 3'd7 && !threads_q[any_slot];
    wire        done  = visit && any_done && messages_q != 3'd0;
    wire        full  = any_full || messages_q == 3'd4;
    wire [1:0]  most  = any_pc == 2'd3 ? 2'd1 : 2'd3 - any_pc;
    wire [1:0]  len   = any_len == 2'd0 ? 2'd1 : any_len > most ? most : any_len;
    wire [1:0]  next  = any_run_pc == 2'd3 ? 2'd1 : 2'd3 - any_run_pc;
    reg  [11:0] run_q;

    always @(posedge clk) begin
        if (visit) begin
            now_q <= now;
            run_q <= {any_run_wait, any_run_pc,
                      any_run_len == 2'd0 ? 2'd1 : any_run_len > next ? next : any_run_len};
        end
    end

    // ---- the shells ----
    `define SHELL(N) \
        wire        ask``N, any``N, fetch``N, eot``N, port``N, leave``N, sleep``N; \
        wire [0:0]  ask_ctx``N, ctx``N, leave_ctx``N; \
        wire [2:0]  ask_slot``N, fetch_slot``N, busy``N; \
        wire [10:0] ask_now``N, now``N, from``N, wake``N; \
        wire [3:0]  valid``N; \
        wire [11:0] slot``N; \
        wire [67:0] uop``N; \
        wire [23:0] left``N; \
        wire [6:0]  held``N;
    `define PORTS(N) \
        .clk_i(clk), .rst_ni(rst_n), .oldest_i(oldest_q), .s0_valid_i(visit), \
        .s0_ctx_i(1'b0), .s0_now_i(now), .s0_first_i(first_q), .s0_old_i(old), \
        .s0_open_i(open), .s0_open_slot_i(any_slot), .s0_open_pc_i({15'd0, any_pc}), \
        .s0_open_len_i({10'd0, len}), .s0_open_wait_i(any_wait), .s0_done_i(done), \
        .s0_done_slot_i(which_q[4:2]), .s0_done_uop_i({15'd0, which_q[1:0]}), \
        .s0_full_i(full), .store_we_i(!rst_n), .store_addr_i(before_q[1:0]), \
        .store_ctl_i(ctl), .store_dur_i(dur), .store_set_i(set), .store_need_i(need), \
        .ask_o(ask``N), .ask_ctx_o(ask_ctx``N), .ask_slot_o(ask_slot``N), \
        .ask_now_o(ask_now``N), .run_pc_i({15'd0, run_q[3:2]}), \
        .run_len_i({10'd0, run_q[1:0]}), .run_wait_i(run_q[11:4]), .ret_any_o(any``N), \
        .ret_ctx_o(ctx``N), .ret_now_o(now``N), .ret_valid_o(valid``N), \
        .ret_slot_o(slot``N), .ret0_uop_o(uop``N[16:0]), .ret1_uop_o(uop``N[33:17]), \
        .ret2_uop_o(uop``N[50:34]), .ret3_uop_o(uop``N[67:51]), .ret_eot_o(eot``N), \
        .ret_port_o(port``N), .ret_from_o(from``N), .ret_fetch_o(fetch``N), \
        .ret_fetch_slot_o(fetch_slot``N), .ret_busy_o(busy``N), .ret_left_o(left``N), \
        .ret_held_o(held``N), .leave_o(leave``N), .leave_ctx_o(leave_ctx``N), \
        .leave_sleep_o(sleep``N), .leave_wake_o(wake``N)
    `SHELL(0)
    `SHELL(1)
    wire [10:0] unused_wake;

    igpu_eu_flat #(.CONTEXTS(1), .CW(1), .STORE_DEPTH(4), .STORE_AW(2)) u_flat (
        `PORTS(0), .wake_o(unused_wake));
    igpu_eu_pipe #(.CONTEXTS(1), .CW(1), .STORE_DEPTH(4), .STORE_AW(2)) u_pipe (`PORTS(1));

    // ---- what the flat shell gave back; what the pipeline does now ----
    // Of a unit that does not issue or is not occupied nothing is told.
    function [214:0] told(
        input any, input [10:0] at, input [3:0] valid, input [11:0] slot, input [67:0] uop,
        input ends, input port, input [10:0] from, input fetch, input [2:0] fetch_slot,
        input [2:0] busy, input [23:0] left, input [6:0] held);
        integer u;
        begin
            told = 215'd0;
            told[14:0] = {any, at[9:0], valid};
            for (u = 0; u < 4; u = u + 1)
                if (valid[u])
                    told[15 + 20*u +: 20] = {slot[3*u +: 3], uop[17*u +: 17]};
            if (valid[2])
                told[107:95] = {ends, port, from};
            told[114:108] = held;
            for (u = 0; u < 3; u = u + 1)
                if (busy[u])
                    told[115 + 9*u +: 9] = {1'b1, left[8*u +: 8]};
            if (fetch)
                told[145:142] = {1'b1, fetch_slot};
            told[146] = at[10];
        end
    endfunction

    wire [214:0] told0 = told(any0, now0, valid0, slot0, uop0, eot0, port0, from0, fetch0,
                              fetch_slot0, busy0, left0, held0);
    wire [214:0] told1 = told(any1, now1, valid1, slot1, uop1, eot1, port1, from1, fetch1,
                              fetch_slot1, busy1, left1, held1);
    wire [14:0]  asked0 = ask0 ? {1'b1, ask_slot0, ask_now0} : 15'd0;
    wire [14:0]  asked1 = ask1 ? {1'b1, ask_slot1, ask_now1} : 15'd0;
    wire [12:0]  went0 = leave0 ? {1'b1, sleep0, sleep0 ? 11'd0 : wake0} : 13'd0;
    wire [12:0]  went1 = leave1 ? {1'b1, sleep1, sleep1 ? 11'd0 : wake1} : 13'd0;
    reg  [214:0] told_q;
    reg  [14:0]  asked_q;
    reg  [12:0]  went_q;

    always @(posedge clk) begin
        if (phase_q == 4'd1)
            {told_q, asked_q} <= {told0, asked0};
        if (phase_q == 4'd2)
            went_q <= went0;
        if (phase_q == 4'd9)
            {sleep_q, wake_q} <= {sleep1, wake1};
        // a message waits for its response; the end of a thread frees its slot
        if (phase_q == 4'd7) begin
            if (valid1[2] && !eot1) begin
                which_q[5*messages_q[1:0] +: 5] <= {slot1[8:6], uop1[35:34]};
                messages_q <= messages_q + 3'd1;
            end
            if (valid1[2] && eot1)
                threads_q[slot1[8:6]] <= 1'b0;
        end
        if (visit) begin
            if (open)
                threads_q[any_slot] <= 1'b1;
            if (done) begin
                messages_q <= messages_q - 3'd1;
                which_q    <= which_q >> 5;
            end
        end
    end

    assign bad = rst_n && ((phase_q == 4'd5 && asked1 != asked_q) ||
                           (phase_q == 4'd7 && told1 != told_q) ||
                           (phase_q == 4'd9 && went1 != went_q));
endmodule

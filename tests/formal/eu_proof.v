// What igpu_eu's scoreboard must keep in any state it can reach: a thread may issue
// only while it holds an instruction of which no bit is busy.
module eu_proof #(parameter THREAD = 3) (
    input wire        clk,
    input wire        rst_n,
    input wire        eval,
    input wire        ce,
    input wire [47:0] now,
    input wire        open_v, done_v, grant,
    input wire [2:0]  open_slot, done_slot,
    input wire [16:0] open_pc, done_uop, run_pc,
    input wire [11:0] open_len, run_len,
    input wire [7:0]  open_wait, run_wait
);
    (* keep *) wire [6:0]  ready, held; // joined to u_dut's
    (* keep *) wire [63:0] need_lo, need_hi, busy_lo, busy_hi; // of one thread
    (* keep *) wire [7:0]  need_x, busy_x;

    igpu_eu #(.STORE_DEPTH(2), .STORE_AW(1)) u_dut (
        .clk_i(clk), .rst_ni(rst_n), .eval_i(eval), .ce_i(ce && !eval), .now_i(now),
        .store_clk_i(clk), .store_we_i(1'b0), .store_addr_i(1'b0),
        .store_need_lo_i(64'd0), .store_need_hi_i(64'd0), .store_need_x_i(8'd0),
        .store_set_lo_i(64'd0), .store_set_hi_i(64'd0), .store_set_x_i(8'd0),
        .store_ctl_i(26'd0), .store_dur_i(8'd0), .open_valid_i(open_v),
        .open_slot_i(open_slot), .open_pc_i(open_pc), .open_len_i(open_len),
        .open_wait_i(open_wait), .run_pc_i(run_pc), .run_len_i(run_len),
        .run_wait_i(run_wait), .done_i(done_v), .done_slot_i(done_slot),
        .done_uop_i(done_uop), .msg_grant_i(grant));

    // Nothing is promised before the first reset.
    reg live;
    initial live = 1'b0;
    always @(posedge clk) live <= live || !rst_n;

    always @* begin
        assert (!live || (ready & ~held) == 7'd0);
        if (ready[THREAD])
            assert (!live || ((need_lo & busy_lo) | (need_hi & busy_hi) |
                              {56'd0, need_x & busy_x}) == 64'd0);
    end
endmodule

// What igpu_eu_seq must do in any state it can reach, with a pipeline from which
// visits leave in order, whenever it likes: no cycle ends while a context owes a visit in it (it was given
// something, or its next cycle has come), or while a visit of the cycle before is under
// way; time never leaps over a cycle that a context has named; a context is visited only
// if it owes a visit, never while its last one is under way, and not while it waits. With that, RAMs that a
// visit reads by context hold what the visit before wrote.
module seq_proof #(parameter C = 3) (
    input wire         clk,
    input wire         rst_n,
    input wire         go,
    input wire         want,       // end the cycle, if it may end
    input wire [C-1:0] given,
    input wire [C-1:0] waits,      // not visited in this clock: any, at any time
    input wire [10:0]  jump,       // cycles to go on, 1 or more
    input wire         leave,
    input wire [1:0]   leave_ctx,
    input wire         leave_sleep,
    input wire [10:0]  leave_wake
);
    (* keep *) wire [C-1:0]    due_q, flying_q, alarm_q;   // joined to u_dut's
    (* keep *) wire [11*C-1:0] wake_q;
    (* keep *) wire [3:0]      flights_q, late_q;
    wire         calm, empty, asleep, valid, first, old;
    wire [C-1:0] pick;
    wire [1:0]   ctx;
    wire [10:0]  vnow, soon;
    reg  [10:0]  now;
    reg  [C-1:0] owes, flying, before, alarm;   // before: its visit is of the cycle before
    reg  [11*C-1:0] wake;
    wire         tick  = want && calm && go;
    wire [10:0]  cycle = tick ? now + jump : now;
    wire [C-1:0] left  = leave ? 3'd1 << leave_ctx : 3'd0;

    igpu_eu_seq #(.CONTEXTS(C), .CW(2)) u_dut (
        .clk_i(clk), .rst_ni(rst_n), .go_i(go), .tick_i(tick), .now_i(now),
        .next_i(cycle), .given_i(given), .wait_i(waits), .calm_o(calm), .empty_o(empty),
        .asleep_o(asleep), .soon_o(soon), .first_o(), .pick_o(pick), .leave_i(leave),
        .leave_ctx_i(leave_ctx), .leave_sleep_i(leave_sleep), .leave_wake_i(leave_wake),
        .sq_valid_q(valid), .sq_ctx_q(ctx), .sq_now_q(vnow), .sq_first_q(first),
        .sq_old_q(old));

    always @* begin
        assume (!leave || (leave_ctx < C && flying[leave_ctx]));
        assume (!leave || (flying & before) == 0 || (left & before) != 0); // in order
        assume (jump != 0);
        assume (jump == 1 || (asleep && jump <= soon && jump <= 255 - now[7:0]));
        assert (!live || !tick || (owes == 0 && (flying & before) == 0));
        assert (!live || (pick & ~owes) == 0);
        assert (!live || (pick & flying) == 0);
        assert (!live || (pick & waits) == 0);
        assert (!live || empty == (flying == 0));
        // the block's state is the model's
        assert (!live || (due_q == owes && flying_q == flying && alarm_q == alarm));
        assert (!live || flights_q == flying[0] + flying[1] + flying[2]);
        assert (!live || late_q == (flying[0] && before[0]) + (flying[1] && before[1]) +
                                   (flying[2] && before[2]));
    end

    genvar k;
    generate
        for (k = 0; k < C; k = k + 1) begin : g_ctx
            wire [10:0] ahead = wake[11*k +: 11] - now;
            wire [10:0] next  = leave_wake - now;
            always @* begin
                // a visit names a cycle behind its own, and not too far ahead
                assume (!left[k] || leave_sleep ||
                        (next < 1000 && (next != 0 || before[k])));
                assert (!live || !alarm[k] || wake_q[11*k +: 11] == wake[11*k +: 11]);
                assert (!live || !alarm[k] || flying[k] == 0);
                assert (!live || !alarm[k] || owes[k] || (ahead != 0 && ahead < 1024));
                assert (!live || !tick || !alarm[k] || jump <= ahead);
            end
            always @(posedge clk) begin
                owes[k] <= rst_n && ((owes[k] && !pick[k]) || (tick && given[k]) ||
                           (alarm[k] && !pick[k] && tick && wake[11*k +: 11] == cycle) ||
                           (left[k] && !leave_sleep && leave_wake == cycle));
                flying[k] <= rst_n && (flying[k] || pick[k]) && !left[k];
                before[k] <= pick[k] ? 1'b0 : before[k] || tick;
                alarm[k]  <= rst_n && (left[k] ? !leave_sleep : alarm[k] && !pick[k]);
                if (left[k])
                    wake[11*k +: 11] <= leave_wake;
            end
        end
    endgenerate

    always @(posedge clk) now <= cycle;
    // Nothing is promised before the first reset, and so it is with u_dut's contract.
    (* keep *) wire contract;          // joined to u_dut.contract_q
    reg live;
    initial live = 1'b0;
    always @(posedge clk) live <= live || !rst_n;
    always @* assert (contract == live);
endmodule

// igpu_eu_seq_tb - the sequencer against a model of what it promises, on random wake
// times, inputs and pauses: each context is visited in exactly the cycles in which it has
// something to do, once, not while it waits, in the first visit since reset with `first`, with `old` only if
// its last visit is over 256 cycles ago and always from 512 on; no two visits of one
// context are in the pipeline at once, and no cycle ends with work left. While it is
// asleep, soon_o is how far the next work is, and time leaps there, or part of the way.

`default_nettype none
`include "igpu_eu.vh"

module igpu_eu_seq_tb;
    `include "igpu_check.vh"

    localparam C = 5;
    localparam DEPTH = 9;                  // clocks from s0 to s9

    reg                     clk = 0, rst_n = 0, go = 1, want_tick = 0;
    reg  [31:0]             now = 0, next = 1;
    wire [10:0]             soon_o;
    wire                    asleep;
    reg  [C-1:0]            given = 0, waits = 0;
    wire                    calm, empty, valid, first, old;
    wire [C-1:0]            pick, unused_first;
    wire [2:0]              ctx;
    wire [10:0]             vnow;
    wire                    tick = want_tick && calm;

    // ---- the pipeline: a visit leaves DEPTH clocks after s0 with a random wake time ----
    reg  [DEPTH-1:0]        p_valid = 0;
    reg  [3*DEPTH-1:0]      p_ctx = 0;
    reg  [32*DEPTH-1:0]     p_wake = 0;    // 0: sleeps
    wire                    leave = p_valid[DEPTH-1];
    wire [2:0]              leave_ctx = p_ctx[3*DEPTH-1 -: 3];
    wire [31:0]             leave_wake = p_wake[32*DEPTH-1 -: 32];

    igpu_eu_seq #(.CONTEXTS(C), .CW(3)) u_seq (
        .clk_i(clk), .rst_ni(rst_n), .go_i(go), .tick_i(tick), .now_i(now[10:0]),
        .next_i(next[10:0]), .given_i(given), .wait_i(waits), .calm_o(calm),
        .empty_o(empty), .asleep_o(asleep), .soon_o(soon_o), .first_o(unused_first), .pick_o(pick), .leave_i(leave),
        .leave_ctx_i(leave_ctx), .leave_sleep_i(leave_wake == 0),
        .leave_wake_i(leave_wake[10:0]), .sq_valid_q(valid), .sq_ctx_q(ctx),
        .sq_now_q(vnow), .sq_first_q(first), .sq_old_q(old));

    // ---- what should happen: by context, the next cycle with work, 0: none ----
    reg  [31:0] wake_at [0:C-1];
    reg  [31:0] given_at [0:C-1];          // an input's cycle
    reg  [31:0] last [0:C-1];              // last visited, 0: never
    reg  [C-1:0] flying;
    reg  [31:0] vcycle, soon, past;
    reg  [3:0]  s0;
    integer     chosen = C;                // in the clock before; C: none
    integer     i, t, seed = 5, visits = 0, firsts = 0, olds = 0, news = 0, mode;
    integer     spans = 0, leaps = 0;

    function work(input [2:0] c, input [31:0] at);
        work = wake_at[c] == at || given_at[c] == at;
    endfunction

    task clock;
        begin
            #1;
            // What was chosen in the clock before is shown.
            check(!rst_n || valid === (chosen != C));
            if (valid && chosen != C) begin
                visits = visits + 1;
                check(ctx === chosen && vnow === vcycle[10:0]);
                check(first === (past == 0));
                if (past != 0) begin
                    check(!old || vcycle - past > 256);
                    check(old || vcycle - past < 512);
                    olds = olds + old;
                    news = news + !old;
                end
                firsts = firsts + first;
                mode = $unsigned($random(seed)) % 8;
                soon = (mode < 4) ? 1 : (mode < 6) ? 1 + $unsigned($random(seed)) % 20 :
                       (mode < 7) ? 1 + $unsigned($random(seed)) % 1000 : 0;
                p_wake[31:0] = (soon == 0) ? 0 : vcycle + soon;
            end
            chosen = C;
            for (i = 0; i < C; i = i + 1)
                if (pick[i]) begin
                    check(chosen == C && go && !flying[i] && !waits[i] && work(i, now));
                    chosen    = i;
                    vcycle    = now;
                    past    = last[i];
                    last[i]   = now;
                    flying[i] = 1;
                    wake_at[i] = 0;        // the visit names its next cycle anew
                    if (given_at[i] == now)
                        given_at[i] = 0;
                end
            if (tick)
                for (i = 0; i < C; i = i + 1)
                    check(!work(i, now));
            if (leave) begin
                flying[leave_ctx]  = 0;
                wake_at[leave_ctx] = leave_wake;
                check(leave_wake == 0 || leave_wake >= now);
            end
            if (tick)
                for (i = 0; i < C; i = i + 1)
                    if (given[i])
                        given_at[i] = next;
            // The clock's edge; the pipeline behind the sequencer moves with it.
            spans = spans + (tick === 1'b1);
            s0    = {rst_n && valid, ctx};
            #3 clk = 1;
            #1 p_valid = {p_valid[DEPTH-2:0], s0[3]};
            p_ctx  = {p_ctx[3*(DEPTH-1)-1:0], s0[2:0]};
            p_wake = p_wake << 32;
            #4 clk = 0;
        end
    endtask

    // Values that change with an edge are set between edges.
    reg was_tick;

    // Asleep: soon_o against the model; sometimes a leap up to there, within 256 cycles.
    task leap;
        begin
            soon = 32'hffffffff;
            for (i = 0; i < C; i = i + 1) begin
                check(!flying[i] && given_at[i] == 0);
                if (wake_at[i] != 0 && wake_at[i] - now < soon)
                    soon = wake_at[i] - now;
            end
            check(soon_o === ((soon == 32'hffffffff) ? 11'h7ff : soon[10:0]));
            if (soon > 255 - now % 256)
                soon = 255 - now % 256;
            if (soon > 1 && $unsigned($random(seed)) % 4 == 0)
                soon = 1 + $unsigned($random(seed)) % soon;
            if (soon > 1) begin
                next  = now + soon;
                leaps = leaps + 1;
            end
        end
    endtask

    initial begin
        flying = 0;
        for (i = 0; i < C; i = i + 1)
            {wake_at[i], given_at[i], last[i]} = 0;
        now = 1;
        clock;
        rst_n = 1;
        checks = 0;
        bad = 0;
        for (t = 0; t < 60000; t = t + 1) begin
            want_tick = $unsigned($random(seed)) % 4 != 0;
            go        = $unsigned($random(seed)) % 16 != 0;
            given     = ($unsigned($random(seed)) % 40 == 0) ? $random(seed) : 0;
            waits     = ($unsigned($random(seed)) % 8 == 0) ? $random(seed) : 0;
            next = now + 1;
            #1 was_tick = tick;
            if (rst_n && asleep && t > 0)
                leap;
            clock;
            if (was_tick)
                now = next;
        end
        $display("# %0d visits, %0d old, %0d not, %0d first, %0d cycles, %0d leaps", visits,
                 olds, news, firsts, spans, leaps);
        check(visits > 2500 && olds > 10 && news > 1000 && firsts == C && spans > 10000);
        check(leaps > 500);
        result("each context is visited in the cycles in which it has work, and in no other");
        $finish;
    end

endmodule

`default_nettype wire

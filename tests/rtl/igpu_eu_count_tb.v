// igpu_eu_count_tb - the counters of four contexts against a count cycle by cycle: random
// visits with random issues and fetches, cycles that are leapt over, and readings in
// between, of which what lies behind the reading is taken off as a host does.

`default_nettype none
`include "igpu_regs.vh"

module igpu_eu_count_tb;
    `include "igpu_check.vh"

    localparam N = 4;

    reg         clk = 0, tick = 0, fetch = 0, valid = 0, odd = 0;
    reg  [47:0] now = 48'hff_ffff_fff0;            // the low words wrap soon
    reg  [1:0]  s7_ctx = 0, ctx = 0;
    reg  [2:0]  slot = 0, busy = 0;
    reg  [3:0]  issue = 0;
    reg  [23:0] left = 0;
    reg  [6:0]  held = 0;
    reg  [4:0]  word = 0;
    wire [7:0]  rest;
    wire [23:0] count;

    igpu_eu_count #(.ROWS(N), .CW(2)) u_count (
        .clk_i(clk), .tick_i(tick), .now_i(now), .s7_fetch_i(fetch), .s7_slot_i(slot),
        .s7_valid_i(valid), .s7_ctx_i(s7_ctx), .s7_odd_i(odd), .s7_issue_i(issue),
        .s7_busy_i(busy), .s7_left_i(left), .s7_held_i(held), .left_o(rest), .ctx_i(ctx),
        .word_i(word), .count_q(count));

    // ---- the model: how many cycles were occupied, one after the other ----
    reg  [47:0] until_ [0:3*N-1];                  // by context, unit
    reg  [47:0] sum [0:6*N-1], first [0:6*N-1];   // by context: FPU0 ... ACTIVE
    reg  [47:0] fetched [0:8*N-1], fetched_first [0:8*N-1];
    reg  [47:0] last [0:N-1];
    reg  [6:0]  holds [0:N-1];
    reg  [N-1:0] branch;                           // issued in this cycle
    reg  [47:0] got [0:31];
    integer     c, u, i, round, seed = 3, leap;
    reg  [47:0] longest, b0, b1, b2, over, both_over;

    task edge_;
        begin
            #4 clk = 1;
            #5 clk = 0;
            #1;
        end
    endtask

    // A cycle of the model.
    task pass;
        begin
            for (c = 0; c < N; c = c + 1) begin
                for (u = 0; u < 3; u = u + 1)
                    if (until_[3*c+u] > now)
                        sum[6*c+u] = sum[6*c+u] + 1;
                if (branch[c])
                    sum[6*c+3] = sum[6*c+3] + 1;
                if (until_[3*c] > now && until_[3*c+1] > now)
                    sum[6*c+4] = sum[6*c+4] + 1;
                if (branch[c] || until_[3*c] > now || until_[3*c+1] > now ||
                    until_[3*c+2] > now)
                    sum[6*c+5] = sum[6*c+5] + 1;
            end
            branch = 0;
        end
    endtask

    // What context c's visit in this cycle does, on the inputs of s7.
    task visit;
        begin
            issue = $random(seed) & $random(seed);
            for (u = 0; u < 3; u = u + 1) begin
                if (until_[3*c+u] > now)
                    issue[u] = 0;
                if (issue[u])
                    until_[3*c+u] = now + 1 + (($random(seed) & 3) == 0 ?
                                    {$random(seed)} % 255 : {$random(seed)} % 6);
                busy[u] = until_[3*c+u] > now;
                left[8*u +: 8] = busy[u] ? until_[3*c+u] - now : $random(seed);
            end
            branch[c] = issue[3];
            held      = $random(seed);
            holds[c]  = held;
            if (issue != 0)
                last[c] = now;
            longest = issue[3];
            for (u = 0; u < 3; u = u + 1)
                if (busy[u] && left[8*u +: 8] > longest)
                    longest = left[8*u +: 8];
        end
    endtask

    // All words of a context; two clocks a word.
    task read;
        begin
            ctx = c;
            for (i = 0; i < 32; i = i + 1) begin
                word = i;
                edge_;
                edge_;
                if (i[0] && i != 15)
                    got[i-1] = {count, got[i-1][23:0]};
                else
                    got[i] = count;
            end
            got[14] = got[14] & 48'hffffff;
        end
    endtask

    function [47:0] beyond(input [47:0] cycles);   // of the last issue's, from now on
        beyond = last[c] + cycles > now ? last[c] + cycles - now : 0;
    endfunction

    task compare;
        begin
            b0 = beyond(got[14][7:0]);
            b1 = beyond(got[14][15:8]);
            b2 = beyond(got[14][23:16]);
            both_over = b0 < b1 ? b0 : b1;
            over = b0 > b1 ? b0 : b1;
            over = over > b2 ? over : b2;
            check(got[0]  - first[6*c]   == sum[6*c] + b0);
            check(got[2]  - first[6*c+1] == sum[6*c+1] + b1);
            check(got[4]  - first[6*c+2] == sum[6*c+2] + b2);
            check(got[6]  - first[6*c+3] == sum[6*c+3]);
            check(got[8]  - first[6*c+4] == sum[6*c+4] + both_over);
            check(got[10] - first[6*c+5] == sum[6*c+5] + over);
            check(got[12] == last[c]);
            check(got[15] == holds[c]);
            for (i = 0; i < 7; i = i + 1)
                check(got[16+2*i] - fetched_first[8*c+i] == fetched[8*c+i]);
        end
    endtask

    // A cycle: visits of some contexts, one every second clock; the last is in s7 in the
    // next cycle.
    task cycle;
        reg [N-1:0] who;
        integer     k;
        begin
            who = $random(seed);
            for (k = 0; k < N; k = k + 1) begin
                tick = k == N - 1;
                edge_;
                tick = 0;
                c = k;
                odd = now[0];
                valid = who[k];
                s7_ctx = k;
                fetch = who[k] && $random(seed);
                slot = {$random(seed)} % 7;
                if (fetch)
                    fetched[8*k+slot] = fetched[8*k+slot] + 1;
                issue = 0;
                if (valid)
                    visit;
                if (k == N - 1) begin
                    pass;
                    leap = ($random(seed) & 31) == 0 ? {$random(seed)} % 400 : 0;
                    now = now + 1;
                end
                #1 check(!valid || issue == 0 || rest == longest);
                edge_;
                fetch = 0;
                issue = 0;
                valid = 0;
            end
            repeat (4) edge_;
            repeat (leap) begin
                pass;
                now = now + 1;
            end
        end
    endtask

    initial begin
        for (c = 0; c < N; c = c + 1) begin
            for (i = 0; i < 8; i = i + 1) begin
                u_count.u_fetched.g_block.mem[8*c+i] = {$random(seed), $random(seed)};
                fetched[8*c+i] = 0;
            end
            // Sums begin at any value, which a host reads first.
            u_count.u_sums.g_block.mem[c] = {9{$random(seed)}};
            for (u = 0; u < 6; u = u + 1)
                sum[6*c+u] = 0;
            for (u = 0; u < 3; u = u + 1)
                until_[3*c+u] = 0;
            last[c] = 0;
        end
        branch = 0;
        for (c = 0; c < N; c = c + 1) begin
            read;
            for (u = 0; u < 6; u = u + 1)
                first[6*c+u] = got[2*u];
            for (i = 0; i < 8; i = i + 1)
                fetched_first[8*c+i] = got[16+2*i];
        end
        for (round = 0; round < 100; round = round + 1) begin
            repeat (20) cycle;
            for (c = 0; c < N; c = c + 1) begin
                read;
                if (last[c] != 0)
                    compare;
            end
        end
        result("sums, last issues and fetches are what was counted cycle by cycle");
        $finish;
    end
endmodule

`default_nettype wire

// igpu_eu_flat.vh - a visit of igpu_eu_flat, stage by stage: tasks over its state, which
// call the steps of the stages and put their results where the stages' RAMs would be.
// A test that is seldom reached stands in an `if` of its own: a simulator computes all of
// a condition.

    // The state of the context; empty in its first visit.
    task begin_visit;
        begin
            ctx = s0_ctx_i;
            now = s0_now_i;
            if (s0_first_i) begin
                {has_m[`CTX], late_m[`CTX], hold_m[`CTX], held_m[`CTX], ready_m[`CTX]} = 35'd0;
                {unit1_m[`CTX], unit0_m[`CTX], fetch_above_m[`CTX]} = 21'd0;
                {above0_m[`CTX], above1_m[`CTX], above2_m[`CTX], above3_m[`CTX]} = 28'd0;
                {flying0_m[`CTX], flying1_m[`CTX], taken0_m[`CTX], taken1_m[`CTX]} = 4'd0;
                {taken2_m[`CTX], writes_m[`CTX]} = 2'd0;
                {wr0_m[`CTX], rd0_m[`CTX], wr1_m[`CTX], rd1_m[`CTX]} = 16'd0;
                {rwr_m[`CTX], rrd_m[`CTX]} = 14'd0;
                older_m[`CTX] = 49'd0;
                for (i = 0; i < 8; i = i + 1) begin
                    at = {`CTX, i[2:0]};
                    {busy_lo_m[at], busy_hi_m[at], busy_x_m[at]} = 136'd0;
                end
            end
            {has, late, hold}    = {has_m[`CTX], late_m[`CTX], hold_m[`CTX]};
            {held, ready}        = {held_m[`CTX], ready_m[`CTX]};
            {unit1, unit0}       = {unit1_m[`CTX], unit0_m[`CTX]};
            near                 = near_m[`CTX];
            if (s0_old_i)
                {taken0_m[`CTX], taken1_m[`CTX], taken2_m[`CTX]} = 3'd0;
        end
    endtask

    task end_visit;
        begin
            {has_m[`CTX], late_m[`CTX], hold_m[`CTX]} = {has, late, hold};
            {held_m[`CTX], ready_m[`CTX]}            = {held, ready};
            {unit1_m[`CTX], unit0_m[`CTX]}           = {unit1, unit0};
            near_m[`CTX] = near;
            ret_ctx_o  <= ctx;
            ret_now_o  <= now;
            ret_held_o <= held;
            wake_o     <= now + soon;
        end
    endtask

    // ---- s1: what is over, who was opened, who fetches ----
    task look;
        begin
            if ((hold | late) != 7'd0)
                if (near == now[8:0]) begin
                    if (late != 7'd0) begin
                        came = look_came(late, late_at_m[`CTX], now[8:0]);
                        has  = has | came;
                        late = late & ~came;
                    end
                    nearest;
                end
            if (s0_runs_i != 2'd0)
                look_runs;
            who = look_who(has, held, hold);
            if (who != 7'd0)
                rr_take(who, fetch_above_m[`CTX], who, fetch_above_m[`CTX]);
        end
    endtask

    // Runs that are given: of a thread that was opened; of one whose branch has issued.
    task look_runs;
        begin
            if (s0_runs_i[0]) begin
                look_given(s0_open_slot_i, s0_open_wait_i, now[8:0], opened, there, due);
                older_m[`CTX] = look_older(older_m[`CTX], s0_open_slot_i);
                place_m[{`CTX, s0_open_slot_i}] = {s0_open_len_i, s0_open_pc_i};
                if (there)
                    has = has | opened;
                else
                    wait_until(opened, s0_open_slot_i, due - now[8:0]);
            end
            if (s0_runs_i[1]) begin
                place_m[{`CTX, s0_redir_slot_i}] = {s0_redir_len_i, s0_redir_pc_i};
                if (s0_redir_wait_i == 8'd0)
                    has = has | slot_set(s0_redir_slot_i);
                else
                    wait_until(slot_set(s0_redir_slot_i), s0_redir_slot_i,
                               {1'b0, s0_redir_wait_i});
            end
        end
    endtask

    // ---- s1 to s3: results and a response clear bits ----
    task results;
        begin
            done0 = track_done(flying0_m[`CTX], head0_m[`CTX][`IGPU_FLIGHT_D], now[D-1:0]);
            done1 = track_done(flying1_m[`CTX], head1_m[`CTX][`IGPU_FLIGHT_D], now[D-1:0]);
            if (done0) begin
                clear(head0_m[`CTX][`IGPU_FLIGHT_SLOT], head0_m[`CTX][`IGPU_FLIGHT_SET]);
                flying0_m[`CTX] = wr0_m[`CTX] != rd0_m[`CTX];
                if (flying0_m[`CTX]) begin
                    head0_m[`CTX] = ring0_m[{`CTX, rd0_m[`CTX]}];
                    rd0_m[`CTX]   = rd0_m[`CTX] + 4'd1;
                end
            end
            if (done1) begin
                clear(head1_m[`CTX][`IGPU_FLIGHT_SLOT], head1_m[`CTX][`IGPU_FLIGHT_SET]);
                flying1_m[`CTX] = wr1_m[`CTX] != rd1_m[`CTX];
                if (flying1_m[`CTX]) begin
                    head1_m[`CTX] = ring1_m[{`CTX, rd1_m[`CTX]}];
                    rd1_m[`CTX]   = rd1_m[`CTX] + 4'd1;
                end
            end
        end
    endtask

    task respond;
        begin
            writes = writes_m[`CTX];
            if (writes || s0_done_i) begin
                {dur, set} = store_resp_m[s0_done_uop_i[STORE_AW-1:0]];
                resp_look(writes, written_m[`CTX], now[7:0], s0_done_i, dur, left8, over, instant);
                if (over)
                    clear(response_m[`CTX][`IGPU_RESP_SLOT], response_m[`CTX][`IGPU_RESP_SET]);
                else if (instant)
                    clear(s0_done_slot_i, set);
                response = rring_m[{`CTX, rrd_m[`CTX]}];
                resp_next(writes, over, s0_done_i, instant, left8, dur,
                          rwr_m[`CTX] != rrd_m[`CTX], response[`IGPU_RESP_DUR], from_q, direct,
                          push, writes, next8);
                if (from_q) begin
                    response_m[`CTX] = response;
                    rrd_m[`CTX]      = rrd_m[`CTX] + 7'd1;
                end
                if (direct)
                    response_m[`CTX] = {dur, s0_done_slot_i, set};
                if (push) begin
                    rring_m[{`CTX, rwr_m[`CTX]}] = {dur, s0_done_slot_i, set};
                    rwr_m[`CTX] = rwr_m[`CTX] + 7'd1;
                end
                writes_m[`CTX]  = writes;
                written_m[`CTX] = now[7:0] + next8;
            end
        end
    endtask

    // What an event does to a thread's scoreboard.
    task flip(input [CW+2:0] thread, input [S-1:0] bits);
        begin
            range_bits(bits[`IGPU_SET_RANGE], lo, hi);
            busy_lo_m[thread] = busy_lo_m[thread] ^ lo;
            busy_hi_m[thread] = busy_hi_m[thread] ^ hi;
            busy_x_m[thread]  = busy_x_m[thread] ^ bits[`IGPU_SET_X];
        end
    endtask

    task clear(input [2:0] number, input [S-1:0] bits);
        begin
            at = {`CTX, number};
            flip(at, bits);
            cleared = cleared | slot_set(number);
            met     = met & ~slot_set(number); // as after the last result of its thread
            if (board_met(need_lo_m[at], busy_lo_m[at], need_hi_m[at], busy_hi_m[at],
                          need_x_m[at], busy_x_m[at]))
                met = met | slot_set(number);
        end
    endtask

    // ---- s3, s4: who issues ----
    task pick;
        begin
            if (taken0_m[`CTX])
                unit_left(1'b1, 1'b0, until0_m[`CTX], now[D-1:0], taken0, left0);
            if (taken1_m[`CTX])
                unit_left(1'b1, 1'b0, until1_m[`CTX], now[D-1:0], taken1, left1);
            if (taken2_m[`CTX])
                unit_left(1'b1, 1'b0, until2_m[`CTX], now[D-1:0], taken2, left2);
            // What is over has to be forgotten: stamps come again.
            {taken0_m[`CTX], taken1_m[`CTX], taken2_m[`CTX]} = {taken0, taken1, taken2};
            ready = board_may(ready, held, cleared, met);
            // Whom a free unit could take: most threads that are ready wait for one.
            can = 4'b1000;
            any = unit1 & unit0;
            if (!taken0 || !taken1)
                any = any | ~unit1;
            if (!taken2)
                if (!s0_full_i) begin
                    can[2] = 1'b1;
                    any = any | (unit1 & ~unit0);
                end
            if ((ready & any) != 7'd0) begin
                if (!taken0)
                    can[0] = track_room(done0, wr0_m[`CTX], rd0_m[`CTX]);
                if (!taken1)
                    can[1] = track_room(done1, wr1_m[`CTX], rd1_m[`CTX]);
                pick_units(ready, unit1, unit0, any, fpu1, send, branch);
                pick_who(any, fpu1, send, branch, can, above0_m[`CTX], above1_m[`CTX],
                         above2_m[`CTX], above3_m[`CTX], oldest_i, older_m[`CTX],
                         above0_m[`CTX], above1_m[`CTX],
                         above2_m[`CTX], above3_m[`CTX], issues, who0, who1, who2, who3);
            end
        end
    endtask

    // ---- s5, s6: what issues ----
    task take(input [6:0] thread);
        begin
            slot = slot_number(thread);
            at   = {`CTX, slot};
            word = word_m[at];
            if (word[`IGPU_WORD_HOLD])
                if (!word[`IGPU_WORD_EOT]) begin
                    nearer({1'b0, word[`IGPU_WORD_FE]});
                    hold = hold | thread;
                    free_at_m[at] = front_end(now[7:0], word[`IGPU_WORD_FE]);
                end
        end
    endtask

    task issue;
        begin
            ret_valid_o <= issues;
            if (issues[0]) begin
                take(who0);
                flip(at, word[`IGPU_WORD_SET]);
                d = now[D-1:0] + track_span(
                    track_prior(flying0_m[`CTX], last0_m[`CTX], now[6:0]),
                    word[`IGPU_WORD_LAT], word[`IGPU_WORD_OCC]);
                entry = {d, slot, word[`IGPU_WORD_SET]};
                if (flying0_m[`CTX]) begin
                    ring0_m[{`CTX, wr0_m[`CTX]}] = entry;
                    wr0_m[`CTX] = wr0_m[`CTX] + 4'd1;
                end else begin
                    head0_m[`CTX]   = entry;
                    flying0_m[`CTX] = 1'b1;
                end
                last0_m[`CTX]  = d[6:0];
                taken0      = 1'b1;
                left0     = word[`IGPU_WORD_OCC];
                taken0_m[`CTX] = 1'b1;
                until0_m[`CTX] = now[D-1:0] + {{(D-8){1'b0}}, word[`IGPU_WORD_OCC]};
                ret_slot_o[2:0] <= slot;
                ret0_uop_o      <= word[`IGPU_WORD_UOP];
            end
            if (issues[1]) begin
                take(who1);
                flip(at, word[`IGPU_WORD_SET]);
                d = now[D-1:0] + track_span(
                    track_prior(flying1_m[`CTX], last1_m[`CTX], now[6:0]),
                    word[`IGPU_WORD_LAT], word[`IGPU_WORD_OCC]);
                entry = {d, slot, word[`IGPU_WORD_SET]};
                if (flying1_m[`CTX]) begin
                    ring1_m[{`CTX, wr1_m[`CTX]}] = entry;
                    wr1_m[`CTX] = wr1_m[`CTX] + 4'd1;
                end else begin
                    head1_m[`CTX]   = entry;
                    flying1_m[`CTX] = 1'b1;
                end
                last1_m[`CTX]  = d[6:0];
                taken1      = 1'b1;
                left1    = word[`IGPU_WORD_OCC];
                taken1_m[`CTX] = 1'b1;
                until1_m[`CTX] = now[D-1:0] + {{(D-8){1'b0}}, word[`IGPU_WORD_OCC]};
                ret_slot_o[5:3] <= slot;
                ret1_uop_o      <= word[`IGPU_WORD_UOP];
            end
            if (issues[2]) begin
                take(who2);
                flip(at, word[`IGPU_WORD_SET]);
                taken2      = 1'b1;
                left2   = word[`IGPU_WORD_OCC];
                taken2_m[`CTX] = 1'b1;
                until2_m[`CTX] = now[D-1:0] + {{(D-8){1'b0}}, word[`IGPU_WORD_OCC]};
                ret_slot_o[8:6] <= slot;
                ret2_uop_o      <= word[`IGPU_WORD_UOP];
                ret_eot_o       <= word[`IGPU_WORD_EOT];
                ret_port_o      <= word[`IGPU_WORD_PORT];
                ret_from_o      <= now + {{(T-8){1'b0}}, word[`IGPU_WORD_OCC]};
            end
            if (issues[3]) begin
                take(who3);
                ret_slot_o[11:9] <= slot;
                ret3_uop_o       <= word[`IGPU_WORD_UOP];
            end
            gone  = who0 | who1 | who2 | who3;
            held  = held & ~gone;
            ready = ready & ~gone;
        end
    endtask

    // ---- s2 to s6: one thread fetches ----
    task fetch;
        begin
            fresh_slot = slot_number(who);
            at         = {`CTX, fresh_slot};
            {run, uop} = place_m[at];
            stored     = store_word_m[uop[STORE_AW-1:0]];
            {lo, hi}   = {store_lo_m[uop[STORE_AW-1:0]], store_hi_m[uop[STORE_AW-1:0]]};
            need_x     = store_x_m[uop[STORE_AW-1:0]];
            last       = fetch_last(run);
            asked      = fetch_ask(last, stored[`IGPU_WORD_EOT]);
            need_lo_m[at] = lo;
            need_hi_m[at] = hi;
            need_x_m[at]  = need_x;
            if (board_met(lo, busy_lo_m[at], hi, busy_hi_m[at], need_x,
                          busy_x_m[at]))
                fresh = who;
            word_m[at] = {uop, stored[M-1:0]};
            if (last)
                has = has & ~who;
            else
                place_m[at] = fetch_place(run, uop);
            held  = held | who;
            ready = ready | fresh;
            unit1 = front_plane(unit1, who, stored[M+1]);
            unit0 = front_plane(unit0, who, stored[M]);
            ask_o        <= asked;
            ret_fetch_o  <= 1'b1;
            ret_fetch_slot_o <= fresh_slot;
        end
    endtask

    // The next run, and its code; none: the thread is redirected when it has issued.
    task answer;
        begin
            front_run(run_len_i != {L{1'b0}}, run_wait_i, now[8:0], there, later, span, due);
            place_m[{`CTX, fresh_slot}] = {run_len_i, run_pc_i};
            if (there)
                has_m[`CTX] = has_m[`CTX] | slot_set(fresh_slot);
            if (later) begin
                {hold, late} = {hold_m[`CTX], late_m[`CTX]};
                near         = near_m[`CTX];
                wait_until(slot_set(fresh_slot), fresh_slot, span);
                late_m[`CTX]  = late;
                near_m[`CTX]  = near;
                if ({{(T-9){1'b0}}, span} < soon)
                    soon = {{(T-9){1'b0}}, span};
            end
        end
    endtask

    // ---- s7 to s9: the next cycle with work ----
    task no_later(input [T-1:0] cycles);
        if (cycles < soon)
            soon = cycles;
    endtask

    task rest;
        begin
            soon = SOON1;
            if (look_who(has, held, hold) == 7'd0) begin
                there = 1'b0;
                if ((fresh | (ready & unit1 & unit0)) != 7'd0)
                    there = rest_next(7'd0, ready & unit1 & unit0, fresh != 7'd0,
                                      stored[M+1:M], {taken2, taken1, taken0});
                if (!there)
                    rest_later;
            end
            ret_busy_o <= {taken2, taken1, taken0};
            ret_left_o <= {left2, left1, left0};
        end
    endtask

    task rest_later;
        begin
            soon = NEVER;
            if ((hold | late) != 7'd0)
                no_later({{(T-9){1'b0}}, near - now[8:0]});
            if (flying0_m[`CTX])
                no_later({{(T-D){1'b0}}, head0_m[`CTX][`IGPU_FLIGHT_D] - now[D-1:0]});
            if (flying1_m[`CTX])
                no_later({{(T-D){1'b0}}, head1_m[`CTX][`IGPU_FLIGHT_D] - now[D-1:0]});
            if (writes)
                no_later({{(T-8){1'b0}}, next8});
            if (ready != 7'd0) begin
                pick_units(ready, unit1, unit0, any, fpu1, send, branch);
                waits = rest_waits(any, fpu1, send, {taken2, taken1, taken0});
                if (waits[0])
                    no_later({{(T-8){1'b0}}, left0});
                if (waits[1])
                    no_later({{(T-8){1'b0}}, left1});
                if (waits[2])
                    no_later({{(T-8){1'b0}}, left2});
            end
        end
    endtask

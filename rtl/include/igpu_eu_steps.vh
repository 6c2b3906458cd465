// igpu_eu_steps.vh - steps of igpu_eu's process (tasks over its state), second part:
// results, scoreboard, fetch, what comes from outside, and the store's read ports.
// Blocking assignments: see igpu_eu.v.
// A test that is seldom reached stands in an `if` of its own: a simulator computes all
// of a condition.

    // What is complete in this cycle.
    task results;
        begin
            check = fresh;
            wb0   = busy0 && at0 == now10;
            wb1   = busy1 && at1 == now10;
            wbr   = 1'b0;
            if (resp)
                wbr = resp_start + wr_dur == now8;
            if (wb0)
                check = check | thread0;
            if (wb1)
                check = check | thread1;
            if (wbr)
                check = check | resp_thread;
        end
    endtask

    // Threads with a new instruction, or with fewer busy bits: can they issue?
    task scoreboard;
        begin
            if (fresh != 7'd0) begin
                need_lo[fresh_slot] = f_need_lo;
                need_hi[fresh_slot] = f_need_hi;
                need_x[fresh_slot]  = f_need_x;
                set_lo[fresh_slot]  = f_set_lo;
                set_hi[fresh_slot]  = f_set_hi;
                set_x[fresh_slot]   = f_set_x;
                unit0 = f_ctl[0] ? unit0 | fresh : unit0 & ~fresh;
                unit1 = f_ctl[1] ? unit1 | fresh : unit1 & ~fresh;
            end
            met = 7'd0;
            for (i = 0; i < 7; i = i + 1)
                if (check[i]) begin
                    if (wb0 && thread0[i]) begin
                        busy_lo[i] = busy_lo[i] & ~w0_lo;
                        busy_hi[i] = busy_hi[i] & ~w0_hi;
                        busy_x[i]  = busy_x[i] & ~w0_x;
                    end
                    if (wb1 && thread1[i]) begin
                        busy_lo[i] = busy_lo[i] & ~w1_lo;
                        busy_hi[i] = busy_hi[i] & ~w1_hi;
                        busy_x[i]  = busy_x[i] & ~w1_x;
                    end
                    if (wbr && resp_thread[i]) begin
                        busy_lo[i] = busy_lo[i] & ~wr_lo;
                        busy_hi[i] = busy_hi[i] & ~wr_hi;
                        busy_x[i]  = busy_x[i] & ~wr_x;
                    end
                    if (((need_lo[i] & busy_lo[i]) | (need_hi[i] & busy_hi[i]) |
                         {56'd0, need_x[i] & busy_x[i]}) == 64'd0)
                        met = met | (7'd1 << i);
                end
            ready = (ready & ~check) | (held & met);
        end
    endtask

    // The place in its run of the thread that fetched last.
    task move_on;
        begin
            if (fresh != 7'd0) begin
                held_m[fresh_slot] = {fresh_uop, f_ctl[`IGPU_CTL_ISSUE]};
                run_m[fresh_slot]  = pend ? {run_len_i, run_pc_i} :
                                      {fresh_left - LEN1, fresh_uop + UOP1};
                if (pend && run_len_i != {L{1'b0}}) begin
                    has = has | fresh;
                    if (run_wait_i != 8'd0)
                        delay(fresh, fresh_slot, fetched + NOW1 + {{(N-8){1'b0}}, run_wait_i});
                end
            end
        end
    endtask

    // A run whose code is on its way to the instruction cache, until `due`.
    task delay(input [6:0] thread, input [2:0] s, input [N-1:0] due);
        if (now_i < due) begin
            has  = has & ~thread;
            late = late | thread;
            late_at[s] = due[7:0];
        end
    endtask

    // The code has come.
    task arrive;
        begin
            if (late != 7'd0)
                for (i = 0; i < 7; i = i + 1)
                    if (late[i] && late_at[i] == now8) begin
                        late[i] = 1'b0;
                        has[i]  = 1'b1;
                    end
        end
    endtask

    // Who may fetch: those that hold nothing at the cycle's beginning and whose hold
    // is over. At the end of a hold the next one is looked for.
    task front_end;
        begin
            if (hold != 7'd0)
                if (near == now8) begin
                    hold  = hold & ~first;
                    first = 7'd0;
                    least = 8'hff;
                    if (hold != 7'd0)
                        for (i = 0; i < 7; i = i + 1)
                            if (hold[i]) begin
                                if (free_at[i] - now8 < least)
                                    first = 7'd0;
                                if (free_at[i] - now8 <= least) begin
                                    first[i] = 1'b1;
                                    least    = free_at[i] - now8;
                                end
                            end
                    near = now8 + least;
                end
            want = has & ~held & ~hold;
        end
    endtask

    // The next response, when one has been written.
    task respond;
        begin
            if (wbr) begin
                resp = wrr != rdr;
                if (resp) begin
                    message     = {1'b0, wait_m[rdr]};
                    rdr         = rdr + 7'd1;
                    resp_start  = now8;
                    resp_thread = 7'd1 << message[U+2:U];
                    wr_read     = 1'b1;
                    wr_uop      = message[U-1:0];
                end
            end
        end
    endtask

    // One thread fetches.
    task fetch;
        begin
            fresh = 7'd0;
            pend  = 1'b0;
            if (want != 7'd0) begin
                fresh      = pick(want, abovef);
                abovef     = after(fresh);
                fresh_slot = number(fresh);
                {left, pc} = run_m[fresh_slot];
                fresh_uop  = pc;
                fresh_left = left;
                pend       = left == LEN1;
                held       = held | fresh;
                if (pend) begin
                    has     = has & ~fresh;
                    fetched = now_i;
                end
                f_read       = 1'b1;
                next_o      <= pend;
                next_slot_o <= fresh_slot;
                next_uop_o  <= pc;
            end
        end
    endtask

    // What the EU is given in a cycle: a grant, an opened thread, a response.
    task take;
        begin
            full = count[2];
            if (msg_grant_i) begin
                count       = count - 3'd1;
                message     = queue_m[rdq];
                msg_valid_o <= count != 3'd0;
                msg_from_o  <= (count == 3'd1 && msg_last) ? free2 : {N{1'b0}};
                {msg_port_o, msg_slot_o, msg_uop_o} <= message;
                if (count != 3'd0)
                    rdq = rdq + 2'd1;
            end
            if (open_valid_i) begin
                run_m[open_slot_i] = {open_len_i, open_pc_i};
                has = has | (7'd1 << open_slot_i);
                if (open_wait_i != 8'd0)
                    delay(7'd1 << open_slot_i, open_slot_i, now_i + {{(N-8){1'b0}}, open_wait_i});
            end
            if (done_i && !resp) begin
                resp        = 1'b1;
                resp_start  = now8;
                resp_thread = 7'd1 << done_slot_i;
                wr_read     = 1'b1;
                wr_uop      = done_uop_i;
            end else if (done_i) begin
                wait_m[wrr] = {done_slot_i, done_uop_i};
                wrr = wrr + 7'd1;
            end
        end
    endtask

    // The store's read ports.
    task read_store;
        begin
            if (f_read) begin
                f_need_lo = need_lo_m[fresh_uop[STORE_AW-1:0]];
                f_need_hi = need_hi_m[fresh_uop[STORE_AW-1:0]];
                f_need_x  = need_x_m[fresh_uop[STORE_AW-1:0]];
                f_set_lo  = set_lo_m[fresh_uop[STORE_AW-1:0]];
                f_set_hi  = set_hi_m[fresh_uop[STORE_AW-1:0]];
                f_set_x   = set_x_m[fresh_uop[STORE_AW-1:0]];
                f_ctl     = ctl_m[fresh_uop[STORE_AW-1:0]];
            end
            if (w0_read) begin
                w0_lo = set_lo_m[w0_uop[STORE_AW-1:0]];
                w0_hi = set_hi_m[w0_uop[STORE_AW-1:0]];
                w0_x  = set_x_m[w0_uop[STORE_AW-1:0]];
            end
            if (w1_read) begin
                w1_lo = set_lo_m[w1_uop[STORE_AW-1:0]];
                w1_hi = set_hi_m[w1_uop[STORE_AW-1:0]];
                w1_x  = set_x_m[w1_uop[STORE_AW-1:0]];
            end
            if (wr_read) begin
                wr_lo  = set_lo_m[wr_uop[STORE_AW-1:0]];
                wr_hi  = set_hi_m[wr_uop[STORE_AW-1:0]];
                wr_x   = set_x_m[wr_uop[STORE_AW-1:0]];
                wr_dur = dur_m[wr_uop[STORE_AW-1:0]];
            end
        end
    endtask


// igpu_eu_wake.vh - last step of igpu_eu's process (tasks over its state), for a
// simulator: the next cycle in which something can happen. It comes after the store's
// read ports, since it looks at what they give: an instruction that was just fetched
// and has to wait needs no cycle of its own.
// Blocking assignments: see igpu_eu.v.

    // `soon` is at most `span` cycles.
    task no_later(input [10:0] span);
        if (span < soon)
            soon = span;
    endtask

    // After the first clock. `clear`: the fetched instruction finds no bit busy in the
    // next cycle (or a result comes then, which is a reason of its own).
    task after_decision;
        begin
            soon = 11'd1;
            if (((has & ~held & ~hold) | (ready & unit1 & unit0)) == 7'd0) begin
                soon  = 11'h7ff;
                clear = 1'b0;
                if (busy0)
                    no_later({1'b0, at0 - now10});
                if (busy1)
                    no_later({1'b0, at1 - now10});
                if (resp)
                    no_later({3'd0, resp_start + wr_dur - now8});
                if (hold != 7'd0)
                    no_later({3'd0, near - now8});
                if (late != 7'd0)
                    for (i = 0; i < 7; i = i + 1)
                        if (late[i])
                            no_later({3'd0, late_at[i] - now8});
                if (fresh != 7'd0) begin
                    clear = ((f_need_lo & busy_lo[fresh_slot]) |
                             (f_need_hi & busy_hi[fresh_slot]) |
                             {56'd0, f_need_x & busy_x[fresh_slot]}) == 64'd0;
                    if (clear && (f_ctl[1] ? f_ctl[0] || now_i >= free2 :
                                             now_i >= free0 || now_i >= free1))
                        soon = 11'd1;
                end
                if (clear || ready != 7'd0)
                    units_free;
            end
            wake_o <= (soon == 11'h7ff) ? NEVER : now_i + {{(N-11){1'b0}}, soon};
        end
    endtask

    // Threads that could issue wait for a unit.
    task units_free;
        begin
            if ((ready & ~unit1) != 7'd0 || (clear && !f_ctl[1])) begin
                if (now_i < free0)
                    no_later({3'd0, free0[7:0] - now8});
                if (now_i < free1)
                    no_later({3'd0, free1[7:0] - now8});
            end
            if ((ready & unit1) != 7'd0 || (clear && f_ctl[1]))
                if (now_i < free2)
                    no_later({3'd0, free2[7:0] - now8});
        end
    endtask

    // After the second clock: what was given may bring the cycle forward.
    task after_input;
        begin
            if (open_valid_i || (msg_grant_i && full))
                wake_o <= now_i + NOW1;
            else if (wr_read && now_i + {{(N-8){1'b0}}, wr_dur} < wake_o)
                wake_o <= now_i + {{(N-8){1'b0}}, wr_dur};
        end
    endtask


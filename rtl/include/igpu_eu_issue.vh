// igpu_eu_issue.vh - steps of igpu_eu's process (tasks over its state), first part:
// who issues, and what an issue does to its unit and its thread.
// Blocking assignments: see igpu_eu.v.
// A test that is seldom reached stands in an `if` of its own: a simulator computes all
// of a condition.

    // The first requester after the last winner: the lowest set bit.
    function [6:0] pick(input [6:0] req, input [6:0] above);
        reg [6:0] pool;
        begin
            pool = ((req & above) != 7'd0) ? req & above : req;
            pick = pool & (~pool + 7'd1);
        end
    endfunction

    function [6:0] after(input [6:0] thread);     // every bit above a one-hot
        after = ~(thread | (thread - 7'd1));
    endfunction

    function [2:0] number(input [6:0] thread);
        number = {|thread[6:4], |(thread & 7'h4c), |(thread & 7'h2a)};
    endfunction

    // D - t: latency, but not before the result before it, and then the occupancy; at
    // most 318 (docs/model.md section 5).
    function [9:0] complete(input [9:0] prior, input [5:0] lat, input [7:0] occ);
        complete = ((prior < {4'd0, lat}) ? {4'd0, lat} : prior) + {2'd0, occ};
    endfunction

    // The instruction that a chosen thread holds.
    function [H-1:0] chosen(input [2:0] s, input [6:0] thread);
        chosen = ((thread & fresh) != 7'd0) ? {fresh_uop, f_ctl[`IGPU_CTL_ISSUE]} : held_m[s];
    endfunction

    // Blocking on purpose from here on: see Style above.
    // The front end holds a thread (and its number) that issues until fe - 1 cycles from
    // now; fe 2 is no hold at all.
    task keep(input [6:0] thread, input [2:0] s, input [7:0] fe);
        if (fe > 8'd2) begin
            least = fe - 8'd1;
            if (hold == 7'd0 || least < near - now8) begin
                near  = now8 + least;
                first = thread;
            end else if (least == near - now8) begin
                first = first | thread;
            end
            hold = hold | thread;
            free_at[s] = now8 + least;
        end
    endtask

    // Who issues: FPU1 takes what may run on either and FPU0 did not.
    task arbitrate;
        begin
            {g0, g1, g2, g3} = 28'd0;
            either = ready & ~unit1;
            other  = ready & unit1;
            if (either != 7'd0) begin
                if (now_i >= free0)
                    if (wr0 + 4'd1 != rd0 || wb0)
                        g0 = pick(either & ~unit0, above0);
                if (now_i >= free1)
                    if (wr1 + 4'd1 != rd1 || wb1)
                        g1 = pick(either & ~g0, above1);
            end
            if (other != 7'd0) begin
                if (now_i >= free2 && !count[2])
                    g2 = pick(other & ~unit0, above2);
                g3 = pick(other & unit0, above3);
            end
            issue = g0 | g1 | g2 | g3;
        end
    endtask

    // FPU0: the oldest leaves, the next becomes the oldest, a new one comes.
    task fpu0;
        begin
            if (wb0) begin
                busy0   = wr0 != rd0;
                entry   = flight0_m[rd0];
                w0_read = busy0;
                w0_uop  = entry[U-1:0];
                if (busy0) begin
                    {at0, thread0} = entry[F-1:U];
                    rd0 = rd0 + 4'd1;
                end
            end
            if (g0 != 7'd0) begin
                slot   = number(g0);
                word   = chosen(slot, g0);
                above0 = after(g0);
                free0  = now_i + {{(N-8){1'b0}}, word[`IGPU_HELD_OCC]};
                last0  = now10 + complete(busy0 ? last0 - now10 : 10'd0, word[`IGPU_HELD_LAT],
                                          word[`IGPU_HELD_OCC]);
                if (busy0) begin
                    flight0_m[wr0] = {last0, g0, word[H-1:`IGPU_HELD_W]};
                    wr0 = wr0 + 4'd1;
                end else begin
                    busy0   = 1'b1;
                    at0     = last0;
                    thread0 = g0;
                    w0_read = 1'b1;
                    w0_uop  = word[H-1:`IGPU_HELD_W];
                end
                keep(g0, slot, word[`IGPU_HELD_FE]);
                ret_valid_o[0] <= 1'b1;
                ret0_slot_o    <= slot;
                ret0_uop_o     <= word[H-1:`IGPU_HELD_W];
            end
        end
    endtask

    // FPU1, in the same way.
    task fpu1;
        begin
            if (wb1) begin
                busy1   = wr1 != rd1;
                entry   = flight1_m[rd1];
                w1_read = busy1;
                w1_uop  = entry[U-1:0];
                if (busy1) begin
                    {at1, thread1} = entry[F-1:U];
                    rd1 = rd1 + 4'd1;
                end
            end
            if (g1 != 7'd0) begin
                slot   = number(g1);
                word   = chosen(slot, g1);
                above1 = after(g1);
                free1  = now_i + {{(N-8){1'b0}}, word[`IGPU_HELD_OCC]};
                last1  = now10 + complete(busy1 ? last1 - now10 : 10'd0, word[`IGPU_HELD_LAT],
                                          word[`IGPU_HELD_OCC]);
                if (busy1) begin
                    flight1_m[wr1] = {last1, g1, word[H-1:`IGPU_HELD_W]};
                    wr1 = wr1 + 4'd1;
                end else begin
                    busy1   = 1'b1;
                    at1     = last1;
                    thread1 = g1;
                    w1_read = 1'b1;
                    w1_uop  = word[H-1:`IGPU_HELD_W];
                end
                keep(g1, slot, word[`IGPU_HELD_FE]);
                ret_valid_o[1] <= 1'b1;
                ret1_slot_o    <= slot;
                ret1_uop_o     <= word[H-1:`IGPU_HELD_W];
            end
        end
    endtask

    // SEND: a message joins the queue; the end of a thread makes none.
    task send;
        begin
            if (g2 != 7'd0) begin
                slot     = number(g2);
                word     = chosen(slot, g2);
                eot      = word[`IGPU_HELD_EOT];
                above2   = after(g2);
                free2    = now_i + {{(N-8){1'b0}}, word[`IGPU_HELD_OCC]};
                msg_last = !eot;
                end_o   <= eot;
                end_slot_o <= slot;
                if (!eot) begin
                    keep(g2, slot, word[`IGPU_HELD_FE]);
                    if (count == 3'd0) begin
                        msg_valid_o <= 1'b1;
                        msg_from_o  <= free2;
                        {msg_port_o, msg_slot_o, msg_uop_o} <=
                            {word[`IGPU_HELD_PORT], slot, word[H-1:`IGPU_HELD_W]};
                    end else begin
                        queue_m[wrq] = {word[`IGPU_HELD_PORT], slot, word[H-1:`IGPU_HELD_W]};
                        wrq = wrq + 2'd1;
                    end
                    count = count + 3'd1;
                end
                ret_valid_o[2] <= 1'b1;
                ret2_slot_o    <= slot;
                ret2_uop_o     <= word[H-1:`IGPU_HELD_W];
            end
        end
    endtask

    // BRANCH keeps nothing.
    task branch;
        begin
            if (g3 != 7'd0) begin
                slot   = number(g3);
                word   = chosen(slot, g3);
                above3 = after(g3);
                keep(g3, slot, word[`IGPU_HELD_FE]);
                ret_valid_o[3] <= 1'b1;
                ret3_slot_o    <= slot;
                ret3_uop_o     <= word[H-1:`IGPU_HELD_W];
            end
        end
    endtask

    // What issues makes its bits busy.
    task set_bits;
        begin
            held  = held & ~issue;
            ready = ready & ~issue;
            for (i = 0; i < 7; i = i + 1)
                if (issue[i]) begin
                    busy_lo[i] = busy_lo[i] | set_lo[i];
                    busy_hi[i] = busy_hi[i] | set_hi[i];
                    busy_x[i]  = busy_x[i] | set_x[i];
                end
        end
    endtask


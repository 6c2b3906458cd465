// eu_same_kept.vh - in eu_same_proof: what else holds of the flat shell's state.

    // By sentence: [6:0] of a thread's hold, [13:7] its wait for code, [20:14] what it holds;
    // [21] of the threads' bits, [22], [23] who is older, [24] units, [25] who issued, [26] the
    // next cycle is not behind the first end of a hold or a wait, [27] which is one of theirs.
    reg  [27:0]  kept;
    reg          found;
    reg  [8:0]   d, near;
    reg  [D-1:0] left;
    reg  [63:0]  word;

    always @* begin
        kept  = {28{1'b1}};
        found = 1'b0;
        near  = f_near - now_q[8:0];
        // Who holds no instruction is not ready; who has code waits for none; who holds an
        // instruction is not held by the front end.
        kept[21] = (f_ready & ~f_held) == 7'd0 && (f_has & f_late) == 7'd0 &&
                   (f_hold & f_held) == 7'd0;
        for (i = 0; i < 7; i = i + 1) begin
            // A hold, a wait for code: the first of them ends in `near` cycles.
            d = {1'b0, f_free[8*i +: 8] - now_q[7:0]};
            if (f_hold[i]) begin
                kept[i] = d != 9'd0 && near <= d;
                found   = found || near == d;
            end
            d = f_late_at[9*i +: 9] - now_q[8:0];
            if (f_late[i]) begin
                kept[7 + i] = d != 9'd0 && d <= 9'd256 && near <= d;
                found       = found || near == d;
            end
            // An instruction's contract.
            word = f_word[64*i +: 64];
            if (f_held[i])
                kept[14 + i] = ((f_unit1[i] && f_unit0[i]) || word[`IGPU_WORD_OCC] != 8'd0) &&
                               (!word[`IGPU_WORD_HOLD] || word[`IGPU_WORD_FE] != 8'd0) &&
                               (!word[`IGPU_WORD_EOT] || (f_unit1[i] && !f_unit0[i]));
            // Nobody is older than itself; of two threads one is older, and of three one is the
            // oldest.
            kept[22] = kept[22] && !f_older[8*i];
            for (j = 0; j < i; j = j + 1)
                if (live[i] && live[j]) begin
                    kept[22] = kept[22] && f_older[7*i + j] != f_older[7*j + i];
                    for (k = 0; k < j; k = k + 1)
                        if (live[k])
                            kept[23] = kept[23] && (f_older[7*i + j] != f_older[7*j + k] ||
                                                    f_older[7*i + j] == f_older[7*i + k]);
                end
        end
        if ((f_hold | f_late) != 7'd0) begin
            kept[26] = !sleeps_q && wake_q - now_q <= {{(T-9){1'b0}}, near};
            kept[27] = found;
        end
        for (k = 0; k < 3; k = k + 1) begin
            left = f_until[D*k +: D] - now_q[D-1:0];
            if (f_taken[k])
                kept[24] = kept[24] && left != {D{1'b0}} && left <= 10'd255;
        end
        // A thread issues to one unit.
        kept[25] = (p_last[S +: 7] & p_last[7+S + S +: 7]) == 7'd0 &&
                   (p_last[S +: 7] & p_last[2*(7+S) + S +: 7]) == 7'd0 &&
                   (p_last[7+S + S +: 7] & p_last[2*(7+S) + S +: 7]) == 7'd0;
    end

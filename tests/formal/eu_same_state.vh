// eu_same_state.vh - in eu_same_proof: what the pipeline's RAMs have to hold (l_*), as the
// flat shell's state (f_*) says it; where that means nothing, what they hold (p_*).

    // {GRFs, other bits} of what an instruction sets; its ranges as in igpu_eu_range.vh.
    localparam [63:0] ONES = {64{1'b1}};

    function [135:0] bits(input [S-1:0] set);
        reg [6:0]  first, last;
        reg [63:0] from, upto;
        begin
            {last, first} = set[`IGPU_SET_RANGE];
            bits = 136'd0;
            from = ONES << first[5:0];
            upto = ONES >> ~last[5:0];
            if (first <= last) begin
                if (!first[6])
                    bits[8 +: 64] = last[6] ? from : from & upto;
                if (last[6])
                    bits[72 +: 64] = first[6] ? from & upto : upto;
            end
            bits[7:0] = set[`IGPU_SET_X];
        end
    endfunction

    wire [6:0]   live    = f_has | f_late | f_hold | f_held; // slots with a thread
    wire [6:0]   young   = p_flags[34:28];                   // ... that has not fetched
    wire [31:0]  waiting = {25'd0, f_rwr - f_rrd};
    reg  [S-1:0] pending;                          // what a thread's last issue sets
    reg  [135:0] pended;
    reg  [3:0]   place4;
    reg  [6:0]   place7;
    integer      i, j, k;

    always @* begin
        l_flags   = {f_has, f_late, f_hold, young, f_held, f_ready, f_unit1, f_unit0};
        {l_free, l_late_at, l_pairs}  = {p_free, p_late_at, p_pairs};
        {l_above, l_rr, l_last}       = {f_above, f_rr, p_last};
        {l_need_lo, l_need_hi, l_need_x, l_word, l_first, l_place} =
            {p_need_lo, p_need_hi, p_need_x, p_word, p_first, p_place};
        for (i = 0; i < 7; i = i + 1) begin
            if (f_hold[i])
                l_free[8*i +: 8] = f_free[8*i +: 8];
            if (f_late[i])
                l_late_at[9*i +: 9] = f_late_at[9*i +: 9];
            for (j = 0; j < i; j = j + 1)
                if (live[i] && live[j])
                    l_pairs[i * (i - 1) / 2 + j] = f_older[7*i + j];
            if (f_has[i] || f_late[i]) begin
                if (young[i])
                    l_first[P*i +: P] = f_place[P*i +: P];
                else
                    l_place[(1+P)*i +: 1+P] = {1'b0, f_place[P*i +: P]};
            end
            // The pipeline sets a bit in the visit behind the one that issues.
            pending = {S{1'b0}};
            for (k = 0; k < 3; k = k + 1)
                if (p_last[(7+S)*k + S + i])
                    pending = pending | p_last[(7+S)*k +: S];
            pended = (p_last[S + i] || p_last[7+S + S + i] || p_last[2*(7+S) + S + i]) ?
                     bits(pending) : 136'd0;
            l_busy_lo[64*i +: 64] = f_busy_lo[64*i +: 64] ^ pended[8 +: 64];
            l_busy_hi[64*i +: 64] = f_busy_hi[64*i +: 64] ^ pended[72 +: 64];
            l_busy_x[8*i +: 8]    = f_busy_x[8*i +: 8] ^ pended[7:0];
            if (f_held[i]) begin
                l_need_lo[64*i +: 64] = f_need_lo[64*i +: 64];
                l_need_hi[64*i +: 64] = f_need_hi[64*i +: 64];
                l_need_x[8*i +: 8]    = f_need_x[8*i +: 8];
                for (k = 0; k < 4; k = k + 1)
                    l_word[512*k + 64*i +: 64] = f_word[64*i +: 64];
                l_word[512*3 + 64*i + END] = 1'b0; // BRANCH: not redirected
            end
        end
        l_ring = p_ring;
        for (k = 0; k < 2; k = k + 1) begin
            l_head[(1+E)*k +: 1+E] = {f_flying[k], f_flying[k] ? f_head[E*k +: E] :
                                                                 p_head[(1+E)*k +: E]};
            l_track[15*k +: 15] = {f_wr[4*k +: 4], f_rd[4*k +: 4],
                                   f_flying[k] ? f_last[7*k +: 7] : p_track[15*k +: 7]};
            for (i = 0; i < 16; i = i + 1) begin
                place4 = i[3:0] - f_rd[4*k +: 4];
                if (place4 < f_wr[4*k +: 4] - f_rd[4*k +: 4])
                    l_ring[E*(16*k + i) +: E] = f_ring[E*(16*k + i) +: E];
            end
        end
        for (k = 0; k < 3; k = k + 1)
            l_until[(1+D)*k +: 1+D] = {f_taken[k], f_taken[k] ? f_until[D*k +: D] :
                                                                p_until[(1+D)*k +: D]};
        l_resp  = {f_writes, f_writes ? f_written : p_resp[21:14], f_rwr, f_rrd};
        l_rword = f_writes ? f_resp[S+2:0] : p_rword;
        l_rring = p_rring;
        for (i = 0; i < RING; i = i + 1) begin
            place7 = (i[6:0] - f_rrd) & (MOST[6:0] - 7'd1);
            if ({25'd0, place7} < waiting)
                l_rring[R*i +: R] = f_rring[R*i +: R];
        end
    end

// eu_same_ends.vh - in eu_same_proof: the next cycle of each shell is the first of its ends.

    // The next cycle, of each shell by its own state behind the visit (which is the same state,
    // by the other parts). The ends of holds [6:0] and of waits for code [13:7] are the
    // pipeline's; the flat shell keeps the first of them, `near` (which it is, by `kept`).
    // Behind them: of a unit that is waited for, of a result of an FPU, of a response.
    wire [6:0]      some   = p_flags[20:14] & ~p_flags[13:7];       // ready for an FPU,
    wire [6:0]      either = some & ~p_flags[6:0];                  // ... for any,
    wire [6:0]      sends  = p_flags[20:14] & p_flags[13:7] & ~p_flags[6:0];
    wire [6:0]      f_some = f_ready & ~f_unit1, f_either = f_some & ~f_unit0;
    wire [6:0]      f_sends = f_ready & f_unit1 & ~f_unit0;
    wire [30:0]     ends;
    reg  [20*D-1:0] lefts;
    reg  [7*D-1:0]  f_lefts;
    reg  [7:0]      left8;
    reg  [8:0]      left9;

    always @* begin
        for (i = 0; i < 7; i = i + 1) begin
            left8 = p_free[8*i +: 8] - now_q[7:0];
            left9 = p_late_at[9*i +: 9] - now_q[8:0];
            lefts[D*i +: D]       = {2'd0, left8};
            lefts[D*(7 + i) +: D] = {1'b0, left9};
        end
        left9 = f_near - now_q[8:0];
        f_lefts[0 +: D] = {1'b0, left9};
        for (i = 0; i < 3; i = i + 1) begin
            left8 = p_until[(1+D)*i +: 8] - now_q[7:0];
            lefts[D*(14 + i) +: D] = {2'd0, left8};
            left8 = f_until[D*i +: 8] - now_q[7:0];
            f_lefts[D*(1 + i) +: D] = {2'd0, left8};
        end
        for (i = 0; i < 2; i = i + 1) begin
            lefts[D*(17 + i) +: D]  = p_head[(1+E)*i + DUE +: D] - now_q[D-1:0];
            f_lefts[D*(4 + i) +: D] = f_head[E*i + DUE +: D] - now_q[D-1:0];
        end
        left8 = p_resp[21:14] - now_q[7:0];
        lefts[D*19 +: D] = {2'd0, left8};
        left8 = f_written - now_q[7:0];
        f_lefts[D*6 +: D] = {2'd0, left8};
    end

    eu_same_least #(.N(7)) u_flat_least (
        .now_i(now_q), .next_i(next_q[0]), .sleep_i(leaves_q[T]), .wake_i(leaves_q[T-1:0]),
        .is_i({f_writes, f_flying, {f_sends != 7'd0, f_some != 7'd0, f_either != 7'd0} & f_taken,
               (f_hold | f_late) != 7'd0}),
        .left_i(f_lefts), .bad_o(ends[8:0]));
    eu_same_least #(.N(20)) u_pipe_least (
        .now_i(now_q), .next_i(next_q[1]), .sleep_i(leaves_q[2*T+1]),
        .wake_i(leaves_q[T+1 +: T]),
        .is_i({p_resp[22], p_head[2*(1+E)-1], p_head[E],
               {sends != 7'd0, some != 7'd0, either != 7'd0} &
               {p_until[3*(1+D)-1], p_until[2*(1+D)-1], p_until[D]},
               p_flags[48:42], p_flags[41:35]}),
        .left_i(lefts), .bad_o(ends[30:9]));

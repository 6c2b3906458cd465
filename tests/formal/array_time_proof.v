// What igpu_array_time must do in any state it can reach, whatever pipelines, tiles and
// host do: a cycle ends only when nothing is left in it, the ends of the cycle before are
// counted, and so are the ENDs that take effect in it, once each and in their order; time
// goes on by one, or to where the host skips, never while it is held, and never to behind
// the limit; and it goes on in the first clock in which it may.
module array_time_proof (
    input wire        clk,
    input wire        rst_n,
    input wire        launch,
    input wire [47:0] launch_now,
    input wire [47:0] limit,
    input wire        hold,
    input wire        skip,
    input wire [47:0] skip_now,
    input wire        calm,
    input wire        empty,
    input wire        ends,
    input wire        late_ends,
    input wire        decide
);
    (* keep *) wire [47:0] now_q;                  // joined to u_dut's
    (* keep *) wire        more_q, ticked_q, settle_q, counted_q;
    (* keep *) wire [4:0]  count_q;
    wire [47:0] now, next;
    wire        go, settle, take, count, work, tick, idle;

    igpu_array_time u_dut (
        .clk_i(clk), .tile_clk_i(clk), .rst_ni(rst_n), .launch_i(launch),
        .launch_now_i(launch_now),
        .limit_i(limit), .hold_i(hold), .skip_i(skip), .skip_now_i(skip_now), .calm_i(calm),
        .empty_i(empty), .ends_i(ends), .late_ends_i(late_ends), .decide_i(decide),
        .now_o(now), .next_o(next), .go_o(go), .settle_o(settle), .take_o(take),
        .count_o(count), .work_o(work), .tick_o(tick), .idle_o(idle));

    // What happened since the cycle began: clocks since take, 0 if none; the cycle; the
    // limit of a clock ago, and whether more was left under it.
    reg  [2:0]  since;
    reg  [47:0] cycle, past_limit;
    reg         past_tick, past_settle, past_more, fresh;   // fresh: after reset, launch, skip
    reg         past_ends;             // a clock ago all was over but ends to be counted
    reg         done;                  // this cycle's ENDs were taken
    reg         rests;                 // the last clock may have been none of tile_clk_i:
    reg  [55:0] rest_state;            // ... what was there then

    wire may = !launch && !hold && calm && !settle && since == 0 && more_q &&
               !(past_tick && decide);

    always @* begin
        // the contract: the limit is not below the cycle, and time is held where it falls
        // to it; a launch may come with another limit; a skip goes on
        assume (launch || limit >= now);
        assume (launch || limit != now || fresh || limit >= past_limit || hold);
        assume (!launch || (empty && !more_q));
        assume (!skip || (skip_now > now && skip_now <= limit && skip_now[47:8] == now[47:8]));
        // a tile's ends are gone with settle; ENDs stay until the cycle is over
        assume (!past_settle || !ends);
        assume (since == 0 || late_ends);
        if (live) begin
            assert (now == cycle && now_q == cycle);
            assert (idle == (cycle == limit && empty));
            assert (!tick || (calm && !ends && !settle && !hold && !launch));
            assert (!tick || cycle != limit);
            assert (!tick || next == (skip ? skip_now : cycle + 48'd1));
            assert (!tick || !late_ends || done);
            assert (!tick || !past_tick || !decide);
            assert (settle == past_ends);
            assert (take == (since == 1) && count == (since == 2));
            // the first clock in which it may
            assert (!may || ends || (late_ends && !done) || tick);
            assert (!(more_q && !launch && !hold) || go);
            assert (more_q == past_more);
            // what tile_clk_i leaves out changes nothing
            assert (!rests || {now_q, ticked_q, settle_q, counted_q, count_q} == rest_state);
            // the block's state is the model's
            assert (ticked_q == past_tick && settle_q == settle);
            assert (count_q == (since == 0 ? 5'd0 : 5'd1 << (since - 1)));
            assert (counted_q == (done && since != 1));
            assert (!more_q || cycle < past_limit);
        end
    end

    always @(posedge clk) begin
        rests       <= rst_n && !launch && !work;
        rest_state  <= {now_q, ticked_q, settle_q, counted_q, count_q};
        past_ends   <= rst_n && !launch && may && ends;
        past_settle <= settle;
        past_tick   <= tick;
        past_limit  <= limit;
        fresh       <= !rst_n || launch || (tick && skip);
        past_more   <= rst_n && !launch && !(tick && skip) &&
                       (tick ? limit - cycle > 48'd1 : limit != cycle);
        cycle <= !rst_n ? 48'd0 : launch ? launch_now : tick ? next : cycle;
        if (!rst_n || launch) begin
            since <= 3'd0;
            done  <= 1'b0;
        end else begin
            since <= (since != 0) ? (since == 5 ? 3'd0 : since + 3'd1) :
                     {2'd0, may && !ends && late_ends && !done};
            done  <= (done || (may && !ends && late_ends)) && !tick;
        end
    end
    // Nothing is promised before the first reset, and so it is with u_dut's contract.
    (* keep *) wire contract;          // joined to u_dut.contract_q
    reg live;
    initial live = 1'b0;
    always @(posedge clk) live <= live || !rst_n;
    always @* assert (contract == live);
endmodule

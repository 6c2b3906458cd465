// What igpu_link_runs must do in any state it can reach: the runs of a slot come out as
// they were put in, oldest first, none is lost or seen in another slot; short_o is told
// exactly while a slot's last run was taken, was not its thread's last, and none came
// since. With two slots of four runs.
module link_runs_proof (
    input wire        clk,
    input wire        rst_n,
    input wire        push,
    input wire        push_slot,
    input wire [30:0] push_run,
    input wire        slot,
    input wire        read
);
    localparam DW = 2, DEPTH = 4;
    (* keep *) wire [1:0]  clear_q, short_q;       // joined to u_dut's
    (* keep *) wire        taken_q, taken_slot_q;
    (* keep *) wire [DW:0] put0, put1, wr0, wr1, rd0, rd1, rdp0, rdp1;
    (* keep *) wire        set0, set1, met0, met1, metp0, metp1;
    (* keep *) wire [30:0] m0, m1, m2, m3, m4, m5, m6, m7;
    wire        busy, have, half, short;
    wire [30:0] run;
    wire [DW-1:0] place;
    reg  [DW:0] count [0:1];                       // runs of a slot
    reg  [DW:0] from  [0:1];                       // taken so far
    reg  [30:0] queue [0:2*DEPTH-1];               // oldest first
    reg  [30:0] past_run;
    reg         past_read, past_slot, emptied;     // a clock ago; ... and none is left
    reg  [1:0]  starved;                           // slots that are short
    integer     s, k;

    igpu_link_runs #(.SW(1), .DW(DW)) u_dut (
        .clk_i(clk), .rst_ni(rst_n), .busy_o(busy), .push_i(push), .push_slot_i(push_slot),
        .push_run_i(push_run), .slot_i(slot), .have_o(have), .read_i(read), .run_o(run),
        .half_o(half), .place_o(place), .short_o(short));

    wire [30:0] head = slot ? queue[DEPTH] : queue[0];
    wire        ends  = emptied && !past_run[30] && !(push && push_slot == past_slot);
    wire        fills = push && starved[push_slot];

    always @* begin
        assume ((rst_n && live) || (!push && !read));
        assume (!push || (!busy && count[push_slot] != DEPTH));
        assume (!read || (have && !past_read));
        if (live && !busy) begin
            assert (have == (count[slot] != 0));
            assert (place == from[slot][DW-1:0]);
            assert (half == &from[slot][DW-2:0]);
            assert (!past_read || run == past_run);
            assert (short == (starved != 0));
            // the block's state is the model's
            assert (count[0] <= DEPTH && count[1] <= DEPTH);
            assert (put0 == wr0 && put1 == wr1);
            assert (rd0 == from[0] && rd1 == from[1]);
            assert ((wr0 - rd0) % 8 == count[0] && (wr1 - rd1) % 8 == count[1]);
            assert (metp0 == met0 && metp1 == met1 && rdp0 == rd0 && rdp1 == rd1);
            assert (starved == {set1 != met1, set0 != met0});
            assert (short_q == starved[0] + starved[1]);
            assert (taken_q == emptied && (!emptied || taken_slot_q == past_slot));
            assert (!emptied || (past_read && count[past_slot] == 0 && !starved[past_slot]));
            assert (!starved[0] || count[0] == 0);
            assert (!starved[1] || count[1] == 0);
        end
        // while the places are cleared
        if (live && busy) begin
            assert (clear_q == 2'd0 || (put0 == 0 && wr0 == 0 && rd0 == 0 && rdp0 == 0 && !set0 && !met0 &&
                                        !metp0));
            assert (clear_q < 2'd2 && count[0] == 0 && count[1] == 0 && from[0] == 0 &&
                    from[1] == 0 && starved == 0 && short_q == 0);
            assert (!emptied && !past_read && !taken_q);
        end
        assert (!live || clear_q <= 2'd2);
    end

    genvar g;
    generate
        for (g = 0; g < DEPTH; g = g + 1) begin : g_run
            wire [DW-1:0] at0 = rd0 + g, at1 = rd1 + g;      // places of the run g
            wire [30:0]   r0 = at0 == 0 ? m0 : at0 == 1 ? m1 : at0 == 2 ? m2 : m3;
            wire [30:0]   r1 = at1 == 0 ? m4 : at1 == 1 ? m5 : at1 == 2 ? m6 : m7;
            always @* begin
                assert (!live || busy || g >= count[0] || r0 == queue[g]);
                assert (!live || busy || g >= count[1] || r1 == queue[DEPTH+g]);
            end
        end
    endgenerate

    always @(posedge clk) begin
        past_read <= read && rst_n;
        past_slot <= slot;
        past_run  <= head;
        emptied   <= rst_n && read && count[slot] == 1 && !(push && push_slot == slot);
        for (s = 0; s < 2; s = s + 1) begin
            for (k = 0; k < DEPTH; k = k + 1)
                if (push && push_slot == s && k == count[s] - (read && slot == s))
                    queue[DEPTH*s+k] <= push_run;
                else if (read && slot == s && k + 1 < DEPTH)
                    queue[DEPTH*s+k] <= queue[DEPTH*s+(k + 1) % DEPTH];
            count[s] <= !rst_n ? 0 : count[s] + (push && push_slot == s) - (read && slot == s);
            from[s]  <= !rst_n ? 0 : from[s] + (read && slot == s);
            starved[s] <= rst_n && ((starved[s] && !(fills && push_slot == s)) ||
                                    (ends && past_slot == s));
        end
    end
    // Nothing is promised before the first reset, and so it is with u_dut's contract.
    (* keep *) wire contract;          // joined to u_dut.contract_q
    reg live;
    initial live = 1'b0;
    always @(posedge clk) live <= live || !rst_n;
    always @* assert (contract == live);
endmodule

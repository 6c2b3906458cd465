// igpu_sched_global_tb - the global dispatcher cycle by cycle: interval, round-robin,
// resources of a group, groups that wait in order, and the launch's end. Two
// subslices of four thread slots, two barrier slots and 16 KB of SLM.

`default_nettype none

module igpu_sched_global_tb;
    `include "igpu_check.vh"

    reg  [1:0]  policy = 0;
    reg  [5:0]  slots = 4;
    reg         clk = 0, rst_n = 0, ce = 0, launch = 0, extend = 0, pinned = 0;
    reg  [47:0] now = 0;
    reg  [31:0] threads = 0;
    reg  [5:0]  tpg = 1;
    reg  [6:0]  slm = 0;
    reg  [15:0] ends = 0;
    reg  [79:0] end_bslot = 0;
    wire [1:0]  start;
    wire [31:0] thread;
    wire [4:0]  bslot;
    reg         dispatch = 1, seen = 0;             // seen: over_o, in this cycle
    wire        over, waits, unused_more;
    wire [47:0] next;

    igpu_sched_global #(.TILES(2)) u_global (
        .clk_i(clk), .rst_ni(rst_n), .ce_i(ce), .now_i(now), .subslices_i(3'd2),
        .eu_slots_i(slots), .barriers_i(5'd2), .slm_kb_i(7'd16), .interval_i(8'd3), .policy_i(policy),
        .launch_i(launch), .extend_i(extend), .threads_i(threads), .tpg_i(tpg), .pinned_i(pinned),
        .group_slm_i(slm), .dispatch_i(dispatch), .end_i(ends), .end_bslot_i(end_bslot),
        .start_valid_o(start),
        .start_thread_o(thread), .start_bslot_o(bslot), .over_o(over),
        .more_o(unused_more), .wait_o(waits),
        .next_o(next));

    task begin_launch(input [31:0] t, input [5:0] g, input p, input [6:0] kb);
        begin
            ce = 0;
            launch = 1;
            threads = t;
            tpg = g;
            pinned = p;
            slm = kb;
            #4 clk = 1;
            #5 clk = 0;
            launch = 0;
            #1;
        end
    endtask

    // The launch in hand has t threads from now on.
    task extend_launch(input [31:0] t);
        begin
            extend = 1;
            threads = t;
            clock;
            extend = 0;
        end
    endtask

    task clock;
        begin
            #4 clk = 1;
            #5 clk = 0;
            seen = seen | over;
            #1;
        end
    endtask

    // The clocks of a cycle but the last (igpu_array_time): ends are taken and counted, a
    // dispatch is decided.
    task decide;
        begin
            seen = 0;
            if (ends != 0) begin
                ce       = 1;
                dispatch = 0;
                clock;
                ce       = 0;
                dispatch = 1;
                ends = 0;
                repeat (3) clock;
            end
            clock;
        end
    endtask

    // The last one: what was decided is done.
    task edge_;
        begin
            ce = 1;
            clock;
            ce = 0;
            now = now + 1;
        end
    endtask

    // This cycle dispatches `t` to `tile` with barrier slot b.
    task expect_start(input integer tile, input integer t, input integer b);
        begin
            decide;
            check(start === (2'd1 << tile) && thread === t && bslot === b);
            edge_;
        end
    endtask

    task expect_none(input integer cycles);
        repeat (cycles) begin
            decide;
            check(start === 0);
            edge_;
        end
    endtask

    // One thread of EU e in `tile`, with barrier slot b, ends.
    task end_thread(input integer tile, input integer e, input integer b);
        begin
            ends[8 * tile + e] = 1;
            end_bslot[40 * tile + 5 * e +: 5] = b;
        end
    endtask

    integer k;

    initial begin
        #4 clk = 1;
        #5 clk = 0;
        rst_n = 1;
        begin_launch(10, 1, 0, 0);
        expect_start(0, 0, 31);
        check(waits === 1 && next === now + 2);
        expect_none(2);
        expect_start(1, 1, 31);
        result("one dispatch an interval: closed at t - 1, open at t");
        for (k = 2; k < 8; k = k + 1) begin
            expect_none(2);
            expect_start(k & 1, k, 31);
        end
        expect_none(9);
        check(waits === 0);
        end_thread(1, 3, 31);
        expect_start(1, 8, 31);
        result("full subslices wait; a slot freed at t is used at t");
        end_thread(0, 0, 31);
        end_thread(1, 0, 31);
        expect_none(2);
        expect_start(0, 9, 31);
        for (k = 0; k < 4; k = k + 1)
            end_thread(0, k, 31);
        decide;
        check(seen === 0);
        edge_;
        for (k = 0; k < 2; k = k + 1)
            end_thread(1, k, 31);
        decide;
        check(seen === 0);
        edge_;
        end_thread(1, 5, 31);
        decide;
        check(seen === 1);
        edge_;
        check(over === 0);
        result("over in the cycle of the last end, not before");

        // Three threads, and two more before the third is dispatched.
        begin_launch(3, 1, 0, 0);
        expect_start(0, 0, 31);
        expect_none(2);
        expect_start(1, 1, 31);
        extend_launch(5);
        for (k = 2; k < 5; k = k + 1) begin
            expect_none(2);
            expect_start(k & 1, k, 31);
        end
        expect_none(5);
        for (k = 0; k < 3; k = k + 1)
            end_thread(0, k, 31);
        decide;
        check(seen === 0);
        edge_;
        for (k = 0; k < 2; k = k + 1)
            end_thread(1, k, 31);
        decide;
        check(seen === 1);
        edge_;
        result("a launch that is extended goes on, and is over with its last thread");

        // Groups of three: a second one fits in no subslice's last slot.
        begin_launch(12, 3, 1, 0);
        expect_start(0, 0, 0);
        expect_none(2);
        expect_start(0, 1, 0);
        expect_none(2);
        expect_start(0, 2, 0);
        for (k = 3; k < 6; k = k + 1) begin
            expect_none(2);
            expect_start(1, k, 0);
        end
        expect_none(8);
        end_thread(1, 0, 0);
        expect_none(1);
        end_thread(1, 1, 0);
        expect_start(1, 6, 0 + 1);
        result("a group stays in its subslice and takes the lowest free barrier slot");
        end_thread(1, 2, 0);
        expect_none(2);
        expect_start(1, 7, 1);
        expect_none(2);
        expect_start(1, 8, 1);
        expect_none(4);
        for (k = 0; k < 3; k = k + 1)
            end_thread(0, k, 0);
        expect_start(0, 9, 0);
        for (k = 0; k < 3; k = k + 1)
            end_thread(1, k, 1);
        expect_none(2);
        expect_start(0, 10, 0);
        expect_none(2);
        expect_start(0, 11, 0);
        for (k = 0; k < 3; k = k + 1)
            end_thread(0, k, 0);
        decide;
        check(seen === 1);
        edge_;
        result("three ends in one cycle free a group's slots and barrier slot");

        // 10 KB of 16: one group a subslice, although slots and barriers are free.
        begin_launch(4, 1, 1, 10);
        expect_start(0, 0, 0);
        expect_none(2);
        expect_start(1, 1, 0);
        expect_none(7);
        end_thread(1, 0, 0);
        expect_start(1, 2, 0);
        expect_none(5);
        end_thread(0, 6, 0);
        expect_start(0, 3, 0);
        result("SLM limits groups and comes back with the last end");
        end_thread(0, 6, 0);
        end_thread(1, 0, 0);
        decide;
        check(seen === 1);
        edge_;

        // Two barrier slots a subslice, four thread slots: groups wait in order.
        begin_launch(6, 1, 1, 0);
        for (k = 0; k < 4; k = k + 1) begin
            expect_start(k & 1, k, k >> 1);
            expect_none(2);
        end
        expect_none(6);
        end_thread(0, 1, 1);
        expect_start(0, 4, 1);
        result("barrier slots limit groups although thread slots are free");
        end_thread(0, 0, 0);
        end_thread(1, 0, 0);
        expect_none(2);
        expect_start(1, 5, 0);
        end_thread(0, 1, 1);
        end_thread(1, 0, 0);
        end_thread(1, 1, 1);
        decide;
        check(seen === 1);
        edge_;

        policy = 1; // fill
        begin_launch(9, 1, 0, 0);
        for (k = 0; k < 8; k = k + 1) begin
            expect_start(k >> 2, k, 31);
            expect_none(2);
        end
        end_thread(1, 0, 31);
        expect_start(1, 8, 31);
        for (k = 0; k < 4; k = k + 1) begin
            end_thread(0, k, 31);
            end_thread(1, k, 31);
        end
        decide;
        check(seen === 1);
        edge_;
        result("fill: the lowest subslice with room");

        policy = 2; // least-loaded
        begin_launch(7, 1, 0, 0);
        for (k = 0; k < 4; k = k + 1) begin
            expect_start(k & 1, k, 31);
            expect_none(2);
        end
        end_thread(1, 0, 31);
        end_thread(1, 1, 31);
        for (k = 4; k < 6; k = k + 1) begin
            expect_start(1, k, 31);
            expect_none(2);
        end
        expect_start(0, 6, 31); // equal: the one after the last
        for (k = 0; k < 3; k = k + 1)
            end_thread(0, k, 31);
        for (k = 0; k < 2; k = k + 1)
            end_thread(1, k, 31);
        decide;
        check(seen === 1);
        edge_;

        // Groups of three: four of six slots are free in subslice 0, but no barrier slot.
        slots = 6;
        begin_launch(15, 3, 1, 0);
        for (k = 0; k < 12; k = k + 1) begin
            expect_start(k / 3 & 1, k, k / 6);
            expect_none(2);
        end
        for (k = 0; k < 2; k = k + 1) begin
            end_thread(0, 2 * k, 0);
            end_thread(0, 2 * k + 1, 1);
        end
        for (k = 0; k < 3; k = k + 1)
            end_thread(1, k, 0);
        expect_start(1, 12, 0);
        policy = 0;
        slots = 4;
        result("least-loaded: the most free slots, equal ones in turn");
        $finish;
    end
endmodule

`default_nettype wire

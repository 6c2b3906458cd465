// igpu_sched_local_tb - threads go round the EUs and, in each, round the slots; a slot
// freed at t is used at t + 1 at the earliest; barrier slots come back with the end.

`default_nettype none

module igpu_sched_local_tb;
    `include "igpu_check.vh"

    reg         clk = 0, rst_n = 0, start = 0;
    reg  [4:0]  bslot = 31;
    reg  [7:0]  ends = 0;
    reg  [23:0] end_slot = 0;
    wire        open;
    wire [2:0]  eu, slot;
    wire [39:0] end_bslot;

    igpu_sched_local u_local (
        .clk_i(clk), .rst_ni(rst_n), .ce_i(1'b1), .end_ce_i(1'b1), .eus_i(8'h07), .threads_i(3'd2),
        .start_valid_i(start), .start_bslot_i(bslot), .open_valid_o(open),
        .open_eu_o(eu), .open_slot_o(slot), .end_i(ends), .end_slot_i(end_slot),
        .end_bslot_o(end_bslot));

    task edge_;
        begin
            #4 clk = 1;
            #5 clk = 0;
            start = 0;
            ends  = 0;
        end
    endtask

    task place(input integer want_eu, input integer want_slot);
        begin
            start = 1;
            #1 check(open === 1 && eu === want_eu && slot === want_slot);
        end
    endtask

    initial begin
        edge_;
        rst_n = 1;
        #1 check(open === 0);
        place(0, 0); edge_;
        place(1, 0); edge_;
        place(2, 0); edge_;
        place(0, 1); edge_;
        place(1, 1); edge_;
        place(2, 1); edge_;
        start = 1;
        #1 check(open === 0);
        start = 0;                      // not over an edge: that would break the contract
        edge_;
        result("EU by EU, then slot by slot; full is full");

        // An end in the same cycle does not help; one cycle later it does.
        start           = 1;
        ends            = 8'h02;
        end_slot[5:3]   = 1;
        #1 check(open === 0);
        start = 0;
        edge_;
        place(1, 1); edge_;
        result("a slot freed at t is taken at t + 1");

        ends            = 8'h05;
        end_slot[2:0]   = 1;
        end_slot[8:6]   = 0;
        edge_;
        // The EU pointer stands after EU 1, the slot pointers after 1 and 1.
        place(2, 0); edge_;
        place(0, 1); edge_;
        result("pointers go on from where they stand");

        ends          = 8'h01;
        end_slot[2:0] = 0;
        edge_;
        bslot = 9;
        place(0, 0); edge_;
        ends          = 8'h01;
        end_slot[2:0] = 0;
        #1 check(end_bslot[4:0] === 9);
        edge_;
        bslot = 31;
        ends          = 8'h01;
        end_slot[2:0] = 1;
        #1 check(end_bslot[4:0] === 31);
        edge_;
        result("an end carries its thread's barrier slot");

        rst_n = 0;
        edge_;
        rst_n = 1;
        place(0, 0); edge_;
        result("a launch begins with all free and pointers 0");
        $finish;
    end
endmodule

`default_nettype wire

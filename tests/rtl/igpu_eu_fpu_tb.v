// igpu_eu_fpu_tb - the FPU's gates are tight: closed at t - 1, open at t; results come
// at D = max(t + occ + lat, D' + occ), one after the other. (The contract's limit of
// t + 1023 cannot be reached: D' - t is at most the latency, so D - t at most 318.)

`default_nettype none

module igpu_eu_fpu_tb;
    `include "igpu_check.vh"

    reg         clk = 0, rst_n = 0, issue = 0;
    reg  [47:0] now = 100;
    reg  [2:0]  slot = 0;
    reg  [16:0] uop = 0;
    reg  [7:0]  occ = 1;
    reg  [5:0]  lat = 1;
    wire        avail, busy, read, wb, occupied;
    wire [16:0] read_uop;
    wire [2:0]  wb_slot;
    wire [9:0]  at;
    wire [7:0]  until_at;

    igpu_eu_fpu u_fpu (
        .clk_i(clk), .rst_ni(rst_n), .ce_i(1'b1), .now_i(now), .issue_i(issue),
        .slot_i(slot), .uop_i(uop), .occ_i(occ), .lat_i(lat), .avail_o(avail),
        .occupied_o(occupied), .until_o(until_at), .busy_o(busy), .read_o(read),
        .uop_o(read_uop), .wb_o(wb), .wb_slot_o(wb_slot), .wb_at_o(at));

    // Model: all instructions since reset.
    integer d [0:4095];         // D
    integer done = 0, made = 0; // completed, issued
    integer free = 0;           // first cycle it may issue again
    integer seed = 21, round, want, blocked = 0;
    reg [16:0] shown;           // instruction whose mask the store shows
    reg [16:0] name [0:4095];

    task cycle(input try_issue, input [7:0] o, input [5:0] l);
        begin
            occ   = o;
            lat   = l;
            issue = 0;
            #1;
            // In flight: issued, D > now.
            want = made - done - (made != done && d[done] == now);
            check(avail === (now >= free && want < 16));
            blocked = blocked + (now >= free && want >= 16);
            check(wb === (made != done && d[done] == now));
            if (wb) begin
                check(wb_slot === name[done][2:0]);
                check(shown === name[done]);
                done = done + 1;
            end
            if (try_issue && avail) begin
                issue      = 1;
                uop        = made * 5 + 3;
                slot       = uop[2:0];
                name[made] = uop;
                d[made]    = now + o + l;
                if (made != 0 && d[made-1] + o > d[made])
                    d[made] = d[made-1] + o;
                made = made + 1;
                free = now + o;
            end
            #1;
            if (read)
                shown = read_uop;
            #3 clk = 1;
            #5 clk = 0;
            now = now + 1;
        end
    endtask

    initial begin
        #5 clk = 1;
        #5 clk = 0;
        rst_n = 1;
        for (round = 0; round < 4; round = round + 1)
            cycle(1, 1, 1);
        result("back to back at the shortest times");
        for (round = 0; round < 3000; round = round + 1)
            cycle(($random(seed) & 3) != 0, 1 + ($random(seed) & 7),
                  1 + ($random(seed) & 15));
        check(made > 300);
        result("random occupancies and latencies");
        for (round = 0; round < 400; round = round + 1)
            cycle(1, 2, 63);
        check(blocked > 5);
        result("at most 16 in flight; the 17th in the cycle in which the first completes");
        for (round = 0; round < 6000; round = round + 1)
            cycle(1, 255 - (made & 1) * 254, 63 - ((made >> 1) & 1) * 62);
        result("the longest occupancy and latency between the shortest");
        $finish;
    end
endmodule

`default_nettype wire

// igpu_rr_arb_tb - every size from 1 to 8 against a plain model: the first requester
// strictly after the last winner, wrapping.

`default_nettype none

module igpu_rr_arb_tb;
    `include "igpu_check.vh"

    reg        clk = 0, rst_n = 0, take = 0;
    reg  [7:0] req = 0;
    wire [7:0] grant [1:8];
    wire [2:0] index [1:8];

    genvar n;
    generate
        for (n = 1; n <= 8; n = n + 1) begin : g_n
            wire [n-1:0] g;
            igpu_rr_arb #(.N(n)) u_arb (
                .clk_i(clk), .rst_ni(rst_n), .req_i(req[n-1:0]), .take_i(take),
                .grant_o(g), .index_o(index[n]));
            assign grant[n] = g;
        end
    endgenerate

    integer size, round, i, want, k;
    integer last [1:8];
    integer waited [0:7];
    integer seed = 7;

    initial begin
        for (size = 1; size <= 8; size = size + 1)
            last[size] = size - 1;
        repeat (2) #5 clk = ~clk;
        rst_n = 1;
        for (round = 0; round < 3000; round = round + 1) begin
            req  = $random(seed);
            if (round % 7 == 0)
                req = 8'hff;
            if (round % 11 == 0)
                req = 0;
            take = (round % 5) != 0;
            #1;
            for (size = 1; size <= 8; size = size + 1) begin
                want = -1;
                for (i = size; i >= 1; i = i - 1)
                    if (req[(last[size] + i) % size])
                        want = (last[size] + i) % size;
                check(grant[size] === ((want < 0) ? 8'd0 : (8'd1 << want)));
                if (want >= 0) begin
                    check(index[size] === want[2:0]);
                    if (take)
                        last[size] = want;
                end
            end
            #4 clk = 1;
            #5 clk = 0;
        end
        result("sizes 1 to 8 grant the first requester after the last winner");

        // Seven that always ask get the same share, none waits longer than seven.
        req  = 8'hff;
        take = 1;
        for (k = 0; k < 7; k = k + 1)
            waited[k] = 0;
        for (round = 0; round < 70; round = round + 1) begin
            #5;
            for (k = 0; k < 7; k = k + 1) begin
                waited[k] = grant[7][k] ? 0 : waited[k] + 1;
                check(waited[k] < 7);
            end
            clk = 1;
            #5 clk = 0;
        end
        result("seven requesters held high wait less than seven grants");
        $finish;
    end
endmodule

`default_nettype wire

// igpu_queue_tb - random pushes and pops against an array; full and empty are reached.

`default_nettype none

module igpu_queue_tb;
    `include "igpu_check.vh"

    reg        clk = 0, rst_n = 0, push = 0, pop = 0;
    reg  [9:0] data = 0;
    wire [9:0] head;
    wire [3:0] count;

    igpu_queue #(.WIDTH(10), .DEPTH(8), .AW(3)) u_queue (
        .clk_i(clk), .rst_ni(rst_n), .push_i(push), .data_i(data), .pop_i(pop),
        .head_o(head), .count_o(count));

    reg [9:0] model [0:4095];
    integer first = 0, after = 0, round, seed = 3, full = 0, empty = 0;

    initial begin
        repeat (2) #5 clk = ~clk;
        rst_n = 1;
        for (round = 0; round < 3000; round = round + 1) begin
            data = $random(seed);
            // Phases that fill and phases that drain.
            push = (after - first < 8) && ($random(seed) & 3) > ((round / 100) & 1);
            pop  = (after != first) && ($random(seed) & 3) > (1 - ((round / 100) & 1));
            #1;
            check(count === after - first);
            if (after != first)
                check(head === model[first]);
            full  = full + (after - first == 8);
            empty = empty + (after == first);
            if (push) begin
                model[after] = data;
                after = after + 1;
            end
            if (pop)
                first = first + 1;
            #4 clk = 1;
            #5 clk = 0;
        end
        check(full > 20 && empty > 20);
        result("head and count follow random pushes and pops");
        rst_n = 0;
        push  = 0;
        pop   = 0;
        #5 clk = 1;
        #5 clk = 0;
        check(count === 0);
        result("a reset empties it");
        $finish;
    end
endmodule

`default_nettype wire

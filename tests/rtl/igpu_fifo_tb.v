// igpu_fifo_tb - random pushes and pops against an array; full and empty are reached, and a
// head is there in time.

`default_nettype none

module igpu_fifo_tb;
    `include "igpu_check.vh"

    reg        clk = 0, rst_n = 0, push = 0, pop = 0;
    reg  [9:0] data = 0;
    wire [9:0] head;
    wire       valid;

    igpu_fifo #(.WIDTH(10), .DEPTH(8), .AW(3)) u_fifo (
        .clk_i(clk), .rst_ni(rst_n), .push_i(push), .data_i(data), .pop_i(pop),
        .valid_o(valid), .head_o(head));

    reg [9:0] model [0:4095];
    integer first = 0, after = 0, round, seed = 3, full = 0, empty = 0, hidden = 0;

    initial begin
        repeat (2) #5 clk = ~clk;
        rst_n = 1;
        for (round = 0; round < 3000; round = round + 1) begin
            data = $random(seed);
            // Phases that fill and phases that drain.
            push = after - first < (valid ? 8 : 7) &&
                   ($random(seed) & 3) > 2 * ((round / 100) & 1);
            pop  = valid && ($random(seed) & 3) > (1 - ((round / 100) & 1));
            #1;
            check(valid === 1'b0 || after != first);
            if (valid)
                check(head === model[first]);
            hidden = (valid || after == first) ? 0 : hidden + 1;
            check(hidden < 4);
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
        result("the head follows random pushes and pops");
        rst_n = 0;
        push  = 0;
        pop   = 0;
        #5 clk = 1;
        #5 clk = 0;
        check(valid === 1'b0);
        result("a reset empties it");
        $finish;
    end
endmodule

`default_nettype wire

// igpu_min4_tb - the least of four, equal ones and absent ones among them.

`default_nettype none

module igpu_min4_tb;
    `include "igpu_check.vh"

    reg  [35:0] data;
    wire [8:0]  least;
    reg  [8:0]  want;
    integer     i, k, seed = 3;

    igpu_min4 #(.W(9)) u_min (.data_i(data), .least_o(least));

    initial begin
        for (i = 0; i < 20000; i = i + 1) begin
            want = 9'h1ff;
            for (k = 0; k < 4; k = k + 1) begin
                data[9*k +: 9] = ($random(seed) & 3) ? $random(seed) : 9'h1ff;
                if (($random(seed) & 3) == 0)
                    data[9*k +: 9] = data[9*k +: 9] & 9'd3;
                if (data[9*k +: 9] < want)
                    want = data[9*k +: 9];
            end
            #1 check(least === want);
        end
        result("the least of four numbers");
        $finish;
    end
endmodule

`default_nettype wire

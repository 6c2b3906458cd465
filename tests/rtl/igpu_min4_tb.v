// igpu_min4_tb - the least of four, equal ones and absent ones among them.

`default_nettype none

module igpu_min4_tb;
    `include "igpu_check.vh"

    reg  [3:0]  valid;
    reg  [35:0] data;
    wire        any;
    wire [8:0]  least;
    reg  [9:0]  want;
    integer     i, k, seed = 3;

    igpu_min4 #(.W(9)) u_min (
        .valid_i(valid), .data_i(data), .any_o(any), .least_o(least));

    initial begin
        for (i = 0; i < 20000; i = i + 1) begin
            want  = 10'h3ff;
            valid = ($random(seed) & 1) ? $random(seed) : 4'hf;
            for (k = 0; k < 4; k = k + 1) begin
                data[9*k +: 9] = $random(seed);
                if (($random(seed) & 3) == 0)
                    data[9*k +: 9] = data[9*k +: 9] & 9'd3;
                if (valid[k] && {1'b0, data[9*k +: 9]} < want)
                    want = {1'b0, data[9*k +: 9]};
            end
            #1 check(any === (want != 10'h3ff) && (!any || least === want[8:0]));
        end
        result("the least of four numbers");
        $finish;
    end
endmodule

`default_nettype wire

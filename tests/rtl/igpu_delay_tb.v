// igpu_delay_tb - a token comes out exactly latency enabled cycles later, not before
// and not after, for every latency, and nothing of the time before a reset comes out;
// any_o says whether one is under way.

`default_nettype none

module igpu_delay_tb;
    `include "igpu_check.vh"

    reg        clk = 0, rst_n = 0, ce = 0;
    reg  [5:0] latency = 1;
    reg  [7:0] data = 0;
    wire [7:0] out;
    wire       any;

    igpu_delay #(.WIDTH(8)) u_delay (
        .clk_i(clk), .rst_ni(rst_n), .ce_i(ce), .latency_i(latency), .data_i(data),
        .data_o(out), .any_o(any));

    reg [7:0] sent [0:255];
    integer l, t, k, seed = 5;
    reg     under_way;

    task edge_;
        begin
            #4 clk = 1;
            #5 clk = 0;
        end
    endtask

    initial begin
        for (l = 1; l <= 63; l = l + 1) begin
            latency = l;
            rst_n = 0;
            edge_;
            rst_n = 1;
            t = 0;
            while (t < 150) begin
                ce   = ($random(seed) & 3) != 0;
                data = ($random(seed) & 1) ? $random(seed) : 0;
                #1;
                check(out === ((t < l) ? 8'd0 : sent[t - l]));
                under_way = 0;
                for (k = (t < l) ? 0 : t - l; k < t; k = k + 1)
                    if (sent[k] != 0)
                        under_way = 1;
                check(any === under_way);
                sent[t] = data;
                if (ce)
                    t = t + 1;
                edge_;
            end
        end
        result("every latency from 1 to 63 is exact and starts empty");
        $finish;
    end
endmodule

`default_nettype wire

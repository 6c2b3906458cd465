// igpu_nearest_tb - the nearest of marks against a search over all of them: 1, 4, 5 and 24
// marks, begun anew in the middle of a search too; not before its time, and right from then on.

`default_nettype none

module igpu_nearest_tb;
    `include "igpu_check.vh"

    localparam W = 11;

    reg            clk = 0, still = 0;
    reg  [W-1:0]   now = 0;
    reg  [23:0]    set = 0;
    reg  [24*W-1:0] marks = 0;
    wire [W-1:0]   soon1, soon4, soon5, soon24;
    integer        i, k, t, seed = 11, shorts = 0;

    igpu_nearest #(.N(1), .W(W)) u_1 (
        .clk_i(clk), .still_i(still), .now_i(now), .set_i(set[0]), .marks_i(marks[W-1:0]),
        .soon_q(soon1));
    igpu_nearest #(.N(4), .W(W)) u_4 (
        .clk_i(clk), .still_i(still), .now_i(now), .set_i(set[3:0]), .marks_i(marks[4*W-1:0]),
        .soon_q(soon4));
    igpu_nearest #(.N(5), .W(W)) u_5 (
        .clk_i(clk), .still_i(still), .now_i(now), .set_i(set[4:0]), .marks_i(marks[5*W-1:0]),
        .soon_q(soon5));
    igpu_nearest #(.N(24), .W(W)) u_24 (
        .clk_i(clk), .still_i(still), .now_i(now), .set_i(set), .marks_i(marks), .soon_q(soon24));

    function [W-1:0] nearest(input integer n);
        integer      j;
        reg  [W-1:0] far;
        begin
            nearest = {W{1'b1}};
            for (j = 0; j < n; j = j + 1) begin
                far = marks[W*j +: W] - now;
                if (set[j] && far < nearest)
                    nearest = far;
            end
        end
    endfunction

    task clock;
        begin
            #1 clk = 1;
            #1 clk = 0;
        end
    endtask

    initial begin
        for (i = 0; i < 1000; i = i + 1) begin
            still = 0;
            now   = $random(seed);
            set   = $random(seed) & $random(seed);
            for (k = 0; k < 24; k = k + 1)
                marks[W*k +: W] = $random(seed);
            for (t = $random(seed) & 1; t >= 0; t = t - 1)
                clock;
            still = 1;
            k = ($random(seed) & 3) ? 20 : $random(seed) & 15;  // or begun anew before its end
            for (t = 1; t <= k; t = t + 1) begin
                clock;
                check(soon1 >= nearest(1) && soon4 >= nearest(4) && soon5 >= nearest(5) &&
                      soon24 >= nearest(24));
                check((t < 3 || soon1 === nearest(1)) && (t < 4 || soon4 === nearest(4)) &&
                      (t < 5 || soon5 === nearest(5)) && (t < 14 || soon24 === nearest(24)));
                if (t < 14 && soon24 != nearest(24))
                    shorts = shorts + 1;
            end
        end
        check(shorts != 0);
        result("the nearest of marks");
        $finish;
    end
endmodule

`default_nettype wire

// igpu_rr_pick2_tb - for all requests and pointers of 1, 2 and 7: the first choice is
// igpu_rr_pick's, and the second what igpu_rr_pick chooses without the first.

`default_nettype none

module igpu_rr_pick2_tb;
    `include "igpu_check.vh"

    reg  [6:0] req, above;
    wire [8:0] bad_n;

    genvar n;
    generate
        for (n = 1; n <= 7; n = n + 1) begin : g_n
            wire [n-1:0] want, want_above, then, then_above, one, above1, two, above2;

            igpu_rr_pick #(.N(n)) u_first (
                .req_i(req[n-1:0]), .above_i(above[n-1:0]), .grant_o(want),
                .above_o(want_above));
            igpu_rr_pick #(.N(n)) u_second (
                .req_i(req[n-1:0] & ~want), .above_i(above[n-1:0]), .grant_o(then),
                .above_o(then_above));
            igpu_rr_pick2 #(.N(n)) u_both (
                .req_i(req[n-1:0]), .above_i(above[n-1:0]), .grant_o(one),
                .above_o(above1), .grant2_o(two), .above2_o(above2));
            assign bad_n[n] = {one, above1, two, above2} !==
                              {want, want_above, then, then_above};
        end
    endgenerate
    assign {bad_n[8], bad_n[0]} = 2'd0;

    integer i, k;

    initial begin
        for (i = 0; i < 128; i = i + 1)
            for (k = 0; k < 8; k = k + 1) begin
                req   = i;
                above = 7'h7f << k;
                #1 check(bad_n === 9'd0);
            end
        result("sizes 1 to 7: the first choice, and the second without it");
        $finish;
    end

endmodule

`default_nettype wire

// igpu_eu_range_tb - every range of GRFs, and none.

`default_nettype none
`include "igpu_eu.vh"

module igpu_eu_range_tb;
    `include "igpu_check.vh"

    reg         en; // none has a value at first: each set one is an event
    reg  [6:0]  first, last;
    wire [63:0] lo, hi;
    reg  [127:0] want;
    integer     f, l, i;

    igpu_eu_range u_range (.en_i(en), .range_i({last, first}), .lo_o(lo), .hi_o(hi));

    initial begin
        en = 1;
        for (f = 0; f < 128; f = f + 1)
            for (l = 0; l < 128; l = l + 1) begin
                first = f;
                last  = l;
                for (i = 0; i < 128; i = i + 1)
                    want[i] = i >= f && i <= l;
                #1 check({hi, lo} === want);
            end
        result("a range is the bits from its first to its last");
        en = 0;
        #1 check({hi, lo} === 128'd0);
        result("without en_i there is no bit");
        $finish;
    end
endmodule

`default_nettype wire

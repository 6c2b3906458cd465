// igpu_eu_range_tb - range_bits of igpu_eu_range.vh: every range of GRFs, and none.

`default_nettype none
`include "igpu_eu.vh"

module igpu_eu_range_tb;
    `include "igpu_check.vh"
    `include "igpu_eu_range.vh"

    reg  [6:0]   first, last;
    reg  [63:0]  lo, hi;
    reg  [127:0] want;
    integer      f, l, i;

    initial begin
        for (f = 0; f < 128; f = f + 1)
            for (l = 0; l < 128; l = l + 1) begin
                first = f;
                last  = l;
                for (i = 0; i < 128; i = i + 1)
                    want[i] = i >= f && i <= l;
                range_bits({last, first}, lo, hi);
                check({hi, lo} === want);
            end
        result("a range is the bits from its first to its last");
        $finish;
    end
endmodule

`default_nettype wire

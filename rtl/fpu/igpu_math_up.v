// igpu_math_up - shift a number up until its top bit is set.
//
// Function  top_o = value_i << up_o, up_o the count of leading zeros; for zero, up_o is
//           all ones.
// Timing    combinational: LOG steps of a test and a selection.
// Contract  W = 1 << LOG.
// Reset     none.
// Model     __builtin_clz()  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none
`include "igpu_assert.vh"

module igpu_math_up #(
    parameter W = 64,
    parameter LOG = 6
) (
    input  wire [W-1:0]   value_i,  // a number
    output wire [W-1:0]   top_o,    // the same, top bit set
    output wire [LOG-1:0] up_o      // shifted by
);

    reg [W-1:0]   top;
    reg [LOG-1:0] up;
    integer       k;

    always @* begin
        top = value_i;
        for (k = LOG - 1; k >= 0; k = k - 1) begin
            up[k] = top >> (W - (1 << k)) == {W{1'b0}};
            if (up[k])
                top = top << (1 << k);
        end
    end

    assign top_o = top;
    assign up_o  = up;

    `IGPU_BUILT(W == 1 << LOG, "W is 2^LOG")
    `IGPU_HOLDS(value_i == {W{1'b0}} || top_o[W-1], "a number's top bit is set")

endmodule

`default_nettype wire

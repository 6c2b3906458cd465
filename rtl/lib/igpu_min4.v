// igpu_min4 - the least of up to four numbers, by all comparisons at once.
//
// Function  least_o is the least of those that are there; any_o: one is.
// Timing    Combinational: one comparison and two choices deep. valid_i may come late.
// Contract  Numbers are unsigned. Without any, least_o means nothing.
// Tests     tests/rtl/igpu_min4_tb.v

`default_nettype none

module igpu_min4 #(
    parameter W = 9
) (
    input  wire [3:0]     valid_i,   // which are there
    input  wire [4*W-1:0] data_i,    // four numbers, W bits each
    output reg            any_o,
    output reg  [W-1:0]   least_o
);

    localparam LEAST_W = W;
    `include "igpu_least.vh"

    // Mostly nothing is there.
    always @* begin
        {any_o, least_o} = {1'b0, data_i[4*W-1:3*W]};
        if (valid_i != 4'd0)
            {any_o, least_o} = least4(valid_i, data_i);
    end

endmodule

`default_nettype wire

// igpu_eu_mark - stage s2: results become bits for the scoreboards.
//
// Function  The results of FPU0, FPU1 and a response clear bits: mk_lo_o, mk_hi_o, mk_x_o
//           are those of each. What an issue sets, its scoreboard finds by itself
//           (igpu_eu_board).
// Timing    Combinational, in s2.
// Tests     tests/cosim/test_array.c
// Source    docs/develop/eu-pipeline.md#scoreboard

`default_nettype none
`include "igpu_eu.vh"

module igpu_eu_mark (
    input  wire [3*`IGPU_SET_W-1:0]   s2_set_i,    // what each instruction made busy
    output reg  [3*64-1:0]            mk_lo_o,     // GRFs 0 to 63 of each
    output reg  [3*64-1:0]            mk_hi_o,     // GRFs 64 to 127
    output reg  [3*8-1:0]             mk_x_o       // other bits
);

    localparam S = `IGPU_SET_W;

    `include "igpu_eu_range.vh"

    reg [S-1:0]  set;
    reg [63:0]   lo, hi;
    integer      g;

    always @* begin
        for (g = 0; g < 3; g = g + 1) begin
            set = s2_set_i[S*g +: S];
            range_bits(set[`IGPU_SET_RANGE], lo, hi);
            mk_lo_o[64*g +: 64] = lo;
            mk_hi_o[64*g +: 64] = hi;
            mk_x_o[8*g +: 8]    = set[`IGPU_SET_X];
        end
    end

endmodule

`default_nettype wire

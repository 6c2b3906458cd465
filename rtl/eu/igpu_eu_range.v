// igpu_eu_range - the GRFs of a range as bits.
//
// Function  Bit i of {hi_o, lo_o} is 1 if first <= i <= last. Two halves of 64 bits,
//           as everywhere in the scoreboard: a simulator has words of 64 bits.
// Timing    Combinational.
// Contract  range_i is {last, first}; first > last gives no bit.
// Tests     tests/rtl/igpu_eu_range_tb.v
// Source    docs/eu-pipeline.md#ranges

`default_nettype none
`include "igpu_eu.vh"

module igpu_eu_range (
    input  wire                     en_i,      // 0: no bit
    input  wire [`IGPU_RANGE_W-1:0] range_i,
    output reg  [63:0]              lo_o,      // GRFs 0 to 63
    output reg  [63:0]              hi_o       // GRFs 64 to 127
);

    localparam [63:0] ONES = {64{1'b1}};
    localparam [63:0] NONE = {64{1'b0}};

    wire [6:0] first = range_i[`IGPU_RANGE_FIRST];
    wire [6:0] last  = range_i[`IGPU_RANGE_LAST];

    reg [63:0] from, upto;       // bits from first on, bits up to last, in their halves

    always @* begin
        lo_o = NONE;
        hi_o = NONE;
        from = NONE;
        upto = NONE;
        if (en_i && first <= last) begin
            from = ONES << first[5:0];
            upto = ONES >> ~last[5:0];
            if (!first[6])
                lo_o = last[6] ? from : from & upto;
            if (last[6])
                hi_o = first[6] ? from & upto : upto;
        end
    end

endmodule

`default_nettype wire

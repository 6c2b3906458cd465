// igpu_eu_range.vh - the GRFs of a range as bits, in two halves of 64: a simulator has
// words of 64 bits.
//
// Function  range_bits: bit i of {hi, lo} is 1 if first <= i <= last.
// Contract  range is {last, first}; first > last gives no bit.
// Tests     tests/rtl/igpu_eu_range_tb.v
// Source    docs/develop/eu-pipeline.md#ranges

    localparam [63:0] RANGE_ONES = {64{1'b1}};

    task range_bits(
        input  [`IGPU_RANGE_W-1:0] range,
        output [63:0]              lo,
        output [63:0]              hi
    );
        reg [6:0]  first, last;
        reg [63:0] from, upto;  // bits from first on, bits up to last, in their halves
        begin
            {last, first} = range;
            {lo, hi}      = 128'd0;
            from          = 64'd0;
            upto          = 64'd0;
            if (first <= last) begin
                from = RANGE_ONES << first[5:0];
                upto = RANGE_ONES >> ~last[5:0];
                if (!first[6])
                    lo = last[6] ? from : from & upto;
                if (last[6])
                    hi = first[6] ? from & upto : upto;
            end
        end
    endtask

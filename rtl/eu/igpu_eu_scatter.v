// igpu_eu_scatter - a pass's results as bytes of a window of two registers.
//
// Function  The result of slot k goes to k strides behind at_i, where its slot is on.
// Timing    Combinational.
// Contract  What is written lies in the register of at_i and the next (igpu_eu_plan sees to
//           that).
// Reset     None: no state.
// Tests     tests/cosim/test_values_forms
// Source    docs/develop/eu.md#results

`default_nettype none

module igpu_eu_scatter #(
    parameter LANES = 4          // as igpu_fpu's
) (
    input  wire         on_i,        // there is a result; else nothing moves here
    input  wire [127:0] data_i,
    input  wire [7:0]   lanes_i,     // slots that are on
    input  wire [1:0]   slot_i,      // 0, 1, 2: slots of 16, 32, 64 bits
    input  wire [1:0]   size_i,      // log2 of a result's bytes
    input  wire [1:0]   hs_i,        // code of the stride; 0, of one result, as 1
    input  wire [4:0]   at_i,        // byte of slot 0's result in its register
    output reg  [511:0] window_o,
    output reg  [63:0]  byte_o
);

    wire [2:0] shift = {1'b0, size_i} + (hs_i == 2'd0 ? 3'd0 : {1'b0, hs_i} - 3'd1);
    reg  [5:0] from, slot, part;
    reg        on;
    integer    i;

    always @* begin
        {from, slot, part, on} = 19'd0;
        window_o = 512'd0;
        byte_o   = 64'd0;
        if (on_i)
            for (i = 0; i < 64; i = i + 1) begin
                from = i[5:0] - {1'b0, at_i};
                slot = LANES == 1 ? 6'd0 : from >> shift;
                part = LANES == 1 ? from : from & ~(6'h3f << shift);
                on   = i[5:0] >= {1'b0, at_i} && slot[5:3] == 3'd0 &&
                       lanes_i[LANES == 1 ? 3'd0 : slot[2:0]] && part >> size_i == 6'd0;
                byte_o[i] = on;
                if (on)
                    window_o[8*i +: 8] =
                        data_i[{(LANES == 1 ? 4'd0 : slot[3:0] << (slot_i + 2'd1)) +
                                {1'b0, part[2:0]}, 3'd0} +: 8];
            end
    end

    wire unused = &{1'b0, slot_i, data_i, lanes_i};

endmodule

`default_nettype wire

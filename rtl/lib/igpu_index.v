// igpu_index - the number of the bit that is set.
//
// Function  index_o is the number of the one bit that is set in onehot_i; 0 of none. An OR
//           of half the bits for each bit of the number: no priority, no chain.
// Timing    Combinational.
// Contract  At most one bit is set: of more, index_o is all their numbers' bits together.
// Tests     tests/rtl/igpu_index_tb.v

`default_nettype none
`include "igpu_assert.vh"

module igpu_index #(
    parameter N = 8,               // bits; 1 to 2^W
    parameter W = 3                // bits of the number
) (
    input  wire [N-1:0] onehot_i,
    output wire [W-1:0] index_o
);

    // Nothing is looked for in no bit: most choices rest most cycles.
    function [W-1:0] number(input [N-1:0] onehot);
        integer b, k;

        begin
            number = {W{1'b0}};
            if (onehot != {N{1'b0}})
                for (b = 0; b < W; b = b + 1)
                    for (k = 0; k < N; k = k + 1)  // the bits whose number has bit b
                        if ((k >> b) % 2 == 1)
                            number[b] = number[b] | onehot[k];
        end
    endfunction

    assign index_o = number(onehot_i);

    wire unused = &{1'b0, onehot_i[0]};            // of no bit its number decides

    `IGPU_BUILT(N >= 1 && N <= 1 << W, "N is 1 to 2^W")
    `IGPU_HOLDS((onehot_i & (onehot_i - 1'b1)) == {N{1'b0}}, "at most one bit is set")

endmodule

`default_nettype wire

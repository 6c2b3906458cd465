// igpu_fpu_jam - shift right; what falls off makes the lowest bit 1.
//
// Function  data_o = data_i >> shift_i, with the lowest bit set when a 1 was lost.
//           Rounding then sees that the exact value lies above the kept bits.
// Timing    Combinational.
// Contract  2^(SW-1) < N <= 2^SW <= 2^XW. shift_i is unsigned.
// Tests     tests/formal/fpu.sh, tests/fpu
// Source    docs/fpu.md

`default_nettype none

module igpu_fpu_jam #(
    parameter N  = 51,             // bits
    parameter SW = 6,              // bits of a shift that leaves something
    parameter XW = 10              // bits of shift_i, more than SW
) (
    input  wire [N-1:0]  data_i,
    input  wire [XW-1:0] shift_i,
    output reg  [N-1:0]  data_o
);

    wire [SW-1:0] shift = shift_i[SW-1:0];
    wire          all   = shift_i[XW-1:SW] != {(XW-SW){1'b0}};   // nothing stays
    wire          lost  = (data_i & ~({N{1'b1}} << shift)) != {N{1'b0}};

    always @* begin
        data_o = {N{1'b0}};
        if (all)
            data_o[0] = data_i != {N{1'b0}};
        else begin
            data_o    = data_i >> shift;
            data_o[0] = data_o[0] || lost;
        end
    end

endmodule

`default_nettype wire

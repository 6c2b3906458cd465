// igpu_fpu_norm - count leading zeros and shift them out.
//
// Function  count_o zeros above the highest 1 of data_i; data_o is data_i shifted
//           left by that. Without any 1: data_o is 0 and count_o has no meaning.
//           Halving search: a step for each bit of the count. With on_i 0 data_i
//           passes, count_o is 0.
// Timing    Combinational.
// Contract  2^(CW-1) < N <= 2^CW.
// Tests     tests/formal/fpu.sh (proof against a definition, several N), tests/fpu
// Source    docs/fpu.md

`default_nettype none

module igpu_fpu_norm #(
    parameter N  = 24,             // bits
    parameter CW = 5               // bits of the count
) (
    input  wire          on_i,
    input  wire [N-1:0]  data_i,
    output reg  [N-1:0]  data_o,   // with the highest 1 on top
    output reg  [CW-1:0] count_o   // zeros above it
);

    integer k;

    always @* begin
        data_o  = data_i;
        count_o = {CW{1'b0}};
        if (on_i)
            for (k = CW - 1; k >= 0; k = k - 1)
                if ((data_o >> (N - (1 << k))) == {N{1'b0}}) begin
                    data_o     = data_o << (1 << k);
                    count_o[k] = 1'b1;
                end
    end

endmodule

`default_nettype wire

// igpu_min4 - the least of four numbers, by all comparisons at once.
//
// Function  least_o is the least of the four.
// Timing    Combinational: one comparison and one choice deep.
// Contract  Numbers are unsigned; one that is not there is all ones.
// Tests     tests/rtl/igpu_min4_tb.v

`default_nettype none

module igpu_min4 #(
    parameter W = 9
) (
    input  wire [4*W-1:0] data_i,    // four numbers, W bits each
    output reg  [W-1:0]   least_o
);

    wire [W-1:0] a = data_i[W-1:0];
    wire [W-1:0] b = data_i[2*W-1:W];
    wire [W-1:0] c = data_i[3*W-1:2*W];
    wire [W-1:0] d = data_i[4*W-1:3*W];
    reg          ab, ac, ad, bc, bd, cd;        // ab: a is at most b

    // Mostly nothing is there.
    always @* begin
        {ab, ac, ad, bc, bd, cd} = 6'd0;
        least_o = {W{1'b1}};
        if ((a & b & c & d) != {W{1'b1}}) begin
            ab = a <= b;
            ac = a <= c;
            ad = a <= d;
            bc = b <= c;
            bd = b <= d;
            cd = c <= d;
            least_o = (ab && ac && ad) ? a : (!ab && bc && bd) ? b : cd ? c : d;
        end
    end

endmodule

`default_nettype wire

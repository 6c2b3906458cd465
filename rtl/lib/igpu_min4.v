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
    output wire           any_o,
    output reg  [W-1:0]   least_o
);

    wire [W-1:0] a = data_i[W-1:0];
    wire [W-1:0] b = data_i[2*W-1:W];
    wire [W-1:0] c = data_i[3*W-1:2*W];
    wire [W-1:0] d = data_i[4*W-1:3*W];
    reg          ab, ac, ad, bc, bd, cd;        // ab: a rather than b

    assign any_o = valid_i != 4'd0;

    // Mostly nothing is there.
    always @* begin
        {ab, ac, ad, bc, bd, cd} = 6'd0;
        least_o = d;
        if (valid_i != 4'd0) begin
            ab = valid_i[0] && (!valid_i[1] || a <= b);
            ac = valid_i[0] && (!valid_i[2] || a <= c);
            ad = valid_i[0] && (!valid_i[3] || a <= d);
            bc = valid_i[1] && (!valid_i[2] || b <= c);
            bd = valid_i[1] && (!valid_i[3] || b <= d);
            cd = valid_i[2] && (!valid_i[3] || c <= d);
            least_o = (ab && ac && ad) ? a : (!ab && bc && bd) ? b : cd ? c : d;
        end
    end

endmodule

`default_nettype wire

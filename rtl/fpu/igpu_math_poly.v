// igpu_math_poly - extended math, stages 7 to 9: the cubic of a segment.
//
// Function  p_o = c0 + d (c1 + d (c2 + d c3)), in units of 2^-40.
// Timing    3 cycles, one step each.
// Contract  d_i: 28 bits behind the point.
// Reset     none: data follows.
// Model     csim/fpu/math_int.h: math_cubic_at()  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none

module igpu_math_poly (
    input  wire         clk_i,
    input  wire [124:0] coef_i,  // c0, c1, c2, c3
    input  wire [27:0]  d_i,     // place in the segment
    output wire [40:0]  p_o      // value
);

    reg  [40:0] c0_2q, c0_3q;
    reg  [34:0] c1_2q;
    reg  [27:0] d_2q, d_3q;
    wire [27:0] s2;
    wire [34:0] s1;
    wire [41:0] s0;

    igpu_math_horner #(.SW(21), .DW(20), .CW(28)) u_two (
        .clk_i(clk_i), .s_i(coef_i[20:0]), .d_i(d_i[27:8]), .c_i(coef_i[48:21]), .s_o(s2));
    igpu_math_horner #(.SW(28), .DW(28), .CW(35)) u_one (
        .clk_i(clk_i), .s_i(s2), .d_i(d_2q), .c_i(c1_2q), .s_o(s1));
    igpu_math_horner #(.SW(35), .DW(28), .CW(42)) u_zero (
        .clk_i(clk_i), .s_i(s1), .d_i(d_3q), .c_i({1'b0, c0_3q}), .s_o(s0));

    assign p_o = s0[40:0];

    always @(posedge clk_i) begin
        c0_2q <= coef_i[124:84];
        c1_2q <= coef_i[83:49];
        d_2q  <= d_i;
        c0_3q <= c0_2q;
        d_3q  <= d_2q;
    end

    wire unused = &{1'b0, s0[41]};

endmodule

`default_nettype wire

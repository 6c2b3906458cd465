// igpu_math_lane - the datapath of one lane of extended math: fourteen stages.
//
// Function  result_o = fn_i of x_i (and y_i), by way of the table outside (igpu_math_rom):
//           seg_o is the segment, coef_i its coefficients a clock later.
// Timing    14 cycles, an operation a clock; every register moves in every clock.
// Contract  again_i: what leaves stage 13 goes into stage 2 once more, the second pass
//           of pow, and nothing leaves stage 1 in that clock.
// Reset     none: data follows. igpu_math knows what is valid.
// Model     csim/fpu/math.c  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none
`include "igpu_math.vh"

module igpu_math_lane (
    input  wire                        clk_i,
    input  wire                        again_i,   // second pass: from stage 13 to 2
    input  wire [3:0]                  fn_i,      // function: math's FC field
    input  wire                        half_i,    // half precision, in the low 16 bits
    input  wire                        signed_i,  // integers have a sign
    input  wire [1:0]                  round_i,   // as cr0.0[5:4]
    input  wire                        flush_i,   // denormals become zeros
    input  wire [31:0]                 x_i,       // operands
    input  wire [31:0]                 y_i,
    input  wire [`IGPU_MATH_TAG_W-1:0] tag_i,     // comes out with the result
    output wire [3:0]                  fn_o,      // table: function
    output wire                        second_o,  // ... second pass of pow
    output wire [7:0]                  seg_o,     // ... segment
    input  wire [124:0]                coef_i,    // coefficients of the clock before's
    output wire                        first_o,   // stage 12 holds the first pass of pow
    output wire [31:0]                 result_o,  // result
    output wire [5:0]                  flags_o,   // exceptions, as in sr0.1
    output wire [`IGPU_MATH_TAG_W-1:0] tag_o
);

    localparam CTL_W = `IGPU_MATH_CTL_W;

    wire [CTL_W-1:0] fix_ctl, norm_ctl;
    wire [31:0]      norm_a, norm_whole;
    wire [39:0]      norm_mant;
    assign first_o = fix_ctl[`IGPU_MATH_C_FN] == `IGPU_MATH_POW &&
                     !fix_ctl[`IGPU_MATH_C_SECOND];

    wire [CTL_W-1:0] unpack_ctl;
    wire [31:0]      unpack_a, unpack_m;
    igpu_math_unpack u_unpack (
        .clk_i(clk_i), .fn_i(fn_i), .half_i(half_i), .signed_i(signed_i),
        .round_i(round_i), .flush_i(flush_i), .x_i(x_i), .y_i(y_i), .tag_i(tag_i),
        .ctl_o(unpack_ctl), .a_o(unpack_a), .m_o(unpack_m));

    // What goes round: y's mantissa, and y times the logarithm as sign and exponent.
    reg  [CTL_W-1:0]   first_ctl;
    wire signed [10:0] log_exp, y_exp;
    assign log_exp = norm_ctl[`IGPU_MATH_C_EXP];
    assign y_exp   = {norm_ctl[`IGPU_MATH_C_YEXP_SIGN], norm_ctl[`IGPU_MATH_C_YEXP]};
    always @* begin
        first_ctl = unpack_ctl;
        if (again_i) begin
            first_ctl                      = norm_ctl;
            first_ctl[`IGPU_MATH_C_SECOND] = 1'b1;
            first_ctl[`IGPU_MATH_C_EXP]    = log_exp + y_exp;
            if (norm_ctl[`IGPU_MATH_C_CLS] == `IGPU_MATH_FINITE)
                first_ctl[`IGPU_MATH_C_SIGN] = norm_ctl[`IGPU_MATH_C_SIGN] ^
                                               norm_ctl[`IGPU_MATH_C_YSIGN];
        end
    end

    wire [CTL_W-1:0] window_ctl, product_ctl, reduce_ctl, arg_ctl, poly_ctl;
    wire [31:0]      window_a, product_a, reduce_a, arg_a, poly_a;
    wire [31:0]      window_m, product_m, reduce_m, arg_b, poly_b;
    wire [23:0]      window_k;
    wire [89:0]      window_w, product_t;
    wire [87:0]      reduce_r;
    wire [35:0]      reduce_place, arg_place, arg_f, poly_f;
    igpu_math_window u_window (
        .clk_i(clk_i), .ctl_i(first_ctl), .a_i(again_i ? norm_a : unpack_a),
        .m_i(unpack_m), .log_i(norm_mant), .ctl_o(window_ctl), .a_o(window_a),
        .m_o(window_m), .k_o(window_k), .w_o(window_w));
    igpu_math_product u_product (
        .clk_i(clk_i), .ctl_i(window_ctl), .a_i(window_a), .m_i(window_m),
        .k_i(window_k), .w_i(window_w), .ctl_o(product_ctl), .a_o(product_a),
        .m_o(product_m), .t_o(product_t));
    igpu_math_reduce u_reduce (
        .clk_i(clk_i), .ctl_i(product_ctl), .a_i(product_a), .m_i(product_m),
        .t_i(product_t), .ctl_o(reduce_ctl), .a_o(reduce_a), .m_o(reduce_m),
        .r_o(reduce_r), .place_o(reduce_place));
    igpu_math_arg u_arg (
        .clk_i(clk_i), .ctl_i(reduce_ctl), .a_i(reduce_a), .m_i(reduce_m),
        .r_i(reduce_r), .place_i(reduce_place), .ctl_o(arg_ctl), .a_o(arg_a),
        .b_o(arg_b), .f_o(arg_f), .place_o(arg_place));

    // Table and polynomial; the rest waits.
    reg  [27:0]  rom_d;
    wire [40:0]  poly_p;
    assign fn_o     = arg_ctl[`IGPU_MATH_C_FN];
    assign second_o = arg_ctl[`IGPU_MATH_C_SECOND];
    assign seg_o    = arg_place[35:28];
    always @(posedge clk_i)
        rom_d <= arg_place[27:0];
    igpu_math_poly u_poly (
        .clk_i(clk_i), .coef_i(coef_i), .d_i(rom_d), .p_o(poly_p));
    igpu_shift #(.WIDTH(CTL_W + 100), .STAGES(4)) u_carry (
        .clk_i(clk_i), .data_i({arg_ctl, arg_a, arg_b, arg_f}),
        .data_o({poly_ctl, poly_a, poly_b, poly_f}));

    wire [CTL_W-1:0] scale_ctl, rem_ctl;
    wire [31:0]      scale_a, scale_b, rem_a, rem_b, rem_q, fix_a, fix_whole;
    wire [76:0]      scale_t, rem_t;
    wire [33:0]      rem_rest;
    wire [63:0]      fix_v;
    igpu_math_scale u_scale (
        .clk_i(clk_i), .ctl_i(poly_ctl), .a_i(poly_a), .b_i(poly_b), .f_i(poly_f),
        .p_i(poly_p), .ctl_o(scale_ctl), .a_o(scale_a), .b_o(scale_b), .t_o(scale_t));
    igpu_math_rem u_rem (
        .clk_i(clk_i), .ctl_i(scale_ctl), .a_i(scale_a), .b_i(scale_b), .t_i(scale_t),
        .ctl_o(rem_ctl), .a_o(rem_a), .b_o(rem_b), .t_o(rem_t), .q_o(rem_q),
        .rest_o(rem_rest));
    igpu_math_fix u_fix (
        .clk_i(clk_i), .ctl_i(rem_ctl), .a_i(rem_a), .b_i(rem_b), .t_i(rem_t),
        .q_i(rem_q), .rest_i(rem_rest), .ctl_o(fix_ctl), .a_o(fix_a), .v_o(fix_v),
        .whole_o(fix_whole));
    igpu_math_norm u_norm (
        .clk_i(clk_i), .ctl_i(fix_ctl), .a_i(fix_a), .v_i(fix_v), .whole_i(fix_whole),
        .ctl_o(norm_ctl), .a_o(norm_a), .mant_o(norm_mant), .whole_o(norm_whole));
    igpu_math_pack u_pack (
        .clk_i(clk_i), .ctl_i(norm_ctl), .mant_i(norm_mant), .whole_i(norm_whole),
        .result_o(result_o), .flags_o(flags_o), .tag_o(tag_o));

endmodule

`default_nettype wire

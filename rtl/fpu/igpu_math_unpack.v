// igpu_math_unpack - extended math, stage 1: operands to mantissas and exponents.
//
// Function  a_o: the dividend (24 bits, or an integer's magnitude), or for pow y's
//           mantissa. m_o: the mantissa, top bit set, of the operand that goes to the
//           tables: the divisor, or x. ctl_o: igpu_math.vh.
// Timing    1 cycle.
// Contract  Half precision in the low 16 bits. INVM and RSQTM: x_i is the top 32 bits
//           of a mantissa, its top bit set; y_i[0] of RSQTM: the exponent is odd.
// Reset     none: data follows.
// Model     csim/fpu/math.c: compute(), math_div.c: fpu_math_idiv()
// Tests     tests/rtl/igpu_math_tb.cpp

`default_nettype none
`include "igpu_math.vh"

module igpu_math_unpack (
    input  wire                        clk_i,
    input  wire [3:0]                  fn_i,       // function
    input  wire                        half_i,     // half precision
    input  wire                        signed_i,   // integers have a sign
    input  wire [1:0]                  round_i,    // rounding mode
    input  wire                        flush_i,    // denormals become zeros
    input  wire [31:0]                 x_i,        // operands
    input  wire [31:0]                 y_i,
    input  wire [`IGPU_MATH_TAG_W-1:0] tag_i,      // comes out with the result
    output reg  [`IGPU_MATH_CTL_W-1:0] ctl_o,      // control word
    output reg  [31:0]                 a_o,        // dividend
    output reg  [31:0]                 m_o         // mantissa for the tables
);

    wire is_int, is_macro, is_fdiv, is_inv, is_pow, is_root, two;
    assign is_int   = fn_i == `IGPU_MATH_IDIV || fn_i == `IGPU_MATH_IQOT ||
                      fn_i == `IGPU_MATH_IREM;
    assign is_macro = fn_i == `IGPU_MATH_INVM || fn_i == `IGPU_MATH_RSQTM;
    assign is_fdiv  = fn_i == `IGPU_MATH_FDIV;
    assign is_inv   = fn_i == `IGPU_MATH_INV;
    assign is_pow   = fn_i == `IGPU_MATH_POW;
    assign is_root  = fn_i == `IGPU_MATH_SQT || fn_i == `IGPU_MATH_RSQT;
    assign two      = is_fdiv || is_pow;

    // Magnitudes of integers.
    wire        xneg, yneg;
    wire [31:0] xabs, yabs;
    assign xneg = is_int && signed_i && x_i[31];
    assign yneg = is_int && signed_i && y_i[31];
    assign xabs = xneg ? -x_i : x_i;
    assign yabs = yneg ? -y_i : y_i;

    wire [2:0]         x_cls, y_cls;
    wire               x_sign, y_sign, x_den, y_den, x_snan, y_snan;
    wire signed [10:0] x_exp, y_exp;
    wire [31:0]        x_mant, y_mant;
    wire [4:0]         x_up, y_up;

    igpu_math_operand u_x (
        .bits_i(xabs), .half_i(half_i), .flush_i(flush_i), .whole_i(is_macro),
        .cls_o(x_cls), .sign_o(x_sign), .exp_o(x_exp), .mant_o(x_mant), .up_o(x_up),
        .denormal_o(x_den), .signalling_o(x_snan));
    igpu_math_operand u_y (
        .bits_i(yabs), .half_i(half_i), .flush_i(flush_i), .whole_i(is_int),
        .cls_o(y_cls), .sign_o(y_sign), .exp_o(y_exp), .mant_o(y_mant), .up_o(y_up),
        .denormal_o(y_den), .signalling_o(y_snan));

    wire [2:0] cls;
    wire       sign, invalid, divzero;
    igpu_math_special u_special (
        .fn_i(fn_i), .x_cls_i(x_cls), .x_sign_i(x_sign), .x_ge1_i(!x_exp[10]),
        .x_one_i(x_cls == `IGPU_MATH_FINITE && x_exp == 11'sd0 && x_mant == 32'h8000_0000),
        .y_cls_i(y_cls), .y_sign_i(y_sign), .cls_o(cls), .sign_o(sign),
        .invalid_o(invalid), .divzero_o(divzero));

    reg [2:0]         result_cls;
    reg [5:0]         flags;
    reg signed [10:0] exp;
    always @* begin
        result_cls = cls;
        flags      = 6'd0;
        if (is_int || is_macro) begin
            result_cls = is_int && y_i == 32'd0 ? `IGPU_MATH_BYZERO : `IGPU_MATH_FINITE;
        end else begin
            if (invalid || x_snan || (two && y_snan))
                flags = flags | `IGPU_MATH_INVALID;
            if (x_den || (two && y_den))
                flags = flags | `IGPU_MATH_DENORMAL;
            if (divzero)
                flags = flags | `IGPU_MATH_DIVZERO;
        end
        exp = x_exp;
        if (is_inv)
            exp = -x_exp;
        if (is_fdiv)
            exp = x_exp - y_exp;
    end

    always @(posedge clk_i) begin
        ctl_o[`IGPU_MATH_C_FN]     <= fn_i;
        ctl_o[`IGPU_MATH_C_HALF]   <= half_i;
        ctl_o[`IGPU_MATH_C_ROUND]  <= round_i;
        ctl_o[`IGPU_MATH_C_FLUSH]  <= flush_i;
        ctl_o[`IGPU_MATH_C_SECOND] <= 1'b0;
        ctl_o[`IGPU_MATH_C_CLS]    <= result_cls;
        ctl_o[`IGPU_MATH_C_SIGN]   <= sign;
        ctl_o[`IGPU_MATH_C_FLAGS]  <= flags;
        ctl_o[`IGPU_MATH_C_QNEG]   <= xneg ^ yneg;
        ctl_o[`IGPU_MATH_C_RNEG]   <= xneg;
        ctl_o[`IGPU_MATH_C_UP]     <= y_up;
        ctl_o[`IGPU_MATH_C_ODD]    <= is_root ? x_exp[0]
                                    : fn_i == `IGPU_MATH_RSQTM && y_i[0];
        ctl_o[`IGPU_MATH_C_YSIGN]  <= y_sign;
        ctl_o[`IGPU_MATH_C_YEXP]   <= y_exp[9:0];
        ctl_o[`IGPU_MATH_C_EXP]    <= exp;
        ctl_o[`IGPU_MATH_C_LOW]    <= 1'b0;
        ctl_o[`IGPU_MATH_C_NEAR1]  <= 1'b0;
        ctl_o[`IGPU_MATH_C_TAG]    <= tag_i;
        a_o <= is_int ? xabs
             : is_inv ? 32'h0080_0000
             : is_pow ? {8'd0, y_mant[31:8]} : {8'd0, x_mant[31:8]};
        m_o <= is_int || is_fdiv ? y_mant : x_mant;
    end

    wire unused = &{1'b0, x_up, y_exp[10]};

endmodule

`default_nettype wire

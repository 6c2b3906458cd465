// igpu_fpu_elem - the FPU's pipeline for one element: eight stages.
//
// Function  One operation of igpu_fpu.vh on elements of up to W bits, integer and
//           float, with DF double floats too. Wiring only; each stage is a file:
//             1 operands   flush, modify, unpack
//             2 multiply   product, comparison, bits, special results
//             3 align      shift the smaller summand, join the passes of a product
//             4 add        sum
//             5 normalize  leading 1 to the top; integers saturate
//             6 compute    round to the format of the operation
//             7 convert    round to the result's type
//             8 pack       encode; flag; saturation
// Timing    8 cycles, one operation (or pass of a product) a cycle.
// Contract  The control words are igpu_fpu_control's for these types. Of an integer
//           product in two passes both come in consecutive cycles with the same
//           operands; one result.
// Model     csim/emu.  Tests: tests/fpu.  Source: docs/contract/fpu.md

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_fpu.vh"

module igpu_fpu_elem #(
    parameter W  = 32,                     // bits of an element: 16, 32, 64
    parameter DF = 0                       // 1: double floats too, W is 64
) (
    input  wire                       clk_i,
    input  wire [7:0]                 valid_i,  // the stages that hold something
    input  wire [`IGPU_FPU_CTL_W-1:0] ctl_i,    // of the operands
    input  wire [`IGPU_FPU_CTL_W-1:0] s1_ctl_i,  // of stage 1
    input  wire [`IGPU_FPU_CTL_W-1:0] s2_ctl_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s3_ctl_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s4_ctl_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s5_ctl_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s6_ctl_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s7_ctl_i,
    input  wire [11:0]                type_i,   // of z, y, x
    input  wire [5:0]                 mod_i,    // modifiers of z, y, x
    input  wire                       pred_i,   // the predicate's bit
    input  wire [W-1:0]               x_i,      // operands, in the lowest bits
    input  wire [W-1:0]               y_i,
    input  wire [W-1:0]               z_i,
    output wire [W-1:0]               result_o,
    output wire                       flag_o,   // the condition holds
    output wire                       carry_o,  // of addc, borrow of subb
    output wire [`IGPU_EXC_W-1:0]     exc_o     // exceptions
);

    localparam M  = W == 16 ? 11 : DF != 0 ? 53 : 24;   // mantissa
    localparam XW = W == 16 ? 8 : DF != 0 ? 13 : 10;    // exponent
    localparam R  = W == 16 ? 52 : 2 * W + 4;           // integer result
    localparam B  = W == 16 ? W + 2 :                   // second factor
                    W / 2 + 2 > M + 1 ? W / 2 + 2 : M + 1;
    localparam G  = 2 * M + 3;                          // window of a sum
    localparam N  = G + 1 > W + 2 ? G + 1 : W + 2;      // what is normalized

    wire                              s1_pred;
    wire [M+XW+3:0]                   s1_x, s1_y, s1_z;
    wire [W+1:0]                      s1_xi, s1_yi, s1_zi;
    wire                              s2_sign, s2_zero, s2_sum, s2_special,
                                      s2_invalid, s2_hold;
    wire [W+B+1:0]                    s2_prod;
    wire [XW-1:0]                     s2_exp;
    wire [M+XW:0]                     s2_c;
    wire [1:0]                        s2_cls;
    wire [M-1:0]                      s2_nan;
    wire [R-1:0]                      s2_int;
    wire [W+1:0]                      s2_addend;
    wire                              s3_sign, s3_minus, s3_special,
                                      s3_invalid, s3_hold;
    wire [G-1:0]                      s3_big, s3_small;
    wire [XW-1:0]                     s3_exp;
    wire [1:0]                        s3_cls;
    wire [M-1:0]                      s3_nan;
    wire [R-1:0]                      s3_int;
    wire [W+1:0]                      s3_addend;
    wire                              s4_sign, s4_invalid, s4_hold;
    wire [G:0]                        s4_sum;
    wire [XW-1:0]                     s4_exp;
    wire [1:0]                        s4_cls;
    wire [M-1:0]                      s4_nan;
    wire [R-1:0]                      s4_int;
    wire                              s5_sign, s5_invalid, s5_hold, s5_less,
                                      s5_equal, s5_over, s5_carry;
    wire [1:0]                        s5_cls;
    wire [XW-1:0]                     s5_exp;
    wire [M+1:0]                      s5_mant;
    wire [W-1:0]                      s5_int;
    wire                              s6_sign, s6_hold, s6_less, s6_equal,
                                      s6_over, s6_carry;
    wire [1:0]                        s6_cls;
    wire [XW-1:0]                     s6_exp;
    wire [M-1:0]                      s6_mant;
    wire [`IGPU_EXC_W-1:0]            s6_exc;
    wire [W-1:0]                      s6_int;
    wire                              s7_sign, s7_hold, s7_less, s7_equal,
                                      s7_over, s7_carry;
    wire [1:0]                        s7_cls;
    wire [XW-1:0]                     s7_exp;
    wire [M-1:0]                      s7_mant;
    wire [`IGPU_EXC_W-1:0]            s7_exc;
    wire [W-1:0]                      s7_int;

    igpu_fpu_operands #(.W(W), .DF(DF), .M(M), .XW(XW)) u_operands (
        .clk_i(clk_i), .valid_i(valid_i[0]), .ctl_i(ctl_i),
        .type_i(type_i), .mod_i(mod_i), .pred_i(pred_i), .x_i(x_i), .y_i(y_i),
        .z_i(z_i), .s1_pred_o(s1_pred),
        .s1_x_o(s1_x), .s1_y_o(s1_y), .s1_z_o(s1_z), .s1_xi_o(s1_xi), .s1_yi_o(s1_yi),
        .s1_zi_o(s1_zi));

    igpu_fpu_multiply #(.W(W), .M(M), .XW(XW), .B(B), .R(R)) u_multiply (
        .clk_i(clk_i), .s1_valid_i(valid_i[1]), .s1_ctl_i(s1_ctl_i),
        .s1_pred_i(s1_pred), .s1_x_i(s1_x), .s1_y_i(s1_y), .s1_z_i(s1_z),
        .s1_xi_i(s1_xi), .s1_yi_i(s1_yi), .s1_zi_i(s1_zi),
        .s2_prod_o(s2_prod), .s2_sign_o(s2_sign), .s2_exp_o(s2_exp),
        .s2_zero_o(s2_zero), .s2_sum_o(s2_sum), .s2_c_o(s2_c),
        .s2_special_o(s2_special), .s2_cls_o(s2_cls), .s2_nan_o(s2_nan),
        .s2_invalid_o(s2_invalid), .s2_hold_o(s2_hold), .s2_int_o(s2_int),
        .s2_addend_o(s2_addend));

    igpu_fpu_align #(.W(W), .M(M), .XW(XW), .B(B), .R(R), .G(G)) u_align (
        .clk_i(clk_i), .s2_valid_i(valid_i[2]), .s2_ctl_i(s2_ctl_i),
        .s2_prod_i(s2_prod), .s2_sign_i(s2_sign), .s2_exp_i(s2_exp),
        .s2_zero_i(s2_zero), .s2_sum_i(s2_sum), .s2_c_i(s2_c),
        .s2_special_i(s2_special), .s2_cls_i(s2_cls), .s2_nan_i(s2_nan),
        .s2_invalid_i(s2_invalid), .s2_hold_i(s2_hold), .s2_int_i(s2_int),
        .s2_addend_i(s2_addend),
        .s3_big_o(s3_big), .s3_small_o(s3_small), .s3_sign_o(s3_sign),
        .s3_minus_o(s3_minus), .s3_exp_o(s3_exp), .s3_special_o(s3_special),
        .s3_cls_o(s3_cls), .s3_nan_o(s3_nan), .s3_invalid_o(s3_invalid),
        .s3_hold_o(s3_hold), .s3_int_o(s3_int), .s3_addend_o(s3_addend));

    igpu_fpu_add #(.W(W), .M(M), .XW(XW), .R(R), .G(G)) u_add (
        .clk_i(clk_i), .s3_valid_i(valid_i[3]), .s3_ctl_i(s3_ctl_i),
        .s3_big_i(s3_big), .s3_small_i(s3_small), .s3_sign_i(s3_sign),
        .s3_minus_i(s3_minus), .s3_exp_i(s3_exp), .s3_special_i(s3_special),
        .s3_cls_i(s3_cls), .s3_nan_i(s3_nan), .s3_invalid_i(s3_invalid),
        .s3_hold_i(s3_hold), .s3_int_i(s3_int), .s3_addend_i(s3_addend),
        .s4_sum_o(s4_sum),
        .s4_sign_o(s4_sign), .s4_exp_o(s4_exp), .s4_cls_o(s4_cls), .s4_nan_o(s4_nan),
        .s4_invalid_o(s4_invalid), .s4_hold_o(s4_hold), .s4_int_o(s4_int));

    igpu_fpu_normalize #(.W(W), .M(M), .XW(XW), .R(R), .G(G), .N(N)) u_normalize (
        .clk_i(clk_i), .s4_valid_i(valid_i[4]), .s4_ctl_i(s4_ctl_i),
        .s4_sum_i(s4_sum), .s4_sign_i(s4_sign), .s4_exp_i(s4_exp), .s4_cls_i(s4_cls),
        .s4_nan_i(s4_nan), .s4_invalid_i(s4_invalid), .s4_hold_i(s4_hold),
        .s4_int_i(s4_int), .s5_cls_o(s5_cls),
        .s5_sign_o(s5_sign), .s5_exp_o(s5_exp), .s5_mant_o(s5_mant),
        .s5_invalid_o(s5_invalid), .s5_hold_o(s5_hold), .s5_int_o(s5_int),
        .s5_less_o(s5_less), .s5_equal_o(s5_equal), .s5_over_o(s5_over),
        .s5_carry_o(s5_carry));

    igpu_fpu_compute #(.W(W), .M(M), .XW(XW)) u_compute (
        .clk_i(clk_i), .s5_valid_i(valid_i[5]), .s5_ctl_i(s5_ctl_i),
        .s5_cls_i(s5_cls), .s5_sign_i(s5_sign), .s5_exp_i(s5_exp), .s5_mant_i(s5_mant),
        .s5_invalid_i(s5_invalid), .s5_hold_i(s5_hold), .s5_int_i(s5_int),
        .s5_less_i(s5_less), .s5_equal_i(s5_equal), .s5_over_i(s5_over),
        .s5_carry_i(s5_carry),
        .s6_cls_o(s6_cls), .s6_sign_o(s6_sign), .s6_exp_o(s6_exp), .s6_mant_o(s6_mant),
        .s6_exc_o(s6_exc), .s6_hold_o(s6_hold), .s6_int_o(s6_int), .s6_less_o(s6_less),
        .s6_equal_o(s6_equal), .s6_over_o(s6_over), .s6_carry_o(s6_carry));

    igpu_fpu_convert #(.W(W), .M(M), .XW(XW)) u_convert (
        .clk_i(clk_i), .s6_valid_i(valid_i[6]), .s6_ctl_i(s6_ctl_i),
        .s6_cls_i(s6_cls), .s6_sign_i(s6_sign), .s6_exp_i(s6_exp), .s6_mant_i(s6_mant),
        .s6_exc_i(s6_exc), .s6_hold_i(s6_hold), .s6_int_i(s6_int), .s6_less_i(s6_less),
        .s6_equal_i(s6_equal), .s6_over_i(s6_over), .s6_carry_i(s6_carry),
        .s7_cls_o(s7_cls),
        .s7_sign_o(s7_sign), .s7_exp_o(s7_exp), .s7_mant_o(s7_mant), .s7_exc_o(s7_exc),
        .s7_hold_o(s7_hold), .s7_int_o(s7_int), .s7_less_o(s7_less),
        .s7_equal_o(s7_equal), .s7_over_o(s7_over), .s7_carry_o(s7_carry));

    igpu_fpu_pack #(.W(W), .DF(DF), .M(M), .XW(XW)) u_pack (
        .clk_i(clk_i), .s7_valid_i(valid_i[7]), .s7_ctl_i(s7_ctl_i),
        .s7_cls_i(s7_cls), .s7_sign_i(s7_sign), .s7_exp_i(s7_exp), .s7_mant_i(s7_mant),
        .s7_exc_i(s7_exc), .s7_hold_i(s7_hold), .s7_int_i(s7_int), .s7_less_i(s7_less),
        .s7_equal_i(s7_equal), .s7_over_i(s7_over), .s7_carry_i(s7_carry),
        .result_o(result_o), .flag_o(flag_o), .carry_o(carry_o),
        .exc_o(exc_o));

    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_PAST(past_first_q, 1, clk_i, valid_i[0] && ctl_i[`IGPU_FCTL_TWICE] &&
                                       !ctl_i[`IGPU_FCTL_PASS2])
    `IGPU_PAST(past_operands_q, 3 * W + 18, clk_i, {type_i, mod_i, x_i, y_i, z_i})
    `IGPU_REQUIRE(clk_i, !valid_i[0] || ctl_i[`IGPU_FCTL_PASS2] == past_first_q,
                  "the passes of a product come in consecutive cycles")
    `IGPU_REQUIRE(clk_i, !valid_i[0] || !ctl_i[`IGPU_FCTL_PASS2] ||
                         {type_i, mod_i, x_i, y_i, z_i} == past_operands_q,
                  "the passes of a product have the same operands")

endmodule

`default_nettype wire

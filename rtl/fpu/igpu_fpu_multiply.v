// igpu_fpu_multiply - stage 2: product, comparison, bits, special results.
//
// Function  One multiplier for mantissas and integers. An integer second factor
//           wider than it takes is given in two passes: first its low half,
//           unsigned, then the rest. What does not multiply goes past it: floats as
//           mantissa in place of the product, integers as s2_int_o.
//           s2_prod_o of floats: value = low 2M bits / 2^(2M-1) * 2^s2_exp_o.
//           s2_c_o: the addend of a float sum.
// Timing    1 cycle; one operation (or pass) a cycle.
// Reset     rst_ni low, synchronous: nothing valid.
// Tests     tests/fpu.  Source: docs/fpu.md

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_multiply #(
    parameter W  = 32,                     // bits of an operand: 16, 32, 64
    parameter M  = 24,                     // bits of a mantissa
    parameter XW = 10,                     // bits of an exponent
    parameter B  = 25,                     // bits of the second factor, signed
    parameter R  = 68                      // bits of an integer result
) (
    input  wire                       clk_i,
    input  wire                       rst_ni,
    input  wire                       s1_valid_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s1_ctl_i,
    input  wire                       s1_pred_i,
    input  wire [M+XW+3:0]            s1_x_i,
    input  wire [M+XW+3:0]            s1_y_i,
    input  wire [M+XW+3:0]            s1_z_i,
    input  wire [W+1:0]               s1_xi_i,
    input  wire [W+1:0]               s1_yi_i,
    input  wire [W+1:0]               s1_zi_i,
    output reg                        s2_valid_o,
    output reg  [`IGPU_FPU_CTL_W-1:0] s2_ctl_o,
    output reg  [W+B+1:0]             s2_prod_o,
    output reg                        s2_sign_o,   // of the float product
    output reg  [XW-1:0]              s2_exp_o,
    output reg                        s2_zero_o,   // it is zero
    output reg                        s2_sum_o,    // there is an addend, not zero
    output reg  [M+XW:0]              s2_c_o,      // {sign, exponent, mantissa}
    output reg                        s2_special_o,
    output reg  [1:0]                 s2_cls_o,    // class of a special result
    output reg  [M-1:0]               s2_nan_o,    // its mantissa
    output reg                        s2_invalid_o,
    output reg                        s2_hold_o,   // a comparison's condition
    output reg  [R-1:0]               s2_int_o,    // integer, first summand
    output reg  [W+1:0]               s2_addend_o  // and second
);

    localparam NW = M + XW;
    localparam L  = W < 32 ? W : 32;       // bits of addc and subb
    localparam [XW-1:0] ONE = 1;

    wire [4:0] op   = s1_ctl_i[`IGPU_CTL_OP];
    wire       flt  = s1_ctl_i[`IGPU_CTL_FLT];
    wire       mul  = s1_ctl_i[`IGPU_CTL_MUL];
    wire       mad  = op == `IGPU_FPU_OP_MAD;
    wire       add  = op == `IGPU_FPU_OP_ADD;
    wire       cmp  = op == `IGPU_FPU_OP_CMP;
    wire       ints = s1_valid_i && (!flt || cmp);  // an integer goes along
    wire       bit_op = op >= `IGPU_FPU_OP_AND &&
                        (op < `IGPU_FPU_OP_AVG || op > `IGPU_FPU_OP_MACH);
    wire       pick = op == `IGPU_FPU_OP_SEL || op == `IGPU_FPU_OP_CSEL;

    // ---- comparison, selection ------------------------------------------
    wire       hold, unordered, second;
    wire [3:0] cmod = s1_ctl_i[`IGPU_CTL_CMOD];

    igpu_fpu_compare #(.W(W), .M(M), .XW(XW)) u_compare (
        .on_i(s1_valid_i && (cmp || pick)), .op_i(op), .cmod_i(cmod), .flt_i(flt),
        .pred_i(s1_pred_i), .x_i(s1_x_i), .y_i(s1_y_i), .z_i(s1_z_i),
        .xi_i(s1_xi_i), .yi_i(s1_yi_i), .zi_i(s1_zi_i),
        .hold_o(hold), .nan_o(unordered), .second_o(second));

    wire [NW+3:0] one  = second ? s1_y_i : s1_x_i;
    wire [W+1:0]  onei = second ? s1_yi_i : s1_xi_i;

    // ---- special results ------------------------------------------------
    wire         special, spec_sign, invalid;
    wire [1:0]   cls;
    wire [M-1:0] nan;
    wire [NW+3:0] c = mad ? s1_z_i : s1_y_i;
    wire         sum = mad || add;

    igpu_fpu_special #(.M(M), .XW(XW)) u_special (
        .on_i(s1_valid_i && flt), .product_i(mul), .sum_i(sum),
        .frc_i(op == `IGPU_FPU_OP_FRC), .down_i(s1_ctl_i[`IGPU_CTL_RND1] == `IGPU_RTN),
        .x_i(one), .y_i(s1_y_i), .c_i(c), .c_first_i(mad),
        .special_o(special), .cls_o(cls), .sign_o(spec_sign), .mant_o(nan),
        .invalid_o(invalid));

    // eq and ne do not mind quiet NaNs; a selection looks at both sources.
    wire snan    = s1_x_i[NW+3] || s1_y_i[NW+3];
    wire ordered = cmod == `IGPU_CMOD_GT || cmod == `IGPU_CMOD_GE ||
                   cmod == `IGPU_CMOD_LT || cmod == `IGPU_CMOD_LE;
    wire least   = op == `IGPU_FPU_OP_SEL && cmod != `IGPU_CMOD_NONE;
    wire bad     = cmp   ? snan || (ordered && unordered) :
                   least ? snan :
                   op == `IGPU_FPU_OP_CSEL ? invalid || s1_z_i[NW+3] : invalid;

    // ---- product --------------------------------------------------------
    wire signed [W+1:0] fa = flt ? {{(W+2-M){1'b0}}, s1_x_i[M-1:0]} : s1_xi_i;
    wire [W+1:0]        high = {{(W/2){s1_yi_i[W+1]}}, s1_yi_i[W+1:W/2]};
    wire [W+1:0]        part = !s1_ctl_i[`IGPU_CTL_TWICE] ? s1_yi_i :
                               s1_ctl_i[`IGPU_CTL_PASS2]  ? high :
                               {{(W/2+2){1'b0}}, s1_yi_i[W/2-1:0]};
    wire signed [B-1:0] fb = flt ? {{(B-M){1'b0}}, s1_y_i[M-1:0]} : part[B-1:0];
    wire signed [W+B+1:0] product = fa * fb;
    wire        [W+B+1:0] past = {{(W+B+2-2*M){1'b0}}, one[M-1:0], {M{1'b0}}};

    // ---- integers -------------------------------------------------------
    wire [R-1:0] bits;
    reg  [R-1:0] first;
    reg  [W+1:0] addend;

    igpu_fpu_bits #(.W(W), .R(R)) u_bits (
        .on_i(s1_valid_i && !flt && bit_op), .op_i(op), .dtype_i(s1_ctl_i[`IGPU_CTL_DTYPE]),
        .stype_i(s1_ctl_i[`IGPU_CTL_STYPE]), .sh64_i(s1_ctl_i[`IGPU_CTL_SH64]),
        .x_i(s1_xi_i), .y_i(s1_yi_i), .z_i(s1_zi_i), .r_o(bits));

    always @* begin
        first  = {R{1'b0}};
        addend = {(W+2){1'b0}};
        if (ints)
            case (op)
            `IGPU_FPU_OP_MOV, `IGPU_FPU_OP_SEL, `IGPU_FPU_OP_CSEL:
                first = {{(R-W-2){onei[W+1]}}, onei};
            `IGPU_FPU_OP_CMP:
                first = {R{hold}};
            `IGPU_FPU_OP_ADD, `IGPU_FPU_OP_AVG: begin
                first  = {{(R-W-2){s1_xi_i[W+1]}}, s1_xi_i};
                addend = s1_yi_i;
            end
            `IGPU_FPU_OP_ADDC, `IGPU_FPU_OP_SUBB: begin
                first  = {{(R-L){1'b0}}, s1_xi_i[L-1:0]};
                addend = {{(W+2-L){1'b0}}, s1_yi_i[L-1:0]};
            end
            `IGPU_FPU_OP_MAD: begin
                first  = bits;
                addend = s1_zi_i;
            end
            default:
                first = bits;
            endcase
    end

    always @(posedge clk_i) begin
        s2_valid_o <= rst_ni && s1_valid_i;
        if (s1_valid_i) begin
            s2_ctl_o     <= s1_ctl_i;
            s2_prod_o    <= mul ? product : past;
            s2_sign_o    <= special ? spec_sign : one[NW] ^ (mul && s1_y_i[NW]);
            s2_exp_o     <= mul ? s1_x_i[NW-1:M] + s1_y_i[NW-1:M] + ONE : one[NW-1:M];
            s2_zero_o    <= one[NW+2:NW+1] == `IGPU_CLS_ZERO ||
                            (mul && s1_y_i[NW+2:NW+1] == `IGPU_CLS_ZERO);
            s2_sum_o     <= sum && c[NW+2:NW+1] != `IGPU_CLS_ZERO;
            s2_c_o       <= c[NW:0];
            s2_special_o <= special;
            s2_cls_o     <= cls;
            s2_nan_o     <= nan;
            s2_invalid_o <= flt && bad;
            s2_hold_o    <= hold;
            if (ints) begin
                s2_int_o    <= first;
                s2_addend_o <= addend;
            end
        end
    end

    wire unused = &{1'b0, part};

endmodule

`default_nettype wire

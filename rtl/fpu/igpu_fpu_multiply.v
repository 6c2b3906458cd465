// igpu_fpu_multiply - stage 2: product, comparison, bits, special results.
//
// Function  One multiplier for mantissas and integers. An integer second factor
//           wider than it takes is given in two passes: first its low half,
//           unsigned, then the rest. What does not multiply goes past it: floats as
//           mantissa in place of the product, integers as s2_int_o.
//           s2_prod_o of floats: value = low 2M bits / 2^(2M-1) * 2^s2_exp_o.
//           s2_c_o: the addend of a float sum.
// Timing    1 cycle; one operation (or pass) a cycle.
// Tests     tests/fpu.  Source: docs/contract/fpu.md

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
    input  wire                       s1_valid_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s1_ctl_i,
    input  wire                       s1_pred_i,
    input  wire [M+XW+3:0]            s1_x_i,
    input  wire [M+XW+3:0]            s1_y_i,
    input  wire [M+XW+3:0]            s1_z_i,
    input  wire [W+1:0]               s1_xi_i,
    input  wire [W+1:0]               s1_yi_i,
    input  wire [W+1:0]               s1_zi_i,
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

`include "igpu_fpu_cond.vh"
`include "igpu_fpu_compare.vh"
`include "igpu_fpu_special.vh"
`include "igpu_fpu_bits.vh"

    // The second factor, or that part of it which this pass multiplies.
    wire [W+1:0] part = !s1_ctl_i[`IGPU_FCTL_TWICE] ? s1_yi_i :
                        s1_ctl_i[`IGPU_FCTL_PASS2] ?
                            {{(W/2){s1_yi_i[W+1]}}, s1_yi_i[W+1:W/2]} :
                            {{(W/2+2){1'b0}}, s1_yi_i[W/2-1:0]};

    task step;
        reg [4:0]           op;
        reg [3:0]           cmod;
        reg                 flt, mul, mad, sum, cmp, csel, pick;
        reg                 less, equal, nan, second, hold;
        reg [M+XW+3:0]      one, c;
        reg                 special, spec_sign, bad, snan, invalid;
        reg [1:0]           cls;
        reg [M-1:0]         payload;
        reg signed [W+1:0]  fa;
        reg signed [B-1:0]  fb;
        reg signed [W+B+1:0] product;
        begin
            op   = s1_ctl_i[`IGPU_FCTL_OP];
            cmod = s1_ctl_i[`IGPU_FCTL_CMOD];
            flt  = s1_ctl_i[`IGPU_FCTL_FLT];
            mul  = s1_ctl_i[`IGPU_FCTL_MUL];
            mad  = op == `IGPU_FPU_OP_MAD;
            sum  = mad || op == `IGPU_FPU_OP_ADD;
            cmp  = op == `IGPU_FPU_OP_CMP;
            csel = op == `IGPU_FPU_OP_CSEL;
            pick = csel || op == `IGPU_FPU_OP_SEL;

            // ---- comparison, selection ----
            {less, equal, nan, hold, second} = 5'd0;
            if (cmp || pick) begin
                if (flt)
                    compare_numbers(csel, s1_x_i, s1_y_i, s1_z_i, less, equal, nan);
                else
                    compare_integers(csel, s1_xi_i, s1_yi_i, s1_zi_i, less, equal);
                hold   = condition(cmod, less, equal, nan, 1'b0) ||
                         (cmp && flt && s1_ctl_i[`IGPU_FCTL_WHOLE] &&
                          s1_y_i[NW+2:NW+1] == `IGPU_CLS_NAN);      // cmpn
                second = pick && chosen(csel, cmod, s1_pred_i, hold, less, nan,
                                        flt && s1_y_i[NW+2:NW+1] == `IGPU_CLS_NAN);
                s2_hold_o <= hold;
            end

            // ---- product: of mantissas, or of integers, a part of the second factor ----
            fa = {{(W+2-M){1'b0}}, s1_x_i[M-1:0]};
            fb = {{(B-M){1'b0}}, s1_y_i[M-1:0]};
            if (!flt) begin
                fa = s1_xi_i;
                fb = part[B-1:0];
            end
            product = fa * fb;

            if (flt) begin
                one = second ? s1_y_i : s1_x_i;
                c   = mad ? s1_z_i : s1_y_i;

                // ---- special results ----
                special   = 1'b0;
                spec_sign = 1'b0;
                cls       = `IGPU_CLS_NAN;
                payload   = {2'b11, {(M-2){1'b0}}};
                invalid   = 1'b0;
                if (one[NW+2:NW+1] != `IGPU_CLS_FINITE ||
                    (mul && s1_y_i[NW+2:NW+1] != `IGPU_CLS_FINITE) ||
                    (sum && c[NW+2:NW+1] != `IGPU_CLS_FINITE))
                    special_result(mul, sum, op == `IGPU_FPU_OP_FRC,
                                   s1_ctl_i[`IGPU_FCTL_RND1] == `IGPU_RTN, mad, one,
                                   s1_y_i, c, special, cls, spec_sign, payload, invalid);
                // eq and ne do not mind quiet NaNs; a selection looks at both sources.
                snan = s1_x_i[NW+3] || s1_y_i[NW+3];
                bad  = invalid;
                if (cmp)
                    bad = snan || (nan && (cmod == `IGPU_CMOD_GT || cmod == `IGPU_CMOD_GE ||
                                           cmod == `IGPU_CMOD_LT || cmod == `IGPU_CMOD_LE));
                else if (csel)
                    bad = invalid || s1_z_i[NW+3];
                else if (pick && cmod != `IGPU_CMOD_NONE)
                    bad = snan;

                s2_prod_o    <= mul ? product :
                                {{(W+B+2-2*M){1'b0}}, one[M-1:0], {M{1'b0}}};
                s2_sign_o    <= special ? spec_sign : one[NW] ^ (mul && s1_y_i[NW]);
                s2_exp_o     <= mul ? s1_x_i[NW-1:M] + s1_y_i[NW-1:M] + ONE : one[NW-1:M];
                s2_zero_o    <= one[NW+2:NW+1] == `IGPU_CLS_ZERO ||
                                (mul && s1_y_i[NW+2:NW+1] == `IGPU_CLS_ZERO);
                s2_sum_o     <= sum && c[NW+2:NW+1] != `IGPU_CLS_ZERO;
                s2_c_o       <= c[NW:0];
                s2_special_o <= special;
                s2_cls_o     <= cls;
                s2_nan_o     <= payload;
                s2_invalid_o <= bad;
                if (cmp) begin
                    s2_int_o    <= {R{hold}};
                    s2_addend_o <= {(W+2){1'b0}};
                end
            end else begin
                s2_prod_o    <= product;
                s2_invalid_o <= 1'b0;
                integers(op, hold, second);
            end
        end
    endtask

    // First and second summand of an integer operation.
    task integers(input [4:0] op, input hold, input second);
        reg [W+1:0] onei, addend;
        reg [R-1:0] first;
        begin
            onei   = second ? s1_yi_i : s1_xi_i;
            addend = {(W+2){1'b0}};
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
            `IGPU_FPU_OP_MUL, `IGPU_FPU_OP_MACH:
                first = {R{1'b0}};
            `IGPU_FPU_OP_MAD: begin
                first  = {R{1'b0}};
                addend = s1_zi_i;
            end
            `IGPU_FPU_OP_AND, `IGPU_FPU_OP_OR, `IGPU_FPU_OP_XOR, `IGPU_FPU_OP_NOT,
            `IGPU_FPU_OP_SHL, `IGPU_FPU_OP_SHR, `IGPU_FPU_OP_ASR:
                bits_logic(op, s1_ctl_i[`IGPU_FCTL_STYPE], s1_ctl_i[`IGPU_FCTL_SH64],
                           s1_xi_i, s1_yi_i, first);
            default:
                bits_field(op, s1_ctl_i[`IGPU_FCTL_DTYPE], s1_ctl_i[`IGPU_FCTL_STYPE],
                           s1_xi_i, s1_yi_i, s1_zi_i, first);
            endcase
            s2_int_o    <= first;
            s2_addend_o <= addend;
        end
    endtask

    always @(posedge clk_i)
        if (s1_valid_i)
            step;

    wire unused = &{1'b0, s1_ctl_i, part};

endmodule

`default_nettype wire

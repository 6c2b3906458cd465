// igpu_math_special - results of extended math that need no computing.
//
// Function  From the operands' classes: the class and sign of the result, and the
//           exceptions. Zeros and infinities follow IEEE 754; pow is C's of |x|.
// Timing    combinational.
// Contract  Of integer and macro functions nothing is meant. The sign of a result that is to
//           be computed is x's, of a quotient the quotient's.
// Reset     none.
// Model     csim/fpu/math.c  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none
`include "igpu_math.vh"

module igpu_math_special (
    input  wire [3:0] fn_i,       // function
    input  wire [2:0] x_cls_i,    // class of x
    input  wire       x_sign_i,   // sign of x
    input  wire       x_ge1_i,    // finite x: its magnitude is 1 or more
    input  wire       x_one_i,    // x is 1 or -1
    input  wire [2:0] y_cls_i,    // class of y
    input  wire       y_sign_i,   // sign of y
    output reg  [2:0] cls_o,      // class of the result
    output reg        sign_o,     // its sign
    output reg        invalid_o,  // exceptions
    output reg        divzero_o
);

    wire is_inv, grows;
    assign is_inv = fn_i == `IGPU_MATH_INV;
    assign grows  = x_cls_i == `IGPU_MATH_INF || (x_cls_i == `IGPU_MATH_FINITE && x_ge1_i);

    // Dividend and divisor.
    wire [2:0] n_cls, d_cls;
    assign n_cls = is_inv ? `IGPU_MATH_FINITE : x_cls_i;
    assign d_cls = is_inv ? x_cls_i : y_cls_i;

    wire x_nan, x_zero, positive_only;
    assign x_nan         = x_cls_i == `IGPU_MATH_NAN;
    assign x_zero        = x_cls_i == `IGPU_MATH_ZERO;
    assign positive_only = fn_i == `IGPU_MATH_LOG || fn_i == `IGPU_MATH_SQT ||
                           fn_i == `IGPU_MATH_RSQT;

    always @* begin
        cls_o     = `IGPU_MATH_FINITE;
        sign_o    = x_sign_i;
        invalid_o = 1'b0;
        divzero_o = 1'b0;
        if (is_inv || fn_i == `IGPU_MATH_FDIV) begin
            sign_o = is_inv ? x_sign_i : x_sign_i ^ y_sign_i;
            if (n_cls == `IGPU_MATH_NAN || d_cls == `IGPU_MATH_NAN) begin
                cls_o = `IGPU_MATH_NAN;
            end else if (n_cls == d_cls && n_cls != `IGPU_MATH_FINITE) begin
                cls_o     = `IGPU_MATH_NAN;
                invalid_o = 1'b1;
            end else if (n_cls == `IGPU_MATH_INF) begin
                cls_o = `IGPU_MATH_INF;
            end else if (d_cls == `IGPU_MATH_ZERO) begin
                cls_o     = `IGPU_MATH_INF;
                divzero_o = 1'b1;
            end else if (n_cls == `IGPU_MATH_ZERO || d_cls == `IGPU_MATH_INF) begin
                cls_o = `IGPU_MATH_ZERO;
            end
        end else if (fn_i == `IGPU_MATH_POW) begin
            sign_o = 1'b0;
            if (y_cls_i == `IGPU_MATH_ZERO || x_one_i)
                cls_o = `IGPU_MATH_ONE;
            else if (x_nan || y_cls_i == `IGPU_MATH_NAN)
                cls_o = `IGPU_MATH_NAN;
            else if (x_cls_i != `IGPU_MATH_FINITE || y_cls_i != `IGPU_MATH_FINITE) begin
                cls_o     = grows != y_sign_i ? `IGPU_MATH_INF : `IGPU_MATH_ZERO;
                divzero_o = x_zero && y_cls_i == `IGPU_MATH_FINITE && y_sign_i;
            end
        end else if (x_nan) begin
            cls_o = `IGPU_MATH_NAN;
        end else if (positive_only && x_sign_i && !x_zero) begin
            cls_o     = `IGPU_MATH_NAN;
            invalid_o = 1'b1;
        end else if (x_cls_i != `IGPU_MATH_FINITE) begin
            case (fn_i)
                `IGPU_MATH_LOG: begin
                    cls_o     = `IGPU_MATH_INF;
                    sign_o    = x_zero;
                    divzero_o = x_zero;
                end
                `IGPU_MATH_EXP: begin
                    cls_o  = x_zero ? `IGPU_MATH_ONE
                           : x_sign_i ? `IGPU_MATH_ZERO : `IGPU_MATH_INF;
                    sign_o = 1'b0;
                end
                `IGPU_MATH_SQT: cls_o = x_cls_i;
                `IGPU_MATH_RSQT: begin
                    cls_o     = x_zero ? `IGPU_MATH_INF : `IGPU_MATH_ZERO;
                    divzero_o = x_zero;
                end
                default: begin // sine and cosine
                    invalid_o = !x_zero;
                    sign_o    = x_sign_i && fn_i == `IGPU_MATH_SIN;
                    cls_o     = !x_zero ? `IGPU_MATH_NAN
                              : fn_i == `IGPU_MATH_SIN ? `IGPU_MATH_ZERO : `IGPU_MATH_ONE;
                end
            endcase
        end
    end

endmodule

`default_nettype wire

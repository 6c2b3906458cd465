// igpu_math_fix - extended math, stage 12: the value before it is normalised.
//
// Function  Corrects a quotient or root by its remainder; adds a logarithm's whole
//           part; keeps a sine below 1. The result is v_o / 2^63 * 2^exponent, with the
//           exponent in ctl_o; or the integer whole_o.
// Timing    1 cycle.
// Contract  none.
// Reset     none: data follows.
// Model     csim/fpu/math_div.c, math_log.c, math_trig.c
// Tests     tests/rtl/igpu_math_tb.cpp

`default_nettype none
`include "igpu_math.vh"

module igpu_math_fix (
    input  wire                        clk_i,
    input  wire [`IGPU_MATH_CTL_W-1:0] ctl_i,   // control word
    input  wire [31:0]                 a_i,     // dividend, for pow y's mantissa
    input  wire [31:0]                 b_i,     // divisor
    input  wire [76:0]                 t_i,     // product
    input  wire [31:0]                 q_i,     // estimate
    input  wire [33:0]                 rest_i,  // remainder
    output reg  [`IGPU_MATH_CTL_W-1:0] ctl_o,
    output reg  [31:0]                 a_o,
    output reg  [63:0]                 v_o,     // value
    output reg  [31:0]                 whole_o  // integer result
);

    wire [3:0]         fn;
    wire signed [10:0] exp;
    wire               is_root, second;
    assign fn      = ctl_i[`IGPU_MATH_C_FN];
    assign exp     = ctl_i[`IGPU_MATH_C_EXP];
    assign second  = ctl_i[`IGPU_MATH_C_SECOND];
    assign is_root = fn == `IGPU_MATH_SQT;

    // One more or one less. q^2 and (q + 1)^2 are 2q + 1 apart.
    wire        less, more;
    wire [33:0] step, back, rest;
    wire [31:0] q;
    assign step = is_root ? {1'b0, q_i, 1'b1} : {2'b00, b_i};
    assign back = is_root ? step - 34'd2 : step;
    assign less = rest_i[33];
    assign more = !less && rest_i >= step;
    assign rest = less ? rest_i + back : more ? rest_i - step : rest_i;
    assign q    = less ? q_i - 32'd1 : more ? q_i + 32'd1 : q_i;

    // Logarithm: sign and magnitude of its whole part, 56 fraction bits.
    wire        e_neg, t_neg;
    wire [7:0]  e_abs;
    wire [63:0] whole_log, part;
    assign e_neg     = exp[10];
    assign t_neg     = ctl_i[`IGPU_MATH_C_SIGN];
    assign e_abs     = e_neg ? -exp[7:0] : exp[7:0];
    assign whole_log = {e_abs, 56'd0};
    assign part      = {8'd0, t_i[63:8]};

    // A sine of 1 or more, or next to it.
    wire near1;
    assign near1 = ctl_i[`IGPU_MATH_C_NEAR1] || (t_i[76] && exp == 11'sd0);

    wire [40:0] up24, near24;
    assign up24   = t_i[40:0] + 41'd65599;   // 64, and up to the next 2^-24
    assign near24 = t_i[40:0] + 41'd32768;

    wire [31:0] quotient, remainder;
    assign quotient  = ctl_i[`IGPU_MATH_C_QNEG] ? -q : q;
    assign remainder = ctl_i[`IGPU_MATH_C_RNEG] ? -rest[31:0] : rest[31:0];

    reg signed [10:0] exp_d;
    reg               low_d, sign_d;
    reg [63:0]        v_d;
    reg [31:0]        whole_d;

    always @* begin
        exp_d  = exp + 11'sd23;
        low_d  = ctl_i[`IGPU_MATH_C_LOW];
        sign_d = ctl_i[`IGPU_MATH_C_SIGN];
        v_d    = {23'd0, t_i[40:0]};
        case (fn)
            `IGPU_MATH_INV, `IGPU_MATH_FDIV, `IGPU_MATH_SQT: begin
                exp_d = exp + (is_root ? 11'sd39 : 11'sd38);
                low_d = rest != 34'd0;
                v_d   = {32'd0, q};
            end
            `IGPU_MATH_SIN, `IGPU_MATH_COS: begin
                exp_d = near1 ? -11'sd1 : exp;
                v_d   = near1 ? {64{1'b1}} : t_i[76:13];
            end
            `IGPU_MATH_LOG, `IGPU_MATH_POW: if (!second) begin
                if (exp == 11'sd0) begin
                    exp_d = -11'sd1;
                    v_d   = t_i[63:0];
                end else begin
                    exp_d = 11'sd7;
                    v_d   = e_neg == t_neg ? whole_log + part : whole_log - part;
                    if (ctl_i[`IGPU_MATH_C_CLS] == `IGPU_MATH_FINITE)
                        sign_d = e_neg;
                end
            end
            default: ;
        endcase
        case (fn)
            `IGPU_MATH_INVM:  whole_d = {7'd0, up24[40:16]};
            `IGPU_MATH_RSQTM: whole_d = {7'd0, near24[40:16]};
            `IGPU_MATH_IREM:
                whole_d = ctl_i[`IGPU_MATH_C_CLS] != `IGPU_MATH_BYZERO ? remainder
                        : ctl_i[`IGPU_MATH_C_RNEG] ? -a_i : a_i;
            default:
                whole_d = ctl_i[`IGPU_MATH_C_CLS] == `IGPU_MATH_BYZERO ? {32{1'b1}}
                                                                       : quotient;
        endcase
    end

    always @(posedge clk_i) begin
        ctl_o                    <= ctl_i;
        ctl_o[`IGPU_MATH_C_EXP]  <= exp_d;
        ctl_o[`IGPU_MATH_C_LOW]  <= low_d;
        ctl_o[`IGPU_MATH_C_SIGN] <= sign_d;
        a_o                      <= a_i;
        v_o                      <= v_d;
        whole_o                  <= whole_d;
    end

    wire unused = &{1'b0, up24[15:0], near24[15:0], rest[33:32]};

endmodule

`default_nettype wire

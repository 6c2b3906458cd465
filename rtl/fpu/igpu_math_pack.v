// igpu_math_pack - extended math, stage 14: rounding, special values, exceptions.
//
// Function  result_o: the pattern, half precision in its low 16 bits, or the integer.
// Timing    1 cycle.
// Contract  Tiny is judged before rounding; a flushed result after it.
// Reset     none: data follows.
// Model     csim/fpu/math_number.c: math_pack()  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none
`include "igpu_fpu.vh"
`include "igpu_math.vh"

module igpu_math_pack (
    input  wire                        clk_i,
    input  wire [`IGPU_MATH_CTL_W-1:0] ctl_i,    // control word
    input  wire [39:0]                 mant_i,   // mantissa
    input  wire [31:0]                 whole_i,  // integer result
    output reg  [31:0]                 result_o, // result
    output reg  [5:0]                  flags_o,  // exceptions
    output reg  [`IGPU_MATH_TAG_W-1:0] tag_o     // as it came
);

`include "igpu_fpu_away.vh"

    wire [3:0]         fn;
    wire [2:0]         cls;
    wire [1:0]         round;
    wire               half, sign, whole;
    wire signed [10:0] exp, emin, above;
    assign fn    = ctl_i[`IGPU_MATH_C_FN];
    assign cls   = ctl_i[`IGPU_MATH_C_CLS];
    assign round = ctl_i[`IGPU_MATH_C_ROUND];
    assign half  = ctl_i[`IGPU_MATH_C_HALF];
    assign sign  = ctl_i[`IGPU_MATH_C_SIGN];
    assign exp   = ctl_i[`IGPU_MATH_C_EXP];
    assign whole = fn[3] && fn >= `IGPU_MATH_IDIV;
    assign emin  = half ? -11'sd14 : -11'sd126;
    assign above = exp - emin;

    // A tiny number is shifted down to its place; what falls off marks the lowest bit.
    wire        tiny, lost;
    wire [10:0] deep;
    wire [5:0]  down;
    wire [39:0] moved, outside, s;
    assign tiny    = above[10];
    assign deep    = -above;
    assign down    = !tiny ? 6'd0 : deep > 11'd41 ? 6'd41 : deep[5:0];
    assign moved   = mant_i >> down;
    assign outside = mant_i & ~({40{1'b1}} << down);
    assign lost    = |outside;
    assign s       = {moved[39:1], moved[0] || lost};

    // 24 or 11 bits are kept.
    wire [23:0] kept;
    wire        guard, below, inexact, up;
    assign kept    = half ? {13'd0, s[39:29]} : s[39:16];
    assign guard   = half ? s[28] : s[15];
    assign below   = |s[14:0] || (half && |s[27:15]);
    assign inexact = guard || below;
    assign up      = away_from_zero(round, sign, kept[0], guard, below);

    // Adding the exponent lets a carry pass into it.
    wire [31:0] infinity, biased, bits, quiet, sign_bit, one;
    wire        over, to_max, flushed;
    assign infinity = half ? 32'h0000_7C00 : 32'h7F80_0000;
    assign quiet    = half ? 32'h0000_7E00 : 32'h7FC0_0000;
    assign one      = half ? 32'h0000_3C00 : 32'h3F80_0000;
    assign biased   = tiny ? 32'd0 : half ? {11'd0, above, 10'd0} : {above[8:0], 23'd0};
    assign bits     = {8'd0, kept} + {31'd0, up} + biased;
    assign over     = exp > (half ? 11'sd15 : 11'sd127) || bits >= infinity;
    assign to_max   = round == `IGPU_RTZ || round == (sign ? `IGPU_RTP : `IGPU_RTN);
    assign flushed  = ctl_i[`IGPU_MATH_C_FLUSH] &&
                      (half ? bits[31:10] == 22'd0 : bits[31:23] == 9'd0);
    assign sign_bit = !sign ? 32'd0 : half ? 32'h0000_8000 : 32'h8000_0000;

    reg [31:0] result_d;
    reg [5:0]  flags_d;
    always @* begin
        result_d = 32'd0;
        flags_d  = ctl_i[`IGPU_MATH_C_FLAGS];
        case (cls)
            `IGPU_MATH_NAN:  result_d = quiet;
            `IGPU_MATH_INF:  result_d = sign_bit | infinity;
            `IGPU_MATH_ZERO: result_d = sign_bit;
            `IGPU_MATH_ONE:  result_d = one;
            default: begin
                if (over) begin
                    result_d = sign_bit | (infinity - {31'd0, to_max});
                    flags_d  = flags_d | `IGPU_MATH_OVERFLOW | `IGPU_MATH_INEXACT;
                end else if (flushed) begin
                    result_d = sign_bit;
                    flags_d  = flags_d | `IGPU_MATH_UNDERFLOW | `IGPU_MATH_INEXACT;
                end else begin
                    result_d = sign_bit | bits;
                    if (inexact)
                        flags_d = flags_d | `IGPU_MATH_INEXACT;
                    if (inexact && tiny)
                        flags_d = flags_d | `IGPU_MATH_UNDERFLOW;
                end
            end
        endcase
    end

    always @(posedge clk_i) begin
        result_o <= whole ? whole_i : result_d;
        flags_o  <= whole ? 6'd0 : flags_d;
        tag_o    <= ctl_i[`IGPU_MATH_C_TAG];
    end

    wire unused = &{1'b0, ctl_i};

endmodule

`default_nettype wire

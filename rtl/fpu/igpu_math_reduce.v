// igpu_math_reduce - extended math, stage 4: where in its table a function is.
//
// Function  place_o: segment (8 bits) and place in it (28 bits). For sine and cosine
//           r_o is the fraction of the quadrant, reflected in odd quadrants; sign and
//           exponent of the result so far go into ctl_o.
// Timing    1 cycle.
// Contract  t_i: the argument, 88 fraction bits (sine, cosine), or 62 and the exponent.
// Reset     none: data follows.
// Model     csim/fpu/math_trig.c, math_log.c  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none
`include "igpu_math.vh"

module igpu_math_reduce (
    input  wire                        clk_i,
    input  wire [`IGPU_MATH_CTL_W-1:0] ctl_i,   // control word
    input  wire [31:0]                 a_i,     // dividend
    input  wire [31:0]                 m_i,     // mantissa
    input  wire [89:0]                 t_i,     // argument
    output reg  [`IGPU_MATH_CTL_W-1:0] ctl_o,
    output reg  [31:0]                 a_o,
    output reg  [31:0]                 m_o,
    output reg  [87:0]                 r_o,     // fraction of a quadrant
    output reg  [35:0]                 place_o  // segment, place in it
);

    wire [3:0]         fn;
    wire signed [10:0] exp;
    wire               sign, odd, is_trig, is_power, is_log;
    assign fn       = ctl_i[`IGPU_MATH_C_FN];
    assign exp      = ctl_i[`IGPU_MATH_C_EXP];
    assign sign     = ctl_i[`IGPU_MATH_C_SIGN];
    assign odd      = ctl_i[`IGPU_MATH_C_ODD];
    assign is_trig  = fn == `IGPU_MATH_SIN || fn == `IGPU_MATH_COS;
    assign is_power = fn == `IGPU_MATH_EXP || ctl_i[`IGPU_MATH_C_SECOND];
    assign is_log   = fn == `IGPU_MATH_LOG || fn == `IGPU_MATH_POW;

    // Both are shifted down: a small angle by what its exponent is below -1, an
    // exponential's argument to 35 fraction bits. 127 leaves nothing.
    wire signed [10:0] adjust, down;
    wire [6:0]         amount;
    wire [87:0]        from, moved, outside;
    wire               lost;
    assign adjust  = exp < -11'sd1 ? exp + 11'sd1 : 11'sd0;
    assign down    = is_trig ? -adjust : 11'sd27 - exp;
    assign amount  = down > 11'sd127 ? 7'd127 : down[6:0];
    assign from    = is_trig ? t_i[87:0] : {24'd0, t_i[63:0]};
    assign moved   = from >> amount;
    assign outside = from & ~({88{1'b1}} << amount);
    assign lost    = |outside;

    // Sine, cosine: odd quadrants run backwards.
    wire [1:0]  quadrant;
    wire [87:0] place, back;
    assign quadrant = t_i[89:88] + {1'b0, fn == `IGPU_MATH_COS};
    assign back     = -moved;
    assign place    = quadrant[0] ? back : moved;

    // Exponential: whole and fraction of the argument, cut downwards.
    wire        over;
    wire [45:0] power;
    assign over  = exp >= 11'sd8;
    assign power = sign ? ~{2'b00, moved[43:0]} + {45'd0, !lost} : {2'b00, moved[43:0]};

    // Logarithm: t of 2^-24, from the next power of two above 1.5.
    wire [23:0]        t;
    wire signed [10:0] log_exp;
    assign t       = m_i[30] ? m_i[31:8] : {m_i[30:8], 1'b0};
    assign log_exp = exp + $signed({10'd0, m_i[30]});

    always @(posedge clk_i) begin
        ctl_o   <= ctl_i;
        a_o     <= a_i;
        m_o     <= m_i;
        r_o     <= quadrant[0] ? place : t_i[87:0];
        place_o <= {odd, m_i[30:0], 4'd0};
        if (is_trig) begin
            place_o                   <= {1'b0, place[87:53]};
            ctl_o[`IGPU_MATH_C_EXP]   <= quadrant[0] ? 11'sd0 : adjust;
            ctl_o[`IGPU_MATH_C_LOW]   <= 1'b1;
            ctl_o[`IGPU_MATH_C_NEAR1] <= quadrant[0] && moved == 88'd0;
            if (ctl_i[`IGPU_MATH_C_CLS] == `IGPU_MATH_FINITE)
                ctl_o[`IGPU_MATH_C_SIGN] <= quadrant[1] ^ (sign && fn == `IGPU_MATH_SIN);
        end else if (is_power) begin
            place_o                 <= over ? 36'd0 : {1'b0, power[34:0]};
            ctl_o[`IGPU_MATH_C_EXP] <= !over ? power[45:35] : sign ? -11'sd500 : 11'sd500;
            ctl_o[`IGPU_MATH_C_LOW] <= over || lost || power[34:0] != 35'd0;
            if (ctl_i[`IGPU_MATH_C_CLS] == `IGPU_MATH_FINITE)
                ctl_o[`IGPU_MATH_C_SIGN] <= 1'b0;
        end else if (is_log) begin
            place_o                 <= {t, 12'd0};
            ctl_o[`IGPU_MATH_C_EXP] <= log_exp;
            ctl_o[`IGPU_MATH_C_LOW] <= t != 24'd0;
            if (ctl_i[`IGPU_MATH_C_CLS] == `IGPU_MATH_FINITE) begin
                ctl_o[`IGPU_MATH_C_SIGN] <= t[23];
                if (log_exp == 11'sd0 && t == 24'd0)
                    ctl_o[`IGPU_MATH_C_CLS] <= `IGPU_MATH_ZERO;
            end
        end else if (fn == `IGPU_MATH_SQT) begin
            ctl_o[`IGPU_MATH_C_EXP] <= exp >>> 1;
        end else if (fn == `IGPU_MATH_RSQT) begin
            ctl_o[`IGPU_MATH_C_EXP] <= -(exp >>> 1);
            ctl_o[`IGPU_MATH_C_LOW] <= odd || m_i != 32'h8000_0000;
        end
    end

    wire unused = &{1'b0, power[45], place[52:0]};

endmodule

`default_nettype wire

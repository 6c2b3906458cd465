// igpu_math_arg - extended math, stage 5: the factor of the table's value, the divisor.
//
// Function  f_o times the table's value is the result, or its estimate: the dividend,
//           the root's operand, |t| of a logarithm, 36 leading bits of a sine's angle,
//           or 1. a_o, b_o: what the remainder is computed from.
// Timing    1 cycle.
// Contract  none.
// Reset     none: data follows.
// Model     csim/fpu/math_div.c, math_log.c, math_trig.c
// Tests     tests/rtl/igpu_math_tb.cpp

`default_nettype none
`include "igpu_math.vh"

module igpu_math_arg (
    input  wire                        clk_i,
    input  wire [`IGPU_MATH_CTL_W-1:0] ctl_i,    // control word
    input  wire [31:0]                 a_i,      // dividend
    input  wire [31:0]                 m_i,      // mantissa
    input  wire [87:0]                 r_i,      // fraction of a quadrant
    input  wire [35:0]                 place_i,  // segment, place in it
    output reg  [`IGPU_MATH_CTL_W-1:0] ctl_o,
    output reg  [31:0]                 a_o,      // dividend or root's operand
    output reg  [31:0]                 b_o,      // divisor
    output reg  [35:0]                 f_o,      // factor
    output reg  [35:0]                 place_o
);

    wire [3:0]  fn;
    wire        odd;
    assign fn  = ctl_i[`IGPU_MATH_C_FN];
    assign odd = ctl_i[`IGPU_MATH_C_ODD];

    // The angle's leading bits; nothing that counts lies below its first 64 bits.
    wire [63:0] high;
    wire [5:0]  up;
    wire [87:0] angle;
    igpu_math_up #(.W(64), .LOG(6)) u_up (.value_i(r_i[87:24]), .top_o(high), .up_o(up));
    assign angle = r_i << up;

    // |t|: the logarithm's place without its low zeros.
    wire [23:0] t;
    wire [31:0] root;
    assign t    = place_i[35] ? -place_i[35:12] : place_i[35:12];
    assign root = odd ? {7'd0, m_i[31:8], 1'b0} : {8'd0, m_i[31:8]};

    always @(posedge clk_i) begin
        ctl_o   <= ctl_i;
        a_o     <= a_i;
        b_o     <= {8'd0, m_i[31:8]};
        f_o     <= 36'd1;
        place_o <= place_i;
        case (fn)
            `IGPU_MATH_SIN, `IGPU_MATH_COS: begin
                f_o <= angle[87:52];
                ctl_o[`IGPU_MATH_C_EXP] <= ctl_i[`IGPU_MATH_C_EXP] - {5'd0, up};
            end
            `IGPU_MATH_LOG: f_o <= {12'd0, t};
            `IGPU_MATH_POW: if (!ctl_i[`IGPU_MATH_C_SECOND]) f_o <= {12'd0, t};
            `IGPU_MATH_SQT: begin
                f_o <= {4'd0, root};
                a_o <= root;
            end
            `IGPU_MATH_INV, `IGPU_MATH_FDIV: f_o <= {4'd0, a_i};
            `IGPU_MATH_IDIV, `IGPU_MATH_IQOT, `IGPU_MATH_IREM: begin
                f_o <= {4'd0, a_i};
                b_o <= m_i >> ctl_i[`IGPU_MATH_C_UP];
            end
            default: ;
        endcase
    end

    wire unused = &{1'b0, high, angle[51:0]};

endmodule

`default_nettype wire

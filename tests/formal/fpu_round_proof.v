// What igpu_fpu_round must do to a positive or negative number, in any mode: of the
// two neighbours (toward zero, away from it) the mode's; exact results unchanged; no
// bit below the format's precision, its smallest denormal, or (whole) the bit of 1.
module fpu_round_proof #(parameter M = 11, parameter XW = 8) (
    input wire [1:0]    fmt,
    input wire          whole,
    input wire [1:0]    rnd,
    input wire          sign,
    input wire [XW-1:0] exp,
    input wire [M:0]    low                // below the top bit
);
    localparam [1:0] FINITE = 2'd1;
    localparam signed [31:0] MS = M;       // Yosys' -chparam loses the sign

    wire [M+1:0]  mant = {1'b1, low};
    wire [1:0]    cls, cls_z, cls_a;
    wire [XW-1:0] e, e_z, e_a;
    wire [M-1:0]  m, m_z, m_a;
    wire          inexact, inexact_z, inexact_a;
    wire [5:0]    unused;

    igpu_fpu_round #(.M(M), .XW(XW)) u_dut (
        .on_i(1'b1), .fmt_i(fmt), .whole_i(whole), .free_i(1'b0), .rnd_i(rnd), .cls_i(FINITE),
        .sign_i(sign), .exp_i(exp), .mant_i(mant), .cls_o(cls), .exp_o(e), .mant_o(m),
        .inexact_o(inexact), .underflow_o(unused[0]), .overflow_o(unused[1]));
    igpu_fpu_round #(.M(M), .XW(XW)) u_zero (
        .on_i(1'b1), .fmt_i(fmt), .whole_i(whole), .free_i(1'b0), .rnd_i(2'd3), .cls_i(FINITE),
        .sign_i(sign), .exp_i(exp), .mant_i(mant), .cls_o(cls_z), .exp_o(e_z),
        .mant_o(m_z), .inexact_o(inexact_z), .underflow_o(unused[2]),
        .overflow_o(unused[3]));
    igpu_fpu_round #(.M(M), .XW(XW)) u_away (
        .on_i(1'b1), .fmt_i(fmt), .whole_i(whole), .free_i(1'b0), .rnd_i(sign ? 2'd2 : 2'd1),
        .cls_i(FINITE), .sign_i(sign), .exp_i(exp), .mant_i(mant), .cls_o(cls_a),
        .exp_o(e_a), .mant_o(m_a), .inexact_o(inexact_a), .underflow_o(unused[4]),
        .overflow_o(unused[5]));

    // Order of finite numbers: exponent, then mantissa.
    wire [XW+M+1:0] x      = {!exp[XW-1], exp[XW-2:0], mant};
    wire [XW+M+1:0] toward = {!e_z[XW-1], e_z[XW-2:0], m_z, 2'b00};
    wire [XW+M+1:0] away   = {!e_a[XW-1], e_a[XW-2:0], m_a, 2'b00};
    // Exponents that fit XW bits with those of the neighbours.
    wire near = exp[XW-1] == exp[XW-2];
    wire up   = rnd == (sign ? 2'd2 : 2'd1);

    // The last bit that may be set, and the bits of m below it.
    wire signed [XW:0] p    = fmt != 2'd0 && M >= 24 ? 24 : 11;
    wire signed [XW:0] emin = fmt != 2'd0 && M >= 24 ? -126 : -14;
    wire signed [XW:0] es   = $signed(exp);
    wire signed [XW:0] fine = (es > emin ? es : emin) - p + 1;
    wire signed [XW:0] last = whole && fine < 0 ? 0 : fine;
    wire signed [XW:0] free = last - $signed(e) + MS - 1;
    wire [M-1:0]       below = free <= 0 ? 0 : free >= MS ? ~0 : ~({M{1'b1}} << free[5:0]);

    always @* if (near) begin
        if (cls == FINITE && es <= 1 - emin) assert ((m & below) == 0); // no overflow
        if (cls_z == FINITE) assert (toward <= x);
        if (cls_a == FINITE) assert (away >= x);
        if (!inexact) assert (cls == FINITE && e == exp && {m, 2'b00} == mant);
        assert (inexact == inexact_z && inexact == inexact_a);
        if (rnd != 2'd0 && !up) assert (cls == cls_z && e == e_z && m == m_z);
        if (rnd == 2'd0)
            assert ((cls == cls_z && e == e_z && m == m_z) ||
                    (cls == cls_a && e == e_a && m == m_a));
        assert (cls != 2'd3);
    end
endmodule

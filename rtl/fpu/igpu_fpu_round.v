// igpu_fpu_round - round a number to a format, or to whole numbers.
//
// Function  The last bit that stays is that of the format's precision, of its
//           smallest denormal, or (whole_i) the one of weight 1, whichever is
//           highest. Overflow gives infinity or the largest number, by mode and
//           sign. A number that rounds to zero keeps its sign. NaN and infinity
//           pass. Underflow: inexact, and below the smallest normal number when
//           rounded with an unbounded exponent.
// Timing    Combinational.
// Contract  A finite mant_i has its top bit set; its lowest bit also stands for
//           all below. Formats no wider than M bits.
// Model     csim/emu/emu_num.c: emu_num_pack().  Tests: tests/formal/fpu.sh, tests/fpu
// Source    IEEE 754-2008 4.3, 7.4 to 7.6; docs/fpu.md#rounding

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_round #(
    parameter M  = 24,                     // bits of a rounded mantissa
    parameter XW = 10
) (
    input  wire [1:0]    fmt_i,
    input  wire          whole_i,          // to whole numbers
    input  wire          free_i,           // ... and to no format
    input  wire [1:0]    rnd_i,
    input  wire [1:0]    cls_i,
    input  wire          sign_i,
    input  wire [XW-1:0] exp_i,
    input  wire [M+1:0]  mant_i,
    output reg  [1:0]    cls_o,
    output reg  [XW-1:0] exp_o,
    output reg  [M-1:0]  mant_o,
    output reg           inexact_o,
    output reg           underflow_o,
    output reg           overflow_o
);

    localparam Q = M + 2;                  // bits of mant_i
    localparam DROP_ALL = Q + 1;           // everything and the half below
    localparam TOP = Q - 1;
    localparam P_HF = 11, P_F = 24, P_DF = 53;         // bits of precision
    localparam E_HF = 15, E_F = 127, E_DF = 1023;      // largest exponents

    // ---- where to round -------------------------------------------------
    reg signed [XW:0] prec, emin, emax;    // of the format

    always @* begin
        if (fmt_i == `IGPU_FMT_DF && M >= 53) begin
            prec = P_DF[XW:0];
            emax = E_DF[XW:0];
        end else if (fmt_i != `IGPU_FMT_HF && M >= 24) begin
            prec = P_F[XW:0];
            emax = E_F[XW:0];
        end else begin
            prec = P_HF[XW:0];
            emax = E_HF[XW:0];
        end
        emin = 1 - emax;
    end

    wire signed [XW:0] e      = {exp_i[XW-1], exp_i};
    wire signed [XW:0] e_norm = e - prec + 1;         // last bit by precision
    wire signed [XW:0] e_den  = emin - prec + 1;      // ... of denormals
    wire signed [XW:0] e_fmt  = free_i ? 0 : e_norm > e_den ? e_norm : e_den;
    wire signed [XW:0] last   = whole_i && e_fmt < 0 ? 0 : e_fmt;
    wire signed [XW:0] place  = last - e + $signed(TOP[XW:0]); // of that bit in mant_i
    wire               low    = place < 0;            // below it: nothing to do
    wire               over_q = place > $signed(TOP[XW:0]) + 1;      // far above
    wire [6:0]         drop   = low ? 7'd0 : over_q ? DROP_ALL[6:0] : place[6:0];

    // ---- round ----------------------------------------------------------
    wire [Q+1:0] x    = {2'b00, mant_i};
    wire [Q+1:0] unit = {{(Q+1){1'b0}}, 1'b1} << drop;
    wire [Q+1:0] mask = unit - {{(Q+1){1'b0}}, 1'b1};
    wire         half = (x & (unit >> 1)) != {(Q+2){1'b0}};
    wire         rest = (x & (mask >> 1)) != {(Q+2){1'b0}};
    wire         odd  = (x & unit) != {(Q+2){1'b0}};
    wire         away = rnd_i == `IGPU_RNE ? half && (rest || odd) :
                        (half || rest) && ((rnd_i == `IGPU_RTP && !sign_i) ||
                                           (rnd_i == `IGPU_RTN && sign_i));
    wire [Q+1:0] sum  = (x & ~mask) + (away ? unit : {(Q+2){1'b0}});
    wire         none = drop >= DROP_ALL[6:0] - 7'd1;      // nothing of mant_i stays
    wire         up   = none || sum[Q];               // the result is a power of two
    wire signed [XW:0] e_up = none ? last : e + 1;
    wire signed [XW:0] er   = up ? e_up : e;

    // Just below the smallest normal number, does it round up to it when the
    // exponent is unbounded? All its bits of precision are ones then.
    wire [Q+1:0] unit_p = unit >> 1;
    wire [Q+1:0] mask_p = mask >> 1;
    wire         ones   = (x | mask_p) == {2'b00, {Q{1'b1}}};
    wire         up_p   = rnd_i == `IGPU_RNE ? (x & (unit_p >> 1)) != {(Q+2){1'b0}} :
                          (x & mask_p) != {(Q+2){1'b0}} &&
                          rnd_i != `IGPU_RTZ && (rnd_i == `IGPU_RTN) == sign_i;
    wire         tiny   = e < emin && !(e == emin - 1 && ones && up_p);

    wire finite  = cls_i == `IGPU_CLS_FINITE;
    wire above   = !free_i && er > emax && !(none && !away);
    wire to_most = rnd_i == `IGPU_RTZ || (rnd_i == `IGPU_RTP && sign_i) ||
                   (rnd_i == `IGPU_RTN && !sign_i);

    always @* begin
        cls_o  = cls_i;
        exp_o  = er[XW-1:0];
        mant_o = up ? {1'b1, {(M-1){1'b0}}} : sum[Q-1:2];
        if (!finite) begin
            exp_o  = exp_i;
            mant_o = mant_i[Q-1:2];
        end else if (none && !away) begin
            cls_o  = `IGPU_CLS_ZERO;
        end else if (above) begin
            cls_o  = to_most ? `IGPU_CLS_FINITE : `IGPU_CLS_INF;
            exp_o  = emax[XW-1:0];
            mant_o = ~({M{1'b1}} >> prec);
        end
        overflow_o  = finite && above;
        inexact_o   = finite && (above || half || rest);
        underflow_o = finite && !free_i && !whole_i && tiny && (half || rest);
    end

    wire unused = &{1'b0, sum[Q+1], sum[1:0], place};

endmodule

`default_nettype wire

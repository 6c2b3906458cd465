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
    input  wire          on_i,             // else the number passes
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

    wire finite = on_i && cls_i == `IGPU_CLS_FINITE;

    // ---- where to round -------------------------------------------------
    reg signed [XW:0] prec, emin, emax;    // of the format
    reg signed [XW:0] e, last;             // exponent; that of the last bit that stays
    reg signed [XW:0] place;               // where that bit is in mant_i
    reg [6:0]         drop;                // bits below it

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
        emin  = 1 - emax;
        e     = {exp_i[XW-1], exp_i};
        last  = 0;
        place = 0;
        drop  = 7'd0;
        if (finite) begin
            if (!free_i)
                last = (e > emin ? e : emin) - prec + 1;
            if (whole_i && last < 0)
                last = 0;
            place = last - e + $signed(TOP[XW:0]);
            if (place > $signed(TOP[XW:0]) + 1)
                drop = DROP_ALL[6:0];
            else if (place > 0)
                drop = place[6:0];
        end
    end

    // ---- round ----------------------------------------------------------
    localparam [Q+1:0] ONE = 1;
    reg  [Q+1:0] x, unit, mask, sum;
    reg          half, rest, away, none, up, ones, up_p, tiny, above, to_most;
    reg  signed [XW:0] er;

    always @* begin
        x    = {2'b00, mant_i};
        unit = ONE;
        mask = 0;
        sum  = 0;
        er   = e;
        {half, rest, away, none, up, ones, up_p, tiny, above, to_most} = 10'd0;
        cls_o  = cls_i;
        exp_o  = exp_i;
        mant_o = mant_i[Q-1:2];
        if (finite) begin
            unit = ONE << drop;
            mask = unit - ONE;
            half = (x & (unit >> 1)) != 0;
            rest = (x & (mask >> 1)) != 0;
            away = rnd_i == `IGPU_RNE ? half && (rest || (x & unit) != 0) :
                   (half || rest) && ((rnd_i == `IGPU_RTP && !sign_i) ||
                                      (rnd_i == `IGPU_RTN && sign_i));
            sum  = (x & ~mask) + (away ? unit : 0);
            none = drop >= DROP_ALL[6:0] - 7'd1;  // nothing of mant_i stays
            up   = none || sum[Q];                // the result is a power of two
            if (up)
                er = none ? last : e + 1;
            // Just below the smallest normal number, does it round up to it when the
            // exponent is unbounded? All its bits of precision are ones then.
            if (!free_i && e < emin) begin
                ones = (x | (mask >> 1)) == {2'b00, {Q{1'b1}}};
                up_p = rnd_i == `IGPU_RNE ? (x & (unit >> 2)) != 0 :
                       (x & (mask >> 1)) != 0 &&
                       rnd_i != `IGPU_RTZ && (rnd_i == `IGPU_RTN) == sign_i;
                tiny = !(e == emin - 1 && ones && up_p);
            end
            above   = !free_i && er > emax && !(none && !away);
            to_most = rnd_i == `IGPU_RTZ || (rnd_i == `IGPU_RTP && sign_i) ||
                      (rnd_i == `IGPU_RTN && !sign_i);
            exp_o   = er[XW-1:0];
            mant_o  = up ? {1'b1, {(M-1){1'b0}}} : sum[Q-1:2];
            if (none && !away) begin
                cls_o = `IGPU_CLS_ZERO;
            end else if (above) begin
                cls_o  = to_most ? `IGPU_CLS_FINITE : `IGPU_CLS_INF;
                exp_o  = emax[XW-1:0];
                mant_o = ~({M{1'b1}} >> prec);
            end
        end
        overflow_o  = above;
        inexact_o   = above || half || rest;
        underflow_o = !whole_i && tiny && (half || rest);
    end

    wire unused = &{1'b0, sum[Q+1], sum[1:0], place};

endmodule

`default_nettype wire

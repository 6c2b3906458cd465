// igpu_fpu_round.vh - round a finite number to a format, or to whole numbers; a task.
//
// Function  The last bit that stays is that of the format's precision, of its
//           smallest denormal, or (whole) the one of weight 1, whichever is highest.
//           Overflow gives infinity or the largest number, by mode and sign. A number
//           that rounds to zero keeps its sign. Underflow: inexact, and below the
//           smallest normal number when rounded with an unbounded exponent.
//           exc: overflow, underflow, inexact.
// Contract  The module has parameters M and XW (bits of mantissa and exponent). mant
//           has its top bit set; its lowest bit also stands for all below. Formats no
//           wider than M bits. open: to whole numbers, whatever the format.
// Model     csim/emu/emu_num.c: emu_num_pack().
// Tests     tests/formal/test_proofs.sh (igpu_fpu_round), tests/fpu
// Source    IEEE 754-2008 4.3, 7.4 to 7.6; docs/contract/fpu.md#rounding

`include "igpu_fpu_away.vh"

    localparam Q = M + 2;                              // bits of mant
    localparam DROP_ALL = Q + 1;                       // everything and the half below
    localparam TOP = Q - 1;
    localparam P_HF = 11, P_F = 24, P_DF = 53;         // bits of precision
    localparam E_HF = 15, E_F = 127, E_DF = 1023;      // largest exponents
    localparam [Q+1:0] UNIT = 1;

    task rounded(input [1:0] fmt, input whole, input open, input [1:0] rnd, input sign,
                 input [XW-1:0] exp, input [M+1:0] mant, output [1:0] cls_r,
                 output [XW-1:0] exp_r, output [M-1:0] mant_r, output [2:0] exc);
        reg signed [XW:0] e, er, emin, emax, prec, last, place;
        reg [6:0]   drop;                              // bits below the last that stays
        reg [Q+1:0] x, unit, mask, sum;
        reg         half, rest, away, none, up, tiny, above, to_most, low, up_p;
        begin
            if (fmt == `IGPU_FMT_DF && M >= 53) begin
                prec = P_DF[XW:0];
                emax = E_DF[XW:0];
            end else if (fmt != `IGPU_FMT_HF && M >= 24) begin
                prec = P_F[XW:0];
                emax = E_F[XW:0];
            end else begin
                prec = P_HF[XW:0];
                emax = E_HF[XW:0];
            end
            emin  = 1 - emax;
            e     = {exp[XW-1], exp};
            low   = !open && e < emin;                 // a denormal, or below

            // The weight of the last bit that stays, and where it is in mant.
            last  = (low ? emin : e) - prec + 1;
            if (open || (whole && last < 0))
                last = 0;
            place = last - e + $signed(TOP[XW:0]);
            drop  = place > $signed(TOP[XW:0]) + 1 ? DROP_ALL[6:0] :
                    place > 0 ? place[6:0] : 7'd0;

            x     = {2'b00, mant};
            unit  = UNIT << drop;
            mask  = unit - UNIT;
            half  = (x & (unit >> 1)) != 0;
            rest  = (x & (mask >> 1)) != 0;
            away  = away_from_zero(rnd, sign, (x & unit) != 0, half, rest);
            sum   = (x & ~mask) + (away ? unit : 0);
            none  = drop >= DROP_ALL[6:0] - 7'd1;      // nothing of mant stays
            up    = none || sum[Q];                    // the result is a power of two
            er    = none ? last : up ? e + 1 : e;

            // Just below the smallest normal number, does it round up to it when the
            // exponent is unbounded? All its bits of precision are ones then.
            tiny  = low;
            if (low && e == emin - 1) begin
                up_p = rnd == `IGPU_RNE ? (x & (unit >> 2)) != 0 :
                       (x & (mask >> 1)) != 0 &&
                       rnd != `IGPU_RTZ && (rnd == `IGPU_RTN) == sign;
                tiny = !((x | (mask >> 1)) == {2'b00, {Q{1'b1}}} && up_p);
            end
            above = !open && er > emax && !(none && !away);
            cls_r  = none && !away ? `IGPU_CLS_ZERO : `IGPU_CLS_FINITE;
            exp_r  = er[XW-1:0];
            mant_r = up ? {1'b1, {(M-1){1'b0}}} : sum[Q-1:2];
            if (above) begin
                to_most = rnd == `IGPU_RTZ || (rnd == `IGPU_RTP && sign) ||
                          (rnd == `IGPU_RTN && !sign);
                cls_r   = to_most ? `IGPU_CLS_FINITE : `IGPU_CLS_INF;
                exp_r   = emax[XW-1:0];
                mant_r  = ~({M{1'b1}} >> prec);
            end
            exc = {above, !whole && tiny && (half || rest), above || half || rest};
        end
    endtask

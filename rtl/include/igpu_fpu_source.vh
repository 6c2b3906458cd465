// igpu_fpu_source.vh - one source operand: flush, modify, unpack; tasks.
//
// Function  source_number: the operand as a number (class, sign, exponent, mantissa
//           with its top bit set, whatever its float type): num = {snan, class, sign,
//           exponent, mantissa}, value = mantissa / 2^(M-1) * 2^exponent. A NaN keeps
//           its fraction, quieted.
//           source_integer: as an integer with two bits more than the widest operand,
//           so that no modifier overflows: sign- or zero-extended by the type; bits
//           of a float as they are. With `logic_op` bit 1 of mod inverts.
//           Order: denormals flush by the operand's own type, then |x|, then -x.
// Contract  The module has parameters W (bits of an operand), DF (double floats), M
//           (mantissa), XW (exponent). Types that they do not cover give no meaning.
// Model     csim/emu/emu_load.c.  Tests: tests/fpu.  Source: docs/contract/fpu.md#numbers

    localparam NORM_N  = M;
    localparam NORM_CW = M > 32 ? 6 : M > 16 ? 5 : 4;
`include "igpu_fpu_norm.vh"
    localparam F_UP = M > 24 ? M - 24 : 0;             // a single's fraction to the top
    localparam [XW-1:0] BIAS_HF = 15;
    localparam [31:0]   BIAS_F  = 127;
    localparam [31:0]   BIAS_DF = 1023;

    task source_number(input [W-1:0] bits, input [3:0] kind, input [1:0] mod,
                       input [2:0] ftz, output [M+XW+3:0] num);
        reg [W+31:0]       wide, part;
        reg                sign, ones, none, flush, nonzero;
        reg [M-2:0]        frac;                       // left-aligned
        reg [M-1:0]        mant;
        reg [XW-1:0]       exp;
        reg [1:0]          cls;
        reg [NORM_CW-1:0]  lead;
        begin
            wide = {32'd0, bits};
            if (W >= 32 && kind == `IGPU_TYPE_F) begin
                part  = (wide & {{W{1'b0}}, 32'h7fffff}) << F_UP;
                frac  = part[M-2:0];
                part  = wide >> 23;
                sign  = part[8];
                ones  = part[7:0] == 8'hff;
                none  = part[7:0] == 8'd0;
                part  = (part & {{W{1'b0}}, 32'hff}) - {{W{1'b0}}, BIAS_F};
                exp   = part[XW-1:0];
                flush = ftz[1];
            end else if (DF != 0 && kind == `IGPU_TYPE_DF) begin
                frac  = wide[M-2:0];
                part  = wide >> 52;
                sign  = part[11];
                ones  = part[10:0] == 11'h7ff;
                none  = part[10:0] == 11'd0;
                part  = (part & {{W{1'b0}}, 32'h7ff}) - {{W{1'b0}}, BIAS_DF};
                exp   = part[XW-1:0];
                flush = ftz[2];
            end else begin
                frac  = {(M-1){1'b0}};
                frac[M-2 -: 10] = bits[9:0];
                sign  = bits[15];
                ones  = bits[14:10] == 5'd31;
                none  = bits[14:10] == 5'd0;
                exp   = {{(XW-5){1'b0}}, bits[14:10]} - BIAS_HF;
                flush = ftz[0];
            end
            nonzero = frac != {(M-1){1'b0}};
            cls     = `IGPU_CLS_FINITE;
            mant    = {1'b1, frac};
            lead    = {NORM_CW{1'b0}};
            if (ones && nonzero) begin
                cls       = `IGPU_CLS_NAN;
                mant[M-2] = 1'b1;
            end else if (ones) begin
                cls = `IGPU_CLS_INF;
            end else if (none && (flush || !nonzero)) begin
                cls = `IGPU_CLS_ZERO;
            end else if (none) begin
                normalized({1'b0, frac}, mant, lead);
            end
            // A denormal's exponent is that of the smallest normal number.
            exp = exp + {{(XW-1){1'b0}}, none} - {{(XW-NORM_CW){1'b0}}, lead};
            num = {ones && nonzero && !frac[M-2], cls, (sign && !mod[0]) ^ mod[1], exp,
                   mant};
        end
    endtask

    localparam [W-1:0] ALL = {W{1'b1}};
    localparam         HIGH = W > 32 ? W - 32 : 0;     // bits above 32

    task source_integer(input [W-1:0] bits, input [3:0] kind, input [1:0] mod,
                        input logic_op, output [W+1:0] value);
        reg [W-1:0] keep;                              // the type's bits
        reg         is_signed;
        begin
            case (kind)
            `IGPU_TYPE_UB, `IGPU_TYPE_B:                keep = ALL >> (W - 8);
            `IGPU_TYPE_UW, `IGPU_TYPE_W, `IGPU_TYPE_HF: keep = ALL >> (W - 16);
            `IGPU_TYPE_UD, `IGPU_TYPE_D, `IGPU_TYPE_F:  keep = ALL >> HIGH;
            default:                                    keep = ALL;
            endcase
            is_signed = kind == `IGPU_TYPE_B || kind == `IGPU_TYPE_W ||
                        kind == `IGPU_TYPE_D || kind == `IGPU_TYPE_Q;
            value = {2'b00, bits & keep};
            if (is_signed && (bits & (keep ^ (keep >> 1))) != {W{1'b0}})
                value = value | ~{2'b00, keep};
            if (!logic_op && mod[0] && value[W+1])
                value = -value;
            if (mod[1])
                value = logic_op ? ~value : -value;
        end
    endtask

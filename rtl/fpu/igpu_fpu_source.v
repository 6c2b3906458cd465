// igpu_fpu_source - one source operand: flush, modify, unpack.
//
// Function  The operand as a number (class, sign, exponent, mantissa with its top
//           bit set, whatever its float type) and as an integer with two bits more
//           than the widest operand, so that no modifier overflows.
//           num_o = {snan, class, sign, exponent, mantissa}: value = mantissa /
//           2^(M-1) * 2^exponent. A NaN keeps its fraction, quieted.
//           int_o: sign- or zero-extended by the type; bits of a float as they are.
//           Order: denormals flush by the operand's type, then |x|, then -x.
// Timing    Combinational.
// Contract  Types that the parameters do not cover give no meaning.
// Model     csim/emu/emu_load.c.  Tests: tests/fpu
// Source    docs/fpu.md#numbers

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_source #(
    parameter W  = 32,                     // bits of an operand: 16, 32, 64
    parameter DF = 0,                      // has double floats
    parameter M  = 24,                     // bits of a mantissa
    parameter XW = 10                      // bits of an exponent
) (
    input  wire [W-1:0]    bits_i,         // the operand, in its lowest bits
    input  wire [3:0]      type_i,
    input  wire [1:0]      mod_i,          // modifiers
    input  wire            logic_i,        // of a logic operation: bit 1 inverts
    input  wire [2:0]      ftz_i,          // flush DF, F, HF
    input  wire            num_i,          // num_o is wanted, else it is 0
    input  wire            int_i,          // int_o is wanted, else it is 0
    output reg  [M+XW+3:0] num_o,
    output reg  [W+1:0]    int_o
);

    localparam CW = M > 32 ? 6 : M > 16 ? 5 : 4;
    localparam [XW-1:0] BIAS_HF = 15;
    localparam [XW-1:0] ONE     = 1;
    localparam HIGH = W > 32 ? W - 32 : 0;              // bits above 32

    // ---- float fields ---------------------------------------------------
    reg          sign, ones, none, flush;
    reg [M-2:0]  frac;                     // left-aligned
    reg [XW-1:0] exp;
    wire [M-2:0]  frac_f, frac_df;
    wire [XW-1:0] exp_f, exp_df;
    wire [2:0]    is_f, is_df;             // {sign, exponent all ones, all zeros}

    generate
        if (W >= 32) begin : g_f
            localparam [XW-1:0] BIAS = 127;
            wire [M+22:0] top = {bits_i[22:0], {M{1'b0}}};
            assign frac_f = top[M+22:24];
            assign exp_f  = {{(XW-8){1'b0}}, bits_i[30:23]} - BIAS;
            assign is_f   = {bits_i[31], &bits_i[30:23], ~|bits_i[30:23]};
            wire unused = &{1'b0, top[23:0]};
        end else begin : g_no_f
            assign frac_f = {(M-1){1'b0}};
            assign exp_f  = {XW{1'b0}};
            assign is_f   = 3'd0;
        end
        if (DF != 0) begin : g_df
            localparam [XW-1:0] BIAS = 1023;
            assign frac_df = bits_i[51:0];
            assign exp_df  = {{(XW-11){1'b0}}, bits_i[62:52]} - BIAS;
            assign is_df   = {bits_i[63], &bits_i[62:52], ~|bits_i[62:52]};
        end else begin : g_no_df
            assign frac_df = {(M-1){1'b0}};
            assign exp_df  = {XW{1'b0}};
            assign is_df   = 3'd0;
        end
    endgenerate

    always @* begin
        {sign, ones, none} = 3'd0;
        frac  = {(M-1){1'b0}};
        exp   = {XW{1'b0}};
        flush = 1'b0;
        if (num_i)
            case (type_i)
            `IGPU_TYPE_F: begin
                {sign, ones, none} = is_f;
                frac  = frac_f;
                exp   = exp_f;
                flush = ftz_i[1];
            end
            `IGPU_TYPE_DF: begin
                {sign, ones, none} = is_df;
                frac  = frac_df;
                exp   = exp_df;
                flush = ftz_i[2];
            end
            default: begin
                {sign, ones, none} = {bits_i[15], &bits_i[14:10], ~|bits_i[14:10]};
                frac[M-2 -: 10] = bits_i[9:0];
                exp   = {{(XW-5){1'b0}}, bits_i[14:10]} - BIAS_HF;
                flush = ftz_i[0];
            end
            endcase
    end

    // ---- unpacked -------------------------------------------------------
    wire [M-1:0]  norm;
    wire [CW-1:0] lead;

    igpu_fpu_norm #(.N(M), .CW(CW)) u_norm (
        .on_i(none && frac != {(M-1){1'b0}}), .data_i({!none, frac}), .data_o(norm),
        .count_o(lead));

    // A denormal's exponent is that of the smallest normal number.
    wire [XW-1:0] exp_n = (none ? exp + ONE : exp) - {{(XW-CW){1'b0}}, lead};
    reg  [1:0]    cls;
    reg  [M-1:0]  mant;
    reg           snan;

    always @* begin
        snan  = 1'b0;
        cls   = `IGPU_CLS_FINITE;
        mant  = norm;
        num_o = {(M+XW+4){1'b0}};
        if (num_i) begin
            if (ones && frac != {(M-1){1'b0}}) begin
                snan = !frac[M-2];
                cls  = `IGPU_CLS_NAN;
                mant = {2'b11, frac[M-3:0]};
            end else if (ones) begin
                cls = `IGPU_CLS_INF;
            end else if (none && (flush || frac == {(M-1){1'b0}})) begin
                cls = `IGPU_CLS_ZERO;
            end
            num_o = {snan, cls, (sign && !mod_i[0]) ^ mod_i[1], exp_n, mant};
        end
    end

    // ---- integer --------------------------------------------------------
    localparam [W-1:0] ALL = {W{1'b1}};
    reg  [W-1:0] keep;                     // the type's bits
    reg          is_signed;
    reg  [W+1:0] ext;                      // the value

    always @* begin
        keep      = ALL;
        is_signed = 1'b0;
        ext       = {(W+2){1'b0}};
        int_o     = {(W+2){1'b0}};
        if (int_i) begin
            case (type_i)
            `IGPU_TYPE_UB, `IGPU_TYPE_B:                keep = ALL >> (W - 8);
            `IGPU_TYPE_UW, `IGPU_TYPE_W, `IGPU_TYPE_HF: keep = ALL >> (W - 16);
            `IGPU_TYPE_UD, `IGPU_TYPE_D, `IGPU_TYPE_F:  keep = ALL >> HIGH;
            default:                                    keep = ALL;
            endcase
            is_signed = type_i == `IGPU_TYPE_B || type_i == `IGPU_TYPE_W ||
                        type_i == `IGPU_TYPE_D || type_i == `IGPU_TYPE_Q;
            ext = {2'b00, bits_i & keep};
            if (is_signed && (bits_i & (keep ^ (keep >> 1))) != {W{1'b0}})
                ext = ext | ~{2'b00, keep};
            if (!logic_i && mod_i[0] && ext[W+1])
                ext = -ext;
            int_o = !mod_i[1] ? ext : logic_i ? ~ext : -ext;
        end
    end

endmodule

`default_nettype wire

// What igpu_fpu_toint.vh must do: the number itself where the type holds it, else the
// nearest that it holds, and say so. Numbers are compared at weight 2^-(M-1).
`include "igpu_fpu.vh"
module fpu_toint_proof #(parameter W = 32, parameter M = 24, parameter XW = 10) (
    input wire [3:0]    kind,
    input wire [1:0]    cls,
    input wire          sign,
    input wire [XW-1:0] exp,
    input wire [M-1:0]  mant
);
    `include "igpu_fpu_toint.vh"
    localparam S = W + M + 2;                          // bits of a scaled number, signed

    reg [W-1:0]        value;
    reg                bad, fits, is_signed, huge;
    reg [6:0]          bits;                           // of the type
    reg signed [S-1:0] number, least, most, got;
    wire [W+M-1:0]     up = {{W{1'b0}}, mant} << exp[6:0];

    always @* begin
        integer_of(kind, cls, sign, exp, up[W+M-1:M-1], value, bad);
        bits = kind == `IGPU_TYPE_B || kind == `IGPU_TYPE_UB ? 8 :
               kind == `IGPU_TYPE_W || kind == `IGPU_TYPE_UW ? 16 : 32;
        is_signed = kind == `IGPU_TYPE_B || kind == `IGPU_TYPE_W || kind == `IGPU_TYPE_D;
        assume (is_signed || kind == `IGPU_TYPE_UB || kind == `IGPU_TYPE_UW ||
                kind == `IGPU_TYPE_UD);
        // Whole, and normalized.
        assume (cls != `IGPU_CLS_FINITE || (mant[M-1] && !exp[XW-1]));
        assume (cls != `IGPU_CLS_FINITE || exp >= M - 1 || (mant << exp) << 1 == 0 ||
                ((mant << exp) & {1'b0, {(M-1){1'b1}}}) == 0);
        huge   = cls == `IGPU_CLS_INF || (cls == `IGPU_CLS_FINITE && exp > W);
        number = 0;
        if (cls == `IGPU_CLS_FINITE && !huge)
            number = {{(W+2){1'b0}}, mant} << exp;
        if (sign)
            number = -number;
        most  = 1;
        most  = (most << (is_signed ? bits - 1 : bits)) - 1;
        least = is_signed ? -most - 1 : 0;
        got   = {{(M+2){1'b0}}, value};
        if (is_signed && value[bits - 1])
            got = got - (most + most + 2);
        fits  = cls == `IGPU_CLS_ZERO || (cls == `IGPU_CLS_FINITE && !huge &&
                number >= least << (M - 1) && number <= most << (M - 1));
        assert (bad == !fits);
        if (cls == `IGPU_CLS_NAN)
            assert (value == 0);
        else if (fits)
            assert (got << (M - 1) == number);
        else
            assert (got == (sign ? least : most));
        assert (bits == 32 || value >> bits == 0);
    end
endmodule

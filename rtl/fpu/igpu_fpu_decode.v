// igpu_fpu_decode - what an instruction asks of the pipeline.
//
// Function  From operation, types and control register bits: the control word
//           that travels with the operands, the size of a lane's slot, and whether
//           the integer product takes two passes. A float source makes the
//           operation one of floats; it computes in the widest float type of its
//           sources, in half precision only when the result is half too. A move or
//           a predicated select without modifiers, between equal float types,
//           copies bits. Float to integer rounds to zero unless int_round_i.
// Timing    Combinational.
// Contract  Sources that the operation does not have carry the type of source 0.
// Model     csim/emu/emu_pick.c.  Tests: tests/fpu
// Source    docs/contract/fpu.md#types

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_decode (
    input  wire        on_i,               // else nothing takes two passes
    input  wire [4:0]  op_i,
    input  wire [3:0]  dtype_i,            // type of the result
    input  wire [11:0] stype_i,            // types of sources 2, 1, 0
    input  wire [5:0]  mod_i,              // modifiers of sources 2, 1, 0
    input  wire [3:0]  cmod_i,             // condition modifier
    input  wire        sat_i,              // saturate
    input  wire [1:0]  rnd_i,              // cr0 rounding mode
    input  wire        int_round_i,        // ... also of float to integer
    input  wire [2:0]  ftz_i,              // flush denormals of DF, F, HF
    input  wire        pass2_i,            // this is the second of two
    output reg  [`IGPU_FPU_CTL_W-1:0] ctl_o,
    output wire [1:0]  slot_o,             // slots of 0: 16, 1: 32, 2: 64 bits
    output wire        twice_o             // two passes
);

    // Bytes of a type: 0 one, 1 two, 2 four, 3 eight.
    function [1:0] size;
        input [3:0] t;
        case (t)
        `IGPU_TYPE_UB, `IGPU_TYPE_B:               size = 2'd0;
        `IGPU_TYPE_UW, `IGPU_TYPE_W, `IGPU_TYPE_HF: size = 2'd1;
        `IGPU_TYPE_UQ, `IGPU_TYPE_Q, `IGPU_TYPE_DF: size = 2'd3;
        default:                                   size = 2'd2;
        endcase
    endfunction

    function is_float;
        input [3:0] t;
        is_float = t == `IGPU_TYPE_HF || t == `IGPU_TYPE_F || t == `IGPU_TYPE_DF;
    endfunction

    function [1:0] format;
        input [3:0] t;
        format = t == `IGPU_TYPE_HF ? `IGPU_FMT_HF :
                 t == `IGPU_TYPE_F  ? `IGPU_FMT_F  : `IGPU_FMT_DF;
    endfunction

    wire [3:0] t0 = stype_i[3:0], t1 = stype_i[7:4], t2 = stype_i[11:8];
    wire       any_f  = t0 == `IGPU_TYPE_F  || t1 == `IGPU_TYPE_F  || t2 == `IGPU_TYPE_F;
    wire       any_df = t0 == `IGPU_TYPE_DF || t1 == `IGPU_TYPE_DF || t2 == `IGPU_TYPE_DF;
    wire       flt    = is_float(t0);
    wire       dflt   = is_float(dtype_i);
    wire       mul    = op_i == `IGPU_FPU_OP_MUL || op_i == `IGPU_FPU_OP_MAD ||
                        op_i == `IGPU_FPU_OP_MACH;
    wire       cmpn   = op_i == `IGPU_FPU_OP_CMPN;
    wire       select = op_i == `IGPU_FPU_OP_SEL && cmod_i == `IGPU_CMOD_NONE;
    wire       move   = op_i == `IGPU_FPU_OP_MOV && cmod_i == `IGPU_CMOD_NONE;
    wire       same   = t0 == dtype_i && mod_i[1:0] == 2'd0 &&
                        (move || (t1 == dtype_i && mod_i[3:2] == 2'd0));
    wire       raw    = (move || select) && dflt && same && !sat_i;
    wire       whole  = op_i == `IGPU_FPU_OP_RNDD || op_i == `IGPU_FPU_OP_RNDU ||
                        op_i == `IGPU_FPU_OP_RNDE || op_i == `IGPU_FPU_OP_RNDZ;

    // The slot holds the widest of all; what half floats give to another type is
    // computed in single precision.
    wire [1:0] s0 = size(t0), s1 = size(t1), s2 = size(t2), sd = size(dtype_i);
    wire       eight = s0 == 2'd3 || s1 == 2'd3 || s2 == 2'd3 || sd == 2'd3;
    wire       single = flt && dtype_i != `IGPU_TYPE_HF;
    wire       four  = single || s0 == 2'd2 || s1 == 2'd2 || s2 == 2'd2 || sd == 2'd2;
    assign slot_o = eight ? 2'd2 : four ? 2'd1 : 2'd0;

    // The multiplier takes half a slot of its second factor at a time, all of 16.
    wire [1:0] factor = op_i == `IGPU_FPU_OP_MAD ? s2 : s1;
    assign twice_o = on_i && mul && !flt && (eight ? factor == 2'd3 : factor == 2'd2);

    always @* begin
        ctl_o = {`IGPU_FPU_CTL_W{1'b0}};
        ctl_o[`IGPU_FCTL_OP]    = cmpn ? `IGPU_FPU_OP_CMP : op_i;
        ctl_o[`IGPU_FCTL_DTYPE] = dtype_i;
        ctl_o[`IGPU_FCTL_FMT]   = any_df ? `IGPU_FMT_DF :
                                 any_f || single ?
                                 `IGPU_FMT_F : flt ? `IGPU_FMT_HF : format(dtype_i);
        ctl_o[`IGPU_FCTL_FLT]   = flt && !raw;
        ctl_o[`IGPU_FCTL_RAW]   = raw;
        ctl_o[`IGPU_FCTL_SAT]   = sat_i;
        ctl_o[`IGPU_FCTL_CMOD]  = cmod_i;
        ctl_o[`IGPU_FCTL_RND2]  = dflt ? rnd_i : int_round_i ? rnd_i : `IGPU_RTZ;
        ctl_o[`IGPU_FCTL_FTZ]   = ftz_i;
        ctl_o[`IGPU_FCTL_WHOLE] = whole || cmpn;
        ctl_o[`IGPU_FCTL_MUL]   = mul;
        ctl_o[`IGPU_FCTL_TWICE] = twice_o;
        ctl_o[`IGPU_FCTL_PASS2] = pass2_i;
        ctl_o[`IGPU_FCTL_DFLT]  = dflt && !raw && op_i != `IGPU_FPU_OP_CMP && !cmpn;
        ctl_o[`IGPU_FCTL_DFMT]  = format(dtype_i);
        ctl_o[`IGPU_FCTL_STYPE] = t0;
        ctl_o[`IGPU_FCTL_SH64]  = s0 == 2'd3 || sd == 2'd3;
        ctl_o[`IGPU_FCTL_SLOT]  = slot_o;
        case (op_i)
        `IGPU_FPU_OP_RNDD:                    ctl_o[`IGPU_FCTL_RND1] = `IGPU_RTN;
        `IGPU_FPU_OP_RNDU:                    ctl_o[`IGPU_FCTL_RND1] = `IGPU_RTP;
        `IGPU_FPU_OP_RNDZ:                    ctl_o[`IGPU_FCTL_RND1] = `IGPU_RTZ;
        `IGPU_FPU_OP_RNDE, `IGPU_FPU_OP_FRC:  ctl_o[`IGPU_FCTL_RND1] = `IGPU_RNE;
        default:                              ctl_o[`IGPU_FCTL_RND1] = rnd_i;
        endcase
    end

    // Not all modifiers decide; source 2 is never a move's.
    wire unused = &{1'b0, mod_i[5:4]};

endmodule

`default_nettype wire

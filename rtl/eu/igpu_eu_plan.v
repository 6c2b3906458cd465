// igpu_eu_plan - what the FPU has to do for an instruction, and what is refused.
//
// Function  Operation, types of its operands and of its slots (the widest type; half floats
//           that become another type compute in 32 bits), flags and accumulator that are
//           written. Two rounds: mach {AccWrEn}, whose second one is the product's low half
//           for acc0, and math.idiv, whose second one is the remainder. A channel at a time
//           where the operands of a pass need not lie in two neighbouring registers.
//           Refused: what rtl/fpu does not have (docs/develop/eu.md#what-is-refused).
// Timing    Combinational.
// Contract  inst_i is igpu_isa_decode's. For other kinds than FPU, math and branch only
//           PLAN_REFUSE counts.
// Reset     None: no state.
// Tests     tests/cosim/test_values_forms, test_values
// Source    docs/develop/eu.md#the-plan

`default_nettype none
`include "igpu_fpu.vh"
`include "igpu_isa.vh"
`include "igpu_values.vh"

module igpu_eu_plan (
    input  wire [`IGPU_INST_W-1:0] inst_i,
    output reg  [`IGPU_PLAN_W-1:0] plan_o
);

`include "igpu_values_type.vh"

    wire [6:0]             op   = inst_i[`IGPU_INST_OP];
    wire [2:0]             kind = inst_i[`IGPU_INST_KIND];
    wire [3:0]             fn   = inst_i[`IGPU_INST_FN];
    wire [1:0]             nsrc = inst_i[`IGPU_INST_NSRC];
    wire                   math = kind == `IGPU_KIND_MATH;
    wire [`IGPU_DST_W-1:0] dst  = inst_i[`IGPU_INST_DST];
    wire [`IGPU_SRC_W-1:0] src0 = inst_i[`IGPU_INST_SRC0];
    wire [`IGPU_SRC_W-1:0] src1 = inst_i[`IGPU_INST_SRC1];
    wire [`IGPU_SRC_W-1:0] src2 = inst_i[`IGPU_INST_SRC2];

    // ---- operation ---------------------------------------------------------
    reg [4:0] fpu_op;
    reg       known;

    always @* begin
        known = 1'b1;
        case (op)
        `IGPU_OP_MOV:   fpu_op = `IGPU_FPU_OP_MOV;
        `IGPU_OP_SEL:   fpu_op = `IGPU_FPU_OP_SEL;
        `IGPU_OP_NOT:   fpu_op = `IGPU_FPU_OP_NOT;
        `IGPU_OP_AND:   fpu_op = `IGPU_FPU_OP_AND;
        `IGPU_OP_OR:    fpu_op = `IGPU_FPU_OP_OR;
        `IGPU_OP_XOR:   fpu_op = `IGPU_FPU_OP_XOR;
        `IGPU_OP_SHR:   fpu_op = `IGPU_FPU_OP_SHR;
        `IGPU_OP_SHL:   fpu_op = `IGPU_FPU_OP_SHL;
        `IGPU_OP_ASR:   fpu_op = `IGPU_FPU_OP_ASR;
        `IGPU_OP_CMP:   fpu_op = `IGPU_FPU_OP_CMP;
        `IGPU_OP_CSEL:  fpu_op = `IGPU_FPU_OP_CSEL;
        `IGPU_OP_BFREV: fpu_op = `IGPU_FPU_OP_BFREV;
        `IGPU_OP_BFE:   fpu_op = `IGPU_FPU_OP_BFE;
        `IGPU_OP_BFI1:  fpu_op = `IGPU_FPU_OP_BFI1;
        `IGPU_OP_BFI2:  fpu_op = `IGPU_FPU_OP_BFI2;
        `IGPU_OP_ADD:   fpu_op = `IGPU_FPU_OP_ADD;
        `IGPU_OP_MUL:   fpu_op = `IGPU_FPU_OP_MUL;
        `IGPU_OP_AVG:   fpu_op = `IGPU_FPU_OP_AVG;
        `IGPU_OP_FRC:   fpu_op = `IGPU_FPU_OP_FRC;
        `IGPU_OP_RNDU:  fpu_op = `IGPU_FPU_OP_RNDU;
        `IGPU_OP_RNDD:  fpu_op = `IGPU_FPU_OP_RNDD;
        `IGPU_OP_RNDE:  fpu_op = `IGPU_FPU_OP_RNDE;
        `IGPU_OP_RNDZ:  fpu_op = `IGPU_FPU_OP_RNDZ;
        `IGPU_OP_MACH:  fpu_op = `IGPU_FPU_OP_MACH;
        `IGPU_OP_LZD:   fpu_op = `IGPU_FPU_OP_LZD;
        `IGPU_OP_FBH:   fpu_op = `IGPU_FPU_OP_FBH;
        `IGPU_OP_FBL:   fpu_op = `IGPU_FPU_OP_FBL;
        `IGPU_OP_CBIT:  fpu_op = `IGPU_FPU_OP_CBIT;
        `IGPU_OP_ADDC:  fpu_op = `IGPU_FPU_OP_ADDC;
        `IGPU_OP_SUBB:  fpu_op = `IGPU_FPU_OP_SUBB;
        `IGPU_OP_CMPN:  fpu_op = `IGPU_FPU_OP_CMPN;
        `IGPU_OP_SMOV:  fpu_op = `IGPU_FPU_OP_MOV;
        `IGPU_OP_MAD, `IGPU_OP_MAC, `IGPU_OP_LINE, `IGPU_OP_PLN, `IGPU_OP_LRP, `IGPU_OP_DP2,
        `IGPU_OP_DP3, `IGPU_OP_DP4, `IGPU_OP_DPH, `IGPU_OP_MADM:
            fpu_op = `IGPU_FPU_OP_MAD;
        `IGPU_OP_SAD2:  fpu_op = `IGPU_FPU_OP_ADD;
        `IGPU_OP_MATH: begin
            fpu_op = {1'b0, fn == `IGPU_FN_IDIV ? `IGPU_FN_IQOT : fn};
            known  = fn != 4'd0 && fn != 4'd8;
        end
        default: begin
            fpu_op = `IGPU_FPU_OP_MOV;
            known  = 1'b0;
        end
        endcase
    end

    // ---- types ---------------------------------------------------------------
    function [3:0] element_type;           // of vectors of immediates
        input [3:0] of_type;
        case (of_type)
        `IGPU_TYPE_V:  element_type = `IGPU_TYPE_W;
        `IGPU_TYPE_UV: element_type = `IGPU_TYPE_UW;
        `IGPU_TYPE_VF: element_type = `IGPU_TYPE_F;
        default:       element_type = of_type;
        endcase
    endfunction

    function is_float;
        input [3:0] of_type;
        is_float = of_type == `IGPU_TYPE_HF || of_type == `IGPU_TYPE_F ||
                   of_type == `IGPU_TYPE_DF;
    endfunction

    // smov's mask is no operand of the FPU.
    wire       has1 = nsrc > 2'd1 && src1[`IGPU_SRC_FILE] != `IGPU_FILE_NONE &&
                      op != `IGPU_OP_SMOV;
    wire       has2 = nsrc == 2'd3;
    wire [3:0] t0   = element_type(src0[`IGPU_SRC_TYPE]);
    wire [3:0] t1   = has1 ? element_type(src1[`IGPU_SRC_TYPE]) : t0;
    wire [3:0] t2   = has2 ? element_type(src2[`IGPU_SRC_TYPE]) : t0;
    wire [3:0] td   = dst[`IGPU_DST_TYPE];
    wire [1:0] zd   = type_size(td);

    // The absolute value of an unsigned number is itself.
    wire [1:0] mod0 = src0[`IGPU_SRC_MOD] & {1'b1, t0 != `IGPU_TYPE_UQ};
    wire [1:0] mod1 = has1 ? src1[`IGPU_SRC_MOD] & {1'b1, t1 != `IGPU_TYPE_UQ} : 2'd0;
    wire [1:0] mod2 = has2 ? src2[`IGPU_SRC_MOD] & {1'b1, t2 != `IGPU_TYPE_UQ} : 2'd0;

    wire       any64 = type_size(t0) == 2'd3 || type_size(t1) == 2'd3 || type_size(t2) == 2'd3 ||
                       zd == 2'd3;
    wire       any32 = type_size(t0) == 2'd2 || type_size(t1) == 2'd2 || type_size(t2) == 2'd2 ||
                       zd == 2'd2 || (t0 == `IGPU_TYPE_HF && td != `IGPU_TYPE_HF);
    wire [1:0] slot  = any64 ? 2'd2 : any32 ? 2'd1 : 2'd0;

    // ---- what is more than one operation of the FPU ---------------------------------
    reg  [2:0] micro;
    wire       link  = op == `IGPU_OP_CALL || op == `IGPU_OP_CALLA;
    wire       macro = op == `IGPU_OP_MADM || (math && fn >= `IGPU_FN_INVM);

    always @* begin
        case (op)
        `IGPU_OP_CALL, `IGPU_OP_CALLA: micro = `IGPU_MICRO_LINK;
        `IGPU_OP_MAC:                  micro = `IGPU_MICRO_MAC;
        `IGPU_OP_LINE:                 micro = `IGPU_MICRO_LINE;
        `IGPU_OP_PLN:                  micro = `IGPU_MICRO_PLN;
        `IGPU_OP_LRP:                  micro = `IGPU_MICRO_LRP;
        `IGPU_OP_DP2, `IGPU_OP_DP3, `IGPU_OP_DP4,
        `IGPU_OP_DPH:                  micro = `IGPU_MICRO_DOT;
        `IGPU_OP_SAD2:                 micro = `IGPU_MICRO_SAD;
        default:                       micro = `IGPU_MICRO_NO;
        endcase
    end

    // ---- a channel at a time ---------------------------------------------------
    // The last slot's distance from the first in bytes; a pass's window has 33 bytes
    // wherever it begins.
    function too_wide;
        input [1:0] slots;                 // IGPU_PLAN_SLOT
        input [2:0] vs, wd;                // codes of strides, log2 of the width
        input [1:0] hs, size;
        reg   [2:0] last;
        reg   [9:0] row, col;
        begin
            last = slots == 2'd0 ? 3'd7 : slots == 2'd1 ? 3'd3 : 3'd1;
            row  = {7'd0, last >> wd};
            col  = {7'd0, last & ~(3'd7 << wd)};
            row  = vs == 3'd0 ? 10'd0 : row << (vs - 3'd1);
            col  = hs == 2'd0 ? 10'd0 : col << (hs - 2'd1);
            too_wide = ((row + col + 10'd1) << size) > 10'd33;
        end
    endfunction

    wire wide0 = src0[`IGPU_SRC_VXH] ||
                 too_wide(slot, src0[`IGPU_SRC_VS], src0[`IGPU_SRC_WD], src0[`IGPU_SRC_HS],
                          type_size(src0[`IGPU_SRC_TYPE]));
    wire wide1 = src1[`IGPU_SRC_VXH] ||
                 too_wide(slot, src1[`IGPU_SRC_VS], src1[`IGPU_SRC_WD], src1[`IGPU_SRC_HS],
                          type_size(src1[`IGPU_SRC_TYPE]));
    wire wide2 = too_wide(slot, src2[`IGPU_SRC_VS], src2[`IGPU_SRC_WD], src2[`IGPU_SRC_HS],
                          type_size(src2[`IGPU_SRC_TYPE]));
    wire wided = too_wide(slot, 3'd0, 3'd5, dst[`IGPU_DST_HS], zd);

    // An immediate has no region: all zero.
    wire single = macro || (inst_i[`IGPU_INST_EXEC] != 3'd0 && !link &&
                  (wide0 || (has1 && wide1) || (has2 && wide2) ||
                   (dst[`IGPU_DST_FILE] != `IGPU_FILE_NONE && wided)));

    // ---- what is refused -------------------------------------------------------
    function odd_register;                 // an ARF that is no operand here
        input       written;
        input [3:0] arf;
        input [2:0] dword;
        case (arf)
        `IGPU_ARF_ADDR, `IGPU_ARF_ACC, `IGPU_ARF_FLAG: odd_register = 1'b0;
        `IGPU_ARF_CTRL:                                odd_register = dword != 3'd0;
        `IGPU_ARF_MASK, `IGPU_ARF_STATE, `IGPU_ARF_IP,
        `IGPU_ARF_TIME:                                odd_register = written;
        `IGPU_ARF_NOTIFY:                              odd_register = !written;
        default:                                       odd_register = 1'b1;
        endcase
    endfunction

    wire odd0 = src0[`IGPU_SRC_FILE] == `IGPU_FILE_ARF &&
                odd_register(1'b0, src0[15:12], src0[20:18]);
    wire odd1 = src1[`IGPU_SRC_FILE] == `IGPU_FILE_ARF &&
                odd_register(1'b0, src1[15:12], src1[20:18]);
    wire odd_dst = dst[`IGPU_DST_FILE] == `IGPU_FILE_ARF &&
                   odd_register(1'b1, dst[13:10], dst[18:16]);
    wire       product = op == `IGPU_OP_MUL || op == `IGPU_OP_MAD || op == `IGPU_OP_SHL ||
                         op == `IGPU_OP_SHR || op == `IGPU_OP_ASR || op == `IGPU_OP_AVG;
    wire       divides = fn >= `IGPU_FN_IDIV;
    wire       odd_math = fn >= `IGPU_FN_INVM ? 1'b0 : divides
        ? !((t0 == `IGPU_TYPE_D || t0 == `IGPU_TYPE_UD) && t1 == t0 && zd == 2'd2 &&
            !is_float(td) && mod0 == 2'd0 && mod1 == 2'd0)
        : !((t0 == `IGPU_TYPE_F || t0 == `IGPU_TYPE_HF) && t1 == t0 && td == t0);
    wire       branch_here = op == `IGPU_OP_IF || op == `IGPU_OP_ELSE || op == `IGPU_OP_ENDIF ||
                             op == `IGPU_OP_WHILE || op == `IGPU_OP_BREAK ||
                             op == `IGPU_OP_CONT || op == `IGPU_OP_HALT ||
                             op == `IGPU_OP_GOTO || op == `IGPU_OP_JOIN || link ||
                             op == `IGPU_OP_RET || op == `IGPU_OP_BRD ||
                             op == `IGPU_OP_BRC ||
                             (op == `IGPU_OP_JMPI && src1[`IGPU_SRC_FILE] == `IGPU_FILE_IMM);
    wire       acc_own = inst_i[`IGPU_INST_ACCWR] &&
                         (op == `IGPU_OP_ADDC || op == `IGPU_OP_SUBB || op == `IGPU_OP_MACH);
    reg        refuse;

    always @* begin
        case (kind)
        `IGPU_KIND_FPU:
            refuse = !known || inst_i[`IGPU_INST_ALIGN16] || odd0 ||
                     (op == `IGPU_OP_SMOV && src1[`IGPU_SRC_FILE] != `IGPU_FILE_IMM) ||
                     (op == `IGPU_OP_MAC && !is_float(t0)) ||
                     (has1 && odd1) || odd_dst ||
                     (product && !is_float(t0) && is_float(td));
        `IGPU_KIND_MATH:
            refuse = !known || odd_math || inst_i[`IGPU_INST_SAT] ||
                     odd0 || (has1 && odd1) || odd_dst ||
                     (fn == `IGPU_FN_IDIV && (dst[`IGPU_DST_FILE] != `IGPU_FILE_GRF));
        `IGPU_KIND_BRANCH: refuse = !branch_here;
        `IGPU_KIND_NONE:   refuse = 1'b1;
        default:           refuse = 1'b0;
        endcase
    end

    always @* begin
        plan_o = {`IGPU_PLAN_W{1'b0}};
        plan_o[`IGPU_PLAN_OP]     = fpu_op;
        plan_o[`IGPU_PLAN_MATH]   = math;
        plan_o[`IGPU_PLAN_DTYPE]  = td;
        plan_o[`IGPU_PLAN_STYPE]  = {t2, t1, t0};
        plan_o[`IGPU_PLAN_MOD]    = {mod2, mod1, mod0};
        plan_o[`IGPU_PLAN_CMOD]   = inst_i[`IGPU_INST_CMOD];
        plan_o[`IGPU_PLAN_SAT]    = inst_i[`IGPU_INST_SAT];
        plan_o[`IGPU_PLAN_SLOT]   = slot;
        plan_o[`IGPU_PLAN_FLAGS]  = (math && macro) ||
                                    inst_i[`IGPU_INST_CMOD] != `IGPU_CMOD_NONE && !math &&
                                    op != `IGPU_OP_SEL && op != `IGPU_OP_CSEL;
        plan_o[`IGPU_PLAN_ACC]    = !inst_i[`IGPU_INST_ACCWR] ? `IGPU_ACC_NO :
                                    op == `IGPU_OP_MACH       ? `IGPU_ACC_LOW :
                                    acc_own                   ? `IGPU_ACC_CARRY :
                                                                `IGPU_ACC_RESULT;
        plan_o[`IGPU_PLAN_SECOND] = math ? fn == `IGPU_FN_IDIV
                                         : acc_own && op == `IGPU_OP_MACH;
        plan_o[`IGPU_PLAN_SINGLE] = single;
        plan_o[`IGPU_PLAN_REFUSE] = refuse;
        plan_o[`IGPU_PLAN_MICRO]  = micro;
        plan_o[`IGPU_PLAN_MACRO]  = macro;
        if (link) begin
            plan_o[`IGPU_PLAN_DTYPE] = `IGPU_TYPE_UD;
            plan_o[`IGPU_PLAN_SLOT]  = 2'd1;
        end
    end

    wire unused = &{1'b0, inst_i, dst, src0, src1, src2};

endmodule

`default_nettype wire

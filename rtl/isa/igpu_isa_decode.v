// igpu_isa_decode - a native instruction as a word of fields (igpu_isa.vh).
//
// Function  Opcode, masks, flags, and for each operand file, type, address and region,
//           whatever format the instruction has: one or two sources, three sources (always
//           in Align16 form, of which the registers and the replicated scalar count), split
//           and plain messages, branches. Nothing is looked up: what compilers make of the
//           fields is igpu_eu_plan's matter.
// Timing    Combinational.
// Contract  n_i is native or came out of igpu_isa_expand; native_i says which.
// Reset     None: no state.
// Tests     tests/cosim/test_isa (against libiga64 through csim/isa)
// Source    docs/develop/sources.md#gen9-isa; Skylake PRM, volume 2d, "EU Instruction Format"

`default_nettype none
`include "igpu_fpu.vh"
`include "igpu_isa.vh"

module igpu_isa_decode (
    input  wire [127:0]           n_i,       // native form
    input  wire                   native_i,  // it was not compacted
    output reg  [`IGPU_INST_W-1:0] inst_o
);

`include "igpu_isa_types.vh"

    wire [6:0] op = n_i[6:0];

    // ---- format ----------------------------------------------------------
    wire three  = op == `IGPU_OP_MAD || op == `IGPU_OP_LRP || op == `IGPU_OP_MADM ||
                  op == `IGPU_OP_CSEL || op == `IGPU_OP_BFE || op == `IGPU_OP_BFI2;
    wire send   = op == `IGPU_OP_SEND || op == `IGPU_OP_SENDC;
    wire sends  = op == `IGPU_OP_SENDS || op == `IGPU_OP_SENDSC;
    wire branch = op >= `IGPU_OP_JMPI && op <= `IGPU_OP_JOIN && op != 7'd38;
    wire plain  = op == `IGPU_OP_ILLEGAL || op == `IGPU_OP_NOP;
    wire math   = op == `IGPU_OP_MATH;
    wire one    = op == `IGPU_OP_MOV || op == `IGPU_OP_NOT || op == `IGPU_OP_BFREV ||
                  (op >= `IGPU_OP_FRC && op <= `IGPU_OP_RNDZ) || op == `IGPU_OP_WAIT ||
                  (op >= `IGPU_OP_LZD && op <= `IGPU_OP_CBIT) ||
                  (math && n_i[27:24] < `IGPU_FN_FDIV) ||
                  (math && n_i[27:24] == `IGPU_FN_INVM + 4'd1);

    reg [2:0] kind;

    always @* begin
        if (plain)
            kind = op == `IGPU_OP_NOP ? `IGPU_KIND_NOTHING : `IGPU_KIND_NONE;
        else if (op == `IGPU_OP_WAIT)
            kind = `IGPU_KIND_NOTHING;
        else if (send || sends)
            kind = `IGPU_KIND_SEND;
        else if (branch)
            kind = `IGPU_KIND_BRANCH;
        else if (math)
            kind = `IGPU_KIND_MATH;
        else if ((op >= `IGPU_OP_MOV && op <= `IGPU_OP_SMOV) || op == `IGPU_OP_ASR ||
                 (op >= `IGPU_OP_CMP && op <= `IGPU_OP_CSEL) ||
                 (op >= `IGPU_OP_BFREV && op <= `IGPU_OP_BFI2) ||
                 (op >= `IGPU_OP_ADD && op <= `IGPU_OP_SADA2) ||
                 (op >= `IGPU_OP_DP4 && op <= `IGPU_OP_DP2) ||
                 (op >= `IGPU_OP_LINE && op <= `IGPU_OP_MADM))
            kind = `IGPU_KIND_FPU;
        else
            kind = `IGPU_KIND_NONE;
    end

    // ---- operands of one and two sources ----------------------------------
    wire       imm0  = n_i[42:41] == `IGPU_FILE_IMM;
    wire       imm1  = n_i[90:89] == `IGPU_FILE_IMM;
    wire [3:0] imm0_type = immediate_type(n_i[46:43]);
    wire [3:0] imm1_type = immediate_type(n_i[94:91]);
    wire       wide0 = imm0_type == `IGPU_TYPE_UQ || imm0_type == `IGPU_TYPE_Q ||
                       imm0_type == `IGPU_TYPE_DF;

    // The 25 bits of register and region of a source, the sign of its indirect offset.
    function [`IGPU_SRC_W-1:0] two_source;
        input [1:0]  file;
        input [3:0]  of_type;
        input [24:0] bits;
        input        sign;
        begin
            two_source = {`IGPU_SRC_W{1'b0}};
            two_source[`IGPU_SRC_TYPE] = of_type;
            two_source[`IGPU_SRC_MOD]  = bits[14:13];
            two_source[`IGPU_SRC_FILE] = file == `IGPU_FILE_GRF ? `IGPU_FILE_GRF : `IGPU_FILE_ARF;
            two_source[`IGPU_SRC_VS]   = bits[24:21] > 4'd6 ? 3'd0 : bits[23:21];
            two_source[`IGPU_SRC_WD]   = bits[20:18] > 3'd4 ? 3'd0 : bits[20:18];
            two_source[`IGPU_SRC_HS]   = bits[17:16];
            if (bits[15]) begin
                two_source[`IGPU_SRC_IND]  = 1'b1;
                two_source[`IGPU_SRC_VXH]  = bits[24:21] == 4'd15;
                two_source[`IGPU_SRC_ASUB] = bits[12:9];
                two_source[`IGPU_SRC_AIMM] = {sign, bits[8:0]};
            end else begin
                two_source[`IGPU_SRC_REG]  = bits[12:5];
                two_source[`IGPU_SRC_BYTE] = bits[4:0];
                if (file == 2'd0 && bits[12:9] == `IGPU_ARF_NULL)
                    two_source[`IGPU_SRC_FILE] = `IGPU_FILE_NONE;
            end
        end
    endfunction

    function [`IGPU_SRC_W-1:0] imm_source;
        input [3:0] of_type;
        begin
            imm_source = {`IGPU_SRC_W{1'b0}};
            imm_source[`IGPU_SRC_FILE] = `IGPU_FILE_IMM;
            imm_source[`IGPU_SRC_TYPE] = of_type;
        end
    endfunction

    // ---- operands of three sources ----------------------------------------
    // One channel is written as the first of an Align16 group: execution size 4, of double
    // floats 2, of which the mask leaves the first. So is a scalar of double floats, by the
    // swizzle xyxy, since what is replicated is a dword. (In place of masks and swizzles
    // madm has numbers of registers.) Sources 1 and 2 have a bit each for half floats; if
    // source 0 is one, they are single floats without it.
    localparam [7:0] XYXY = 8'h44;

    wire [3:0] tern_dst = ternary_type(n_i[48:46]);
    wire [3:0] tern_src = ternary_type(n_i[45:43]);
    wire [3:0] tern_own = tern_src == `IGPU_TYPE_HF ? `IGPU_TYPE_F : tern_src;
    wire       single   = three && op != `IGPU_OP_MADM &&
                          n_i[52:49] == (tern_dst == `IGPU_TYPE_DF ? 4'd3 : 4'd1);
    wire       tern_df  = tern_src == `IGPU_TYPE_DF;
    wire       scalar0  = n_i[64]  || (tern_df && n_i[72:65] == XYXY);
    wire       scalar1  = n_i[85]  || (tern_df && n_i[93:86] == XYXY);
    wire       scalar2  = n_i[106] || (tern_df && n_i[114:107] == XYXY);

    // Packed, or one element for all channels. {word, dword of the subregister}.
    function [`IGPU_SRC_W-1:0] three_source;
        input [3:0] of_type;
        input [1:0] modifier;
        input       scalar;
        input [3:0] word;
        input [7:0] register;
        begin
            three_source = {`IGPU_SRC_W{1'b0}};
            three_source[`IGPU_SRC_FILE] = `IGPU_FILE_GRF;
            three_source[`IGPU_SRC_TYPE] = of_type;
            three_source[`IGPU_SRC_MOD]  = modifier;
            three_source[`IGPU_SRC_REG]  = register;
            three_source[`IGPU_SRC_BYTE] = {word, 1'b0};
            three_source[`IGPU_SRC_VS]   = {2'd0, !scalar};
        end
    endfunction

    // ---- macros -------------------------------------------------------------
    // math.invm and math.rsqtm are Align16: registers from their first element on, and in
    // the places of its swizzles and mask numbers of mme registers.
    wire macro = math && n_i[27:24] >= `IGPU_FN_INVM;

    function [`IGPU_SRC_W-1:0] packed_register;
        input [`IGPU_SRC_W-1:0] source;
        begin
            packed_register = source;
            packed_register[`IGPU_SRC_BYTE] = 5'd0;
            packed_register[`IGPU_SRC_VS]   = 3'd1;
            packed_register[`IGPU_SRC_WD]   = 3'd0;
            packed_register[`IGPU_SRC_HS]   = 2'd0;
        end
    endfunction

    // ---- the word ----------------------------------------------------------
    reg [`IGPU_DST_W-1:0] dst;
    reg [`IGPU_SRC_W-1:0] src0, src1, src2;
    reg [63:0]            imm;
    reg [1:0]             nsrc;
    reg [15:0]            mme;

    always @* begin
        dst  = {`IGPU_DST_W{1'b0}};
        src0 = {`IGPU_SRC_W{1'b0}};
        src1 = {`IGPU_SRC_W{1'b0}};
        src2 = {`IGPU_SRC_W{1'b0}};
        imm  = 64'd0;
        nsrc = 2'd0;
        mme  = macro ? {4'd8, n_i[99:96], n_i[67:64], n_i[51:48]}
                     : {n_i[110:107], n_i[89:86], n_i[68:65], n_i[52:49]};
        if (three) begin
            nsrc = 2'd3;
            dst[`IGPU_DST_FILE] = `IGPU_FILE_GRF;
            dst[`IGPU_DST_TYPE] = tern_dst;
            dst[`IGPU_DST_REG]  = n_i[63:56];
            dst[`IGPU_DST_BYTE] = {n_i[55:53], 2'd0};
            dst[`IGPU_DST_HS]   = 2'd1;
            src0 = three_source(tern_src, n_i[38:37], scalar0, {n_i[75:73], n_i[84]}, n_i[83:76]);
            src1 = three_source(n_i[36] ? `IGPU_TYPE_HF : tern_own, n_i[40:39], scalar1,
                                {n_i[96:94], n_i[105]}, n_i[104:97]);
            src2 = three_source(n_i[35] ? `IGPU_TYPE_HF : tern_own, n_i[42:41], scalar2,
                                {n_i[117:115], n_i[126]}, n_i[125:118]);
        end else if (send || sends) begin
            nsrc = sends ? 2'd2 : 2'd1;
            dst[`IGPU_DST_FILE] = {1'b0, sends ? n_i[35] : n_i[36:35] == `IGPU_FILE_GRF};
            dst[`IGPU_DST_REG]  = n_i[60:53];
            src0[`IGPU_SRC_FILE] = `IGPU_FILE_GRF;
            src0[`IGPU_SRC_REG]  = n_i[76:69];
            src1[`IGPU_SRC_FILE] = {1'b0, sends && n_i[36]};
            src1[`IGPU_SRC_REG]  = sends ? n_i[51:44] : 8'd0;
            imm[`IGPU_MSG_DESC]    = {1'b0, n_i[126:96]};
            imm[`IGPU_MSG_EXLEN]   = sends ? n_i[67:64] : 4'd0;
            imm[`IGPU_MSG_DESC_A0] = sends ? n_i[77] : n_i[90:89] != `IGPU_FILE_IMM;
            imm[`IGPU_MSG_EX_A0]   = sends && n_i[61];
        end else if (branch) begin
            imm = {n_i[95:64], n_i[127:96]};
            src0 = two_source(n_i[42:41], register_type(n_i[46:43]), n_i[88:64], n_i[95]);
            src1[`IGPU_SRC_FILE] = n_i[90:89];
            if (op == `IGPU_OP_CALL || op == `IGPU_OP_CALLA) begin
                dst[`IGPU_DST_FILE] = `IGPU_FILE_GRF;
                dst[`IGPU_DST_REG]  = n_i[60:53];
                dst[`IGPU_DST_BYTE] = n_i[52:48];
            end
        end else if (!plain) begin
            nsrc = one ? 2'd1 : 2'd2;
            dst[`IGPU_DST_TYPE] = register_type(n_i[40:37]);
            dst[`IGPU_DST_HS]   = n_i[62:61];
            dst[`IGPU_DST_FILE] = n_i[36:35] == `IGPU_FILE_GRF ? `IGPU_FILE_GRF : `IGPU_FILE_ARF;
            if (n_i[63]) begin
                dst[`IGPU_DST_IND]  = 1'b1;
                dst[`IGPU_DST_ASUB] = n_i[60:57];
                dst[`IGPU_DST_AIMM] = {n_i[47], n_i[56:48]};
            end else begin
                dst[`IGPU_DST_REG]  = n_i[60:53];
                dst[`IGPU_DST_BYTE] = n_i[52:48];
                if (n_i[36:35] == 2'd0 && n_i[60:57] == `IGPU_ARF_NULL)
                    dst[`IGPU_DST_FILE] = `IGPU_FILE_NONE;
            end
            if (imm0) begin
                src0 = imm_source(imm0_type);
                imm  = trimmed(imm0_type, wide0 ? n_i[127:64] : {32'd0, n_i[127:96]});
            end else
                src0 = two_source(n_i[42:41], register_type(n_i[46:43]), n_i[88:64], n_i[95]);
            if (!one && imm1) begin
                src1 = imm_source(imm1_type);
                imm  = trimmed(imm1_type, {32'd0, n_i[127:96]});
            end else if (!one)
                src1 = two_source(n_i[90:89], register_type(n_i[94:91]), n_i[120:96], n_i[121]);
            if (macro) begin
                dst[`IGPU_DST_BYTE] = 5'd0;
                dst[`IGPU_DST_HS]   = 2'd1;
                src0 = packed_register(src0);
                src1 = packed_register(src1);
            end
        end
    end

    wire condition = !plain && !math && !send && !sends && !branch;

    always @* begin
        inst_o = {`IGPU_INST_W{1'b0}};
        inst_o[`IGPU_INST_OP]     = op;
        inst_o[`IGPU_INST_KIND]   = kind;
        inst_o[`IGPU_INST_NATIVE] = native_i;
        if (!plain) begin
            inst_o[`IGPU_INST_EXEC]    = single ? 3'd0 : n_i[23:21];
            inst_o[`IGPU_INST_CHAN]    = {n_i[13:11], 2'd0};
            inst_o[`IGPU_INST_PRED]    = n_i[19:16];
            inst_o[`IGPU_INST_INVERSE] = n_i[20];
            inst_o[`IGPU_INST_FLAG]    = n_i[33:32];
            inst_o[`IGPU_INST_NOMASK]  = n_i[34];
            inst_o[`IGPU_INST_SAT]     = n_i[31] && !branch && !send && !sends;
            inst_o[`IGPU_INST_ACCWR]   = n_i[28];
            inst_o[`IGPU_INST_FN]      = n_i[27:24];
            inst_o[`IGPU_INST_EOT]     = (send || sends) && n_i[127];
            // The hardware's 7 is reserved: overflow and unordered are 8 and 9.
            if (condition)
                inst_o[`IGPU_INST_CMOD] = n_i[27] ? n_i[27:24] - 4'd1 : n_i[27:24];
        end
        inst_o[`IGPU_INST_NSRC]    = nsrc;
        inst_o[`IGPU_INST_DST]     = dst;
        inst_o[`IGPU_INST_SRC0]    = src0;
        inst_o[`IGPU_INST_SRC1]    = src1;
        inst_o[`IGPU_INST_SRC2]    = src2;
        inst_o[`IGPU_INST_IMM]     = imm;
        inst_o[`IGPU_INST_MME]     = mme;
        inst_o[`IGPU_INST_ALIGN16] = n_i[8] && condition && !three;
    end

    wire unused = &{1'b0, n_i[30:29], n_i[15:14], n_i[10:9], n_i[7]};

endmodule

`default_nettype wire

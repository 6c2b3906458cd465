// igpu_isa_uop - what the timing of an instruction depends on, of its word: unit, class, and
// which registers it needs and sets.
//
// Function  need_o, set_o: bits of general registers that are read or written, and written, the
//           scoreboard's; need_x_o, set_x_o: of flags, accumulator, a0, notification, control.
//           unit_o, class_o: as in rtl/include/igpu_eu.vh. Of a message whose descriptor is in
//           a0 every register counts.
// Timing    Combinational.
// Contract  inst_i is igpu_isa_decode's.
// Reset     None: no state.
// Model     csim/isa/isa_regs.c, traces/feed/uops.c  Tests: tests/cosim/test_isa
// Source    docs/contract/model.md, sections 4.1 and 5.1

`default_nettype none
`include "igpu_fpu.vh"
`include "igpu_isa.vh"

module igpu_isa_uop (
    input  wire [`IGPU_INST_W-1:0] inst_i,
    output reg  [127:0]            need_o,
    output reg  [127:0]            set_o,
    output reg  [7:0]              need_x_o,
    output reg  [7:0]              set_x_o,
    output reg  [1:0]              unit_o,
    output reg  [3:0]              class_o
);

`include "igpu_values_type.vh"

    localparam [1:0] FPU_ANY = 2'd0, FPU1 = 2'd1, SEND = 2'd2, BRANCH = 2'd3;
    localparam [3:0] ALU32 = 4'd0, ALU64 = 4'd1, DF = 4'd2, MATH = 4'd3, MATH2 = 4'd4,
                     IDIV = 4'd5, DOT = 4'd6, LRP = 4'd7, CTRL = 4'd8, NONE = 4'd9, MSG = 4'd10;
    localparam [7:0] ACC = 8'h10, ADDR = 8'h20, N0 = 8'h40;
    localparam       X = 128;              // bits of a set: registers, then the others

    wire [6:0]  op    = inst_i[`IGPU_INST_OP];
    wire [2:0]  kind  = inst_i[`IGPU_INST_KIND];
    wire [3:0]  fn    = inst_i[`IGPU_INST_FN];
    wire [1:0]  nsrc  = inst_i[`IGPU_INST_NSRC];
    wire [5:0]  exec  = 6'd1 << inst_i[`IGPU_INST_EXEC];
    wire [3:0]  pred  = inst_i[`IGPU_INST_PRED];
    wire [63:0] imm   = inst_i[`IGPU_INST_IMM];
    wire [15:0] mme   = inst_i[`IGPU_INST_MME];
    wire        math  = kind == `IGPU_KIND_MATH;
    wire        alu   = kind == `IGPU_KIND_FPU || math;
    wire        send  = kind == `IGPU_KIND_SEND;
    wire        macro = op == `IGPU_OP_MADM || (math && fn >= `IGPU_FN_INVM);
    wire [`IGPU_DST_W-1:0] dst = inst_i[`IGPU_INST_DST];
    wire [`IGPU_SRC_W-1:0] s0  = inst_i[`IGPU_INST_SRC0];
    wire [`IGPU_SRC_W-1:0] s1  = inst_i[`IGPU_INST_SRC1];
    wire [`IGPU_SRC_W-1:0] s2  = inst_i[`IGPU_INST_SRC2];

    // ---- sets ------------------------------------------------------------------------
    // `count` registers from `first` on.
    function [127:0] registers;
        input [7:0] first;
        input [5:0] count;
        registers = ~({128{1'b1}} << count) << first;
    endfunction

    function [5:0] stride;
        input [2:0] code;
        stride = code == 3'd0 ? 6'd0 : 6'd1 << (code - 3'd1);
    endfunction

    function [2:0] near;                   // a horizontal stride
        input [1:0] code;
        near = code == 2'd0 ? 3'd0 : 3'd1 << (code - 2'd1);
    endfunction

    // Its first byte; a flag register has four.
    function [11:0] first_byte;
        input [1:0] file;
        input [7:0] number;
        input [4:0] byte_in;
        first_byte = file == `IGPU_FILE_GRF           ? {number[6:0], byte_in} :
                     number[7:4] == `IGPU_ARF_FLAG ? {6'd0, number[3:0], 2'd0} + {7'd0, byte_in}
                                                   : {3'd0, number[3:0], byte_in};
    endfunction

    // What is read for a source: its elements, or by address any register.
    function [X+7:0] source;
        input                   indirect;
        input [X+7:0]           direct;
        input                   wider;     // it has an mme register
        begin
            source = indirect ? {ADDR, {X{1'b1}}} : direct;
            if (wider)
                source[X +: 8] = source[X +: 8] | ACC;
        end
    endfunction

    wire [X+7:0] of_s0, of_s1, of_s2, of_dst;

    igpu_isa_elements u_s0 (
        .file_i(s0[`IGPU_SRC_FILE]), .arf_i(s0[15:12]),
        .at_i(first_byte(s0[`IGPU_SRC_FILE], s0[`IGPU_SRC_REG], s0[`IGPU_SRC_BYTE])), .count_i(exec),
        .size_i(type_size(s0[`IGPU_SRC_TYPE])), .vs_i(stride(s0[`IGPU_SRC_VS])),
        .wd_i(s0[`IGPU_SRC_WD]), .hs_i(near(s0[`IGPU_SRC_HS])), .set_o(of_s0));

    igpu_isa_elements u_s1 (
        .file_i(s1[`IGPU_SRC_FILE]), .arf_i(s1[15:12]),
        .at_i(first_byte(s1[`IGPU_SRC_FILE], s1[`IGPU_SRC_REG], s1[`IGPU_SRC_BYTE])), .count_i(exec),
        .size_i(type_size(s1[`IGPU_SRC_TYPE])), .vs_i(stride(s1[`IGPU_SRC_VS])),
        .wd_i(s1[`IGPU_SRC_WD]), .hs_i(near(s1[`IGPU_SRC_HS])), .set_o(of_s1));

    igpu_isa_elements u_s2 (
        .file_i(s2[`IGPU_SRC_FILE]), .arf_i(s2[15:12]),
        .at_i(first_byte(s2[`IGPU_SRC_FILE], s2[`IGPU_SRC_REG], s2[`IGPU_SRC_BYTE])), .count_i(exec),
        .size_i(type_size(s2[`IGPU_SRC_TYPE])), .vs_i(stride(s2[`IGPU_SRC_VS])),
        .wd_i(s2[`IGPU_SRC_WD]), .hs_i(near(s2[`IGPU_SRC_HS])), .set_o(of_s2));

    igpu_isa_elements u_dst (
        .file_i(dst[`IGPU_DST_FILE]), .arf_i(dst[13:10]),
        .at_i(first_byte(dst[`IGPU_DST_FILE], dst[`IGPU_DST_REG], dst[`IGPU_DST_BYTE])),
        .count_i(exec), .size_i(type_size(dst[`IGPU_DST_TYPE])), .vs_i(6'd0), .wd_i(3'd5),
        .hs_i(near(dst[`IGPU_DST_HS])), .set_o(of_dst));

    // ---- flags --------------------------------------------------------------------------
    wire       freg  = inst_i[25];
    wire [5:0] low   = {1'b0, inst_i[24], 4'd0} + {1'b0, inst_i[`IGPU_INST_CHAN]};
    wire [6:0] high  = {1'b0, low} + {1'b0, exec} - 7'd1;
    wire [1:0] words = high[6:4] == {1'b0, low[5:4]} ? {low[4], !low[4]} : 2'b11;
    wire [3:0] flags = freg ? {words, 2'd0} : {2'd0, words};
    wire [3:0] tests = pred == 4'd0                  ? 4'd0 :
                       pred == 4'd2 || pred == 4'd3  ? {words, words} :
                       pred >= 4'd12                 ? (freg ? 4'b1100 : 4'b0011) : flags;
    wire       writes_flags = (math && macro) ||
                              (inst_i[`IGPU_INST_CMOD] != `IGPU_CMOD_NONE &&
                               op != `IGPU_OP_SEL && op != `IGPU_OP_CSEL);

    // ---- of computing instructions -----------------------------------------------------------
    wire          calls = op == `IGPU_OP_CALL || op == `IGPU_OP_CALLA;
    wire          reads_acc = op == `IGPU_OP_MAC || op == `IGPU_OP_MACH || op == `IGPU_OP_SADA2;
    reg  [X+7:0]  reads, writes;

    always @* begin
        reads  = {{4'd0, tests}, {X{1'b0}}};
        writes = {{4'd0, writes_flags ? flags : 4'd0}, {X{1'b0}}};
        if (alu) begin
            reads = reads | source(s0[`IGPU_SRC_IND], of_s0, macro && !mme[7]);
            if (nsrc > 2'd1)
                reads = reads | source(s1[`IGPU_SRC_IND], of_s1, macro && !mme[11]);
            if (nsrc > 2'd2)
                reads = reads | source(s2[`IGPU_SRC_IND], of_s2, macro && !mme[15]);
            if (op == `IGPU_OP_PLN && !s1[`IGPU_SRC_IND])
                reads[X-1:0] = reads[X-1:0] | registers(s1[`IGPU_SRC_REG], exec >> 2);
            if (dst[`IGPU_DST_IND]) begin
                reads[X +: 8]  = reads[X +: 8] | ADDR;
                writes[X-1:0] = {X{1'b1}};
            end else
                writes = writes | of_dst;
            if (math && fn == `IGPU_FN_IDIV && !dst[`IGPU_DST_IND])
                writes[X-1:0] = writes[X-1:0] |
                                registers(dst[`IGPU_DST_REG], ((exec + 6'd7) >> 3) << 1);
            if (reads_acc)
                reads[X +: 8] = reads[X +: 8] | ACC;
            if (inst_i[`IGPU_INST_ACCWR] || (macro && !mme[3]))
                writes[X +: 8] = writes[X +: 8] | ACC;
        end
        if (op == `IGPU_OP_WAIT)
            reads[X +: 8] = reads[X +: 8] | N0;
        // Branches: what a register says, and the link of a call.
        if (op == `IGPU_OP_RET || ((op == `IGPU_OP_BRD || op == `IGPU_OP_BRC) &&
                                   s0[`IGPU_SRC_FILE] == `IGPU_FILE_GRF))
            reads[X-1:0] = reads[X-1:0] | registers({1'b0, s0[14:8]}, 6'd1);
        if ((calls || op == `IGPU_OP_JMPI) && s1[`IGPU_SRC_FILE] == `IGPU_FILE_GRF)
            reads[X-1:0] = reads[X-1:0] | registers({1'b0, imm[11:5]}, 6'd1);
        if (calls)
            writes[X-1:0] = writes[X-1:0] | registers({1'b0, dst[12:6]}, 6'd1);
        // Messages.
        if (send && (imm[36] || imm[37]))
            reads = {reads[X +: 8] | ADDR, {X{1'b1}}};
        else if (send) begin
            reads[X-1:0] = registers(s0[`IGPU_SRC_REG], {2'd0, imm[28:25]});
            if (s1[`IGPU_SRC_FILE] == `IGPU_FILE_GRF && nsrc == 2'd2)
                reads[X-1:0] = reads[X-1:0] |
                               registers(s1[`IGPU_SRC_REG], {2'd0, imm[35:32]});
            if (dst[`IGPU_DST_FILE] == `IGPU_FILE_GRF)
                writes[X-1:0] = registers(dst[`IGPU_DST_REG], {1'b0, imm[24:20]});
        end
    end

    // ---- the scoreboard's --------------------------------------------------------------------
    wire barrier = send && fn == 4'd3 && imm[2:0] == 3'd4;
    wire ends    = send && inst_i[`IGPU_INST_EOT];

    always @* begin
        need_o   = reads[X-1:0] | writes[X-1:0];
        need_x_o = reads[X +: 8] | writes[X +: 8];
        set_o    = alu || send ? writes[X-1:0] : {X{1'b0}};
        set_x_o  = alu ? writes[X +: 8] : 8'd0;
        if (barrier) begin
            need_x_o = need_x_o | N0;
            set_x_o  = N0;
        end
        if (ends) begin
            need_o   = {X{1'b1}};
            need_x_o = 8'hff;
            set_o    = {X{1'b0}};
            set_x_o  = 8'd0;
        end
    end

    // ---- class -------------------------------------------------------------------------------
    // The type of execution: a float before an integer, then the widest; bytes as words.
    // {there is one, float, log2 of its size, double float, 64-bit integer}
    function [5:0] described;
        input [3:0] of_type;
        reg   [3:0] plain;
        begin
            plain = of_type == `IGPU_TYPE_VF ? `IGPU_TYPE_F : of_type;
            described = {plain != 4'd0,
                         plain == `IGPU_TYPE_HF || plain == `IGPU_TYPE_F || plain == `IGPU_TYPE_DF,
                         type_size(plain), plain == `IGPU_TYPE_DF,
                         plain == `IGPU_TYPE_UQ || plain == `IGPU_TYPE_Q};
        end
    endfunction

    function [5:0] wider;
        input [5:0] a;
        input [3:0] of_type;
        reg   [5:0] b;
        begin
            b = described(of_type);
            if (b[3:2] == 2'd0)
                b[2] = b[5];
            wider = b[5:2] > a[5:2] ? b : a;
        end
    endfunction

    function is_int32;
        input [3:0] of_type;
        is_int32 = of_type == `IGPU_TYPE_D || of_type == `IGPU_TYPE_UD;
    endfunction

    wire [5:0] of0  = wider(6'd0, s0[`IGPU_SRC_TYPE]);
    wire [5:0] of1  = nsrc > 2'd1 ? wider(of0, s1[`IGPU_SRC_TYPE]) : of0;
    wire [5:0] of2  = nsrc > 2'd2 ? wider(of1, s2[`IGPU_SRC_TYPE]) : of1;
    wire [5:0] ofd  = described(dst[`IGPU_DST_TYPE]);
    wire       by_dst = (op == `IGPU_OP_MOV || !of2[5] || ofd[3:2] == 2'd3) && ofd[5] &&
                        (!of2[5] || ofd[3:2] > of2[3:2]);
    wire [1:0] lane = by_dst ? ofd[1:0] : of2[1:0];
    wire       mul32 = op == `IGPU_OP_MAD ? is_int32(s1[`IGPU_SRC_TYPE]) &&
                                                is_int32(s2[`IGPU_SRC_TYPE])
                       : (op == `IGPU_OP_MUL || op == `IGPU_OP_MACH || op == `IGPU_OP_MAC) &&
                         is_int32(s0[`IGPU_SRC_TYPE]) && is_int32(s1[`IGPU_SRC_TYPE]);

    always @* begin
        if (send)
            class_o = MSG;
        else if (!alu)
            class_o = kind == `IGPU_KIND_BRANCH ? CTRL : NONE;
        else if (math)
            class_o = fn == `IGPU_FN_FDIV || fn == `IGPU_FN_POW        ? MATH2 :
                      fn >= `IGPU_FN_IDIV && fn <= `IGPU_FN_IREM ? IDIV : MATH;
        else
            case (op)
            `IGPU_OP_DP2, `IGPU_OP_DP3, `IGPU_OP_DP4, `IGPU_OP_DPH: class_o = DOT;
            `IGPU_OP_LRP, `IGPU_OP_LINE, `IGPU_OP_PLN:               class_o = LRP;
            default: class_o = lane[1] ? DF : lane[0] || mul32 ? ALU64 : ALU32;
            endcase
        unit_o = send ? SEND : !alu ? BRANCH :
                 class_o == DF || class_o == MATH || class_o == MATH2 || class_o == IDIV ? FPU1
                                                                                         : FPU_ANY;
    end

    wire unused = &{1'b0, inst_i, dst, s0, s1, s2, imm, mme, low, high, of2, ofd};

endmodule

`default_nettype wire

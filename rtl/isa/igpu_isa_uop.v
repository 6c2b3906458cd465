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
    localparam [7:0] ACC = 8'h10, ADDR = 8'h20, N0 = 8'h40, CTL = 8'h80;
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

    // Of an operand's elements: {x, registers}. at: its first byte, in the file.
    function [X+7:0] elements;
        input [1:0]  file;
        input [3:0]  arf;
        input [11:0] at;
        input [5:0]  count;
        input [1:0]  size;
        input [5:0]  vs;                   // strides in elements
        input [2:0]  wd;
        input [2:0]  hs;
        reg   [15:0] row, col, first, last;
        integer      i;
        begin
            elements = {(X+8){1'b0}};
            for (i = 0; i < 32; i = i + 1)
                if (i[5:0] < count) begin
                    row   = {11'd0, i[4:0] >> wd} * {10'd0, vs};
                    col   = {11'd0, i[4:0] & ~(5'h1f << wd)} * {13'd0, hs};
                    first = {4'd0, at} + ((row + col) << size);
                    last  = first + (16'd1 << size) - 16'd1;
                    if (file == `IGPU_FILE_GRF) begin
                        if (first < 16'd4096)
                            elements[{1'b0, first[11:5]}] = 1'b1;
                        if (last < 16'd4096)
                            elements[{1'b0, last[11:5]}] = 1'b1;
                    end else if (file == `IGPU_FILE_ARF)
                        case (arf)
                        `IGPU_ARF_FLAG: begin
                            if (first < 16'd8)
                                elements[{6'b100000, first[2:1]}] = 1'b1;
                            if (last < 16'd8)
                                elements[{6'b100000, last[2:1]}] = 1'b1;
                        end
                        `IGPU_ARF_ACC:
                            elements[X +: 8] = elements[X +: 8] | (first < 16'd64 ? ACC : 8'd0);
                        `IGPU_ARF_ADDR:   elements[X +: 8] = elements[X +: 8] | ADDR;
                        `IGPU_ARF_NOTIFY: elements[X +: 8] = elements[X +: 8] | N0;
                        default:          elements[X +: 8] = elements[X +: 8] | CTL;
                        endcase
                end
        end
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

    function [X+7:0] source;
        input [29:8]            at;        // its word but for modifiers and addresses:
        input [5:0]             what;      // register and region, file and type
        input [5:0]             count;
        input                   wider;     // it has an mme register
        begin
            if (at[`IGPU_SRC_IND])
                source = {ADDR, {X{1'b1}}};
            else
                source = elements(what[`IGPU_SRC_FILE], at[15:12],
                                  first_byte(what[`IGPU_SRC_FILE], at[`IGPU_SRC_REG],
                                             at[`IGPU_SRC_BYTE]),
                                  count, type_size(what[`IGPU_SRC_TYPE]), stride(at[`IGPU_SRC_VS]),
                                  at[`IGPU_SRC_WD], near(at[`IGPU_SRC_HS]));
            if (wider)
                source[X +: 8] = source[X +: 8] | ACC;
        end
    endfunction

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
            reads = reads | source(s0[29:8], s0[5:0], exec, macro && !mme[7]);
            if (nsrc > 2'd1)
                reads = reads | source(s1[29:8], s1[5:0], exec, macro && !mme[11]);
            if (nsrc > 2'd2)
                reads = reads | source(s2[29:8], s2[5:0], exec, macro && !mme[15]);
            if (op == `IGPU_OP_PLN && !s1[`IGPU_SRC_IND])
                reads[X-1:0] = reads[X-1:0] | registers(s1[`IGPU_SRC_REG], exec >> 2);
            if (dst[`IGPU_DST_IND]) begin
                reads[X +: 8]  = reads[X +: 8] | ADDR;
                writes[X-1:0] = {X{1'b1}};
            end else
                writes = writes | elements(dst[`IGPU_DST_FILE], dst[13:10],
                                           first_byte(dst[`IGPU_DST_FILE], dst[`IGPU_DST_REG],
                                                      dst[`IGPU_DST_BYTE]),
                                           exec, type_size(dst[`IGPU_DST_TYPE]), 6'd0, 3'd5,
                                           near(dst[`IGPU_DST_HS]));
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
            reads[{1'b0, s0[14:8]}] = 1'b1;
        if ((calls || op == `IGPU_OP_JMPI) && s1[`IGPU_SRC_FILE] == `IGPU_FILE_GRF)
            reads[{1'b0, imm[11:5]}] = 1'b1;
        if (calls)
            writes[{1'b0, dst[12:6]}] = 1'b1;
        // Messages.
        if (send && imm[36])
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

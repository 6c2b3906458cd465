// igpu_eu_micro - an instruction as the operations that the FPU has, one in each round.
//
// Function  line, mac, smov and the link of a call are one operation with other operands; pln
//           and lrp, dot products and sums of absolute differences are two to four, whose
//           results but the last go into registers behind the accumulator, TEMP and TEMP2,
//           and are the next one's operands. A source may be another channel's: comp_o has
//           for each {bits of the channel's number that are replaced, by what}.
// Timing    Combinational.
// Contract  plan_i is igpu_eu_plan's for inst_i. Of others, and of mach and math.idiv, it gives
//           what it is given. A round begins when the one before has written its results.
// Reset     None: no state.
// Model     csim/emu/emu_vector.c  Tests: tests/cosim/test_values_forms
// Source    docs/develop/eu.md#micro-operations

`default_nettype none
`include "igpu_fpu.vh"
`include "igpu_isa.vh"
`include "igpu_values.vh"

module igpu_eu_micro (
    input  wire [`IGPU_INST_W-1:0] inst_i,
    input  wire [`IGPU_PLAN_W-1:0] plan_i,
    input  wire [1:0]              round_i,
    output wire                    more_o,   // a round comes behind this one
    output reg  [`IGPU_INST_W-1:0] inst_o,
    output reg  [`IGPU_PLAN_W-1:0] plan_o,
    output reg  [11:0]             comp_o    // of sources 2, 1, 0
);

    localparam [7:0] TEMP = 8'h24, TEMP2 = 8'h26;
    localparam [3:0] ALL4 = 4'b1100, PAIR = 4'b0100;
    localparam [31:0] ONE = 32'h3f800000;

    wire [6:0]             op    = inst_i[`IGPU_INST_OP];
    wire [2:0]             micro = plan_i[`IGPU_PLAN_MICRO];
    wire [`IGPU_DST_W-1:0] dst   = inst_i[`IGPU_INST_DST];
    wire [`IGPU_SRC_W-1:0] s0    = inst_i[`IGPU_INST_SRC0];
    wire [`IGPU_SRC_W-1:0] s1    = inst_i[`IGPU_INST_SRC1];
    wire [`IGPU_SRC_W-1:0] s2    = inst_i[`IGPU_INST_SRC2];

    // ---- operands ---------------------------------------------------------------
    function [`IGPU_SRC_W-1:0] register;     // packed, of an architecture register
        input [7:0] number;
        input [3:0] of_type;
        begin
            register = {`IGPU_SRC_W{1'b0}};
            register[`IGPU_SRC_FILE] = `IGPU_FILE_ARF;
            register[`IGPU_SRC_TYPE] = of_type;
            register[`IGPU_SRC_REG]  = number;
            register[`IGPU_SRC_VS]   = 3'd1;
        end
    endfunction

    function [`IGPU_SRC_W-1:0] negated;
        input [`IGPU_SRC_W-1:0] source;
        negated = source ^ {{(`IGPU_SRC_W-8){1'b0}}, 8'h80};
    endfunction

    function [`IGPU_SRC_W-1:0] plane;        // element of the equation that source 0 begins
        input [`IGPU_SRC_W-1:0] source;
        input [1:0]             element;
        begin
            plane = source;
            plane[`IGPU_SRC_BYTE] = {source[20], element, 2'd0};
        end
    endfunction

    function [`IGPU_SRC_W-1:0] coordinates;  // eight u, eight v, and again
        input [`IGPU_SRC_W-1:0] source;
        input                   second;
        begin
            coordinates = source;
            coordinates[`IGPU_SRC_REG] = source[`IGPU_SRC_REG] + {7'd0, second};
            coordinates[`IGPU_SRC_VS]  = 3'd5;
            coordinates[`IGPU_SRC_WD]  = 3'd3;
            coordinates[`IGPU_SRC_HS]  = 2'd1;
        end
    endfunction

    function [3:0] element;                  // type of a source; absent ones as the first
        input [5:0] source;                  // {type, file}
        input [3:0] instead;
        element = source[`IGPU_SRC_FILE] == `IGPU_FILE_NONE ? instead :
                  source[`IGPU_SRC_TYPE] == `IGPU_TYPE_VF   ? `IGPU_TYPE_F
                                                            : source[`IGPU_SRC_TYPE];
    endfunction

    wire [3:0] sum_type = micro == `IGPU_MICRO_SAD ? `IGPU_TYPE_W : `IGPU_TYPE_F;

    // ---- rounds -------------------------------------------------------------------
    reg [1:0] last;

    always @* begin
        case (micro)
        `IGPU_MICRO_PLN: last = 2'd1;
        `IGPU_MICRO_LRP,
        `IGPU_MICRO_SAD: last = 2'd2;
        `IGPU_MICRO_DOT: last = op == `IGPU_OP_DP2 ? 2'd1 : op == `IGPU_OP_DP3 ? 2'd2 : 2'd3;
        default:         last = 2'd0;
        endcase
    end

    assign more_o = round_i < last;

    // ---- this one -------------------------------------------------------------------
    reg [`IGPU_SRC_W-1:0] a, b, c;
    reg [4:0]             does;
    reg [7:0]             to;

    always @* begin
        {a, b, c}  = {s0, s1, s2};
        does   = plan_i[`IGPU_PLAN_OP];
        to     = TEMP;
        comp_o = 12'd0;
        case (micro)
        `IGPU_MICRO_LINK: begin
            a = register({`IGPU_ARF_IP, 4'd0}, `IGPU_TYPE_UD);
            {b, c} = {2*`IGPU_SRC_W{1'b0}};
        end
        `IGPU_MICRO_MAC:
            {a, b, c} = {register({`IGPU_ARF_ACC, 4'd0}, dst[`IGPU_DST_TYPE]), s0, s1};
        `IGPU_MICRO_LINE: {a, b, c} = {plane(s0, 2'd3), plane(s0, 2'd0), s1};
        `IGPU_MICRO_PLN: begin
            {a, b, c} = {plane(s0, 2'd3), plane(s0, 2'd0), coordinates(s1, 1'b0)};
            if (round_i != 2'd0)
                {a, b, c} = {register(TEMP, sum_type), plane(s0, 2'd1), coordinates(s1, 1'b1)};
        end
        `IGPU_MICRO_LRP:                      // (1 - s0) * s2 + s0 * s1
            case (round_i)
            2'd0: begin
                a = {{(`IGPU_SRC_W-6){1'b0}}, `IGPU_TYPE_F, `IGPU_FILE_IMM};
                b = negated(s0);
                does = `IGPU_FPU_OP_ADD;
            end
            2'd1: begin
                {a, b} = {register(TEMP, sum_type), s2};
                does   = `IGPU_FPU_OP_MUL;
            end
            default: {a, b, c} = {register(TEMP, sum_type), s0, s1};
            endcase
        `IGPU_MICRO_DOT: begin
            comp_o = {2'b00, 2'd0, ALL4 | {2'd0, round_i}, ALL4 | {2'd0, round_i}};
            does   = `IGPU_FPU_OP_MUL;
            if (round_i != 2'd0) begin
                {a, b, c} = {register(TEMP, sum_type), s0, s1};
                comp_o = {ALL4 | {2'd0, round_i}, ALL4 | {2'd0, round_i}, 4'd0};
                does   = `IGPU_FPU_OP_MAD;
            end
            if (round_i == 2'd3 && op == `IGPU_OP_DPH) begin
                b    = s1;                    // times 1
                does = `IGPU_FPU_OP_ADD;
            end
        end
        `IGPU_MICRO_SAD: begin
            does   = `IGPU_FPU_OP_ADD;
            b      = negated(s1);
            comp_o = {4'd0, PAIR | {2'd0, round_i}, PAIR | {2'd0, round_i}};
            to     = round_i[0] ? TEMP2 : TEMP;
            if (round_i == 2'd2) begin
                {a, b} = {register(TEMP, sum_type), register(TEMP2, sum_type)};
                {a[6], b[6]} = 2'b11;         // absolute values
                comp_o = 12'd0;
            end
        end
        default: does = plan_i[`IGPU_PLAN_OP];
        endcase
    end

    // ---- as an instruction -------------------------------------------------------------
    wire temp = more_o;

    always @* begin
        inst_o = inst_i;
        plan_o = plan_i;
        plan_o[`IGPU_PLAN_OP] = does;
        if (micro != `IGPU_MICRO_NO) begin
            inst_o[`IGPU_INST_SRC0] = a;
            inst_o[`IGPU_INST_SRC1] = b;
            inst_o[`IGPU_INST_SRC2] = c;
            plan_o[`IGPU_PLAN_STYPE] = {element(c[5:0], a[5:2]), element(b[5:0], a[5:2]),
                                        element(a[5:0], a[5:2])};
            plan_o[`IGPU_PLAN_MOD]   = {c[`IGPU_SRC_MOD], b[`IGPU_SRC_MOD], a[`IGPU_SRC_MOD]};
        end
        if (micro == `IGPU_MICRO_LRP && round_i == 2'd0)
            inst_o[`IGPU_INST_IMM] = {32'd0, ONE};
        if (micro == `IGPU_MICRO_LINK) begin
            inst_o[`IGPU_INST_KIND] = `IGPU_KIND_FPU;
            inst_o[`IGPU_INST_DST] = dst | {{(`IGPU_DST_W-21){1'b0}}, 2'd1, 13'd0,
                                            `IGPU_TYPE_UD, 2'd0};
            plan_o[`IGPU_PLAN_MOD]  = 6'd0;
        end
        if (temp) begin
            inst_o[`IGPU_INST_DST] = {{(`IGPU_DST_W-21){1'b0}}, 2'd1, 5'd0, to, sum_type,
                                      `IGPU_FILE_ARF};
            plan_o[`IGPU_PLAN_DTYPE] = sum_type;
            plan_o[`IGPU_PLAN_SAT]   = 1'b0;
            plan_o[`IGPU_PLAN_CMOD]  = 4'd0;
            plan_o[`IGPU_PLAN_FLAGS] = 1'b0;
            plan_o[`IGPU_PLAN_ACC]   = `IGPU_ACC_NO;
        end
    end

    wire unused = &{1'b0, op, dst, s0};

endmodule

`default_nettype wire

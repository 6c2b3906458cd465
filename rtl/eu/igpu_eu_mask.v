// igpu_eu_mask - which channels of an instruction are on.
//
// Function  pred_o: for which the predicate holds, any and all of neighbours included, or all
//           without one. exec_o: which are executed, channel 0 being the instruction's first.
//           sel's predicate chooses, it does not switch off. on_o: of those, which write: smov
//           has bits of channels for that, sad2 sums in those with even numbers.
// Timing    Combinational.
// Contract  inst_i is igpu_isa_decode's.
// Reset     None: no state.
// Tests     tests/cosim/test_values_forms
// Source    docs/develop/eu.md#masks; Skylake PRM, volume 7, "Predication"

`default_nettype none
`include "igpu_fpu.vh"
`include "igpu_isa.vh"

module igpu_eu_mask (
    input  wire [`IGPU_INST_W-1:0] inst_i,
    input  wire [63:0]             flags_i,   // {f1, f0}
    input  wire [31:0]             active_i,  // channels of the thread that run
    output wire [31:0]             full_o,    // channels of the instruction
    output wire [31:0]             pred_o,
    output wire [31:0]             exec_o,
    output wire [31:0]             on_o,
    output wire [4:0]              bit_o      // flag bit of the first channel
);

    localparam [3:0] ANYV = 4'd2, ALLV = 4'd3, GROUPS = 4'd4;

    // Of each group of 2 ** size flags: is any set, are all?
    function [31:0] any_of;
        input [31:0] flags;
        input [2:0]  size;
        reg   [31:0] below;
        integer      i;
        begin
            below = flags;
            for (i = 0; i < 5; i = i + 1)
                if ({29'd0, size} > i)
                    below = below | (i == 0 ? {1'b0, below[31:1]} & 32'h55555555 :
                                     i == 1 ? {2'b0, below[31:2]} & 32'h11111111 :
                                     i == 2 ? {4'b0, below[31:4]} & 32'h01010101 :
                                     i == 3 ? {8'b0, below[31:8]} & 32'h00010001 :
                                              {16'b0, below[31:16]} & 32'h00000001);
            // Now the lowest bit of each group tells; for all of it.
            case (size)
            3'd1:    below = below & 32'h55555555;
            3'd2:    below = below & 32'h11111111;
            3'd3:    below = below & 32'h01010101;
            3'd4:    below = below & 32'h00010001;
            default: below = below & 32'h00000001;
            endcase
            for (i = 0; i < 5; i = i + 1)
                if ({29'd0, size} > i)
                    below = below | (below << (1 << i));
            any_of = below;
        end
    endfunction

    wire [3:0]  pred  = inst_i[`IGPU_INST_PRED];
    wire [1:0]  sub   = inst_i[`IGPU_INST_FLAG];
    wire [4:0]  chan  = inst_i[`IGPU_INST_CHAN];
    wire [31:0] own   = sub[1] ? flags_i[63:32] : flags_i[31:0];
    wire [3:0]  order = pred - GROUPS;        // any2h, all2h, any4h, ..
    wire [2:0]  size  = order[3:1] + 3'd1;
    reg  [31:0] flags;

    always @* begin
        if (pred >= GROUPS)
            flags = order[0] ? ~any_of(~own, size) : any_of(own, size);
        else if (pred == ANYV)
            flags = flags_i[31:0] | flags_i[63:32];
        else if (pred == ALLV)
            flags = flags_i[31:0] & flags_i[63:32];
        else
            flags = own;
    end

    assign bit_o  = {sub[0], 4'd0} + chan;
    assign full_o = ~(32'hfffffffe << ((6'd1 << inst_i[`IGPU_INST_EXEC]) - 6'd1));
    assign pred_o = pred == 4'd0 ? full_o
                                 : ((flags >> bit_o) ^ {32{inst_i[`IGPU_INST_INVERSE]}}) & full_o;
    assign exec_o = (inst_i[`IGPU_INST_NOMASK] ? full_o : (active_i >> chan) & full_o) &
                    (inst_i[`IGPU_INST_OP] == `IGPU_OP_SEL ? full_o : pred_o);

    wire [6:0]  op      = inst_i[`IGPU_INST_OP];
    wire [3:0]  of_type = inst_i[122:119];    // of source 1
    wire [31:0] imm     = inst_i[238:207];
    wire [31:0] words   = {{16{of_type == `IGPU_TYPE_W && imm[15]}}, imm[15:0]} >> chan[3:0];
    wire [31:0] bits    = of_type == `IGPU_TYPE_W || of_type == `IGPU_TYPE_UW ? words
                                                                             : imm >> chan;

    assign on_o = op == `IGPU_OP_SMOV ? exec_o & bits :
                  op == `IGPU_OP_SAD2 ? exec_o & 32'h55555555 : exec_o;

    wire unused = &{1'b0, inst_i};

endmodule

`default_nettype wire

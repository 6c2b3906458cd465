// igpu_eu_job - the instruction whose passes go out, one a clock.
//
// Function  Holds an instruction with all that its passes need, and gives pass after pass to
//           the readers of registers: of the lanes those in which a channel is on, of a
//           message the registers of its payload, one each. Instructions without passes leave
//           at once. A second round, where the plan has one, has the same passes.
// Timing    take_i: it is here from the next clock on. A pass leaves in each clock in which
//           go_i is up; a pass without channels takes a clock and is left out.
// Contract  take_i only while ready_o. go_i tells whether a pass can leave.
// Reset     rst_ni low, synchronous: no instruction.
// Tests     tests/cosim/test_values_forms, test_values
// Source    docs/develop/eu.md#passes

`default_nettype none
`include "igpu_fpu.vh"
`include "igpu_isa.vh"
`include "igpu_values.vh"

module igpu_eu_job #(
    parameter TW    = 3,
    parameter LANES = 4                        // as igpu_fpu's; with one, passes of one channel
) (
    input  wire                    clk_i,
    input  wire                    rst_ni,
    input  wire                    take_i,
    input  wire [TW-1:0]           thread_i,
    input  wire [`IGPU_INST_W-1:0] inst_i,
    input  wire [`IGPU_PLAN_W-1:0] plan_i,
    input  wire [31:0]             exec_i,     // channels that are executed,
    input  wire [31:0]             on_i,       // ... and of which results are written
    input  wire [31:0]             pred_i,     // ... whose predicate holds
    input  wire [4:0]              bit_i,      // flag bit of the first
    input  wire [255:0]            addr_i,     // a0
    input  wire [31:0]             ctrl_i,     // cr0.0
    output wire                    ready_o,    // empty, or its last pass leaves
    output wire                    leaves_o,   // it leaves now
    output wire                    empty_o,    // ... and no pass of it was left
    output reg                     valid_o,
    output reg  [TW-1:0]           thread_o,
    output wire [`IGPU_INST_W-1:0] inst_o,     // of this round
    output wire [`IGPU_PLAN_W-1:0] plan_o,
    output wire [11:0]             comp_o,     // ... as igpu_eu_micro's
    output reg  [31:0]             exec_o,     // as exec_i
    output reg  [255:0]            addr_o,
    output reg  [31:0]             ctrl_o,
    input  wire                    temp_done_i, // a result for the next round is written
    input  wire                    go_i,
    output wire                    pass_o,     // a pass is here
    output reg  [4:0]              first_o,    // channel of its slot 0
    output wire [7:0]              lanes_o,
    output wire [7:0]              preds_o,
    output wire [`IGPU_TAG_W-1:0]  tag_o,
    output wire                    send_o,     // a payload's register:
    output wire [6:0]              row_o,
    output wire                    last_o
);

`include "igpu_values_type.vh"

    localparam [3:0] WIDEST = {LANES[2:0], 1'b0};      // slots of 16 bits

    reg [`IGPU_INST_W-1:0] inst_q;
    reg [`IGPU_PLAN_W-1:0] plan_q;
    reg [31:0]             pred_q, on_q;
    reg [4:0]              bit_q, count_q;
    reg                    second_q;           // the second round
    reg [1:0]              round_q;            // of igpu_eu_micro
    reg [5:0]              temps_q;            // of its results under way

    // ---- kinds ---------------------------------------------------------------------
    wire [`IGPU_PLAN_W-1:0] micro_plan;
    wire       more;

    igpu_eu_micro u_micro (
        .inst_i(inst_q), .plan_i(plan_q), .round_i(round_q), .more_o(more), .inst_o(inst_o),
        .plan_o(micro_plan), .comp_o(comp_o));

    wire [2:0] kind   = inst_o[`IGPU_INST_KIND];
    wire       alu    = (kind == `IGPU_KIND_FPU || kind == `IGPU_KIND_MATH) &&
                        !plan_q[`IGPU_PLAN_REFUSE];
    wire       send   = kind == `IGPU_KIND_SEND;

    // ---- a message ------------------------------------------------------------------
    wire [63:0] imm    = inst_o[`IGPU_INST_IMM];
    wire [3:0]  mlen   = imm[36] ? addr_o[28:25] : imm[28:25];
    wire [3:0]  exlen  = imm[37] ? addr_o[41:38] : imm[35:32];
    wire        second = inst_o[118:117] == `IGPU_FILE_GRF && inst_o[`IGPU_INST_NSRC] == 2'd2;
    wire [4:0]  total  = {1'b0, mlen} + (second ? {1'b0, exlen} : 5'd0);

    assign send_o = valid_o && send;
    assign row_o  = count_q < {1'b0, mlen} ? inst_o[86:80] + {2'd0, count_q}
                                           : inst_o[131:125] + {2'd0, count_q} - {3'd0, mlen};

    // ---- channels ---------------------------------------------------------------------
    wire [1:0]  slot  = plan_q[`IGPU_PLAN_SLOT];
    wire        one   = plan_q[`IGPU_PLAN_SINGLE];
    wire [3:0]  width = one || LANES == 1 ? 4'd1 : WIDEST >> slot;
    wire [31:0] left  = on_q >> first_o;
    wire [31:0] rest  = left >> width;

    assign lanes_o = left[7:0] & ~(8'hff << width);

    wire [31:0] preds = pred_q >> first_o;

    assign preds_o = plan_q[`IGPU_PLAN_MATH] ? lanes_o : preds[7:0];

    // ---- where it stands ----------------------------------------------------------------
    wire again = (plan_q[`IGPU_PLAN_SECOND] && !second_q) || more;
    wire none  = alu ? on_q == 32'd0 : !send || total == 5'd0;
    // A round waits for the results of the one before it.
    wire waits = first_o == 5'd0 && round_q != 2'd0 && temps_q != 6'd0;
    wire on    = alu && lanes_o != 8'd0 && !waits;
    wire moves = (alu && !on && !waits) || go_i;

    assign pass_o   = valid_o && (send || on) && !none;
    assign last_o   = send ? count_q + 5'd1 == total : rest == 32'd0 && !again;
    assign leaves_o = valid_o && (none || (moves && last_o));
    assign empty_o  = none;
    assign ready_o  = !valid_o || leaves_o;

    wire temp_goes = go_i && more && alu;

    always @(posedge clk_i) begin
        if (!rst_ni)
            temps_q <= 6'd0;
        else
            temps_q <= temps_q + {5'd0, temp_goes} - {5'd0, temp_done_i};
    end

    always @(posedge clk_i) begin
        if (!rst_ni)
            valid_o <= 1'b0;
        else
            valid_o <= take_i || (valid_o && !leaves_o);
        if (take_i) begin
            thread_o <= thread_i;
            inst_q   <= inst_i;
            plan_q   <= plan_i;
            exec_o   <= exec_i;
            pred_q   <= pred_i;
            on_q     <= on_i;
            bit_q    <= bit_i;
            addr_o   <= addr_i;
            ctrl_o   <= ctrl_i;
            count_q  <= 5'd0;
            first_o  <= 5'd0;
            second_q <= 1'b0;
            round_q  <= 2'd0;
        end else if (valid_o && moves) begin
            count_q <= count_q + 5'd1;
            if (rest == 32'd0) begin
                first_o  <= 5'd0;
                second_q <= 1'b1;
                round_q  <= round_q + 2'd1;
            end else
                first_o <= first_o + {1'b0, width};
        end
    end

    // ---- this round ------------------------------------------------------------------------
    reg [`IGPU_PLAN_W-1:0] plan;

    always @* begin
        plan = micro_plan;
        if (plan_q[`IGPU_PLAN_ACC] == `IGPU_ACC_LOW) begin
            plan[`IGPU_PLAN_ACC] = second_q ? `IGPU_ACC_RESULT : `IGPU_ACC_NO;
            if (second_q) begin
                plan[`IGPU_PLAN_OP]    = `IGPU_FPU_OP_MUL;
                plan[`IGPU_PLAN_FLAGS] = 1'b0;
                plan[`IGPU_PLAN_SAT]   = 1'b0;
                plan[`IGPU_PLAN_CMOD]  = 4'd0;
            end
        end else if (second_q && plan_q[`IGPU_PLAN_SECOND])
            plan[`IGPU_PLAN_OP] = {1'b0, `IGPU_FN_IREM};
    end

    assign plan_o = plan;

    // ---- where its results go ---------------------------------------------------------------
    wire [`IGPU_DST_W-1:0] dst   = inst_o[`IGPU_INST_DST];
    wire [1:0]             size  = type_size(plan[`IGPU_PLAN_DTYPE]);
    wire [11:0]            a0    = addr_o[{dst[`IGPU_DST_ASUB], 4'd0} +: 12];
    wire [9:0]             aimm  = dst[`IGPU_DST_AIMM];
    wire [11:0]            begins = dst[`IGPU_DST_IND] ? a0 + {{2{aimm[9]}}, aimm} :
                                    dst[`IGPU_DST_FILE] == `IGPU_FILE_GRF
                                        ? {dst[12:6], dst[`IGPU_DST_BYTE]}
                                        : {4'd0, dst[8:6], dst[`IGPU_DST_BYTE]};
    // Remainders are behind the quotients' registers.
    wire [6:0]             quotients = inst_o[`IGPU_INST_EXEC] < 3'd3 ? 7'd1
                                       : 7'd1 << (inst_o[`IGPU_INST_EXEC] - 3'd3);
    wire [11:0]            behind = plan_q[`IGPU_PLAN_MATH] && second_q ? {quotients, 5'd0} : 12'd0;
    wire [1:0]             hs     = dst[`IGPU_DST_HS];
    wire [11:0]            along  = hs == 2'd0 ? {7'd0, first_o} : {7'd0, first_o} << (hs - 2'd1);
    wire                   to_acc = second_q && plan_q[`IGPU_PLAN_SECOND] &&
                                    !plan_q[`IGPU_PLAN_MATH];
    reg [`IGPU_TAG_W-1:0]  tag;

    always @* begin
        tag = {`IGPU_TAG_W{1'b0}};
        tag[`IGPU_TAG_LANES] = lanes_o;
        tag[`IGPU_TAG_FIRST] = first_o;
        tag[`IGPU_TAG_SLOT]  = slot;
        tag[`IGPU_TAG_SIZE]  = size;
        tag[`IGPU_TAG_FILE]  = to_acc ? `IGPU_FILE_NONE : dst[`IGPU_DST_FILE];
        tag[`IGPU_TAG_ARF]   = dst[13:10];
        tag[`IGPU_TAG_AT]    = begins + behind + (along << size);
        tag[`IGPU_TAG_HS]    = hs;
        tag[`IGPU_TAG_ACC]   = plan[`IGPU_PLAN_ACC];
        tag[`IGPU_TAG_FLAGS] = plan[`IGPU_PLAN_FLAGS];
        tag[`IGPU_TAG_FREG]  = inst_o[25];
        tag[`IGPU_TAG_FBIT]  = bit_q + first_o;
        tag[`IGPU_TAG_LAST]  = last_o;
        tag[`IGPU_TAG_TEMP]  = more;
    end

    assign tag_o = tag;

    wire unused = &{1'b0, preds, dst, imm};

endmodule

`default_nettype wire

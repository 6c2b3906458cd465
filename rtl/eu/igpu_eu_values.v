// igpu_eu_values - what instructions compute: the values of an EU's threads.
//
// Function  It is told of an issue and fetches the instruction's bytes, decodes them, reads
//           registers, gives the passes to the FPU, writes results and flags, sends payloads'
//           registers, and says where the thread goes on. One pipeline for THREADS threads,
//           which may be those of several EUs.
// Timing    Issues are taken in order, one a clock at most; a thread's next one when its last
//           is over: 18 clocks later, if it has one pass and waits for nobody
//           (docs/develop/eu.md#time). left_*: an instruction has given its last pass; over_*: its
//           results are written. An instruction without passes is over when it has left, a
//           message when its last register has come.
// Contract  poke_* only while poke_ready_o, for threads without an instruction. store_* only
//           while nothing is under way. The FPU's clocks are clk_i; a simulator may leave out
//           those of parts that are empty.
// Reset     rst_ni low, synchronous: nothing is under way; registers are undefined.
// Model     csim/emu.  Tests: tests/cosim/test_values, test_values_forms
// Source    docs/develop/eu.md

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_fpu.vh"
`include "igpu_isa.vh"
`include "igpu_values.vh"

module igpu_eu_values #(
    parameter THREADS = 8,
    parameter TW      = 3,                 // log2 of THREADS, rounded up
    parameter PW      = 11,                // bits of a pc, which counts 8 bytes
    parameter LANES   = 4,                 // of the FPU: 4 or 1
    parameter READERS = 3                  // copies of the registers, to read operands: 3 or 1
) (
    input  wire          clk_i,
    input  wire          fpu_clk_i,
    input  wire          half_clk_i,
    input  wire          wide_clk_i,
    input  wire          math_clk_i,
    input  wire          math_half_clk_i,
    input  wire          rst_ni,
    input  wire          store_we_i,       // code: 8 bytes at a pc
    input  wire [PW-1:0] store_addr_i,
    input  wire [63:0]   store_data_i,
    input  wire          issue_valid_i,
    input  wire [TW-1:0] issue_thread_i,
    input  wire [PW-1:0] issue_pc_i,
    input  wire [47:0]   issue_now_i,      // what tm0 reads
    output wire          issue_ready_o,
    input  wire          poke_i,           // registers from outside: start, answers
    input  wire [2:0]    poke_kind_i,      // IGPU_POKE_
    input  wire [TW-1:0] poke_thread_i,
    input  wire [6:0]    poke_row_i,       // GRF; accumulator; row of pcs
    input  wire [255:0]  poke_data_i,
    input  wire [31:0]   poke_mask_i,      // GRF: an answer's channels (igpu_eu_merge)
    input  wire [4:0]    poke_first_i,
    input  wire          poke_wide_i,
    input  wire          poke_block_i,
    output wire          poke_ready_o,
    output reg           left_o,
    output reg  [TW-1:0] left_thread_o,
    output reg           left_over_o,      // it is over as well
    output reg           left_refused_o,   // ... as it is not computed here
    output reg  [31:0]   left_exec_o,      // channels that were executed
    output reg  [PW-1:0] left_at_o,        // pc at which the thread goes on
    output reg           over_o,
    output reg  [TW-1:0] over_thread_o,
    output reg           pay_o,            // a payload's register
    output reg  [TW-1:0] pay_thread_o,
    output reg  [255:0]  pay_data_o,
    output reg           pay_last_o,       // its last: the message is over
    output reg           wrote_o,          // what was written, for who checks it:
    output reg  [TW-1:0] wrote_thread_o,
    output reg  [1:0]    wrote_file_o,     // ... IGPU_FILE_
    output reg  [3:0]    wrote_arf_o,
    output reg  [6:0]    wrote_row_o,      // ... registers, this and the next
    output reg  [511:0]  wrote_data_o,
    output reg  [63:0]   wrote_byte_o,
    output reg           wrote_flag_o,     // ... conditions
    output reg           wrote_freg_o,
    output reg  [31:0]   wrote_fmask_o,
    output reg  [31:0]   wrote_fset_o,
    output wire          busy_o,           // something is under way
    output wire          fpu_valid_o,      // operands go into the FPU's
    output wire          fpu_math_o,       // ... extended math
    output wire [1:0]    fpu_slot_o        // ... in slots of this size
);

    localparam FULL = `IGPU_TAG_W + TW;            // a tag with its thread

    // ---- v0 to v2: issue, bytes, two stages of decoding -------------------------------
    reg                    v0_valid, v1_valid, v2_valid, v3_valid;
    reg  [TW-1:0]          v0_thread, v1_thread, v2_thread, v3_thread;
    reg  [PW-1:0]          v0_pc, v1_pc, v2_pc, v3_pc;
    reg  [47:0]            v0_now, v1_now, v2_now, v3_now;
    reg  [THREADS-1:0]     busy_q;
    wire [127:0]           raw;
    wire [63:0]            peeked;
    wire [`IGPU_INST_W-1:0] inst;
    wire                   v3_leaves, peek;
    wire                   en = !v3_valid || v3_leaves;
    wire                   accept = issue_valid_i && issue_ready_o;
    wire [PW-1:0]          uip;

    assign issue_ready_o = en && !busy_q[issue_thread_i];

    igpu_eu_text #(.PW(PW)) u_text (
        .clk_i(clk_i), .we_i(store_we_i), .waddr_i(store_addr_i), .wdata_i(store_data_i),
        .re_i(en), .pc_i(v0_pc), .raw_o(raw), .peek_i(peek), .peek_pc_i(uip), .peek_o(peeked));

    igpu_isa_stages u_decode (.clk_i(clk_i), .en_i(en), .raw_i(raw), .inst_o(inst));

    always @(posedge clk_i) begin
        if (!rst_ni)
            {v0_valid, v1_valid, v2_valid, v3_valid} <= 4'd0;
        else if (en)
            {v0_valid, v1_valid, v2_valid, v3_valid} <= {accept, v0_valid, v1_valid, v2_valid};
        if (en) begin
            {v0_thread, v0_pc, v0_now} <= {issue_thread_i, issue_pc_i, issue_now_i};
            {v1_thread, v1_pc, v1_now} <= {v0_thread, v0_pc, v0_now};
            {v2_thread, v2_pc, v2_now} <= {v1_thread, v1_pc, v1_now};
            {v3_thread, v3_pc, v3_now} <= {v2_thread, v2_pc, v2_now};
        end
    end

    // ---- v3: plan, flags and masks, branches ---------------------------------------------
    wire [`IGPU_PLAN_W-1:0] plan;
    wire [63:0]             flags;
    wire [255:0]            addr;
    wire [31:0]             ctrl, active, live, full, pred, exec;
    wire [127:0]            state;
    wire [PW-1:0]           waits, at;
    wire [4:0]              flag_bit;
    wire [4:0]              chan = inst[`IGPU_INST_CHAN];
    wire [63:0]             imm = inst[`IGPU_INST_IMM];
    wire                    flow_busy, flow_done, job_ready;
    wire [PW-1:0]           next = v3_pc + {{(PW-2){1'b0}}, inst[`IGPU_INST_NATIVE],
                                            !inst[`IGPU_INST_NATIVE]};
    wire [6:0]              op  = inst[`IGPU_INST_OP];
    wire [PW-1:0]           jip = imm[PW+2:3] + (op == `IGPU_OP_JMPI  ? next :
                                                 op == `IGPU_OP_CALLA ? {PW{1'b0}} : v3_pc);
    wire                    branch = inst[`IGPU_INST_KIND] == `IGPU_KIND_BRANCH &&
                                     !plan[`IGPU_PLAN_REFUSE];
    wire                    joins = v3_valid && waits == v3_pc;
    wire [31:0]             there;
    wire                    start = poke_i && poke_kind_i == `IGPU_POKE_STATE && poke_row_i[0];
    wire                    w_we, w_flag;
    wire [TW-1:0]           w_thread;

    assign uip       = imm[PW+34:35] + v3_pc;
    assign v3_leaves = v3_valid && !joins && job_ready && (!branch || flow_done);

    // Branches to where a register says.
    wire          calls = op == `IGPU_OP_CALL || op == `IGPU_OP_CALLA;
    wire          j_valid, e_read, wants, reads, have;
    wire          by_reg = branch && wants;
    wire [6:0]    link_row;
    wire [PW-1:0] reg_at;
    wire [31:0]   on;
    wire [512*READERS-1:0] grf;

    igpu_eu_link #(.PW(PW)) u_link (
        .clk_i(clk_i), .rst_ni(rst_ni), .look_i(v3_valid && !joins && branch), .inst_i(inst),
        .pc_i(v3_pc), .free_i(!j_valid && !e_read), .done_i(v3_leaves), .wants_o(wants),
        .read_o(reads), .row_o(link_row), .grf_i(grf[255:0]), .have_o(have), .at_o(reg_at));

    igpu_eu_plan u_plan (.inst_i(inst), .plan_o(plan));

    igpu_eu_mask u_mask (
        .inst_i(inst), .flags_i(flags), .active_i(active), .full_o(full), .pred_o(pred),
        .exec_o(exec), .on_o(on), .bit_o(flag_bit));

    igpu_eu_flow #(.THREADS(THREADS), .TW(TW), .PW(PW)) u_flow (
        .clk_i(clk_i), .rst_ni(rst_ni), .thread_i(v3_thread), .active_o(active), .live_o(live),
        .wait_o(waits), .join_i(joins),
        .branch_i(v3_valid && branch && job_ready && (!by_reg || have)),
        .op_i(op), .control_i(inst[`IGPU_INST_ACCWR]),
        .window_i(full << chan), .pred_i(pred << chan), .first_pred_i(pred[0]), .pc_i(v3_pc),
        .next_i(next), .jip_i(by_reg ? reg_at : jip), .uip_i(by_reg ? reg_at : uip),
        .start_i(start), .start_thread_i(poke_thread_i), .there_o(there),
        .peek_o(peek), .peek_data_i(peeked),
        .busy_o(flow_busy), .done_o(flow_done), .at_o(at), .poke_i(poke_i),
        .poke_kind_i(poke_kind_i), .poke_thread_i(poke_thread_i), .poke_row_i(poke_row_i[1:0]),
        .poke_data_i(poke_data_i));

    // ---- v4: passes -------------------------------------------------------------------------
    wire                    j_leaves, j_empty, j_pass, j_send, j_last, e_ready, w_temp;
    wire [TW-1:0]           j_thread;
    wire [`IGPU_INST_W-1:0] j_inst;
    wire [`IGPU_PLAN_W-1:0] j_plan;
    wire [31:0]             j_exec, j_ctrl;
    wire [255:0]            j_addr;
    wire [4:0]              j_first;
    wire [7:0]              j_lanes, j_preds;
    wire [`IGPU_TAG_W-1:0]  j_tag;
    wire [6:0]              j_row;
    wire [11:0]             j_comp;
    reg  [PW-1:0]           j_pc, j_at;
    reg  [31:0]             j_there;
    reg  [47:0]             j_now;
    reg  [63:0]             j_flags;
    reg  [31:0]             j_active;
    reg  [127:0]            j_state;
    wire                    go = j_pass && e_ready;

    igpu_eu_job #(.TW(TW), .LANES(LANES)) u_job (
        .clk_i(clk_i), .rst_ni(rst_ni), .take_i(v3_leaves), .thread_i(v3_thread), .inst_i(inst),
        .plan_i(plan), .exec_i(exec), .on_i(plan[`IGPU_PLAN_MICRO] != `IGPU_MICRO_LINK ? on
                                                   : there != 32'd0 ? 32'd3 : 32'd0),
        .pred_i(pred), .bit_i(flag_bit), .addr_i(addr),
        .ctrl_i(ctrl), .ready_o(job_ready), .leaves_o(j_leaves), .empty_o(j_empty),
        .valid_o(j_valid), .thread_o(j_thread), .inst_o(j_inst), .plan_o(j_plan),
        .comp_o(j_comp), .temp_done_i(w_temp), .exec_o(j_exec), .addr_o(j_addr),
        .ctrl_o(j_ctrl), .go_i(go), .pass_o(j_pass),
        .first_o(j_first), .lanes_o(j_lanes), .preds_o(j_preds), .tag_o(j_tag),
        .send_o(j_send), .row_o(j_row), .last_o(j_last));

    always @(posedge clk_i) begin
        if (v3_leaves) begin
            j_pc     <= calls ? next : v3_pc;
            j_there  <= calls ? there : 32'd0;
            j_at     <= branch ? at : next;
            j_now    <= v3_now;
            j_flags  <= flags;
            j_active <= active;
            j_state  <= state;
        end
    end

    // What vectors of immediates go by.
    wire [1:0] j_dsize = j_tag[`IGPU_TAG_FILE] != `IGPU_FILE_GRF ? 2'd1 : j_tag[`IGPU_TAG_SIZE];

    wire [767:0] arf;

    igpu_eu_arch #(.PW(PW)) u_arch (
        .inst_i(j_inst), .addr_i(j_addr), .flags_i(j_flags), .active_i(j_active),
        .state_i(j_state), .ctrl_i(j_ctrl), .pc_i(j_pc), .there_i(j_there), .now_i(j_now),
        .arf_o(arf));

    // ---- e0, e1: operands ---------------------------------------------------------------------
    localparam XW = 31 + `IGPU_PLAN_W + FULL;

    wire              grf_re;
    wire [7*READERS-1:0]   grf_row;
    wire [3*READERS-1:0]   acc_row;
    wire [512*READERS-1:0] acc;
    wire [XW-1:0]     e1_along;
    wire              e1_valid, e1_send, e1_ready;
    wire [127:0]      src0, src1, src2;
    wire [255:0]      e1_row;

    igpu_eu_operands #(.XW(XW), .READERS(READERS), .LANES(LANES)) u_operands (
        .clk_i(clk_i), .rst_ni(rst_ni), .pass_i(j_pass), .ready_o(e_ready), .read_o(e_read),
        .send_i(j_send), .row_i(j_row), .inst_i(j_inst), .slot_i(j_plan[`IGPU_PLAN_SLOT]),
        .first_i(j_first),
        .dsize_i(j_dsize), .comp_i(j_comp), .addr_i(j_addr), .arf_i(arf),
        .along_i({j_inst[`IGPU_INST_MME], j_last, j_ctrl[12], j_ctrl[5:4], j_ctrl[6], j_ctrl[7],
                  j_ctrl[10], j_preds, j_plan, j_thread, j_tag}),
        .grf_re_o(grf_re), .grf_row_o(grf_row), .acc_row_o(acc_row), .grf_i(grf), .acc_i(acc),
        .e1_valid_o(e1_valid), .e1_send_o(e1_send), .e1_src0_o(src0), .e1_src1_o(src1),
        .e1_src2_o(src2), .e1_row_o(e1_row), .e1_along_o(e1_along), .e1_ready_i(e1_ready));

    // ---- what computes ---------------------------------------------------------------------------
    wire [FULL-1:0] e1_tag = e1_along[FULL-1:0];
    wire            math, pow, macro, unit_ready, fpu_done, math_done, math_pow, macro_done;
    wire            has_room;
    wire [143:0]    fpu_result;
    wire [127:0]    math_result;
    wire [64:0]     macro_result;

    assign fpu_valid_o = e1_valid && !e1_send && has_room;
    assign fpu_math_o  = math || macro;
    assign e1_ready    = e1_send || (has_room && unit_ready);

    igpu_eu_units #(.THREADS(THREADS), .TW(TW), .LANES(LANES)) u_units (
        .clk_i(clk_i), .fpu_clk_i(fpu_clk_i), .half_clk_i(half_clk_i), .wide_clk_i(wide_clk_i),
        .math_clk_i(math_clk_i), .math_half_clk_i(math_half_clk_i), .rst_ni(rst_ni),
        .start_i(start), .start_thread_i(poke_thread_i), .valid_i(fpu_valid_o),
        .along_i(e1_along), .src0_i(src0), .src1_i(src1), .src2_i(src2), .ready_o(unit_ready),
        .math_o(math), .pow_o(pow), .macro_o(macro), .slot_o(fpu_slot_o),
        .fpu_done_o(fpu_done), .fpu_result_o(fpu_result), .math_done_o(math_done),
        .math_pow_o(math_pow), .math_result_o(math_result), .macro_done_o(macro_done),
        .macro_result_o(macro_result));

    // ---- w: results ----------------------------------------------------------------------------
    wire         w_ends, w_freg, acc_target, grf_target;
    wire [1:0]   w_file;
    wire [3:0]   w_arf;
    wire [11:0]  w_at;
    wire [511:0] window;
    wire [63:0]  bytes;
    wire [31:0]  fmask, fset;

    igpu_eu_wb #(.TW(TW), .LANES(LANES)) u_wb (
        .clk_i(clk_i), .rst_ni(rst_ni), .pass_i(fpu_valid_o && unit_ready), .macro_i(macro),
        .math_i(math), .pow_i(pow), .tag_i(e1_tag), .room_o(has_room), .fpu_done_i(fpu_done),
        .fpu_result_i(fpu_result), .math_done_i(math_done), .math_pow_i(math_pow),
        .math_result_i(math_result), .macro_done_i(macro_done),
        .macro_result_i(macro_result), .reads_i(j_valid),
        .reads_thread_i(j_thread), .hold_i(poke_i), .we_o(w_we), .thread_o(w_thread),
        .file_o(w_file), .arf_o(w_arf), .acc_o(acc_target), .grf_o(grf_target), .at_o(w_at),
        .window_o(window), .byte_o(bytes), .flag_o(w_flag), .freg_o(w_freg), .fmask_o(fmask),
        .fset_o(fset), .temp_o(w_temp), .ends_o(w_ends));

    // ---- registers ---------------------------------------------------------------------------
    wire        poke_grf   = poke_i && poke_kind_i == `IGPU_POKE_GRF;
    wire        poke_acc   = poke_i && poke_kind_i == `IGPU_POKE_ACC;
    wire [31:0] merged;

    igpu_eu_merge u_merge (
        .mask_i(poke_mask_i), .first_i(poke_first_i), .wide_i(poke_wide_i),
        .block_i(poke_block_i), .byte_o(merged));

    igpu_eu_grf #(.THREADS(THREADS), .TW(TW), .RW(7), .READERS(READERS)) u_grf (
        .clk_i(clk_i), .re_i(grf_re || reads), .rthread_i(reads ? v3_thread : j_thread),
        .rrow_i(reads ? {{(7*READERS-7){1'b0}}, link_row} : grf_row), .rdata_o(grf),
        .we_i(poke_grf || (w_we && grf_target)), .wthread_i(poke_i ? poke_thread_i : w_thread),
        .wrow_i(poke_i ? poke_row_i : w_at[11:5]),
        .wdata_i(poke_i ? {256'd0, poke_data_i} : window),
        .wbyte_i(poke_i ? {32'd0, merged} : bytes));

    // acc0 and acc1 and, from row 4 on, what igpu_eu_micro keeps.
    igpu_eu_grf #(.THREADS(THREADS), .TW(TW), .RW(3), .READERS(READERS)) u_acc (
        .clk_i(clk_i), .re_i(grf_re), .rthread_i(j_thread), .rrow_i(acc_row), .rdata_o(acc),
        .we_i(poke_acc || (w_we && acc_target)), .wthread_i(poke_i ? poke_thread_i : w_thread),
        .wrow_i(poke_i ? {1'b0, poke_row_i[1:0]} : w_at[7:5]),
        .wdata_i(poke_i ? {256'd0, poke_data_i} : window),
        .wbyte_i(poke_i ? {32'd0, merged} : bytes));

    igpu_eu_arf #(.THREADS(THREADS), .TW(TW)) u_arf (
        .clk_i(clk_i), .thread_i(v3_thread), .flags_o(flags), .addr_o(addr), .ctrl_o(ctrl),
        .state_o(state), .wthread_i(w_thread), .we_i(w_we && !acc_target && !grf_target),
        .warf_i(w_arf), .wreg_i(w_at[5]), .wdata_i(window[255:0]),
        .wbyte_i(bytes[31:0]), .fwe_i(w_flag), .freg_i(w_freg), .fmask_i(fmask),
        .fset_i(fset), .poke_i(poke_i), .poke_kind_i(poke_kind_i),
        .poke_thread_i(poke_thread_i), .poke_data_i(poke_data_i));

    // ---- what is over ------------------------------------------------------------------------
    wire paid = e1_valid && e1_send;

    assign poke_ready_o = !flow_busy;
    assign busy_o       = busy_q != {THREADS{1'b0}};

    always @(posedge clk_i) begin
        if (!rst_ni)
            busy_q <= {THREADS{1'b0}};
        else begin
            if (accept)
                busy_q[issue_thread_i] <= 1'b1;
            if (j_leaves && j_empty)
                busy_q[j_thread] <= 1'b0;
            if (paid && e1_along[XW-17])
                busy_q[e1_tag[`IGPU_TAG_W +: TW]] <= 1'b0;
            if (w_ends)
                busy_q[w_thread] <= 1'b0;
        end
    end

    always @(posedge clk_i) begin
        left_o <= rst_ni && j_leaves;
        over_o <= rst_ni && w_ends;
        pay_o  <= rst_ni && paid;
        wrote_o      <= rst_ni && w_we;
        wrote_flag_o <= rst_ni && w_flag;
        if (j_leaves) begin
            left_thread_o  <= j_thread;
            left_over_o    <= j_empty;
            left_refused_o <= j_plan[`IGPU_PLAN_REFUSE];
            left_exec_o    <= j_exec;
            left_at_o      <= j_at;
        end
        if (paid) begin
            pay_thread_o <= e1_tag[`IGPU_TAG_W +: TW];
            pay_data_o   <= e1_row;
            pay_last_o   <= e1_along[XW-17];
        end
        over_thread_o <= w_thread;
        if (w_we || w_flag) begin
            wrote_thread_o <= w_thread;
            wrote_file_o   <= w_file;
            wrote_arf_o    <= w_arf;
            wrote_row_o    <= w_at[11:5];
            wrote_data_o   <= window;
            wrote_byte_o   <= bytes;
            wrote_freg_o   <= w_freg;
            wrote_fmask_o  <= fmask;
            wrote_fset_o   <= fset;
        end
    end

    wire unused = &{1'b0, live, j_lanes, imm, w_at};

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !(poke_i && !poke_ready_o), "poke_i only while poke_ready_o")

endmodule

`default_nettype wire

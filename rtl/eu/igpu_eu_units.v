// igpu_eu_units - what computes a pass: the FPU's lanes, extended math, macros.
//
// Function  Takes a pass's operands to the unit that its plan says; results come out of each
//           unit in its own time.
// Timing    ready_o: the unit takes it in this clock. Of the units: igpu_eu_fpu, igpu_eu_macro.
// Contract  along_i is igpu_eu_operands': {mme registers, last, cr0's rounding of conversions,
//           rounding, types whose denormals stay, predicate, plan, thread, tag}. Clocks as
//           igpu_eu_fpu's.
// Reset     rst_ni low, synchronous: empty.
// Tests     tests/cosim/test_values_forms, test_values_programs
// Source    docs/develop/eu.md

`default_nettype none
`include "igpu_fpu.vh"
`include "igpu_isa.vh"
`include "igpu_values.vh"

module igpu_eu_units #(
    parameter THREADS = 8,
    parameter TW      = 3,
    parameter LANES   = 4,                 // as igpu_fpu's
    parameter XW      = 31 + `IGPU_PLAN_W + `IGPU_TAG_W + TW // not to be set
) (
    input  wire          clk_i,
    input  wire          fpu_clk_i,
    input  wire          half_clk_i,
    input  wire          wide_clk_i,
    input  wire          math_clk_i,
    input  wire          math_half_clk_i,
    input  wire          rst_ni,
    input  wire          start_i,          // a thread begins
    input  wire [TW-1:0] start_thread_i,
    input  wire          valid_i,          // a pass
    input  wire [XW-1:0] along_i,
    input  wire [127:0]  src0_i,
    input  wire [127:0]  src1_i,
    input  wire [127:0]  src2_i,
    output wire          ready_o,
    output wire          math_o,           // it goes to extended math,
    output wire          pow_o,            // ... its pow,
    output wire          macro_o,          // ... to the macros
    output wire [1:0]    slot_o,
    output wire          fpu_done_o,       // results
    output wire [143:0]  fpu_result_o,     // {carries, flags, slots}
    output wire          math_done_o,
    output wire          math_pow_o,
    output wire [127:0]  math_result_o,
    output wire          macro_done_o,
    output wire [64:0]   macro_result_o    // {flag, slot}
);

    wire                    last, int_round, fpu_ready, macro_ready;
    wire [15:0]             mme;
    wire [1:0]              round;
    wire [2:0]              keep;
    wire [7:0]              preds;
    wire [`IGPU_PLAN_W-1:0] plan;
    wire [TW-1:0]           thread;
    wire [`IGPU_TAG_W-1:0]  tag;
    wire [8*`IGPU_EXC_W-1:0] exceptions;
    wire [5:0]              math_flags;

    assign {mme, last, int_round, round, keep, preds, plan, thread, tag} = along_i;
    assign macro_o = plan[`IGPU_PLAN_MACRO];
    assign math_o  = plan[`IGPU_PLAN_MATH];
    assign pow_o   = math_o && plan[3:0] == `IGPU_FN_POW;
    assign slot_o  = plan[`IGPU_PLAN_SLOT];
    assign ready_o = macro_o ? macro_ready : fpu_ready;

    igpu_eu_fpu #(.LANES(LANES)) u_fpu (
        .clk_i(fpu_clk_i), .half_clk_i(half_clk_i), .wide_clk_i(wide_clk_i),
        .math_clk_i(math_clk_i), .math_half_clk_i(math_half_clk_i), .rst_ni(rst_ni),
        .valid_i(valid_i && !macro_o), .math_i(math_o), .op_i(plan[`IGPU_PLAN_OP]),
        .dtype_i(plan[`IGPU_PLAN_DTYPE]), .stype_i(plan[`IGPU_PLAN_STYPE]),
        .mod_i(plan[`IGPU_PLAN_MOD]), .cmod_i(plan[`IGPU_PLAN_CMOD]),
        .sat_i(plan[`IGPU_PLAN_SAT]), .rnd_i(round), .int_round_i(int_round), .ftz_i(~keep),
        .pred_i(preds), .src0_i(src0_i), .src1_i(src1_i), .src2_i(src2_i), .ready_o(fpu_ready),
        .valid_o(fpu_done_o), .result_o(fpu_result_o[127:0]), .flag_o(fpu_result_o[135:128]),
        .carry_o(fpu_result_o[143:136]), .exc_o(exceptions), .math_valid_o(math_done_o),
        .math_pow_o(math_pow_o), .math_result_o(math_result_o), .math_flags_o(math_flags));

    igpu_eu_macro #(.THREADS(THREADS), .TW(TW)) u_macro (
        .clk_i(clk_i), .math_clk_i(math_clk_i), .rst_ni(rst_ni), .clear_i(start_i),
        .clear_thread_i(start_thread_i), .valid_i(valid_i && macro_o), .ready_o(macro_ready),
        .math_i(math_o), .root_i(plan[0]), .wide_i(slot_o == 2'd2), .mme_i(mme),
        .mod_i(plan[`IGPU_PLAN_MOD]), .rnd_i(round), .thread_i(thread), .lane_i(tag[11:8]),
        .src_i({src2_i[63:0], src1_i[63:0], src0_i[63:0]}), .valid_o(macro_done_o),
        .result_o(macro_result_o[63:0]), .early_o(macro_result_o[64]));

    wire unused = &{1'b0, last, plan, tag, exceptions, math_flags};

endmodule

`default_nettype wire

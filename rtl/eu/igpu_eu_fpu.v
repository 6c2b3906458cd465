// igpu_eu_fpu - the datapath of an EU's FPU: its lanes, and extended math on FPU1.
//
// Function  What an instruction that the EU issued to this FPU computes, from operands
//           that come from outside, since the EU keeps no register values: a cycle's
//           worth of slots at a time (igpu_fpu), or of math (igpu_math_slots, when
//           math_i; op_i is its function, the types say half precision and sign).
// Timing    Operands are taken while ready_o. A result comes 9 clocks later (10 for a
//           product in two passes), of math 16 (pow 28), on ports of its own. When an
//           instruction issues and when others see its result is the EU's scoreboard's
//           matter, not this module's.
// Contract  As igpu_fpu and igpu_math_slots. math_clk_i, math_half_clk_i, half_clk_i and
//           wide_clk_i are clk_i; a simulator may leave out clocks of each while what it
//           clocks is empty and is offered nothing: extended math, its lanes of upper
//           halves, the upper 16-bit slots, the 64-bit slots.
// Reset     rst_ni low, synchronous: nothing under way.
// Tests     tests/fail/test_values.sh, ./Vigpu --check-values
// Source    docs/contract/fpu.md#in-the-eu

`default_nettype none
`include "igpu_fpu.vh"
`include "igpu_math.vh"

module igpu_eu_fpu #(
    parameter DF    = 1,                   // double floats: FPU1
    parameter MATH  = 1,                   // extended math: FPU1
    parameter LANES = 4                    // of igpu_fpu; with one, one of extended math too
) (
    input  wire         clk_i,
    input  wire         half_clk_i,
    input  wire         wide_clk_i,
    input  wire         math_clk_i,
    input  wire         math_half_clk_i,
    input  wire         rst_ni,
    input  wire         valid_i,           // operands are offered
    input  wire         math_i,            // ... to extended math
    input  wire [4:0]   op_i,              // IGPU_FPU_OP_, or math's function
    input  wire [3:0]   dtype_i,           // type of the result
    input  wire [11:0]  stype_i,           // types of sources 2, 1, 0
    input  wire [5:0]   mod_i,             // modifiers of sources 2, 1, 0
    input  wire [3:0]   cmod_i,            // condition modifier
    input  wire         sat_i,             // saturate
    input  wire [1:0]   rnd_i,             // cr0: rounding mode
    input  wire         int_round_i,       // cr0: ... also of float to integer
    input  wire [2:0]   ftz_i,             // cr0: flush denormals of DF, F, HF
    input  wire [7:0]   pred_i,            // sel: predicate; math: slots that count
    input  wire [127:0] src0_i,
    input  wire [127:0] src1_i,
    input  wire [127:0] src2_i,
    output wire         ready_o,           // they are taken
    output wire         valid_o,           // results of the lanes
    output wire [127:0] result_o,
    output wire [7:0]   flag_o,
    output wire [7:0]   carry_o,
    output wire [8*`IGPU_EXC_W-1:0] exc_o,
    output wire         math_valid_o,      // results of extended math
    output wire         math_pow_o,        // ... of pow
    output wire [127:0] math_result_o,
    output wire [5:0]   math_flags_o
);

    wire fpu_ready, math_ready;

    assign ready_o = math_i ? math_ready : fpu_ready;

    igpu_fpu #(.DF(DF), .LANES(LANES)) u_fpu (
        .clk_i(clk_i), .half_clk_i(half_clk_i), .wide_clk_i(wide_clk_i),
        .rst_ni(rst_ni), .valid_i(valid_i && !math_i), .op_i(op_i), .dtype_i(dtype_i),
        .stype_i(stype_i),
        .mod_i(mod_i), .cmod_i(cmod_i), .sat_i(sat_i), .rnd_i(rnd_i),
        .int_round_i(int_round_i), .ftz_i(ftz_i), .pred_i(pred_i), .src0_i(src0_i),
        .src1_i(src1_i), .src2_i(src2_i), .ready_o(fpu_ready), .valid_o(valid_o),
        .result_o(result_o), .flag_o(flag_o), .carry_o(carry_o), .exc_o(exc_o));

    generate
        if (MATH != 0) begin : g_math
            wire         half = stype_i[3:0] == `IGPU_TYPE_HF;
            wire         flt = half || stype_i[3:0] == `IGPU_TYPE_F;
            reg  [127:0] x, y;
            integer      i;

            // Sign and magnitude of float operands; integers have no modifiers.
            always @* begin
                x = src0_i;
                y = src1_i;
                if (math_i && flt)
                    for (i = 15; i < 128; i = i + 16)
                        if (half || i % 32 == 31) begin
                            x[i] = (src0_i[i] && !mod_i[0]) ^ mod_i[1];
                            y[i] = (src1_i[i] && !mod_i[2]) ^ mod_i[3];
                        end
            end

            if (LANES == 1) begin : g_one
                wire [31:0] mask = half ? 32'h0000_FFFF : 32'hFFFF_FFFF;
                wire [7:0]  tag;

                igpu_math u_math (
                    .clk_i(math_clk_i), .half_clk_i(math_half_clk_i), .rst_ni(rst_ni),
                    .valid_i(valid_i && math_i),
                    .ready_o(math_ready), .fn_i(op_i[3:0]), .half_i(half),
                    .signed_i(stype_i[3:0] == `IGPU_TYPE_D), .round_i(rnd_i),
                    .flush_i(half ? ftz_i[0] : ftz_i[1]), .x_i(x[31:0] & mask),
                    .y_i(y[31:0] & mask), .tag_i({7'd0, op_i[3:0] == `IGPU_MATH_POW}),
                    .valid_o(math_valid_o), .result_o(math_result_o[31:0]),
                    .flags_o(math_flags_o), .tag_o(tag));

                assign math_pow_o            = tag[0];
                assign math_result_o[127:32] = 96'd0;
                wire unused = &{1'b0, tag, x, y};
            end else begin : g_slots
                igpu_math_slots u_math (
                    .clk_i(math_clk_i), .half_clk_i(math_half_clk_i), .rst_ni(rst_ni),
                    .valid_i(valid_i && math_i),
                    .ready_o(math_ready), .fn_i(op_i[3:0]), .half_i(half),
                    .signed_i(stype_i[3:0] == `IGPU_TYPE_D), .round_i(rnd_i),
                    .flush_i(half ? ftz_i[0] : ftz_i[1]), .pred_i(pred_i), .x_i(x), .y_i(y),
                    .valid_o(math_valid_o), .pow_o(math_pow_o), .result_o(math_result_o),
                    .flags_o(math_flags_o));
            end
        end else begin : g_none
            assign math_ready    = 1'b0;
            assign math_valid_o  = 1'b0;
            assign math_pow_o    = 1'b0;
            assign math_result_o = 128'd0;
            assign math_flags_o  = 6'd0;
            wire unused = &{1'b0, math_clk_i, math_half_clk_i};
        end
    endgenerate

endmodule

`default_nettype wire

// igpu_eu_datapath - the FPUs of an EU that computes: FPU0 and FPU1.
//
// Function  op_i offers each FPU the operands of what the EU issued to it, FPU0 in the
//           low half; res_o is what comes out (igpu_fpu.vh has the fields). FPU1 has
//           double floats and extended math.
// Timing    As igpu_eu_fpu. clk_i ticks once a cycle of the EU.
// Contract  As igpu_eu_fpu. It decides nothing about the EU's cycles.
// Reset     rst_ni low, synchronous, 10 clocks: nothing under way.
// Tests     tests/rtl/igpu_eu_tb.v
// Source    docs/fpu.md#in-the-eu

`default_nettype none
`include "igpu_fpu.vh"

module igpu_eu_datapath (
    input  wire                        clk_i,
    input  wire                        rst_ni,
    input  wire [2*`IGPU_FPU_IN_W-1:0] op_i,     // FPU1, FPU0
    output wire [2*`IGPU_FPU_OUT_W-1:0] res_o
);

    genvar i;
    generate
        for (i = 0; i < 2; i = i + 1) begin : g_fpu
            wire         valid, math, sat, int_round, math_pow;
            wire [4:0]   op;
            wire [3:0]   dtype, cmod;
            wire [11:0]  stype;
            wire [5:0]   mod;
            wire [1:0]   rnd;
            wire [2:0]   ftz;
            wire [7:0]   pred, flag, carry;
            wire [127:0] src0, src1, src2, result, math_result;
            wire         ready, done, math_done;
            wire [8*`IGPU_EXC_W-1:0] exc;
            wire [5:0]   math_flags;

            assign {valid, math, op, dtype, stype, mod, cmod, sat, rnd, int_round, ftz,
                    pred, src2, src1, src0} = op_i[`IGPU_FPU_IN_W*i +: `IGPU_FPU_IN_W];
            assign res_o[`IGPU_FPU_OUT_W*i +: `IGPU_FPU_OUT_W] =
                {ready, math_pow, math_done, math_flags, math_result, done, exc, carry, flag,
                 result};

            igpu_eu_fpu #(.DF(i), .MATH(i)) u_fpu (
                .clk_i(clk_i), .half_clk_i(clk_i), .wide_clk_i(clk_i), .math_clk_i(clk_i),
                .math_half_clk_i(clk_i),
                .rst_ni(rst_ni),
                .valid_i(valid), .math_i(math), .op_i(op), .dtype_i(dtype),
                .stype_i(stype), .mod_i(mod), .cmod_i(cmod), .sat_i(sat), .rnd_i(rnd),
                .int_round_i(int_round), .ftz_i(ftz), .pred_i(pred), .src0_i(src0),
                .src1_i(src1), .src2_i(src2), .ready_o(ready), .valid_o(done),
                .result_o(result), .flag_o(flag), .carry_o(carry), .exc_o(exc),
                .math_valid_o(math_done), .math_pow_o(math_pow),
                .math_result_o(math_result), .math_flags_o(math_flags));
        end
    endgenerate

endmodule

`default_nettype wire

// igpu_fpu - the datapath of one FPU: four 32-bit lanes.
//
// Function  One instruction's worth of a cycle: 8 elements of 16 bits, 4 of 32 or 2
//           of 64, by the widest of the instruction's types. The elements lie packed
//           in 128 bits, each in a slot of that size, and so do the results; flags,
//           carries and exceptions are bits of elements 0 to 7. Lanes 0 and 2 handle
//           the 64-bit slots; only FPU1 has double floats.
// Timing    The result comes 8 cycles after the operands, 9 for an integer product in
//           two passes: ready_o is low in its second, whose operands are taken here.
// Contract  valid_i is ignored while ready_o is low. Sources the operation does not
//           have carry the type of source 0. Not for igpu_math operations.
// Reset     rst_ni low, synchronous: nothing valid.
// Model     csim/emu.  Tests: tests/fpu.  Source: docs/fpu.md#lanes

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu #(
    parameter DF = 1                       // FPU1: with double floats
) (
    input  wire         clk_i,
    input  wire         half_clk_i,        // of the second 16-bit slots: clk_i
    input  wire         rst_ni,
    input  wire         valid_i,
    input  wire [4:0]   op_i,
    input  wire [3:0]   dtype_i,           // type of the result
    input  wire [11:0]  stype_i,           // types of sources 2, 1, 0
    input  wire [5:0]   mod_i,             // modifiers of sources 2, 1, 0
    input  wire [3:0]   cmod_i,            // condition modifier
    input  wire         sat_i,             // saturate
    input  wire [1:0]   rnd_i,             // cr0: rounding mode
    input  wire         int_round_i,       // cr0: ... also of float to integer
    input  wire [2:0]   ftz_i,             // cr0: flush denormals of DF, F, HF
    input  wire [7:0]   pred_i,            // predicate, a bit for each slot
    input  wire [127:0] src0_i,
    input  wire [127:0] src1_i,
    input  wire [127:0] src2_i,
    output wire         ready_o,
    output wire         valid_o,
    output reg  [127:0] result_o,
    output reg  [7:0]   flag_o,
    output reg  [7:0]   carry_o,
    output reg  [8*`IGPU_EXC_W-1:0] exc_o
);

    localparam E = `IGPU_EXC_W;

    // ---- decode, second pass --------------------------------------------
    wire [`IGPU_FPU_CTL_W-1:0] ctl;
    wire [1:0]                 slot;
    wire                       twice;
    wire                       mad = op_i == `IGPU_FPU_OP_MAD;

    igpu_fpu_decode u_decode (
        .op_i(op_i), .dtype_i(dtype_i), .stype_i(stype_i), .mod_i(mod_i),
        .cmod_i(cmod_i), .sat_i(sat_i), .rnd_i(rnd_i), .int_round_i(int_round_i),
        .ftz_i(ftz_i), .ctl_o(ctl), .slot_o(slot), .twice_o(twice));

    // What lanes take: mad's factors come first. {slot, types, modifiers,
    // predicates, x, y, z}
    localparam IW = `IGPU_FPU_CTL_W + 2 + 12 + 6 + 8 + 3 * 128;
    wire [IW-1:0] fresh = {ctl, slot,
                           mad ? {stype_i[3:0], stype_i[11:4]} : stype_i,
                           mad ? {mod_i[1:0], mod_i[5:2]} : mod_i, pred_i,
                           mad ? {src1_i, src2_i, src0_i} : {src0_i, src1_i, src2_i}};
    reg  [IW-1:0] again_q;
    reg           pass2_q;
    wire [IW-1:0] in = pass2_q ? again_q : fresh;
    wire          valid = valid_i || pass2_q;

    assign ready_o = !pass2_q;

    always @(posedge clk_i) begin
        pass2_q <= rst_ni && valid_i && ready_o && twice;
        if (valid_i && ready_o && twice)
            again_q <= fresh;
    end

    wire [`IGPU_FPU_CTL_W-1:0] in_ctl;
    wire [1:0]   in_slot;
    wire [11:0]  in_type;
    wire [5:0]   in_mod;
    wire [7:0]   in_pred;
    wire [127:0] x, y, z;
    reg  [`IGPU_FPU_CTL_W-1:0] pass_ctl;

    assign {in_ctl, in_slot, in_type, in_mod, in_pred, x, y, z} = in;
    always @* begin
        pass_ctl = in_ctl;
        pass_ctl[`IGPU_CTL_PASS2] = pass2_q;
    end

    // Predicates of a lane's two slots.
    wire [7:0] pred = in_slot == 2'd0 ? in_pred :
                      in_slot == 2'd1 ? {1'b0, in_pred[3], 1'b0, in_pred[2],
                                         1'b0, in_pred[1], 1'b0, in_pred[0]} :
                                        {3'd0, in_pred[1], 3'd0, in_pred[0]};

    // ---- lanes ----------------------------------------------------------
    wire [3:0]     done, two;
    wire [127:0]   wide;                   // results of the main pipelines
    wire [63:0]    upper;
    wire [7:0]     flag, carry;
    wire [8*E-1:0] exc;
    wire [63:0]    high;                   // upper halves of 64-bit results

    genvar i;
    generate
        for (i = 0; i < 4; i = i + 2) begin : g_pair
            igpu_fpu_lane #(.W(64), .DF(DF)) u_even (
                .clk_i(clk_i), .half_clk_i(half_clk_i), .rst_ni(rst_ni),
                .valid_i(valid), .slot_i(in_slot),
                .ctl_i(pass_ctl), .type_i(in_type), .mod_i(in_mod),
                .pred_i(pred[2*i +: 2]), .x_i(x[32*i +: 64]),
                .y_i(y[32*i +: 64]), .z_i(z[32*i +: 64]),
                .valid_o(done[i]), .two_o(two[i]),
                .result_o({high[16*i +: 32], wide[32*i +: 32]}),
                .upper_o(upper[16*i +: 16]), .flag_o(flag[2*i +: 2]),
                .carry_o(carry[2*i +: 2]), .exc_o(exc[2*E*i +: 2*E]));
            igpu_fpu_lane #(.W(32), .DF(0)) u_odd (
                .clk_i(clk_i), .half_clk_i(half_clk_i), .rst_ni(rst_ni),
                .valid_i(valid), .slot_i(in_slot),
                .ctl_i(pass_ctl), .type_i(in_type), .mod_i(in_mod),
                .pred_i(pred[2*i+2 +: 2]), .x_i(x[32*i+32 +: 32]),
                .y_i(y[32*i+32 +: 32]), .z_i(z[32*i+32 +: 32]),
                .valid_o(done[i+1]), .two_o(two[i+1]),
                .result_o(wide[32*i+32 +: 32]),
                .upper_o(upper[16*i+16 +: 16]), .flag_o(flag[2*i+2 +: 2]),
                .carry_o(carry[2*i+2 +: 2]), .exc_o(exc[2*E*i+2*E +: 2*E]));
        end
    endgenerate

    // ---- results into slots ---------------------------------------------
    // Two of 16 bits in each lane; one in each; one in the even lanes.
    integer k;

    assign valid_o = done[0];

    always @* begin
        result_o = wide;
        flag_o   = {4'd0, flag[6], flag[4], flag[2], flag[0]};
        carry_o  = {4'd0, carry[6], carry[4], carry[2], carry[0]};
        exc_o    = {{(4*E){1'b0}}, exc[6*E +: E], exc[4*E +: E], exc[2*E +: E], exc[0 +: E]};
        if (two[0]) begin
            for (k = 0; k < 4; k = k + 1)
                result_o[32*k+16 +: 16] = upper[16*k +: 16];
            flag_o  = flag;
            carry_o = carry;
            exc_o   = exc;
        end else if (!done[1]) begin
            result_o = {high[63:32], wide[95:64], high[31:0], wide[31:0]};
            flag_o   = {6'd0, flag[4], flag[0]};
            carry_o  = {6'd0, carry[4], carry[0]};
            exc_o    = {{(6*E){1'b0}}, exc[4*E +: E], exc[0 +: E]};
        end
    end

    wire unused = &{1'b0, done[3:2], two[3:1]};

endmodule

`default_nettype wire

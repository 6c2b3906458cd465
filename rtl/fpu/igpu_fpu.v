// igpu_fpu - the datapath of one FPU: four 32-bit lanes, or one.
//
// Function  One instruction's worth of a cycle: 8 elements of 16 bits, 4 of 32 or 2
//           of 64, by the widest of the instruction's types. The elements lie packed
//           in 128 bits, each in a slot of that size, and so do the results; flags,
//           carries and exceptions are bits of elements 0 to 7. 64-bit slots have two
//           pipelines of their own, so that the lanes' stay short; only FPU1's have
//           double floats. Of one lane the first slot of each size is there.
// Timing    The result comes 9 cycles after the operands are taken, 10 for an integer
//           product in two passes: ready_o is low in its second.
// Contract  valid_i is ignored while ready_o is low. Sources the operation does not
//           have carry the type of source 0. Not for igpu_math operations.
// Reset     rst_ni low, synchronous: nothing valid.
// Model     csim/emu.  Tests: tests/fpu.  Source: docs/contract/fpu.md#lanes

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_fpu.vh"

module igpu_fpu #(
    parameter DF    = 1,                   // FPU1: with double floats
    parameter LANES = 4                    // of 32 bits: 4 or 1
) (
    input  wire         clk_i,
    input  wire         half_clk_i,        // of the second 16-bit slots: clk_i
    input  wire         wide_clk_i,        // of the 64-bit slots: clk_i
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

    // ---- operands, second pass ------------------------------------------
    // s0: what was taken; mad's factors come first. It stays for a second pass.
    reg          s0_valid, pass2_q;
    reg  [4:0]   s0_op;
    reg  [3:0]   s0_dtype, s0_cmod;
    reg  [11:0]  s0_stype;
    reg  [5:0]   s0_mod;
    reg          s0_sat, s0_int_round;
    reg  [1:0]   s0_rnd;
    reg  [2:0]   s0_ftz;
    reg  [7:0]   s0_pred;
    reg  [127:0] x, y, z;
    wire         twice;
    wire         take = valid_i && ready_o;
    wire         mad_in = op_i == `IGPU_FPU_OP_MAD;

    assign ready_o = !(s0_valid && twice && !pass2_q);

    always @(posedge clk_i) begin
        s0_valid <= rst_ni && (take || !ready_o);
        pass2_q  <= rst_ni && !ready_o;
        if (take) begin
            s0_op        <= op_i;
            s0_dtype     <= dtype_i;
            s0_stype     <= stype_i;
            s0_mod       <= mod_i;
            s0_cmod      <= cmod_i;
            s0_sat       <= sat_i;
            s0_rnd       <= rnd_i;
            s0_int_round <= int_round_i;
            s0_ftz       <= ftz_i;
            s0_pred      <= pred_i;
            x            <= mad_in ? src1_i : src0_i;
            y            <= mad_in ? src2_i : src1_i;
            z            <= mad_in ? src0_i : src2_i;
        end
    end

    wire [`IGPU_FPU_CTL_W-1:0] ctl;
    wire [1:0]  slot;
    wire        mad  = s0_op == `IGPU_FPU_OP_MAD;
    wire [11:0] kind = mad ? {s0_stype[3:0], s0_stype[11:4]} : s0_stype;
    wire [5:0]  mod  = mad ? {s0_mod[1:0], s0_mod[5:2]} : s0_mod;

    igpu_fpu_decode u_decode (
        .on_i(s0_valid), .op_i(s0_op), .dtype_i(s0_dtype), .stype_i(s0_stype),
        .mod_i(s0_mod), .cmod_i(s0_cmod), .sat_i(s0_sat), .rnd_i(s0_rnd),
        .int_round_i(s0_int_round), .ftz_i(s0_ftz), .pass2_i(pass2_q), .ctl_o(ctl),
        .slot_o(slot), .twice_o(twice));

    // Predicates of a lane's two slots.
    wire [7:0] pred = slot == 2'd0 ? s0_pred :
                      {1'b0, s0_pred[3], 1'b0, s0_pred[2],
                       1'b0, s0_pred[1], 1'b0, s0_pred[0]};

    // ---- control --------------------------------------------------------
    wire [8:1] on;                         // stages that hold something
    wire [7:0] lane_on, half_on, wide_on;  // ... for slots below 64 bits, of 16, of 64
    wire [1:0] slot_done;
    wire [`IGPU_FPU_CTL_W-1:0] ctl1, ctl2, ctl3, ctl4, ctl5, ctl6, ctl7;

    igpu_fpu_control u_control (
        .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(s0_valid), .ctl_i(ctl), .valid_o(on),
        .s1_ctl_o(ctl1), .s2_ctl_o(ctl2), .s3_ctl_o(ctl3), .s4_ctl_o(ctl4),
        .s5_ctl_o(ctl5), .s6_ctl_o(ctl6), .s7_ctl_o(ctl7), .slot_o(slot_done));

    wire [7:0] all_on = {on[7:1], s0_valid};
    wire [7:0] is_64 = {ctl7[`IGPU_FCTL_SLOT_64], ctl6[`IGPU_FCTL_SLOT_64],
                        ctl5[`IGPU_FCTL_SLOT_64], ctl4[`IGPU_FCTL_SLOT_64],
                        ctl3[`IGPU_FCTL_SLOT_64], ctl2[`IGPU_FCTL_SLOT_64],
                        ctl1[`IGPU_FCTL_SLOT_64], ctl[`IGPU_FCTL_SLOT_64]};
    wire [7:0] is_32 = {ctl7[`IGPU_FCTL_SLOT_32], ctl6[`IGPU_FCTL_SLOT_32],
                        ctl5[`IGPU_FCTL_SLOT_32], ctl4[`IGPU_FCTL_SLOT_32],
                        ctl3[`IGPU_FCTL_SLOT_32], ctl2[`IGPU_FCTL_SLOT_32],
                        ctl1[`IGPU_FCTL_SLOT_32], ctl[`IGPU_FCTL_SLOT_32]};

    assign lane_on = all_on & ~is_64;
    assign half_on = all_on & ~is_64 & ~is_32;
    assign wide_on = all_on & is_64;

    // ---- lanes ----------------------------------------------------------
    wire [127:0]   whole;                  // results of the lanes' main pipelines
    wire [63:0]    upper;
    wire [7:0]     flag, carry;
    wire [8*E-1:0] exc;

    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : g_lane
            igpu_fpu_lane #(.HALF(LANES > 1 ? 1 : 0)) u_lane (
                .clk_i(clk_i), .half_clk_i(half_clk_i), .valid_i(lane_on),
                .half_i(half_on), .ctl_i(ctl), .s1_ctl_i(ctl1), .s2_ctl_i(ctl2),
                .s3_ctl_i(ctl3), .s4_ctl_i(ctl4), .s5_ctl_i(ctl5), .s6_ctl_i(ctl6),
                .s7_ctl_i(ctl7), .type_i(kind), .mod_i(mod),
                .pred_i(pred[2*i +: 2]), .x_i(x[32*i +: 32]), .y_i(y[32*i +: 32]),
                .z_i(z[32*i +: 32]),
                .result_o(whole[32*i +: 32]), .upper_o(upper[16*i +: 16]),
                .flag_o(flag[2*i +: 2]), .carry_o(carry[2*i +: 2]),
                .exc_o(exc[2*E*i +: 2*E]));
        end
        for (i = LANES; i < 4; i = i + 1) begin : g_no_lane
            assign whole[32*i +: 32] = 32'd0;
            assign upper[16*i +: 16] = 16'd0;
            assign flag[2*i +: 2]    = 2'd0;
            assign carry[2*i +: 2]   = 2'd0;
            assign exc[2*E*i +: 2*E] = {(2*E){1'b0}};
        end
    endgenerate

    // ---- 64-bit slots ---------------------------------------------------
    wire [1:0]     wide_flag, wide_carry;
    wire [127:0]   wide;
    wire [2*E-1:0] wide_exc;

    generate
        for (i = 0; i < (LANES + 1) / 2; i = i + 1) begin : g_wide
            igpu_fpu_elem #(.W(64), .DF(DF)) u_wide (
                .clk_i(wide_clk_i), .valid_i(wide_on), .ctl_i(ctl), .s1_ctl_i(ctl1),
                .s2_ctl_i(ctl2), .s3_ctl_i(ctl3), .s4_ctl_i(ctl4), .s5_ctl_i(ctl5),
                .s6_ctl_i(ctl6), .s7_ctl_i(ctl7), .type_i(kind), .mod_i(mod), .pred_i(s0_pred[i]),
                .x_i(x[64*i +: 64]), .y_i(y[64*i +: 64]), .z_i(z[64*i +: 64]),
                .result_o(wide[64*i +: 64]),
                .flag_o(wide_flag[i]), .carry_o(wide_carry[i]),
                .exc_o(wide_exc[E*i +: E]));
        end
        for (i = (LANES + 1) / 2; i < 2; i = i + 1) begin : g_no_wide
            assign wide[64*i +: 64]   = 64'd0;
            assign wide_flag[i]       = 1'b0;
            assign wide_carry[i]      = 1'b0;
            assign wide_exc[E*i +: E] = {E{1'b0}};
        end
    endgenerate

    // ---- results into slots ---------------------------------------------
    integer k;

    assign valid_o = on[8];

    always @* begin
        result_o = whole;
        flag_o   = {4'd0, flag[6], flag[4], flag[2], flag[0]};
        carry_o  = {4'd0, carry[6], carry[4], carry[2], carry[0]};
        exc_o    = {{(4*E){1'b0}}, exc[6*E +: E], exc[4*E +: E], exc[2*E +: E], exc[0 +: E]};
        if (slot_done[1]) begin
            result_o = wide;
            flag_o   = {6'd0, wide_flag};
            carry_o  = {6'd0, wide_carry};
            exc_o    = {{(6*E){1'b0}}, wide_exc};
        end else if (!slot_done[0]) begin
            for (k = 0; k < 4; k = k + 1)
                result_o[32*k+16 +: 16] = upper[16*k +: 16];
            flag_o  = flag;
            carry_o = carry;
            exc_o   = exc;
        end
    end

    wire unused = &{1'b0, x, y, z, pred};  // those of lanes that there are not

    `IGPU_SHADOW(wire three = op_i == `IGPU_FPU_OP_MAD || op_i == `IGPU_FPU_OP_CSEL ||
                              op_i == `IGPU_FPU_OP_BFE || op_i == `IGPU_FPU_OP_BFI2;)
    `IGPU_SHADOW(wire one = op_i == `IGPU_FPU_OP_MOV || op_i == `IGPU_FPU_OP_NOT ||
                            (op_i >= `IGPU_FPU_OP_BFREV && op_i != `IGPU_FPU_OP_CMPN) ||
                            (op_i >= `IGPU_FPU_OP_RNDD && op_i <= `IGPU_FPU_OP_FRC);)
    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !take || ((three || stype_i[11:8] == stype_i[3:0]) &&
                                   (!one || stype_i[7:4] == stype_i[3:0])),
                  "sources the operation does not have carry the type of source 0")
    `IGPU_REQUIRE(clk_i, !take || DF != 0 ||
                         (dtype_i != `IGPU_TYPE_DF && stype_i[3:0] != `IGPU_TYPE_DF &&
                          stype_i[7:4] != `IGPU_TYPE_DF && stype_i[11:8] != `IGPU_TYPE_DF),
                  "double floats are FPU1's")

endmodule

`default_nettype wire

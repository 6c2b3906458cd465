// igpu_fpu_lane - one 32-bit lane: one element, or two of 16 bits.
//
// Function  The lane's element pipeline handles slots of 32 bits, or the lower of two
//           slots of 16; a second, narrow pipeline the upper one: half precision and
//           words at twice the rate.
// Timing    As igpu_fpu_elem.
// Contract  An element's types say how many bits of its slot it has.
// Tests     tests/fpu.  Source: docs/contract/fpu.md#lanes

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_lane #(
    parameter HALF = 1                           // with the upper slot of 16 bits
) (
    input  wire                       clk_i,
    input  wire                       half_clk_i, // of the upper slot: clk_i
    input  wire [7:0]                 valid_i,  // the stages that hold something
    input  wire [7:0]                 half_i,   // ... for two slots
    input  wire [`IGPU_FPU_CTL_W-1:0] ctl_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s1_ctl_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s2_ctl_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s3_ctl_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s4_ctl_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s5_ctl_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s6_ctl_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s7_ctl_i,
    input  wire [11:0]                type_i,   // of z, y, x
    input  wire [5:0]                 mod_i,
    input  wire [1:0]                 pred_i,   // upper, lower slot
    input  wire [31:0]                x_i,
    input  wire [31:0]                y_i,
    input  wire [31:0]                z_i,
    output wire [31:0]                result_o, // the upper slot's not in it
    output wire [15:0]                upper_o,  // result of the upper slot
    output wire [1:0]                 flag_o,
    output wire [1:0]                 carry_o,
    output wire [2*`IGPU_EXC_W-1:0]   exc_o
);

    igpu_fpu_elem #(.W(32), .DF(0)) u_whole (
        .clk_i(clk_i), .valid_i(valid_i), .ctl_i(ctl_i),
        .s1_ctl_i(s1_ctl_i), .s2_ctl_i(s2_ctl_i), .s3_ctl_i(s3_ctl_i),
        .s4_ctl_i(s4_ctl_i), .s5_ctl_i(s5_ctl_i), .s6_ctl_i(s6_ctl_i),
        .s7_ctl_i(s7_ctl_i),
        .type_i(type_i), .mod_i(mod_i), .pred_i(pred_i[0]), .x_i(x_i), .y_i(y_i),
        .z_i(z_i), .result_o(result_o), .flag_o(flag_o[0]),
        .carry_o(carry_o[0]), .exc_o(exc_o[`IGPU_EXC_W-1:0]));

    generate
        if (HALF != 0) begin : g_half
            igpu_fpu_elem #(.W(16), .DF(0)) u_half (
                .clk_i(half_clk_i), .valid_i(half_i), .ctl_i(ctl_i),
                .s1_ctl_i(s1_ctl_i), .s2_ctl_i(s2_ctl_i), .s3_ctl_i(s3_ctl_i),
                .s4_ctl_i(s4_ctl_i), .s5_ctl_i(s5_ctl_i), .s6_ctl_i(s6_ctl_i),
                .s7_ctl_i(s7_ctl_i),
                .type_i(type_i), .mod_i(mod_i), .pred_i(pred_i[1]), .x_i(x_i[31:16]),
                .y_i(y_i[31:16]), .z_i(z_i[31:16]), .result_o(upper_o),
                .flag_o(flag_o[1]), .carry_o(carry_o[1]),
                .exc_o(exc_o[2*`IGPU_EXC_W-1:`IGPU_EXC_W]));
        end else begin : g_none
            assign {upper_o, flag_o[1], carry_o[1], exc_o[2*`IGPU_EXC_W-1:`IGPU_EXC_W]} =
                {(18 + `IGPU_EXC_W){1'b0}};
            wire unused = &{1'b0, half_clk_i, half_i, pred_i, x_i, y_i, z_i};
        end
    endgenerate

endmodule

`default_nettype wire

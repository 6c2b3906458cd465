// igpu_fpu_operands - stage 1: the three operands, unpacked.
//
// Function  Each operand as number and integer (igpu_fpu_source), registered with
//           the control word. Roles: x, y the factors of a product, z the addend of
//           mad (its source 0); for all else x, y, z are sources 0, 1, 2.
// Timing    1 cycle; one operation a cycle. Registers move only with valid_i.
// Reset     rst_ni low, synchronous: nothing valid.
// Tests     tests/fpu.  Source: docs/fpu.md

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_operands #(
    parameter W  = 32,                     // bits of an operand: 16, 32, 64
    parameter DF = 0,                      // has double floats
    parameter M  = 24,                     // bits of a mantissa
    parameter XW = 10                      // bits of an exponent
) (
    input  wire                       clk_i,
    input  wire                       rst_ni,
    input  wire                       valid_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] ctl_i,
    input  wire [11:0]                type_i,   // of z, y, x
    input  wire [5:0]                 mod_i,    // modifiers of z, y, x
    input  wire                       pred_i,
    input  wire [W-1:0]               x_i,
    input  wire [W-1:0]               y_i,
    input  wire [W-1:0]               z_i,
    output reg                        s1_valid_o,
    output reg  [`IGPU_FPU_CTL_W-1:0] s1_ctl_o,
    output reg                        s1_pred_o,
    output reg  [M+XW+3:0]            s1_x_o,
    output reg  [M+XW+3:0]            s1_y_o,
    output reg  [M+XW+3:0]            s1_z_o,
    output reg  [W+1:0]               s1_xi_o,
    output reg  [W+1:0]               s1_yi_o,
    output reg  [W+1:0]               s1_zi_o
);

    wire [4:0] op = ctl_i[`IGPU_CTL_OP];
    wire       logic_op = op == `IGPU_FPU_OP_AND || op == `IGPU_FPU_OP_OR ||
                          op == `IGPU_FPU_OP_XOR || op == `IGPU_FPU_OP_NOT;
    wire       three = op == `IGPU_FPU_OP_MAD || op == `IGPU_FPU_OP_CSEL ||
                       op == `IGPU_FPU_OP_BFE || op == `IGPU_FPU_OP_BFI2;
    wire       num = valid_i && ctl_i[`IGPU_CTL_FLT];
    wire       whole = valid_i && !ctl_i[`IGPU_CTL_FLT];

    wire [M+XW+3:0] x, y, z;
    wire [W+1:0]    xi, yi, zi;

    igpu_fpu_source #(.W(W), .DF(DF), .M(M), .XW(XW)) u_x (
        .bits_i(x_i), .type_i(type_i[3:0]), .mod_i(mod_i[1:0]), .logic_i(logic_op),
        .ftz_i(ctl_i[`IGPU_CTL_FTZ]), .num_i(num), .int_i(whole),
        .num_o(x), .int_o(xi));
    igpu_fpu_source #(.W(W), .DF(DF), .M(M), .XW(XW)) u_y (
        .bits_i(y_i), .type_i(type_i[7:4]), .mod_i(mod_i[3:2]), .logic_i(logic_op),
        .ftz_i(ctl_i[`IGPU_CTL_FTZ]), .num_i(num), .int_i(whole),
        .num_o(y), .int_o(yi));
    igpu_fpu_source #(.W(W), .DF(DF), .M(M), .XW(XW)) u_z (
        .bits_i(z_i), .type_i(type_i[11:8]), .mod_i(mod_i[5:4]), .logic_i(logic_op),
        .ftz_i(ctl_i[`IGPU_CTL_FTZ]), .num_i(num && three), .int_i(whole && three),
        .num_o(z), .int_o(zi));

    always @(posedge clk_i) begin
        s1_valid_o <= rst_ni && valid_i;
        if (valid_i) begin
            s1_ctl_o  <= ctl_i;
            s1_pred_o <= pred_i;
            s1_x_o    <= x;
            s1_y_o    <= y;
            s1_z_o    <= z;
            s1_xi_o   <= xi;
            s1_yi_o   <= yi;
            s1_zi_o   <= zi;
        end
    end

endmodule

`default_nettype wire

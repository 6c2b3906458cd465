// igpu_fpu_operands - stage 1: the three operands, unpacked.
//
// Function  Each operand as a number (float operations) or as an integer (the others),
//           igpu_fpu_source.vh. Roles: x, y the factors of a product, z the addend of
//           mad (its source 0); for all else x, y, z are sources 0, 1, 2. What the
//           operation does not take keeps its old value.
// Timing    1 cycle; one operation a cycle. Registers move only with valid_i.
// Style     As every stage: one process, so that a simulator computes a stage only
//           when it holds something; blocking assignments stay within tasks.
// Tests     tests/fpu.  Source: docs/contract/fpu.md

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_operands #(
    parameter W  = 32,                     // bits of an operand: 16, 32, 64
    parameter DF = 0,                      // has double floats
    parameter M  = 24,                     // bits of a mantissa
    parameter XW = 10                      // bits of an exponent
) (
    input  wire                       clk_i,
    input  wire                       valid_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] ctl_i,
    input  wire [11:0]                type_i,   // of z, y, x
    input  wire [5:0]                 mod_i,    // modifiers of z, y, x
    input  wire                       pred_i,
    input  wire [W-1:0]               x_i,
    input  wire [W-1:0]               y_i,
    input  wire [W-1:0]               z_i,
    output reg                        s1_pred_o,
    output reg  [M+XW+3:0]            s1_x_o,
    output reg  [M+XW+3:0]            s1_y_o,
    output reg  [M+XW+3:0]            s1_z_o,
    output reg  [W+1:0]               s1_xi_o,
    output reg  [W+1:0]               s1_yi_o,
    output reg  [W+1:0]               s1_zi_o
);

`include "igpu_fpu_source.vh"

    task step;
        reg [4:0]       op;
        reg             logic_op, three;
        reg [M+XW+3:0]  num;
        reg [W+1:0]     value;
        begin
            op = ctl_i[`IGPU_FCTL_OP];
            logic_op = op == `IGPU_FPU_OP_AND || op == `IGPU_FPU_OP_OR ||
                       op == `IGPU_FPU_OP_XOR || op == `IGPU_FPU_OP_NOT;
            three = op == `IGPU_FPU_OP_MAD || op == `IGPU_FPU_OP_CSEL ||
                    op == `IGPU_FPU_OP_BFE || op == `IGPU_FPU_OP_BFI2;
            s1_pred_o <= pred_i;
            if (ctl_i[`IGPU_FCTL_FLT]) begin
                source_number(x_i, type_i[3:0], mod_i[1:0], ctl_i[`IGPU_FCTL_FTZ], num);
                s1_x_o <= num;
                source_number(y_i, type_i[7:4], mod_i[3:2], ctl_i[`IGPU_FCTL_FTZ], num);
                s1_y_o <= num;
                if (three) begin
                    source_number(z_i, type_i[11:8], mod_i[5:4], ctl_i[`IGPU_FCTL_FTZ],
                                  num);
                    s1_z_o <= num;
                end
            end else begin
                source_integer(x_i, type_i[3:0], mod_i[1:0], logic_op, value);
                s1_xi_o <= value;
                source_integer(y_i, type_i[7:4], mod_i[3:2], logic_op, value);
                s1_yi_o <= value;
                if (three) begin
                    source_integer(z_i, type_i[11:8], mod_i[5:4], logic_op, value);
                    s1_zi_o <= value;
                end
            end
        end
    endtask

    always @(posedge clk_i)
        if (valid_i)
            step;

    wire unused = &{1'b0, ctl_i};

endmodule

`default_nettype wire

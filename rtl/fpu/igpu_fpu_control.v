// igpu_fpu_control - the control word beside the FPU's pipelines.
//
// Function  What igpu_fpu_decode made of an instruction, for each of the stages 1 to 7
//           of igpu_fpu_elem, and which stages hold something: one for all lanes. The
//           first pass of a product in two ends in stage 3, where it waits.
// Timing    A stage a cycle; a word moves only when its stage holds something.
// Reset     rst_ni low, synchronous: nothing valid.
// Tests     tests/fpu.  Source: docs/contract/fpu.md#lanes

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_control (
    input  wire                       clk_i,
    input  wire                       rst_ni,
    input  wire                       valid_i,      // operands enter stage 1
    input  wire [`IGPU_FPU_CTL_W-1:0] ctl_i,
    output reg  [8:1]                 valid_o,      // of each stage; 8: the result
    output reg  [`IGPU_FPU_CTL_W-1:0] s1_ctl_o,
    output reg  [`IGPU_FPU_CTL_W-1:0] s2_ctl_o,
    output reg  [`IGPU_FPU_CTL_W-1:0] s3_ctl_o,
    output reg  [`IGPU_FPU_CTL_W-1:0] s4_ctl_o,
    output reg  [`IGPU_FPU_CTL_W-1:0] s5_ctl_o,
    output reg  [`IGPU_FPU_CTL_W-1:0] s6_ctl_o,
    output reg  [`IGPU_FPU_CTL_W-1:0] s7_ctl_o,
    output reg  [1:0]                 slot_o        // of the result
);

    wire first = s2_ctl_o[`IGPU_FCTL_TWICE] && !s2_ctl_o[`IGPU_FCTL_PASS2];

    always @(posedge clk_i) begin
        valid_o <= !rst_ni ? 8'd0 : {valid_o[7:3], valid_o[2] && !first, valid_o[1],
                                     valid_i};
        if (valid_i)
            s1_ctl_o <= ctl_i;
        if (valid_o[1])
            s2_ctl_o <= s1_ctl_o;
        if (valid_o[2])
            s3_ctl_o <= s2_ctl_o;
        if (valid_o[3])
            s4_ctl_o <= s3_ctl_o;
        if (valid_o[4])
            s5_ctl_o <= s4_ctl_o;
        if (valid_o[5])
            s6_ctl_o <= s5_ctl_o;
        if (valid_o[6])
            s7_ctl_o <= s6_ctl_o;
        if (valid_o[7])
            slot_o <= s7_ctl_o[`IGPU_FCTL_SLOT];
    end

endmodule

`default_nettype wire

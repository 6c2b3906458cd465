// igpu_fpu_add - stage 4: the sum.
//
// Function  Floats: big + lesser or their difference, whichever way is positive; an
//           exact zero has the sign + (- when rounding down).
//           Integers: sum, difference (subb) or average (rounded up at one half).
// Timing    1 cycle.
// Tests     tests/fpu.  Source: docs/contract/fpu.md#sum

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_add #(
    parameter W  = 32,
    parameter M  = 24,
    parameter XW = 10,
    parameter R  = 68,
    parameter G  = 51                      // bits of the window
) (
    input  wire                       clk_i,
    input  wire                       s3_valid_i,
    input  wire [`IGPU_FPU_CTL_W-1:0] s3_ctl_i,
    input  wire [G-1:0]               s3_big_i,
    input  wire [G-1:0]               s3_small_i,
    input  wire                       s3_sign_i,
    input  wire                       s3_minus_i,
    input  wire [XW-1:0]              s3_exp_i,
    input  wire                       s3_special_i,
    input  wire [1:0]                 s3_cls_i,
    input  wire [M-1:0]               s3_nan_i,
    input  wire                       s3_invalid_i,
    input  wire                       s3_hold_i,
    input  wire [R-1:0]               s3_int_i,
    input  wire [W+1:0]               s3_addend_i,
    output reg  [G:0]                 s4_sum_o,      // the top bit is a carry
    output reg                        s4_sign_o,
    output reg  [XW-1:0]              s4_exp_o,      // of the carry bit
    output reg  [1:0]                 s4_cls_o,      // of the result
    output reg  [M-1:0]               s4_nan_o,
    output reg                        s4_invalid_o,
    output reg                        s4_hold_o,
    output reg  [R-1:0]               s4_int_o
);

    localparam [XW-1:0] ONE = 1;

    // A comparison's outcome travels as an integer.
    wire flt = s3_ctl_i[`IGPU_FCTL_FLT] && s3_ctl_i[`IGPU_FCTL_OP] != `IGPU_FPU_OP_CMP;

    task floats;
        reg [G+1:0] sum;
        reg         back, none;            // back: lesser was the larger one
        begin
            sum  = {2'b00, s3_big_i} +
                   (s3_minus_i ? ~{2'b00, s3_small_i} : {2'b00, s3_small_i}) +
                   {{(G+1){1'b0}}, s3_minus_i};
            back = sum[G+1];
            if (back)
                sum = -sum;
            none = sum == {(G+2){1'b0}};
            s4_sum_o  <= sum[G:0];
            s4_sign_o <= s3_special_i ? s3_sign_i :
                         none ? s3_ctl_i[`IGPU_FCTL_RND1] == `IGPU_RTN : s3_sign_i ^ back;
            s4_exp_o  <= s3_exp_i + ONE;
            s4_cls_o  <= s3_special_i ? s3_cls_i :
                         none ? `IGPU_CLS_ZERO : `IGPU_CLS_FINITE;
            s4_nan_o  <= s3_nan_i;
        end
    endtask

    task integers;
        reg [4:0]   op;
        reg         sub, avg;
        reg [R-1:0] ext, total;
        begin
            op  = s3_ctl_i[`IGPU_FCTL_OP];
            ext = {{(R-W-2){s3_addend_i[W+1]}}, s3_addend_i};
            sub = op == `IGPU_FPU_OP_SUBB;
            avg = op == `IGPU_FPU_OP_AVG;
            total = s3_int_i + (sub ? ~ext : ext) + {{(R-1){1'b0}}, sub || avg};
            if (avg)
                total = {total[R-1], total[R-1:1]};
            s4_int_o <= total;
        end
    endtask

    always @(posedge clk_i)
        if (s3_valid_i) begin
            s4_invalid_o <= s3_invalid_i;
            s4_hold_o    <= s3_hold_i;
            if (flt)
                floats;
            else
                integers;
        end

    wire unused = &{1'b0, s3_ctl_i};

endmodule

`default_nettype wire

// igpu_fpga_top_tb - igpu_fpga_top gives the bare tile's cycles whatever the host's pace.
// The cases are in igpu_fpga_case; here they run with one, three and eight EUs.
// tests/run: timeout=600

`default_nettype none
`include "fpga/common/igpu_fpga_out.v"
`include "fpga/common/igpu_fpga_regs.v"
`include "fpga/common/igpu_fpga_runs.v"
`include "fpga/common/igpu_fpga_time.v"
`include "fpga/common/igpu_fpga_token.v"
`include "fpga/common/igpu_fpga_top.v"
`include "tests/rtl/igpu_fpga_case.v"
`default_nettype none

module igpu_fpga_top_tb;
    wire [2:0] done, ok;

    igpu_fpga_case #(.EUS(1), .CASES(5), .SEED(11)) u_one (
        .done_o(done[0]), .ok_o(ok[0]));
    igpu_fpga_case #(.EUS(3), .CASES(3), .SEED(33)) u_three (
        .done_o(done[1]), .ok_o(ok[1]));
    igpu_fpga_case #(.EUS(8), .CASES(1), .SEED(88)) u_eight (
        .done_o(done[2]), .ok_o(ok[2]));

    initial begin
        wait (done == 3'b111);
        $display("%0s 1 EU: the top's stamps equal the bare tile's", ok[0] ? "ok" : "not ok");
        $display("%0s 3 EUs: the same", ok[1] ? "ok" : "not ok");
        $display("%0s 8 EUs: the same", ok[2] ? "ok" : "not ok");
        $finish;
    end

    initial begin
        #200000000 $display("not ok the cases end: done %b", done);
        $finish;
    end
endmodule

`default_nettype wire

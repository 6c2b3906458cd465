// igpu_send_arb_tb - round-robin over eight EUs, and credits: none left at t, legal
// again in the cycle after one came back.

`default_nettype none

module igpu_send_arb_tb;
    `include "igpu_check.vh"

    reg        clk = 0, rst_n = 0, ce = 1, credit = 0;
    reg  [7:0] req = 0, port = 0;
    wire [7:0] grant;

    igpu_send_arb u_arb (
        .clk_i(clk), .rst_ni(rst_n), .ce_i(ce), .limit_i(7'd2), .req_i(req),
        .port_i(port), .credit_i(credit), .grant_o(grant));

    task cycle(input [7:0] r, input [7:0] p, input c, input [7:0] want);
        begin
            req    = r;
            port   = p;
            credit = c;
            #1 check(grant === want);
            #4 clk = 1;
            #5 clk = 0;
        end
    endtask

    initial begin
        #5 clk = 1;
        #5 clk = 0;
        rst_n = 1;
        cycle(8'hff, 8'h00, 0, 8'h01);
        cycle(8'hff, 8'h00, 0, 8'h02);
        cycle(8'h81, 8'h00, 0, 8'h80);
        cycle(8'h81, 8'h00, 0, 8'h01);
        cycle(8'h00, 8'h00, 0, 8'h00);
        cycle(8'h03, 8'h00, 0, 8'h02);
        result("one grant a cycle, the first EU after the last");
        cycle(8'h0c, 8'h0c, 0, 8'h04);
        cycle(8'h0c, 8'h0c, 0, 8'h08);
        cycle(8'h0c, 8'h0c, 0, 8'h00);
        cycle(8'h1c, 8'h0c, 0, 8'h10);
        result("without a credit only messages that need none are granted");
        cycle(8'h0c, 8'h0c, 1, 8'h00);
        cycle(8'h0c, 8'h0c, 0, 8'h04);
        cycle(8'h0c, 8'h0c, 0, 8'h00);
        result("a credit given back at t is used at t + 1, once");
        // One taken and one given back in the same cycle leave the count as it was.
        cycle(8'h00, 8'h00, 1, 8'h00);
        cycle(8'h0c, 8'h0c, 1, 8'h08);
        cycle(8'h0c, 8'h0c, 0, 8'h04);
        cycle(8'h0c, 8'h0c, 0, 8'h00);
        result("take and give in one cycle cancel out");
        ce = 0;
        cycle(8'h01, 8'h00, 1, 8'h01);
        cycle(8'h01, 8'h00, 1, 8'h01);
        ce = 1;
        cycle(8'h0c, 8'h0c, 0, 8'h00);
        result("disabled cycles change nothing");
        $finish;
    end
endmodule

`default_nettype wire

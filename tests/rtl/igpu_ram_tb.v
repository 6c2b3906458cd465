// igpu_ram_tb - the three memories: reads see the last write; ports are independent;
// a registered port keeps its word until its next read.

`default_nettype none

module igpu_ram_tb;
    `include "igpu_check.vh"

    reg         clk = 0, we = 0;
    reg  [3:0]  re = 0;
    reg  [3:0]  waddr = 0;
    reg  [11:0] wdata = 0;
    reg  [3:0]  raddr [0:3];
    wire [11:0] q [0:3];
    wire [11:0] one, now;

    igpu_ram_1w4r #(.WIDTH(12), .DEPTH(16), .AW(4)) u_four (
        .clk_i(clk), .wclk_i(clk), .we_i(we), .waddr_i(waddr), .wdata_i(wdata),
        .re0_i(re[0]), .raddr0_i(raddr[0]), .rdata0_o(q[0]),
        .re1_i(re[1]), .raddr1_i(raddr[1]), .rdata1_o(q[1]),
        .re2_i(re[2]), .raddr2_i(raddr[2]), .rdata2_o(q[2]),
        .re3_i(re[3]), .raddr3_i(raddr[3]), .rdata3_o(q[3]));
    igpu_ram_1w1r #(.WIDTH(12), .DEPTH(16), .AW(4)) u_one (
        .clk_i(clk), .wclk_i(clk), .we_i(we), .waddr_i(waddr), .wdata_i(wdata),
        .re_i(re[0]), .raddr_i(raddr[0]), .rdata_o(one));
    igpu_lutram #(.WIDTH(12), .DEPTH(16), .AW(4)) u_lut (
        .clk_i(clk), .we_i(we), .waddr_i(waddr), .wdata_i(wdata),
        .raddr_i(raddr[0]), .rdata_o(now));

    reg [11:0] model [0:15];
    reg [11:0] want [0:3];
    integer i, round, seed = 9;

    task edge_;
        begin
            #4 clk = 1;
            #5 clk = 0;
            #1;
        end
    endtask

    initial begin
        for (i = 0; i < 4; i = i + 1)
            raddr[i] = 0;
        we = 1;
        for (i = 0; i < 16; i = i + 1) begin
            waddr    = i;
            wdata    = $random(seed);
            model[i] = wdata;
            edge_;
        end
        we = 0;
        re = 4'hf;
        edge_;
        for (i = 0; i < 4; i = i + 1)
            want[i] = model[0];
        for (round = 0; round < 2000; round = round + 1) begin
            re    = $random(seed);
            we    = $random(seed);
            waddr = $random(seed);
            wdata = $random(seed);
            for (i = 0; i < 4; i = i + 1) begin
                raddr[i] = $random(seed);
                // The contract: no read of the word that is written.
                if (we && raddr[i] == waddr)
                    raddr[i] = waddr + 1;
                if (re[i])
                    want[i] = model[raddr[i]];
            end
            #1 check(now === model[raddr[0]]);
            if (we)
                model[waddr] = wdata;
            edge_;
            for (i = 0; i < 4; i = i + 1)
                check(q[i] === want[i]);
            check(one === want[0]);
        end
        result("reads return the last write; unread ports keep their word");
        $finish;
    end
endmodule

`default_nettype wire

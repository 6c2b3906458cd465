// igpu_ram_tb - the memory of igpu_lutram: a read sees the last write, in the same cycle
// the one before.

`default_nettype none

module igpu_ram_tb;
    `include "igpu_check.vh"

    reg         clk = 0, we = 0;
    reg  [3:0]  waddr = 0, raddr = 0;
    reg  [11:0] wdata = 0;
    wire [11:0] now;

    igpu_lutram #(.WIDTH(12), .DEPTH(16), .AW(4)) u_lut (
        .clk_i(clk), .we_i(we), .waddr_i(waddr), .wdata_i(wdata),
        .raddr_i(raddr), .rdata_o(now));

    reg [11:0] model [0:15];
    integer i, round, seed = 9;

    task edge_;
        begin
            #4 clk = 1;
            #5 clk = 0;
            #1;
        end
    endtask

    initial begin
        we = 1;
        for (i = 0; i < 16; i = i + 1) begin
            waddr    = i;
            wdata    = $random(seed);
            model[i] = wdata;
            edge_;
        end
        for (round = 0; round < 2000; round = round + 1) begin
            we    = $random(seed);
            waddr = $random(seed);
            wdata = $random(seed);
            raddr = (round & 1) ? $random(seed) : waddr;
            #1 check(now === model[raddr]);
            if (we)
                model[waddr] = wdata;
            edge_;
            check(now === model[raddr]);
        end
        result("reads return the last write");
        $finish;
    end
endmodule

`default_nettype wire

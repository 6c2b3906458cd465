// igpu_ram_tb - the memories igpu_lutram, igpu_ctx_ram and its kin: a read sees the last
// write, in the same cycle the one before; a registered read keeps its word while re_i is
// 0. And igpu_shift: what goes in comes out three clocks later, of igpu_copy one.

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

    reg         re = 0;
    wire [11:0] held, block, late, copy;
    reg  [11:0] want = 0;
    reg  [35:0] past = 0;

    igpu_ctx_ram #(.WIDTH(12), .DEPTH(16), .AW(4)) u_ctx (
        .clk_i(clk), .re_i(re), .clear_i(1'b0), .raddr_i(raddr), .rdata_o(held), .we_i(we),
        .waddr_i(waddr), .wdata_i(wdata));
    igpu_ctx_ram #(.WIDTH(12), .DEPTH(16), .AW(4), .BLOCK(1)) u_block (
        .clk_i(clk), .re_i(re), .clear_i(1'b0), .raddr_i(raddr), .rdata_o(block), .we_i(we),
        .waddr_i(waddr), .wdata_i(wdata));
    reg         clear = 0;
    wire [11:0] cleared;
    reg  [11:0] want_cleared = 0;

    igpu_ctx_ram #(.WIDTH(12), .DEPTH(16), .AW(4)) u_clear (
        .clk_i(clk), .re_i(re), .clear_i(clear), .raddr_i(raddr), .rdata_o(cleared),
        .we_i(we), .waddr_i(waddr), .wdata_i(wdata));
    igpu_shift #(.WIDTH(12), .STAGES(3)) u_shift (
        .clk_i(clk), .data_i(wdata), .data_o(late));
    igpu_copy #(.WIDTH(12)) u_copy (
        .clk_i(clk), .data_i(wdata), .data_q(copy));

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
            re    = (round < 2) || $random(seed);
            clear = round >= 2 && ($random(seed) & 3) == 0;
            // Nobody reads what is written in the same clock.
            if (re && we && raddr == waddr)
                we = 0;
            if (re)
                want = model[raddr];
            if (clear)
                want_cleared = 0;
            else if (re)
                want_cleared = model[raddr];
            #1 check(now === model[raddr]);
            if (we)
                model[waddr] = wdata;
            past = {past[23:0], wdata};
            edge_;
            check(now === model[raddr]);
            check(held === want && block === want);
            check(round < 3 || late === past[35:24]);
            check(copy === past[11:0]);
        end
        result("reads return the last write, and words go through stages unchanged");
        $finish;
    end
endmodule

`default_nettype wire

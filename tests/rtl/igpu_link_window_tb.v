// igpu_link_window_tb - frames through the window of a bus, its way down wired to its way
// up: 600 frames of random lengths come back as they went, over many turns of the rings,
// with a host that leaves the ring up full; and a length that no frame has throws away
// what the ring holds, no more.
// tests/run: slow

`default_nettype none

module igpu_link_window_tb;
    `include "igpu_check.vh"
    `include "igpu_link.vh"

    localparam [11:0] DOWN_RING = `IGPU_LINK_WIN_RINGS / 4,
                      UP_RING = DOWN_RING + `IGPU_LINK_WIN_RING;
    localparam [15:0] SIZE = `IGPU_LINK_WIN_RING;

    reg         clk = 0, rst_n = 0, we = 0;
    reg  [11:0] addr = 0;
    reg  [31:0] wdata = 0;
    wire [31:0] rdata, in_data;
    wire        in_valid, in_last, out_ready, busy;

    // What comes down waits here until it goes up.
    reg  [32:0] fifo [0:4095];
    reg  [9:0]  lens [0:1023];
    reg  [11:0] put = 0, take = 0;
    reg  [9:0]  lput = 0, ltake = 0, count = 0;
    wire        have = ltake != lput;

    igpu_link_window u_window (
        .clk_i(clk), .rst_ni(rst_n), .we_i(we), .addr_i(addr), .wdata_i(wdata),
        .rdata_o(rdata), .in_valid_o(in_valid), .in_data_o(in_data), .in_last_o(in_last),
        .out_valid_i(have), .out_data_i(fifo[take][31:0]), .out_last_i(fifo[take][32]),
        .out_ready_o(out_ready), .out_words_i(lens[ltake]), .busy_o(busy));

    always @(posedge clk) begin
        if (in_valid) begin
            fifo[put] <= {in_last, in_data};
            put       <= put + 1;
            count     <= in_last ? 10'd0 : count + 10'd1;
            if (in_last) begin
                lens[lput] <= count + 10'd1;
                lput       <= lput + 1;
            end
        end
        if (have && out_ready) begin
            take <= take + 1;
            if (fifo[take][32])
                ltake <= ltake + 1;
        end
    end

    reg [31:0] sent [0:65535];
    reg [15:0] down, up, upto, sput, stake;
    integer    i, n, sends, seed = 5;

    task edge_;
        begin
            #4 clk = 1;
            #5 clk = 0;
            #1;
        end
    endtask
    task write(input [11:0] a, input [31:0] d);
        begin
            we = 1;
            addr = a;
            wdata = d;
            edge_;
            we = 0;
        end
    endtask
    task read(input [11:0] a);
        begin
            addr = a;
            edge_;
        end
    endtask
    task down_word(input [31:0] d);
        begin
            write(DOWN_RING + (down % SIZE), d);
            down = down + 1;
        end
    endtask

    task send;
        begin
            n = 1 + ($random(seed) & 127) + (($random(seed) & 1) ? 132 : 0);
            read(`IGPU_LINK_WIN_TAKEN / 4);
            if ((down - rdata[15:0] & 16'hffff) + n + 1 <= SIZE) begin
                down_word(n);
                for (i = 0; i < n; i = i + 1) begin
                    sent[sput] = $random(seed);
                    down_word(sent[sput]);
                    sput = sput + 1;
                end
                write(`IGPU_LINK_WIN_DOWN / 4, down);
                sends = sends + 1;
            end
        end
    endtask

    task receive;
        reg [15:0] len;
        begin
            read(`IGPU_LINK_WIN_UP / 4);
            upto = rdata[15:0];
            while (up != upto) begin
                read(UP_RING + (up % SIZE));
                len = rdata[15:0];
                up = up + 1;
                check(len != 0 && len <= 260);
                for (i = 0; i < len; i = i + 1) begin
                    read(UP_RING + (up % SIZE));
                    up = up + 1;
                    check(rdata === sent[stake]);
                    stake = stake + 1;
                end
            end
            write(`IGPU_LINK_WIN_READ / 4, up);
        end
    endtask

    task settle;
        begin
            for (n = 0; n < 8; n = n + 1) begin
                for (i = 0; i < 1200; i = i + 1)
                    edge_;
                receive;
            end
        end
    endtask

    initial begin
        {down, up, sput, stake} = 0;
        sends = 0;
        edge_;
        edge_;
        rst_n = 1;
        read(`IGPU_LINK_WIN_ID / 4);
        check(rdata === {16'd`IGPU_LINK_MAGIC, 16'd`IGPU_LINK_VERSION});
        while (sends < 600) begin
            send;
            if (($random(seed) & 7) == 0)
                receive;
            if (put - take > 12'd2048)
                settle;
        end
        settle;
        check(stake == sput && !busy);
        result("frames go round through both rings");
        // No frame has 261 words: what is in the ring then is gone, the next is not.
        down_word(261);
        down_word(7);
        write(`IGPU_LINK_WIN_DOWN / 4, down);
        settle;
        send;
        settle;
        check(stake == sput && !busy);
        read(`IGPU_LINK_WIN_TAKEN / 4);
        check(rdata[15:0] === down);
        result("a length that no frame has empties the ring down");
        $finish;
    end

endmodule

`default_nettype wire

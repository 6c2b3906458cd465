// igpu_link_slip_tb - frames through the serial line's framing, its transmitter wired to
// its receiver: every frame comes out as it went in, words and last, with END and ESC in
// every place; and after a damaged frame the next one is whole again.

`default_nettype none

module igpu_link_slip_tb;
    `include "igpu_check.vh"
    `include "igpu_link.vh"

    reg [31:0] damaged = 0;
    localparam [7:0] END = `IGPU_LINK_END, ESC = `IGPU_LINK_ESC;

    reg         clk = 0, rst_n = 0, out_valid = 0, out_last = 0, go = 0, spoil = 0;
    reg  [31:0] out_data = 0;
    wire        out_ready, tx_valid, in_valid, in_last, busy;
    wire [7:0]  tx_data;
    wire [31:0] in_data;

    // A spoilt byte is one that is missing.
    igpu_link_slip u_slip (
        .clk_i(clk), .rst_ni(rst_n), .rx_valid_i(tx_valid && go && !spoil),
        .rx_data_i(tx_data), .in_valid_o(in_valid), .in_data_o(in_data),
        .in_last_o(in_last), .out_valid_i(out_valid), .out_data_i(out_data),
        .out_last_i(out_last), .out_ready_o(out_ready), .tx_valid_o(tx_valid),
        .tx_data_o(tx_data), .tx_ready_i(go), .busy_o(busy));

    reg [31:0] want [0:63];
    integer    got, lasts, wrong, i, n, round, bytes, hit, seed = 3;

    function [7:0] some_byte(input integer r);
        case (r & 7)
            0:       some_byte = END;
            1:       some_byte = ESC;
            2:       some_byte = `IGPU_LINK_ESC_END;
            3:       some_byte = `IGPU_LINK_ESC_ESC;
            default: some_byte = r >> 8;
        endcase
    endfunction

    task edge_;
        begin
            go = $random(seed);
            spoil = hit == bytes && tx_valid && go && tx_data != END;
            #4 if (tx_valid && go)
                bytes = bytes + 1;
            clk = 1;
            #5 clk = 0;
            #1 if (in_valid) begin
                if (in_data !== want[got] || in_last !== (got == n - 1))
                    wrong = wrong + 1;
                got = got + 1;
                lasts = lasts + in_last;
            end
        end
    endtask

    // n random words out; what came in is in got, lasts and wrong.
    task frame(input integer spoilt);
        reg taken;
        begin
            got = 0;
            lasts = 0;
            wrong = 0;
            bytes = 0;
            hit = spoilt;
            for (i = 0; i < n; i = i + 1)
                want[i] = {some_byte($random(seed)), some_byte($random(seed)),
                           some_byte($random(seed)), some_byte($random(seed))};
            for (i = 0; i < n; i = i + taken) begin
                out_valid = $random(seed);
                out_data  = want[i];
                out_last  = i == n - 1;
                #1 taken  = out_valid && out_ready;
                edge_;
            end
            out_valid = 0;
            for (i = 0; i < 4 || busy; i = i + 1)
                edge_;
        end
    endtask

    initial begin
        hit = -1;
        bytes = 0;
        n = 0;
        got = 0;
        for (i = 0; i < 3; i = i + 1)
            edge_;
        rst_n = 1;
        for (round = 0; round < 400; round = round + 1) begin
            n = 1 + ($random(seed) & 31);
            frame(-1);
            check(got == n && lasts == 1 && wrong == 0);
        end
        result("every frame comes out as it went in");
        for (round = 0; round < 400; round = round + 1) begin
            n = 2 + ($random(seed) & 15);
            frame(1 + ($random(seed) & 7));
            damaged = damaged + (got != n || wrong != 0);
            frame(-1);
            check(got == n && lasts == 1 && wrong == 0);
        end
        check(damaged > 300);
        result("after a damaged frame the next is whole");
        $finish;
    end

endmodule

`default_nettype wire

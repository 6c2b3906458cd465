// igpu_index_tb - every one-hot word of 1, 5, 8 and 32 bits, and none.

`default_nettype none

module igpu_index_tb;
    `include "igpu_check.vh"

    reg  [31:0] word = 0;
    wire [2:0]  of_1, of_5, of_8;
    wire [4:0]  of_32;

    igpu_index #(.N(1), .W(3)) u_1 (.onehot_i(word[0]), .index_o(of_1));
    igpu_index #(.N(5), .W(3)) u_5 (.onehot_i(word[4:0]), .index_o(of_5));
    igpu_index u_8 (.onehot_i(word[7:0]), .index_o(of_8));
    igpu_index #(.N(32), .W(5)) u_32 (.onehot_i(word), .index_o(of_32));

    integer k;

    initial begin
        #1 check(of_1 === 0 && of_5 === 0 && of_8 === 0 && of_32 === 0);
        for (k = 0; k < 32; k = k + 1) begin
            word = 32'd1 << k;
            #1 check(of_32 === k && of_1 === 0);
            check(of_5 === (k < 5 ? k : 0));
            check(of_8 === (k < 8 ? k : 0));
        end
        result("the number of the bit that is set");
        $finish;
    end
endmodule

`default_nettype wire

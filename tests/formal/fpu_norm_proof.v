// What igpu_fpu_norm must do, for any data: the highest 1 on top, shifted by count.
module fpu_norm_proof #(parameter N = 24, parameter CW = 5) (input wire [N-1:0] data);
    wire [N-1:0]  out;
    wire [CW-1:0] count;

    igpu_fpu_norm #(.N(N), .CW(CW)) u_dut (
        .on_i(1'b1), .data_i(data), .data_o(out), .count_o(count));

    always @* if (data != 0) assert (out[N-1] && (out >> count) == data);
endmodule

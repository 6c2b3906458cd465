// What igpu_fpu_jam must do: shift right, the lowest bit standing for what is lost.
module fpu_jam_proof #(parameter N = 25, parameter SW = 5, parameter XW = 8) (
    input wire [N-1:0]  data,
    input wire [XW-1:0] shift
);
    wire [N-1:0]   out;
    wire [2*N-1:0] exact = {data, {N{1'b0}}} >> shift;

    igpu_fpu_jam #(.N(N), .SW(SW), .XW(XW)) u_dut (
        .data_i(data), .shift_i(shift), .data_o(out));

    always @*
        if (shift <= N)
            assert (out == {exact[2*N-1:N+1], |exact[N:0]});
        else
            assert (out == {{(N-1){1'b0}}, |data});
endmodule

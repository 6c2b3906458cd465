// What igpu_math_up must do: its value with the leading zeros gone, and how many those were.
module math_up_proof #(parameter W = 32, parameter LOG = 5) (input wire [W-1:0] value);
    wire [W-1:0]   top;
    wire [LOG-1:0] up;

    igpu_math_up #(.W(W), .LOG(LOG)) u_dut (.value_i(value), .top_o(top), .up_o(up));

    always @* begin
        assert (value == 0 || top[W-1]);
        assert ((top >> up) == value);
        assert (value == 0 || (value << up) == top);
    end
endmodule

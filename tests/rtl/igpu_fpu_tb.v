// igpu_fpu_tb - the FPU's datapath on the vectors of igpu_fpu_vectors.txt (made by
// tests/fpu/test_fpu_vectors.c from its oracle): one operation a clock, every slot.
`default_nettype none

module igpu_fpu_tb;

    localparam DEPTH = 1024;

    reg          clk = 1'b0, rst_n = 1'b0, valid = 1'b0;
    reg  [447:0] in;                       // fields of whole hex digits
    wire         ready, done;
    wire [127:0] result;
    wire [7:0]   flag, carry;
    wire [31:0]  exc;

    reg  [127:0] mask [0:DEPTH-1], want [0:DEPTH-1];
    reg  [7:0]   flag_mask [0:DEPTH-1], flag_want [0:DEPTH-1];
    reg  [7:0]   carry_mask [0:DEPTH-1], carry_want [0:DEPTH-1];
    reg  [31:0]  exc_mask [0:DEPTH-1], exc_want [0:DEPTH-1];
    integer      file, fields, sent, back, bad;

    igpu_fpu #(.DF(1)) u_fpu (
        .clk_i(clk), .half_clk_i(clk), .wide_clk_i(clk), .rst_ni(rst_n),
        .valid_i(valid), .op_i(in[444:440]),
        .dtype_i(in[439:436]), .stype_i(in[435:424]),
        .mod_i({in[421:420], in[417:416], in[413:412]}), .cmod_i(in[411:408]),
        .sat_i(in[404]), .rnd_i(in[401:400]), .int_round_i(in[396]),
        .ftz_i(in[394:392]), .pred_i(in[391:384]), .src0_i(in[383:256]),
        .src1_i(in[255:128]), .src2_i(in[127:0]), .ready_o(ready), .valid_o(done),
        .result_o(result), .flag_o(flag), .carry_o(carry), .exc_o(exc));

    always #5 clk = !clk;

    always @(posedge clk) if (rst_n && done) begin
        if ((result & mask[back]) !== want[back] ||
            (flag & flag_mask[back]) !== flag_want[back] ||
            (carry & carry_mask[back]) !== carry_want[back] ||
            (exc & exc_mask[back]) !== exc_want[back]) begin
            bad = bad + 1;
            if (bad <= 5)
                $display("# line %0d: %h flags %h exceptions %h, not %h %h %h", back + 1,
                         result & mask[back], flag & flag_mask[back],
                         exc & exc_mask[back], want[back], flag_want[back],
                         exc_want[back]);
        end
        back = back + 1;
    end

    initial begin
        sent = 0;
        back = 0;
        bad  = 0;
        file = $fopen("tests/rtl/igpu_fpu_vectors.txt", "r");
        repeat (12) @(negedge clk);
        rst_n = 1'b1;
        fields = 9;
        while (fields == 9 && bad < 5) begin
            fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h\n", in, mask[sent],
                             want[sent], flag_mask[sent], flag_want[sent],
                             carry_mask[sent], carry_want[sent], exc_mask[sent],
                             exc_want[sent]);
            valid = fields == 9;
            if (valid) begin
                sent = sent + 1;
                while (!ready)
                    @(negedge clk);
                @(negedge clk);
            end
        end
        valid = 1'b0;
        repeat (12) @(negedge clk);
        if (sent > 0 && back == sent && bad == 0)
            $display("ok %0d clocks of operations", sent);
        else
            $display("not ok %0d sent, %0d back, %0d wrong", sent, back, bad);
        $finish;
    end

endmodule

`default_nettype wire

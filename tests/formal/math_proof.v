// What igpu_math must keep in any state it can reach, whatever its lanes say: the second
// pass of a pow never meets a new operation, and what was taken is under way or out.
module math_proof (
    input wire clk,
    input wire rst_n,
    input wire valid,
    input wire [31:0] any
);
    (* keep *) wire [13:1] stages;                 // joined to u_dut.valid_q
    (* keep *) wire        again;                  // ... again_q
    wire       ready, done;
    reg  [4:0] under_way, held;
    integer    k;

    igpu_math u_dut (
        .clk_i(clk), .half_clk_i(clk), .rst_ni(rst_n), .valid_i(valid), .ready_o(ready),
        .fn_i(4'd1), .half_i(1'b0), .signed_i(1'b0), .round_i(2'd0), .flush_i(1'b0),
        .x_i(any), .y_i(32'd0), .tag_i(8'd0), .valid_o(done));

    always @* begin
        held = done;
        for (k = 1; k <= 13; k = k + 1)
            held = held + stages[k];
        assert (!live || !(again && stages[1]));
        assert (!live || !again || stages[13]);
        assert (!live || held == under_way);
    end
    always @(posedge clk)
        under_way <= !rst_n ? 0 : under_way + (valid && ready) - done;
    // Nothing is promised before the first reset, and so it is with u_dut's contract.
    (* keep *) wire contract;          // joined to u_dut.contract_q
    reg live;
    initial live = 1'b0;
    always @(posedge clk) live <= live || !rst_n;
    always @* assert (contract == live);
endmodule

// A lane that says as it likes, in first_o.
module igpu_math_lane (
    input wire         clk_i, again_i, half_i, signed_i, flush_i,
    input wire  [3:0]  fn_i,
    input wire  [1:0]  round_i,
    input wire  [31:0] x_i, y_i,
    input wire  [7:0]  tag_i,
    output wire [3:0]  fn_o,
    output wire        second_o, first_o,
    output wire [7:0]  seg_o, tag_o,
    input wire [124:0] coef_i,
    output wire [31:0] result_o,
    output wire [5:0]  flags_o
);
    assign first_o = x_i[0];
endmodule
module igpu_math_rom #(parameter PORTS = 1) (
    input wire clk_i, second_i, input wire [3:0] fn_i, input wire [7:0] seg_i,
    output wire [124:0] data_o
);
    assign data_o = 125'd0;
endmodule

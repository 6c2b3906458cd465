// igpu_math_slots - extended math of a vector: its slots go through one igpu_math.
//
// Function  Slot i of result_o = fn_i of slot i of x_i (and y_i): 4 slots of 32 bits or,
//           with half_i, 8 of 16; zero where pred_i is 0. flags_o: the exceptions of
//           the enabled slots together.
// Timing    A slot a clock, twice that for pow; disabled slots take their time. A vector
//           of 32-bit slots has valid_o 19 cycles after it is taken (pow 31 and more),
//           and the next can be taken 4 cycles after it: a quarter of an FPU's rate.
// Contract  Taken when valid_i and ready_o; ready_o looks at fn_i, since pow waits for
//           the others, and they for pow, so that vectors come out in their order.
//           result_o and flags_o count while valid_o, and are not held.
// Reset     rst_ni low, synchronous: nothing is under way.
// Tests     tests/rtl/igpu_math_slots_tb.cpp

`default_nettype none
`include "igpu_math.vh"

module igpu_math_slots (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire         valid_i,   // a vector is offered
    output wire         ready_o,   // it is taken
    input  wire [3:0]   fn_i,      // function: math's FC field
    input  wire         half_i,    // half precision
    input  wire         signed_i,  // integers have a sign
    input  wire [1:0]   round_i,   // as cr0.0[5:4]
    input  wire         flush_i,   // denormals become zeros
    input  wire [7:0]   pred_i,    // slots that count
    input  wire [127:0] x_i,       // operands
    input  wire [127:0] y_i,
    output reg          valid_o,   // a result
    output reg  [127:0] result_o,
    output reg  [5:0]   flags_o    // exceptions, as in sr0.1
);

    // The vector whose slots go in: busy_q until its last slot is taken.
    reg         busy_q, half_q, signed_q, flush_q;
    reg  [3:0]  fn_q;
    reg  [1:0]  round_q;
    reg  [2:0]  slot_q;
    reg  [7:0]  pred_q;
    reg  [127:0] x_q, y_q;
    reg  [5:0]  under_way_q;   // slots in igpu_math: 26 at the most

    wire        unit_ready, unit_valid, issue, last, take;
    wire [31:0] unit_result;
    wire [5:0]  unit_flags;
    wire [7:0]  unit_tag;

    assign last  = slot_q == (half_q ? 3'd7 : 3'd3);
    assign issue = busy_q && unit_ready;
    assign take  = valid_i && ready_o;
    assign ready_o = (!busy_q || (issue && last)) &&
                     ((fn_i == `IGPU_MATH_POW) == (fn_q == `IGPU_MATH_POW) ||
                      (!busy_q && under_way_q == 6'd0));

    // The tag: last slot of its vector, enabled, half precision, slot.
    igpu_math u_unit (
        .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(busy_q), .ready_o(unit_ready),
        .fn_i(fn_q), .half_i(half_q), .signed_i(signed_q), .round_i(round_q),
        .flush_i(flush_q), .x_i(half_q ? {16'd0, x_q[15:0]} : x_q[31:0]),
        .y_i(half_q ? {16'd0, y_q[15:0]} : y_q[31:0]),
        .tag_i({2'b00, last, pred_q[0], half_q, slot_q}), .valid_o(unit_valid),
        .result_o(unit_result), .flags_o(unit_flags), .tag_o(unit_tag));

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            busy_q      <= 1'b0;
            fn_q        <= 4'd0;
            under_way_q <= 6'd0;
            valid_o     <= 1'b0;
        end else begin
            busy_q      <= take || (busy_q && !(issue && last));
            under_way_q <= under_way_q + {5'd0, issue} - {5'd0, unit_valid};
            valid_o     <= unit_valid && unit_tag[5];
            if (take)
                fn_q <= fn_i;
        end
    end

    // Slots leave at the low end.
    always @(posedge clk_i) begin
        if (take) begin
            half_q   <= half_i;
            signed_q <= signed_i;
            round_q  <= round_i;
            flush_q  <= flush_i;
            slot_q   <= 3'd0;
            pred_q   <= pred_i;
            x_q      <= x_i;
            y_q      <= y_i;
        end else if (issue) begin
            slot_q <= slot_q + 3'd1;
            pred_q <= pred_q >> 1;
            x_q    <= half_q ? x_q >> 16 : x_q >> 32;
            y_q    <= half_q ? y_q >> 16 : y_q >> 32;
        end
    end

    // Results enter at the high end, in order.
    wire [31:0] result;
    wire [5:0]  flags;
    assign result = unit_tag[4] ? unit_result : 32'd0;
    assign flags  = unit_tag[4] ? unit_flags : 6'd0;

    always @(posedge clk_i) begin
        if (unit_valid) begin
            result_o <= unit_tag[3] ? {result[15:0], result_o[127:16]}
                                    : {result, result_o[127:32]};
            flags_o  <= unit_tag[2:0] == 3'd0 ? flags : flags_o | flags;
        end
    end

    wire unused = &{1'b0, unit_tag[7:6]};

endmodule

`default_nettype wire

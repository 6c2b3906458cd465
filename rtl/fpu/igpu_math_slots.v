// igpu_math_slots - extended math of a vector: its slots go through igpu_math, 64 bits a
// clock.
//
// Function  Slot i of result_o = fn_i of slot i of x_i (and y_i): 4 slots of 32 bits or,
//           with half_i, 8 of 16; zero where pred_i is 0. flags_o: the exceptions of
//           the enabled slots together. Two lanes of 32 bits, and beside each a lane for
//           the half in its upper 16 bits.
// Timing    A vector goes in in 2 clocks, pow takes the places of 4: half an FPU's rate,
//           and a quarter. A result comes 16 cycles after its vector is taken, of pow
//           28, later where the second pass of an earlier pow was in the way of the
//           vector's second half.
// Contract  Taken when valid_i and ready_o. result_o, flags_o and pow_o count while
//           valid_o, and are not held. Results of pow come out in their order, those of
//           other functions in theirs, which may pass a pow. half_clk_i is clk_i; a
//           simulator may leave out its clocks while no vector of halves is under way
//           or offered.
// Reset     rst_ni low, synchronous: nothing is under way.
// Tests     tests/rtl/igpu_math_slots_tb.cpp

`default_nettype none
`include "igpu_math.vh"

module igpu_math_slots (
    input  wire         clk_i,
    input  wire         half_clk_i,
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
    output wire         valid_o,   // a result
    output wire         pow_o,     // ... of pow
    output wire [127:0] result_o,
    output wire [5:0]   flags_o    // exceptions, as in sr0.1
);

    // The vector whose slots go in: busy_q until its second half is taken, last_q. What
    // goes in next is in the low half.
    reg          busy_q, last_q, half_q, signed_q, flush_q;
    reg  [3:0]   fn_q;
    reg  [1:0]   round_q;
    reg  [7:0]   pred_q;
    reg  [127:0] x_q, y_q;

    wire         unit_ready, unit_valid, issue, take;
    wire [127:0] unit_result;
    wire [23:0]  unit_flags;
    wire [7:0]   tag;

    assign issue   = busy_q && unit_ready;
    assign take    = valid_i && ready_o;
    assign ready_o = !busy_q || (issue && last_q);

    always @(posedge clk_i) begin
        if (!rst_ni)
            busy_q <= 1'b0;
        else
            busy_q <= take || (busy_q && !(issue && last_q));
    end

    always @(posedge clk_i) begin
        if (take) begin
            last_q   <= 1'b0;
            fn_q     <= fn_i;
            half_q   <= half_i;
            signed_q <= signed_i;
            round_q  <= round_i;
            flush_q  <= flush_i;
            pred_q   <= pred_i;
            x_q      <= x_i;
            y_q      <= y_i;
        end else if (issue) begin
            last_q    <= 1'b1;
            pred_q    <= half_q ? pred_q >> 4 : pred_q >> 2;
            x_q[63:0] <= x_q[127:64];
            y_q[63:0] <= y_q[127:64];
        end
    end

    wire [3:0]  pred;
    wire [31:0] mask;
    wire [63:0] x, y;
    assign pred = half_q ? pred_q[3:0] : {2'b00, pred_q[1:0]};
    assign mask = half_q ? 32'h0000_FFFF : 32'hFFFF_FFFF;
    assign x    = x_q[63:0];
    assign y    = y_q[63:0];

    // Lanes 3 and 2: the upper halves of the words of lanes 1 and 0. The tag: pow, second
    // half of its vector, half precision, enabled slots.
    igpu_math #(.LANES(2), .HALVES(2)) u_unit (
        .clk_i(clk_i), .half_clk_i(half_clk_i), .rst_ni(rst_ni),
        .valid_i(busy_q), .ready_o(unit_ready), .fn_i(fn_q), .half_i(half_q),
        .signed_i(signed_q), .round_i(round_q), .flush_i(flush_q),
        .x_i({16'd0, x[63:48], 16'd0, x[31:16], x[63:32] & mask, x[31:0] & mask}),
        .y_i({16'd0, y[63:48], 16'd0, y[31:16], y[63:32] & mask, y[31:0] & mask}),
        .tag_i({1'b0, fn_q == `IGPU_MATH_POW, last_q, half_q, pred}),
        .valid_o(unit_valid), .result_o(unit_result), .flags_o(unit_flags), .tag_o(tag));

    // Results: the first half of a vector waits for the second.
    wire [127:0] result;
    wire [23:0]  flags;
    wire [63:0]  now;
    wire [5:0]   raised;
    reg  [63:0]  kept_q, kept_pow_q;
    reg  [5:0]   flags_q, flags_pow_q;

    // The slots, as they lie in 64 bits.
    wire [3:0] slot_on;
    assign slot_on = tag[4] ? {tag[3], tag[1], tag[2], tag[0]} : tag[3:0];

    genvar i;
    generate
        for (i = 0; i < 4; i = i + 1) begin : g_lane
            assign result[32*i +: 32] = slot_on[i] ? unit_result[32*i +: 32] : 32'd0;
            assign flags[6*i +: 6]    = slot_on[i] ? unit_flags[6*i +: 6] : 6'd0;
        end
    endgenerate
    assign now      = tag[4] ? {result[111:96], result[47:32], result[79:64], result[15:0]}
                             : result[63:0];
    assign raised   = flags[23:18] | flags[17:12] | flags[11:6] | flags[5:0];
    assign pow_o    = tag[6];
    assign valid_o  = unit_valid && tag[5];
    assign result_o = {now, pow_o ? kept_pow_q : kept_q};
    assign flags_o  = raised | (pow_o ? flags_pow_q : flags_q);

    always @(posedge clk_i) begin
        if (unit_valid && !tag[5] && !tag[6]) begin
            kept_q  <= now;
            flags_q <= raised;
        end
        if (unit_valid && !tag[5] && tag[6]) begin
            kept_pow_q  <= now;
            flags_pow_q <= raised;
        end
    end

    wire unused = &{1'b0, tag[7], result[127:112], result[95:80]};

endmodule

`default_nettype wire

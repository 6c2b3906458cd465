// igpu_math - the extended-math unit: an operation a clock in each of its lanes.
//
// Function  Lane i of result_o = fn_i of lane i of x_i (and y_i): inverse, logarithm,
//           exponential, roots, sine, cosine, quotient, power, integer quotient and
//           remainder, and the start values of the division and root macros;
//           docs/contract/fpu-math.md has the algorithms and error bounds. IDIV gives the
//           quotient. LANES lanes take 32 bits or a half; HALVES more take halves only,
//           and are smaller.
// Timing    14 cycles from taken operations to valid_o, 26 for pow, which goes through
//           the tables twice; its second pass goes before a new operation, so pow
//           costs two places. Results of other operations pass a pow: tag_o says whose
//           a result is.
// Contract  Operations are taken when valid_i and ready_o; results are not held. A half is
//           in the low 16 bits of its lane, whose upper bits are 0. half_clk_i, of the
//           HALVES, is clk_i; a simulator may leave out its clocks while no half is
//           under way. What the HALVES give for 32 bits means nothing.
// Reset     rst_ni low, synchronous: nothing is under way.
// Model     csim/fpu/math.c
// Tests     tests/rtl/igpu_math_tb.cpp, igpu_math_slots_tb.cpp

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_math.vh"

module igpu_math #(
    parameter LANES  = 1,             // of 32 bits; 1 or more
    parameter HALVES = 0,             // of half precision only
    parameter N = LANES + HALVES      // not to be set
) (
    input  wire                        clk_i,
    input  wire                        half_clk_i,
    input  wire                        rst_ni,
    input  wire                        valid_i,   // operations are offered
    output wire                        ready_o,   // they are taken
    input  wire [3:0]                  fn_i,      // function: math's FC field
    input  wire                        half_i,    // half precision
    input  wire                        signed_i,  // integers have a sign
    input  wire [1:0]                  round_i,   // as cr0.0[5:4]
    input  wire                        flush_i,   // denormals become zeros
    input  wire [32*N-1:0]             x_i,       // operands
    input  wire [32*N-1:0]             y_i,
    input  wire [`IGPU_MATH_TAG_W-1:0] tag_i,     // comes out with the results
    output wire                        valid_o,   // results
    output wire [32*N-1:0]             result_o,
    output wire [6*N-1:0]              flags_o,   // exceptions, as in sr0.1
    output wire [`IGPU_MATH_TAG_W-1:0] tag_o
);

    localparam TAG_W = `IGPU_MATH_TAG_W;

    // again_q: the first pass of pow has its logarithm and goes round once more, in
    // front of stage 2. A clock earlier no new operation is taken, so none ever waits.
    // The lanes move together: what lane 0 says holds for all.
    reg  [13:1]        valid_q;       // bit s: stage s holds operations
    reg                again_q, done_q;
    wire               again_d;
    wire [N-1:0]       first, second;
    wire [4*N-1:0]     fn;
    wire [8*N-1:0]     seg;
    wire [125*N-1:0]   coef;
    wire [TAG_W*N-1:0] tag;
    assign again_d = valid_q[12] && first[0];
    assign ready_o = !again_d;
    assign valid_o = done_q;
    assign tag_o   = tag[TAG_W-1:0];

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            valid_q <= 13'd0;
            again_q <= 1'b0;
            done_q  <= 1'b0;
        end else begin
            valid_q <= {valid_q[12:2], valid_q[1] || again_q, valid_i && ready_o};
            again_q <= again_d;
            done_q  <= valid_q[13] && !again_q;
        end
    end

    igpu_math_rom #(.PORTS(LANES)) u_rom (
        .clk_i(clk_i), .fn_i(fn[3:0]), .second_i(second[0]), .seg_i(seg[8*LANES-1:0]),
        .data_o(coef[125*LANES-1:0]));

    // Of the functions of integers the HALVES know nothing.
    wire [3:0] half_fn;
    assign half_fn = fn_i > `IGPU_MATH_POW ? `IGPU_MATH_INV : fn_i;

    genvar i;
    generate
        for (i = 0; i < N; i = i + 1) begin : g_lane
            igpu_math_lane u_lane (
                .clk_i(i < LANES ? clk_i : half_clk_i), .again_i(again_q),
                .fn_i(i < LANES ? fn_i : half_fn), .half_i(i < LANES ? half_i : 1'b1),
                .signed_i(i < LANES ? signed_i : 1'b0), .round_i(round_i),
                .flush_i(flush_i),
                .x_i(i < LANES ? x_i[32*i +: 32] : {16'd0, x_i[32*i +: 16]}),
                .y_i(i < LANES ? y_i[32*i +: 32] : {16'd0, y_i[32*i +: 16]}),
                .tag_i(i == 0 ? tag_i : {TAG_W{1'b0}}), .fn_o(fn[4*i +: 4]),
                .second_o(second[i]), .seg_o(seg[8*i +: 8]),
                .coef_i(coef[125*i +: 125]), .first_o(first[i]),
                .result_o(result_o[32*i +: 32]), .flags_o(flags_o[6*i +: 6]),
                .tag_o(tag[TAG_W*i +: TAG_W]));
        end
        if (HALVES != 0) begin : g_halves
            igpu_math_rom #(.PORTS(HALVES)) u_rom (
                .clk_i(half_clk_i), .fn_i(fn[4*LANES +: 4]), .second_i(second[LANES]),
                .seg_i(seg[8*N-1:8*LANES]), .data_o(coef[125*N-1:125*LANES]));
        end
    endgenerate

    wire unused = &{1'b0, half_clk_i, half_fn, x_i, y_i, first, second, fn, tag};

    // Of each lane: a half has no more than 16 bits; x's top bit is set.
    `IGPU_SHADOW(wire [LANES-1:0] narrow;)
    `IGPU_SHADOW(wire [LANES-1:0] tops;)
    `IGPU_SHADOW(generate
                     for (i = 0; i < LANES; i = i + 1) begin : g_shadow
                         assign narrow[i] = x_i[32*i+16 +: 16] == 16'd0 &&
                                            y_i[32*i+16 +: 16] == 16'd0;
                         assign tops[i]   = x_i[32*i+31];
                     end
                 endgenerate)
    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !again_q || !valid_q[1], "a second pass meets no new operation")
    `IGPU_REQUIRE(clk_i, !valid_i || (fn_i != 4'd0 && fn_i != 4'd8), "fn_i is a function")
    `IGPU_REQUIRE(clk_i, !(valid_i && half_i) || &narrow, "a half's upper 16 bits are 0")
    `IGPU_REQUIRE(clk_i, !(valid_i && (fn_i == `IGPU_MATH_INVM || fn_i == `IGPU_MATH_RSQTM)) ||
                         &tops, "x of INVM and RSQTM has its top bit set")

endmodule

`default_nettype wire

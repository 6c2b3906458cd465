// igpu_eu_visit - the tags of the visits in the pipeline.
//
// Function  Which context is in which stage, and in which target cycle. sN is stage N;
//           s0 is what the sequencer shows.
// Timing    One stage a clock. The tags of a stage without a visit mean nothing.
// Contract  Visits of one context do not overlap: the next enters s0 when the last is in s9
//           at the earliest.
// Reset     rst_ni low, synchronous: no visit.
// Tests     tests/cosim/test_array.c
// Source    docs/develop/eu-pipeline.md#stages

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"

module igpu_eu_visit #(
    parameter CW = 3                               // bits of a context's number
) (
    input  wire                     clk_i,
    input  wire                     rst_ni,
    input  wire                     s0_valid_i,    // a visit
    input  wire [CW-1:0]            s0_ctx_i,      // of this context
    input  wire [`IGPU_STAMP_W-1:0] s0_now_i,      // in this cycle
    input  wire                     s0_first_i,    // the context's state is empty
    input  wire                     s0_old_i,      // its units are long free
    output reg                      s1_valid_q,
    output reg  [CW-1:0]            s1_ctx_q,
    output reg  [`IGPU_STAMP_W-1:0] s1_now_q,
    output reg                      s2_valid_q,
    output reg  [CW-1:0]            s2_ctx_q,
    output reg  [`IGPU_STAMP_W-1:0] s2_now_q,
    output reg                      s3_valid_q,
    output reg  [CW-1:0]            s3_ctx_q,
    output reg  [`IGPU_STAMP_W-1:0] s3_now_q,
    output reg                      s4_valid_q,
    output reg  [CW-1:0]            s4_ctx_q,
    output reg  [`IGPU_STAMP_W-1:0] s4_now_q,
    output reg                      s5_valid_q,
    output reg  [CW-1:0]            s5_ctx_q,
    output reg  [`IGPU_STAMP_W-1:0] s5_now_q,
    output reg                      s6_valid_q,
    output reg  [CW-1:0]            s6_ctx_q,
    output reg  [`IGPU_STAMP_W-1:0] s6_now_q,
    output reg                      s7_valid_q,
    output reg  [CW-1:0]            s7_ctx_q,
    output reg  [`IGPU_STAMP_W-1:0] s7_now_q,
    output reg                      s8_valid_q,
    output reg  [CW-1:0]            s8_ctx_q,
    output reg                      s9_valid_q,
    output reg  [CW-1:0]            s9_ctx_q,
    output reg                      s1_first_q,
    output reg                      s1_old_q,
    output reg                      s2_first_q,
    output reg                      s2_old_q,
    output reg                      s3_first_q,
    output reg                      s3_old_q
);

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            {s1_valid_q, s2_valid_q, s3_valid_q, s4_valid_q} <= 4'd0;
            {s5_valid_q, s6_valid_q, s7_valid_q, s8_valid_q, s9_valid_q} <= 5'd0;
        end else begin
            {s1_valid_q, s2_valid_q, s3_valid_q, s4_valid_q} <=
                {s0_valid_i, s1_valid_q, s2_valid_q, s3_valid_q};
            {s5_valid_q, s6_valid_q, s7_valid_q, s8_valid_q, s9_valid_q} <=
                {s4_valid_q, s5_valid_q, s6_valid_q, s7_valid_q, s8_valid_q};
        end
    end

    always @(posedge clk_i) begin
        s1_ctx_q <= s0_ctx_i;
        s1_now_q <= s0_now_i;
        s2_ctx_q <= s1_ctx_q;
        s2_now_q <= s1_now_q;
        s3_ctx_q <= s2_ctx_q;
        s3_now_q <= s2_now_q;
        s4_ctx_q <= s3_ctx_q;
        s4_now_q <= s3_now_q;
        s5_ctx_q <= s4_ctx_q;
        s5_now_q <= s4_now_q;
        s6_ctx_q <= s5_ctx_q;
        s6_now_q <= s5_now_q;
        s7_ctx_q <= s6_ctx_q;
        s7_now_q <= s6_now_q;
        s8_ctx_q <= s7_ctx_q;
        s9_ctx_q <= s8_ctx_q;
        s1_first_q <= s0_first_i;
        s2_first_q <= s1_first_q;
        s3_first_q <= s2_first_q;
        s1_old_q   <= s0_old_i;
        s2_old_q   <= s1_old_q;
        s3_old_q   <= s2_old_q;
    end

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_SHADOW(wire [31:0] enters = {31'd0, s0_valid_i} << s0_ctx_i;
                 wire [31:0] leaves = {31'd0, s9_valid_q} << s9_ctx_q;
                 reg  [31:0] under_way_q;              // contexts with a visit there
                 always @(posedge clk_i)
                     under_way_q <= rst_ni ? (under_way_q & ~leaves) | enters : 32'd0;)
    `IGPU_REQUIRE(clk_i, (enters & under_way_q & ~leaves) == 32'd0,
                  "visits of one context do not overlap")

endmodule

`default_nettype wire

// igpu_eu_resp - response writer: stages s1 and s2.
//
// Function  Responses are written to the GRF in order of arrival through one port:
//           D = max(arrival, D') + duration. s1 compares the D of the one being written
//           with the cycle: what it sets is there (rs_who_q), or that of a response that
//           takes one cycle and finds the port free. s2 takes the response that is given
//           and begins the next.
// State     The response being written: D, thread, set. The others wait in a ring of
//           128: 64 credits and 7 notifications are the most there can be.
// Timing    The instruction's word (duration, set) comes from the store in s1.
//           rs_who_q and rs_set_q are for s2; rs_busy_q and rs_left_q for s7.
// Contract  A given response arrived in the cycle before this one. A duration is 1 to
//           255. A response ends in a cycle in which the context is visited. At most 71
//           wait.
// Reset     None: s1_first_i makes the state empty.
// Model     csim/ref/eu.c: ref_eu_respond().  Tests: tests/cosim/test_array.c
// Source    docs/contract/model.md section 4.6

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"

module igpu_eu_resp #(
    parameter ROWS = 8,                            // of the state RAMs: contexts
    parameter CW   = 3                             // log2 of ROWS
) (
    input  wire                     clk_i,
    input  wire                     s0_valid_i,
    input  wire [CW-1:0]            s0_ctx_i,
    input  wire                     s1_valid_i,
    input  wire [CW-1:0]            s1_ctx_i,
    input  wire [7:0]               s1_now_i,
    input  wire                     s1_first_i,
    input  wire                     s1_given_i,    // a response arrived,
    input  wire [2:0]               s1_slot_i,     // of this thread's message
    input  wire [7:0]               s1_dur_i,      // its instruction's duration
    input  wire [`IGPU_SET_W-1:0]   s1_set_i,      // and set
    input  wire                     s2_valid_i,
    input  wire [CW-1:0]            s2_ctx_i,
    input  wire [7:0]               s2_now_i,
    output reg  [6:0]               rs_who_q,      // s2: whose response has been written
                                                   // (one-hot), none if no one's;
    output reg  [`IGPU_SET_W-1:0]   rs_set_q,      // what it made busy
    output reg                      rs_busy_q,     // s7: one is being written,
    output reg  [7:0]               rs_left_q      // ... for so many cycles
);

    localparam S = `IGPU_SET_W;

    `include "igpu_eu_slot.vh"
    `include "igpu_eu_resp.vh"

    // ---- s1: is the one being written there? ----
    wire         busy_m;
    wire [7:0]   end_m;
    wire [S+2:0] word_m;                           // {thread, set}
    wire [6:0]   wr_m, rd_m;
    wire         busy = busy_m && !s1_first_i;
    reg  [7:0]   left;
    reg          over, instant;
    wire [S+2:0] given = {s1_slot_i, s1_set_i};
    wire [S+2:0] word  = over ? word_m : given;
    reg          s2_busy_q, s2_over_q, s2_given_q, s2_instant_q;
    reg  [7:0]   s2_left_q, s2_dur_q;
    reg  [S+2:0] s2_word_q;                        // of the one that arrived
    reg  [6:0]   s2_wr_q, s2_rd_q;

    always @* begin
        resp_look(busy, end_m, s1_now_i, s1_given_i, s1_dur_i, left, over, instant);
    end

    always @(posedge clk_i) begin
        rs_who_q <= (s1_valid_i && (over || instant)) ? slot_set(word[`IGPU_RESP_SLOT]) : 7'd0;
        if (s1_valid_i) begin
            rs_set_q     <= word[`IGPU_RESP_SET];
            s2_busy_q    <= busy;
            s2_over_q    <= over;
            s2_instant_q <= instant;
            s2_left_q    <= left;
            s2_given_q   <= s1_given_i;
            s2_dur_q     <= s1_dur_i;
            s2_word_q    <= given;
            s2_wr_q      <= s1_first_i ? 7'd0 : wr_m;
            s2_rd_q      <= s1_first_i ? 7'd0 : rd_m;
        end
    end

    // ---- s2: which one is next ----
    wire [7:0]   wait_dur;
    wire [S+2:0] wait_word;
    reg          from_q, direct, push, s2_busy;
    reg  [7:0]   s2_left;

    always @* begin
        resp_next(s2_busy_q, s2_over_q, s2_given_q, s2_instant_q, s2_left_q, s2_dur_q,
                  s2_wr_q != s2_rd_q, wait_dur, from_q, direct, push, s2_busy, s2_left);
    end

    igpu_ctx_ram #(.WIDTH(1 + 8 + 14), .DEPTH(ROWS), .AW(CW)) u_state (
        .clk_i(clk_i), .re_i(s0_valid_i), .clear_i(1'b0), .raddr_i(s0_ctx_i),
        .rdata_o({busy_m, end_m, wr_m, rd_m}), .we_i(s2_valid_i), .waddr_i(s2_ctx_i),
        .wdata_i({s2_busy, s2_now_i + s2_left, s2_wr_q + {6'd0, push},
                  s2_rd_q + {6'd0, from_q}}));
    igpu_ctx_ram #(.WIDTH(S + 3), .DEPTH(ROWS), .AW(CW)) u_word (
        .clk_i(clk_i), .re_i(s0_valid_i), .clear_i(1'b0), .raddr_i(s0_ctx_i), .rdata_o(word_m),
        .we_i(s2_valid_i && (from_q || direct)), .waddr_i(s2_ctx_i),
        .wdata_i(from_q ? wait_word : s2_word_q));
    igpu_ctx_ram #(.WIDTH(`IGPU_RESP_W), .DEPTH(128 * ROWS), .AW(CW + 7)) u_ring (
        .clk_i(clk_i), .re_i(s1_valid_i), .clear_i(1'b0), .raddr_i({s1_ctx_i, rd_m}),
        .rdata_o({wait_dur, wait_word}), .we_i(s2_valid_i && push),
        .waddr_i({s2_ctx_i, s2_wr_q}), .wdata_i({s2_dur_q, s2_word_q}));

    // ---- for s7 ----
    reg       s3_busy_q, s4_busy_q, s5_busy_q, s6_busy_q;
    reg [7:0] s3_left_q, s4_left_q, s5_left_q, s6_left_q;

    always @(posedge clk_i) begin
        {s3_busy_q, s3_left_q} <= {s2_busy, s2_left};
        {s4_busy_q, s4_left_q} <= {s3_busy_q, s3_left_q};
        {s5_busy_q, s5_left_q} <= {s4_busy_q, s4_left_q};
        {s6_busy_q, s6_left_q} <= {s5_busy_q, s5_left_q};
        {rs_busy_q, rs_left_q} <= {s6_busy_q, s6_left_q};
    end

    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_SHADOW(wire [6:0] waiting = s2_wr_q - s2_rd_q;)
    `IGPU_REQUIRE(clk_i, !(s1_valid_i && s1_given_i) || s1_dur_i != 8'd0,
                  "a duration is 1 to 255")
    `IGPU_REQUIRE(clk_i, !(s2_valid_i && push) || waiting < 7'd71,
                  "at most 71 responses wait")

endmodule

`default_nettype wire

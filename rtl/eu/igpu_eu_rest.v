// igpu_eu_rest - stages s7 to s9: in which cycle the context has something to do next.
//
// Function  The next cycle, if a thread may fetch or issue in it, or is redirected then;
//           else the first of: a
//           result of an FPU or a response, the end of a hold or of a wait for code, the
//           cycle in which a unit is free for which a thread is ready. None: it sleeps
//           until it is given something. In every cycle that is left out this way a
//           visit would change nothing.
// Timing    s7 inputs; re_*_q come two clocks later, as the visit leaves (s9).
// Contract  A full send queue has no end of its own: who gives the grant wakes the
//           context (igpu_array_tile). What is still there lasts beyond this cycle, so the
//           next cycle is not the visit's own.
// Reset     None.
// Model     csim/ref/eu.c: next_from().  Tests: tests/cosim/test_array.c
// Source    docs/develop/eu-pipeline.md#sequencer

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"
`include "igpu_regs.vh"

module igpu_eu_rest (
    input  wire                     clk_i,
    input  wire                     s7_valid_i,
    input  wire [`IGPU_STAMP_W-1:0] s7_now_i,
    input  wire [6:0]               s7_has_i,      // as in igpu_eu_look
    input  wire [6:0]               s7_hold_i,
    input  wire [6:0]               s7_held_i,
    input  wire [6:0]               s7_ready_i,
    input  wire [6:0]               s7_unit1_i,
    input  wire [6:0]               s7_unit0_i,
    input  wire                     s7_met_i,      // what was fetched may issue,
    input  wire [1:0]               s7_unit_i,     // to this unit
    input  wire                     s7_any_i,      // a hold or a wait of before ends
    input  wire [8:0]               s7_soon_i,     // ... in so many cycles (eu_soon)
    input  wire [3:0]               s7_begun_i,    // holds that this visit began,
    input  wire [31:0]              s7_holds_i,    // ... for so many cycles, 8 bits each
    input  wire                     s7_later_i,    // a wait for code that it began
    input  wire [8:0]               s7_code_i,     // ... of so many cycles;
    input  wire                     s7_branch_i,   // a branch issued that has no run behind it
    input  wire [2:0]               s7_occupied_i, // FPU0, FPU1, SEND are occupied
    input  wire [23:0]              s7_occ_left_i, // ... for so many cycles, 8 bits each
    input  wire [1:0]               s7_flight_i,   // FPU0, FPU1 have one in flight
    input  wire [2*`IGPU_DIST_W-1:0] s7_left_i,    // ... for so many cycles
    input  wire                     s7_resp_i,     // a response is being written
    input  wire [7:0]               s7_resp_left_i,
    output reg                      re_sleep_q,    // s9: no next cycle
    output reg  [`IGPU_STAMP_W-1:0] re_wake_q      // ... or this one
);

    localparam T = `IGPU_STAMP_W;
    localparam D = `IGPU_DIST_W;
    localparam [T-1:0] NOW1  = 1;

    localparam RR_N = 7;
    localparam PICK_CHAIN = 0;
    `include "igpu_rr.vh"
    `include "igpu_eu_slot.vh"
    `include "igpu_eu_pick.vh"
    `include "igpu_eu_look.vh"
    `include "igpu_eu_rest.vh"

    reg [6:0] any, fpu1, send, branch;
    reg       next;
    reg [2:0] waits;

    always @* begin
        pick_units(s7_ready_i, s7_unit1_i, s7_unit0_i, any, fpu1, send, branch);
        next  = s7_branch_i ||
                rest_next(look_who(s7_has_i, s7_held_i, s7_hold_i), branch, s7_met_i,
                          s7_unit_i, s7_occupied_i);
        waits = rest_waits(any, fpu1, send, s7_occupied_i);
    end

    // ---- s7: the first of each four ----
    wire         begun_any, ends_any, results_any;
    wire [7:0]   begun, ends;
    wire [D-1:0] results;

    igpu_min4 #(.W(8)) u_begun (
        .valid_i(s7_begun_i), .data_i(s7_holds_i), .any_o(begun_any), .least_o(begun));
    igpu_min4 #(.W(8)) u_ends (
        .valid_i({waits, s7_resp_i}), .data_i({s7_occ_left_i, s7_resp_left_i}),
        .any_o(ends_any), .least_o(ends));
    igpu_min4 #(.W(D)) u_results (
        .valid_i({s7_flight_i, s7_any_i, s7_later_i}),
        .data_i({s7_left_i, {(D-9){1'b0}}, s7_soon_i, {(D-9){1'b0}}, s7_code_i}),
        .any_o(results_any), .least_o(results));

    // ---- s8: the first of all ----
    reg          s8_begun_any_q, s8_ends_any_q, s8_results_any_q, s8_next_q;
    reg  [7:0]   s8_begun_q, s8_ends_q;
    reg  [D-1:0] s8_results_q;
    reg  [T-1:0] s8_now_q;
    wire         some;
    wire [D-1:0] soon;

    always @(posedge clk_i) begin
        if (s7_valid_i) begin
            s8_next_q        <= next;
            s8_now_q         <= s7_now_i;
            s8_begun_any_q   <= begun_any;
            s8_begun_q       <= begun;
            s8_ends_any_q    <= ends_any;
            s8_ends_q        <= ends;
            s8_results_any_q <= results_any;
            s8_results_q     <= results;
        end
    end

    igpu_min4 #(.W(D)) u_soon (
        .valid_i({1'b0, s8_begun_any_q, s8_ends_any_q, s8_results_any_q}),
        .data_i({{(2*D-8){1'b0}}, s8_begun_q, {(D-8){1'b0}}, s8_ends_q, s8_results_q}),
        .any_o(some), .least_o(soon));

    always @(posedge clk_i) begin
        re_sleep_q <= !s8_next_q && !some;
        re_wake_q  <= s8_now_q + (s8_next_q ? NOW1 : {1'b0, soon});
    end

    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_PAST(s8_valid_q, 1, clk_i, s7_valid_i)
    `IGPU_REQUIRE(clk_i, !s8_valid_q || s8_next_q || !some || soon != {D{1'b0}},
                  "the next cycle is not the visit's own")

endmodule

`default_nettype wire

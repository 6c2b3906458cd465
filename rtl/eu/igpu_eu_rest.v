// igpu_eu_rest - stages s7 and s8: in which cycle the context has something to do next.
//
// Function  The next cycle, if a thread may fetch or issue in it; else the first of: a
//           result of an FPU or a response, the end of a hold or of a wait for code, the
//           cycle in which a unit is free for which a thread is ready. None: it sleeps
//           until it is given something. In every cycle that is left out this way a
//           visit would change nothing.
// Timing    s7 inputs; re_*_o come a clock later, as the visit leaves (s8).
// Contract  A full send queue has no end of its own: who gives the grant wakes the
//           context (igpu_array_tile). Where nothing lies ahead a number is all ones.
// Reset     None.
// Model     csim/ref/eu.c: next_from().  Tests: tests/cosim/test_array.c
// Source    docs/eu-pipeline.md#sequencer

`default_nettype none
`include "igpu_eu.vh"

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
    input  wire [6:0]               s7_fresh_i,    // fetched now, and can issue
    input  wire [8:0]               s7_soon_i,     // holds and waits of before (eu_soon)
    input  wire [35:0]              s7_holds_i,    // holds that this visit began
    input  wire [8:0]               s7_code_i,     // a wait for code that it began
    input  wire [2:0]               s7_occupied_i, // FPU0, FPU1, SEND are occupied
    input  wire [23:0]              s7_occ_left_i, // ... for so many cycles, 8 bits each
    input  wire [1:0]               s7_flight_i,   // FPU0, FPU1 have one in flight
    input  wire [2*`IGPU_DIST_W-1:0] s7_left_i,    // ... for so many cycles
    input  wire                     s7_resp_i,     // a response is being written
    input  wire [7:0]               s7_resp_left_i,
    output wire                     re_sleep_o,    // s8: no next cycle
    output reg  [`IGPU_STAMP_W-1:0] re_wake_o      // ... or this one
);

    localparam T = `IGPU_STAMP_W;
    localparam D = `IGPU_DIST_W;
    localparam [T-1:0] NEVER = {T{1'b1}};
    localparam [T-1:0] NOW1  = 1;

    wire [6:0] any    = s7_ready_i & ~s7_unit1_i & ~s7_unit0_i;
    wire [6:0] fpu1   = s7_ready_i & ~s7_unit1_i & s7_unit0_i;
    wire [6:0] send   = s7_ready_i & s7_unit1_i & ~s7_unit0_i;
    wire [6:0] branch = s7_ready_i & s7_unit1_i & s7_unit0_i;
    // Who waited already found a free unit full, or without a thread for it.
    wire       free   = ((any & s7_fresh_i) != 7'd0 && s7_occupied_i[1:0] != 2'b11) ||
                        ((fpu1 & s7_fresh_i) != 7'd0 && !s7_occupied_i[1]) ||
                        ((send & s7_fresh_i) != 7'd0 && !s7_occupied_i[2]);
    wire       next   = ((s7_has_i & ~s7_held_i & ~s7_hold_i) | branch) != 7'd0 || free;

    // ---- s7: the first of each four ----
    wire [2:0]   wanted = {send != 7'd0, (any | fpu1) != 7'd0, any != 7'd0};
    wire [2:0]   waits  = wanted & s7_occupied_i;
    wire [26:0]  unit   = {{1'b0, s7_occ_left_i[23:16]} | {9{!waits[2]}},
                           {1'b0, s7_occ_left_i[15:8]} | {9{!waits[1]}},
                           {1'b0, s7_occ_left_i[7:0]} | {9{!waits[0]}}};
    wire [8:0]   resp   = {1'b0, s7_resp_left_i} | {9{!s7_resp_i}};
    wire [T-1:0] fpu0_d = {1'b0, s7_left_i[D-1:0]} | {T{!s7_flight_i[0]}};
    wire [T-1:0] fpu1_d = {1'b0, s7_left_i[2*D-1:D]} | {T{!s7_flight_i[1]}};
    wire [T-1:0] soon_d = {{(T-9){&s7_soon_i}}, s7_soon_i};
    wire [8:0]   begun, ends;
    wire [T-1:0] results;

    igpu_min4 #(.W(9)) u_begun (.data_i(s7_holds_i), .least_o(begun));
    igpu_min4 #(.W(9)) u_ends (.data_i({unit, resp}), .least_o(ends));
    igpu_min4 #(.W(T)) u_results (
        .data_i({fpu0_d, fpu1_d, soon_d, {(T-9){&s7_code_i}}, s7_code_i}),
        .least_o(results));

    // ---- s8: the first of all ----
    reg  [T-1:0] s8_begun_q, s8_ends_q, s8_results_q, s8_now_q;
    reg          s8_next_q;
    wire [T-1:0] soon;

    always @(posedge clk_i) begin
        if (s7_valid_i) begin
            s8_next_q    <= next;
            s8_now_q     <= s7_now_i;
            s8_begun_q   <= {{(T-9){&begun}}, begun};
            s8_ends_q    <= {{(T-9){&ends}}, ends};
            s8_results_q <= results;
        end
    end

    igpu_min4 #(.W(T)) u_soon (
        .data_i({NEVER, s8_begun_q, s8_ends_q, s8_results_q}), .least_o(soon));

    assign re_sleep_o = !s8_next_q && soon == NEVER;

    always @* begin
        re_wake_o = s8_now_q + NOW1;
        if (!s8_next_q)
            re_wake_o = s8_now_q + soon;
    end

endmodule

`default_nettype wire

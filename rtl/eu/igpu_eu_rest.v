// igpu_eu_rest - stages s7 and s8: in which cycle the context has something to do next.
//
// Function  The next cycle, if a thread may fetch or issue in it; else the first of: a
//           result of an FPU or a response, the end of a hold or of a wait for code, the
//           cycle in which a unit is free for which a thread is ready. None: it sleeps
//           until it is given something. In every cycle that is left out this way a
//           visit would change nothing.
// Timing    s7 inputs; re_*_q come two clocks later, as the visit leaves (s8).
// Contract  A full send queue has no end of its own: who gives the grant wakes the
//           context (igpu_array_tile).
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
    input  wire [6:0]               s7_late_i,
    input  wire [6:0]               s7_hold_i,
    input  wire [6:0]               s7_held_i,
    input  wire [6:0]               s7_ready_i,
    input  wire [6:0]               s7_unit1_i,
    input  wire [6:0]               s7_unit0_i,
    input  wire [6:0]               s7_fresh_i,    // fetched now, and can issue
    input  wire [55:0]              s7_free_at_i,
    input  wire [62:0]              s7_late_at_i,
    input  wire [2:0]               s7_occupied_i, // FPU0, FPU1, SEND are occupied
    input  wire [23:0]              s7_occ_left_i, // ... for so many cycles, 8 bits each
    input  wire [1:0]               s7_flight_i,   // FPU0, FPU1 have one in flight
    input  wire [2*`IGPU_DIST_W-1:0] s7_left_i,    // ... for so many cycles
    input  wire                     s7_resp_i,     // a response is being written
    input  wire [7:0]               s7_resp_left_i,
    output reg                      re_sleep_o,    // s8: no next cycle
    output reg  [`IGPU_STAMP_W-1:0] re_wake_o      // ... or this one
);

    localparam D = `IGPU_DIST_W;
    localparam [D:0] NEVER = {(D+1){1'b1}};

    wire [6:0] any    = s7_ready_i & ~s7_unit1_i & ~s7_unit0_i;
    wire [6:0] fpu1   = s7_ready_i & ~s7_unit1_i & s7_unit0_i;
    wire [6:0] send   = s7_ready_i & s7_unit1_i & ~s7_unit0_i;
    wire [6:0] branch = s7_ready_i & s7_unit1_i & s7_unit0_i;
    // Who waited already found a free unit full, or without a thread for it.
    wire       free   = ((any & s7_fresh_i) != 7'd0 && s7_occupied_i[1:0] != 2'b11) ||
                        ((fpu1 & s7_fresh_i) != 7'd0 && !s7_occupied_i[1]) ||
                        ((send & s7_fresh_i) != 7'd0 && !s7_occupied_i[2]);
    wire       next   = ((s7_has_i & ~s7_held_i & ~s7_hold_i) | branch) != 7'd0 || free;

    // ---- s7: the first of each kind ----
    reg  [8:0] unit_d, hold_d, code_d, at;
    reg  [8:0] s8_unit_q, s8_hold_q, s8_code_q, s8_resp_q;
    reg  [D:0] s8_fpu0_q, s8_fpu1_q;
    reg        s8_next_q;
    reg  [`IGPU_STAMP_W-1:0] s8_now_q;
    integer    i;

    always @* begin
        unit_d = 9'h1ff;
        hold_d = 9'h1ff;
        code_d = 9'h1ff;
        at     = 9'd0;
        if (!next) begin
            if (any != 7'd0 && s7_occupied_i[0])
                unit_d = {1'b0, s7_occ_left_i[7:0]};
            if ((any | fpu1) != 7'd0 && s7_occupied_i[1] &&
                {1'b0, s7_occ_left_i[15:8]} < unit_d)
                unit_d = {1'b0, s7_occ_left_i[15:8]};
            if (send != 7'd0 && s7_occupied_i[2] && {1'b0, s7_occ_left_i[23:16]} < unit_d)
                unit_d = {1'b0, s7_occ_left_i[23:16]};
            if (s7_hold_i != 7'd0)
                for (i = 0; i < `IGPU_SLOTS; i = i + 1) begin
                    at = {1'b0, s7_free_at_i[8*i +: 8] - s7_now_i[7:0]};
                    if (s7_hold_i[i] && at < hold_d)
                        hold_d = at;
                end
            if (s7_late_i != 7'd0)
                for (i = 0; i < `IGPU_SLOTS; i = i + 1) begin
                    at = s7_late_at_i[9*i +: 9] - s7_now_i[8:0];
                    if (s7_late_i[i] && at < code_d)
                        code_d = at;
                end
        end
    end

    always @(posedge clk_i) begin
        if (s7_valid_i) begin
            s8_next_q <= next;
            s8_now_q  <= s7_now_i;
            s8_unit_q <= unit_d;
            s8_hold_q <= hold_d;
            s8_code_q <= code_d;
            s8_resp_q <= s7_resp_i ? {1'b0, s7_resp_left_i} : 9'h1ff;
            s8_fpu0_q <= s7_flight_i[0] ? {1'b0, s7_left_i[D-1:0]} : NEVER;
            s8_fpu1_q <= s7_flight_i[1] ? {1'b0, s7_left_i[2*D-1:D]} : NEVER;
        end
    end

    // ---- s8: the first of all ----
    reg [8:0] a, b, c;
    reg [D:0] d, soon;

    always @* begin
        a = (s8_unit_q < s8_hold_q) ? s8_unit_q : s8_hold_q;
        b = (s8_code_q < s8_resp_q) ? s8_code_q : s8_resp_q;
        c = (a < b) ? a : b;
        d = (s8_fpu0_q < s8_fpu1_q) ? s8_fpu0_q : s8_fpu1_q;
        soon = (c != 9'h1ff && {2'd0, c} < d) ? {2'd0, c} : d;
        if (s8_next_q)
            soon = {{D{1'b0}}, 1'b1};
        re_sleep_o = soon == NEVER;
        re_wake_o  = s8_now_q + soon;
    end

endmodule

`default_nettype wire

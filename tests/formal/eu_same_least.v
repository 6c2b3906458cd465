// eu_same_least - of one shell, for eu_same_proof: the next cycle that a visit names, by that
// shell's own state behind the visit. It is the next one where a thread may fetch or issue
// in it; else the first end of a hold, of a wait for code, of a unit that is waited for, of a
// result of an FPU, of a response; where there is none the context sleeps. Said of each end
// by itself, for two numbers that are the least of one list are the same number, and a solver
// need not find that.
`default_nettype none
`include "igpu_eu.vh"

module eu_same_least (
    input  wire [`IGPU_STAMP_W-1:0]  now_i,        // the visit's cycle
    input  wire                      next_i,       // something may fetch or issue in the next
    input  wire                      sleep_i,      // the visit names none,
    input  wire [`IGPU_STAMP_W-1:0]  wake_i,       // or this one
    input  wire [6:0]                hold_i,       // threads that the front end holds
    input  wire [55:0]               free_at_i,    // ... until then, 8 bits each
    input  wire [6:0]                late_i,       // that wait for code
    input  wire [62:0]               late_at_i,    // ... until then, 9 bits each
    input  wire [6:0]                ready_i,      // that may issue,
    input  wire [6:0]                unit1_i,      // to these units
    input  wire [6:0]                unit0_i,
    input  wire [2:0]                taken_i,      // FPU0, FPU1, SEND are occupied
    input  wire [3*`IGPU_DIST_W-1:0] until_i,      // ... until then
    input  wire [1:0]                flying_i,     // FPU0, FPU1 have a result to come
    input  wire [2*`IGPU_DIST_W-1:0] due_i,        // ... then
    input  wire                      writes_i,     // a response is being written
    input  wire [7:0]                written_i,    // ... until then
    output reg  [21:0]               bad_o         // must be 0: by end; [20]: the next cycle;
                                                   // [21]: another cycle than all of them
);

    localparam T = `IGPU_STAMP_W;
    localparam D = `IGPU_DIST_W;

    wire [T-1:0]     after = wake_i - now_i;
    wire [6:0]       any   = ready_i & ~unit1_i & ~unit0_i;
    wire [6:0]       fpu1  = ready_i & ~unit1_i & unit0_i;
    wire [6:0]       send  = ready_i & unit1_i & ~unit0_i;
    reg  [19:0]      is;                           // these ends are to come,
    reg  [20*D-1:0]  left;                         // ... in so many cycles
    reg              one;
    reg  [7:0]       left8;
    reg  [8:0]       left9;
    reg  [D-1:0]     left10;
    integer          i;

    always @* begin
        is = {writes_i, flying_i, {send != 7'd0, (any | fpu1) != 7'd0, any != 7'd0} & taken_i,
              late_i, hold_i};
        for (i = 0; i < 7; i = i + 1) begin
            left8 = free_at_i[8*i +: 8] - now_i[7:0];
            left9 = late_at_i[9*i +: 9] - now_i[8:0];
            left[D*i +: D]       = {2'd0, left8};
            left[D*(7 + i) +: D] = {1'b0, left9};
        end
        for (i = 0; i < 3; i = i + 1) begin
            left10 = until_i[D*i +: D] - now_i[D-1:0];
            left[D*(14 + i) +: D] = {2'd0, left10[7:0]};
        end
        for (i = 0; i < 2; i = i + 1)
            left[D*(17 + i) +: D] = due_i[D*i +: D] - now_i[D-1:0];
        left8 = written_i - now_i[7:0];
        left[D*19 +: D] = {2'd0, left8};

        one = is == 20'd0 && sleep_i;
        for (i = 0; i < 20; i = i + 1) begin
            bad_o[i] = !next_i && is[i] && (sleep_i || after > {1'b0, left[D*i +: D]});
            one      = one || (is[i] && !sleep_i && after == {1'b0, left[D*i +: D]});
        end
        bad_o[20] = next_i && (sleep_i || after != {{(T-1){1'b0}}, 1'b1});
        bad_o[21] = !next_i && !one;
    end

endmodule

`default_nettype wire

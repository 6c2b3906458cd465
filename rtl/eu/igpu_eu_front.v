// igpu_eu_front - stage s6: the front end. What an issue and a fetch do to a thread.
//
// Function  A thread that issues holds no instruction any more, and the front end holds
//           it for fe - 1 cycles (fe 2: not at all), which igpu_eu_held has. A thread that has
//           fetched holds one,
//           which may issue from the next cycle on if none of its bits is busy; with the
//           last of a run it waits for the next run's code.
// Timing    fr_*_q are for s7, where they are written back.
// Contract  A thread that fetches does not issue in the same cycle. Who issues holds an
//           instruction; who fetches holds none, and the front end does not hold it.
// Reset     None.
// Model     csim/ref/eu.c: issue(), fetch().  Tests: tests/cosim/test_array.c
// Source    docs/contract/model.md sections 4.2 and 4.5

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"

module igpu_eu_front (
    input  wire                     clk_i,
    input  wire                     s6_valid_i,
    input  wire [`IGPU_STAMP_W-1:0] s6_now_i,
    input  wire [6:0]               s6_has_i,      // as in igpu_eu_look
    input  wire [6:0]               s6_late_i,
    input  wire [6:0]               s6_hold_i,
    input  wire [6:0]               s6_young_i,
    input  wire [6:0]               s6_held_i,
    input  wire [6:0]               s6_ready_i,
    input  wire [6:0]               s6_unit1_i,
    input  wire [6:0]               s6_unit0_i,
    input  wire [55:0]              s6_free_at_i,
    input  wire [62:0]              s6_late_at_i,
    input  wire [3:0]               s6_issue_i,    // the unit issues
    input  wire [27:0]              s6_who_i,      // for this thread, 7 bits each
    input  wire [11:0]              s6_slot_i,     // the same as numbers, 3 bits each
    input  wire [3:0]               s6_held_by_i,  // the front end holds it
    input  wire [31:0]              s6_fe_i,       // ... for so many cycles, 8 bits each
    input  wire                     s6_eot_i,      // SEND ends its thread
    input  wire                     s6_fetch_i,    // a thread has fetched:
    input  wire [6:0]               s6_new_i,      // this one,
    input  wire                     s6_met_i,      // what it needs is there,
    input  wire [1:0]               s6_unit_i,     // it goes to this unit;
    input  wire                     s6_last_i,     // its run is over,
    input  wire                     s6_more_i,     // another is there
    input  wire [7:0]               s6_wait_i,     // in so many cycles
    output reg  [6:0]               fr_has_q,
    output reg  [6:0]               fr_late_q,
    output reg  [6:0]               fr_hold_q,
    output reg  [6:0]               fr_young_q,
    output reg  [6:0]               fr_held_q,
    output reg  [6:0]               fr_ready_q,
    output reg  [6:0]               fr_unit1_q,
    output reg  [6:0]               fr_unit0_q,
    output reg  [55:0]              fr_free_at_q,
    output reg  [62:0]              fr_late_at_q,
    output reg                      fr_met_q,      // what was fetched may issue,
    output reg  [1:0]               fr_unit_q,     // to this unit
    output reg  [3:0]               fr_begun_q,    // these holds begin,
    output reg  [31:0]              fr_holds_q,    // for so many cycles, 8 bits each;
    output reg                      fr_later_q,    // a wait for code begins
    output reg  [8:0]               fr_code_q      // of so many
);

    `include "igpu_eu_front.vh"

    wire [6:0]  none  = 7'd0;
    wire [6:0]  fresh = s6_fetch_i ? s6_new_i : none;
    wire [6:0]  met   = s6_met_i ? fresh : none;
    wire [6:0]  gone  = (s6_issue_i[0] ? s6_who_i[6:0]   : none) |
                        (s6_issue_i[1] ? s6_who_i[13:7]  : none) |
                        (s6_issue_i[2] ? s6_who_i[20:14] : none) |
                        (s6_issue_i[3] ? s6_who_i[27:21] : none);
    wire [3:0]  holds = s6_issue_i & s6_held_by_i & {1'b1, !s6_eot_i, 2'b11};
    reg  [6:0]  hold;
    reg  [55:0] free_at;
    reg         there, later;
    reg  [8:0]  span, due;
    integer     u, j;

    always @* begin
        front_run(s6_more_i, s6_wait_i, s6_now_i[8:0], there, later, span, due);
        hold    = s6_hold_i;
        free_at = s6_free_at_i;
        for (u = 0; u < 4; u = u + 1)
            if (holds[u]) begin
                hold    = hold | s6_who_i[7*u +: 7];
                free_at = front_until(free_at, s6_slot_i[3*u +: 3], s6_now_i[7:0],
                                      s6_fe_i[8*u +: 8]);
            end
    end

    always @(posedge clk_i) begin
        if (s6_valid_i) begin
            fr_has_q   <= s6_last_i ? (s6_has_i & ~fresh) | (there ? fresh : none) : s6_has_i;
            fr_late_q  <= later ? s6_late_i | fresh : s6_late_i;
            fr_hold_q  <= hold;
            fr_young_q <= s6_young_i & ~fresh;
            fr_held_q  <= (s6_held_i & ~gone) | fresh;
            fr_ready_q <= (s6_ready_i & ~gone) | met;
            fr_unit1_q <= front_plane(s6_unit1_i, fresh, s6_unit_i[1]);
            fr_unit0_q <= front_plane(s6_unit0_i, fresh, s6_unit_i[0]);
            fr_met_q   <= s6_fetch_i && s6_met_i;
            fr_unit_q  <= s6_unit_i;
            fr_begun_q <= holds;
            fr_holds_q <= s6_fe_i;
            fr_later_q <= s6_fetch_i && later;
            fr_code_q  <= span;
            fr_free_at_q <= free_at;
            fr_late_at_q <= s6_late_at_i;
            if (later)
                for (j = 0; j < `IGPU_SLOTS; j = j + 1)
                    if (fresh[j])
                        fr_late_at_q[9*j +: 9] <= due;
        end
    end

    wire unused = &{1'b0, s6_now_i[`IGPU_STAMP_W-1:9]};

    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_REQUIRE(clk_i, !s6_valid_i || (gone & fresh) == none,
                  "a thread that fetches does not issue")
    `IGPU_REQUIRE(clk_i, !s6_valid_i || (gone & ~s6_held_i) == none,
                  "who issues holds an instruction")
    `IGPU_REQUIRE(clk_i, !s6_valid_i || (fresh & (s6_held_i | s6_hold_i)) == none,
                  "who fetches holds none, nor is held")

endmodule

`default_nettype wire

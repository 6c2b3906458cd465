// igpu_eu_look - stage s1: what time and the host have brought; who fetches.
//
// Function  Ends front-end holds and waits for the instruction cache that are over in
//           this cycle, takes the thread that was opened, and the one whose branch has
//           issued in the cycle before, and lets one thread fetch
//           that holds no instruction and is not held (lk_fetch_q, one-hot).
// State     The fetch pointer. The threads' words are read here and written in s7
//           (igpu_eu_rest): has, held, ready and so on, seven bits each.
// Timing    RAMs are read in s0; outputs are for s2.
// Contract  A hold or a wait ends in a cycle in which the context is visited: s7 names
//           that cycle to the sequencer. A thread is opened in a slot that has none.
// Reset     None: s0_first_i makes the state empty.
// Model     csim/ref/eu.c: timer_expire(), fetch().  Tests: tests/cosim/test_array.c
// Source    docs/contract/model.md sections 4.2 and 4.4

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"

module igpu_eu_look #(
    parameter ROWS = 8,                            // of the state RAMs: contexts
    parameter CW   = 3                             // log2 of ROWS
) (
    input  wire                     clk_i,
    input  wire                     s0_valid_i,
    input  wire                     s0_first_i,    // the state is empty
    input  wire [CW-1:0]            s0_ctx_i,
    input  wire                     s1_valid_i,
    input  wire [CW-1:0]            s1_ctx_i,
    input  wire [8:0]               s1_now_i,
    input  wire                     s1_open_i,     // a thread was opened two cycles ago
    input  wire [2:0]               s1_slot_i,     // in this slot; its code comes
    input  wire [7:0]               s1_wait_i,     // wait cycles after the last cycle
    input  wire                     s1_redir_i,    // a branch issued in the last cycle,
    input  wire [2:0]               s1_redir_slot_i, // of this thread; its code comes
    input  wire [7:0]               s1_redir_wait_i, // wait cycles after this cycle
    input  wire                     s7_valid_i,    // the threads' words, written back
    input  wire [CW-1:0]            s7_ctx_i,
    input  wire [55:0]              s7_flags_i,
    input  wire [55:0]              s7_free_i,
    input  wire [62:0]              s7_late_i,
    output reg  [6:0]               lk_has_q,      // the run has an instruction left
    output reg  [6:0]               lk_late_q,     // ... once its code has come, at
    output reg  [62:0]              lk_late_at_q,  // 9 bits of a cycle for each thread
    output reg  [6:0]               lk_hold_q,     // the front end holds it, until
    output reg  [55:0]              lk_free_at_q,  // 8 bits of a cycle for each thread
    output reg  [6:0]               lk_young_q,    // it has not fetched yet
    output reg  [6:0]               lk_held_q,     // holds an instruction,
    output reg  [6:0]               lk_ready_q,    // whose bits were there,
    output reg  [6:0]               lk_unit1_q,    // bit planes of its unit
    output reg  [6:0]               lk_unit0_q,
    output reg                      lk_fetch_q,    // a thread fetches
    output reg  [6:0]               lk_who_q,      // this one
    output reg                      lk_fresh_q     // its first instruction
);

    localparam RR_N = 7;
    `include "igpu_rr.vh"
    `include "igpu_eu_slot.vh"
    `include "igpu_eu_look.vh"

    // ---- the threads' words ----
    wire [55:0] free_at;
    wire [62:0] late_m;
    wire [6:0]  has_m, late_bits, hold_m, young_m, held_m, ready_m, unit1_m, unit0_m;

    igpu_ctx_ram #(.WIDTH(56), .DEPTH(ROWS), .AW(CW)) u_flags (
        .clk_i(clk_i), .re_i(s0_valid_i), .clear_i(s0_first_i), .raddr_i(s0_ctx_i),
        .rdata_o({has_m, late_bits, hold_m, young_m, held_m, ready_m, unit1_m, unit0_m}),
        .we_i(s7_valid_i), .waddr_i(s7_ctx_i), .wdata_i(s7_flags_i));
    igpu_ctx_ram #(.WIDTH(56), .DEPTH(ROWS), .AW(CW)) u_free (
        .clk_i(clk_i), .re_i(s0_valid_i), .clear_i(1'b0), .raddr_i(s0_ctx_i), .rdata_o(free_at),
        .we_i(s7_valid_i), .waddr_i(s7_ctx_i), .wdata_i(s7_free_i));
    igpu_ctx_ram #(.WIDTH(63), .DEPTH(ROWS), .AW(CW)) u_late (
        .clk_i(clk_i), .re_i(s0_valid_i), .clear_i(1'b0), .raddr_i(s0_ctx_i), .rdata_o(late_m),
        .we_i(s7_valid_i), .waddr_i(s7_ctx_i), .wdata_i(s7_late_i));

    // ---- what is over; who fetches ----
    wire [6:0] above_m;
    reg  [6:0] came, freed, slot, opened, has, late, hold, want, who, above;
    reg  [6:0] onward, later;                      // who is redirected; ... to code to come
    reg  [8:0] due;
    reg        there;                              // the opened thread's code
    integer    j;
    genvar     g;

    always @* begin
        came  = look_came(late_bits, late_m, s1_now_i);
        freed = look_freed(hold_m, free_at, s1_now_i[7:0]);
        look_given(s1_slot_i, s1_wait_i, s1_now_i, slot, there, due);
        opened = s1_open_i ? slot : 7'd0;
        onward = s1_redir_i ? slot_set(s1_redir_slot_i) : 7'd0;
        later  = (s1_redir_wait_i == 8'd0) ? 7'd0 : onward;
        has    = has_m | came | (there ? opened : 7'd0) | (onward & ~later);
        late   = (late_bits & ~came) | (there ? 7'd0 : opened) | later;
        hold   = hold_m & ~freed;
        want   = look_who(has, held_m, hold);
        who    = RR_0;
        above  = above_m;
        if (want != RR_0)
            rr_take(want, above_m, who, above);
    end

    igpu_ctx_ram #(.WIDTH(7), .DEPTH(ROWS), .AW(CW)) u_above (
        .clk_i(clk_i), .re_i(s0_valid_i), .clear_i(s0_first_i), .raddr_i(s0_ctx_i),
        .rdata_o(above_m),
        .we_i(s1_valid_i), .waddr_i(s1_ctx_i), .wdata_i(above));

    always @(posedge clk_i) begin
        if (s1_valid_i) begin
            lk_has_q     <= has;
            lk_late_q    <= late;
            lk_hold_q    <= hold;
            lk_young_q   <= young_m | opened;
            lk_held_q    <= held_m;
            lk_ready_q   <= ready_m;
            lk_unit1_q   <= unit1_m;
            lk_unit0_q   <= unit0_m;
            lk_free_at_q <= free_at;
            lk_late_at_q <= late_m;
            for (j = 0; j < `IGPU_SLOTS; j = j + 1)
                if (opened[j])
                    lk_late_at_q[9*j +: 9] <= due;
                else if (later[j])
                    lk_late_at_q[9*j +: 9] <= s1_now_i + {1'b0, s1_redir_wait_i};
            lk_who_q     <= who;
            lk_fresh_q   <= ((young_m | opened) & who) != 7'd0;
        end
        lk_fetch_q <= s1_valid_i && want != 7'd0;
    end

    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_REQUIRE(clk_i, !(s1_valid_i && s1_open_i) || s1_slot_i != 3'd7,
                  "a thread is opened in a slot")
    `IGPU_REQUIRE(clk_i, !(s1_valid_i && s1_open_i) ||
                         (slot & (has_m | late_bits | hold_m | held_m)) == 7'd0,
                  "a thread is opened in a slot that has none")
    `IGPU_REQUIRE(clk_i, !s1_valid_i || (onward & (has_m | late_bits)) == 7'd0,
                  "a thread is redirected that has no run")
    generate
        for (g = 0; g < `IGPU_SLOTS; g = g + 1) begin : g_contract
            `IGPU_SHADOW(wire [8:0] left = late_m[9*g +: 9] - s1_now_i;)
            `IGPU_REQUIRE(clk_i, !(s1_valid_i && late_bits[g]) || left <= 9'd256,
                          "a wait ends in a cycle in which the context is visited")
        end
    endgenerate

endmodule

`default_nettype wire

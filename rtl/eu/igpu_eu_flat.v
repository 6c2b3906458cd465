// igpu_eu_flat - the EU in one clock a visit: the shell for simulators.
//
// Function  What igpu_eu_pipe does in ten stages, one process does in one clock: it calls
//           the steps that the stages call (igpu_eu_*.vh), in the order s0 to s9. What the
//           stages pass on in registers is local here; their RAMs are arrays by context.
// Timing    A visit is decided in the clock in which s0 shows it, and leaves two clocks
//           later. wake_o tells its next cycle one clock after s0, or, where ask_o was
//           shown, one clock later: the answer has to be known.
// Contract  As igpu_eu_pipe and igpu_eu_store, but for visits of a context: the next may
//           come in the next clock.
//           A thread whose answer had length 0 is redirected once, in the cycle behind the
//           one in which its last instruction issued: it goes where that leads.
// Style     Blocking assignments, to state that nobody else sees: so a simulator computes
//           only what a visit needs. A step is left out where it would change nothing.
// Reset     rst_ni low, synchronous: no visit. s0_first_i makes a context's state empty.
// Model     csim/ref/eu.c.  Tests: tests/cosim/test_array.c, tests/rtl/igpu_eu_miter_tb.cpp
// Source    docs/develop/eu-pipeline.md

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"
`include "igpu_regs.vh"

module igpu_eu_flat #(
    parameter CONTEXTS    = 8,                       // EUs, 1 to 32
    parameter CW          = 3,                       // log2 of CONTEXTS, at least 1
    parameter STORE_DEPTH = 512,
    parameter STORE_AW    = 9
) (
    input  wire                     clk_i,
    input  wire                     rst_ni,
    input  wire                     oldest_i,        // units take the oldest thread
    input  wire                     s0_valid_i,      // a visit
    input  wire [CW-1:0]            s0_ctx_i,        // of this context
    input  wire [`IGPU_STAMP_W-1:0] s0_now_i,        // in this cycle
    input  wire                     s0_first_i,      // its state is empty
    input  wire                     s0_old_i,        // its last was over 256 cycles ago
    input  wire [1:0]               s0_runs_i,       // 0: a thread was opened, 1: a branch
                                                     // issued one cycle ago
    input  wire [2:0]               s0_open_slot_i,
    input  wire [`IGPU_UOP_W-1:0]   s0_open_pc_i,    // its first run
    input  wire [`IGPU_LEN_W-1:0]   s0_open_len_i,
    input  wire [7:0]               s0_open_wait_i,
    input  wire [2:0]               s0_redir_slot_i, // the branch's thread,
    input  wire [`IGPU_UOP_W-1:0]   s0_redir_pc_i,   // and its next run
    input  wire [`IGPU_LEN_W-1:0]   s0_redir_len_i,
    input  wire [7:0]               s0_redir_wait_i,
    input  wire                     s0_done_i,       // a response arrived
    input  wire [2:0]               s0_done_slot_i,
    input  wire [`IGPU_UOP_W-1:0]   s0_done_uop_i,
    input  wire                     s0_full_i,       // the send queue is full
    input  wire                     store_we_i,      // write an instruction
    input  wire [STORE_AW-1:0]      store_addr_i,
    input  wire [`IGPU_CTL_W-1:0]   store_ctl_i,
    input  wire [7:0]               store_dur_i,
    input  wire [`IGPU_SET_W-1:0]   store_set_i,
    input  wire [`IGPU_NEED_W-1:0]  store_need_i,
    output reg                      ask_o,           // a thread's next run is wanted:
    output wire [CW-1:0]            ask_ctx_o,
    output wire [2:0]               ask_slot_o,
    output wire [`IGPU_STAMP_W-1:0] ask_now_o,       // in this cycle
    input  wire [`IGPU_UOP_W-1:0]   run_pc_i,        // here it is, in the same clock;
                                                     // length 0: s0_runs_i tells
    input  wire [`IGPU_LEN_W-1:0]   run_len_i,
    input  wire [7:0]               run_wait_i,
    output reg                      ret_any_o,       // a visit,
    output reg  [CW-1:0]            ret_ctx_o,       // and what it issues:
    output reg  [`IGPU_STAMP_W-1:0] ret_now_o,       // in this cycle,
    output reg  [3:0]               ret_valid_o,     // to FPU0, FPU1, SEND, BRANCH,
    output reg  [11:0]              ret_slot_o,      // thread
    output reg  [`IGPU_UOP_W-1:0]   ret0_uop_o,      // and instruction of each;
    output reg  [`IGPU_UOP_W-1:0]   ret1_uop_o,
    output reg  [`IGPU_UOP_W-1:0]   ret2_uop_o,
    output reg  [`IGPU_UOP_W-1:0]   ret3_uop_o,
    output reg                      ret_eot_o,       // SEND: ends its thread,
    output reg                      ret_port_o,      // needs a credit,
    output reg  [`IGPU_STAMP_W-1:0] ret_from_o,      // can be granted from then on
    output reg                      ret_fetch_o,     // a thread has fetched
    output reg  [2:0]               ret_fetch_slot_o,
    output reg  [2:0]               ret_busy_o,      // FPU0, FPU1, SEND are occupied
    output reg  [23:0]              ret_left_o,      // ... for so many cycles
    output reg  [6:0]               ret_held_o,      // threads that hold an instruction
    output reg                      leave_o,         // a visit ends,
    output reg  [CW-1:0]            leave_ctx_o,     // of this context,
    output reg                      leave_sleep_o,   // which has no next cycle
    output reg  [`IGPU_STAMP_W-1:0] leave_wake_o,    // ... or this one
    output reg  [`IGPU_STAMP_W-1:0] wake_o           // the same of the last visit, as soon
                                                     // as it is known; the cycle before
                                                     // the visit's: none
);

    localparam ROWS = 1 << CW;                       // of the arrays by context: any number
                                                     // names one, and none is checked
    localparam T = `IGPU_STAMP_W;
    localparam D = `IGPU_DIST_W;
    localparam S = `IGPU_SET_W;
    localparam U = `IGPU_UOP_W;
    localparam L = `IGPU_LEN_W;
    localparam E = `IGPU_FLIGHT_W;
    localparam R = `IGPU_RESP_W;
    localparam M = `IGPU_WORD_W - U;                 // a word without its index
    localparam RR_N = 7;
    localparam PICK_CHAIN = 1;
    localparam [T-1:0] SOON1 = 1;
    localparam [T-1:0] NEVER = {T{1'b1}};

    `include "igpu_rr.vh"
    `include "igpu_eu_slot.vh"
    `include "igpu_eu_range.vh"
    `include "igpu_eu_look.vh"
    `include "igpu_eu_track.vh"
    `include "igpu_eu_resp.vh"
    `include "igpu_eu_board.vh"
    `include "igpu_eu_pick.vh"
    `include "igpu_eu_unit.vh"
    `include "igpu_eu_fetch.vh"
    `include "igpu_eu_front.vh"
    `include "igpu_eu_rest.vh"

    // ---- the instruction store; what an instruction needs, as bits ----
    reg [M+1:0]             store_word_m [0:STORE_DEPTH-1]; // {unit, its word}
    reg [63:0]              store_lo_m [0:STORE_DEPTH-1], store_hi_m [0:STORE_DEPTH-1];
    reg [7:0]               store_x_m [0:STORE_DEPTH-1];
    reg [8+S-1:0]           store_resp_m [0:STORE_DEPTH-1];
    reg [63:0]              store_lo, store_hi;

    always @(posedge clk_i) begin
        if (store_we_i) begin
            fetch_bits(store_set_i[`IGPU_SET_RANGE], store_need_i[`IGPU_NEED_RANGES], store_lo,
                       store_hi);
            store_word_m[store_addr_i] = {
                store_ctl_i[`IGPU_CTL_UNIT], store_set_i, front_hold(store_ctl_i[`IGPU_CTL_FE]),
                store_ctl_i[`IGPU_CTL_OCC], store_ctl_i[`IGPU_CTL_PORT],
                store_ctl_i[`IGPU_CTL_EOT], store_ctl_i[`IGPU_CTL_LAT]};
            store_lo_m[store_addr_i]   = store_lo;
            store_hi_m[store_addr_i]   = store_hi;
            store_x_m[store_addr_i]    = store_need_i[`IGPU_NEED_X];
            store_resp_m[store_addr_i] = {store_dur_i, store_set_i};
        end
    end

    // ---- state by context ----
    reg [6:0]     has_m [0:ROWS-1], late_m [0:ROWS-1], hold_m [0:ROWS-1];
    reg [6:0]     held_m [0:ROWS-1], ready_m [0:ROWS-1];
    reg [6:0]     unit1_m [0:ROWS-1], unit0_m [0:ROWS-1], fetch_above_m [0:ROWS-1];
    reg [62:0]    late_at_m [0:ROWS-1];
    reg [48:0]    older_m [0:ROWS-1];
    reg [8:0]     near_m [0:ROWS-1];                 // the first hold or wait ends then
    reg [6:0]     above0_m [0:ROWS-1], above1_m [0:ROWS-1], above2_m [0:ROWS-1];
    reg [6:0]     above3_m [0:ROWS-1];
    reg           flying0_m [0:ROWS-1], flying1_m [0:ROWS-1];
    reg [E-1:0]   head0_m [0:ROWS-1], head1_m [0:ROWS-1];
    reg [3:0]     wr0_m [0:ROWS-1], rd0_m [0:ROWS-1], wr1_m [0:ROWS-1], rd1_m [0:ROWS-1];
    reg [6:0]     last0_m [0:ROWS-1], last1_m [0:ROWS-1];
    reg [E-1:0]   ring0_m [0:16*ROWS-1], ring1_m [0:16*ROWS-1];
    reg           taken0_m [0:ROWS-1], taken1_m [0:ROWS-1], taken2_m [0:ROWS-1];
    reg [D-1:0]   until0_m [0:ROWS-1], until1_m [0:ROWS-1], until2_m [0:ROWS-1];
    reg           writes_m [0:ROWS-1];               // a response is being written
    reg [7:0]     written_m [0:ROWS-1];              // ... until then
    reg [R-1:0]   response_m [0:ROWS-1];
    reg [6:0]     rwr_m [0:ROWS-1], rrd_m [0:ROWS-1];
    reg [R-1:0]   rring_m [0:128*ROWS-1];
    // by thread
    reg [63:0]    busy_lo_m [0:8*ROWS-1], busy_hi_m [0:8*ROWS-1];
    reg [63:0]    need_lo_m [0:8*ROWS-1], need_hi_m [0:8*ROWS-1];
    reg [7:0]     busy_x_m [0:8*ROWS-1], need_x_m [0:8*ROWS-1];
    reg [`IGPU_WORD_W-1:0] word_m [0:8*ROWS-1];
    reg [L+U-1:0] place_m [0:8*ROWS-1];
    reg [7:0]     free_at_m [0:8*ROWS-1];

    // ---- of the last visit, until it leaves; asked: an answer comes ----
    reg           visited, asked;
    reg [CW-1:0]  ctx;
    reg [2:0]     fresh_slot;
    reg [T-1:0]   now, soon;                         // soon: to its next cycle

    // ---- of one clock ----
    reg [6:0]     has, late, hold, held, ready, unit1, unit0, cleared, met, gone, fresh;
    reg [6:0]     who, came, opened, any, fpu1, send, branch;
    reg [62:0]    late_at;
    reg [6:0]     who0, who1, who2, who3;
    reg [8:0]     near, due, span;
    reg           there, later, over, instant, from_q, direct, push, writes, last;
    reg           done0, done1;
    reg [2:0]     waits, slot;
    reg [3:0]     can, issues;
    reg           taken0, taken1, taken2;            // FPU0, FPU1, SEND
    reg [7:0]     left0, left1, left2, left8, next8, dur, need_x;
    reg [R-1:0]   response;
    reg [E-1:0]   entry;
    reg [D-1:0]   d;
    reg [U-1:0]   uop;
    reg [L-1:0]   run;
    reg [M+1:0]   stored;
    reg [S-1:0]   set;
    reg [63:0]    lo, hi;
    reg [`IGPU_WORD_W-1:0] word;
    reg [CW+2:0]  at;
    integer       i;

    // One context needs no number.
    `define CTX ((CONTEXTS == 1) ? {CW{1'b0}} : ctx)
    `include "igpu_eu_flat_wait.vh"
    `include "igpu_eu_flat.vh"
    `undef CTX

    // Blocking on purpose: see Style above.
    always @(posedge clk_i) begin
        // What lives for one clock begins here: a simulator keeps it in registers.
        {has, late, hold, held, ready, unit1, unit0, cleared, met, gone, fresh} = 77'd0;
        {who, came, opened, any, fpu1, send, branch} = 49'd0;
        {late_at, who0, who1, who2, who3, near, due, span} = 118'd0;
        {there, later, over, instant, from_q, direct, push, writes, last} = 9'd0;
        {done0, done1, taken0, taken1, taken2, waits, slot, can, issues} = 19'd0;
        {left0, left1, left2, left8, next8, dur, need_x, response, entry, d, uop, run, stored, set} =
            {(24 + 32 + R + E + D + U + L + M + 2 + S){1'b0}};
        {lo, hi, word} = 192'd0;
        at = {(CW+3){1'b0}};

        leave_o <= visited && rst_ni;
        if (asked) begin
            answer;
            wake_o <= now + soon;
        end
        if (visited) begin
            leave_ctx_o   <= ctx;
            leave_sleep_o <= soon == NEVER;
            leave_wake_o  <= now + soon;
        end
        visited     = s0_valid_i && rst_ni;
        asked       = 1'b0;
        ask_o       <= 1'b0;
        ret_any_o   <= visited;
        ret_valid_o <= 4'd0;
        ret_fetch_o <= 1'b0;
        if (visited) begin
            begin_visit;
            look;
            results;
            respond;
            pick;
            if (issues != 4'd0)
                issue;
            if (who != 7'd0)
                fetch;
            rest;
            end_visit;
        end
    end

    assign ask_ctx_o  = ret_ctx_o;
    assign ask_now_o  = ret_now_o;
    assign ask_slot_o = ret_fetch_slot_o;

    wire unused = &{1'b0, s0_done_uop_i};

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, s0_valid_i || !(s0_runs_i != 2'd0 || s0_done_i),
                  "who is given something is visited")
    `IGPU_REQUIRE(clk_i, !(s0_valid_i && s0_runs_i[0]) || s0_open_slot_i != 3'd7,
                  "a thread is opened in a slot")
    `IGPU_REQUIRE(clk_i, !s0_valid_i || {{(32-CW){1'b0}}, s0_ctx_i} < CONTEXTS,
                  "a visit is of a context")
    `IGPU_REQUIRE(clk_i, !store_we_i || store_ctl_i[`IGPU_CTL_UNIT] == `IGPU_UNIT_BRANCH ||
                         store_ctl_i[`IGPU_CTL_OCC] != 8'd0, "an instruction has an occupancy")
    `IGPU_REQUIRE(clk_i, !store_we_i || store_ctl_i[`IGPU_CTL_FE] >= 8'd2,
                  "an instruction has a front-end time of 2 or more")
    `IGPU_REQUIRE(clk_i, !store_we_i || store_dur_i != 8'd0, "a duration is 1 to 255")
    `IGPU_REQUIRE(clk_i, !store_we_i || {{(32-STORE_AW){1'b0}}, store_addr_i} < STORE_DEPTH,
                  "indices are below STORE_DEPTH")

endmodule

`default_nettype wire

// igpu_eu_seq - sequencer of an EU pipeline: which context is visited next.
//
// Function  In each target cycle it visits every context that has something to do in
//           it: what the last visit named as its next cycle (wake), and what is given
//           an input. A context whose visit is under way is not visited again, nor one that
//           waits (wait_i): the cycle is not over before it was. When
//           calm_o, nothing is left to do in this cycle, and all of the cycle before
//           has left the pipeline: time may go on (tick_i). When asleep_o, nothing is
//           to do in this cycle or under way, and soon_o is how many cycles it is to
//           the next one with work (all ones: only an input brings some): at once where
//           LEAPS, for simulators, whose time leaps; else by a search of its own.
// Timing    One visit a clock. A context chosen in a clock is on sq_*_q in the next
//           (stage s0); it comes back through leave_*_i when its state is written.
//           calm_o comes a clock after the choice of the cycle's last context at the
//           earliest: the choice is not part of its logic. Without LEAPS soon_o is right
//           CONTEXTS / 2 + 2 clocks after the last change, too large until then.
// Contract  tick_i only while calm_o; the next clock is then in cycle next_i: the next one,
//           or while asleep_o any cycle up to the next multiple of 256 and to the next one
//           with work. given_i belongs to it.
// Reset     rst_ni low, synchronous: nothing to do; each context's first visit says so
//           (sq_first_q), and its stages then take their state as empty.
// Model     csim/ref/eu.c: next_from().  Tests: tests/rtl/igpu_eu_seq_tb.v
// Source    docs/develop/eu-pipeline.md#sequencer

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"

module igpu_eu_seq #(
    parameter LEAPS    = 1,
    parameter CONTEXTS = 8,                        // 1 to 32
    parameter CW       = 3                         // log2 of CONTEXTS, at least 1
) (
    input  wire                     clk_i,
    input  wire                     rst_ni,
    input  wire                     go_i,          // visits may begin
    input  wire                     tick_i,        // the cycle is over
    input  wire [`IGPU_STAMP_W-1:0] now_i,         // the cycle,
    input  wire [`IGPU_STAMP_W-1:0] next_i,        // and the one that follows
    input  wire [CONTEXTS-1:0]      given_i,       // with tick_i: they get an input
    input  wire [CONTEXTS-1:0]      wait_i,        // not visited yet
    output wire                     calm_o,        // the cycle may be over
    output wire                     empty_o,       // no visit is under way
    output wire                     asleep_o,      // ... nor due,
    output wire [`IGPU_STAMP_W-1:0] soon_o,        // for so many cycles
    output wire [CONTEXTS-1:0]      first_o,       // who is next, one-hot:
    output wire [CONTEXTS-1:0]      pick_o,        // chosen in this clock
    input  wire                     leave_i,       // a visit ends,
    input  wire [CW-1:0]            leave_ctx_i,   // of this context,
    input  wire                     leave_sleep_i, // which has no next cycle of its own
    input  wire [`IGPU_STAMP_W-1:0] leave_wake_i,  // ... or this one
    output reg                      sq_valid_q,    // a visit begins
    output reg  [CW-1:0]            sq_ctx_q,
    output reg  [`IGPU_STAMP_W-1:0] sq_now_q,      // in this cycle
    output reg                      sq_first_q,    // the context's first since reset
    output reg                      sq_old_q       // its last was over 256 cycles ago
);

    localparam T = `IGPU_STAMP_W;
    localparam [CONTEXTS-1:0]      ONE  = 1;
    localparam [CONTEXTS-1:0]      NONE = 0;

    reg  [CONTEXTS-1:0]      due_q;                // to be visited in this cycle
    reg  [CONTEXTS-1:0]      flying_q;             // its visit is under way
    reg  [CONTEXTS-1:0]      first_q;
    reg  [CONTEXTS-1:0]      alarm_q;              // has a next cycle: wake_q
    reg  [CONTEXTS-1:0]      aged_q, old_q;        // 256-cycle marks since the last visit
    reg  [T*CONTEXTS-1:0]    wake_q;               // T bits each
    reg  [3:0]               flights_q, late_q;    // visits under way; of the cycle before

    // ---- who is next ----
    // first_o does not wait for go_i: what it chooses is a visit only with it.
    wire [CONTEXTS-1:0] ready = due_q & ~flying_q & ~wait_i;
    wire [CONTEXTS-1:0] pick  = go_i ? first_o : NONE;
    wire [CONTEXTS-1:0] rest  = due_q & ~pick;
    wire [31:0]         wide  = {{(32-CONTEXTS){1'b0}}, first_o};
    wire [4:0]          index = {|wide[31:16], |(wide & 32'hff00ff00),
                                 |(wide & 32'hf0f0f0f0), |(wide & 32'hcccccccc),
                                 |(wide & 32'haaaaaaaa)};
    wire                chosen = go_i && ready != NONE;

    assign first_o = ready & (~ready + ONE);
    assign pick_o  = pick;
    assign calm_o  = due_q == NONE && late_q == 4'd0;
    assign empty_o = flights_q == 4'd0;
    assign asleep_o = empty_o && due_q == NONE;

    // ---- who is due in the cycle that the next clock is in ----
    wire [CONTEXTS-1:0]      left  = leave_i ? ONE << leave_ctx_i : NONE;
    wire                     same  = leave_wake_i == now_i;
    wire                     next  = leave_wake_i == next_i;
    wire                     more  = leave_i && !leave_sleep_i;
    wire                     mark  = tick_i && now_i[7:0] == 8'hff;
    reg  [CONTEXTS-1:0]      woken;
    integer                  k, n;

    always @* begin
        woken = NONE;
        if (tick_i)
            for (k = 0; k < CONTEXTS; k = k + 1)
                woken[k] = alarm_q[k] && wake_q[T*k +: T] == next_i;
    end

    // tick_i comes last: all else is chosen by it.
    wire [CONTEXTS-1:0] then = (woken & ~pick) | given_i | ((more && next) ? left : NONE);
    wire [CONTEXTS-1:0] come = tick_i ? then : (more && same) ? left : NONE;

    // ---- visits under way ----
    reg [3:0] flights;

    always @* begin
        flights = flights_q;
        if (chosen && !leave_i)
            flights = flights_q + 4'd1;
        else if (!chosen && leave_i)
            flights = flights_q - 4'd1;
    end

    // ---- how long it sleeps ----
    generate
        if (LEAPS != 0) begin : g_leaps
            reg [T-1:0] soon, left_k;
            integer     j;

            always @* begin
                soon   = {T{1'b1}};
                left_k = {T{1'b0}};
                if (asleep_o)
                    for (j = 0; j < CONTEXTS; j = j + 1) begin
                        left_k = wake_q[T*j +: T] - now_i;
                        if (alarm_q[j] && left_k < soon)
                            soon = left_k;
                    end
            end

            assign soon_o = soon;
        end else begin : g_walks
            igpu_nearest #(.N(CONTEXTS), .W(T)) u_soon (
                .clk_i(clk_i), .still_i(rst_ni && asleep_o && !tick_i), .now_i(now_i),
                .set_i(alarm_q), .marks_i(wake_q), .soon_q(soon_o));
        end
    endgenerate

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            due_q     <= NONE;
            flying_q  <= NONE;
            first_q   <= ~NONE;
            alarm_q   <= NONE;
            aged_q    <= NONE;
            old_q     <= NONE;
            flights_q <= 4'd0;
            late_q    <= 4'd0;
        end else begin
            due_q    <= rest | come;
            flying_q <= (flying_q | pick) & ~left;
            alarm_q  <= (alarm_q & ~pick) | (leave_sleep_i ? NONE : left);
            if (leave_i)
                for (n = 0; n < CONTEXTS; n = n + 1)
                    if (left[n])
                        wake_q[T*n +: T] <= leave_wake_i;
            flights_q <= flights;
            if (tick_i)
                late_q <= flights;
            else if (leave_i && late_q != 4'd0)
                late_q <= late_q - 4'd1;
            // A visit belongs to the cycle before the mark that falls into its clock.
            old_q  <= (old_q & ~pick) | (mark ? aged_q & ~pick : NONE);
            aged_q <= mark ? ~NONE : aged_q & ~pick;
            if (chosen)
                first_q <= first_q & ~pick;
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni)
            sq_valid_q <= 1'b0;
        else
            sq_valid_q <= chosen;
        sq_ctx_q   <= index[CW-1:0];
        sq_now_q   <= now_i;
        sq_first_q <= (first_q & first_o) != NONE;
        sq_old_q   <= (old_q & first_o) != NONE;
    end

    wire unused = &{1'b0, index};

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_SHADOW(wire [T-1:0] leap = next_i - now_i;)
    `IGPU_REQUIRE(clk_i, !tick_i || calm_o, "tick_i only while calm_o")
    `IGPU_REQUIRE(clk_i, !tick_i || leap == {{(T-1){1'b0}}, 1'b1} ||
                         (asleep_o && leap != {T{1'b0}} && leap <= soon_o &&
                          (next_i[T-1:8] == now_i[T-1:8] || leap + {3'd0, now_i[7:0]} == 11'd256)),
                  "time leaps while asleep_o, to no farther than the next cycle with work")
    `IGPU_REQUIRE(clk_i, !leave_i || (left & ~flying_q) == NONE, "who leaves was visited")

endmodule

`default_nettype wire

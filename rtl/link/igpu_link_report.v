// igpu_link_report - what the array did, as event words; lets its clock run.
//
// Function  After each clock of the array (en_q) tells what it brought, one by one
//           (igpu_link_brought has the first that is not in seen_q). Meanwhile, and while
//           something is to be answered, the array's clock stands: so nothing is lost, and
//           time goes on only when an output had room, the run that was asked for was
//           there (or the host has said what its code waits for), and an opened thread has
//           its first run. Where the store has a part of the kernel (paged_i) time is held
//           instead (hold_i) when a cycle is over, and where branches have issued behind
//           which there is no run the array stands by itself (stands_i). The host is told
//           when nothing moves any more (EV_HELD), again after each run, first run or
//           redirect (more_i).
// Timing    Four clocks an event, one more with a TIME word, which comes first where the
//           cycle differs from the last event's: event stamps never go back. What is told
//           is picked in the first, its word made in the second, while the array stands.
//           en_q is a register, and the edge that it lets through ends its clock. What
//           that brings is looked at in the next one, so the array's clock runs in every
//           second clock at most. IDLE is told after REST clocks of the array at the
//           limit: so long its search for soon_i takes.
// Contract  The array's outputs change with its clock only. After a mark (mark_o) the
//           limit has three clocks to follow (igpu_link_wall) and be compared.
// Reset     rst_ni low, synchronous; begin_i: a launch, stamps from launch_now_i on.
// Tests     tests/cosim/test_fpga.c
// Source    docs/develop/fpga.md#time, docs/develop/fpga.md#events

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"
`include "igpu_link.vh"
`include "igpu_regs.vh"

module igpu_link_report #(
    parameter TILES    = 3,
    parameter EUS      = 8,
    parameter CONTEXTS = 24,
    parameter CW       = 5,
    parameter RETIRE   = 1,                        // can report each issue
    parameter PIPES    = TILES * EUS / CONTEXTS,   // not to be set
    parameter N        = 2 * TILES + 1 + 5 * PIPES // not to be set: what a clock may bring
) (
    input  wire                     clk_i,
    input  wire                     rst_ni,
    output reg                      en_q,          // the array's clock runs
    // ---- the array ----
    input  wire [`IGPU_NOW_W-1:0]   now_i,
    input  wire                     tick_i,
    input  wire                     idle_i,
    input  wire                     asleep_i,      // nothing happens by itself
    input  wire [`IGPU_STAMP_W-1:0] soon_i,        // ... for so long
    output reg                      ran_q,         // its clock ran, and
    output reg                      ticked_q,      // a cycle ended with that
    output reg  [N-1:0]             seen_q,        // what of it was told
    output wire                     stream_o,      // each issue is told, not ends alone
    input  wire                     any_i,         // the first that was not seen:
    input  wire [N-1:0]             pick_i,        // one-hot
    output reg  [N-1:0]             pick_q,        // of this:
    input  wire [27:0]              word_i,
    input  wire                     prior_i,       // in the cycle before now
    input  wire [7:0]               units_left_i,  // with an end
    output reg  [29*PIPES-1:0]      run_q,         // the answers {pc, length}
    output reg  [8*PIPES-1:0]       run_wait_q,
    input  wire [PIPES-1:0]         branch_i,      // BRANCH's thread has no next run,
    input  wire                     stands_i,      // ... and nothing else is left to do
    output reg  [5:0]               count_pipe_q,  // counters
    output reg  [CW-1:0]            count_ctx_q,
    output reg  [4:0]               count_word_q,
    input  wire [`IGPU_COUNT_W-1:0] count_data_i,
    // ---- the host's side ----
    input  wire                     begin_i,       // a launch
    input  wire [`IGPU_NOW_W-1:0]   launch_now_i,
    input  wire                     go_i,          // a new limit: tell when it is reached
    input  wire                     first_i,       // the first run of tile's open is there
    output reg  [2:0]               tile_q,        // ... of this tile
    output wire [8:0]               slot_o,        // queue of runs {tile, EU, slot}
    input  wire                     have_i,
    output wire                     read_o,
    input  wire [29:0]              run_i,
    input  wire                     half_i,
    input  wire [2:0]               place_i,       // the run's, in its queue
    input  wire                     wait_i,        // the answer to an ask
    input  wire [7:0]               wait_data_i,
    input  wire                     late_i,        // a DONE came too late
    input  wire                     retire_i,      // report issues, not ends alone
    input  wire                     paged_i,       // tell of each run that is taken
    input  wire                     hold_i,        // ... and that time is held
    input  wire                     more_i,        // again, once these came:
    input  wire [15:0]              more_count_i,  // runs so far
    input  wire                     count_i,       // read all counters
    output wire                     counted_o,     // ... these were all
    output wire [`IGPU_UOP_W-1:0]   kind_uop_o,    // kind of this message?
    input  wire [1:0]               kind_i,        // in the clock after next
    output wire                     mark_o,        // a message or an end:
    output wire [`IGPU_NOW_W-1:0]   mark_now_o,    // its cycle
    output reg  [1:0]               mark_kind_q,
    output wire                     ev_valid_o,    // an event word
    output wire [31:0]              ev_data_o,
    input  wire                     ev_room_i,
    output wire                     flush_o        // waits for the host
);

    localparam MSGS = 0, OPENS = TILES, OVER = 2 * TILES, RETS = OVER + 1;
    localparam ASKS = RETS + 4 * PIPES;
    localparam [`IGPU_NOW_W-1:0] NOW1 = 1;
    localparam [3:0] LOOK = 4'd0, KIND = 4'd1, TIME = 4'd2, PUSH = 4'd3, OPEN = 4'd4,
                     ASK = 4'd5, GOT = 4'd6, WAIT = 4'd7, TAKE = 4'd8, DONE = 4'd9,
                     ADDR = 4'd10, READ = 4'd11, TELL = 4'd12, LAST = 4'd13,
                     WALL = 4'd14, PICK = 4'd15;
    // igpu_array's search: a clock for four contexts, and for four pipelines, and two each.
    localparam REST = (CONTEXTS + 1) / 2 + (PIPES + 1) / 2 + 4;
    localparam [5:0]    STILL = 6'd63;            // clocks: longer than any visit takes
    localparam [5:0]    LAST_PIPE = PIPES[5:0] - 6'd1;
    localparam [CW-1:0] LAST_CTX  = CONTEXTS[CW-1:0] - 1'b1;

    reg  [3:0]             state_q;
    reg  [`IGPU_NOW_W-1:0] base_q;                 // the last event's cycle
    reg                    told_q, late_q;         // IDLE was told; a DONE was late
    reg                    follow_q;               // WALL's second clock
    reg  [5:0]             still_q;                // clocks in which time was held, and
    reg                    told_held_q;            // nothing moved; HELD was told
    reg  [20:0]            clocks_q;               // with a limit ahead; told in sixteens

    assign stream_o = RETIRE != 0 && retire_i;

    // ---- one event ----
    reg                    picked_q;               // something is in pick_q
    reg                    tell_late_q, tell_held_q; // ... or else: what is told instead
    reg  [27:0]            word_q;
    reg  [7:0]             left_q;
    reg  [3:0]             tag_q;
    reg  [`IGPU_NOW_W-1:0] stamp_q;
    reg                    msg_q, open_q, send_q, ask_q, half_q;
    reg                    waits_q;                // a clock ago: state ASK
    reg                    stands_q;               // ... stands_i
    wire                   stays = hold_i || stands_q; // until the host has sent something
    reg                    have_q;                 // ... and have_i
    reg                    idle_q;                 // a clock ago: at the limit
    reg  [4:0]             rested_q;               // the array's clocks there
    reg                    due_idle_q, due_held_q; // IDLE, HELD is to be told
    reg  [15:0]            more_count_q;
    wire                   look = state_q == LOOK && !en_q; // the outputs are what they are
    wire                   idle = due_idle_q && !go_i;
    wire                   held = due_held_q && !more_i && !idle;
    wire                   tells = idle || late_q || held;
    wire [PIPES-1:0]       asks = pick_q[N-1:ASKS];
    wire                   msg  = pick_q[MSGS +: TILES] != {TILES{1'b0}};
    reg                    branch;                 // its thread is redirected
    wire                   open = pick_q[OPENS +: TILES] != {TILES{1'b0}};
    wire                   send = pick_q[ASKS-1:RETS] != {(4*PIPES){1'b0}} &&
                                  word_i[`IGPU_LINK_UNIT] == `IGPU_UNIT_SEND;
    wire                   end_now = send_q && mark_kind_q == `IGPU_LINK_KIND_EOT;
    wire                   counting = count_i && told_q && idle_q;
    wire                   all_words = count_word_q == ~5'd0;
    wire                   all_ctx = count_ctx_q == LAST_CTX;
    reg  [27:0]            event_word;             // as it is told
    reg  [27:0]            delta_q;                // to stamp_q, of a clock ago
    reg                    same_q;
    wire [`IGPU_NOW_W-1:0] delta = stamp_q - base_q;
    wire [27:0]            rest;                   // of EV_IDLE
    wire                   pushing = state_q == PUSH || (state_q == TIME && same_q);
    wire                   pushed  = ev_room_i || !ev_valid_o;

    assign rest[`IGPU_LINK_IDLE_SOON]   = asleep_i ? soon_i : 11'd0;
    assign rest[`IGPU_LINK_IDLE_CLOCKS] = clocks_q[20:4];
    assign slot_o     = word_q[`IGPU_LINK_PLACE];
    assign kind_uop_o = word_q[`IGPU_LINK_UOP];
    assign read_o     = state_q == ASK && waits_q && have_q;
    // Not in reset: what an old session could not tell would be the new one's first event.
    assign ev_valid_o = rst_ni && (state_q == TIME || state_q == PUSH || state_q == TELL ||
                                   (state_q == TAKE && half_q));
    assign ev_data_o  = (state_q == TIME && !same_q) ? {4'd`IGPU_LINK_EV_TIME, delta_q} :
                        (state_q == TAKE) ? {4'd`IGPU_LINK_EV_TAKE, word_q} :
                        (state_q == TELL) ? {4'd`IGPU_LINK_EV_COUNT, 4'd0, count_data_i} :
                                            {tag_q, event_word};
    assign mark_o     = state_q == WALL && !follow_q && (msg_q || end_now);
    assign counted_o  = state_q == TELL && pushed && all_words && all_ctx &&
                        count_pipe_q == LAST_PIPE;
    assign mark_now_o = stamp_q;
    assign flush_o    = (state_q == LOOK && told_q && idle_q && !count_i && !stays) ||
                        (state_q == LOOK && told_held_q && stays) || state_q == OPEN ||
                        (state_q == ASK && waits_q && !have_q) || state_q == WAIT;

    wire ends = (pushing && pushed && !open_q && !ask_q) ||
                (state_q == OPEN && (first_i || paged_i)) ||
                (state_q == TAKE && pushed);

    always @(posedge clk_i) begin
        // Counters are read with the array's clock, which changes nothing while it stands.
        en_q <= !en_q && (!rst_ni || state_q == ADDR || state_q == READ ||
                          (look && !any_i && !tells));
        if (!rst_ni) begin
            state_q <= LOOK;
        end else begin
            case (state_q)
                LOOK:
                    if (!look)
                        state_q <= LOOK;
                    else if (any_i || tells)
                        state_q <= PICK;
                    else if (counting)
                        state_q <= ADDR;
                PICK:    state_q <= (asks != {PIPES{1'b0}}) ? ASK : KIND;
                KIND:    state_q <= TIME;          // same_q; the kind is read
                TIME, PUSH:
                    if (pushed)
                        state_q <= !pushing ? PUSH : open_q ? OPEN :
                                   ask_q ? WAIT :
                                   (msg_q || send_q) ? WALL : LOOK;
                OPEN:    state_q <= (first_i || paged_i) ? DONE : OPEN;
                ASK:     state_q <= read_o ? GOT : ASK;
                GOT:     state_q <= run_i[`IGPU_LINK_RUN_HIT] ? TAKE : TIME;
                WAIT:    state_q <= wait_i ? TAKE : WAIT;
                TAKE:    state_q <= pushed ? DONE : TAKE;
                ADDR:    state_q <= en_q ? READ : ADDR; // two clocks of the array: address,
                READ:    state_q <= en_q ? LAST : READ; // then word, then count_data_i
                LAST:    state_q <= TELL;
                TELL:    state_q <= !pushed ? TELL : counted_o ? DONE : ADDR;
                WALL:    state_q <= follow_q ? DONE : WALL; // the wall follows
                default: state_q <= LOOK;
            endcase
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            ran_q    <= 1'b0;
            ticked_q <= 1'b0;
            seen_q   <= {N{1'b0}};
        end else if (en_q) begin
            ran_q    <= 1'b1;
            ticked_q <= tick_i;
            seen_q   <= {N{1'b0}};
        end else if (ends) begin
            seen_q   <= seen_q | pick_q;
        end
        if (state_q == LOOK) begin
            pick_q      <= pick_i;
            picked_q    <= any_i;
            tell_late_q <= late_q;
            tell_held_q <= held;
            // The count that held is of: what comes from now on is not told.
            more_count_q <= more_count_i;
        end
        if (state_q == PICK) begin
            half_q  <= 1'b0;
            msg_q   <= msg;
            open_q  <= open;
            ask_q   <= asks != {PIPES{1'b0}};
            send_q  <= send;
            tile_q  <= word_i[`IGPU_LINK_TILE];
            word_q  <= (picked_q || tell_late_q) ? word_i :
                       tell_held_q ? {12'd0, more_count_q} : rest;
            left_q  <= units_left_i;
            stamp_q <= prior_i ? now_i - NOW1 : now_i;
            tag_q   <= msg                     ? `IGPU_LINK_EV_MSG :
                       open                    ? `IGPU_LINK_EV_OPEN :
                       pick_q[OVER]            ? `IGPU_LINK_EV_OVER :
                       (asks != {PIPES{1'b0}}) ? `IGPU_LINK_EV_ASK :
                       branch                  ? `IGPU_LINK_EV_BRANCH :
                       picked_q                ?
                       (stream_o ? `IGPU_LINK_EV_ISSUE : `IGPU_LINK_EV_END) :
                       tell_late_q ? `IGPU_LINK_EV_LATE : tell_held_q ? `IGPU_LINK_EV_HELD :
                       `IGPU_LINK_EV_IDLE;
        end
        // Each is right a clock after what it is made of: stamp_q is so in KIND and ASK,
        // the kind's address in KIND.
        same_q      <= stamp_q == base_q;
        delta_q     <= delta[27:0];
        mark_kind_q <= kind_i;
        waits_q     <= state_q == ASK && !read_o;
        have_q      <= have_i;
        follow_q    <= state_q == WALL && !follow_q;
        if (state_q == ASK) begin
            half_q      <= half_i || paged_i;
            word_q[`IGPU_LINK_ASK_QUEUED] <= place_i;
        end
        if (!rst_ni)
            base_q <= {`IGPU_NOW_W{1'b0}};
        else if (begin_i)
            base_q <= launch_now_i;
        else if (state_q == TIME && !same_q && ev_valid_o && ev_room_i)
            base_q <= stamp_q;
    end

    always @* begin
        event_word = word_q;
        if (tag_q == `IGPU_LINK_EV_END)
            event_word = {word_q[`IGPU_LINK_PLACE], 11'd0, left_q};
    end

    // ---- which counter ----
    always @(posedge clk_i) begin
        if (!rst_ni || counted_o) begin
            count_pipe_q <= 6'd0;
            count_ctx_q  <= {CW{1'b0}};
            count_word_q <= 5'd0;
        end else if (state_q == TELL && pushed) begin
            count_word_q <= count_word_q + 5'd1;
            if (all_words)
                count_ctx_q <= all_ctx ? {CW{1'b0}} : count_ctx_q + 1'b1;
            if (all_words && all_ctx)
                count_pipe_q <= count_pipe_q + 6'd1;
        end
    end

    // ---- the answers ----
    wire [PIPES-1:0] asker = pick_q[N-1:ASKS];
    reg  [PIPES-1:0] brancher;
    integer          p, b;

    always @* begin
        for (b = 0; b < PIPES; b = b + 1)
            brancher[b] = pick_q[RETS+4*b+3] && branch_i[b];
        branch = brancher != {PIPES{1'b0}};
    end

    always @(posedge clk_i) begin
        for (p = 0; p < PIPES; p = p + 1)
            if (asker[p]) begin
                if (state_q == GOT) begin
                    run_q[29*p +: 29]    <= run_i[`IGPU_LINK_RUN_BITS];
                    run_wait_q[8*p +: 8] <= 8'd0;
                end
                if (state_q == WAIT && wait_i)
                    run_wait_q[8*p +: 8] <= wait_data_i;
            end
    end

    // ---- the limit is reached; how long it took; DONEs that came too late ----
    always @(posedge clk_i) begin
        if (!rst_ni)
            told_q <= 1'b1;
        else if (go_i)
            told_q <= 1'b0;
        else if (pushing && pushed && tag_q == `IGPU_LINK_EV_IDLE)
            told_q <= 1'b1;
        stands_q <= rst_ni && stands_i;
        if (!rst_ni || !stays || more_i) begin
            still_q     <= 6'd0;
            told_held_q <= 1'b0;
        end else begin
            if (any_i)
                still_q <= 6'd0;
            else if (en_q && still_q != STILL)
                still_q <= still_q + 6'd1;
            // Unless a run came meanwhile: the host waits for the count after it.
            if (pushing && pushed && tag_q == `IGPU_LINK_EV_HELD)
                told_held_q <= word_q[15:0] == more_count_i;
        end
        idle_q     <= rst_ni && idle_i;
        rested_q   <= (!rst_ni || !idle_q || go_i) ? 5'd0 :
                      rested_q + {4'd0, en_q && rested_q != REST[4:0]};
        due_idle_q <= rst_ni && state_q == LOOK && idle_q && idle_i && ran_q && !told_q &&
                      !go_i && rested_q == REST[4:0];
        due_held_q <= rst_ni && state_q == LOOK && stays && !more_i &&
                      (still_q == STILL || (stands_q && still_q[4])) && !told_held_q;
        clocks_q <= !rst_ni ? 21'd0 : told_q ? {17'd0, clocks_q[3:0]} :
                    clocks_q + {20'd0, ~&clocks_q};
        late_q   <= rst_ni && (late_i || (late_q &&
                    !(pushing && pushed && tag_q == `IGPU_LINK_EV_LATE)));
    end

    wire unused = &{1'b0, delta};

    `IGPU_BUILT(REST <= 31, "REST fits rested_q")
    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_PAST(past_en_q, 1, clk_i, en_q)
    `IGPU_PAST(past_now_q, `IGPU_NOW_W, clk_i, now_i)
    `IGPU_REQUIRE(clk_i, past_en_q || now_i == past_now_q,
                  "the array's outputs change with its clock only")
    `IGPU_REQUIRE(clk_i, !(past_en_q && en_q), "the array's clock runs in every second clock at most")

endmodule

`default_nettype wire

// igpu_link_report - what the array did, as event words; lets its clock run.
//
// Function  After each clock of the array (en_o) looks at its outputs. While something is
//           to be reported or answered the array's clock stands: so nothing is lost, and
//           time goes on only when an output had room, the run that was asked for was
//           there (or the host has said what its code waits for), and an opened thread
//           has its first run. Where the store has a part of the kernel (paged_i) time is
//           held instead (hold_i) when a cycle is over, and the host is told when nothing
//           moves any more (EV_HELD), again after each run or first run (more_i).
// Timing    Two or three clocks an event. Event stamps never go back: a TIME word comes
//           first where the cycle differs from the last event's.
// Contract  The array's outputs change with its clock only. Wall: wall_o is the least of
//           stamp + lookahead over the messages (and ends) that the host has not seen;
//           count_o is how many there were.
// Reset     rst_ni low, synchronous; begin_i: a launch, stamps from launch_now_i on.
// Tests     tests/cosim/test_fpga.c
// Source    docs/fpga.md#time, docs/fpga.md#events

`default_nettype none
`include "igpu_eu.vh"
`include "igpu_link.vh"
`include "igpu_regs.vh"

module igpu_link_report #(
    parameter TILES    = 3,
    parameter EUS      = 8,
    parameter CONTEXTS = 24,
    parameter CW       = 5,
    parameter RETIRE   = 1,                        // can report each issue
    parameter PIPES    = TILES * EUS / CONTEXTS    // not to be set
) (
    input  wire                     clk_i,
    input  wire                     rst_ni,
    output wire                     en_o,          // the array's clock runs
    // ---- the array ----
    input  wire [`IGPU_NOW_W-1:0]   now_i,
    input  wire                     tick_i,
    input  wire                     idle_i,
    input  wire                     asleep_i,      // nothing happens by itself
    input  wire [`IGPU_STAMP_W-1:0] soon_i,        // ... for so long
    input  wire                     over_i,
    input  wire [TILES-1:0]         msg_valid_i,
    input  wire [3*TILES-1:0]       msg_eu_i,
    input  wire [3*TILES-1:0]       msg_slot_i,
    input  wire [`IGPU_UOP_W*TILES-1:0] msg_uop_i,
    input  wire [TILES-1:0]         open_valid_i,
    input  wire [3*TILES-1:0]       open_eu_i,
    input  wire [3*TILES-1:0]       open_slot_i,
    input  wire [32*TILES-1:0]      open_thread_i,
    input  wire [5*TILES-1:0]       open_bslot_i,
    input  wire [PIPES-1:0]         ask_i,
    input  wire [CW*PIPES-1:0]      ask_ctx_i,
    input  wire [3*PIPES-1:0]       ask_slot_i,
    input  wire [`IGPU_STAMP_W*PIPES-1:0] ask_now_i,
    output reg  [29*PIPES-1:0]      run_q,         // the answers {pc, length}
    output reg  [8*PIPES-1:0]       run_wait_q,
    input  wire [CW*PIPES-1:0]      ret_ctx_i,
    input  wire [`IGPU_STAMP_W*PIPES-1:0] ret_now_i,
    input  wire [4*PIPES-1:0]       ret_valid_i,
    input  wire [12*PIPES-1:0]      ret_slot_i,
    input  wire [4*`IGPU_UOP_W*PIPES-1:0] ret_uop_i,
    input  wire [PIPES-1:0]         ret_end_i,
    input  wire [8*PIPES-1:0]       ret_left_i,
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
    output wire                     ev_valid_o,    // an event word
    output wire [31:0]              ev_data_o,
    input  wire                     ev_room_i,
    output wire                     flush_o        // waits for the host
);

    localparam U = `IGPU_UOP_W;
    localparam N = 2 * TILES + 1 + 5 * PIPES;      // what a clock may bring
    localparam MSGS = 0, OPENS = TILES, OVER = 2 * TILES, RETS = OVER + 1;
    localparam ASKS = RETS + 4 * PIPES;
    localparam [`IGPU_NOW_W-1:0] NOW1 = 1;
    localparam [N-1:0] ONE = 1;
    localparam [5:0] GAP = 6'd8 - EUS[5:0];
    localparam [3:0] LOOK = 4'd0, KIND = 4'd1, TIME = 4'd2, PUSH = 4'd3, OPEN = 4'd4,
                     ASK = 4'd5, GOT = 4'd6, WAIT = 4'd7, TAKE = 4'd8, DONE = 4'd9,
                     ADDR = 4'd10, READ = 4'd11, TELL = 4'd12;
    localparam [5:0]    STILL = 6'd63;            // clocks: longer than any visit takes
    localparam [5:0]    LAST_PIPE = PIPES[5:0] - 6'd1;
    localparam [CW-1:0] LAST_CTX  = CONTEXTS[CW-1:0] - 1'b1;

    reg  [3:0]             state_q;
    reg                    ran_q, ticked_q;        // the array's clock ran; a cycle ended
    reg  [N-1:0]           seen_q;                 // of what this clock brought
    reg  [`IGPU_NOW_W-1:0] base_q;                 // the last event's cycle
    reg                    told_q, late_q;         // IDLE was told; a DONE was late
    reg  [5:0]             still_q;                // clocks in which time was held, and
    reg                    told_held_q;            // nothing moved; HELD was told
    reg  [20:0]            clocks_q;               // with a limit ahead

    // ---- what this clock brought; the stamps of now and of the cycle before ----
    wire                   stream = RETIRE != 0 && retire_i;
    wire [`IGPU_NOW_W-1:0] past = now_i - NOW1;
    reg  [N-1:0]  brought;
    reg  [N-1:0]  prior;                           // in the cycle before now
    reg  [28*N-1:0] words;
    reg  [27:0]   msg, open, issue, ask;           // words of them
    reg  [5:0]    all;                             // its number, over the tiles
    integer       i, u;

    always @* begin
        brought = {N{1'b0}};
        prior   = ~{N{1'b0}};
        words   = {(28*N){1'b0}};
        all     = 6'd0;
        {msg, open, issue, ask} = 112'd0;
        for (i = 0; i < TILES; i = i + 1) begin
            brought[MSGS+i]  = ticked_q && msg_valid_i[i];
            brought[OPENS+i] = ticked_q && open_valid_i[i];
            msg[`IGPU_LINK_PLACE] = {i[2:0], msg_eu_i[3*i +: 3], msg_slot_i[3*i +: 3]};
            msg[`IGPU_LINK_UOP]   = msg_uop_i[U*i +: U];
            open[`IGPU_LINK_PLACE]       = {i[2:0], open_eu_i[3*i +: 3], open_slot_i[3*i +: 3]};
            open[`IGPU_LINK_OPEN_THREAD] = open_thread_i[32*i +: 14];
            open[`IGPU_LINK_OPEN_BSLOT]  = open_bslot_i[5*i +: 5];
            words[28*(MSGS+i) +: 28]  = msg;
            words[28*(OPENS+i) +: 28] = open;
        end
        brought[OVER] = ticked_q && over_i;
        for (i = 0; i < PIPES; i = i + 1) begin
            all = i[5:0] * CONTEXTS[5:0] + {{(6-CW){1'b0}}, ret_ctx_i[CW*i +: CW]};
            for (u = 0; u < 4; u = u + 1) begin
                brought[RETS+4*i+u] = ran_q && ret_valid_i[4*i+u] &&
                                      (stream || (u == 2 && ret_end_i[i]));
                prior[RETS+4*i+u]   = ret_now_i[`IGPU_STAMP_W*i] != now_i[0];
                issue[`IGPU_LINK_PLACE] = {eu_place(all), ret_slot_i[12*i+3*u +: 3]};
                issue[`IGPU_LINK_UNIT]  = u[1:0];
                issue[`IGPU_LINK_UOP]   = ret_uop_i[U*(4*i+u) +: U];
                words[28*(RETS+4*i+u) +: 28] = issue;
            end
            all = i[5:0] * CONTEXTS[5:0] + {{(6-CW){1'b0}}, ask_ctx_i[CW*i +: CW]};
            brought[ASKS+i] = ran_q && ask_i[i];
            prior[ASKS+i]   = ask_now_i[`IGPU_STAMP_W*i] != now_i[0];
            ask[`IGPU_LINK_PLACE] = {eu_place(all), ask_slot_i[3*i +: 3]};
            words[28*(ASKS+i) +: 28] = ask;
        end
    end

    // {tile, EU} of EU `number`, counted over the tiles.
    function [5:0] eu_place(input [5:0] number);
        integer t;
        begin
            eu_place = number;
            for (t = 1; t < TILES; t = t + 1)
                if ({26'd0, number} >= t * EUS)
                    eu_place = eu_place + GAP;
        end
    endfunction

    // ---- the first of it that was not seen ----
    wire [N-1:0] left = brought & ~seen_q;
    wire [N-1:0] pick = left & (~left + ONE);
    wire         any  = left != {N{1'b0}};
    reg  [27:0]  word;
    reg  [7:0]   units_left;                       // with an end
    integer      k;

    always @* begin
        units_left = 8'd0;
        for (k = 0; k < PIPES; k = k + 1)
            units_left = units_left | (pick[RETS+4*k+2] ? ret_left_i[8*k +: 8] : 8'd0);
        word = 28'd0;
        for (k = 0; k < N; k = k + 1)
            word = word | (pick[k] ? words[28*k +: 28] : 28'd0);
    end

    // ---- one event ----
    reg  [N-1:0]           pick_q;
    reg  [27:0]            word_q;
    reg  [7:0]             left_q;
    reg  [3:0]             tag_q;
    reg  [`IGPU_NOW_W-1:0] stamp_q;
    reg                    msg_q, open_q, send_q, ask_q, half_q;
    wire                   idle = idle_i && !told_q && !any;
    wire                   sends = pick[ASKS-1:RETS] != {(4*PIPES){1'b0}} &&
                                   word[`IGPU_LINK_UNIT] == `IGPU_UNIT_SEND;
    wire                   kinded = sends || pick[MSGS +: TILES] != {TILES{1'b0}};
    wire                   late = late_q && !any;
    wire                   held = still_q == STILL && !told_held_q && !any && !late &&
                                  !idle;
    wire                   end_now = send_q && kind_i == `IGPU_LINK_KIND_EOT;
    wire                   counting = count_i && told_q && idle_i;
    wire                   all_words = count_word_q == ~5'd0;
    wire                   all_ctx = count_ctx_q == LAST_CTX;
    reg  [27:0]            event_word;             // as it is told
    wire [`IGPU_NOW_W-1:0] delta = stamp_q - base_q;
    wire                   same = stamp_q == base_q;
    wire [27:0]            rest;                   // of EV_IDLE
    wire                   pushing = state_q == PUSH || (state_q == TIME && same);

    assign rest[`IGPU_LINK_IDLE_SOON]   = asleep_i ? soon_i : 11'd0;
    assign rest[`IGPU_LINK_IDLE_CLOCKS] = clocks_q[20:4];
    assign slot_o     = word_q[`IGPU_LINK_PLACE];
    assign kind_uop_o = word_q[`IGPU_LINK_UOP];
    // Counters are read with the array's clock, which changes nothing while it stands.
    assign en_o       = !rst_ni || (state_q == LOOK && !any && !(idle && ran_q) && !late && !held) ||
                        state_q == ADDR || state_q == READ;
    assign read_o     = state_q == ASK && have_i;
    assign ev_valid_o = state_q == TIME || pushing || (state_q == TAKE && half_q) ||
                        state_q == TELL;
    assign ev_data_o  = (state_q == TIME && !same) ? {4'd`IGPU_LINK_EV_TIME, delta[27:0]} :
                        (state_q == TAKE) ? {4'd`IGPU_LINK_EV_TAKE, word_q} :
                        (state_q == TELL) ? {4'd`IGPU_LINK_EV_COUNT, 4'd0, count_data_i} :
                                            {tag_q, event_word};
    assign mark_o     = pushing && ev_room_i && (msg_q || end_now);
    assign counted_o  = state_q == TELL && pushed && all_words && all_ctx &&
                        count_pipe_q == LAST_PIPE;
    assign mark_now_o = stamp_q;
    assign flush_o    = (state_q == LOOK && told_q && idle_i && !count_i && !hold_i) ||
                        (state_q == LOOK && told_held_q && hold_i) || state_q == OPEN ||
                        (state_q == ASK && !have_i) || state_q == WAIT;

    wire pushed = ev_room_i || !ev_valid_o;
    wire ends   = (pushing && pushed && !open_q && !ask_q) ||
                  (state_q == OPEN && (first_i || paged_i)) || (state_q == TAKE && pushed);

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            state_q <= LOOK;
        end else begin
            case (state_q)
                LOOK:
                    if (any)
                        state_q <= (pick[N-1:ASKS] != {PIPES{1'b0}}) ? ASK : kinded ? KIND : TIME;
                    else if ((idle && ran_q) || late || held)
                        state_q <= TIME;
                    else if (counting)
                        state_q <= ADDR;
                KIND:    state_q <= TIME;
                TIME, PUSH:
                    if (pushed)
                        state_q <= !pushing ? PUSH : open_q ? OPEN : ask_q ? WAIT :
                                   (msg_q || send_q) ? DONE : LOOK;
                OPEN:    state_q <= (first_i || paged_i) ? DONE : OPEN;
                ASK:     state_q <= have_i ? GOT : ASK;
                GOT:     state_q <= run_i[`IGPU_LINK_RUN_HIT] ? TAKE : TIME;
                WAIT:    state_q <= wait_i ? TAKE : WAIT;
                TAKE:    state_q <= pushed ? DONE : TAKE;
                ADDR:    state_q <= READ;          // address, then word, then count_data_i
                READ:    state_q <= TELL;
                TELL:    state_q <= !pushed ? TELL : counted_o ? DONE : ADDR;
                default: state_q <= LOOK;          // the wall has followed
            endcase
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            ran_q    <= 1'b0;
            ticked_q <= 1'b0;
            seen_q   <= {N{1'b0}};
        end else if (en_o) begin
            ran_q    <= 1'b1;
            ticked_q <= tick_i;
            seen_q   <= {N{1'b0}};
        end else if (ends) begin
            seen_q   <= seen_q | pick_q;
        end
        if (state_q == LOOK) begin
            pick_q  <= pick;
            msg_q   <= pick[MSGS +: TILES] != {TILES{1'b0}};
            open_q  <= pick[OPENS +: TILES] != {TILES{1'b0}};
            ask_q   <= pick[N-1:ASKS] != {PIPES{1'b0}};
            send_q  <= sends;
            tile_q  <= word[`IGPU_LINK_TILE];
            word_q  <= (any || late) ? word : held ? {12'd0, more_count_i} : rest;
            left_q  <= units_left;
            stamp_q <= ((pick & prior) != {N{1'b0}}) ? past : now_i;
            tag_q   <= (pick[MSGS +: TILES] != {TILES{1'b0}})  ? `IGPU_LINK_EV_MSG :
                       (pick[OPENS +: TILES] != {TILES{1'b0}}) ? `IGPU_LINK_EV_OPEN :
                       pick[OVER]                              ? `IGPU_LINK_EV_OVER :
                       (pick[N-1:ASKS] != {PIPES{1'b0}})       ? `IGPU_LINK_EV_ASK :
                       any                                     ?
                       (stream ? `IGPU_LINK_EV_ISSUE : `IGPU_LINK_EV_END) :
                       late ? `IGPU_LINK_EV_LATE : held ? `IGPU_LINK_EV_HELD :
                       `IGPU_LINK_EV_IDLE;
        end
        if (state_q == ASK) begin
            half_q      <= half_i || paged_i;
            word_q[`IGPU_LINK_ASK_QUEUED] <= place_i;
        end
        if (state_q == LOOK)
            half_q <= 1'b0;
        if (!rst_ni)
            base_q <= {`IGPU_NOW_W{1'b0}};
        else if (begin_i)
            base_q <= launch_now_i;
        else if (state_q == TIME && !same && ev_valid_o && ev_room_i)
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

    // ---- the answer ----
    wire [PIPES-1:0] asker = pick_q[N-1:ASKS];
    integer          p;

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
        if (!rst_ni || !hold_i || more_i) begin
            still_q     <= 6'd0;
            told_held_q <= 1'b0;
        end else begin
            if (any)
                still_q <= 6'd0;
            else if (en_o && still_q != STILL)
                still_q <= still_q + 6'd1;
            // Unless a run came meanwhile: the host waits for the count after it.
            if (pushing && pushed && tag_q == `IGPU_LINK_EV_HELD)
                told_held_q <= word_q[15:0] == more_count_i;
        end
        // Told in sixteens; the rest counts the next time.
        clocks_q <= !rst_ni ? 21'd0 : told_q ? {17'd0, clocks_q[3:0]} :
                    clocks_q + {20'd0, ~&clocks_q};
        late_q   <= rst_ni && (late_i || (late_q &&
                    !(pushing && pushed && tag_q == `IGPU_LINK_EV_LATE)));
    end

    wire unused = &{1'b0, delta};

endmodule

`default_nettype wire

// igpu_link_tx - frames to the host: collects events, sends, and sends again.
//
// Function  Event words fill a frame, which goes out when it is full or flush_i is high.
//           A frame stays in its slot until the host has acknowledged it; when the host
//           asks (resend_i), all from the first unacknowledged on go out again. Answers
//           to HELLO and to strangers, and acknowledgements when there is no frame to
//           carry one, go out between them.
// Timing    A word in three clocks. room_o, a register, is low while all slots wait for the
//           host. flush_i and what the host has acknowledged count one clock later.
// Contract  The board has no timers: without a frame from the host nothing is repeated.
// Reset     rst_ni low or clear_i, synchronous: no frame, numbers from 0.
// Tests     tests/cosim/test_fpga.c
// Source    docs/develop/fpga.md#frames

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_link.vh"

module igpu_link_tx (
    input  wire                           clk_i,
    input  wire                           rst_ni,
    input  wire                           clear_i,     // a session begins
    input  wire                           hello_i,     // answer a HELLO
    input  wire                           stranger_i,  // answer a stranger
    input  wire                           reply_i,     // acknowledge
    input  wire [15:0]                    session_i,
    input  wire [15:0]                    taken_i,     // the acknowledgement
    input  wire [32*`IGPU_LINK_BUILD-1:0] build_i,     // what was built
    input  wire                           ack_i,       // the host's acknowledgement
    input  wire [15:0]                    ack_seq_i,
    input  wire                           resend_i,    // it wants the rest again
    input  wire                           ev_valid_i,  // an event word
    input  wire [31:0]                    ev_data_i,
    output reg                            room_o,      // ... is taken
    input  wire                           flush_i,     // send what there is
    output reg                            out_valid_o,
    output reg  [31:0]                    out_data_o,
    output reg                            out_last_o,
    input  wire                           out_ready_i,
    output wire [9:0]                     out_words_o, // of the frame that goes out
    output wire                           busy_o       // something goes or will go out
);

    localparam SLOT_W = 3;             // log2 of IGPU_LINK_TX_SLOTS
    localparam [SLOT_W:0] SLOTS = `IGPU_LINK_TX_SLOTS;
    localparam [SLOT_W:0] ZERO  = 0;
    localparam [8:0]  FULL  = `IGPU_LINK_PAYLOAD;

    // ---- frames fill ----
    reg  [15:0] base_q, next_q, send_q;    // unacknowledged; being filled; to be sent
    reg  [8:0]  fill_q;                    // words in the frame being filled
    reg  [8:0]  words_q [0:(1<<SLOT_W)-1];
    reg  [SLOT_W:0] kept_q;                // frames from base_q to next_q
    reg         ack_q, resend_q;           // an acknowledgement came a clock ago
    reg  [15:0] ack_seq_q, acked_q;        // ... of so many frames
    wire        ack = ack_q && acked_q <= {{(15-SLOT_W){1'b0}}, kept_q};
    wire        push = ev_valid_i && room_o;
    reg         flush_q;
    wire        close = fill_q == FULL || (flush_q && fill_q != 9'd0 && !ev_valid_i);
    wire        sent;                      // a frame of events has gone out
    wire [SLOT_W:0] kept = kept_q + {{SLOT_W{1'b0}}, close} - (ack ? acked_q[SLOT_W:0] : ZERO);

    always @(posedge clk_i) begin
        flush_q <= flush_i;
        if (close)
            words_q[next_q[SLOT_W-1:0]] <= fill_q;
        ack_q     <= ack_i && rst_ni && !clear_i;
        resend_q  <= resend_i;
        ack_seq_q <= ack_seq_i;
        acked_q   <= ack_seq_i - base_q;
        // A full frame closes in the next clock.
        room_o    <= rst_ni && !clear_i && kept != SLOTS && !(push && fill_q == FULL - 9'd1);
        if (!rst_ni || clear_i) begin
            base_q <= 16'd0;
            next_q <= 16'd0;
            kept_q <= ZERO;
            fill_q <= 9'd0;
        end else begin
            fill_q <= close ? 9'd0 : fill_q + {8'd0, push};
            kept_q <= kept;
            if (close)
                next_q <= next_q + 16'd1;
            if (ack)
                base_q <= ack_seq_q;
        end
    end

    // ---- what goes out next ----
    localparam [3:0] IDLE = 4'd0, HEAD = 4'd1, SEQ = 4'd2, ACK = 4'd3, READ = 4'd4,
                     GOT = 4'd5, WORD = 4'd6, SUM = 4'd7, CRC = 4'd8, REST = 4'd9;
    reg  [3:0]  state_q;
    reg  [3:0]  type_q;
    reg  [15:0] seq_q;
    reg  [8:0]  len_q, at_q;
    reg  [31:0] crc_q;
    reg         last_q;                    // at_q is the last word's
    reg         hello_q, stranger_q, reply_q, again_q;
    reg  [31:0] rdata_q;
    wire [31:0] rdata, crc;
    wire        events = send_q != next_q;
    reg         events_q;
    wire        moved = !out_valid_o || out_ready_i;
    wire        idle = state_q == IDLE;
    // What goes next was acknowledged meanwhile: found while nothing else happens.
    reg         behind_q, calm_q;
    wire        behind = calm_q && behind_q;
    wire        start = idle && !again_q && calm_q && !behind_q && !clear_i &&
                        (hello_q || stranger_q || events_q || reply_q);
    reg         spoilt_q;                  // of a session that is over: no valid CRC

    assign sent        = state_q == CRC && moved && type_q == `IGPU_LINK_DATA;
    assign busy_o      = !idle || events || hello_q || stranger_q || reply_q || again_q ||
                         hello_i || stranger_i || reply_i || ack_i || ack_q || fill_q != 9'd0 ||
                         out_valid_o;
    assign out_words_o = {1'b0, len_q} + 10'd4;

    igpu_ctx_ram #(.WIDTH(32), .DEPTH(2048), .AW(11)) u_ram (
        .clk_i(clk_i), .re_i(state_q == READ), .clear_i(1'b0),
        .raddr_i({seq_q[SLOT_W-1:0], at_q[7:0]}),
        .rdata_o(rdata), .we_i(push), .waddr_i({next_q[SLOT_W-1:0], fill_q[7:0]}),
        .wdata_i(ev_data_i));

    always @(posedge clk_i) begin
        behind_q <= send_q - base_q > {{(15-SLOT_W){1'b0}}, kept_q};
        events_q <= events;
        calm_q   <= rst_ni && !clear_i && idle && !ack && !again_q && !behind && !close;
        if (!rst_ni || clear_i) begin
            hello_q    <= rst_ni && hello_i;
            stranger_q <= 1'b0;
            reply_q    <= 1'b0;
            again_q    <= 1'b0;
            send_q     <= 16'd0;
        end else begin
            hello_q    <= hello_i || (hello_q && !start);
            stranger_q <= stranger_i || (stranger_q && (!start || hello_q));
            // A frame of events acknowledges too.
            reply_q    <= reply_i || (reply_q && (!start || hello_q || stranger_q));
            again_q    <= (ack && resend_q) || (again_q && !idle);
            if (idle && (again_q || behind))
                send_q <= base_q;
            else if (sent && send_q == seq_q)
                send_q <= send_q + 16'd1;
        end
    end

    wire [3:0] choice = hello_q    ? `IGPU_LINK_HELLO :
                        stranger_q ? `IGPU_LINK_STRANGER :
                        events_q   ? `IGPU_LINK_DATA : `IGPU_LINK_ACK;

    // ---- it goes out ----
    reg [31:0] word;

    always @* begin
        word = 32'd0;
        case (state_q)
            HEAD: begin
                word[`IGPU_LINK_HEAD_MAGIC] = `IGPU_LINK_MAGIC;
                word[`IGPU_LINK_HEAD_TYPE]  = type_q;
                word[`IGPU_LINK_HEAD_WORDS] = len_q;
            end
            SEQ: begin
                word[`IGPU_LINK_SEQ_SESSION] = session_i;
                word[`IGPU_LINK_SEQ_NUMBER]  = seq_q;
            end
            ACK:     word[`IGPU_LINK_TAKEN] = taken_i;
            WORD:    word = (type_q == `IGPU_LINK_HELLO) ? build_i[32*at_q[1:0] +: 32] : rdata_q;
            default: word = spoilt_q ? crc_q : ~crc_q;
        endcase
    end

    // Of the word before, which is on out_data_o: SUM waits for the last one's.
    igpu_link_crc u_crc (.crc_i(crc_q), .data_i(out_data_o), .crc_o(crc));

    wire show = state_q == HEAD || state_q == SEQ || state_q == ACK || state_q == WORD ||
                state_q == CRC;
    reg  shown_q;                          // a word was shown a clock ago

    always @(posedge clk_i) begin
        rdata_q <= rdata;
        shown_q <= !idle && show && moved;
        if (!rst_ni) begin
            state_q     <= IDLE;
            out_valid_o <= 1'b0;
        end else begin
            if (moved)
                out_valid_o <= show;
            case (state_q)
                IDLE:    state_q <= start ? HEAD : IDLE;
                READ:    state_q <= GOT;
                GOT:     state_q <= WORD;
                SUM:     state_q <= CRC;
                REST:    state_q <= moved ? IDLE : REST;
                default:
                    if (moved)
                        state_q <= (state_q == ACK)  ? ((len_q == 9'd0) ? SUM : READ) :
                                   (state_q == WORD) ? (last_q ? SUM : READ) :
                                   (state_q == CRC)  ? REST : state_q + 4'd1;
            endcase
        end
        spoilt_q <= !idle && (spoilt_q || clear_i);
        if (idle) begin
            type_q <= choice;
            seq_q  <= send_q;
            len_q  <= hello_q    ? 9'd`IGPU_LINK_BUILD :
                      stranger_q ? 9'd0 :
                      events_q   ? words_q[send_q[SLOT_W-1:0]] : 9'd0;
            at_q   <= 9'd0;
        end else if (show && moved) begin
            out_data_o <= word;
            out_last_o <= state_q == CRC;
            if (state_q == WORD)
                at_q <= at_q + 9'd1;
        end
        last_q <= at_q == len_q - 9'd1;
        if (idle)
            crc_q <= 32'hffffffff;
        else if (shown_q)
            crc_q <= crc;
    end

    `IGPU_BUILT(SLOTS == 4'd1 << SLOT_W, "SLOT_W is the logarithm of IGPU_LINK_TX_SLOTS")
    `IGPU_CONTRACT(clk_i, rst_ni && !clear_i)
    `IGPU_PAST(past_wait_q, 1, clk_i, out_valid_o && !out_ready_i && rst_ni && !clear_i)
    `IGPU_PAST(past_word_q, 33, clk_i, {out_last_o, out_data_o})
    `IGPU_REQUIRE(clk_i, !past_wait_q || (out_valid_o && {out_last_o, out_data_o} == past_word_q),
                  "a word stays until it is taken")

endmodule

`default_nettype wire

// igpu_link_tx - frames to the host: collects events, sends, and sends again.
//
// Function  Event words fill a frame, which goes out when it is full or flush_i is high.
//           A frame stays in its slot until the host has acknowledged it; when the host
//           asks (resend_i), all from the first unacknowledged on go out again. Answers
//           to HELLO and to strangers, and acknowledgements when there is no frame to
//           carry one, go out between them.
// Timing    A word in two clocks. room_o low: all slots wait for the host. flush_i and what
//           the host has acknowledged count one clock later.
// Contract  The board has no timers: without a frame from the host nothing is repeated.
// Reset     rst_ni low or clear_i, synchronous: no frame, numbers from 0.
// Tests     tests/cosim/test_fpga.c
// Source    docs/fpga.md#frames

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
    output wire                           room_o,      // ... is taken
    input  wire                           flush_i,     // send what there is
    output reg                            out_valid_o,
    output reg  [31:0]                    out_data_o,
    output reg                            out_last_o,
    input  wire                           out_ready_i,
    output wire [9:0]                     out_words_o, // of the frame that goes out
    output wire                           busy_o       // something goes or will go out
);

    localparam SLOT_W = 3;             // log2 of IGPU_LINK_TX_SLOTS
    localparam [15:0] SLOTS = `IGPU_LINK_TX_SLOTS;
    localparam [8:0]  FULL  = `IGPU_LINK_PAYLOAD;

    // ---- frames fill ----
    reg  [15:0] base_q, next_q, send_q;    // unacknowledged; being filled; to be sent
    reg  [8:0]  fill_q;                    // words in the frame being filled
    reg  [8:0]  words_q [0:(1<<SLOT_W)-1];
    wire [15:0] kept = next_q - base_q;
    wire [15:0] acked = ack_seq_i - base_q;
    wire        ack = ack_i && acked <= kept;
    wire        push = ev_valid_i && room_o;
    reg         flush_q;
    wire        close = fill_q == FULL || (flush_q && fill_q != 9'd0 && !ev_valid_i);
    wire        sent;                      // a frame of events has gone out

    assign room_o = kept != SLOTS && fill_q != FULL;

    always @(posedge clk_i) begin
        flush_q <= flush_i;
        if (close)
            words_q[next_q[SLOT_W-1:0]] <= fill_q;
        if (!rst_ni || clear_i) begin
            base_q <= 16'd0;
            next_q <= 16'd0;
            fill_q <= 9'd0;
        end else begin
            fill_q <= close ? 9'd0 : fill_q + {8'd0, push};
            if (close)
                next_q <= next_q + 16'd1;
            if (ack)
                base_q <= ack_seq_i;
        end
    end

    // ---- what goes out next ----
    localparam [2:0] IDLE = 3'd0, HEAD = 3'd1, SEQ = 3'd2, ACK = 3'd3, READ = 3'd4,
                     WORD = 3'd5, CRC = 3'd6, REST = 3'd7;
    reg  [2:0]  state_q;
    reg  [3:0]  type_q;
    reg  [15:0] seq_q;
    reg  [8:0]  len_q, at_q;
    reg  [31:0] crc_q;
    reg         hello_q, stranger_q, reply_q, again_q;
    wire [31:0] rdata, crc;
    wire        events = send_q != next_q;
    wire        moved = !out_valid_o || out_ready_i;
    wire        idle = state_q == IDLE;
    // What goes next was acknowledged meanwhile: found while nothing else happens.
    reg         behind_q, calm_q;
    wire        behind = calm_q && behind_q;
    wire        start = idle && !again_q && calm_q && !behind_q && !clear_i &&
                        (hello_q || stranger_q || events || reply_q);
    reg         spoilt_q;                  // of a session that is over: no valid CRC

    assign sent        = state_q == CRC && moved && type_q == `IGPU_LINK_DATA;
    assign busy_o      = !idle || events || hello_q || stranger_q || reply_q || again_q ||
                         hello_i || stranger_i || reply_i || ack_i || fill_q != 9'd0 ||
                         out_valid_o;
    assign out_words_o = {1'b0, len_q} + 10'd4;

    igpu_ctx_ram #(.WIDTH(32), .DEPTH(2048), .AW(11)) u_ram (
        .clk_i(clk_i), .re_i(state_q == READ), .clear_i(1'b0),
        .raddr_i({seq_q[SLOT_W-1:0], at_q[7:0]}),
        .rdata_o(rdata), .we_i(push), .waddr_i({next_q[SLOT_W-1:0], fill_q[7:0]}),
        .wdata_i(ev_data_i));

    always @(posedge clk_i) begin
        behind_q <= send_q - base_q > kept;
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
            again_q    <= (ack && resend_i) || (again_q && !idle);
            if (idle && (again_q || behind))
                send_q <= base_q;
            else if (sent && send_q == seq_q)
                send_q <= send_q + 16'd1;
        end
    end

    wire [3:0] choice = hello_q    ? `IGPU_LINK_HELLO :
                        stranger_q ? `IGPU_LINK_STRANGER :
                        events     ? `IGPU_LINK_DATA : `IGPU_LINK_ACK;

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
            WORD:    word = (type_q == `IGPU_LINK_HELLO) ? build_i[32*at_q[1:0] +: 32] : rdata;
            default: word = spoilt_q ? crc_q : ~crc_q;
        endcase
    end

    igpu_link_crc u_crc (.crc_i(crc_q), .data_i(word), .crc_o(crc));

    wire show = state_q != IDLE && state_q != READ && state_q != REST;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            state_q     <= IDLE;
            out_valid_o <= 1'b0;
        end else begin
            if (moved)
                out_valid_o <= show;
            case (state_q)
                IDLE:    state_q <= start ? HEAD : IDLE;
                READ:    state_q <= WORD;
                REST:    state_q <= moved ? IDLE : REST;
                default:
                    if (moved)
                        state_q <= (state_q == ACK)  ? ((len_q == 9'd0) ? CRC : READ) :
                                   (state_q == WORD) ? ((at_q == len_q - 9'd1) ? CRC : READ) :
                                   (state_q == CRC)  ? REST : state_q + 3'd1;
            endcase
        end
        spoilt_q <= !idle && (spoilt_q || clear_i);
        if (idle) begin
            type_q <= choice;
            seq_q  <= send_q;
            len_q  <= hello_q    ? 9'd`IGPU_LINK_BUILD :
                      stranger_q ? 9'd0 :
                      events     ? words_q[send_q[SLOT_W-1:0]] : 9'd0;
            at_q   <= 9'd0;
            crc_q  <= 32'hffffffff;
        end else if (show && moved) begin
            out_data_o <= word;
            out_last_o <= state_q == CRC;
            crc_q      <= crc;
            if (state_q == WORD)
                at_q <= at_q + 9'd1;
        end
    end

    `IGPU_BUILT(SLOTS == 1 << SLOT_W, "SLOT_W is the logarithm of IGPU_LINK_TX_SLOTS")
    `IGPU_CONTRACT(clk_i, rst_ni && !clear_i)
    `IGPU_PAST(past_wait_q, 1, clk_i, out_valid_o && !out_ready_i && rst_ni && !clear_i)
    `IGPU_PAST(past_word_q, 33, clk_i, {out_last_o, out_data_o})
    `IGPU_REQUIRE(clk_i, !past_wait_q || (out_valid_o && {out_last_o, out_data_o} == past_word_q),
                  "a word stays until it is taken")

endmodule

`default_nettype wire

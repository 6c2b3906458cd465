// igpu_link_rx - frames from the host: checks them, keeps them in order, gives commands.
//
// Function  A frame whose CRC and length are right and whose session is the board's is
//           taken when it is the next one and a slot is free; all others are dropped,
//           which the host sees by the acknowledgements. Words of taken frames come out
//           in order. HELLO begins a session (hello_o).
// Timing    A word a clock in, a word in three clocks out. Whether a frame is right is found
//           in the clock of its last word; pulses come in the second clock after.
// Contract  No back pressure on the link: in_* is always taken. A HELLO of the current
//           session is answered, and begins nothing.
// Reset     rst_ni low, synchronous: no session. clear_i: frames count from 0.
// Tests     tests/cosim/test_fpga.c
// Source    docs/develop/fpga.md#frames

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_link.vh"

module igpu_link_rx (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        in_valid_i,     // a word of a frame
    input  wire [31:0] in_data_i,
    input  wire        in_last_i,      // its last
    output reg         hello_o,        // a HELLO came: answer
    output reg         clear_o,        // ... and a new session begins
    output reg  [15:0] session_q,      // 0: none
    output reg         stranger_o,     // a frame of another session: answer
    output reg         reply_o,        // a frame to be acknowledged
    output reg         ack_o,          // ack_seq_o is the host's acknowledgement
    output reg  [15:0] ack_seq_o,
    output reg         resend_o,       // the host asks for all frames behind it
    output reg  [15:0] taken_q,        // frames whose commands were all taken
    output wire        cmd_valid_o,
    output wire [31:0] cmd_data_o,
    input  wire        cmd_ready_i,
    output wire        busy_o          // a frame is coming in, or commands wait
);

    localparam SLOT_W = 2;             // log2 of IGPU_LINK_RX_SLOTS
    localparam [2:0] SLOTS = `IGPU_LINK_RX_SLOTS;
    localparam [9:0] FRAME = 10'd4;    // words beside the payload
    localparam [9:0] MOST  = `IGPU_LINK_PAYLOAD + 4;

    // ---- a frame comes in ----
    reg  [9:0]  at_q;                  // words so far; sticks where it is too long
    reg  [31:0] crc_q;
    reg         bad_q;
    reg  [3:0]  type_q;
    reg         again_q;
    reg  [8:0]  len_q;
    reg  [15:0] from_q, seq_q, acked_q;
    wire [31:0] crc;

    igpu_link_crc u_crc (.crc_i(crc_q), .data_i(in_data_i), .crc_o(crc));

    reg  [SLOT_W:0]   used_q;          // slots with a frame
    reg  [SLOT_W-1:0] wr_q, rd_q;
    reg  [15:0]       next_q;          // the frame that comes next
    reg  [8:0]        words_q [0:(1<<SLOT_W)-1];
    reg               read_q, have_q;  // a word was read; data_q is the next command word,
    reg               last_q;          // its frame's last
    reg  [7:0]        word_q;
    reg  [31:0]       data_q;
    wire read = used_q != 3'd0 && !read_q && !have_q;
    wire pop  = have_q && cmd_ready_i;
    wire free = pop && last_q;

    // ---- it is over: each thing is found by itself, then what they mean ----
    reg  end_q, length_q, sum_q;       // its last word came; length and CRC are right
    reg  from_us_q, seq_next_q;        // it is the session's; the next one
    wire whole = end_q && length_q && sum_q;
    wire ours  = session_q != 16'd0 && from_us_q;
    wire hello = type_q == `IGPU_LINK_HELLO;
    wire take  = whole && ours && type_q == `IGPU_LINK_DATA && seq_next_q &&
                 used_q != SLOTS && len_q != 9'd0;
    wire again = from_us_q;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            at_q  <= 10'd0;
            bad_q <= 1'b0;
        end else if (in_valid_i) begin
            at_q  <= in_last_i ? 10'd0 : (at_q == MOST) ? at_q : at_q + 10'd1;
            bad_q <= !in_last_i && (bad_q || at_q == MOST ||
                     (at_q == 10'd0 && in_data_i[`IGPU_LINK_HEAD_MAGIC] != `IGPU_LINK_MAGIC));
        end
        if (in_valid_i) begin
            crc_q <= in_last_i ? 32'hffffffff : crc;
            if (at_q == 10'd0) begin
                type_q  <= in_data_i[`IGPU_LINK_HEAD_TYPE];
                again_q <= in_data_i[`IGPU_LINK_HEAD_RESEND];
                len_q   <= in_data_i[`IGPU_LINK_HEAD_WORDS];
            end
            if (at_q == 10'd1)
                {from_q, seq_q} <= {in_data_i[`IGPU_LINK_SEQ_SESSION],
                                    in_data_i[`IGPU_LINK_SEQ_NUMBER]};
            if (at_q == 10'd2)
                acked_q <= in_data_i[`IGPU_LINK_TAKEN];
        end
        if (!rst_ni)
            crc_q <= 32'hffffffff;
        end_q      <= rst_ni && in_valid_i && in_last_i;
        length_q   <= !bad_q && at_q == {1'b0, len_q} + FRAME - 10'd1;
        sum_q      <= in_data_i == ~crc_q;
        from_us_q  <= from_q == session_q;
        seq_next_q <= seq_q == next_q;
    end

    // ---- what it means ----
    always @(posedge clk_i) begin
        hello_o    <= 1'b0;
        clear_o    <= 1'b0;
        stranger_o <= 1'b0;
        ack_o      <= 1'b0;
        if (!rst_ni) begin
            session_q <= 16'd0;
        end else if (whole) begin
            hello_o    <= hello;
            clear_o    <= hello && !again;
            stranger_o <= !hello && !ours;
            ack_o      <= !hello && ours;
            ack_seq_o  <= acked_q;
            resend_o   <= again_q;
            if (hello)
                session_q <= from_q;
        end
    end

    // A frame was used up; or one came that shows that the host lacks an answer.
    always @(posedge clk_i)
        reply_o <= rst_ni && (free || (whole && ours && !hello && !take &&
                              (type_q == `IGPU_LINK_DATA || again_q)));

    // ---- slots ----
    wire [31:0] rdata;
    wire [9:0]  pay = at_q - 10'd3;

    igpu_ctx_ram #(.WIDTH(32), .DEPTH(1024), .AW(10)) u_ram (
        .clk_i(clk_i), .re_i(read), .clear_i(1'b0), .raddr_i({rd_q, word_q}),
        .rdata_o(rdata), .we_i(in_valid_i && used_q != SLOTS && at_q >= 10'd3 && !pay[8]),
        .waddr_i({wr_q, pay[7:0]}), .wdata_i(in_data_i));

    assign cmd_valid_o = have_q;
    assign cmd_data_o  = data_q;
    assign busy_o      = in_valid_i || at_q != 10'd0 || end_q || used_q != 3'd0;

    always @(posedge clk_i) begin
        if (take)
            words_q[wr_q] <= len_q;
        if (read_q) begin
            data_q <= rdata;
            last_q <= {1'b0, word_q} == words_q[rd_q] - 9'd1;
        end
        if (!rst_ni || clear_o) begin
            used_q  <= 3'd0;
            wr_q    <= {SLOT_W{1'b0}};
            rd_q    <= {SLOT_W{1'b0}};
            next_q  <= 16'd0;
            taken_q <= 16'd0;
            read_q  <= 1'b0;
            have_q  <= 1'b0;
            word_q  <= 8'd0;
        end else begin
            used_q <= used_q + {2'd0, take} - {2'd0, free};
            read_q <= read;
            have_q <= have_q ? !pop : read_q;
            if (take) begin
                wr_q   <= wr_q + 1'b1;
                next_q <= next_q + 16'd1;
            end
            if (pop)
                word_q <= free ? 8'd0 : word_q + 8'd1;
            if (free) begin
                rd_q    <= rd_q + 1'b1;
                taken_q <= taken_q + 16'd1;
            end
        end
    end

    wire unused = &{1'b0, pay[9]};

    `IGPU_BUILT(SLOTS == 1 << SLOT_W, "SLOT_W is the logarithm of IGPU_LINK_RX_SLOTS")

endmodule

`default_nettype wire

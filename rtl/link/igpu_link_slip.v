// igpu_link_slip - frames of words over a line of bytes, both ways (SLIP, RFC 1055).
//
// Function  A frame's words, low byte first, between two END bytes; END and ESC inside go
//           as ESC and another byte. What comes in between two ENDs is a frame, whole or
//           not: its CRC tells. So after any damage the next END is a new beginning.
// Timing    A byte a clock each way at most. A word comes out when the byte behind it is
//           there, since only that tells whether it was the last.
// Contract  Bytes that come in are always taken. A frame of less than a word is dropped,
//           so is what is left of one that does not end with a whole word.
// Reset     rst_ni low, synchronous: between two frames.
// Tests     tests/rtl/igpu_link_slip_tb.v, tests/bridge/test_fpga_lines.sh
// Source    docs/develop/fpga.md#serial-line

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_link.vh"

module igpu_link_slip (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        rx_valid_i,  // a byte from the line
    input  wire [7:0]  rx_data_i,
    output reg         in_valid_o,  // a word of a frame
    output reg  [31:0] in_data_o,
    output reg         in_last_o,
    input  wire        out_valid_i, // a word of a frame for the line
    input  wire [31:0] out_data_i,
    input  wire        out_last_i,
    output wire        out_ready_o,
    output reg         tx_valid_o,  // a byte for the line
    output reg  [7:0]  tx_data_o,
    input  wire        tx_ready_i,
    output wire        busy_o       // something is on its way, either way
);

    localparam [7:0] END = `IGPU_LINK_END, ESC = `IGPU_LINK_ESC,
                     ESC_END = `IGPU_LINK_ESC_END, ESC_ESC = `IGPU_LINK_ESC_ESC;

    // ---- bytes to words ----
    reg         esc_q, kept_q;      // after an ESC; a word waits in kept_data_q
    reg  [1:0]  fill_q;
    reg  [23:0] part_q;
    reg  [31:0] kept_data_q;
    wire        ends = rx_valid_i && rx_data_i == END;
    wire        data = rx_valid_i && !ends && (esc_q || rx_data_i != ESC);
    wire [7:0]  byte_in = !esc_q                ? rx_data_i :
                          rx_data_i == ESC_END  ? END :
                          rx_data_i == ESC_ESC  ? ESC : rx_data_i;
    wire        whole = data && fill_q == 2'd3;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            esc_q      <= 1'b0;
            kept_q     <= 1'b0;
            fill_q     <= 2'd0;
            in_valid_o <= 1'b0;
        end else begin
            if (rx_valid_i)
                esc_q <= !esc_q && rx_data_i == ESC;
            if (ends)
                fill_q <= 2'd0;
            else if (data)
                fill_q <= fill_q + 2'd1;
            if (ends || whole)
                kept_q <= whole;
            in_valid_o <= kept_q && (ends || whole);
        end
        if (data)
            part_q <= {byte_in, part_q[23:8]};
        if (whole)
            kept_data_q <= {byte_in, part_q};
        in_data_o <= kept_data_q;
        in_last_o <= ends;
    end

    // ---- words to bytes ----
    localparam [2:0] IDLE = 3'd0, BEGIN = 3'd1, BYTE = 3'd2, MORE = 3'd3, NEXT = 3'd4,
                     STOP = 3'd5;
    reg  [2:0]  state_q;
    reg  [1:0]  at_q;
    reg  [31:0] word_q;
    reg         last_q;
    wire        moved = !tx_valid_o || tx_ready_i;
    wire [7:0]  byte_out = word_q[7:0];
    wire        special = byte_out == END || byte_out == ESC;
    wire [2:0]  byte_next = (at_q != 2'd3) ? BYTE : last_q ? STOP : NEXT;
    wire        byte_done = moved && (state_q == MORE || (state_q == BYTE && !special));

    assign out_ready_o = state_q == IDLE || state_q == NEXT;
    assign busy_o      = state_q != IDLE || tx_valid_o || in_valid_o;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            state_q    <= IDLE;
            tx_valid_o <= 1'b0;
        end else begin
            if (moved)
                tx_valid_o <= state_q != IDLE && state_q != NEXT;
            case (state_q)
                IDLE:    state_q <= out_valid_i ? BEGIN : IDLE;
                NEXT:    state_q <= out_valid_i ? BYTE : NEXT;
                BEGIN:   state_q <= moved ? BYTE : BEGIN;
                BYTE:    state_q <= !moved ? BYTE : special ? MORE : byte_next;
                MORE:    state_q <= !moved ? MORE : byte_next;
                default: state_q <= moved ? IDLE : STOP;
            endcase
        end
        if (moved)
            tx_data_o <= (state_q == BYTE) ? (special ? ESC : byte_out) :
                         (state_q == MORE) ? ((byte_out == END) ? ESC_END : ESC_ESC) : END;
        if (out_ready_o && out_valid_i) begin
            word_q <= out_data_i;
            last_q <= out_last_i;
            at_q   <= 2'd0;
        end else if (byte_done) begin
            word_q <= {8'd0, word_q[31:8]};
            at_q   <= at_q + 2'd1;
        end
    end

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_PAST(past_wait_q, 1, clk_i, tx_valid_o && !tx_ready_i && rst_ni)
    `IGPU_PAST(past_byte_q, 8, clk_i, tx_data_o)
    `IGPU_REQUIRE(clk_i, !past_wait_q || (tx_valid_o && tx_data_o == past_byte_q),
                  "a byte stays until it is taken")

endmodule

`default_nettype wire

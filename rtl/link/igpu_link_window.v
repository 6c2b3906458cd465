// igpu_link_window - frames of words through a window of a bus: PCIe's BAR, AXI.
//
// Function  Two rings in RAM, one each way, and counters of the words put into and taken
//           from each. A frame in a ring is its length and its words; the host writes a
//           frame, then the counter. Nothing has a side effect when it is read, so the
//           bus may read ahead, and a shared file can play the window.
// Timing    rdata_o is the word at addr_i of the clock before. A word a clock each
//           way, and one clock a frame for its length.
// Contract  The host keeps a ring's words below its size. A length that no frame can have
//           throws away what the ring holds.
// Reset     rst_ni low, synchronous: both rings are empty, all counters 0.
// Tests     tests/rtl/igpu_link_window_tb.v, tests/bridge/test_fpga_lines.sh
// Source    docs/develop/fpga.md#window

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_link.vh"

module igpu_link_window (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        we_i,         // the bus writes
    input  wire [11:0] addr_i,       // words from the window's beginning
    input  wire [31:0] wdata_i,
    output wire [31:0] rdata_o,
    output reg         in_valid_o,   // a word of a frame from the host
    output wire [31:0] in_data_o,
    output reg         in_last_o,
    input  wire        out_valid_i,  // a word of a frame to the host
    input  wire [31:0] out_data_i,
    input  wire        out_last_i,
    output wire        out_ready_o,
    input  wire [9:0]  out_words_i,  // of that frame
    output wire        busy_o        // a ring holds something that goes on by itself
);

    localparam [15:0] SIZE  = `IGPU_LINK_WIN_RING;
    localparam [31:0] MOST  = `IGPU_LINK_PAYLOAD + 4;
    localparam [31:0] ID    = {16'd`IGPU_LINK_MAGIC, 16'd`IGPU_LINK_VERSION};
    localparam [9:0]  DOWN  = `IGPU_LINK_WIN_DOWN / 4, TAKEN = `IGPU_LINK_WIN_TAKEN / 4,
                      UP    = `IGPU_LINK_WIN_UP / 4, READ = `IGPU_LINK_WIN_READ / 4;

    // ---- the bus ----
    reg  [15:0] down_q, taken_q, up_q, read_q;
    reg  [31:0] reg_q;
    reg         ring_q;
    wire [31:0] up_data;
    wire        set = we_i && addr_i[11:10] == 2'd0;

    assign rdata_o = ring_q ? up_data : reg_q;

    always @(posedge clk_i) begin
        ring_q <= addr_i[11];
        case (addr_i[9:0])
            10'd0:   reg_q <= ID;
            DOWN:    reg_q <= {16'd0, down_q};
            TAKEN:   reg_q <= {16'd0, taken_q};
            UP:      reg_q <= {16'd0, up_q};
            READ:    reg_q <= {16'd0, read_q};
            default: reg_q <= 32'd0;
        endcase
        if (!rst_ni) begin
            down_q <= 16'd0;
            read_q <= 16'd0;
        end else begin
            if (set && addr_i[9:0] == DOWN)
                down_q <= wdata_i[15:0];
            if (set && addr_i[9:0] == READ)
                read_q <= wdata_i[15:0];
        end
    end

    // ---- down: a length, then so many words ----
    localparam [1:0] LENGTH = 2'd0, TAKE = 2'd1, READY = 2'd2;
    reg  [1:0]  state_q;
    reg  [8:0]  left_q;
    wire [31:0] down_data;
    wire        waits = down_q != taken_q;
    wire        wrong = down_data == 32'd0 || down_data > MOST;
    wire        fetch = waits && state_q != TAKE;

    igpu_ctx_ram #(.WIDTH(32), .DEPTH(`IGPU_LINK_WIN_RING), .AW(10)) u_down (
        .clk_i(clk_i), .re_i(fetch), .clear_i(1'b0), .raddr_i(taken_q[9:0]), .rdata_o(down_data),
        .we_i(we_i && addr_i[11:10] == 2'd2), .waddr_i(addr_i[9:0]), .wdata_i(wdata_i));

    assign in_data_o = down_data;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            state_q    <= LENGTH;
            taken_q    <= 16'd0;
            in_valid_o <= 1'b0;
        end else begin
            in_valid_o <= fetch && state_q == READY;
            case (state_q)
                LENGTH: state_q <= fetch ? TAKE : LENGTH;
                TAKE:   state_q <= wrong ? LENGTH : READY;
                default: state_q <= (fetch && left_q == 9'd1) ? LENGTH : READY;
            endcase
            if (state_q == TAKE && wrong)
                taken_q <= down_q;
            else if (fetch)
                taken_q <= taken_q + 16'd1;
        end
        in_last_o <= left_q == 9'd1;
        if (state_q == TAKE)
            left_q <= down_data[8:0];
        else if (fetch && state_q == READY)
            left_q <= left_q - 9'd1;
    end

    // ---- up: the length goes before the first word; the counter moves with the last ----
    reg         open_q;              // the length is in the ring
    reg  [15:0] next_q;              // beyond the words of the frame so far
    wire [15:0] used = next_q - read_q;
    wire        fits = {6'd0, out_words_i} + 16'd1 <= SIZE - used;
    wire        begins = out_valid_i && !open_q && fits;
    wire        push = out_valid_i && open_q;

    igpu_ctx_ram #(.WIDTH(32), .DEPTH(`IGPU_LINK_WIN_RING), .AW(10)) u_up (
        .clk_i(clk_i), .re_i(1'b1), .clear_i(1'b0), .raddr_i(addr_i[9:0]), .rdata_o(up_data),
        .we_i(begins || push), .waddr_i(next_q[9:0]),
        .wdata_i(open_q ? out_data_i : {22'd0, out_words_i}));

    assign out_ready_o = open_q;
    assign busy_o      = waits || in_valid_o || state_q == TAKE || begins || open_q;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            open_q <= 1'b0;
            up_q   <= 16'd0;
            next_q <= 16'd0;
        end else begin
            open_q <= begins || (open_q && !(push && out_last_i));
            if (begins || push)
                next_q <= next_q + 16'd1;
            if (push && out_last_i)
                up_q <= next_q + 16'd1;
        end
    end

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !(set && addr_i[9:0] == DOWN) || wdata_i[15:0] - taken_q < SIZE,
                  "the host keeps the ring's words below its size")
    `IGPU_REQUIRE(clk_i, !(set && addr_i[9:0] == READ) ||
                         wdata_i[15:0] - read_q <= up_q - read_q,
                  "the host takes no more words than there are")

endmodule

`default_nettype wire

// igpu_fifo - first-in first-out queue in block RAM, its oldest entry in a register.
//
// Function  push_i appends data_i; head_o is the oldest entry where valid_o; pop_i removes
//           it. What is behind it has been read: so a pop sets off no more than to take it.
// Timing    An entry that is pushed at t into an empty queue is at the head from t + 4 on;
//           behind a pop the next one is there at once, if the pop before was two clocks
//           ago and it was pushed three clocks ago.
// Contract  No pop without valid_o, no push where DEPTH - 1 entries wait behind the head
//           (also of those that are not there yet); a push and a pop in one clock are fine.
//           DEPTH is a power of two.
// Reset     rst_ni low, synchronous: empty.
// Tests     tests/rtl/igpu_fifo_tb.v, tests/formal/fifo_proof.v

`default_nettype none
`include "igpu_assert.vh"

module igpu_fifo #(
    parameter WIDTH = 32,
    parameter DEPTH = 16,
    parameter AW    = 4                // log2 of DEPTH
) (
    input  wire             clk_i,
    input  wire             rst_ni,
    input  wire             push_i,    // append data_i
    input  wire [WIDTH-1:0] data_i,
    input  wire             pop_i,     // remove the head
    output reg              valid_o,   // there is one:
    output reg  [WIDTH-1:0] head_o     // the oldest entry
);

    localparam [AW-1:0] ONE = 1;

    reg  [AW-1:0]    wr_q, rd_q;       // of the entries behind the head
    reg              next_valid_q;     // the oldest of these was read:
    wire [WIDTH-1:0] next;
    wire             load = next_valid_q && (pop_i || !valid_o);

    igpu_ctx_ram #(.WIDTH(WIDTH), .DEPTH(DEPTH), .AW(AW), .BLOCK(1)) u_words (
        .clk_i(clk_i), .re_i(1'b1), .clear_i(1'b0), .raddr_i(rd_q), .rdata_o(next),
        .we_i(push_i), .waddr_i(wr_q), .wdata_i(data_i));

    always @(posedge clk_i) begin
        if (load)
            head_o <= next;
        if (!rst_ni) begin
            wr_q         <= {AW{1'b0}};
            rd_q         <= {AW{1'b0}};
            valid_o      <= 1'b0;
            next_valid_q <= 1'b0;
        end else begin
            if (push_i)
                wr_q <= wr_q + ONE;
            if (load)
                rd_q <= rd_q + ONE;
            if (load || pop_i)
                valid_o <= load;
            next_valid_q <= !load && rd_q != wr_q;
        end
    end

    `IGPU_BUILT(DEPTH == 1 << AW, "DEPTH is a power of two, AW its logarithm")
    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !(push_i && wr_q + ONE == rd_q), "no push when full")
    `IGPU_REQUIRE(clk_i, !(pop_i && !valid_o), "no pop when empty")

endmodule

`default_nettype wire

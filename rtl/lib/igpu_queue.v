// igpu_queue - first-in first-out queue in registers or LUT RAM, its head seen at once.
//
// Function  push_i appends data_i; head_o is the oldest entry; pop_i removes it.
// Timing    An entry pushed at t is at the head from t+1 on at the earliest.
// Contract  No push when full and no pop when empty (count_o tells); a push and
//           a pop in one cycle are fine. DEPTH is a power of two.
// Reset     rst_ni low, synchronous: empty.
// Tests     tests/rtl/igpu_queue_tb.v

`default_nettype none
`include "igpu_assert.vh"

module igpu_queue #(
    parameter WIDTH = 32,
    parameter DEPTH = 16,
    parameter AW    = 4                // log2 of DEPTH
) (
    input  wire             clk_i,
    input  wire             rst_ni,
    input  wire             push_i,    // append data_i
    input  wire [WIDTH-1:0] data_i,
    input  wire             pop_i,     // remove the head
    output wire [WIDTH-1:0] head_o,    // the oldest entry; undefined when empty
    output wire [AW:0]      count_o    // entries
);

    localparam [AW:0]   COUNT1 = 1;
    localparam [AW-1:0] PTR1   = 1;

    reg [WIDTH-1:0] mem [0:DEPTH-1];
    reg [AW-1:0]    wr_q, rd_q;
    reg [AW:0]      count_q;

    assign head_o  = mem[rd_q];
    assign count_o = count_q;

    always @(posedge clk_i) begin
        if (push_i)
            mem[wr_q] <= data_i;
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            wr_q    <= {AW{1'b0}};
            rd_q    <= {AW{1'b0}};
            count_q <= {(AW+1){1'b0}};
        end else if (push_i || pop_i) begin
            if (push_i)
                wr_q <= wr_q + PTR1;
            if (pop_i)
                rd_q <= rd_q + PTR1;
            if (push_i && !pop_i)
                count_q <= count_q + COUNT1;
            if (pop_i && !push_i)
                count_q <= count_q - COUNT1;
        end
    end

    `IGPU_BUILT(DEPTH == 1 << AW, "DEPTH is a power of two, AW its logarithm")
    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !(push_i && count_o[AW]), "no push when full")
    `IGPU_REQUIRE(clk_i, !(pop_i && count_o == {(AW+1){1'b0}}), "no pop when empty")

endmodule

`default_nettype wire

// igpu_eu_sendq - send queues of the contexts of one tile in one pipeline.
//
// Function  An EU's messages wait here, oldest first, four at most. The oldest requests
//           from the cycle on in which its payload has been read. What the tile's
//           arbiter grants in a cycle leaves when the cycle is over.
// Timing    req_o, port_o and full_o are registers. What was granted with tick_i is on
//           msg_* in the clock after.
// Contract  tick_i ends cycle now_i. A message that was issued in cycle t is pushed
//           before cycle t + 1 is over, and its from_i is t + 1 or later: it cannot be
//           missed. A grant only to who requests; no push when full.
// Reset     rst_ni low, synchronous: empty.
// Model     csim/ref/tile.c: grant_from().  Tests: tests/cosim/test_array.c
// Source    docs/contract/model.md sections 4.3 and 4.7

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"
`include "igpu_regs.vh"

module igpu_eu_sendq #(
    parameter EUS = 8,                             // contexts, 1 to 8
    parameter EW  = 3                              // log2 of EUS, at least 1
) (
    input  wire                     clk_i,
    input  wire                     rst_ni,
    input  wire                     tick_i,        // the cycle is over,
    input  wire [`IGPU_STAMP_W-1:0] now_i,
    input  wire [`IGPU_STAMP_W-1:0] next_i,        // and the next clock is in this one
    input  wire                     push_i,        // a message was issued
    input  wire [EW-1:0]            push_eu_i,     // by this EU,
    input  wire [2:0]               push_slot_i,   // thread
    input  wire [`IGPU_UOP_W-1:0]   push_uop_i,    // and instruction;
    input  wire                     push_port_i,   // it needs a credit;
    input  wire [`IGPU_STAMP_W-1:0] push_from_i,   // it can be granted from then on
    output wire [EUS-1:0]           req_o,         // the oldest can be granted,
    output wire [EUS-1:0]           port_o,        // needs a credit
    output wire [EUS-1:0]           full_o,        // four wait
    output wire [EUS-1:0]           young_o,       // the youngest cannot be granted yet
    input  wire [EUS-1:0]           grant_i,       // with tick_i: it is (one at most)
    output wire [2:0]               msg_slot_o,    // the message that was granted
    output wire [`IGPU_UOP_W-1:0]   msg_uop_o
);

    localparam T = `IGPU_STAMP_W;
    localparam M = 3 + `IGPU_UOP_W;
    localparam [EUS-1:0] ONE  = 1;
    localparam [EUS-1:0] NONE = 0;

    wire [EUS-1:0]   pushed = push_i ? ONE << push_eu_i : NONE;
    wire [EUS-1:0]   popped = tick_i ? grant_i : NONE;
    wire [2*EUS-1:0] wr, rd;                       // places, 2 bits an EU
    wire [7:0]       wide  = {{(8-EUS){1'b0}}, grant_i};
    wire [2:0]       index = {|wide[7:4], |(wide & 8'hcc), |(wide & 8'haa)};
    reg  [EW+1:0]    place_q;                      // of the message granted

    always @(posedge clk_i) begin
        if (tick_i)
            place_q <= {index[EW-1:0], rd[2*index[EW-1:0] +: 2]};
    end

    // ---- the messages: distributed RAM, four places an EU ----
    igpu_lutram #(.WIDTH(M), .DEPTH(4 << EW), .AW(EW + 2)) u_words (
        .clk_i(clk_i), .we_i(push_i), .waddr_i({push_eu_i, wr[2*push_eu_i +: 2]}),
        .wdata_i({push_slot_i, push_uop_i}),
        .raddr_i(place_q),
        .rdata_o({msg_slot_o, msg_uop_o}));

    // Each compared before it is known whether the cycle ends.
    wire push_later = push_from_i != next_i;
    wire push_young = push_from_i != now_i;

    // ---- the queue of each EU ----
    genvar e;
    generate
        for (e = 0; e < EUS; e = e + 1) begin : g_eu
            reg  [2:0]   count_q;
            reg  [1:0]   wr_q, rd_q;
            reg  [3:0]   port_q;                   // of the four places
            reg          young_q;                  // the youngest cannot be granted,
            reg  [T-1:0] from_q;                   // before this cycle

            assign req_o[e]  = count_q != 3'd0 && !(young_q && count_q == 3'd1);
            assign port_o[e] = port_q[rd_q];
            assign full_o[e] = count_q[2];
            assign young_o[e] = young_q;
            assign wr[2*e +: 2] = wr_q;
            assign rd[2*e +: 2] = rd_q;

            always @(posedge clk_i) begin
                if (!rst_ni) begin
                    count_q <= 3'd0;
                    wr_q    <= 2'd0;
                    rd_q    <= 2'd0;
                    young_q <= 1'b0;
                end else begin
                    if (pushed[e] != popped[e])
                        count_q <= pushed[e] ? count_q + 3'd1 : count_q - 3'd1;
                    if (popped[e])
                        rd_q <= rd_q + 2'd1;
                    if (pushed[e]) begin
                        wr_q         <= wr_q + 2'd1;
                        port_q[wr_q] <= push_port_i;
                        from_q       <= push_from_i;
                        young_q      <= tick_i ? push_later : push_young;
                    end else if (tick_i && young_q) begin
                        young_q <= from_q != next_i;
                    end
                end
            end
        end
    endgenerate

    wire unused = &{1'b0, index};

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_SHADOW(wire [T-1:0] ahead = push_from_i - now_i;)
    `IGPU_REQUIRE(clk_i, !tick_i || (grant_i & ~req_o) == NONE, "a grant only to who requests")
    `IGPU_REQUIRE(clk_i, !tick_i || (grant_i & (grant_i - ONE)) == NONE, "one grant at most")
    `IGPU_REQUIRE(clk_i, (pushed & full_o) == NONE, "no push when full")
    `IGPU_REQUIRE(clk_i, !push_i || ahead <= 11'd255, "a message is pushed before it can go")

endmodule

`default_nettype wire

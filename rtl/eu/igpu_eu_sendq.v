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

    // ---- the queue of each EU: bit e of each word is EU e's, a number's bits in words of
    // their own, so that all EUs count at once ----
    reg  [EUS-1:0] count0_q, count1_q, count2_q;   // messages that wait
    reg  [EUS-1:0] wr0_q, wr1_q, rd0_q, rd1_q;     // places
    reg  [EUS-1:0] port0_q, port1_q, port2_q, port3_q; // of the four places
    reg  [EUS-1:0] young_q;                        // the youngest cannot be granted,
    reg  [T*EUS-1:0] from_q;                       // before this cycle
    wire [7:0]     wide  = {{(8-EUS){1'b0}}, grant_i};
    wire [2:0]     index = {|wide[7:4], |(wide & 8'hcc), |(wide & 8'haa)};
    reg  [EW+1:0]  place_q;                        // of the message granted

    assign req_o   = (count2_q | count1_q | count0_q) & ~(young_q & count0_q & ~count1_q);
    assign port_o  = (rd1_q & rd0_q & port3_q) | (rd1_q & ~rd0_q & port2_q) |
                     (~rd1_q & rd0_q & port1_q) | (~rd1_q & ~rd0_q & port0_q);
    assign full_o  = count2_q;
    assign young_o = young_q;

    // What an input leads to is an operand here, not a wire: the default engine calls the
    // process without evaluating wires first (bridge/engines/rtl/verilator_direct.hpp).
    // A word that others are computed of comes after them: a simulator needs no copy.
    task counts(input [EUS-1:0] up, input [EUS-1:0] down);
        begin
            count2_q <= count2_q ^ ((up & count0_q & count1_q) | (down & ~count0_q & ~count1_q));
            count1_q <= count1_q ^ ((up & count0_q) | (down & ~count0_q));
            count0_q <= count0_q ^ (up | down);
        end
    endtask

    // A message that needs a credit, or none, takes the next place of who pushes.
    task push(input [EUS-1:0] pushed, input credit);
        reg [EUS-1:0] ported;
        begin
            ported = credit ? pushed : NONE;
            if ((wr1_q & wr0_q & pushed) != NONE)
                port3_q <= (port3_q & ~pushed) | ported;
            else if ((wr1_q & pushed) != NONE)
                port2_q <= (port2_q & ~pushed) | ported;
            else if ((wr0_q & pushed) != NONE)
                port1_q <= (port1_q & ~pushed) | ported;
            else
                port0_q <= (port0_q & ~pushed) | ported;
            wr1_q <= wr1_q ^ (pushed & wr0_q);
            wr0_q <= wr0_q ^ pushed;
        end
    endtask

    // Its message leaves; it is read from its place.
    task pop(input [EUS-1:0] popped);
        begin
            place_q <= {index[EW-1:0], (rd1_q & popped) != NONE, (rd0_q & popped) != NONE};
            rd1_q   <= rd1_q ^ (popped & rd0_q);
            rd0_q   <= rd0_q ^ popped;
        end
    endtask

    // Those whose youngest still cannot be granted when the next cycle begins.
    function [EUS-1:0] later(input [EUS-1:0] young, input [T*EUS-1:0] from, input [T-1:0] next);
        integer e;
        begin
            later = young;
            for (e = 0; e < EUS; e = e + 1)
                if (from[T*e +: T] == next)
                    later[e] = 1'b0;
        end
    endfunction

    // The youngest that is pushed: compared before it is known whether the cycle ends.
    function is_young(input tick, input [T-1:0] from, input [T-1:0] next, input [T-1:0] now);
        reg at_next, at_now;
        begin
            at_next  = from != next;
            at_now   = from != now;
            is_young = tick ? at_next : at_now;
        end
    endfunction

    function [EUS-1:0] grown(input [EUS-1:0] pushed, input [EUS-1:0] young, input is);
        grown = (young & ~pushed) | (is ? pushed : NONE);
    endfunction

    integer k;

    // Without a message and a cycle's end nothing changes.
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            {count0_q, count1_q, count2_q} <= {3*EUS{1'b0}};
            {wr0_q, wr1_q, rd0_q, rd1_q}   <= {4*EUS{1'b0}};
            young_q <= NONE;
        end else begin
            if (push_i || (tick_i && young_q != NONE))
                young_q <= grown(push_i ? ONE << push_eu_i : NONE,
                                 tick_i ? later(young_q, from_q, next_i) : young_q,
                                 is_young(tick_i, push_from_i, next_i, now_i));
            if (push_i) begin
                push(ONE << push_eu_i, push_port_i);
                if (tick_i)
                    counts((ONE << push_eu_i) & ~grant_i, grant_i & ~(ONE << push_eu_i));
                else
                    counts(ONE << push_eu_i, NONE);
            end else if (tick_i && grant_i != NONE) begin
                counts(NONE, grant_i);
            end
            if (tick_i && grant_i != NONE)
                pop(grant_i);
        end
        if (push_i)
            for (k = 0; k < EUS; k = k + 1)
                if (push_eu_i == k[EW-1:0])
                    from_q[T*k +: T] <= push_from_i;
    end

    // ---- the messages: distributed RAM, four places an EU ----
    igpu_lutram #(.WIDTH(M), .DEPTH(4 << EW), .AW(EW + 2)) u_words (
        .clk_i(clk_i), .we_i(push_i),
        .waddr_i({push_eu_i, (wr1_q & ONE << push_eu_i) != NONE,
                  (wr0_q & ONE << push_eu_i) != NONE}),
        .wdata_i({push_slot_i, push_uop_i}),
        .raddr_i(place_q),
        .rdata_o({msg_slot_o, msg_uop_o}));

    wire unused = &{1'b0, index};

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_SHADOW(wire [T-1:0] ahead = push_from_i - now_i;)
    `IGPU_REQUIRE(clk_i, !tick_i || (grant_i & ~req_o) == NONE, "a grant only to who requests")
    `IGPU_REQUIRE(clk_i, !tick_i || (grant_i & (grant_i - ONE)) == NONE, "one grant at most")
    `IGPU_REQUIRE(clk_i, !push_i || (full_o & ONE << push_eu_i) == NONE, "no push when full")
    `IGPU_REQUIRE(clk_i, !push_i || ahead <= 11'd255, "a message is pushed before it can go")

endmodule

`default_nettype wire

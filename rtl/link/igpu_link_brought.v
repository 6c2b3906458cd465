// igpu_link_brought - what a clock of the array brought, and the first of it as a word.
//
// Function  Of messages, opens, the launch's end, issues (with stream_i; else ends alone)
//           and asks that the array's outputs show, the first that seen_i does not have,
//           in this order and by tile or pipeline: one-hot in pick_o. Of what was so picked
//           a clock ago (pick_i) its event's bits in word_o, and whether its cycle is the
//           one before now.
// Timing    Combinational. Messages, opens and the end are there where a cycle is over
//           (ticked_i), issues and asks where the array's clock ran (ran_i).
// Contract  any_o is 0: nothing is left, and nothing is picked. A stamp is that of now or of
//           the cycle before, so its lowest bit tells.
// Tests     tests/cosim/test_fpga.c
// Source    docs/develop/fpga.md#events

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"
`include "igpu_link.vh"
`include "igpu_regs.vh"

module igpu_link_brought #(
    parameter TILES    = 3,
    parameter EUS      = 8,
    parameter CONTEXTS = 24,
    parameter CW       = 5,
    parameter PIPES    = TILES * EUS / CONTEXTS,   // not to be set
    parameter N        = 2 * TILES + 1 + 5 * PIPES // not to be set: what a clock may bring
) (
    input  wire                           now_i,        // of now: its lowest bit
    input  wire                           ran_i,
    input  wire                           ticked_i,
    input  wire                           stream_i,     // each issue, not ends alone
    input  wire [N-1:0]                   seen_i,
    // ---- the array ----
    input  wire                           over_i,
    input  wire [TILES-1:0]               msg_valid_i,
    input  wire [3*TILES-1:0]             msg_eu_i,
    input  wire [3*TILES-1:0]             msg_slot_i,
    input  wire [`IGPU_UOP_W*TILES-1:0]   msg_uop_i,
    input  wire [TILES-1:0]               open_valid_i,
    input  wire [3*TILES-1:0]             open_eu_i,
    input  wire [3*TILES-1:0]             open_slot_i,
    input  wire [32*TILES-1:0]            open_thread_i,
    input  wire [5*TILES-1:0]             open_bslot_i,
    input  wire [PIPES-1:0]               ask_i,
    input  wire [CW*PIPES-1:0]            ask_ctx_i,
    input  wire [3*PIPES-1:0]             ask_slot_i,
    input  wire [`IGPU_STAMP_W*PIPES-1:0] ask_now_i,
    input  wire [CW*PIPES-1:0]            ret_ctx_i,
    input  wire [`IGPU_STAMP_W*PIPES-1:0] ret_now_i,
    input  wire [4*PIPES-1:0]             ret_valid_i,
    input  wire [12*PIPES-1:0]            ret_slot_i,
    input  wire [4*`IGPU_UOP_W*PIPES-1:0] ret_uop_i,
    input  wire [PIPES-1:0]               ret_end_i,
    input  wire [8*PIPES-1:0]             ret_left_i,
    // ---- the first that was not seen ----
    output wire                           any_o,
    output wire [N-1:0]                   pick_o,
    // ---- of what was picked so, while the array stands ----
    input  wire [N-1:0]                   pick_i,
    output reg  [27:0]                    word_o,
    output wire                           prior_o,      // in the cycle before now
    output reg  [7:0]                     units_left_o  // with an end
);

    localparam U = `IGPU_UOP_W;
    localparam MSGS = 0, OPENS = TILES, OVER = 2 * TILES, RETS = OVER + 1;
    localparam ASKS = RETS + 4 * PIPES;
    localparam [N-1:0] ONE = 1;
    localparam [5:0] GAP = 6'd8 - EUS[5:0];

    // ---- all of it ----
    reg  [N-1:0]  brought;
    reg  [N-1:0]  prior;
    reg  [28*N-1:0] words;
    reg  [27:0]   msg, open, issue, ask;           // words of them
    reg  [5:0]    all;                             // an EU's number, over the tiles
    integer       i, u;

    always @* begin
        brought = {N{1'b0}};
        prior   = ~{N{1'b0}};
        words   = {(28*N){1'b0}};
        all     = 6'd0;
        {msg, open, issue, ask} = 112'd0;
        for (i = 0; i < TILES; i = i + 1) begin
            brought[MSGS+i]  = ticked_i && msg_valid_i[i];
            brought[OPENS+i] = ticked_i && open_valid_i[i];
            msg[`IGPU_LINK_PLACE] = {i[2:0], msg_eu_i[3*i +: 3], msg_slot_i[3*i +: 3]};
            msg[`IGPU_LINK_UOP]   = msg_uop_i[U*i +: U];
            open[`IGPU_LINK_PLACE]       = {i[2:0], open_eu_i[3*i +: 3], open_slot_i[3*i +: 3]};
            open[`IGPU_LINK_OPEN_THREAD] = open_thread_i[32*i +: 14];
            open[`IGPU_LINK_OPEN_BSLOT]  = open_bslot_i[5*i +: 5];
            words[28*(MSGS+i) +: 28]  = msg;
            words[28*(OPENS+i) +: 28] = open;
        end
        brought[OVER] = ticked_i && over_i;
        for (i = 0; i < PIPES; i = i + 1) begin
            all = i[5:0] * CONTEXTS[5:0] + {{(6-CW){1'b0}}, ret_ctx_i[CW*i +: CW]};
            for (u = 0; u < 4; u = u + 1) begin
                brought[RETS+4*i+u] = ran_i && ret_valid_i[4*i+u] &&
                                      (stream_i || (u == 2 && ret_end_i[i]));
                prior[RETS+4*i+u]   = ret_now_i[`IGPU_STAMP_W*i] != now_i;
                issue[`IGPU_LINK_PLACE] = {eu_place(all), ret_slot_i[12*i+3*u +: 3]};
                issue[`IGPU_LINK_UNIT]  = u[1:0];
                issue[`IGPU_LINK_UOP]   = ret_uop_i[U*(4*i+u) +: U];
                words[28*(RETS+4*i+u) +: 28] = issue;
            end
            all = i[5:0] * CONTEXTS[5:0] + {{(6-CW){1'b0}}, ask_ctx_i[CW*i +: CW]};
            brought[ASKS+i] = ran_i && ask_i[i];
            prior[ASKS+i]   = ask_now_i[`IGPU_STAMP_W*i] != now_i;
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

    // ---- the first ----
    wire [N-1:0] left = brought & ~seen_i;
    integer      k;

    assign any_o   = left != {N{1'b0}};
    assign pick_o  = left & (~left + ONE);
    assign prior_o = (pick_i & prior) != {N{1'b0}};

    always @* begin
        units_left_o = 8'd0;
        for (k = 0; k < PIPES; k = k + 1)
            units_left_o = units_left_o | (pick_i[RETS+4*k+2] ? ret_left_i[8*k +: 8] : 8'd0);
        word_o = 28'd0;
        for (k = 0; k < N; k = k + 1)
            word_o = word_o | (pick_i[k] ? words[28*k +: 28] : 28'd0);
    end

    `IGPU_HOLDS(any_o || pick_o == {N{1'b0}}, "where nothing is left nothing is picked")
    `IGPU_HOLDS(pick_i != {N{1'b0}} || {word_o, prior_o, units_left_o} == 37'd0,
                "where nothing was picked the other outputs are 0")

endmodule

`default_nettype wire

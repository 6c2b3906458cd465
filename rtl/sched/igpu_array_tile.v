// igpu_array_tile - what a tile has once: local dispatcher, send arbiter, its tokens.
//
// Function  Takes the STARTs, DONEs and ends of a cycle when it is over, and holds what
//           the tile's EUs are given in the next one.
// Timing    At tick_i, end of cycle t: a START of t opens a thread, shown to the host as
//           open_*_o; its first run is taken at the end of t + 1 and given in t + 2. A
//           DONE of t is given in t + 1. The send arbiter's grant of t is on msg_*_o in
//           the clock after. settle_i: ends of t - 1 free their slots.
// Contract  settle_i and tick_i never together; an end comes with one settle_i. EUs that
//           were not built do not request. Groups are igpu_eu_sendq's, SIZE EUs each.
// Reset     rst_ni low, synchronous: as at the start of a launch.
// Model     csim/ref/tile.c.  Tests: tests/cosim/test_array.c
// Source    docs/contract/model.md sections 3, 4.6, 4.7; docs/develop/eu-pipeline.md#time

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_regs.vh"

module igpu_array_tile #(
    parameter EUS  = 8,
    parameter SIZE = 8                              // EUs of a group: divides EUS
) (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire                   tick_i,           // the cycle is over
    input  wire                   settle_i,         // count the ends
    input  wire                   count_i,          // take the ENDs
    input  wire [3:0]             eus_i,            // EUs in use
    input  wire [2:0]             threads_i,        // slots in use
    input  wire [6:0]             queue_i,          // credits
    input  wire [5:0]             end_latency_i,
    input  wire                   start_valid_i,    // START
    input  wire [31:0]            start_thread_i,
    input  wire [4:0]             start_bslot_i,
    output reg                    open_valid_o,     // its thread was opened
    output reg  [2:0]             open_eu_o,
    output reg  [2:0]             open_slot_o,
    output reg  [31:0]            open_thread_o,
    output reg  [4:0]             open_bslot_o,
    input  wire [`IGPU_UOP_W-1:0] open_pc_i,        // its first run
    input  wire [`IGPU_LEN_W-1:0] open_len_i,
    input  wire [7:0]             open_wait_i,
    input  wire                   done_valid_i,     // DONE
    input  wire [2:0]             done_eu_i,
    input  wire [2:0]             done_slot_i,
    input  wire [`IGPU_UOP_W-1:0] done_uop_i,
    input  wire                   done_credit_i,
    input  wire                   done_wb_i,
    output reg                    msg_valid_o,      // MSG
    output reg  [2:0]             msg_eu_o,
    output reg  [2:0]             msg_slot_o,
    output reg  [`IGPU_UOP_W-1:0] msg_uop_o,
    input  wire [EUS-1:0]         end_i,            // EUs that ended a thread
    input  wire [3*EUS-1:0]       end_slot_i,
    output wire                   end_any_o,        // ENDs take effect in this cycle:
    output reg  [7:0]             end_valid_q,      // with count_i they are taken here
    output reg  [39:0]            end_bslot_q,
    input  wire [EUS-1:0]         req_i,            // send queues: a message can go,
    input  wire [EUS-1:0]         port_i,           // ... needs a credit
    input  wire [EUS-1:0]         full_i,           // four wait,
    input  wire [EUS-1:0]         young_i,          // one will be able to go
    output wire [EUS-1:0]         grant_o,
    input  wire [3*(EUS/SIZE)-1:0] q_slot_i,        // the last granted, by group
    input  wire [`IGPU_UOP_W*(EUS/SIZE)-1:0] q_uop_i,
    output wire                   busy_o,           // something can happen by itself
    output wire [EUS-1:0]         given_o,          // EUs to visit in the next cycle
    output reg  [EUS-1:0]         eu_open_q,        // what they are given
    output reg  [2:0]             eu_open_slot_q,
    output reg  [`IGPU_UOP_W-1:0] eu_open_pc_q,
    output reg  [`IGPU_LEN_W-1:0] eu_open_len_q,
    output reg  [7:0]             eu_open_wait_q,
    output reg  [EUS-1:0]         eu_done_q,
    output reg  [2:0]             eu_done_slot_q,
    output reg  [`IGPU_UOP_W-1:0] eu_done_uop_q
);

    localparam U = `IGPU_UOP_W;
    localparam [EUS-1:0] ONE  = 1;
    localparam [EUS-1:0] NONE = 0;

    // ---- local dispatcher: ends first, then the START ----
    wire        open_valid;
    wire [2:0]  open_eu, open_slot;
    wire [39:0] bslots;
    reg  [7:0]  ends_q;
    reg  [39:0] bslots_q;
    reg         any_q;                              // ends were counted in this cycle
    reg  [7:0]  end8;
    reg  [23:0] slot8;

    reg  [7:0]  eus_q;                              // one bit each

    always @(posedge clk_i) begin
        eus_q <= ~(8'hff << eus_i);
    end

    always @* begin
        end8  = 8'd0;
        slot8 = 24'd0;
        end8[EUS-1:0]    = end_i;
        slot8[3*EUS-1:0] = end_slot_i;
    end

    igpu_sched_local u_local (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(tick_i), .end_ce_i(settle_i), .eus_i(eus_q),
        .threads_i(threads_i), .start_valid_i(start_valid_i),
        .start_bslot_i(start_bslot_i), .open_valid_o(open_valid), .open_eu_o(open_eu),
        .open_slot_o(open_slot), .end_i(end8), .end_slot_i(slot8), .end_bslot_o(bslots));

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            open_valid_o <= 1'b0;
            eu_open_q    <= NONE;
            ends_q       <= 8'd0;
            bslots_q     <= 40'd0;
            any_q        <= 1'b0;
        end else if (settle_i) begin
            ends_q   <= end8;
            any_q    <= 1'b1;
            bslots_q <= bslots;
        end else if (tick_i) begin
            ends_q       <= 8'd0;
            bslots_q     <= 40'd0;
            any_q        <= 1'b0;
            open_valid_o <= open_valid;
            if (open_valid) begin
                open_eu_o     <= open_eu;
                open_slot_o   <= open_slot;
                open_thread_o <= start_thread_i;
                open_bslot_o  <= start_bslot_i;
            end
            eu_open_q <= open_valid_o ? ONE << open_eu_o : NONE;
            if (open_valid_o) begin
                eu_open_slot_q <= open_slot_o;
                eu_open_pc_q   <= open_pc_i;
                eu_open_len_q  <= open_len_i;
                eu_open_wait_q <= open_wait_i;
            end
        end
    end

    // ---- END: counted one cycle after it was made ----
    wire [48:0] late;                               // {ends, their slots, any}
    wire        ends_late;
    reg         one_q;                              // the latency is 1

    igpu_delay #(.WIDTH(49)) u_end (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(tick_i), .latency_i(end_latency_i - 6'd1),
        .data_i({bslots_q, ends_q, any_q}), .data_o(late), .any_o(ends_late));

    assign end_any_o = one_q ? any_q : late[0];

    always @(posedge clk_i) begin
        one_q <= end_latency_i == 6'd1;
        if (count_i)
            {end_bslot_q, end_valid_q} <= one_q ? {bslots_q, ends_q} : late[48:1];
    end

    // ---- send arbiter ----
    reg  [7:0] req8, port8;
    wire [7:0] grant8;

    always @* begin
        req8  = 8'd0;
        port8 = 8'd0;
        req8[EUS-1:0]  = req_i;
        port8[EUS-1:0] = port_i;
    end

    igpu_send_arb u_send (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(tick_i), .limit_i(queue_i), .req_i(req8),
        .port_i(port8), .credit_i(done_valid_i && done_credit_i), .grant_o(grant8));

    assign grant_o = grant8[EUS-1:0];

    wire [2:0]         grant_eu;

    igpu_index #(.N(8), .W(3)) u_index (.onehot_i(grant8), .index_o(grant_eu));

    reg [EUS/SIZE-1:0] group_q;                     // whose message was granted
    integer            g, h;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            msg_valid_o <= 1'b0;
        end else if (tick_i) begin
            msg_valid_o <= grant8 != 8'd0;
            msg_eu_o    <= grant_eu;
            for (g = 0; g < EUS / SIZE; g = g + 1)
                group_q[g] <= grant_o[SIZE*g +: SIZE] != {SIZE{1'b0}};
        end
    end

    always @* begin
        msg_slot_o = q_slot_i[2:0];
        msg_uop_o  = q_uop_i[U-1:0];
        for (h = 1; h < EUS / SIZE; h = h + 1)
            if (group_q[h]) begin
                msg_slot_o = q_slot_i[3*h +: 3];
                msg_uop_o  = q_uop_i[U*h +: U];
            end
    end

    // ---- responses; who has to be visited for what it is given ----
    wire [EUS-1:0] dones = (done_valid_i && done_wb_i) ? ONE << done_eu_i : NONE;

    assign busy_o  = open_valid_o || ends_late || ends_q != 8'd0 || young_i != NONE ||
                     grant8 != 8'd0;
    assign given_o = dones | (open_valid_o ? ONE << open_eu_o : NONE) |
                     (grant_o & full_i);

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            eu_done_q <= NONE;
        end else if (tick_i) begin
            eu_done_q <= dones;
            if (dones != NONE) begin
                eu_done_slot_q <= done_slot_i;
                eu_done_uop_q  <= done_uop_i;
            end
        end
    end

    wire unused = &{1'b0, grant8, group_q};

    `IGPU_BUILT(EUS >= 1 && EUS <= 8 && EUS % SIZE == 0, "SIZE divides EUS, 1 to 8")
    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !(settle_i && tick_i), "settle_i and tick_i never together")
    `IGPU_REQUIRE(clk_i, {28'd0, eus_i} <= EUS, "eus_i is at most EUS")
    `IGPU_REQUIRE(clk_i, !tick_i || end_i == NONE || end_settled_q,
                  "an end comes with one settle_i")
    `IGPU_SHADOW(reg end_settled_q;
                 always @(posedge clk_i) end_settled_q <= settle_i || (end_settled_q && !tick_i);)

endmodule

`default_nettype wire

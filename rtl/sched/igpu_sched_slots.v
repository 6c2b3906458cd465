// igpu_sched_slots - the local dispatcher's view of one EU.
//
// Function  Free thread slots, the slot pointer, and each slot's barrier slot.
// Timing    free_o, slot_o and end_bslot_o are combinational. A slot freed at t
//           is free from t + 1 on.
// Contract  take_i only when free_o.
// Reset     rst_ni low, synchronous: slots_i free, slot 0 first.
// Model     csim/ref.  Tests: tests/rtl/igpu_sched_local_tb.v
// Source    docs/contract/model.md section 3

`default_nettype none
`include "igpu_assert.vh"

module igpu_sched_slots (
    input  wire       clk_i,
    input  wire       rst_ni,
    input  wire       ce_i,
    input  wire       end_ce_i,
    input  wire [6:0] slots_i,     // slots that exist
    input  wire       ask_i,       // a thread looks for a slot
    output wire       free_o,      // there is one
    output wire [2:0] slot_o,      // this one; valid while ask_i
    input  wire       take_i,      // the thread gets it, with ce_i
    input  wire [4:0] bslot_i,     // its barrier slot
    input  wire       end_i,       // a thread ended, with end_ce_i
    input  wire [2:0] end_slot_i,  // in this slot
    output wire [4:0] end_bslot_o  // its barrier slot
);

    reg  [6:0] free_q;
    reg  [6:0] above_q;            // the slots after the last taken
    wire [6:0] pick, above;

    // An arbiter without its enable: a simulator evaluates this once a cycle and EU, a wire of
    // ce_i in each clock.
    igpu_rr_pick #(.N(7)) u_pick (
        .req_i(ask_i ? free_q : 7'd0), .above_i(above_q), .grant_o(pick), .above_o(above));
    igpu_index #(.N(7), .W(3)) u_index (.onehot_i(pick), .index_o(slot_o));

    igpu_lutram #(.WIDTH(5), .DEPTH(8), .AW(3)) u_bslot (
        .clk_i(clk_i), .we_i(ce_i && take_i), .waddr_i(slot_o), .wdata_i(bslot_i),
        .raddr_i(end_slot_i), .rdata_o(end_bslot_o));

    assign free_o = free_q != 7'd0;

    always @(posedge clk_i) begin
        if (!rst_ni)
            above_q <= 7'd0;
        else if (ce_i && take_i)
            above_q <= above;
        if (!rst_ni)
            free_q <= slots_i;
        else if ((ce_i && take_i) || (end_ce_i && end_i))
            free_q <= (free_q & ~((ce_i && take_i) ? pick : 7'd0)) |
                      ((end_ce_i && end_i) ? (7'd1 << end_slot_i) : 7'd0);
    end

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !(ce_i && take_i) || (ask_i && free_o), "take_i only when free_o")
    `IGPU_REQUIRE(clk_i, !(end_ce_i && end_i) || (end_slot_i != 3'd7 && !free_q[end_slot_i]),
                  "a thread ends in a slot that it has")

endmodule

`default_nettype wire

// igpu_sched_local - local dispatcher of one tile.
//
// Function  Gives a started thread the first EU with a free slot from the EU
//           pointer on, and in it the first free slot from its slot pointer on.
// Timing    open_* and end_bslot_o are combinational from registers and inputs.
// Contract  start_valid_i only while a slot is free: the global dispatcher
//           counts. eus_i has the lowest one to eight bits, threads_i is 1 to 7.
// Reset     rst_ni low, synchronous: all free, pointers 0.
// Model     csim/ref.  Tests: tests/rtl/igpu_sched_local_tb.v
// Source    docs/contract/model.md section 3

`default_nettype none
`include "igpu_assert.vh"

module igpu_sched_local (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        ce_i,           // a START is taken in this clock,
    input  wire        end_ce_i,       // and these ends
    input  wire [7:0]  eus_i,          // EUs in use, one bit each (eu.count)
    input  wire [2:0]  threads_i,      // slots in use (eu.threads)
    input  wire        start_valid_i,  // a thread starts
    input  wire [4:0]  start_bslot_i,  // its barrier slot; 31: none
    output wire        open_valid_o,   // it is opened
    output wire [2:0]  open_eu_o,      // in this EU
    output wire [2:0]  open_slot_o,    // and slot
    input  wire [7:0]  end_i,          // EUs that end a thread
    input  wire [23:0] end_slot_i,     // its slot, three bits an EU
    output wire [39:0] end_bslot_o     // its barrier slot, five bits an EU
);

    wire [6:0]  slots = ~(7'h7f << threads_i);
    wire [7:0]  has_free, pick;
    wire [23:0] slot;

    igpu_rr_arb #(.N(8)) u_arb (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .req_i(start_valid_i ? (has_free & eus_i) : 8'd0), .take_i(ce_i),
        .grant_o(pick), .index_o(open_eu_o));

    genvar i;
    generate
        for (i = 0; i < 8; i = i + 1) begin : g_eu
            igpu_sched_slots u_slots (
                .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce_i), .end_ce_i(end_ce_i),
                .slots_i(slots), .ask_i(start_valid_i), .free_o(has_free[i]),
                .slot_o(slot[3*i +: 3]), .take_i(pick[i]), .bslot_i(start_bslot_i),
                .end_i(end_i[i]), .end_slot_i(end_slot_i[3*i +: 3]),
                .end_bslot_o(end_bslot_o[5*i +: 5]));
        end
    endgenerate

    assign open_valid_o = pick != 8'd0;
    assign open_slot_o  = slot[3*open_eu_o +: 3];

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !(ce_i && start_valid_i) || open_valid_o,
                  "start_valid_i only while a slot is free")
    `IGPU_REQUIRE(clk_i, eus_i[0] && (eus_i & (eus_i + 8'd1)) == 8'd0,
                  "eus_i has the lowest one to eight bits")
    `IGPU_REQUIRE(clk_i, threads_i != 3'd0, "threads_i is 1 to 7")

endmodule

`default_nettype wire

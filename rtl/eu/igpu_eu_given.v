// igpu_eu_given - stage s0: what a context is given in the cycle of its visit.
//
// Function  Holds, with the visit, the thread that was opened (it may fetch from this
//           cycle on, if its code is there), the response that arrived in the cycle
//           before, and whether the send queue is full. They are taken in the clock in
//           which the sequencer chooses: the inputs are those of its cycle.
// Timing    given_o is combinational from what the groups are given; the rest is for s1.
// Contract  A group is the contexts of one tile: SIZE of them, in order. Each is given
//           one thread and one response at most in a cycle.
// Reset     None: without a visit the outputs mean nothing.
// Tests     tests/cosim/test_array.c
// Source    docs/develop/eu-pipeline.md#sequencer

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"
`include "igpu_regs.vh"

module igpu_eu_given #(
    parameter CONTEXTS = 8,
    parameter GROUPS   = 1,
    parameter SIZE     = 8                           // CONTEXTS / GROUPS
) (
    input  wire                          clk_i,
    input  wire                          go_i,       // the choice is a visit
    input  wire [CONTEXTS-1:0]           pick_i,     // the context chosen
    input  wire [CONTEXTS-1:0]           open_i,     // a thread was opened here,
    input  wire [3*GROUPS-1:0]           open_slot_i,
    input  wire [`IGPU_UOP_W*GROUPS-1:0] open_pc_i,  // with this first run
    input  wire [`IGPU_LEN_W*GROUPS-1:0] open_len_i,
    input  wire [8*GROUPS-1:0]           open_wait_i,
    input  wire [CONTEXTS-1:0]           done_i,     // a response arrived here,
    input  wire [3*GROUPS-1:0]           done_slot_i,
    input  wire [`IGPU_UOP_W*GROUPS-1:0] done_uop_i, // to this message
    input  wire [CONTEXTS-1:0]           full_i,     // the send queue is full
    output reg                           gv_open_q,
    output reg  [2:0]                    gv_open_slot_q,
    output reg  [`IGPU_UOP_W-1:0]        gv_open_pc_q,
    output reg  [`IGPU_LEN_W-1:0]        gv_open_len_q,
    output reg  [7:0]                    gv_open_wait_q,
    output reg                           gv_done_q,
    output reg  [2:0]                    gv_done_slot_q,
    output reg  [`IGPU_UOP_W-1:0]        gv_done_uop_q,
    output reg                           gv_full_q
);

    localparam U = `IGPU_UOP_W;
    localparam L = `IGPU_LEN_W;

    wire   open = (open_i & pick_i) != {CONTEXTS{1'b0}};
    wire   done = (done_i & pick_i) != {CONTEXTS{1'b0}};
    integer g;
    genvar  k;

    always @(posedge clk_i) begin
        gv_open_q <= go_i && open;
        gv_done_q <= go_i && done;
        gv_full_q <= (full_i & pick_i) != {CONTEXTS{1'b0}};
        if (open)
            for (g = 0; g < GROUPS; g = g + 1)
                if (pick_i[SIZE*g +: SIZE] != {SIZE{1'b0}}) begin
                    gv_open_slot_q <= open_slot_i[3*g +: 3];
                    gv_open_pc_q   <= open_pc_i[U*g +: U];
                    gv_open_len_q  <= open_len_i[L*g +: L];
                    gv_open_wait_q <= open_wait_i[8*g +: 8];
                end
        if (done)
            for (g = 0; g < GROUPS; g = g + 1)
                if (pick_i[SIZE*g +: SIZE] != {SIZE{1'b0}}) begin
                    gv_done_slot_q <= done_slot_i[3*g +: 3];
                    gv_done_uop_q  <= done_uop_i[U*g +: U];
                end
    end

    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_REQUIRE(clk_i, (pick_i & (pick_i - {{(CONTEXTS-1){1'b0}}, 1'b1})) == {CONTEXTS{1'b0}},
                  "one context is chosen")
    generate
        for (k = 0; k < GROUPS; k = k + 1) begin : g_contract
            `IGPU_REQUIRE(clk_i, (open_i[SIZE*k +: SIZE] & (open_i[SIZE*k +: SIZE] - 1)) ==
                                 {SIZE{1'b0}}, "a group is given one thread at most")
            `IGPU_REQUIRE(clk_i, (done_i[SIZE*k +: SIZE] & (done_i[SIZE*k +: SIZE] - 1)) ==
                                 {SIZE{1'b0}}, "a group is given one response at most")
        end
    endgenerate

endmodule

`default_nettype wire

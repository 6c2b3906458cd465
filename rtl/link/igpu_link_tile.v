// igpu_link_tile - what the host sends to a tile: DONEs, and an opened thread's first run.
//
// Function  DONEs wait in a queue (igpu_link_done) for their cycle. A first run is kept
//           from when it comes until the thread that it is for is opened.
// Timing    A DONE is out in its cycle's second clock. A first run counts from the clock after first_i.
// Contract  One first run at a time: the host sends the next one after the open.
// Reset     rst_ni low, synchronous: no DONE, no first run. So also for a launch.
// Tests     tests/cosim/test_fpga.c
// Source    docs/develop/fpga.md#time

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_link.vh"
`include "igpu_regs.vh"

module igpu_link_tile (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire [15:0]            now_i,
    input  wire                   tick_i,         // a cycle ends
    input  wire                   done_i,
    input  wire [15:0]            done_now_i,     // its cycle
    input  wire [24:0]            done_data_i,
    output wire                   done_valid_o,
    output wire [2:0]             done_eu_o,
    output wire [2:0]             done_slot_o,
    output wire [`IGPU_UOP_W-1:0] done_uop_o,
    output wire                   done_credit_o,
    output wire                   done_wb_o,
    input  wire                   first_i,
    input  wire [`IGPU_LINK_RUN_W-1:0] first_run_i,
    input  wire [7:0]             first_wait_i,
    input  wire                   open_i,         // a thread is opened in this cycle
    output reg                    first_valid_q,
    output wire [`IGPU_UOP_W-1:0] open_pc_o,
    output wire [`IGPU_LEN_W-1:0] open_len_o,
    output reg  [7:0]             open_wait_q
);

    wire [24:0] data;
    reg  [`IGPU_LINK_RUN_W-1:0] run_q;

    igpu_link_done u_done (
        .clk_i(clk_i), .rst_ni(rst_ni), .now_i(now_i), .tick_i(tick_i), .push_i(done_i),
        .cycle_i(done_now_i), .data_i(done_data_i), .valid_q(done_valid_o), .data_q(data));

    assign done_eu_o     = data[`IGPU_LINK_EU];
    assign done_slot_o   = data[`IGPU_LINK_SLOT];
    assign done_uop_o    = data[`IGPU_LINK_DONE_UOP];
    assign done_credit_o = data[`IGPU_LINK_DONE_CREDIT];
    assign done_wb_o     = data[`IGPU_LINK_DONE_WB];
    assign open_pc_o     = run_q[`IGPU_LINK_RUN_PC];
    assign open_len_o    = run_q[`IGPU_LINK_RUN_LEN];

    always @(posedge clk_i) begin
        if (!rst_ni || (tick_i && open_i))
            first_valid_q <= 1'b0;
        else if (first_i)
            first_valid_q <= 1'b1;
        if (first_i) begin
            run_q       <= first_run_i;
            open_wait_q <= first_wait_i;
        end
    end

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !first_i || !first_valid_q, "one first run at a time")

endmodule

`default_nettype wire

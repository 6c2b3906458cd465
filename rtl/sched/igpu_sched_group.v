// igpu_sched_group - threads left in the group that holds one barrier slot.
//
// Function  Counts down as the group's threads end; freed_o when the last does.
// Timing    freed_o is combinational from the ends of this cycle.
// Contract  take_i only while no group holds the slot.
// Reset     rst_ni low, synchronous: no group.
// Tests     tests/rtl/igpu_sched_global_tb.v
// Source    docs/model.md section 2

`default_nettype none
`include "igpu_assert.vh"

module igpu_sched_group #(
    parameter BSLOT = 0                // the barrier slot's number
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        ce_i,
    input  wire        take_i,         // a group takes the slot
    input  wire [5:0]  threads_i,      // its threads, 1 or more
    input  wire [7:0]  end_i,          // ends, one bit an EU
    input  wire [39:0] end_bslot_i,    // barrier slot of each
    output reg         freed_o         // the group's last thread ends
);

    localparam [4:0] NUMBER = BSLOT;

    reg [5:0] left_q;
    reg [3:0] ends;
    integer   k;

    always @* begin
        ends    = 4'd0;
        freed_o = 1'b0;
        if (end_i != 8'd0 && left_q != 6'd0) begin
            for (k = 0; k < 8; k = k + 1)
                ends = ends + {3'd0, end_i[k] && end_bslot_i[5*k +: 5] == NUMBER};
            freed_o = left_q == {2'd0, ends};
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni)
            left_q <= 6'd0;
        else if (ce_i && (take_i || ends != 4'd0))
            left_q <= take_i ? threads_i : left_q - {2'd0, ends};
    end

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !(ce_i && take_i) || left_q == {2'd0, ends},
                  "take_i only while no group holds the slot")
    `IGPU_REQUIRE(clk_i, !(ce_i && take_i) || threads_i != 6'd0, "a group has a thread")
    `IGPU_REQUIRE(clk_i, left_q >= {2'd0, ends}, "a group ends no more threads than it has")

endmodule

`default_nettype wire

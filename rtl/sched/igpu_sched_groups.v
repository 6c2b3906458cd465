// igpu_sched_groups - threads left in the group that holds each barrier slot of a subslice.
//
// Function  Counts down as the groups' threads end; freed_o of a slot when the last does.
// Timing    freed_o comes in the clock after the ends.
// Contract  A bit of take_i only while no group holds the slot, and with no ends.
// Reset     rst_ni low, synchronous: no group.
// Tests     tests/rtl/igpu_sched_global_tb.v
// Source    docs/contract/model.md section 2

`default_nettype none
`include "igpu_assert.vh"

module igpu_sched_groups (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        ce_i,
    input  wire [15:0] take_i,         // a group takes the slot
    input  wire [5:0]  threads_i,      // its threads, 1 or more
    input  wire [7:0]  end_i,          // ends, one bit an EU
    input  wire [39:0] end_bslot_i,    // barrier slot of each
    output reg  [15:0] freed_o         // the group's last thread ended
);

    reg     [95:0] left_q;
    integer        b;

    // The ends in slot number.
    function [3:0] ends_in;
        input [7:0]  valid;
        input [39:0] bslots;
        input [4:0]  number;
        integer      k;
        begin
            ends_in = 4'd0;
            for (k = 0; k < 8; k = k + 1)
                ends_in = ends_in + {3'd0, valid[k] && bslots[5*k +: 5] == number};
        end
    endfunction

    always @(posedge clk_i) begin
        freed_o <= 16'd0;
        if (!rst_ni) begin
            left_q <= 96'd0;
        end else if (ce_i && end_i != 8'd0) begin
            for (b = 0; b < 16; b = b + 1) begin
                if (left_q[6*b +: 6] != 6'd0) begin
                    left_q[6*b +: 6] <= left_q[6*b +: 6] -
                                        {2'd0, ends_in(end_i, end_bslot_i, b[4:0])};
                    freed_o[b] <= left_q[6*b +: 6] ==
                                  {2'd0, ends_in(end_i, end_bslot_i, b[4:0])};
                end
            end
        end else if (ce_i && take_i != 16'd0) begin
            for (b = 0; b < 16; b = b + 1)
                if (take_i[b])
                    left_q[6*b +: 6] <= threads_i;
        end
    end

`ifdef IGPU_CHECKED
    reg     held, fewer;               // a slot that is taken is held; more ends than threads
    integer c;

    always @* begin
        held  = 1'b0;
        fewer = 1'b0;
        for (c = 0; c < 16; c = c + 1) begin
            held  = held || (take_i[c] && left_q[6*c +: 6] != 6'd0);
            fewer = fewer || left_q[6*c +: 6] < {2'd0, ends_in(end_i, end_bslot_i, c[4:0])};
        end
    end
`endif

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !(ce_i && held), "take_i only while no group holds the slot")
    `IGPU_REQUIRE(clk_i, !(ce_i && take_i != 16'd0) || threads_i != 6'd0, "a group has a thread")
    `IGPU_REQUIRE(clk_i, !(ce_i && take_i != 16'd0) || end_i == 8'd0, "take_i with no ends")
    `IGPU_REQUIRE(clk_i, !fewer, "a group ends no more threads than it has")

endmodule

`default_nettype wire

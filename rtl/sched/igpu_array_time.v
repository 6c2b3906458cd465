// igpu_array_time - target time: when a cycle is over.
//
// Function  now_o is the target cycle. It is over when no pipeline has anything left to
//           do in it and all visits of the cycle before are done; if threads ended in the
//           cycle before, one clock goes first in which the local dispatchers count them
//           (settle_o), so that they are free in this cycle.
// Timing    A cycle without any work takes one clock; with skip_i all up to skip_now_i
//           together take one.
// Contract  launch_i while idle_o. skip_i only if nothing can happen before skip_now_i,
//           which is above now_o, at most limit_i, and at most 255 where now_o is, in
//           their lowest eight bits (the sequencers count by marks of 256 cycles).
// Reset     rst_ni low, synchronous: cycle 0.
// Tests     tests/cosim/test_array.c
// Source    docs/eu-pipeline.md#time

`default_nettype none
`include "igpu_regs.vh"

module igpu_array_time (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire                   launch_i,      // set the cycle
    input  wire [`IGPU_NOW_W-1:0] launch_now_i,
    input  wire [`IGPU_NOW_W-1:0] limit_i,       // run up to this cycle, without it
    input  wire                   skip_i,        // the next cycle
    input  wire [`IGPU_NOW_W-1:0] skip_now_i,    // is this one
    input  wire                   calm_i,        // all pipelines: nothing left
    input  wire                   empty_i,       // all pipelines: no visit under way
    input  wire                   ends_i,        // threads that ended in the cycle before
    output wire [`IGPU_NOW_W-1:0] now_o,
    output wire [`IGPU_NOW_W-1:0] cycle_o,       // of the next clock, but for a launch
    output wire                   go_o,          // visits may begin
    output wire                   settle_o,      // count those threads
    output wire                   tick_o,        // the cycle is over
    output wire                   idle_o         // at the limit, nothing under way
);

    reg [`IGPU_NOW_W-1:0] now_q;

    assign now_o    = now_q;
    assign cycle_o  = !tick_o ? now_q : skip_i ? skip_now_i :
                      now_q + {{(`IGPU_NOW_W-1){1'b0}}, 1'b1};
    assign go_o     = now_q != limit_i && !launch_i;
    assign settle_o = go_o && calm_i && ends_i;
    assign tick_o   = go_o && calm_i && !ends_i;
    assign idle_o   = now_q == limit_i && empty_i;

    always @(posedge clk_i) begin
        if (!rst_ni)
            now_q <= {`IGPU_NOW_W{1'b0}};
        else if (launch_i)
            now_q <= launch_now_i;
        else
            now_q <= cycle_o;
    end

endmodule

`default_nettype wire

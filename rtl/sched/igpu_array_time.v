// igpu_array_time - target time: when a cycle is over.
//
// Function  now_o is the target cycle. It is over when no pipeline has anything left to
//           do in it and all visits of the cycle before are done. If threads ended in the
//           cycle before, one clock goes first in which the local dispatchers count them
//           (settle_o), so that they are free in this cycle; then, if ENDs take effect in
//           it, five for the global dispatcher: in the first (take_o) they are taken into
//           registers, in the second (count_o) it begins to count them, after the fifth it
//           has decided.
// Timing    A cycle without any work takes one clock, or two with decide_i; with skip_i
//           all up to skip_now_i together take one. That there are ends or ENDs to count
//           is found in the clock that would have been the cycle's last: so settle_o costs
//           two clocks in all, ENDs six. Whether the limit is reached is found a clock
//           ahead, and not again in the clock after a launch or a skip.
// Contract  launch_i while idle_o, whatever limit comes with it. limit_i is not below now_o
//           (a wall may take it back, igpu_link_wall, to now_o with hold_i only). skip_i
//           only if nothing can happen before skip_now_i, which is above now_o, at most
//           limit_i, and at most 255 where now_o is, in their lowest eight bits (the
//           sequencers count by marks of 256 cycles). hold_i: time stands.
//           tile_clk_i has each edge of clk_i in whose clock work_o was 1, or reset or a
//           launch; of the others any, or none: nothing changes in them.
// Reset     rst_ni low, synchronous: cycle 0.
// Tests     tests/cosim/test_array.c, tests/formal/array_time_proof.v
// Source    docs/develop/eu-pipeline.md#time

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_regs.vh"

module igpu_array_time (
    input  wire                   clk_i,
    input  wire                   tile_clk_i,    // clk_i, where work_o at least
    input  wire                   rst_ni,
    input  wire                   launch_i,      // set the cycle
    input  wire [`IGPU_NOW_W-1:0] launch_now_i,
    input  wire [`IGPU_NOW_W-1:0] limit_i,       // run up to this cycle, without it
    input  wire                   hold_i,        // wait
    input  wire                   skip_i,        // the next cycle
    input  wire [`IGPU_NOW_W-1:0] skip_now_i,    // is this one
    input  wire                   calm_i,        // all pipelines: nothing left
    input  wire                   empty_i,       // all pipelines: no visit under way
    input  wire                   ends_i,        // threads that ended in the cycle before
    input  wire                   late_ends_i,   // ENDs that take effect in this cycle
    input  wire                   decide_i,      // the global dispatcher needs a clock
    output wire [`IGPU_NOW_W-1:0] now_o,
    output wire [`IGPU_NOW_W-1:0] next_o,        // with tick_o: of the next clock
    output wire                   go_o,          // visits may begin
    output wire                   settle_o,      // count those threads
    output wire                   take_o,        // take those ENDs
    output wire                   count_o,       // count them
    output wire                   work_o,        // time, dispatchers and tiles have work:
                                                 // an end or its counts, or the clock after
    output wire                   can_o,         // the cycle is over, unless hold_i
    output wire                   tick_o,        // the cycle is over
    output wire                   idle_o         // at the limit, nothing under way
);

    localparam [`IGPU_NOW_W-1:0] NONE = 0;

    reg  [`IGPU_NOW_W-1:0] now_q;
    reg                    more_q;               // cycles are left, for all that was known
                                                 // a clock ago
    reg                    ticked_q;             // a cycle ended then
    reg                    settle_q, counted_q;
    reg  [4:0]             count_q;              // the five clocks, one-hot
    wire [`IGPU_NOW_W-1:0] gap   = limit_i - now_q;
    wire                   done  = more_q && calm_i && !settle_q && count_q == 5'd0 &&
                                   !(ticked_q && decide_i);
    wire                   ready = done && !hold_i;

    assign now_o    = now_q;
    assign next_o   = skip_i ? skip_now_i : now_q + {{(`IGPU_NOW_W-1){1'b0}}, 1'b1};
    assign go_o     = more_q && !hold_i;
    assign settle_o = settle_q;
    assign take_o   = count_q[0];
    assign count_o  = count_q[1];
    assign work_o   = done || ticked_q || settle_q || count_q != 5'd0;
    // What can end a cycle is known before hold_i, which comes from outside.
    assign can_o    = done && !ends_i && (!late_ends_i || counted_q);
    assign tick_o   = can_o && !hold_i;
    assign idle_o   = now_q == limit_i && empty_i;

    // The limit is the host's, at any time; all else changes where work_o says so.
    always @(posedge clk_i)
        more_q <= rst_ni && !launch_i && !(tick_o && skip_i) &&
                  (tick_o ? gap[`IGPU_NOW_W-1:1] != NONE[`IGPU_NOW_W-1:1] : gap != NONE);

    always @(posedge tile_clk_i) begin
        ticked_q <= tick_o;
        if (!rst_ni || launch_i) begin
            settle_q  <= 1'b0;
            count_q   <= 5'd0;
            counted_q <= 1'b0;
        end else begin
            settle_q  <= ready && ends_i;
            count_q   <= {count_q[3:0], ready && !ends_i && late_ends_i && !counted_q};
            counted_q <= (counted_q || count_q[0]) && !tick_o;
        end
    end

    always @(posedge tile_clk_i) begin
        if (!rst_ni)
            now_q <= NONE;
        else if (launch_i)
            now_q <= launch_now_i;
        else if (tick_o)
            now_q <= next_o;
    end

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !launch_i || (empty_i && !more_q),
                  "launch_i while idle_o, whatever limit comes with it")
    `IGPU_REQUIRE(clk_i, launch_i || limit_i >= now_q, "limit_i is not below now_o")
    `IGPU_REQUIRE(clk_i, !(go_o && limit_i == now_q), "a limit falls to now_o with hold_i only")
    `IGPU_REQUIRE(clk_i, !(tick_o && skip_i) || (skip_now_i > now_q && skip_now_i <= limit_i),
                  "skip_now_i is above now_o, and at most limit_i")
    `IGPU_REQUIRE(clk_i, !(tick_o && skip_i) ||
                         skip_now_i[`IGPU_NOW_W-1:8] == now_q[`IGPU_NOW_W-1:8],
                  "skip_now_i is at most 255 where now_o is")

endmodule

`default_nettype wire

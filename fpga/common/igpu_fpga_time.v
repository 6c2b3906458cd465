// igpu_fpga_time - target time: the one clock enable of the tile.
//
// Function  Counts target cycles up to a limit that the host gives. Two host clocks
//           are a target cycle (eval_o, then ce_o), but for those in which the limit
//           is reached, a run that is needed has not come, an output queue is full,
//           or a token came too late.
// Timing    eval_o, ce_o and stop_o are combinational from registers and the inputs.
// Contract  now_o and everything the tile does depend on the sequence of tokens and
//           runs only, never on the host clocks between them. launch_i only while
//           nothing runs; it stops the clock at cycle_i until the next limit.
// Reset     rst_ni low, synchronous: cycle 0, limit 0.
// Tests     tests/rtl/igpu_fpga_top_tb.v
// Source    docs/fpga.md

`default_nettype none
`include "igpu_regs.vh"

module igpu_fpga_time (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire                   limit_i,    // run up to cycle_i, not including it
    input  wire                   launch_i,   // a launch begins at cycle_i
    input  wire [`IGPU_NOW_W-1:0] cycle_i,
    input  wire                   wait_run_i, // a run that is needed is not here
    input  wire                   full_i,     // an output queue is full
    input  wire                   late_i,     // a token came too late
    output reg  [`IGPU_NOW_W-1:0] now_o,      // the target cycle
    output wire                   eval_o,     // the EUs decide it in this host clock
    output wire                   ce_o,       // it is executed in this host clock
    output wire [3:0]             stop_o      // neither: {late, full, run, limit}
);

    localparam [`IGPU_NOW_W-1:0] CYCLE1 = 1;

    reg [`IGPU_NOW_W-1:0] limit_q;
    reg                   decided_q;

    assign stop_o = {late_i, full_i, wait_run_i, now_o >= limit_q};
    assign eval_o = stop_o == 4'd0 && !launch_i && !decided_q;
    assign ce_o   = stop_o == 4'd0 && !launch_i && decided_q;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            now_o     <= {`IGPU_NOW_W{1'b0}};
            limit_q   <= {`IGPU_NOW_W{1'b0}};
            decided_q <= 1'b0;
        end else begin
            decided_q <= !launch_i && !ce_o && (decided_q || eval_o);
            if (launch_i)
                now_o <= cycle_i;
            else if (ce_o)
                now_o <= now_o + CYCLE1;
            if (launch_i || limit_i)
                limit_q <= cycle_i;
        end
    end

endmodule

`default_nettype wire

// igpu_array_work - whether dispatchers, tiles and send queues need the next clock.
//
// Function  In a clock without work_o nothing of theirs changes, so that its edge can be left
//           out of igpu_array's tile_clk_i. They change with what igpu_array_time has for
//           them, with messages and ends of threads, and for four clocks after a write or a
//           launch, in which all follows.
// Timing    Combinational, from registers and change_i.
// Reset     None: it is one of the changes (change_i).
// Tests     tests/cosim/test_array.c, tests/cosim/mutants.py
// Source    docs/develop/eu-pipeline.md#the-clock-of-what-works-once-a-cycle

`default_nettype none

module igpu_array_work #(
    parameter PIPES = 1
) (
    input  wire               clk_i,
    input  wire               change_i,   // a reset, a launch, or a write
    input  wire               time_i,     // igpu_array_time's
    input  wire [4*PIPES-1:0] issue_i,    // by pipeline, to FPU0, FPU1, SEND, BRANCH
    output wire               work_o
);

    reg [3:0] follow_q;
    reg       sends;
    integer   p;

    always @* begin
        sends = 1'b0;
        for (p = 0; p < PIPES; p = p + 1)
            sends = sends || issue_i[4*p+2];
    end

    always @(posedge clk_i)
        follow_q <= {follow_q[2:0], change_i};

    assign work_o = time_i || change_i || follow_q != 4'd0 || sends;

    wire unused = &{1'b0, issue_i};

endmodule

`default_nettype wire

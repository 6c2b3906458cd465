// igpu_eu_redirect - stage s7: where a thread goes on whose branch has issued.
//
// Function  A thread that had no run behind a branch is given one in the visit in which the
//           branch issues. Its code is there from the next cycle on, or it waits for it, as
//           for any run: so what it says of the threads is written back in place of what
//           igpu_eu_front says.
// Timing    Combinational: redir_wait_i is of the clock in which the issue is shown.
// Contract  The thread has neither a run nor a wait for one (checked in igpu_eu_pipe).
// Reset     None.
// Model     csim/ref/eu.c.  Tests: tests/cosim/test_fpga.c, tests/rtl/igpu_eu_miter_tb.cpp
// Source    docs/contract/execution.md#where-a-thread-goes-on

`default_nettype none
`include "igpu_eu.vh"

module igpu_eu_redirect (
    input  wire        s7_branch_i,    // BRANCH has issued, and its thread is redirected:
    input  wire [2:0]  s7_slot_i,      // this one; its code comes
    input  wire [7:0]  redir_wait_i,   // wait cycles after the next cycle
    input  wire [8:0]  s7_now_i,
    input  wire [6:0]  s7_has_i,       // as in igpu_eu_front
    input  wire [6:0]  s7_late_i,
    input  wire [62:0] s7_late_at_i,
    output wire [6:0]  rd_has_o,
    output wire [6:0]  rd_late_o,
    output reg  [62:0] rd_late_at_o,
    output wire        rd_later_o,     // a wait for code begins
    output wire [8:0]  rd_code_o       // of so many cycles
);

    `include "igpu_eu_slot.vh"
    `include "igpu_eu_front.vh"

    reg        there, later;
    reg  [8:0] span, due;
    wire [6:0] who = slot_set(s7_slot_i);
    integer    j;

    always @* begin
        front_run(s7_branch_i, redir_wait_i, s7_now_i, there, later, span, due);
        rd_late_at_o = s7_late_at_i;
        for (j = 0; j < `IGPU_SLOTS; j = j + 1)
            if (later && who[j])
                rd_late_at_o[9*j +: 9] = due;
    end

    assign rd_has_o   = there ? s7_has_i | who : s7_has_i;
    assign rd_late_o  = later ? s7_late_i | who : s7_late_i;
    assign rd_later_o = later;
    assign rd_code_o  = span;

endmodule

`default_nettype wire

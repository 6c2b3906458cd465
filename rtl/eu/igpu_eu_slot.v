// igpu_eu_slot - scoreboard of one thread and the masks of what it holds.
//
// Function  Keeps the thread's 136 busy bits (128 GRFs, 8 others) and need and
//           set masks of the instruction it holds.
// Timing    ready_o is combinational from registers, the store's output (an
//           instruction fetched at t-1 can be ready at t) and the write-back
//           masks, which take effect in the cycle they are shown in. It is
//           computed only when an instruction is new or a write-back comes;
//           nothing else can change it. What an issue at t sets is busy from
//           t+2 on; nobody looks at t+1, because the thread's next instruction
//           is there at t+2 at the earliest.
// Contract  fresh_i comes in the cycle after this thread's fetch, set_i in the
//           one after its issue. No bit of the issued set mask is busy.
// Reset     rst_ni low, synchronous: nothing busy.
// Model     csim/ref.  Tests: tests/rtl/igpu_eu_tb.v
// Source    docs/model.md sections 4.1, 4.4, 4.5

`default_nettype none

module igpu_eu_slot #(
    parameter SLOT = 0             // the thread's number
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        ce_i,
    // Bit SLOT of each:
    input  wire [6:0]  held_i,     // the thread holds an instruction
    input  wire [6:0]  fresh_i,    // it is the one at the store's output
    input  wire [6:0]  check_i,    // fresh_i, or some wb input
    input  wire [6:0]  touch_i,    // set_i, or some wb input
    input  wire [6:0]  set_i,      // it issued in the last cycle: set its bits
    // Masks:
    input  wire [63:0] need_lo_i,  // the store's output
    input  wire [63:0] need_hi_i,
    input  wire [7:0]  need_x_i,
    input  wire [63:0] set_lo_i,
    input  wire [63:0] set_hi_i,
    input  wire [7:0]  set_x_i,
    input  wire [6:0]  wb0_i,      // bit SLOT: FPU0 writes this thread's result back
    input  wire [63:0] wb0_lo_i,
    input  wire [63:0] wb0_hi_i,
    input  wire [7:0]  wb0_x_i,
    input  wire [6:0]  wb1_i,      // FPU1 does
    input  wire [63:0] wb1_lo_i,
    input  wire [63:0] wb1_hi_i,
    input  wire [7:0]  wb1_x_i,
    input  wire [6:0]  wbr_i,      // a response does
    input  wire [63:0] wbr_lo_i,
    input  wire [63:0] wbr_hi_i,
    input  wire [7:0]  wbr_x_i,
    output reg         ready_o     // it may issue; valid while check_i, else 0
);

    reg  [63:0] busy_lo_q, busy_hi_q;
    reg  [7:0]  busy_x_q;
    reg  [63:0] need_lo_q, need_hi_q;
    reg  [7:0]  need_x_q;
    reg  [63:0] set_lo_q, set_hi_q;
    reg  [7:0]  set_x_q;
    reg  [63:0] hit;

    always @* begin
        ready_o = 1'b0;
        hit     = 64'd0;
        if (check_i[SLOT]) begin
            hit = ((fresh_i[SLOT] ? need_lo_i : need_lo_q) & busy_lo_q &
                   ~((wb0_i[SLOT] ? wb0_lo_i : 64'd0) | (wb1_i[SLOT] ? wb1_lo_i : 64'd0) |
                     (wbr_i[SLOT] ? wbr_lo_i : 64'd0))) |
                  ((fresh_i[SLOT] ? need_hi_i : need_hi_q) & busy_hi_q &
                   ~((wb0_i[SLOT] ? wb0_hi_i : 64'd0) | (wb1_i[SLOT] ? wb1_hi_i : 64'd0) |
                     (wbr_i[SLOT] ? wbr_hi_i : 64'd0))) |
                  {56'd0, (fresh_i[SLOT] ? need_x_i : need_x_q) & busy_x_q &
                   ~((wb0_i[SLOT] ? wb0_x_i : 8'd0) | (wb1_i[SLOT] ? wb1_x_i : 8'd0) |
                     (wbr_i[SLOT] ? wbr_x_i : 8'd0))};
            ready_o = held_i[SLOT] && hit == 64'd0;
        end
    end

    // Clearing wins: where skipped cycles put both on one edge, the result came last.
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            busy_lo_q <= 64'd0;
            busy_hi_q <= 64'd0;
            busy_x_q  <= 8'd0;
        end else if (ce_i && touch_i[SLOT]) begin
            busy_lo_q <= (busy_lo_q | (set_i[SLOT] ? set_lo_q : 64'd0)) &
                         ~((wb0_i[SLOT] ? wb0_lo_i : 64'd0) | (wb1_i[SLOT] ? wb1_lo_i : 64'd0) |
                           (wbr_i[SLOT] ? wbr_lo_i : 64'd0));
            busy_hi_q <= (busy_hi_q | (set_i[SLOT] ? set_hi_q : 64'd0)) &
                         ~((wb0_i[SLOT] ? wb0_hi_i : 64'd0) | (wb1_i[SLOT] ? wb1_hi_i : 64'd0) |
                           (wbr_i[SLOT] ? wbr_hi_i : 64'd0));
            busy_x_q  <= (busy_x_q | (set_i[SLOT] ? set_x_q : 8'd0)) &
                         ~((wb0_i[SLOT] ? wb0_x_i : 8'd0) | (wb1_i[SLOT] ? wb1_x_i : 8'd0) |
                           (wbr_i[SLOT] ? wbr_x_i : 8'd0));
        end
    end

    always @(posedge clk_i) begin
        if (ce_i && fresh_i[SLOT]) begin
            need_lo_q <= need_lo_i;
            need_hi_q <= need_hi_i;
            need_x_q  <= need_x_i;
            set_lo_q  <= set_lo_i;
            set_hi_q  <= set_hi_i;
            set_x_q   <= set_x_i;
        end
    end

endmodule

`default_nettype wire

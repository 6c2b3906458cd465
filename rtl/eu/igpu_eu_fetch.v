// igpu_eu_fetch - where each thread is in its path, and who fetches.
//
// Function  Holds each thread's current run (next instruction, instructions
//           left), chooses round-robin one thread that wants to fetch, and asks
//           for a run's successor when its last instruction is taken.
// Timing    fetch_o, slot_o, uop_o and next_o are combinational from registers
//           and hold_i. A run written at t can be fetched from at t+1.
// Contract  The successor asked for at t is on run_*_i at t+1 (length 0: the
//           thread has ended or will not go on). An opened thread's first run
//           comes on open_*_i, one cycle after the opening.
// Reset     rst_ni low, synchronous: no thread has a run; slot 0 has the
//           highest priority.
// Model     csim/ref.  Tests: tests/rtl/igpu_eu_tb.v
// Source    docs/model.md sections 1 (path), 4.2

`default_nettype none
`include "igpu_regs.vh"

module igpu_eu_fetch (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire                   ce_i,
    input  wire                   open_valid_i,  // first run of a new thread
    input  wire [2:0]             open_slot_i,
    input  wire [`IGPU_UOP_W-1:0] open_pc_i,
    input  wire [`IGPU_LEN_W-1:0] open_len_i,
    input  wire [`IGPU_UOP_W-1:0] run_pc_i,      // the successor run asked for
    input  wire [`IGPU_LEN_W-1:0] run_len_i,
    input  wire [6:0]             hold_i,        // the front end holds the thread
    input  wire [6:0]             issue_i,       // its held instruction issues
    output wire                   fetch_o,       // an instruction is fetched
    output wire [2:0]             slot_o,        // by this thread
    output reg  [`IGPU_UOP_W-1:0] uop_o,         // this one
    output reg                    next_o,        // it was its run's last
    output reg  [6:0]             fresh_o,       // fetched in the last cycle: one-hot
    output reg  [2:0]             fresh_slot_o,
    output reg  [`IGPU_UOP_W-1:0] fresh_uop_o,
    output reg  [6:0]             held_o,        // threads that hold an instruction
    output reg                    pend_o         // a successor comes in this cycle
);

    reg  [`IGPU_UOP_W-1:0] pc_q [0:7];
    reg  [`IGPU_LEN_W-1:0] left_q [0:7];
    reg  [6:0]             has_q;                // the run has an instruction left
    wire [6:0]             grant;
    wire [6:0]             want = has_q & ~held_o & ~hold_i;
    wire [6:0]             open_oh = open_valid_i ? (7'd1 << open_slot_i) : 7'd0;
    wire                   run_any = pend_o && run_len_i != {`IGPU_LEN_W{1'b0}};
    wire [6:0]             run_oh  = run_any ? fresh_o : 7'd0;

    localparam [`IGPU_UOP_W-1:0] UOP1 = 1;
    localparam [`IGPU_LEN_W-1:0] LEN1 = 1;

    igpu_rr_arb #(.N(7)) u_arb (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(want), .take_i(ce_i),
        .grant_o(grant), .index_o(slot_o));

    assign fetch_o = want != 7'd0;

    wire [`IGPU_UOP_W-1:0] pc   = pc_q[slot_o];
    wire [`IGPU_LEN_W-1:0] left = left_q[slot_o];

    always @* begin
        uop_o  = {`IGPU_UOP_W{1'b0}};
        next_o = 1'b0;
        if (fetch_o) begin
            uop_o  = pc;
            next_o = left == LEN1;
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            has_q   <= 7'd0;
            held_o  <= 7'd0;
            fresh_o <= 7'd0;
            pend_o  <= 1'b0;
        end else if (ce_i) begin
            has_q   <= (has_q & ~(next_o ? grant : 7'd0)) | open_oh | run_oh;
            held_o  <= (held_o & ~issue_i) | grant;
            fresh_o <= grant;
            pend_o  <= next_o;
        end
    end

    always @(posedge clk_i) begin
        if (ce_i && fetch_o) begin
            fresh_slot_o <= slot_o;
            fresh_uop_o  <= uop_o;
        end
    end

    // Three writers, never of one thread: a thread that fetches has a run, one
    // that gets a run has none, and one that is opened had ended.
    always @(posedge clk_i) begin
        if (ce_i && fetch_o) begin
            pc_q[slot_o]   <= pc + UOP1;
            left_q[slot_o] <= left - LEN1;
        end
        if (ce_i && run_any) begin
            pc_q[fresh_slot_o]   <= run_pc_i;
            left_q[fresh_slot_o] <= run_len_i;
        end
        if (ce_i && open_valid_i) begin
            pc_q[open_slot_i]   <= open_pc_i;
            left_q[open_slot_i] <= open_len_i;
        end
    end

endmodule

`default_nettype wire

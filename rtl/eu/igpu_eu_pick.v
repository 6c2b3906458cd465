// igpu_eu_pick - stage s4: thread arbiter. Which threads issue, and to which units.
//
// Function  Of the threads that hold an instruction of which no bit is busy, each unit
//           that can take one chooses by round-robin: FPU0 among those for either FPU,
//           FPU1 among those that FPU0 left and those for FPU1 alone, SEND, BRANCH.
// State     Four round-robin pointers.
// Timing    s3 inputs; pk_*_q are for s5.
// Contract  unit bits: 00 either FPU, 01 FPU1, 10 SEND, 11 BRANCH.
// Reset     None: s3_first_i makes the state empty.
// Model     csim/ref/eu.c: issue_fpus(), ref_pick().  Tests: tests/cosim/test_array.c
// Source    docs/contract/model.md section 4.4

`default_nettype none
`include "igpu_eu.vh"

module igpu_eu_pick #(
    parameter ROWS = 8,                            // of the state RAMs: contexts
    parameter CW   = 3                             // log2 of ROWS
) (
    input  wire          clk_i,
    input  wire          s3_valid_i,
    input  wire          s3_first_i,    // the state is empty
    input  wire [CW-1:0] s3_ctx_i,
    input  wire [6:0]    s3_ready_i,    // may issue
    input  wire [6:0]    s3_unit1_i,    // bit planes of the unit
    input  wire [6:0]    s3_unit0_i,
    input  wire          oldest_i,      // units take the oldest thread
    input  wire [48:0]   s4_older_i,    // who is older than each thread
    input  wire          s4_valid_i,
    input  wire [CW-1:0] s4_ctx_i,
    input  wire [3:0]    s4_can_i,      // FPU0, FPU1, SEND, BRANCH can take one
    output reg  [3:0]    pk_issue_q,    // they take one:
    output reg  [27:0]   pk_who_q,      // its thread, 7 bits (one-hot) each
    output wire [11:0]   pk_slot_o      // ... as a number, 3 bits each
);

    localparam RR_N = 7;
    localparam PICK_CHAIN = 0;                     // both choices at once
    `include "igpu_rr.vh"
    `include "igpu_eu_slot.vh"
    `include "igpu_eu_pick.vh"

    reg [6:0] any, fpu1, send, branch, s4_any_q, s4_fpu1_q, s4_send_q, s4_branch_q;

    always @* begin
        pick_units(s3_ready_i, s3_unit1_i, s3_unit0_i, any, fpu1, send, branch);
    end

    always @(posedge clk_i) begin
        if (s3_valid_i) begin
            s4_any_q    <= any;
            s4_fpu1_q   <= fpu1;
            s4_send_q   <= send;
            s4_branch_q <= branch;
        end
    end

    // ---- grants ----
    wire [27:0] above_m;
    reg  [27:0] above, who;
    reg  [3:0]  issue;

    always @* begin
        pick_who(s4_any_q, s4_fpu1_q, s4_send_q, s4_branch_q, s4_can_i, above_m[6:0],
                 above_m[13:7], above_m[20:14], above_m[27:21], oldest_i, s4_older_i,
                 above[6:0], above[13:7],
                 above[20:14], above[27:21], issue, who[6:0], who[13:7], who[20:14],
                 who[27:21]);
    end

    igpu_ctx_ram #(.WIDTH(28), .DEPTH(ROWS), .AW(CW)) u_above (
        .clk_i(clk_i), .re_i(s3_valid_i), .clear_i(s3_first_i), .raddr_i(s3_ctx_i),
        .rdata_o(above_m),
        .we_i(s4_valid_i), .waddr_i(s4_ctx_i), .wdata_i(above));

    assign pk_slot_o = {slot_number(pk_who_q[27:21]), slot_number(pk_who_q[20:14]),
                        slot_number(pk_who_q[13:7]), slot_number(pk_who_q[6:0])};

    always @(posedge clk_i) begin
        pk_issue_q <= s4_valid_i ? issue : 4'd0;
        if (s4_valid_i)
            pk_who_q <= who;
    end

endmodule

`default_nettype wire

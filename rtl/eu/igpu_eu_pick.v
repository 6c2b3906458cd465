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
// Source    docs/model.md section 4.4

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
    input  wire          s4_valid_i,
    input  wire [CW-1:0] s4_ctx_i,
    input  wire [3:0]    s4_can_i,      // FPU0, FPU1, SEND, BRANCH can take one
    output reg  [3:0]    pk_issue_q,    // they take one:
    output reg  [27:0]   pk_who_q,      // its thread, 7 bits (one-hot) each
    output wire [11:0]   pk_slot_o      // ... as a number, 3 bits each
);

    reg [6:0] s4_any_q, s4_fpu1_q, s4_send_q, s4_branch_q;

    always @(posedge clk_i) begin
        if (s3_valid_i) begin
            s4_any_q    <= s3_ready_i & ~s3_unit1_i & ~s3_unit0_i;
            s4_fpu1_q   <= s3_ready_i & ~s3_unit1_i & s3_unit0_i;
            s4_send_q   <= s3_ready_i & s3_unit1_i & ~s3_unit0_i;
            s4_branch_q <= s3_ready_i & s3_unit1_i & s3_unit0_i;
        end
    end

    // ---- requests and grants ----
    // FPU1 is not to take what FPU0 takes. It has its first and its second choice at
    // once, and takes the second where FPU0 took the first.
    wire [27:0] above_m, above;
    wire [6:0]  who0, above0, who1, above1, who2, above2, who_send, above_send;
    wire [6:0]  who_branch, above_branch;
    wire [6:0]  none = 7'd0;
    wire [6:0]  req0 = s4_can_i[0] ? s4_any_q : none;
    wire [6:0]  req1 = s4_can_i[1] ? s4_any_q | s4_fpu1_q : none;
    wire [6:0]  req2 = s4_can_i[2] ? s4_send_q : none;
    wire [6:0]  req3 = s4_can_i[3] ? s4_branch_q : none;
    wire        both = (who0 & who1) != none;
    wire [27:0] who  = {who_branch, who_send, both ? who2 : who1, who0};

    igpu_rr_pick #(.N(7)) u_fpu0 (
        .req_i(req0), .above_i(above_m[6:0]), .grant_o(who0), .above_o(above0));
    igpu_rr_pick2 #(.N(7)) u_fpu1 (
        .req_i(req1), .above_i(above_m[13:7]), .grant_o(who1), .above_o(above1),
        .grant2_o(who2), .above2_o(above2));
    igpu_rr_pick #(.N(7)) u_send (
        .req_i(req2), .above_i(above_m[20:14]),
        .grant_o(who_send), .above_o(above_send));
    igpu_rr_pick #(.N(7)) u_branch (
        .req_i(req3), .above_i(above_m[27:21]),
        .grant_o(who_branch), .above_o(above_branch));

    assign above = {above_branch, above_send, both ? above2 : above1, above0};

    igpu_ctx_clear_ram #(.WIDTH(28), .DEPTH(ROWS), .AW(CW)) u_above (
        .clk_i(clk_i), .re_i(s3_valid_i), .clear_i(s3_first_i), .raddr_i(s3_ctx_i),
        .rdata_o(above_m),
        .we_i(s4_valid_i), .waddr_i(s4_ctx_i), .wdata_i(above));

    genvar u;
    generate
        for (u = 0; u < 4; u = u + 1) begin : g_unit
            assign pk_slot_o[3*u +: 3] = {|pk_who_q[7*u+4 +: 3],
                                          |(pk_who_q[7*u +: 7] & 7'h4c),
                                          |(pk_who_q[7*u +: 7] & 7'h2a)};
        end
    endgenerate

    always @(posedge clk_i) begin
        pk_issue_q[0] <= s4_valid_i && req0 != none;
        pk_issue_q[1] <= s4_valid_i && (both ? who2 != none : req1 != none);
        pk_issue_q[2] <= s4_valid_i && req2 != none;
        pk_issue_q[3] <= s4_valid_i && req3 != none;
        if (s4_valid_i)
            pk_who_q <= who;
    end

endmodule

`default_nettype wire

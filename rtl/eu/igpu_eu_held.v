// igpu_eu_held - stage s5: the words of the instructions that issue.
//
// Function  A thread's fetched instruction waits here as a word: index, what it sets,
//           cycles. Each unit has a copy of its own, so that the four that issue in one
//           visit are read at once; all are written alike, in s6, when one is fetched.
// Timing    Read in s5 for the thread that the unit chose; hd_* are for s6.
// Contract  A thread that fetches in a visit does not issue in it.
// Reset     None.
// Tests     tests/cosim/test_array.c
// Source    docs/develop/eu-pipeline.md#state

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"
`include "igpu_regs.vh"

module igpu_eu_held #(
    parameter ROWS = 8,                            // of the state RAMs: contexts
    parameter CW   = 3                             // log2 of ROWS
) (
    input  wire                     clk_i,
    input  wire [CW-1:0]            s5_ctx_i,
    input  wire [3:0]               s5_issue_i,    // the unit issues
    input  wire [11:0]              s5_slot_i,     // for this thread
    input  wire                     s6_fetch_i,    // a thread has fetched:
    input  wire [CW-1:0]            s6_ctx_i,
    input  wire [2:0]               s6_slot_i,
    input  wire [`IGPU_UOP_W-1:0]   s6_uop_i,      // its index,
    input  wire [`IGPU_SET_W-1:0]   s6_set_i,      // set,
    input  wire [`IGPU_CTL_W-1:0]   s6_ctl_i,      // cycles (igpu_regs.vh);
    input  wire                     s6_none_i,     // its thread has no run behind it yet
    output wire [4*`IGPU_UOP_W-1:0] hd_uop_o,      // of each unit's instruction
    output wire [31:0]              hd_occ_o,      // 8 bits each; BRANCH: 1
    output wire [3:0]               hd_hold_o,     // the front end holds the thread
    output wire [31:0]              hd_fe_o,       // ... for so many cycles: fe - 1
    output wire [11:0]              hd_lat_o,      // of FPU0 and FPU1, 6 bits each
    output wire [3*`IGPU_SET_W-1:0] hd_set_o,      // of FPU0, FPU1, SEND
    output wire                     hd_port_o,     // of SEND: needs a credit,
    output wire                     hd_eot_o,      // ends the thread;
    output wire                     hd_none_o      // of BRANCH: the thread is redirected
);

    localparam U = `IGPU_UOP_W;
    localparam S = `IGPU_SET_W;

    `include "igpu_eu_front.vh"

    genvar u;
    generate
        for (u = 0; u < 4; u = u + 1) begin : g_unit
            // What this unit does not look at is not kept (synthesis drops it).
            // The end of a thread goes to SEND: BRANCH has another bit in its place.
            wire last = (u == 3) ? s6_none_i : s6_ctl_i[`IGPU_CTL_EOT];
            wire [`IGPU_WORD_W-1:0] word_m, word;

            assign word = {
                s6_uop_i, s6_set_i, front_hold(s6_ctl_i[`IGPU_CTL_FE]), s6_ctl_i[`IGPU_CTL_OCC],
                s6_ctl_i[`IGPU_CTL_PORT], last, s6_ctl_i[`IGPU_CTL_LAT]};

            igpu_ctx_ram #(.WIDTH(`IGPU_WORD_W), .DEPTH(8 * ROWS), .AW(CW + 3)) u_word (
                .clk_i(clk_i), .re_i(s5_issue_i[u]), .clear_i(1'b0),
                .raddr_i({s5_ctx_i, s5_slot_i[3*u +: 3]}), .rdata_o(word_m),
                .we_i(s6_fetch_i), .waddr_i({s6_ctx_i, s6_slot_i}), .wdata_i(word));

            assign hd_uop_o[U*u +: U]  = word_m[`IGPU_WORD_UOP];
            assign hd_hold_o[u]        = word_m[`IGPU_WORD_HOLD];
            assign hd_fe_o[8*u +: 8]   = word_m[`IGPU_WORD_FE];
            if (u < 2) begin : g_fpu
                assign hd_lat_o[6*u +: 6] = word_m[`IGPU_WORD_LAT];
            end
            if (u == 2) begin : g_send
                assign hd_port_o = word_m[`IGPU_WORD_PORT];
                assign hd_eot_o  = word_m[`IGPU_WORD_EOT];
            end
            if (u < 3) begin : g_set
                assign hd_set_o[S*u +: S] = word_m[`IGPU_WORD_SET];
                assign hd_occ_o[8*u +: 8] = word_m[`IGPU_WORD_OCC];
            end else begin : g_branch
                assign hd_occ_o[8*u +: 8] = 8'd1;
                assign hd_none_o = word_m[`IGPU_WORD_EOT];
            end
            wire unused = &{1'b0, word_m};
        end
    endgenerate

    wire unused = &{1'b0, s6_ctl_i[`IGPU_CTL_UNIT]};

    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_PAST(s6_issue_q, 4, clk_i, s5_issue_i)
    `IGPU_PAST(s6_read_q, 12, clk_i, s5_slot_i)
    generate
        for (u = 0; u < 4; u = u + 1) begin : g_contract
            `IGPU_REQUIRE(clk_i, !(s6_fetch_i && s6_issue_q[u]) ||
                                 s6_read_q[3*u +: 3] != s6_slot_i,
                          "a thread that fetches in a visit does not issue in it")
        end
    endgenerate

endmodule

`default_nettype wire

// igpu_eu_held - stage s5: the words of the instructions that issue.
//
// Function  A thread's fetched instruction waits here as a word: index, what it sets,
//           cycles. Each unit has a copy of its own, so that the four that issue in one
//           visit are read at once; all are written alike, in s6, when one is fetched.
// Timing    Read in s5 for the thread that the unit chose; hd_* are for s6.
// Contract  A thread that fetches in a visit does not issue in it.
// Reset     None.
// Tests     tests/cosim/test_array.c
// Source    docs/eu-pipeline.md#state

`default_nettype none
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
    input  wire [`IGPU_CTL_W-1:0]   s6_ctl_i,      // cycles (igpu_regs.vh)
    output wire [4*`IGPU_UOP_W-1:0] hd_uop_o,      // of each unit's instruction
    output wire [31:0]              hd_occ_o,      // 8 bits each; BRANCH: 1
    output wire [3:0]               hd_hold_o,     // the front end holds the thread
    output wire [31:0]              hd_fe_o,       // ... for so many cycles: fe - 1
    output wire [11:0]              hd_lat_o,      // of FPU0 and FPU1, 6 bits each
    output wire [3*`IGPU_SET_W-1:0] hd_set_o,      // of FPU0, FPU1, SEND
    output wire                     hd_port_o,     // of SEND: needs a credit,
    output wire                     hd_eot_o       // ends the thread
);

    localparam U = `IGPU_UOP_W;
    localparam S = `IGPU_SET_W;

    wire [5:0]  lat  = s6_ctl_i[`IGPU_CTL_LAT];
    wire [7:0]  fe   = s6_ctl_i[`IGPU_CTL_FE];
    wire [7:0]  occ  = s6_ctl_i[`IGPU_CTL_OCC];
    wire        port = s6_ctl_i[`IGPU_CTL_PORT];
    wire        eot  = s6_ctl_i[`IGPU_CTL_EOT];
    wire        hold = fe > 8'd2;
    wire [7:0]  held = fe - 8'd1;

    genvar u;
    generate
        for (u = 0; u < 4; u = u + 1) begin : g_unit
            // What this unit does not look at is not kept (synthesis drops it).
            wire [5:0]   lat_m;
            wire [1:0]   send_m;
            wire [S-1:0] set_m;
            wire [7:0]   occ_m;

            igpu_ctx_ram #(.WIDTH(U + S + 25), .DEPTH(8 * ROWS), .AW(CW + 3)) u_word (
                .clk_i(clk_i), .re_i(s5_issue_i[u]),
                .raddr_i({s5_ctx_i, s5_slot_i[3*u +: 3]}),
                .rdata_o({hd_uop_o[U*u +: U], set_m, hd_hold_o[u], hd_fe_o[8*u +: 8],
                          occ_m, send_m, lat_m}),
                .we_i(s6_fetch_i), .waddr_i({s6_ctx_i, s6_slot_i}),
                .wdata_i({s6_uop_i, s6_set_i, hold, held, occ, port, eot, lat}));

            if (u < 2) begin : g_fpu
                assign hd_lat_o[6*u +: 6] = lat_m;
                wire unused = &{1'b0, send_m};
            end
            if (u == 2) begin : g_send
                assign {hd_port_o, hd_eot_o} = send_m;
                wire unused = &{1'b0, lat_m};
            end
            if (u < 3) begin : g_set
                assign hd_set_o[S*u +: S] = set_m;
                assign hd_occ_o[8*u +: 8] = occ_m;
            end else begin : g_branch
                assign hd_occ_o[8*u +: 8] = 8'd1;
                wire unused = &{1'b0, set_m, occ_m, send_m, lat_m};
            end
        end
    endgenerate

    wire unused = &{1'b0, s6_ctl_i[`IGPU_CTL_UNIT]};

endmodule

`default_nettype wire

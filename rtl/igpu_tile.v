// igpu_tile - one subslice: local dispatcher, send arbiter, EUs (wiring only).
//
// Function  Everything of a subslice that decides cycles; talks to the rest by
//           tokens: START and DONE in, END and MSG out.
// Timing    A token is on its port in the cycle in which it takes effect or is
//           made. A thread opened at t has its first run on open_pc_i and
//           open_len_i at t + 1; likewise the next run asked for by an EU.
// Contract  One START, one DONE a cycle. Configuration and store are written,
//           and restart_i is given, while the tile is idle.
// Reset     rst_ni low, synchronous: idle; the stores keep their content.
// Model     csim/ref.  Tests: tests/cosim/test_random.c
// Source    docs/model.md sections 1, 3, 4

`default_nettype none
`include "igpu_regs.vh"
`include "igpu_fpu.vh"

module igpu_tile #(
    parameter EUS         = 8,                       // EUs built, 1 to 8
    parameter DATAPATH    = 0,                       // 1: the FPUs compute
    parameter STORE_DEPTH = 512,                     // instructions, a power of two
    parameter STORE_AW    = 9                        // log2 of STORE_DEPTH
) (
    input  wire                       clk_i,
    input  wire                       rst_ni,
    input  wire                       eval_i,        // clock before it: EUs decide
    input  wire                       ce_i,          // the cycle counts
    input  wire                       restart_i,     // a launch begins
    input  wire [`IGPU_NOW_W-1:0]     now_i,         // this cycle
    input  wire                       cfg_we_i,      // write a register
    input  wire [6:0]                 cfg_addr_i,    // IGPU_REG_* or {class, field}
    input  wire [7:0]                 cfg_data_i,
    input  wire                       store_we_i,    // write an instruction
    input  wire [STORE_AW-1:0]        store_addr_i,
    input  wire [63:0]                store_need_lo_i,
    input  wire [63:0]                store_need_hi_i,
    input  wire [7:0]                 store_need_x_i,
    input  wire [63:0]                store_set_lo_i,
    input  wire [63:0]                store_set_hi_i,
    input  wire [7:0]                 store_set_x_i,
    input  wire [`IGPU_UCTL_W-1:0]    store_uctl_i,  // counts (igpu_regs.vh)
    input  wire                       start_valid_i, // START
    input  wire [31:0]                start_thread_i,
    input  wire [4:0]                 start_bslot_i,
    output wire                       open_valid_o,  // its place
    output wire [2:0]                 open_eu_o,
    output wire [2:0]                 open_slot_o,
    output wire [31:0]                open_thread_o,
    output wire [4:0]                 open_bslot_o,
    input  wire [`IGPU_UOP_W-1:0]     open_pc_i,     // its first run, a cycle later
    input  wire [`IGPU_LEN_W-1:0]     open_len_i,
    input  wire [7:0]                 open_wait_i,   // cycles until it can be fetched
    output wire [EUS-1:0]             next_o,        // next run wanted
    output wire [3*EUS-1:0]           next_slot_o,
    output wire [`IGPU_UOP_W*EUS-1:0] next_uop_o,    // last index of the run before
    input  wire [`IGPU_UOP_W*EUS-1:0] run_pc_i,      // the next run, a cycle later
    input  wire [`IGPU_LEN_W*EUS-1:0] run_len_i,     // 0: the thread has no more
    input  wire [8*EUS-1:0]           run_wait_i,
    input  wire                       done_valid_i,  // DONE
    input  wire [2:0]                 done_eu_i,
    input  wire [2:0]                 done_slot_i,
    input  wire [`IGPU_UOP_W-1:0]     done_uop_i,
    input  wire                       done_credit_i,
    input  wire                       done_wb_i,
    output wire                       msg_valid_o,   // MSG
    output wire [2:0]                 msg_eu_o,
    output wire [2:0]                 msg_slot_o,
    output wire [`IGPU_UOP_W-1:0]     msg_uop_o,
    output wire [7:0]                 end_o,         // ENDs
    output wire [23:0]                end_slot_o,
    output wire [39:0]                end_bslot_o,
    output wire [4*EUS-1:0]           ret_valid_o,   // issues: four units an EU
    output wire [12*EUS-1:0]          ret_slot_o,
    output wire [4*`IGPU_UOP_W*EUS-1:0] ret_uop_o,
    input  wire                       fpu_clk_i,     // with DATAPATH: its clock,
    input  wire [2*`IGPU_FPU_IN_W*EUS-1:0]  fpu_op_i, // operands: two FPUs an EU
    output wire [2*`IGPU_FPU_OUT_W*EUS-1:0] fpu_res_o // results
);

    // A launch begins as if after a reset; registers and stores stay.
    wire live_n = rst_ni && !restart_i;

    // ---- configuration and decode ----
    wire [6:0]             queue;
    wire [3:0]             eus;
    wire [2:0]             threads;
    wire [`IGPU_CTL_W-1:0] ctl;
    wire [7:0]             dur;

    igpu_tile_regs #(.EUS(EUS)) u_regs (
        .clk_i(clk_i), .rst_ni(rst_ni), .cfg_we_i(cfg_we_i), .cfg_addr_i(cfg_addr_i),
        .cfg_data_i(cfg_data_i), .queue_o(queue), .eus_o(eus),
        .threads_o(threads));
    igpu_decode u_decode (
        .clk_i(clk_i), .rst_ni(rst_ni), .cfg_we_i(cfg_we_i), .cfg_addr_i(cfg_addr_i),
        .cfg_data_i(cfg_data_i), .uctl_i(store_uctl_i), .ctl_o(ctl), .dur_o(dur));

    // ---- local dispatcher ----
    reg        open_q;
    reg  [2:0] open_eu_q, open_slot_q;

    igpu_sched_local u_local (
        .clk_i(clk_i), .rst_ni(live_n), .ce_i(ce_i), .end_ce_i(ce_i),
        .eus_i(~(8'hff << eus)), .threads_i(threads), .start_valid_i(start_valid_i),
        .start_bslot_i(start_bslot_i), .open_valid_o(open_valid_o),
        .open_eu_o(open_eu_o), .open_slot_o(open_slot_o), .end_i(end_o),
        .end_slot_i(end_slot_o), .end_bslot_o(end_bslot_o));

    assign open_thread_o = start_thread_i;
    assign open_bslot_o  = start_bslot_i;

    always @(posedge clk_i) begin
        if (!live_n) begin
            open_q <= 1'b0;
        end else if (ce_i) begin
            open_q      <= open_valid_o;
            open_eu_q   <= open_eu_o;
            open_slot_q <= open_slot_o;
        end
    end

    // ---- send arbiter ----
    wire [7:0]  msg_req, msg_port, msg_grant;
    wire [23:0] msg_slot;
    wire [`IGPU_UOP_W*8-1:0] msg_uop;

    igpu_send_arb u_send (
        .clk_i(clk_i), .rst_ni(live_n), .ce_i(ce_i),
        .limit_i(queue), .req_i(msg_req), .port_i(msg_port),
        .credit_i(done_valid_i && done_credit_i), .grant_o(msg_grant));

    assign msg_valid_o = msg_grant != 8'd0;
    assign msg_eu_o    = {|msg_grant[7:4], |(msg_grant & 8'hcc), |(msg_grant & 8'haa)};
    assign msg_slot_o  = msg_slot[3*msg_eu_o +: 3];
    assign msg_uop_o   = msg_uop[`IGPU_UOP_W*msg_eu_o +: `IGPU_UOP_W];

    // ---- EUs ----
    genvar i;
    generate
        for (i = 0; i < 8; i = i + 1) begin : g_eu
            localparam [2:0] NUMBER = i;
            if (i < EUS) begin : g_built
                wire                   msg_valid;
                wire [`IGPU_NOW_W-1:0] msg_from, unused_wake;
                igpu_eu #(
                    .DATAPATH(DATAPATH), .STORE_DEPTH(STORE_DEPTH), .STORE_AW(STORE_AW)
                ) u_eu (
                    .clk_i(clk_i), .rst_ni(live_n), .eval_i(eval_i),
                    .ce_i(ce_i), .now_i(now_i), .store_clk_i(clk_i), .store_we_i(store_we_i),
                    .store_addr_i(store_addr_i), .store_need_lo_i(store_need_lo_i),
                    .store_need_hi_i(store_need_hi_i), .store_need_x_i(store_need_x_i),
                    .store_set_lo_i(store_set_lo_i), .store_set_hi_i(store_set_hi_i),
                    .store_set_x_i(store_set_x_i), .store_ctl_i(ctl),
                    .store_dur_i(dur),
                    .open_valid_i(open_q && open_eu_q == NUMBER),
                    .open_slot_i(open_slot_q), .open_pc_i(open_pc_i),
                    .open_len_i(open_len_i), .open_wait_i(open_wait_i), .next_o(next_o[i]),
                    .next_slot_o(next_slot_o[3*i +: 3]),
                    .next_uop_o(next_uop_o[`IGPU_UOP_W*i +: `IGPU_UOP_W]),
                    .run_pc_i(run_pc_i[`IGPU_UOP_W*i +: `IGPU_UOP_W]),
                    .run_len_i(run_len_i[`IGPU_LEN_W*i +: `IGPU_LEN_W]),
                    .run_wait_i(run_wait_i[8*i +: 8]),
                    .done_i(done_valid_i && done_wb_i && done_eu_i == NUMBER),
                    .done_slot_i(done_slot_i), .done_uop_i(done_uop_i),
                    .msg_valid_o(msg_valid), .msg_from_o(msg_from),
                    .msg_port_o(msg_port[i]),
                    .msg_slot_o(msg_slot[3*i +: 3]),
                    .msg_uop_o(msg_uop[`IGPU_UOP_W*i +: `IGPU_UOP_W]),
                    .msg_grant_i(msg_grant[i]), .end_o(end_o[i]),
                    .end_slot_o(end_slot_o[3*i +: 3]),
                    .ret_valid_o(ret_valid_o[4*i +: 4]),
                    .ret0_slot_o(ret_slot_o[12*i +: 3]),
                    .ret0_uop_o(ret_uop_o[4*`IGPU_UOP_W*i +: `IGPU_UOP_W]),
                    .ret1_slot_o(ret_slot_o[12*i+3 +: 3]),
                    .ret1_uop_o(ret_uop_o[`IGPU_UOP_W*(4*i+1) +: `IGPU_UOP_W]),
                    .ret2_slot_o(ret_slot_o[12*i+6 +: 3]),
                    .ret2_uop_o(ret_uop_o[`IGPU_UOP_W*(4*i+2) +: `IGPU_UOP_W]),
                    .ret3_slot_o(ret_slot_o[12*i+9 +: 3]),
                    .ret3_uop_o(ret_uop_o[`IGPU_UOP_W*(4*i+3) +: `IGPU_UOP_W]),
                    .wake_o(unused_wake), .fpu_clk_i(fpu_clk_i),
                    .fpu_op_i(fpu_op_i[2*`IGPU_FPU_IN_W*i +: 2*`IGPU_FPU_IN_W]),
                    .fpu_res_o(fpu_res_o[2*`IGPU_FPU_OUT_W*i +: 2*`IGPU_FPU_OUT_W]));
                assign msg_req[i] = msg_valid && now_i >= msg_from;
                wire unused = &{1'b0, unused_wake};
            end else begin : g_none
                assign msg_req[i]          = 1'b0;
                assign msg_port[i]         = 1'b0;
                assign msg_slot[3*i +: 3]  = 3'd0;
                assign msg_uop[`IGPU_UOP_W*i +: `IGPU_UOP_W] = {`IGPU_UOP_W{1'b0}};
                assign end_o[i]            = 1'b0;
                assign end_slot_o[3*i +: 3] = 3'd0;
            end
        end
    endgenerate

endmodule

`default_nettype wire

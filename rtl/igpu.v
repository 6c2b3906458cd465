// igpu - the whole compute side: global dispatcher and tiles (wiring only).
//
// Function  Runs launches; talks to the host by the tiles' token ports, a launch
//           port and configuration ports. START and END travel through delay
//           lines, so the cycles are those of tiles run apart.
// Timing    As igpu_tile. over_o comes in the cycle in which the last END of
//           the launch takes effect.
// Contract  launch_i with ce_i 0; the launch's first cycle is the next enabled
//           one. Configuration and stores are written between launches.
// Reset     rst_ni low, synchronous: idle; the stores keep their content.
// Model     csim/ref.  Tests: tests/cosim/test_random.c
// Source    docs/model.md

`default_nettype none
`include "igpu_regs.vh"
`include "igpu_fpu.vh"

module igpu #(
    parameter TILES       = 3,                          // subslices built, 1 to 6
    parameter EUS         = 8,                          // EUs built in each, 1 to 8
    parameter STORE_DEPTH = 512,                        // instructions, a power of two
    parameter STORE_AW    = 9                           // log2 of STORE_DEPTH
) (
    input  wire                       clk_i,
    input  wire                       rst_ni,
    input  wire                       eval_i,           // the clock before: EUs decide
    input  wire                       ce_i,             // the cycle counts
    input  wire [`IGPU_NOW_W-1:0]     now_i,            // this cycle
    input  wire                       launch_i,         // begin a launch
    input  wire [31:0]                launch_threads_i,
    input  wire [5:0]                 launch_tpg_i,     // threads of a group
    input  wire                       launch_pinned_i,
    input  wire [6:0]                 launch_slm_i,     // KB of a group
    output wire                       over_o,           // its last END takes effect
    input  wire                       cfg_we_i,         // write a register
    input  wire [6:0]                 cfg_addr_i,
    input  wire [7:0]                 cfg_data_i,
    input  wire                       store_we_i,       // write an instruction
    input  wire [STORE_AW-1:0]        store_addr_i,     // to every EU
    input  wire [63:0]                store_need_lo_i,
    input  wire [63:0]                store_need_hi_i,
    input  wire [7:0]                 store_need_x_i,
    input  wire [63:0]                store_set_lo_i,
    input  wire [63:0]                store_set_hi_i,
    input  wire [7:0]                 store_set_x_i,
    input  wire [`IGPU_UCTL_W-1:0]    store_uctl_i,
    output wire [TILES-1:0]           open_valid_o,     // the tiles' ports
    output wire [3*TILES-1:0]         open_eu_o,
    output wire [3*TILES-1:0]         open_slot_o,
    output wire [32*TILES-1:0]        open_thread_o,
    output wire [5*TILES-1:0]         open_bslot_o,
    input  wire [`IGPU_UOP_W*TILES-1:0] open_pc_i,
    input  wire [`IGPU_LEN_W*TILES-1:0] open_len_i,
    input  wire [8*TILES-1:0]         open_wait_i,
    output wire [EUS*TILES-1:0]       next_o,
    output wire [3*EUS*TILES-1:0]     next_slot_o,
    output wire [`IGPU_UOP_W*EUS*TILES-1:0] next_uop_o,
    input  wire [`IGPU_UOP_W*EUS*TILES-1:0] run_pc_i,
    input  wire [`IGPU_LEN_W*EUS*TILES-1:0] run_len_i,
    input  wire [8*EUS*TILES-1:0]     run_wait_i,
    input  wire [TILES-1:0]           done_valid_i,
    input  wire [3*TILES-1:0]         done_eu_i,
    input  wire [3*TILES-1:0]         done_slot_i,
    input  wire [`IGPU_UOP_W*TILES-1:0] done_uop_i,
    input  wire [TILES-1:0]           done_credit_i,
    input  wire [TILES-1:0]           done_wb_i,
    output wire [TILES-1:0]           msg_valid_o,
    output wire [3*TILES-1:0]         msg_eu_o,
    output wire [3*TILES-1:0]         msg_slot_o,
    output wire [`IGPU_UOP_W*TILES-1:0] msg_uop_o,
    output wire [8*TILES-1:0]         end_o,
    output wire [24*TILES-1:0]        end_slot_o,
    output wire [40*TILES-1:0]        end_bslot_o,
    output wire [4*EUS*TILES-1:0]     ret_valid_o,
    output wire [12*EUS*TILES-1:0]    ret_slot_o,
    output wire [4*`IGPU_UOP_W*EUS*TILES-1:0] ret_uop_o
);

    localparam U = `IGPU_UOP_W;
    localparam L = `IGPU_LEN_W;

    // ---- run-time parameters ----
    wire [2:0] subslices;
    wire [5:0] eu_slots, start_latency, end_latency;
    wire [7:0] interval;
    wire [4:0] barriers;
    wire [6:0] slm_kb;

    igpu_sched_regs #(.TILES(TILES), .EUS(EUS)) u_regs (
        .clk_i(clk_i), .rst_ni(rst_ni), .cfg_we_i(cfg_we_i), .cfg_addr_i(cfg_addr_i),
        .cfg_data_i(cfg_data_i), .subslices_o(subslices), .eu_slots_o(eu_slots),
        .interval_o(interval), .start_latency_o(start_latency),
        .end_latency_o(end_latency), .barriers_o(barriers), .slm_kb_o(slm_kb));

    // ---- global dispatcher ----
    wire [TILES-1:0]    start_valid;
    wire [31:0]         start_thread;
    wire [4:0]          start_bslot;
    wire [8*TILES-1:0]  end_valid;
    wire [40*TILES-1:0] end_bslot;
    wire                unused_wait;
    wire [`IGPU_NOW_W-1:0] unused_next;
    wire                unused_more;

    igpu_sched_global #(.TILES(TILES)) u_global (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce_i), .now_i(now_i),
        .subslices_i(subslices), .eu_slots_i(eu_slots), .barriers_i(barriers),
        .slm_kb_i(slm_kb), .interval_i(interval), .launch_i(launch_i),
        .threads_i(launch_threads_i), .tpg_i(launch_tpg_i),
        .pinned_i(launch_pinned_i), .group_slm_i(launch_slm_i),
        .dispatch_i(1'b1), .end_i(end_valid), .end_bslot_i(end_bslot), .start_valid_o(start_valid),
        .start_thread_o(start_thread), .start_bslot_o(start_bslot), .over_o(over_o),
        .more_o(unused_more), .wait_o(unused_wait), .next_o(unused_next));

    // ---- tiles, each behind its delay lines ----
    genvar i;
    generate
        for (i = 0; i < TILES; i = i + 1) begin : g_tile
            wire [37:0] start;
            wire [1:0]  unused_any;
            wire [2*`IGPU_FPU_OUT_W*EUS-1:0] unused_res; // this top does not compute

            igpu_delay #(.WIDTH(38)) u_start (
                .clk_i(clk_i), .rst_ni(rst_ni && !launch_i), .ce_i(ce_i), .latency_i(start_latency),
                .data_i(start_valid[i] ? {1'b1, start_bslot, start_thread} : 38'd0),
                .data_o(start), .any_o(unused_any[0]));
            igpu_delay #(.WIDTH(48)) u_end (
                .clk_i(clk_i), .rst_ni(rst_ni && !launch_i), .ce_i(ce_i), .latency_i(end_latency),
                .data_i({end_bslot_o[40*i +: 40], end_o[8*i +: 8]}),
                .data_o({end_bslot[40*i +: 40], end_valid[8*i +: 8]}), .any_o(unused_any[1]));

            igpu_tile #(.EUS(EUS), .STORE_DEPTH(STORE_DEPTH), .STORE_AW(STORE_AW))
            u_tile (
                .clk_i(clk_i), .rst_ni(rst_ni), .eval_i(eval_i), .ce_i(ce_i),
                .restart_i(launch_i), .now_i(now_i), .cfg_we_i(cfg_we_i), .cfg_addr_i(cfg_addr_i),
                .cfg_data_i(cfg_data_i), .store_we_i(store_we_i),
                .store_addr_i(store_addr_i), .store_need_lo_i(store_need_lo_i),
                .store_need_hi_i(store_need_hi_i), .store_need_x_i(store_need_x_i),
                .store_set_lo_i(store_set_lo_i), .store_set_hi_i(store_set_hi_i),
                .store_set_x_i(store_set_x_i), .store_uctl_i(store_uctl_i),
                .start_valid_i(start[37]), .start_thread_i(start[31:0]),
                .start_bslot_i(start[36:32]), .open_valid_o(open_valid_o[i]),
                .open_eu_o(open_eu_o[3*i +: 3]), .open_slot_o(open_slot_o[3*i +: 3]),
                .open_thread_o(open_thread_o[32*i +: 32]),
                .open_bslot_o(open_bslot_o[5*i +: 5]),
                .open_pc_i(open_pc_i[U*i +: U]), .open_len_i(open_len_i[L*i +: L]),
                .open_wait_i(open_wait_i[8*i +: 8]),
                .next_o(next_o[EUS*i +: EUS]),
                .next_slot_o(next_slot_o[3*EUS*i +: 3*EUS]),
                .next_uop_o(next_uop_o[U*EUS*i +: U*EUS]),
                .run_pc_i(run_pc_i[U*EUS*i +: U*EUS]),
                .run_len_i(run_len_i[L*EUS*i +: L*EUS]),
                .run_wait_i(run_wait_i[8*EUS*i +: 8*EUS]),
                .done_valid_i(done_valid_i[i]), .done_eu_i(done_eu_i[3*i +: 3]),
                .done_slot_i(done_slot_i[3*i +: 3]), .done_uop_i(done_uop_i[U*i +: U]),
                .done_credit_i(done_credit_i[i]), .done_wb_i(done_wb_i[i]),
                .msg_valid_o(msg_valid_o[i]), .msg_eu_o(msg_eu_o[3*i +: 3]),
                .msg_slot_o(msg_slot_o[3*i +: 3]), .msg_uop_o(msg_uop_o[U*i +: U]),
                .end_o(end_o[8*i +: 8]), .end_slot_o(end_slot_o[24*i +: 24]),
                .end_bslot_o(end_bslot_o[40*i +: 40]),
                .ret_valid_o(ret_valid_o[4*EUS*i +: 4*EUS]),
                .ret_slot_o(ret_slot_o[12*EUS*i +: 12*EUS]),
                .ret_uop_o(ret_uop_o[4*U*EUS*i +: 4*U*EUS]), .fpu_clk_i(1'b0),
                .fpu_op_i({2*`IGPU_FPU_IN_W*EUS{1'b0}}), .fpu_res_o(unused_res));
            wire unused = &{1'b0, unused_res};
        end
    endgenerate

    wire unused = &{1'b0, unused_wait, unused_next, unused_more};

endmodule

`default_nettype wire

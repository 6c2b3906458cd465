// igpu_dpi_full - the whole top igpu for Verilator: input registers around it, and
// the DPI imports of igpu_dpi.sv on its token ports.
//
// A cycle is two rising edges of clk_i, the first with eval_i. load_i, which rises with clk_i or alone,
// loads the inputs of the next cycle; through these registers no input reaches
// combinational logic, which Verilator would evaluate twice. An edge of clk_i while
// the loaded run_i is 0 writes a register or an instruction, or begins a launch.
// The imports of one cycle come in no promised order: the caller sorts them.

`default_nettype none
`include "igpu_regs.vh"

module igpu_dpi_full #(
    parameter TILES       = 6,                      // subslices built
    parameter EUS         = 8,                      // EUs built in each
    parameter STORE_DEPTH = 16384,
    parameter STORE_AW    = 14
) (
    input  chandle                 tile_i [TILES],  // contexts for the imports
    input  wire                    clk_i,
    input  wire                    eval_i,          // the EUs decide the loaded cycle
    input  wire                    load_i,          // load what follows
    input  wire                    rst_ni,
    input  wire                    run_i,           // the next edge is a cycle
    input  wire [`IGPU_NOW_W-1:0]  now_i,           // its number
    input  wire [TILES-1:0]        done_i,          // DONEs that take effect in it
    input  wire [2:0]              done_eu_i [TILES],
    input  wire [2:0]              done_slot_i [TILES],
    input  wire [`IGPU_UOP_W-1:0]  done_uop_i [TILES],
    input  wire [TILES-1:0]        done_credit_i,
    input  wire [TILES-1:0]        done_wb_i,
    input  wire                    launch_i,        // begin a launch
    input  wire [31:0]             threads_i,
    input  wire [5:0]              tpg_i,
    input  wire                    pinned_i,
    input  wire [6:0]              slm_kb_i,
    input  wire                    cfg_we_i,        // write a register
    input  wire [6:0]              cfg_addr_i,
    input  wire [7:0]              cfg_data_i,
    input  wire                    store_we_i,      // write an instruction
    input  wire [STORE_AW-1:0]     store_addr_i,
    input  wire [63:0]             need_lo_i,
    input  wire [63:0]             need_hi_i,
    input  wire [7:0]              need_x_i,
    input  wire [63:0]             set_lo_i,
    input  wire [63:0]             set_hi_i,
    input  wire [7:0]              set_x_i,
    input  wire [`IGPU_UCTL_W-1:0] uctl_i,          // counts
    output wire                    over_o           // the loaded cycle is the last
);
    import igpu_dpi_pkg::*;

    localparam U = `IGPU_UOP_W;
    localparam L = `IGPU_LEN_W;

    // ---- inputs of the loaded cycle ----
    reg                    rst_nq, run_q, launch_q, pinned_q, cfg_we_q, store_we_q;
    reg  [`IGPU_NOW_W-1:0] now_q;
    reg  [TILES-1:0]       done_q, done_credit_q, done_wb_q;
    reg  [3*TILES-1:0]     done_eu_q, done_slot_q;
    reg  [U*TILES-1:0]     done_uop_q;
    reg  [31:0]            threads_q;
    reg  [5:0]             tpg_q;
    reg  [6:0]             slm_kb_q, cfg_addr_q;
    reg  [7:0]             cfg_data_q, need_x_q, set_x_q;
    reg  [STORE_AW-1:0]    store_addr_q;
    reg  [63:0]            need_lo_q, need_hi_q, set_lo_q, set_hi_q;
    reg  [`IGPU_UCTL_W-1:0] uctl_q;

    always @(posedge load_i) begin
        rst_nq <= rst_ni;
        run_q  <= run_i;
        now_q  <= now_i;
        done_q <= done_i;
        if (done_i != '0) begin
            done_credit_q <= done_credit_i;
            done_wb_q     <= done_wb_i;
            for (int i = 0; i < TILES; i++) begin
                done_eu_q[3*i +: 3]   <= done_eu_i[i];
                done_slot_q[3*i +: 3] <= done_slot_i[i];
                done_uop_q[U*i +: U]  <= done_uop_i[i];
            end
        end
        launch_q   <= launch_i;
        cfg_we_q   <= cfg_we_i;
        store_we_q <= store_we_i;
        if (!run_i) begin
            {threads_q, tpg_q, pinned_q, slm_kb_q} <= {threads_i, tpg_i, pinned_i,
                                                       slm_kb_i};
            {cfg_addr_q, cfg_data_q} <= {cfg_addr_i, cfg_data_i};
            {store_addr_q, uctl_q}   <= {store_addr_i, uctl_i};
            {need_lo_q, need_hi_q, need_x_q} <= {need_lo_i, need_hi_i, need_x_i};
            {set_lo_q, set_hi_q, set_x_q}    <= {set_lo_i, set_hi_i, set_x_i};
        end
    end

    // ---- the top ----
    wire                   run = run_q && !eval_i;
    wire [TILES-1:0]       open, msg;
    wire [3*TILES-1:0]     open_eu, open_slot, msg_eu, msg_slot;
    wire [32*TILES-1:0]    open_thread;
    wire [5*TILES-1:0]     open_bslot;
    wire [U*TILES-1:0]     msg_uop, open_pc;
    wire [L*TILES-1:0]     open_len;
    wire [8*TILES-1:0]     open_wait;
    wire [EUS*TILES-1:0]   next;
    wire [3*EUS*TILES-1:0] next_slot;
    wire [U*EUS*TILES-1:0] next_uop, run_pc;
    wire [L*EUS*TILES-1:0] run_len;
    wire [8*EUS*TILES-1:0] run_wait;
    wire [8*TILES-1:0]     ends;
    wire [24*TILES-1:0]    end_slot;
    wire [40*TILES-1:0]    end_bslot;
    wire [4*EUS*TILES-1:0]   ret;
    wire [12*EUS*TILES-1:0]  ret_slot;
    wire [4*U*EUS*TILES-1:0] ret_uop;

    igpu #(.TILES(TILES), .EUS(EUS), .STORE_DEPTH(STORE_DEPTH), .STORE_AW(STORE_AW))
    u_igpu (
        .clk_i(clk_i), .rst_ni(rst_nq), .eval_i(eval_i && run_q), .ce_i(run), .now_i(now_q),
        .launch_i(launch_q), .launch_threads_i(threads_q), .launch_tpg_i(tpg_q),
        .launch_pinned_i(pinned_q), .launch_slm_i(slm_kb_q), .over_o(over_o),
        .cfg_we_i(cfg_we_q), .cfg_addr_i(cfg_addr_q), .cfg_data_i(cfg_data_q),
        .store_we_i(store_we_q), .store_addr_i(store_addr_q),
        .store_need_lo_i(need_lo_q), .store_need_hi_i(need_hi_q),
        .store_need_x_i(need_x_q), .store_set_lo_i(set_lo_q),
        .store_set_hi_i(set_hi_q), .store_set_x_i(set_x_q), .store_uctl_i(uctl_q),
        .open_valid_o(open), .open_eu_o(open_eu), .open_slot_o(open_slot),
        .open_thread_o(open_thread), .open_bslot_o(open_bslot), .open_pc_i(open_pc),
        .open_len_i(open_len), .open_wait_i(open_wait), .next_o(next), .next_slot_o(next_slot),
        .next_uop_o(next_uop), .run_pc_i(run_pc), .run_len_i(run_len),
        .run_wait_i(run_wait),
        .done_valid_i(done_q), .done_eu_i(done_eu_q), .done_slot_i(done_slot_q),
        .done_uop_i(done_uop_q), .done_credit_i(done_credit_q),
        .done_wb_i(done_wb_q), .msg_valid_o(msg), .msg_eu_o(msg_eu),
        .msg_slot_o(msg_slot), .msg_uop_o(msg_uop), .end_o(ends),
        .end_slot_o(end_slot), .end_bslot_o(end_bslot), .ret_valid_o(ret),
        .ret_slot_o(ret_slot), .ret_uop_o(ret_uop));

    // ---- tokens ----
    for (genvar i = 0; i < TILES; i++) begin : g_tile
        longint unsigned open_q;

        assign open_pc[U*i +: U]  = open_q[U-1:0];
        assign open_len[L*i +: L] = open_q[32 +: L];
        assign open_wait[8*i +: 8] = open_q[48 +: 8];

        always @(posedge clk_i) begin
            if (run && open[i])
                open_q <= igpu_dpi_open(tile_i[i], {29'd0, open_eu[3*i +: 3]},
                                        {29'd0, open_slot[3*i +: 3]},
                                        open_thread[32*i +: 32],
                                        {27'd0, open_bslot[5*i +: 5]});
            if (run && msg[i])
                igpu_dpi_msg(tile_i[i], {29'd0, msg_eu[3*i +: 3]},
                             {29'd0, msg_slot[3*i +: 3]}, {15'd0, msg_uop[U*i +: U]});
            if (run && ends[8*i +: 8] != 8'd0)
                for (int j = 0; j < 8; j++)
                    if (ends[8*i + j])
                        igpu_dpi_end(tile_i[i], j, {29'd0, end_slot[24*i + 3*j +: 3]},
                                     {27'd0, end_bslot[40*i + 5*j +: 5]});
        end

        for (genvar j = 0; j < EUS; j++) begin : g_eu
            localparam K = EUS * i + j;
            longint unsigned next_q;

            assign run_pc[U*K +: U]  = next_q[U-1:0];
            assign run_len[L*K +: L] = next_q[32 +: L];
            assign run_wait[8*K +: 8] = next_q[48 +: 8];

            always @(posedge clk_i) begin
                if (run && next[K])
                    next_q <= igpu_dpi_next(tile_i[i], j, {29'd0, next_slot[3*K +: 3]},
                                            {15'd0, next_uop[U*K +: U]});
                if (run && ret[4*K +: 4] != 4'd0)
                    for (int k = 0; k < 4; k++)
                        if (ret[4*K + k])
                            igpu_dpi_issue(tile_i[i], j,
                                           {29'd0, ret_slot[12*K + 3*k +: 3]}, k,
                                           {15'd0, ret_uop[U*(4*K + k) +: U]});
            end
        end
    end
endmodule

`default_nettype wire

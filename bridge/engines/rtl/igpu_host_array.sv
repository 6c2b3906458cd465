// igpu_host_array - igpu_array for Verilator: the same ports, one field a word, so that
// they look alike whatever TILES and PIPES are; and in event_o what happened, so that the
// host need not look at all of them after each clock.
//
// Inputs go through registers at a rising edge of load_i: no input reaches combinational
// logic, which Verilator would evaluate twice, and an edge costs nothing where nothing has
// changed. These edges are the host's, between two of clk_i.

`default_nettype none
`include "igpu_eu.vh"
`include "igpu_regs.vh"

module igpu_host_array #(
    parameter FLAT        = 0,
    parameter TILES       = 6,
    parameter EUS         = 8,
    parameter CONTEXTS    = 24,
    parameter CW          = 5,
    parameter STORE_DEPTH = 16384,
    parameter STORE_AW    = 14,
    parameter PIPES       = TILES * EUS / CONTEXTS
) (
    input  wire                    clk_i,
    input  wire                    tile_clk_i,     // with clk_i, where event_o says so
    input  wire                    load_i,
    input  wire                    rst_ni,
    input  wire [63:0]             limit_i,
    output wire [63:0]             now_o,
    output wire [7:0]              event_o,        // 0 idle, 1 asks, 2 issues, 3 asleep,
                                                   // 4 ends, 5 tile_clk_i comes next
    output wire [15:0]             soon_o,
    input  wire                    hold_i,
    input  wire                    skip_i,
    input  wire [63:0]             skip_now_i,
    input  wire                    launch_i,
    input  wire [63:0]             launch_now_i,
    input  wire [31:0]             launch_threads_i,
    input  wire [7:0]              launch_tpg_i,
    input  wire                    launch_pinned_i,
    input  wire [7:0]              launch_slm_i,
    output wire                    over_o,
    input  wire                    cfg_we_i,
    input  wire [7:0]              cfg_addr_i,
    input  wire [7:0]              cfg_data_i,
    input  wire                    store_we_i,
    input  wire [31:0]             store_addr_i,
    input  wire [31:0]             store_set_i,
    input  wire [63:0]             store_need_i,
    input  wire [63:0]             store_uctl_i,
    output wire [7:0]              open_valid_o,
    output wire [7:0]              open_eu_o [TILES],
    output wire [7:0]              open_slot_o [TILES],
    output wire [31:0]             open_thread_o [TILES],
    output wire [7:0]              open_bslot_o [TILES],
    input  wire [31:0]             open_pc_i [TILES],
    input  wire [15:0]             open_len_i [TILES],
    input  wire [7:0]              open_wait_i [TILES],
    input  wire [7:0]              done_valid_i,
    input  wire [7:0]              done_credit_i,
    input  wire [7:0]              done_wb_i,
    input  wire [7:0]              done_eu_i [TILES],
    input  wire [7:0]              done_slot_i [TILES],
    input  wire [31:0]             done_uop_i [TILES],
    output wire [7:0]              msg_valid_o,
    output wire [7:0]              msg_eu_o [TILES],
    output wire [7:0]              msg_slot_o [TILES],
    output wire [31:0]             msg_uop_o [TILES],
    output wire [63:0]             ask_o,
    output wire [7:0]              ask_ctx_o [PIPES],
    output wire [7:0]              ask_slot_o [PIPES],
    output wire [15:0]             ask_now_o [PIPES],
    input  wire [31:0]             run_pc_i [PIPES],
    input  wire [15:0]             run_len_i [PIPES],
    input  wire [7:0]              run_wait_i [PIPES],
    output wire [7:0]              ret_valid_o [PIPES],
    output wire [7:0]              ret_ctx_o [PIPES],
    output wire [15:0]             ret_now_o [PIPES],
    output wire [15:0]             ret_slot_o [PIPES],
    output wire [31:0]             ret_uop_o [4*PIPES],
    output wire [63:0]             ret_end_o,
    output wire [7:0]              ret_left_o [PIPES],
    input  wire [7:0]              count_pipe_i,
    input  wire [7:0]              count_ctx_i,
    input  wire [7:0]              count_word_i,
    output wire [31:0]             count_o
);

    localparam U = `IGPU_UOP_W;
    localparam L = `IGPU_LEN_W;
    localparam T = `IGPU_STAMP_W;

    wire [TILES-1:0]     open_valid, msg_valid;
    wire [3*TILES-1:0]   open_eu, open_slot, msg_eu, msg_slot;
    wire [32*TILES-1:0]  open_thread;
    wire [5*TILES-1:0]   open_bslot;
    wire [U*TILES-1:0]   msg_uop;
    wire [PIPES-1:0]     ask;
    wire [CW*PIPES-1:0]  ask_ctx, ret_ctx;
    wire [3*PIPES-1:0]   ask_slot;
    wire [T*PIPES-1:0]   ask_now, ret_now;
    wire [4*PIPES-1:0]   ret_valid;
    wire [12*PIPES-1:0]  ret_slot;
    wire [4*U*PIPES-1:0] ret_uop;
    wire [PIPES-1:0]     ret_end;
    wire [8*PIPES-1:0]   ret_left;
    wire [PIPES-1:0]     unused_branch;            // no path is executed here
    wire                 unused_stands;
    wire                 idle, asleep, tile_work, unused_can;

    assign now_o[63:`IGPU_NOW_W] = '0;
    assign soon_o[15:T] = '0;
    assign event_o = {2'd0, tile_work, ret_end != '0, asleep, ret_valid != '0, ask != '0, idle};
    assign ret_end_o = {{(64-PIPES){1'b0}}, ret_end};
    assign count_o[31:`IGPU_COUNT_W] = '0;
    assign open_valid_o = {{(8-TILES){1'b0}}, open_valid};
    assign msg_valid_o  = {{(8-TILES){1'b0}}, msg_valid};
    assign ask_o        = {{(64-PIPES){1'b0}}, ask};

    // ---- inputs ----
    reg                    rst_nq, hold_q, skip_q, launch_q, pinned_q, cfg_we_q, store_we_q;
    reg  [`IGPU_NOW_W-1:0] limit_q, skip_now_q, launch_now_q;
    reg  [31:0]            threads_q;
    reg  [5:0]             tpg_q;
    reg  [6:0]             slm_q, cfg_addr_q;
    reg  [7:0]             cfg_data_q;
    reg  [STORE_AW-1:0]    store_addr_q;
    reg  [`IGPU_SET_W-1:0] store_set_q;
    reg  [`IGPU_NEED_W-1:0] store_need_q;
    reg  [`IGPU_UCTL_W-1:0] store_uctl_q;
    reg  [TILES-1:0]       done_valid_q, done_credit_q, done_wb_q;
    reg  [3*TILES-1:0]     done_eu_q, done_slot_q;
    reg  [U*TILES-1:0]     open_pc_q, done_uop_q;
    reg  [L*TILES-1:0]     open_len_q;
    reg  [8*TILES-1:0]     open_wait_q;
    reg  [U*PIPES-1:0]     run_pc_q;
    reg  [L*PIPES-1:0]     run_len_q;
    reg  [8*PIPES-1:0]     run_wait_q;
    reg  [5:0]             count_pipe_q;
    reg  [CW-1:0]          count_ctx_q;
    reg  [4:0]             count_word_q;

    always @(posedge load_i) begin
        rst_nq       <= rst_ni;
        limit_q      <= limit_i[`IGPU_NOW_W-1:0];
        hold_q       <= hold_i;
        skip_q       <= skip_i;
        skip_now_q   <= skip_now_i[`IGPU_NOW_W-1:0];
        launch_q     <= launch_i;
        cfg_we_q     <= cfg_we_i;
        cfg_addr_q   <= cfg_addr_i[6:0];
        cfg_data_q   <= cfg_data_i;
        store_we_q   <= store_we_i;
        done_valid_q <= done_valid_i[TILES-1:0];
        count_pipe_q <= count_pipe_i[5:0];
        count_ctx_q  <= count_ctx_i[CW-1:0];
        count_word_q <= count_word_i[4:0];
        if (launch_i) begin
            launch_now_q <= launch_now_i[`IGPU_NOW_W-1:0];
            threads_q    <= launch_threads_i;
            tpg_q        <= launch_tpg_i[5:0];
            pinned_q     <= launch_pinned_i;
            slm_q        <= launch_slm_i[6:0];
        end
        if (!rst_ni)
            store_uctl_q <= '0;                     // of a class, until one is stored
        if (store_we_i) begin
            store_addr_q <= store_addr_i[STORE_AW-1:0];
            store_set_q  <= store_set_i[`IGPU_SET_W-1:0];
            store_need_q <= store_need_i[`IGPU_NEED_W-1:0];
            store_uctl_q <= store_uctl_i[`IGPU_UCTL_W-1:0];
        end
        if (done_valid_i != 8'd0) begin
            done_credit_q <= done_credit_i[TILES-1:0];
            done_wb_q     <= done_wb_i[TILES-1:0];
            for (int i = 0; i < TILES; i++) begin
                done_eu_q[3*i +: 3]   <= done_eu_i[i][2:0];
                done_slot_q[3*i +: 3] <= done_slot_i[i][2:0];
                done_uop_q[U*i +: U]  <= done_uop_i[i][U-1:0];
            end
        end
        for (int i = 0; i < TILES; i++) begin
            open_pc_q[U*i +: U]   <= open_pc_i[i][U-1:0];
            open_len_q[L*i +: L]  <= open_len_i[i][L-1:0];
            open_wait_q[8*i +: 8] <= open_wait_i[i];
        end
        for (int i = 0; i < PIPES; i++) begin
            run_pc_q[U*i +: U]   <= run_pc_i[i][U-1:0];
            run_len_q[L*i +: L]  <= run_len_i[i][L-1:0];
            run_wait_q[8*i +: 8] <= run_wait_i[i];
        end
    end

    // ---- outputs ----
    for (genvar i = 0; i < TILES; i++) begin : g_tile
        assign open_eu_o[i]     = {5'd0, open_eu[3*i +: 3]};
        assign open_slot_o[i]   = {5'd0, open_slot[3*i +: 3]};
        assign open_thread_o[i] = open_thread[32*i +: 32];
        assign open_bslot_o[i]  = {3'd0, open_bslot[5*i +: 5]};
        assign msg_eu_o[i]      = {5'd0, msg_eu[3*i +: 3]};
        assign msg_slot_o[i]    = {5'd0, msg_slot[3*i +: 3]};
        assign msg_uop_o[i]     = {15'd0, msg_uop[U*i +: U]};
    end
    for (genvar i = 0; i < PIPES; i++) begin : g_pipe
        assign ask_ctx_o[i]   = {{(8-CW){1'b0}}, ask_ctx[CW*i +: CW]};
        assign ask_slot_o[i]  = {5'd0, ask_slot[3*i +: 3]};
        assign ask_now_o[i]   = {{(16-T){1'b0}}, ask_now[T*i +: T]};
        assign ret_valid_o[i] = {4'd0, ret_valid[4*i +: 4]};
        assign ret_ctx_o[i]   = {{(8-CW){1'b0}}, ret_ctx[CW*i +: CW]};
        assign ret_now_o[i]   = {{(16-T){1'b0}}, ret_now[T*i +: T]};
        assign ret_slot_o[i]  = {4'd0, ret_slot[12*i +: 12]};
        assign ret_left_o[i]  = ret_left[8*i +: 8];
        for (genvar j = 0; j < 4; j++) begin : g_unit
            assign ret_uop_o[4*i+j] = {15'd0, ret_uop[U*(4*i+j) +: U]};
        end
    end

    igpu_array #(
        .FLAT(FLAT), .TILES(TILES), .EUS(EUS), .CONTEXTS(CONTEXTS), .CW(CW),
        .STORE_DEPTH(STORE_DEPTH), .STORE_AW(STORE_AW)
    ) u_array (
        .clk_i(clk_i), .tile_clk_i(tile_clk_i), .tile_work_o(tile_work), .rst_ni(rst_nq),
        .limit_i(limit_q),
        .now_o(now_o[`IGPU_NOW_W-1:0]), .can_o(unused_can), .idle_o(idle),
        .asleep_o(asleep), .soon_o(soon_o[T-1:0]), .hold_i(hold_q), .skip_i(skip_q),
        .skip_now_i(skip_now_q), .launch_i(launch_q), .launch_now_i(launch_now_q),
        .launch_threads_i(threads_q), .launch_tpg_i(tpg_q), .launch_pinned_i(pinned_q),
        .launch_slm_i(slm_q), .over_o(over_o), .cfg_we_i(cfg_we_q),
        .cfg_addr_i(cfg_addr_q), .cfg_data_i(cfg_data_q), .store_we_i(store_we_q),
        .store_addr_i(store_addr_q), .store_set_i(store_set_q),
        .store_need_i(store_need_q), .store_uctl_i(store_uctl_q),
        .open_valid_o(open_valid), .open_eu_o(open_eu), .open_slot_o(open_slot),
        .open_thread_o(open_thread), .open_bslot_o(open_bslot), .open_pc_i(open_pc_q),
        .open_len_i(open_len_q), .open_wait_i(open_wait_q),
        .done_valid_i(done_valid_q), .done_eu_i(done_eu_q), .done_slot_i(done_slot_q),
        .done_uop_i(done_uop_q), .done_credit_i(done_credit_q), .done_wb_i(done_wb_q),
        .msg_valid_o(msg_valid), .msg_eu_o(msg_eu), .msg_slot_o(msg_slot),
        .msg_uop_o(msg_uop), .ask_o(ask), .ask_ctx_o(ask_ctx), .ask_slot_o(ask_slot),
        .ask_now_o(ask_now), .run_pc_i(run_pc_q),
        .run_len_i(run_len_q), .run_wait_i(run_wait_q), .ret_ctx_o(ret_ctx),
        .ret_now_o(ret_now), .ret_valid_o(ret_valid), .ret_slot_o(ret_slot),
        .ret_uop_o(ret_uop), .ret_end_o(ret_end), .ret_left_o(ret_left),
        .ret_branch_o(unused_branch), .redir_i('0), .redir_ctx_i('0), .redir_slot_i('0),
        .redir_pc_i('0), .redir_len_i('0), .redir_wait_i('0), .stands_o(unused_stands),
        .count_pipe_i(count_pipe_q), .count_ctx_i(count_ctx_q),
        .count_word_i(count_word_q), .count_o(count_o[`IGPU_COUNT_W-1:0]));
endmodule

`default_nettype wire

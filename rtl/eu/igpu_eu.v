// igpu_eu - one execution unit: seven threads, four units (wiring only).
//
// Function  Fetches from the instruction store, keeps seven scoreboards, issues
//           up to four instructions a cycle to FPU0, FPU1, SEND and BRANCH, and
//           writes results back. Timing only: no register values.
// Timing    Outputs are combinational from registers and now_i; every input but
//           now_i and done_* only reaches registers.
// Contract  now_i counts enabled cycles; cycles may be skipped while active_o is
//           0, by at most wake_o, up to the first cycle with an input.
// Reset     rst_ni low, synchronous: empty. The store keeps its content.
// Model     csim/ref.  Tests: tests/rtl/igpu_eu_tb.v
// Source    docs/model.md section 4

`default_nettype none
`include "igpu_regs.vh"

module igpu_eu #(
    parameter STORE_DEPTH = 512,
    parameter STORE_AW    = 9                     // log2 of STORE_DEPTH
) (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire                   ce_i,           // the cycle counts
    input  wire [`IGPU_NOW_W-1:0] now_i,          // this cycle
    input  wire                   store_clk_i,    // clock of the store's write port;
    input  wire                   store_we_i,     // on hardware the same as clk_i
    input  wire [STORE_AW-1:0]    store_addr_i,
    input  wire [63:0]            store_need_lo_i,
    input  wire [63:0]            store_need_hi_i,
    input  wire [7:0]             store_need_x_i,
    input  wire [63:0]            store_set_lo_i,
    input  wire [63:0]            store_set_hi_i,
    input  wire [7:0]             store_set_x_i,
    input  wire [`IGPU_CTL_W-1:0] store_ctl_i,    // from igpu_decode
    input  wire [7:0]             store_dur_i,
    input  wire                   open_valid_i,   // first run of a thread opened
    input  wire [2:0]             open_slot_i,    // in the cycle before
    input  wire [`IGPU_UOP_W-1:0] open_pc_i,
    input  wire [`IGPU_LEN_W-1:0] open_len_i,
    output wire                   next_o,         // a run's last instruction is
    output wire [2:0]             next_slot_o,    // fetched: its thread's next run
    output wire [`IGPU_UOP_W-1:0] next_uop_o,     // is wanted (the fetched index)
    input  wire [`IGPU_UOP_W-1:0] run_pc_i,       // ... here in the next cycle
    input  wire [`IGPU_LEN_W-1:0] run_len_i,
    input  wire                   done_i,         // a response arrives
    input  wire [2:0]             done_slot_i,
    input  wire [`IGPU_UOP_W-1:0] done_uop_i,
    output wire                   msg_req_o,      // send arbiter: a message waits
    output wire                   msg_port_o,     // it needs a credit
    output wire [2:0]             msg_slot_o,
    output wire [`IGPU_UOP_W-1:0] msg_uop_o,
    input  wire                   msg_grant_i,    // it is taken
    output wire                   end_o,          // a thread ends
    output wire [2:0]             end_slot_o,
    output wire [3:0]             ret_valid_o,    // issues to FPU0, FPU1, SEND, BRANCH
    output wire [2:0]             ret0_slot_o,    // thread and index of each
    output wire [`IGPU_UOP_W-1:0] ret0_uop_o,
    output wire [2:0]             ret1_slot_o,
    output wire [`IGPU_UOP_W-1:0] ret1_uop_o,
    output wire [2:0]             ret2_slot_o,
    output wire [`IGPU_UOP_W-1:0] ret2_uop_o,
    output wire [2:0]             ret3_slot_o,
    output wire [`IGPU_UOP_W-1:0] ret3_uop_o,
    output wire                   active_o,       // igpu_eu_wake
    output wire [9:0]             wake_o
);

    localparam HELD_W = `IGPU_UOP_W + 24;

    // ---- fetch ----
    wire                   fetch, fetch_next, pend;
    wire [2:0]             fetch_slot, fresh_slot;
    wire [`IGPU_UOP_W-1:0] fetch_uop, fresh_uop;
    wire [6:0]             fresh, held, hold, issue;

    igpu_eu_fetch u_fetch (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce_i),
        .open_valid_i(open_valid_i), .open_slot_i(open_slot_i),
        .open_pc_i(open_pc_i), .open_len_i(open_len_i),
        .run_pc_i(run_pc_i), .run_len_i(run_len_i),
        .hold_i(hold), .issue_i(issue),
        .fetch_o(fetch), .slot_o(fetch_slot), .uop_o(fetch_uop), .next_o(fetch_next),
        .fresh_o(fresh), .fresh_slot_o(fresh_slot), .fresh_uop_o(fresh_uop),
        .held_o(held), .pend_o(pend));

    assign next_o      = fetch_next;
    assign next_slot_o = fetch_slot;
    assign next_uop_o  = fetch_uop;

    // ---- instruction store ----
    wire [63:0]            need_lo, need_hi, set_lo, set_hi;
    wire [7:0]             need_x, set_x;
    wire [`IGPU_CTL_W-1:0] ctl;
    wire                   wb0_read, wb1_read, wbr_read;
    wire [`IGPU_UOP_W-1:0] wb0_uop, wb1_uop, wbr_uop;
    wire [63:0]            wb0_lo, wb0_hi, wb1_lo, wb1_hi, wbr_lo, wbr_hi;
    wire [7:0]             wb0_x, wb1_x, wbr_x, wbr_dur;

    // The end of a thread needs every bit.
    igpu_eu_store #(.DEPTH(STORE_DEPTH), .AW(STORE_AW)) u_store (
        .clk_i(clk_i), .wclk_i(store_clk_i), .we_i(store_we_i), .waddr_i(store_addr_i),
        .need_lo_i(store_need_lo_i | {64{store_ctl_i[2]}}),
        .need_hi_i(store_need_hi_i | {64{store_ctl_i[2]}}),
        .need_x_i(store_need_x_i | {8{store_ctl_i[2]}}), .set_lo_i(store_set_lo_i),
        .set_hi_i(store_set_hi_i), .set_x_i(store_set_x_i),
        .ctl_i(store_ctl_i), .dur_i(store_dur_i),
        .fetch_i(ce_i && fetch), .fetch_uop_i(fetch_uop[STORE_AW-1:0]),
        .need_lo_o(need_lo), .need_hi_o(need_hi), .need_x_o(need_x),
        .set_lo_o(set_lo), .set_hi_o(set_hi), .set_x_o(set_x), .ctl_o(ctl),
        .wb0_i(ce_i && wb0_read), .wb0_uop_i(wb0_uop[STORE_AW-1:0]),
        .wb0_lo_o(wb0_lo), .wb0_hi_o(wb0_hi), .wb0_x_o(wb0_x),
        .wb1_i(ce_i && wb1_read), .wb1_uop_i(wb1_uop[STORE_AW-1:0]),
        .wb1_lo_o(wb1_lo), .wb1_hi_o(wb1_hi), .wb1_x_o(wb1_x),
        .wbr_i(ce_i && wbr_read), .wbr_uop_i(wbr_uop[STORE_AW-1:0]),
        .wbr_lo_o(wbr_lo), .wbr_hi_o(wbr_hi), .wbr_x_o(wbr_x),
        .wbr_dur_o(wbr_dur));

    // ---- write-back: masks are at the store's output in the cycle they count ----
    wire       wb0, wb1, wbr;
    wire [2:0] wb0_slot, wb1_slot;
    wire [6:0] wbr_slot;
    reg  [6:0] wb0_oh, wb1_oh, wbr_oh;            // one-hot threads, or zero

    always @* begin
        wb0_oh = 7'd0;
        wb1_oh = 7'd0;
        wbr_oh = 7'd0;
        if (wb0)
            wb0_oh = 7'd1 << wb0_slot;
        if (wb1)
            wb1_oh = 7'd1 << wb1_slot;
        if (wbr)
            wbr_oh = wbr_slot;
    end

    // ---- threads ----
    wire [6:0] found;                             // ready, of those in check
    reg  [6:0] set_q;                             // issued in the last cycle
    reg  [6:0] was_q;                             // ready in it, and did not
    wire [6:0] wb_any = wb0_oh | wb1_oh | wbr_oh;
    wire [6:0] check  = fresh | wb_any;           // readiness may change
    wire [6:0] touch  = set_q | wb_any;           // busy bits change
    wire [6:0] ready  = (was_q & ~check) | found;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            set_q <= 7'd0;
            was_q <= 7'd0;
        end else if (ce_i) begin
            set_q <= issue;
            was_q <= ready & ~issue;
        end
    end

    genvar i;
    generate
        for (i = 0; i < 7; i = i + 1) begin : g_slot
            igpu_eu_slot #(.SLOT(i)) u_slot (
                .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce_i),
                .held_i(held), .fresh_i(fresh),
                .check_i(check), .touch_i(touch), .set_i(set_q),
                .need_lo_i(need_lo), .need_hi_i(need_hi), .need_x_i(need_x),
                .set_lo_i(set_lo), .set_hi_i(set_hi), .set_x_i(set_x),
                .wb0_i(wb0_oh), .wb0_lo_i(wb0_lo), .wb0_hi_i(wb0_hi), .wb0_x_i(wb0_x),
                .wb1_i(wb1_oh), .wb1_lo_i(wb1_lo), .wb1_hi_i(wb1_hi), .wb1_x_i(wb1_x),
                .wbr_i(wbr_oh), .wbr_lo_i(wbr_lo), .wbr_hi_i(wbr_hi),
                .wbr_x_i(wbr_x), .ready_o(found[i]));
        end
    endgenerate

    // ---- arbitration ----
    wire       fpu0_avail, fpu1_avail, send_avail;
    wire [6:0] fpu0, fpu1, send, branch;

    igpu_eu_arb u_arb (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce_i),
        .ready_i(ready), .fresh_i(fresh), .fresh_unit_i(ctl[1:0]),
        .fpu0_avail_i(fpu0_avail), .fpu1_avail_i(fpu1_avail),
        .send_avail_i(send_avail),
        .fpu0_o(fpu0), .fpu0_slot_o(ret0_slot_o), .fpu1_o(fpu1),
        .fpu1_slot_o(ret1_slot_o), .send_o(send), .send_slot_o(ret2_slot_o),
        .branch_o(branch), .branch_slot_o(ret3_slot_o));

    assign issue       = fpu0 | fpu1 | send | branch;
    assign ret_valid_o = {branch != 7'd0, send != 7'd0, fpu1 != 7'd0, fpu0 != 7'd0};

    wire [HELD_W-1:0] held0, held1, held2, held3;

    igpu_eu_held #(.WIDTH(HELD_W)) u_held (
        .clk_i(clk_i), .ce_i(ce_i), .fresh_i(fresh != 7'd0),
        .fresh_slot_i(fresh_slot),
        .fresh_data_i({fresh_uop, ctl[25:2]}),
        .read0_i(ret_valid_o[0]), .slot0_i(ret0_slot_o), .data0_o(held0),
        .read1_i(ret_valid_o[1]), .slot1_i(ret1_slot_o), .data1_o(held1),
        .read2_i(ret_valid_o[2]), .slot2_i(ret2_slot_o), .data2_o(held2),
        .read3_i(ret_valid_o[3]), .slot3_i(ret3_slot_o), .data3_o(held3));

    assign ret0_uop_o = held0[HELD_W-1:24];
    assign ret1_uop_o = held1[HELD_W-1:24];
    assign ret2_uop_o = held2[HELD_W-1:24];
    assign ret3_uop_o = held3[HELD_W-1:24];

    // ---- units ----
    wire       fpu0_busy, fpu1_busy, fpu0_occ, fpu1_occ, send_occ, resp_busy;
    wire [9:0] fpu0_at, fpu1_at;
    wire [7:0] resp_left, fpu0_until, fpu1_until, send_until;

    igpu_eu_fpu u_fpu0 (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce_i), .now_i(now_i),
        .issue_i(ret_valid_o[0]), .slot_i(ret0_slot_o), .uop_i(ret0_uop_o),
        .occ_i(held0[9:2]), .lat_i(held0[23:18]), .avail_o(fpu0_avail),
        .occupied_o(fpu0_occ), .until_o(fpu0_until), .busy_o(fpu0_busy),
        .read_o(wb0_read), .uop_o(wb0_uop), .wb_o(wb0), .wb_slot_o(wb0_slot),
        .wb_at_o(fpu0_at));
    igpu_eu_fpu u_fpu1 (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce_i), .now_i(now_i),
        .issue_i(ret_valid_o[1]), .slot_i(ret1_slot_o), .uop_i(ret1_uop_o),
        .occ_i(held1[9:2]), .lat_i(held1[23:18]), .avail_o(fpu1_avail),
        .occupied_o(fpu1_occ), .until_o(fpu1_until), .busy_o(fpu1_busy),
        .read_o(wb1_read), .uop_o(wb1_uop), .wb_o(wb1), .wb_slot_o(wb1_slot),
        .wb_at_o(fpu1_at));
    igpu_eu_send u_send (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce_i), .now_i(now_i),
        .issue_i(ret_valid_o[2]), .eot_i(held2[0]), .port_i(held2[1]),
        .slot_i(ret2_slot_o), .uop_i(ret2_uop_o), .occ_i(held2[9:2]),
        .avail_o(send_avail), .req_o(msg_req_o), .port_o(msg_port_o),
        .slot_o(msg_slot_o), .uop_o(msg_uop_o), .grant_i(msg_grant_i),
        .occupied_o(send_occ), .until_o(send_until));
    igpu_eu_resp u_resp (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce_i), .now_i(now_i[7:0]),
        .valid_i(done_i), .slot_i(done_slot_i), .uop_i(done_uop_i),
        .read_o(wbr_read), .uop_o(wbr_uop), .dur_i(wbr_dur), .wb_o(wbr),
        .wb_slot_o(wbr_slot), .busy_o(resp_busy), .left_o(resp_left));

    assign end_o      = ret_valid_o[2] && held2[0];
    assign end_slot_o = ret2_slot_o;

    // ---- front end ----
    wire       hold_any, hold_hit;
    wire [7:0] hold_until;

    igpu_eu_hold u_hold (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce_i), .now_i(now_i[7:0]),
        .issue_i(issue & ~(end_o ? send : 7'd0)), .valid_i(ret_valid_o),
        .slot0_i(ret0_slot_o), .fe0_i(held0[17:10]), .slot1_i(ret1_slot_o),
        .fe1_i(held1[17:10]), .slot2_i(ret2_slot_o), .fe2_i(held2[17:10]),
        .slot3_i(ret3_slot_o), .fe3_i(held3[17:10]), .hold_o(hold), .any_o(hold_any),
        .hit_o(hold_hit), .until_o(hold_until));

    // ---- skipping ----
    // What shows in registers alone (fresh, set_q) stays until the next edge, so it
    // need not wake anybody.
    assign active_o = fetch || pend || ret_valid_o != 4'd0 || wb0 || wb1 || wbr ||
                      hold_hit;

    igpu_eu_wake u_wake (
        .change_i(active_o), .ready_i(ready != 7'd0), .fpu0_occ_i(fpu0_occ),
        .fpu0_until_i(fpu0_until), .fpu1_occ_i(fpu1_occ), .fpu1_until_i(fpu1_until),
        .send_occ_i(send_occ), .send_until_i(send_until), .hold_i(hold_any),
        .hold_until_i(hold_until), .fpu0_busy_i(fpu0_busy), .fpu0_at_i(fpu0_at),
        .fpu1_busy_i(fpu1_busy), .fpu1_at_i(fpu1_at), .resp_busy_i(resp_busy),
        .resp_left_i(resp_left), .now_i(now_i[9:0]), .wake_o(wake_o));

    wire unused = &{1'b0, held0[1:0], held1[1:0], held2[23:18], held3[23:18],
                    held3[9:0], wb0_uop, wb1_uop, wbr_uop};

endmodule

`default_nettype wire

// igpu_eu - one execution unit: seven threads, four units.
//
// Function  Fetches from the instruction store, keeps seven scoreboards, issues
//           up to four instructions a cycle to FPU0, FPU1, SEND and BRANCH, and
//           writes results back. Timing only: no register values.
// Timing    A cycle takes two clocks. In the first, eval_i, the EU decides all
//           that it does in cycle now_i; its outputs then hold what it decided.
//           In the second, ce_i, it takes what the others decided in that cycle:
//           a grant, an opened thread, a response.
// Contract  A clock with neither changes nothing. While no input comes, cycles
//           below wake_o may be left out altogether, and so may a second clock
//           without an input. The run asked for by next_o is on run_*_i in the
//           next first clock (length 0: the thread will not go on). Hardware has
//           no use for wake_o, which looks at what the store has just given.
// Reset     rst_ni low, synchronous: empty. The store keeps its content.
//           With DATAPATH the two FPUs compute (igpu_eu_datapath): operands of what was
//           issued enter at fpu_op_i, results leave at fpu_res_o, and nothing else
//           changes. Without, fpu_res_o is 0.
// Style     One process with blocking assignments to state that nobody else sees,
//           so that a simulator computes only what a cycle needs; outputs are
//           assigned without blocking. Small memories stay memories in synthesis
//           (nomem2reg): what is written in a clock is not read in it.
// Model     csim/ref.  Tests: tests/rtl/igpu_eu_tb.v
// Source    docs/model.md section 4

`default_nettype none
`include "igpu_regs.vh"
`include "igpu_fpu.vh"

module igpu_eu #(
    parameter DATAPATH    = 0,                    // 1: with the FPUs' datapaths
    parameter STORE_DEPTH = 512,
    parameter STORE_AW    = 9,                    // log2 of STORE_DEPTH
    parameter WAKE        = 0                     // 1: wake_o is wanted, by a simulator
) (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire                   eval_i,         // first clock of cycle now_i
    input  wire                   ce_i,           // second clock; not with eval_i
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
    input  wire [7:0]             open_wait_i,    // cycles until it can be fetched
    output reg                    next_o,         // a run's last instruction is
    output reg  [2:0]             next_slot_o,    // fetched: its thread's next run
    output reg  [`IGPU_UOP_W-1:0] next_uop_o,     // is wanted (the fetched index)
    input  wire [`IGPU_UOP_W-1:0] run_pc_i,
    input  wire [`IGPU_LEN_W-1:0] run_len_i,
    input  wire [7:0]             run_wait_i,
    input  wire                   done_i,         // a response arrives
    input  wire [2:0]             done_slot_i,
    input  wire [`IGPU_UOP_W-1:0] done_uop_i,
    output reg                    msg_valid_o,    // the oldest message can be
    output reg  [`IGPU_NOW_W-1:0] msg_from_o,     // granted from this cycle on
    output reg                    msg_port_o,     // it needs a credit
    output reg  [2:0]             msg_slot_o,
    output reg  [`IGPU_UOP_W-1:0] msg_uop_o,
    input  wire                   msg_grant_i,    // it is taken
    output reg                    end_o,          // a thread ends
    output reg  [2:0]             end_slot_o,
    output reg  [3:0]             ret_valid_o,    // issues to FPU0, FPU1, SEND, BRANCH
    output reg  [2:0]             ret0_slot_o,    // thread and index of each
    output reg  [`IGPU_UOP_W-1:0] ret0_uop_o,
    output reg  [2:0]             ret1_slot_o,
    output reg  [`IGPU_UOP_W-1:0] ret1_uop_o,
    output reg  [2:0]             ret2_slot_o,
    output reg  [`IGPU_UOP_W-1:0] ret2_uop_o,
    output reg  [2:0]             ret3_slot_o,
    output reg  [`IGPU_UOP_W-1:0] ret3_uop_o,
    output reg  [`IGPU_NOW_W-1:0] wake_o,         // next cycle to evaluate, if WAKE
    input  wire                   fpu_clk_i,      // of the datapaths, one a cycle
    input  wire [2*`IGPU_FPU_IN_W-1:0]  fpu_op_i, // operands (igpu_fpu.vh)
    output wire [2*`IGPU_FPU_OUT_W-1:0] fpu_res_o // results
);

    localparam U = `IGPU_UOP_W;
    localparam L = `IGPU_LEN_W;
    localparam N = `IGPU_NOW_W;
    localparam H = U + `IGPU_HELD_W;              // held: {index, lat, fe, occ, PORT, EOT}
    localparam F = 10 + 7 + U;                    // in flight: {D, thread, index}
    localparam [U-1:0] UOP1  = 1;
    localparam [L-1:0] LEN1  = 1;
    localparam [N-1:0] NEVER = {N{1'b1}};
    localparam [N-1:0] NOW1  = 1;

    // ---- instruction store: written while no thread runs ----
    reg [63:0]            need_lo_m [0:STORE_DEPTH-1];
    reg [63:0]            need_hi_m [0:STORE_DEPTH-1];
    reg [7:0]             need_x_m [0:STORE_DEPTH-1];
    reg [63:0]            set_lo_m [0:STORE_DEPTH-1];
    reg [63:0]            set_hi_m [0:STORE_DEPTH-1];
    reg [7:0]             set_x_m [0:STORE_DEPTH-1];
    reg [`IGPU_CTL_W-1:0] ctl_m [0:STORE_DEPTH-1];
    reg [7:0]             dur_m [0:STORE_DEPTH-1];

    // The end of a thread needs every bit.
    always @(posedge store_clk_i) begin
        if (store_we_i) begin
            need_lo_m[store_addr_i] <= store_need_lo_i | {64{store_ctl_i[`IGPU_CTL_EOT]}};
            need_hi_m[store_addr_i] <= store_need_hi_i | {64{store_ctl_i[`IGPU_CTL_EOT]}};
            need_x_m[store_addr_i]  <= store_need_x_i | {8{store_ctl_i[`IGPU_CTL_EOT]}};
            set_lo_m[store_addr_i]  <= store_set_lo_i;
            set_hi_m[store_addr_i]  <= store_set_hi_i;
            set_x_m[store_addr_i]   <= store_set_x_i;
            ctl_m[store_addr_i]     <= store_ctl_i;
            dur_m[store_addr_i]     <= store_dur_i;
        end
    end

    // What its read ports show: the fetched instruction; what the oldest in FPU0, in
    // FPU1 and the response being written set.
    reg [63:0]            f_need_lo, f_need_hi, f_set_lo, f_set_hi;
    reg [7:0]             f_need_x, f_set_x;
    reg [`IGPU_CTL_W-1:0] f_ctl;
    reg [63:0]            w0_lo, w0_hi, w1_lo, w1_hi, wr_lo, wr_hi;
    reg [7:0]             w0_x, w1_x, wr_x, wr_dur;
    reg                   f_read, w0_read, w1_read, wr_read;
    reg [U-1:0]           w0_uop, w1_uop, wr_uop;

    // ---- threads; sets of them are seven bits, arrays have an unused eighth entry: a
    //      simulator need not check an index of three bits ----
    (* mem2reg *) reg [63:0] busy_lo [0:7];       // scoreboard
    (* mem2reg *) reg [63:0] busy_hi [0:7];
    (* mem2reg *) reg [7:0]  busy_x [0:7];
    (* mem2reg *) reg [63:0] need_lo [0:7];       // of the held instruction
    (* mem2reg *) reg [63:0] need_hi [0:7];
    (* mem2reg *) reg [7:0]  need_x [0:7];
    (* mem2reg *) reg [63:0] set_lo [0:7];
    (* mem2reg *) reg [63:0] set_hi [0:7];
    (* mem2reg *) reg [7:0]  set_x [0:7];
    (* mem2reg *) reg [7:0]  free_at [0:7];       // held by the front end until then
    (* nomem2reg *) reg [H-1:0]   held_m [0:7];   // of the held instruction
    (* nomem2reg *) reg [L+U-1:0] run_m [0:7];    // {instructions left, next one}
    reg  [6:0]            has;                    // the run has an instruction left
    reg  [6:0]            late;                   // ... once it is there, at late_at
    (* mem2reg *) reg [7:0]  late_at [0:7];
    reg  [6:0]            held;                   // holds an instruction
    reg  [6:0]            ready;                  // ... that may issue
    reg  [6:0]            unit0, unit1;           // ... bit planes of its unit
    reg  [6:0]            hold;                   // held by the front end
    reg  [6:0]            first;                  // ... and free first, together,
    reg  [7:0]            near;                   // at this cycle
    reg  [6:0]            above0, above1, above2, above3, abovef; // round-robin

    // ---- the last fetch ----
    reg  [6:0]            fresh;                  // its thread; zero: none
    reg  [2:0]            fresh_slot;
    reg  [U-1:0]          fresh_uop;
    reg  [L-1:0]          fresh_left;
    reg                   pend;                   // it took its run's last
    reg  [N-1:0]          fetched;                // in this cycle

    // ---- FPU0, FPU1: the oldest in flight, the others in a ring ----
    reg  [N-1:0]          free0, free1, free2;    // first cycle to issue again
    reg  [9:0]            last0, last1;           // D of the youngest
    reg                   busy0, busy1;
    reg  [9:0]            at0, at1;               // D of the oldest
    reg  [6:0]            thread0, thread1;
    (* nomem2reg *) reg [F-1:0] flight0_m [0:15];
    (* nomem2reg *) reg [F-1:0] flight1_m [0:15];
    reg  [3:0]            wr0, rd0, wr1, rd1;

    // ---- SEND: the oldest message is on the outputs, the others in a ring ----
    reg                   msg_last;               // the last issue made a message
    reg  [2:0]            count;
    (* nomem2reg *) reg [U+3:0] queue_m [0:3];
    reg  [1:0]            wrq, rdq;

    // ---- responses: one being written, the others in a ring ----
    reg                   resp;
    reg  [7:0]            resp_start;
    reg  [6:0]            resp_thread;
    (* nomem2reg *) reg [U+2:0] wait_m [0:127];
    reg  [6:0]            wrr, rdr;

    // ---- of one cycle ----
    reg                   wb0, wb1, wbr, eot;
    reg                   clear, full;
    reg  [6:0]            check, met, want, g0, g1, g2, g3, issue, either, other;
    reg  [2:0]            slot;
    reg  [H-1:0]          word;
    reg  [F-1:0]          entry;
    reg  [U+3:0]          message;
    reg  [L-1:0]          left;
    reg  [U-1:0]          pc;
    reg  [10:0]           soon;
    reg  [7:0]            now8, least;
    reg  [9:0]            now10;
    integer               i;

    `include "igpu_eu_issue.vh"
    `include "igpu_eu_steps.vh"
    `include "igpu_eu_wake.vh"

    // Blocking on purpose: see Style above.
    always @(posedge clk_i) begin
        // What lives for one clock begins here: a simulator keeps it in registers.
        {f_read, w0_read, w1_read, wr_read} = 4'd0;
        {wb0, wb1, wbr, eot, clear, full} = 6'd0;
        {check, met, want, g0, g1, g2, g3, issue, either, other} = 70'd0;
        {slot, left, pc, soon, least} = {(3+L+U+11+8){1'b0}};
        word    = {H{1'b0}};
        entry   = {F{1'b0}};
        message = {(U+4){1'b0}};
        now8  = now_i[7:0];
        now10 = now_i[9:0];
        if (!rst_ni) begin
            for (i = 0; i < 8; i = i + 1) begin
                busy_lo[i] = 64'd0;
                busy_hi[i] = 64'd0;
                busy_x[i]  = 8'd0;
            end
            {has, held, ready, fresh, hold, late} = 42'd0;
            {above0, above1, above2, above3, abovef} = 35'd0;
            {pend, busy0, busy1, resp, msg_last} = 5'd0;
            {free0, free1, free2} = {3*N{1'b0}};
            {wr0, rd0, wr1, rd1, wrq, rdq, wrr, rdr} = 34'd0;
            count        = 3'd0;
            next_o      <= 1'b0;
            msg_valid_o <= 1'b0;
            end_o       <= 1'b0;
            ret_valid_o <= 4'd0;
        end else if (eval_i) begin
            end_o       <= 1'b0;
            ret_valid_o <= 4'd0;
            next_o      <= 1'b0;

            results;
            if (check != 7'd0) begin
                scoreboard;
                move_on;
            end
            arrive;
            front_end;
            if ((check | ready) != 7'd0) begin
                arbitrate;
                fpu0;
                fpu1;
                if (issue != 7'd0) begin
                    send;
                    branch;
                    set_bits;
                end
                respond;
            end
            fetch;
        end else if (ce_i) begin
            take;
        end
        read_store;
        if (!rst_ni || WAKE == 0)
            wake_o <= NEVER;
        else if (eval_i)
            after_decision;
        else if (ce_i)
            after_input;
    end

    // ---- the datapaths ----
    generate
        if (DATAPATH != 0) begin : g_datapath
            igpu_eu_datapath u_datapath (
                .clk_i(fpu_clk_i), .rst_ni(rst_ni), .op_i(fpu_op_i), .res_o(fpu_res_o));
        end else begin : g_none
            assign fpu_res_o = {2*`IGPU_FPU_OUT_W{1'b0}};
            wire unused = &{1'b0, fpu_clk_i, fpu_op_i};
        end
    endgenerate

    wire unused = &{1'b0, w0_uop, w1_uop, wr_uop};

endmodule

`default_nettype wire

// igpu_eu_fetch - stages s2 to s6: the run queue, and the fetched instruction's way.
//
// Function  s2 reads where the thread that fetches is in its run; s3 gives the index to
//           the store; s4 gets the instruction; s5 asks for the next run when this was
//           the last of one, and turns the ranges that the instruction needs into bits;
//           s6 compares them with the busy bits of s3 and writes back.
// State     Each thread's place: {instructions left, index of the next}. A thread that
//           has not fetched yet has it in a RAM of its own, written when it was opened,
//           and one whose branch has issued in another, written by the redirect (s1): so
//           each RAM has one writer.
// Timing    The answer to ft_ask_o (s5) is on run_* in the same clock.
// Contract  A run has at least one instruction. An answer of length 0: there is none before
//           this one, which goes to BRANCH, has issued; then s1_redir_i brings it. The end
//           of a thread is its run's last, and no run is asked for behind it.
// Reset     None.
// Model     csim/ref/eu.c: fetch().  Tests: tests/cosim/test_array.c
// Source    docs/contract/model.md sections 4.1 and 4.2

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"
`include "igpu_regs.vh"

module igpu_eu_fetch #(
    parameter ROWS = 8,                            // of the state RAMs: contexts
    parameter CW   = 3                             // log2 of ROWS
) (
    input  wire                    clk_i,
    input  wire                    s1_open_i,      // a thread was opened
    input  wire [CW-1:0]           s1_ctx_i,
    input  wire [2:0]              s1_slot_i,      // in this slot
    input  wire [`IGPU_UOP_W-1:0]  s1_pc_i,        // with this first run
    input  wire [`IGPU_LEN_W-1:0]  s1_len_i,
    input  wire                    s1_redir_i,     // one goes on whose branch has issued:
    input  wire [2:0]              s1_redir_slot_i,
    input  wire [`IGPU_UOP_W-1:0]  s1_redir_pc_i,
    input  wire [`IGPU_LEN_W-1:0]  s1_redir_len_i,
    input  wire                    s2_fetch_i,     // a thread fetches:
    input  wire [CW-1:0]           s2_ctx_i,
    input  wire [6:0]              s2_who_i,       // this one (one-hot)
    input  wire                    s2_fresh_i,     // its first instruction
    output wire                    ft_read_o,      // s3: to the store
    output wire [`IGPU_UOP_W-1:0]  ft_addr_o,
    input  wire [7*64-1:0]         s3_busy_lo_i,   // s3: all threads' busy bits
    input  wire [7*64-1:0]         s3_busy_hi_i,
    input  wire [7*8-1:0]          s3_busy_x_i,
    input  wire [`IGPU_CTL_W-1:0]  s4_ctl_i,       // s4: from the store
    input  wire [`IGPU_SET_W-1:0]  s4_set_i,
    input  wire [`IGPU_NEED_W-1:0] s4_need_i,
    output wire                    ft_ask_o,       // s5: the thread's next run is wanted
    output wire [2:0]              ft_ask_slot_o,
    input  wire [`IGPU_UOP_W-1:0]  run_pc_i,       // s5: here it is
    input  wire [`IGPU_LEN_W-1:0]  run_len_i,
    input  wire [7:0]              run_wait_i,     // cycles until its code is there
    input  wire [CW-1:0]           s6_ctx_i,
    output reg                     ft_done_q,      // s6: a thread has fetched
    output reg  [6:0]              ft_who_q,
    output wire [2:0]              ft_slot_o,
    output reg  [`IGPU_UOP_W-1:0]  ft_uop_q,
    output reg  [`IGPU_CTL_W-1:0]  ft_ctl_q,
    output reg  [`IGPU_SET_W-1:0]  ft_set_q,
    output reg  [63:0]             ft_need_lo_q,   // bits that it needs
    output reg  [63:0]             ft_need_hi_q,
    output reg  [7:0]              ft_need_x_q,
    output wire                    ft_met_o,       // none of them is busy
    output reg                     ft_last_q,      // the run is over;
    output reg                     ft_more_q,      // another is there
    output reg  [7:0]              ft_wait_q,      // ... in so many cycles;
    output reg                     ft_none_q       // or comes when this one has issued
);

    localparam U = `IGPU_UOP_W;
    localparam L = `IGPU_LEN_W;
    `include "igpu_eu_slot.vh"
    `include "igpu_eu_range.vh"
    `include "igpu_eu_board.vh"
    `include "igpu_eu_fetch.vh"

    // ---- s2, s3: the place in the run ----
    reg          s3_fetch_q, s3_fresh_q;
    reg  [6:0]   s3_who_q;
    wire [L+U-1:0] first_m, place_m, redir_m;
    reg  [L+U-1:0] s6_next_q;                     // s6: its place from now on
    wire         none_m;                          // its place is where it was redirected to
    wire [L-1:0] left;
    wire [U-1:0] pc;
    wire [2:0]   s2_slot = slot_number(s2_who_i);

    igpu_ctx_ram #(.WIDTH(L + U), .DEPTH(8 * ROWS), .AW(CW + 3)) u_first (
        .clk_i(clk_i), .re_i(s2_fetch_i), .clear_i(1'b0), .raddr_i({s2_ctx_i, s2_slot}),
        .rdata_o(first_m), .we_i(s1_open_i), .waddr_i({s1_ctx_i, s1_slot_i}),
        .wdata_i({s1_len_i, s1_pc_i}));
    igpu_ctx_ram #(.WIDTH(1 + L + U), .DEPTH(8 * ROWS), .AW(CW + 3)) u_place (
        .clk_i(clk_i), .re_i(s2_fetch_i), .clear_i(1'b0), .raddr_i({s2_ctx_i, s2_slot}),
        .rdata_o({none_m, place_m}), .we_i(ft_done_q), .waddr_i({s6_ctx_i, ft_slot_o}),
        .wdata_i({ft_none_q, s6_next_q}));
    igpu_ctx_ram #(.WIDTH(L + U), .DEPTH(8 * ROWS), .AW(CW + 3)) u_redir (
        .clk_i(clk_i), .re_i(s2_fetch_i), .clear_i(1'b0), .raddr_i({s2_ctx_i, s2_slot}),
        .rdata_o(redir_m), .we_i(s1_redir_i), .waddr_i({s1_ctx_i, s1_redir_slot_i}),
        .wdata_i({s1_redir_len_i, s1_redir_pc_i}));

    assign {left, pc} = s3_fresh_q ? first_m : none_m ? redir_m : place_m;
    assign ft_read_o  = s3_fetch_q;
    assign ft_addr_o  = pc;

    // ---- s4: the instruction; s5: the next run ----
    reg          s4_fetch_q, s5_fetch_q, s5_last_q;
    reg  [6:0]   s4_who_q, s5_who_q;
    reg  [U-1:0] s4_pc_q, s5_pc_q;
    reg  [L-1:0] s4_left_q;
    reg  [L+U-1:0] s5_next_q;
    reg  [63:0]  s4_busy_lo_q, s4_busy_hi_q, s5_busy_lo_q, s5_busy_hi_q;
    reg  [7:0]   s4_busy_x_q, s5_busy_x_q;
    reg  [`IGPU_CTL_W-1:0]  s5_ctl_q;
    reg  [`IGPU_SET_W-1:0]  s5_set_q;
    reg  [`IGPU_NEED_W-1:0] s5_need_q;
    wire         s5_eot = s5_ctl_q[`IGPU_CTL_EOT];
    integer      k;

    wire s5_ask  = fetch_ask(s5_last_q, s5_eot);
    wire s5_none = run_len_i == {L{1'b0}};

    assign ft_ask_o      = s5_fetch_q && s5_ask;
    assign ft_ask_slot_o = slot_number(s5_who_q);

    always @(posedge clk_i) begin
        s3_fetch_q <= s2_fetch_i;
        s4_fetch_q <= s3_fetch_q;
        s5_fetch_q <= s4_fetch_q;
        ft_done_q  <= s5_fetch_q;
        if (s2_fetch_i) begin
            s3_who_q   <= s2_who_i;
            s3_fresh_q <= s2_fresh_i;
        end
        if (s3_fetch_q) begin
            s4_who_q  <= s3_who_q;
            s4_pc_q   <= pc;
            s4_left_q <= left;
            for (k = 0; k < 7; k = k + 1)
                if (s3_who_q[k])
                    {s4_busy_lo_q, s4_busy_hi_q, s4_busy_x_q} <=
                        {s3_busy_lo_i[64*k +: 64], s3_busy_hi_i[64*k +: 64],
                         s3_busy_x_i[8*k +: 8]};
        end
        if (s4_fetch_q) begin
            s5_who_q  <= s4_who_q;
            s5_pc_q   <= s4_pc_q;
            s5_next_q <= fetch_place(s4_left_q, s4_pc_q);
            s5_last_q <= fetch_last(s4_left_q);
            {s5_busy_lo_q, s5_busy_hi_q, s5_busy_x_q} <=
                {s4_busy_lo_q, s4_busy_hi_q, s4_busy_x_q};
            s5_ctl_q  <= s4_ctl_i;
            s5_set_q  <= s4_set_i;
            s5_need_q <= s4_need_i;
        end
    end

    // ---- s5: the bits that it needs, its own results among them ----
    reg  [63:0]  lo, hi;

    always @* begin
        fetch_bits(s5_set_q[`IGPU_SET_RANGE], s5_need_q[`IGPU_NEED_RANGES], lo, hi);
    end

    // ---- s6 ----
    reg  [63:0]  s6_busy_lo_q, s6_busy_hi_q;
    reg  [7:0]   s6_busy_x_q;

    always @(posedge clk_i) begin
        if (s5_fetch_q) begin
            ft_who_q     <= s5_who_q;
            ft_uop_q     <= s5_pc_q;
            ft_ctl_q     <= s5_ctl_q;
            ft_set_q     <= s5_set_q;
            ft_need_lo_q <= lo;
            ft_need_hi_q <= hi;
            ft_need_x_q  <= s5_need_q[`IGPU_NEED_X];
            ft_last_q    <= s5_last_q;
            ft_more_q    <= s5_ask && !s5_none;
            ft_none_q    <= s5_ask && s5_none;
            ft_wait_q    <= run_wait_i;
            s6_next_q    <= s5_last_q ? {run_len_i, run_pc_i} : s5_next_q;
            {s6_busy_lo_q, s6_busy_hi_q, s6_busy_x_q} <=
                {s5_busy_lo_q, s5_busy_hi_q, s5_busy_x_q};
        end
    end

    assign ft_slot_o = slot_number(ft_who_q);
    assign ft_met_o  = board_met(ft_need_lo_q, s6_busy_lo_q, ft_need_hi_q, s6_busy_hi_q,
                                 ft_need_x_q, s6_busy_x_q);

    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_REQUIRE(clk_i, !s1_open_i || s1_len_i != {L{1'b0}}, "a first run has an instruction")
    `IGPU_REQUIRE(clk_i, !s1_redir_i || s1_redir_len_i != {L{1'b0}},
                  "a run that a thread is redirected to has an instruction")
    `IGPU_REQUIRE(clk_i, !s3_fetch_q || left != {L{1'b0}}, "who fetches has an instruction")
    `IGPU_REQUIRE(clk_i, !ft_done_q || !ft_none_q || ft_ctl_q[`IGPU_CTL_UNIT] == `IGPU_UNIT_BRANCH,
                  "only behind a branch may a run come later")
    `IGPU_REQUIRE(clk_i, !(s5_fetch_q && s5_eot) || s5_last_q,
                  "the end of a thread is its run's last instruction")

endmodule

`default_nettype wire

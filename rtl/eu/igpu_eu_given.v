// igpu_eu_given - stage s0: what a context is given in the cycle of its visit.
//
// Function  Holds, with the visit, the thread that was opened (it may fetch from this
//           cycle on, if its code is there), the response that arrived in the cycle
//           before, and whether the send queue is full. They are taken in the clock in
//           which the sequencer chooses: the inputs are those of its cycle.
//           A context with a branch behind which its thread has no run waits (wait_o) until
//           redir_* has told where the thread goes on, and until nobody waits any more
//           (any_i); its next visit, which is in the cycle behind the branch, gets that.
// Timing    Outputs are for s0, in the clock behind the choice.
// Contract  A group is the contexts of one tile: SIZE of them, in order. Each is given
//           one thread and one response at most in a cycle. A context that waits is
//           redirected once.
// Reset     rst_ni low, synchronous: nobody waits.
// Tests     tests/cosim/test_array.c
// Source    docs/develop/eu-pipeline.md#sequencer

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"
`include "igpu_regs.vh"

module igpu_eu_given #(
    parameter CONTEXTS = 8,
    parameter CW       = 3,                          // log2 of CONTEXTS, at least 1
    parameter GROUPS   = 1,
    parameter SIZE     = 8                           // CONTEXTS / GROUPS
) (
    input  wire                          clk_i,
    input  wire                          rst_ni,
    input  wire                          go_i,       // the choice is a visit
    input  wire [CONTEXTS-1:0]           pick_i,     // the context chosen
    input  wire [CONTEXTS-1:0]           open_i,     // a thread was opened here,
    input  wire [3*GROUPS-1:0]           open_slot_i,
    input  wire [`IGPU_UOP_W*GROUPS-1:0] open_pc_i,  // with this first run
    input  wire [`IGPU_LEN_W*GROUPS-1:0] open_len_i,
    input  wire [8*GROUPS-1:0]           open_wait_i,
    input  wire [CONTEXTS-1:0]           done_i,     // a response arrived here,
    input  wire [3*GROUPS-1:0]           done_slot_i,
    input  wire [`IGPU_UOP_W*GROUPS-1:0] done_uop_i, // to this message
    input  wire [CONTEXTS-1:0]           full_i,     // the send queue is full
    input  wire                          branch_i,   // s7: a branch's thread has no run
    input  wire [CW-1:0]                 branch_ctx_i,
    input  wire                          redir_i,    // a context's thread goes on:
    input  wire [CW-1:0]                 redir_ctx_i,
    input  wire [2:0]                    redir_slot_i, // this one,
    input  wire [`IGPU_UOP_W-1:0]        redir_pc_i, // with this run,
    input  wire [`IGPU_LEN_W-1:0]        redir_len_i,
    input  wire [7:0]                    redir_wait_i, // whose code comes so much later
    input  wire                          any_i,      // somebody waits, of any pipeline
    output wire                          waits_o,    // ... of this one
    output wire [CONTEXTS-1:0]           wait_o,     // these are not visited
    input  wire [CW-1:0]                 s0_ctx_i,
    output reg                           gv_redir_q,
    output wire [2:0]                    gv_redir_slot_o,
    output wire [`IGPU_UOP_W-1:0]        gv_redir_pc_o,
    output wire [`IGPU_LEN_W-1:0]        gv_redir_len_o,
    output wire [7:0]                    gv_redir_wait_o,
    output reg                           gv_open_q,
    output reg  [2:0]                    gv_open_slot_q,
    output reg  [`IGPU_UOP_W-1:0]        gv_open_pc_q,
    output reg  [`IGPU_LEN_W-1:0]        gv_open_len_q,
    output reg  [7:0]                    gv_open_wait_q,
    output reg                           gv_done_q,
    output reg  [2:0]                    gv_done_slot_q,
    output reg  [`IGPU_UOP_W-1:0]        gv_done_uop_q,
    output reg                           gv_full_q
);

    localparam U = `IGPU_UOP_W;
    localparam L = `IGPU_LEN_W;

    // ---- where threads go on ----
    localparam [CONTEXTS-1:0] ONE = 1;

    reg  [CONTEXTS-1:0] wait_q, redir_q;             // waits; has been told
    wire [CONTEXTS-1:0] told = redir_i ? ONE << redir_ctx_i : {CONTEXTS{1'b0}};

    assign waits_o = wait_q != {CONTEXTS{1'b0}};
    assign wait_o  = wait_q | (any_i ? redir_q : {CONTEXTS{1'b0}});

    always @(posedge clk_i) begin
        gv_redir_q <= rst_ni && go_i && (redir_q & pick_i) != {CONTEXTS{1'b0}};
        if (!rst_ni)
            {wait_q, redir_q} <= {(2*CONTEXTS){1'b0}};
        else begin
            wait_q  <= (wait_q | (branch_i ? ONE << branch_ctx_i : {CONTEXTS{1'b0}})) & ~told;
            redir_q <= (redir_q & ~(go_i ? pick_i : {CONTEXTS{1'b0}})) | told;
        end
    end

    igpu_lutram #(.WIDTH(3 + 8 + L + U), .DEPTH(1 << CW), .AW(CW)) u_redir (
        .clk_i(clk_i), .we_i(redir_i), .waddr_i(redir_ctx_i),
        .wdata_i({redir_slot_i, redir_wait_i, redir_len_i, redir_pc_i}), .raddr_i(s0_ctx_i),
        .rdata_o({gv_redir_slot_o, gv_redir_wait_o, gv_redir_len_o, gv_redir_pc_o}));

    // ---- what the groups give ----
    wire   open = (open_i & pick_i) != {CONTEXTS{1'b0}};
    wire   done = (done_i & pick_i) != {CONTEXTS{1'b0}};
    integer g;
    genvar  k;

    always @(posedge clk_i) begin
        gv_open_q <= go_i && open;
        gv_done_q <= go_i && done;
        gv_full_q <= (full_i & pick_i) != {CONTEXTS{1'b0}};
        if (open)
            for (g = 0; g < GROUPS; g = g + 1)
                if (pick_i[SIZE*g +: SIZE] != {SIZE{1'b0}}) begin
                    gv_open_slot_q <= open_slot_i[3*g +: 3];
                    gv_open_pc_q   <= open_pc_i[U*g +: U];
                    gv_open_len_q  <= open_len_i[L*g +: L];
                    gv_open_wait_q <= open_wait_i[8*g +: 8];
                end
        if (done)
            for (g = 0; g < GROUPS; g = g + 1)
                if (pick_i[SIZE*g +: SIZE] != {SIZE{1'b0}}) begin
                    gv_done_slot_q <= done_slot_i[3*g +: 3];
                    gv_done_uop_q  <= done_uop_i[U*g +: U];
                end
    end

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, (told & ~wait_q) == {CONTEXTS{1'b0}}, "who is redirected waits for it")
    `IGPU_REQUIRE(clk_i, (pick_i & (pick_i - {{(CONTEXTS-1){1'b0}}, 1'b1})) == {CONTEXTS{1'b0}},
                  "one context is chosen")
    generate
        for (k = 0; k < GROUPS; k = k + 1) begin : g_contract
            `IGPU_REQUIRE(clk_i, (open_i[SIZE*k +: SIZE] & (open_i[SIZE*k +: SIZE] - 1)) ==
                                 {SIZE{1'b0}}, "a group is given one thread at most")
            `IGPU_REQUIRE(clk_i, (done_i[SIZE*k +: SIZE] & (done_i[SIZE*k +: SIZE] - 1)) ==
                                 {SIZE{1'b0}}, "a group is given one response at most")
        end
    endgenerate

endmodule

`default_nettype wire

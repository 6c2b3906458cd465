// igpu_link_runs - the runs that the host has sent ahead: a queue for each thread slot.
//
// Function  Runs of a slot come out in order. Queues lie in one RAM; their places in two
//           small ones, each with one writer. A slot is short from when the last run in
//           its queue is taken, if that is not its thread's last, until one comes.
// Timing    have_o is combinational from slot_i; run_o is there in the clock after
//           read_i, which takes the run. half_o: with it, half a queue was taken.
//           short_o is true from the second clock after read_i on.
//           After reset, 2^SW clocks clear the places (busy_o).
// Contract  The host never has more than 2^DW runs of a slot under way. read_i only with
//           have_o, and not in two clocks that follow each other.
// Reset     rst_ni low, synchronous: all queues empty.
// Tests     tests/cosim/test_fpga.c, tests/formal/link_runs_proof.v
// Source    docs/develop/fpga.md#runs

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_link.vh"

module igpu_link_runs #(
    parameter SW = 8,                              // log2 of the slots
    parameter DW = 3                               // log2 of the runs of each
) (
    input  wire          clk_i,
    input  wire          rst_ni,
    output wire          busy_o,
    input  wire          push_i,                   // append a run
    input  wire [SW-1:0] push_slot_i,
    input  wire [30:0]   push_run_i,
    input  wire [SW-1:0] slot_i,                   // look at this queue
    output wire          have_o,                   // it has a run
    input  wire          read_i,                   // take it
    output wire [30:0]   run_o,
    output wire          half_o,
    output wire [DW-1:0] place_o,                  // where it lay
    output wire          short_o                   // a slot is short of runs
);

    localparam [DW:0] ONE = 1;

    reg  [SW:0]  clear_q;
    wire [DW:0]  put, wr, rd;

    assign busy_o = !clear_q[SW];

    always @(posedge clk_i) begin
        if (!rst_ni)
            clear_q <= {(SW+1){1'b0}};
        else if (busy_o)
            clear_q <= clear_q + {{SW{1'b0}}, 1'b1};
    end

    // The place behind the newest run, for the host's side and for the reader's.
    wire          wr_we = busy_o || push_i;
    wire [SW-1:0] wr_at = busy_o ? clear_q[SW-1:0] : push_slot_i;
    wire [DW:0]   wr_d  = busy_o ? {(DW+1){1'b0}} : put + ONE;

    igpu_lutram #(.WIDTH(DW + 1), .DEPTH(1 << SW), .AW(SW)) u_put (
        .clk_i(clk_i), .we_i(wr_we), .waddr_i(wr_at), .wdata_i(wr_d),
        .raddr_i(push_slot_i), .rdata_o(put));
    igpu_lutram #(.WIDTH(DW + 1), .DEPTH(1 << SW), .AW(SW)) u_wr (
        .clk_i(clk_i), .we_i(wr_we), .waddr_i(wr_at), .wdata_i(wr_d),
        .raddr_i(slot_i), .rdata_o(wr));
    // The oldest run.
    igpu_lutram #(.WIDTH(DW + 1), .DEPTH(1 << SW), .AW(SW)) u_rd (
        .clk_i(clk_i), .we_i(busy_o || read_i),
        .waddr_i(busy_o ? clear_q[SW-1:0] : slot_i),
        .wdata_i(busy_o ? {(DW+1){1'b0}} : rd + ONE), .raddr_i(slot_i), .rdata_o(rd));

    assign have_o = !busy_o && wr != rd;
    assign place_o = rd[DW-1:0];
    assign half_o = &rd[DW-2:0];                   // 4 of 8 gone

    igpu_ctx_ram #(.WIDTH(31), .DEPTH(1 << (SW + DW)), .AW(SW + DW)) u_ram (
        .clk_i(clk_i), .re_i(read_i), .clear_i(1'b0),
        .raddr_i({slot_i, rd[DW-1:0]}), .rdata_o(run_o),
        .we_i(push_i), .waddr_i({push_slot_i, put[DW-1:0]}), .wdata_i(push_run_i));

    // ---- who is short: two bits that differ, one set by the reader, one by the host ----
    reg           taken_q;                         // the last in its queue, a clock ago,
    reg  [SW-1:0] taken_slot_q;                    // of this slot
    reg  [SW:0]   short_q;                         // slots that are short
    wire          set_of_push, met, met_of_push;
    wire          ends  = taken_q && !run_o[`IGPU_LINK_RUN_LAST] &&
                          !(push_i && push_slot_i == taken_slot_q);
    wire          fills = push_i && set_of_push != met_of_push;

    always @(posedge clk_i) begin
        taken_q      <= read_i && wr == rd + ONE && !(push_i && push_slot_i == slot_i);
        taken_slot_q <= slot_i;
        if (!rst_ni)
            short_q <= {(SW+1){1'b0}};
        else if (ends != fills)
            short_q <= ends ? short_q + {{SW{1'b0}}, 1'b1} : short_q - {{SW{1'b0}}, 1'b1};
    end

    igpu_lutram #(.WIDTH(1), .DEPTH(1 << SW), .AW(SW)) u_set (
        .clk_i(clk_i), .we_i(busy_o || ends), .waddr_i(busy_o ? clear_q[SW-1:0] : taken_slot_q),
        .wdata_i(!busy_o && !met), .raddr_i(push_slot_i), .rdata_o(set_of_push));
    igpu_lutram #(.WIDTH(1), .DEPTH(1 << SW), .AW(SW)) u_met (
        .clk_i(clk_i), .we_i(wr_we), .waddr_i(wr_at), .wdata_i(!busy_o && set_of_push),
        .raddr_i(taken_slot_q), .rdata_o(met));
    igpu_lutram #(.WIDTH(1), .DEPTH(1 << SW), .AW(SW)) u_met_of_push (
        .clk_i(clk_i), .we_i(wr_we), .waddr_i(wr_at), .wdata_i(!busy_o && set_of_push),
        .raddr_i(push_slot_i), .rdata_o(met_of_push));

    assign short_o = short_q != {(SW+1){1'b0}};

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_PAST(past_read_q, 1, clk_i, read_i)
    `IGPU_REQUIRE(clk_i, !read_i || have_o, "read_i only with have_o")
    `IGPU_REQUIRE(clk_i, !(read_i && past_read_q), "read_i not in two clocks that follow each other")
    `IGPU_REQUIRE(clk_i, !(push_i && busy_o), "no run comes before the places are clear")
    `IGPU_REQUIRE(clk_i, !push_i || put - taken_of_push != ONE << DW,
                  "at most 2^DW runs of a slot are under way")
    `IGPU_SHADOW(wire [DW:0] taken_of_push;
                 igpu_lutram #(.WIDTH(DW + 1), .DEPTH(1 << SW), .AW(SW)) u_rd_of_push (
                     .clk_i(clk_i), .we_i(busy_o || read_i),
                     .waddr_i(busy_o ? clear_q[SW-1:0] : slot_i),
                     .wdata_i(busy_o ? {(DW+1){1'b0}} : rd + ONE), .raddr_i(push_slot_i),
                     .rdata_o(taken_of_push));)

endmodule

`default_nettype wire

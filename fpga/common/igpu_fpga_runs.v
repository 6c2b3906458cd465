// igpu_fpga_runs - one EU's runs, delivered by the host ahead of their use.
//
// Function  Seven small queues in one memory, one for each thread slot. The EU asks
//           for a thread's next run in one cycle and gets it in the next; wait_o
//           stops the target's clock when it is not here. The run marked `last`
//           holds the end of the thread: behind it the EU gets length 0 at once.
// Timing    put_full_o, wait_o and the run outputs are combinational from registers
//           (and put_slot_i). A run put at a host clock can be used at the next.
// Contract  A thread's runs are put after its opening is known and before the next
//           thread of its slot is opened, first run excepted: that comes with START.
// Reset     rst_ni low, synchronous: empty.
// Tests     tests/rtl/igpu_fpga_top_tb.v
// Source    docs/model.md section 4.2, docs/fpga.md

`default_nettype none
`include "igpu_regs.vh"

module igpu_fpga_runs #(
    parameter AW = 2                           // log2 of the runs held a slot
) (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire                   ce_i,        // this host clock is a target cycle
    input  wire                   put_i,       // host: a run
    input  wire [2:0]             put_slot_i,  // of this slot's thread
    input  wire [`IGPU_UOP_W-1:0] put_pc_i,
    input  wire [`IGPU_LEN_W-1:0] put_len_i,
    input  wire                   put_last_i,  // it holds the end of the thread
    output wire                   put_full_o,  // no room in put_slot_i's queue
    input  wire                   open_i,      // a thread is opened
    input  wire [2:0]             open_slot_i,
    input  wire                   open_last_i, // its first run is its last
    input  wire                   next_i,      // EU: a next run is wanted
    input  wire [2:0]             next_slot_i,
    output wire                   wait_o,      // it should be here and is not
    output wire [`IGPU_UOP_W-1:0] run_pc_o,    // it, in the next target cycle
    output wire [`IGPU_LEN_W-1:0] run_len_o,   // 0: none follows
    output wire                   take_o,      // a run leaves its queue
    output wire [2:0]             take_slot_o
);

    localparam          W    = `IGPU_UOP_W + `IGPU_LEN_W + 1;
    localparam [AW:0]   PTR1 = 1;
    localparam [AW:0]   SPAN = {1'b1, {AW{1'b0}}};

    reg                   want_q;              // wanted in the last target cycle
    reg  [2:0]            slot_q;
    reg  [6:0]            last_q;              // the current run is the last
    wire [8*(AW+1)-1:0]   wr, rd;              // queue pointers, slot 7 unused
    wire [7:0]            last = {1'b1, last_q};
    wire [AW:0]           put_wr = wr[(AW+1)*put_slot_i +: AW+1];
    wire [AW:0]           put_rd = rd[(AW+1)*put_slot_i +: AW+1];
    wire [AW:0]           get_wr = wr[(AW+1)*slot_q +: AW+1];
    wire [AW:0]           get_rd = rd[(AW+1)*slot_q +: AW+1];
    wire [`IGPU_LEN_W-1:0] len;
    wire                  run_last;
    wire                  get = want_q && !last[slot_q];

    igpu_lutram #(.WIDTH(W), .DEPTH(8 << AW), .AW(3 + AW)) u_mem (
        .clk_i(clk_i), .we_i(put_i && !put_full_o),
        .waddr_i({put_slot_i, put_wr[AW-1:0]}),
        .wdata_i({put_last_i, put_len_i, put_pc_i}),
        .raddr_i({slot_q, get_rd[AW-1:0]}), .rdata_o({run_last, len, run_pc_o}));

    assign put_full_o  = put_wr - put_rd == SPAN;
    assign wait_o      = get && get_wr == get_rd;
    assign run_len_o   = get ? len : {`IGPU_LEN_W{1'b0}};
    assign take_o      = get;
    assign take_slot_o = slot_q;

    genvar i;
    generate
        for (i = 0; i < 7; i = i + 1) begin : g_slot
            localparam [2:0] SLOT = i;
            reg [AW:0] wr_q, rd_q;

            always @(posedge clk_i) begin
                if (!rst_ni) begin
                    wr_q <= {(AW+1){1'b0}};
                    rd_q <= {(AW+1){1'b0}};
                end else begin
                    if (put_i && !put_full_o && put_slot_i == SLOT)
                        wr_q <= wr_q + PTR1;
                    if (ce_i && get && slot_q == SLOT)
                        rd_q <= rd_q + PTR1;
                end
            end

            always @(posedge clk_i) begin
                if (!rst_ni)
                    last_q[i] <= 1'b0;
                else if (ce_i && open_i && open_slot_i == SLOT)
                    last_q[i] <= open_last_i;
                else if (ce_i && get && slot_q == SLOT)
                    last_q[i] <= run_last;
            end

            assign wr[(AW+1)*i +: AW+1] = wr_q;
            assign rd[(AW+1)*i +: AW+1] = rd_q;
        end
    endgenerate

    assign wr[(AW+1)*7 +: AW+1] = {(AW+1){1'b0}};
    assign rd[(AW+1)*7 +: AW+1] = {(AW+1){1'b0}};

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            want_q <= 1'b0;
        end else if (ce_i) begin
            want_q <= next_i;
            slot_q <= next_slot_i;
        end
    end

endmodule

`default_nettype wire

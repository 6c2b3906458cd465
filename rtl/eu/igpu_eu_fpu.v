// igpu_eu_fpu - timing pipe of one FPU.
//
// Function  Occupancy, latency and in-order completion: an instruction issued
//           at t completes at D = max(t + occ + lat, D' + occ), at most
//           t + 1023, D' being the D of the one before it.
// Timing    avail_o and wb_o are combinational from registers and now_i. wb_o
//           comes at D, with the mask of the oldest instruction at the store's
//           output: read_o asks for it when an instruction becomes the oldest.
// Contract  issue_i only when avail_o; occ >= 1, lat >= 1. While anything is in
//           flight, no cycle with wb_o may be skipped.
// Reset     rst_ni low, synchronous: empty and free.
// Model     csim/ref.  Tests: tests/rtl/igpu_eu_fpu_tb.v
// Source    docs/model.md sections 4.3, 4.6

`default_nettype none
`include "igpu_regs.vh"

module igpu_eu_fpu (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire                   ce_i,
    input  wire [`IGPU_NOW_W-1:0] now_i,      // this cycle
    input  wire                   issue_i,    // an instruction issues
    input  wire [2:0]             slot_i,     // of this thread
    input  wire [`IGPU_UOP_W-1:0] uop_i,      // its index
    input  wire [7:0]             occ_i,      // cycles it occupies the FPU
    input  wire [5:0]             lat_i,      // cycles beyond, to its result
    output wire                   avail_o,    // an instruction may issue
    output wire                   occupied_o, // the last one still occupies the FPU
    output wire [7:0]             until_o,    // until this cycle: low bits
    output wire                   busy_o,     // something is in flight
    output reg                    read_o,     // read the store
    output reg  [`IGPU_UOP_W-1:0] uop_o,      // at this instruction
    output wire                   wb_o,       // the oldest is complete
    output wire [2:0]             wb_slot_o,  // its thread
    output wire [9:0]             wb_at_o     // cycle of wb_o: low bits
);

    localparam W = 10 + 3 + `IGPU_UOP_W;

    reg  [`IGPU_NOW_W-1:0] free_q;            // first cycle it may issue again
    reg  [9:0]             last_q;            // D of the youngest, modulo 1024
    reg  [9:0]             rel;               // D - t of what issues
    reg  [10:0]            sum;
    wire [9:0]             now = now_i[9:0];
    wire [4:0]             count;
    wire [9:0]             head_at;           // D of the oldest
    wire [`IGPU_UOP_W-1:0] next_uop;
    wire [`IGPU_UOP_W-1:0] unused_uop;
    wire [12:0]            unused_next;

    igpu_fifo #(.WIDTH(W), .DEPTH(16), .AW(4)) u_flight (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(ce_i && issue_i),
        .data_i({now + rel, slot_i, uop_i}), .pop_i(ce_i && wb_o),
        .head_o({head_at, wb_slot_o, unused_uop}),
        .next_o({unused_next, next_uop}), .count_o(count));

    assign busy_o     = count != 5'd0;
    assign wb_o       = busy_o && head_at == now;
    assign wb_at_o    = head_at;
    assign occupied_o = now_i < free_q;
    assign until_o    = free_q[7:0];
    assign avail_o    = !occupied_o && (!count[4] || wb_o);

    // D' - t is below 1024 while the instruction before is in flight.
    always @* begin
        rel = 10'd0;
        sum = 11'd0;
        if (issue_i) begin
            rel = busy_o ? last_q - now : 10'd0;
            if (rel < {4'd0, lat_i})
                rel = {4'd0, lat_i};
            sum = {1'b0, rel} + {3'd0, occ_i};
            rel = sum[10] ? 10'd1023 : sum[9:0];
        end
    end

    // Who is the oldest from the next cycle on, if that changes.
    always @* begin
        read_o = 1'b0;
        uop_o  = uop_i;
        if (wb_o && count != 5'd1) begin
            read_o = 1'b1;
            uop_o  = next_uop;
        end else if (issue_i && (wb_o || !busy_o)) begin
            read_o = 1'b1;
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            free_q <= {`IGPU_NOW_W{1'b0}};
            last_q <= 10'd0;
        end else if (ce_i && issue_i) begin
            free_q <= now_i + {{(`IGPU_NOW_W-8){1'b0}}, occ_i};
            last_q <= now + rel;
        end
    end

    wire unused = &{1'b0, unused_uop, unused_next};

endmodule

`default_nettype wire

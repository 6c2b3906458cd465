// igpu_fpga_token - stream of stamped tokens that take effect at their cycle.
//
// Function  A queue in front of the tile. valid_o is 1 in the target cycle that
//           the oldest token is stamped with; the token leaves with that cycle.
// Timing    in_ready_o comes from registers; valid_o and late_o are combinational
//           from registers and now_i. A token accepted at a host clock can take
//           effect from the next host clock on.
// Contract  Stamps ascend strictly. The token is accepted before the target's
//           clock reaches its stamp: the host keeps its limit at or below the
//           stamp of every token that it has not delivered yet. late_o tells that
//           it did not; the token stays, and igpu_fpga_time stops for good.
// Reset     rst_ni low, synchronous: empty.
// Tests     tests/rtl/igpu_fpga_top_tb.v
// Source    docs/model.md section 1, docs/fpga.md

`default_nettype none
`include "igpu_regs.vh"

module igpu_fpga_token #(
    parameter WIDTH = 8,
    parameter DEPTH = 16,
    parameter AW    = 4                       // log2 of DEPTH
) (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire                   ce_i,       // this host clock is a target cycle
    input  wire [`IGPU_NOW_W-1:0] now_i,      // the target cycle
    input  wire                   in_valid_i, // host: a token
    output wire                   in_ready_o,
    input  wire [`IGPU_NOW_W-1:0] in_cycle_i, // takes effect in this cycle
    input  wire [WIDTH-1:0]       in_data_i,
    output wire                   valid_o,    // a token takes effect now
    output wire [WIDTH-1:0]       data_o,     // this one
    output wire                   late_o      // one should have before now
);

    wire [AW:0]             count;
    wire [`IGPU_NOW_W-1:0]  cycle;
    wire                    any = count != {(AW+1){1'b0}};

    igpu_fifo #(.WIDTH(`IGPU_NOW_W + WIDTH), .DEPTH(DEPTH), .AW(AW)) u_queue (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(in_valid_i && in_ready_o),
        .data_i({in_cycle_i, in_data_i}), .pop_i(ce_i && valid_o),
        .head_o({cycle, data_o}), .count_o(count));

    assign in_ready_o = !count[AW];
    assign valid_o    = any && cycle == now_i;
    assign late_o     = any && cycle < now_i;

endmodule

`default_nettype wire

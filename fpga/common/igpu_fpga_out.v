// igpu_fpga_out - stream of what the tile made, one record a target cycle at most.
//
// Function  A queue behind the tile: stores data_i in every target cycle in which
//           valid_i is 1, and offers the records to the host in order.
// Timing    out_valid_o, out_data_o and full_o come from registers (and the
//           queue's memory).
// Contract  While full_o is 1, ce_i is 0: igpu_fpga_time stops the target's clock.
// Reset     rst_ni low, synchronous: empty.
// Tests     tests/rtl/igpu_fpga_top_tb.v
// Source    docs/fpga.md

`default_nettype none

module igpu_fpga_out #(
    parameter WIDTH = 8,
    parameter DEPTH = 16,
    parameter AW    = 4                   // log2 of DEPTH
) (
    input  wire             clk_i,
    input  wire             rst_ni,
    input  wire             ce_i,         // this host clock is a target cycle
    input  wire             valid_i,      // the tile made something in it
    input  wire [WIDTH-1:0] data_i,
    output wire             full_o,       // no room: the target must not go on
    output wire             out_valid_o,  // host: a record
    input  wire             out_ready_i,
    output wire [WIDTH-1:0] out_data_o
);

    wire [AW:0] count;

    igpu_fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH), .AW(AW)) u_queue (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(ce_i && valid_i), .data_i(data_i),
        .pop_i(out_valid_o && out_ready_i), .head_o(out_data_o), .count_o(count));

    assign full_o      = count[AW];
    assign out_valid_o = count != {(AW+1){1'b0}};

endmodule

`default_nettype wire

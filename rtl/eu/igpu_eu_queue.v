// igpu_eu_queue - results of one of the FPU's pipelines with where they go.
//
// Function  Tags of passes wait for their results, which come in the passes' order; both
//           together then wait to be written. room_o: a further pass can be taken, whatever
//           happens to those before.
// Timing    A result can be written in the clock behind the one in which it came.
// Contract  tag_i only while room_o; a result only for a tag; take_i only while valid_o.
// Reset     rst_ni low, synchronous: empty.
// Tests     tests/cosim/test_values_forms
// Source    docs/develop/eu.md#results

`default_nettype none
`include "igpu_assert.vh"

module igpu_eu_queue #(
    parameter TW = 50,                 // bits of a tag
    parameter DW = 144,                // of a result
    parameter AW = 6                   // log2 of how many passes
) (
    input  wire          clk_i,
    input  wire          rst_ni,
    input  wire          tag_valid_i,  // a pass is on its way
    input  wire [TW-1:0] tag_i,
    output wire          room_o,
    input  wire          done_i,       // the oldest's result
    input  wire [DW-1:0] result_i,
    output wire          valid_o,      // a result waits
    output wire [TW-1:0] tag_o,
    output wire [DW-1:0] result_o,
    input  wire          take_i
);

    localparam [AW:0] ONE = 1;

    reg  [AW:0]    used_q;
    wire [AW:0]    tags, count;
    wire [TW-1:0]  oldest;

    igpu_queue #(.WIDTH(TW), .DEPTH(1 << AW), .AW(AW)) u_tags (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(tag_valid_i), .data_i(tag_i), .pop_i(done_i),
        .head_o(oldest), .count_o(tags));

    igpu_queue #(.WIDTH(TW + DW), .DEPTH(1 << AW), .AW(AW)) u_results (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(done_i), .data_i({oldest, result_i}),
        .pop_i(take_i), .head_o({tag_o, result_o}), .count_o(count));

    assign valid_o = count != {(AW+1){1'b0}};
    assign room_o  = !used_q[AW];

    always @(posedge clk_i) begin
        if (!rst_ni)
            used_q <= {(AW+1){1'b0}};
        else if (tag_valid_i && !take_i)
            used_q <= used_q + ONE;
        else if (take_i && !tag_valid_i)
            used_q <= used_q - ONE;
    end

    wire unused = &{1'b0, tags};

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !(tag_valid_i && used_q[AW]), "tag_i only while room_o")
    `IGPU_REQUIRE(clk_i, !(take_i && !valid_o), "take_i only while valid_o")

endmodule

`default_nettype wire

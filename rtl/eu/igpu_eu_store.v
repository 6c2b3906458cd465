// igpu_eu_store - instruction store, shared by all contexts of a pipeline.
//
// Function  Port A gives a fetched instruction: cycles and unit, what it sets, what it
//           needs. Port B gives what a response needs of its message: duration and set.
// Timing    A read in a clock shows in the next. Block RAM.
// Contract  Of a page (8 instructions) that is written none is read; its writer sees to it
//           (bridge/engines/rtl/array_pages.c). Indices are below STORE_DEPTH. An instruction
//           has an occupancy (BRANCH has none), a front-end time of 2 or more and a duration.
// Reset     None.
// Tests     tests/cosim/test_array.c
// Source    docs/develop/eu-pipeline.md#ranges

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"
`include "igpu_regs.vh"

module igpu_eu_store #(
    parameter STORE_DEPTH = 512,
    parameter STORE_AW    = 9                      // log2 of STORE_DEPTH
) (
    input  wire                    clk_i,
    input  wire                    we_i,
    input  wire [STORE_AW-1:0]     waddr_i,
    input  wire [`IGPU_CTL_W-1:0]  ctl_i,          // from igpu_decode
    input  wire [7:0]              dur_i,
    input  wire [`IGPU_SET_W-1:0]  set_i,
    input  wire [`IGPU_NEED_W-1:0] need_i,
    input  wire                    a_read_i,       // an instruction is fetched
    input  wire [STORE_AW-1:0]     a_addr_i,
    output wire [`IGPU_CTL_W-1:0]  a_ctl_o,
    output wire [`IGPU_SET_W-1:0]  a_set_o,
    output wire [`IGPU_NEED_W-1:0] a_need_o,
    input  wire                    b_read_i,       // a response arrives
    input  wire [STORE_AW-1:0]     b_addr_i,
    output wire [7:0]              b_dur_o,
    output wire [`IGPU_SET_W-1:0]  b_set_o
);

    igpu_ctx_ram #(
        .WIDTH(`IGPU_CTL_W + `IGPU_SET_W), .DEPTH(STORE_DEPTH), .AW(STORE_AW)
    ) u_word (
        .clk_i(clk_i), .re_i(a_read_i), .clear_i(1'b0),
        .raddr_i(a_addr_i), .rdata_o({a_ctl_o, a_set_o}),
        .we_i(we_i), .waddr_i(waddr_i), .wdata_i({ctl_i, set_i}));
    igpu_ctx_ram #(.WIDTH(`IGPU_NEED_W), .DEPTH(STORE_DEPTH), .AW(STORE_AW)) u_need (
        .clk_i(clk_i), .re_i(a_read_i), .clear_i(1'b0), .raddr_i(a_addr_i), .rdata_o(a_need_o),
        .we_i(we_i), .waddr_i(waddr_i), .wdata_i(need_i));
    igpu_ctx_ram #(.WIDTH(8 + `IGPU_SET_W), .DEPTH(STORE_DEPTH), .AW(STORE_AW)) u_resp (
        .clk_i(clk_i), .re_i(b_read_i), .clear_i(1'b0),
        .raddr_i(b_addr_i), .rdata_o({b_dur_o, b_set_o}),
        .we_i(we_i), .waddr_i(waddr_i), .wdata_i({dur_i, set_i}));

    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_REQUIRE(clk_i, !we_i || ctl_i[`IGPU_CTL_UNIT] == `IGPU_UNIT_BRANCH ||
                         ctl_i[`IGPU_CTL_OCC] != 8'd0, "an instruction has an occupancy")
    `IGPU_REQUIRE(clk_i, !we_i || ctl_i[`IGPU_CTL_FE] >= 8'd2,
                  "an instruction has a front-end time of 2 or more")
    `IGPU_REQUIRE(clk_i, !we_i || dur_i != 8'd0, "a duration is 1 to 255")
    `IGPU_REQUIRE(clk_i, !(we_i && (
        (a_read_i && a_addr_i[STORE_AW-1:3] == waddr_i[STORE_AW-1:3]) ||
        (b_read_i && b_addr_i[STORE_AW-1:3] == waddr_i[STORE_AW-1:3]))),
        "of a page that is written none is read")

endmodule

`default_nettype wire

// igpu_eu_store - the EU's instruction store.
//
// Function  Masks and cycles of every static instruction. Fetch reads all of
//           an instruction; the three write-back ports (FPU0, FPU1, response)
//           read the mask of what it sets, so no queue has to carry masks.
// Timing    One cycle from a read's enable to its data; data stay until the
//           next read of that port.
// Contract  Indices are below DEPTH. Written only while no thread runs.
// Reset     None.
// Tests     tests/rtl/igpu_eu_tb.v
// Source    docs/model.md sections 4.1 and 4.6

`default_nettype none
`include "igpu_regs.vh"

module igpu_eu_store #(
    parameter DEPTH = 512,
    parameter AW    = 9                         // log2 of DEPTH
) (
    input  wire                   clk_i,        // of the read ports
    input  wire                   wclk_i,       // of the write port
    input  wire                   we_i,         // write one instruction
    input  wire [AW-1:0]          waddr_i,
    input  wire [63:0]            need_lo_i,    // GRFs 0 to 63 it needs
    input  wire [63:0]            need_hi_i,    // GRFs 64 to 127
    input  wire [7:0]             need_x_i,     // enum uop_x
    input  wire [63:0]            set_lo_i,     // what it sets
    input  wire [63:0]            set_hi_i,
    input  wire [7:0]             set_x_i,
    input  wire [`IGPU_CTL_W-1:0] ctl_i,        // cycles
    input  wire [7:0]             dur_i,        // response cycles
    input  wire                   fetch_i,      // port 0: fetch
    input  wire [AW-1:0]          fetch_uop_i,
    output wire [63:0]            need_lo_o,
    output wire [63:0]            need_hi_o,
    output wire [7:0]             need_x_o,
    output wire [63:0]            set_lo_o,
    output wire [63:0]            set_hi_o,
    output wire [7:0]             set_x_o,
    output wire [`IGPU_CTL_W-1:0] ctl_o,
    input  wire                   wb0_i,        // port 1: FPU0 writes back
    input  wire [AW-1:0]          wb0_uop_i,
    output wire [63:0]            wb0_lo_o,
    output wire [63:0]            wb0_hi_o,
    output wire [7:0]             wb0_x_o,
    input  wire                   wb1_i,        // port 2: FPU1
    input  wire [AW-1:0]          wb1_uop_i,
    output wire [63:0]            wb1_lo_o,
    output wire [63:0]            wb1_hi_o,
    output wire [7:0]             wb1_x_o,
    input  wire                   wbr_i,        // port 3: response
    input  wire [AW-1:0]          wbr_uop_i,
    output wire [63:0]            wbr_lo_o,
    output wire [63:0]            wbr_hi_o,
    output wire [7:0]             wbr_x_o,
    output wire [7:0]             wbr_dur_o
);

    igpu_ram_1w1r #(.WIDTH(64), .DEPTH(DEPTH), .AW(AW)) u_need_lo (
        .clk_i(clk_i), .wclk_i(wclk_i), .we_i(we_i), .waddr_i(waddr_i),
        .wdata_i(need_lo_i),
        .re_i(fetch_i), .raddr_i(fetch_uop_i), .rdata_o(need_lo_o));
    igpu_ram_1w1r #(.WIDTH(64), .DEPTH(DEPTH), .AW(AW)) u_need_hi (
        .clk_i(clk_i), .wclk_i(wclk_i), .we_i(we_i), .waddr_i(waddr_i),
        .wdata_i(need_hi_i),
        .re_i(fetch_i), .raddr_i(fetch_uop_i), .rdata_o(need_hi_o));
    igpu_ram_1w1r #(.WIDTH(`IGPU_CTL_W + 8), .DEPTH(DEPTH), .AW(AW)) u_ctl (
        .clk_i(clk_i), .wclk_i(wclk_i), .we_i(we_i), .waddr_i(waddr_i),
        .wdata_i({ctl_i, need_x_i}),
        .re_i(fetch_i), .raddr_i(fetch_uop_i), .rdata_o({ctl_o, need_x_o}));

    igpu_ram_1w4r #(.WIDTH(64), .DEPTH(DEPTH), .AW(AW)) u_set_lo (
        .clk_i(clk_i), .wclk_i(wclk_i), .we_i(we_i), .waddr_i(waddr_i),
        .wdata_i(set_lo_i),
        .re0_i(fetch_i), .raddr0_i(fetch_uop_i), .rdata0_o(set_lo_o),
        .re1_i(wb0_i), .raddr1_i(wb0_uop_i), .rdata1_o(wb0_lo_o),
        .re2_i(wb1_i), .raddr2_i(wb1_uop_i), .rdata2_o(wb1_lo_o),
        .re3_i(wbr_i), .raddr3_i(wbr_uop_i), .rdata3_o(wbr_lo_o));
    igpu_ram_1w4r #(.WIDTH(64), .DEPTH(DEPTH), .AW(AW)) u_set_hi (
        .clk_i(clk_i), .wclk_i(wclk_i), .we_i(we_i), .waddr_i(waddr_i),
        .wdata_i(set_hi_i),
        .re0_i(fetch_i), .raddr0_i(fetch_uop_i), .rdata0_o(set_hi_o),
        .re1_i(wb0_i), .raddr1_i(wb0_uop_i), .rdata1_o(wb0_hi_o),
        .re2_i(wb1_i), .raddr2_i(wb1_uop_i), .rdata2_o(wb1_hi_o),
        .re3_i(wbr_i), .raddr3_i(wbr_uop_i), .rdata3_o(wbr_hi_o));
    igpu_ram_1w4r #(.WIDTH(8), .DEPTH(DEPTH), .AW(AW)) u_set_x (
        .clk_i(clk_i), .wclk_i(wclk_i), .we_i(we_i), .waddr_i(waddr_i),
        .wdata_i(set_x_i),
        .re0_i(fetch_i), .raddr0_i(fetch_uop_i), .rdata0_o(set_x_o),
        .re1_i(wb0_i), .raddr1_i(wb0_uop_i), .rdata1_o(wb0_x_o),
        .re2_i(wb1_i), .raddr2_i(wb1_uop_i), .rdata2_o(wb1_x_o),
        .re3_i(wbr_i), .raddr3_i(wbr_uop_i), .rdata3_o(wbr_x_o));
    igpu_ram_1w1r #(.WIDTH(8), .DEPTH(DEPTH), .AW(AW)) u_dur (
        .clk_i(clk_i), .wclk_i(wclk_i), .we_i(we_i), .waddr_i(waddr_i),
        .wdata_i(dur_i),
        .re_i(wbr_i), .raddr_i(wbr_uop_i), .rdata_o(wbr_dur_o));

endmodule

`default_nettype wire

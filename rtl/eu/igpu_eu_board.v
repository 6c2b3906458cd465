// igpu_eu_board - stage s3: the scoreboard of one thread slot.
//
// Function  136 bits are busy, or not. What the slot issued in the context's last visit
//           becomes busy; what is there now no longer is. bd_met_o: no bit that the held
//           instruction needs is busy.
// State     Busy bits, read in s2 and written in s3; the bits that the held instruction
//           needs, written in s6 when it is fetched. In the visit of its fetch s6
//           itself compares (igpu_eu_fetch), with the busy bits shown here.
// Timing    Reads in s2 when s2_use_i; outputs are combinational, for s3.
// Contract  Of one slot, nothing that is cleared in a visit overlaps what is set in it,
//           but by the same instruction: an instruction issues only when all bits that
//           it sets are clear. So sets go first.
// Reset     None: s2_first_i makes the state empty, s3_first_i writes it so.
// Model     csim/ref/eu.c: writes_scan().  Tests: tests/cosim/test_array.c
// Source    docs/model.md section 4.1

`default_nettype none
`include "igpu_eu.vh"

module igpu_eu_board #(
    parameter ROWS = 8,                            // of the state RAMs: contexts
    parameter CW   = 3                             // log2 of ROWS
) (
    input  wire            clk_i,
    input  wire            s2_use_i,      // something happens to this slot
    input  wire            s2_first_i,    // the state is empty
    input  wire [CW-1:0]   s2_ctx_i,
    input  wire            s3_valid_i,
    input  wire [CW-1:0]   s3_ctx_i,
    input  wire            s3_first_i,
    input  wire [23:0]     s3_hit_i,      // events of igpu_eu_mark that mean this slot,
                                          // a copy for each quarter of the bits
    input  wire [6*64-1:0] s3_lo_i,       // and the bits of each
    input  wire [6*64-1:0] s3_hi_i,
    input  wire [6*8-1:0]  s3_x_i,
    input  wire            s6_fetch_i,    // the slot fetches an instruction
    input  wire [CW-1:0]   s6_ctx_i,
    input  wire [63:0]     s6_need_lo_i,  // that needs these bits
    input  wire [63:0]     s6_need_hi_i,
    input  wire [7:0]      s6_need_x_i,
    output reg  [63:0]     bd_busy_lo_o,  // busy now
    output reg  [63:0]     bd_busy_hi_o,
    output reg  [7:0]      bd_busy_x_o,
    output reg             bd_met_o       // the held instruction's bits are there
);

    wire [63:0] busy_lo_m, busy_hi_m, need_lo_m, need_hi_m;
    wire [7:0]  busy_x_m, need_x_m;
    wire        touch = s3_valid_i && (s3_hit_i[5:0] != 6'd0 || s3_first_i);

    igpu_ctx_clear_ram #(.WIDTH(64), .DEPTH(ROWS), .AW(CW)) u_busy_lo (
        .clk_i(clk_i), .re_i(s2_use_i), .clear_i(s2_first_i), .raddr_i(s2_ctx_i),
        .rdata_o(busy_lo_m),
        .we_i(touch), .waddr_i(s3_ctx_i), .wdata_i(bd_busy_lo_o));
    igpu_ctx_clear_ram #(.WIDTH(64), .DEPTH(ROWS), .AW(CW)) u_busy_hi (
        .clk_i(clk_i), .re_i(s2_use_i), .clear_i(s2_first_i), .raddr_i(s2_ctx_i),
        .rdata_o(busy_hi_m),
        .we_i(touch), .waddr_i(s3_ctx_i), .wdata_i(bd_busy_hi_o));
    igpu_ctx_clear_ram #(.WIDTH(8), .DEPTH(ROWS), .AW(CW)) u_busy_x (
        .clk_i(clk_i), .re_i(s2_use_i), .clear_i(s2_first_i), .raddr_i(s2_ctx_i),
        .rdata_o(busy_x_m),
        .we_i(touch), .waddr_i(s3_ctx_i), .wdata_i(bd_busy_x_o));
    igpu_ctx_ram #(.WIDTH(64), .DEPTH(ROWS), .AW(CW)) u_need_lo (
        .clk_i(clk_i), .re_i(s2_use_i), .raddr_i(s2_ctx_i), .rdata_o(need_lo_m),
        .we_i(s6_fetch_i), .waddr_i(s6_ctx_i), .wdata_i(s6_need_lo_i));
    igpu_ctx_ram #(.WIDTH(64), .DEPTH(ROWS), .AW(CW)) u_need_hi (
        .clk_i(clk_i), .re_i(s2_use_i), .raddr_i(s2_ctx_i), .rdata_o(need_hi_m),
        .we_i(s6_fetch_i), .waddr_i(s6_ctx_i), .wdata_i(s6_need_hi_i));
    igpu_ctx_ram #(.WIDTH(8), .DEPTH(ROWS), .AW(CW)) u_need_x (
        .clk_i(clk_i), .re_i(s2_use_i), .raddr_i(s2_ctx_i), .rdata_o(need_x_m),
        .we_i(s6_fetch_i), .waddr_i(s6_ctx_i), .wdata_i(s6_need_x_i));

    wire [6*64-1:0] on_lo, on_hi;

    genvar e;
    generate
        for (e = 0; e < 6; e = e + 1) begin : g_event
            assign on_lo[64*e +: 64] = {{32{s3_hit_i[6+e]}}, {32{s3_hit_i[e]}}};
            assign on_hi[64*e +: 64] = {{32{s3_hit_i[18+e]}}, {32{s3_hit_i[12+e]}}};
        end
    endgenerate

    // A loop over events would be shorter and six times the work for a simulator.
    wire [63:0] set_lo = (on_lo[0   +: 64] & s3_lo_i[0   +: 64]) |
                         (on_lo[64  +: 64] & s3_lo_i[64  +: 64]) |
                         (on_lo[128 +: 64] & s3_lo_i[128 +: 64]);
    wire [63:0] set_hi = (on_hi[0   +: 64] & s3_hi_i[0   +: 64]) |
                         (on_hi[64  +: 64] & s3_hi_i[64  +: 64]) |
                         (on_hi[128 +: 64] & s3_hi_i[128 +: 64]);
    wire [7:0]  set_x  = ({8{s3_hit_i[18]}} & s3_x_i[0  +: 8]) |
                         ({8{s3_hit_i[19]}} & s3_x_i[8  +: 8]) |
                         ({8{s3_hit_i[20]}} & s3_x_i[16 +: 8]);
    wire [63:0] clr_lo = (on_lo[192 +: 64] & s3_lo_i[192 +: 64]) |
                         (on_lo[256 +: 64] & s3_lo_i[256 +: 64]) |
                         (on_lo[320 +: 64] & s3_lo_i[320 +: 64]);
    wire [63:0] clr_hi = (on_hi[192 +: 64] & s3_hi_i[192 +: 64]) |
                         (on_hi[256 +: 64] & s3_hi_i[256 +: 64]) |
                         (on_hi[320 +: 64] & s3_hi_i[320 +: 64]);
    wire [7:0]  clr_x  = ({8{s3_hit_i[21]}} & s3_x_i[24 +: 8]) |
                         ({8{s3_hit_i[22]}} & s3_x_i[32 +: 8]) |
                         ({8{s3_hit_i[23]}} & s3_x_i[40 +: 8]);

    always @* begin
        bd_busy_lo_o = (busy_lo_m | set_lo) & ~clr_lo;
        bd_busy_hi_o = (busy_hi_m | set_hi) & ~clr_hi;
        bd_busy_x_o  = (busy_x_m | set_x) & ~clr_x;
        bd_met_o = ((need_lo_m & bd_busy_lo_o) | (need_hi_m & bd_busy_hi_o) |
                    {56'd0, need_x_m & bd_busy_x_o}) == 64'd0;
    end

endmodule

`default_nettype wire

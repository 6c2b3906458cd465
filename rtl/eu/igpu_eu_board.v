// igpu_eu_board - stages s2 and s3: the scoreboard of one thread slot.
//
// Function  136 bits are busy, or not. What the slot issued in the context's last visit
//           becomes busy; what is there now no longer is. bd_met_o: no bit that the held
//           instruction needs is busy.
//           s2 gathers what flips, s3 flips it.
// State     Busy bits, read in s2 and written in s3; the bits that the held instruction
//           needs, written in s6 when it is fetched. In the visit of its fetch s6
//           itself compares (igpu_eu_fetch), with the busy bits shown here.
// Timing    Reads in s2, in every clock: whether something happens to the slot is known too
//           late to enable 272 flip-flops. Outputs are combinational, for s3.
// Contract  An instruction issues only when all bits that it sets are clear, and what it
//           set is cleared once, by its result. So an event flips its bits, and where the
//           same instruction sets and clears them in one visit they stay clear.
// Reset     None: s2_first_i makes the state empty (nothing happens in a context's first
//           visit), s3_first_i writes it so.
// Model     csim/ref/eu.c: writes_scan().  Tests: tests/cosim/test_array.c
// Source    docs/contract/model.md section 4.1

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"

module igpu_eu_board #(
    parameter ROWS = 8,                            // of the state RAMs: contexts
    parameter CW   = 3                             // log2 of ROWS
) (
    input  wire            clk_i,
    input  wire            s2_first_i,    // the state is empty: no event
    input  wire [CW-1:0]   s2_ctx_i,
    input  wire [2:0]      s2_issued_i,   // the unit, if any, that issued for this slot in
                                          // the last visit,
    input  wire [3*`IGPU_SET_W-1:0] s2_set_i, // and what each unit's issue set;
    input  wire [2:0]      s2_hit_i,      // results that clear bits of this slot,
    input  wire [3*64-1:0] s2_lo_i,       // and the bits of each
    input  wire [3*64-1:0] s2_hi_i,
    input  wire [3*8-1:0]  s2_x_i,
    input  wire            s3_valid_i,
    input  wire [CW-1:0]   s3_ctx_i,
    input  wire            s3_first_i,
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

    localparam S = `IGPU_SET_W;

    `include "igpu_eu_range.vh"
    `include "igpu_eu_board.vh"

    wire [63:0] busy_lo_m, busy_hi_m, need_lo_m, need_hi_m;
    wire [7:0]  busy_x_m, need_x_m;
    reg         hit_q;
    reg  [63:0] flip_lo_q, flip_hi_q;
    reg  [7:0]  flip_x_q;
    wire        touch = s3_valid_i && (hit_q || s3_first_i);

    igpu_ctx_ram #(.WIDTH(64), .DEPTH(ROWS), .AW(CW)) u_busy_lo (
        .clk_i(clk_i), .re_i(1'b1), .clear_i(s2_first_i), .raddr_i(s2_ctx_i),
        .rdata_o(busy_lo_m),
        .we_i(touch), .waddr_i(s3_ctx_i), .wdata_i(bd_busy_lo_o));
    igpu_ctx_ram #(.WIDTH(64), .DEPTH(ROWS), .AW(CW)) u_busy_hi (
        .clk_i(clk_i), .re_i(1'b1), .clear_i(s2_first_i), .raddr_i(s2_ctx_i),
        .rdata_o(busy_hi_m),
        .we_i(touch), .waddr_i(s3_ctx_i), .wdata_i(bd_busy_hi_o));
    igpu_ctx_ram #(.WIDTH(8), .DEPTH(ROWS), .AW(CW)) u_busy_x (
        .clk_i(clk_i), .re_i(1'b1), .clear_i(s2_first_i), .raddr_i(s2_ctx_i),
        .rdata_o(busy_x_m),
        .we_i(touch), .waddr_i(s3_ctx_i), .wdata_i(bd_busy_x_o));
    igpu_ctx_ram #(.WIDTH(64), .DEPTH(ROWS), .AW(CW)) u_need_lo (
        .clk_i(clk_i), .re_i(1'b1), .clear_i(1'b0), .raddr_i(s2_ctx_i), .rdata_o(need_lo_m),
        .we_i(s6_fetch_i), .waddr_i(s6_ctx_i), .wdata_i(s6_need_lo_i));
    igpu_ctx_ram #(.WIDTH(64), .DEPTH(ROWS), .AW(CW)) u_need_hi (
        .clk_i(clk_i), .re_i(1'b1), .clear_i(1'b0), .raddr_i(s2_ctx_i), .rdata_o(need_hi_m),
        .we_i(s6_fetch_i), .waddr_i(s6_ctx_i), .wdata_i(s6_need_hi_i));
    igpu_ctx_ram #(.WIDTH(8), .DEPTH(ROWS), .AW(CW)) u_need_x (
        .clk_i(clk_i), .re_i(1'b1), .clear_i(1'b0), .raddr_i(s2_ctx_i), .rdata_o(need_x_m),
        .we_i(s6_fetch_i), .waddr_i(s6_ctx_i), .wdata_i(s6_need_x_i));

    wire [S-1:0] set = ({S{s2_issued_i[0]}} & s2_set_i[0   +: S]) |
                       ({S{s2_issued_i[1]}} & s2_set_i[S   +: S]) |
                       ({S{s2_issued_i[2]}} & s2_set_i[2*S +: S]);
    reg  [63:0]  set_lo, set_hi;

    // What no unit issued is no range: last 0, first 0 would be GRF 0.
    always @* begin
        {set_lo, set_hi} = 128'd0;
        if (s2_issued_i != 3'd0)
            range_bits(set[`IGPU_SET_RANGE], set_lo, set_hi);
    end

    // A loop over events would be shorter and three times the work for a simulator.
    always @(posedge clk_i) begin
        hit_q     <= {s2_issued_i, s2_hit_i} != 6'd0;
        flip_lo_q <= set_lo ^
                     ({64{s2_hit_i[0]}} & s2_lo_i[0   +: 64]) ^
                     ({64{s2_hit_i[1]}} & s2_lo_i[64  +: 64]) ^
                     ({64{s2_hit_i[2]}} & s2_lo_i[128 +: 64]);
        flip_hi_q <= set_hi ^
                     ({64{s2_hit_i[0]}} & s2_hi_i[0   +: 64]) ^
                     ({64{s2_hit_i[1]}} & s2_hi_i[64  +: 64]) ^
                     ({64{s2_hit_i[2]}} & s2_hi_i[128 +: 64]);
        flip_x_q  <= set[`IGPU_SET_X] ^
                     ({8{s2_hit_i[0]}} & s2_x_i[0   +: 8]) ^
                     ({8{s2_hit_i[1]}} & s2_x_i[8   +: 8]) ^
                     ({8{s2_hit_i[2]}} & s2_x_i[16  +: 8]);
    end

    always @* begin
        bd_busy_lo_o = busy_lo_m ^ flip_lo_q;
        bd_busy_hi_o = busy_hi_m ^ flip_hi_q;
        bd_busy_x_o  = busy_x_m ^ flip_x_q;
        bd_met_o = board_met(need_lo_m, bd_busy_lo_o, need_hi_m, bd_busy_hi_o, need_x_m,
                             bd_busy_x_o);
    end

    // What the flips have to be: bits that are set, bits that are cleared.
    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_PAST(set_lo_q, 64, clk_i, set_lo)
    `IGPU_PAST(set_hi_q, 64, clk_i, set_hi)
    `IGPU_PAST(set_x_q, 8, clk_i, set[`IGPU_SET_X])
    `IGPU_PAST(clear_lo_q, 64, clk_i, ({64{s2_hit_i[0]}} & s2_lo_i[0   +: 64]) |
                                      ({64{s2_hit_i[1]}} & s2_lo_i[64  +: 64]) |
                                      ({64{s2_hit_i[2]}} & s2_lo_i[128 +: 64]))
    `IGPU_PAST(clear_hi_q, 64, clk_i, ({64{s2_hit_i[0]}} & s2_hi_i[0   +: 64]) |
                                      ({64{s2_hit_i[1]}} & s2_hi_i[64  +: 64]) |
                                      ({64{s2_hit_i[2]}} & s2_hi_i[128 +: 64]))
    `IGPU_PAST(clear_x_q, 8, clk_i, ({8{s2_hit_i[0]}} & s2_x_i[0   +: 8]) |
                                    ({8{s2_hit_i[1]}} & s2_x_i[8   +: 8]) |
                                    ({8{s2_hit_i[2]}} & s2_x_i[16  +: 8]))
    `IGPU_REQUIRE(clk_i, !(s3_valid_i && hit_q) ||
                         ((set_lo_q & busy_lo_m) == 64'd0 && (set_hi_q & busy_hi_m) == 64'd0 &&
                          (set_x_q & busy_x_m) == 8'd0),
                  "an instruction issues only when all bits that it sets are clear")
    `IGPU_REQUIRE(clk_i, !(s3_valid_i && hit_q) ||
                         (bd_busy_lo_o == ((busy_lo_m | set_lo_q) & ~clear_lo_q) &&
                          bd_busy_hi_o == ((busy_hi_m | set_hi_q) & ~clear_hi_q) &&
                          bd_busy_x_o == ((busy_x_m | set_x_q) & ~clear_x_q)),
                  "what an instruction set is cleared once")
    `IGPU_REQUIRE(clk_i, !(s3_valid_i && s3_first_i) || !hit_q,
                  "nothing happens in a context's first visit")

endmodule

`default_nettype wire

// igpu_math_rom - extended math, stage 6: the coefficients of the segment.
//
// Function  {c0, c1, c2, c3} of the function's table (igpu_math_rom_*.v) at seg_i.
// Timing    1 cycle, then a selection.
// Contract  fn_i and second_i belong to seg_i.
// Reset     none: data follows.
// Model     csim/fpu/math_table.c  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none
`include "igpu_math.vh"

module igpu_math_rom (
    input  wire         clk_i,
    input  wire [3:0]   fn_i,      // function
    input  wire         second_i,  // second pass of pow
    input  wire [7:0]   seg_i,     // segment
    output wire [124:0] data_o     // coefficients
);

    localparam [2:0] INV = 3'd0, RSQT = 3'd1, LOG = 3'd2, EXP = 3'd3, SIN = 3'd4;

    reg  [2:0]   table_d, table_q;
    wire [124:0] inv, rsqt, log, exp, sin;

    always @* begin
        case (fn_i)
            `IGPU_MATH_SQT, `IGPU_MATH_RSQT, `IGPU_MATH_RSQTM: table_d = RSQT;
            `IGPU_MATH_LOG: table_d = LOG;
            `IGPU_MATH_POW: table_d = second_i ? EXP : LOG;
            `IGPU_MATH_EXP: table_d = EXP;
            `IGPU_MATH_SIN, `IGPU_MATH_COS: table_d = SIN;
            default: table_d = INV;
        endcase
    end

    igpu_math_rom_inv  u_inv  (.clk_i(clk_i), .en_i(table_d == INV),  .seg_i(seg_i[6:0]),
                               .data_o(inv));
    igpu_math_rom_rsqt u_rsqt (.clk_i(clk_i), .en_i(table_d == RSQT), .seg_i(seg_i),
                               .data_o(rsqt));
    igpu_math_rom_log  u_log  (.clk_i(clk_i), .en_i(table_d == LOG),  .seg_i(seg_i),
                               .data_o(log));
    igpu_math_rom_exp  u_exp  (.clk_i(clk_i), .en_i(table_d == EXP),  .seg_i(seg_i[6:0]),
                               .data_o(exp));
    igpu_math_rom_sin  u_sin  (.clk_i(clk_i), .en_i(table_d == SIN),  .seg_i(seg_i[6:0]),
                               .data_o(sin));

    always @(posedge clk_i)
        table_q <= table_d;

    assign data_o = table_q == RSQT ? rsqt
                  : table_q == LOG  ? log
                  : table_q == EXP  ? exp
                  : table_q == SIN  ? sin : inv;

endmodule

`default_nettype wire

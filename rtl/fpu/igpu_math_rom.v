// igpu_math_rom - extended math, stage 6: the coefficients of the segment.
//
// Function  For each port the coefficients {c0, c1, c2, c3} of the function's table at
//           seg_i: 41 + 35 + 28 + 21 bits, in units of 2^-40; c0 is unsigned, the others
//           are signed. All tables are one memory, so that 832 rows fill block RAMs of
//           1,024, whose two ports serve two lanes.
// Timing    1 cycle, a read a clock and port.
// Contract  seg_i of a logarithm is signed, -64 to 127; there are 256 segments for
//           roots, 128 for the others. Rows without a segment hold anything.
// Reset     none: data follows.
// Model     csim/fpu/math_table.c  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_math.vh"

module igpu_math_rom #(
    parameter PORTS = 1               // lanes that read
) (
    input  wire                 clk_i,
    input  wire [3:0]           fn_i,      // function
    input  wire                 second_i,  // second pass of pow
    input  wire [8*PORTS-1:0]   seg_i,     // segments
    output wire [125*PORTS-1:0] data_o     // coefficients
);

    reg [124:0] rows [0:1023];

    initial begin
        `include "igpu_math_rom_inv.vh"
        `include "igpu_math_rom_exp.vh"
        `include "igpu_math_rom_rsqt.vh"
        `include "igpu_math_rom_sin.vh"
        `include "igpu_math_rom_log.vh"
    end

    // The upper bits of a row.
    reg [2:0] place;
    reg       wide;      // 256 segments
    always @* begin
        wide = 1'b0;
        case (fn_i)
            `IGPU_MATH_SQT, `IGPU_MATH_RSQT, `IGPU_MATH_RSQTM: {wide, place} = 4'b1_010;
            `IGPU_MATH_LOG: {wide, place} = 4'b1_110;
            `IGPU_MATH_POW: {wide, place} = second_i ? 4'b0_001 : 4'b1_110;
            `IGPU_MATH_EXP: place = 3'b001;
            `IGPU_MATH_SIN, `IGPU_MATH_COS: place = 3'b100;
            default: place = 3'b000;
        endcase
    end

    genvar p;
    generate
        for (p = 0; p < PORTS; p = p + 1) begin : g_port
            wire [9:0] row = {place[2:1], place[0] || (wide && seg_i[8*p+7]),
                              seg_i[8*p +: 7]};
            reg [124:0] data_q;
            always @(posedge clk_i)
                data_q <= rows[row];
            assign data_o[125*p +: 125] = data_q;
        end
    endgenerate

    `IGPU_SHADOW(wire [PORTS-1:0] signs;)
    `IGPU_SHADOW(generate
                     for (p = 0; p < PORTS; p = p + 1) begin : g_shadow
                         assign signs[p] = !seg_i[8*p+7] || seg_i[8*p+6];
                     end
                 endgenerate)
    `IGPU_CONTRACT_NO_RESET(clk_i)
    `IGPU_REQUIRE(clk_i, (&signs || !(fn_i == `IGPU_MATH_LOG ||
                                     (fn_i == `IGPU_MATH_POW && !second_i))) !== 1'b0,
                  "seg_i of a logarithm is -64 to 127")

endmodule

`default_nettype wire

// igpu_eu_grf - a register file of all threads, read and written by windows of two registers.
//
// Function  Registers of 32 bytes in two banks, even and odd ones, so that a register and the
//           next are read, or written, at once: an operand of a pass may begin anywhere in
//           the first. READERS operands are read in a clock, of a copy of all registers
//           each; bytes are written one by one.
// Timing    What is read in a clock is there after it, and stays until the next reading.
// Contract  A window that is read and written in the same clock is read as it was. Threads
//           are below THREADS; the register behind the last one is the first.
// Reset     None: contents are undefined until written.
// Tests     tests/cosim/test_values_forms
// Source    docs/develop/eu.md#registers

`default_nettype none

module igpu_eu_grf #(
    parameter THREADS = 8,
    parameter TW      = 3,                 // log2 of THREADS, rounded up
    parameter RW      = 7,                 // log2 of the registers of a thread
    parameter READERS = 3                  // operands read in a clock: 1 to 3
) (
    input  wire             clk_i,
    input  wire             re_i,          // read
    input  wire [TW-1:0]    rthread_i,
    input  wire [READERS*RW-1:0]  rrow_i,  // first register of operands 2, 1, 0
    output wire [512*READERS-1:0] rdata_o, // 512 bits each
    input  wire             we_i,          // write
    input  wire [TW-1:0]    wthread_i,
    input  wire [RW-1:0]    wrow_i,        // first register
    input  wire [511:0]     wdata_i,
    input  wire [63:0]      wbyte_i        // bytes that are written
);

    localparam DEPTH = THREADS << (RW - 1);
    localparam AW    = TW + RW - 1;

    // The even bank has the register behind an odd first one.
    function [RW-2:0] even_of;
        input [RW-1:0] row;
        even_of = row[RW-1:1] + {{(RW-2){1'b0}}, row[0]};
    endfunction

    wire          wswap = wrow_i[0];
    wire [511:0]  wdata = wswap ? {wdata_i[255:0], wdata_i[511:256]} : wdata_i;
    wire [63:0]   wbyte = wswap ? {wbyte_i[31:0], wbyte_i[63:32]} : wbyte_i;
    wire [AW-1:0] weven = {wthread_i, even_of(wrow_i)};
    wire [AW-1:0] wodd  = {wthread_i, wrow_i[RW-1:1]};
    wire [512*READERS-1:0] read;

    // Quadwords of a register are memories of their own: 0 to 3 even, 4 to 7 odd ones. An
    // UltraRAM has 64 bits and their check bits.
    genvar g, r;
    generate
        for (g = 0; g < 8; g = g + 1) begin : g_quad
            reg  [63:0]   mem [0:DEPTH-1];
            wire [AW-1:0] waddr = g < 4 ? weven : wodd;
            wire [63:0]   data  = wdata[64*g +: 64];
            wire [7:0]    on    = wbyte[8*g +: 8];

            for (r = 0; r < READERS; r = r + 1) begin : g_reader
                wire [RW-1:0] row   = rrow_i[RW*r +: RW];
                wire [AW-1:0] raddr = {rthread_i, g < 4 ? even_of(row) : row[RW-1:1]};
                reg  [63:0]   q;

                always @(posedge clk_i) begin
                    if (re_i)
                        q <= mem[raddr];
                end

                assign read[512*r + 64*g +: 64] = q;
            end

            // Within one condition: a clock without a write costs a simulator one test.
            always @(posedge clk_i) begin
                if (we_i) begin
                    if (on[0])
                        mem[waddr][7:0] <= data[7:0];
                    if (on[1])
                        mem[waddr][15:8] <= data[15:8];
                    if (on[2])
                        mem[waddr][23:16] <= data[23:16];
                    if (on[3])
                        mem[waddr][31:24] <= data[31:24];
                    if (on[4])
                        mem[waddr][39:32] <= data[39:32];
                    if (on[5])
                        mem[waddr][47:40] <= data[47:40];
                    if (on[6])
                        mem[waddr][55:48] <= data[55:48];
                    if (on[7])
                        mem[waddr][63:56] <= data[63:56];
                end
            end
        end

        for (g = 0; g < READERS; g = g + 1) begin : g_port
            reg swap_q;

            always @(posedge clk_i) begin
                if (re_i)
                    swap_q <= rrow_i[RW*g];
            end

            assign rdata_o[512*g +: 512] =
                swap_q ? {read[512*g +: 256], read[512*g + 256 +: 256]} : read[512*g +: 512];
        end
    endgenerate

endmodule

`default_nettype wire

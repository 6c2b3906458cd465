// igpu_link_crc - CRC-32 (zlib's) over words of 32 bits, low bit first.
//
// Function  crc_o is the register after data_i, crc_i the one before. Begin with all
//           ones; the frame carries the register's complement.
// Timing    Combinational.
// Model     zlib's crc32().  Tests: tests/cosim/test_fpga.c
// Source    docs/develop/fpga.md#frames

`default_nettype none

module igpu_link_crc (
    input  wire [31:0] crc_i,
    input  wire [31:0] data_i,
    output wire [31:0] crc_o
);

    function [31:0] step(input [31:0] crc, input [31:0] data);
        integer i;
        begin
            step = crc;
            for (i = 0; i < 32; i = i + 1)
                step = {1'b0, step[31:1]} ^
                       ((step[0] ^ data[i]) ? 32'hedb88320 : 32'd0);
        end
    endfunction

    // Bit j is the sum of these bits of both: so each is a tree, not a chain.
    function [31:0] row(input [4:0] j);
        integer    i;
        reg [31:0] one;
        begin
            row = 32'd0;
            for (i = 0; i < 32; i = i + 1) begin
                one    = step(32'd1 << i, 32'd0);
                row[i] = one[j];
            end
        end
    endfunction

    wire [31:0] both = crc_i ^ data_i;
    genvar      j;

    generate
        for (j = 0; j < 32; j = j + 1) begin : g_bit
            localparam [31:0] ROW = row(j[4:0]);

            assign crc_o[j] = ^(both & ROW);
        end
    endgenerate

endmodule

`default_nettype wire

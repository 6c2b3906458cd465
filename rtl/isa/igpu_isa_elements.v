// igpu_isa_elements - which registers an operand's elements lie in.
//
// Function  set_o: {others, registers} of `count_i` elements from byte at_i of their file on:
//           bits 3:0 of the others are the flags' words, then accumulator, a0, notification,
//           control. vs_i and hs_i in elements, size_i and wd_i as powers of two.
// Timing    Combinational.
// Contract  Elements beyond the file are left out.
// Reset     None: no state.
// Tests     tests/cosim/test_values (every launch), test_values_programs
// Source    docs/develop/eu.md#classes-and-masks

`default_nettype none
`include "igpu_isa.vh"

module igpu_isa_elements (
    input  wire [1:0]   file_i,
    input  wire [3:0]   arf_i,
    input  wire [11:0]  at_i,
    input  wire [5:0]   count_i,
    input  wire [1:0]   size_i,
    input  wire [5:0]   vs_i,
    input  wire [2:0]   wd_i,
    input  wire [2:0]   hs_i,
    output reg  [135:0] set_o
);

    // The register of this number, and the flags' word of this byte, where there is one.
    function [127:0] place;
        input [10:0] number;
        place = {127'd0, number[10:7] == 4'd0} << number[6:0];
    endfunction

    function [3:0] flag;
        input [15:0] at;
        flag = at < 16'd8 ? 4'd1 << at[2:1] : 4'd0;
    endfunction

    reg  [15:0]  row, col, first, last;
    reg  [127:0] grfs;
    reg  [3:0]   flags;
    reg          acc;
    integer      i;

    always @* begin
        grfs  = 128'd0;
        flags = 4'd0;
        acc   = 1'b0;
        for (i = 0; i < 32; i = i + 1) begin
            row   = {11'd0, i[4:0] >> wd_i} * {10'd0, vs_i};
            col   = {11'd0, i[4:0] & ~(5'h1f << wd_i)} * {13'd0, hs_i};
            first = {4'd0, at_i} + ((row + col) << size_i);
            last  = first + (16'd1 << size_i) - 16'd1;
            if (i[5:0] < count_i) begin
                grfs  = grfs | place(first[15:5]) | place(last[15:5]);
                flags = flags | flag(first) | flag(last);
                acc   = acc || first < 16'd64;
            end
        end
        set_o = 136'd0;
        if (file_i == `IGPU_FILE_GRF)
            set_o[127:0] = grfs;
        else if (file_i == `IGPU_FILE_ARF)
            case (arf_i)
            `IGPU_ARF_FLAG:   set_o[131:128] = flags;
            `IGPU_ARF_ACC:    set_o[132] = acc;
            `IGPU_ARF_ADDR:   set_o[133] = 1'b1;
            `IGPU_ARF_NOTIFY: set_o[134] = 1'b1;
            default:          set_o[135] = 1'b1;
            endcase
    end

endmodule

`default_nettype wire

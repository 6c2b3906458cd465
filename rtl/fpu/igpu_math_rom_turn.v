// igpu_math_rom_turn - the 90 bits of 2/pi that count for an exponent
// Made by .ci/math_tables.py; do not edit.
//
// Function  data_o = 2/pi 2^(e + 65) as a whole number modulo 2^90, e = seg_i - 1: times
//           the 24 bits of a number of exponent e, an angle in quadrants modulo 4 with
//           88 fraction bits.
// Timing    1 cycle, one read a clock: a block RAM or LUTs, as the tool likes.
// Contract  seg_i is 0 to 128; others read as 128.
// Reset     none: data follows the address.
// Model     csim/fpu/math_table.c  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none

module igpu_math_rom_turn (
    input  wire         clk_i,
    input  wire         en_i,    // read
    input  wire [7:0]   seg_i,   // row
    output reg  [89:0]  data_o   // its bits
);

    always @(posedge clk_i) begin
        if (en_i) begin
            case (seg_i)
                8'h00: data_o <= 90'h0000000a2f9836e4e441529;
                8'h01: data_o <= 90'h000000145f306dc9c882a53;
                8'h02: data_o <= 90'h00000028be60db9391054a7;
                8'h03: data_o <= 90'h000000517cc1b727220a94f;
                8'h04: data_o <= 90'h000000a2f9836e4e441529f;
                8'h05: data_o <= 90'h00000145f306dc9c882a53f;
                8'h06: data_o <= 90'h0000028be60db9391054a7f;
                8'h07: data_o <= 90'h00000517cc1b727220a94fe;
                8'h08: data_o <= 90'h00000a2f9836e4e441529fc;
                8'h09: data_o <= 90'h0000145f306dc9c882a53f8;
                8'h0a: data_o <= 90'h000028be60db9391054a7f0;
                8'h0b: data_o <= 90'h0000517cc1b727220a94fe1;
                8'h0c: data_o <= 90'h0000a2f9836e4e441529fc2;
                8'h0d: data_o <= 90'h000145f306dc9c882a53f84;
                8'h0e: data_o <= 90'h00028be60db9391054a7f09;
                8'h0f: data_o <= 90'h000517cc1b727220a94fe13;
                8'h10: data_o <= 90'h000a2f9836e4e441529fc27;
                8'h11: data_o <= 90'h00145f306dc9c882a53f84e;
                8'h12: data_o <= 90'h0028be60db9391054a7f09d;
                8'h13: data_o <= 90'h00517cc1b727220a94fe13a;
                8'h14: data_o <= 90'h00a2f9836e4e441529fc275;
                8'h15: data_o <= 90'h0145f306dc9c882a53f84ea;
                8'h16: data_o <= 90'h028be60db9391054a7f09d5;
                8'h17: data_o <= 90'h0517cc1b727220a94fe13ab;
                8'h18: data_o <= 90'h0a2f9836e4e441529fc2757;
                8'h19: data_o <= 90'h145f306dc9c882a53f84eaf;
                8'h1a: data_o <= 90'h28be60db9391054a7f09d5f;
                8'h1b: data_o <= 90'h117cc1b727220a94fe13abe;
                8'h1c: data_o <= 90'h22f9836e4e441529fc2757d;
                8'h1d: data_o <= 90'h05f306dc9c882a53f84eafa;
                8'h1e: data_o <= 90'h0be60db9391054a7f09d5f4;
                8'h1f: data_o <= 90'h17cc1b727220a94fe13abe8;
                8'h20: data_o <= 90'h2f9836e4e441529fc2757d1;
                8'h21: data_o <= 90'h1f306dc9c882a53f84eafa3;
                8'h22: data_o <= 90'h3e60db9391054a7f09d5f47;
                8'h23: data_o <= 90'h3cc1b727220a94fe13abe8f;
                8'h24: data_o <= 90'h39836e4e441529fc2757d1f;
                8'h25: data_o <= 90'h3306dc9c882a53f84eafa3e;
                8'h26: data_o <= 90'h260db9391054a7f09d5f47d;
                8'h27: data_o <= 90'h0c1b727220a94fe13abe8fa;
                8'h28: data_o <= 90'h1836e4e441529fc2757d1f5;
                8'h29: data_o <= 90'h306dc9c882a53f84eafa3ea;
                8'h2a: data_o <= 90'h20db9391054a7f09d5f47d4;
                8'h2b: data_o <= 90'h01b727220a94fe13abe8fa9;
                8'h2c: data_o <= 90'h036e4e441529fc2757d1f53;
                8'h2d: data_o <= 90'h06dc9c882a53f84eafa3ea6;
                8'h2e: data_o <= 90'h0db9391054a7f09d5f47d4d;
                8'h2f: data_o <= 90'h1b727220a94fe13abe8fa9a;
                8'h30: data_o <= 90'h36e4e441529fc2757d1f534;
                8'h31: data_o <= 90'h2dc9c882a53f84eafa3ea69;
                8'h32: data_o <= 90'h1b9391054a7f09d5f47d4d3;
                8'h33: data_o <= 90'h3727220a94fe13abe8fa9a6;
                8'h34: data_o <= 90'h2e4e441529fc2757d1f534d;
                8'h35: data_o <= 90'h1c9c882a53f84eafa3ea69b;
                8'h36: data_o <= 90'h39391054a7f09d5f47d4d37;
                8'h37: data_o <= 90'h327220a94fe13abe8fa9a6e;
                8'h38: data_o <= 90'h24e441529fc2757d1f534dd;
                8'h39: data_o <= 90'h09c882a53f84eafa3ea69bb;
                8'h3a: data_o <= 90'h1391054a7f09d5f47d4d377;
                8'h3b: data_o <= 90'h27220a94fe13abe8fa9a6ee;
                8'h3c: data_o <= 90'h0e441529fc2757d1f534ddc;
                8'h3d: data_o <= 90'h1c882a53f84eafa3ea69bb8;
                8'h3e: data_o <= 90'h391054a7f09d5f47d4d3770;
                8'h3f: data_o <= 90'h3220a94fe13abe8fa9a6ee0;
                8'h40: data_o <= 90'h2441529fc2757d1f534ddc0;
                8'h41: data_o <= 90'h0882a53f84eafa3ea69bb81;
                8'h42: data_o <= 90'h11054a7f09d5f47d4d37703;
                8'h43: data_o <= 90'h220a94fe13abe8fa9a6ee06;
                8'h44: data_o <= 90'h041529fc2757d1f534ddc0d;
                8'h45: data_o <= 90'h082a53f84eafa3ea69bb81b;
                8'h46: data_o <= 90'h1054a7f09d5f47d4d377036;
                8'h47: data_o <= 90'h20a94fe13abe8fa9a6ee06d;
                8'h48: data_o <= 90'h01529fc2757d1f534ddc0db;
                8'h49: data_o <= 90'h02a53f84eafa3ea69bb81b6;
                8'h4a: data_o <= 90'h054a7f09d5f47d4d377036d;
                8'h4b: data_o <= 90'h0a94fe13abe8fa9a6ee06db;
                8'h4c: data_o <= 90'h1529fc2757d1f534ddc0db6;
                8'h4d: data_o <= 90'h2a53f84eafa3ea69bb81b6c;
                8'h4e: data_o <= 90'h14a7f09d5f47d4d377036d8;
                8'h4f: data_o <= 90'h294fe13abe8fa9a6ee06db1;
                8'h50: data_o <= 90'h129fc2757d1f534ddc0db62;
                8'h51: data_o <= 90'h253f84eafa3ea69bb81b6c5;
                8'h52: data_o <= 90'h0a7f09d5f47d4d377036d8a;
                8'h53: data_o <= 90'h14fe13abe8fa9a6ee06db14;
                8'h54: data_o <= 90'h29fc2757d1f534ddc0db629;
                8'h55: data_o <= 90'h13f84eafa3ea69bb81b6c52;
                8'h56: data_o <= 90'h27f09d5f47d4d377036d8a5;
                8'h57: data_o <= 90'h0fe13abe8fa9a6ee06db14a;
                8'h58: data_o <= 90'h1fc2757d1f534ddc0db6295;
                8'h59: data_o <= 90'h3f84eafa3ea69bb81b6c52b;
                8'h5a: data_o <= 90'h3f09d5f47d4d377036d8a56;
                8'h5b: data_o <= 90'h3e13abe8fa9a6ee06db14ac;
                8'h5c: data_o <= 90'h3c2757d1f534ddc0db62959;
                8'h5d: data_o <= 90'h384eafa3ea69bb81b6c52b3;
                8'h5e: data_o <= 90'h309d5f47d4d377036d8a566;
                8'h5f: data_o <= 90'h213abe8fa9a6ee06db14acc;
                8'h60: data_o <= 90'h02757d1f534ddc0db629599;
                8'h61: data_o <= 90'h04eafa3ea69bb81b6c52b32;
                8'h62: data_o <= 90'h09d5f47d4d377036d8a5664;
                8'h63: data_o <= 90'h13abe8fa9a6ee06db14acc9;
                8'h64: data_o <= 90'h2757d1f534ddc0db6295993;
                8'h65: data_o <= 90'h0eafa3ea69bb81b6c52b327;
                8'h66: data_o <= 90'h1d5f47d4d377036d8a5664f;
                8'h67: data_o <= 90'h3abe8fa9a6ee06db14acc9e;
                8'h68: data_o <= 90'h357d1f534ddc0db6295993c;
                8'h69: data_o <= 90'h2afa3ea69bb81b6c52b3278;
                8'h6a: data_o <= 90'h15f47d4d377036d8a5664f1;
                8'h6b: data_o <= 90'h2be8fa9a6ee06db14acc9e2;
                8'h6c: data_o <= 90'h17d1f534ddc0db6295993c4;
                8'h6d: data_o <= 90'h2fa3ea69bb81b6c52b32788;
                8'h6e: data_o <= 90'h1f47d4d377036d8a5664f10;
                8'h6f: data_o <= 90'h3e8fa9a6ee06db14acc9e21;
                8'h70: data_o <= 90'h3d1f534ddc0db6295993c43;
                8'h71: data_o <= 90'h3a3ea69bb81b6c52b327887;
                8'h72: data_o <= 90'h347d4d377036d8a5664f10e;
                8'h73: data_o <= 90'h28fa9a6ee06db14acc9e21c;
                8'h74: data_o <= 90'h11f534ddc0db6295993c439;
                8'h75: data_o <= 90'h23ea69bb81b6c52b3278872;
                8'h76: data_o <= 90'h07d4d377036d8a5664f10e4;
                8'h77: data_o <= 90'h0fa9a6ee06db14acc9e21c8;
                8'h78: data_o <= 90'h1f534ddc0db6295993c4390;
                8'h79: data_o <= 90'h3ea69bb81b6c52b32788720;
                8'h7a: data_o <= 90'h3d4d377036d8a5664f10e41;
                8'h7b: data_o <= 90'h3a9a6ee06db14acc9e21c82;
                8'h7c: data_o <= 90'h3534ddc0db6295993c43904;
                8'h7d: data_o <= 90'h2a69bb81b6c52b327887208;
                8'h7e: data_o <= 90'h14d377036d8a5664f10e410;
                8'h7f: data_o <= 90'h29a6ee06db14acc9e21c821;
                default: data_o <= 90'h134ddc0db6295993c439042;
            endcase
        end
    end

endmodule

`default_nettype wire

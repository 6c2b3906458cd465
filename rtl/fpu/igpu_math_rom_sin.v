// igpu_math_rom_sin - cubic coefficients of sin(r pi/2) / r, r in [0, 1)
// Made by csim/fpu/math_tables.py; do not edit.
//
// Function  data_o = {c0, c1, c2, c3} of segment seg_i, 41 + 35 + 28 + 21 bits, in units
//           of 2^-40; c0 is unsigned, the others are signed.
// Timing    1 cycle, one read a clock: a block RAM or LUTs, as the tool likes.
// Contract  every seg_i is a segment.
// Reset     none: data follows the address.
// Model     csim/fpu/math_table.c  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none

module igpu_math_rom_sin (
    input  wire         clk_i,
    input  wire         en_i,    // read
    input  wire [6:0]   seg_i,   // row
    output reg  [124:0] data_o   // its bits
);

    always @(posedge clk_i) begin
        if (en_i) begin
            case (seg_i)
                7'h00: data_o <= 125'h1921fb54443000000089ad50db20028d;
                7'h01: data_o <= 125'h1921d1fcdecff5aa2c49ad51d00007a6;
                7'h02: data_o <= 125'h192155f7a36feb54953dad54ae600cc0;
                7'h03: data_o <= 125'h19208747707fe0ff7897ad59766011d9;
                7'h04: data_o <= 125'h191f65f10defd6ab1385ad6027c016f1;
                7'h05: data_o <= 125'h191df1fb2cefcc57a331ad68c2401c09;
                7'h06: data_o <= 125'h191c2b6e682fc20564bfad7345c02121;
                7'h07: data_o <= 125'h191a1255430fb7b49549ad7fb2002637;
                7'h08: data_o <= 125'h1917a6bc29bfad6571dfad8e06802b4c;
                7'h09: data_o <= 125'h1914e8b170bfa3183785ad9e43203060;
                7'h0a: data_o <= 125'h1911d845546f98cd2335adb067203573;
                7'h0b: data_o <= 125'h190e7589f8bf8e8471d3adc472203a84;
                7'h0c: data_o <= 125'h190ac093688f843e6039adda63803f93;
                7'h0d: data_o <= 125'h1906b977954f79fb2b29adf23ae044a1;
                7'h0e: data_o <= 125'h1902604e560f6fbb0f57ae0bf76049ad;
                7'h0f: data_o <= 125'h18fdb531673f657e495dae2798604eb7;
                7'h10: data_o <= 125'h18f8b83c69af5b4515bbae451d0053bf;
                7'h11: data_o <= 125'h18f3698ce1ef510fb0dfae6484a058c4;
                7'h12: data_o <= 125'h18edc942376f46de5715ae85ce405dc7;
                7'h13: data_o <= 125'h18e7d77db39f3cb14491aea8f90062c8;
                7'h14: data_o <= 125'h18e19462812f3288b569aece040067c5;
                7'h15: data_o <= 125'h18db0015aaaf2864e58faef4ee006cc0;
                7'h16: data_o <= 125'h18d41abe1a2f1e4610d9af1db62071b8;
                7'h17: data_o <= 125'h18cce484977f142c72f5af485b4076ad;
                7'h18: data_o <= 125'h18c55d93c78f0a18476faf74dc207b9e;
                7'h19: data_o <= 125'h18bd86182aef0009c9adafa33780808c;
                7'h1a: data_o <= 125'h18b55e401cdef60134edafd36c408577;
                7'h1b: data_o <= 125'h18ace63bd1beebfec43fb00578e08a5e;
                7'h1c: data_o <= 125'h18a41e3d55eee202b28db0395c008f41;
                7'h1d: data_o <= 125'h189b06788c5ed80d3a95b06f14609420;
                7'h1e: data_o <= 125'h18919f232d1ece1e96e1b0a6a06098fb;
                7'h1f: data_o <= 125'h1887e874c3fec43701cdb0dffe809dd2;
                7'h20: data_o <= 125'h187de2a6aebeba56b587b11b2d40a2a4;
                7'h21: data_o <= 125'h18738df41bbeb07dec05b1582ae0a772;
                7'h22: data_o <= 125'h1868ea9a086ea6acdf0bb196f5c0ac3b;
                7'h23: data_o <= 125'h185df8d73f5e9ce3c825b1d78c40b100;
                7'h24: data_o <= 125'h1852b8ec569e9322e0a7b219ec60b5c0;
                7'h25: data_o <= 125'h18472b1badfe896a61afb25e1480ba7b;
                7'h26: data_o <= 125'h183b4fa96d4e7fba8419b2a402a0bf30;
                7'h27: data_o <= 125'h182f26db826e76138089b2ebb500c3e1;
                7'h28: data_o <= 125'h1822b0f99f3e6c758f65b3352980c88c;
                7'h29: data_o <= 125'h1815ee4d37de62e0e8d3b3805e20cd31;
                7'h2a: data_o <= 125'h1808df21807e5955c4b3b3cd50c0d1d1;
                7'h2b: data_o <= 125'h17fb83c36b8e4fd45aa9b41bff80d66c;
                7'h2c: data_o <= 125'h17eddc81a74e465ce211b46c6800db00;
                7'h2d: data_o <= 125'h17dfe9ac9bde3cef9203b4be8820df8e;
                7'h2e: data_o <= 125'h17d1ab9668ce338ca14bb5125d80e416;
                7'h2f: data_o <= 125'h17c32292e33e2a344671b567e600e898;
                7'h30: data_o <= 125'h17b44ef7933e20e6b7afb5bf1f40ed14;
                7'h31: data_o <= 125'h17a5311bb18e17a42af9b61806c0f189;
                7'h32: data_o <= 125'h1795c958253e0e6cd5f1b6729a20f5f7;
                7'h33: data_o <= 125'h17861807813e0540ede7b6ced6e0fa5e;
                7'h34: data_o <= 125'h17761d8601cdfc20a7e5b72cba80febf;
                7'h35: data_o <= 125'h1765da318a1df30c3897b78c42810319;
                7'h36: data_o <= 125'h17554e69a19dea03d461b7ed6c01076c;
                7'h37: data_o <= 125'h17447a8f714de107af4bb85034a10bb7;
                7'h38: data_o <= 125'h17335f05c14dd817fd09b8b499610ffb;
                7'h39: data_o <= 125'h1721fc30f5fdcf34f0fbb91a97e11438;
                7'h3a: data_o <= 125'h171052770d2dc65ebe23b9822d01186d;
                7'h3b: data_o <= 125'h16fe623f9b8dbd95972db9eb56011c9a;
                7'h3c: data_o <= 125'h16ec2bf3c98db4d9ae67ba56102120c0;
                7'h3d: data_o <= 125'h16d9affe50ddac2b35c5bac2586124de;
                7'h3e: data_o <= 125'h16c6eecb78fda38a5edbbb302ba128f3;
                7'h3f: data_o <= 125'h16b3e8c914dd9af75adbbb9f87212d01;
                7'h40: data_o <= 125'h16a09e667f4d92725a9bbc1067c13106;
                7'h41: data_o <= 125'h168d1014984d89fb8e8bbc82ca413503;
                7'h42: data_o <= 125'h16793e45c1fd819326b9bcf6abc138f8;
                7'h43: data_o <= 125'h1665296ddd1d793952d1bd6c08e13ce4;
                7'h44: data_o <= 125'h1650d202465d70ee4215bde2dea140c7;
                7'h45: data_o <= 125'h163c3879d2ad68b2235fbe5b298144a2;
                7'h46: data_o <= 125'h16275d4ccc7d60852525bed4e6614873;
                7'h47: data_o <= 125'h161240f4effd5867756fbf5012014c3c;
                7'h48: data_o <= 125'h15fce3ed681d505941dbbfcca8c14ffc;
                7'h49: data_o <= 125'h15e746b2cb0d485ab79fc04aa76153b2;
                7'h4a: data_o <= 125'h15d169c316dd406c037dc0ca0a815760;
                7'h4b: data_o <= 125'h15bb4d9dadfd388d51cdc14acea15b03;
                7'h4c: data_o <= 125'h15a4f2c353dd30bece73c1ccf0215e9e;
                7'h4d: data_o <= 125'h158e59b6295d2900a4e7c2506b81622f;
                7'h4e: data_o <= 125'h157782f9a92d2153002bc2d53d4165b6;
                7'h4f: data_o <= 125'h15606f12a47d19b60acfc35b61c16933;
                7'h50: data_o <= 125'h15491e873eed1229eeefc3e2d5216ca7;
                7'h51: data_o <= 125'h153191deeb5d0aaed631c46b94017010;
                7'h52: data_o <= 125'h1519c9a267dd0344e9c5c4f59a617370;
                7'h53: data_o <= 125'h1501c65bba1cfbec5261c580e4a176c6;
                7'h54: data_o <= 125'h14e988962bccf4a53845c60d6f017a11;
                7'h55: data_o <= 125'h14d110de467ced6fc337c69b35a17d52;
                7'h56: data_o <= 125'h14b85fc1d01ce64c1a81c72a34a18089;
                7'h57: data_o <= 125'h149f75cfc6ecdf3a64efc7ba682183b5;
                7'h58: data_o <= 125'h148653985dacd83ac8d3c84bcc2186d6;
                7'h59: data_o <= 125'h146cf9acf7bcd14d6c03c8de5ce189ed;
                7'h5a: data_o <= 125'h145368a0250cca7273d1c97216418cfa;
                7'h5b: data_o <= 125'h1439a1059e4cc3aa0511ca06f4218ffb;
                7'h5c: data_o <= 125'h141fa372409cbcf44419ca9cf2c192f2;
                7'h5d: data_o <= 125'h1405707c09ccb65154b7cb340de195de;
                7'h5e: data_o <= 125'h13eb08ba144cafc15a3fcbcc416198bf;
                7'h5f: data_o <= 125'h13d06cc492dca9447779cc6589219b94;
                7'h60: data_o <= 125'h13b59d34cc6ca2daceabccffe1219e5f;
                7'h61: data_o <= 125'h139a9aa5183c9c848199cd9b4501a11e;
                7'h62: data_o <= 125'h137f65b0d95c9641b17dce37b0a1a3d2;
                7'h63: data_o <= 125'h1363fef47abc90127f0dced51fc1a67b;
                7'h64: data_o <= 125'h1348670d6a9c89f70a71cf738e21a918;
                7'h65: data_o <= 125'h132c9e9a16bc83ef734fd012f781abaa;
                7'h66: data_o <= 125'h1310a639e77c7dfbd8bfd0b35781ae30;
                7'h67: data_o <= 125'h12f47e8d3c3c781c5953d154a9c1b0aa;
                7'h68: data_o <= 125'h12d82835664c7251130bd1f6ea01b319;
                7'h69: data_o <= 125'h12bba3d4a53c6c9a2363d29a13e1b57c;
                7'h6a: data_o <= 125'h129ef20e220c66f7a745d33e22c1b7d4;
                7'h6b: data_o <= 125'h12821385eacc6169bb0fd3e31281ba1f;
                7'h6c: data_o <= 125'h126508e0ee5c5bf07a8fd488de81bc5e;
                7'h6d: data_o <= 125'h1247d2c4f7fc568c0109d52f8241be92;
                7'h6e: data_o <= 125'h122a71d8aa7c513c692fd5d6f941c0b9;
                7'h6f: data_o <= 125'h120ce6c37c1c4c01cd21d67f3f21c2d5;
                7'h70: data_o <= 125'h11ef322db1fc46dc466fd7284f41c4e4;
                7'h71: data_o <= 125'h11d154c05b4c41cbee1bd7d22521c6e7;
                7'h72: data_o <= 125'h11b34f254d1c3cd0dc91d87cbc21c8de;
                7'h73: data_o <= 125'h119522071d8c37eb29add9280fa1cac8;
                7'h74: data_o <= 125'h1176ce111f4c331aecb7d9d41b21cca7;
                7'h75: data_o <= 125'h115853ef5cec2e603c63da80d9e1ce78;
                7'h76: data_o <= 125'h1139b44e947c29bb2ecfdb2e4761d03e;
                7'h77: data_o <= 125'h111aefdc326c252bd987dbdc5ee1d1f7;
                7'h78: data_o <= 125'h10fc07464d7c20b25183dc8b1ba1d3a3;
                7'h79: data_o <= 125'h10dcfb3ba18c1c4eab21dd3a7921d543;
                7'h7a: data_o <= 125'h10bdcc6b8b5c1800fa2dddea72a1d6d6;
                7'h7b: data_o <= 125'h109e7b86036c13c951d7de9b0361d85d;
                7'h7c: data_o <= 125'h107f093b998c0fa7c4bddf4c2681d9d7;
                7'h7d: data_o <= 125'h105f763d702c0b9c64e5dffdd781db44;
                7'h7e: data_o <= 125'h103fc33d374c07a743b9e0b01181dca5;
                default: data_o <= 125'h101ff0ed282c03c8720fe162cfc1ddf9;
            endcase
        end
    end

endmodule

`default_nettype wire

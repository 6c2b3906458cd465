// igpu_math_rom_exp - cubic coefficients of 2^f, f in [0, 1)
// Made by csim/fpu/math_tables.py; do not edit.
//
// Function  data_o = {c0, c1, c2, c3} of segment seg_i, 41 + 35 + 28 + 21 bits, in units
//           of 2^-40; c0 is unsigned, the others are signed.
// Timing    1 cycle, one read a clock: a block RAM or LUTs, as the tool likes.
// Contract  every seg_i is a segment.
// Reset     none: data follows the address.
// Model     csim/fpu/math_table.c  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none

module igpu_math_rom_exp (
    input  wire         clk_i,
    input  wire         en_i,    // read
    input  wire [6:0]   seg_i,   // row
    output reg  [124:0] data_o   // its bits
);

    always @(posedge clk_i) begin
        if (en_i) begin
            case (seg_i)
                7'h00: data_o <= 125'h100000000002c5c85ff01ebfb80071fb;
                7'h01: data_o <= 125'h10163da9fb32c9a302f41eea76207299;
                7'h02: data_o <= 125'h102c9a3e7782cd8301741f156fc07339;
                7'h03: data_o <= 125'h104315e86e82d16862e01f40a50073d9;
                7'h04: data_o <= 125'h1059b0d31582d5532eb61f6c1640747a;
                7'h05: data_o <= 125'h10706b29ddf2d9436c7c1f97c400751c;
                7'h06: data_o <= 125'h1087451875a2dd3923c61fc3ae8075bf;
                7'h07: data_o <= 125'h109e3ecac6f2e1345c2e1fefd6007662;
                7'h08: data_o <= 125'h10b5586cf992e5351d5e201c3ac07707;
                7'h09: data_o <= 125'h10cc922b7242e93b6f022048dd6077ac;
                7'h0a: data_o <= 125'h10e3ec32d3d2ed4758dc2075be007853;
                7'h0b: data_o <= 125'h10fb66affed2f158e2ae20a2dd0078fa;
                7'h0c: data_o <= 125'h111301d01262f570144c20d03ac079a2;
                7'h0d: data_o <= 125'h112abdc06c32f98cf59220fdd7807a4b;
                7'h0e: data_o <= 125'h11429aaea932fdaf8e68212bb3a07af5;
                7'h0f: data_o <= 125'h115a98c8a59301d7e6be2159cfa07ba0;
                7'h10: data_o <= 125'h1172b83c7d530606069621882ba07c4c;
                7'h11: data_o <= 125'h118af9388c930a39f5f421b6c8207cf9;
                7'h12: data_o <= 125'h11a35beb6fd30e73bcf021e5a5607da6;
                7'h13: data_o <= 125'h11bbe084046312b363a62214c3c07e55;
                7'h14: data_o <= 125'h11d4873168c316f8f240224423a07f05;
                7'h15: data_o <= 125'h11ed5022fce31b4470f62273c5607fb5;
                7'h16: data_o <= 125'h12063b8862931f95e80622a3a9608067;
                7'h17: data_o <= 125'h121f49917de323ed5fc022d3cfe08119;
                7'h18: data_o <= 125'h12387a6e7563284ae07a2304396081cd;
                7'h19: data_o <= 125'h1251ce4fb2a32cae72962334e6208281;
                7'h1a: data_o <= 125'h126b4565e28331181e882365d6808337;
                7'h1b: data_o <= 125'h1284dfe1f5633587ecc623970b0083ed;
                7'h1c: data_o <= 125'h129e9df51fe339fde5da23c883e084a4;
                7'h1d: data_o <= 125'h12b87fd0dae33e7a125423fa4180855d;
                7'h1e: data_o <= 125'h12d285a6e40342fc7ad6242c44408616;
                7'h1f: data_o <= 125'h12ecafa93e3347852808245e8c8086d1;
                7'h20: data_o <= 125'h1306fe0a31b34c1422a224911aa0878c;
                7'h21: data_o <= 125'h132170fc4ce350a9736624c3ef208848;
                7'h22: data_o <= 125'h133c08b264135545232224f70a408906;
                7'h23: data_o <= 125'h1356c55f92a359e73ab4252a6c6089c4;
                7'h24: data_o <= 125'h1371a7373ab35e8fc300255e15e08a84;
                7'h25: data_o <= 125'h138cae6d05e3633ec4fc259207408b44;
                7'h26: data_o <= 125'h13a7db34e5a367f449a825c640e08c06;
                7'h27: data_o <= 125'h13c32dc313b36cb05a1025fac3208cc9;
                7'h28: data_o <= 125'h13dea64c12337172ff4e262f8e408d8c;
                7'h29: data_o <= 125'h13fa4504ac83763c42882664a2c08e51;
                7'h2a: data_o <= 125'h14160a21f7337b0c2cf0269a01208f17;
                7'h2b: data_o <= 125'h1431f5d950b37fe2c7c626cfa9a08fde;
                7'h2c: data_o <= 125'h144e0860619384c01c5827059cc090a6;
                7'h2d: data_o <= 125'h146a41ed1d0389a433fc273bdae0916f;
                7'h2e: data_o <= 125'h1486a2b5c1438e8f181a277264609239;
                7'h2f: data_o <= 125'h14a32af0d7d39380d22827a939c09304;
                7'h30: data_o <= 125'h14bfdad5363398796ba227e05b4093d1;
                7'h31: data_o <= 125'h14dcb299fde39d78ee182817c960949e;
                7'h32: data_o <= 125'h14f9b2769d33a27f6324284f84a0956d;
                7'h33: data_o <= 125'h1516daa2cf63a78cd47028878d60963c;
                7'h34: data_o <= 125'h15342b569d53aca14bb028bfe3e0970d;
                7'h35: data_o <= 125'h1551a4ca5d93b1bcd2a828f888e097df;
                7'h36: data_o <= 125'h156f4736b523b6df732829317c8098b2;
                7'h37: data_o <= 125'h158d12d497c3bc093710296abf409986;
                7'h38: data_o <= 125'h15ab07dd4853c13a284c29a451a09a5c;
                7'h39: data_o <= 125'h15c9268a5943c67250d429de34209b32;
                7'h3a: data_o <= 125'h15e76f15ad23cbb1bab42a1867009c0a;
                7'h3b: data_o <= 125'h1605e1b976e3d0f86ffc2a52eac09ce3;
                7'h3c: data_o <= 125'h16247eb03a53d6467ad62a8dbfe09dbd;
                7'h3d: data_o <= 125'h16434634ccc3db9be56e2ac8e6c09e98;
                7'h3e: data_o <= 125'h166238825523e0f8ba082b045fe09f75;
                7'h3f: data_o <= 125'h168155d44cb3e65d02f22b402bc0a053;
                7'h40: data_o <= 125'h16a09e667f43ebc8ca862b7c4aa0a131;
                7'h41: data_o <= 125'h16c012750be3f13c1b322bb8bd20a211;
                7'h42: data_o <= 125'h16dfb23c6523f6b6ff6e2bf583a0a2f3;
                7'h43: data_o <= 125'h16ff7df95193fc3981c42c329ea0a3d5;
                7'h44: data_o <= 125'h171f75e8ec6401c3acc82c700ea0a4b9;
                7'h45: data_o <= 125'h173f9a48a58407558b222cadd400a59e;
                7'h46: data_o <= 125'h175feb5642640cef27842cebef20a684;
                7'h47: data_o <= 125'h1780694fde6412908cb22d2a60c0a76c;
                7'h48: data_o <= 125'h17a11473eb041839c57e2d692900a854;
                7'h49: data_o <= 125'h17c1ed0130c41deadcca2da848a0a93e;
                7'h4a: data_o <= 125'h17e2f336cf5423a3dd862de7c000aa2a;
                7'h4b: data_o <= 125'h180427543e242964d2b02e278fa0ab16;
                7'h4c: data_o <= 125'h182589994cd42f2dc75a2e67b7e0ac04;
                7'h4d: data_o <= 125'h18471a4623c434fec69e2ea83940acf3;
                7'h4e: data_o <= 125'h1868d99b44943ad7dbac2ee91460ade4;
                7'h4f: data_o <= 125'h188ac7d98a6440b911c22f2a49c0aed5;
                7'h50: data_o <= 125'h18ace5422aa446a2742a2f6bd9a0afc8;
                7'h51: data_o <= 125'h18cf3216b5444c940e422fadc4a0b0bd;
                7'h52: data_o <= 125'h18f1ae991574528deb762ff00b60b1b2;
                7'h53: data_o <= 125'h19145b0b9204589017443032ae20b2a9;
                7'h54: data_o <= 125'h193737b0cdc45e9a9d343075ada0b3a2;
                7'h55: data_o <= 125'h195a44cbc85464ad88e630b90a40b49b;
                7'h56: data_o <= 125'h197d829fde546ac8e60430fcc460b596;
                7'h57: data_o <= 125'h19a0f170ca0470ecc04c3140dcc0b693;
                7'h58: data_o <= 125'h19c49182a3f477192388318553c0b791;
                7'h59: data_o <= 125'h19e86319e3247d4e1b9a31ca2a00b890;
                7'h5a: data_o <= 125'h1a0c667b5de4838bb46c320f5fc0b990;
                7'h5b: data_o <= 125'h1a309bec4a3489d1f9fc3254f5e0ba92;
                7'h5c: data_o <= 125'h1a5503b23e249020f85c329aeca0bb96;
                7'h5d: data_o <= 125'h1a799e1330b49678bba832e144c0bc9a;
                7'h5e: data_o <= 125'h1a9e6b557a049cd950143327fea0bda1;
                7'h5f: data_o <= 125'h1ac36bbfd3f4a342c1e0336f1ac0bea8;
                7'h60: data_o <= 125'h1ae89f995ad4a9b51d5e33b699c0bfb1;
                7'h61: data_o <= 125'h1b0e07298db4b0306ef433fe7c20c0bc;
                7'h62: data_o <= 125'h1b33a2b84f14b6b4c3143446c260c1c7;
                7'h63: data_o <= 125'h1b59728de564bd422644348f6d20c2d5;
                7'h64: data_o <= 125'h1b7f76f2fb64c3d8a51e34d87ce0c3e4;
                7'h65: data_o <= 125'h1ba5b030a104ca784c4c3521f240c4f4;
                7'h66: data_o <= 125'h1bcc1e904bc4d1212884356bcdc0c606;
                7'h67: data_o <= 125'h1bf2c25bd724d7d3469835b60fe0c719;
                7'h68: data_o <= 125'h1c199bdd8554de8eb3623600b920c82e;
                7'h69: data_o <= 125'h1c40ab5fffd4e5537bd4364bca40c944;
                7'h6a: data_o <= 125'h1c67f12e57d4ec21acee369743c0ca5c;
                7'h6b: data_o <= 125'h1c8f6d9406e4f2f953c836e32620cb75;
                7'h6c: data_o <= 125'h1cb720dcef94f9da7d86372f7200cc90;
                7'h6d: data_o <= 125'h1cdf0b555dc500c53762377c27e0cdac;
                7'h6e: data_o <= 125'h1d072d4a079507b98ea437c94880ceca;
                7'h6f: data_o <= 125'h1d2f87080d950eb790ac3816d440cfea;
                7'h70: data_o <= 125'h1d5818dcfba515bf4aea3864cbc0d10b;
                7'h71: data_o <= 125'h1d80e316c9851cd0cae038b32fc0d22d;
                7'h72: data_o <= 125'h1da9e603db3523ec1e24390200a0d351;
                7'h73: data_o <= 125'h1dd321f301b52b11525c39513f20d477;
                7'h74: data_o <= 125'h1dfc97337ba53240754839a0ebc0d59e;
                7'h75: data_o <= 125'h1e264614f5a5397994b439f10720d6c7;
                7'h76: data_o <= 125'h1e502ee78b4540bcbe803a4191e0d7f2;
                7'h77: data_o <= 125'h1e7a51fbc755480a00a43a928c80d91e;
                7'h78: data_o <= 125'h1ea4afa2a4954f6169283ae3f7c0da4c;
                7'h79: data_o <= 125'h1ecf482d8e6556c306263b35d420db7b;
                7'h7a: data_o <= 125'h1efa1bee61655e2ee5ce3b882260dcac;
                7'h7b: data_o <= 125'h1f252b376bc565a516643bdae300dddf;
                7'h7c: data_o <= 125'h1f50765b6e456d25a63e3c2e16a0df14;
                7'h7d: data_o <= 125'h1f7bfdad9cc574b0a3c83c81be00e04a;
                7'h7e: data_o <= 125'h1fa7c1819e957c461d803cd5d980e181;
                default: data_o <= 125'h1fd3c22b8f7583e621fc3d2a6a00e2bb;
            endcase
        end
    end

endmodule

`default_nettype wire

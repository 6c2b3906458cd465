// igpu_math_rom_log - cubic coefficients of log2(1 + t) / t, t in [-1/4, 1/2)
// Made by csim/fpu/math_tables.py; do not edit.
//
// Function  data_o = {c0, c1, c2, c3} of segment seg_i, 41 + 35 + 28 + 21 bits, in units
//           of 2^-40; c0 is unsigned, the others are signed.
// Timing    1 cycle, one read a clock: a block RAM or LUTs, as the tool likes.
// Contract  seg_i is signed, -64 to 127; others read as segment 127.
// Reset     none: data follows the address.
// Model     csim/fpu/math_table.c  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none

module igpu_math_rom_log (
    input  wire         clk_i,
    input  wire         en_i,    // read
    input  wire [7:0]   seg_i,   // row
    output reg  [124:0] data_o   // its bits
);

    always @(posedge clk_i) begin
        if (en_i) begin
            case (seg_i)
                8'hc0: data_o <= 125'h1a8ff971811de477cb081d43581f1b11;
                8'hc1: data_o <= 125'h1a7f2bc3366de81ad9341ced7eff1ecc;
                8'hc2: data_o <= 125'h1a6e7b02ac2debb342981c990bff2273;
                8'hc3: data_o <= 125'h1a5de6db6e0def4133821c45f77f2606;
                8'hc4: data_o <= 125'h1a4d6efa662df2c4d74a1bf43a3f2986;
                8'hc5: data_o <= 125'h1a3d130dd5ddf63e58641ba3ccdf2cf3;
                8'hc6: data_o <= 125'h1a2cd2c54e8df9ade0601b54a87f304e;
                8'hc7: data_o <= 125'h1a1cadd1aaadfd1397f01b06c63f3397;
                8'hc8: data_o <= 125'h1a0ca3e506ae006fa6ec1aba1f7f36cf;
                8'hc9: data_o <= 125'h19fcb4b2baae03c2345c1a6eadbf39f7;
                8'hca: data_o <= 125'h19ecdfef53ce070b667e1a246abf3d0d;
                8'hcb: data_o <= 125'h19dd25508dee0a4b62c219db503f4014;
                8'hcc: data_o <= 125'h19cd848d4d4e0d824ddc1993583f430b;
                8'hcd: data_o <= 125'h19bdfd5d98ee10b04bbe194c7cdf45f3;
                8'hce: data_o <= 125'h19ae8f7a946e13d57fa01906b87f48cc;
                8'hcf: data_o <= 125'h199f3a9e7a5e16f20c0618c2055f4b97;
                8'hd0: data_o <= 125'h198ffe84969e1a0612ca187e5e5f4e53;
                8'hd1: data_o <= 125'h1980dae9413e1d11b512183bbddf5102;
                8'hd2: data_o <= 125'h1971cf89d8ce2015136017fa1edf53a3;
                8'hd3: data_o <= 125'h1962dc24bd6e23104d9417b97c5f5637;
                8'hd4: data_o <= 125'h195400794b9e260382ec1779d13f58be;
                8'hd5: data_o <= 125'h19453c47d76e28eed208173b18df5b39;
                8'hd6: data_o <= 125'h19368f51a79e2bd258f816fd4e7f5da7;
                8'hd7: data_o <= 125'h1927f958f10e2eae352e16c06d9f600a;
                8'hd8: data_o <= 125'h19197a20d1de318283941684719f6261;
                8'hd9: data_o <= 125'h190b116d4d3e344f60801649561f64ac;
                8'hda: data_o <= 125'h18fcbf0346fe3714e7c0160f16ff66ed;
                8'hdb: data_o <= 125'h18ee82a87f3e39d3349e15d5afff6922;
                8'hdc: data_o <= 125'h18e05c238e3e3c8a61da159d1d1f6b4d;
                8'hdd: data_o <= 125'h18d24b3be05e3f3a89b815655a5f6d6e;
                8'hde: data_o <= 125'h18c44fb9b20e41e3c600152e63bf6f84;
                8'hdf: data_o <= 125'h18b669660c2e44862ffa14f8359f7191;
                8'he0: data_o <= 125'h18a8980abfce4721e07a14c2cc3f7394;
                8'he1: data_o <= 125'h189adb7262de49b6efdc148e23df758d;
                8'he2: data_o <= 125'h188d33684c6e4c45760a145a391f777e;
                8'he3: data_o <= 125'h187f9fb8911e4ecd8a821427087f7965;
                8'he4: data_o <= 125'h1872202fffae514f444e13f48e7f7b43;
                8'he5: data_o <= 125'h1864b49c1d8e53caba1013c2c7ff7d19;
                8'he6: data_o <= 125'h18575ccb238e564002041391b1bf7ee7;
                8'he7: data_o <= 125'h184a188bfaee58af31fc1361485f80ac;
                8'he8: data_o <= 125'h183ce7ae39ae5b185f66133188ff8269;
                8'he9: data_o <= 125'h182fca021fde5d7b9f521302707f841e;
                8'hea: data_o <= 125'h1822bf58946e5fd9066a12d3fbff85cb;
                8'heb: data_o <= 125'h1815c783225e6230a90012a6287f8771;
                8'hec: data_o <= 125'h1808e253f59e64829b081278f31f8910;
                8'hed: data_o <= 125'h17fc0f9dd86e66cef01e124c595f8aa7;
                8'hee: data_o <= 125'h17ef4f34306e6915bb821220583f8c37;
                8'hef: data_o <= 125'h17e2a0eafc0e6b57102411f4ed3f8dc1;
                8'hf0: data_o <= 125'h17d60496cfce6d93009e11ca15bf8f43;
                8'hf1: data_o <= 125'h17c97a0cd3be6fc99f34119fcf1f90bf;
                8'hf2: data_o <= 125'h17bd0122c0de71fafde01176171f9235;
                8'hf3: data_o <= 125'h17b099aede9e74272e46114ceaff93a4;
                8'hf4: data_o <= 125'h17a44388007e764e41c61124489f950d;
                8'hf5: data_o <= 125'h1797fe8583be7870496c10fc2d9f966f;
                8'hf6: data_o <= 125'h178bca7f4cce7a8d560010d4977f97cc;
                8'hf7: data_o <= 125'h177fa74dc53e7ca577fc10ad843f9923;
                8'hf8: data_o <= 125'h177394c9d96e7eb8bf9a1086f19f9a74;
                8'hf9: data_o <= 125'h176792ccf63e80c73cca1060dd7f9bc0;
                8'hfa: data_o <= 125'h175ba131074e82d0ff3a103b459f9d06;
                8'hfb: data_o <= 125'h174fbfd0743e84d616521016281f9e47;
                8'hfc: data_o <= 125'h1743ee861f3e86d6913e0ff182df9f83;
                8'hfd: data_o <= 125'h17382d2d62ce88d27ee80fcd53ffa0b9;
                8'hfe: data_o <= 125'h172c7ba20f7e8ac9edf80fa9997fa1ea;
                8'hff: data_o <= 125'h1720d9c06a8e8cbcecde0f86515fa316;
                8'h00: data_o <= 125'h171547652b8e8eab89cc0f6379ffa43e;
                8'h01: data_o <= 125'h1709c46d7abe9095d2b60f41115fa561;
                8'h02: data_o <= 125'h16fe50b6ef1e927bd55c0f1f15bfa67f;
                8'h03: data_o <= 125'h16f2ec1f8cae945d9f420efd855fa798;
                8'h04: data_o <= 125'h16e79685c2de963b3db40edc5e7fa8ad;
                8'h05: data_o <= 125'h16dc4fc86a7e9814bdc80ebb9f9fa9be;
                8'h06: data_o <= 125'h16d117c6c44e99ea2c600e9b46dfaaca;
                8'h07: data_o <= 125'h16c5ee60774e9bbb962a0e7b52bfabd2;
                8'h08: data_o <= 125'h16bad3758f0e9d89079e0e5bc19facd6;
                8'h09: data_o <= 125'h16afc6e67a1e9f528d060e3c91ffadd6;
                8'h0a: data_o <= 125'h16a4c894089ea11832780e1dc23faed2;
                8'h0b: data_o <= 125'h1699d85f6a7ea2da03d80dff50ffafca;
                8'h0c: data_o <= 125'h168ef62a2e3ea4980cde0de13c9fb0be;
                8'h0d: data_o <= 125'h168421d63f3ea65259120dc383dfb1ae;
                8'h0e: data_o <= 125'h16795b45e48ea808f3ce0da6253fb29b;
                8'h0f: data_o <= 125'h166ea25bbf3ea9bbe8420d891f5fb384;
                8'h10: data_o <= 125'h1663f6fac91eab6b416e0d6c70bfb469;
                8'h11: data_o <= 125'h16595906537ead170a2a0d50185fb54b;
                8'h12: data_o <= 125'h164ec862058eaebf4d200d34149fb62a;
                8'h13: data_o <= 125'h164444f1db6eb06414d80d18645fb705;
                8'h14: data_o <= 125'h1639ce9a249eb2056ba80cfd063fb7dd;
                8'h15: data_o <= 125'h162f653f82beb3a35bc60ce1f91fb8b1;
                8'h16: data_o <= 125'h162508c6e88eb53def3c0cc73bbfb983;
                8'h17: data_o <= 125'h161ab915986eb6d52fee0cacccffba51;
                8'h18: data_o <= 125'h16107611235eb869279c0c92ab9fbb1d;
                8'h19: data_o <= 125'h16063f9f67beb9f9dfe00c78d67fbbe5;
                8'h1a: data_o <= 125'h15fc15a6903ebb8762320c5f4c5fbcaa;
                8'h1b: data_o <= 125'h15f1f80d129ebd11b7e00c460c5fbd6d;
                8'h1c: data_o <= 125'h15e7e6b9ae8ebe98ea1c0c2d153fbe2c;
                8'h1d: data_o <= 125'h15dde1936ccec01d01f20c1465ffbee9;
                8'h1e: data_o <= 125'h15d3e8819ddec19e084c0bfbfd7fbfa3;
                8'h1f: data_o <= 125'h15c9fb6bd92ec31c05f40be3dadfc05b;
                8'h20: data_o <= 125'h15c01a39fbdec49703920bcbfcffc110;
                8'h21: data_o <= 125'h15b644d427dec60f09b00bb462dfc1c2;
                8'h22: data_o <= 125'h15ac7b22c2dec78420b80b9d0b9fc271;
                8'h23: data_o <= 125'h15a2bd0e756ec8f650f20b85f61fc31e;
                8'h24: data_o <= 125'h15990a8029deca65a28a0b6f219fc3c9;
                8'h25: data_o <= 125'h158f63610b6ecbd21d900b588cffc471;
                8'h26: data_o <= 125'h1585c79a857ecd3bc9f60b42377fc517;
                8'h27: data_o <= 125'h157c3716424ecea2af8e0b2c201fc5ba;
                8'h28: data_o <= 125'h1572b1be2a5ed006d6100b16461fc65c;
                8'h29: data_o <= 125'h1569377c639ed16845180b00a89fc6fb;
                8'h2a: data_o <= 125'h155fc83b504ed2c704280aeb469fc797;
                8'h2b: data_o <= 125'h155663e58e3ed4231aa40ad61f7fc832;
                8'h2c: data_o <= 125'h154d0a65f61ed57c8fd80ac1323fc8ca;
                8'h2d: data_o <= 125'h1543bba79a8ed6d36af80aac7e1fc961;
                8'h2e: data_o <= 125'h153a7795c74ed827b3180a98025fc9f5;
                8'h2f: data_o <= 125'h15313e1c006ed9796f380a83be1fca87;
                8'h30: data_o <= 125'h15280f2601aedac8a6420a6fb0bfcb17;
                8'h31: data_o <= 125'h151eea9fbd7edc155efe0a5bd97fcba5;
                8'h32: data_o <= 125'h1515d0755c6edd5fa0280a48377fcc32;
                8'h33: data_o <= 125'h150cc0933c7edea7705a0a34ca1fccbc;
                8'h34: data_o <= 125'h1503bae5f01edfecd6200a2190bfcd44;
                8'h35: data_o <= 125'h14fabf5a3daee12fd7ea0a0e8a5fcdcb;
                8'h36: data_o <= 125'h14f1cddd1ecee2707c1009fbb69fce50;
                8'h37: data_o <= 125'h14e8e65bbf8ee3aec8da09e9149fced3;
                8'h38: data_o <= 125'h14e008c37dcee4eac47809d6a3bfcf54;
                8'h39: data_o <= 125'h14d73501e89ee624750209c4637fcfd4;
                8'h3a: data_o <= 125'h14ce6b04bf9ee75be07e09b252ffd052;
                8'h3b: data_o <= 125'h14c5aab9f21ee8910ce009a071bfd0ce;
                8'h3c: data_o <= 125'h14bcf40f9ecee9c40000098ebeffd149;
                8'h3d: data_o <= 125'h14b446f412ceeaf4bfac097d3a5fd1c2;
                8'h3e: data_o <= 125'h14aba355c95eec235196096be2ffd239;
                8'h3f: data_o <= 125'h14a309236b0eed4fbb60095ab87fd2af;
                8'h40: data_o <= 125'h149a784bcd2eee7a029e0949ba1fd323;
                8'h41: data_o <= 125'h1491f0bdf13eefa22cc80938e75fd396;
                8'h42: data_o <= 125'h14897269047ef0c83f4a09283f9fd407;
                8'h43: data_o <= 125'h1480fd3c5f0ef1ec3f800917c27fd477;
                8'h44: data_o <= 125'h1478912783aef30e32ac09076f3fd4e6;
                8'h45: data_o <= 125'h14702e1a1eeef42e1e0608f7455fd553;
                8'h46: data_o <= 125'h1467d40406def54c06b408e7445fd5be;
                8'h47: data_o <= 125'h145f82d53a7ef667f1c608d76bbfd628;
                8'h48: data_o <= 125'h14573a7de0fef781e44008c7badfd691;
                8'h49: data_o <= 125'h144efaee497ef899e31808b8317fd6f9;
                8'h4a: data_o <= 125'h1446c416ea6ef9aff32c08a8cebfd75f;
                8'h4b: data_o <= 125'h143e95e8610efac419500899927fd7c4;
                8'h4c: data_o <= 125'h1436705370fefbd65a48088a7bffd828;
                8'h4d: data_o <= 125'h142e534903aefce6bac8087b8affd88a;
                8'h4e: data_o <= 125'h14263eba27fefdf53f74086cbebfd8eb;
                8'h4f: data_o <= 125'h141e329811aeff01ece2085e171fd94b;
                8'h50: data_o <= 125'h14162ed418ef000cc798084f935fd9aa;
                8'h51: data_o <= 125'h140e335fb9ef0115d4100841333fda08;
                8'h52: data_o <= 125'h1406402c946f021d16b40832f61fda64;
                8'h53: data_o <= 125'h13fe552c6b5f032293e00824dbbfdac0;
                8'h54: data_o <= 125'h13f67251242f04264fe40816e39fdb1a;
                8'h55: data_o <= 125'h13ee978cc69f05284f0008090d3fdb73;
                8'h56: data_o <= 125'h13e6c4d17c6f0628956a07fb585fdbcb;
                8'h57: data_o <= 125'h13defa11908f0727274407edc47fdc22;
                8'h58: data_o <= 125'h13d7373f6eff082408ac07e0511fdc78;
                8'h59: data_o <= 125'h13cf7c4da45f091f3dae07d2fe1fdccd;
                8'h5a: data_o <= 125'h13c7c92edd9f0a18ca4a07c5cadfdd20;
                8'h5b: data_o <= 125'h13c01dd5e74f0b10b27407b8b6ffdd73;
                8'h5c: data_o <= 125'h13b87a35ad7f0c06fa1207abc21fddc5;
                8'h5d: data_o <= 125'h13b0de413b6f0cfba502079eec1fde16;
                8'h5e: data_o <= 125'h13a949ebbadf0deeb7140792343fde66;
                8'h5f: data_o <= 125'h13a1bd2873df0ee0340a07859a5fdeb5;
                8'h60: data_o <= 125'h139a37eaccaf0fd01fa007791e1fdf03;
                8'h61: data_o <= 125'h1392ba2648df10be7d80076cbf1fdf50;
                8'h62: data_o <= 125'h138b43ce895f11ab514e07607cffdf9c;
                8'h63: data_o <= 125'h1383d4d74bff12969ea20754577fdfe7;
                8'h64: data_o <= 125'h137c6d346b1f1380690607484e1fe031;
                8'h65: data_o <= 125'h13750cd9dd6f1468b3fe073c609fe07b;
                8'h66: data_o <= 125'h136db3bbb54f154f830007308ebfe0c4;
                8'h67: data_o <= 125'h136661ce20df1634d9780724d81fe10b;
                8'h68: data_o <= 125'h135f1705694f1718baca07193c5fe152;
                8'h69: data_o <= 125'h1357d355f2df17fb2a4e070dbb3fe198;
                8'h6a: data_o <= 125'h135096b43c6f18dc2b540702545fe1de;
                8'h6b: data_o <= 125'h13496114df0f19bbc11c06f7079fe222;
                8'h6c: data_o <= 125'h1342326c8dcf1a99eee606ebd47fe266;
                8'h6d: data_o <= 125'h133b0ab0158f1b76b7e206e0babfe2a9;
                8'h6e: data_o <= 125'h1333e9d45c7f1c521f3806d5ba1fe2eb;
                8'h6f: data_o <= 125'h132ccfce61ef1d2c280806cad23fe32d;
                8'h70: data_o <= 125'h1325bc933e0f1e04d56406c002ffe36d;
                8'h71: data_o <= 125'h131eb018216f1edc2a5e06b54bffe3ad;
                8'h72: data_o <= 125'h1317aa52551f1fb229f606aaacffe3ec;
                8'h73: data_o <= 125'h1310ab373a0f2086d72806a0259fe42b;
                8'h74: data_o <= 125'h1309b2bc48bf215a34e80695b5bfe469;
                8'h75: data_o <= 125'h1302c0d7116f222c4620068b5d1fe4a6;
                8'h76: data_o <= 125'h12fbd57d3b3f22fd0db006811b5fe4e2;
                8'h77: data_o <= 125'h12f4f0a4847f23cc8e720676f03fe51e;
                8'h78: data_o <= 125'h12ee1242c1ff249acb36066cdb9fe559;
                8'h79: data_o <= 125'h12e73a4ddeff2567c6c80662dcffe594;
                8'h7a: data_o <= 125'h12e068bbdcef263383e80658f45fe5cd;
                8'h7b: data_o <= 125'h12d99d82d31f26fe054e064f217fe607;
                8'h7c: data_o <= 125'h12d2d898eeaf27c74dae064563ffe63f;
                8'h7d: data_o <= 125'h12cc19f471ff288f5fb0063bbbbfe677;
                8'h7e: data_o <= 125'h12c5618bb4af29563df80632285fe6ae;
                default: data_o <= 125'h12beaf55236f2a1beb200628a9bfe6e5;
            endcase
        end
    end

endmodule

`default_nettype wire

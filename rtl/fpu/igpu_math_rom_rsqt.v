// igpu_math_rom_rsqt - cubic coefficients of 1 / sqrt(v), v in [1, 2), then [2, 4)
// Made by csim/fpu/math_tables.py; do not edit.
//
// Function  data_o = {c0, c1, c2, c3} of segment seg_i, 41 + 35 + 28 + 21 bits, in units
//           of 2^-40; c0 is unsigned, the others are signed.
// Timing    1 cycle, one read a clock: a block RAM or LUTs, as the tool likes.
// Contract  every seg_i is a segment.
// Reset     none: data follows the address.
// Model     csim/fpu/math_table.c  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none

module igpu_math_rom_rsqt (
    input  wire         clk_i,
    input  wire         en_i,    // read
    input  wire [7:0]   seg_i,   // row
    output reg  [124:0] data_o   // its bits
);

    always @(posedge clk_i) begin
        if (en_i) begin
            case (seg_i)
                8'h00: data_o <= 125'h10000000000e000001ca2fff593d88aa;
                8'h01: data_o <= 125'h0ff017d8458e05f1246c2f129d3d9990;
                8'h02: data_o <= 125'h0fe05ec4508e0bc514d42e2c375da9e3;
                8'h03: data_o <= 125'h0fd0d3ddb0fe117c9a522d4bf03db9a8;
                8'h04: data_o <= 125'h0fc17644160e1718756c2c7192ddc8e5;
                8'h05: data_o <= 125'h0fb2451d191e1c99602c2b9cebfdd79f;
                8'h06: data_o <= 125'h0fa33f940a6e22000e582acdcb3de5dd;
                8'h07: data_o <= 125'h0f9464d9c07e274d2dc42a04015df3a3;
                8'h08: data_o <= 125'h0f85b424695e2c81667e293f617e00f5;
                8'h09: data_o <= 125'h0f772caf5d5e319d5b16287fc07e0dd9;
                8'h0a: data_o <= 125'h0f68cdbaf3ce36a1a8d227c4f4fe1a53;
                8'h0b: data_o <= 125'h0f5a968c59fe3b8ee7de270ed6de2667;
                8'h0c: data_o <= 125'h0f4c866d6abe4065ab8c265d401e3218;
                8'h0d: data_o <= 125'h0f3e9cac889e4526827625b00bbe3d6b;
                8'h0e: data_o <= 125'h0f30d89c78ce49d1f6b42507167e4864;
                8'h0f: data_o <= 125'h0f2339943fde4e688e0a24623e3e5305;
                8'h10: data_o <= 125'h0f15beeeff8e52eaca0e23c1625e5d52;
                8'h11: data_o <= 125'h0f08680bd63e575928522324633e674e;
                8'h12: data_o <= 125'h0efb344dbf3e5bb4228e228b229e70fc;
                8'h13: data_o <= 125'h0eee231b74be5ffc2ebc21f5835e7a60;
                8'h14: data_o <= 125'h0ee133df523e6431bf462163693e837b;
                8'h15: data_o <= 125'h0ed4660738ae6855432220d4b95e8c51;
                8'h16: data_o <= 125'h0ec7b904736e6c6725f22049595e94e3;
                8'h17: data_o <= 125'h0ebb2c4b9dce7067d0261fc1303e9d35;
                8'h18: data_o <= 125'h0eaebf548a6e7457a7161f3c25dea549;
                8'h19: data_o <= 125'h0ea2719a2a7e78370d201eba229ead20;
                8'h1a: data_o <= 125'h0e96429a76be7c0661c61e3b103eb4bd;
                8'h1b: data_o <= 125'h0e8a31d658ce7fc601c01dbed8bebc23;
                8'h1c: data_o <= 125'h0e7e3ed1955e837647241d45673ec352;
                8'h1d: data_o <= 125'h0e726912b72e871789681ccea77eca4e;
                8'h1e: data_o <= 125'h0e66b022fafe8aaa1d8e1c5a85fed117;
                8'h1f: data_o <= 125'h0e5b138e3bce8e2e56301be8efbed7af;
                8'h20: data_o <= 125'h0e4f92e2dffe91a483921b79d29ede18;
                8'h21: data_o <= 125'h0e442db1c75e950cf3be1b0d1cfee454;
                8'h22: data_o <= 125'h0e38e38e38ee9867f2941aa2bdbeea64;
                8'h23: data_o <= 125'h0e2db40dd29e9bb5c9da1a3aa47ef04a;
                8'h24: data_o <= 125'h0e229ec8783e9ef6c15219d4c15ef607;
                8'h25: data_o <= 125'h0e17a35843dea22b1ecc1971051efb9c;
                8'h26: data_o <= 125'h0e0cc159767ea5532632190f609f010b;
                8'h27: data_o <= 125'h0e01f86a68fea86f199a18afc59f0654;
                8'h28: data_o <= 125'h0df7482b7ddeab7f39561852263f0b7a;
                8'h29: data_o <= 125'h0decb03f134eae83c40217f674ff107d;
                8'h2a: data_o <= 125'h0de2304975aeb17cf694179ca4ff155f;
                8'h2b: data_o <= 125'h0dd7c7f0d29eb46b0c641744a95f1a20;
                8'h2c: data_o <= 125'h0dcd76dd2c4eb74e3f4016ee761f1ec1;
                8'h2d: data_o <= 125'h0dc33cb84d5eba26c7761699ff5f2344;
                8'h2e: data_o <= 125'h0db9192dbcfebcf4dbe0164739bf27a9;
                8'h2f: data_o <= 125'h0daf0beab35ebfb8b1ee15f619ff2bf2;
                8'h30: data_o <= 125'h0da5149e0edec2727db215a6957f301f;
                8'h31: data_o <= 125'h0d9b32f848fec52271ee1558a1bf3431;
                8'h32: data_o <= 125'h0d9166ab6c4ec7c8c01a150c34bf3829;
                8'h33: data_o <= 125'h0d87af6b09feca65987014c144bf3c07;
                8'h34: data_o <= 125'h0d7e0cec303eccf929f81477c81f3fcd;
                8'h35: data_o <= 125'h0d747ee560decf83a28e142fb5df437c;
                8'h36: data_o <= 125'h0d6b050e87eed2052eea13e904df4713;
                8'h37: data_o <= 125'h0d619f20f2ced47dfaae13a3ac9f4a94;
                8'h38: data_o <= 125'h0d584cd747bed6ee306a135fa49f4dff;
                8'h39: data_o <= 125'h0d4f0ded7d2ed955f9a4131ce4bf5155;
                8'h3a: data_o <= 125'h0d45e220d1fedbb57ee412db651f5496;
                8'h3b: data_o <= 125'h0d3cc92fc4fede0ce7b4129b1e1f57c4;
                8'h3c: data_o <= 125'h0d33c2da0ddee05c5ab2125c083f5adf;
                8'h3d: data_o <= 125'h0d2acee0956ee2a3fd8e121e1c1f5de6;
                8'h3e: data_o <= 125'h0d21ed056e3ee4e3f51211e152ff60dc;
                8'h3f: data_o <= 125'h0d191d0bcdeee71c652c11a5a5df63bf;
                8'h40: data_o <= 125'h0d105eb8061ee94d70f4116b0dff6692;
                8'h41: data_o <= 125'h0d07b1cf7ddeeb773ab01131853f6954;
                8'h42: data_o <= 125'h0cff1618ab2eed99e3da10f9051f6c05;
                8'h43: data_o <= 125'h0cf68b5b0cceefb58d2610c1879f6ea7;
                8'h44: data_o <= 125'h0cee115f242ef1ca568a108b06bf713a;
                8'h45: data_o <= 125'h0ce5a7ee6f6ef3d85f4010557cdf73be;
                8'h46: data_o <= 125'h0cdd4ed363aef5dfc5cc1020e45f7633;
                8'h47: data_o <= 125'h0cd505d9674ef7e0a8040fed37bf789a;
                8'h48: data_o <= 125'h0cccccccccdef9db230e0fba71bf7af3;
                8'h49: data_o <= 125'h0cc4a37acd4efbcf53700f888d3f7d3f;
                8'h4a: data_o <= 125'h0cbc89b1834efdbd55060f57853f7f7e;
                8'h4b: data_o <= 125'h0cb47f3fe5eeffa543120f2754df81b0;
                8'h4c: data_o <= 125'h0cac83f5c3df0187383e0ef7f73f83d6;
                8'h4d: data_o <= 125'h0ca497a3becf03634e980ec967ff85f0;
                8'h4e: data_o <= 125'h0c9cba1b468f05399fa60e9ba27f87ff;
                8'h4f: data_o <= 125'h0c94eb2e94df070a44560e6ea25f8a02;
                8'h50: data_o <= 125'h0c8d2ab0a8cf08d555140e42637f8bfa;
                8'h51: data_o <= 125'h0c85787542af0a9ae9c00e16e17f8de7;
                8'h52: data_o <= 125'h0c7dd450dfbf0c5b19ba0dec187f8fca;
                8'h53: data_o <= 125'h0c763e18b65f0e15fbe40dc2047f91a3;
                8'h54: data_o <= 125'h0c6eb5a2b1df0fcba6a00d98a1bf9371;
                8'h55: data_o <= 125'h0c673ac56ebf117c2fda0d6fec7f9536;
                8'h56: data_o <= 125'h0c5fcd58371f1327ad060d47e0ff96f2;
                8'h57: data_o <= 125'h0c586d32fedf14ce33260d207bdf98a4;
                8'h58: data_o <= 125'h0c511a2e602f166fd6d00cf9b99f9a4d;
                8'h59: data_o <= 125'h0c49d423983f180cac240cd396bf9bee;
                8'h5a: data_o <= 125'h0c429aec838f19a4c6e00cae101f9d86;
                8'h5b: data_o <= 125'h0c3b6e639aff1b383a580c89229f9f15;
                8'h5c: data_o <= 125'h0c344e63f04f1cc719780c64cadfa09d;
                8'h5d: data_o <= 125'h0c2d3ac92b3f1e5176ce0c4105ffa21d;
                8'h5e: data_o <= 125'h0c26336f865f1fd764820c1dd0ffa395;
                8'h5f: data_o <= 125'h0c1f3833cc2f2158f4660bfb28dfa505;
                8'h60: data_o <= 125'h0c1848f3540f22d637e80bd90affa66e;
                8'h61: data_o <= 125'h0c11658bff9f244f40240bb7749fa7d0;
                8'h62: data_o <= 125'h0c0a8ddc37ff25c41ddc0b9662dfa92b;
                8'h63: data_o <= 125'h0c03c1c2eaef2734e17c0b75d31faa7f;
                8'h64: data_o <= 125'h0bfd011f883f28a19b1e0b55c2ffabcd;
                8'h65: data_o <= 125'h0bf64bd1ff6f2a0a5a8a0b362fffad14;
                8'h66: data_o <= 125'h0befa1babcef2b6f2f3e0b17177fae54;
                8'h67: data_o <= 125'h0be902baa7cf2cd028640af8773faf8f;
                8'h68: data_o <= 125'h0be26eb31f6f2e2d54e00ada4cdfb0c3;
                8'h69: data_o <= 125'h0bdbe585f8ff2f86c3480abc961fb1f1;
                8'h6a: data_o <= 125'h0bd567157d4f30dc81ee0a9f50dfb31a;
                8'h6b: data_o <= 125'h0bcef34466bf322e9ede0a827abfb43d;
                8'h6c: data_o <= 125'h0bc889f5decf337d27da0a6611bfb55b;
                8'h6d: data_o <= 125'h0bc22b0d7c1f34c82a680a4a13dfb673;
                8'h6e: data_o <= 125'h0bbbd66f406f360fb3ca0a2e7effb786;
                8'h6f: data_o <= 125'h0bb58bff968f3753d1020a13513fb893;
                8'h70: data_o <= 125'h0baf4ba3506f38948ed209f8889fb99c;
                8'h71: data_o <= 125'h0ba9153fa4ff39d1f9c209de235fbaa0;
                8'h72: data_o <= 125'h0ba2e8ba2e9f3b0c1e1c09c41f5fbb9f;
                8'h73: data_o <= 125'h0b9cc5f8e8ff3c4307f209aa7b1fbc99;
                8'h74: data_o <= 125'h0b96ace22f9f3d76c31a0991349fbd8f;
                8'h75: data_o <= 125'h0b909d5cbb9f3ea75b3809784a5fbe80;
                8'h76: data_o <= 125'h0b8a974fa28f3fd4dbb2095fba9fbf6d;
                8'h77: data_o <= 125'h0b849aa2541f40ff4fc00947839fc056;
                8'h78: data_o <= 125'h0b7ea73c993f4226c260092fa3dfc13a;
                8'h79: data_o <= 125'h0b78bd0691bf434b3e62091819bfc21a;
                8'h7a: data_o <= 125'h0b72dbe8b33f446cce620900e3bfc2f7;
                8'h7b: data_o <= 125'h0b6d03cbc77f458b7cca08ea005fc3cf;
                8'h7c: data_o <= 125'h0b673498eacf46a753d608d36e1fc4a4;
                8'h7d: data_o <= 125'h0b616e398aaf47c05d9608bd2b7fc574;
                8'h7e: data_o <= 125'h0b5bb097645f48d6a3e608a7373fc641;
                8'h7f: data_o <= 125'h0b55fb9c832f49ea307c08918fdfc70b;
                8'h80: data_o <= 125'h0b504f333fae95f61adc21f077be4194;
                8'h81: data_o <= 125'h0b450fc06b9e9a29b5c22149123e4d87;
                8'h82: data_o <= 125'h0b39f1977b2e9e48ab9420a627be5912;
                8'h83: data_o <= 125'h0b2ef4157cbea25389442007911e6438;
                8'h84: data_o <= 125'h0b24169bd2dea64ad6f01f6d28de6eff;
                8'h85: data_o <= 125'h0b1958900eaeaa2f18281ed6cade7969;
                8'h86: data_o <= 125'h0b0eb95bcbceae00cc0a1e44549e837b;
                8'h87: data_o <= 125'h0b04386c8e0eb1c06d7e1db5a4fe8d38;
                8'h88: data_o <= 125'h0af9d5339fdeb56e735c1d2a9c1e96a4;
                8'h89: data_o <= 125'h0aef8f25f2feb90b50961ca31b9e9fc1;
                8'h8a: data_o <= 125'h0ae565bc018ebc9774621c1f061ea893;
                8'h8b: data_o <= 125'h0adb5871b0bec0134a581b9e3f3eb11e;
                8'h8c: data_o <= 125'h0ad166c634fec37f3aa61b20ac3eb962;
                8'h8d: data_o <= 125'h0ac7903bf65ec6dbaa201aa632dec164;
                8'h8e: data_o <= 125'h0abdd458770eca28fa6e1a2eba3ec926;
                8'h8f: data_o <= 125'h0ab432a439eecd678a2419ba2a1ed0aa;
                8'h90: data_o <= 125'h0aaaaaaaaabed097b4e419486b9ed7f3;
                8'h91: data_o <= 125'h0aa13bfa06bed3b9d37a18d9681edf02;
                8'h92: data_o <= 125'h0a97e62346bed6ce3bf6186d0a7ee5db;
                8'h93: data_o <= 125'h0a8ea8ba094ed9d541c418033dfeec7e;
                8'h94: data_o <= 125'h0a8583547e3edccf35cc179beebef2ef;
                8'h95: data_o <= 125'h0a7c758b52dedfbc66821737099ef92e;
                8'h96: data_o <= 125'h0a737ef99e8ee29d200616d47bfeff3e;
                8'h97: data_o <= 125'h0a6a9f3cd07ee571ac2c1674345f0520;
                8'h98: data_o <= 125'h0a61d5f49deee83a52a01616215f0ad6;
                8'h99: data_o <= 125'h0a5922c2f0eeeaf758f015ba329f1061;
                8'h9a: data_o <= 125'h0a50854bd7ceeda902a61560581f15c3;
                8'h9b: data_o <= 125'h0a47fd35752ef04f91501508827f1afe;
                8'h9c: data_o <= 125'h0a3f8a27f0cef2eb44a014b2a2ff2013;
                8'h9d: data_o <= 125'h0a372bcd686ef57c5a74145eab1f2503;
                8'h9e: data_o <= 125'h0a2ee1d1e1aef8030ee2140c8d1f29cf;
                8'h9f: data_o <= 125'h0a26abe33c3efa7f9c5413bc3bbf2e79;
                8'ha0: data_o <= 125'h0a1e89b1242efcf23b8c136da9ff3302;
                8'ha1: data_o <= 125'h0a167aed059eff5b23ba1320cb5f376a;
                8'ha2: data_o <= 125'h0a0e7f49ffbf01ba8a8412d593ff3bb4;
                8'ha3: data_o <= 125'h0a06967cd8ff0410a412128bf83f3fdf;
                8'ha4: data_o <= 125'h09fec03bf38f065da3261243ec9f43ee;
                8'ha5: data_o <= 125'h09f6fc3f41ef08a1b91c11fd667f47e0;
                8'ha6: data_o <= 125'h09ef4a403bff0add15f611b85b5f4bb8;
                8'ha7: data_o <= 125'h09e7a9f9d4cf0d0fe8721174c0ff4f75;
                8'ha8: data_o <= 125'h09e01b28700f0f3a5e0c11328d7f5319;
                8'ha9: data_o <= 125'h09d89d89d8af115ca30810f1b75f56a4;
                8'haa: data_o <= 125'h09d130dd36cf1376e28010b2357f5a17;
                8'hab: data_o <= 125'h09c9d4e306ff1589466c1073feff5d74;
                8'hac: data_o <= 125'h09c2895d110f1793f7ae10370b1f60ba;
                8'had: data_o <= 125'h09bb4e0e5f8f19971e120ffb517f63eb;
                8'hae: data_o <= 125'h09b422bb377f1b92e0640fc0ca1f6707;
                8'haf: data_o <= 125'h09ad0729100f1d87646c0f876d1f6a0e;
                8'hb0: data_o <= 125'h09a5fb1e8abf1f74cefc0f4f32df6d02;
                8'hb1: data_o <= 125'h099efe636c1f215b43f60f18141f6fe3;
                8'hb2: data_o <= 125'h099810c093ef233ae65a0ee2097f72b1;
                8'hb3: data_o <= 125'h099131fff67f2513d83e0ead0c5f756d;
                8'hb4: data_o <= 125'h098a61ec955f26e63ae40e7915df7819;
                8'hb5: data_o <= 125'h0983a05278df28b22eb80e461f7f7ab3;
                8'hb6: data_o <= 125'h097cecfea98f2a77d35e0e1422ff7d3d;
                8'hb7: data_o <= 125'h097647bf29bf2c3747ac0de31a3f7fb7;
                8'hb8: data_o <= 125'h096fb062ef9f2df0a9bc0db2ff5f8222;
                8'hb9: data_o <= 125'h096926b9df2f2fa416ea0d83cc5f847e;
                8'hba: data_o <= 125'h0962aa94c47f3151abde0d557bdf86cb;
                8'hbb: data_o <= 125'h095c3bc54e0f32f984920d28087f890a;
                8'hbc: data_o <= 125'h0955da1e076f349bbc4e0cfb6cbf8b3c;
                8'hbd: data_o <= 125'h094f857253ef36386dbc0ccfa39f8d61;
                8'hbe: data_o <= 125'h09493d96699f37cfb2e00ca4a83f8f78;
                8'hbf: data_o <= 125'h0943025f4c2f3961a5200c7a759f9183;
                8'hc0: data_o <= 125'h093cd3a2c82f3aee5d4e0c51073f9382;
                8'hc1: data_o <= 125'h0936b1376e4f3c75f3a60c28585f9575;
                8'hc2: data_o <= 125'h09309af48edf3df87fd20c00649f975d;
                8'hc3: data_o <= 125'h092a90b2358f3f7618f40bd927df993a;
                8'hc4: data_o <= 125'h09249249249f40eed5a40bb29dbf9b0b;
                8'hc5: data_o <= 125'h091e9f92d14f4262cbfa0b8cc23f9cd2;
                8'hc6: data_o <= 125'h0918b8695f3f43d211860b67915f9e8f;
                8'hc7: data_o <= 125'h0912dca79cff453cbb620b43073fa042;
                8'hc8: data_o <= 125'h090d0c28ffbf46a2de2c0b1f205fa1eb;
                8'hc9: data_o <= 125'h090746c99fef48048e0c0afbd8dfa38b;
                8'hca: data_o <= 125'h09018c66354f4961deb80ad92d3fa522;
                8'hcb: data_o <= 125'h08fbdcdc13bf4abae3760ab719ffa6af;
                8'hcc: data_o <= 125'h08f63809275f4c0faf200a959bffa834;
                8'hcd: data_o <= 125'h08f09dcbf18f4d6054240a74afbfa9b1;
                8'hce: data_o <= 125'h08eb0e03857f4eace48a0a54523fab25;
                8'hcf: data_o <= 125'h08e5888f852f4ff571f60a34803fac91;
                8'hd0: data_o <= 125'h08e00d501dff513a0dac0a1536dfadf6;
                8'hd1: data_o <= 125'h08da9c26061f527ac89009f6733faf52;
                8'hd2: data_o <= 125'h08d534f2794f53b7b32609d8323fb0a8;
                8'hd3: data_o <= 125'h08cfd797360f54f0dd9e09ba715fb1f6;
                8'hd4: data_o <= 125'h08ca83f67aef562657cc099d2dbfb33d;
                8'hd5: data_o <= 125'h08c539f303df5758312e098064bfb47d;
                8'hd6: data_o <= 125'h08bff970076f588678f2096413dfb5b7;
                8'hd7: data_o <= 125'h08bac251344f59b13df40948389fb6ea;
                8'hd8: data_o <= 125'h08b5947aaecf5ad88ebc092cd07fb817;
                8'hd9: data_o <= 125'h08b06fd10e4f5bfc798e0911d91fb93d;
                8'hda: data_o <= 125'h08ab54395aff5d1d0c5808f7503fba5e;
                8'hdb: data_o <= 125'h08a641990baf5e3a54ca08dd337fbb78;
                8'hdc: data_o <= 125'h08a137d6033f5f54604208c380bfbc8d;
                8'hdd: data_o <= 125'h089c36d68e6f606b3bde08aa35dfbd9d;
                8'hde: data_o <= 125'h08973e81620f617ef47a089150bfbea6;
                8'hdf: data_o <= 125'h08924ebd988f628f96aa0878cf3fbfab;
                8'he0: data_o <= 125'h088d6772b01f639d2ec40860af7fc0aa;
                8'he1: data_o <= 125'h08888888889f64a7c8e20848ef7fc1a4;
                8'he2: data_o <= 125'h0883b1e7618f65af70da08318d3fc29a;
                8'he3: data_o <= 125'h087ee377d88f66b4324a081a871fc38a;
                8'he4: data_o <= 125'h087a1d22e6ff67b618980803daffc476;
                8'he5: data_o <= 125'h08755ed1e09f68b52eea07ed877fc55d;
                8'he6: data_o <= 125'h0870a86e716f69b1803407d78a7fc640;
                8'he7: data_o <= 125'h086bf9e29c3f6aab172e07c1e29fc71e;
                8'he8: data_o <= 125'h08675318b8cf6ba1fe6207ac8e1fc7f8;
                8'he9: data_o <= 125'h0862b3fb725f6c96402007978b5fc8ce;
                8'hea: data_o <= 125'h085e1c75c5df6d87e6860782d8bfc9a0;
                8'heb: data_o <= 125'h08598c73006f6e76fb86076e74dfca6e;
                8'hec: data_o <= 125'h085503debdcf6f6388d8075a5e1fcb38;
                8'hed: data_o <= 125'h085082a4e6ff704d980e074692ffcbfe;
                8'hee: data_o <= 125'h084c08b1b0bf713532840733123fccc0;
                8'hef: data_o <= 125'h084795f199ef721a6172071fda5fcd7f;
                8'hf0: data_o <= 125'h08432a516a8f72fd2dd8070ce9ffce3a;
                8'hf1: data_o <= 125'h083ec5be31df73dda09806fa3fdfcef2;
                8'hf2: data_o <= 125'h083a6825459f74bbc25e06e7da9fcfa6;
                8'hf3: data_o <= 125'h08361174401f75979bb606d5b8dfd057;
                8'hf4: data_o <= 125'h0831c198ffaf767134fc06c3d99fd105;
                8'hf5: data_o <= 125'h082d7881a49f7748966e06b23b7fd1af;
                8'hf6: data_o <= 125'h0829361c90af781dc81806a0dd5fd257;
                8'hf7: data_o <= 125'h0824fa58657f78f0d1ec068fbdffd2fb;
                8'hf8: data_o <= 125'h0820c524037f79c1bbae067edc5fd39d;
                8'hf9: data_o <= 125'h081c966e88cf7a908d02066e373fd43b;
                8'hfa: data_o <= 125'h08186e27502f7b5d4d6c065dcd9fd4d7;
                8'hfb: data_o <= 125'h08144c3defbf7c280446064d9e5fd570;
                8'hfc: data_o <= 125'h081030a2380f7cf0b8ce063da87fd607;
                8'hfd: data_o <= 125'h080c1b44331f7db77222062deb1fd69a;
                8'hfe: data_o <= 125'h08080c14234f7e7c373c061e64dfd72b;
                default: data_o <= 125'h08040302823f7f3f0ef6060f153fd7ba;
            endcase
        end
    end

endmodule

`default_nettype wire

// igpu_math_rom_inv - cubic coefficients of 1 / m, m in [1, 2)
// Made by csim/fpu/math_tables.py; do not edit.
//
// Function  data_o = {c0, c1, c2, c3} of segment seg_i, 41 + 35 + 28 + 21 bits, in units
//           of 2^-40; c0 is unsigned, the others are signed.
// Timing    1 cycle, one read a clock: a block RAM or LUTs, as the tool likes.
// Contract  every seg_i is a segment.
// Reset     none: data follows the address.
// Model     csim/fpu/math_table.c  Tests: tests/rtl/igpu_math_tb.cpp

`default_nettype none

module igpu_math_rom_inv (
    input  wire         clk_i,
    input  wire         en_i,    // read
    input  wire [6:0]   seg_i,   // row
    output reg  [124:0] data_o   // its bits
);

    always @(posedge clk_i) begin
        if (en_i) begin
            case (seg_i)
                7'h00: data_o <= 125'h10000000000c000006867ffd9ed81fa7;
                7'h01: data_o <= 125'h0fe03f80fe0c0fd0850a7d098e785d38;
                7'h02: data_o <= 125'h0fc0fc0fc10c1f43f2687a2c93789873;
                7'h03: data_o <= 125'h0fa232cf252c2e5d23567765cdf8d175;
                7'h04: data_o <= 125'h0f83e0f83e1c3d1ed12c74b468790855;
                7'h05: data_o <= 125'h0f6603d980fc4b8b9b2a721796793d2e;
                7'h06: data_o <= 125'h0f4898d5f86c59a607966f8e95397015;
                7'h07: data_o <= 125'h0f2b9d6480fc677084e26d18a9f9a121;
                7'h08: data_o <= 125'h0f0f0f0f0f1c74ed6ab26ab522b9d066;
                7'h09: data_o <= 125'h0ef2eb71fc4c821efad868635499fdf7;
                7'h0a: data_o <= 125'h0ed7303b5ccc8f07625066229cba29e8;
                7'h0b: data_o <= 125'h0ebbdb2a5c1c9ba8ba1e63f25e9a544b;
                7'h0c: data_o <= 125'h0ea0ea0ea0fca805082661d204da7d2f;
                7'h0d: data_o <= 125'h0e865ac7b76cb41e40025fc1003aa4a5;
                7'h0e: data_o <= 125'h0e6c2b4481dcbff643c65dbec77acabc;
                7'h0f: data_o <= 125'h0e525982af7ccb8ee4b85bcad71aef83;
                7'h10: data_o <= 125'h0e38e38e38ecd6e9e40659e4b0fb1308;
                7'h11: data_o <= 125'h0e1fc780e20ce208f36c580bdc3b3557;
                7'h12: data_o <= 125'h0e070381c0ececedb5da563fe4fb567e;
                7'h13: data_o <= 125'h0dee95c4ca0cf799c00e54805bfb7688;
                7'h14: data_o <= 125'h0dd67c8a60ed020e992252ccd65b9581;
                7'h15: data_o <= 125'h0dbeb61eed2d0c4dbb225124ed9bb373;
                7'h16: data_o <= 125'h0da740da741d165893804f883f5bd068;
                7'h17: data_o <= 125'h0d901b20364d203083aa4df66d1bec6c;
                7'h18: data_o <= 125'h0d79435e50dd29d6e1704c6f1bfc0787;
                7'h19: data_o <= 125'h0d62b80d62cd334cf7844af1f49c21c2;
                7'h1a: data_o <= 125'h0d4c77b0353d3c9405e0497ea31c3b26;
                7'h1b: data_o <= 125'h0d3680d3681d45ad42384814d6bc53ba;
                7'h1c: data_o <= 125'h0d20d20d20dd4e99d85c46b4421c6b88;
                7'h1d: data_o <= 125'h0d0b69fcbd2d575aea90455c9a3c8296;
                7'h1e: data_o <= 125'h0cf6474a882d5ff191fa440d977c98ec;
                7'h1f: data_o <= 125'h0ce168a7725d685edee842c6f4bcae90;
                7'h20: data_o <= 125'h0cccccccccdd70a3d93041886f3cc389;
                7'h21: data_o <= 125'h0cb8727c066d78c1807c4051c6dcd7dd;
                7'h22: data_o <= 125'h0ca4587e6b7d80b8cc9a3f22be1ceb93;
                7'h23: data_o <= 125'h0c907da4e87d888aadc03dfb195cfeb0;
                7'h24: data_o <= 125'h0c7ce0c7ce1d90380cdc3cda9f3d1139;
                7'h25: data_o <= 125'h0c6980c6981d97c1cbd03bc1187d2334;
                7'h26: data_o <= 125'h0c565c87b60d9f28c5b23aae4fdd34a7;
                7'h27: data_o <= 125'h0c4372f855eda66dcf1439a211fd4595;
                7'h28: data_o <= 125'h0c30c30c30cdad91b638389c2d5d5604;
                7'h29: data_o <= 125'h0c1e4bbd596db4954346379c721d65f8;
                7'h2a: data_o <= 125'h0c0c0c0c0c1dbb79388a36a2b23d7575;
                7'h2b: data_o <= 125'h0bfa02fe80cdc23e52aa35aec11d847f;
                7'h2c: data_o <= 125'h0be82fa0be8dc8e548cc34c073dd931b;
                7'h2d: data_o <= 125'h0bd69104707dcf6eccd633d7a0dda14c;
                7'h2e: data_o <= 125'h0bc52640bc5dd5db8b9432f4203daf16;
                7'h2f: data_o <= 125'h0bb3ee721a5ddc2c2ce03215cb1dbc7c;
                7'h30: data_o <= 125'h0ba2e8ba2e9de26153d8313c7c1dc982;
                7'h31: data_o <= 125'h0b92143fa37de87b9f0230680f3dd62a;
                7'h32: data_o <= 125'h0b81702e05cdee7ba8722f98619de279;
                7'h33: data_o <= 125'h0b70fbb5a1adf46205f02ecd513dee70;
                7'h34: data_o <= 125'h0b60b60b60bdfa2f49202e06bd9dfa14;
                7'h35: data_o <= 125'h0b509e68a9cdffe3ffa02d44875e0566;
                7'h36: data_o <= 125'h0b40b40b40be0580b3322c868f9e1069;
                7'h37: data_o <= 125'h0b30f635289e0b05e9d02bccb91e1b20;
                7'h38: data_o <= 125'h0b21642c859e107425d82b16e71e258d;
                7'h39: data_o <= 125'h0b11fd3b80be15cbe6242a64fe1e2fb3;
                7'h3a: data_o <= 125'h0b02c0b02c1e1b0da62429b6e33e3994;
                7'h3b: data_o <= 125'h0af3addc681e2039de02290c7cbe4332;
                7'h3c: data_o <= 125'h0ae4c415c99e255102b22865b15e4c8f;
                7'h3d: data_o <= 125'h0ad602b580be2a53861a27c268de55ae;
                7'h3e: data_o <= 125'h0ac7691840be2f41d71a27228b9e5e90;
                7'h3f: data_o <= 125'h0ab8f69e283e341c61b22686031e6736;
                7'h40: data_o <= 125'h0aaaaaaaaabe38e38f1625ecb8fe6fa4;
                7'h41: data_o <= 125'h0a9c84a47a0e3d97c5bc255697fe77da;
                7'h42: data_o <= 125'h0a8e83f5718e4239697e24c38b3e7fdb;
                7'h43: data_o <= 125'h0a80a80a80be46c8dba224337ebe87a8;
                7'h44: data_o <= 125'h0a72f053978e4b467af823a65efe8f42;
                7'h45: data_o <= 125'h0a655c4392de4fb2a3ea231c191e96ab;
                7'h46: data_o <= 125'h0a57eb50296e540db08e22949a9e9de5;
                7'h47: data_o <= 125'h0a4a9cf1d97e5857f8b4220fd1dea4f1;
                7'h48: data_o <= 125'h0a3d70a3d71e5c91d202218dad9eabd1;
                7'h49: data_o <= 125'h0a3065e3faee60bb8ffa210e1cfeb285;
                7'h4a: data_o <= 125'h0a237c32b17e64d5840c20910fdeb90e;
                7'h4b: data_o <= 125'h0a16b312ea9e68dffdac2016765ebf70;
                7'h4c: data_o <= 125'h0a0a0a0a0a1e6cdb4a5c1f9e413ec5a9;
                7'h4d: data_o <= 125'h09fd809fd81e70c7b5b81f2861becbbc;
                7'h4e: data_o <= 125'h09f1165e725e74a5898c1eb4c91ed1a9;
                7'h4f: data_o <= 125'h09e4cad23dde78750dda1e4369bed773;
                7'h50: data_o <= 125'h09d89d89d8ae7c3688ea1dd435bedd19;
                7'h51: data_o <= 125'h09cc8e160c4e7fea3f561d671ffee29d;
                7'h52: data_o <= 125'h09c09c09c0ae839074181cfc1b7ee7ff;
                7'h53: data_o <= 125'h09b4c6f9ef0e872968961c931bfeed41;
                7'h54: data_o <= 125'h09a90e7d95ce8ab55caa1c2c153ef264;
                7'h55: data_o <= 125'h099d722dabee8e348eb01bc6fb7ef768;
                7'h56: data_o <= 125'h0991f1a5159e91a73b8e1b63c33efc4e;
                7'h57: data_o <= 125'h09868c80987e950d9ec41b02613f0118;
                7'h58: data_o <= 125'h097b425ed09e9867f26e1aa2cadf05c5;
                7'h59: data_o <= 125'h097012e025ce9bb66f581a44f57f0a57;
                7'h5a: data_o <= 125'h0964fda6c09e9ef94cf819e8d6bf0ece;
                7'h5b: data_o <= 125'h095a0256809ea230c18c198e64df132c;
                7'h5c: data_o <= 125'h094f2094f21ea55d020c193595ff1770;
                7'h5d: data_o <= 125'h09445809446ea87e424618de60bf1b9c;
                7'h5e: data_o <= 125'h0939a85c409eab94b4da1888bbdf1fb0;
                7'h5f: data_o <= 125'h092f1138405eaea08b4818349e9f23ad;
                7'h60: data_o <= 125'h09249249249eb1a1f5f417e2001f2793;
                7'h61: data_o <= 125'h091a2b3c4d6eb49924301790d7df2b64;
                7'h62: data_o <= 125'h090fdbc0910eb786444417411ddf2f1e;
                7'h63: data_o <= 125'h0905a38633eeba69837216f2c9bf32c4;
                7'h64: data_o <= 125'h08fb823ee09ebd430e0016a5d3ff3656;
                7'h65: data_o <= 125'h08f1779d9feec0130f3a165a34df39d4;
                7'h66: data_o <= 125'h08e78356d14ec2d9b17e160fe4df3d3f;
                7'h67: data_o <= 125'h08dda520237ec5971e4015c6dcdf4097;
                7'h68: data_o <= 125'h08d3dcb08d4ec84b7e0e157f15df43dc;
                7'h69: data_o <= 125'h08ca29c0465ecaf6f89a153888ff4710;
                7'h6a: data_o <= 125'h08c08c08c09ecd99b4bc14f32f7f4a32;
                7'h6b: data_o <= 125'h08b70344a14ed033d87814af02df4d44;
                7'h6c: data_o <= 125'h08ad8f2fba9ed2c58906146bfcbf5045;
                7'h6d: data_o <= 125'h08a42f87056ed54eead4142a171f5336;
                7'h6e: data_o <= 125'h089ae4089aeed7d0219013e94bbf5617;
                7'h6f: data_o <= 125'h0891ac73aeaeda49502213a994bf58e9;
                7'h70: data_o <= 125'h08888888889edcba98be136aec7f5bac;
                7'h71: data_o <= 125'h087f78087f8edf241ce4132d4d7f5e60;
                7'h72: data_o <= 125'h08767ab5f35ee185fd5e12f0b1ff6107;
                7'h73: data_o <= 125'h086d905447aee3e05a4e12b514ff639f;
                7'h74: data_o <= 125'h0864b8a7de7ee633532a127a70ff662a;
                7'h75: data_o <= 125'h085bf37612dee87f06c61240c11f68a8;
                7'h76: data_o <= 125'h08534085341eeac393581208007f6b19;
                7'h77: data_o <= 125'h084a9f9c808eed01167611d02a1f6d7d;
                7'h78: data_o <= 125'h08421084211eef37ad201199395f6fd5;
                7'h79: data_o <= 125'h08399305240ef16773c01163299f7221;
                7'h7a: data_o <= 125'h083126e978def3908630112df67f7462;
                7'h7b: data_o <= 125'h0828cbfbebaef5b2ffba10f99b7f7697;
                7'h7c: data_o <= 125'h08208208208ef7cefb2010c6145f78c1;
                7'h7d: data_o <= 125'h081848da8fbef9e4929e10935cff7ae0;
                7'h7e: data_o <= 125'h08102040810efbf3dfe61061713f7cf4;
                default: data_o <= 125'h08080808081efdfcfc3010304d3f7eff;
            endcase
        end
    end

endmodule

`default_nettype wire

// igpu_isa_expand - a compacted instruction of 8 bytes in its native form of 16.
//
// Function  Each index of the compacted form selects a row of a table of the native
//           form's bits (igpu_isa_tables.vh); register numbers and opcode are copied. Three
//           sources have tables and places of their own. Of an immediate 13 bits are left,
//           which are sign-extended.
// Timing    Combinational.
// Contract  Bit 29 of c_i is 1. n_o is native, so its bit 29 is 0.
// Reset     None: no state.
// Tests     tests/cosim/test_isa (against libiga64, every row)
// Source    docs/develop/sources.md#gen9-isa; Skylake PRM, volume 7, "EU Compact Instruction Format"

`default_nettype none
`include "igpu_isa.vh"

module igpu_isa_expand (
    input  wire [63:0]  c_i,           // compacted
    output reg  [127:0] n_o            // native
);

`include "igpu_isa_tables.vh"

    wire [6:0]  op       = c_i[6:0];
    wire        three    = op == `IGPU_OP_MAD || op == `IGPU_OP_LRP || op == `IGPU_OP_MADM ||
                           op == `IGPU_OP_CSEL || op == `IGPU_OP_BFE || op == `IGPU_OP_BFI2;
    wire [18:0] control  = row_control(c_i[12:8]);
    wire [20:0] datatype = row_datatype(c_i[17:13]);
    wire [14:0] subreg   = row_subreg(c_i[22:18]);
    wire [11:0] source0  = row_source(c_i[34:30]);
    wire [11:0] source1  = row_source(c_i[39:35]);
    wire [25:0] control3 = row_control3(c_i[9:8]);
    wire [48:0] source3  = row_source3(c_i[11:10]);

    // One of the files is that of immediates.
    wire        imm = datatype[7:6] == `IGPU_FILE_IMM || datatype[13:12] == `IGPU_FILE_IMM;

    always @* begin
        n_o      = 128'd0;
        n_o[6:0] = op;
        if (three) begin
            n_o[28:8]    = control3[20:0];
            n_o[34:32]   = control3[23:21];
            n_o[36:35]   = control3[25:24];
            n_o[55:37]   = source3[18:0];
            n_o[72:65]   = source3[26:19];
            n_o[93:86]   = source3[34:27];
            n_o[114:107] = source3[42:35];
            n_o[84]      = source3[44];
            n_o[105]     = source3[46];
            n_o[126]     = source3[48];
            n_o[62:56]   = c_i[18:12];
            n_o[64]      = c_i[28];
            n_o[31:30]   = c_i[31:30];
            n_o[85]      = c_i[32];
            n_o[106]     = c_i[33];
            n_o[75:73]   = c_i[36:34];
            n_o[96:94]   = c_i[39:37];
            n_o[117:115] = c_i[42:40];
            n_o[82:76]   = c_i[49:43];
            n_o[103:97]  = c_i[56:50];
            n_o[124:118] = c_i[63:57];
        end else begin
            n_o[8]      = control[0];
            n_o[34]     = control[1];
            n_o[10:9]   = control[3:2];
            n_o[23:12]  = control[15:4];
            n_o[33:31]  = control[18:16];
            n_o[28:24]  = {c_i[23], c_i[27:24]};
            n_o[30]     = c_i[7];
            n_o[46:35]  = datatype[11:0];
            n_o[94:89]  = datatype[17:12];
            n_o[63:61]  = datatype[20:18];
            n_o[52:48]  = subreg[4:0];
            n_o[68:64]  = subreg[9:5];
            n_o[60:53]  = c_i[47:40];
            n_o[76:69]  = c_i[55:48];
            n_o[88:77]  = source0;
            n_o[100:96] = subreg[14:10];
            if (imm) begin
                n_o[127:96] = {{19{c_i[39]}}, c_i[39:35], c_i[63:56]};
            end else begin
                n_o[108:101] = c_i[63:56];
                n_o[120:109] = source1;
            end
        end
    end

    wire unused = &{1'b0, c_i[29], source3[47], source3[45], source3[43]};

endmodule

`default_nettype wire

// igpu_eu_address - where a source's elements of a pass are.
//
// Function  base_o: the region's first byte, from the instruction or through a0; first_o: that
//           of the element of channel first_i. In bytes of the thread's register file, or of
//           its file of architecture registers. With an address a row: of that row.
// Timing    Combinational.
// Contract  src_i is igpu_isa_decode's.
// Reset     None: no state.
// Tests     tests/cosim/test_values_forms
// Source    docs/develop/eu.md#operands; Skylake PRM, volume 7, "Register Region Addressing"

`default_nettype none
`include "igpu_fpu.vh"
`include "igpu_isa.vh"

module igpu_eu_address (
    input  wire [`IGPU_SRC_W-1:0] src_i,
    input  wire [255:0]           addr_i,   // a0
    input  wire [4:0]             first_i,
    input  wire [3:0]             comp_i,   // {bits of a channel's number, what they are}
    output wire [11:0]            base_o,
    output wire [11:0]            first_o
);

`include "igpu_values_type.vh"

    wire [2:0]  vs   = src_i[`IGPU_SRC_VS];
    wire [1:0]  hs   = src_i[`IGPU_SRC_HS];
    wire [4:0]  chan = {first_i[4:2], (first_i[1:0] & ~comp_i[3:2]) | comp_i[1:0]};
    wire [4:0]  row  = chan >> src_i[`IGPU_SRC_WD];
    wire [4:0]  col  = chan & ~(5'h1f << src_i[`IGPU_SRC_WD]);
    wire        vxh  = src_i[`IGPU_SRC_VXH];
    wire [3:0]  word = src_i[`IGPU_SRC_ASUB] + (vxh ? row[3:0] : 4'd0);
    wire [11:0] a0   = addr_i[{word, 4'd0} +: 12];
    wire [9:0]  aimm = src_i[`IGPU_SRC_AIMM];
    wire [11:0] down = vs == 3'd0 || vxh ? 12'd0 : {7'd0, row} << (vs - 3'd1);
    wire [11:0] along = hs == 2'd0 ? 12'd0 : {7'd0, col} << (hs - 2'd1);
    wire [6:0]  register = src_i[`IGPU_SRC_FILE] == `IGPU_FILE_GRF ? src_i[14:8]
                                                                    : {4'd0, src_i[10:8]};

    assign base_o  = src_i[`IGPU_SRC_IND] ? a0 + {{2{aimm[9]}}, aimm}
                                          : {register, src_i[`IGPU_SRC_BYTE]};
    assign first_o = base_o + ((down + along) << type_size(src_i[`IGPU_SRC_TYPE]));

    wire unused = &{1'b0, src_i, addr_i};

endmodule

`default_nettype wire

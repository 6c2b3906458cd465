// igpu_eu_arch - architecture registers as sources of an instruction.
//
// Function  For each source that is one, but the accumulators: its 256 bits. A call reads its
//           link as ip, {channels, pc}.
// Timing    Combinational.
// Contract  inst_i is igpu_isa_decode's, or igpu_eu_micro's.
// Reset     None: no state.
// Tests     tests/cosim/test_values_forms, test_values
// Source    docs/develop/eu.md#operands

`default_nettype none
`include "igpu_isa.vh"

module igpu_eu_arch #(
    parameter PW = 11                      // bits of a pc
) (
    input  wire [`IGPU_INST_W-1:0] inst_i,
    input  wire [255:0]            addr_i,
    input  wire [63:0]             flags_i,
    input  wire [31:0]             active_i,
    input  wire [127:0]            state_i,
    input  wire [31:0]             ctrl_i,
    input  wire [PW-1:0]           pc_i,
    input  wire [31:0]             there_i,
    input  wire [47:0]             now_i,
    output reg  [767:0]            arf_o       // of sources 2, 1, 0
);

    integer k;

    always @* begin
        arf_o = 768'd0;
        for (k = 0; k < 3; k = k + 1)
            if (inst_i[72 + `IGPU_SRC_W*k +: 2] == `IGPU_FILE_ARF)
                case (inst_i[72 + `IGPU_SRC_W*k + 12 +: 4])
                `IGPU_ARF_ADDR:  arf_o[256*k +: 256] = addr_i;
                `IGPU_ARF_FLAG:  arf_o[256*k +: 256] =
                    {224'd0, inst_i[72 + `IGPU_SRC_W*k + 8] ? flags_i[63:32] : flags_i[31:0]};
                `IGPU_ARF_MASK:  arf_o[256*k +: 256] = {224'd0, active_i};
                `IGPU_ARF_STATE: arf_o[256*k +: 256] = {128'd0, state_i};
                `IGPU_ARF_CTRL:  arf_o[256*k +: 256] = {224'd0, ctrl_i};
                `IGPU_ARF_IP:    arf_o[256*k +: 256] =
                    {192'd0, there_i, {(29-PW){1'b0}}, pc_i, 3'd0};
                `IGPU_ARF_TIME:  arf_o[256*k +: 256] = {208'd0, now_i};
                default:         arf_o[256*k +: 256] = 256'd0;
                endcase
    end

    wire unused = &{1'b0, inst_i};

endmodule

`default_nettype wire

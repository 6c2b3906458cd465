// igpu_isa_stages - an instruction's bytes to its word, in two stages.
//
// Function  The first expands a compacted instruction, the second decodes.
// Timing    An instruction that is given in an enabled clock is at inst_o behind the second
//           enabled clock. One each clock.
// Contract  of 8 bytes: in the low half of raw_i; what is above does not matter.
// Reset     None: what is given is the user's to mark.
// Tests     tests/cosim/test_isa
// Source    docs/develop/sources.md#gen9-isa

`default_nettype none
`include "igpu_isa.vh"

module igpu_isa_stages (
    input  wire                    clk_i,
    input  wire                    en_i,    // both stages move
    input  wire [127:0]            raw_i,
    output reg  [`IGPU_INST_W-1:0] inst_o
);

    localparam COMPACTED = 29;

    wire [127:0]            expanded;
    wire [`IGPU_INST_W-1:0] inst;
    reg  [127:0]            d0_native;
    reg                     d0_long;

    igpu_isa_expand u_expand (.c_i(raw_i[63:0]), .n_o(expanded));

    igpu_isa_decode u_decode (.n_i(d0_native), .native_i(d0_long), .inst_o(inst));

    always @(posedge clk_i) begin
        if (en_i) begin
            d0_native <= raw_i[COMPACTED] ? expanded : raw_i;
            d0_long   <= !raw_i[COMPACTED];
            inst_o    <= inst;
        end
    end

endmodule

`default_nettype wire

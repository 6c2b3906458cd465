// igpu_isa_uops - an instruction's bytes to what its timing depends on.
//
// Function  igpu_isa_stages, and igpu_isa_uop behind it.
// Timing    Two clocks while en_i is up, then combinational.
// Contract  As of both.
// Reset     None: no state.
// Tests     tests/cosim/test_values (every launch), test_isa
// Source    docs/develop/eu.md#classes-and-masks

`default_nettype none
`include "igpu_isa.vh"

module igpu_isa_uops (
    input  wire         clk_i,
    input  wire         en_i,      // both stages move
    input  wire [127:0] raw_i,
    output wire [127:0] need_o,    // as igpu_isa_uop's
    output wire [127:0] set_o,
    output wire [7:0]   need_x_o,
    output wire [7:0]   set_x_o,
    output wire [1:0]   unit_o,
    output wire [3:0]   class_o
);

    wire [`IGPU_INST_W-1:0] inst;

    igpu_isa_stages u_stages (.clk_i(clk_i), .en_i(en_i), .raw_i(raw_i), .inst_o(inst));

    igpu_isa_uop u_uop (
        .inst_i(inst), .need_o(need_o), .set_o(set_o), .need_x_o(need_x_o), .set_x_o(set_x_o),
        .unit_o(unit_o), .class_o(class_o));

endmodule

`default_nettype wire

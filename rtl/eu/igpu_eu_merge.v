// igpu_eu_merge - which bytes of a register an answer to a message writes.
//
// Function  An answer's register has 8 channels of 4 bytes or 4 of 8, from channel first_i on;
//           those that were off when the message was sent keep what they had. Blocks are
//           written whole.
// Timing    Combinational.
// Contract  first_i is a multiple of the channels of a register.
// Reset     None: no state.
// Tests     tests/cosim/test_values
// Source    docs/develop/eu.md#messages

`default_nettype none

module igpu_eu_merge (
    input  wire [31:0] mask_i,       // channels of the message that are on
    input  wire [4:0]  first_i,
    input  wire        wide_i,       // 8 bytes a channel
    input  wire        block_i,      // no channels
    output reg  [31:0] byte_o
);

    wire [31:0] mask = mask_i >> first_i;
    integer     i;

    always @* begin
        byte_o = 32'd0;
        for (i = 0; i < 32; i = i + 1)
            byte_o[i] = block_i || (wide_i ? mask[i / 8] : mask[i / 4]);
    end

    wire unused = &{1'b0, mask[31:8]};

endmodule

`default_nettype wire

// igpu_shift - a word that goes through pipeline stages unchanged.
//
// Function  data_o is data_i of STAGES clocks ago.
// Timing    STAGES clocks, 1 or more.
// Reset     None; the content is undefined for the first STAGES clocks.
// Tests     tests/rtl/igpu_ram_tb.v

`default_nettype none
`include "igpu_assert.vh"

module igpu_shift #(
    parameter WIDTH  = 8,
    parameter STAGES = 2
) (
    input  wire             clk_i,
    input  wire [WIDTH-1:0] data_i,
    output wire [WIDTH-1:0] data_o
);

    wire [WIDTH*(STAGES+1)-1:0] word;

    assign word[WIDTH-1:0] = data_i;
    assign data_o = word[WIDTH*STAGES +: WIDTH];

    genvar i;
    generate
        for (i = 0; i < STAGES; i = i + 1) begin : g_stage
            reg [WIDTH-1:0] word_q;

            always @(posedge clk_i) begin
                word_q <= word[WIDTH*i +: WIDTH];
            end
            assign word[WIDTH*(i+1) +: WIDTH] = word_q;
        end
    endgenerate

    `IGPU_BUILT(STAGES >= 1, "STAGES is 1 or more")

endmodule

`default_nettype wire

// igpu_eu_swizzle - a source's elements for a pass, each in its slot.
//
// Function  Channel first_i + k goes into slot k, of 16, 32 or 64 bits: from a window of two
//           registers by the source's region, from an immediate, or from a vector of
//           immediates. Above an element that is narrower than its slot anything may stand;
//           the FPU takes what the type says.
// Timing    Combinational.
// Contract  The window begins with the register of channel first_i's element, and has all
//           of the pass (igpu_eu_plan sees to that). at_i: where the region begins.
// Reset     None: no state.
// Tests     tests/cosim/test_values_forms
// Source    docs/develop/eu.md#operands; Skylake PRM, volume 7, "Region Parameters"

`default_nettype none
`include "igpu_fpu.vh"
`include "igpu_isa.vh"

module igpu_eu_swizzle #(
    parameter LANES = 4                        // as igpu_fpu's
) (
    input  wire                   on_i,        // there is a pass; else nothing moves here
    input  wire [`IGPU_SRC_W-1:0] src_i,
    input  wire [63:0]            imm_i,
    input  wire [511:0]           window_i,
    input  wire                   odd_i,       // it begins with an odd register
    input  wire [5:0]             at_i,        // low bits of the region's first byte
    input  wire [4:0]             first_i,     // channel of slot 0
    input  wire [3:0]             comp_i,      // {bits of a channel's number, what they are}
    input  wire [1:0]             slot_i,      // 0, 1, 2: slots of 16, 32, 64 bits
    input  wire [1:0]             dsize_i,     // log2 of the destination's bytes; not GRF: 1
    output reg  [127:0]           data_o       // above the lanes' slots: 0
);

`include "igpu_values_type.vh"

    wire [3:0] of_type = src_i[`IGPU_SRC_TYPE];
    wire [1:0] size    = type_size(of_type);
    wire [2:0] vs      = src_i[`IGPU_SRC_VS];
    wire [2:0] wd      = src_i[`IGPU_SRC_WD];
    wire [1:0] hs      = src_i[`IGPU_SRC_HS];

    // Vectors of integers have as many of their eight elements as the destination is wide.
    function [63:0] vector_element;
        input [2:0]  channel;
        reg   [2:0]  n;
        reg   [3:0]  nibble;
        reg   [7:0]  restricted;
        begin
            n = dsize_i == 2'd3 ? {channel[0], 2'd0} : dsize_i == 2'd2 ? {channel[1:0], 1'b0}
                                                                       : channel;
            nibble     = imm_i[{1'b0, n, 2'd0} +: 4];
            restricted = imm_i[{1'b0, channel[1:0], 3'd0} +: 8];
            if (of_type == `IGPU_TYPE_VF)
                vector_element = {32'd0, restricted[7],
                                  restricted[6:0] == 7'd0 ? 8'd0 : {5'd0, restricted[6:4]} + 8'd124,
                                  restricted[3:0], 19'd0};
            else
                vector_element = {48'd0, {12{nibble[3] && of_type == `IGPU_TYPE_V}}, nibble};
        end
    endfunction

    wire [519:0] window = {8'd0, window_i};    // the last byte has a neighbour

    // Of one lane's slot 0: all 64 bits.
    localparam PARTS = LANES < 2 ? 4 : 2 * LANES;

    reg [4:0]  channel;
    reg [5:0]  row, col, at;
    reg [63:0] element;
    reg [1:0]  part;
    integer    i;

    always @* begin
        {channel, row, col, at, element, part} = 89'd0;
        data_o = 128'd0;
        if (on_i)
            for (i = 0; i < PARTS; i = i + 1) begin
                // 16 bits of a slot: which channel, which part of its element.
                case (slot_i)
                2'd0: begin
                    channel = first_i + (LANES == 1 ? 5'd0 : i[4:0]);
                    part    = 2'd0;
                end
                2'd1: begin
                    channel = first_i + (LANES == 1 ? 5'd0 : {3'd0, i[2:1]});
                    part    = {1'b0, i[0]};
                end
                default: begin
                    channel = first_i + {4'd0, i[2]};
                    part    = i[1:0];
                end
                endcase
                channel[1:0] = (channel[1:0] & ~comp_i[3:2]) | comp_i[1:0];
                if (src_i[`IGPU_SRC_FILE] == `IGPU_FILE_IMM) begin
                    element = of_type >= `IGPU_TYPE_V ? vector_element(channel[2:0]) : imm_i;
                    data_o[16*i +: 16] = element[{part, 4'd0} +: 16];
                end else begin
                    row = {1'b0, channel >> wd};
                    col = {1'b0, channel & ~(5'h1f << wd)};
                    row = vs == 3'd0 ? 6'd0 : row << (vs - 3'd1);
                    col = hs == 2'd0 ? 6'd0 : col << (hs - 2'd1);
                    if (src_i[`IGPU_SRC_VXH])
                        row = 6'd0;
                    at  = at_i + ((row + col) << size) + {3'd0, part, 1'b0};
                    data_o[16*i +: 16] = window[{1'b0, at[5] ^ odd_i, at[4:0], 3'd0} +: 16];
                end
            end
    end

    wire unused = &{1'b0, src_i};

endmodule

`default_nettype wire

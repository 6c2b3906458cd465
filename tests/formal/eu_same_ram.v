// eu_same_ram - igpu_ctx_ram for eu_same_proof: its rows can be seen, and loaded all at once
// (the proof's script joins rows, load and words to the proof's wires).
`default_nettype none

module igpu_ctx_ram #(
    parameter WIDTH = 32,
    parameter DEPTH = 8,
    parameter AW    = 3,
    parameter BLOCK = 0
) (
    input  wire             clk_i,
    input  wire             re_i,
    input  wire             clear_i,
    input  wire [AW-1:0]    raddr_i,
    output reg  [WIDTH-1:0] rdata_o,
    input  wire             we_i,
    input  wire [AW-1:0]    waddr_i,
    input  wire [WIDTH-1:0] wdata_i
);

    (* keep *) wire                   load;
    (* keep *) wire [WIDTH*DEPTH-1:0] words;
    (* keep *) reg  [WIDTH*DEPTH-1:0] rows;
    reg        [WIDTH-1:0]            row;
    integer                           r, w;

    always @* begin
        row = {WIDTH{1'b0}};
        for (r = 0; r < DEPTH; r = r + 1)
            row = row | (rows[WIDTH*r +: WIDTH] & {WIDTH{raddr_i == r[AW-1:0]}});
    end

    always @(posedge clk_i) begin
        if (clear_i)
            rdata_o <= {WIDTH{1'b0}};
        else if (re_i)
            rdata_o <= row;
        for (w = 0; w < DEPTH; w = w + 1)
            if (load)
                rows[WIDTH*w +: WIDTH] <= words[WIDTH*w +: WIDTH];
            else if (we_i && waddr_i == w[AW-1:0])
                rows[WIDTH*w +: WIDTH] <= wdata_i;
    end

endmodule

`default_nettype wire

// igpu_eu_text - a kernel's code, from any multiple of 8 bytes.
//
// Function  16 bytes from pc on, for the front; 8 bytes for whoever has a look at another
//           instruction. Two banks, so that 16 bytes may begin anywhere.
// Timing    What is read in a clock is there after it, and stays until the next reading.
// Contract  pcs count 8 bytes. Nothing is read while the code is written.
// Reset     None: contents are undefined until written.
// Tests     tests/cosim/test_values
// Source    docs/develop/eu.md#the-pipeline

`default_nettype none

module igpu_eu_text #(
    parameter PW = 11                      // log2 of the 8-byte words
) (
    input  wire          clk_i,
    input  wire          we_i,
    input  wire [PW-1:0] waddr_i,
    input  wire [63:0]   wdata_i,
    input  wire          re_i,
    input  wire [PW-1:0] pc_i,
    output wire [127:0]  raw_o,
    input  wire          peek_i,
    input  wire [PW-1:0] peek_pc_i,
    output wire [63:0]   peek_o
);

    reg [63:0] even_m [0:(1<<(PW-1))-1];
    reg [63:0] odd_m [0:(1<<(PW-1))-1];
    reg [63:0] even_q, odd_q, peek_even_q, peek_odd_q;
    reg        swap_q, peek_swap_q;

    wire [PW-2:0] even = pc_i[PW-1:1] + {{(PW-2){1'b0}}, pc_i[0]};

    always @(posedge clk_i) begin
        if (we_i && !waddr_i[0])
            even_m[waddr_i[PW-1:1]] <= wdata_i;
        if (we_i && waddr_i[0])
            odd_m[waddr_i[PW-1:1]] <= wdata_i;
    end

    always @(posedge clk_i) begin
        if (re_i) begin
            even_q <= even_m[even];
            odd_q  <= odd_m[pc_i[PW-1:1]];
            swap_q <= pc_i[0];
        end
        if (peek_i) begin
            peek_even_q <= even_m[peek_pc_i[PW-1:1]];
            peek_odd_q  <= odd_m[peek_pc_i[PW-1:1]];
            peek_swap_q <= peek_pc_i[0];
        end
    end

    assign raw_o  = swap_q ? {even_q, odd_q} : {odd_q, even_q};
    assign peek_o = peek_swap_q ? peek_odd_q : peek_even_q;

endmodule

`default_nettype wire

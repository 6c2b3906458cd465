// igpu_ram_1w4r - memory with one write port and four registered read ports.
//
// Function  As igpu_ram_1w1r, with four independent readers of one content; a
//           synthesizer makes four block RAMs of it that are written together.
// Timing    One cycle from raddr to rdata, each port with its own enable.
// Contract  A word is not read while it is written. Addresses are below DEPTH; DEPTH is a power of two.
// Reset     None; the content is undefined until it is written.
// Tests     tests/rtl/igpu_ram_tb.v

`default_nettype none

module igpu_ram_1w4r #(
    parameter WIDTH = 32,
    parameter DEPTH = 512,
    parameter AW    = 9                 // log2 of DEPTH
) (
    input  wire             clk_i,      // of the read side
    input  wire             wclk_i,     // of the write side
    input  wire             we_i,       // write wdata_i to waddr_i
    input  wire [AW-1:0]    waddr_i,
    input  wire [WIDTH-1:0] wdata_i,
    input  wire             re0_i,      // port 0: read raddr0_i
    input  wire [AW-1:0]    raddr0_i,
    output reg  [WIDTH-1:0] rdata0_o,   // the word port 0 last read
    input  wire             re1_i,
    input  wire [AW-1:0]    raddr1_i,
    output reg  [WIDTH-1:0] rdata1_o,
    input  wire             re2_i,
    input  wire [AW-1:0]    raddr2_i,
    output reg  [WIDTH-1:0] rdata2_o,
    input  wire             re3_i,
    input  wire [AW-1:0]    raddr3_i,
    output reg  [WIDTH-1:0] rdata3_o
);

    reg [WIDTH-1:0] mem [0:DEPTH-1];

    always @(posedge wclk_i) begin
        if (we_i)
            mem[waddr_i] <= wdata_i;
    end

    always @(posedge clk_i) begin
        if (re0_i)
            rdata0_o <= mem[raddr0_i];
    end

    always @(posedge clk_i) begin
        if (re1_i)
            rdata1_o <= mem[raddr1_i];
    end

    always @(posedge clk_i) begin
        if (re2_i)
            rdata2_o <= mem[raddr2_i];
    end

    always @(posedge clk_i) begin
        if (re3_i)
            rdata3_o <= mem[raddr3_i];
    end

endmodule

`default_nettype wire

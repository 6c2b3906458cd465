// igpu_ram_1w1r - memory with one write port and one registered read port.
//
// Function  A block RAM: what is read at t is on rdata_o from t+1 on, until the
//           next read.
// Timing    One cycle from raddr_i to rdata_o.
// Contract  A word is not read while it is written. raddr_i and waddr_i are below DEPTH; DEPTH is a power of two.
// Reset     None; the content is undefined until it is written.
// Tests     tests/rtl/igpu_ram_tb.v

`default_nettype none

module igpu_ram_1w1r #(
    parameter WIDTH = 32,
    parameter DEPTH = 512,
    parameter AW    = 9                // log2 of DEPTH
) (
    input  wire             clk_i,      // of the read side
    input  wire             wclk_i,     // of the write side
    input  wire             we_i,      // write wdata_i to waddr_i
    input  wire [AW-1:0]    waddr_i,
    input  wire [WIDTH-1:0] wdata_i,
    input  wire             re_i,      // read raddr_i
    input  wire [AW-1:0]    raddr_i,
    output reg  [WIDTH-1:0] rdata_o    // the word last read
);

    reg [WIDTH-1:0] mem [0:DEPTH-1];

    always @(posedge wclk_i) begin
        if (we_i)
            mem[waddr_i] <= wdata_i;
    end

    always @(posedge clk_i) begin
        if (re_i)
            rdata_o <= mem[raddr_i];
    end

endmodule

`default_nettype wire

// igpu_math_carry - data that waits while the table and its polynomial are at work.
//
// Function  data_o is data_i of DEPTH cycles ago.
// Timing    DEPTH cycles.
// Contract  DEPTH is 1 or more.
// Reset     none: data follows.
// Tests     tests/rtl/igpu_math_tb.cpp

`default_nettype none

module igpu_math_carry #(
    parameter WIDTH = 8,
    parameter DEPTH = 4
) (
    input  wire             clk_i,
    input  wire [WIDTH-1:0] data_i,  // any bits
    output wire [WIDTH-1:0] data_o   // the same, later
);

    reg  [WIDTH*DEPTH-1:0] line_q;
    wire [WIDTH*(DEPTH+1)-1:0] line_d;

    assign line_d = {line_q, data_i};
    assign data_o = line_q[WIDTH*DEPTH-1 -: WIDTH];

    always @(posedge clk_i)
        line_q <= line_d[WIDTH*DEPTH-1:0];

    wire unused = &{1'b0, line_d[WIDTH*(DEPTH+1)-1 -: WIDTH]};

endmodule

`default_nettype wire

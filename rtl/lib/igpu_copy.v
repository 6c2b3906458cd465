// igpu_copy - a register that synthesis keeps beside equal ones.
//
// Function  data_q is data_i of the clock before. For registers of many loads, one copy
//           for some of them each: a synthesizer merges equal registers, but not modules
//           that keep their hierarchy.
// Timing    1 clock.
// Reset     None.
// Tests     tests/rtl/igpu_ram_tb.v

`default_nettype none

(* keep_hierarchy = 1 *)
module igpu_copy #(
    parameter WIDTH = 8
) (
    input  wire             clk_i,
    input  wire [WIDTH-1:0] data_i,
    output reg  [WIDTH-1:0] data_q
);

    always @(posedge clk_i) begin
        data_q <= data_i;
    end

endmodule

`default_nettype wire

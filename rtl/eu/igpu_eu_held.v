// igpu_eu_held - index and cycles of the instruction each thread holds.
//
// Function  A word for each thread, written when its instruction arrives from
//           the store; each unit reads the word of the thread it chose.
// Timing    Reads are combinational; the thread whose instruction arrives in
//           this cycle is read from the store's output.
// Contract  fresh_slot_i is the thread of fresh_i.
// Reset     None: a word is read only for a thread that holds an instruction.
// Tests     tests/rtl/igpu_eu_tb.v
// Source    docs/model.md section 4.5

`default_nettype none

module igpu_eu_held #(
    parameter WIDTH = 33
) (
    input  wire             clk_i,
    input  wire             ce_i,
    input  wire             fresh_i,       // an instruction arrives
    input  wire [2:0]       fresh_slot_i,  // for this thread
    input  wire [WIDTH-1:0] fresh_data_i,  // its word
    input  wire             read0_i,       // read port 0
    input  wire [2:0]       slot0_i,       // at this thread
    output reg  [WIDTH-1:0] data0_o,
    input  wire             read1_i,
    input  wire [2:0]       slot1_i,
    output reg  [WIDTH-1:0] data1_o,
    input  wire             read2_i,
    input  wire [2:0]       slot2_i,
    output reg  [WIDTH-1:0] data2_o,
    input  wire             read3_i,
    input  wire [2:0]       slot3_i,
    output reg  [WIDTH-1:0] data3_o
);

    reg [WIDTH-1:0] mem [0:7];

    wire [WIDTH-1:0] word0 = mem[slot0_i];
    wire [WIDTH-1:0] word1 = mem[slot1_i];
    wire [WIDTH-1:0] word2 = mem[slot2_i];
    wire [WIDTH-1:0] word3 = mem[slot3_i];

    // Zero unless asked for, so that nothing is looked up in vain.
    always @* begin
        data0_o = {WIDTH{1'b0}};
        if (read0_i)
            data0_o = (fresh_i && fresh_slot_i == slot0_i) ? fresh_data_i : word0;
    end

    always @* begin
        data1_o = {WIDTH{1'b0}};
        if (read1_i)
            data1_o = (fresh_i && fresh_slot_i == slot1_i) ? fresh_data_i : word1;
    end

    always @* begin
        data2_o = {WIDTH{1'b0}};
        if (read2_i)
            data2_o = (fresh_i && fresh_slot_i == slot2_i) ? fresh_data_i : word2;
    end

    always @* begin
        data3_o = {WIDTH{1'b0}};
        if (read3_i)
            data3_o = (fresh_i && fresh_slot_i == slot3_i) ? fresh_data_i : word3;
    end

    always @(posedge clk_i) begin
        if (ce_i && fresh_i)
            mem[fresh_slot_i] <= fresh_data_i;
    end

endmodule

`default_nettype wire

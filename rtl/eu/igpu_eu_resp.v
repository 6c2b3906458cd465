// igpu_eu_resp - the EU's response write port.
//
// Function  Responses are written in order of arrival, one at a time; one that
//           arrives at c takes effect at D = max(c, D'') + dur, D'' being the D
//           of the one before. dur comes with the mask from the store.
// Timing    wb_o is combinational from registers, now_i and dur_i, and comes at
//           D, with the mask at the store's output. read_o goes to the store in
//           the cycle in which a response starts.
// Contract  At most 64 + 7 responses wait. While one is being written, no cycle
//           with wb_o may be skipped.
// Reset     rst_ni low, synchronous: idle.
// Model     csim/ref.  Tests: tests/rtl/igpu_eu_tb.v
// Source    docs/model.md section 4.6

`default_nettype none
`include "igpu_regs.vh"

module igpu_eu_resp (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire                   ce_i,
    input  wire [7:0]             now_i,     // low bits of the cycle
    input  wire                   valid_i,   // a response arrives
    input  wire [2:0]             slot_i,    // for this thread
    input  wire [`IGPU_UOP_W-1:0] uop_i,     // of this instruction
    output reg                    read_o,    // read the store
    output reg  [`IGPU_UOP_W-1:0] uop_o,     // at this instruction
    input  wire [7:0]             dur_i,     // store: cycles to write it, 1 or more
    output reg                    wb_o,      // it takes effect
    output reg  [6:0]             wb_slot_o, // its thread, one-hot
    output wire                   busy_o,    // a response is being written
    output wire [7:0]             left_o     // cycles until wb_o; valid while busy_o
);

    reg        busy_q;
    reg  [7:0] start_q;                      // cycle in which it started
    reg        push;
    wire [7:0] count;
    wire [2:0] wait_slot;
    wire [`IGPU_UOP_W-1:0] wait_uop;
    wire [`IGPU_UOP_W+2:0] unused_next;
    wire       waits = count != 8'd0;

    igpu_fifo #(.WIDTH(3 + `IGPU_UOP_W), .DEPTH(128), .AW(7)) u_wait (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(ce_i && push),
        .data_i({slot_i, uop_i}), .pop_i(ce_i && read_o && waits),
        .head_o({wait_slot, wait_uop}), .next_o(unused_next), .count_o(count));

    assign busy_o = busy_q;
    assign left_o = start_q + dur_i - now_i;

    // The port can start a response when it is idle or has just finished one.
    always @* begin
        wb_o   = 1'b0;
        read_o = 1'b0;
        uop_o  = uop_i;
        push   = 1'b0;
        if (busy_q || valid_i) begin
            wb_o   = busy_q && left_o == 8'd0;
            read_o = (!busy_q || wb_o) && (waits || valid_i);
            uop_o  = waits ? wait_uop : uop_i;
            push   = valid_i && (waits || !read_o);
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            busy_q <= 1'b0;
        end else if (ce_i && (wb_o || read_o)) begin
            busy_q <= read_o;
            if (read_o) begin
                start_q   <= now_i;
                wb_slot_o <= 7'd1 << (waits ? wait_slot : slot_i);
            end
        end
    end

    wire unused = &{1'b0, unused_next};

endmodule

`default_nettype wire

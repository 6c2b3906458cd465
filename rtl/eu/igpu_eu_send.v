// igpu_eu_send - send unit and the EU's queue of four messages.
//
// Function  A message issued at t occupies the unit for occ cycles while its
//           payload is read, and can be granted by the send arbiter from
//           t + occ on, in order. EOT occupies the unit and makes no message.
// Timing    avail_o and the req outputs are combinational from registers and
//           now_i.
// Contract  issue_i only when avail_o; grant_i only when req_o.
// Reset     rst_ni low, synchronous: empty and free.
// Model     csim/ref.  Tests: tests/rtl/igpu_eu_tb.v
// Source    docs/model.md sections 4.3, 4.5, 4.7

`default_nettype none
`include "igpu_regs.vh"

module igpu_eu_send (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire                   ce_i,
    input  wire [`IGPU_NOW_W-1:0] now_i,     // this cycle
    input  wire                   issue_i,   // an instruction issues
    input  wire                   eot_i,     // it is the end of the thread
    input  wire                   port_i,    // it is for the data port
    input  wire [2:0]             slot_i,    // its thread
    input  wire [`IGPU_UOP_W-1:0] uop_i,     // its index
    input  wire [7:0]             occ_i,     // cycles of payload
    output wire                   avail_o,   // an instruction may issue
    output wire                   req_o,     // the oldest message can be granted
    output wire                   port_o,    // it needs a credit
    output wire [2:0]             slot_o,    // its thread
    output wire [`IGPU_UOP_W-1:0] uop_o,     // its index
    input  wire                   grant_i,   // the send arbiter takes it
    output wire                   occupied_o, // the last one still occupies the unit
    output wire [7:0]             until_o    // until this cycle: low bits
);

    reg  [`IGPU_NOW_W-1:0] free_q;           // first cycle it may issue again
    reg                    msg_q;            // the last issue made a message
    wire [2:0]             count;
    wire [3+`IGPU_UOP_W:0] unused_next;

    igpu_fifo #(.WIDTH(4 + `IGPU_UOP_W), .DEPTH(4), .AW(2)) u_queue (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(ce_i && issue_i && !eot_i),
        .data_i({port_i, slot_i, uop_i}), .pop_i(ce_i && grant_i),
        .head_o({port_o, slot_o, uop_o}), .next_o(unused_next), .count_o(count));

    // Only the youngest message can still be reading, and then the unit is not
    // free: later messages wait for it.
    assign occupied_o = now_i < free_q;
    assign until_o    = free_q[7:0];
    assign avail_o    = !occupied_o && !count[2];
    assign req_o      = count != {2'd0, occupied_o && msg_q};

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            free_q <= {`IGPU_NOW_W{1'b0}};
            msg_q  <= 1'b0;
        end else if (ce_i && issue_i) begin
            free_q <= now_i + {{(`IGPU_NOW_W-8){1'b0}}, occ_i};
            msg_q  <= !eot_i;
        end
    end

    wire unused = &{1'b0, unused_next};

endmodule

`default_nettype wire

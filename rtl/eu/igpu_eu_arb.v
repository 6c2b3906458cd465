// igpu_eu_arb - chooses up to four threads for the four units.
//
// Function  Sorts the ready threads by the unit they need and picks one for
//           each available unit, round-robin; FPU1 also takes what may run on
//           either FPU and was not chosen by FPU0.
// Timing    Grants are combinational from ready_i, the avail inputs and
//           fresh_*_i. Pointers move on the clock edge of an enabled cycle.
// Contract  fresh_unit_i is the unit of the thread in fresh_i (one-hot).
// Reset     rst_ni low, synchronous: slot 0 goes first.
// Model     csim/ref.  Tests: tests/rtl/igpu_eu_tb.v
// Source    docs/model.md section 4.4

`default_nettype none

module igpu_eu_arb (
    input  wire       clk_i,
    input  wire       rst_ni,
    input  wire       ce_i,
    input  wire [6:0] ready_i,       // threads whose held instruction may issue
    input  wire [6:0] fresh_i,       // thread whose instruction is new
    input  wire [1:0] fresh_unit_i,  // IGPU_UNIT_* of it
    input  wire       fpu0_avail_i,  // the unit takes an instruction
    input  wire       fpu1_avail_i,
    input  wire       send_avail_i,
    output wire [6:0] fpu0_o,        // chosen, one-hot or zero
    output wire [2:0] fpu0_slot_o,   // its number
    output wire [6:0] fpu1_o,
    output wire [2:0] fpu1_slot_o,
    output wire [6:0] send_o,
    output wire [2:0] send_slot_o,
    output wire [6:0] branch_o,
    output wire [2:0] branch_slot_o
);

    // Bit planes of the held instructions' units.
    reg  [6:0] unit0_q, unit1_q;
    wire [6:0] unit0 = (unit0_q & ~fresh_i) | (fresh_unit_i[0] ? fresh_i : 7'd0);
    wire [6:0] unit1 = (unit1_q & ~fresh_i) | (fresh_unit_i[1] ? fresh_i : 7'd0);

    wire [6:0] any    = ready_i & ~unit1 & ~unit0;
    wire [6:0] only1  = ready_i & ~unit1 & unit0;
    wire [6:0] send   = ready_i & unit1 & ~unit0;
    wire [6:0] branch = ready_i & unit1 & unit0;

    igpu_rr_arb #(.N(7)) u_fpu0 (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(fpu0_avail_i ? any : 7'd0),
        .take_i(ce_i), .grant_o(fpu0_o), .index_o(fpu0_slot_o));
    igpu_rr_arb #(.N(7)) u_fpu1 (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .req_i(fpu1_avail_i ? ((any & ~fpu0_o) | only1) : 7'd0),
        .take_i(ce_i), .grant_o(fpu1_o), .index_o(fpu1_slot_o));
    igpu_rr_arb #(.N(7)) u_send (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(send_avail_i ? send : 7'd0),
        .take_i(ce_i), .grant_o(send_o), .index_o(send_slot_o));
    igpu_rr_arb #(.N(7)) u_branch (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(branch),
        .take_i(ce_i), .grant_o(branch_o), .index_o(branch_slot_o));

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            unit0_q <= 7'd0;
            unit1_q <= 7'd0;
        end else if (ce_i) begin
            unit0_q <= unit0;
            unit1_q <= unit1;
        end
    end

endmodule

`default_nettype wire

// What igpu_sched_slots must do in any state it can reach: never give a slot that is
// taken or does not exist, and find one whenever there is one.
module slots_proof (
    input wire       clk,
    input wire       rst_n,
    input wire       ce,
    input wire       end_ce,
    input wire [6:0] slots,
    input wire       ask,
    input wire       take,
    input wire       ends,
    input wire [2:0] end_slot
);
    (* keep *) wire [6:0] free_slots;  // joined to u_dut.free_q
    wire       free;
    wire [2:0] slot;
    reg  [6:0] taken, slots_q;

    igpu_sched_slots u_dut (
        .clk_i(clk), .rst_ni(rst_n), .ce_i(ce), .end_ce_i(end_ce), .slots_i(slots), .ask_i(ask),
        .free_o(free), .slot_o(slot), .take_i(take), .bslot_i(5'd0), .end_i(ends),
        .end_slot_i(end_slot), .end_bslot_o());

    always @* begin
        assume (!take || (ask && free));
        assume (!ends || taken[end_slot]);
        assert (!live || ((taken & ~slots_q) == 0));
        assert (!live || (free_slots == (slots_q & ~taken)));
        assert (!live || (free == (slots_q != taken)));
        if (ask && free)
            assert (!live || (slot < 7 && slots_q[slot] && !taken[slot]));
    end

    always @(posedge clk)
        if (!rst_n) begin
            taken   <= 7'd0;
            slots_q <= slots;
        end else begin
            taken <= (taken | (ce && take ? 7'd1 << slot : 7'd0)) &
                     ~(end_ce && ends ? 7'd1 << end_slot : 7'd0);
        end
    // Nothing is promised before the first reset, and so it is with u_dut's contract.
    (* keep *) wire contract;          // joined to u_dut.contract_q
    reg live;
    initial live = 1'b0;
    always @(posedge clk) live <= live || !rst_n;
    always @* assert (contract == live);
endmodule

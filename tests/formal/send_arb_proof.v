// What igpu_send_arb must do in any state it can reach: no more messages of the data
// port under way than credits, none of them lost, and no EU kept waiting while what it
// asks for is there.
module send_arb_proof (
    input wire       clk,
    input wire       rst_n,
    input wire       ce,
    input wire [6:0] limit,
    input wire [7:0] req,
    input wire [7:0] port,
    input wire       back              // a credit comes back
);
    (* keep *) wire [6:0] credits;     // joined to u_dut.credit_q
    wire [7:0] grant;
    reg  [6:0] under_way, limit_q;

    igpu_send_arb u_dut (
        .clk_i(clk), .rst_ni(rst_n), .ce_i(ce), .limit_i(limit), .req_i(req),
        .port_i(port), .credit_i(back), .grant_o(grant));

    always @* begin
        assume (limit >= 1 && limit <= 64);
        assume (!back || under_way != 0);
        assert (!live || (limit_q <= 64 && under_way <= limit_q));
        assert (!live || (credits == limit_q - under_way));
        assert (!live || ((grant & ~req) == 0 && (grant & (grant - 8'd1)) == 0));
        if ((grant & port) != 0)
            assert (!live || (under_way < limit_q));
        if ((req & ~port) != 0 || (req != 0 && under_way < limit_q))
            assert (!live || (grant != 0));
    end

    always @(posedge clk)
        if (!rst_n) begin
            under_way <= 7'd0;
            limit_q   <= limit;
        end else if (ce) begin
            under_way <= under_way + ((grant & port) != 0) - back;
        end
    // Nothing is promised before the first reset, and so it is with u_dut's contract.
    (* keep *) wire contract;          // joined to u_dut.contract_q
    reg live;
    initial live = 1'b0;
    always @(posedge clk) live <= live || !rst_n;
    always @* assert (contract == live);
endmodule

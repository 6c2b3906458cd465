// What igpu_rr_arb must do in any state: grant one requester whenever there is one.
module rr_arb_proof #(parameter N = 7) (
    input wire         clk,
    input wire         rst_n,
    input wire [N-1:0] req,
    input wire         take
);
    wire [N-1:0] grant;

    igpu_rr_arb #(.N(N)) u_dut (
        .clk_i(clk), .rst_ni(rst_n), .req_i(req), .take_i(take), .grant_o(grant));

    always @* begin
        assert ((grant & ~req) == 0);
        assert ((grant & (grant - 1'b1)) == 0);
        assert ((grant == 0) == (req == 0));
    end
endmodule

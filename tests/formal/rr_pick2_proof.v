// What igpu_rr_pick2 must do for every request and every pointer: its first choice is the
// first requester above the last winner, else the first from bit 0; its second is what
// that would be without the first; each pointer is what igpu_rr_pick leaves behind.
module rr_pick2_proof #(parameter N = 7) (
    input wire [N-1:0] req,
    input wire [3:0]   last            // the last winner; N or more: none yet
);
    wire [N-1:0] above = (last >= N) ? {N{1'b0}} : ~({N{1'b1}} >> (N - 1 - last));
    wire [N-1:0] grant, next, grant2, next2, one, one_next, two, two_next;
    reg  [N-1:0] first;
    integer      i;

    igpu_rr_pick2 #(.N(N)) u_dut (
        .req_i(req), .above_i(above), .grant_o(grant), .above_o(next), .grant2_o(grant2),
        .above2_o(next2));
    igpu_rr_pick #(.N(N)) u_one (
        .req_i(req), .above_i(above), .grant_o(one), .above_o(one_next));
    igpu_rr_pick #(.N(N)) u_two (
        .req_i(req & ~first), .above_i(above), .grant_o(two), .above_o(two_next));

    always @* begin
        first = {N{1'b0}};
        for (i = N - 1; i >= 0; i = i - 1)
            if (req[i])
                first = {{(N-1){1'b0}}, 1'b1} << i;
        for (i = N - 1; i >= 0; i = i - 1)
            if (req[i] && above[i])
                first = {{(N-1){1'b0}}, 1'b1} << i;
        assert (grant == first);
        assert (grant == one && next == one_next);
        assert (grant2 == two && next2 == two_next);
        assert ((grant & grant2) == 0);
        assert ((grant2 == 0) == ((req & ~grant) == 0));
    end
endmodule

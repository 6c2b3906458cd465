// What igpu_rr_arb must do in any state it can reach: grant the first requester after
// the last winner, and leave nobody out: with each grant that is taken, whoever still
// waits comes nearer to the pointer, so it is granted within N.
module rr_fair_proof #(parameter N = 7) (
    input wire         clk,
    input wire         rst_n,
    input wire [N-1:0] req,
    input wire         take,
    input wire [3:0]   who             // any requester
);
    (* keep *) wire [N-1:0] above;     // the pointer: joined to u_dut.above_q
    wire [N-1:0] below = ~above, next = below + 1'b1;
    wire [N-1:0] grant;
    reg  [N-1:0] first;
    reg  [3:0]   rank, past_rank, past_who;
    reg          past_waits;
    integer      i;

    igpu_rr_arb #(.N(N)) u_dut (
        .clk_i(clk), .rst_ni(rst_n), .req_i(req), .take_i(take), .grant_o(grant));

    // Places before `who`, counted from the pointer on.
    function [3:0] places(input [N-1:0] from, input [3:0] k);
        integer j;
        begin
            places = 4'd0;
            for (j = 0; j < N; j = j + 1)
                if (from[k] ? (from[j] && j < k) : (from[j] || j < k))
                    places = places + 4'd1;
        end
    endfunction

    always @* begin
        first = {N{1'b0}};
        for (i = N - 1; i >= 0; i = i - 1)
            if (req[i])
                first = {{(N-1){1'b0}}, 1'b1} << i;
        for (i = N - 1; i >= 0; i = i - 1)
            if (req[i] && above[i])
                first = {{(N-1){1'b0}}, 1'b1} << i;
        rank = places(above, past_who);
        assume (who < N);
        assert (!live || (grant == first));
        assert (!live || ((below & next) == 0));  // ones, and above them zeros
        assert (!live || (past_who < N || !past_waits));
        if (past_waits)
            assert (!live || (rank < past_rank));
    end

    always @(posedge clk) begin
        past_who   <= who;
        past_rank  <= places(above, who);
        past_waits <= rst_n && take && req[who] && !grant[who];
    end
    // Nothing is promised before the first reset.
    reg live;
    initial live = 1'b0;
    always @(posedge clk) live <= live || !rst_n;
endmodule

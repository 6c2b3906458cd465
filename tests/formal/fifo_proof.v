// What igpu_fifo must do in any state it can reach: hold what was pushed and not yet
// popped, oldest first, and show it three clocks later at the latest. The model is a shift
// register with the oldest entry at 0.
module fifo_proof #(parameter W = 2) (
    input wire         clk,
    input wire         rst_n,
    input wire         push,
    input wire         pop,
    input wire [W-1:0] data
);
    localparam AW = 2, DEPTH = 4;
    (* keep *) wire [AW-1:0] wr, rd;               // joined to u_dut's
    (* keep *) wire          next_valid;
    (* keep *) wire [W-1:0]  next, mem0, mem1, mem2, mem3;
    wire [W-1:0]   head;
    wire           valid;
    wire [AW-1:0]  behind = wr - rd;               // entries behind the head
    reg  [W-1:0]   model [0:DEPTH-1];
    reg  [AW:0]    n;
    reg  [1:0]     hidden;                         // clocks with entries and no head
    integer        k;

    igpu_fifo #(.WIDTH(W), .DEPTH(DEPTH), .AW(AW)) u_dut (
        .clk_i(clk), .rst_ni(rst_n), .push_i(push), .data_i(data), .pop_i(pop),
        .valid_o(valid), .head_o(head));

    always @* begin
        assume (!(push && behind == DEPTH - 1) && !(pop && !valid));
        assert (!live || n == behind + valid);
        assert (!live || !valid || head == model[0]);
        assert (!live || !next_valid || (behind != 0 && next == model[valid]));
        assert (!live || hidden < 3);
        assert (!live || hidden != 2 || next_valid || valid || n == 0);
    end

    genvar i;
    generate
        for (i = 0; i < DEPTH - 1; i = i + 1) begin : g_entry
            wire [AW-1:0] at = rd + i;
            wire [W-1:0]  entry = at == 0 ? mem0 : at == 1 ? mem1 : at == 2 ? mem2 : mem3;
            always @* assert (!live || i >= behind || entry == model[i + valid]);
        end
    endgenerate

    always @(posedge clk) begin
        for (k = 0; k < DEPTH; k = k + 1)
            if (pop && k + 1 < DEPTH)
                model[k] <= push && k + 1 == n ? data : model[k + 1 == DEPTH ? k : k + 1];
            else if (push && k == (pop ? n - 1 : n))
                model[k] <= data;
        n <= !rst_n ? 0 : n + push - pop;
        hidden <= (!rst_n || n == 0 || valid) ? 0 : hidden + 1;
    end
    // Nothing is promised before the first reset, and so it is with u_dut's contract.
    (* keep *) wire contract;          // joined to u_dut.contract_q
    reg live;
    initial live = 1'b0;
    always @(posedge clk) live <= live || !rst_n;
    always @* assert (contract == live);
endmodule

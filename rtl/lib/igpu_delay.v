// igpu_delay - delay line for tokens with a latency set at run time.
//
// Function  What is on data_i in enabled cycle t is on data_o in enabled cycle
//           t + latency_i.
// Timing    latency_i is 1 to 63 enabled cycles. data_o is a register.
// State     In block RAM, read an enabled cycle ahead; what is written in the same one
//           (latency 2) has a register of its own.
// Contract  latency_i changes only while no token is under way. With latency_i 0 data_o
//           means nothing. any_o: a token is under way, or (latency_i 0) was lately.
// Reset     rst_ni low, synchronous: data_o stays zero until the first token
//           comes out (tokens of the time before the reset are cut off).
// Tests     tests/rtl/igpu_delay_tb.v
// Source    docs/contract/model.md section 1 (START and END)

`default_nettype none
`include "igpu_assert.vh"

module igpu_delay #(
    parameter WIDTH = 8
) (
    input  wire             clk_i,
    input  wire             rst_ni,
    input  wire             ce_i,       // the cycle counts
    input  wire [5:0]       latency_i,  // cycles, 1 to 63
    input  wire [WIDTH-1:0] data_i,     // zero: no token
    output wire [WIDTH-1:0] data_o,     // data_i of latency_i cycles ago
    output wire             any_o       // not all that is under way is zero
);

    reg  [5:0]       wr_q;
    reg  [6:0]       fill_q;            // words written since reset, up to 64
    reg  [6:0]       count_q;           // tokens among those that did not come out
    reg  [WIDTH-1:0] data_q, last_q;    // last_q: data_i of the enabled cycle before
    wire [WIDTH-1:0] word_m;
    wire [WIDTH-1:0] word = (latency_i == 6'd2) ? last_q : word_m; // what comes out next
    wire             there = fill_q + 7'd1 >= {1'b0, latency_i};
    wire             comes = data_i != {WIDTH{1'b0}};
    wire             goes  = data_q != {WIDTH{1'b0}};

    igpu_ctx_ram #(.WIDTH(WIDTH), .DEPTH(64), .AW(6), .BLOCK(1)) u_mem (
        .clk_i(clk_i), .re_i(ce_i), .clear_i(1'b0),
        .raddr_i(wr_q + 6'd2 - latency_i), .rdata_o(word_m),
        .we_i(ce_i), .waddr_i(wr_q), .wdata_i(data_i));

    assign any_o  = count_q != 7'd0;
    assign data_o = data_q;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            wr_q    <= 6'd0;
            fill_q  <= 7'd0;
            count_q <= 7'd0;
            data_q  <= {WIDTH{1'b0}};
        end else if (ce_i) begin
            wr_q   <= wr_q + 6'd1;
            last_q <= data_i;
            data_q <= (latency_i == 6'd1) ? data_i : there ? word : {WIDTH{1'b0}};
            if (!fill_q[6])
                fill_q <= fill_q + 7'd1;
            if (comes != goes)
                count_q <= comes ? count_q + 7'd1 : count_q - 7'd1;
        end
    end

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_PAST(past_latency_q, 6, clk_i, latency_i)
    `IGPU_REQUIRE(clk_i, !any_o || latency_i == past_latency_q,
                  "latency_i changes only while no token is under way")

endmodule

`default_nettype wire

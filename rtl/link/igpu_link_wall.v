// igpu_link_wall - how far the array's time may go on.
//
// Function  Up to the host's limit, but no further than the wall: the least of stamp +
//           lookahead over the messages and ends that the host has not seen. A lookahead
//           of 0: nothing answers a message of that kind.
// Timing    limit_q follows in the second clock after a limit, after a mark's in the third.
// Contract  A mark's kind is there in its clock. A limit that knows of all marks so far
//           (limit_seen_i) takes the wall down.
// Reset     rst_ni low, synchronous: time stands at 0. begin_i: it stands at a launch's
//           first cycle. Lookaheads stay.
// Tests     tests/cosim/test_fpga.c, tests/formal/link_wall_proof.v
// Source    docs/develop/fpga.md#time

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_regs.vh"

module igpu_link_wall (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire                   begin_i,        // a launch
    input  wire [`IGPU_NOW_W-1:0] launch_now_i,
    input  wire                   limit_i,        // the host's, of a host that has seen
    input  wire [`IGPU_NOW_W-1:0] limit_now_i,
    input  wire [15:0]            limit_seen_i,   // so many marks
    input  wire                   look_i,         // the lookahead of a kind
    input  wire [1:0]             look_kind_i,
    input  wire [11:0]            look_cycles_i,
    input  wire                   mark_i,         // a message or an end was told:
    input  wire [`IGPU_NOW_W-1:0] mark_now_i,     // its cycle
    input  wire [1:0]             mark_kind_i,
    output reg  [`IGPU_NOW_W-1:0] limit_q
);

    localparam NOW = `IGPU_NOW_W;

    reg  [NOW-1:0] host_q, wall_q;
    reg            walled_q;
    reg  [15:0]    marks_q;                       // so far
    reg  [47:0]    looks_q;                       // lookaheads, 12 bits a kind
    wire [23:0]    aheads = mark_kind_i[1] ? looks_q[47:24] : looks_q[23:0];
    wire [11:0]    ahead  = mark_kind_i[0] ? aheads[23:12] : aheads[11:0];
    reg            mark_q;                        // a mark was a clock ago, and this is
    reg  [NOW-1:0] new_q;                         // its wall
    wire           nearer = !walled_q || new_q < wall_q;
    integer        k;

    always @(posedge clk_i) begin
        for (k = 0; k < 4; k = k + 1)
            if (look_i && look_kind_i == k[1:0])
                looks_q[12*k +: 12] <= look_cycles_i;
        if (!rst_ni || begin_i) begin
            host_q   <= rst_ni ? launch_now_i : {NOW{1'b0}};
            limit_q  <= rst_ni ? launch_now_i : {NOW{1'b0}};
            walled_q <= 1'b0;
            mark_q   <= 1'b0;
            marks_q  <= 16'd0;
        end else begin
            mark_q  <= mark_i && ahead != 12'd0;
            new_q   <= mark_now_i + {{(NOW-12){1'b0}}, ahead};
            limit_q <= (walled_q && wall_q < host_q) ? wall_q : host_q;
            if (limit_i)
                host_q <= limit_now_i;
            if (mark_i)
                marks_q <= marks_q + 16'd1;
            if (mark_q) begin
                walled_q <= 1'b1;
                if (nearer)
                    wall_q <= new_q;
            end else if (limit_i && limit_seen_i == marks_q && !mark_i) begin
                walled_q <= 1'b0;
            end
        end
    end

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_PAST(past_free_q, 1, clk_i, rst_ni && !begin_i && limit_i && !mark_i &&
               limit_seen_i == marks_q)
    `IGPU_REQUIRE(clk_i, !past_free_q || !walled_q,
                  "a limit that knows of all marks takes the wall down")

endmodule

`default_nettype wire

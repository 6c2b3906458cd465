// igpu_eu_mark - stage s2: ranges become bits for the scoreboards.
//
// Function  Six events can change a scoreboard in a visit: the results of FPU0, FPU1 and
//           a response clear bits; what FPU0, FPU1 and SEND issued in the visit before
//           sets bits. mk_hit_q says which threads are meant, event by event, in four
//           equal copies; mk_lo_q, mk_hi_q, mk_x_q are the bits of each.
// Timing    mk_any_o is for s2 (what the scoreboards read); mk_*_q for s3.
// Contract  Events 0 to 2 set, 3 to 5 clear.
// Reset     None.
// Tests     tests/cosim/test_array.c
// Source    docs/eu-pipeline.md#scoreboard

`default_nettype none
`include "igpu_eu.vh"

module igpu_eu_mark (
    input  wire                       clk_i,
    input  wire [5:0]                 s2_valid_i,  // the event is there
    input  wire [17:0]                s2_slot_i,   // its thread, 3 bits each
    input  wire [6*`IGPU_SET_W-1:0]   s2_set_i,    // its bits
    output reg  [6:0]                 mk_any_o,    // threads with an event
    output wire [4*42-1:0]            mk_hit_q,    // threads of each event, 7 bits each
    output reg  [6*64-1:0]            mk_lo_q,     // GRFs 0 to 63 of each
    output reg  [6*64-1:0]            mk_hi_q,     // GRFs 64 to 127
    output reg  [6*8-1:0]             mk_x_q       // other bits
);

    localparam S = `IGPU_SET_W;

    reg [41:0] hit;
    integer    e;

    always @* begin
        hit      = 42'd0;
        mk_any_o = 7'd0;
        if (s2_valid_i != 6'd0)
            for (e = 0; e < 6; e = e + 1)
                if (s2_valid_i[e]) begin
                    hit[7*e +: 7] = 7'd1 << s2_slot_i[3*e +: 3];
                    mk_any_o      = mk_any_o | hit[7*e +: 7];
                end
    end

    // A copy for each quarter of the scoreboards: one for all is the longest wire there is.
    genvar g;
    generate
        for (g = 0; g < 4; g = g + 1) begin : g_copy
            igpu_copy #(.WIDTH(42)) u_hit (
                .clk_i(clk_i), .data_i(hit), .data_q(mk_hit_q[42*g +: 42]));
        end
        for (g = 0; g < 6; g = g + 1) begin : g_event
            wire [63:0]  lo, hi;
            wire [S-1:0] set = s2_set_i[S*g +: S];

            igpu_eu_range u_range (
                .en_i(s2_valid_i[g]), .range_i(set[`IGPU_SET_RANGE]),
                .lo_o(lo), .hi_o(hi));

            always @(posedge clk_i) begin
                if (s2_valid_i[g]) begin
                    mk_lo_q[64*g +: 64] <= lo;
                    mk_hi_q[64*g +: 64] <= hi;
                    mk_x_q[8*g +: 8]    <= set[`IGPU_SET_X];
                end
            end
        end
    endgenerate

endmodule

`default_nettype wire

// igpu_eu_soon - stages s2 to s6: the first hold or wait that ends.
//
// Function  Of the holds of the front end and the waits for code that are there when the
//           visit begins: so_left_q is how many cycles it is until the first of them
//           ends. None of these threads issues or fetches in this visit, so all of them
//           last beyond it; what the visit itself adds is found in s7 (igpu_eu_rest).
// Timing    s2 inputs; so_left_q is for s7.
// Contract  Holds and waits that are over in this cycle are not among them. Without
//           so_any_q so_left_q means nothing.
// Reset     None.
// Model     csim/ref/eu.c: next_from().  Tests: tests/cosim/test_array.c
// Source    docs/develop/eu-pipeline.md#sequencer

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"

module igpu_eu_soon (
    input  wire        clk_i,
    input  wire        s2_valid_i,
    input  wire [8:0]  s2_now_i,
    input  wire [6:0]  s2_hold_i,      // as in igpu_eu_look
    input  wire [55:0] s2_free_at_i,
    input  wire [6:0]  s2_late_i,
    input  wire [62:0] s2_late_at_i,
    output wire        so_any_q,       // there is one,
    output wire [8:0]  so_left_q       // ... that ends in so many cycles
);

    // ---- s2: each by itself; seven holds in the lower places, seven waits above ----
    reg  [15:0]     s3_is_q;
    reg  [16*9-1:0] s3_left_q;
    wire [3:0]      s3_any;
    wire [4*9-1:0]  s3_least;
    reg  [3:0]      s4_any_q;
    reg  [4*9-1:0]  s4_least_q;
    wire            s4_any;
    wire [8:0]      s4_least;
    integer         i, j;

    always @(posedge clk_i) begin
        if (s2_valid_i) begin
            s3_is_q <= {1'b0, s2_late_i, 1'b0, s2_hold_i};
            if (s2_hold_i != 7'd0)
                for (i = 0; i < `IGPU_SLOTS; i = i + 1)
                    s3_left_q[9*i +: 9] <= {1'b0, s2_free_at_i[8*i +: 8] - s2_now_i[7:0]};
            if (s2_late_i != 7'd0)
                for (j = 0; j < `IGPU_SLOTS; j = j + 1)
                    s3_left_q[9*(j+8) +: 9] <= s2_late_at_i[9*j +: 9] - s2_now_i;
            s3_left_q[9*7 +: 9]  <= 9'd0;
            s3_left_q[9*15 +: 9] <= 9'd0;
        end
    end

    // ---- s3, s4: the least of them ----
    genvar g;
    generate
        for (g = 0; g < 4; g = g + 1) begin : g_four
            igpu_min4 #(.W(9)) u_min (
                .valid_i(s3_is_q[4*g +: 4]), .data_i(s3_left_q[36*g +: 36]),
                .any_o(s3_any[g]), .least_o(s3_least[9*g +: 9]));
        end
    endgenerate
    igpu_min4 #(.W(9)) u_min (
        .valid_i(s4_any_q), .data_i(s4_least_q), .any_o(s4_any), .least_o(s4_least));

    always @(posedge clk_i) begin
        s4_any_q   <= s3_any;
        s4_least_q <= s3_least;
    end
    igpu_shift #(.WIDTH(10), .STAGES(3)) u_left (
        .clk_i(clk_i), .data_i({s4_any, s4_least}), .data_o({so_any_q, so_left_q}));

    `IGPU_CONTRACT_NO_RESET(clk_i)
    generate
        for (g = 0; g < `IGPU_SLOTS; g = g + 1) begin : g_contract
            `IGPU_REQUIRE(clk_i, !(s2_valid_i && s2_hold_i[g]) ||
                                 s2_free_at_i[8*g +: 8] != s2_now_i[7:0],
                          "a hold that is over is not among them")
            `IGPU_REQUIRE(clk_i, !(s2_valid_i && s2_late_i[g]) ||
                                 s2_late_at_i[9*g +: 9] != s2_now_i,
                          "a wait that is over is not among them")
        end
    endgenerate

endmodule

`default_nettype wire

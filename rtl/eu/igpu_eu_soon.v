// igpu_eu_soon - stages s2 to s6: the first hold or wait that ends.
//
// Function  Of the holds of the front end and the waits for code that are there when the
//           visit begins: so_left_q is how many cycles it is until the first of them
//           ends. None of these threads issues or fetches in this visit, so all of them
//           last beyond it; what the visit itself adds is found in s7 (igpu_eu_rest).
// Timing    s2 inputs; so_left_q is for s7.
// Contract  All ones: there is none.
// Reset     None.
// Model     csim/ref/eu.c: next_from().  Tests: tests/cosim/test_array.c
// Source    docs/eu-pipeline.md#sequencer

`default_nettype none
`include "igpu_eu.vh"

module igpu_eu_soon (
    input  wire        clk_i,
    input  wire        s2_valid_i,
    input  wire [8:0]  s2_now_i,
    input  wire [6:0]  s2_hold_i,      // as in igpu_eu_look
    input  wire [55:0] s2_free_at_i,
    input  wire [6:0]  s2_late_i,
    input  wire [62:0] s2_late_at_i,
    output wire [8:0]  so_left_q
);

    localparam [8:0] NEVER = 9'h1ff;

    // ---- s2: each by itself ----
    reg  [16*9-1:0] s3_left_q;
    wire [4*9-1:0]  s3_least;
    reg  [4*9-1:0]  s4_least_q;
    wire [8:0]      s4_least;
    integer         i;

    always @(posedge clk_i) begin
        if (s2_valid_i) begin
            s3_left_q <= {16{NEVER}};
            if (s2_hold_i != 7'd0)
                for (i = 0; i < `IGPU_SLOTS; i = i + 1)
                    if (s2_hold_i[i])
                        s3_left_q[9*i +: 9] <=
                            {1'b0, s2_free_at_i[8*i +: 8] - s2_now_i[7:0]};
            if (s2_late_i != 7'd0)
                for (i = 0; i < `IGPU_SLOTS; i = i + 1)
                    if (s2_late_i[i])
                        s3_left_q[9*(i+8) +: 9] <= s2_late_at_i[9*i +: 9] - s2_now_i;
        end
    end

    // ---- s3, s4: the least of them ----
    genvar g;
    generate
        for (g = 0; g < 4; g = g + 1) begin : g_four
            igpu_min4 #(.W(9)) u_min (
                .data_i(s3_left_q[36*g +: 36]), .least_o(s3_least[9*g +: 9]));
        end
    endgenerate
    igpu_min4 #(.W(9)) u_min (.data_i(s4_least_q), .least_o(s4_least));

    always @(posedge clk_i) begin
        s4_least_q <= s3_least;
    end
    igpu_shift #(.WIDTH(9), .STAGES(3)) u_left (
        .clk_i(clk_i), .data_i(s4_least), .data_o(so_left_q));

endmodule

`default_nettype wire

// igpu_eu_hold - how long the front end holds each thread after an issue.
//
// Function  A thread whose instruction issues at t may fetch again from
//           t + fe - 1 on; the end of a thread is not held.
// Timing    hold_o is combinational from registers and now_i.
// Contract  fe is 2 to 255. While a thread is held, no cycle with hit_o may be
//           skipped.
// Reset     rst_ni low, synchronous: none held.
// Model     csim/ref.  Tests: tests/rtl/igpu_eu_tb.v
// Source    docs/model.md section 4.2

`default_nettype none

module igpu_eu_hold (
    input  wire       clk_i,
    input  wire       rst_ni,
    input  wire       ce_i,
    input  wire [7:0] now_i,       // low bits of the cycle
    input  wire [6:0] issue_i,     // threads that issue, without ends of thread
    input  wire [3:0] valid_i,     // units that issue: FPU0, FPU1, SEND, BRANCH
    input  wire [2:0] slot0_i,     // thread and front-end time of each
    input  wire [7:0] fe0_i,
    input  wire [2:0] slot1_i,
    input  wire [7:0] fe1_i,
    input  wire [2:0] slot2_i,
    input  wire [7:0] fe2_i,
    input  wire [2:0] slot3_i,
    input  wire [7:0] fe3_i,
    output wire [6:0] hold_o,      // threads held in this cycle
    output wire       any_o,       // some thread was held at its beginning
    output wire       hit_o,       // a hold may end in this cycle
    output wire [7:0] until_o      // cycle of the next hit_o: low bits
);

    reg  [6:0]  held_q;
    reg  [63:0] end_q;             // a byte a thread: first cycle not held
    reg  [7:0]  near_q;            // the earliest of them, or earlier
    reg  [6:0]  ends;
    reg  [7:0]  least;             // cycles to the earliest after this cycle
    reg  [7:0]  left;
    integer     i, j;

    assign any_o  = held_q != 7'd0;
    assign until_o = near_q;
    assign hit_o  = any_o && near_q == now_i;
    assign hold_o = held_q & ~ends;

    // Only at the earliest end is it worth while to look at all of them.
    always @* begin
        ends = 7'd0;
        if (hit_o)
            for (i = 0; i < 7; i = i + 1)
                ends[i] = end_q[8*i +: 8] == now_i;
    end

    always @* begin
        least = 8'hff;
        left  = 8'd0;
        if (hit_o) begin
            for (j = 0; j < 7; j = j + 1) begin
                left = end_q[8*j +: 8] - now_i;
                if (hold_o[j] && left < least)
                    least = left;
            end
        end else if (any_o && valid_i != 4'd0) begin
            least = near_q - now_i;
        end
        if (valid_i != 4'd0) begin
            if (valid_i[0] && fe0_i <= least)
                least = fe0_i - 8'd1;
            if (valid_i[1] && fe1_i <= least)
                least = fe1_i - 8'd1;
            if (valid_i[2] && fe2_i <= least)
                least = fe2_i - 8'd1;
            if (valid_i[3] && fe3_i <= least)
                least = fe3_i - 8'd1;
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            held_q <= 7'd0;
            near_q <= 8'd0;
        end else if (ce_i && (hit_o || valid_i != 4'd0)) begin
            held_q <= hold_o | issue_i;
            near_q <= now_i + least;
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            end_q <= 64'd0;
        end else if (ce_i && valid_i != 4'd0) begin
            if (valid_i[0])
                end_q[8*slot0_i +: 8] <= now_i + fe0_i - 8'd1;
            if (valid_i[1])
                end_q[8*slot1_i +: 8] <= now_i + fe1_i - 8'd1;
            if (valid_i[2])
                end_q[8*slot2_i +: 8] <= now_i + fe2_i - 8'd1;
            if (valid_i[3])
                end_q[8*slot3_i +: 8] <= now_i + fe3_i - 8'd1;
        end
    end

endmodule

`default_nettype wire

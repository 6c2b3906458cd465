// eu_same_least - of one shell, for eu_same_proof: the next cycle that a visit names, by that
// shell's own state behind the visit. It is the next one where a thread may fetch or issue
// in it; else the first end of those that are to come; where there is none the context
// sleeps. Said of each end by itself, for two numbers that are the least of one list are the
// same number, and a solver need not find that.
`default_nettype none
`include "igpu_eu.vh"

module eu_same_least #(
    parameter N = 20                               // ends
) (
    input  wire [`IGPU_STAMP_W-1:0]    now_i,      // the visit's cycle
    input  wire                        next_i,     // something may fetch or issue in the next
    input  wire                        sleep_i,    // the visit names none,
    input  wire [`IGPU_STAMP_W-1:0]    wake_i,     // or this one
    input  wire [N-1:0]                is_i,       // these ends are to come,
    input  wire [N*`IGPU_DIST_W-1:0]   left_i,     // ... in so many cycles
    output reg  [N+1:0]                bad_o       // must be 0: by end; [N]: the next cycle;
                                                   // [N+1]: another cycle than all of them
);

    localparam T = `IGPU_STAMP_W;
    localparam D = `IGPU_DIST_W;

    wire [T-1:0] after = wake_i - now_i;
    reg          one;
    integer      i;

    always @* begin
        one = is_i == {N{1'b0}} && sleep_i;
        for (i = 0; i < N; i = i + 1) begin
            bad_o[i] = !next_i && is_i[i] && (sleep_i || after > {1'b0, left_i[D*i +: D]});
            one      = one || (is_i[i] && !sleep_i && after == {1'b0, left_i[D*i +: D]});
        end
        bad_o[N]   = next_i && (sleep_i || after != {{(T-1){1'b0}}, 1'b1});
        bad_o[N+1] = !next_i && !one;
    end

endmodule

`default_nettype wire

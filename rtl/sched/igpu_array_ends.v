// igpu_array_ends - threads that ended in the pipeline, until the dispatchers know.
//
// Function  Visits of two cycles can be under way at once: ends of even and of odd cycles
//           are kept apart. settle_i, in cycle t, means that those of t - 1 are counted.
// Timing    An end shows from the next clock on.
// Contract  An EU ends one thread a cycle at most. odd_i is the cycle's lowest bit.
// Reset     rst_ni low, synchronous: none.
// Tests     tests/cosim/test_array.c
// Source    docs/develop/eu-pipeline.md#time

`default_nettype none
`include "igpu_assert.vh"

module igpu_array_ends #(
    parameter EUS = 8,
    parameter EW  = 3                     // log2 of EUS, at least 1
) (
    input  wire             clk_i,
    input  wire             rst_ni,
    input  wire             settle_i,
    input  wire             odd_i,
    input  wire             end_i,        // a thread ends
    input  wire [EW-1:0]    end_eu_i,     // in this EU
    input  wire [2:0]       end_slot_i,   // and slot,
    input  wire             end_odd_i,    // in an odd cycle
    output reg  [EUS-1:0]   even_q,       // EUs with an end in an even cycle
    output reg  [EUS-1:0]   odd_q,
    output reg              even_any_q,   // ... of all: one of them
    output reg              odd_any_q,
    output reg  [3*EUS-1:0] even_slot_q,  // its slot, 3 bits an EU
    output reg  [3*EUS-1:0] odd_slot_q
);

    localparam [EUS-1:0] ONE  = 1;
    localparam [EUS-1:0] NONE = 0;

    integer        k;
    wire [EUS-1:0] ended = end_i ? ONE << end_eu_i : NONE;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            even_q     <= NONE;
            odd_q      <= NONE;
            even_any_q <= 1'b0;
            odd_any_q  <= 1'b0;
        end else begin
            even_q <= ((settle_i && odd_i) ? NONE : even_q) | (end_odd_i ? NONE : ended);
            odd_q  <= ((settle_i && !odd_i) ? NONE : odd_q) | (end_odd_i ? ended : NONE);
            even_any_q <= (even_any_q && !(settle_i && odd_i)) || (end_i && !end_odd_i);
            odd_any_q  <= (odd_any_q && !(settle_i && !odd_i)) || (end_i && end_odd_i);
        end
        if (end_i)
            for (k = 0; k < EUS; k = k + 1)
                if (ended[k] && end_odd_i)
                    odd_slot_q[3*k +: 3] <= end_slot_i;
                else if (ended[k])
                    even_slot_q[3*k +: 3] <= end_slot_i;
    end

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !end_i || {{(32-EW){1'b0}}, end_eu_i} < EUS, "end_eu_i is an EU")
    `IGPU_REQUIRE(clk_i, !end_i || !end_odd_i || !odd_q[end_eu_i] || (settle_i && !odd_i),
                  "an EU ends one thread a cycle at most")
    `IGPU_REQUIRE(clk_i, !end_i || end_odd_i || !even_q[end_eu_i] || (settle_i && odd_i),
                  "an EU ends one thread a cycle at most")

endmodule

`default_nettype wire

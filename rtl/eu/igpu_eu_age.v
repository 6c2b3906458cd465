// igpu_eu_age - stages s1 to s4: which threads are older than which.
//
// Function  s1 makes the thread that was opened the youngest; ag_older_o shows s4 who is
//           older than each thread, 7 bits a thread.
// State     A bit for each pair of slots: of two threads one is older, so the other's bit
//           follows. Of slots without a thread it means nothing.
// Timing    Read in s0, written in s1.
// Reset     None: s0_first_i makes the state empty.
// Model     csim/ref/eu.c: ref_pick().  Tests: tests/cosim/test_array.c
// Source    docs/contract/model.md section 4.4

`default_nettype none
`include "igpu_eu.vh"

module igpu_eu_age #(
    parameter ROWS = 8,                            // of the state RAM: contexts
    parameter CW   = 3                             // log2 of ROWS
) (
    input  wire          clk_i,
    input  wire          s0_valid_i,
    input  wire          s0_first_i,    // the state is empty
    input  wire [CW-1:0] s0_ctx_i,
    input  wire          s1_valid_i,
    input  wire [CW-1:0] s1_ctx_i,
    input  wire          s1_open_i,     // a thread was opened,
    input  wire [2:0]    s1_slot_i,     // in this slot
    output wire [48:0]   ag_older_o     // in s4
);

    localparam PAIRS = 21;

    `include "igpu_eu_slot.vh"
    `include "igpu_eu_look.vh"

    // Pairs in the order (1, 0), (2, 0), (2, 1), (3, 0)...: the second is older.
    function [PAIRS-1:0] to_pairs(input [48:0] older);
        integer i, j;
        begin
            to_pairs = {PAIRS{1'b0}};
            for (i = 1; i < `IGPU_SLOTS; i = i + 1)
                for (j = 0; j < i; j = j + 1)
                    to_pairs[i * (i - 1) / 2 + j] = older[7*i + j];
        end
    endfunction

    function [48:0] of_pairs(input [PAIRS-1:0] pairs);
        integer i, j;
        begin
            of_pairs = 49'd0;
            for (i = 1; i < `IGPU_SLOTS; i = i + 1)
                for (j = 0; j < i; j = j + 1) begin
                    of_pairs[7*i + j] = pairs[i * (i - 1) / 2 + j];
                    of_pairs[7*j + i] = !pairs[i * (i - 1) / 2 + j];
                end
        end
    endfunction

    wire [PAIRS-1:0] pairs_m, s4_pairs;
    reg  [PAIRS-1:0] pairs;

    always @* begin
        pairs = s1_open_i ? to_pairs(look_older(of_pairs(pairs_m), s1_slot_i)) : pairs_m;
    end

    igpu_ctx_ram #(.WIDTH(PAIRS), .DEPTH(ROWS), .AW(CW)) u_pairs (
        .clk_i(clk_i), .re_i(s0_valid_i), .clear_i(s0_first_i), .raddr_i(s0_ctx_i),
        .rdata_o(pairs_m), .we_i(s1_valid_i), .waddr_i(s1_ctx_i), .wdata_i(pairs));
    igpu_shift #(.WIDTH(PAIRS), .STAGES(3)) u_shift (
        .clk_i(clk_i), .data_i(pairs), .data_o(s4_pairs));

    assign ag_older_o = of_pairs(s4_pairs);

endmodule

`default_nettype wire

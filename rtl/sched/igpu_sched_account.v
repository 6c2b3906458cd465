// igpu_sched_account - what the global dispatcher knows of one subslice.
//
// Function  Free thread slots, free barrier slots, free SLM, and the threads
//           left in each barrier slot's group. Ends free resources that can be
//           used in the same cycle.
// Timing    Ends are counted in three clocks, the first enabled: ends_o comes in the
//           second, and what fits shows in the fourth.
// Contract  take_thread_i only when threads_o > 0; take_group_i only when the
//           group fits, and not in a clock with ends or the two after. A group's threads all end before its slot is reused.
// Reset     rst_ni low, synchronous: all free.
// Model     csim/ref.  Tests: tests/rtl/igpu_sched_global_tb.v
// Source    docs/contract/model.md section 2

`default_nettype none
`include "igpu_assert.vh"

module igpu_sched_account (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        ce_i,
    input  wire [5:0]  all_threads_i,   // thread slots of the subslice
    input  wire [15:0] all_bslots_i,    // barrier slots that exist
    input  wire [6:0]  all_slm_i,       // KB of SLM
    input  wire [5:0]  group_threads_i, // threads of a group
    input  wire [6:0]  group_slm_i,     // KB of SLM of a group
    input  wire [7:0]  end_i,           // ends that take effect, one bit an EU
    input  wire [39:0] end_bslot_i,     // barrier slot of each; 31: none
    input  wire        take_thread_i,   // one thread slot is taken
    input  wire        take_group_i,    // all that a group needs is taken
    output wire        thread_fits_o,   // a thread slot is free
    output wire        group_fits_o,    // a group fits
    output wire [15:0] lowest_o,        // the lowest free barrier slot, one-hot
    output wire [5:0]  threads_o,       // free thread slots
    output wire [3:0]  ends_o           // ends in this cycle
);

    reg  [5:0]  threads_q;
    reg  [15:0] bslots_q;               // free barrier slots
    reg  [6:0]  slm_q;
    wire [15:0] freed_q;                // barrier slots that become free
    // Counts of ends and of groups that end; zero most of the time.
    wire [3:0]  ends = (end_i == 8'd0) ? 4'd0 :
                       (({3'd0, end_i[0]} + {3'd0, end_i[1]}) +
                        ({3'd0, end_i[2]} + {3'd0, end_i[3]})) +
                       (({3'd0, end_i[4]} + {3'd0, end_i[5]}) +
                        ({3'd0, end_i[6]} + {3'd0, end_i[7]}));
    reg  [3:0]  groups;
    integer     j;

    // ---- each in a clock of its own ----
    reg  [3:0]  ends_q, groups_q;

    always @* begin
        groups = 4'd0;
        if (freed_q != 16'd0)
            for (j = 0; j < 16; j = j + 1)
                groups = groups + {3'd0, freed_q[j]};
    end

    always @(posedge clk_i) begin
        ends_q   <= (rst_ni && ce_i) ? ends : 4'd0;
        groups_q <= rst_ni ? groups : 4'd0;
    end

    wire [5:0]  threads = threads_q + {2'd0, ends_q};
    wire [15:0] bslots  = bslots_q | freed_q;
    wire [6:0]  slm     = slm_q + {3'd0, groups_q} * group_slm_i;
    wire        ended   = ends_q != 4'd0 || groups_q != 4'd0;
    // A take that shows while ends are counted is not one yet.
    wire        thread  = take_thread_i && !ended;
    wire        group   = take_group_i && !ended;
    wire [15:0] lowest  = bslots_q & (~bslots_q + 16'd1);

    assign ends_o        = ends_q;
    assign thread_fits_o = threads_q != 6'd0;
    assign group_fits_o  = threads_q >= group_threads_i && bslots_q != 16'd0 &&
                           slm_q >= group_slm_i;

    assign lowest_o      = lowest;
    assign threads_o     = threads_q;

    igpu_sched_groups u_groups (
        .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce_i),
        .take_i(take_group_i ? lowest : 16'd0), .threads_i(group_threads_i),
        .end_i(end_i), .end_bslot_i(end_bslot_i), .freed_o(freed_q));

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            threads_q <= all_threads_i;
            bslots_q  <= all_bslots_i;
            slm_q     <= all_slm_i;
        end else if (ended || (ce_i && (thread || group))) begin
            threads_q <= threads - (group ? group_threads_i : 6'd0) - {5'd0, thread};
            bslots_q  <= bslots & ~(group ? lowest : 16'd0);
            slm_q     <= slm - (group ? group_slm_i : 7'd0);
        end
    end

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !(ce_i && thread) || thread_fits_o, "a thread is taken only when it fits")
    `IGPU_REQUIRE(clk_i, !(ce_i && group) || group_fits_o, "a group is taken only when it fits")
    `IGPU_REQUIRE(clk_i, !ended || !ce_i || !(take_thread_i || take_group_i) || end_i != 8'd0,
                  "nothing is taken while ends are counted")

endmodule

`default_nettype wire

// igpu_sched_account - what the global dispatcher knows of one subslice.
//
// Function  Free thread slots, free barrier slots, free SLM, and the threads
//           left in each barrier slot's group. Ends free resources that can be
//           used in the same cycle.
// Timing    The *_o outputs are combinational: registers plus this cycle's ends. With
//           SPLIT ends are counted in three clocks, the first enabled: ends_o comes in
//           the second, and what fits shows in the fourth.
// Contract  take_thread_i only when threads_o > 0; take_group_i only when the
//           group fits. A group's threads all end before its slot is reused.
// Reset     rst_ni low, synchronous: all free.
// Model     csim/ref.  Tests: tests/rtl/igpu_sched_global_tb.v
// Source    docs/model.md section 2

`default_nettype none

module igpu_sched_account #(
    parameter SPLIT = 0             // 1: no take in a clock with ends and the two after
) (
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
    output wire [3:0]  bslot_o,         // the lowest free barrier slot
    output wire [3:0]  ends_o           // ends in this cycle
);

    reg  [5:0]  threads_q;
    reg  [15:0] bslots_q;               // free barrier slots
    reg  [6:0]  slm_q;
    wire [15:0] freed;                  // barrier slots that become free
    // Counts of ends and of groups that end; zero most of the time.
    wire [3:0]  ends = (end_i == 8'd0) ? 4'd0 :
                       (({3'd0, end_i[0]} + {3'd0, end_i[1]}) +
                        ({3'd0, end_i[2]} + {3'd0, end_i[3]})) +
                       (({3'd0, end_i[4]} + {3'd0, end_i[5]}) +
                        ({3'd0, end_i[6]} + {3'd0, end_i[7]}));
    reg  [3:0]  groups;
    integer     j;

    // ---- with SPLIT each in a clock of its own ----
    wire [3:0]  ends2, groups3;
    wire [15:0] freed2;

    always @* begin
        groups = 4'd0;
        if (freed2 != 16'd0)
            for (j = 0; j < 16; j = j + 1)
                groups = groups + {3'd0, freed2[j]};
    end

    generate
        if (SPLIT != 0) begin : g_split
            reg [3:0]  ends_q, groups_q;
            reg [15:0] freed_q;

            always @(posedge clk_i) begin
                ends_q   <= (rst_ni && ce_i) ? ends : 4'd0;
                freed_q  <= (rst_ni && ce_i) ? freed : 16'd0;
                groups_q <= rst_ni ? groups : 4'd0;
            end
            assign {ends2, freed2, groups3} = {ends_q, freed_q, groups_q};
        end else begin : g_at_once
            assign {ends2, freed2, groups3} = {ends, freed, groups};
        end
    endgenerate

    wire [5:0]  threads = threads_q + {2'd0, ends2};
    wire [15:0] bslots  = bslots_q | freed2;
    wire [6:0]  slm     = slm_q + {3'd0, groups3} * group_slm_i;
    wire        ended   = (SPLIT != 0 || ce_i) && (ends2 != 4'd0 || groups3 != 4'd0);
    // With SPLIT a take that shows while ends are counted is not one yet.
    wire        thread  = take_thread_i && !(SPLIT != 0 && ended);
    wire        group   = take_group_i && !(SPLIT != 0 && ended);
    wire        taken   = ce_i && (thread || group);
    // What a take sees: with SPLIT only registers.
    wire [5:0]  have    = (SPLIT != 0) ? threads_q : threads;
    wire [15:0] open    = (SPLIT != 0) ? bslots_q : bslots;
    wire [6:0]  room    = (SPLIT != 0) ? slm_q : slm;
    wire [15:0] lowest  = open & (~open + 16'd1);

    assign ends_o        = ends2;
    assign thread_fits_o = have != 6'd0;
    assign group_fits_o  = have >= group_threads_i && open != 16'd0 &&
                           room >= group_slm_i;
    assign bslot_o       = {|lowest[15:8], |(lowest & 16'hf0f0),
                            |(lowest & 16'hcccc), |(lowest & 16'haaaa)};

    genvar b;
    generate
        for (b = 0; b < 16; b = b + 1) begin : g_bslot
            igpu_sched_group #(.BSLOT(b)) u_group (
                .clk_i(clk_i), .rst_ni(rst_ni), .ce_i(ce_i),
                .take_i(take_group_i && lowest[b]), .threads_i(group_threads_i),
                .end_i(end_i), .end_bslot_i(end_bslot_i), .freed_o(freed[b]));
        end
    endgenerate

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            threads_q <= all_threads_i;
            bslots_q  <= all_bslots_i;
            slm_q     <= all_slm_i;
        end else if (ended || taken) begin
            threads_q <= threads - (group ? group_threads_i : 6'd0) - {5'd0, thread};
            bslots_q  <= bslots & ~(group ? lowest : 16'd0);
            slm_q     <= slm - (group ? group_slm_i : 7'd0);
        end
    end

endmodule

`default_nettype wire

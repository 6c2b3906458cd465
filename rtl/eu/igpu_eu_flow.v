// igpu_eu_flow - which channels of a thread run, and where the others wait.
//
// Function  Each channel has a pc; those with the lowest run, the others wait at theirs. At a
//           branch some leave (there) for its target and the others go on; then the lowest
//           run again. Channels that come to where others wait join them. While all live
//           channels run together and go the same way, no pc of a channel is touched. A call
//           leaves the others behind in a frame: they are not live until the last of the
//           called ones has returned.
// Timing    lanes: in the same clock. A branch that all take, or none, is done in the clock in
//           which it is asked for; others, and joining, take 9 clocks: the pcs of 8
//           channels a clock are written and the lowest found, then who has it and the lowest
//           of the rest. break looks at the instruction at its UIP first: one clock more.
// Contract  One request at a time, held until done_o; no poke of lanes or pcs while busy_o. A thread has a live channel. pcs count
//           8 bytes.
// Reset     rst_ni low, synchronous: no request is under way.
// Model     csim/emu/emu_branch.c, emu_flow.c
// Tests     tests/cosim/test_values
// Source    docs/develop/eu.md#branches

`default_nettype none
`include "igpu_isa.vh"
`include "igpu_values.vh"

module igpu_eu_flow #(
    parameter THREADS = 8,
    parameter TW      = 3,
    parameter PW      = 17,                // bits of a pc
    parameter DW      = 6                  // log2 of the calls that may nest
) (
    input  wire          clk_i,
    input  wire          rst_ni,
    input  wire [TW-1:0] thread_i,     // that is looked at, and whose request it is
    output wire [31:0]   active_o,
    output wire [31:0]   live_o,
    output wire [PW-1:0] wait_o,       // the lowest pc of those that wait; all ones: none
    input  wire          join_i,       // request: they have come to where others wait
    input  wire          branch_i,     // request: branch
    input  wire [6:0]    op_i,
    input  wire          control_i,    // branch control
    input  wire [31:0]   window_i,     // channels that the instruction is for
    input  wire [31:0]   pred_i,       // ... whose predicate holds
    input  wire          first_pred_i, // it holds for the instruction's first channel
    input  wire [PW-1:0] pc_i,
    input  wire [PW-1:0] next_i,       // pc behind it
    input  wire [PW-1:0] jip_i,
    input  wire [PW-1:0] uip_i,
    input  wire          start_i,      // a thread begins: no call
    input  wire [TW-1:0] start_thread_i,
    output wire [31:0]   there_o,      // channels that leave
    output wire          peek_o,       // show the instruction at uip_i
    input  wire [63:0]   peek_data_i,  // ... a clock later
    output wire          busy_o,       // no poke of lanes or pcs now
    output wire          done_o,
    output wire [PW-1:0] at_o,         // done: where the thread goes on
    input  wire          poke_i,       // from outside
    input  wire [2:0]    poke_kind_i,  // IGPU_POKE_LANES, _PC
    input  wire [TW-1:0] poke_thread_i,
    input  wire [1:0]    poke_row_i,   // of pcs
    input  wire [255:0]  poke_data_i
);

    localparam [PW-1:0] NOWHERE = {PW{1'b1}};
    localparam [3:0]    IDLE = 4'd0, WRITE = 4'd1, FIND = 4'd5, LAST = 4'd8, PEEK = 4'd9;

    reg [31:0]     active_m [0:THREADS-1];
    reg [31:0]     live_m [0:THREADS-1];
    reg [PW-1:0]   wait_m [0:THREADS-1];
    reg [8*PW-1:0] pc_m [0:4*THREADS-1];
    reg [DW-1:0]   depth_m [0:THREADS-1];
    reg [31:0]     frame_m [0:(THREADS << DW)-1];  // live channels of the caller

    assign active_o = active_m[thread_i];
    assign live_o   = live_m[thread_i];
    assign wait_o   = wait_m[thread_i];

    // ---- who leaves -----------------------------------------------------------------
    wire [31:0]   taken = active_o & window_i & pred_i;
    reg  [31:0]   there;
    reg  [PW-1:0] target;
    reg  [PW-1:0] behind_q;            // break: the pc behind its UIP's while, or UIP
    reg           peeked_q;

    always @* begin
        there  = 32'd0;
        target = jip_i;
        case (op_i)
        `IGPU_OP_IF:    there = active_o & ~taken;
        `IGPU_OP_ELSE:  there = active_o;
        `IGPU_OP_WHILE: there = taken;
        `IGPU_OP_JMPI:  there = first_pred_i ? active_o : 32'd0;
        `IGPU_OP_BREAK: begin
            there  = taken;
            target = behind_q;
        end
        `IGPU_OP_CALL, `IGPU_OP_CALLA, `IGPU_OP_RET, `IGPU_OP_BRD: there = taken;
        `IGPU_OP_CONT, `IGPU_OP_HALT, `IGPU_OP_BRC: begin
            there  = taken;
            target = uip_i;
        end
        `IGPU_OP_GOTO: begin
            there  = control_i ? taken : active_o & window_i & ~taken;
            target = uip_i;
        end
        default: there = 32'd0;            // endif, join
        endcase
    end

    // ---- steps ------------------------------------------------------------------------
    reg  [3:0]    step_q;
    reg  [PW-1:0] low_q, second_q;
    reg  [31:0]   has_q;                   // channels at low_q
    wire          parting = branch_i && !join_i;
    wire          here    = (active_o & ~there) != 32'd0;
    wire          look    = parting && op_i == `IGPU_OP_BREAK && !peeked_q;
    wire          calls   = op_i == `IGPU_OP_CALL || op_i == `IGPU_OP_CALLA;
    wire          returns = op_i == `IGPU_OP_RET;
    wire          uniform = parting && active_o == live_o &&
                            ((!here && !calls && !returns) || there == 32'd0);
    wire          quick   = step_q == IDLE && uniform && !look;
    wire          finish  = step_q == LAST;

    // ---- calls ------------------------------------------------------------------------
    wire [DW-1:0] depth  = depth_m[thread_i];
    wire [DW-1:0] inner  = depth - {{(DW-1){1'b0}}, 1'b1};
    wire          begins = step_q == IDLE && parting && !quick && !look;
    wire          push   = begins && calls && there != 32'd0;
    wire          back   = begins && returns;
    wire [31:0]   caller = frame_m[{thread_i, inner}] | there;
    wire [31:0]   stay   = live_o & ~there;
    wire          pop    = back && stay == 32'd0;

    assign there_o = there;

    always @(posedge clk_i) begin
        if (push || back)
            frame_m[push ? {thread_i, depth} : {thread_i, inner}] <= push ? stay : caller;
        if (start_i)
            depth_m[start_thread_i] <= {DW{1'b0}};
        else if (push || pop)
            depth_m[thread_i] <= push ? depth + {{(DW-1){1'b0}}, 1'b1} : inner;
    end

    // ---- eight channels a clock -------------------------------------------------------
    wire [1:0]      row   = finish || step_q >= FIND ? step_q[1:0] - FIND[1:0]
                                                     : step_q[1:0] - WRITE[1:0];
    wire [8*PW-1:0] old   = pc_m[{thread_i, row}];
    wire [7:0]      runs  = active_o[{row, 3'd0} +: 8];
    wire [7:0]      lives = live_o[{row, 3'd0} +: 8];
    wire [7:0]      leaves = there[{row, 3'd0} +: 8];
    reg  [8*PW-1:0] pcs;
    reg  [7:0]      counts, equal;
    reg  [PW-1:0]   least;
    reg  [4*PW-1:0] four;
    reg  [2*PW-1:0] two;
    integer         i;

    function [PW-1:0] lower;
        input [PW-1:0] a, b;
        lower = b < a ? b : a;
    endfunction

    always @* begin
        pcs = old;
        equal = 8'd0;
        // The first round writes where those that run are now.
        for (i = 0; i < 8; i = i + 1) begin
            if (step_q < FIND && runs[i])
                pcs[PW*i +: PW] = !parting ? pc_i : leaves[i] ? target : next_i;
            equal[i] = lives[i] && pcs[PW*i +: PW] == low_q;
        end
        counts = step_q < FIND ? lives : lives & ~equal;
        for (i = 0; i < 4; i = i + 1)
            four[PW*i +: PW] = lower(counts[2*i] ? pcs[PW*(2*i) +: PW] : NOWHERE,
                                     counts[2*i+1] ? pcs[PW*(2*i+1) +: PW] : NOWHERE);
        for (i = 0; i < 2; i = i + 1)
            two[PW*i +: PW] = lower(four[PW*(2*i) +: PW], four[PW*(2*i+1) +: PW]);
        least = lower(two[PW-1:0], two[2*PW-1:PW]);
    end

    wire [31:0]   has    = has_q | ({24'd0, equal} << {row, 3'd0});
    wire [PW-1:0] second = lower(least, second_q);

    assign busy_o = step_q != IDLE;
    assign peek_o = step_q == IDLE && look;
    assign done_o = quick || (finish && parting);
    assign at_o   = quick ? (here ? next_i : target) : low_q;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            step_q   <= IDLE;
            peeked_q <= 1'b0;
        end else begin
            if (step_q == IDLE && (join_i || branch_i) && !quick)
                step_q <= look ? PEEK : WRITE;
            else if (step_q == PEEK || finish)
                step_q <= IDLE;
            else if (step_q != IDLE)
                step_q <= step_q + 4'd1;
            peeked_q <= (peeked_q || step_q == PEEK) && !done_o;
        end
        if (step_q == PEEK)
            behind_q <= peek_data_i[6:0] != `IGPU_OP_WHILE ? uip_i
                        : uip_i + {{(PW-2){1'b0}}, !peek_data_i[29], peek_data_i[29]};
        if (step_q == IDLE)
            low_q <= NOWHERE;
        else if (step_q < FIND)
            low_q <= lower(least, low_q);
        if (step_q < FIND) begin
            second_q <= NOWHERE;
            has_q    <= 32'd0;
        end else begin
            second_q <= second;
            has_q    <= has;
        end
    end

    // ---- memory -------------------------------------------------------------------------
    wire            poke_lanes = poke_i && poke_kind_i == `IGPU_POKE_LANES;
    wire            poke_pc    = poke_i && poke_kind_i == `IGPU_POKE_PC;
    wire            writes     = step_q >= WRITE && step_q < FIND;
    reg  [8*PW-1:0] poked;

    always @* begin
        poked = {8*PW{1'b0}};
        for (i = 0; i < 8; i = i + 1)
            poked[PW*i +: PW] = poke_data_i[32*i +: PW];
    end

    always @(posedge clk_i) begin
        if (poke_pc || writes)
            pc_m[poke_pc ? {poke_thread_i, poke_row_i} : {thread_i, row}] <=
                poke_pc ? poked : pcs;
        if (poke_lanes || finish) begin
            active_m[poke_lanes ? poke_thread_i : thread_i] <= poke_lanes ? poke_data_i[31:0] : has;
            wait_m[poke_lanes ? poke_thread_i : thread_i] <=
                poke_lanes ? poke_data_i[64 +: PW] : second;
        end
        if (poke_lanes)
            live_m[poke_thread_i] <= poke_data_i[63:32];
        else if (push || back)
            live_m[thread_i] <= push ? there : pop ? caller : stay;
    end

    wire unused = &{1'b0, peek_data_i, poke_data_i};

endmodule

`default_nettype wire

// The steps of the EU (rtl/eu/igpu_eu_*.vh): what each decides, for every operand, or in
// every state that visits can reach. test_eu_steps.sh proves one module after the other.
`include "igpu_eu.vh"
`include "igpu_regs.vh"

// What an instruction sets and needs, bit by bit.
module eu_bits_proof (
    input wire [13:0] set, input wire [41:0] need, input wire [6:0] g,
    input wire [63:0] need_lo, busy_lo, need_hi, busy_hi, input wire [7:0] need_x, busy_x,
    input wire [6:0] ready, held, cleared, met);
    `include "igpu_eu_range.vh"
    `include "igpu_eu_board.vh"
    `include "igpu_eu_fetch.vh"
    reg [63:0] lo, hi, all_lo, all_hi;

    function in(input [13:0] range);
        in = range[6:0] <= g && g <= range[13:7];
    endfunction

    always @* begin
        range_bits(set, lo, hi);
        fetch_bits(set, need, all_lo, all_hi);
        assert ((g[6] ? hi[g[5:0]] : lo[g[5:0]]) == in(set));
        assert ((g[6] ? all_hi[g[5:0]] : all_lo[g[5:0]]) ==
                (in(set) || in(need[13:0]) || in(need[27:14]) || in(need[41:28])));
        // Nothing that is needed is busy; no thread may issue that was not ready and has
        // no instruction whose bits have just come.
        if (board_met(need_lo, busy_lo, need_hi, busy_hi, need_x, busy_x))
            assert (!(g[6] ? need_hi[g[5:0]] && busy_hi[g[5:0]] :
                      need_lo[g[5:0]] && busy_lo[g[5:0]]) && !(need_x[g[2:0]] && busy_x[g[2:0]]));
        else
            assert ({need_lo & busy_lo, need_hi & busy_hi, need_x & busy_x} != 136'd0);
        assert (board_may(ready, held, cleared, met) == (ready | (held & cleared & met)));
    end
endmodule

// Who issues: a ready thread, once, to a unit of its own that can take one; a unit that
// can and has a thread for it takes one: the first after its last or, where that is asked
// for, the oldest. With both choices of FPU1 at once, or (CHAIN) one after FPU0's.
module eu_pick_proof #(parameter CHAIN = 0) (
    input wire [6:0] ready, unit1, unit0, input wire [3:0] can, input wire [27:0] above,
    input wire oldest, input wire [48:0] older);
    localparam RR_N = 7;
    localparam PICK_CHAIN = CHAIN;
    `include "igpu_rr.vh"
    `include "igpu_eu_pick.vh"
    reg [6:0]  any, fpu1, send, branch, left;
    reg [27:0] after, who;
    reg [3:0]  issue;
    integer    u, i, j, k;

    // The first of req after the last winner: none stands before it. Or the oldest: none is
    // older.
    function first(input [6:0] req, input [6:0] from, input [6:0] grant);
        reg [6:0] pool, elder;
        begin
            elder = 7'd0;
            for (i = 0; i < 7; i = i + 1)
                if (grant[i])
                    elder = elder | older[7*i +: 7];
            pool  = ((req & from) != 7'd0) ? req & from : req;
            if (oldest)
                pool = req & ~((elder & req) != 7'd0 ? grant : 7'd0);
            first = (req == 7'd0) ? grant == 7'd0 :
                    (grant & (grant - 7'd1)) == 7'd0 && (grant & pool) != 7'd0 &&
                    (oldest || (pool & (grant - 7'd1)) == 7'd0);
        end
    endfunction

    function next(input [6:0] grant, input [6:0] from, input [6:0] then);
        next = (grant == 7'd0 || oldest) ? then == from : then == ~(grant | (grant - 7'd1));
    endfunction

    always @* begin
        for (u = 0; u < 4; u = u + 1)              // what a grant leaves
            assume ((~above[7*u +: 7] & (~above[7*u +: 7] + 7'd1)) == 7'd0);
        for (i = 0; i < 7; i = i + 1)              // ages are an order
            for (j = 0; j < 7; j = j + 1) begin
                assume (older[7*i+j] == (i != j && !older[7*j+i]));
                for (k = 0; k < 7; k = k + 1)
                    assume (!(older[7*i+j] && older[7*j+k]) || older[7*i+k]);
            end
        pick_units(ready, unit1, unit0, any, fpu1, send, branch);
        pick_who(any, fpu1, send, branch, can, above[6:0], above[13:7], above[20:14],
                 above[27:21], oldest, older, after[6:0], after[13:7], after[20:14],
                 after[27:21], issue, who[6:0], who[13:7], who[20:14], who[27:21]);
        left = (any | fpu1) & ~who[6:0];
        assert ({any, fpu1, send, branch} == {ready & ~unit1 & ~unit0, ready & ~unit1 & unit0,
                                              ready & unit1 & ~unit0, ready & unit1 & unit0});
        assert (first(can[0] ? any : 7'd0, above[6:0], who[6:0]));
        assert (first(can[1] ? left : 7'd0, above[13:7], who[13:7]));
        assert (first(can[2] ? send : 7'd0, above[20:14], who[20:14]));
        assert (first(can[3] ? branch : 7'd0, above[27:21], who[27:21]));
        for (u = 0; u < 4; u = u + 1) begin
            assert (issue[u] == (who[7*u +: 7] != 7'd0));
            assert (next(who[7*u +: 7], above[7*u +: 7], after[7*u +: 7]));
        end
        assert ((who[6:0] & who[13:7]) == 7'd0);
    end
endmodule

module eu_pick_chain_proof (
    input wire [6:0] ready, unit1, unit0, input wire [3:0] can, input wire [27:0] above,
    input wire oldest, input wire [48:0] older);
    eu_pick_proof #(.CHAIN(1)) u_proof (
        .ready(ready), .unit1(unit1), .unit0(unit0), .can(can), .above(above),
        .oldest(oldest), .older(older));
endmodule

// A unit over visits: occupied exactly for its occupancy. State as the shells keep it, beside
// a count of cycles to go.
module eu_unit_proof (
    input wire clk, input wire [10:0] delta, input wire old, want, input wire [7:0] occ);
    `include "igpu_eu_unit.vh"
    reg       taken;
    reg [9:0] until_at, now;
    reg [7:0] g_left;
    initial {taken, g_left} = 9'd0;

    wire [9:0] now2 = now + delta[9:0];
    wire [7:0] left2 = (delta >= {3'd0, g_left}) ? 8'd0 : g_left - delta[7:0];
    reg        still;
    reg [7:0]  left;
    wire       issue = want && !still;

    always @* begin
        unit_left(taken, old, until_at, now2, still, left);
        assume (occ != 8'd0 && delta != 11'd0);
        assume (old ? delta > 11'd255 : delta <= 11'd511); // as the sequencer says
        assert (still == (left2 != 8'd0));
        if (still)
            assert (left == left2);
        assert (taken == (g_left != 8'd0) && (!taken || until_at == now + {2'd0, g_left}));
    end

    always @(posedge clk) begin
        now   <= now2;
        taken <= still || issue;
        if (issue)
            until_at <= now2 + {2'd0, occ};
        g_left <= issue ? occ : left2;
    end
endmodule

// The instructions of an FPU over visits: D = now + max(latency, D' - now) + occupancy, D' of
// the youngest, whose result comes in a cycle with a visit; D' - now fits 7 bits where
// something issues, since the unit is free then (eu_unit_proof).
module eu_track_proof (
    input wire clk, input wire [8:0] delta, input wire want, input wire [5:0] lat,
    input wire [7:0] occ, input wire [3:0] wr, rd, input wire done);
    `include "igpu_eu_track.vh"
    reg       flying;
    reg [9:0] last, now;
    reg [7:0] g_left;                              // cycles to go: the unit's
    reg [8:0] g_d;                                 // ... and to D'
    initial {flying, g_left, g_d} = 18'd0;

    wire [9:0] now2 = now + {1'b0, delta};
    wire       there = track_done(flying, last, now2);
    wire       fly = flying && !there;
    wire [6:0] prior = track_prior(fly, last[6:0], now2[6:0]);
    wire [9:0] span = track_span(prior, lat, occ);
    wire [7:0] left2 = (delta >= {1'b0, g_left}) ? 8'd0 : g_left - delta[7:0];
    wire [8:0] d2 = (delta >= g_d) ? 9'd0 : g_d - delta;
    wire [8:0] most = (d2 > {3'd0, lat}) ? d2 : {3'd0, lat};
    wire       issue = want && left2 == 8'd0;

    always @* begin
        assume (occ != 8'd0 && delta != 9'd0);
        if (flying)
            assume (delta <= g_d);
        assert (there == (flying && d2 == 9'd0));
        assert (track_room(done, wr, rd) == (done || wr + 4'd1 != rd));
        if (issue) begin
            assert (d2 <= 9'd63 && {2'd0, prior} == d2);
            assert (span == {1'b0, most} + {2'd0, occ});
        end
        assert (flying == (g_d != 9'd0) && (!flying || last == now + {1'b0, g_d}));
        assert (g_d <= {1'b0, g_left} + 9'd63);
    end

    always @(posedge clk) begin
        now    <= now2;
        flying <= fly || issue;
        if (issue)
            last <= now2 + span;
        g_left <= issue ? occ : left2;
        g_d    <= issue ? most + {1'b0, occ} : d2;
    end
endmodule

// The port of responses over visits: one takes exactly its duration, from its arrival or
// from the end of the one before it, in order of arrival.
module eu_resp_proof (
    input wire clk, input wire [7:0] delta, input wire given, waits,
    input wire [7:0] dur, wait_dur);
    `include "igpu_eu_resp.vh"
    reg       begun, busy;
    reg [7:0] until_at, now, g_left;               // cycles to go
    initial {begun, busy, g_left} = 10'd0;

    wire [7:0] now2  = now + delta;
    wire [7:0] left2 = g_left - delta;
    wire       g_over = busy && left2 == 8'd0;
    wire       g_free = !busy || g_over;
    reg  [7:0] left, next_left;
    reg        over, instant, from_q, direct, push, next_busy;
    wire [7:0] g_next = !g_free ? left2 : (g_over && waits) ? wait_dur :
                        !given ? 8'd0 : g_over ? dur : dur - 8'd1;

    always @* begin
        resp_look(busy, until_at, now2, given, dur, left, over, instant);
        resp_next(busy, over, given, instant, left, dur, waits, wait_dur, from_q, direct, push,
                  next_busy, next_left);
        assume (delta != 8'd0 && dur != 8'd0 && wait_dur != 8'd0);
        assume (busy || !waits);                   // nobody waits for a free port
        if (busy)
            assume (delta <= g_left);              // its end is visited
        assert (over == g_over && instant == (given && !busy && dur == 8'd1));
        assert (from_q == (g_over && waits));
        assert (direct == (given && g_free && !from_q) && push == (given && !direct));
        assert (next_busy == (g_next != 8'd0));
        if (next_busy)
            assert (next_left == g_next);
        assert (busy == (g_left != 8'd0) && (!busy || until_at - now == g_left));
    end

    always @(posedge clk) begin
        now      <= now2;
        busy     <= next_busy;
        until_at <= now2 + next_left;
        g_left   <= g_next;
    end
endmodule

// The front end: a thread is held for exactly fe - 1 cycles, nobody else; code comes when it
// comes; runs go on instruction by instruction.
module eu_front_proof (
    input wire [2:0] slot, k, input wire [7:0] fe, now, then, input wire [55:0] free_at,
    input wire [62:0] late_at, input wire [6:0] hold, late, has, held, plane,
    input wire [7:0] wait_n, input wire [8:0] now9, input wire more, one,
    input wire [11:0] run, input wire [16:0] uop, input wire eot);
    `include "igpu_eu_slot.vh"
    `include "igpu_eu_look.vh"
    `include "igpu_eu_front.vh"
    `include "igpu_eu_fetch.vh"
    `include "igpu_eu_range.vh"
    wire        holds = front_hold(fe) >> 8;
    wire [7:0]  span8 = front_hold(fe);
    wire [55:0] until_at = front_until(free_at, slot, now, span8);
    wire [6:0]  freed = look_freed(hold, until_at, then);
    wire [6:0]  came = look_came(late, late_at, now9);
    wire [6:0]  set = slot_set(slot);
    wire [6:0]  plane2 = front_plane(plane, set, one);
    wire [6:0]  who = look_who(has, held, hold);
    wire [28:0] place = fetch_place(run, uop);
    wire [7:0]  end_k = (k == slot) ? now + fe - 8'd1 : free_at >> {k, 3'd0};
    wire [8:0]  late_k = late_at >> (9 * k);
    reg         there, later, given;
    reg  [8:0]  span, due, given_due;
    reg  [6:0]  opened;

    always @* begin
        assume (slot != 3'd7 && k != 3'd7);
        front_run(more, wait_n, now9, there, later, span, due);
        look_given(slot, wait_n, now9, opened, given, given_due);
        assert (holds == (fe > 8'd2));
        assert (freed[k] == (hold[k] && then == end_k));
        assert (came[k] == (late[k] && late_k == now9));
        assert (slot_number(set) == slot && set[k] == (k == slot) && opened == set);
        assert (plane2[k] == ((k == slot) ? one : plane[k]));
        assert (who[k] == (has[k] && !held[k] && !hold[k]));
        // The next run's code: with a hit in the next cycle, else wait_n cycles later.
        assert (there == (more && wait_n == 8'd0) && later == (more && wait_n != 8'd0));
        assert (span == 9'd1 + wait_n && due == now9 + span);
        assert (given == (wait_n <= 8'd1) && given_due == now9 + wait_n - 9'd1);
        assert (fetch_last(run) == (run == 12'd1) && fetch_ask(more, eot) == (more && !eot));
        assert (place == {run - 12'd1, uop + 17'd1});
    end
endmodule

// The next cycle with work: rest_next and rest_waits miss nobody who could act.
module eu_rest_proof (
    input wire [6:0] may_fetch, any, fpu1, send, branch, input wire met, input wire [1:0] unit,
    input wire [2:0] occupied);
    `include "igpu_eu_rest.vh"
    wire       next  = rest_next(may_fetch, branch, met, unit, occupied);
    wire [2:0] waits = rest_waits(any, fpu1, send, occupied);
    reg        open;                               // what was fetched finds its unit free

    always @* begin
        case (unit)
        `IGPU_UNIT_FPU_ANY: open = !occupied[0] || !occupied[1];
        `IGPU_UNIT_FPU1:    open = !occupied[1];
        `IGPU_UNIT_SEND:    open = !occupied[2];
        default:            open = 1'b1;
        endcase
        if (met && unit == `IGPU_UNIT_BRANCH)
            assume (branch != 7'd0);               // it is among those that are ready
        assert (next == ((may_fetch | branch) != 7'd0 || (met && open)));
        assert (waits[0] == (occupied[0] && any != 7'd0));
        assert (waits[1] == (occupied[1] && (any | fpu1) != 7'd0));
        assert (waits[2] == (occupied[2] && send != 7'd0));
    end
endmodule

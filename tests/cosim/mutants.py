#!/usr/bin/env python3
"""mutants.py [--cases N] [NUMBER...] - does test_array see what is wrong in the RTL?

Each mutant is one change to a file of rtl/eu or rtl/sched. For each (or those whose
numbers are given) a copy of the RTL with that change is Verilated as one pipeline of
three EUs, with random content in RAMs and registers, and run against the C reference
by test_array, with one seed after the other; the first difference is printed. A mutant
that no case sees is a failure. Needs build/tests/cosim/test_array.
"""
import os
import re
import shutil
import subprocess
import sys

BUILD = os.environ.get("BUILD", "build")
WORK = os.path.join(BUILD, "mutants")
SEEDS = (1, 7)
LIMIT_S = 120  # the cases of a seed take some 5 s

# File, what stands there once, what the mutant has instead.
MUTANTS = [
    # sequencer
    ("eu/igpu_eu_seq.v", "(more && same) ? left : NONE", "NONE"),
    ("eu/igpu_eu_seq.v", "| given_i |", "|"),
    ("eu/igpu_eu_seq.v", "due_q & ~flying_q;", "due_q;"),
    ("eu/igpu_eu_seq.v", "due_q == NONE && late_q == 4'd0;", "due_q == NONE;"),
    ("eu/igpu_eu_seq.v", "mark ? aged_q & ~pick : NONE", "NONE"),
    ("eu/igpu_eu_seq.v", "aged_q <= mark ? ~NONE", "aged_q <= tick_i ? ~NONE"),
    ("eu/igpu_eu_seq.v", "first_q <= first_q & ~pick", "first_q <= NONE"),
    # what is over, who fetches
    ("eu/igpu_eu_look.vh", "there  = wait_n <= 8'd1", "there  = wait_n <= 8'd2"),
    ("eu/igpu_eu_look.vh", "now - 9'd1 + {1'b0, wait_n}", "now + {1'b0, wait_n}"),
    ("eu/igpu_eu_look.vh", "has & ~held & ~hold;", "has & ~held;"),
    ("eu/igpu_eu_look.v", "look_who(has, held_m, hold);", "look_who(has, held_m, hold_m);"),
    ("eu/igpu_eu_look.v",
     ".clear_i(s0_first_i), .raddr_i(s0_ctx_i),\n        .rdata_o(above_m)",
     ".clear_i(1'b0), .raddr_i(s0_ctx_i),\n        .rdata_o(above_m)"),
    # responses
    ("eu/igpu_eu_resp.vh", "over ? dur : dur - 8'd1", "dur"),
    ("eu/igpu_eu_resp.vh", "given && !busy && dur == 8'd1", "1'b0"),
    ("eu/igpu_eu_resp.vh", "given && !(busy && !over) && !from_q", "given && !(busy && !over)"),
    ("eu/igpu_eu_resp.v", "s2_rd_q + {6'd0, from_q}", "s2_rd_q + {6'd0, s2_over_q}"),
    # FPU tracker
    ("eu/igpu_eu_track.vh", "prior < {1'b0, lat};", "1'b1;"),
    ("eu/igpu_eu_track.vh", "busy ? last - now : 7'd0", "7'd0"),
    ("eu/igpu_eu_track.vh", "wr + 4'd1 != rd", "1'b1"),
    ("eu/igpu_eu_track.vh", "done || wr + 4'd1 != rd", "wr + 4'd1 != rd"),
    ("eu/igpu_eu_track.v", "wire         moves_up = s6_done_q && s6_busy_q;",
     "wire         moves_up = s6_busy_q;"),
    # ranges, scoreboard
    ("eu/igpu_eu_range.vh", "first <= last) begin", "first < last) begin"),
    ("eu/igpu_eu_range.vh", "lo = last[6] ? from : from & upto;", "lo = from & upto;"),
    ("eu/igpu_eu_mark.v", "set[`IGPU_SET_X]", "8'd0"),
    ("eu/igpu_eu_board.v", "busy_lo_m ^ flip_lo_q", "busy_lo_m | flip_lo_q"),
    ("eu/igpu_eu_board.v", "({64{s2_hit_i[2]}} & s2_hi_i[128 +: 64]);",
     "64'd0;"),
    ("eu/igpu_eu_board.v", "flip_x_q  <= set[`IGPU_SET_X] ^", "flip_x_q  <="),
    ("eu/igpu_eu_board.v", "({S{s2_issued_i[1]}} & s2_set_i[S   +: S]) |", ""),
    ("eu/igpu_eu_board.v", "s2_issued_i != 3'd0", "s2_issued_i[1:0] != 2'd0"),
    ("eu/igpu_eu_board.vh", "| (need_hi & busy_hi)", ""),
    ("eu/igpu_eu_board.v", "(hit_q || s3_first_i)", "hit_q"),
    ("eu/igpu_eu_board.vh", "(held & cleared & met)", "(held & cleared)"),
    # arbitration
    ("eu/igpu_eu_pick.vh", "(who0 & who1) != RR_0", "1'b0"),
    ("eu/igpu_eu_pick.vh", "any | fpu1 : RR_0", "fpu1 : RR_0"),
    ("eu/igpu_eu_pick.v", ".clear_i(s3_first_i)", ".clear_i(1'b0)"),
    # units, front end, next cycle
    ("eu/igpu_eu_unit.vh", "busy && !old && !left", "busy && !left"),
    ("eu/igpu_eu_unit.v", ".clear_i(s1_first_i)", ".clear_i(1'b0)"),
    ("eu/igpu_eu_unit.v", "s6_issue_i ? s6_occ_i : s6_left_q",
     "s6_issue_i ? s6_occ_i - 8'd1 : s6_left_q"),
    ("eu/igpu_eu_front.v", "s6_held_by_i & {1'b1, !s6_eot_i, 2'b11}",
     "s6_held_by_i"),
    ("eu/igpu_eu_front.vh", "fe > 8'd2", "fe > 8'd3"),
    ("eu/igpu_eu_front.vh", "9'd1 + {1'b0, wait_n};", "{1'b0, wait_n};"),
    ("eu/igpu_eu_rest.vh", "(met && (unit ==", "(1'b0 && (unit =="),
    ("eu/igpu_eu_rest.v", "{waits, s7_resp_i}", "{1'b0, waits[1:0], s7_resp_i}"),
    ("eu/igpu_eu_rest.v", "{s7_flight_i, s7_any_i, s7_later_i}",
     "{s7_flight_i, s7_any_i, 1'b0}"),
    ("eu/igpu_eu_soon.v", "{1'b0, s2_late_i, 1'b0,", "{2'd0, s2_late_i[5:0], 1'b0,"),
    # fetch, store, queue
    ("eu/igpu_eu_fetch.v", "s5_need_q[`IGPU_NEED_X]", "8'd0"),
    ("eu/igpu_eu_fetch.vh", "last && !eot;", "last;"),
    ("eu/igpu_eu_sendq.v", "!(young_q && count_q == 3'd1)", "1'b1"),
    ("eu/igpu_eu_sendq.v", "young_q      <= push_from_i != (tick_i ? next_i : now_i)",
     "young_q      <= 1'b1"),
    ("eu/igpu_eu_sendq.v", "port_q[wr_q] <= push_port_i", "port_q[rd_q] <= push_port_i"),
    # dispatchers, send arbiter, time
    ("sched/igpu_array_tile.v", "(grant_o & full_i)", "NONE"),
    ("sched/igpu_array_tile.v", "end_latency_i - 6'd1", "end_latency_i"),
    ("sched/igpu_array_tile.v", ".ce_i(tick_i), .end_ce_i(settle_i)",
     ".ce_i(tick_i || settle_i), .end_ce_i(settle_i)"),
    ("sched/igpu_array_ends.v", "(settle_i && odd_i) ? NONE : even_q", "settle_i ? NONE : even_q"),
    ("sched/igpu_array_time.v", "(!late_ends_i || counted_q)", "1'b1"),
    ("sched/igpu_array_time.v", "ready && ends_i;", "1'b0;"),
    ("sched/igpu_sched_global.v", "next_q   <= now_i +", "next_q   <= 1 + now_i +"),
    ("sched/igpu_sched_account.v", "bslots_q | freed_q", "bslots_q"),
    ("sched/igpu_send_arb.v", "take ? credit_q - 7'd1 : credit_q + 7'd1",
     "take ? credit_q - 7'd1 : credit_q"),
    ("sched/igpu_send_arb.v", "(credit_q != 7'd0) ? 8'hff : ~port_i", "8'hff"),
]


def run(command, **keywords):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, **keywords)


def change(number):
    """The RTL with this mutant in WORK/rtl."""
    path, old, new = MUTANTS[number]
    shutil.rmtree(WORK + "/rtl", ignore_errors=True)
    shutil.copytree("rtl", WORK + "/rtl")
    with open(f"{WORK}/rtl/{path}", encoding="utf-8") as file:
        text = file.read()
    if text.count(old) != 1:
        sys.exit(f"mutants.py: {path}: `{old}` stands there {text.count(old)} times, not once")
    with open(f"{WORK}/rtl/{path}", "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))


def judge(number, cases):
    """What test_array says of the mutant; None: it sees nothing."""
    change(number)
    done = run(["make", "-s", "mutant"])
    if done.returncode != 0:
        sys.exit(f"mutant {number}: it does not build\n{done.stdout[-2000:]}")
    for seed in SEEDS:
        try:
            done = run([f"{WORK}/test_array", "--pair", "ref-1x3", "--cases", str(cases),
                        "--seed", str(seed)], timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            return f"seed {seed}: no end within {LIMIT_S} s"
        if done.returncode != 0:
            found = re.search(r"case (\d+): (.*)", done.stdout)
            said = f"case {found.group(1)}: {found.group(2)[:90]}" if found else done.stdout[-90:]
            return f"seed {seed}, {said}"
    return None


def main():
    arguments = sys.argv[1:]
    cases = 600
    if arguments[:1] == ["--cases"]:
        cases, arguments = int(arguments[1]), arguments[2:]
    missed = 0
    for number in [int(a) for a in arguments] or range(len(MUTANTS)):
        path, _, new = MUTANTS[number]
        seen = judge(number, cases)
        print(f"{'not ok' if seen is None else 'ok'} {number} {path} `{new}`: "
              f"{seen or 'no case sees it'}", flush=True)
        missed += seen is None
    return missed != 0


if __name__ == "__main__":
    sys.exit(main())

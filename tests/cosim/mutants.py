#!/usr/bin/env python3
"""mutants.py [--list] [--cases N] [PATH|NUMBER...] - do the tests see what is wrong?

Each mutant of the one table below is one change to a file of rtl/ or fpga/ (those of
rtl/eu: mutants_eu.py, but for one). Those given
by number or by (the beginning of) a path are built and run, all without any; what first
sees a mutant is printed, and one that nothing sees is a failure. Who judges:

  rtl/link/igpu_link_slip, _window;
  disp.policy in igpu_sched_global   its test bench in tests/rtl, under Icarus: the others'
                                     judge has one subslice, where there is no choice
  rtl/link, rtl/eu, fpga/common,
  rtl/igpu_array.v                   the virtual board, one pipeline of three EUs:
                                     one sample's statistics by ./Vigpu, against the
                                     reference, then test_fpga: good line, executed, bad line,
                                     pages
  others                             test_array, one pipeline of three EUs, with random
                                     content in RAMs and registers, two seeds

A change that is written <<so>> is an expression within what stands there, and all such
mutants of a judge are in one build, which chooses by the environment's IGPU_MUTANT; any
other text is a build of its own. Needs build/tests/cosim/test_array and test_fpga,
./Vigpu and what they are linked from.
"""
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys

from mutants_text import begin_of

BUILD = os.environ.get("BUILD", "build")
WORK = os.path.join(BUILD, "mutants")
SEEDS = (1, 7)
LIMIT_S = 300  # the cases of a seed take some 5 s, a bench's less than one
CASES = 600    # of test_array and test_fpga, in the small pairs' weights
SAMPLE = "--quiet -s gpu.subslices=1 -s eu.count=3 traces/samples/atomics32.pb"

# File, what stands there once, what the mutant has instead of it or of its <<part>>.
MUTANTS = [
    # dispatchers, send arbiter, time
    ("rtl/sched/igpu_array_tile.v", "(grant_o & full_i)", "NONE"),
    ("rtl/sched/igpu_array_tile.v", "end_latency_i - 6'd1", "end_latency_i"),
    ("rtl/sched/igpu_array_tile.v", ".ce_i(tick_i), .end_ce_i(settle_i)",
     ".ce_i(tick_i || settle_i), .end_ce_i(settle_i)"),
    ("rtl/sched/igpu_array_ends.v", "(settle_i && odd_i) ? NONE : even_q", "settle_i ? NONE : even_q"),
    ("rtl/sched/igpu_array_time.v", "(!late_ends_i || counted_q)", "1'b1"),
    ("rtl/sched/igpu_array_time.v", "ready && ends_i;", "1'b0;"),
    ("rtl/sched/igpu_sched_global.v", "next_q   <= now_i +", "next_q   <= 1 + now_i +"),
    ("rtl/sched/igpu_sched_account.v", "bslots_q | freed_q", "bslots_q"),
    ("rtl/sched/igpu_send_arb.v", "take ? credit_q - 7'd1 : credit_q + 7'd1",
     "take ? credit_q - 7'd1 : credit_q"),
    ("rtl/sched/igpu_send_arb.v", "(credit_q != 7'd0) ? 8'hff : ~port_i", "8'hff"),
    ("rtl/sched/igpu_sched_global.v", "<<ce_i && policy_i != `IGPU_CHOOSE_FILL>>", "ce_i"),
    ("rtl/sched/igpu_sched_global.v", "if (<<fits[b] && room[6*b +: 6]>> >", "room[6*b +: 6]"),
    ("rtl/sched/igpu_sched_global.v", "room[6*b +: 6] > room[6*a +: 6]",
     "room[6*b +: 6] >= room[6*a +: 6]"),
    ("rtl/sched/igpu_sched_global.v", "left_q <= (<<later ? left_q : tpg_q>>) - 6'd1;", "tpg_q"),
    ("rtl/sched/igpu_sched_global.v", "{1'b0, <<later ? bslot_q : new_bslot>>}", "new_bslot"),
    ("rtl/sched/igpu_sched_global.v", "ripe_q <= go ? <<interval_i == 8'd0>> : ripe;", "1'b1"),
    ("rtl/sched/igpu_sched_global.v", "<<later ? (try ? tile_q : {TILES{1'b0}}) : pick>>;", "pick"),
    ("rtl/sched/igpu_sched_global.v", "over_o = ends_q != 6'd0 && <<ended>> == threads_q;", "ended_q"),
    ("rtl/sched/igpu_sched_account.v", "group_fits_o  = <<threads_q >= group_threads_i>> &&",
     "threads_q != 6'd0"),
    ("rtl/sched/igpu_sched_account.v", "<<slm_q >= group_slm_i>>;", "1'b1"),
    ("rtl/sched/igpu_sched_account.v", "<<slm_q + {3'd0, groups_q} * group_slm_i>>;",
     "slm_q + group_slm_i"),
    ("rtl/sched/igpu_sched_account.v", "group   = <<take_group_i && !ended>>;",
     "take_group_i"),
    ("rtl/sched/igpu_sched_groups.v", "<<valid[k] && bslots[5*k +: 5] == number>>}", "valid[k]"),
    ("rtl/sched/igpu_sched_groups.v", "freed_o[b] <= <<left_q[6*b +: 6]>> ==", "6'd0"),
    ("rtl/sched/igpu_sched_local.v", "<<has_free & eus_i>>", "has_free"),
    ("rtl/sched/igpu_sched_local.v", "slots = <<~(7'h7f << threads_i)>>;", "7'h7f"),
    ("rtl/sched/igpu_sched_slots.v", "free_q & ~(<<(ce_i && take_i) ? pick : 7'd0>>)", "7'd0"),
    ("rtl/sched/igpu_sched_slots.v", ".wdata_i(<<bslot_i>>)", "5'd31"),
    ("rtl/sched/igpu_send_arb.v", "ce_i && <<take != credit_i>>", "take"),
    ("rtl/sched/igpu_array_tile.v", "<<young_i != NONE>> ||", "1'b0"),
    ("rtl/sched/igpu_array_tile.v", "end_any_o = <<one_q ? any_q : late[0]>>;", "late[0]"),
    ("rtl/sched/igpu_array_tile.v", "eu_open_q <= open_valid_o ? <<ONE << open_eu_o>> : NONE;",
     "ONE"),
    ("rtl/sched/igpu_array_ends.v", "odd_any_q  <= (odd_any_q && <<!(settle_i && !odd_i)>>)", "1'b0"),
    ("rtl/sched/igpu_array_time.v", "<<!(ticked_q && decide_i)>>;", "1'b1"),
    ("rtl/sched/igpu_array_time.v", "done  = more_q && <<calm_i>> &&", "empty_i"),
    # clocks that tiles and dispatchers do without
    ("rtl/sched/igpu_array_time.v", "work_o   = <<done || ticked_q>> ||", "done"),
    ("rtl/sched/igpu_array_time.v", "<<settle_q || count_q != 5'd0>>;", "settle_q"),
    ("rtl/sched/igpu_array_work.v", "follow_q != 4'd0 || <<sends>>;", "1'b0"),
    ("rtl/sched/igpu_array_work.v", "<<change_i || follow_q != 4'd0>> ||", "change_i"),
    # the EU: what its own judges cannot see, who waits for where a branch leads
    ("rtl/eu/igpu_eu_seq.v", "ready = due_q & ~flying_q & <<~wait_i>>;", "{CONTEXTS{1'b1}}"),
    ("rtl/eu/igpu_eu_given.v", "go_i && <<(redir_q & pick_i) != {CONTEXTS{1'b0}}>>;", "1'b0"),
    ("rtl/eu/igpu_eu_given.v", "wait_o  = wait_q | (<<any_i>> ?", "1'b0"),
    ("rtl/igpu_array.v", "waits_q <= <<waits != {PIPES{1'b0}}>>;", "1'b0"),
    # the link: commands, what is for a tile, runs, how far
    ("rtl/link/igpu_link_cmd.v", "held = <<(launch_q || cfg_we_q || store_we_q || redir_q) && !en_i>>;", "1'b0"),
    ("rtl/link/igpu_link_cmd.v",
     "base_q <= <<base_q + {{(`IGPU_NOW_W-28){1'b0}}, data_i[`IGPU_LINK_REST]}>>;", "base_q"),
    ("rtl/link/igpu_link_cmd.v", "<<count_q && !counted_i>>", "1'b0"),
    ("rtl/link/igpu_link_cmd.v", "limit_seen_q <= <<data_i[`IGPU_LINK_LIMIT_SEEN]>>;", "16'd0"),
    ("rtl/link/igpu_link_cmd.v", "`IGPU_LINK_CMD_RUN:    left_q <= <<data_i[`IGPU_LINK_RUN_WORDS]>>;",
     "8'd1"),
    ("rtl/link/igpu_link_cmd.v",
     "cmd_q == `IGPU_LINK_CMD_FIRST || <<cmd_q == `IGPU_LINK_CMD_REDIR>>)", "1'b0"),
    ("rtl/link/igpu_link_done.v", "<<head[W-1 -: 16] == now_i>>;", "1'b1"),
    ("rtl/link/igpu_link_done.v", "pop = <<valid_q && tick_i>>;", "valid_q"),
    ("rtl/link/igpu_link_tile.v", "!rst_ni || <<(tick_i && open_i)>>", "1'b0"),
    ("rtl/link/igpu_link_tile.v", "open_wait_q <= <<first_wait_i>>;", "8'd0"),
    ("rtl/link/igpu_link_runs.v", "half_o = <<&rd[DW-2:0]>>;", "1'b0"),
    ("rtl/link/igpu_link_runs.v", "taken_q && <<!run_o[`IGPU_LINK_RUN_LAST]>> &&", "1'b1"),
    ("rtl/link/igpu_link_runs.v", "fills = push_i && <<set_of_push != met_of_push>>;", "1'b0"),
    ("rtl/link/igpu_link_runs.v", "read_i && <<wr == rd + ONE>> &&", "1'b0"),
    ("rtl/link/igpu_link_wall.v", "mark_q  <= <<mark_i && ahead != 12'd0>>;", "1'b0"),
    ("rtl/link/igpu_link_wall.v", "limit_q <= <<(walled_q && wall_q < host_q) ? wall_q : host_q>>;",
     "host_q"),
    # the link: events
    ("rtl/link/igpu_link_report.v", "stamp_q <= <<prior_i ? now_i - NOW1 : now_i>>;", "now_i"),
    ("rtl/link/igpu_link_report.v", "half_q      <= <<half_i || paged_i>>;", "half_i"),
    ("rtl/link/igpu_link_report.v", "(look && <<!any_i>> && !tells));", "1'b1"),
    ("rtl/link/igpu_link_report.v", "tells = <<idle>> || late_q || held;", "1'b0"),
    ("rtl/link/igpu_link_report.v", "OPEN:    state_q <= <<(first_i || paged_i) ? DONE : OPEN>>;", "DONE"),
    ("rtl/link/igpu_link_report.v", "WAIT:    state_q <= <<wait_i ? TAKE : WAIT>>;", "TAKE"),
    ("rtl/link/igpu_link_report.v", "stays = hold_i || <<stands_q>>;", "1'b0"),
    ("rtl/link/igpu_link.v", "more = run || first || <<(redir && array_en_q)>>;", "1'b0"),
    ("rtl/link/igpu_link.v", "redir_wait_o = <<wait_data>>;", "8'd0"),
    ("rtl/link/igpu_link_report.v", "? <<`IGPU_LINK_EV_BRANCH>> :", "`IGPU_LINK_EV_ISSUE"),
    ("rtl/link/igpu_link_report.v", "brancher[b] = <<pick_q[RETS+4*b+3] && branch_i[b]>>;",
     "pick_q[RETS+4*b+3]"),
    ("rtl/link/igpu_link_report.v", "state_q <= <<run_i[`IGPU_LINK_RUN_HIT] ? TAKE : TIME>>;", "TAKE"),
    ("rtl/link/igpu_link_report.v", "all_words = <<count_word_q == ~5'd0>>;", "count_word_q == 5'd30"),
    ("rtl/link/igpu_link_report.v", "still_q[4])) && <<!told_held_q>>", "1'b1"),
    ("rtl/link/igpu_link_report.v", "LAST:    state_q <= <<TELL>>;", "LOOK"),
    ("rtl/link/igpu_link_brought.v", "<<ret_now_i[`IGPU_STAMP_W*i] != now_i>>;", "1'b0"),
    ("rtl/link/igpu_link_brought.v", "<<ask_now_i[`IGPU_STAMP_W*i] != now_i>>;", "1'b0"),
    ("rtl/link/igpu_link_brought.v", "pick_o  = <<left & (~left + ONE)>>;", "left"),
    ("rtl/link/igpu_link.v", "held = paged_q && (<<short>> ||", "1'b0"),
    ("rtl/link/igpu_link.v", "more = run || <<first>> ||", "1'b0"),
    ("rtl/link/igpu_link.v", "if (!rst_ni || <<clear>>)\n            reset_q", "1'b0"),
    ("rtl/link/igpu_link.v", "<<base < array_now_i>>;", "base <= array_now_i"),
    # the link: frames
    ("rtl/link/igpu_link_rx.v", "seq_next_q <= <<seq_q == next_q>>;", "1'b1"),
    ("rtl/link/igpu_link_rx.v", "ack_o      <= <<!hello && ours>>;", "1'b0"),
    ("rtl/link/igpu_link_rx.v", "<<words_q[rd_q] - 9'd1>>;", "words_q[rd_q]"),
    ("rtl/link/igpu_link_tx.v", "again_q    <= <<(ack && resend_q)>> ||", "1'b0"),
    ("rtl/link/igpu_link_tx.v", "<<(flush_q && fill_q != 9'd0 && !ev_valid_i)>>;", "1'b0"),
    ("rtl/link/igpu_link_tx.v", "moved = <<!out_valid_o || out_ready_i>>;", "1'b1"),
    ("rtl/link/igpu_link_tx.v", "ACK:     word[`IGPU_LINK_TAKEN] = <<taken_i>>;", "16'd0"),
    ("rtl/link/igpu_link_crc.v", "^(both & <<ROW>>);", "ROW ^ 32'd1"),
    # a line's hardware
    ("rtl/link/igpu_link_slip.v", "rx_data_i == ESC_END  ? <<END>> :", "ESC"),
    ("rtl/link/igpu_link_slip.v", "<<special ? MORE : byte_next>>;", "byte_next"),
    ("rtl/link/igpu_link_slip.v", "if (ends)\n                fill_q <= <<2'd0>>;", "fill_q"),
    ("rtl/link/igpu_link_slip.v", "in_last_o <= <<ends>>;", "1'b0"),
    ("rtl/link/igpu_link_slip.v", "(byte_out == END) ? <<ESC_END>> : ESC_ESC", "ESC_ESC"),
    ("rtl/link/igpu_link_window.v", "if (<<state_q == TAKE && wrong>>)", "1'b0"),
    ("rtl/link/igpu_link_window.v", "fits = <<{6'd0, out_words_i} + 16'd1 <= SIZE - used>>;", "1'b1"),
    ("rtl/link/igpu_link_window.v", "(fetch && <<left_q == 9'd1>>) ?", "left_q == 9'd2"),
    ("rtl/link/igpu_link_window.v", "up_q <= <<next_q + 16'd1>>;", "next_q"),
    # the board's top, the gate
    ("fpga/common/igpu_fpga_gate.v", "clk_o = clk_i && <<en_q>>;", "1'b1"),
    ("fpga/common/igpu_fpga_top.v", ".hold_i(<<hold>>)", "1'b0"),
    ("fpga/common/igpu_fpga_top.v", ".done_credit_i(<<done_credit>>)", "done_wb"),
    ("fpga/common/igpu_fpga_top.v", ".over_i(<<over>>)", "1'b0"),
    ("fpga/common/igpu_fpga_top.v", ".array_asleep_i(<<asleep>>)", "1'b1"),
]


PART = re.compile(r"<<(.*)>>", re.S)
# Where a mutant with a part is chosen: a function of C, tests/cosim/mutants/mutant_choice.c.
CHOICE = ('    import "DPI-C" function int igpu_mutant();\n'
          "    integer mutant_sel;\n    initial mutant_sel = igpu_mutant();\n")


def judge_of(number):
    """bench, board or array"""
    path, old, _ = MUTANTS[number]
    if path in ("rtl/link/igpu_link_slip.v", "rtl/link/igpu_link_window.v") or \
            "policy_i" in old or "room[" in old:
        return "bench"
    board = ("rtl/eu/", "rtl/igpu_array.v", "rtl/link/", "fpga/")
    return "board" if path.startswith(board) else "array"


def run(command, limit=None, **variables):
    """(exit status, output); None and what there is: no end in time"""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          start_new_session=True, env=os.environ | variables) as process:
        try:
            return process.communicate(timeout=limit)[0], process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            return process.communicate()[0], None


def place(number):
    """(begin, end): where what the mutant changes stands."""
    path, old, _ = MUTANTS[number]
    part = PART.search(old)
    plain = PART.sub(lambda m: m[1], old, count=1)
    begin = begin_of("mutants.py", path, plain) + (part.start() if part else 0)
    return begin, begin + len(part[1] if part else plain)


def changed(numbers, choose):
    """The sources with these mutants in WORK; choose: all at once, chosen at run time."""
    for folder in ("rtl", "fpga"):
        shutil.rmtree(f"{WORK}/{folder}", ignore_errors=True)
        shutil.copytree(folder, f"{WORK}/{folder}")
    edits = {}
    for number in numbers:
        path, _, new = MUTANTS[number]
        begin, end = place(number)
        edits.setdefault(path, []).append((begin, end, number, new))
    for path, changes in edits.items():
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for begin, end, number, new in sorted(changes, reverse=True):
            if choose:
                new = f"((mutant_sel == {number + 1}) ? ({new}) : ({text[begin:end]}))"
            text = text[:begin] + new + text[end:]
        if choose:
            text = re.sub(r"^\);\n", ");\n" + CHOICE, text, count=1, flags=re.M)
        with open(f"{WORK}/{path}", "w", encoding="utf-8") as file:
            file.write(text)


def build(judge, what):
    said, status = run(["make", "-s", {"array": "mutant", "board": "mutant-board"}[judge]])
    if status != 0:
        sys.exit(f"{what}: it does not build\n{said[-2000:]}")


def first_difference(said, status):
    """A line of what a test said."""
    if status is None:
        return "no end in time"
    found = re.search(r"case (\d+): (.*)", said)
    if found:
        return f"case {found[1]}: {found[2][:90]}"
    last = said.strip().splitlines() or ["nothing said"]
    return f"exit status {status}: {last[-1][:90]}"


def by_array(number, cases):
    for seed in SEEDS:
        said, status = run([f"{WORK}/test_array", "--pair", "ref-1x3", "--cases", str(cases),
                            "--seed", str(seed)], LIMIT_S, IGPU_MUTANT=str(number + 1))
        if status != 0:
            return f"seed {seed}, {first_difference(said, status)}"
    return None


def by_board(number, cases):
    chosen = {"IGPU_MUTANT": str(number + 1), "IGPU_BUILD": WORK}
    seen = by_statistics(chosen)
    if seen:
        return seen
    for pair, times in (("ref-fpga", 2), ("ref-fpga-executes", 8), ("ref-fpga-faults", 4),
                        ("ref-fpga-pages", 4)):
        said, status = run([f"{BUILD}/tests/cosim/test_fpga", "--pair", pair, "--cases",
                            str(times * cases)], LIMIT_S, **chosen)
        if status != 0:
            return f"{pair}, {first_difference(said, status)}"
    return None


def statistics(name, engine, limit=None):
    """What ./Vigpu writes of the sample, and how it ended."""
    path = f"{WORK}/{name}.csv"
    said, status = run(["./Vigpu", "--engine", engine, "--csv", path, *SAMPLE.split()], limit)
    if status != 0:
        return "", first_difference(said, status)
    with open(path, encoding="utf-8") as file:
        return file.read(), None


def by_statistics(chosen):
    """As a user runs it: the memory side in C, without the retire stream, twice."""
    name = f"mutant{chosen['IGPU_MUTANT']}"
    want = statistics(name, "ref")[0]
    with subprocess.Popen([f"{WORK}/bin/fpga-sim", "--shape", "1x3", "--port", "0", "--watch"],
                          stdout=subprocess.PIPE, text=True, env=os.environ | chosen) as board:
        place = re.search(r"fpga:udp:\S+", board.stdout.readline())[0]
        for turn in ("first", "second"):
            got, wrong = statistics(name, place, LIMIT_S / 6)
            if wrong or got != want:
                board.kill()
                return f"atomics32, {turn} run, {wrong or 'other statistics'}"
        rests = board.poll() is None
        board.kill()
    return None if rests else "atomics32, the board ended"


def by_bench(number, _cases):
    path = MUTANTS[number][0]
    module = os.path.basename(path)[:-2]
    changed([number], False)
    out = f"{WORK}/{module}_tb"
    said, status = run(["iverilog", "-g2012", "-I", "rtl/include", "-I", "rtl/lib", "-I",
                        "tests/rtl", "-s", f"{module}_tb", "-o", out, f"tests/rtl/{module}_tb.v", f"{WORK}/{path}",
                        *glob.glob("rtl/lib/*.v"),
                        *(set(glob.glob(f"{os.path.dirname(path)}/*.v")) - {path})])
    if status != 0:
        sys.exit(f"mutant {number}: it does not build\n{said[-2000:]}")
    said, status = run(["vvp", "-n", out], LIMIT_S / 20)
    wrong = re.search(r"^not ok.*", said, re.M)
    return wrong[0] if wrong else None if status == 0 else first_difference(said, status)


JUDGES = {"array": by_array, "board": by_board, "bench": by_bench}


def chosen_numbers(words):
    """The numbers of what was asked for."""
    numbers = [n for n, mutant in enumerate(MUTANTS)
               if not words or str(n) in words or
               any(mutant[0].startswith(w) for w in words if not w.isdigit())]
    if not numbers:
        sys.exit(f"mutants.py: no mutant {' '.join(words)}: expected numbers or paths, as "
                 "--list shows them")
    return numbers


def main():
    arguments, cases, missed = sys.argv[1:], CASES, 0
    if arguments[:1] == ["--list"]:
        for number in chosen_numbers(arguments[1:]):
            path, old, new = MUTANTS[number]
            place(number)
            print(f"{number} {path} ({judge_of(number)}) `{old}`: `{new}`")
        return 0
    if arguments[:1] == ["--cases"]:
        cases, arguments = int(arguments[1]), arguments[2:]
    numbers = chosen_numbers(arguments)
    parts = [n for n in numbers if PART.search(MUTANTS[n][1])]
    for judge, judged in JUDGES.items():
        mine = [n for n in numbers if judge_of(n) == judge]
        together = [n for n in mine if n in parts] if judge != "bench" else []
        if together:
            changed(together, True)
            build(judge, f"mutants of the {judge}")
        # Those of one build side by side: many a mutant only waits.
        pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        answers = {n: pool.submit(judged, n, cases) for n in together}
        for number in together + [n for n in mine if n not in together]:
            path, _, new = MUTANTS[number]
            if judge != "bench" and number not in together:
                changed([number], False)
                build(judge, f"mutant {number}")
            seen = answers[number].result() if number in together else judged(number, cases)
            print(f"{'not ok' if seen is None else 'ok'} {number} {path} `{new}`: "
                  f"{seen or 'nothing sees it'}", flush=True)
            missed += seen is None
    return missed != 0


if __name__ == "__main__":
    sys.exit(main())

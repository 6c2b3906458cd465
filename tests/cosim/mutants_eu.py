#!/usr/bin/env python3
"""mutants_eu.py [--list] [--miter] [--cases N] [--jobs N] [FILE|NUMBER...] - is what is
wrong in an EU seen?

Each mutant of the table is one change to a file of rtl/eu. test_array runs it against the C
reference, three EUs in one pipeline with random content in RAMs and registers, one seed
after the other; the first difference is printed. A mutant of a step (*.vh) is judged in
both shells, and each must see it; one of a stage in the pipeline, one of igpu_eu_flat in
the flat shell, one of what stands around the shells in both. What is in one shell alone is
also judged by the test that has both side by side (tests/rtl/igpu_eu_miter_tb.cpp). A
mutant that a judge does not see is a failure, but for those of the table BLIND, which says
why that judge cannot and leaves the mutant to the others. --miter: that judge alone.

All mutants are in one build of each shell, which chooses by the environment's IGPU_MUTANT:
so each is an expression, <<so>>, within what stands there once. Needs
build/tests/cosim/test_array and what it is linked from.
"""
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from mutants_text import begin_of

BUILD = os.environ.get("BUILD", "build")
WORK = os.path.join(BUILD, "mutants_eu")
SEEDS = (1, 7)
CASES = 600
MITER_VISITS = "200000"
LIMIT_S = 600  # the cases of a seed take some 5 s; a machine may be busy
SHELLS = {"flat": "flat_1x3", "pipe": "1x3"}
NO_RANGE = "14'h007f"  # first 127, last 0

# File, what stands there once with the <<part>> that changes, what the mutant has there.
# First, of the hardware's shell alone: where a thread goes whose branch has issued.
REDIRECTS = [
    ("igpu_eu_fetch.v", "s3_fresh_q ? first_m : <<none_m ? redir_m : place_m>>;", "place_m"),
    ("igpu_eu_fetch.v", "ft_more_q    <= s5_ask && <<!s5_none>>;", "1'b1"),
    ("igpu_eu_held.v", "hd_none_o = <<word_m[`IGPU_WORD_EOT]>>;", "1'b0"),
    ("igpu_eu_look.v", "(there ? opened : 7'd0) | (<<onward & ~later>>);", "7'd0"),
    ("igpu_eu_look.v", "(there ? 7'd0 : opened) | <<later>>;", "7'd0"),
    ("igpu_eu_look.v", "else if (<<later[j]>>)", "1'b0"),
    ("igpu_eu_look.v", "<= s1_now_i + {1'b0, <<s1_redir_wait_i>>};", "8'd0"),
    ("igpu_eu_rest.v", "next  = <<s7_branch_i>> ||", "1'b0"),
]
MUTANTS = [
    # steps: slots, ranges
    ("igpu_eu_slot.vh", "|(who & <<7'h4c>>)", "7'h0c"),
    ("igpu_eu_slot.vh", "|(who & <<7'h2a>>)", "7'h0a"),
    ("igpu_eu_range.vh", "if (<<first <= last>>)", "first < last"),
    ("igpu_eu_range.vh", "RANGE_ONES << <<first[5:0]>>;", "first[5:0] + 6'd1"),
    ("igpu_eu_range.vh", "RANGE_ONES >> <<~last[5:0]>>;", "~last[5:0] + 6'd1"),
    ("igpu_eu_range.vh", "if (<<!first[6]>>)", "1'b1"),
    ("igpu_eu_range.vh", "lo = <<last[6] ? from : from & upto>>;", "from & upto"),
    ("igpu_eu_range.vh", "hi = <<first[6] ? from & upto : upto>>;", "upto"),
    # steps: what is over, who was opened, who fetches
    ("igpu_eu_look.vh", "look_came = <<look_came & late>>;", "look_came"),
    ("igpu_eu_look.vh", "look_over = <<free_at == now>>;", "1'b1"),
    ("igpu_eu_look.vh", "there  = <<wait_n <= 8'd1>>;", "wait_n <= 8'd2"),
    ("igpu_eu_look.vh", "due    = <<now - 9'd1 + {1'b0, wait_n}>>;", "now + {1'b0, wait_n}"),
    ("igpu_eu_look.vh", "look_who = has & ~held & <<~hold>>;", "7'h7f"),
    ("igpu_eu_look.vh", "look_who = has & <<~held>> & ~hold;", "7'h7f"),
    # steps: instructions in flight
    ("igpu_eu_track.vh", "track_room = <<done || wr + 4'd1 != rd>>;", "1'b1"),
    ("igpu_eu_track.vh", "done || <<wr + 4'd1>> != rd;", "wr + 4'd2"),
    ("igpu_eu_track.vh", "track_room = <<done>> ||", "1'b0"),
    ("igpu_eu_track.vh", "track_prior = <<busy ? last - now : 7'd0>>;", "7'd0"),
    ("igpu_eu_track.vh", "track_prior = <<busy>> ?", "1'b1"),
    ("igpu_eu_track.vh", "track_later = <<prior < {1'b0, lat}>>;", "1'b1"),
    # steps: responses
    ("igpu_eu_resp.vh", "over    = <<busy && left == 8'd0>>;", "busy && left <= 8'd1"),
    ("igpu_eu_resp.vh", "instant = <<given && !busy && dur == 8'd1>>;", "1'b0"),
    ("igpu_eu_resp.vh", "instant = given && <<!busy>> &&", "1'b1"),
    ("igpu_eu_resp.vh", "from_q    = <<over && waits>>;", "over"),
    ("igpu_eu_resp.vh", "given && !(busy && !over) && <<!from_q>>;", "1'b1"),
    ("igpu_eu_resp.vh", "push      = given && <<!direct>>;", "1'b1"),
    ("igpu_eu_resp.vh", "|| from_q || <<(direct && !instant)>>;", "direct"),
    ("igpu_eu_resp.vh", "next_left = from_q ? <<wait_dur>> :", "dur"),
    ("igpu_eu_resp.vh", "!direct ? left : <<over ? dur : dur - 8'd1>>;", "dur"),
    ("igpu_eu_resp.vh", "!direct ? left : <<over>> ? dur", "1'b0"),
    # steps: scoreboards
    ("igpu_eu_board.vh", "<<(need_lo & busy_lo)>> |", "64'd0"),
    ("igpu_eu_board.vh", "| <<(need_hi & busy_hi)>> |", "64'd0"),
    ("igpu_eu_board.vh", "{56'd0, <<need_x & busy_x>>}", "8'd0"),
    ("igpu_eu_board.vh", "board_may = <<ready>> |", "7'd0"),
    ("igpu_eu_board.vh", "(held & cleared & <<met>>);", "7'h7f"),
    ("igpu_eu_board.vh", "(<<held>> & cleared & met);", "7'h7f"),
    # steps: arbitration
    ("igpu_eu_pick.vh", "any    = ready & ~unit1 & <<~unit0>>;", "7'h7f"),
    ("igpu_eu_pick.vh", "req0 = <<can[0] ? any : RR_0>>;", "any"),
    ("igpu_eu_pick.vh", "req1 = <<can[1] ? any | fpu1 : RR_0>>;", "any | fpu1"),
    ("igpu_eu_pick.vh", "can[1] ? <<any | fpu1>> : RR_0;", "fpu1"),
    ("igpu_eu_pick.vh", "req2 = <<can[2] ? send : RR_0>>;", "send"),
    ("igpu_eu_pick.vh", "if (<<(who0 & who1) != RR_0>>)", "1'b0"),
    ("igpu_eu_pick.vh", "rr_second(req1, <<above1>>,", "above0"),
    ("igpu_eu_pick.vh", "rr_take(req1, <<above1>>, who1", "7'd0"),
    ("igpu_eu_pick.vh", "rr_take(left1, <<above1>>, who1", "7'd0"),
    ("igpu_eu_pick.vh", "left1 = <<req1 & ~who0>>;", "req1"),
    ("igpu_eu_pick.vh", "rr_take(req0, <<above0>>, who0", "7'd0"),
    # steps: units, the run queue
    ("igpu_eu_unit.vh", "still  = busy && <<!old>> &&", "1'b1"),
    ("igpu_eu_unit.vh", "!old && <<!left[`IGPU_DIST_W-1]>> &&", "1'b1"),
    ("igpu_eu_unit.vh", "&& <<left != {`IGPU_DIST_W{1'b0}}>>;", "1'b1"),
    ("igpu_eu_fetch.vh", "fetch_last = <<left == FETCH_LEN1>>;", "left == 12'd2"),
    ("igpu_eu_fetch.vh", "fetch_ask = <<last && !eot>>;", "last"),
    ("igpu_eu_fetch.vh", "uop + <<FETCH_UOP1>>}", "17'd0"),
    ("igpu_eu_fetch.vh", "range_bits(<<set>>, lo0, hi0);", NO_RANGE),
    ("igpu_eu_fetch.vh", "range_bits(<<need[`IGPU_NEED_RANGE0]>>,", NO_RANGE),
    ("igpu_eu_fetch.vh", "range_bits(<<need[`IGPU_NEED_RANGE1]>>,", NO_RANGE),
    ("igpu_eu_fetch.vh", "range_bits(<<need[`IGPU_NEED_RANGE2]>>,", NO_RANGE),
    # steps: front end, next cycle
    ("igpu_eu_front.vh", "front_hold = {<<fe > 8'd2>>,", "fe > 8'd3"),
    ("igpu_eu_front.vh", "<<fe - 8'd1>>};", "fe"),
    ("igpu_eu_front.vh", "front_end = now + <<span>>;", "span + 8'd1"),
    ("igpu_eu_front.vh", "front_plane = <<(plane & ~fresh)>> |", "plane"),
    ("igpu_eu_front.vh", "has   = more && <<wait_n == 8'd0>>;", "wait_n <= 8'd2"),
    ("igpu_eu_front.vh", "span  = <<9'd1 + {1'b0, wait_n}>>;", "{1'b0, wait_n}"),
    ("igpu_eu_rest.vh", "rest_next = <<(may_fetch | branch)>> != 7'd0", "branch"),
    ("igpu_eu_rest.vh", "rest_next = <<(may_fetch | branch)>> != 7'd0 ", "may_fetch"),
    ("igpu_eu_rest.vh", "IGPU_UNIT_FPU_ANY ? <<occupied[1:0] != 2'b11>> :", "1'b0"),
    ("igpu_eu_rest.vh", "IGPU_UNIT_FPU1 ? <<!occupied[1]>> :", "1'b0"),
    ("igpu_eu_rest.vh", ": <<!occupied[2]>>));", "1'b0"),
    ("igpu_eu_rest.vh", "rest_waits = {<<send != 7'd0>>,", "1'b0"),
    ("igpu_eu_rest.vh", "<<(any | fpu1) != 7'd0>>,", "fpu1 != 7'd0"),
    ("igpu_eu_rest.vh", ", <<any != 7'd0>>}", "1'b0"),
    # stages of the pipeline
    ("igpu_eu_look.v", ".clear_i(<<s0_first_i>>), .raddr_i(s0_ctx_i),\n        .rdata_o(above_m)",
     "1'b0"),
    ("igpu_eu_look.v", "(late_bits & ~came) | (<<there ? 7'd0 : opened>>) |", "opened"),
    ("igpu_eu_look.v", "lk_young_q   <= <<young_m | opened>>;", "young_m"),
    ("igpu_eu_track.v", "s4_wr_q   <= <<s3_first_i ? 4'd0 : wr_m>>;", "wr_m"),
    ("igpu_eu_track.v", "moves_up = <<s6_done_q && s6_busy_q>>;", "s6_busy_q"),
    ("igpu_eu_track.v", "s5_busy = <<s5_done_q ? s5_wr_q != s5_rd_q : s5_busy_q>>;", "s5_busy_q"),
    ("igpu_eu_resp.v", "s2_rd_q + {6'd0, <<from_q>>}", "s2_over_q"),
    ("igpu_eu_resp.v", ".wdata_i(<<from_q ? wait_word : s2_word_q>>)", "s2_word_q"),
    ("igpu_eu_resp.v", "word  = <<over ? word_m : given>>;", "given"),
    ("igpu_eu_mark.v", "mk_x_o[8*g +: 8]    = <<set[`IGPU_SET_X]>>;", "8'd0"),
    ("igpu_eu_board.v", "bd_busy_lo_o = <<busy_lo_m ^ flip_lo_q>>;", "busy_lo_m | flip_lo_q"),
    ("igpu_eu_board.v", "<<({64{s2_hit_i[2]}} & s2_hi_i[128 +: 64])>>;", "64'd0"),
    ("igpu_eu_board.v", "flip_x_q  <= <<set[`IGPU_SET_X]>> ^", "8'd0"),
    ("igpu_eu_board.v", "<<({S{s2_issued_i[1]}} & s2_set_i[S   +: S])>> |", "{S{1'b0}}"),
    ("igpu_eu_board.v", "if (<<s2_issued_i != 3'd0>>)", "s2_issued_i[1:0] != 2'd0"),
    ("igpu_eu_board.v", "s3_valid_i && <<(hit_q || s3_first_i)>>;", "hit_q"),
    ("igpu_eu_pick.v", ".clear_i(<<s3_first_i>>)", "1'b0"),
    ("igpu_eu_held.v", "hd_hold_o[u]        = <<word_m[`IGPU_WORD_HOLD]>>;", "1'b1"),
    ("igpu_eu_unit.v", ".clear_i(<<s1_first_i>>)", "1'b0"),
    ("igpu_eu_unit.v", "s6_left = <<s6_issue_i ? s6_occ_i : s6_left_q>>;",
     "s6_issue_i ? s6_occ_i - 8'd1 : s6_left_q"),
    ("igpu_eu_front.v", "s6_held_by_i & <<{1'b1, !s6_eot_i, 2'b11}>>;", "4'hf"),
    ("igpu_eu_rest.v", ".valid_i({waits, <<s7_resp_i>>})", "1'b0"),
    ("igpu_eu_rest.v", "{s7_flight_i, s7_any_i, <<s7_later_i>>}", "1'b0"),
    ("igpu_eu_soon.v", "s3_is_q <= {1'b0, <<s2_late_i>>, 1'b0,", "{1'b0, s2_late_i[5:0]}"),
    ("igpu_eu_fetch.v", "s6_next_q    <= <<s5_last_q ? {run_len_i, run_pc_i} : s5_next_q>>;",
     "s5_next_q"),
    ("igpu_eu_fetch.v", "{left, pc} = <<s3_fresh_q ? first_m : none_m ? redir_m : place_m>>;",
     "none_m ? redir_m : place_m"),
    ("igpu_eu_pipe.v", "<<ev_who[6:0] | ev_who[13:7] | ev_who[20:14]>>",
     "ev_who[6:0] | ev_who[13:7]"),
    # the flat shell
    ("igpu_eu_flat.vh", "if (<<s0_old_i>>)", "1'b0"),
    ("igpu_eu_flat.vh", "if (<<look_who(has, held, hold) == 7'd0>>)", "1'b1"),
    ("igpu_eu_flat_wait.vh", "if (<<(hold | late) == 7'd0 || cycles < near - now[8:0]>>)", "1'b1"),
    ("igpu_eu_flat_wait.vh", "if (<<late_at[9*i +: 9] - now[8:0] < span>>)", "1'b0"),
    ("igpu_eu_flat_wait.vh", "else if (<<{1'b0, free_at_m[at] - now[7:0]} < span>>)", "1'b0"),
    ("igpu_eu_flat.vh", "any = <<any | ~unit1>>;", "any"),
    ("igpu_eu_flat.vh", "clear(s0_done_slot_i, <<set>>);", "22'h00007f"),
    ("igpu_eu_flat.vh", "if (<<word[`IGPU_WORD_HOLD]>>)", "1'b1"),
    ("igpu_eu_flat.vh", "if (<<!word[`IGPU_WORD_EOT]>>)", "1'b1"),
    ("igpu_eu_flat.vh", "take(who0);\n                flip(at, <<word[`IGPU_WORD_SET]>>);",
     "22'h00007f"),
    ("igpu_eu_flat.vh", "written_m[`CTX] = <<now[7:0] + next8>>;", "now[7:0] + left8"),
    ("igpu_eu_flat.vh", "flying1_m[`CTX] = <<wr1_m[`CTX] != rd1_m[`CTX]>>;", "1'b0"),
    ("igpu_eu_flat.vh", "until2_m[`CTX] = <<now[D-1:0] + {{(D-8){1'b0}}, word[`IGPU_WORD_OCC]}>>;",
     "now[D-1:0]"),
    # around the shells
    ("igpu_eu_seq.v", "<<(more && same) ? left : NONE>>;", "NONE"),
    ("igpu_eu_seq.v", "(woken & ~pick) | <<given_i>> |", "NONE"),
    ("igpu_eu_seq.v", "ready = <<due_q & ~flying_q>> &", "due_q"),
    ("igpu_eu_seq.v", "calm_o  = <<due_q == NONE && late_q == 4'd0>>;", "due_q == NONE"),
    ("igpu_eu_seq.v", "(<<mark ? aged_q & ~pick : NONE>>);", "NONE"),
    ("igpu_eu_seq.v", "aged_q <= <<mark>> ? ~NONE", "tick_i"),
    ("igpu_eu_seq.v", "first_q <= <<first_q & ~pick>>;", "NONE"),
    ("igpu_eu_sendq.v", "& <<~(young_q & count0_q & ~count1_q)>>;", "~NONE"),
    ("igpu_eu_sendq.v", "is_young = <<tick ? at_next : at_now>>;", "1'b1"),
    ("igpu_eu_sendq.v", "else if ((<<wr1_q>> & pushed) != NONE)", "rd1_q"),
    ("igpu_eu_sendq.v", "wr1_q <= wr1_q ^ (<<pushed & wr0_q>>);", "pushed"),
    ("igpu_eu_sendq.v", "counts((ONE << push_eu_i) & <<~grant_i>>,", "~NONE"),
    *REDIRECTS,
]

# Who cannot see a mutant, and why; then the others have to.
BLIND = {
    **{mutant[:2]: ("pipe", "no path is executed there") for mutant in REDIRECTS},
    ("igpu_eu_track.vh", "track_room = <<done>> ||"):
        ("flat", "what is done has left its place by then"),
    ("igpu_eu_unit.vh", "still  = busy && <<!old>> &&"):
        ("flat", "it gives 0 for `old`, and looks at it before"),
    ("igpu_eu_rest.vh", "rest_next = <<(may_fetch | branch)>> != 7'd0"):
        ("flat", "it asks only where nobody may fetch"),
    ("igpu_eu_pick.vh", "if (<<(who0 & who1) != RR_0>>)"):
        ("flat", "its FPU1 chooses of what FPU0 leaves"),
    ("igpu_eu_pick.vh", "rr_second(req1, <<above1>>,"):
        ("flat", "its FPU1 chooses of what FPU0 leaves"),
    ("igpu_eu_pick.vh", "rr_take(req1, <<above1>>, who1"):
        ("flat", "its FPU1 chooses of what FPU0 leaves"),
    ("igpu_eu_pick.vh", "rr_take(left1, <<above1>>, who1"):
        ("pipe", "its FPU1 has both choices at once"),
    ("igpu_eu_pick.vh", "left1 = <<req1 & ~who0>>;"):
        ("pipe", "its FPU1 has both choices at once"),
    ("igpu_eu_pick.v", ".clear_i(<<s3_first_i>>)"):
        ("pipe", "two threads seldom want a unit before it has issued"),
    ("igpu_eu_held.v", "hd_hold_o[u]        = <<word_m[`IGPU_WORD_HOLD]>>;"):
        ("pipe", "a hold of one cycle only adds a visit that changes nothing"),
    ("igpu_eu_flat.vh", "if (<<word[`IGPU_WORD_HOLD]>>)"):
        ("flat", "a hold of one cycle only adds a visit that changes nothing"),
}

CHOICE = """package igpu_mutants;
    import "DPI-C" function int igpu_mutant();
    int which = igpu_mutant();
endpackage
"""


def run(command, **keywords):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, **keywords)


def place(number):
    """(begin, end): where the part stands that the mutant changes."""
    path, old, _ = MUTANTS[number]
    begin, end = old.rindex("<<"), old.rindex(">>")
    plain = old[:begin] + old[begin + 2:end] + old[end + 2:]
    start = begin_of("mutants_eu.py", "rtl/eu/" + path, plain) + begin
    return start, start + end - begin - 2


def change_all():
    """The RTL with all mutants, each chosen by its number, in WORK/rtl."""
    shutil.rmtree(WORK + "/rtl", ignore_errors=True)
    shutil.copytree("rtl", WORK + "/rtl")
    inserts = {}
    for number, (path, _, new) in enumerate(MUTANTS):
        begin, end = place(number)
        some = inserts.setdefault(path, [])
        # At one place the longer part opens first and closes last.
        some.append((begin, 1, begin - end, number,
                     f"((igpu_mutants::which == {number + 1}) ? ({new}) : ("))
        some.append((end, 0, end - begin, -number, "))"))
    for path, some in inserts.items():
        with open("rtl/eu/" + path, encoding="utf-8") as file:
            text = file.read()
        for insert in sorted(some, reverse=True):
            text = text[:insert[0]] + insert[-1] + text[insert[0]:]
        with open(f"{WORK}/rtl/eu/{path}", "w", encoding="utf-8") as file:
            file.write(text)
    with open(WORK + "/igpu_mutants.sv", "w", encoding="utf-8") as file:
        file.write(CHOICE)


def shells_of(number):
    """Who has to see a mutant."""
    path = MUTANTS[number][0]
    if path.startswith("igpu_eu_flat"):
        return ["flat"]
    if path.endswith(".vh") or path in ("igpu_eu_seq.v", "igpu_eu_sendq.v"):
        return ["flat", "pipe"]
    return ["pipe"]


def cases_run():
    """The cases of the first seed that `make test` runs."""
    with open("tests/cosim/test_array.c", encoding="utf-8") as file:
        listed = re.search(r" seen\[\] = \{([^}]*)NO_CASE", file.read())[1]
    return {int(word) for word in listed.replace(",", " ").split()}


def see(shell, number, cases):
    """What test_array says of the mutant in that shell; None: it sees nothing, or not in a
    case that `make test` runs."""
    shape = SHELLS[shell]
    for seed in SEEDS:
        try:
            done = run([f"{WORK}/test_array_{shape}", "--pair", f"ref-{shape}", "--cases",
                        str(cases), "--seed", str(seed)], timeout=LIMIT_S,
                       env=os.environ | {"IGPU_MUTANT": str(number + 1)})
        except subprocess.TimeoutExpired:
            return f"seed {seed}: no end within {LIMIT_S} s"
        if done.returncode != 0:
            found = re.search(r"case (\d+): (.*)", done.stdout)
            broken = re.search(r"ERROR +\] --- (.*)", done.stdout)
            if found and seed == SEEDS[0] and int(found[1]) not in cases_run():
                print(f"# case {found[1]} sees mutant {number}: put it into test_array.c")
                return None
            return (f"seed {seed} case {found[1]}: {found[2][:70]}" if found else
                    f"seed {seed}: exit status {done.returncode}, " +
                    (broken[1] if broken else " ".join(done.stdout.split())[-60:]))
    return None


def see_miter(number):
    """What the test with both shells says of the mutant; None: it sees nothing."""
    try:
        done = run([f"{WORK}/miter_tb"], timeout=LIMIT_S,
                   env=os.environ | {"IGPU_MUTANT": str(number + 1), "IGPU_VISITS": MITER_VISITS})
    except subprocess.TimeoutExpired:
        return f"no end within {LIMIT_S} s"
    return done.stdout.splitlines()[0][2:70] if done.returncode != 0 else None


def judge(number, cases):
    """(its line, whether all saw it); cases 0: by the miter alone"""
    path, old, new = MUTANTS[number]
    blind, why = BLIND.get((path, old), (None, None))
    shells = shells_of(number)
    seen = {shell: see(shell, number, cases) for shell in shells if cases > 0 and shell != blind}
    if len(shells) == 1:
        seen["miter"] = see_miter(number)
    good = None not in seen.values()
    if blind and cases > 0:
        seen[blind] = f"not asked: {why}"
    said = "; ".join(f"{shell}: {text or 'no case sees it'}" for shell, text in seen.items())
    return f"{'ok' if good else 'not ok'} {number} {path} `{new}`: {said}", good


def build(numbers, cases):
    shells = [shells_of(n) for n in numbers]
    goals = [["mutants-eu", f"MUTANT_SHAPE={shape}"] for shell, shape in SHELLS.items()
             if cases > 0 and any(shell in some for some in shells)]
    if any(len(some) == 1 for some in shells):
        goals.append(["mutants-eu-miter"])
    change_all()
    for goal in goals:
        done = run(["make", "-s", *goal])
        if done.returncode != 0:
            sys.exit(f"mutants_eu.py: `make {' '.join(goal)}` fails\n{done.stdout[-3000:]}")


def chosen(words):
    numbers = [n for n, mutant in enumerate(MUTANTS)
               if not words or str(n) in words or mutant[0] in words]
    if not numbers:
        sys.exit(f"mutants_eu.py: no mutant {' '.join(words)}: expected numbers or files, as "
                 "--list shows them")
    return numbers


def main():
    arguments, cases, jobs = sys.argv[1:], CASES, 1
    if arguments[:1] == ["--list"]:
        for number in chosen(arguments[1:]):
            path, old, new = MUTANTS[number]
            place(number)
            print(f"{number} {path} ({', '.join(shells_of(number))}) `{old}`: `{new}`")
        return 0
    while arguments[:1] in (["--miter"], ["--cases"], ["--jobs"]):
        if arguments[0] == "--miter":
            cases, arguments = 0, arguments[1:]
            continue
        if arguments[0] == "--cases":
            cases = int(arguments[1])
        else:
            jobs = int(arguments[1])
        arguments = arguments[2:]
    numbers = [n for n in chosen(arguments) if cases > 0 or len(shells_of(n)) == 1]
    build(numbers, cases)
    missed = 0
    with ThreadPoolExecutor(jobs) as pool:
        for line, good in pool.map(lambda number: judge(number, cases), numbers):
            print(line, flush=True)
            missed += not good
    print(f"# {len(numbers) - missed} of {len(numbers)} mutants are seen")
    return missed != 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""contracts.py - is a broken contract seen? Each case drives one module of rtl/.

A case resets the module, drives clocks that keep the contract, then one that breaks it.
With IGPU_ASSERT the simulation must end there, with the module's file and the contract;
where the last clock is left out it must run on to its end, and so it must without
IGPU_ASSERT (the first case of each folder). Icarus runs all cases, Verilator those. The
cases of a module are built together, and Verilator's: +case=N chooses one.
"""
import os
import re
import subprocess
import sys

TMP = os.environ["IGPU_TMP"]
DIRS = ("lib", "fpu", "sched", "link", "eu")
INPUT = re.compile(r"\binput\s+wire\s+(?:signed\s+)?(?:\[[^\]]*\]\s*)?(\w+)")

# Of an EU: stages in which units issue; an issue with its result in 113 cycles; the first
# visit of a scoreboard; a fetch of a thread's first instruction.
ISSUES = {"s1_valid_i": "1", "s1_first_i": "1", "s3_valid_i": "1", "s3_first_i": "1"}
LONG = {"s6_valid_i": "1", "s6_issue_i": "1", "s6_occ_i": "50", "s6_lat_i": "63"}
FIRST = [{"s2_first_i": "1"}, {"s3_valid_i": "1", "s3_first_i": "1"}]
FETCH = [{"s2_fetch_i": "1", "s2_who_i": "1", "s2_fresh_i": "1"}, {}]

# Module, parameters, inputs during the 40 clocks, further clocks that keep the contract,
# the one that breaks it, what is said; then what is not left to chance at the beginning.
CASES = [
    ("lib/igpu_fifo", "", {}, [], {"pop_i": "1"}, "no pop when empty"),
    ("lib/igpu_fifo", ".DEPTH(4), .AW(2)", {}, [{"push_i": "1"}] * 4, {"push_i": "1"},
     "no push when full"),
    ("lib/igpu_queue", "", {}, [], {"pop_i": "1"}, "no pop when empty"),
    ("lib/igpu_queue", ".DEPTH(2), .AW(1)", {}, [{"push_i": "1"}] * 2, {"push_i": "1"},
     "no push when full"),
    ("lib/igpu_ctx_ram", "", {}, [{"re_i": "1"}], {"re_i": "1", "we_i": "1"},
     "nobody reads the word that is written"),
    ("lib/igpu_ctx_ram", ".DEPTH(6)", {}, [], {"we_i": "1", "waddr_i": "6"},
     "addresses are below DEPTH"),
    ("lib/igpu_ctx_ram", ".DEPTH(6), .BLOCK(1)", {}, [], {"re_i": "1", "raddr_i": "7"},
     "addresses are below DEPTH"),
    ("lib/igpu_delay", "", {"ce_i": "1", "latency_i": "5"}, [{"data_i": "1"}],
     {"latency_i": "6"}, "latency_i changes only while no token is under way"),
    ("fpu/igpu_fpu", "", {"op_i": "1", "dtype_i": "10", "stype_i": "12'haaa"},
     [{"valid_i": "1"}], {"valid_i": "1", "stype_i": "12'h6aa"},
     "sources the operation does not have carry the type of source 0"),
    ("fpu/igpu_fpu", ".DF(0)", {"dtype_i": "10", "stype_i": "12'haaa"}, [],
     {"valid_i": "1", "dtype_i": "11"}, "double floats are FPU1's"),
    # The control word: 28 second pass, 27 two passes, 29 float result, 11 float operation.
    ("fpu/igpu_fpu_elem", "", {}, [{"valid_i": "1", "ctl_i": "39'd1 << 27"}],
     {"valid_i": "1"}, "the passes of a product come in consecutive cycles"),
    ("fpu/igpu_fpu_elem", "", {}, [{"valid_i": "1", "ctl_i": "39'd1 << 27"}],
     {"valid_i": "1", "ctl_i": "39'd3 << 27", "x_i": "1"},
     "the passes of a product have the same operands"),
    ("fpu/igpu_fpu_normalize", "", {}, [], {"s4_valid_i": "1", "s4_ctl_i": "39'd1 << 29",
                                           "s4_int_i": "68'd1 << 40"},
     "integers that become floats lie within W + 2 bits"),
    ("fpu/igpu_fpu_pack", "", {"s7_cls_i": "1"}, [],
     {"s7_valid_i": "1", "s7_ctl_i": "39'd1 << 29", "s7_mant_i": "24'h800001"},
     "the number is rounded to the type"),
    ("fpu/igpu_fpu_pack", "", {"s7_cls_i": "1"}, [],
     {"s7_valid_i": "1", "s7_ctl_i": "39'd1 << 11", "s7_mant_i": "24'hc00000"},
     "the number is rounded to a whole one"),
    ("fpu/igpu_math", "", {"fn_i": "1"}, [{"valid_i": "1"}], {"valid_i": "1", "fn_i": "8"},
     "fn_i is a function"),
    ("fpu/igpu_math", "", {"fn_i": "1"}, [{"valid_i": "1", "half_i": "1"}],
     {"valid_i": "1", "half_i": "1", "x_i": "65536"}, "a half's upper 16 bits are 0"),
    ("fpu/igpu_math", "", {"fn_i": "1"}, [], {"valid_i": "1", "fn_i": "14"},
     "x of INVM and RSQTM has its top bit set"),
    ("fpu/igpu_math_horner", "", {}, [], {"s_i": "-1048576", "d_i": "~20'd0", "c_i": "28'h8000000"},
     "the sum fits CW bits"),
    ("fpu/igpu_math_rom", "", {}, [], {"fn_i": "2", "seg_i": "8'h80"},
     "seg_i of a logarithm is -64 to 127"),
    ("sched/igpu_sched_slots", "", {"slots_i": "127"}, [], {"ce_i": "1", "take_i": "1"},
     "take_i only when free_o"),
    ("sched/igpu_sched_slots", "", {"slots_i": "127"}, [], {"end_ce_i": "1", "end_i": "1"},
     "a thread ends in a slot that it has"),
    ("sched/igpu_sched_local", "", {"eus_i": "1", "threads_i": "1", "ce_i": "1"},
     [{"start_valid_i": "1"}], {"start_valid_i": "1"}, "start_valid_i only while a slot is free"),
    ("sched/igpu_sched_local", "", {"eus_i": "1", "threads_i": "1"}, [], {"eus_i": "5"},
     "eus_i has the lowest one to eight bits"),
    ("sched/igpu_sched_local", "", {"eus_i": "1", "threads_i": "1"}, [], {"threads_i": "0"},
     "threads_i is 1 to 7"),
    ("sched/igpu_send_arb", "", {"limit_i": "64"}, [], {"ce_i": "1", "credit_i": "1"},
     "no more credits come back than were taken"),
    ("sched/igpu_send_arb", "", {"limit_i": "64"}, [], {"limit_i": "65"}, "limit_i is 1 to 64"),
    ("sched/igpu_sched_groups", "", {"threads_i": "1"}, [{"ce_i": "1", "take_i": "1"}],
     {"ce_i": "1", "take_i": "1"}, "take_i only while no group holds the slot"),
    ("sched/igpu_sched_groups", "", {}, [], {"ce_i": "1", "take_i": "1"}, "a group has a thread"),
    ("sched/igpu_sched_groups", "", {"threads_i": "1"}, [{"ce_i": "1", "take_i": "1"}],
     {"end_i": "3"}, "a group ends no more threads than it has"),
    ("sched/igpu_sched_groups", "", {"threads_i": "1"}, [],
     {"ce_i": "1", "take_i": "2", "end_i": "1", "end_bslot_i": "31"}, "take_i with no ends"),
    ("sched/igpu_sched_account", "", {"all_threads_i": "1", "ce_i": "1"}, [{"take_thread_i": "1"}],
     {"take_thread_i": "1"}, "a thread is taken only when it fits"),
    ("sched/igpu_sched_account", "", {"all_threads_i": "1", "ce_i": "1", "all_bslots_i": "1",
                                     "group_threads_i": "1"}, [{"take_group_i": "1"}],
     {"take_group_i": "1"}, "a group is taken only when it fits"),
    ("sched/igpu_sched_global", "", {"subslices_i": "3", "tpg_i": "1"}, [{"launch_i": "1"}],
     {"launch_i": "1", "ce_i": "1"}, "launch_i with ce_i 0"),
    ("sched/igpu_sched_global", "", {"subslices_i": "3", "tpg_i": "1", "threads_i": "1"},
     [{"launch_i": "1"}], {"launch_i": "1"}, "launch_i when the launch before is over"),
    ("sched/igpu_sched_global", "", {"subslices_i": "3"}, [], {"subslices_i": "4"},
     "subslices_i is 1 to TILES"),
    ("sched/igpu_sched_global", "", {"subslices_i": "3", "tpg_i": "4", "threads_i": "5"}, [],
     {"launch_i": "1", "pinned_i": "1"}, "threads_i of a pinned launch is a multiple of tpg_i"),
    ("sched/igpu_sched_global", "", {"subslices_i": "3", "tpg_i": "1"}, [],
     {"extend_i": "1", "threads_i": "1"}, "extend_i while threads are left"),
    ("sched/igpu_sched_global", "", {"subslices_i": "3", "tpg_i": "4", "pinned_i": "1"},
     [{"launch_i": "1", "threads_i": "4"}], {"extend_i": "1", "threads_i": "5"},
     "threads_i of a pinned launch that is extended"),
    ("sched/igpu_sched_global", "", {"subslices_i": "3", "ce_i": "1"}, [],
     {"dispatch_i": "1", "end_i": "1"}, "ends come with dispatch_i 0"),
    ("sched/igpu_sched_regs", "", {}, [],
     {"cfg_we_i": "1", "cfg_addr_i": "7'h68", "cfg_data_i": "4"}, "gpu.subslices is 1 to TILES"),
    ("sched/igpu_sched_regs", "", {}, [], {"cfg_we_i": "1", "cfg_addr_i": "7'h67"},
     "eu.threads is 1 to 7"),
    ("sched/igpu_array_time", "", {"empty_i": "1"}, [],
     {"launch_i": "1", "launch_now_i": "7"}, "limit_i is not below now_o"),
    ("sched/igpu_array_time", "", {"limit_i": "9"}, [], {"limit_i": "0"},
     "a limit falls to now_o with hold_i only"),
    ("sched/igpu_array_time", "", {"limit_i": "9"}, [], {"launch_i": "1"},
     "launch_i while idle_o, whatever limit comes with it"),
    ("sched/igpu_array_time", "", {"limit_i": "9"}, [],
     {"calm_i": "1", "skip_i": "1", "skip_now_i": "10"},
     "skip_now_i is above now_o, and at most limit_i"),
    ("sched/igpu_array_time", "", {"limit_i": "999"}, [],
     {"calm_i": "1", "skip_i": "1", "skip_now_i": "256"},
     "skip_now_i is at most 255 where now_o is"),
    ("sched/igpu_array_ends", "", {}, [{"end_i": "1"}], {"end_i": "1"},
     "an EU ends one thread a cycle at most"),
    ("sched/igpu_array_ends", ".EUS(3), .EW(2)", {}, [], {"end_i": "1", "end_eu_i": "3"},
     "end_eu_i is an EU"),
    ("sched/igpu_array_tile", "", {"eus_i": "8", "threads_i": "7", "queue_i": "1"}, [],
     {"tick_i": "1", "settle_i": "1"}, "settle_i and tick_i never together"),
    ("sched/igpu_array_tile", "", {"eus_i": "8", "threads_i": "7", "queue_i": "1"}, [],
     {"tick_i": "1", "end_i": "1"}, "an end comes with one settle_i"),
    ("link/igpu_link_tile", "", {}, [{"first_i": "1"}], {"first_i": "1"}, "one first run at a time"),
    ("link/igpu_link_done", ".AW(2)", {}, [{"push_i": "1", "cycle_i": "7"}],
     {"push_i": "1", "cycle_i": "7"}, "a tile's DONEs have a cycle each"),
    ("link/igpu_link_done", ".AW(2)", {},
     [{"push_i": "1", "cycle_i": c} for c in "5678"],
     {"push_i": "1", "cycle_i": "9"}, "at most DEPTH DONEs wait"),
    ("link/igpu_link_done", ".AW(2)", {"now_i": "7"},
     [{"push_i": "1", "cycle_i": "7"}] + [{}] * 4 + [{"tick_i": "1"}],
     {"tick_i": "1"}, "a cycle takes two clocks at least"),
    ("link/igpu_link_cmd", "", {"en_i": "1"}, [], {"valid_i": "1", "data_i": "32'h56000000"},
     "a command's tile was built"),
    ("link/igpu_link_runs", ".SW(4)", {}, [], {"read_i": "1"}, "read_i only with have_o"),
    ("link/igpu_link_runs", ".SW(4)", {}, [{"push_i": "1"}] * 2 + [{"read_i": "1"}],
     {"read_i": "1"}, "read_i not in two clocks that follow each other"),
    ("link/igpu_link_runs", ".SW(4)", {}, [{"push_i": "1"}] * 8, {"push_i": "1"},
     "at most 2^DW runs of a slot are under way"),
    ("link/igpu_link_runs", ".SW(8)", {}, [], {"push_i": "1"},
     "no run comes before the places are clear"),
    ("link/igpu_link_report", "", {"any_i": "1"}, [{"now_i": "0"}], {"now_i": "1"},
     "the array's outputs change with its clock only"),
    ("link/igpu_link_window", "", {}, [], {"we_i": "1", "addr_i": "1", "wdata_i": "1024"},
     "the host keeps the ring's words below its size"),
    ("link/igpu_link_window", "", {}, [], {"we_i": "1", "addr_i": "4", "wdata_i": "1"},
     "the host takes no more words than there are"),
    ("eu/igpu_eu_seq", "", {}, [{"tick_i": "1", "next_i": "1", "given_i": "1"}],
     {"tick_i": "1", "now_i": "1", "next_i": "2"}, "tick_i only while calm_o"),
    ("eu/igpu_eu_seq", "", {}, [{"tick_i": "1", "next_i": "256"}], {"tick_i": "1", "next_i": "257"},
     "time leaps while asleep_o, to no farther than the next cycle with work"),
    ("eu/igpu_eu_seq", "", {}, [], {"leave_i": "1"}, "who leaves was visited"),
    ("eu/igpu_eu_sendq", "", {}, [], {"tick_i": "1", "next_i": "1", "grant_i": "1"},
     "a grant only to who requests"),
    ("eu/igpu_eu_sendq", "", {"now_i": "1", "next_i": "2"},
     [{"push_i": "1", "push_from_i": "1"}, {"push_i": "1", "push_eu_i": "1", "push_from_i": "1"}],
     {"tick_i": "1", "grant_i": "3"}, "one grant at most"),
    ("eu/igpu_eu_sendq", "", {}, [{"push_i": "1"}] * 4, {"push_i": "1"}, "no push when full"),
    ("eu/igpu_eu_sendq", "", {"now_i": "2"}, [{"push_i": "1", "push_from_i": "257"}],
     {"push_i": "1", "push_from_i": "1"}, "a message is pushed before it can go"),
    ("eu/igpu_eu_given", "", {}, [], {"pick_i": "3"}, "one context is chosen"),
    ("eu/igpu_eu_given", "", {}, [{"branch_i": "1"}, {"redir_i": "1"}], {"redir_i": "1"},
     "who is redirected waits for it"),
    ("eu/igpu_eu_given", "", {}, [], {"open_i": "3"}, "a group is given one thread at most"),
    ("eu/igpu_eu_given", ".GROUPS(2), .SIZE(4)", {}, [{"done_i": "17"}], {"done_i": "48"},
     "a group is given one response at most"),
    ("eu/igpu_decode", "", {}, [{"uctl_i": "10 << 2"}], {"uctl_i": "11 << 2"}, "a class is 0 to 10"),
    ("eu/igpu_eu_track", "", ISSUES, [{"s6_valid_i": "1", "s6_issue_i": "1", "s6_occ_i": "1"}],
     {"s6_valid_i": "1", "s6_issue_i": "1"}, "what issues occupies the unit"),
    ("eu/igpu_eu_track", "", {"s1_valid_i": "1", "s1_first_i": "1"}, [],
     {"s6_valid_i": "1", "s6_issue_i": "1", "s6_occ_i": "1"},
     "s6_issue_i only if tr_room_q was 1 in this visit"),
    ("eu/igpu_eu_track", "", ISSUES, [LONG, {"s0_valid_i": "1"},
                                      {"s1_first_i": "0", "s1_now_i": "1"}, {"s2_valid_i": "1"},
                                      {"s3_first_i": "0"}, {}, {"s5_valid_i": "1", "s5_now_i": "1"}],
     {"s6_valid_i": "1", "s6_issue_i": "1", "s6_occ_i": "1", "s6_now_i": "1"},
     "D' - now is at most the longest latency"),
    ("eu/igpu_eu_track", "", ISSUES, [LONG, {"s0_valid_i": "1"}],
     {"s1_first_i": "0", "s1_now_i": "114"},
     "a result comes in a cycle in which the context is visited"),
    ("eu/igpu_eu_unit", "", {"s3_valid_i": "1", "s3_first_i": "1"},
     [{"s3_first_i": "0"}, {}, {}, {}, {"s6_valid_i": "1", "s6_issue_i": "1", "s6_occ_i": "1"}],
     {"s6_valid_i": "1", "s6_issue_i": "1"}, "what issues occupies the unit"),
    ("eu/igpu_eu_unit", "", {"s3_valid_i": "1", "s3_first_i": "1"},
     [{"s3_first_i": "0"}, {}, {}, {}, {"s6_valid_i": "1", "s6_issue_i": "1", "s6_occ_i": "9"},
      {"s2_valid_i": "1"},
      {"s3_first_i": "0", "s3_now_i": "8"}, {}, {}],
     {"s6_valid_i": "1", "s6_issue_i": "1", "s6_occ_i": "1"},
     "s6_issue_i only if un_free_q was 1 in this visit"),
    ("eu/igpu_eu_front", "", {"s6_valid_i": "1"}, [],
     {"s6_issue_i": "1", "s6_who_i": "1", "s6_held_i": "1", "s6_fetch_i": "1", "s6_new_i": "1"},
     "a thread that fetches does not issue"),
    ("eu/igpu_eu_front", "", {"s6_valid_i": "1"},
     [{"s6_issue_i": "1", "s6_who_i": "1", "s6_held_i": "1"}], {"s6_issue_i": "1", "s6_who_i": "1"},
     "who issues holds an instruction"),
    ("eu/igpu_eu_front", "", {"s6_valid_i": "1"}, [{"s6_fetch_i": "1", "s6_new_i": "1"}],
     {"s6_fetch_i": "1", "s6_new_i": "1", "s6_hold_i": "1"},
     "who fetches holds none, nor is held"),
    ("eu/igpu_eu_held", "", {}, [{"s5_issue_i": "1", "s5_slot_i": "2"}, {"s6_fetch_i": "1"},
                                 {"s5_issue_i": "1", "s5_slot_i": "2"}],
     {"s6_fetch_i": "1", "s6_slot_i": "2"},
     "a thread that fetches in a visit does not issue in it"),
    ("eu/igpu_eu_resp", "", {}, [{"s1_valid_i": "1", "s1_first_i": "1"}],
     {"s1_valid_i": "1", "s1_first_i": "1", "s1_given_i": "1"}, "a duration is 1 to 255",
     "u_dut.u_state.rdata_o = 0;"),
    ("eu/igpu_eu_resp", "", {"s1_dur_i": "255"},
     [{"s1_valid_i": "1", "s1_first_i": "1", "s1_given_i": "1"}, {"s2_valid_i": "1"}] +
     [{"s0_valid_i": "1"}, {"s1_valid_i": "1", "s1_given_i": "1"}, {"s2_valid_i": "1"}] * 71 +
     [{"s0_valid_i": "1"}, {"s1_valid_i": "1", "s1_given_i": "1"}], {"s2_valid_i": "1"},
     "at most 71 responses wait", "u_dut.u_state.rdata_o = 0;"),
    # A range of 0 is GRF 0.
    ("eu/igpu_eu_board", "", {}, FIRST + [{"s2_issued_i": "1"}, {"s3_valid_i": "1"},
                                          {"s2_issued_i": "1"}],
     {"s3_valid_i": "1"}, "an instruction issues only when all bits that it sets are clear"),
    ("eu/igpu_eu_board", "", {}, FIRST + [{"s2_issued_i": "1"}, {"s3_valid_i": "1"},
                                          {"s2_hit_i": "1", "s2_lo_i": "1"}, {"s3_valid_i": "1"},
                                          {"s2_hit_i": "1", "s2_lo_i": "1"}],
     {"s3_valid_i": "1"}, "what an instruction set is cleared once"),
    ("eu/igpu_eu_board", "", {}, [{"s2_first_i": "1", "s2_issued_i": "1"}],
     {"s3_valid_i": "1", "s3_first_i": "1"}, "nothing happens in a context's first visit"),
    ("eu/igpu_eu_fetch", "", {}, [{"s1_open_i": "1", "s1_len_i": "1"}], {"s1_open_i": "1"},
     "a first run has an instruction"),
    ("eu/igpu_eu_fetch", "", {"run_len_i": "1"}, [{"s1_open_i": "1", "s1_len_i": "1"}] + FETCH + [{}],
     {"run_len_i": "0"}, "only behind a branch may a run come later"),
    ("eu/igpu_eu_fetch", "", {}, [{"s1_redir_i": "1", "s1_redir_len_i": "1"}], {"s1_redir_i": "1"},
     "a run that a thread is redirected to has an instruction"),
    ("eu/igpu_eu_fetch", "", {"run_len_i": "1"},
     [{"s1_open_i": "1", "s1_len_i": "1"}, {"s2_fetch_i": "1", "s2_who_i": "1", "s2_fresh_i": "1"}],
     {"s2_fetch_i": "1", "s2_who_i": "2", "s2_fresh_i": "1"}, "who fetches has an instruction"),
    ("eu/igpu_eu_fetch", "", {"run_len_i": "1"}, [{"s1_open_i": "1", "s1_len_i": "2"}] + FETCH,
     {"s4_ctl_i": "4"}, "the end of a thread is its run's last instruction"),
    # Cycles: 4 occupancy, 12 front end.
    ("eu/igpu_eu_store", "", {"dur_i": "1"}, [{"we_i": "1", "ctl_i": "2 << 12 | 3"}],
     {"we_i": "1", "ctl_i": "2 << 12"}, "an instruction has an occupancy"),
    ("eu/igpu_eu_store", "", {"dur_i": "1"}, [{"we_i": "1", "ctl_i": "2 << 12 | 1 << 4"}],
     {"we_i": "1", "ctl_i": "1 << 12 | 1 << 4"}, "an instruction has a front-end time of 2 or more"),
    ("eu/igpu_eu_store", "", {"ctl_i": "2 << 12 | 1 << 4"}, [], {"we_i": "1"},
     "a duration is 1 to 255"),
    ("eu/igpu_eu_store", "", {"ctl_i": "2 << 12 | 1 << 4", "dur_i": "1"}, [{"we_i": "1"}],
     {"we_i": "1", "a_read_i": "1", "a_addr_i": "1"}, "of a page that is written none is read"),
    ("eu/igpu_eu_look", "", {}, [{"s0_valid_i": "1", "s0_first_i": "1"},
                                 {"s1_valid_i": "1", "s1_open_i": "1"},
                                 {"s7_valid_i": "1", "s7_flags_i": "56'd1 << 49"}, {"s0_valid_i": "1"}],
     {"s1_valid_i": "1", "s1_open_i": "1"}, "a thread is opened in a slot that has none"),
    ("eu/igpu_eu_look", "", {}, [{"s7_valid_i": "1", "s7_flags_i": "56'd1 << 49"}, {"s0_valid_i": "1"}],
     {"s1_valid_i": "1", "s1_redir_i": "1"}, "a thread is redirected that has no run"),
    ("eu/igpu_eu_look", "", {}, [{"s7_valid_i": "1", "s7_flags_i": "56'd1 << 42", "s7_late_i": "5"},
                                 {"s0_valid_i": "1"}],
     {"s1_valid_i": "1", "s1_now_i": "6"},
     "a wait ends in a cycle in which the context is visited"),
    ("eu/igpu_eu_soon", "", {"s2_now_i": "6"}, [],
     {"s2_valid_i": "1", "s2_hold_i": "2", "s2_free_at_i": "6 << 8"},
     "a hold that is over is not among them"),
    ("eu/igpu_eu_soon", "", {"s2_now_i": "6"}, [],
     {"s2_valid_i": "1", "s2_late_i": "2", "s2_late_at_i": "6 << 9"},
     "a wait that is over is not among them"),
    ("eu/igpu_eu_rest", "", {}, [{"s7_valid_i": "1", "s7_any_i": "1", "s7_soon_i": "1", "s7_held_i": "1"}],
     {"s7_valid_i": "1", "s7_any_i": "1"}, "the next cycle is not the visit's own"),
    ("eu/igpu_eu_count", "", {}, [{"s7_valid_i": "1", "s7_fetch_i": "1"}], {"s7_fetch_i": "1"},
     "a visit issues and fetches"),
    ("eu/igpu_eu_count", "", {"s7_left_i": "24'h010101"},
     [{"s7_valid_i": "1", "s7_issue_i": "9", "s7_busy_i": "1"}],
     {"s7_valid_i": "1", "s7_issue_i": "3", "s7_busy_i": "1"}, "what issues occupies its unit"),
    ("eu/igpu_eu_pipe", "", {}, [{"s0_valid_i": "1", "s0_first_i": "1"}], {"s0_done_i": "1"},
     "who is given something is visited", "u_dut.u_resp.u_state.g_any.mem[0] = 0;"),
    ("eu/igpu_eu_look", "", {}, [{"s0_valid_i": "1", "s0_first_i": "1"}],
     {"s1_valid_i": "1", "s1_open_i": "1", "s1_slot_i": "7"}, "a thread is opened in a slot"),
    ("eu/igpu_eu_flat", "", {}, [{"s0_valid_i": "1", "s0_first_i": "1"}], {"s0_done_i": "1"},
     "who is given something is visited"),
    ("eu/igpu_eu_flat", "", {}, [], {"s0_valid_i": "1", "s0_first_i": "1", "s0_runs_i": "1",
                                "s0_open_len_i": "1", "s0_open_slot_i": "7"},
     "a thread is opened in a slot"),
    ("eu/igpu_eu_visit", "", {}, [{"s0_valid_i": "1"}] + [{}] * 8 + [{"s0_valid_i": "1"}] + [{}] * 7,
     {"s0_valid_i": "1"}, "visits of one context do not overlap"),
    ("eu/igpu_eu_flat", ".CONTEXTS(6)", {"s0_first_i": "1"}, [{"s0_valid_i": "1", "s0_ctx_i": "5"}],
     {"s0_valid_i": "1", "s0_ctx_i": "6"}, "a visit is of a context"),
    ("eu/igpu_eu_flat", "", {"store_dur_i": "1"}, [{"store_we_i": "1", "store_ctl_i": "2 << 12 | 3"}],
     {"store_we_i": "1", "store_ctl_i": "2 << 12"}, "an instruction has an occupancy"),
    ("eu/igpu_eu_flat", "", {"store_dur_i": "1", "store_ctl_i": "1 << 12 | 1 << 4"}, [],
     {"store_we_i": "1"}, "an instruction has a front-end time of 2 or more"),
    ("eu/igpu_eu_flat", "", {"store_ctl_i": "2 << 12 | 1 << 4"}, [], {"store_we_i": "1"},
     "a duration is 1 to 255"),
    ("eu/igpu_eu_flat", ".STORE_DEPTH(500)", {"store_ctl_i": "2 << 12 | 1 << 4", "store_dur_i": "1"},
     [{"store_we_i": "1", "store_addr_i": "499"}], {"store_we_i": "1", "store_addr_i": "500"},
     "indices are below STORE_DEPTH"),
]


def inputs(path):
    """The inputs of a module."""
    with open(path, encoding="utf-8") as source:
        text = re.sub(r"//[^\n]*", "", source.read())
    return INPUT.findall(text[text.index("\nmodule "):].split(");", 1)[0])


def bench(number):
    """A bench that drives the clocks of a case where it is asked for (+case=NUMBER), with
    +broken the last one too, and says that it came to its end."""
    module, params, always, before, last = CASES[number][:5]
    ports = inputs(f"rtl/{module}.v")
    clock = "        #4 clk_i = 1; #5 clk_i = 0; #1;"
    lines = ["        repeat (3) begin #4 clk_i = 1; #5 clk_i = 0; #1; end",
             *(f"        {begin}" for begin in CASES[number][6:]), "        rst_ni = 1;",
             "        repeat (40) begin #4 clk_i = 1; #5 clk_i = 0; #1; end"]
    for step in before + [last]:
        if step is last:
            lines.append('        if ($test$plusargs("broken")) begin')
        lines += [f"        {port} = {value};" for port, value in step.items()] + [clock]
        lines += [f"        {port} = {always.get(port, '0')};" for port in step]
    lines += ["        end", clock, '        $display("to the end");', "        $finish;"]
    # Another clock (tile_clk_i) has every edge of clk_i.
    listed = ", ".join(f".{port}({'clk_i' if port.endswith('_clk_i') else port})"
                       for port in ports)
    return (f"module bench{number};\n    reg rst_ni = 0;\n" +
            "".join(f"    reg [199:0] {port} = {always.get(port, '0')};\n"
                    for port in ports if port != "rst_ni") +
            f"    {module.split('/')[1]} {f'#({params}) ' if params else ''}u_dut "
            f"({listed});\n    initial if ($test$plusargs(\"case={number}.\")) begin\n" +
            "\n".join(lines) + "\n    end\nendmodule\n")


def write_benches(path, numbers):
    """The benches of these cases; who is not asked for has no clock."""
    with open(path, "w", encoding="utf-8") as out:
        out.write("module bench;\n" + "".join(f"    bench{n} u_bench{n} ();\n" for n in numbers) +
                  "endmodule\n" + "".join(map(bench, numbers)))


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    return done.returncode, done.stdout


def build(path, tool, checked):
    """The command that simulates the benches."""
    search = [word for d in DIRS for word in ("-y", f"rtl/{d}")] + ["-Irtl/include", "-Irtl/lib", "-Irtl/eu"]
    search += ["-DIGPU_ASSERT"] if checked else []
    if tool == "iverilog":
        command = ["iverilog", "-g2012", *search, "-s", "bench", "-o", f"{path}.vvp", path]
        simulation = ["vvp", "-N", f"{path}.vvp"]
    else:
        command = ["verilator", "--binary", "--assert", "-Wno-fatal", "-Wno-lint", *search,
                   "--top-module", "bench", "--Mdir", f"{path}.d", "-MAKEFLAGS",
                   "OPT_FAST=-O0 OPT_GLOBAL=-O0", path]
        simulation = [f"{path}.d/Vbench"]
    code, out = run(*command)
    if code != 0:
        sys.exit(f"{path} does not build\n{out[-2000:]}")
    return simulation


def judge(number, tool, simulation, plain):
    """Whether the tool sees the broken contract, and nothing without it; a line for it.
    plain: the simulation without IGPU_ASSERT, or None."""
    module, text = CASES[number][0], CASES[number][5]
    name, which = module.split("/")[1], f"+case={number}."
    fault = None
    code, out = run(*simulation, which, "+broken")
    if code == 0 or "to the end" in out or \
            not re.search(rf"{name}\.v:\d+:.*contract broken: {re.escape(text)}", out):
        fault = "it is not seen"
    else:
        code, out = run(*simulation, which)
        if code != 0 or "to the end" not in out:
            fault = "it ends while nothing is broken"
        elif plain:
            code, out = run(*plain, which, "+broken")
            if code != 0 or "to the end" not in out:
                fault = "it ends without IGPU_ASSERT"
    if fault:
        print("\n".join(f"# {line}" for line in out.splitlines()[:8]))
    print(f"{'not ok' if fault else 'ok'} {tool}, {name}: {text}{': ' + fault if fault else ''}",
          flush=True)
    return fault is None


def judge_all(name, tool, numbers, firsts):
    """Cases that are built together; `firsts` without IGPU_ASSERT too."""
    path = f"{TMP}/{name}.v"
    write_benches(path, numbers)
    simulation = build(path, tool, True)
    plain = [n for n in numbers if n in firsts]
    without = None
    if plain:
        write_benches(f"{TMP}/{name}_plain.v", plain)
        without = build(f"{TMP}/{name}_plain.v", tool, False)
    return [judge(n, tool, simulation, without if n in firsts else None) for n in numbers]


def main():
    first, modules = {}, {}
    for number, case in enumerate(CASES):
        first.setdefault(case[0].split("/")[0], number)
        modules.setdefault(case[0], []).append(number)
    firsts = list(first.values())
    good = []
    for module, numbers in modules.items():
        good += judge_all(module.replace("/", "_"), "iverilog", numbers, firsts)
    good += judge_all("verilator", "verilator", firsts, [])
    return not all(good)


if __name__ == "__main__":
    sys.exit(main())

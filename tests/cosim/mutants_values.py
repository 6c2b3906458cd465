#!/usr/bin/env python3
"""mutants_values.py [--list] [FILE|NUMBER...] - is what is wrong in the values seen?

Each mutant of the table is one change to a file of rtl/ that decodes or computes. Those of
the decoder are judged by test_isa first, others by whole random programs
(test_values_programs), which are the shortest, then by single instructions
(test_values_forms), by frames (test_rtl_shaders) and by kernels in lock-step (test_values).
The first difference is printed, with its place; a mutant that nothing sees is a failure.

All mutants are in one build, which chooses by the environment's IGPU_MUTANT: so each is
an expression, @so@, within what stands there once. Needs build/tests/cosim/test_isa,
test_values, test_values_forms, test_values_programs, test_rtl_shaders and what they are
linked from.
"""
import os
import re
import shutil
import subprocess
import sys

from mutants_text import begin_of

BUILD = os.environ.get("BUILD", "build")
WORK = os.path.join(BUILD, "mutants_values")
LIMIT_S = 600
PROGRAMS = "150"  # the rounding of macros is seldom seen: by the 123rd
# Kernels that between them branch, wait, call for memory of every kind, and are short.
KERNELS = ("copy_partial", "bytes_io", "binary_search", "bfs_step", "div32", "int64", "subgroup",
           "generic_pointer", "call_noinline", "atomics64", "control")

# File, what stands there once with the <<part>> that changes, what the mutant has there.
MUTANTS = [
    # expansion of compacted instructions
    ("isa/igpu_isa_expand.v", "{{19{@c_i[39]@}}, c_i[39:35]", "1'b0"),
    ("isa/igpu_isa_expand.v", "n_o[23:12]  = @control[15:4]@;", "control[14:3]"),
    ("isa/igpu_isa_expand.v", "n_o[120:109] = @source1@;", "source0"),
    ("isa/igpu_isa_expand.v", "n_o[34]     = @control[1]@;", "1'b0"),
    ("isa/igpu_isa_expand.v", "n_o[100:96] = @subreg[14:10]@;", "subreg[9:5]"),
    ("isa/igpu_isa_expand.v", "n_o[85]      = @c_i[32]@;", "c_i[28]"),
    ("isa/igpu_isa_expand.v", "op == `IGPU_OP_BFE || @op == `IGPU_OP_BFI2@;", "1'b1"),
    ("include/igpu_isa_tables.vh", "5'd7: row_source = @12'b000001001000@;", "12'b000001000000"),
    ("include/igpu_isa_tables.vh", "5'd14: row_subreg = @15'b001000010000010@;",
     "15'b001000010000110"),
    ("include/igpu_isa_tables.vh", "5'd17: row_datatype = @21'b001011101011101011100@;",
     "21'b001011101011101011101"),
    ("include/igpu_isa_tables.vh", "5'd13: row_control = @19'b0000110000000000010@;",
     "19'b0000110000000000011"),
    # decoding
    ("isa/igpu_isa_decode.v", "two_source[`IGPU_SRC_AIMM] = {@sign@, bits[8:0]};", "1'b0"),
    ("isa/igpu_isa_decode.v", "trimmed(imm0_type, @wide0@ ?", "1'b0"),
    ("isa/igpu_isa_decode.v", "inst_o[`IGPU_INST_FLAG]    = @n_i[33:32]@;", "{n_i[32], n_i[33]}"),
    ("isa/igpu_isa_decode.v", "inst_o[`IGPU_INST_EXEC]    = @single@ ? 3'd0", "1'b0"),
    ("isa/igpu_isa_decode.v", "{@n_i[13:11]@, 2'd0};", "{n_i[13:12], 1'b0}"),
    ("isa/igpu_isa_decode.v", "@n_i[27]@ ? n_i[27:24] - 4'd1", "1'b0"),
    ("isa/igpu_isa_decode.v", "two_source[`IGPU_SRC_VXH]  = @bits[24:21] == 4'd15@;", "1'b0"),
    ("isa/igpu_isa_decode.v", "scalar2  = n_i[106] || @(tern_df && n_i[114:107] == XYXY)@;", "1'b0"),
    ("isa/igpu_isa_decode.v", "imm[`IGPU_MSG_EXLEN]   = sends ? @n_i[67:64]@ : 4'd0;", "n_i[66:63]"),
    ("isa/igpu_isa_decode.v", "imm = {@n_i[95:64]@, n_i[127:96]};", "n_i[127:96]"),
    ("include/igpu_isa_types.vh", "4'd4:    immediate_type = @`IGPU_TYPE_UV@;", "`IGPU_TYPE_UB"),
    # the plan
    ("eu/igpu_eu_plan.v", "@(t0 == `IGPU_TYPE_HF && td != `IGPU_TYPE_HF)@;", "1'b0"),
    ("eu/igpu_eu_plan.v", "`IGPU_OP_SHR:   fpu_op = @`IGPU_FPU_OP_SHR@;", "`IGPU_FPU_OP_ASR"),
    ("eu/igpu_eu_plan.v", "(@wide0@ || (has1 && wide1) || (has2 && wide2)", "1'b0"),
    ("eu/igpu_eu_plan.v", "@op != `IGPU_OP_SEL@ && op != `IGPU_OP_CSEL;", "1'b1"),
    ("eu/igpu_eu_plan.v", "acc_own                   ? @`IGPU_ACC_CARRY@ :", "`IGPU_ACC_RESULT"),
    ("eu/igpu_eu_plan.v", "math ? fn == `IGPU_FN_IDIV\n                                         : @acc_own && op == `IGPU_OP_MACH@;", "1'b0"),
    # masks
    ("eu/igpu_eu_mask.v", "order[0] ? ~any_of(@~own@, size)", "own"),
    ("eu/igpu_eu_mask.v", "size  = @order[3:1]@ + 3'd1;", "order[2:0]"),
    ("eu/igpu_eu_mask.v", "own   = @sub[1]@ ? flags_i[63:32]", "1'b0"),
    ("eu/igpu_eu_mask.v", "bit_o  = {@sub[0]@, 4'd0} + chan;", "1'b0"),
    ("eu/igpu_eu_mask.v", "(@inst_i[`IGPU_INST_NOMASK]@ ? full_o", "1'b0"),
    ("eu/igpu_eu_mask.v", "@inst_i[`IGPU_INST_OP] == `IGPU_OP_SEL@ ? full_o", "1'b0"),
    ("eu/igpu_eu_mask.v", "flags = @flags_i[31:0] | flags_i[63:32]@;", "flags_i[31:0]"),
    # operands
    ("eu/igpu_eu_address.v", "a0 + {{2{@aimm[9]@}}, aimm}", "1'b0"),
    ("eu/igpu_eu_address.v", "src_i[`IGPU_SRC_ASUB] + (@vxh@ ?", "1'b0"),
    ("eu/igpu_eu_swizzle.v", "{1'b0, at[5] ^ @odd_i@, at[4:0], 3'd0}", "1'b0"),
    ("eu/igpu_eu_swizzle.v", "dsize_i == 2'd3 ? {@channel[0]@, 2'd0}", "1'b0"),
    ("eu/igpu_eu_swizzle.v", "{5'd0, restricted[6:4]} + @8'd124@,", "8'd125"),
    ("eu/igpu_eu_swizzle.v", "part    = {1'b0, @i[0]@};", "1'b0"),
    ("eu/igpu_eu_swizzle.v", "row = vs == 3'd0 ? 6'd0 : row << @(vs - 3'd1)@;", "vs"),
    ("eu/igpu_eu_swizzle.v", "{12{@nibble[3] && of_type == `IGPU_TYPE_V@}}", "1'b0"),
    ("eu/igpu_eu_grf.v", "row[RW-1:1] + {{(RW-2){1'b0}}, @row[0]@};", "1'b0"),
    ("eu/igpu_eu_grf.v", "wbyte = @wswap@ ? {wbyte_i[31:0]", "1'b0"),
    # passes, results
    ("eu/igpu_eu_job.v", "along  = hs == 2'd0 ? {7'd0, first_o} : {7'd0, first_o} << @(hs - 2'd1)@;",
     "hs"),
    ("eu/igpu_eu_job.v", "tag[`IGPU_TAG_FBIT]  = bit_q + @first_o@;", "5'd0"),
    ("eu/igpu_eu_job.v", "on_q == 32'd0 : !send || @total == 5'd0@;", "total <= 5'd1"),
    ("eu/igpu_eu_job.v", "(@second@ ? {1'b0, exlen} : 5'd0);", "1'b0"),
    ("eu/igpu_eu_job.v", "plan[`IGPU_PLAN_FLAGS] = @1'b0@;", "1'b1"),
    ("eu/igpu_eu_wb.v", "fset_o   = {24'd0, @result_q[135:128]@}", "result_q[143:136]"),
    ("eu/igpu_eu_wb.v", "moves   = valid_q && @!hold_i@;", "1'b1"),
    ("eu/igpu_eu_scatter.v", "@lanes_i[LANES == 1 ? 3'd0 : slot[2:0]]@ &&", "1'b1"),
    ("eu/igpu_eu_scatter.v", "@part >> size_i == 6'd0@;", "1'b1"),
    ("eu/igpu_eu_arf.v", "if (@fwe_i && !freg_i@)", "fwe_i"),
    ("eu/igpu_eu_arf.v", "(flags[31:0] & @~fmask_i@)", "32'hffffffff"),
    # answers to messages
    ("eu/igpu_eu_merge.v", "block_i || (@wide_i@ ?", "1'b0"),
    ("eu/igpu_eu_merge.v", "mask = mask_i >> @first_i@;", "5'd0"),
    ("eu/igpu_eu_merge.v", "wide_i ? mask[i / 8] : @mask[i / 4]@);", "1'b1"),
    # branches
    ("eu/igpu_eu_flow.v", "`IGPU_OP_IF:    there = active_o & @~taken@;", "taken"),
    ("eu/igpu_eu_flow.v", "there  = @control_i@ ? taken", "1'b0"),
    ("eu/igpu_eu_flow.v", "@peek_data_i[6:0] != `IGPU_OP_WHILE@ ? uip_i", "1'b1"),
    ("eu/igpu_eu_flow.v", "uniform = parting && @active_o == live_o@ &&", "1'b1"),
    ("eu/igpu_eu_flow.v", "!parting ? pc_i : leaves[i] ? target : @next_i@;", "pc_i"),
    ("eu/igpu_eu_flow.v", "counts = step_q < FIND ? lives : lives & @~equal@;", "8'hff"),
    ("eu/igpu_eu_flow.v", "second = lower(least, @second_q@);", "NOWHERE"),
    ("eu/igpu_eu_values.v", "(@op == `IGPU_OP_JMPI@  ? next :", "1'b0"),
    ("eu/igpu_eu_values.v", "joins = v3_valid && @waits == v3_pc@;", "1'b0"),
    # calls
    ("eu/igpu_eu_flow.v", "caller = frame_m[{thread_i, inner}] | @there@;", "32'd0"),
    ("eu/igpu_eu_flow.v", "pop    = back && @stay == 32'd0@;", "1'b0"),
    ("eu/igpu_eu_flow.v", "(push || pop)\n            depth_m[thread_i] <= @push@ ?", "1'b0"),
    ("eu/igpu_eu_flow.v", "live_m[thread_i] <= push ? @there@ :", "live_o"),
    ("eu/igpu_eu_values.v", "j_there  <= @calls ? there : 32'd0@;", "32'd0"),
    ("eu/igpu_eu_link.v", "word  = place[2:0] + {2'd0, @op == `IGPU_OP_BRC@};", "1'b0"),
    # rounds of operations
    ("eu/igpu_eu_micro.v", "{a, b, c} = {@plane(s0, 2'd3)@, plane(s0, 2'd0), s1};", "s0"),
    ("eu/igpu_eu_micro.v", "source[`IGPU_SRC_REG] + {7'd0, @second@};", "1'b0"),
    ("eu/igpu_eu_micro.v", "b = @negated(s0)@;", "s0"),
    ("eu/igpu_eu_micro.v", "{a, b} = {register(TEMP, sum_type), @s2@};", "s1"),
    ("eu/igpu_eu_micro.v", "op == `IGPU_OP_DP2 ? 2'd1 : @op == `IGPU_OP_DP3@ ?", "1'b0"),
    ("eu/igpu_eu_micro.v", "round_i == 2'd3 && @op == `IGPU_OP_DPH@", "1'b0"),
    ("eu/igpu_eu_micro.v", "{a[6], b[6]} = @2'b11@;", "2'b01"),
    ("eu/igpu_eu_micro.v", "{register({`IGPU_ARF_ACC, 4'd0}, dst[`IGPU_DST_TYPE]), @s0@, s1};", "s1"),
    ("eu/igpu_eu_micro.v", "plan_o[`IGPU_PLAN_FLAGS] = @1'b0@;", "1'b1"),
    ("eu/igpu_eu_job.v", "waits = first_o == 5'd0 && round_q != 2'd0 && @temps_q != 6'd0@;", "1'b0"),
    ("eu/igpu_eu_swizzle.v", "(channel[1:0] & @~comp_i[3:2]@)", "2'b11"),
    ("eu/igpu_eu_mask.v", "on_o = op == `IGPU_OP_SMOV ? exec_o & @bits@ :", "32'hffffffff"),
    ("fpu/igpu_fpu_multiply.v", "(cmp && flt && @s1_ctl_i[`IGPU_FCTL_WHOLE]@ &&", "1'b0"),
    # macros
    ("eu/igpu_eu_macro.v", "low - @{{(EW-6){1'b0}}, up}@,", "18'd0"),
    ("eu/igpu_eu_macro.v", "(found[NW-3] && !mods[0]) ^ @mods[1]@;", "1'b0"),
    ("eu/igpu_eu_macro.v", "found = @there_q@ ? {read_q", "1'b1"),
    ("eu/igpu_eu_macro.v", "there_m[clear_thread_i] <= @128'd0@;", "{128{1'b1}}"),
    ("eu/igpu_eu_macro.v", "rises = half && (@below || kept[0]@);", "1'b1"),
    ("eu/igpu_eu_macro.v", "texp = exp_q + {{(EW-1){1'b0}}, @carries@};", "1'b0"),
    ("eu/igpu_eu_macro.v", "SHIFT: if (@!trim_q && exp_q < emin@)", "1'b0"),
    ("eu/igpu_eu_macro.v", "early_q <= @!starts@;", "1'b0"),
    ("eu/igpu_eu_macro.v", "y_i({31'd0, @root_q && odd@})", "1'b0"),
    ("eu/igpu_eu_macro.v", "product_leads = @pexp_q >= xe@;", "1'b1"),
    ("isa/igpu_isa_decode.v", "{n_i[110:107], @n_i[89:86]@, n_i[68:65], n_i[52:49]};", "n_i[90:87]"),
]

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
    before, part, after = old.split("@")
    plain = before + part + after
    start = begin_of("mutants_values.py", "rtl/" + path, plain) + len(before)
    return start, start + len(part)


def change_all():
    """The RTL with all mutants, each chosen by its number, in WORK/rtl."""
    shutil.rmtree(WORK + "/rtl", ignore_errors=True)
    shutil.copytree("rtl", WORK + "/rtl")
    changes = {}
    for number, (path, _, new) in enumerate(MUTANTS):
        changes.setdefault(path, []).append((*place(number), number, new))
    for path, some in changes.items():
        with open("rtl/" + path, encoding="utf-8") as file:
            text = file.read()
        for begin, end, number, new in sorted(some, reverse=True):
            old = text[begin:end]
            chosen = f"((igpu_mutants::which == {number + 1}) ? ({new}) : ({old}))"
            text = text[:begin] + chosen + text[end:]
        with open(f"{WORK}/rtl/{path}", "w", encoding="utf-8") as file:
            file.write(text)
    with open(WORK + "/igpu_mutants.sv", "w", encoding="utf-8") as file:
        file.write(CHOICE)


def see(command, number):
    """What the test says of the mutant; None: it sees nothing."""
    try:
        done = run(command, timeout=LIMIT_S, env=os.environ | {"IGPU_MUTANT": str(number + 1)})
    except subprocess.TimeoutExpired:
        return f"no end within {LIMIT_S} s"
    if done.returncode == 0:
        return None
    said = [line for line in done.stdout.splitlines() if re.search(r"expected 0x|0x\w+ expected| != |\[   LINE", line)]
    return (said or done.stdout.strip().splitlines() or ["nothing said"])[0].strip()[:150]


def judge(number):
    seen = None
    if MUTANTS[number][0].startswith(("isa/", "include/")):
        seen = see([WORK + "/test_isa"], number)
    for test in ("values_programs", "values_forms", "rtl_shaders") if seen is None else ():
        more = ["--programs", PROGRAMS] if test == "values_programs" else []
        seen = seen or see([f"{WORK}/test_{test}", *more], number)
    for kernel in KERNELS if seen is None else ():
        seen = see([WORK + "/test_values", "--report", kernel], number)
        if seen is not None:
            return f"{kernel}: {seen}"
    return seen


def main():
    words, missed = sys.argv[1:], 0
    only_list = words[:1] == ["--list"]
    words = words[1:] if only_list else words
    numbers = [n for n, mutant in enumerate(MUTANTS)
               if not words or str(n) in words or mutant[0] in words]
    if not numbers:
        sys.exit(f"mutants_values.py: no mutant {' '.join(words)}: expected numbers or files, "
                 "as --list shows them")
    if not only_list:
        change_all()
        done = run(["make", "-s", "mutants-values"])
        if done.returncode != 0:
            sys.exit(f"mutants_values.py: `make mutants-values` fails\n{done.stdout[-3000:]}")
    for number in numbers:
        path, old, new = MUTANTS[number]
        if only_list:
            place(number)
            print(f"{number} {path} `{old}`: `{new}`")
            continue
        seen = judge(number)
        missed += seen is None
        print(f"{'not ok' if seen is None else 'ok'} {number} {path} `{new}`: "
              f"{seen or 'nothing sees it'}", flush=True)
    return missed != 0


if __name__ == "__main__":
    sys.exit(main())

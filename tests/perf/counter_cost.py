#!/usr/bin/env python3
"""counter_cost.py [--frame N] CAPTURE... - what counting costs the functional pipeline.

Counters are always on. To know what they cost, a copy of the sources is built in which
nothing is counted but what commands can read as registers: no other counter, no lines of
texels, no overdraw, no classes and lanes of instructions, no notes of hierarchical depth
(so pixel shaders that discard run there for blocks that notes leave out). Both programs execute each capture up to frame N (default:
its last) in turn, five times; printed are user CPU seconds, medians, and their ratio.
Pictures of both must be the same. From the top folder, after make igpu."""
import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUNS = 5
# What commands read (csim/gfx/gfx_registers.c), and by which overdraw knows its draws.
READ = ("hs_invocations|ds_invocations|ia_vertices|ia_primitives|vs_invocations|"
        "gs_invocations|gs_primitives|cl_invocations|cl_primitives|ps_invocations|"
        "samples_passed|draws")
# (folder, what is taken out, what is there instead, how often at least)
CUTS = (
    ("gfx", rf"(?:g->counters\.|\bc->)(?!(?:{READ})\b)[a-z_0-9]+ ?(?:\+\+|\+= ?[^;]*);", ";", 150),
    ("gfx", r"\*\(g->d\.late \? &c->\w+ : &c->\w+\) \+= \w+;", ";", 4),
    ("gfx", r"gfx_count_classes\(&g->counters\.\w+, &classes\);", "(void)classes;", 2),
    ("gfx", r"(bool gfx_count_line\([^{]*\{)", r"\1 (void)g; (void)line; return true;", 1),
    ("gfx", r"(void gfx_count\([^{]*\{)", r"\1 (void)g; (void)counter; (void)more; return;", 1),
    ("gfx", r"(uint32_t \*gfx_count_pixels\([^{]*\{)", r"\1 (void)g; (void)s; return NULL;", 1),
    ("gfx", r"(void gfx_count_shaded\([^{]*\{)", r"\1 (void)g; (void)s; (void)pixels; return;", 1),
    ("gfx", r"(void gfx_drawn\(struct gfx \*g\)\s*\{)", r"\1 if (g->on_draw == NULL) return;", 1),
    ("gfx", r"h->on = !h->ignored && ", "h->on = false && ", 1),
    ("emu", r"s->launch\.hooks\.block = count_block;", "(void)count_block;", 1),
    ("emu", r"count_lanes\(&sum, op, mask\);", "(void)mask;", 1),
)


def build_without(folder):
    """An igpu without counters."""
    for name in subprocess.run(["git", "ls-files"], cwd=TOP, check=True, text=True,
                               stdout=subprocess.PIPE).stdout.splitlines():
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        shutil.copy(os.path.join(TOP, name), os.path.join(folder, name))
    for library, pattern, instead, least in CUTS:
        found = 0
        base = os.path.join(folder, "csim", library)
        for name in sorted(os.listdir(base)):
            if not name.endswith(".c"):
                continue
            with open(os.path.join(base, name), encoding="utf-8") as file:
                text, times = re.subn(pattern, instead, file.read())
            found += times
            if times:
                with open(os.path.join(base, name), "w", encoding="utf-8") as file:
                    file.write(text)
        if found < least:
            sys.exit(f"counter_cost.py: csim/{library}: {found} of at least {least}: {pattern}")
    done = subprocess.run(["make", "igpu"], cwd=folder, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit("counter_cost.py: " + done.stdout[-2000:])
    return os.path.join(folder, "igpu")


def seconds(igpu, capture, frame, picture):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([igpu, "frame", "render", *frame, "-o", picture, capture], check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--frame", help="up to which; default: the last one")
    parser.add_argument("capture", nargs="+")
    args = parser.parse_args()
    frame = ["--frame", args.frame] if args.frame else []
    with tempfile.TemporaryDirectory() as folder:
        programs = os.path.join(TOP, "igpu"), build_without(os.path.join(folder, "tree"))
        ratios = []
        print("capture,with,without,ratio")
        for capture in args.capture:
            times, pictures = ([], []), []
            for _ in range(RUNS):
                for which, igpu in enumerate(programs):
                    picture = os.path.join(folder, f"{which}.png")
                    times[which].append(seconds(igpu, capture, frame, picture))
            for which in range(2):
                with open(os.path.join(folder, f"{which}.png"), "rb") as file:
                    pictures.append(file.read())
            if pictures[0] != pictures[1]:
                sys.exit(f"counter_cost.py: {capture}: the pictures differ")
            on, off = (statistics.median(t) for t in times)
            ratios.append(on / off)
            name = os.path.basename(capture).removesuffix(".igf")
            print(f"{name},{on:.2f},{off:.2f},{on / off:.2f}", flush=True)
        print(f"median {statistics.median(ratios):.2f}, worst {max(ratios):.2f}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Run GL tests of piglit (Debian's package) on the simulated GPU, a process for each, and
print what became of them.

  tests/perf/piglit.py [--count 1000] [--state piglit.jsonl] [--cpu 60] [--jobs 1]
  tests/perf/piglit.py --sync --state sync.jsonl

Which tests: of piglit's profiles quick_gl and quick_shader, those of the groups below,
which draw (no tests of the compiler alone, of GLX or EGL), at most 40 of a group, in
the order of their names' SHA-256, alternately of both profiles. With --sync instead all of
quick_gl about fences, semaphores, timers, queries and conditional rendering. Those that llvmpipe
does not pass do not count. Each that it passes runs under igpu gl.
Results: pass, fail, refused (with the simulator's reason), limit, crash. They are kept
in the state file, a line of JSON each, and tests in it are not run again (--again PATTERN:
those whose result or reason matches are)."""
import argparse
import collections
import concurrent.futures
import hashlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = "/usr/lib/x86_64-linux-gnu/piglit"
GROUPS = re.compile(
    r"shaders$|spec@(!opengl [123]\.\d|glsl-1\.[1-5]0|glsl-es-[13]\.00|"
    r"\w*(texture|blend|depth|stencil|framebuffer|fbo|draw|vertex|point|fragment|instanced|"
    r"provoking|clip|color|srgb|sampl|clear|float|packed|uniform|viewport|restart)\w*)$")
NOT_DRAWN = re.compile(r"@(compiler|linker|preprocessor)@|glslparser|\.(vert|frag|geom)$|api")
SYNC = re.compile(
    r"sync|fence|semaphore|timer|timestamp|occlusion|external_objects|conditional_render|"
    r"statistics_query|overflow_query|query_buffer|performance_query|query-primitives|"
    r"primgen-query|query-lifetime|beginquery|endquery|genqueries", re.I)
NOT_SYNC = re.compile(r"async|" + NOT_DRAWN.pattern[:-len("|api")])
MOST_OF_A_GROUP = 40
# Drivers as docs/guide/graphics.md has them.
EXACT = {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_OVERRIDE_CPU_CAPS": "sse4.1",
         "GALLIVM_PERF": "no_aos_sampling"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--count", type=int, default=1000, help="tests that llvmpipe passes")
    parser.add_argument("--state", default="piglit.jsonl", help="results; %(default)s")
    parser.add_argument("--cpu", type=int, default=60, help="CPU seconds for a test")
    parser.add_argument("--jobs", type=int, default=1, help="tests at a time")
    parser.add_argument("--again", default="", help="run these again: a pattern")
    parser.add_argument("--sync", action="store_true", help="tests of fences and queries")
    parser.add_argument("--report", action="store_true", help="run nothing, only print")
    return parser.parse_args()


def listed(name):
    """[(test's name, command)] of a profile."""
    lines = subprocess.run(["piglit", "print-cmd", name], check=True, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.splitlines()
    return [tuple(line.split(" ::: ")) for line in lines if " ::: " in line]


def at_place(command):
    """The command with the path that the package has."""
    return re.sub(r"^\.\./lib/\S*?/piglit", FOLDER, command)


def profile(name):
    """[(test's name, command)] by the rule above, without that of both profiles."""
    tests, of_group = [], collections.Counter()
    for test, command in sorted(listed(name),
                                key=lambda t: hashlib.sha256(t[0].encode()).digest()):
        parts = test.split("@")
        group = "@".join(parts[:2]) if parts[0] == "spec" else parts[0]
        if not GROUPS.match(group) or NOT_DRAWN.search(test) or of_group[group] >= MOST_OF_A_GROUP:
            continue
        of_group[group] += 1
        tests.append((test, at_place(command)))
    return tests


def chosen(sync):
    if sync:  # none needs a window: there is no X server
        return [(test, at_place(command).replace(" -fbo", "") + " -fbo")
                for test, command in listed("quick_gl")
                if SYNC.search(test) and not NOT_SYNC.search(test)]
    both = itertools.zip_longest(profile("quick_gl"), profile("quick_shader"))
    return [test for pair in both for test in pair if test]


def run(command, env, cpu):
    """(piglit's result or limit or crash, output)."""
    clean = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    clean.update(env, PIGLIT_PLATFORM="surfaceless_egl", EGL_PLATFORM="surfaceless",
                 PIGLIT_SOURCE_DIR=FOLDER, PIGLIT_BUILD_DIR=FOLDER)
    with subprocess.Popen(["prlimit", f"--cpu={cpu}", "--core=0", *command], env=clean,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, errors="replace",
                          stderr=subprocess.STDOUT, start_new_session=True) as child:
        try:
            output, _ = child.communicate(timeout=10 * cpu)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)  # the test, too, not igpu alone
            child.communicate()
            return "limit", ""
    found = re.findall(r'PIGLIT: \{"result": "(\w+)"', output)
    if child.returncode in (-9, 137) or "killed by signal 9" in output:
        return "limit", output
    return found[-1] if found else "crash", output


def judge(test, command, cpu):
    """A line of the state file."""
    words = command.split()
    result, _ = run(words, EXACT, cpu)
    row = {"test": test, "llvmpipe": result}
    if result != "pass":
        return row
    with tempfile.TemporaryDirectory() as folder:
        result, output = run([os.path.join(TOP, "igpu"), "gl", "-o",
                              os.path.join(folder, "c.igf"), "--", *words], {}, cpu)
    refused = re.search(r"igpu gl: batch \d+: (?:.*not executed: )?(.*?)(; from here|$)", output, re.M)
    row["result"] = "refused" if refused else result
    if refused:
        row["why"] = refused.group(1)
    elif result not in ("pass", "skip"):
        row["why"] = " / ".join(output.strip().splitlines()[-4:])[:300]
    return row


def report(rows):
    ran = [r for r in rows if "result" in r]
    by = collections.Counter(r["result"] for r in ran)
    whys = collections.Counter(re.sub(r"0x[0-9a-f]+|\d+", "N", r["why"]) for r in ran
                               if r["result"] == "refused")
    for why, count in whys.most_common():
        print(f"{count:5}  refused: {why}")
    for row in ran:
        if row["result"] in ("fail", "crash", "limit", "warn", "skip"):
            print(f"{row['result']:7} {row['test']}")
    print(f"{len(ran)} of {len(rows)} tests pass with llvmpipe; of these here: "
          + ", ".join(f"{n} {r}" for r, n in by.most_common())
          + (f"; {100 * by['pass'] / len(ran):.1f} % pass" if ran else ""))


def main():
    args = arguments()
    rows = {}
    if os.path.exists(args.state):
        with open(args.state, encoding="utf-8") as file:
            rows = {r["test"]: r for r in map(json.loads, file)}
    if not args.report:
        tests = chosen(args.sync)
        again = [t for t in tests if args.again and t[0] in rows and re.search(
            args.again, rows[t[0]].get("result", "") + " " + rows[t[0]].get("why", ""))]
        left = again or [t for t in tests if t[0] not in rows]
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for at in range(0, len(left), args.jobs):
                if not again and sum("result" in r for r in rows.values()) >= args.count:
                    break
                part = left[at:at + args.jobs]
                for row in pool.map(lambda t: judge(*t, args.cpu), part):
                    rows[row["test"]] = row
                    with open(args.state, "a", encoding="utf-8") as file:
                        file.write(json.dumps(row) + "\n")
    report(list(rows.values()))


sys.exit(main())

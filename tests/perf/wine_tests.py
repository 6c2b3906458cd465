#!/usr/bin/env python3
"""Run Wine's own tests of Direct3D 8 to 11 on the simulated GPU and on llvmpipe, and print
what became of them.

  tests/perf/wine_tests.py [--only d3d9:visual,d3d11] [--state wine.jsonl] [--report]

The tests are of Wine's source of the version that is installed: Debian's source package,
fetched by apt-get into the cache (or --source FOLDER, an unpacked one), built there by
mingw-w64 as programs of their own, in which functions can be chosen. They run in
processes of some functions each, with Direct3D's calls in one thread; a group that does
not come to its end is run again function by function. Needs wine64 and mingw-w64
(.ci/deps.sh ensure d3d); results are kept in the state file, a line of JSON each, and
groups in it are not run again."""
import argparse
import bisect
import collections
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "traces", "frames"))
import library  # noqa: E402 (the folder is known only here)
import wine  # noqa: E402

# Wine's folder and source of a program, and what it links.
PROGRAMS = {"d3d8:visual": ["d3d8"], "d3d9:visual": ["d3d9"],
            "d3d10core:d3d10core": ["d3d10", "dxgi"], "d3d11:d3d11": ["d3d11", "dxgi"],
            "d3d8:device": ["d3d8"], "d3d9:device": ["d3d9"]}
DEFAULT = "d3d8:visual,d3d9:visual,d3d10core:d3d10core,d3d11:d3d11"
SUMMARY = re.compile(r": (\d+) tests executed \((\d+) marked as todo, (?:\d+ as flaky, )?"
                     r"(\d+) failures?\), (\d+) skipped")
# What Wine's headers declare beyond mingw-w64's, and the choice of functions by name.
BEFORE = """
#define __WINE_ALLOC_SIZE(...)
#define __WINE_DEALLOC(...)
#define __WINE_MALLOC
#define WINE_NO_DEBUG_MSGS
#define WINE_NO_TRACE_MSGS
#ifndef ENABLE_PROCESSED_OUTPUT
#define ENABLE_PROCESSED_OUTPUT 1
#define ENABLE_VIRTUAL_TERMINAL_PROCESSING 4
#endif
static __inline const char *__wine_dbg_strdup(const char *s) { return s; }
"""
CHOICE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* CHOSEN: names with commas around each, or LIST. */
static int chosen(const char *name)
{
    static char list[1 << 14];
    char key[256];
    if (!list[0] && !GetEnvironmentVariableA("CHOSEN", list, sizeof(list))) return 1;
    if (!strcmp(list, "LIST")) { printf("NAME %s\\n", name); return 0; }
    snprintf(key, sizeof(key), ",%s,", name);
    return strstr(list, key) != NULL;
}
"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--only", default=DEFAULT, help="FOLDER:PROGRAM[:PATTERN of functions],... "
                        "(default: %(default)s)")
    parser.add_argument("--cache", help="default: ~/.cache/igpu/wine-tests", default=os.path.join(
        os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "igpu", "wine-tests"))
    parser.add_argument("--source", help="Wine's source, unpacked (default: Debian's)")
    parser.add_argument("--state", default="wine.jsonl", help="results; %(default)s")
    parser.add_argument("--group", type=int, default=8, help="functions a process; %(default)s")
    parser.add_argument("--limit", type=int, default=200, help="CPU seconds of a process")
    parser.add_argument("--report", action="store_true", help="run nothing, only print")
    return parser.parse_args()


# ---- source and programs ---------------------------------------------------

def fetch(cache):
    """Wine's source as Debian has it, of the version installed: its folder."""
    found = glob.glob(os.path.join(cache, "source", "wine-*", "dlls"))
    if found:
        return os.path.dirname(found[0])
    into = os.path.join(cache, "source")
    os.makedirs(os.path.join(into, "lists", "partial"), exist_ok=True)
    version = output(["dpkg-query", "-W", "-f", "${source:Version}", "libwine"]).strip()
    site, release, part = output([
        "apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)",
        "Created-By: Packages", "Origin: Debian", "Component: main"]).splitlines()[0].split()
    listed = os.path.join(into, "sources.list")
    with open(listed, "w", encoding="utf-8") as file:
        file.write(f"deb-src {site} {release} {part}\n")
    options = ["-o", f"Dir::Etc::sourcelist={listed}", "-o", "Dir::Etc::sourceparts=-",
               "-o", f"Dir::State::lists={into}/lists", "-o", "APT::Sandbox::User=root"]
    output(["apt-get", "-q", *options, "update"])
    output(["apt-get", "-q", *options, "source", "--download-only", f"wine={version}"], into)
    packed = glob.glob(os.path.join(into, "wine_*.orig.tar.*"))[0]
    output(["tar", "-xf", packed, "--wildcards", "*/dlls/d3d*/tests/*", "*/include/wine/*.h"], into)
    return os.path.dirname(glob.glob(os.path.join(into, "wine-*", "dlls"))[0])


def output(command, folder=None):
    return subprocess.run(command, check=True, text=True, cwd=folder,
                          stdout=subprocess.PIPE).stdout


def choosable(text):
    """The source with each function's call in START_TEST behind chosen()."""
    at = text.index("START_TEST(")
    head, body = text[:at], text[at:]
    body = re.sub(r"^(\s+)((?:run_)?queue_\w+\([^;]*?(test_\w+)\);)", r'\1if (chosen("\3")) \2',
                  body, flags=re.M)
    body = re.sub(r"^(\s+)((?!winetest|queue_|run_queued)(\w*test\w*)\([^;]*\);)",
                  r'\1if (chosen("\3")) \2', body, flags=re.M)
    return head + CHOICE + body


def build(host, source, program):
    folder, name = program.split(":")
    text = os.path.join(source, "dlls", folder, "tests", name + ".c")
    with open(text, encoding="utf-8", errors="replace") as file:
        changed = choosable(file.read())
    before = os.path.join(host.folder, "before.h")
    with open(before, "w", encoding="utf-8") as file:
        file.write(BEFORE)
    # Wine's headers beyond mingw-w64's are those below wine/ alone: a folder with a link.
    headers = os.path.join(host.folder, "headers")
    shutil.rmtree(headers, ignore_errors=True)
    os.makedirs(headers)
    os.symlink(os.path.join(source, "include", "wine"), os.path.join(headers, "wine"))
    out = os.path.join(host.folder, f"{folder}_{name}.c")
    with open(out, "w", encoding="utf-8") as file:
        file.write(f'#line 1 "{name}.c"\n' + changed)
    return host.build(out, PROGRAMS[program], (
        "-w", "-DSTANDALONE", "-include", before, f"-I{headers}", "-I" + os.path.dirname(text)))


# ---- runs ------------------------------------------------------------------

def run(host, exe, names, display, device, limit):
    """What a process of these functions said: sums, lines of failures, how it ended."""
    env = dict(os.environ, **host.env(display), CHOSEN="," + ",".join(names) + ",")
    main = os.path.splitext(os.path.basename(exe))[0].split("_", 1)[1]
    command = ["wine", exe, main, "--single"]
    with tempfile.TemporaryDirectory() as folder:
        if device == "llvmpipe":
            env.update(library.EXACT)
        else:
            command = [library.IGPU, "gl", "-o", os.path.join(folder, "c.igf"), "--", *command]
        log = os.path.join(folder, "said")
        with open(log, "w", encoding="utf-8") as out, subprocess.Popen(
                ["prlimit", f"--cpu={limit}", "--core=0", *command], env=env, cwd=folder,
                stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True) as child:
            try:
                child.wait(5 * limit)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
        with open(log, encoding="utf-8", errors="replace") as file:
            said = file.read()
    sums = [tuple(map(int, found)) for found in SUMMARY.findall(said)]
    lines = said.replace("\r", "").split("\n")
    return {"done": bool(sums), "status": child.returncode,
            **{key: sum(row[at] for row in sums)
               for at, key in enumerate(("tests", "todo", "fail", "skip"))},
            "failed": [line for line in lines
                       if "Test failed" in line or "Test succeeded inside todo" in line],
            "refused": [line for line in lines if line.startswith("igpu")][:5],
            "tail": "" if sums else said[-300:]}


def judge(host, program, exe, names, display, limit):
    """Rows of the state file for a group: one, or one a function where it did not end."""
    row = {"program": program, "names": names} | {
        device: run(host, exe, names, display, device, limit) for device in ("llvmpipe", "igpu")}
    if len(names) == 1 or row["llvmpipe"]["done"] and row["igpu"]["done"]:
        return [row]
    return [one for name in names for one in judge(host, program, exe, [name], display, limit)]


# ---- the table -------------------------------------------------------------

def function_of(text):
    """A finder of (function, line) for a line of failure."""
    starts = [(number, found.group(1)) for number, line in enumerate(text.split("\n"), 1)
              for found in [re.match(r"static [\w ]+[ *](\w+)\(", line)] if found]

    def find(line):
        number = int((re.match(r"[\w.]+:(\d+):", line) or re.match("()", line)).group(1) or 0)
        at = bisect.bisect([start for start, _ in starts], number) - 1
        return (starts[at][1] if at >= 0 else "?", number)
    return find


def report(rows, source):
    for program in dict.fromkeys(row["program"] for row in rows):
        mine = [row for row in rows if row["program"] == program]
        folder, name = program.split(":")
        with open(os.path.join(source, "dlls", folder, "tests", name + ".c"), encoding="utf-8",
                  errors="replace") as file:
            find = function_of(file.read())
        print(f"{program}: {sum(len(row['names']) for row in mine)} functions")
        for device in ("llvmpipe", "igpu"):
            print(f"  {device:8} " + ", ".join(
                f"{sum(row[device][key] for row in mine)} {key}"
                for key in ("tests", "fail", "todo", "skip"))
                + f", {sum(not row[device]['done'] for row in mine)} groups without an end")
        more, example = collections.Counter(), {}
        for row in mine:
            if not (row["llvmpipe"]["done"] and row["igpu"]["done"]):
                print(f"  no end: {','.join(row['names'])}: llvmpipe {row['llvmpipe']['status']}, "
                      f"igpu {row['igpu']['status']} {row['igpu']['tail'][-120:]!r}")
            for line in row["igpu"]["refused"]:
                print(f"  igpu said: {','.join(row['names'])}: {line}")
            ours, theirs = (collections.Counter(map(find, row[device]["failed"]))
                            for device in ("igpu", "llvmpipe"))
            for key, count in (ours - theirs).items():
                more[key] += count
                example.setdefault(key, next(l for l in row["igpu"]["failed"] if find(l) == key))
        for (function, _), count in more.most_common():
            print(f"  more here: {function}, {count}: "
                  + example[next(k for k in example if k[0] == function)][:160])


def main():
    args = arguments()
    args.cache = os.path.abspath(args.cache)
    source = args.source or fetch(args.cache)
    rows = []
    if os.path.exists(args.state):
        with open(args.state, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
    if not args.report:
        with open(args.state, "a", encoding="utf-8") as state:
            run_all(args, source, rows, state)
    report(rows, source)


def run_all(args, source, rows, state):
    host = wine.Wine(args.cache)
    with library.Server() as display:
        host.start(display)
        try:
            for wanted in args.only.split(","):
                folder, name, pattern = (wanted.split(":", 2) + ["", ""])[:3]
                program = f"{folder}:{name or folder}"
                if program not in PROGRAMS:
                    sys.exit(f"wine_tests.py: --only {wanted}: expected one of "
                             + ", ".join(PROGRAMS))
                exe = build(host, source, program)
                env = dict(os.environ, **host.env(display), **library.EXACT, CHOSEN="LIST")
                listed = subprocess.run(
                    ["wine", exe, program.split(":")[1], "--single"], env=env, check=False,
                    text=True, errors="replace", stdout=subprocess.PIPE).stdout
                done = {name for row in rows if row["program"] == program for name in row["names"]}
                names = [name for name in dict.fromkeys(re.findall(r"^NAME (\w+)", listed, re.M))
                         if name not in done and re.search(pattern, name)]
                for at in range(0, len(names), args.group):
                    for row in judge(host, program, exe, names[at:at + args.group], display,
                                     args.limit):
                        rows.append(row)
                        state.write(json.dumps(row) + "\n")
                        state.flush()
        finally:
            host.stop()


if __name__ == "__main__":
    sys.exit(main())

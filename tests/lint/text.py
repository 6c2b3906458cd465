#!/usr/bin/env python3
"""text.py [TOP] - rules of plain text, over the files that git tracks (or, outside a
clone, all files): no unfinished markers, no machine paths, no registry hosts, no
file too long, RTL files named after their module, numbered sections of pages that are there.
Prints one line for each fault.
"""
import os
import re
import subprocess
import sys

# The words are put together here, so that this file does not name them itself.
MARKERS = re.compile("|".join(("TO" + "DO", "FIX" + "ME", r"\bXX" + r"X\b",
                               "not " + "implemented", "un" + "implemented")))
PLACES = re.compile(r"(?<![\w.])/(?:work|home|root|Users)/\w|" +
                    r"https?://[a-z0-9.]*(?:debian|pypi|python" + r"hosted|npmjs)\.")
# The same in a file that is no text, where fewer bytes would be met by chance.
IN_BYTES = re.compile(rb"/(?:work|home|root|Users)/\w\w+/")
CODE = (".c", ".h", ".cpp", ".v", ".vh", ".sv", ".py", ".sh", ".cl", ".def", ".proto")
# The top level: a program that writes where it runs must not end up here.
TOP = {".ci", ".clang-format", ".clang-tidy", ".containerignore", ".gitignore", "CHANGELOG.md",
       "LICENSE", "Makefile", "README.md", "Vigpu", "bridge", "csim", "debian", "docs", "fpga",
       "igpu", "rtl", "tests", "traces"}
MAX_LINES = {"rtl": 400, "other": 700}
MAX_BYTES = 2_000_000
SHIM_LINES = 730
# `memory.md, section 8`, `[model.md](model.md), 4.2`: a numbered heading of that page.
SECTION = re.compile(r"([\w-]+\.md)\)?, (?:section )?(\d+(?:\.\d+)*)\b")
# What is done in one place: a pattern in the C of csim, traces and bridge, who may have
# it, and what to use. Besides the place itself: a folder that appears whole, the compile
# server (no library of ours), a folder of the process alone, the list of launches, a
# trace that is noted before it gets its name, a last word of one process to another, and
# a program's own calls that are passed on.
ONE_PLACE = (
    (re.compile(r'\bfopen\([^;"]*"[wa]|\brename\(|\bmkstemp\(|\bO_CREAT\b'),
     ("csim/util/output.c", "traces/convert/macsim_folder.c", "traces/ocloc/",
      "traces/program/compile_folder.c", "bridge/drivers/ocl/sink.c",
      "bridge/programs/bench/bench_trace.c", "bridge/programs/igpu/cmd_gl.c", "bridge/drivers/drm/drm_node.c",
      "traces/frames/steady_pictures.c"),
     "files are written through igpu/output.h"),
    (re.compile(r'\\":'), ("csim/util/json.c",), "JSON is written through igpu/json.h"),
    (re.compile(r'"(igpu|Vigpu)[a-z ]*: %s\\n"'), (),
     "errors are told through igpu/program.h"),
    (re.compile(r"\brealloc\("), ("csim/util/grow.c",), "arrays grow through igpu/grow.h"),
    (re.compile(r"\bclock_gettime\("),
     ("csim/util/clock.c", "bridge/drivers/drm/drm_timing.c", "traces/frames/steady.c"),
     "the host's clocks are read through igpu/clock.h"),
    (re.compile(r"(?i)0x(100000001b3|cbf29ce484222325)"), (), "FNV-1a is igpu/hash.h's"),
)


def tracked():
    try:
        out = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            capture_output=True, check=True).stdout
        names = [n.decode() for n in out.split(b"\0") if n]
    except (OSError, subprocess.CalledProcessError):
        names = [os.path.join(folder, name)[2:] for folder, _, found in os.walk(".")
                 for name in found if not folder.startswith(("./build", "./.git"))]
    return sorted(n for n in names if os.path.isfile(n))


def check_sections(path, lines, pages):
    for number, line in enumerate(lines, 1):
        for page, section in SECTION.findall(line):
            if page in pages and not re.search(rf"^#+ {re.escape(section)}\b", pages[page], re.M):
                print(f"{path}:{number}: {page} has no section {section}")


def check_lines(path, lines):
    is_code = path.endswith(CODE) or path == "Makefile"
    for number, line in enumerate(lines, 1):
        if is_code and MARKERS.search(line):
            print(f"{path}:{number}: unfinished marker: {line.strip()[:60]}")
        if PLACES.search(line):
            print(f"{path}:{number}: a path or host of one machine: {line.strip()[:60]}")
        if is_code and line != line.rstrip():
            print(f"{path}:{number}: blanks at the end of the line")
    limit = MAX_LINES["rtl" if path.endswith((".v", ".vh")) else "other"]
    generated = path == "rtl/include/igpu_params.vh"
    if is_code and not generated and len(lines) > limit:
        print(f"{path}: {len(lines)} lines, over {limit}: split it by clear names")


def check_places(path, lines):
    for number, line in enumerate(lines, 1):
        for pattern, places, instead in ONE_PLACE:
            if pattern.search(line) and not path.startswith(places):
                print(f"{path}:{number}: {instead}")


def check_rtl(path, text):
    module = os.path.splitext(os.path.basename(path))[0]
    found = re.findall(r"^\s*module\s+(\w+)", text, re.M)
    if found != [module]:
        print(f"{path}: holds module {found}, expected exactly {module}")
    if not re.fullmatch(r"igpu(_[a-z0-9]+)*", module):
        print(f"{path}: the name is not igpu_<unit>_<part>")
    if "`default_nettype none" not in text or \
            not text.rstrip().endswith("`default_nettype wire"):
        print(f"{path}: needs `default_nettype none first and `default_nettype wire last")
    if re.search(r"^\s*\$(display|write|monitor|finish|stop)\b", text, re.M):
        print(f"{path}: test code ($display and the like) in synthesizable RTL")


def check_waivers(path, lines):
    for number, line in enumerate(lines, 1):
        if re.search(r"verilator\s+lint_off", line):
            print(f"{path}:{number}: rtl/ has no waivers")


def main():
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else ".")
    shim, paths, pages = 0, tracked(), {}
    for path in paths:
        if path.startswith("docs/") and path.endswith(".md"):
            with open(path, encoding="utf-8") as page:
                pages[os.path.basename(path)] = page.read()
    for path in paths:
        if path.split("/")[0] not in TOP:
            print(f"{path}: the top level is fixed (TOP in tests/lint/text.py)")
        if os.path.getsize(path) > MAX_BYTES and not path.startswith("traces/samples/"):
            print(f"{path}: over {MAX_BYTES} bytes: can a command make it?")
        with open(path, "rb") as data:
            raw = data.read(MAX_BYTES)
        if b"\0" in raw:
            place = IN_BYTES.search(raw)
            if place:
                print(f"{path}: a path of one machine at byte {place.start()}")
            continue
        text = raw.decode("utf-8", "replace")
        lines = text.splitlines()
        check_lines(path, lines)
        check_sections(path, lines, pages)
        if path.startswith(("csim/", "traces/", "bridge/")) and path.endswith((".c", ".cpp")):
            check_places(path, lines)
        if path.startswith(("rtl/", "fpga/")) and path.endswith(".v"):
            check_rtl(path, text)
        if path.startswith(("rtl/", "fpga/")) and path.endswith((".v", ".vh")):
            check_waivers(path, lines)
        if path.startswith("bridge/") and path.endswith(".cpp"):
            shim += len(lines)
    if shim > SHIM_LINES:
        print(f"bridge/*.cpp: {shim} lines of C++, over {SHIM_LINES}")


main()

#!/usr/bin/env python3
"""includes.py [TOP] - the folder arrows: who may include, or instantiate, whom.

C: csim uses itself; traces uses csim's public headers; bridge uses those, traces/*.h
and Verilator's generated headers; fpga uses those and bridge/host.h; nobody uses
tests. In csim, mem, ref and emu never see each other's insides.
RTL: lib <- fpu <- eu, sched <- top, never back.
Prints one line for each arrow that points the wrong way.
"""
import glob
import os
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.M)
SEARCH = ("csim/include", ".")
# Libraries that only these folders may see.
ONLY = {
    r"(gelf|libelf|elf)\.h": ("traces/", "tests/"),
    r"cmocka\.h": ("tests/",),
    r"(verilated.*|svdpi)\.h": ("bridge/", "tests/"),
    r"V\w+\.h": ("bridge/", "tests/"),
    r"(protobuf-c/.*|.*\.pb-c\.h|zstd\.h)": ("traces/", "tests/"),
}
APART = ("csim/mem/", "csim/ref/", "csim/emu/", "csim/isa/", "csim/stats/")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
NAME = re.compile(r"\bigpu(?:_\w+)?\b")
# What each RTL layer may instantiate; an unlisted sub-folder may not exist.
LAYERS = {
    "lib": {"lib"},
    "fpu": {"lib", "fpu"},
    "eu": {"lib", "fpu", "eu"},
    "sched": {"lib", "sched"},
    "": {"lib", "fpu", "eu", "sched", ""},
}


def sources(folders, suffixes):
    for folder in folders:
        for path in sorted(glob.glob(f"{folder}/**/*", recursive=True)):
            if path.endswith(suffixes):
                yield path


def resolve(path, name):
    """The repository's file that `name` means in `path`, or None."""
    for folder in (os.path.dirname(path),) + SEARCH:
        candidate = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(candidate):
            return candidate
    return None


def public(target):
    return target.startswith("csim/include/")


def allowed(path, target):
    """May the file `path` include the repository's file `target`?"""
    top = path.split("/")[0]
    if target.startswith("tests/"):
        return top == "tests"
    if top == "tests" or public(target):
        return True
    if top == "csim":
        if not target.startswith("csim/"):
            return False
        mine = next((a for a in APART if path.startswith(a)), None)
        other = next((a for a in APART if target.startswith(a)), None)
        return other is None or other == mine
    if top == "traces":
        return target.startswith("traces/")
    if top == "bridge":
        return target.startswith("bridge/") or re.fullmatch(r"traces/[^/]+\.h", target)
    if top == "fpga":
        return (target.startswith("fpga/") or target == "bridge/host.h"
                or re.fullmatch(r"traces/[^/]+\.h", target))
    return False


def check_c():
    for path in sources(("csim", "traces", "bridge", "fpga", "tests"),
                        (".c", ".h", ".cpp")):
        with open(path, encoding="utf-8") as text:
            code = text.read()
        for _, name in INCLUDE.findall(code):
            for pattern, folders in ONLY.items():
                if re.fullmatch(pattern, name) and not path.startswith(folders):
                    print(f"{path}: <{name}> belongs to {', '.join(folders)} only")
            target = resolve(path, name)
            if target and not allowed(path, target):
                print(f"{path}: may not include {target}")
        if path.startswith("csim/include/"):
            for _, name in INCLUDE.findall(code):
                target = resolve(path, name)
                if target and not public(target):
                    print(f"{path}: a public header includes the private {target}")


def layer(path):
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else ""


def check_rtl():
    by_module = {os.path.splitext(os.path.basename(p))[0]: p
                 for p in sources(("rtl",), (".v",))}
    for module, path in by_module.items():
        mine = layer(path)
        if mine not in LAYERS:
            print(f"{path}: rtl/{mine} is no folder of the layout")
            continue
        with open(path, encoding="utf-8") as text:
            names = set(NAME.findall(COMMENT.sub(" ", text.read())))
        for used in sorted(names & by_module.keys() - {module}):
            if layer(by_module[used]) not in LAYERS[mine]:
                print(f"{path}: may not use {by_module[used]} (rtl/{mine or '.'} uses "
                      f"{', '.join(sorted(x or '.' for x in LAYERS[mine]))})")


os.chdir(sys.argv[1] if len(sys.argv) > 1 else ".")
check_c()
check_rtl()

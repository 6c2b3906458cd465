#!/usr/bin/env python3
"""includes.py [TOP] - the arrows: who may include, or instantiate, whom.

C: each library has one folder, and may include its own headers, csim's public ones
(csim/include/igpu) and those of the libraries that the table .ci/libraries.txt lets
it use. The table has no circle: a library uses only those above it in the table. A
program's main file may use every library; fpga uses what sim may; nobody uses tests.
RTL: lib <- fpu <- eu, sched <- top, never back; link beside them, over lib
and the EU's widths.
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
    r"(gelf|libelf|elfutils/libdw)\.h": ("traces/", "tests/"),
    r"elf\.h": ("csim/jit/", "traces/", "tests/"),
    r"cmocka\.h": ("tests/",),
    r"(verilated.*|svdpi)\.h": ("bridge/", "fpga/", "tests/"),
    r"V\w+\.h": ("bridge/", "fpga/", "tests/"),
    r"(protobuf-c/.*|igpu_\w+\.pb-c\.h|zstd\.h)": ("traces/", "tests/"),
    r"perfetto\.pb-c\.h": ("bridge/host/sim/",),
}
TABLE = re.compile(r"^library +(\w+) +([\w/]+) *([\w,]*):", re.M)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
NAME = re.compile(r"\bigpu(?:_\w+)?\b")
# What each RTL layer may instantiate; an unlisted sub-folder may not exist.
LAYERS = {
    "lib": {"lib"},
    "fpu": {"lib", "fpu"},
    "isa": {"lib", "fpu", "isa"},
    "eu": {"lib", "fpu", "isa", "eu"},
    "sched": {"lib", "sched"},
    "link": {"lib", "eu", "link"},
    "": {"lib", "fpu", "isa", "eu", "sched", ""},
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


def libraries():
    """{folder: (name, names it may use)} of the table, from the bottom up."""
    with open(".ci/libraries.txt", encoding="utf-8") as text:
        lines = TABLE.findall(text.read())
    table, below = {}, set()
    for name, folder, uses in lines:
        for used in filter(None, uses.split(",")):
            if used not in below:
                print(f".ci/libraries.txt: {name} uses {used}, which is not above it")
        below.add(name)
        table[folder] = (name, set(filter(None, uses.split(","))))
    return table


def allowed(path, target, table):
    """May the file `path` include the repository's file `target`?"""
    if target.startswith("tests/"):
        return path.startswith("tests/")
    if path.startswith("tests/") or public(target):
        return True
    if target.startswith("fpga/"):
        return path.startswith("fpga/")
    theirs = table.get(os.path.dirname(target))
    if theirs is None:  # no library's: that folder's own
        return os.path.dirname(path) == os.path.dirname(target)
    if path.endswith("main.c"):
        return True
    mine = table.get(os.path.dirname(path))
    if mine is None:
        return path.startswith("fpga/") and theirs[0] == "sim"
    return theirs[0] == mine[0] or theirs[0] in mine[1]


def check_c():
    table = libraries()
    for path in sources(("csim", "traces", "bridge", "fpga", "tests"),
                        (".c", ".h", ".cpp")):
        with open(path, encoding="utf-8") as text:
            code = text.read()
        for _, name in INCLUDE.findall(code):
            for pattern, folders in ONLY.items():
                if re.fullmatch(pattern, name) and not path.startswith(folders):
                    print(f"{path}: <{name}> belongs to {', '.join(folders)} only")
            target = resolve(path, name)
            if target and not allowed(path, target, table):
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


if __name__ == "__main__":
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else ".")
    check_c()
    check_rtl()

#!/usr/bin/env python3
"""rtl_deps.py LINT_DIR FILE... - make rules that lint each RTL module as its own top.

A module's files are its own and those of every module named in it, found through
the rule "file = module", so a change is linted again only where it can matter.
Corner parameters come from tests/lint/corners.txt. Verilator and Icarus only: Yosys
takes all modules at once (rtl_yosys.py). Verilator says of a module that another one has
what it says of a top, so it takes those alone that none has, and all corners.
"""
import os
import re
import sys

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
INCLUDES = ("rtl/include", "rtl/eu", "rtl/lib")  # as -I in rtl_*.sh
NAME = re.compile(r"\bigpu(?:_\w+)?\b")
INCLUDE = re.compile(r'^\s*`include\s+"([^"]+)"', re.M)


def read_corners(path):
    """module -> list of parameter settings, the default one (empty) first."""
    corners = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split("#")[0].split()
            if words:
                corners.setdefault(words[0], [[]]).append(words[1:])
    return corners


def included(name):
    """The path of an included file."""
    paths = [f"{folder}/{name}" for folder in INCLUDES]
    return next((path for path in paths if os.path.exists(path)), paths[0])


def main():
    lint, files = sys.argv[1], sys.argv[2:]
    here = os.path.dirname(__file__)
    corners = read_corners(os.path.join(here, "corners.txt"))
    waivers = [f for f in ("bridge/engines/rtl/igpu_eu_flat.vlt",) if os.path.exists(f)]
    by_module = {os.path.splitext(os.path.basename(f))[0]: f for f in files}
    uses, includes = {}, {}
    for module, path in by_module.items():
        with open(path, encoding="utf-8") as source:
            text = COMMENT.sub(" ", source.read())
        uses[module] = {n for n in NAME.findall(text) if n in by_module and n != module}
        includes[module] = [included(name) for name in INCLUDE.findall(text)]

    def closure(module):
        seen, todo = set(), [module]
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo += uses[name]
        return seen

    for module in corners:
        if module not in by_module:
            sys.exit(f"tests/lint/corners.txt: no module {module} in rtl/")
    for module, path in by_module.items():
        below = sorted(closure(module))
        # The top first: messages about it come first.
        sources = [path] + [by_module[m] for m in below if m != module]
        extra = {i for m in below for i in includes[m]}
        has_users = any(module in used for used in uses.values())
        for tool in ("verilator", "iverilog"):
            stamp = f"{lint}/{tool}/{module}.ok"
            script = f"tests/lint/rtl_{tool}.sh"
            needs = sources + sorted(extra) + [script] + (
                waivers if tool == "verilator" else [])
            print(f"{stamp}: {' '.join(needs)}")
            print("\t@mkdir -p $(@D)")
            settings = corners.get(module, [[]])
            for params in settings[tool == "verilator" and has_users:]:
                args = " ".join([module] + params + ["--"] + sources)
                print(f"\t@$(SILENT) {script} {args}")
            print("\t@touch $@")
        # A file that was deleted or renamed is no error: this list is remade.
    headers = {i for found in includes.values() for i in found}
    for path in sorted(headers | set(files)):
        print(f"{path}:")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""rtl_slang.py FILE... - the RTL as slang reads the standard of 2005, strictly.

Every module is a top at its defaults, all in one elaboration; then each corner of
tests/lint/corners.txt by itself. What other tools let pass, such as a net that is used
above its declaration, is an error here. Needs pyslang (tests/lint/requirements.txt).
"""
import os
import sys

from pyslang import driver

from rtl_deps import read_corners

CORNERS = os.path.join(os.path.dirname(__file__), "corners.txt")
# The names `unused` and `u_min` stand once in a block and once around it, and what a
# parameter makes narrow may be shifted out of it, both on purpose.
INCLUDES = " ".join(f"-I{d}" for d in ("rtl/include", "rtl/lib", "rtl/eu") if os.path.isdir(d))
OPTIONS = (f"--std 1364-2005 {INCLUDES} --color-diagnostics=false -Wextra "
           "-Wno-shadow-value -Wno-shadow-hierarchy -Wno-shift-count-overflow")


def silent(arguments):
    """Whether slang has nothing to say; it prints what it has."""
    slang = driver.Driver()
    slang.addStandardArgs()
    return (slang.parseCommandLine(f"slang {OPTIONS} {arguments}") and
            slang.processOptions() and slang.parseAllSources() and
            slang.runFullCompilation(True))


def main():
    files = sys.argv[1:]
    modules = [os.path.splitext(os.path.basename(path))[0] for path in files]
    runs = [" ".join(f"--top {module}" for module in modules)]
    for module, settings in read_corners(CORNERS).items():
        if module in modules:
            runs += [f"--top {module} " + " ".join(f"-G {word}" for word in setting)
                     for setting in settings[1:]]
    # All of them: an error is told once, in the first run that has it.
    for run in runs:
        if not silent(f"{run} {' '.join(files)}"):
            return 1
    return 0


sys.exit(main())

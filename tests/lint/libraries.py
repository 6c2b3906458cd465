#!/usr/bin/env python3
"""libraries.py LIBDIR - who may link whom, by the symbols of the built archives.

Reads the table .ci/libraries.txt (includes.py) and LIBDIR/libigpu-NAME.a, and prints
one line for each library that needs a symbol of one that the table does not let it use.
"""
import collections
import os
import subprocess
import sys

from includes import libraries


# Loaded in front of the C library, whose names it has, and linked with by nobody.
PRELOADED = "drm"


def symbols(paths):
    """{path: (defined, undefined)}, the global symbols of each object or archive. By one nm:
    each reads LLVM, for its plug-in, which takes longer than all objects of a folder."""
    text = subprocess.run(["nm", "-gA", *paths], capture_output=True, text=True,
                          check=True).stdout if paths else ""
    found = {path: (set(), set()) for path in paths}
    for where, _, symbol in (line.rpartition(":") for line in text.splitlines() if line):
        # Of an archive, its member stands between.
        defined, undefined = found[where if where in found else where.rpartition(":")[0]]
        words = symbol.split()
        if len(words) == 3 and words[1] in "TDBRVWC":
            defined.add(words[2])
        elif len(words) == 2 and words[0] == "U":
            undefined.add(words[1])
    return found


def main(folder):
    table = {name: uses for name, uses in libraries().values()}
    defined, undefined, owner = {}, {}, {}
    archives = {name: os.path.join(folder, f"libigpu-{name}.a") for name in table}
    archives = {name: path for name, path in archives.items() if os.path.exists(path)}
    found = symbols(archives.values())
    for name, path in archives.items():
        defined[name], undefined[name] = found[path]
        if name != PRELOADED:
            owner.update((symbol, name) for symbol in defined[name])
    if len(owner) < 100:
        print(f"{folder}: no archives to read; build first")
    for name, needs in undefined.items():
        used = collections.defaultdict(list)
        for symbol in sorted(needs - defined[name]):
            if symbol in owner:
                used[owner[symbol]].append(symbol)
        for other, by in used.items():
            if other not in table[name]:
                print(f"libigpu-{name}.a needs libigpu-{other}.a, which .ci/libraries.txt "
                      f"does not let it use: {', '.join(by[:4])}")


if __name__ == "__main__":
    main(sys.argv[1])

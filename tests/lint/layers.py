#!/usr/bin/env python3
"""layers.py OBJDIR - the layers inside a library, by the symbols of its objects.

A folder of more than 15 sources has layers, and others may. One with a file `layers.txt` is cut into layers, from the bottom up. A line

    NAME  FILE FILE ...: what the layer does

names a layer and its sources without their endings; `cmd_*` is all that no line names. What `exports.map` lists are calls of
others: a source that calls `open()` does not use the one that stands in for it. A source uses only sources of lower
layers and of its own, and no two of its own layer use each other in a circle. Prints one
line for each arrow that points up, each circle, and each source without a layer.
"""
import collections
import fnmatch
import glob
import os
import re
import sys

from libraries import symbols

TOPS = ("csim", "traces", "bridge")


def read(path, sources):
    """{source: (number of its layer, the layer's name)}; patterns stand for `sources`."""
    layer, patterns = {}, []
    with open(path, encoding="utf-8") as text:
        lines = [line for line in text if line.strip() and not line.startswith("#")]
    for number, line in enumerate(lines):
        name, *files = line.split(":")[0].split()
        layer.update((file, (number, name)) for file in files if "*" not in file)
        patterns += [(file, (number, name)) for file in files if "*" in file]
    for pattern, place in patterns:
        found = fnmatch.filter(sources - layer.keys(), pattern)
        layer.update((file, place) for file in found or [pattern])
    return layer


def circle(uses):
    """Sources that are on a circle: what is left when no leaf can be taken away."""
    left = dict(uses)
    while leaves := [f for f, used in left.items() if not used & left.keys()]:
        for leaf in leaves:
            del left[leaf]
    return left


def exported(folder):
    """Symbols in the folder's exports.map."""
    if not os.path.exists(f"{folder}/exports.map"):
        return set()
    with open(f"{folder}/exports.map", encoding="utf-8") as text:
        return set(re.findall(r"\w+(?=;)", text.read()))


def check(folder, objects):
    files = {os.path.splitext(os.path.basename(path))[0]
             for path in glob.glob(f"{folder}/*.c") + glob.glob(f"{folder}/*.cpp")}
    layer = read(f"{folder}/layers.txt", files)
    for file in sorted(files - layer.keys()):
        print(f"{folder}/{file}: in no layer of {folder}/layers.txt")
    for file in sorted(layer.keys() - files):
        print(f"{folder}/layers.txt: {file}: no such source")
    files &= layer.keys()
    paths = {file: f"{objects}/{folder}/{file}.o" for file in files}
    found = symbols(paths.values())
    both = {file: found[path] for file, path in paths.items()}
    others = exported(folder)
    owner = {symbol: file for file in files for symbol in both[file][0] - others}
    uses = {file: {owner[s] for s in both[file][1] if s in owner} - {file} for file in files}
    for file in sorted(files):
        for used in sorted(uses[file]):
            if layer[used][0] > layer[file][0]:
                print(f"{folder}/{file} ({layer[file][1]}) uses {used} ({layer[used][1]}), "
                      "a layer above")
    for number in {layer[file][0] for file in files}:
        mine = {f: {u for u in uses[f] if layer[u][0] == number}
                for f in files if layer[f][0] == number}
        rest = circle(mine)
        if rest:
            print(f"{folder}: a circle among {', '.join(sorted(rest))}")


def large(most=15):
    """Folders of the libraries with more sources than that."""
    count = collections.Counter(os.path.dirname(path) for top in TOPS
                                for path in glob.glob(f"{top}/**/*.c*", recursive=True)
                                if path.endswith((".c", ".cpp")))
    return [folder for folder, sources in count.items() if sources > most]


if __name__ == "__main__":
    for path in sorted(path for top in TOPS
                       for path in glob.glob(f"{top}/**/layers.txt", recursive=True)):
        check(os.path.dirname(path), sys.argv[1])
    for folder in sorted(large()):
        if not os.path.exists(f"{folder}/layers.txt"):
            print(f"{folder}: more than 15 sources, and no layers.txt")

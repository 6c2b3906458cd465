#!/usr/bin/env python3
"""headers.py OBJECTS HEADER... - the headers of which no object shows that they compile alone.

A source whose first line of code includes a header has compiled it with nothing before it, and
with more warnings than the gate's. Its object in OBJECTS says so while it is newer than all that
it was made of, by its .d. Prints the other headers, for the gate to compile.
"""
import glob
import os
import re
import sys

# Comments and empty lines, then an include.
FIRST = re.compile(r'(?:\s+|/\*.*?\*/)*#include "([^"]+)"', re.S)


def is_current(made, files):
    """Whether `made` is newer than all files."""
    try:
        return os.stat(made).st_mtime_ns >= max(os.stat(path).st_mtime_ns for path in files)
    except OSError:
        return False


def shown(depfile):
    """The header that an object's source begins with, or None."""
    with open(depfile, encoding="utf-8") as text:
        rule = text.read().split("\n\n")[0]
    read = re.match(r"[^:]*:((?:\\\n|[^\n])*)", rule).group(1).replace("\\\n", " ").split()
    if len(read) < 2 or not read[0].endswith(".c") or not is_current(f"{depfile[:-1]}o", read):
        return None
    with open(read[0], encoding="utf-8") as text:
        first = FIRST.match(text.read())
    header = os.path.normpath(read[1])
    return header if first and header.endswith(first.group(1)) else None


def main():
    objects, *headers = sys.argv[1:]
    known = {shown(path) for path in glob.glob(f"{glob.escape(objects)}/**/*.d", recursive=True)}
    for header in headers:
        if header not in known:
            print(header)


main()

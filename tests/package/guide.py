#!/usr/bin/env python3
"""guide.py FOLDER PAGE... - the commands of docs/guide run, and print what the pages say.

Of a page, every block marked `sh` runs, and so does every block that begins with `$ `, a
transcript: its commands, each with the lines that it prints. Blocks of a page run in one
folder, one after the other, where the programs, traces/ and the rest of the checkout are as
in the checkout; `make` does nothing there, since all is built. In what a command prints,
`...` by itself stands for any lines, and within a line for any text.

Any other block, fenced or indented, that has a line with one of the project's commands fails
unless a comment in front of it says why it does not run: no command of a page goes unseen.
A comment in front of a block, `<!-- not run: WHY -->` or `<!-- long: WHY -->`, keeps it
from running, the second unless IGPU_LONG is set; `<!-- file: NAME -->` makes a file of it.
Each block that runs is a result in TAP.

Commits take turns, by their first digit (IGPU_COMMIT): README.md runs in each, of the other pages a
third, with IGPU_LONG all. That no command goes unseen is looked at in every page.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
NEEDED = ("Vigpu", "igpu", "build", "traces", "bridge", "csim", "docs", "tests")
# The Python that has the modules which the pages use (.ci/deps.sh python).
PYTHON = os.environ.get("IGPU_PYTHON", sys.executable)
STUBS = {"make": "exit 0", "less": "exec cat", "python3": f'exec {PYTHON} "$@"'}
MARK = re.compile(r"<!-- (not run|long|file): (.+) -->")
# A line that a reader would type: a program of the project, or its build.
TYPED = re.compile(r" {0,4}(?:sudo )?(?:[A-Z_]+=\S+ )*"
                   r"(?:(?:\./|build/bin/)?(?:igpu|Vigpu|vigpu)|make|tests/run|python3|pip|cc) \S")
SECONDS = 200


def blocks(text):
    """(line number, lines, the comment in front, what the fence says) of each block of code;
    of an indented one the fence is None."""
    lines = text.splitlines() + [""]
    found, mark, at = [], None, 0
    while at < len(lines):
        start, line = at, lines[at]
        at += 1
        if line.startswith("```"):
            while at < len(lines) and not lines[at].startswith("```"):
                at += 1
            found.append((start + 1, lines[start + 1:at], mark, line[3:].strip()))
            at, mark = at + 1, None
        elif line.startswith("    ") and start and (mark or not lines[start - 1].strip()):
            while lines[at].startswith("    "):
                at += 1
            found.append((start + 1, [each[4:] for each in lines[start:at]], mark, None))
            mark = None
        elif MARK.match(line):
            mark = MARK.match(line).groups()
        elif line.strip():
            mark = None
    return found


def runs(body, mark, fence):
    return fence == "sh" or fence is not None and bool(body) and body[0].startswith("$ ") or \
        bool(mark) and mark[0] == "file"


def is_open(command):
    """Whether the next line belongs to it: behind a backslash, or in a here-document."""
    here = re.search(r"<<'(\w+)'", command[0])
    return command[-1].endswith("\\") or here and here[1] not in command[1:]


def commands(body):
    """(command, lines that it prints, or None where they are not told)."""
    if not body[0].startswith("$ "):
        return [("\n".join(body), None)]
    found = []
    for line in body:
        if line.startswith("$ "):
            found.append(([line[2:]], []))
        elif is_open(found[-1][0]) and not found[-1][1]:
            found[-1][0].append(line)
        else:
            found[-1][1].append(line)
    return [("\n".join(command), told) for command, told in found]


def pattern(told):
    """A regular expression for what a command prints."""
    parts = []
    for line in told:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*?".join(re.escape(part.rstrip()) for part in line.split("..."))
                         + r" *\n")
    return "".join(parts)


def run(command, folder, env):
    """What is wrong with it, or nothing, and what it printed."""
    try:
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", command], cwd=folder,
                              env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"longer than {SECONDS} s", ""
    # A head that has seen enough ends what is in front of it by SIGPIPE; 4: as asked.
    if done.returncode not in (0, 141, 4 if "--max-cycles" in command else 0):
        return f"exit {done.returncode}", done.stdout
    return "", done.stdout


def check(body, folder, env):
    for command, told in commands(body):
        wrong, printed = run(command, folder, env)
        if not wrong and told and not re.fullmatch(pattern(told), printed):
            wrong = "prints something else"
        if wrong:
            print(f"# {command}\n# {wrong}:")
            for line in printed.splitlines()[-20:]:
                print(f"#   {line}")
            return False
    return True


def page(path, folder, executed=True):
    name = path.stem
    place = folder / name
    shutil.rmtree(place, ignore_errors=True)
    (place / "stubs").mkdir(parents=True)
    for needed in NEEDED:
        (place / needed).symlink_to(TOP / needed)
    for stub, does in STUBS.items():
        (place / "stubs" / stub).write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        (place / "stubs" / stub).chmod(0o755)
    env = dict(os.environ, PATH=f"{place / 'stubs'}:{os.environ['PATH']}", TMPDIR=str(place),
               XDG_CACHE_HOME=str(folder / "cache"))
    good = True
    for number, body, mark, fence in blocks(path.read_text(encoding="utf-8")):
        what = f"{path.relative_to(TOP)}:{number}: {body[0][:60] if body else ''}"
        if not runs(body, mark, fence):
            typed = None if mark else next((line for line in body if TYPED.match(line)), None)
            if typed:
                print(f"not ok {what}\n# {typed.strip()}\n# neither runs nor is marked: "
                      "begin it with `$ `, or put `<!-- not run: WHY -->` in front")
                good = False
            continue
        if not executed:
            continue
        if mark and mark[0] == "file":
            (place / mark[1]).write_text("\n".join(body) + "\n", encoding="utf-8")
            continue
        if mark and (mark[0] == "not run" or not os.environ.get("IGPU_LONG")):
            print(f"# {what}: left, {mark[1]}")
            continue
        done = check(body, place, env)
        print(f"{'ok' if done else 'not ok'} {what}", flush=True)
        good = good and done
    return good


if __name__ == "__main__":
    third = int(os.environ.get("IGPU_COMMIT", "")[:1] or "0", 16) % 3
    every = "IGPU_LONG" in os.environ or "IGPU_COMMIT" not in os.environ
    results = [page(pathlib.Path(name).resolve(), pathlib.Path(sys.argv[1]).resolve(),
                    every or name == "README.md" or (i + 2) % 3 == third)
               for i, name in enumerate(sys.argv[2:])]
    sys.exit(not all(results))

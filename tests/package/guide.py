#!/usr/bin/env python3
"""guide.py FOLDER PAGE... - the commands of docs/guide run, and print what the pages say.

Of a page, every block marked `sh` runs, and so does every block that begins with `$ `, a
transcript: its commands, each with the lines that it prints. Blocks of a page run in one
folder, one after the other, where the programs, traces/ and the rest of the checkout are as
in the checkout; `make` does nothing there, since all is built. In what a command prints,
`...` by itself stands for any lines, and within a line for any text.

A comment in front of a block, `<!-- not run: WHY -->` or `<!-- long: WHY -->`, keeps it
from running, the second unless IGPU_LONG is set; `<!-- file: NAME -->` makes a file of it.
Each block that runs is a result in TAP.
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
SECONDS = 200


def blocks(text):
    """(line number, lines, the comment in front) of each fenced block with commands or that
    is a file."""
    lines = text.splitlines()
    found, start, mark = [], None, None
    for number, line in enumerate(lines, 1):
        if not line.startswith("```"):
            if MARK.match(line):
                mark = MARK.match(line).groups()
            elif line.strip() and start is None:
                mark = None
            continue
        if start is None:
            start, kind = number, line[3:].strip()
            continue
        body = lines[start:number - 1]
        if kind == "sh" or body and body[0].startswith("$ ") or mark and mark[0] == "file":
            found.append((start, body, mark))
        start, mark = None, None
    return found


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


def page(path, folder):
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
    for number, body, mark in blocks(path.read_text(encoding="utf-8")):
        what = f"{path.relative_to(TOP)}:{number}: {body[0][:60]}"
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
    results = [page(pathlib.Path(name).resolve(), pathlib.Path(sys.argv[1]).resolve())
               for name in sys.argv[2:]]
    sys.exit(not all(results))

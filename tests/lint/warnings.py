#!/usr/bin/env python3
"""warnings.py STAMPS KEPT COMMAND... -- SOURCE... - compile what changed, without a word.

Each SOURCE is given to COMMAND; the first word of a failure, or of a warning, fails the
gate, and the command that repeats it stands below. STAMPS/SOURCE.ok, newer than the source
and all headers that STAMPS/SOURCE.d names, says that it was silent. So does KEPT/SOURCE.o
with its .d: an object that the tests have made with the same compiler, the same warnings
and -Werror (tests/fuzzing/build). OUT in COMMAND stands for STAMPS/SOURCE without .c.

In `make test`, which says what commit it tests, these are the sources that this commit changed
or whose headers it changed (BUILD/obj/SOURCE.d), and a quarter of all others, by its first digit;
where the commit before it is not there (a shallow clone), all.

One process looks at all sources: a recipe for each would take longer than most of them to
compile.
"""
import concurrent.futures
import functools
import os
import shlex
import subprocess
import sys
import zlib


@functools.lru_cache(maxsize=None)
def written(path):
    """When a file was written; never, where it is not there."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None


def reads(depfile):
    """The files that a compiler has read, by its -MMD."""
    with open(depfile, encoding="utf-8") as text:
        rule = text.read().split("\n\n")[0]
    return rule.split(":", 1)[1].replace("\\\n", " ").split()


def silent_before(result, depfile):
    """Whether `result` was made, and of what its sources are now."""
    made = written(result)
    if made is None or written(depfile) is None:
        return False
    times = [written(path) for path in reads(depfile)]
    return None not in times and max(times) <= made


def check(source, stamps, kept, command):
    """Compile one source if nothing says that it was silent; what it has to say."""
    stem = source.removesuffix(".c")
    out = f"{stamps}/{stem}"
    if silent_before(f"{out}.ok", f"{out}.d") or \
            silent_before(f"{kept}/{stem}.o", f"{kept}/{stem}.d"):
        return ""
    os.makedirs(os.path.dirname(out), exist_ok=True)
    words = [word.replace("OUT", out) for word in command] + ["-MMD", "-MP", "-MF", f"{out}.d",
                                                             "-MT", f"{out}.ok", source]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode or done.stdout:
        return f"{done.stdout}reproduce: {shlex.join(words)}\n"
    with open(f"{out}.ok", "w", encoding="utf-8"):
        return ""


def changed():
    """The files that differ from what they were before this commit; None, where it is not there."""
    done = subprocess.run(["git", "diff", "--name-only", "HEAD~1"], capture_output=True,
                          text=True, check=False)
    return set(done.stdout.split()) if done.returncode == 0 else None


def due(sources, objects):
    """The sources whose turn it is, and those that read what changed."""
    commit = os.environ.get("IGPU_COMMIT", "")
    now = changed()
    if not commit or "IGPU_LONG" in os.environ or now is None:
        return sources
    turn = int(commit[0], 16) % 4

    def is_due(source):
        depfile = f"{objects}/{source.removesuffix('.c')}.d"
        return (zlib.crc32(source.encode()) % 4 == turn or source in now or
                written(depfile) is None or not now.isdisjoint(reads(depfile)))

    return [source for source in sources if is_due(source)]


def main():
    stamps, kept, *words = sys.argv[1:]
    end = words.index("--")
    command, sources = words[:end], words[end + 1:]
    sources = due(sources, f"{os.path.dirname(os.path.dirname(stamps))}/obj")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(pool.map(lambda source: check(source, stamps, kept, command), sources))
    print("".join(said), end="")
    return any(said)


sys.exit(main())

"""The traces of a sweep: files that are there, or recorded once beside the database."""
from __future__ import annotations

import collections
import dataclasses
import glob
import hashlib
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

from vigpu import igpu
from vigpu.checks import short
from vigpu.errors import InputError, VigpuError
from vigpu.sweep.spec import Source, Spec


WARM = ", warm"  # behind a trace's launches: with the caches that those before leave


@dataclass(frozen=True)
class Trace:
    """A trace's file. digest: of its bytes. launches: a part of it, "A..B" or "A..B, warm",
    or "" for all. command: what recorded it, or ""."""

    digest: str
    name: str
    path: str
    bytes: int
    launches: str
    command: str


def traces(spec: Spec, place: pathlib.Path, record: bool = True) -> list[Trace]:
    """The traces of the sweep in its order, without repetitions. What is to be recorded goes
    into the folder `place`, and is taken from there when it is there; with record False
    nothing is, and such a trace has an unknown digest and size 0."""
    made: dict[tuple[str, str], Trace] = {}
    for i, source in enumerate(spec.sources):
        where = f"{spec.path}: traces: entry {i + 1}"
        for trace in _of(spec, source, place, where, record):
            made.setdefault((trace.digest, trace.launches), trace)
    whole = _distinct(list(made.values()))
    return [piece for trace in whole for piece in _pieces(trace)] if spec.pieces else whole


def _pieces(trace: Trace) -> list[Trace]:
    """As `igpu ref -j` cuts it. What is not recorded yet, and a part of a trace, stays."""
    if trace.launches or not trace.bytes:
        return [trace]
    text = igpu.run(["trace", "pieces", trace.path])
    return [dataclasses.replace(trace, launches=part + WARM) for part in text.split()]


def _distinct(made: list[Trace]) -> list[Trace]:
    """Names that several would have get their digests behind them."""
    count = collections.Counter(trace.name for trace in made)
    return [trace if count[trace.name] == 1 else dataclasses.replace(
        trace, name=f"{trace.name}@{trace.digest[:6]}{trace.launches and ':'}{trace.launches}")
        for trace in made]


def _of(spec: Spec, source: Source, place: pathlib.Path, where: str,
        record: bool) -> Iterator[Trace]:
    if source.kind == "file":
        paths = _matches(spec.folder, source.words[0], where)
        command = ""
    else:
        paths, command = _recorded(spec, source, place.resolve(), where, record)
    if not paths:
        name = source.name or _default_name(source, "")
        yield Trace(f"unknown {_name(spec, source)}", name, "TRACE.pb", 0,
                    source.launches or "", command)
    for path in paths:
        name = source.name or _default_name(source, path)
        if source.name and len(paths) > 1:
            name = f"{source.name}/{pathlib.Path(path).stem}"
        yield Trace(_digest(path), name, path, os.path.getsize(path), source.launches or "",
                    command)


def _default_name(source: Source, path: str) -> str:
    if source.kind == "run":
        return pathlib.Path(source.words[0]).name
    if source.kind == "record" and "-k" in source.words[:-1]:
        return source.words[source.words.index("-k") + 1]
    return pathlib.Path(path).stem


def _matches(folder: pathlib.Path, pattern: str, where: str) -> list[str]:
    full = os.path.join(folder, os.path.expanduser(pattern))
    if os.path.isfile(full):
        found = [full]
    else:
        found = sorted(path for path in glob.glob(full, recursive=True)
                       if os.path.isfile(path))
    if not found:
        raise InputError(f"{where}: {pattern}: no such file in {folder}")
    for path in found:
        if "\t" in path or "\n" in path:
            raise InputError(f"{where}: {short(path)}: a tab or a new line in a name")
    return found


def _digest(path: str) -> str:
    digest = hashlib.blake2b(digest_size=16)
    with open(path, "rb") as file:
        while data := file.read(1 << 20):
            digest.update(data)
    return digest.hexdigest()


# ---- recording ---------------------------------------------------------------------------

def _command(source: Source, out: str) -> list[str]:
    if source.kind == "record":
        return ["record", "--quiet", "-o", os.path.join(out, "trace.pb"), *source.words]
    return ["run", "--quiet", "--one", "-o", out, *source.options, "--", *source.words]


def _recorded(spec: Spec, source: Source, place: pathlib.Path, where: str,
              record: bool) -> tuple[list[str], str]:
    """The traces' paths, and the command."""
    if not source.words:
        raise InputError(f"{where}: {source.kind}: no command")
    told = shlex.join(["igpu", *_command(source, "DIR")])
    folder = place / _name(spec, source)
    if not folder.is_dir():
        if not record:
            return [], told
        _record(spec, source, folder, where)
    found = sorted(str(path) for path in folder.glob("*.pb"))
    if not found:
        raise InputError(f"{where}: {told}: recorded no launch")
    return found, told


def _name(spec: Spec, source: Source) -> str:
    """Of what is recorded: its command, and the files that this names."""
    digest = hashlib.blake2b(digest_size=10)
    for word in (source.kind, *source.options, "--", *source.words):
        digest.update(word.encode() + b"\0")
        path = spec.folder / word
        if path.is_file():
            digest.update(_digest(str(path)).encode())
    return digest.hexdigest()


def _record(spec: Spec, source: Source, folder: pathlib.Path, where: str) -> None:
    """Record into `folder`, which appears whole or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = tempfile.mkdtemp(prefix="part.", dir=folder.parent)
    words = _command(source, part)
    if sys.stderr.isatty():
        print(f"recording: {shlex.join(source.words)}", file=sys.stderr)
    try:
        done = subprocess.run([igpu.find(), *words], cwd=spec.folder, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if done.returncode != 0:
            lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
            raise VigpuError(f"{where}: {shlex.join(['igpu', *words])}: exit status "
                             f"{done.returncode}: {lines[-1] if lines else 'no output'}")
        os.replace(part, folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise

"""Sweeps through Slurm: job arrays whose tasks write a file each, which one process merges.

A run is a folder DB.slurm/TIME-X: `chunk-I.jobs` says what task I simulates, and each start of
it appends what it finds to `chunk-I.R.results`, R the number of the start. Nobody else
writes to these, and nothing is locked. A run's jobs bear the folder's name, so that it is
known of a folder alone whether they are still in the queue."""
from __future__ import annotations

import collections
import dataclasses
import hashlib
import itertools
import json
import math
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from vigpu import igpu
from vigpu.errors import InputError, UsageError, VigpuError
from vigpu.sweep.database import Database
from vigpu.sweep.plan import Point
from vigpu.sweep.pool import Job, Pool, Result

FORMAT = 1
MAX_TASKS = 1000  # of an array; Slurm's own default for MaxArraySize is 1001
# States of a task that is over, as squeue tells them for a while.
OVER = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "OUT_OF_MEMORY", "NODE_FAIL",
        "BOOT_FAIL", "DEADLINE", "PREEMPTED")
_PATIENCE = 300  # seconds without an answer of Slurm


@dataclass(frozen=True)
class Request:
    """What is asked of Slurm. chunk: points of a task, at least. throttle: tasks at a time,
    0: no limit. processes: simulations at a time in a task, each on a processor of its own.
    memory, minutes: of a task; None: the partition's. options: more words for sbatch."""

    chunk: int = 50
    throttle: int = 0
    processes: int = 1
    memory: str | None = None
    minutes: str | None = None
    options: tuple[str, ...] = ()
    poll: float = 5.0

    def words(self, folder: pathlib.Path, tasks: int) -> list[str]:
        """sbatch and its options."""
        array = f"0-{tasks - 1}" + (f"%{self.throttle}" if self.throttle else "")
        made = ["sbatch", "--parsable", "--requeue", f"--array={array}",
                f"--job-name={job_name(folder)}", f"--cpus-per-task={self.processes}",
                f"--output={folder}/task-%a.log", "--open-mode=append"]
        if self.memory:
            made.append(f"--mem={self.memory}")
        if self.minutes:
            made.append(f"--time={self.minutes}")
        return [*made, *self.options, str(folder / "task.sh")]


def job_name(folder: pathlib.Path) -> str:
    """Of a run's jobs: the folder and what it is in, as one word."""
    place = hashlib.blake2b(os.fsencode(folder.resolve()), digest_size=6).hexdigest()
    return f"vigpu-{place}-{folder.name}"


def runs(place: pathlib.Path) -> list[pathlib.Path]:
    """The folders of runs that are not merged whole yet."""
    return sorted(path for path in place.glob("[0-9]*") if path.is_dir())


# ---- in the driver -----------------------------------------------------------------------

def _slurm(words: Sequence[str]) -> str:
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except OSError as error:
        raise UsageError(f"--slurm: {words[0]}: cannot run: {error.strerror}; Slurm's commands "
                         "are needed (Debian: slurm-client)") from error
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise VigpuError(f"--slurm: {words[0]}: {lines[-1]}")
    return done.stdout


def tasks(folder: pathlib.Path) -> dict[int, str]:
    """The state of each task of the run that Slurm knows of."""
    out = _slurm(["squeue", "--noheader", "--all", "--array", "--states=all",
                  f"--name={job_name(folder)}", "--format=%K %T"])
    return {int(index): state for index, state in map(str.split, out.splitlines())
            if index.isdecimal()}


def in_queue(folder: pathlib.Path) -> bool:
    """May any task of the run still write?"""
    return any(state not in OVER for state in tasks(folder).values())


@dataclass
class Gatherer:
    """Merges results into the database as they come; knows how far it has read."""

    database: Database
    place: pathlib.Path
    _read: dict[pathlib.Path, int] = field(default_factory=dict)

    def gather(self) -> list[Result]:
        """What is new: results of points that were not done. They are in the database."""
        found: dict[str, Result] = {}
        for folder in runs(self.place):
            for path in sorted(folder.glob("chunk-*.results")):
                results, self._read[path] = _results(path, self._read.get(path, 0))
                for result in results:
                    if result.key not in found or result.state == "done":
                        found[result.key] = result
        with self.database.told():
            wanted = {row[0] for row in self.database.db.execute(
                "SELECT point FROM points WHERE state != 'done'")} if found else set()
        new = [result for result in found.values() if result.key in wanted]
        if new:
            self.database.add(new)
        return new


def _results(path: pathlib.Path, offset: int) -> tuple[list[Result], int]:
    """The whole lines from offset on, and where they end. A line that was cut short by the
    end of its task is none."""
    with open(path, "rb") as file:
        file.seek(offset)
        data = file.read()
    end = data.rfind(b"\n") + 1
    made = []
    for line in data[:end].splitlines():
        try:
            made.append(Result(**json.loads(line)))
        except (ValueError, TypeError):
            continue
    return made, offset + end


def keys(folder: pathlib.Path) -> Iterator[str]:
    """The points that were given to Slurm in this run."""
    for path in folder.glob("chunk-*.jobs"):
        with open(path, encoding="utf-8") as file:
            yield from (job["key"] for job in map(json.loads, file) if "key" in job)


def submit(place: pathlib.Path, points: Sequence[Point], timeout: int,
           request: Request) -> list[pathlib.Path]:
    """Give the points to Slurm, in one array or more; their folders."""
    chunk = max(request.chunk, math.ceil(len(points) / (10 * MAX_TASKS)))
    chunks = [points[i:i + chunk] for i in range(0, len(points), chunk)]
    made = []
    for some in (chunks[i:i + MAX_TASKS] for i in range(0, len(chunks), MAX_TASKS)):
        # Never a name again: Slurm tells of jobs for a while after their end.
        folder = place / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.urandom(3).hex()}"
        _write_run(folder, some, timeout, request)
        _slurm(request.words(folder, len(some)))
        made.append(folder)
    return made


def _write_run(folder: pathlib.Path, chunks: Sequence[Sequence[Point]], timeout: int,
               request: Request) -> None:
    folder.mkdir(parents=True)
    for i, points in enumerate(chunks):
        lines: list[Any] = [{"format": FORMAT, "timeout": timeout,
                             "processes": request.processes,
                             "models": {p.engine: p.model for p in points}}]
        lines += [{"key": p.key, "engine": p.engine, "words": p.words()} for p in points]
        (folder / f"chunk-{i}.jobs").write_text(
            "".join(json.dumps(line) + "\n" for line in lines))
    programs = {"IGPU": "igpu"} | ({"VIGPU": "Vigpu"} if any(
        p.engine == "rtl" for points in chunks for p in points) else {})
    package = pathlib.Path(__file__).resolve().parents[2]
    exports = {"PYTHONPATH": str(package), **{
        name: os.path.realpath(igpu.find(program)) for name, program in programs.items()}}
    (folder / "task.sh").write_text("#!/bin/sh\n" + "".join(
        f"export {name}={shlex.quote(value)}\n" for name, value in exports.items())
        + f"exec {shlex.quote(sys.executable)} -m vigpu 'sweep task' "
        f"{shlex.quote(str(folder))}\n")


def wait(gatherer: Gatherer, folders: Sequence[pathlib.Path], poll: float) -> Iterator[
        list[Result]]:
    """Gather until no task of these runs is in the queue. Slurm may be away for a while."""
    silent_since = None
    while True:
        try:
            left = any(in_queue(folder) for folder in folders)
            silent_since = None
        except VigpuError:
            silent_since = silent_since or time.monotonic()
            if time.monotonic() - silent_since > _PATIENCE:
                raise
            left = True
        yield gatherer.gather()  # behind the question: what a task wrote before its end
        if not left:
            return
        time.sleep(poll)


def clean(folders: Sequence[pathlib.Path]) -> str:
    """Remove runs that are over, of which everything is merged. What became of tasks that
    did not end well, for people: "2 x TIMEOUT, 1 x OUT_OF_MEMORY", or ""."""
    ends: collections.Counter[str] = collections.Counter()
    for folder in folders:
        ends.update(state for state in tasks(folder).values() if state != "COMPLETED")
        shutil.rmtree(folder)
    return ", ".join(f"{count} x {state}" for state, count in ends.most_common())


# ---- in a task ---------------------------------------------------------------------------

def run_task(folder: pathlib.Path, index: int, start: int) -> None:
    """Simulate what is left of a chunk. start: how often it was started before."""
    path = folder / f"chunk-{index}.jobs"
    try:
        with open(path, encoding="utf-8") as file:
            header, *jobs = map(json.loads, file)
        if header["format"] != FORMAT:
            raise InputError(f"{path}: format {header['format']}, expected {FORMAT}")
        work = [Job(job["key"], job["engine"], job["words"]) for job in jobs]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: no chunk of a sweep: {error}") from error
    done = {result.key for old in folder.glob(f"chunk-{index}.*.results")
            for result in _results(old, 0)[0]}
    with open(folder / f"chunk-{index}.{start}.results", "ab") as out:
        if out.tell():
            out.write(b"\n")  # behind a line that was cut short
        for engine, some in itertools.groupby(work, lambda job: job.engine):
            left = [job for job in some if job.key not in done]
            if left:
                _simulate(engine, left, header, out)


def _simulate(engine: str, jobs: list[Job], header: dict[str, Any], out: Any) -> None:
    processes = min(header["processes"], len(jobs))
    with Pool(engine, header["models"][engine], processes, header["timeout"]) as pool:
        for results in pool.run(jobs):
            out.writelines(json.dumps(dataclasses.asdict(result)).encode() + b"\n"
                           for result in results)
            out.flush()
            os.fsync(out.fileno())

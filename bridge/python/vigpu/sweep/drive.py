"""Running a sweep on this machine."""
from __future__ import annotations

import os
import pathlib
import resource
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from vigpu.errors import VigpuError
from vigpu.sweep import plan as planning
from vigpu.sweep import pool, slurm, sources
from vigpu.sweep.database import Database
from vigpu.sweep.plan import Point
from vigpu.sweep.pool import Job, Pool, Result
from vigpu.sweep.spec import Spec

# A point in one of these states is not simulated again, unless it is asked for.
FINAL = ("done", "failed", "late")
COMMIT_SECONDS = 0.1  # what ended is in the database after so long, at most


@dataclass
class Outcome:
    """What a run of the driver did. done, failed: of all points, now."""

    points: int
    done: int
    failed: int
    simulated: int
    cpu_seconds: float  # of the simulations
    driver_seconds: float  # of this process
    batch_seconds: float  # of the processes that start the simulations


def database_path(spec: Spec, chosen: str | None) -> pathlib.Path:
    """FILE.sqlite beside FILE.yaml, or what was chosen."""
    return pathlib.Path(chosen) if chosen else spec.path.with_suffix(".sqlite")


def plan(spec: Spec, path: pathlib.Path, most: int, record: bool = True) -> list[Point]:
    """The sweep's points; traces that are recorded lie in a folder beside the database."""
    models = {engine: pool.model(engine) for engine in spec.engines}
    traces = sources.traces(spec, path.with_suffix(".traces"), record)
    return planning.points(spec, traces, models, most)


def todo(points: Sequence[Point], states: dict[str, str], retry: bool) -> list[Point]:
    """Those to simulate."""
    final = ("done",) if retry else FINAL
    return [point for point in points if states.get(point.key) not in final]


@dataclass
class Estimate:
    """CPU seconds of some points by past ones. unknown: how many have no past of their
    trace; they count as the mean of the others (cpu_seconds None: of none)."""

    cpu_seconds: float | None
    unknown: int


def estimate(database: Database, points: Sequence[Point]) -> Estimate:
    """By the mean of the points of the same trace, launches and engine."""
    with database.told():
        past = {row[:3]: row[3] for row in database.db.execute(
            "SELECT trace, launches, engine, avg(cpu_seconds) FROM points "
            "WHERE state = 'done' GROUP BY trace, launches, engine")}
    known = [seconds for point in points if (seconds := past.get(
        (point.trace.digest, point.trace.launches, point.engine))) is not None]
    if not known:
        return Estimate(None, len(points))
    return Estimate(sum(known) / len(known) * len(points), len(points) - len(known))


def jobs(points: Iterable[Point]) -> Iterable[Job]:
    return (Job(point.key, point.engine, point.words()) for point in points)


def simulate(points: Sequence[Point], processes: int, timeout: int,
             keep: Callable[[list[Result]], None]) -> None:
    """Simulate the points, engine by engine, and give keep() their results as they come."""
    last = 0.0
    for engine in dict.fromkeys(point.engine for point in points):
        some = [point for point in points if point.engine == engine]
        with Pool(engine, some[0].model, min(processes, len(some)), timeout) as workers:
            waiting: list[Result] = []
            try:
                for results in workers.run(jobs(some), COMMIT_SECONDS):
                    waiting += results
                    now = time.monotonic()
                    if waiting and now - last >= COMMIT_SECONDS:
                        last = now
                        keep(waiting)
                        waiting = []
            finally:  # also when somebody presses Ctrl-C
                if waiting:
                    keep(waiting)


def run(spec: Spec, path: pathlib.Path, points: Sequence[Point], processes: int,
        retry: bool = False, quiet: bool = False) -> Outcome:
    """Simulate what is not in the database yet, and keep it there."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    with Database(path, write=True) as database:
        database.plan(spec, points)
        slurm.Gatherer(database, slurm_place(path)).gather()
        left = todo(points, database.states(points), retry)
        progress = Progress(len(points), len(left), quiet)

        def keep(results: list[Result]) -> None:
            database.add(results)
            progress.show(results)

        try:
            simulate(left, processes, spec.timeout, keep)
        finally:
            progress.end()
        states = database.states(points)
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = now.ru_utime + now.ru_stime - children.ru_utime - children.ru_stime
    return _outcome(states, progress, max(0.0, spent - progress.cpu))


def _outcome(states: dict[str, str], progress: Progress, batch: float = 0.0) -> Outcome:
    return Outcome(len(states), sum(s == "done" for s in states.values()),
                   sum(s not in ("done", "todo") for s in states.values()), progress.count,
                   progress.cpu, time.process_time(), batch)


def slurm_place(path: pathlib.Path) -> pathlib.Path:
    """Where the files of Slurm's tasks are: beside the database."""
    return path.resolve().with_suffix(".slurm")


def run_slurm(spec: Spec, path: pathlib.Path, points: Sequence[Point],
              request: slurm.Request, retry: bool = False, quiet: bool = False,
              stay: bool = True) -> tuple[Outcome, str]:
    """The same through Slurm. What an earlier driver gave to it is gathered and waited for,
    not given again. stay False: only submit. Also how tasks ended that did not end well."""
    place = slurm_place(path)
    with Database(path, write=True) as database:
        database.plan(spec, points)
        gatherer = slurm.Gatherer(database, place)
        gatherer.gather()
        before = todo(points, database.states(points), retry)
        progress = Progress(len(points), len(before), quiet)
        under_way = [folder for folder in slurm.runs(place) if slurm.in_queue(folder)]
        ends = []
        if under_way and stay:
            for results in slurm.wait(gatherer, under_way, request.poll):
                progress.show(results)
        given = {key for folder in under_way for key in slurm.keys(folder)} if not stay else ()
        left = [point for point in todo(points, database.states(points), retry)
                if point.key not in given]
        folders = slurm.submit(place, left, spec.timeout, request) if left else []
        if stay:
            for results in slurm.wait(gatherer, folders, request.poll):
                progress.show(results)
            ends.append(slurm.clean(slurm.runs(place)))
        progress.end()
        states = database.states(points)
    return _outcome(states, progress), ", ".join(filter(None, ends))


class Progress:
    """A line on stderr, where somebody looks."""

    def __init__(self, points: int, left: int, quiet: bool) -> None:
        self.points, self.left = points, left
        self.count, self.cpu = 0, 0.0
        self._on = not quiet and os.isatty(2)
        self._began = self._last = time.monotonic()

    def show(self, results: Sequence[Result]) -> None:
        """Some more have ended."""
        self.count += len(results)
        self.cpu += sum(result.cpu_seconds for result in results)
        now = time.monotonic()
        if not self._on or now - self._last < 0.5:
            return
        self._last = now
        rest = (now - self._began) / self.count * (self.left - self.count)
        sys.stderr.write(f"\r{self.points - self.left + self.count} of {self.points} points, "
                         f"{duration(rest)} left   ")
        sys.stderr.flush()

    def end(self) -> None:
        if self._on and self._last > self._began:
            sys.stderr.write("\n")


def duration(seconds: float) -> str:
    """For people: 3.2 s, 12 min, 5.1 h."""
    for limit, unit, name in ((120, 1, "s"), (7200, 60, "min"), (float("inf"), 3600, "h")):
        if seconds < limit:
            value = seconds / unit
            return f"{value:.0f} {name}" if value >= 10 else f"{value:.1f} {name}"
    raise VigpuError("no duration")

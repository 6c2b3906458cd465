"""`igpu sweep`: traces x configurations."""
from __future__ import annotations

import argparse
import os
import pathlib
from collections.abc import Sequence
from typing import Any

from vigpu.errors import UsageError, VigpuError
from vigpu.sweep import drive, pool, slurm, spec
from vigpu.sweep.database import Database
from vigpu.sweep.plan import Point
from vigpu.sweep.pool import Job


def add(sub: Any) -> None:
    parser = sub.add_parser(
        "sweep", help="simulate traces x configurations, each once, into a database",
        description="Simulates every trace with every configuration of the sweep in FILE.yaml "
        "and keeps all statistics in an SQLite database. What is there already is not "
        "simulated again; after an interruption the same command goes on.")
    parser.add_argument("file", metavar="FILE.yaml")
    parser.add_argument("-o", "--output", metavar="DB", help="the database (default "
                        "FILE.sqlite); several sweeps may share one")
    parser.add_argument("-j", "--jobs", metavar="N", type=int,
                        help="simulations at a time (default: the machine's processors)")
    parser.add_argument("--dry-run", action="store_true",
                        help="only print what would run, and its estimated CPU time")
    parser.add_argument("--retry", action="store_true",
                        help="also simulate again what has failed or was over its time")
    parser.add_argument("--max-points", metavar="N", type=int, default=1_000_000,
                        help="refuse a sweep of more (default 1000000)")
    group = parser.add_argument_group("on a cluster")
    group.add_argument("--slurm", action="store_true", help="simulate in a job array of Slurm; "
                       "-j is of each task then (default 1)")
    group.add_argument("--chunk", metavar="N", type=int, default=50,
                       help="points of a task (default 50)")
    group.add_argument("--throttle", metavar="N", type=int, default=0,
                       help="tasks at a time (default: no limit)")
    group.add_argument("--mem", metavar="SIZE", help="memory of a task, as sbatch's")
    group.add_argument("--time", metavar="TIME", help="time of a task, as sbatch's")
    group.add_argument("--sbatch", metavar="OPTION", action="append", default=[],
                       help="one more option for sbatch; repeatable")
    group.add_argument("--poll", metavar="S", type=float, default=5.0,
                       help="seconds between two looks at the queue (default 5)")
    group.add_argument("--no-wait", action="store_true",
                       help="submit and end; the same command gathers later")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.set_defaults(run=run)


def run_slurm(sweep: spec.Spec, path: pathlib.Path, points: Sequence[Point],
              args: argparse.Namespace) -> None:
    """Through Slurm, and what came of it."""
    request = slurm.Request(args.chunk, args.throttle, args.jobs, args.mem, args.time,
                            tuple(args.sbatch), args.poll)
    outcome, ends = drive.run_slurm(sweep, path, points, request, args.retry, args.quiet,
                                    not args.no_wait)
    missing = outcome.points - outcome.done - outcome.failed
    print(f"{path}: {outcome.done} of {outcome.points} points done, {outcome.failed} failed"
          f"; {outcome.simulated} gathered now"
          + (f"; {missing} given to Slurm" if args.no_wait and missing else ""))
    if missing and not args.no_wait:
        raise VigpuError(f"{missing} points have no result (tasks: {ends or 'not known'}): run "
                         "the same command again, with more --mem or --time if they need it")
    if outcome.failed:
        raise VigpuError(f"{outcome.failed} points failed: igpu sweep show {path} tells why")


def dry_run(sweep: spec.Spec, path: pathlib.Path, points: Sequence[Point],
            args: argparse.Namespace) -> None:
    """Print what would run."""
    left, guess = list(points), drive.Estimate(None, len(points))
    if path.exists():
        with Database(path) as database:
            left = drive.todo(points, database.states(points), args.retry)
            guess = drive.estimate(database, left)
    traces = {(p.trace.digest, p.trace.launches) for p in points}
    print(f"{len(points)} points: {len(traces)} traces, "
          f"{len({p.config for p in points})} configurations, engine "
          f"{' and '.join(sweep.engines)}; {len(points) - len(left)} are done, {len(left)} "
          "would run")
    for trace in dict.fromkeys(point.trace for point in left if not point.trace.bytes):
        print(f"  first: {trace.command}")
    for point in left[:3]:
        print(f"  {pool.command(Job(point.key, point.engine, point.words()))}")
    if len(left) > 3:
        print(f"  and {len(left) - 3} more")
    if guess.cpu_seconds is not None and left:
        told = f", {guess.unknown} of them of traces without a past" if guess.unknown else ""
        print(f"estimated CPU time: {drive.duration(guess.cpu_seconds)}, "
              f"{drive.duration(guess.cpu_seconds / args.jobs)} with -j {args.jobs}{told}")
    elif left:
        print("estimated CPU time: not known, no point of these traces was simulated yet")


def run(args: argparse.Namespace) -> None:
    if args.jobs is None:
        args.jobs = 1 if args.slurm else os.cpu_count() or 1
    if min(args.jobs, args.max_points, args.chunk) < 1:
        raise UsageError("-j, --max-points and --chunk take numbers of at least 1")
    if args.throttle < 0 or not args.poll > 0:
        raise UsageError("--throttle takes a number of at least 0, --poll one above 0")
    sweep = spec.read(args.file)
    path = drive.database_path(sweep, args.output)
    points = drive.plan(sweep, path, args.max_points, not args.dry_run)
    if args.dry_run:
        dry_run(sweep, path, points, args)
        return
    if args.slurm:
        run_slurm(sweep, path, points, args)
        return
    outcome = drive.run(sweep, path, points, args.jobs, args.retry, args.quiet)
    whole = outcome.driver_seconds + outcome.batch_seconds + outcome.cpu_seconds
    print(f"{path}: {outcome.done} of {outcome.points} points done, {outcome.failed} failed; "
          f"{outcome.simulated} simulated now in {drive.duration(outcome.cpu_seconds)} of CPU "
          f"time (the driver {100 * outcome.driver_seconds / whole:.1f} % of all, starting "
          f"{100 * outcome.batch_seconds / whole:.1f} %)")
    if outcome.failed:
        raise VigpuError(f"{outcome.failed} points failed: igpu sweep show {path} tells why")

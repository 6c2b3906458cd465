"""`igpu sweep show`: how far a sweep is."""
from __future__ import annotations

import argparse
import os
import pathlib
import sys
import time
from typing import Any

from vigpu.errors import UsageError
from vigpu.sweep import show
from vigpu.sweep.database import Database
from vigpu.sweep.drive import duration


def add(sub: Any) -> None:
    parser = sub.add_parser(
        "sweep show", help="progress, failures and the best points of a sweep",
        description="For each sweep of the database: how many points are done, the time "
        "left by the pace of the last ones, what failed with a command that shows it again, "
        "and the fastest configurations of each trace.")
    parser.add_argument("database", metavar="DB", help="or the sweep's FILE.yaml")
    parser.add_argument("--sweep", metavar="NAME", help="only this one")
    parser.add_argument("--best", metavar="N", type=int, default=3,
                        help="points of each trace to show (default 3)")
    parser.add_argument("--watch", action="store_true",
                        help="again every two seconds, until all are done")
    parser.set_defaults(run=run)


def database_of(path: str) -> str:
    """A sweep's file stands for the database beside it."""
    file = pathlib.Path(path)
    return str(file.with_suffix(".sqlite")) if file.suffix in (".yaml", ".yml") else path


def chosen(database: Database, sweep: str | None) -> list[str]:
    """The sweeps to tell of."""
    names = show.names(database, database.path)
    if sweep is None:
        return names
    if sweep not in names:
        raise UsageError(f"--sweep {sweep}: {database.path} has {', '.join(names)}")
    return [sweep]


def run(args: argparse.Namespace) -> None:
    if args.best < 0:
        raise UsageError(f"--best {args.best}: expected 0 or more")
    path = database_of(args.database)
    while True:
        with Database(path) as database:
            states = [show.status(database, name, args.best)
                      for name in chosen(database, args.sweep)]
        if args.watch and os.isatty(1):
            sys.stdout.write("\033[H\033[2J")
        for state in states:
            describe(state)
        sys.stdout.flush()
        if not args.watch or all(not state.left_seconds for state in states):
            return
        time.sleep(2)


def describe(state: show.Status) -> None:
    """Print one sweep."""
    done = state.states.get("done", 0)
    rest = [f"{count} {name}" for name, count in state.states.items() if name != "done"]
    print(f"{state.sweep}: {done} of {state.points} points done"
          + (f", {', '.join(rest)}" if rest else "")
          + f"; {duration(state.cpu_seconds)} of CPU time")
    if state.left_seconds:
        print(f"  {duration(state.left_seconds)} left, at the pace of the last points")
    for failure in state.failures[:10]:
        print(f"  {failure.count} {failure.state}: {failure.error}\n    {failure.command}")
    if len(state.failures) > 10:
        print(f"  and {len(state.failures) - 10} more kinds of failures")
    for best in state.best:
        print(f"  {best.trace}, {best.engine}: {best.cycles} cycles with -c {best.base} "
              f"{best.settings}".rstrip())

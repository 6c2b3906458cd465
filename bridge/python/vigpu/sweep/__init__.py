"""Sweeps: traces x configurations, simulated once and kept (docs/guide/sweeps.md).

    frame = vigpu.sweep.read("l3.sqlite")              # a row for each launch of each point
    frame.groupby("l3.ways").cycles.mean()
"""
from __future__ import annotations

import os

from vigpu.sweep.drive import Outcome
from vigpu.sweep.read import read, varied

__all__ = ["Outcome", "read", "run", "varied"]


def run(file: str | os.PathLike[str], database: str | os.PathLike[str] | None = None,
        processes: int = 1) -> Outcome:
    """Simulate what is left of the sweep in `file`, as `igpu sweep` does: `processes` at a
    time, into `database` (None: beside the file, with .sqlite). InputError when the file is
    no sweep; points that fail are no exception but counted."""
    from vigpu.sweep import drive, plan, spec
    sweep = spec.read(file)
    path = drive.database_path(sweep, None if database is None else os.fspath(database))
    points = drive.plan(sweep, path, plan.MAX_POINTS)
    return drive.run(sweep, path, points, processes, quiet=True)

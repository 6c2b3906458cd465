"""`igpu sweep task`: a task of a sweep's job array; Slurm starts it."""
from __future__ import annotations

import argparse
import os
import pathlib
from typing import Any

from vigpu.errors import UsageError
from vigpu.sweep import slurm


def add(sub: Any) -> None:
    parser = sub.add_parser(
        "sweep task", help="what igpu sweep --slurm gives to Slurm",
        description="Simulates one chunk of a run; Slurm starts it, with the number of the "
        "chunk in SLURM_ARRAY_TASK_ID.")
    parser.add_argument("folder", metavar="DIR")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    index = os.environ.get("SLURM_ARRAY_TASK_ID", "")
    start = os.environ.get("SLURM_RESTART_COUNT", "0")
    if not index.isdecimal() or not start.isdecimal():
        raise UsageError("sweep task: SLURM_ARRAY_TASK_ID is not set; Slurm starts this")
    slurm.run_task(pathlib.Path(args.folder), int(index), int(start))

"""The numbers behind a report: run the experiments, or take them from a file."""
from __future__ import annotations

import dataclasses
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from vigpu import __version__, igpu
from vigpu.errors import InputError
from vigpu.report.findings import Finding, Run, Verdict, find
from vigpu.report.plans import PLANS

_CALIBRATED = "calibrated: "


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter that was fitted: its default with unit, and on what."""

    key: str
    default: str
    fitted_on: str


@dataclasses.dataclass
class Report:
    """What a report tells: the runs in their order, what they show, and what is
    calibrated on what."""

    runs: list[Run]
    calibrated: list[Parameter]
    quick: bool
    engine: str
    version: str = __version__
    findings: list[Finding] = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        self.findings = find({run.plan.id: run for run in self.runs})

    def of(self, run: Run) -> list[Finding]:
        return [f for f in self.findings if f.run is run]

    @property
    def differing(self) -> list[Finding]:
        return [f for f in self.findings if f.verdict is Verdict.DIFFERS]

    @property
    def summary(self) -> str:
        count = {v: sum(f.verdict is v for f in self.findings) for v in Verdict}
        short = " (short run: fewer points)" if self.quick else ""
        return (f"{count[Verdict.HOLDS]} numbers and properties hold, "
                f"{count[Verdict.DIFFERS]} differ, {count[Verdict.TOLD]} are only told"
                f"{short}.")


def measure(quick: bool, engine: str, extra: Sequence[str] = ()) -> dict[str, Any]:
    """Run every experiment with igpu; `extra`: options for each. The numbers as an object
    that JSON can hold: `report()` makes the report of it."""
    data: dict[str, Any] = {"version": __version__, "engine": engine, "quick": quick,
                            "runs": [], "params": json.loads(
                                igpu.run(["params", "--json"]))}
    for plan in PLANS:
        command = plan.command(quick)
        if command is None:
            continue
        if "--quiet" not in extra and os.isatty(2):
            print(f"igpu bench {command}", file=sys.stderr)
        rows = json.loads(igpu.run(["bench", *command.split(), *extra, "--engine", engine,
                                    "--json", "-"]))
        data["runs"].append({"id": plan.id, "command": command, "rows": rows})
    return data


def load(path: str) -> dict[str, Any]:
    """What measure() gave, from a file. InputError when it is something else."""
    with open(path, encoding="utf-8") as file:
        try:
            data: dict[str, Any] = json.load(file)
            report(data)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            raise InputError(f"{path}: no numbers of a report; expected what igpu report "
                             f"--save wrote ({type(error).__name__}: {error})") from error
    return data


def report(data: dict[str, Any]) -> Report:
    """The report of what measure() or load() gave."""
    plans = {plan.id: plan for plan in PLANS}
    runs = [Run(plans[r["id"]], r["command"], igpu.table(r["rows"])) for r in data["runs"]]
    calibrated = [Parameter(p["key"], f"{p['default']} {p['unit']}",
                            p["source"].removeprefix(_CALIBRATED))
                  for p in data["params"] if p["source"].startswith(_CALIBRATED)]
    return Report(runs, calibrated, data["quick"], data["engine"], data["version"])

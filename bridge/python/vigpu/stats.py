"""Statistics of simulated launches, as `Vigpu --json` and `igpu ref --json` write them."""
from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from vigpu import igpu
from vigpu.errors import InputError
from vigpu.modules import need

if TYPE_CHECKING:
    import pandas as pd


def read(path: str | os.PathLike[str]) -> pd.DataFrame:
    """The statistics file at `path`: one row for each launch, in order; columns are the
    statistics' names with dots (`cycles`, `time_ns`, `eu.fpu0`, `l3.hits`). The
    configuration is in `.attrs["config"]`, the engine in `.attrs["engine"]`. OSError when
    the file cannot be read, InputError when it is something else."""
    with open(path, encoding="utf-8") as file:
        try:
            return _frame(json.load(file))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{os.fspath(path)}: no statistics of Vigpu; expected what "
                             f"--json wrote ({error})") from error


def simulate(trace: str | os.PathLike[str], config: str = "skl-gt2",
             settings: Mapping[str, int] | None = None, engine: str = "ref") -> pd.DataFrame:
    """Simulate a trace and give its statistics, as read() does. config: a name or a file.
    settings: parameters to change, by key. engine: "ref" (C reference) or "rtl"."""
    words = ["--quiet", "--json", "-", "-c", config]
    for key, value in (settings or {}).items():
        words += ["-s", f"{key}={value}"]
    if engine == "ref":
        return _frame(json.loads(igpu.run(["ref", *words, os.fspath(trace)])))
    return _frame(json.loads(igpu.run(["--engine", engine, *words, os.fspath(trace)],
                                      "Vigpu")))


def _frame(data: dict[str, Any]) -> pd.DataFrame:
    frame: pd.DataFrame = need("pandas").DataFrame(
        [dict(_flat(launch)) for launch in data["kernels"]])
    frame.attrs.update(config=data["config"], engine=data["engine"],
                       version=data["version"])
    return frame


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value

"""The table that models are trained on: launches with their features, and the cycles and
energies that the cycle model gave them on machines. It is committed, so that training simulates nothing.

In `data/`: launches.csv.zst (name, program, kernel and features of each launch),
cycles.csv.zst (launch, machine, cycles, energy_nj: of package and DRAM), machines.csv (machine, and its parameters),
timing.csv (the defaults that the cycles were made with, vigpu.predict.timing).
"""
from __future__ import annotations

import dataclasses
import io
import json
import os
import pathlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from vigpu import igpu
from vigpu.checks import short
from vigpu.errors import InputError
from vigpu.modules import need
from vigpu.predict import timing
from vigpu.predict.bound import MACHINE
from vigpu.predict.joules import PARAMETERS
from vigpu.predict.launches import DATA

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["DATA", "PRESETS", "Table", "features", "make", "read", "write"]
PRESETS = ("skl-gt2", "kbl-gt2", "kbl-gt3e")


@dataclasses.dataclass(frozen=True)
class Table:
    """launches: features, indexed 0..; cycles: columns launch, machine, cycles, energy_nj;
    machines: parameters, indexed by name; features: set and kind of each, indexed by name; timing:
    defaults of the simulator that made the cycles."""

    launches: pd.DataFrame
    cycles: pd.DataFrame
    machines: pd.DataFrame
    features: pd.DataFrame
    timing: dict[str, int]

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of each feature."""
        return {str(name): str(kind) for name, kind in self.features["kind"].items()}

    def rows(self) -> pd.DataFrame:
        """Features and parameters side by side, a row for each cycle count."""
        frame = self.cycles.merge(self.launches, left_on="launch", right_index=True,
                                  validate="many_to_one")
        return frame.merge(self.machines, left_on="machine", right_index=True,
                           validate="many_to_one").reset_index(drop=True)


def features() -> pd.DataFrame:
    """Unit, set and kind of each feature, indexed by name, as `igpu features --list`."""
    lines = igpu.run(["features", "--list"]).splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    frame: pd.DataFrame = need("pandas").DataFrame(
        [row[:4] for row in cells], columns=["name", "unit", "set", "kind"])
    frame["name"] = frame["name"].str.strip("`")
    return frame.set_index("name")


def write_frame(path: pathlib.Path, text: str) -> None:
    path.write_bytes(packed(path, text))


def packed(path: pathlib.Path, text: str) -> bytes:
    """The file's bytes: compressed where its name ends with .zst."""
    data = text.encode()
    if path.suffix == ".zst":
        data = need("zstandard").ZstdCompressor(level=19).compress(data)
    return data


def read_frame(path: pathlib.Path) -> pd.DataFrame:
    """InputError: the file is damaged."""
    zstandard = need("zstandard")
    try:
        data = path.read_bytes()
        if path.suffix == ".zst":
            data = zstandard.ZstdDecompressor().decompress(data, 1 << 28)
        frame: pd.DataFrame = need("pandas").read_csv(io.BytesIO(data), low_memory=False)
    except (ValueError, zstandard.ZstdError, RecursionError) as error:
        told = str(error).split("\n", 1)[0][:200]
        raise InputError(f"{path}: damaged: {told}") from error
    if not data.endswith(b"\n"):
        raise InputError(f"{path}: damaged: cut off within its last line")
    return frame


def check_numbers(frame: pd.DataFrame, columns: Iterable[str], where: str, low: float = 0.0,
                  high: float = 1e18) -> None:
    """InputError unless each of the columns is there and has finite numbers from low to
    high; the cell is named."""
    np, pandas = need("numpy"), need("pandas")
    for name in columns:
        if name not in frame:
            raise InputError(f"{where}: the table lacks {name}; make it anew")
        column = frame[name]
        if not pandas.api.types.is_numeric_dtype(column) or column.dtype == bool:
            column = pandas.to_numeric(column.astype(str), errors="coerce")
        values = column.to_numpy(float)
        wrong = np.flatnonzero(~((values >= low) & (values <= high)))
        if len(wrong):
            raise InputError(f"{where}: damaged: {name} of row {wrong[0] + 1}: "
                             f"{short(frame[name].iloc[wrong[0]])}; expected a number from "
                             f"{low:g} to {high:g}")


def check_names(frame: pd.DataFrame, columns: Iterable[str], where: str,
                once: bool = False) -> None:
    """InputError unless the columns are there and have texts; once: no text twice."""
    for name in columns:
        if name not in frame:
            raise InputError(f"{where}: the table lacks {name}; make it anew")
        texts = frame[name].map(lambda cell: isinstance(cell, str) and cell != "")
        if not texts.all():
            row = int((~texts).to_numpy().argmax())
            raise InputError(f"{where}: damaged: {name} of row {row + 1}: "
                             f"{short(frame[name].iloc[row])}; expected a name")
        if once and frame[name].duplicated().any():
            row = int(frame[name].duplicated().to_numpy().argmax())
            raise InputError(f"{where}: damaged: {name} of row {row + 1} is there twice: "
                             f"{short(frame[name].iloc[row])}")


def write(table: Table, folder: pathlib.Path) -> None:
    """Five files in the folder; the same table gives the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    write_frame(folder / "launches.csv.zst", table.launches.to_csv(index=False))
    write_frame(folder / "cycles.csv.zst", table.cycles.to_csv(index=False))
    write_frame(folder / "machines.csv", table.machines.to_csv())
    write_frame(folder / "features.csv", table.features.to_csv())
    write_frame(folder / "timing.csv", timing.text(table.timing))


def read(folder: str | os.PathLike[str] = DATA) -> Table:
    """The table in `folder`. InputError: a file of it is damaged; OSError: it is not there."""
    at = pathlib.Path(folder)
    launches, cycles = (read_frame(at / f"{name}.csv.zst") for name in ("launches", "cycles"))
    machines, features = (read_frame(at / f"{name}.csv") for name in ("machines", "features"))
    check_names(features, ("name",), f"{at / 'features.csv'}", once=True)
    check_names(features, ("unit", "set", "kind"), f"{at / 'features.csv'}")
    if not features["kind"].isin(("fixed", "sum", "shape")).all():
        raise InputError(f"{at / 'features.csv'}: damaged: a kind is none of fixed, sum, shape")
    check_names(machines, ("machine",), f"{at / 'machines.csv'}", once=True)
    check_numbers(machines, (*MACHINE, *PARAMETERS), f"{at / 'machines.csv'}")
    check_names(launches, ("name", "program", "kernel"), f"{at / 'launches.csv.zst'}")
    check_numbers(launches, features["name"], f"{at / 'launches.csv.zst'}")
    _check_cycles(at, launches, cycles, machines, features)
    return Table(launches, cycles, machines.set_index("machine"), features.set_index("name"),
                 timing.read(at / "timing.csv"))


def _check_cycles(at: pathlib.Path, launches: pd.DataFrame, cycles: pd.DataFrame,
                  machines: pd.DataFrame, features: pd.DataFrame) -> None:
    """Each row is of a launch and a machine that are there, and each of these has one: of
    files that were cut, or are of two tables, something is missing."""
    where = f"{at / 'cycles.csv.zst'}"
    check_names(cycles, ("machine",), where)
    check_numbers(cycles, ("cycles", "energy_nj"), where, low=1e-9)
    check_numbers(cycles, ("launch",), where, high=max(len(launches) - 1, 0))
    extra = [name for name in launches.columns
             if name not in ("name", "program", "kernel", "launch")
             and name not in set(features["name"])]
    lost = {"machines.csv": set(cycles["machine"]) - set(machines["machine"]),
            "cycles.csv.zst": (set(machines["machine"]) - set(cycles["machine"])) or
            (set(range(len(launches))) - set(cycles["launch"])),
            "features.csv": set(extra)}
    for name, lacking in lost.items():
        if lacking:
            raise InputError(f"{at / name}: cut off, or of another table: nothing of "
                             f"{short(sorted(lacking)[0])}; make the table anew")
    if cycles.duplicated(["launch", "machine"]).any():
        raise InputError(f"{where}: damaged: a launch is there twice on a machine")


# ---- making it -------------------------------------------------------------


def _program(path: str) -> str:
    """Recorded programs are PACKAGE_WHAT__NNNN-KERNEL.pb; others are named by their source."""
    name = pathlib.Path(path).name
    if "__" in name:
        return name.split("_")[0]
    from vigpu import trace
    with trace.open(path) as opened:
        return os.path.basename(str(opened.header.program))


def _launches(traces: pd.DataFrame) -> pd.DataFrame:
    pandas = need("pandas")
    parts = []
    for digest, path in zip(traces["trace"], traces["path"], strict=True):
        text = igpu.run(["features", "--csv", "-", path])
        part = pandas.read_csv(io.StringIO(text)).drop(columns=["threads", "threads_read"])
        part.insert(0, "program", _program(path))
        part.insert(0, "name", pathlib.Path(path).stem)
        part.insert(0, "digest", digest)
        parts.append(part)
    frame: pd.DataFrame = pandas.concat(parts, ignore_index=True)
    return frame


def make(database: str | os.PathLike[str]) -> Table:
    """Of all points of a sweep database that are done and have energies, whatever sweeps
    they are of; their traces lie where they lay."""
    from vigpu.sweep.database import Database
    pandas = need("pandas")
    with Database(database) as opened, opened.told():
        db = opened.db
        if missing := {"energy.pkg_nj", "energy.dram_nj", "cycles"} - opened.columns("stats"):
            raise InputError(f"{opened.path}: its points have no {min(missing)}: a table needs "
                             "a sweep with energy: true")
        traces = pandas.read_sql_query(
            "SELECT DISTINCT t.trace, t.path FROM traces t JOIN points p USING (trace) "
            "WHERE p.state = 'done' AND p.energy AND t.launches = '' ORDER BY t.path", db)
        stats = pandas.read_sql_query(
            "SELECT p.trace, p.config, s.launch, s.cycles, "
            '"energy.pkg_nj" + "energy.dram_nj" AS energy_nj FROM stats s JOIN points p '
            "USING (point) WHERE s.launch >= 0 AND p.state = 'done' AND p.energy", db)
        configs = pandas.read_sql_query("SELECT * FROM configs", db)
    if missing := {*MACHINE, *PARAMETERS} - set(configs.columns):
        raise InputError(f"{os.fspath(database)}: its configurations have no {min(missing)}: "
                         "sweep anew with this version")
    if traces.empty or stats.empty:
        raise InputError(f"{os.fspath(database)}: no point of a whole trace is done with its "
                         "energy: a table needs a sweep with energy: true")
    launches = _launches(traces)
    keys = launches[["digest", "launch"]].assign(row=launches.index)
    stats = stats.merge(keys, left_on=["trace", "launch"], right_on=["digest", "launch"])
    configs["machine"] = _machine_names(configs)
    stats = stats.merge(configs[["config", "machine"]], on="config")
    stats["energy_nj"] = [float(f"{nj:.6g}") for nj in stats["energy_nj"]]
    counts = stats[["row", "machine", "cycles", "energy_nj"]].rename(columns={"row": "launch"})
    counts = counts.drop_duplicates(["launch", "machine"])
    machines = configs.set_index("machine")[[*MACHINE, *PARAMETERS]].sort_index()
    machines = machines[machines.index.isin(counts["machine"])]
    return Table(launches.drop(columns="digest"),
                 counts.sort_values(["launch", "machine"]).reset_index(drop=True),
                 machines[~machines.index.duplicated()], features(), timing.now(False))


def _machine_names(configs: pd.DataFrame) -> list[str]:
    """The preset's name where nothing is set, else one by the parameters."""
    import hashlib
    names = []
    for _, row in configs.iterrows():
        plain = row["settings"] in ("", None, "{}", "[]")
        told = json.dumps([int(row[key]) for key in MACHINE]).encode()
        names.append(row["base"] if plain and row["base"] in PRESETS
                     else "m" + hashlib.sha256(told).hexdigest()[:8])
    return names

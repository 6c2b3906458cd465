"""Sweeps as pandas tables."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vigpu.errors import InputError
from vigpu.modules import need
from vigpu.sweep.database import TOTAL, Database

if TYPE_CHECKING:
    import pandas as pd

_POINT = ("point", "trace", "launches", "config", "engine", "model", "cpu_seconds")


def read(path: str | os.PathLike[str], sweep: str | None = None, totals: bool = False,
         all_parameters: bool = False) -> pd.DataFrame:
    """The finished points of the sweep `sweep` (None: of all) in the database: a row for each
    launch, or with `totals` for each point. Columns: `point` (its key), `trace` (a name),
    `launch`, `kernel`, `config` (a key), `base`, `engine`, `model`, `cpu_seconds`, each
    parameter that differs between the rows (or all of them; `param.gti.writes` where a
    statistic has its name) and each statistic, under the
    names of vigpu.stats (`cycles`, `l3.hits`, `mem.latency_ns_avg`, `agents.cpu.requests`).
    Rows are in the sweep's order."""
    with Database(path) as database, database.told():
        names = [row[0] for row in database.db.execute("SELECT sweep FROM sweeps")]
        if sweep is not None and sweep not in names:
            raise InputError(f"{os.fspath(path)}: no sweep {sweep}; it has "
                             f"{', '.join(names) or 'none'}")
        frame = need("pandas").read_sql_query(_QUERY.format(
            order="MIN(position)", where="launch = ?" if totals else "launch != ?",
            plan="WHERE sweep = ?" if sweep is not None else ""), database.db,
            params=([sweep] if sweep is not None else []) + [TOTAL])
    settings = _configs(path).rename(columns={
        key: f"param.{key}" for key in frame.columns if key != "config"})
    frame = frame.merge(settings, how="left", left_on="config", right_index=True,
                        validate="many_to_one")
    return _arranged(frame, list(settings.columns[1:]), totals, all_parameters)


_QUERY = """
SELECT p.point, t.name AS trace, s.*, p.config, p.engine, p.model, p.cpu_seconds
FROM (SELECT point, {order} AS position FROM plan {plan} GROUP BY point) q
JOIN points p ON p.point = q.point AND p.state = 'done'
JOIN traces t ON t.trace = p.trace AND t.launches = p.launches
JOIN stats s ON s.point = p.point AND s.{where}
ORDER BY q.position, s.launch
"""


def _configs(path: str | os.PathLike[str]) -> pd.DataFrame:
    with Database(path) as database, database.told():
        frame: pd.DataFrame = need("pandas").read_sql_query("SELECT * FROM configs",
                                                            database.db)
    return frame.set_index("config").drop(columns="settings")


def _arranged(frame: pd.DataFrame, parameters: list[str], totals: bool,
              all_parameters: bool) -> pd.DataFrame:
    frame = frame.loc[:, ~frame.columns.duplicated()]  # point, of both tables
    shown = parameters if all_parameters else [
        key for key in parameters if frame[key].nunique(dropna=False) > 1]
    first = ["trace", *([] if totals else ["launch", "kernel"]), "base", *shown]
    last = ["point", "config", "engine", "model", "cpu_seconds"]
    known = {*first, *last, *parameters, "launch", "kernel"}
    stats = [column for column in frame.columns if column not in known]
    frame = frame[[*first, *stats, *last]].copy()
    for column in stats:
        if column.startswith("cpu.") or "_ps" in column:
            frame = _renamed(frame, column)
    frame.attrs["parameters"] = shown
    frame.attrs["statistics"] = [c for c in frame.columns if c not in known]
    return frame


def _renamed(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """--csv's name and unit to --json's."""
    name = f"agents.{column}" if column.startswith("cpu.") else column
    if "_ps" in name:
        name = name.replace("_ps", "_ns", 1)
        frame[column] = frame[column] / 1000
    return frame.rename(columns={column: name})


def varied(frame: pd.DataFrame) -> list[str]:
    """The parameters that differ between the rows of what read() gave."""
    return list(frame.attrs["parameters"])

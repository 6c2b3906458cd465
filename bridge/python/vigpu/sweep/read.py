"""Sweeps as pandas tables."""
from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from vigpu.errors import InputError
from vigpu.modules import need
from vigpu.sweep import machine
from vigpu.sweep.database import TOTAL, Database
from vigpu.sweep.sources import WARM

if TYPE_CHECKING:
    import pandas as pd

_POINT = ("point", "trace", "launches", "config", "engine", "model", "cpu_seconds")


def read(path: str | os.PathLike[str], sweep: str | None = None, totals: bool = False,
         all_parameters: bool = False) -> pd.DataFrame:
    """The finished points of the sweep `sweep` (None: of all) in the database: a row for each
    launch, or with `totals` for each point; points that are the pieces of one trace are one
    row then, once all are there. Columns: `point` (its key), `trace` (a name),
    `launch`, `kernel`, `config` (a key), `base`, `engine`, `model`, `cpu_seconds`, each
    parameter that differs between the rows (or all of them; `param.gti.writes` where a
    statistic has its name; a named value by its name, a policy of a file by the file's) and each statistic, under the
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
    frame = _joined(frame) if totals else frame.drop(columns=["launches", "of"])
    settings = _configs(path).rename(columns={
        key: f"param.{key}" for key in frame.columns if key != "config"})
    frame = frame.merge(settings, how="left", left_on="config", right_index=True,
                        validate="many_to_one")
    return _arranged(frame, list(settings.columns[1:]), totals, all_parameters)


# of: how many points the trace has with that configuration, also those that are not done.
_QUERY = """
SELECT q.point, q.name AS trace, s.*, q.config, q.engine, q.model, q.cpu_seconds, q.launches,
    q.of
FROM (SELECT p.*, t.name, {order} AS position, COUNT(*) OVER (
          PARTITION BY p.trace, t.name, t.launches LIKE '%, warm', p.config, p.engine,
              p.model) AS of
      FROM plan JOIN points p USING(point)
      JOIN traces t ON t.trace = p.trace AND t.launches = p.launches {plan} GROUP BY point) q
JOIN stats s ON s.point = q.point AND s.{where}
WHERE q.state = 'done'
ORDER BY q.position, s.launch
"""


def _joined(frame: pd.DataFrame) -> pd.DataFrame:
    """Of pieces of a trace their sum: counters add up, peaks are the highest, and mean times
    those of all messages."""
    frame = frame.loc[:, ~frame.columns.duplicated()]
    cut = frame["launches"].fillna("").str.endswith(WARM)
    by = ["trace", "config", "engine", "model"]
    sums = [_sum(part) for _, part in frame[cut].groupby(by, sort=False)
            if len(part) == part["of"].iloc[0]]
    frame = need("pandas").concat([frame[~cut], *sums]) if cut.any() else frame
    return frame.drop(columns=["launches", "of"]).sort_index().reset_index(drop=True)


def _sum(part: pd.DataFrame) -> pd.DataFrame:
    row = part.iloc[:1].copy()
    for column in part.select_dtypes("number").columns.difference(["launch"]):
        values = part[column]
        if "_peak" in column:
            row[column] = values.max()
        elif (agent := column.split(".")[0] + ".requests") in part and "latency_ps_" in column \
                and not column.endswith("_sum"):
            weights = part[agent]
            row[column] = (values * weights).sum() / max(1, weights.sum())
        else:
            row[column] = values.sum()
    return row


def _configs(path: str | os.PathLike[str]) -> pd.DataFrame:
    with Database(path) as database, database.told():
        frame: pd.DataFrame = need("pandas").read_sql_query("SELECT * FROM configs",
                                                            database.db)
    for key, named in machine.names().items():
        if key in frame:
            frame[key] = [_label(key, value, named, settings) for value, settings
                          in zip(frame[key], frame["settings"], strict=True)]
    return frame.set_index("config").drop(columns="settings")


def _label(key: str, value: int | None, named: Sequence[str], settings: str) -> str | None:
    if value is None or value != value:  # an older database lacks the column
        return None
    if 0 <= value < len(named):
        return named[int(value)]
    path = re.search(rf"(?:^| ){re.escape(key)}=(.*?)(?= [a-z0-9_.]+=|$)", settings)
    return pathlib.PurePath(path[1]).name if path else str(value)


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

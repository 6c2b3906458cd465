"""How far a sweep is: its progress, the time left, what failed, the best points."""
from __future__ import annotations

import collections
import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vigpu.errors import InputError
from vigpu.sweep.database import TOTAL, Database

RECENT = 200  # points of which the pace is measured


@dataclass(frozen=True)
class Failure:
    """Points that failed alike."""

    state: str
    error: str
    count: int
    command: str


@dataclass(frozen=True)
class Best:
    """A point of a trace. settings: what differs from its base."""

    trace: str
    cycles: int
    engine: str
    base: str
    settings: str


@dataclass(frozen=True)
class Status:
    """One sweep of a database. left_seconds: None when the pace is not known."""

    sweep: str
    points: int
    states: dict[str, int]
    cpu_seconds: float
    left_seconds: float | None
    failures: Sequence[Failure]
    best: Sequence[Best]


def names(database: Database, path: str) -> list[str]:
    """The database's sweeps. InputError when there is none."""
    with database.told():
        found = [row[0] for row in database.db.execute("SELECT sweep FROM sweeps")]
    if not found:
        raise InputError(f"{path}: there is no sweep in it")
    return found


def status(database: Database, sweep: str, best: int = 3) -> Status:
    """What is known of the sweep; `best` points of each trace."""
    with database.told():
        rows = database.db.execute(
            "SELECT state, cpu_seconds, finished FROM plan JOIN points USING(point) "
            "WHERE sweep = ?", (sweep,)).fetchall()
        states = collections.Counter(row[0] for row in rows)
        ended = sorted(row[2] for row in rows if row[2] is not None)[-RECENT:]
        return Status(sweep, len(rows), dict(states), sum(row[1] or 0 for row in rows),
                      _left(ended, states["todo"] + states["killed"]),
                      list(_failures(database, sweep)), list(_best(database, sweep, best)))


def _left(ended: Sequence[str], todo: int) -> float | None:
    """By the pace of the points that ended last."""
    if not todo:
        return 0.0
    if len(ended) < 2:
        return None
    first, last = map(datetime.datetime.fromisoformat, (ended[0], ended[-1]))
    return max(1.0, (last - first).total_seconds()) / (len(ended) - 1) * todo


def _failures(database: Database, sweep: str) -> Iterator[Failure]:
    """The most frequent first, by the error's first line."""
    found: dict[tuple[str, str], list[str]] = {}
    for state, error, command in database.db.execute(
            "SELECT state, error, command FROM plan JOIN points USING(point) WHERE sweep = ? "
            "AND state NOT IN ('done', 'todo') ORDER BY position", (sweep,)):
        found.setdefault((state, (error or "").split("\n")[0]), []).append(command or "")
    for (state, error), commands in sorted(found.items(), key=lambda item: -len(item[1])):
        yield Failure(state, error, len(commands), commands[0])


def _best(database: Database, sweep: str, count: int) -> Iterator[Best]:
    """The fastest of each trace, by simulated time; of a trace in pieces, with all of them."""
    query = """
        SELECT name, cycles, engine, base, settings FROM (
            SELECT t.name, SUM(s.cycles) AS cycles, p.engine, c.base, c.settings,
                MIN(q.position) AS position, ROW_NUMBER()
                OVER (PARTITION BY t.trace, t.name, p.engine
                      ORDER BY SUM(s.time_ns), MIN(q.position)) AS place
            FROM plan q JOIN points p USING(point)
            JOIN traces t ON t.trace = p.trace AND t.launches = p.launches
            JOIN configs c ON c.config = p.config
            LEFT JOIN stats s ON s.point = p.point AND s.launch = ? AND p.state = 'done'
            WHERE q.sweep = ?
            GROUP BY t.trace, t.name, p.engine, p.config, p.model
            HAVING COUNT(*) = COUNT(s.cycles))
        WHERE place <= ? ORDER BY name, engine, place"""
    if "time_ns" in database.columns("stats"):
        for row in database.db.execute(query, (TOTAL, sweep, count)):
            yield Best(*row)

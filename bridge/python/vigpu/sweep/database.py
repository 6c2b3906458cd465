"""The database of sweeps: SQLite, with the schema that docs/guide/sweeps.md describes."""
from __future__ import annotations

import csv
import datetime
import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import IO, Any

from vigpu.errors import InputError, VigpuError
from vigpu.sweep import machine
from vigpu.sweep.plan import Point
from vigpu.sweep.pool import Result
from vigpu.sweep.spec import Spec

APPLICATION = 0x56537770  # "VSwp"
SCHEMA = 1

_TABLES = """
CREATE TABLE traces(trace TEXT, launches TEXT, name TEXT, path TEXT, bytes INTEGER,
    command TEXT, PRIMARY KEY(trace, launches)) WITHOUT ROWID;
CREATE TABLE configs(config TEXT PRIMARY KEY, base TEXT, settings TEXT) WITHOUT ROWID;
CREATE TABLE points(point TEXT PRIMARY KEY, trace TEXT, launches TEXT, config TEXT,
    engine TEXT, model TEXT, energy INTEGER, state TEXT, tries INTEGER, error TEXT, command TEXT,
    cpu_seconds REAL, rss_kb INTEGER, finished TEXT) WITHOUT ROWID;
CREATE TABLE stats(point TEXT, launch INTEGER, kernel TEXT,
    PRIMARY KEY(point, launch)) WITHOUT ROWID;
CREATE TABLE sweeps(sweep TEXT PRIMARY KEY, spec TEXT, planned TEXT) WITHOUT ROWID;
CREATE TABLE plan(sweep TEXT, position INTEGER, point TEXT,
    PRIMARY KEY(sweep, position)) WITHOUT ROWID;
"""


# Of each table the columns with texts, and those where one may be missing; all others have
# numbers.
_TEXTS = {
    "traces": (("trace", "launches", "name", "path"), ("command",)),
    "configs": (("config", "base"), ("settings",)),
    "points": (("point", "trace", "launches", "config", "engine", "model", "state"),
               ("error", "command", "finished")),
    "stats": (("point", "kernel"), ()),
    "sweeps": (("sweep", "spec", "planned"), ()),
    "plan": (("sweep", "point"), ()),
}
_RULES = 100  # of a query: SQLite's expressions may not be deep


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


class Database:
    """An open database. One process at a time writes; any number read."""

    def __init__(self, path: str | os.PathLike[str], write: bool = False) -> None:
        """Open it; with `write` make it when it is not there. InputError when the file is
        something else, damaged, or of another schema; VigpuError when another sweep is
        writing to it; OSError when there is none."""
        self.path = os.fspath(path)
        self._lock: IO[bytes] | None = None
        if not write and not os.path.isfile(self.path):
            raise FileNotFoundError(2, "no such database; igpu sweep FILE.yaml makes it",
                                    self.path)
        with ExitStack() as undo:
            if write:
                self._lock = undo.enter_context(self._take_lock())
            with self.told():
                uri = "file:" + _quote(os.path.abspath(self.path)) + ("" if write else "?mode=ro")
                self.db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=60)
                undo.callback(self.db.close)
                self._open(write)
            undo.pop_all()
        self._stats_header = ""
        self._stats_insert = ""

    def close(self) -> None:
        """Also lets the next writer in."""
        self.db.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def told(self) -> Iterator[None]:
        """SQLite's errors as ours, in one line."""
        try:
            yield
        except sqlite3.OperationalError as error:
            text = str(error)
            # SQLite's own texts, from their beginning: others quote what is damaged.
            if text.startswith(("database or disk is full", "disk I/O error")):
                raise VigpuError(f"{self.path}: cannot write: {text}; what is in it is kept: "
                                 "make room and run the same command again") from error
            if text.startswith(("database is locked", "database table is locked",
                                "unable to open database", "attempt to write a readonly")):
                raise VigpuError(f"{self.path}: {text}") from error
            raise self._damaged(error) from error
        except (sqlite3.DatabaseError, ValueError, TypeError) as error:
            raise self._damaged(error) from error

    def _damaged(self, error: Exception) -> InputError:
        told = str(error).split("\n", 1)[0][:200]
        return InputError(f"{self.path}: no database of sweeps, or a damaged one ({told}); "
                          "choose another by -o, or move this file away")

    def _take_lock(self) -> IO[bytes]:
        """Held by the open file, so that it ends with us, however we end."""
        lock = open(self.path + ".lock", "ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.close()
            raise VigpuError(f"{self.path}: another igpu sweep writes to it; wait for it, or "
                             "give this one its own by -o") from error
        return lock

    def _open(self, write: bool) -> None:
        application = self.db.execute("PRAGMA application_id").fetchone()[0]
        schema = self.db.execute("PRAGMA user_version").fetchone()[0]
        tables = self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if write and not tables and (application, schema) == (0, 0):
            self.db.execute("PRAGMA journal_mode = WAL")
            self._create()
        elif application != APPLICATION:
            raise InputError(f"{self.path}: no database of sweeps; choose another by -o")
        elif schema != SCHEMA:
            raise InputError(f"{self.path}: its schema is {schema}, this version of vigpu "
                             f"reads {SCHEMA}; choose another by -o")
        damage = self.db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if damage != "ok":
            raise InputError(f"{self.path}: damaged ({damage.splitlines()[-1]}); choose "
                             "another by -o, or repair it by sqlite3's .recover")
        if application == APPLICATION:
            self._check_types()
        # A crash of ours loses nothing; a loss of power the last moments, whole points.
        self.db.execute("PRAGMA synchronous = NORMAL")

    def _check_types(self) -> None:
        """Numbers where numbers are, and texts where texts: SQLite itself takes anything."""
        for table, (texts, maybe) in _TEXTS.items():
            rules = [f"{column} IS NULL OR typeof({column}) != 'text'" for column in texts]
            rules += [f"typeof({column}) NOT IN ('text', 'null')" for column in maybe]
            rules += [f"typeof({_name(column)}) IN ('text', 'blob') OR {_name(column)} > 1e300 "
                      f"OR {_name(column)} < -1e300"
                      for column in sorted(self.columns(table) - {*texts, *maybe})]
            for first in range(0, len(rules), _RULES):
                some = " OR ".join(f"({rule})" for rule in rules[first:first + _RULES])
                if self.db.execute(f"SELECT 1 FROM {table} WHERE {some} LIMIT 1").fetchone():
                    raise InputError(f"{self.path}: damaged: a text where a number belongs, or "
                                     f"a number where a text does, in its table {table}; "
                                     "choose another by -o, or move this file away")

    def _create(self) -> None:
        self.db.executescript(f"BEGIN; {_TABLES} PRAGMA application_id = {APPLICATION}; "
                              f"PRAGMA user_version = {SCHEMA}; COMMIT;")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        with self.told():
            self.db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.db.execute("COMMIT")
            except BaseException:
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")
                raise

    def columns(self, table: str) -> set[str]:
        return {row[1] for row in self.db.execute(f"PRAGMA table_info({table})")}

    def _add_columns(self, table: str, columns: Sequence[str], kind: str = "INTEGER") -> None:
        """A later model may have more parameters and statistics: they are NULL before it."""
        there = self.columns(table)
        for column in columns:
            if column not in there:
                self.db.execute(f"ALTER TABLE {table} ADD COLUMN {_name(column)} {kind}")

    # ---- planning -------------------------------------------------------------------------

    def plan(self, spec: Spec, points: Sequence[Point]) -> None:
        """Make `points` those of the sweep. Results that are there stay."""
        with self.transaction():
            self._add_columns("configs", machine.keys())
            self.db.execute("INSERT OR REPLACE INTO sweeps VALUES(?, ?, ?)",
                            (spec.name, spec.text, _now()))
            self.db.execute("DELETE FROM plan WHERE sweep = ?", (spec.name,))
            self.db.executemany("INSERT INTO plan VALUES(?, ?, ?)", (
                (spec.name, i, point.key) for i, point in enumerate(points)))
            self._add_points(points)
            self.db.execute("DELETE FROM points WHERE state = 'todo' AND point NOT IN "
                            "(SELECT point FROM plan)")

    def _add_points(self, points: Sequence[Point]) -> None:
        self.db.executemany(
            "INSERT OR REPLACE INTO traces VALUES(?, ?, ?, ?, ?, ?)",
            {(t.digest, t.launches): (t.digest, t.launches, t.name, t.path, t.bytes, t.command)
             for t in (point.trace for point in points)}.values())
        names = ", ".join(map(_name, ("config", "base", "settings", *machine.keys())))
        marks = ", ".join("?" * (3 + len(machine.keys())))
        configs = {id(point.config): point.config for point in points}.values()
        digests = {id(config): config.digest for config in configs}
        self.db.executemany(
            f"INSERT OR IGNORE INTO configs({names}) VALUES({marks})",
            ((digests[id(c)], c.base, " ".join(f"{k}={v}" for k, v in c.settings), *c.text.split("\t"))
             for c in configs))
        self.db.executemany(
            "INSERT OR IGNORE INTO points(point, trace, launches, config, engine, model, "
            "energy, state, tries) VALUES(?, ?, ?, ?, ?, ?, ?, 'todo', 0)",
            ((p.key, p.trace.digest, p.trace.launches, digests[id(p.config)], p.engine,
              p.model, int(p.energy)) for p in points))

    def states(self, points: Sequence[Point]) -> dict[str, str]:
        """The state of each of these points that is there."""
        with self.told():
            there = dict(self.db.execute("SELECT point, state FROM points"))
        return {point.key: there[point.key] for point in points if point.key in there}

    # ---- results --------------------------------------------------------------------------

    def add(self, results: Iterable[Result]) -> None:
        """Keep them, in one transaction: a point's state and statistics together."""
        with self.transaction():
            for result in results:
                if result.csv:
                    self._add_stats(result)
                self.db.execute(
                    "UPDATE points SET state = ?, tries = ?, error = ?, command = ?, "
                    "cpu_seconds = ?, rss_kb = ?, finished = ? WHERE point = ?",
                    (result.state, result.tries, result.error or None, result.command or None,
                     result.cpu_seconds, result.rss_kb, _now(), result.key))

    def _add_stats(self, result: Result) -> None:
        header, *lines = result.csv.splitlines()
        if header != self._stats_header:
            self._use_header(header)
        self.db.executemany(self._stats_insert, (_row(result.key, line) for line in lines))

    def _use_header(self, header: str) -> None:
        columns = header.split(",")[1:]
        self._add_columns("stats", columns, "NUMERIC")
        names = ", ".join(map(_name, ("point", "launch", "kernel", *columns)))
        self._stats_insert = (f"INSERT OR REPLACE INTO stats({names}) VALUES("
                              + ", ".join("?" * (3 + len(columns))) + ")")
        self._stats_header = header


TOTAL = -1  # the launch of a whole run's statistics


def _row(point: str, line: str) -> list[Any]:
    """A line of --csv: "0:KERNEL" or "total", then numbers, which SQLite converts."""
    fields = line.split(",") if '"' not in line else next(csv.reader([line]))
    index, colon, kernel = fields[0].partition(":")
    return [point, int(index) if colon else TOTAL, kernel, *fields[1:]]


def _now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")


def _quote(path: str) -> str:
    from urllib.parse import quote
    return quote(path)

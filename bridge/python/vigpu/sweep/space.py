"""Which settings a sweep's grid, list, each, random and latin make."""
from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vigpu.checks import short
from vigpu.errors import InputError
from vigpu.modules import need
from vigpu.sweep import machine

Settings = dict[str, int]


@dataclass(frozen=True)
class Axis:
    """One or several keys that move together, and what they take in turn."""

    keys: tuple[str, ...]
    values: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Range:
    """The whole numbers of a range, evenly spread, or evenly in their logarithm."""

    key: str
    low: int
    high: int
    log: bool
    step: int

    def at(self, u: float) -> int:
        """The value at u, 0 <= u < 1."""
        if self.log:
            value = math.floor(math.exp(math.log(self.low)
                                        + u * (math.log(self.high + 1) - math.log(self.low))))
            return min(max(value, self.low), self.high)
        return self.low + self.step * int(u * ((self.high - self.low) // self.step + 1))


@dataclass(frozen=True)
class Choice:
    """One of some values."""

    axis: Axis

    def at(self, u: float) -> tuple[int, ...]:
        return self.axis.values[int(u * len(self.axis.values))]


@dataclass(frozen=True)
class Sample:
    """`random` or `latin`: count places of the product of its dimensions."""

    count: int
    seed: int
    latin: bool
    dimensions: tuple[Range | Choice, ...]

    def __iter__(self) -> Iterator[Settings]:
        for row in self._places():
            settings: Settings = {}
            for u, dimension in zip(row, self.dimensions, strict=True):
                if isinstance(dimension, Range):
                    settings[dimension.key] = dimension.at(u)
                else:
                    settings.update(zip(dimension.axis.keys, dimension.at(u), strict=True))
            yield settings

    def _places(self) -> Iterable[Sequence[float]]:
        width = len(self.dimensions)
        if self.latin:
            sampler = need("scipy.stats.qmc").LatinHypercube(d=width, seed=self.seed)
            places: list[list[float]] = sampler.random(self.count).tolist()
            return places
        generator = random.Random(self.seed)
        return ([generator.random() for _ in range(width)] for _ in range(self.count))


def grid(axes: Sequence[Axis]) -> Iterator[Settings]:
    """All combinations, the last axis fastest."""
    for chosen in itertools.product(*(axis.values for axis in axes)):
        yield {key: value for axis, values in zip(axes, chosen, strict=True)
               for key, value in zip(axis.keys, values, strict=True)}


def each(axes: Sequence[Axis]) -> Iterator[Settings]:
    """One axis at a time, the others as they are."""
    yield {}
    for axis in axes:
        for values in axis.values:
            yield dict(zip(axis.keys, values, strict=True))


def size(axes: Sequence[Axis]) -> int:
    """How many grid() makes."""
    return math.prod(len(axis.values) for axis in axes)


# ---- from the file ---------------------------------------------------------------------

def parse_axes(data: Any, where: str) -> tuple[Axis, ...]:
    """A mapping of keys to values."""
    if not isinstance(data, Mapping) or not data:
        raise InputError(f"{where}: expected parameters with their values, such as "
                         "l3.ways: [32, 64]")
    axes = tuple(parse_axis(str(key), values, f"{where}: {key}")
                 for key, values in data.items())
    seen: set[str] = set()
    for key in (key for axis in axes for key in axis.keys):
        if key in seen:
            raise InputError(f"{where}: {key} is there twice")
        seen.add(key)
    return axes


def parse_axis(name: str, data: Any, where: str) -> Axis:
    """One line of a grid. `a, b: [[1, 2], [3, 4]]` moves two keys together."""
    names = tuple(part.strip() for part in name.split(","))
    for key in names:
        check_key(key, where)
    if isinstance(data, Mapping):
        values: list[Any] = list(_steps(data, names[0], where))
    elif isinstance(data, list):
        values = data
    else:
        values = [data]
    if not values:
        raise InputError(f"{where}: no values: give at least one")
    rows = []
    for value in values:
        row = value if len(names) > 1 else [value]
        if not isinstance(row, list) or len(row) != len(names):
            raise InputError(f"{where}: {short(value)}: expected {len(names)} numbers, one for "
                             "each key")
        rows.append(tuple(check_value(k, v, where) for k, v in zip(names, row, strict=True)))
    if len(set(rows)) != len(rows):
        raise InputError(f"{where}: a value is there twice")
    return Axis(names, tuple(rows))


def check_key(key: str, where: str) -> None:
    """InputError unless there is such a parameter."""
    if key not in machine.ranges():
        import difflib  # only when it is needed
        near = difflib.get_close_matches(key, machine.keys(), 1)
        raise InputError(f"{where}: there is no parameter {key}"
                         + (f"; did you mean {near[0]}?" if near else ""))


def check_value(key: str, value: Any, where: str) -> int:
    """The number, in the parameter's range, or that of a name or of a policy's file."""
    if isinstance(value, machine.Named):
        return value
    known = machine.names().get(key, ())
    if isinstance(value, str) and "/" in value and key in machine.takes_files():
        return machine.policy_file(key, value, where)
    found = known.index(value) if value in known else machine.number(value)
    low, high = machine.ranges()[key]
    if found is None:
        raise InputError(f"{where}: {short(value)} is no whole number" if not known else
                         f"{where}: {short(value)} is unknown; expected {', '.join(known)}")
    if not low <= found <= high:
        raise InputError(f"{where}: {short(value)} is outside {low}..{high}")
    return machine.Named(found, known[found]) if known else found


def _bounds(data: Mapping[str, Any], key: str, where: str,
            allowed: frozenset[str]) -> tuple[int, int]:
    for word in data:
        if word not in allowed:
            raise InputError(f"{where}: unknown key {short(word)}; expected "
                             f"{', '.join(sorted(allowed))}")
    if "from" not in data or "to" not in data:
        raise InputError(f"{where}: a range needs from and to")
    low, high = (check_value(key, data[word], where) for word in ("from", "to"))
    if low > high:
        raise InputError(f"{where}: from {low} is above to {high}: no values")
    return low, high


def _steps(data: Mapping[str, Any], key: str, where: str) -> Iterator[int]:
    """{from: 2, to: 8, step: 2} and {from: 1M, to: 8M, times: 2}."""
    low, high = _bounds(data, key, where, frozenset(("from", "to", "step", "times")))
    if "step" in data and "times" in data:
        raise InputError(f"{where}: step and times exclude each other")
    word = "times" if "times" in data else "step"
    by = machine.number(data.get(word, 1))
    if by is None or by < 1 + (word == "times"):
        raise InputError(f"{where}: {word}: expected a whole number of at least "
                         f"{1 + (word == 'times')}")
    if word == "times" and low == 0:
        raise InputError(f"{where}: times does not begin at 0")
    if word == "step":
        yield from _limited(range(low, high + 1, by), where)
        return
    while low <= high:
        yield low
        low *= by


def _limited(values: range, where: str) -> range:
    if len(values) > 100_000:
        raise InputError(f"{where}: {len(values)} values; give a larger step (at most "
                         "100000 values)")
    return values


def parse_sample(data: Any, latin: bool, where: str) -> Sample:
    """`random` or `latin`: {count, seed, of: {key: {from, to, log, step} or values}}."""
    if not isinstance(data, Mapping):
        raise InputError(f"{where}: expected count, seed and of")
    for word in data:
        if word not in ("count", "seed", "of"):
            raise InputError(f"{where}: unknown key {short(word)}; expected count, of, seed")
    count, seed = (machine.number(data.get(word, 1)) for word in ("count", "seed"))
    if "count" not in data or count is None or count < 1:
        raise InputError(f"{where}: count: expected a whole number of at least 1")
    if seed is None or seed < 0:
        raise InputError(f"{where}: seed: expected a whole number")
    of = data.get("of")
    if not isinstance(of, Mapping) or not of:
        raise InputError(f"{where}: of: expected parameters with their ranges or values")
    dimensions = tuple(_dimension(str(key), value, f"{where}: of: {key}")
                       for key, value in of.items())
    return Sample(count, seed, latin, dimensions)


def _dimension(name: str, data: Any, where: str) -> Range | Choice:
    if not isinstance(data, Mapping) or "times" in data:
        return Choice(parse_axis(name, data, where))
    check_key(name, where)
    low, high = _bounds(data, name, where, frozenset(("from", "to", "log", "step")))
    log, step = data.get("log", False), machine.number(data.get("step", 1))
    if not isinstance(log, bool) or (log and (low == 0 or "step" in data)):
        raise InputError(f"{where}: log: expected true or false, a range above 0, and no step")
    if step is None or step < 1:
        raise InputError(f"{where}: step: expected a whole number of at least 1")
    return Range(name, low, high, log, step)

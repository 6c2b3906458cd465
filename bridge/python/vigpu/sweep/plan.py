"""The points of a sweep: every trace with every configuration, each with its key."""
from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from vigpu.checks import short
from vigpu.errors import InputError, UsageError
from vigpu.sweep import machine, space
from vigpu.sweep.machine import Config
from vigpu.sweep.sources import WARM, Trace
from vigpu.sweep.spec import SEED_KEYS, Spec

MAX_POINTS = 1_000_000
_AT_A_TIME = 10_000


@dataclass(frozen=True)
class Point:
    """One simulation. key: of its content; two points with one key have one result."""

    key: str
    trace: Trace
    config: Config
    engine: str
    model: str
    energy: bool
    sample: str = ""

    def words(self) -> list[str]:
        """The command line behind `igpu ref` or `Vigpu`."""
        launches, warm, _ = self.trace.launches.partition(WARM)
        part = [*(["--kernels", launches] if launches else []), *(["--warm"] if warm else [])]
        return [*self.config.words(), *part, *(["--energy"] if self.energy else []),
                *(["--sample", self.sample] if self.sample else []), self.trace.path]


def points(spec: Spec, traces: Sequence[Trace], models: Mapping[str, str],
           most: int = MAX_POINTS) -> list[Point]:
    """All points, in order: configurations, then traces, then engines. models: the version
    of each engine's model. UsageError when they are more than `most`."""
    count = spec.most() * len(traces) * len(spec.engines)
    if count > most and (not spec.where or spec.most() > 10 * most):
        raise UsageError(f"{spec.path}: {count} points ({spec.most()} configurations x "
                         f"{len(traces)} traces x {len(spec.engines)} engines), more than "
                         f"{most}: make the grid coarser, use random or latin, or raise "
                         "--max-points")
    made: dict[str, Point] = {}
    for config in configurations(spec):
        digest = config.digest
        for trace, engine in itertools.product(traces, spec.engines):
            key = _key(trace, digest, engine, models[engine], spec)
            made.setdefault(key, Point(key, trace, config, engine, models[engine],
                                       spec.energy, spec.sample))
        if len(made) > most:
            raise UsageError(f"{spec.path}: more than {most} points: make the grid coarser, "
                             "use random or latin, or raise --max-points")
    if not made:
        raise InputError(f"{spec.path}: no configuration is left by where"
                         + (" and impossible: skip" if spec.skip_impossible else ""))
    return list(made.values())


def _key(trace: Trace, config: str, engine: str, model: str, spec: Spec) -> str:
    text = "\n".join(("1", trace.digest, trace.launches, config, engine, model,
                      "energy" if spec.energy else "", *([spec.sample] if spec.sample else [])))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def configurations(spec: Spec) -> Iterator[Config]:
    """The sweep's, without those that `where` excludes. One that is impossible is skipped or
    InputError, as the file says."""
    asked = _asked(spec)
    while some := list(itertools.islice(asked, _AT_A_TIME)):
        for (base, settings), config in zip(some, machine.resolve(some), strict=True):
            if isinstance(config, Config):
                yield config
            elif not spec.skip_impossible:
                told = ", ".join(f"{k}={v}" for k, v in settings) or "as it is"
                raise InputError(f"{spec.path}: {base}, {told}: {config} (exclude it by "
                                 "where, or all such by impossible: skip)")


def _asked(spec: Spec) -> Iterator[tuple[str, tuple[tuple[str, int], ...]]]:
    for base in spec.bases:
        values = machine.base_values(base, str(spec.path))
        for settings in spec.settings():
            for seeded in _seeded(settings, spec.seeds):
                whole = _derive(spec, {**values, **seeded}, seeded)
                if all(rule.value(whole) for rule in spec.where):
                    yield base, tuple(seeded.items())


def _seeded(settings: space.Settings, seeds: Sequence[int]) -> Iterator[space.Settings]:
    if not seeds:
        yield dict(settings)
    for seed in seeds:
        yield {**settings, **dict.fromkeys(SEED_KEYS, seed)}


def _derive(spec: Spec, values: dict[str, int], settings: space.Settings) -> dict[str, int]:
    """Add what `set` sets to the settings and to all values, in the file's order."""
    for key, expression in spec.derived:
        value = expression.value(values)
        if value != int(value):
            raise InputError(f"{spec.path}: set: {key}: {expression.text} is {short(value)}, no "
                             "whole number; // divides without a rest")
        settings[key] = values[key] = space.check_value(key, int(value),
                                                        f"{spec.path}: set: {key}")
    return values

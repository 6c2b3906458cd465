"""The machine's parameters and configurations, as igpu resolves them."""
from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from vigpu import igpu
from vigpu.errors import InputError, VigpuError

_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True)
class Config:
    """One configuration. text: the values of all parameters, in the order of keys(), with
    tabs between them."""

    base: str
    settings: tuple[tuple[str, int], ...]
    text: str

    @cached_property
    def digest(self) -> str:
        """Names the configuration by its values: where they are equal, so is it."""
        digest = _digest_of_keys().copy()
        digest.update(self.text.encode())
        return digest.hexdigest()

    def words(self) -> list[str]:
        """The options that make it."""
        return ["-c", self.base, *(word for key, value in self.settings
                                   for word in ("-s", f"{key}={value}"))]


class Named(int):
    """A value that users write as a text: one of names(), or the path of a policy's file,
    whose number its bytes decide."""

    text: str

    def __new__(cls, value: int, text: str) -> Named:
        made = super().__new__(cls, value)
        made.text = text
        return made

    def __str__(self) -> str:
        return self.text

    def __format__(self, spec: str) -> str:
        return format(self.text, spec)


@cache
def _digest_of_keys() -> hashlib.blake2b:
    return hashlib.blake2b("\t".join((*keys(), "")).encode(), digest_size=16)


@cache
def _parameters() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(igpu.run(["params", "--json"]))
    return found


@cache
def ranges() -> Mapping[str, tuple[int, int]]:
    """The least and the greatest value of each parameter."""
    return {p["key"]: (p["min"], p["max"]) for p in _parameters()}


@cache
def names() -> Mapping[str, tuple[str, ...]]:
    """Of each parameter whose values have names, these, from 0 on."""
    return {p["key"]: tuple(p["names"]) for p in _parameters() if "names" in p}


@cache
def takes_files() -> frozenset[str]:
    """The parameters whose value may be a policy of a file."""
    return frozenset(p["key"] for p in _parameters() if p.get("files"))


@cache
def policy_file(key: str, path: str, where: str) -> Named:
    """The value of a policy of the file `path`. InputError if it is none."""
    config = resolve([("skl-gt2", ((key, path),))])[0]
    if isinstance(config, str):
        raise InputError(f"{where}: {config}")
    return Named(int(config.text.split("\t")[keys().index(key)]), path)


@cache
def keys() -> tuple[str, ...]:
    """The parameters, in igpu's order."""
    return tuple(ranges())


def number(value: object) -> int | None:
    """A parameter's value as igpu reads it: a number, with K, M or G behind it in a text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, int):
        return value
    if not isinstance(value, str) or len(value) > 100:
        return None
    unit = _UNITS.get(value[-1:].upper(), 1)
    try:
        return int(value[:-1] if unit > 1 else value, 0) * unit
    except ValueError:
        return None


def resolve(asked: Iterable[tuple[str, tuple[tuple[str, int | str], ...]]]) \
        -> list[Config | str]:
    """For each base (a name or file of -c) with settings: the configuration, or why there is
    none."""
    wanted = list(asked)
    text = "".join("\t".join([base, *(f"{k}={v}" for k, v in settings)]) + "\n"
                   for base, settings in wanted)
    path = igpu.find()
    try:
        done = subprocess.run([path, "params", "--resolve"], input=text, text=True,
                              capture_output=True, check=False)
    except OSError as error:
        raise VigpuError(f"{path}: cannot run: {error.strerror}") from error
    lines = done.stdout.splitlines()
    if done.returncode < 0:
        raise VigpuError(igpu.killed(path, done.args[1:], done.returncode))
    if done.returncode != 0 or len(lines) != len(wanted):
        raise VigpuError(done.stderr.strip() or f"{path}: params --resolve gave "
                         f"{len(lines)} answers to {len(wanted)} configurations")
    return [_answer(line, *one) for line, one in zip(lines, wanted, strict=True)]


def _answer(line: str, base: str, settings: tuple[tuple[str, Any], ...]) -> Config | str:
    word, _, rest = line.partition("\t")
    if word != "ok":
        return rest
    return Config(base, settings, rest)


def base_values(name: str, where: str) -> dict[str, int]:
    """The values of the configuration `name`."""
    config = resolve([(name, ())])[0]
    if isinstance(config, str):
        raise InputError(f"{where}: {config}")
    return dict(zip(keys(), map(int, config.text.split("\t")), strict=True))

"""A sweep's file: what it may say, and what that means (docs/guide/sweeps.md)."""
from __future__ import annotations

import itertools
import os
import pathlib
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vigpu.checks import short
from vigpu.errors import InputError
from vigpu.modules import need
from vigpu.sweep import machine, space
from vigpu.sweep.expression import Expression

MAX_FILE_BYTES = 1 << 20
ENGINES = ("ref", "rtl")
SEED_KEYS = ("page.seed", "cpu.seed")
KEYS = ("name", "traces", "config", "engine", "seeds", "grid", "list", "each", "random",
        "latin", "set", "where", "impossible", "timeout", "energy", "sample",
        "pieces")

_SAMPLE = re.compile(r"(error=[0-9.]+%|windows=[0-9]+)(,seed=[0-9]+|,launches=all)*")


@dataclass(frozen=True)
class Source:
    """Where traces come from: `path` (a file or pattern), or a command to record with.

    kind: "file", "record" (words of igpu record) or "run" (a program's words, and options of
    igpu run)."""

    kind: str
    words: tuple[str, ...]
    options: tuple[str, ...] = ()
    name: str | None = None
    launches: str | None = None


@dataclass(frozen=True)
class Spec:
    """A sweep's file, checked."""

    path: pathlib.Path
    text: str
    name: str
    sources: tuple[Source, ...]
    bases: tuple[str, ...]
    engines: tuple[str, ...]
    seeds: tuple[int, ...]
    blocks: tuple[Any, ...]  # iterables of settings, each with its size
    sizes: tuple[int, ...]
    derived: tuple[tuple[str, Expression], ...]
    where: tuple[Expression, ...]
    skip_impossible: bool
    timeout: int
    energy: bool
    sample: str  # of --sample; "": everything is simulated
    pieces: bool  # a point simulates a piece of a trace, with what is before it

    @property
    def folder(self) -> pathlib.Path:
        """What the file's relative paths begin at."""
        return self.path.resolve().parent

    def settings(self) -> Iterator[space.Settings]:
        """Of every block in turn."""
        return itertools.chain.from_iterable(block() for block in self.blocks)

    def most(self) -> int:
        """How many configurations there are before `where`."""
        return sum(self.sizes) * len(self.bases) * max(1, len(self.seeds))


def read(path: str | os.PathLike[str]) -> Spec:
    """The sweep in this file. OSError when it cannot be read, InputError when it is none."""
    file = pathlib.Path(path)
    with open(file, "rb") as stream:
        raw = stream.read(MAX_FILE_BYTES + 1)
    if len(raw) > MAX_FILE_BYTES:
        raise InputError(f"{file}: more than {MAX_FILE_BYTES} bytes: no sweep")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: offset {error.start}: no UTF-8 text") from error
    return _spec(file, text, _load(file, text))


def _load(path: pathlib.Path, text: str) -> Mapping[str, Any]:
    yaml = need("yaml")

    class Loader(yaml.SafeLoader):  # type: ignore[misc, name-defined]
        """Refuses a key that is there twice, of which YAML's own would keep the last."""

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            seen = set()
            for key, _ in node.value:
                if key.value in seen and key.tag != "tag:yaml.org,2002:merge":
                    raise InputError(f"{path}:{key.start_mark.line + 1}: {key.value} is there "
                                     "twice")
                seen.add(key.value)
            made: dict[Any, Any] = super().construct_mapping(node, deep)
            return made

    try:
        data = yaml.load(text, Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        told = getattr(error, "problem", None) or str(error).split("\n", 1)[0]
        raise InputError(f"{path}{line}: no valid YAML: {told}") from error
    except (RecursionError, ValueError, TypeError) as error:
        raise InputError(f"{path}: no valid YAML: {error}") from error
    if not isinstance(data, Mapping):
        raise InputError(f"{path}: expected a mapping with traces and parameters "
                         "(docs/guide/sweeps.md)")
    return data


def _spec(path: pathlib.Path, text: str, data: Mapping[str, Any]) -> Spec:
    for key in data:
        if key not in KEYS:
            raise InputError(f"{path}: unknown key {short(key)}; expected {', '.join(KEYS)}")
    engines = _list(data.get("engine", "ref"))
    for engine in engines:
        if engine not in ENGINES:
            raise InputError(f"{path}: engine: {short(engine)}; expected {' or '.join(ENGINES)}")
    blocks, sizes = _blocks(path, data)
    impossible = data.get("impossible", "error")
    if impossible not in ("error", "skip"):
        raise InputError(f"{path}: impossible: {short(impossible)}; expected error or skip")
    timeout = machine.number(data.get("timeout", 3600))
    if timeout is None or not 1 <= timeout <= 10_000_000:
        raise InputError(f"{path}: timeout: expected seconds, 1 to 10000000")
    energy = data.get("energy", False)
    if not isinstance(energy, bool):
        raise InputError(f"{path}: energy: {short(energy)}; expected true or false")
    sample = data.get("sample", "")
    if not isinstance(sample, str) or (sample and not _SAMPLE.fullmatch(sample)):
        raise InputError(f"{path}: sample: {short(sample)}; expected words of --sample, as error=2%")
    if sample and energy:
        raise InputError(f"{path}: energy and sample: energies need whole runs; leave out one")
    pieces = data.get("pieces", False)
    if not isinstance(pieces, bool):
        raise InputError(f"{path}: pieces: {short(pieces)}; expected true or false")
    if pieces and (energy or sample):
        raise InputError(f"{path}: {'energy' if energy else 'sample'} and pieces: leave out one")
    return Spec(path, text, str(data.get("name", path.stem)), _sources(path, data),
                _bases(path, data), tuple(dict.fromkeys(engines)), _seeds(path, data),
                blocks, sizes, _derived(path, data), _where(path, data),
                impossible == "skip", timeout, energy, sample, pieces)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _bases(path: pathlib.Path, data: Mapping[str, Any]) -> tuple[str, ...]:
    names = _list(data.get("config", "skl-gt2"))
    if not names or not all(isinstance(name, str) and name for name in names):
        raise InputError(f"{path}: config: expected names such as skl-gt2, or files")
    folder = path.resolve().parent
    made = tuple(dict.fromkeys(str(folder / name) if "/" in name or name.endswith(
        (".yaml", ".yml")) else name for name in names))
    for name in made:
        machine.base_values(name, f"{path}: config")
    return made


def _seeds(path: pathlib.Path, data: Mapping[str, Any]) -> tuple[int, ...]:
    values = data.get("seeds", [])
    seeds = [machine.number(value) for value in _list(values)]
    if "seeds" in data and (not seeds or None in seeds):
        raise InputError(f"{path}: seeds: expected whole numbers, such as [1, 2, 3]")
    return tuple(dict.fromkeys(space.check_value(SEED_KEYS[0], seed, f"{path}: seeds")
                               for seed in seeds))


def _blocks(path: pathlib.Path, data: Mapping[str, Any]) \
        -> tuple[tuple[Any, ...], tuple[int, ...]]:
    """A function for each block that gives its settings, and how many these are."""
    made: list[Any] = []
    sizes: list[int] = []
    data = {key: _at(path.resolve().parent, data[key]) for key in data if key in _BLOCKS}
    if "grid" in data:
        axes = space.parse_axes(data["grid"], f"{path}: grid")
        made.append(lambda: space.grid(axes))
        sizes.append(space.size(axes))
    if "each" in data:
        single = space.parse_axes(data["each"], f"{path}: each")
        made.append(lambda: space.each(single))
        sizes.append(1 + sum(len(axis.values) for axis in single))
    if "list" in data:
        rows = _rows(path, data["list"])
        made.append(lambda: iter(rows))
        sizes.append(len(rows))
    for word in ("random", "latin"):
        if word in data:
            sample = space.parse_sample(data[word], word == "latin", f"{path}: {word}")
            made.append(sample.__iter__)
            sizes.append(sample.count)
    if not made:  # the configurations as they are
        made.append(lambda: iter([{}]))
        sizes.append(1)
    return tuple(made), tuple(sizes)


_BLOCKS = ("grid", "each", "list", "random", "latin")


def _at(folder: pathlib.Path, data: Any) -> Any:
    """The same, with paths (of policies) that begin at the file's folder made whole."""
    if isinstance(data, Mapping):
        return {key: _at(folder, value) for key, value in data.items()}
    if isinstance(data, list):
        return [_at(folder, value) for value in data]
    return str(folder / data) if isinstance(data, str) and "/" in data else data


def _rows(path: pathlib.Path, data: Any) -> list[space.Settings]:
    if not isinstance(data, list) or not data:
        raise InputError(f"{path}: list: expected a list of settings, such as "
                         "- {l3.ways: 32}")
    rows = []
    for i, row in enumerate(data):
        where = f"{path}: list: entry {i + 1}"
        if not isinstance(row, Mapping):
            raise InputError(f"{where}: expected parameters with their values")
        for key in row:
            space.check_key(str(key), where)
        rows.append({str(key): space.check_value(str(key), value, f"{where}: {key}")
                     for key, value in row.items()})
    return rows


def _derived(path: pathlib.Path, data: Mapping[str, Any]) \
        -> tuple[tuple[str, Expression], ...]:
    made = data.get("set", {})
    if not isinstance(made, Mapping):
        raise InputError(f"{path}: set: expected parameters with numbers or expressions")
    for key in made:
        space.check_key(str(key), f"{path}: set")
    return tuple((str(key), Expression(str(machine.number(text) if machine.number(text)
                                           is not None else text), machine.ranges(),
                                       f"{path}: set: {key}"))
                 for key, text in made.items())


def _where(path: pathlib.Path, data: Mapping[str, Any]) -> tuple[Expression, ...]:
    texts = _list(data.get("where", []))
    return tuple(Expression(str(text), machine.ranges(), f"{path}: where") for text in texts)


# ---- traces ----------------------------------------------------------------------------

def _sources(path: pathlib.Path, data: Mapping[str, Any]) -> tuple[Source, ...]:
    entries = _list(data.get("traces", []))
    if not entries:
        raise InputError(f"{path}: no traces: expected traces: with files or commands")
    return tuple(_source(entry, f"{path}: traces: entry {i + 1}")
                 for i, entry in enumerate(entries))


def _source(entry: Any, where: str) -> Source:
    if isinstance(entry, str) and entry:
        return Source("file", (entry,))
    if not isinstance(entry, Mapping):
        raise InputError(f"{where}: expected a file, or one of file, record and run")
    for key in entry:
        if key not in ("file", "record", "run", "options", "name", "launches"):
            raise InputError(f"{where}: unknown key {short(key)}; expected file, record or run, "
                             "and name, launches, options")
    kinds = [key for key in ("file", "record", "run") if key in entry]
    if len(kinds) != 1:
        raise InputError(f"{where}: expected one of file, record and run")
    if "options" in entry and kinds != ["run"]:
        raise InputError(f"{where}: options are those of run")
    name, launches = (entry.get(key) for key in ("name", "launches"))
    words = (str(entry["file"]),) if kinds == ["file"] else _words(entry[kinds[0]], where)
    return Source(kinds[0], words, _words(entry.get("options", []), where),
                  None if name is None else str(name), _range(launches, where))


def _words(value: Any, where: str) -> tuple[str, ...]:
    try:
        words = shlex.split(value) if isinstance(value, str) else [str(w) for w in value]
    except (ValueError, TypeError) as error:
        raise InputError(f"{where}: {short(value)}: no command: {error}") from error
    if any("\t" in word or "\n" in word for word in words):
        raise InputError(f"{where}: a tab or a new line in a command")
    return tuple(words)


def _range(value: Any, where: str) -> str | None:
    """`3` or `0..7`, as --kernels takes it."""
    if value is None:
        return None
    first, _, last = str(value).partition("..")
    if not first.isdecimal() or not (last or first).isdecimal() or \
            int(last or first) < int(first):
        raise InputError(f"{where}: launches: {value}: expected A..B, counted from 0")
    return f"{int(first)}..{int(last or first)}"

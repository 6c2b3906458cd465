"""A trained model, in a file of JSON (.xz: compressed), and predictions with it: numpy alone.

The model gives log(cycles / base), base being the cycles of the simple bounds
(vigpu.predict.design), as a sum over regression trees; two more sets of trees give the
interval, and a last one log(energy / the energy of simple sums). docs/guide/predict.md describes
the file.
"""
from __future__ import annotations

import json
import lzma
import os
import pathlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from vigpu import checks
from vigpu.errors import InputError, UsageError
from vigpu.modules import need
from vigpu.predict import design, joules
from vigpu.predict.bound import BOUNDS, FLOORS, MACHINE, bounds
from vigpu.predict.launches import Launches, of_trace
from vigpu.predict.logs import exp

if TYPE_CHECKING:
    import pandas as pd

    from vigpu.predict.bound import Array, Columns

FORMAT = "vigpu-predict 3"
FRAMES = "vigpu-predict-frames 2"  # vigpu.predict.frames
DEFAULT = pathlib.Path(__file__).resolve().parent / "data" / "model.json.xz"
_PARTS = {FORMAT: ("middle", "least", "most", "energy"), FRAMES: ("middle", "least", "most")}
_TREE = ("feature", "threshold", "left", "right", "value")


def packed(name: str, text: str) -> bytes:
    """The bytes of a model's file: where its name ends in .xz, compressed."""
    return lzma.compress(text.encode(), preset=9) if name.endswith(".xz") else text.encode()


def unpacked(content: bytes) -> str:
    """The text of a model's file, compressed or not."""
    return (lzma.decompress(content) if content.startswith(b"\xfd7zXZ") else content).decode()


class Model:
    """A model as its file says."""

    def __init__(self, content: dict[str, Any]) -> None:
        self.content = content
        self.columns: list[str] = content["columns"]
        self._parts: dict[str, dict[str, Array]] = {}

    @staticmethod
    def read(path: str | os.PathLike[str], form: str = FORMAT) -> Model:
        """InputError with one line when the file is no model of this form, or a damaged
        one."""
        name = os.fspath(path)
        try:
            content = json.loads(unpacked(pathlib.Path(path).read_bytes()))
        except (ValueError, RecursionError, EOFError, lzma.LZMAError) as error:
            raise InputError(f"{name}: no model: {error}; train one with igpu predict "
                             "train") from error
        if not isinstance(content, dict) or content.get("format") != form:
            raise InputError(f"{name}: no model of the form '{form}'; train one with igpu "
                             "predict train")
        _check(name, content)
        return Model(content)

    def _part(self, which: str) -> dict[str, Array]:
        """All trees of a part behind each other; `root`: where each begins."""
        np = need("numpy")
        if which not in self._parts:
            trees = self.content[which]["trees"]
            sizes = [len(tree["feature"]) for tree in trees]
            root = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(int)
            offset = np.repeat(root, sizes)
            part = {key: np.concatenate([np.asarray(tree[key]) for tree in trees])
                    for key in _TREE}
            for side in ("left", "right"):
                part[side] = part[side].astype(int) + offset
            self._parts[which] = {**part, "root": root}
        return self._parts[which]

    def _walk(self, which: str, x: Array) -> Iterator[tuple[Array, Array]]:
        """From each tree's root to a leaf, for each row at once: (nodes, nodes after), of
        rows x trees; a leaf stays."""
        np = need("numpy")
        part = self._part(which)
        node = np.tile(part["root"], (len(x), 1))
        rows = np.arange(len(x))[:, None]
        while True:
            feature = part["feature"][node]
            if (feature < 0).all():
                return
            low = x[rows, np.maximum(feature, 0)] <= part["threshold"][node]
            after = np.where(low, part["left"][node], part["right"][node])
            after = np.where(feature < 0, node, after)
            yield node, after
            node = after

    def trees(self, which: str, x: Array) -> Array:
        """The sum of the trees' values, for each row of x (in the order of columns)."""
        np = need("numpy")
        part = self._part(which)
        leaf = np.tile(part["root"], (len(x), 1))
        for _, leaf in self._walk(which, x):
            pass
        total: Array = self.content[which]["start"] + part["value"][leaf].sum(axis=1)
        return total

    def contributions(self, x: Array) -> Array:
        """For each row and column, how much the splits on the column moved the result."""
        np = need("numpy")
        part = self._part("middle")
        out: Array = np.zeros_like(x)
        for node, after in self._walk("middle", x):
            row, tree = np.nonzero(node != after)
            a, b = node[row, tree], after[row, tree]
            np.add.at(out, (row, part["feature"][a]), part["value"][b] - part["value"][a])
        return out

    def outside(self, x: Array) -> list[list[str]]:
        """For each row, the columns whose value no training row comes near."""
        np = need("numpy")
        low, high = np.asarray(self.content["low"]), np.asarray(self.content["high"])
        room = 0.05 * (high - low) + 1e-6 * (np.abs(low) + np.abs(high)) + 1e-9
        far = (x < low - room) | (x > high + room)
        return [[self.columns[i] for i in np.flatnonzero(row)] for row in far]


def _check(name: str, content: dict[str, Any]) -> None:
    """The parts are there, every tree leads down to its leaves, and no sum of them is more
    than an exponent can be."""
    where, parts = f"{name}: damaged", _PARTS[content["format"]]
    count = len(checks.words(_there(content, "columns", where), f"{where}: columns"))
    _check_timing(content, where)
    for key in ("low", "high"):
        checks.numbers(_there(content, key, where), f"{where}: {key}", count)
    if content["format"] == FRAMES:
        checks.words(_there(content, "counters", where), f"{where}: counters")
    more = 0
    for key, low, high in (("cover", 0.01, 0.9999), ("widen", -_MOST, _MOST),
                           *((("energy_widen", -_MOST, _MOST),) if "energy" in parts else ())):
        checks.number(_there(content, key, where), low, high, f"{where}: {key}")
    if "energy" in parts:
        more = len(checks.words(_there(content, "energy_columns", where),
                                f"{where}: energy_columns"))
    for which in parts:
        part = _there(content, which, where)
        least = abs(checks.number(_there(part, "start", f"{where}: {which}"), -_MOST, _MOST,
                                  f"{where}: {which}: start"))
        trees = checks.listed(_there(part, "trees", f"{where}: {which}"), f"{where}: {which}")
        if not trees:
            raise InputError(f"{where}: {which} has no trees")
        for number, tree in enumerate(trees):
            least += _check_tree(f"{where}: {which}, tree {number}", tree,
                                 count + more if which == "energy" else count)
        checks.number(least, 0, _MOST, f"{where}: {which}: the sum of its trees")


_MOST = 100.0  # of a logarithm; a factor of e^100


def _there(content: Any, key: str, where: str) -> Any:
    if not isinstance(content, dict) or key not in content:
        raise InputError(f"{where}: {key} is missing")
    return content[key]


def _check_timing(content: dict[str, Any], where: str) -> None:
    for word in checks.words(_there(content, "timing", where), f"{where}: timing"):
        key, equals, value = word.partition("=")
        if not (key and equals and value.isdecimal()):
            raise InputError(f"{where}: timing: {checks.short(word)}; expected KEY=VALUE")


def _check_tree(where: str, tree: Any, columns: int) -> float:
    """The largest value of its nodes."""
    feature, threshold, left, right, value = (_there(tree, key, where) for key in _TREE)
    size = len(checks.listed(feature, f"{where}: feature"))
    if size == 0:
        raise InputError(f"{where}: it has no nodes")
    for key, of in (("feature", feature), ("left", left), ("right", right)):
        for node, number in enumerate(checks.listed(of, f"{where}: {key}", size)):
            if not checks.is_whole(number):
                raise InputError(f"{where}, node {node}: {key}: {checks.short(number)}; "
                                 "expected a whole number")
    for node in range(size):
        if not -1 <= feature[node] < columns:
            raise InputError(f"{where}, node {node}: no column {checks.short(feature[node])}")
        if feature[node] >= 0 and not (
                node < left[node] < size and node < right[node] < size):
            raise InputError(f"{where}, node {node}: its children do not lie behind it")
        if feature[node] < 0 and not (0 <= left[node] < size and 0 <= right[node] < size):
            raise InputError(f"{where}, node {node}: a leaf with children")
    checks.numbers(threshold, f"{where}: threshold", size)
    return max(abs(v) for v in checks.numbers(value, f"{where}: value", size))


def default_model() -> Model:
    """The model that ships with the package."""
    return Model.read(DEFAULT)


def machine(config: str, settings: dict[str, object] | None = None) -> dict[str, int]:
    """What predictions of launches need of every_parameter()."""
    values = every_parameter(config, settings)
    return {key: values[key] for key in (*MACHINE, *joules.PARAMETERS)}


def every_parameter(config: str, settings: dict[str, object] | None = None) -> dict[str, int]:
    """The parameters of a configuration (a name or a file) with settings."""
    from vigpu.sweep.machine import keys, number, resolve
    if any(c in config for c in "\t\n"):
        raise UsageError(f"{checks.short(config)}: no configuration")
    numbers = []
    for key, value in (settings or {}).items():
        known = number(value)
        if known is None:
            raise UsageError(f"{key}={value}: expected a number")
        numbers.append((key, known))
    found = resolve([(config, tuple(numbers))])[0]
    if isinstance(found, str):
        raise UsageError(found)
    return dict(zip(keys(), map(int, found.text.split("\t")), strict=True))


def predict(model: Model, rows: Columns, kinds: dict[str, str]) -> list[dict[str, Any]]:
    """For each of rows with features and parameters side by side: cycles, cycles_low,
    cycles_high, energy_nj, energy_nj_low, energy_nj_high, bound (the largest one),
    bottleneck_cycles (of that one, which may be over the cycles), floor (the largest of
    FLOORS), bound_cycles (of that one, which no cycles are below), deciding (five columns),
    outside (columns)."""
    np = need("numpy")
    limits = bounds(rows)
    made = design.columns(rows, kinds, limits)
    lacking = [name for name in model.columns if name not in made]
    if lacking:
        raise InputError(f"the model wants {lacking[0]}, which this version does not have; "
                         "train it anew")
    values = design.matrix(made, model.columns)
    base = design.base(limits)
    middle = model.trees("middle", values)
    widen = float(model.content["widen"])
    log = {"": middle, "_low": np.minimum(model.trees("least", values) - widen, middle),
           "_high": np.maximum(model.trees("most", values) + widen, middle)}
    floors = np.array([limits[name] for name in FLOORS])
    out = {f"cycles{end}": np.maximum(base * exp(y), floors.max(axis=0))
           for end, y in log.items()}
    out |= _energy(model, rows, made, limits, out)
    out["bound_cycles"] = floors.max(axis=0)
    every = np.array([limits[name] for name in BOUNDS])
    out["bottleneck_cycles"] = every.max(axis=0)
    largest, floor = every.argmax(axis=0), floors.argmax(axis=0)
    weights = model.contributions(values)
    order = np.argsort(-np.abs(weights), axis=1, kind="stable")[:, :5]
    outside = model.outside(values)
    return [{**{name: float(column[row]) for name, column in out.items()},
             "bound": list(BOUNDS)[largest[row]], "floor": FLOORS[floor[row]],
             "deciding": [(model.columns[i], float(values[row, i]), float(weights[row, i]))
                          for i in order[row]],
             "outside": outside[row]} for row in range(len(values))]


def _energy(model: Model, rows: Columns, made: Columns, limits: Columns,
            cycles: Columns) -> dict[str, Array]:
    """nJ of package and DRAM. The correction is that of the predicted cycles; the ends are
    those of the cycles' interval, and moved by what that leaves open."""
    np = need("numpy")
    parts = joules.energies(rows, limits)
    x = design.energy_columns(made, limits, cycles["cycles"])
    if (name := next((n for n in model.content["energy_columns"] if n not in x), None)):
        raise InputError(f"the model wants {name}, which this version does not have; train "
                         "it anew")
    names = [*model.columns, *model.content["energy_columns"]]
    factor = exp(model.trees("energy", design.matrix(x, names)))
    middle, low, high = (factor * joules.total(parts, cycles[f"cycles{end}"])
                         for end in ("", "_low", "_high"))
    room = exp(float(model.content["energy_widen"]))
    return {"energy_nj": middle, "energy_nj_low": np.minimum(low / room, middle),
            "energy_nj_high": np.maximum(high * room, middle)}


def of_launches(launches: Launches, config: str = "skl-gt2",
                settings: dict[str, object] | None = None,
                model: Model | None = None) -> list[dict[str, Any]]:
    """Predict each launch on a machine: launch, kernel, threads, threads_read, and what
    predict() gives."""
    np = need("numpy")
    count = len(launches.names)
    rows = dict(launches.features)
    for key, value in machine(config, settings).items():
        rows[key] = np.full(count, float(value))
    told = predict(model or default_model(), rows, launches.kinds)
    return [{"launch": i, **name, **one} for i, (name, one) in
            enumerate(zip(launches.names, told, strict=True))]


def total(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Sums over launches. The ends are the sums of the ends: launches of one program are
    missed in the same way, so that their errors do not cancel."""
    keys = [f"{what}{end}" for what in ("cycles", "energy_nj") for end in ("", "_low", "_high")]
    return {key: sum(row[key] for row in rows) for key in keys}


def cycles(path: str | os.PathLike[str], config: str = "skl-gt2",
           settings: dict[str, object] | None = None, sample: int = 0,
           model: Model | None = None) -> pd.DataFrame:
    """Predict each launch of a trace on a machine: the columns of of_launches()."""
    frame: pd.DataFrame = need("pandas").DataFrame(
        of_launches(of_trace(path, sample), config, settings, model))
    return frame


__all__ = ["Model", "cycles", "default_model", "machine", "of_launches", "predict", "total"]

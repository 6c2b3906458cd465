"""A trained model, in a file of plain JSON, and predictions with it: numpy alone.

The model gives log(cycles / base), base being the cycles of the simple bounds
(vigpu.predict.design), as a sum over regression trees; two more sets of trees give the
interval. docs/predict.md describes the file.
"""
from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from vigpu.errors import InputError, UsageError
from vigpu.modules import need
from vigpu.predict import design
from vigpu.predict.bound import BOUNDS, MACHINE, bounds
from vigpu.predict.table import DATA, of_trace

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    Array = np.ndarray[Any, Any]

FORMAT = "vigpu-predict 1"
DEFAULT = DATA / "model.json"
_TREE = ("feature", "threshold", "left", "right", "value")


class Model:
    """A model as its file says."""

    def __init__(self, content: dict[str, Any]) -> None:
        self.content = content
        self.columns: list[str] = content["columns"]
        self._parts: dict[str, dict[str, Array]] = {}

    @staticmethod
    def read(path: str | os.PathLike[str]) -> Model:
        """InputError with one line when the file is no model, or a damaged one."""
        name = os.fspath(path)
        try:
            content = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        except ValueError as error:
            raise InputError(f"{name}: no model: {error}; train one with igpu predict "
                             "train") from error
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise InputError(f"{name}: no model of the form '{FORMAT}'; train one with igpu "
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
    """The parts are there, and every tree leads down to its leaves."""
    try:
        count = len(content["columns"])
        if not count == len(content["low"]) == len(content["high"]):
            raise InputError(f"{name}: damaged: {count} columns, but other ranges")
        for which in ("middle", "least", "most"):
            float(content[which]["start"])
            if not content[which]["trees"]:
                raise InputError(f"{name}: damaged: {which} has no trees")
            for number, tree in enumerate(content[which]["trees"]):
                _check_tree(f"{name}: damaged: {which}, tree {number}", tree, count)
        float(content["widen"])
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{name}: damaged: {type(error).__name__}: {error}") from error


def _check_tree(where: str, tree: dict[str, list[Any]], columns: int) -> None:
    size = len(tree["feature"])
    if size == 0 or any(len(tree[key]) != size for key in _TREE):
        raise InputError(f"{where}: its columns differ in length")
    for node in range(size):
        if tree["feature"][node] >= columns:
            raise InputError(f"{where}, node {node}: no column {tree['feature'][node]}")
        if tree["feature"][node] >= 0 and not (
                node < tree["left"][node] < size and node < tree["right"][node] < size):
            raise InputError(f"{where}, node {node}: its children do not lie behind it")
        float(tree["value"][node])
        float(tree["threshold"][node])


def default_model() -> Model:
    """The model that ships with the package."""
    return Model.read(DEFAULT)


def machine(config: str, settings: dict[str, object] | None = None) -> dict[str, int]:
    """The parameters of a configuration (a name or a file) with settings."""
    from vigpu.sweep.machine import keys, number, resolve
    if any(c in config for c in "\t\n"):
        raise UsageError(f"{config!r}: no configuration")
    numbers = []
    for key, value in (settings or {}).items():
        known = number(value)
        if known is None:
            raise UsageError(f"{key}={value}: expected a number")
        numbers.append((key, known))
    found = resolve([(config, tuple(numbers))])[0]
    if isinstance(found, str):
        raise UsageError(found)
    values = dict(zip(keys(), map(int, found.text.split("\t")), strict=True))
    return {key: values[key] for key in MACHINE}


def predict(model: Model, frame: pd.DataFrame, features: pd.DataFrame) -> pd.DataFrame:
    """Of rows with features and parameters side by side: cycles, cycles_low, cycles_high,
    bound (the largest one), deciding (five columns), outside (columns)."""
    np, pd = need("numpy"), need("pandas")
    x = design.columns(frame, features)
    lacking = [name for name in model.columns if name not in x]
    if lacking:
        raise InputError(f"the model wants {lacking[0]}, which this version does not have; "
                         "train it anew")
    values = x[model.columns].to_numpy(float)
    limits = bounds(frame)
    base = design.base(limits).to_numpy()
    middle = model.trees("middle", values)
    widen = float(model.content["widen"])
    low = np.minimum(model.trees("least", values) - widen, middle)
    high = np.maximum(model.trees("most", values) + widen, middle)
    weights = model.contributions(values)
    order = np.argsort(-np.abs(weights), axis=1, kind="stable")[:, :5]
    return pd.DataFrame({
        "cycles": base * np.exp(middle), "cycles_low": base * np.exp(low),
        "cycles_high": base * np.exp(high), "bound_cycles": base,
        "bound": limits[list(BOUNDS)].idxmax(axis=1),
        "deciding": [[(model.columns[i], float(values[row, i]), float(weights[row, i]))
                      for i in order[row]] for row in range(len(values))],
        "outside": model.outside(values)}, index=frame.index)


def cycles(path: str | os.PathLike[str], config: str = "skl-gt2",
           settings: dict[str, object] | None = None, sample: int = 0,
           model: Model | None = None) -> pd.DataFrame:
    """Predict each launch of a trace on a machine; the columns of predict(), with launch,
    kernel, threads, threads_read before them."""
    pd = need("pandas")
    rows = of_trace(path, sample)
    values = machine(config, settings)
    wide = pd.concat([rows, pd.DataFrame([values] * len(rows), index=rows.index)], axis=1)
    known = _read_features()
    out = predict(model or default_model(), wide, known)
    return pd.concat([rows[["launch", "kernel", "threads", "threads_read"]], out], axis=1)


def _read_features() -> pd.DataFrame:
    frame: pd.DataFrame = need("pandas").read_csv(DATA / "features.csv")
    return frame.set_index("name")


__all__ = ["Model", "cycles", "default_model", "machine", "predict"]

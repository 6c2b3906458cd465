"""Training of the model that ships: gradient-boosted trees on the logarithm of cycles over
the simple bounds, for the middle and for the interval. The same table and seed give the
same file, byte for byte (with the same scikit-learn)."""
from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from vigpu.modules import need
from vigpu.predict import design
from vigpu.predict.bound import bounds
from vigpu.predict.model import FORMAT

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    Array = np.ndarray[Any, Any]

    from vigpu.predict.table import Table

COVER = 0.9  # of the interval
SETTINGS = {"max_iter": 200, "learning_rate": 0.1, "max_leaf_nodes": 24,
            "min_samples_leaf": 8, "l2_regularization": 1.0, "max_bins": 63}
EDGE = {"max_iter": 60, "learning_rate": 0.12, "max_leaf_nodes": 12,
        "min_samples_leaf": 12, "l2_regularization": 1.0, "max_bins": 63}


def regressor(seed: int, **settings: Any) -> Any:
    """scikit-learn's histogram gradient boosting."""
    # A second thread gains nothing on a busy machine, and waits by spinning.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    ensemble = need("sklearn.ensemble")
    return ensemble.HistGradientBoostingRegressor(
        random_state=seed, early_stopping=False, **settings)


def target(frame: pd.DataFrame) -> tuple[Array, Array]:
    """log(cycles / base), and base."""
    np = need("numpy")
    base = design.base(bounds(frame)).to_numpy()
    return np.log(frame["cycles"].to_numpy(float) / base), base


def fit_middle(x: Array, y: Array, seed: int) -> Any:
    """The model of the middle: errors of the logarithm are about relative errors of
    cycles."""
    return regressor(seed, loss="squared_error", **SETTINGS).fit(x, y)


def fit_edges(x: Array, y: Array, seed: int) -> list[Any]:
    """The models of the interval's two ends."""
    return [regressor(seed, loss="quantile", quantile=q, **EDGE).fit(x, y)
            for q in ((1 - COVER) / 2, (1 + COVER) / 2)]


def folds(groups: Array, count: int, seed: int) -> Array:
    """For each row a fold, the same for all rows of a group."""
    np = need("numpy")
    names = np.unique(groups)
    chosen = np.random.default_rng(seed).permutation(len(names)) % count
    out: Array = chosen[np.searchsorted(names, groups)]
    return out


def widening(x: Array, y: Array,
             groups: Array, seed: int) -> float:
    """By how much the interval is moved out so that, of programs that training has not
    seen, COVER of the rows lie inside (conformalised quantile regression)."""
    np = need("numpy")
    fold = folds(groups, 5, seed)
    outside = np.zeros(len(y))
    for k in range(5):
        low, high = fit_edges(x[fold != k], y[fold != k], seed)
        part = fold == k
        outside[part] = np.maximum(low.predict(x[part]) - y[part],
                                   y[part] - high.predict(x[part]))
    return max(0.0, float(np.quantile(outside, COVER)))


def train(table: Table, seed: int = 1) -> dict[str, Any]:
    """The content of a model's file, from all rows of the table."""
    frame = table.rows()
    columns = design.columns(frame, table.features)
    x, (y, _) = columns.to_numpy(float), target(frame)
    low, high = fit_edges(x, y, seed)
    return {
        "format": FORMAT, "seed": seed, "rows": len(frame), "target": "log(cycles / base)",
        "columns": list(columns.columns),
        "low": [_short(v) for v in x.min(axis=0)],
        "high": [_short(v) for v in x.max(axis=0)],
        "cover": COVER,
        "widen": _short(widening(x, y, frame["program"].to_numpy(str), seed)),
        "middle": _export(fit_middle(x, y, seed)),
        "least": _export(low), "most": _export(high)}


def text(content: dict[str, Any]) -> str:
    """The file: one line for each part and tree."""
    lines = []
    for key, value in content.items():
        if isinstance(value, dict):
            trees = ",\n".join(json.dumps(t, separators=(",", ":")) for t in value["trees"])
            lines.append(f'"{key}": {{"start": {json.dumps(value["start"])}, "trees": [\n'
                         f"{trees}]}}")
        else:
            lines.append(f'"{key}": {json.dumps(value)}')
    return "{" + ",\n".join(lines) + "}\n"


def _short(value: float) -> float:
    return float(f"{value:.7g}")


def _export(model: Any) -> dict[str, Any]:
    """scikit-learn's trees as lists; feature -1 is a leaf."""
    trees = []
    for (predictor,) in model._predictors:
        nodes = predictor.nodes
        leaf = nodes["is_leaf"] != 0
        trees.append({
            "feature": [-1 if end else int(f)
                        for end, f in zip(leaf, nodes["feature_idx"], strict=True)],
            "threshold": [0 if end else float(t)  # exact: values may lie close to it
                          for end, t in zip(leaf, nodes["num_threshold"], strict=True)],
            "left": [0 if end else int(n)
                     for end, n in zip(leaf, nodes["left"], strict=True)],
            "right": [0 if end else int(n)
                      for end, n in zip(leaf, nodes["right"], strict=True)],
            "value": _values(nodes, leaf)})
    return {"start": _short(float(model._baseline_prediction.ravel()[0])), "trees": trees}


def _values(nodes: Any, leaf: Any) -> list[float]:
    """Each node's value: a leaf's own, else the mean of those below by their rows."""
    value, count = [0.0] * len(nodes), nodes["count"]
    for node in range(len(nodes) - 1, -1, -1):
        if leaf[node]:
            value[node] = float(nodes["value"][node])
        else:
            left, right = int(nodes["left"][node]), int(nodes["right"][node])
            value[node] = ((value[left] * float(count[left]) +
                            value[right] * float(count[right])) / float(count[node]))
    return [_short(v) for v in value]

"""How well models predict what they have not seen: cross-validation in the paper's way, and
in harder ones."""
from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from vigpu.modules import need
from vigpu.predict import design, linear, train
from vigpu.predict.table import PRESETS

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from vigpu.predict.table import Table

    Array = np.ndarray[Any, Any]

INLIERS = (50, 40, 30, 20, 15, 10, 5, 1)
HELD_OUT = 8  # one launch name of so many is held out


def held_out(frame: pd.DataFrame) -> Array:
    """The rows of the held-out set: by a digest of the workload's name, so that it stays
    the same whatever else is in the table. No setting was chosen by it."""
    np = need("numpy")
    out: Array = np.array([hashlib.sha256(name.encode()).digest()[0] % HELD_OUT == 0
                           for name in frame["name"]])
    return out


def errors(y: Array, f: Array) -> Array:
    """Absolute percentage errors."""
    np = need("numpy")
    out: Array = 100 * np.abs(y - f) / y
    return out


def inliers(error: Array) -> dict[str, float]:
    """Share of rows whose error is at most so much, in per cent."""
    return {f"I{limit}": 100 * float((error <= limit).mean()) for limit in INLIERS}


def _split(groups: Array, count: int, seed: int) -> Array:
    return train.folds(groups, count, seed)


def paper(table: Table, sets: tuple[str, ...], count: int = 10, seed: int = 1,
          machine: str = "skl-gt2", models: list[str] | None = None) -> pd.DataFrame:
    """The fifteen models, features of `sets` alone, one machine: E_in, E_out, inliers."""
    np, pd = need("numpy"), need("pandas")
    frame = table.rows()
    frame = frame[(frame["machine"] == machine) & ~held_out(frame)].reset_index(drop=True)
    columns = [n for n, s in table.features["set"].items() if s in sets]
    x, y = frame[columns].to_numpy(float), frame["cycles"].to_numpy(float)
    fold = _split(frame.index.astype(str).to_numpy(str), count, seed)
    rows = []
    for category, name in linear.names():
        if models is not None and name not in models:
            continue
        inside, outside, used = [], np.zeros(len(y)), []
        for k in range(count):
            part = fold != k
            predict, features = linear.fit(name, x[part], y[part], seed)
            inside.append(errors(y[part], predict(x[part])).mean())
            outside[~part] = errors(y[~part], predict(x[~part]))
            used.append(features)
        rows.append({"category": category, "model": name, "features": int(np.median(used)),
                     "E_in": float(np.mean(inside)), "E_out": float(outside.mean()),
                     **inliers(outside)})
    return pd.DataFrame(rows)


def forest_sizes(table: Table, count: int = 10, seed: int = 1) -> pd.DataFrame:
    """E_out of the paper's forest with 2 to 1,024 trees: the first trees of one forest."""
    np, pd = need("numpy"), need("pandas")
    frame = table.rows()
    frame = frame[(frame["machine"] == "skl-gt2") & ~held_out(frame)].reset_index(drop=True)
    x = frame[list(table.features.index)].to_numpy(float)
    y = frame["cycles"].to_numpy(float)
    fold = _split(frame.index.astype(str).to_numpy(str), count, seed)
    sizes = [2 ** k for k in range(1, 11)]
    out = {size: np.zeros(len(y)) for size in sizes}
    for k in range(count):
        part = fold != k
        model = need("sklearn.ensemble").RandomForestRegressor(
            n_estimators=sizes[-1], max_features=1 / 3, min_samples_leaf=5,
            random_state=seed).fit(x[part], y[part])
        trees = np.array([tree.predict(x[~part]) for tree in model.estimators_])
        for size in sizes:
            out[size][~part] = errors(y[~part], trees[:size].mean(axis=0))
    return pd.DataFrame({"trees": sizes, "E_out": [out[s].mean() for s in sizes]})


Fit = Callable[["Array", "Array", int], Callable[["Array"], "Array"]]


def boosted(x: Array, y: Array, seed: int) -> Callable[[Array], Array]:
    """The model that ships."""
    predict: Callable[[Array], Array] = train.fit_middle(x, y, seed).predict
    return predict


def forest(x: Array, y: Array, seed: int) -> Callable[[Array], Array]:
    """The paper's forest, on our columns and target."""
    return linear._forest(x, y, seed, 64)[0]


def hybrid(table: Table, groups: str, count: int, seed: int = 1, fit: Fit = boosted,
           target: str = "hybrid") -> tuple[pd.DataFrame, Array]:
    """Cross-validation with the rows of one value of the column `groups` together: the
    frame, and each row's prediction of cycles. target: "hybrid" (over the bounds), "log"
    (of cycles), "bound" (no model at all)."""
    np = need("numpy")
    frame = table.rows()
    frame = frame[~held_out(frame)].reset_index(drop=True)
    columns = design.columns(frame, table.features)
    log_ratio, base = train.target(frame)
    x = columns.to_numpy(float)
    y = log_ratio if target == "hybrid" else np.log(frame["cycles"].to_numpy(float))
    if target == "bound":
        return frame, base
    if target == "log":
        x = x[:, [not c.startswith("bound.") for c in columns]]
    if groups == "machine":  # the presets one at a time, all swept ones together
        names = frame["machine"].where(frame["machine"].isin(PRESETS), "swept").to_numpy(str)
        kinds, fold = np.unique(names, return_inverse=True)
        count = len(kinds)
    else:
        names = frame.index.to_numpy() if groups == "row" else frame[groups].to_numpy()
        fold = _split(names.astype(str), count, seed)
    out = np.zeros(len(y))
    for k in range(count):
        part = fold != k
        if part.all() or not part.any():
            continue
        out[~part] = fit(x[part], y[part], seed)(x[~part])
    return frame, np.exp(out) * (base if target == "hybrid" else 1)


def on_held_out(table: Table, seed: int = 1) -> tuple[pd.DataFrame, Array, Array, Array]:
    """Train without the held-out set, predict it: its rows, cycles, and the interval."""
    np = need("numpy")
    frame = table.rows()
    out = held_out(frame)
    x = design.columns(frame, table.features).to_numpy(float)
    y, base = train.target(frame)
    middle = train.fit_middle(x[~out], y[~out], seed).predict(x[out])
    low, high = train.fit_edges(x[~out], y[~out], seed)
    widen = train.widening(x[~out], y[~out], frame["program"].to_numpy(str)[~out], seed)
    return (frame[out].reset_index(drop=True), base[out] * np.exp(middle),
            base[out] * np.exp(np.minimum(low.predict(x[out]) - widen, middle)),
            base[out] * np.exp(np.maximum(high.predict(x[out]) + widen, middle)))


def ranking(table: Table, seed: int = 1) -> pd.DataFrame:
    """Features of the paper's forest (all machines' rows of skl-gt2, log of cycles) by
    three measures: the fall of the residuals' sum of squares, permutation on rows that the
    trees have not seen, and mean |SHAP| where the package shap is installed."""
    np, pd = need("numpy"), need("pandas")
    frame = table.rows()
    frame = frame[(frame["machine"] == "skl-gt2") & ~held_out(frame)].reset_index(drop=True)
    names = list(table.features.index)
    x = frame[names].to_numpy(float)
    y = np.log(frame["cycles"].to_numpy(float))
    part = _split(frame.index.astype(str).to_numpy(str), 4, seed) != 0
    model = need("sklearn.ensemble").RandomForestRegressor(
        n_estimators=128, max_features=1 / 3, min_samples_leaf=5, random_state=seed)
    model.fit(x[part], y[part])
    permuted = need("sklearn.inspection").permutation_importance(
        model, x[~part], y[~part], n_repeats=3, random_state=seed)
    out = pd.DataFrame({"feature": names, "set": table.features["set"].to_list(),
                        "RSS": 100 * model.feature_importances_,
                        "permutation": permuted.importances_mean})
    try:
        import shap
        out["SHAP"] = np.abs(shap.TreeExplainer(model).shap_values(x[~part][:100])).mean(axis=0)
    except ImportError:
        out["SHAP"] = np.nan
    return out.sort_values("RSS", ascending=False).reset_index(drop=True)

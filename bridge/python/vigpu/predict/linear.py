"""The fifteen models of the published method in five categories: a forest; OLS and NNLS,
each full and stepwise forwards and backwards by AIC and BIC; lasso and elastic net, plain
and with coefficients that are not negative. All on raw features and cycles, as published.

Fits are scikit-learn's, statsmodels' and SciPy's; the order in which a step tries features
is ours (the largest fall of the residuals' sum of squares).
"""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from vigpu.modules import need

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]
    Predictor = Callable[[Array], Array]

MOST_STEPS = 80  # features of a stepwise model


def names() -> list[tuple[str, str]]:
    """(category, model) of the fifteen, in order."""
    steps = ["full"] + [f"{way} {by}" for way in ("forward", "backward")
                        for by in ("AIC", "BIC")]
    return ([("forest", "random forest")] + [("OLS", f"OLS {s}") for s in steps] +
            [("NNLS", f"NNLS {s}") for s in steps] +
            [("regularised", m) for m in ("lasso", "elastic net")] +
            [("regularised NNLS", m) for m in ("lasso >= 0", "elastic net >= 0")])


def fit(name: str, x: Array, y: Array, seed: int = 1) -> tuple[Predictor, int]:
    """The fitted model's prediction, and how many features it uses."""
    if name == "random forest":
        return _forest(x, y, seed)
    scale = _scaled(x)
    kind, _, way = name.partition(" ")
    if kind in ("OLS", "NNLS"):
        chosen, weights = _least_squares(kind == "NNLS", way, scale(x), y)

        def predict(new: Array) -> Array:
            out: Array = scale(new)[:, chosen] @ weights[1:] + weights[0]
            return out

        return predict, int((weights[1:] != 0).sum())
    return _regularised(name, scale, x, y, seed)


def _forest(x: Array, y: Array, seed: int, trees: int = 128) -> tuple[Predictor, int]:
    model = need("sklearn.ensemble").RandomForestRegressor(
        n_estimators=trees, max_features=1 / 3, min_samples_leaf=5, random_state=seed)
    model.fit(x, y)
    return model.predict, int((model.feature_importances_ > 0).sum())


def _scaled(x: Array) -> Callable[[Array], Array]:
    """Columns divided by their largest value: coefficients keep their signs."""
    np = need("numpy")
    size = np.abs(x).max(axis=0)
    size[size == 0] = 1

    def divided(new: Array) -> Array:
        out: Array = new / size
        return out

    return divided


def _regularised(name: str, scale: Callable[[Array], Array], x: Array, y: Array,
                 seed: int) -> tuple[Predictor, int]:
    linear = need("sklearn.linear_model")
    lasso = name.startswith("lasso")
    ratio: float | list[float] = 1.0 if lasso else [0.2, 0.5, 0.9]
    # The path of penalties must go far down for the elastic net: a square's penalty that only
    # begins to choose among columns still shrinks all coefficients to nearly nothing.
    model = linear.ElasticNetCV(l1_ratio=ratio, positive=name.endswith(">= 0"), cv=5,
                                n_alphas=20, eps=1e-3 if lasso else 1e-7, max_iter=2000,
                                tol=1e-3, random_state=seed, selection="random")
    model.fit(scale(x), y)

    def predict(new: Array) -> Array:
        out: Array = model.predict(scale(new))
        return out

    return predict, int((model.coef_ != 0).sum())


def _least_squares(positive: bool, way: str, x: Array, y: Array) -> tuple[Array, Array]:
    """(columns, intercept and weights)."""
    np = need("numpy")
    everything = np.arange(x.shape[1])
    if way == "full":
        chosen = everything if positive else _independent(x)
    else:
        direction, by = way.split()
        start = everything
        if positive:  # what the constraint leaves is where steps can be
            start = np.flatnonzero(_solve(True, x, y)[1:] > 0)
        order = _forwards(x[:, start], y)
        if direction == "backward":
            order = _backwards(x[:, start], y, order)
        chosen = start[_best(x[:, start], y, order, by)]
    return chosen, _solve(positive, x[:, chosen], y)


def _independent(x: Array) -> Array:
    """The columns without those that others give, to 1e-7, as R's lm leaves them out: their
    weights would be arbitrary, and enormous on rows where the relation does not hold."""
    np = need("numpy")
    _, r, order = need("scipy.linalg").qr(x - x.mean(axis=0), mode="economic", pivoting=True)
    size = np.abs(np.diag(r))
    kept: Array = np.sort(order[:len(size)][size > 1e-7 * size[0]])
    return kept


def _solve(positive: bool, x: Array, y: Array) -> Array:
    np = need("numpy")
    wide = np.column_stack([np.ones(len(x)), x])
    if positive:
        solution: Array = need("scipy.optimize").nnls(wide, y, maxiter=50 * wide.shape[1])[0]
        return solution
    result = need("statsmodels.api").OLS(y, wide).fit()
    weights: Array = result.params
    return weights


def _forwards(x: Array, y: Array) -> list[int]:
    """Columns by how much each lowers the residuals' sum of squares after those before."""
    np = need("numpy")
    rest, left = x - x.mean(axis=0), y - y.mean()
    least = 1e-9 * (rest ** 2).sum(axis=0)
    order: list[int] = []
    while len(order) < min(MOST_STEPS, x.shape[1]):
        power = (rest ** 2).sum(axis=0)
        gain = np.where(power > np.maximum(least, 1e-12),
                        (rest.T @ left) ** 2 / np.maximum(power, 1e-300), -1)
        gain[order] = -1
        best = int(gain.argmax())
        if gain[best] <= 0:
            break
        unit = rest[:, best] / np.sqrt(power[best])
        left = left - unit * (unit @ left)
        rest = rest - np.outer(unit, unit @ rest)
        order.append(best)
    return order


def _backwards(x: Array, y: Array, columns: list[int]) -> list[int]:
    """The reverse of the order in which the least useful column is dropped, among those
    that are independent."""
    np = need("numpy")
    kept, dropped = list(columns), []
    while len(kept) > 1:
        wide = np.column_stack([np.ones(len(x)), x[:, kept]])
        inverse = np.linalg.pinv(wide.T @ wide)
        weights = inverse @ (wide.T @ y)
        loss = weights[1:] ** 2 / np.maximum(np.diag(inverse)[1:], 1e-300)
        dropped.append(kept.pop(int(loss.argmin())))
    return kept + dropped[::-1]


def _best(x: Array, y: Array, order: list[int], by: str) -> list[int]:
    """The first columns of the order with the least AIC or BIC."""
    np = need("numpy")
    n, best, chosen = len(y), np.inf, order[:1]
    rest, left = x - x.mean(axis=0), y - y.mean()
    for k, column in enumerate(order, 1):
        unit = rest[:, column]
        power = float(unit @ unit)
        if power > 1e-12:
            unit = unit / np.sqrt(power)
            left = left - unit * (unit @ left)
            rest = rest - np.outer(unit, unit @ rest)
        rss = max(float(left @ left), 1e-300)
        score = n * np.log(rss / n) + (2 if by == "AIC" else np.log(n)) * (k + 1)
        if score < best:
            best, chosen = score, order[:k]
    return chosen

"""The tables of docs/guide/predict.md about frames, as Markdown."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vigpu.modules import need
from vigpu.predict import frames, train, validate
from vigpu.predict.logs import exp
from vigpu.predict.report import SLOW, published, table

if TYPE_CHECKING:
    import pandas as pd

    from vigpu.predict.bound import Array

FOLDS = 10


def _line(error: Array) -> list[float]:
    return [float(error.mean()), float(need("numpy").median(error)),
            *validate.inliers(error).values()]


def _ours(made: frames.Trainer, quick: bool) -> str:
    np = need("numpy")
    del quick
    rows: list[list[Any]] = []

    def add(model: str, apart: str, guess: Array) -> None:
        error = validate.errors(made.cycles, guess)
        rows.extend([model, apart, name, *_line(error[made.machine == name])]
                    for name in frames.MACHINES)

    add("base, times one factor for all", "-",
        made.base * exp(np.full(len(made.y), made.y.mean())))
    for groups, count, name in (("frame", FOLDS, "10 folds of frames"),
                                ("program", FOLDS, "10 folds of programs"),
                                ("program", 0, "one program at a time")):
        told = made.apart(made.folds(groups, count))
        add("boosted trees over base", name, made.base * exp(told[0]))
        if count == 0:
            inside = _inside(made, told)
    head = ["model", "apart", "machine", "error", "median", *(f"{i} %" for i in validate.INLIERS)]
    return (f"{len(made.y) // len(frames.MACHINES)} frames of "
            f"{made.frame['program'].nunique()} programs, {len(made.names)} counters.\n\n{table(rows, head)}\n{inside}")


def _inside(made: frames.Trainer, told: Array) -> str:
    """How the intervals hold, one program at a time, each widened by the others."""
    np = need("numpy")
    names, outside = made.frame["program"].to_numpy(str), made.outside(told)
    widen = np.zeros(len(names))
    for name in np.unique(names):
        widen[names == name] = train.widening(outside[names != name])
    low, high = told[1] - widen, told[2] + widen
    inside = ((made.y >= np.minimum(low, told[0])) & (made.y <= np.maximum(high, told[0])))
    return (f"Of programs that training has not seen {100 * inside.mean():.1f} % lie inside the "
            f"90 % interval, whose ends are a factor of {np.exp(np.median(high - low)):.2f} "
            "apart (median).\n")


def _first(made: frames.Trainer) -> tuple[Array, Array, Array]:
    """Which rows are the first machine's; their counters and cycles."""
    rows = made.machine == frames.MACHINE
    return rows, made.frame[made.names].to_numpy(float)[rows], made.cycles[rows]


def _paper(made: frames.Trainer, quick: bool) -> str:
    from vigpu.predict import linear
    out = []
    rows_of, x, cycles = _first(made)
    chosen = [n for _, n in linear.names() if n not in SLOW] if quick else None
    for groups in ("frame", "program"):
        told = validate.fifteen(x, cycles, made.folds(groups, FOLDS)[rows_of], made.seed,
                                 chosen)
        rows = [[row["model"], row["features"], float(row["E_in"]), float(row["E_out"]),
                 *(float(row[f"I{i}"]) for i in validate.INLIERS), *published(row["model"])]
                for _, row in told.iterrows()]
        out.append(f"{FOLDS} folds of {groups}s.\n\n" + table(rows, [
            "model", "features", "E_in", "E_out", *(f"{i} %" for i in validate.INLIERS),
            "paper's E_in", "its E_out"]))
    return "\n".join(out)


def _rank(made: frames.Trainer, quick: bool) -> str:
    """By the fall of the residuals' sum of squares in a forest on log(cycles), and by
    permutation on the quarter of programs that it has not seen."""
    np = need("numpy")
    del quick
    rows_of, x, cycles = _first(made)
    y, part = np.log(cycles), made.folds("program", 4)[rows_of] != 0
    model = need("sklearn.ensemble").RandomForestRegressor(
        n_estimators=128, max_features=1 / 3, min_samples_leaf=5, random_state=made.seed)
    model.fit(x[part], y[part])
    lost = need("sklearn.inspection").permutation_importance(
        model, x[~part], y[~part], n_repeats=3, random_state=made.seed).importances_mean
    order = np.argsort(-model.feature_importances_)[:20]
    places = np.argsort(np.argsort(-lost)) + 1
    rows = [[i + 1, f"`{made.names[k]}`", float(100 * model.feature_importances_[k]),
             f"{lost[k]:.4f}", int(places[k])] for i, k in enumerate(order)]
    return table(rows, ["rank", "counter", "RSS, %", "permutation", "its rank"])


PARTS = {"ours": ("Ours", _ours), "paper": ("The paper's fifteen models", _paper),
         "rank": ("What decides", _rank)}


def validation(data: pd.DataFrame, quick: bool, seed: int, parts: list[str]) -> str:
    """All tables, or some."""
    made = frames.Trainer(data, seed)
    return "\n".join(f"### {PARTS[part][0]}\n\n{PARTS[part][1](made, quick)}"
                     for part in parts or PARTS)

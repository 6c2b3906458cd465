"""The tables of docs/predict.md, as Markdown."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vigpu.modules import need
from vigpu.predict import linear, validate

if TYPE_CHECKING:
    from vigpu.predict.table import Table

# E_in and E_out of the published tables 2 and 3, per category's best model, in per cent.
PUBLISHED = {"native+characterisation": {"forest": (5.76, 14.34), "OLS": (18.43, 21.86),
                                         "NNLS": (27.05, 28.34), "regularised": (20.08, 20.09),
                                         "regularised NNLS": (35.32, 34.35)},
             "native": {"forest": (18.29, 52.34), "OLS": (74.27, 78.41),
                        "NNLS": (106.3, 108.32), "regularised": (75.39, 75.41),
                        "regularised NNLS": (105.13, 105.85)}}
# What the quick form leaves out.
SLOW = ("lasso", "elastic net", "lasso >= 0", "elastic net >= 0")


def table(rows: list[list[Any]], head: list[str]) -> str:
    """A Markdown table; numbers with a digit behind the point."""
    def cell(value: Any) -> str:
        return f"{value:.1f}" if isinstance(value, float) else str(value)
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(map(cell, line)) + " |\n" for line in lines)


def _inlier_cells(error: Any) -> list[float]:
    return list(validate.inliers(error).values())


def _paper(data: Table, quick: bool, seed: int) -> str:
    out = []
    models = [n for _, n in linear.names() if n not in SLOW] if quick else None
    for sets in (("native", "characterisation"), ("native",)):
        name = "+".join(sets)
        frame = validate.paper(data, sets, seed=seed, models=models)
        rows = []
        for _, row in frame.iterrows():
            best = row["E_out"] == frame.loc[frame["category"] == row["category"],
                                             "E_out"].min()
            told = PUBLISHED[name][row["category"]] if best else ("", "")
            rows.append([row["model"], row["features"], float(row["E_in"]),
                         float(row["E_out"]), *(float(row[f"I{i}"]) for i in validate.INLIERS),
                         *(str(t) for t in told)])
        out.append(f"Features: {name}.\n\n" + table(rows, [
            "model", "features", "E_in", "E_out", *(f"{i} %" for i in validate.INLIERS),
            "paper's E_in", "E_out"]))
    return "\n".join(out)


def _ours(data: Table, quick: bool, seed: int) -> str:
    rows = []
    plans: list[tuple[str, str, int, Any, str]] = [
        ("bounds alone", "name", 10, validate.boosted, "bound"),
        ("boosted trees over the bounds", "row", 10, validate.boosted, "hybrid"),
        ("", "launch", 10, validate.boosted, "hybrid"),
        ("", "program", 12, validate.boosted, "hybrid"),
        ("", "machine", 0, validate.boosted, "hybrid"),
        ("boosted trees, log of cycles", "launch", 10, validate.boosted, "log"),
        ("", "program", 12, validate.boosted, "log"),
        ("forest over the bounds", "launch", 10, validate.forest, "hybrid"),
        ("", "program", 12, validate.forest, "hybrid")]
    for name, groups, count, fit, target in plans:
        if quick and target != "bound" and (fit is not validate.boosted or target == "log"):
            continue
        frame, guess = validate.hybrid(data, groups, count, seed, fit, target)
        error = validate.errors(frame["cycles"].to_numpy(float), guess)
        apart = {"row": "10 folds of rows", "launch": "10 folds of launches", "name": "-",
                 "program": "12 folds of programs", "machine": "one machine at a time"}
        rows.append([name, apart[groups], len(error), float(error.mean()),
                     float(need("numpy").median(error)), *_inlier_cells(error)])
    return table(rows, ["model", "apart", "rows", "error", "median",
                        *(f"{i} %" for i in validate.INLIERS)])


def _held_out(data: Table, seed: int) -> str:
    frame, guess, low, high = validate.on_held_out(data, seed)
    cycles = frame["cycles"].to_numpy(float)
    error = validate.errors(cycles, guess)
    inside = 100 * float(((cycles >= low) & (cycles <= high)).mean())
    width = float(need("numpy").median(high / low))
    return (f"{len(error)} rows of {frame['name'].nunique()} workloads that no setting was "
            f"chosen by: error {error.mean():.1f} %, median "
            f"{need('numpy').median(error):.1f} %; {inside:.1f} % inside the 90 % interval, "
            f"whose ends are a factor of {width:.2f} apart (median).\n")


def validation(data: Table, quick: bool, seed: int) -> str:
    """Section 4's tables."""
    sizes = ""
    if not quick:
        frame = validate.forest_sizes(data, seed=seed)
        sizes = "\n### Trees of the paper's forest\n\n" + table(
            [["E_out", *map(float, frame["E_out"])]], ["trees", *map(str, frame["trees"])])
    return (f"### The paper's models, 10-fold, skl-gt2\n\n{_paper(data, quick, seed)}{sizes}"
            f"\n### Ours, all machines\n\n{_ours(data, quick, seed)}"
            f"\n### Held out\n\n{_held_out(data, seed)}")


def ranking(data: Table, seed: int) -> str:
    """Section 5's table: the first twenty by the paper's measure."""
    frame = validate.ranking(data, seed)
    for measure in ("permutation", "SHAP"):
        frame[f"{measure} rank"] = frame[measure].rank(ascending=False)
    rows = []
    for i, row in frame.head(20).iterrows():
        shap = "" if row["SHAP"] != row["SHAP"] else f"{row['SHAP rank']:.0f}"
        rows.append([i + 1, f"`{row['feature']}`", row["set"], float(row["RSS"]),
                     f"{row['permutation']:.4f}", f"{row['permutation rank']:.0f}", shap])
    note = ("" if frame["SHAP"].notna().any() else
            "\nThe package shap is not installed: no ranking by SHAP.\n")
    return table(rows, ["rank", "feature", "set", "RSS, %", "permutation", "its rank",
                        "SHAP's rank"]) + note

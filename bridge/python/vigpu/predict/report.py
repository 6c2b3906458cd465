"""The tables of docs/lab/2026-11-predict.md, as Markdown."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from vigpu.modules import need
from vigpu.predict import linear, validate
from vigpu.predict.validate import Study

if TYPE_CHECKING:
    from vigpu.predict.table import Table

# E_in and E_out of the published tables 2 and 3, of each category's best model, in per cent.
PUBLISHED = {"native+characterisation": {"random forest": (5.76, 14.34),
                                         "OLS forward AIC": (18.43, 21.86),
                                         "NNLS backward AIC": (27.05, 28.34),
                                         "elastic net": (20.08, 20.09),
                                         "lasso >= 0": (35.32, 34.35)},
             "native": {"random forest": (18.29, 52.34), "OLS backward BIC": (74.27, 78.41),
                        "NNLS full": (106.3, 108.32), "elastic net": (75.39, 75.41),
                        "lasso >= 0": (105.13, 105.85)}}
_MANY = {"launch": "launches", "program": "programs"}


def published(model: str) -> tuple[str, str]:
    """The paper's E_in and E_out of the model with all features; "" where it gives none."""
    inside, outside = PUBLISHED["native+characterisation"].get(model, ("", ""))
    return str(inside), str(outside)


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


def _paper(study: Study, quick: bool) -> str:
    out = []
    models = [n for _, n in linear.names() if n not in SLOW] if quick else None
    for sets in (("native", "characterisation"), ("native",)):
        name = "+".join(sets)
        frame = validate.paper(study.table, sets, seed=study.seed, models=models)
        rows = []
        for _, row in frame.iterrows():
            told = PUBLISHED[name].get(row["model"], ("", ""))
            rows.append([row["model"], row["features"], float(row["E_in"]),
                         float(row["E_out"]), *(float(row[f"I{i}"]) for i in validate.INLIERS),
                         *(str(t) for t in told)])
        listed = " and ".join(sets)
        out.append(f"Features: {listed}; {frame['rows'].iloc[0]} rows.\n\n" + table(rows, [
            "model", "features", "E_in", "E_out", *(f"{i} %" for i in validate.INLIERS),
            "paper's E_in", "its E_out"]))
    return "\n".join(out)


def _errors(error: Any) -> list[float]:
    return [float(error.mean()), float(need("numpy").median(error))]


def _ours(study: Study, quick: bool) -> str:
    made = study.made
    guesses: list[tuple[str, str, Callable[[], Any]]] = [
        ("bounds alone, nothing fitted", "-", lambda: made.base),
        ("boosted trees over the bounds", "10 folds of rows",
         lambda: validate.hybrid(study, "row", 10)),
        ("", "10 folds of launches", lambda: study.apart("launch", 10).guess()),
        ("", "one program at a time", lambda: study.apart("program", 0).guess()),
        ("", "one machine at a time", lambda: study.apart("machine", 0).guess())]
    if not quick:
        guesses += [("the same on log(cycles), without bounds", "10 folds of launches",
                     lambda: validate.hybrid(study, "launch", 10, "log")),
                    ("", "12 folds of programs",
                     lambda: validate.hybrid(study, "program", 12, "log"))]
    rows = []
    for name, apart, guess in guesses:
        error = validate.errors(made.cycles, guess())
        rows.append([name, apart, *_errors(error), *_inlier_cells(error)])
    return f"{len(made.cycles)} rows.\n\n" + table(rows, [
        "model", "apart", "error", "median", *(f"{i} %" for i in validate.INLIERS)])


def _machines(study: Study, quick: bool) -> str:
    del quick
    apart, keys = study.apart("machine", 0), study.keys("machine")
    cycles = validate.errors(study.made.cycles, apart.guess())
    energy = validate.errors(study.made.nj, apart.nj)
    rows = [[name, int((keys == name).sum()), *_errors(cycles[keys == name]),
             *_errors(energy[keys == name])] for name in sorted(set(keys))]
    return table(rows, ["machine left out", "rows", "cycles: error", "median", "energy: error",
                        "median"])


def _programs(study: Study, quick: bool) -> str:
    """One program at a time: cycles, energies, and the intervals of both."""
    del quick
    made, names, apart = study.made, study.keys("program"), study.apart("program", 0)
    told = validate.inside(apart, names)
    error = validate.errors(made.cycles, apart.guess())
    joule = validate.errors(made.nj, apart.nj)
    sums = validate.program_sums(apart, names)
    rows = []
    for name in (*sorted(set(names)), "all"):
        part = names == name if name != "all" else names == names
        rows.append([name, int(part.sum()), *_errors(error[part]),
                     100 * float(told["cycles"][part].mean()), *_errors(joule[part]),
                     100 * float(told["energy"][part].mean())])
    middle = need("numpy").median
    return table(rows, ["program left out", "rows", "cycles: error", "median", "inside, %",
                        "energy: error", "median", "inside, %"]) + (
        f"\nEnds of the 90 % intervals: a factor of {middle(told['width']):.2f} apart for "
        f"cycles, {middle(told['energy width']):.2f} for energy (medians). Sums over all "
        f"launches of a program on a machine ({len(sums)}): error "
        f"{sums['error'].mean():.1f} %, {100 * sums['inside'].mean():.1f} % inside the sums "
        f"of the ends.\n")


def _energy(study: Study, quick: bool) -> str:
    del quick
    from vigpu.predict import joules
    made = study.made
    base = joules.total(made.parts, made.cycles)
    rows: list[list[Any]] = [["simple sums, simulated cycles", "-",
                              *_errors(validate.errors(made.nj, base))]]
    for groups, count, name in (("launch", 10, "10 folds of launches"),
                                ("program", 0, "one program at a time"),
                                ("machine", 0, "one machine at a time")):
        rows.append(["corrected, predicted cycles", name,
                     *_errors(validate.errors(made.nj, study.apart(groups, count).nj))])
        if groups == "launch":
            told = made.energy_with(made.cycles, study.keys(groups), count)
            rows.append(["corrected, simulated cycles", name,
                         *_errors(validate.errors(made.nj, told))])
    return table(rows, ["energy of package and DRAM", "apart", "error", "median"])


def _intervals(study: Study, quick: bool) -> str:
    rows: list[list[Any]] = []
    for groups, count in (("launch", 10), ("program", 0)):
        name = f"{count} folds of {_MANY[groups]}" if count else f"one {groups} at a time"
        apart, y = study.apart(groups, count), study.made.cycles
        rows.append(["boosted quantiles", name, 90, *validate.share(y, apart.ends(0.0)), ""])
        if groups == "program":
            told = validate.inside(apart, study.keys(groups))
            shown = 100 * float(told["cycles"].mean()), f"{told['width'].median():.2f}"
        else:
            shown = validate.share(y, apart.ends(study.unseen()[0]))
        rows.append(["the same, widened for unseen programs", name, 90, *shown, ""])
    for groups, count in (("launch", 5), ("program", 6)) if not quick else ():
        frame, error = validate.forest_intervals(study, groups, count)
        rows += [["quantile forest", f"{count} folds of {_MANY[groups]}", int(row["level"]),
                  float(row["inside"]), row["factor"], float(error.mean())]
                 for _, row in frame.iterrows()]
    return table(rows, ["interval", "apart", "level, %", "inside, %", "ends, factor",
                        "median's error"])


def _held_out(study: Study, quick: bool) -> str:
    del quick
    told = validate.on_held_out(study)
    error = validate.errors(told.cycles, told.guess)
    joule = validate.errors(told.nj, told.energy)
    middle = need("numpy").median
    folds = validate.errors(study.made.cycles, study.apart("launch", 10).guess()).mean()
    return (f"{len(error)} rows of {told.frame['name'].nunique()} workloads that no setting was "
            f"chosen by. Cycles: error {error.mean():.1f} %, median {middle(error):.1f} %, "
            f"{error.mean() / folds:.2f} times that of the folds of launches; "
            f"{told.cycles_inside:.1f} % inside the 90 % interval, whose ends are a factor of "
            f"{told.width:.2f} apart (median). Energy: error {joule.mean():.1f} %, median "
            f"{middle(joule):.1f} %; {told.energy_inside:.1f} % inside, ends a factor of "
            f"{told.energy_width:.2f} apart.\n")


def _sizes(study: Study, quick: bool) -> str:
    if quick:
        return "Left out by --quick.\n"
    frame = validate.forest_sizes(study.table, seed=study.seed)
    return table([["E_out", *map(float, frame["E_out"])]],
                 ["trees", *map(str, frame["trees"])])


# The parts of the validation, and what makes each.
PARTS = {"ours": ("Ours, all machines", _ours),
         "programs": ("One program at a time", _programs),
         "machines": ("One machine at a time", _machines),
         "energy": ("Energy", _energy),
         "intervals": ("Intervals of cycles", _intervals),
         "held-out": ("Held out", _held_out),
         "paper": ("The paper's fifteen models, 10-fold, `skl-gt2`", _paper),
         "trees": ("Trees of the paper's forest, `skl-gt2`", _sizes)}


def validation(data: Table, quick: bool, seed: int, parts: Sequence[str] = ()) -> str:
    """Section 4's tables: all parts, or some."""
    study = Study(data, seed)
    return "\n".join(f"### {PARTS[part][0]}\n\n{PARTS[part][1](study, quick)}"
                     for part in parts or PARTS)


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

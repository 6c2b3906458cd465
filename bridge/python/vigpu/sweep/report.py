"""The report of a sweep: one HTML page."""
from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING, Any

from vigpu import plots
from vigpu.page import template
from vigpu.sweep import analysis, figures
from vigpu.sweep.database import Database
from vigpu.sweep.drive import duration
from vigpu.sweep.read import read

if TYPE_CHECKING:
    import pandas as pd

_ROWS = 20  # of a front's table
AREA = ("The area is an estimate by storage and EUs (docs/guide/sweeps.md, section 6), good for "
        "comparing these configurations and for nothing else.")


def table(path: str, sweep: str) -> pd.DataFrame:
    """The points of the sweep, a row each, with what the report adds to them."""
    return _study(path, sweep).points


def _study(path: str, sweep: str) -> analysis.Study:
    return analysis.study(read(path, sweep, totals=True),
                          read(path, sweep, totals=True, all_parameters=True))


def html(path: str, sweep: str, baseline: str | None = None, statistic: str = "cycles") -> str:
    """The page; nothing is loaded from elsewhere. baseline: KEY=VALUE of the points that the
    others are held against, by `statistic`."""
    made = _study(path, sweep)
    points = made.points
    effects = analysis.effects(made)
    pairs = analysis.pairs(made, [effect.parameter for effect in effects])
    with Database(path) as database, database.told():
        planned = database.db.execute("SELECT count(*) FROM plan WHERE sweep = ?",
                                      (sweep,)).fetchone()[0]
    text: str = template(pathlib.Path(__file__).parent, "page.html.j2").render(
        name=sweep, points=len(points), missing=planned - len(points),
        configs=points["config"].nunique(), engines=sorted(points["engine"].unique()),
        models=sorted(points["model"].unique()), cpu=duration(points["cpu_seconds"].sum()),
        traces=_traces(made), effects=[_effect_row(made, effect) for effect in effects],
        paired=all(effect.paired for effect in effects),
        sensitivity=plots.inline_svg(figures.sensitivity(effects),
                                     "relative time by each parameter") if effects else "",
        pairs=[{"title": f"{pair.rows} and {pair.columns}", "figure": plots.inline_svg(
            figures.heat_map(pair), f"relative time by {pair.rows} and {pair.columns}")}
            for pair in pairs],
        fronts=_fronts(made),
        against=_against(analysis.compare(made, baseline, statistic)) if baseline else None)
    return text


def bars(path: str, sweep: str, baseline: str, statistic: str, form: str) -> bytes:
    """The page's bars against the baseline alone, as a file of this format (plots.FORMATS)."""
    made = analysis.compare(_study(path, sweep), baseline, statistic)
    return plots.save(figures.bars(made), form)


def _against(made: analysis.Comparison) -> dict[str, Any]:
    return {"statistic": made.statistic, "baseline": made.baseline,
            "left_out": ", ".join(made.left_out),
            "figure": plots.inline_svg(figures.bars(made),
                                       f"{made.statistic} against {made.baseline}"),
            "table": made.table.to_html(border=0, float_format="{:.3f}".format,
                                        classes="points")}


def _traces(made: analysis.Study) -> list[dict[str, Any]]:
    found = []
    keys = [*made.parameters, *made.followers]
    for name, rows in made.points.groupby("trace", sort=False):
        best = rows.loc[rows["time_ns"].idxmin()]
        found.append({"name": name, "cycles": int(best["cycles"]), "us": best["time_ns"] / 1e3,
                      "slowest": rows["relative_time"].max(),
                      "settings": " ".join(f"{key}={best[key]}" for key in keys)})
    return found


def _effect_row(made: analysis.Study, effect: analysis.Effect) -> dict[str, Any]:
    means = effect.table["mean"]
    return {"parameter": effect.parameter, "size": effect.size,
            "best": figures.value_text(means.idxmin()),
            "worst": figures.value_text(means.idxmax()),
            "followers": " ".join(key for key, other in made.followers.items()
                                  if other == effect.parameter)}


def _fronts(made: analysis.Study) -> list[dict[str, Any]]:
    if len(made.configs) < 2:
        return []
    axes = [("area_mm2", "area [mm\u00b2], estimate", "Time and area", AREA)]
    if "energy" in made.configs:
        axes.append(("energy", "relative energy", "Time and energy",
                     "Energy of package and DRAM (docs/contract/power.md), "
                     "relative as the time is."))
    return [_front(made, *axis) for axis in axes]


def _front(made: analysis.Study, column: str, title: str, heading: str,
           note: str) -> dict[str, Any]:
    kept = analysis.pareto(made.configs, column, "time")
    figure = figures.front(made.configs, kept, (column, title), ("time", "relative time"))
    shown = kept[[*made.parameters, *made.followers, column, "time"]].head(_ROWS)
    return {"title": heading, "note": note,
            "figure": plots.inline_svg(figure, heading.lower()),
            "table": shown.to_html(index=False, border=0, float_format="{:.4g}".format,
                                   classes="points")}

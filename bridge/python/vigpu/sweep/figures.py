"""The figures of a sweep's report."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from vigpu.modules import need
from vigpu.plots import COLOURS, GRID, INK, size_text
from vigpu.sweep.analysis import Comparison, Effect, Pair

if TYPE_CHECKING:
    import pandas as pd

_COLUMNS = 3


def _figure(width: float, height: float) -> Any:
    return need("matplotlib.figure").Figure(figsize=(width, height), layout="constrained")


def _style(axes: Any) -> None:
    axes.grid(True, color=GRID, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(colors=INK, labelsize=8)
    axes.xaxis.label.set_color(INK)
    axes.yaxis.label.set_color(INK)
    for side, spine in axes.spines.items():
        spine.set_color(INK)
        spine.set_visible(side in ("left", "bottom"))


def value_text(value: Any) -> str:
    """A parameter's value; large powers of 1024 as K, M, G."""
    if isinstance(value, str) or value < 4096 or value % 1024:
        return f"{value:g}" if not isinstance(value, str) else value
    return size_text(value)


def sensitivity(effects: Sequence[Effect]) -> Any:
    """A panel for each parameter, all with one scale."""
    rows = -(-len(effects) // _COLUMNS)
    figure = _figure(9.0, 2.4 * rows)
    panels = figure.subplots(rows, _COLUMNS, sharey=True, squeeze=False).flat
    for axes in panels[len(effects):]:
        axes.set_visible(False)
    for axes, effect in zip(panels, effects):
        table = effect.table
        places = range(len(table))
        if isinstance(table.index[0], str):  # categories: nothing is between them
            axes.vlines(places, table["low"], table["high"], color=COLOURS[0], alpha=0.3,
                        linewidth=5)
        else:
            axes.fill_between(places, table["low"], table["high"], color=COLOURS[0],
                              alpha=0.18, linewidth=0)
        axes.plot(places, table["mean"], color=COLOURS[0], marker="o", markersize=3,
                  linewidth=0 if isinstance(table.index[0], str) else 1.5)
        axes.set_xticks(places, [value_text(value) for value in table.index],
                        rotation=45 if len(table) > 5 else 0)
        axes.set_title(effect.parameter + ("" if effect.paired else " (all points)"),
                       loc="left", color=INK, fontsize=9, fontweight="bold")
        _style(axes)
    for row in range(rows):
        panels[row * _COLUMNS].set_ylabel("relative time", fontsize=8)
    return figure


def heat_map(pair: Pair) -> Any:
    """The relative time, with its numbers where they have room."""
    table = pair.table
    height = min(7.0, 1.2 + 0.34 * len(table))
    figure = _figure(min(8.4, 2.4 + 0.62 * len(table.columns)), height)
    axes = figure.subplots()
    mesh = axes.pcolormesh(table.to_numpy(), cmap="viridis_r", linewidth=0)
    axes.set_xticks([i + 0.5 for i in range(len(table.columns))],
                    [value_text(value) for value in table.columns],
                    rotation=45 if len(table.columns) > 8 else 0)
    axes.set_yticks([i + 0.5 for i in range(len(table))],
                    [value_text(value) for value in table.index])
    axes.set_xlabel(pair.columns, color=INK)
    axes.set_ylabel(pair.rows, color=INK)
    axes.tick_params(colors=INK, labelsize=8)
    if len(table.columns) <= 12 and len(table) <= 24:
        _numbers(axes, table)
    bar = figure.colorbar(mesh, ax=axes)
    bar.set_label("relative time", color=INK)
    bar.ax.tick_params(colors=INK, labelsize=8)
    return figure


def _numbers(axes: Any, table: pd.DataFrame) -> None:
    middle = (table.min().min() + table.max().max()) / 2
    for i, row in enumerate(table.to_numpy()):
        for j, value in enumerate(row):
            if value == value:  # not NaN
                axes.text(j + 0.5, i + 0.5, f"{value:.2f}", ha="center", va="center",
                          fontsize=7, color="white" if value > middle else "#111111")


def front(configs: pd.DataFrame, kept: pd.DataFrame, x: tuple[str, str],
          y: tuple[str, str]) -> Any:
    """All configurations, and the front. x, y: a column and its title."""
    figure = _figure(6.4, 3.8)
    axes = figure.subplots()
    axes.plot(configs[x[0]], configs[y[0]], linestyle="none", marker="o", markersize=3,
              color=COLOURS[9], alpha=0.6, label="configurations")
    axes.step(kept[x[0]], kept[y[0]], where="post", color=COLOURS[1], marker="o",
              markersize=5, linewidth=1.4, label="Pareto front")
    axes.set_xlabel(x[1])
    axes.set_ylabel(y[1])
    axes.legend(fontsize=8, frameon=False, labelcolor=INK)
    _style(axes)
    return figure


def bars(made: Comparison) -> Any:
    """A group of bars for each trace and for their mean, a bar for each setting."""
    table = made.table
    width = 0.8 / len(table.columns)
    figure = _figure(min(14.0, 2.5 + 0.22 * len(table) * (1 + len(table.columns))), 3.6)
    axes = figure.subplots()
    for i, name in enumerate(table.columns):
        axes.bar([place + (i - (len(table.columns) - 1) / 2) * width
                  for place in range(len(table))], table[name], width,
                 color=COLOURS[i % len(COLOURS)], label=name)
    axes.axhline(1, color=INK, linewidth=1)
    axes.axvline(len(table) - 1.5, color=GRID, linewidth=1)
    axes.set_xticks(range(len(table)), table.index, rotation=45, ha="right",
                    rotation_mode="anchor")
    axes.set_ylabel(f"{made.statistic}, {made.baseline} = 1", fontsize=8)
    axes.legend(fontsize=8, frameon=False, labelcolor=INK, ncols=min(5, len(table.columns)),
                loc="lower left", bbox_to_anchor=(0, 1))
    _style(axes)
    axes.grid(False, axis="x")
    return figure

"""Plots of the experiments' results."""
from __future__ import annotations

import dataclasses
import io
import re
from typing import TYPE_CHECKING, Any

from vigpu.errors import UsageError
from vigpu.modules import need

if TYPE_CHECKING:
    import pandas as pd

FORMATS = ("svg", "png", "pdf")
INK, GRID = "#222222", "#d5d5d5"  # the page's style gives both others in the dark
# Lines that can be told apart, on white and on black.
COLOURS = ("#3b7dd8", "#d9662b", "#2f9e64", "#b8569e", "#8d6cc9", "#b98d15", "#3fa7b5",
           "#c94f5d", "#7d9c3b", "#808080")


@dataclasses.dataclass(frozen=True)
class Plot:
    """How an experiment is drawn: columns of its table and the axes' titles.

    series: a line for each of its values (None: one line), which the legend calls
    `series_title` and the value. published: measured values, drawn as diamonds. peak: what
    a formula allows at most, drawn as a dashed line.
    """

    title: str
    x: str
    y: str
    x_title: str
    y_title: str
    series: str | None = None
    series_title: str = "{}"
    published: str | None = None
    peak: str | None = None
    x_log: bool = False
    from_zero: bool = True
    stated: float | None = None
    bench: str | None = None


PLOTS = {
    "flops": Plot("Arithmetic throughput", "work_groups", "gflops", "work-groups", "GFLOP/s",
                  peak="peak_gflops"),
    "latency": Plot("Access time of a dependent chase", "ws_bytes", "ns",
                    "working set [bytes]", "time of an access [ns]", series="agent",
                    published="published_ns", x_log=True),
    "interference": Plot("Interference in the LLC", "gpu_ws_mb", "ns",
                         "the GPU's working set [MB]", "time of an access [ns]",
                         series="cpu_ws_mb", series_title="CPU: {} MB",
                         published="published_ns", from_zero=False),
    "mlp": Plot("Memory-level parallelism", "threads", "relative_time",
                "threads, one dependent access each", "time relative to the fewest threads",
                series="ws_bytes", series_title="{} a thread"),
    "coalescing": Plot("Coalescing: bandwidth from DRAM", "groups", "gb_per_s",
                       "work-groups", "GB/s", series="stride", series_title="stride {}",
                       peak="peak_gb_per_s", x_log=True),
    "bandwidth": Plot("Read bandwidth", "vector", "bytes_per_cycle",
                      "elements of the vector type", "bytes per GPU cycle",
                      series="subslices", series_title="subslices: {}",
                      peak="peak_bytes_per_cycle", x_log=True),
    # Paper 2's figures: throughput, bandwidth, power and efficiency by vector type.
    "flop": Plot("Throughput by vector type", "work_groups", "gflops", "work-groups",
                 "GFLOP/s", series="vector", series_title="vect{}", peak="peak_gflops"),
    "flop-power": Plot("Power by vector type", "work_groups", "igpu_w", "work-groups",
                       "PKG - PP0 - DRAM [W]", series="vector", series_title="vect{}",
                       bench="flop"),
    "flop-efficiency": Plot("Efficiency by vector type", "work_groups", "gflops_per_watt",
                            "work-groups", "GFLOPS/W", series="vector",
                            series_title="vect{}", stated=35, bench="flop"),
    "memory": Plot("Read bandwidth by vector type", "work_groups", "gb_per_s", "work-groups",
                   "GB/s", series="vector", series_title="vect{}"),
    "memory-power": Plot("Power of read streams", "work_groups", "igpu_w", "work-groups",
                         "PKG - PP0 - DRAM [W]", series="vector", series_title="vect{}",
                         bench="memory"),
    "power": Plot("Energy of a launch against the clock", "clock_mhz", "launch_uj",
                  "GPU clock [MHz]", "package and DRAM [uJ]", series="vector",
                  series_title="vect{}"),
    "power-idle": Plot("The same with sleep until the slowest clock is through", "clock_mhz",
                       "idle_uj", "GPU clock [MHz]", "package and DRAM [uJ]",
                       series="vector", series_title="vect{}", bench="power"),
}


def experiment_of(name: str) -> str:
    """The experiment of igpu bench that a plot is of: flop-power is one of flop."""
    return PLOTS[name].bench or name


def size_text(count: float, unit: str = "") -> str:
    """A number of bytes with K, M or G for powers of 1024 before `unit`: 65536 is 64K, or
    with the unit B 64 KB."""
    prefixes = ["", "K", "M", "G"]
    while count >= 1024 and len(prefixes) > 1:
        count /= 1024
        del prefixes[0]
    return f"{count:.6g}{' ' if unit else ''}{prefixes[0]}{unit}"


def draw(experiment: str, frame: pd.DataFrame, title: str | None = None) -> Any:
    """A matplotlib Figure of the table that `igpu bench EXPERIMENT` gave. title: above it
    (None: the experiment's own). UsageError when the experiment is not known."""
    if experiment not in PLOTS:
        raise UsageError(f"no plot of {experiment}; there are {', '.join(PLOTS)}")
    plot = PLOTS[experiment]
    need("matplotlib")
    figure = need("matplotlib.figure").Figure(figsize=(7.6, 4.0), layout="constrained")
    axes = figure.subplots()
    series = _series(plot, frame)
    for colour, (label, rows) in zip(_colours(len(series)), series):
        _draw_series(axes, plot, rows, colour, label)
    _draw_peak(axes, plot, series)
    if plot.stated is not None:
        axes.axhline(plot.stated, color=INK, linestyle=":", linewidth=1.2)
    _style(axes, plot, frame, plot.title if title is None else title)
    _legend(axes, plot, frame)
    return figure


def _series(plot: Plot, frame: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Each line's name in the legend, and its rows."""
    if plot.series is None or frame[plot.series].nunique() == 1:
        return [("Vigpu", frame)]
    return [(_series_name(plot, value), rows)
            for value, rows in frame.groupby(plot.series, sort=False)]


def _series_name(plot: Plot, value: Any) -> str:
    if plot.series_title == "vect{}" and value == 1:
        return "scalar"
    return plot.series_title.format(size_text(value, "B") if plot.series == "ws_bytes"
                                    else value)


def _colours(count: int) -> list[Any]:
    if count <= len(COLOURS) - 1:
        return list(COLOURS[:count])
    turbo = need("matplotlib").colormaps["turbo"]  # darker: its middle is too light
    return [tuple(0.82 * part for part in turbo(0.08 + 0.84 * i / (count - 1))[:3])
            for i in range(count)]


def _draw_series(axes: Any, plot: Plot, rows: pd.DataFrame, colour: Any,
                 label: str) -> None:
    axes.plot(rows[plot.x], rows[plot.y], color=colour, label=label, linewidth=1.6,
              marker="o", markersize=3 if len(rows) < 100 else 1.6)
    if plot.published in rows:
        known = rows.dropna(subset=[plot.published])
        axes.plot(known[plot.x], known[plot.published], color=colour, linestyle="none",
                  marker="D", markersize=6.5, fillstyle="none", markeredgewidth=1.3)


def _draw_peak(axes: Any, plot: Plot, series: list[tuple[str, pd.DataFrame]]) -> None:
    """What the formula allows: once when it is the same for all, else in each colour."""
    if plot.peak not in series[0][1]:
        return
    peaks = [rows[plot.peak] for _, rows in series]
    same = len({value for peak in peaks for value in peak}) == 1
    for colour, (_, rows) in zip([INK] if same else _colours(len(series)), series):
        axes.plot(rows[plot.x], rows[plot.peak], color=colour, linestyle="--", linewidth=1.0)


def _style(axes: Any, plot: Plot, frame: pd.DataFrame, title: str) -> None:
    ticker = need("matplotlib.ticker")
    axes.set_title(title, loc="left", color=INK, fontsize=11, fontweight="bold")
    axes.set_xlabel(plot.x_title, color=INK)
    axes.set_ylabel(plot.y_title, color=INK)
    axes.grid(True, color=GRID, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(colors=INK, labelsize=9)
    for side, spine in axes.spines.items():
        spine.set_color(INK)
        spine.set_visible(side in ("left", "bottom"))
    if plot.x_log:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_locator(ticker.LogLocator(base=2, numticks=16))
        axes.xaxis.set_minor_locator(ticker.NullLocator())
        binary = plot.x == "ws_bytes"
        axes.xaxis.set_major_formatter(ticker.FuncFormatter(
            lambda x, _: size_text(x) if binary else f"{x:.6g}"))
    elif (frame[plot.x] % 1 == 0).all():
        axes.xaxis.set_major_locator(ticker.MaxNLocator(integer=True))
    axes.margins(y=0.08)
    if plot.from_zero:
        axes.set_ylim(bottom=0)


def _legend(axes: Any, plot: Plot, frame: pd.DataFrame) -> None:
    """One entry for each series, and one for what diamonds and dashes are."""
    line = need("matplotlib.lines").Line2D
    handles, labels = axes.get_legend_handles_labels()
    if plot.published in frame and frame[plot.published].notna().any():
        handles.append(line([], [], color=INK, linestyle="none", marker="D", markersize=6.5,
                            fillstyle="none", markeredgewidth=1.3))
        labels.append("published")
    if plot.peak in frame:
        handles.append(line([], [], color=INK, linestyle="--", linewidth=1.0))
        labels.append("peak by formula")
    if plot.stated is not None:
        handles.append(line([], [], color=INK, linestyle=":", linewidth=1.2))
        labels.append(f"stated: {plot.stated:g}")
    axes.legend(handles, labels, loc="upper left", bbox_to_anchor=(1.01, 1.0), fontsize=9,
                frameon=False, labelcolor=INK)


def save(figure: Any, form: str) -> bytes:
    """The figure as a file of the format `form` (one of FORMATS); the same bytes for the
    same numbers."""
    out = io.BytesIO()
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(form)
    with need("matplotlib").rc_context({"svg.hashsalt": "vigpu", "svg.fonttype": "none"}):
        figure.savefig(out, format=form, dpi=150, metadata=dates)
    return out.getvalue()


def inline_svg(figure: Any, label: str) -> str:
    """The figure as an <svg> element for a page: no prolog, no fixed size, transparent,
    ink and grid as the page's variables --ink and --grid. Only names that are used stay,
    so that several figures share a page."""
    figure.patch.set_visible(False)
    for axes in figure.axes:
        axes.patch.set_visible(False)
    text = save(figure, "svg").decode("utf-8")
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text[text.index("<svg"):], flags=re.S)
    used = set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', text))
    names = {name for pair in used for name in pair if name}
    text = re.sub(r' id="([^"]+)"', lambda m: m.group(0) if m.group(1) in names else "", text)
    text = text.replace(INK, "var(--ink)").replace(GRID, "var(--grid)")
    head = re.search(r'viewBox="[^"]+"', text)
    assert head is not None
    body = text[text.index(">") + 1:]
    return (f'<svg xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'xmlns="http://www.w3.org/2000/svg" {head.group(0)} role="img" '
            f'aria-label="{label}">{body}')

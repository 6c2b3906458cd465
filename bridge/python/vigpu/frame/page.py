"""The page of a frame."""
from __future__ import annotations

import base64
import pathlib
from collections.abc import Callable
from typing import Any

from vigpu import plots
from vigpu.frame import heat
from vigpu.frame.rendered import Draw, Frame
from vigpu.modules import need
from vigpu.page import template

# Columns of the table of draws: counter, title.
COLUMNS = (("ia_vertices", "vertices"), ("vs_invocations", "shaded"),
           ("rasterized", "rasterized"), ("covered", "covered"),
           ("early_killed", "killed early"), ("ps_invocations", "shaded pixels"),
           ("ps_instructions", "PS instructions"), ("texels", "texels"),
           ("pixels_written", "written"), ("pixels_blended", "blended"))
MOST_BARS = 60


def html(frame: Frame) -> str:
    """One page; nothing is loaded from elsewhere."""
    text: str = template(pathlib.Path(__file__).parent, "page.html.j2").render(
        frame=frame, columns=COLUMNS, groups=_groups(frame), image=_image,
        work=_work(frame.draws), time=_time(frame.draws), heat=_heat(frame.draws),
        heated=heat.heated(frame), facts=_facts(frame))
    return text


def _image(data: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(data).decode("ascii")


def _groups(frame: Frame) -> dict[str, list[dict[str, Any]]]:
    """Counters that are not 0, by group."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for definition in frame.definitions:
        value = frame.counters[definition["name"]]
        if value:
            groups.setdefault(definition["group"], []).append({**definition, "value": value})
    return groups


def _ratio(frame: Frame, above: str, below: str) -> str:
    under = frame.counters[below]
    return f"{frame.counters[above] / under:.2f}" if under else "none"


def _facts(frame: Frame) -> list[tuple[str, str]]:
    """What the counters say together."""
    lanes = frame.counters["ps_blocks"] * 4
    lit = frame.counters["ps_invocations"] / lanes if lanes else 0
    return [("texels a shaded pixel", _ratio(frame, "texels", "ps_invocations")),
            ("pixel shader instructions a covered pixel",
             _ratio(frame, "ps_lane_instructions", "ps_invocations")),
            ("lanes of pixel shader blocks that are covered", f"{lit:.1%}" if lanes else "none"),
            ("lines of texels a sampler message",
             _ratio(frame, "sampler_lines", "sampler_messages")),
            ("covered pixels for each that is written", _ratio(frame, "covered", "pixels_written"))]


def _work(draws: list[Draw]) -> str:
    """Instructions of each draw's shaders as bars."""
    return _bars(draws, {"vertex shaders": lambda d: d.counters["vs_instructions"],
                         "pixel shaders": lambda d: d.counters["ps_instructions"]},
                 "instructions of threads", "Instructions of each draw's shaders")


def _time(draws: list[Draw]) -> str:
    """Cycles of each draw as bars; "" when none has a thread."""
    if not any(d.cycles for d in draws):
        return ""
    return _bars(draws, {"behind the draws before": lambda d: d.cycles or 0},
                 "cycles", "Cycles of each draw")


def _heat(draws: list[Draw]) -> dict[int, str]:
    """A colour for each draw with cycles: of the hottest, white is none of it, red all."""
    most = max((d.cycles or 0 for d in draws), default=0)
    shades = {}
    for draw in draws:
        if draw.cycles:
            part = (draw.cycles / most) ** 0.5
            shades[draw.number] = f"hsl({60 - 60 * part:.0f} 90% {100 - 45 * part:.0f}%)"
    return shades


def _bars(draws: list[Draw], values: dict[str, Callable[[Draw], int]], unit: str,
          title: str) -> str:
    """What each of `values` says of a draw, one on top of the other, as inline SVG; the
    largest alone when there are many."""
    shown = sorted(draws, key=lambda d: sum(of(d) for of in values.values()),
                   reverse=True)[:MOST_BARS]
    shown.sort(key=lambda d: d.number)
    figure = need("matplotlib.figure").Figure(figsize=(9, 2.8), layout="constrained")
    axes = figure.add_subplot()
    place = range(len(shown))
    below = [0] * len(shown)
    for colour, (label, of) in zip(plots.COLOURS[1::-1], values.items(), strict=False):
        bars = [of(d) for d in shown]
        axes.bar(place, bars, bottom=below, color=colour, label=label)
        below = [under + bar for under, bar in zip(below, bars, strict=True)]
    step = max(1, len(shown) // 20)
    axes.set_xticks(list(place)[::step], [str(d.number) for d in shown][::step])
    axes.set_xlabel("draw", color=plots.INK)
    axes.set_ylabel(unit, color=plots.INK)
    axes.tick_params(colors=plots.INK)
    axes.grid(axis="y", color=plots.GRID)
    axes.set_axisbelow(True)
    for side in axes.spines.values():
        side.set_color(plots.GRID)
    axes.legend(frameon=False, labelcolor=plots.INK)
    return plots.inline_svg(figure, title)

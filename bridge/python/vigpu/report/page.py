"""The report as one HTML page, and as a part of a Markdown file."""
from __future__ import annotations

import pathlib
from typing import Any

from vigpu import plots
from vigpu.errors import InputError
from vigpu.page import template
from vigpu.report.collect import Report
from vigpu.report.findings import Run

BEGIN, END = "<!-- vigpu report: begin -->", "<!-- vigpu report: end -->"


def _template(name: str) -> Any:
    return template(pathlib.Path(__file__).parent, name)


def html(report: Report) -> str:
    """One page with every curve, every finding and all points; nothing is loaded from
    elsewhere."""
    text: str = _template("page.html.j2").render(report=report, figure=_figure,
                                                 points=_points)
    return text


def _figure(run: Run) -> str:
    """The run's plots as inline SVG; of one point there is none."""
    if len(run.frame) < 2:
        return ""
    names = run.plan.plots or (run.experiment,)
    return "".join(plots.inline_svg(
        plots.draw(name, run.frame, title="" if len(names) == 1 else None), run.plan.title)
        for name in names)


def _points(run: Run) -> str:
    """All points as an HTML table; columns without any value are left out."""
    text: str = run.frame.dropna(axis="columns", how="all").to_html(
        index=False, border=0, na_rep="", float_format="{:.6g}".format, classes="points")
    return text


def markdown(report: Report) -> str:
    """The part between (and with) the markers."""
    text: str = _template("part.md.j2").render(report=report, begin=BEGIN, end=END)
    return text.rstrip("\n")


def insert(path: str, part: str) -> str:
    """The file's text with `part` in place of what lies between the markers; of a file
    that is not there, `part` alone. InputError when it has no markers."""
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        return part + "\n"
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: offset {error.start}: no UTF-8 text") from error
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InputError(f"{path}: expected a new file, or one with the lines {BEGIN} and "
                         f"{END}")
    return before + part + after

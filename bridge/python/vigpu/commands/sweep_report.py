"""`igpu sweep report`: what a sweep says, as a page and as CSV."""
from __future__ import annotations

import argparse
import pathlib
from typing import Any

from vigpu import output, plots
from vigpu.commands.sweep_show import chosen, database_of
from vigpu.errors import UsageError
from vigpu.modules import need
from vigpu.sweep import report
from vigpu.sweep.database import Database


def add(sub: Any) -> None:
    parser = sub.add_parser(
        "sweep report", help="a page: the effect of each parameter and of pairs, Pareto fronts",
        description="Writes a page with the effect of each parameter, heat maps of pairs, "
        "Pareto fronts of time with area and energy, and all points as CSV.")
    parser.add_argument("database", metavar="DB", help="or the sweep's FILE.yaml")
    parser.add_argument("--sweep", metavar="NAME", help="which one, where there are several")
    parser.add_argument("-o", "--output", metavar="FILE.html",
                        help="the page (default: the database's name with .html); FILE.svg or "
                        ".png: the bars of --baseline alone")
    parser.add_argument("--csv", metavar="FILE.csv", help="also all points, a row each")
    parser.add_argument("--baseline", metavar="KEY=VALUE[,...]",
                        help="also bars for each trace, and their geometric mean, of the other "
                        "settings of these parameters against this one")
    parser.add_argument("--stat", metavar="NAME", default="cycles",
                        help="of which statistic (default: cycles)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    path = database_of(args.database)
    with Database(path) as database:
        names = chosen(database, args.sweep)
    if len(names) > 1:
        raise UsageError(f"{path} has several sweeps: --sweep with one of {', '.join(names)}")
    page = args.output or str(pathlib.Path(path).with_suffix(".html"))
    form = pathlib.Path(page).suffix[1:]
    if form in plots.FORMATS and not args.baseline:
        raise UsageError(f"{page}: a picture is of the bars of --baseline")
    for place in (page, args.csv):
        if place:
            output.check_writable(place)
    for module in ("jinja2", "matplotlib", "pandas"):
        need(module)
    if form in plots.FORMATS:
        output.write(page, report.bars(path, names[0], args.baseline, args.stat, form))
    else:
        output.write(page, report.html(path, names[0], args.baseline, args.stat).encode())
    if args.csv:
        output.write(args.csv, report.table(path, names[0]).to_csv(index=False).encode())

"""`igpu plot`: an experiment's curve as a picture."""
from __future__ import annotations

import argparse
import json
import os
from typing import Any

from vigpu import igpu, output, plots
from vigpu.errors import InputError, UsageError
from vigpu.modules import need


def add(sub: Any) -> None:
    parser = sub.add_parser(
        "plot", help="draw the results of an experiment of igpu bench",
        description="Runs igpu bench EXPERIMENT with the options behind it and draws the "
        "results; flop-power and the like are of the experiment before the dash.", usage="igpu plot [-o FILE] [--load FILE.json] EXPERIMENT [OPTIONS...]")
    parser.add_argument("-o", "--output", metavar="FILE",
                        help=f"the picture, .{', .'.join(plots.FORMATS)} (default "
                        "EXPERIMENT.svg)")
    parser.add_argument("--load", metavar="FILE.json",
                        help="draw what igpu bench EXPERIMENT --json wrote, and run nothing")
    parser.add_argument("experiment", metavar="EXPERIMENT", help=", ".join(plots.PLOTS))
    parser.add_argument("options", nargs=argparse.REMAINDER, metavar="OPTIONS",
                        help="of igpu bench EXPERIMENT")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    path = args.output or f"{args.experiment}.svg"
    form = os.path.splitext(path)[1].removeprefix(".").lower()
    if form not in plots.FORMATS:
        raise UsageError(f"{path}: expected a name that ends in .{', .'.join(plots.FORMATS)}")
    if args.experiment not in plots.PLOTS:
        raise UsageError(f"no plot of {args.experiment}; there are {', '.join(plots.PLOTS)}")
    if args.load and args.options:
        raise UsageError("--load takes no options of the experiment")
    output.check_writable(path)
    need("matplotlib")
    if args.load:
        frame = _load(args.load, plots.PLOTS[args.experiment])
    else:
        frame = igpu.bench([plots.experiment_of(args.experiment), *args.options])
    output.write(path, plots.save(plots.draw(args.experiment, frame), form))


def _load(path: str, plot: plots.Plot) -> Any:
    with open(path, encoding="utf-8") as file:
        try:
            frame = igpu.table(json.load(file))
        except (ValueError, TypeError) as error:
            raise InputError(f"{path}: expected what igpu bench --json wrote: {error}") \
                from error
    wanted = [c for c in (plot.x, plot.y, plot.series) if c is not None]
    if not set(wanted) <= set(frame.columns):
        raise InputError(f"{path}: expected the columns {', '.join(wanted)}, what igpu bench "
                         "--json wrote")
    return frame

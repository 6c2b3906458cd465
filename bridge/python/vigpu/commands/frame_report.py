"""`igpu frame report`: a captured frame as a page."""
from __future__ import annotations

import argparse
import pathlib
from typing import Any

from vigpu import frame, output
from vigpu.errors import UsageError
from vigpu.modules import need


def add(sub: Any) -> None:
    parser = sub.add_parser(
        "frame report", help="a captured frame: its picture, draws, overdraw and counters",
        description="Executes a frame of a capture (igpu gl) and writes a page with its "
        "picture, how often pixels were written, its draws and all counters.")
    parser.add_argument("file", metavar="FILE", help="the capture")
    parser.add_argument("--frame", metavar="N", help="which frame (default: the last one)")
    parser.add_argument("-o", "--output", metavar="PAGE.html",
                        help="the page (default: the file's name with .html)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    if args.frame is not None and not (args.frame.isdecimal() and int(args.frame) > 0):
        raise UsageError(f"--frame {args.frame}: expected a number of 1 or more")
    page = args.output or str(pathlib.Path(args.file).with_suffix(".html"))
    output.check_writable(page)
    for module in ("jinja2", "matplotlib"):
        need(module)
    made = frame.render(args.file, int(args.frame) if args.frame else None)
    output.write(page, frame.html(made).encode())

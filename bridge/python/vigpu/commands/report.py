"""`igpu report`: every experiment against the published numbers, as a page."""
from __future__ import annotations

import argparse
import json
from typing import Any

from vigpu import output, report
from vigpu.modules import need


def add(sub: Any) -> None:
    parser = sub.add_parser(
        "report", help="run every experiment against the published numbers, as a page",
        description="Runs the experiments of igpu bench against the published measurements "
        "and writes one page. What differs is no error: the exit status is 0.")
    parser.add_argument("-o", "--output", metavar="FILE.html", default="report.html",
                        help="the page (default report.html)")
    parser.add_argument("--markdown", metavar="FILE.md",
                        help="also replace the part between the report's markers in this "
                        "file; a new file gets the part alone")
    parser.add_argument("--quick", action="store_true",
                        help="fewer points: minutes instead of most of an hour")
    parser.add_argument("-j", "--jobs", metavar="N",
                        help="simulations at a time (default: the machine's processors)")
    parser.add_argument("--engine", choices=["ref", "rtl"], default="ref",
                        help="C reference, or Vigpu beside igpu (default ref)")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.add_argument("--save", metavar="FILE.json", help="also keep all numbers")
    parser.add_argument("--load", metavar="FILE.json",
                        help="take the numbers that --save kept, and run nothing")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    for path in (args.output, args.markdown, args.save):
        if path:
            output.check_writable(path)
    if args.markdown:
        report.insert(args.markdown, "")
    for module in ("jinja2", "matplotlib", "pandas"):
        need(module)
    extra = (["-j", args.jobs] if args.jobs else []) + (["--quiet"] if args.quiet else [])
    data = report.load(args.load) if args.load else report.measure(args.quick, args.engine,
                                                                   extra)
    if args.save:
        output.write(args.save, (json.dumps(data, indent=1) + "\n").encode())
    made = report.report(data)
    words = {report.Verdict.HOLDS: "ok   ", report.Verdict.DIFFERS: "DIFF ",
             report.Verdict.TOLD: "     "}
    if args.output != "-":
        for f in made.findings:
            print(f"{words[f.verdict]}{f.quantity}: {f.ours} (published: {f.published})")
    output.write(args.output, report.html(made).encode())
    if args.markdown:
        output.write(args.markdown, report.insert(args.markdown,
                                                  report.markdown(made)).encode())

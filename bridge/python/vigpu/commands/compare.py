"""`igpu compare`: two traces, configurations or profiles side by side."""
from __future__ import annotations

import argparse
import sys
from typing import Any

from vigpu import compare
from vigpu.errors import UsageError


def add(sub: Any) -> None:
    parser = sub.add_parser(
        "compare", help="two traces, configurations or profiles side by side",
        description="Profiles A and B (docs/guide/profile.md) and says which is faster, by how "
        "much, and what explains it. A and B are traces, or what igpu profile --json wrote, "
        "of another version too; without B, it is A with B's settings.",
        usage="igpu compare [--a KEY=VALUE]... [--b KEY=VALUE]... A [B]")
    for side in "ab":
        parser.add_argument(f"--{side}", metavar="KEY=VALUE", action="append", default=[],
                            help=f"a parameter of {side.upper()}'s machine; repeatable")
        parser.add_argument(f"--config-{side}", metavar="NAME",
                            help=f"{side.upper()}'s machine")
    parser.add_argument("--kernels", metavar="N..M", help="only these launches of both")
    parser.add_argument("first", metavar="A")
    parser.add_argument("second", metavar="B", nargs="?")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    if args.second is None and not (args.b or args.config_b):
        raise UsageError("expected A and B, or settings for B (--b KEY=VALUE, --config-b)")
    words = []
    for settings, config in ((args.a, args.config_a), (args.b, args.config_b)):
        side = [word for setting in settings for word in ("-s", setting)]
        side += ["-c", config] if config else []
        words.append(side + (["--kernels", args.kernels] if args.kernels else []))
    paths = args.first, args.second or args.first
    a, b = (compare.load(path, side) for path, side in zip(paths, words, strict=True))
    names = compare.name_of(a, words[0]), compare.name_of(b, words[1])
    sys.stdout.write(compare.text(a, b, names))

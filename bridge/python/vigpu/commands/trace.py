"""`igpu trace mix`: what a trace can tell."""
from __future__ import annotations

import argparse
import collections
from typing import Any

import vigpu.trace

LINE = 64  # bytes


def add(sub: Any) -> None:
    parser = sub.add_parser(
        "trace mix", help="opcode mix, lines per message and memory touched of each launch",
        description="For each launch of a trace: the ten most executed opcodes, the mean "
        "number of lanes and of distinct 64-byte lines of a memory access, and how many "
        "bytes of memory were touched.")
    parser.add_argument("file", metavar="TRACE.pb")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    with vigpu.trace.open(args.file) as trace:
        for launch in trace.launches():
            describe(launch)


def describe(launch: vigpu.trace.Launch) -> None:
    """Print what one launch did."""
    blocks: collections.Counter[int] = collections.Counter()
    touched: set[int] = set()
    accesses = lanes = lines = threads = 0
    kernel = launch.kernel
    for thread in launch.threads():
        threads += 1
        blocks.update(thread.path)
        for access in thread.accesses:
            now = {address // LINE for address in access.addresses}
            accesses += 1
            lanes += len(access.addresses)
            lines += len(now)
            touched |= now
    opcodes = vigpu.trace.opcode_counts(kernel, blocks)
    print(f"{kernel.name}: {threads} threads, {sum(opcodes.values())} instructions")
    for name, count in opcodes.most_common(10):
        print(f"  {name:8} {count}")
    if accesses:
        print(f"  {accesses} accesses, {lanes / accesses:.2f} lanes and "
              f"{lines / accesses:.2f} lines each, {len(touched) * LINE} bytes touched")

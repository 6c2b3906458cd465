#!/usr/bin/env python3
"""example.py TRACE.pb - what a trace can tell: opcode mix, lines per message, memory.

For each launch: the ten most executed opcodes, the mean number of lanes and of
distinct 64-byte lines of a memory access, and how many bytes of memory were touched.
"""
import collections
import sys

import vigpu_trace

LINE = 64


def describe(launch, out):
    opcodes, pages = collections.Counter(), set()
    accesses = lanes = lines = threads = 0
    kernel = launch.kernel
    for thread in launch.threads():
        threads += 1
        for block in thread.path:
            for index in kernel.blocks[block]:
                opcodes[kernel.opcode(index)] += 1
        for access in thread.accesses:
            touched = {address // LINE for address in access.addresses}
            accesses += 1
            lanes += len(access.addresses)
            lines += len(touched)
            pages |= touched
    print(f"{kernel.name}: {threads} threads, {sum(opcodes.values())} instructions",
          file=out)
    for name, count in opcodes.most_common(10):
        print(f"  {name.removeprefix('GED_OPCODE_'):8} {count}", file=out)
    if accesses:
        print(f"  {accesses} accesses, {lanes / accesses:.2f} lanes and "
              f"{lines / accesses:.2f} lines each, {len(pages) * LINE} bytes touched",
              file=out)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        with vigpu_trace.open(sys.argv[1]) as trace:
            for launch in trace.launches():
                describe(launch, sys.stdout)
    except (vigpu_trace.TraceError, OSError) as error:
        sys.exit(f"example.py: {error}")


if __name__ == "__main__":
    main()

"""What a launch did, as pandas tables."""
from __future__ import annotations

import collections
from collections.abc import Mapping
from typing import TYPE_CHECKING

from vigpu.modules import need
from vigpu.trace.file import Kernel, Launch
from vigpu.trace.segments import lanes_of

if TYPE_CHECKING:
    import pandas as pd


def threads(launch: Launch) -> pd.DataFrame:
    """One row for each hardware thread, indexed by its number: `blocks`, `accesses`,
    `instructions`, `lane_instructions` [lanes that were on, of all instructions],
    `flops`."""
    rows = {t.number: (len(t.path), len(t.accesses), t.instructions, t.lane_instructions,
                       t.flops) for t in launch.threads()}
    columns = ["blocks", "accesses", "instructions", "lane_instructions", "flops"]
    frame: pd.DataFrame = need("pandas").DataFrame.from_dict(
        rows, orient="index", columns=columns).sort_index()
    frame.index.name = "thread"
    return frame


def accesses(launch: Launch) -> pd.DataFrame:
    """One row for each lane of each access, in order: `thread`, `access` (its number in
    the thread), `instruction` (index in the kernel), `lane`, `address` [byte, uint64]."""
    pandas = need("pandas")
    rows = [(thread.number, number, access.instruction, lane, address)
            for thread in launch.threads()
            for number, access in enumerate(thread.accesses)
            for lane, address in zip(lanes_of(access.mask), access.addresses)]
    frame: pd.DataFrame = pandas.DataFrame(
        rows, columns=["thread", "access", "instruction", "lane", "address"])
    return frame.astype({"address": "uint64"})


def opcode_counts(kernel: Kernel, blocks: Mapping[int, int]) -> collections.Counter[str]:
    """How often each opcode was executed, from how often each block (index) was; GED's
    names without GED_OPCODE_."""
    count: collections.Counter[str] = collections.Counter()
    for block, times in blocks.items():
        for index in kernel.blocks[block].instructions:
            count[kernel.opcode(index).removeprefix("GED_OPCODE_")] += times
    return count


def opcodes(launch: Launch) -> pd.Series[int]:
    """How often each opcode was executed (by a thread, whatever its lanes), most
    frequent first, indexed by its name."""
    blocks: collections.Counter[int] = collections.Counter()
    for thread in launch.threads():
        blocks.update(thread.path)
    count = opcode_counts(launch.kernel, blocks)
    series: pd.Series[int] = need("pandas").Series(dict(count.most_common()), dtype="int64",
                                                   name="executed")
    return series

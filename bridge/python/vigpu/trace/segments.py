"""Segments of a thread's two streams: its path and its accesses (igpu_trace.proto,
above ThreadChunk)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from vigpu.trace.numbers import MASK64, Bytes, Damage

MAX_PATH = 1 << 14      # blocks of a path segment
MAX_ACCESSES = 1 << 12  # accesses of an access segment
MAX_DIFFERENCES = 1 << 13  # irregular lanes of an access segment, beyond the first ones
MAX_SUCCESSORS = 3      # static ones of a block
AFFINE, IRREGULAR, AS_BEFORE = 0, 1, 2  # kinds of accesses with several lanes


class Access(NamedTuple):
    """One executed send that accesses memory.

    instruction: index in Kernel.instructions. mask: bit i is set when lane i of the
    message is on. addresses: bytes, one for each lane that is on, lowest lane first; GPU
    virtual addresses, of SLM offsets in the work-group's SLM.
    """

    instruction: int
    mask: int
    addresses: list[int]


class Block(NamedTuple):
    """A basic block: its instructions (indices), the static successors, and whether
    any block may follow (ret, a computed target)."""

    instructions: range
    successors: tuple[int, ...]
    dynamic: bool


def read_path(data: bytes, blocks: Sequence[Block]) -> list[int]:
    """The blocks (indices) of one path segment, in order."""
    b = Bytes(data)
    count, block = b.count(MAX_PATH, "blocks in a segment"), b.varint()
    asked = {b.varint() for _ in range(b.count(len(blocks), "blocks with decisions"))}
    decisions = b.column(b.count(MAX_PATH, "decisions in a segment"))
    b.end()
    if count == 0 or block >= len(blocks):
        raise Damage(f"a path of {count} blocks from block {block} on")
    path, used = [block], 0
    for _ in range(count - 1):
        here = blocks[block]
        decision = 0
        if len(here.successors) != 1 or here.dynamic or block in asked:
            if used == len(decisions):
                raise Damage("a path lacks decisions")
            decision = decisions[used]
            used += 1
        block = _follow(blocks, block, decision)
        path.append(block)
    return path


def _follow(blocks: Sequence[Block], block: int, decision: int) -> int:
    if decision < len(blocks[block].successors):
        return blocks[block].successors[decision]
    if not 0 <= decision - MAX_SUCCESSORS < len(blocks):
        raise Damage(f"no block for decision {decision} after block {block}")
    return decision - MAX_SUCCESSORS


def lanes_of(mask: int) -> list[int]:
    """The lanes that are on, lowest first."""
    return [lane for lane in range(32) if mask >> lane & 1]


def read_accesses(data: bytes, instructions: int) -> list[Access]:
    """The accesses of one segment, in path order, of a kernel of so many instructions."""
    b = Bytes(data)
    count = b.count(MAX_ACCESSES, "accesses in a segment")
    sends = _below(b.column(b.count(count, "sends in a segment")), instructions,
                   "instruction")
    if not sends:
        raise Damage("an access segment without sends")
    which = [0] * count
    if len(sends) > 1:
        which = _below(b.column(count), len(sends), "send")
    masks = _below(b.column(count), 1 << 32, "mask")
    lanes = [lanes_of(m) for m in masks]
    several = [i for i in range(count) if len(lanes[i]) > 1]
    kinds = [AFFINE] * count
    for i, kind in zip(several, _below(b.column(len(several)), 3, "kind of access")):
        kinds[i] = kind
    mode = b.take(1)[0]
    if mode > 1:
        raise Damage(f"mode {mode} of an access segment, 0 or 1 expected")
    if sum(len(lanes[i]) - 1 for i in several if kinds[i] == IRREGULAR) > MAX_DIFFERENCES:
        raise Damage("too many irregular lanes in a segment")
    groups: list[Sequence[int]] = [range(count)] if mode == 0 else [
        [i for i in range(count) if which[i] == s] for s in range(len(sends))]
    addresses: list[list[int]] = [[] for _ in range(count)]
    for group in groups:
        _read_group(b, group, lanes, kinds, addresses)
    b.end()
    _repeat(several, lanes, kinds, addresses)
    return [Access(sends[which[i]], masks[i], addresses[i]) for i in range(count)]


def _below(values: list[int], limit: int, what: str) -> list[int]:
    for value in values:
        if value >= limit:
            raise Damage(f"{what} {value}, below {limit} expected")
    return values


def _read_group(b: Bytes, group: Sequence[int], lanes: list[list[int]], kinds: list[int],
                addresses: list[list[int]]) -> None:
    """The three columns of one group of accesses."""
    bases = iter(b.column(sum(1 for i in group if lanes[i])))
    strides = iter(b.column(sum(1 for i in group
                                if len(lanes[i]) > 1 and kinds[i] == AFFINE)))
    differences = iter(b.column(sum(len(lanes[i]) - 1 for i in group
                                    if kinds[i] == IRREGULAR)))
    for i in group:
        if lanes[i]:
            addresses[i] = _addresses(lanes[i], kinds[i], bases, strides, differences)


def _addresses(lanes: list[int], kind: int, bases: Iterator[int], strides: Iterator[int],
               differences: Iterator[int]) -> list[int]:
    out = [next(bases)]
    if kind == IRREGULAR:
        for _ in lanes[1:]:
            out.append((out[-1] + next(differences)) & MASK64)
    elif len(lanes) > 1 and kind == AFFINE:
        stride = next(strides)
        out += [(out[0] + stride * (lane - lanes[0])) & MASK64 for lane in lanes[1:]]
    return out


def _repeat(several: list[int], lanes: list[list[int]], kinds: list[int],
            addresses: list[list[int]]) -> None:
    """Accesses as before have their base only: give them the other lanes."""
    last = None
    for i in several:
        if kinds[i] == AFFINE:
            continue
        if kinds[i] == AS_BEFORE:
            if last is None or lanes[last] != lanes[i]:
                raise Damage("an access as before has none of its lanes before it")
            shift = addresses[i][0] - addresses[last][0]
            addresses[i] = [(a + shift) & MASK64 for a in addresses[last]]
        last = i

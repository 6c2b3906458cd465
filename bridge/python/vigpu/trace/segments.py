"""Segments of a thread's two streams: its path and its accesses (igpu_trace.proto,
above ThreadChunk)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from vigpu.trace import proto
from vigpu.trace.numbers import MASK64, Bytes, Damage

MAX_PATH = 1 << 14      # blocks of a path segment
MAX_ACCESSES = 1 << 12  # accesses of an access segment
MAX_DIFFERENCES = 1 << 13  # irregular lanes of an access segment, beyond the first ones
MAX_SUCCESSORS = 3      # static ones of a block
AFFINE, IRREGULAR, AS_BEFORE = 0, 1, 2  # kinds of accesses with several lanes


WORKS, MAX_RUNS, STAGES, HOW = 6, 12, 6, 31  # of messages of graphics, at most


class DepthRun(NamedTuple):
    """Lines of a page of a depth or stencil buffer that tests touch alike: its address, a
    bit for each of its 64 lines, and how (1 written, 2 read, 4 hierarchical depth's)."""

    page: int
    lines: int
    how: int


class Payload(NamedTuple):
    """What a thread of graphics is given before it runs (message Graphics)."""

    work: tuple[int, ...]
    needed: int
    draw: int
    stage: int
    depth: tuple[DepthRun, ...]


class Texture(NamedTuple):
    """A message of the sampler. how: of each of its lines."""

    samples: int
    how: tuple[int, ...]


class Target(NamedTuple):
    """A message to a render target: pixels written, and read before."""

    written: int
    read: int
    how: tuple[int, ...]


class Access(NamedTuple):
    """One executed send that accesses memory.

    instruction: index in Kernel.instructions. mask: bit i is set when lane i of the
    message is on. addresses: bytes, one for each lane that is on, lowest lane first; GPU
    virtual addresses, of SLM offsets in the work-group's SLM. graphics: what a message of
    graphics is about.
    """

    instruction: int
    mask: int
    addresses: list[int]
    graphics: Payload | Texture | Target | None = None


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


def read_accesses(data: bytes, instructions: int,
                  families: Sequence[int] | None = None) -> list[Access]:
    """The accesses of one segment, in path order, of a kernel of so many instructions.
    families: of a kernel of graphics, each instruction's family of message."""
    b = Bytes(data)
    accesses = _read_addresses(b, instructions)
    if families is not None:
        return _read_graphics(b.rest(), accesses, families)
    b.end()
    return accesses


def moved(accesses: list[Access], ways: Sequence[int]) -> list[Access]:
    """The accesses so many bytes further: a way for each of their instructions, in the
    order in which these come first."""
    order = list(dict.fromkeys(a.instruction for a in accesses))
    if len(order) != len(ways):
        raise Damage(f"{len(ways)} ways of a segment of {len(order)} sends")
    way = dict(zip(order, ways))
    return [a._replace(addresses=[(x + way[a.instruction]) & MASK64 for x in a.addresses])
            for a in accesses]


class _Columns:
    """Those of a message Graphics, each with zeros behind its end."""

    def __init__(self, message: Any) -> None:
        self.message = message
        self.used: dict[str, int] = {}

    def take(self, name: str, most: int = MASK64) -> int:
        column, at = getattr(self.message, name), self.used.get(name, 0)
        value: int = column[at] if at < len(column) else 0
        self.used[name] = at + 1
        if value > most:
            raise Damage(f"{name} {value} of a message of graphics, at most {most} expected")
        return value

    def end(self) -> None:
        for field, column in self.message.ListFields():
            if len(column) > self.used.get(field.name, 0):
                raise Damage(f"{field.name} of more messages of graphics than there are")


def _payload(c: _Columns, page: int) -> tuple[Payload, int]:
    """The next one, and its last run's page; `page`: that before it."""
    work = tuple(c.take("work") for _ in range(WORKS))
    needed, draw, stage = c.take("needed"), c.take("draw"), c.take("stage", STAGES - 1)
    runs = []
    for _ in range(c.take("runs", MAX_RUNS)):
        page = (page + c.take("page")) & MASK64
        how = c.take("page_how", 7)
        runs.append(DepthRun(page * 4096 & MASK64, c.take("page_lines"), how))
    return Payload(work, needed, draw, stage, tuple(runs)), page


def _how(c: _Columns) -> Iterator[int]:
    """How each line is touched."""
    while True:
        how, lines = c.take("how", HOW), c.take("how_lines")
        if lines == 0 and how != 0:
            raise Damage("a run of no lines in a message of graphics")
        for _ in range(lines or 1):
            yield how


def _read_graphics(data: bytes, accesses: list[Access],
                   families: Sequence[int]) -> list[Access]:
    """What those of graphics are about."""
    pb = proto.messages()
    c, page, out = _Columns(proto.parse(pb.Graphics, data)), 0, list[Access]()
    lines = _how(c)
    for access in accesses:
        about: Payload | Texture | Target | None = None
        family = families[access.instruction]
        count = len(access.addresses)
        if family == pb.MSG_PAYLOAD:
            if count != 0:
                raise Damage("addresses of a payload")
            about, page = _payload(c, page)
        elif family == pb.MSG_TEXTURE:
            about = Texture(c.take("samples"), tuple(next(lines) for _ in range(count)))
        elif family == pb.MSG_TARGET:
            about = Target(c.take("written"), c.take("read"),
                           tuple(next(lines) for _ in range(count)))
        out.append(access._replace(graphics=about))
    c.end()
    return out


def _read_addresses(b: Bytes, instructions: int) -> list[Access]:
    """All but what they are about."""
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

"""A trace file: sections, kernels, launches, threads."""
from __future__ import annotations

import contextlib
import io
import itertools
import os
import struct
from collections.abc import Iterator
from types import TracebackType
from typing import Any, BinaryIO

from vigpu.errors import TraceError
from vigpu.modules import need
from vigpu.trace import proto
from vigpu.trace.numbers import Bytes, Damage
from vigpu.trace.segments import Access, Block, moved, read_accesses, read_path

MAGIC = b"\x89VGT\r\n"
MAJOR, MINOR_GRAPHICS = 1, 10  # from where on frames are read
TRAILER = struct.Struct("<QI4s")
MAX_SECTION = 16 << 20       # bytes of a message, uncompressed
MAX_FRAME = MAX_SECTION + 64
MAX_INSTRUCTIONS = 1 << 17   # of a kernel
HAS_PATH, HAS_ACCESSES, END_OF_THREAD, MOVED = 1, 2, 4, 8  # piece_flags
DYNAMIC = 4  # Blocks.flags


def _crc_table() -> Iterator[int]:
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
        yield value


_CRC_TABLE = tuple(_crc_table())


def crc32c(data: bytes, crc: int = 0) -> int:
    """CRC-32C (Castagnoli) of the bytes, going on from `crc`."""
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc = _CRC_TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


class Kernel:
    """Static code of one kernel.

    message: the protobuf Kernel. name, simd: its name, lanes per thread.
    instructions: protobuf Instructions. pcs: their addresses in bytes from the kernel's
    start. blocks: basic blocks in order; they cover the instructions.
    """

    def __init__(self, message: Any) -> None:
        """Damage when the message's columns do not fit together."""
        self.message = message
        self.name: str = message.name
        self.simd: int = message.simd
        self.instructions: list[Any] = []
        self.pcs: list[int] = []
        self.blocks: list[Block] = []
        self._read_code()
        self._read_blocks()
        graphics = message.stage == proto.messages().STAGE_GRAPHICS
        self.families = [i.msg.family for i in self.instructions] if graphics else None

    def _read_code(self) -> None:
        kind = proto.messages().Instruction
        stream, pc = Bytes(self.message.inst), 0
        if not 0 < self.message.inst_count <= MAX_INSTRUCTIONS:
            raise Damage(f"a kernel of {self.message.inst_count} instructions")
        for number in range(self.message.inst_count):
            inst = proto.parse(kind, stream.take(stream.varint()))
            if inst.opcode >= len(self.message.opcodes):
                raise Damage(f"instruction {number} has opcode {inst.opcode} of "
                             f"{len(self.message.opcodes)}")
            pc += inst.pc_delta
            self.pcs.append(pc)
            pc += 8 if inst.compacted else 16
            self.instructions.append(inst)
        stream.end()

    def _read_blocks(self) -> None:
        columns = self.message.blocks
        if not len(columns.count) == len(columns.flags) == len(columns.nsucc):
            raise Damage("a kernel's columns of blocks have different lengths")
        if sum(columns.count) != len(self.instructions):
            raise Damage(f"blocks of {sum(columns.count)} instructions, "
                         f"{len(self.instructions)} expected")
        if sum(columns.nsucc) != len(columns.succ) or \
                any(s >= len(columns.count) for s in columns.succ):
            raise Damage("a block's successors are not there")
        first = at = 0
        for count, number, flags in zip(columns.count, columns.nsucc, columns.flags):
            successors = tuple(columns.succ[at:at + number])
            self.blocks.append(Block(range(first, first + count), successors,
                                     bool(flags & DYNAMIC)))
            first, at = first + count, at + number

    def opcode(self, index: int) -> str:
        """GED's name of an instruction's opcode, such as GED_OPCODE_mad."""
        name: str = self.message.opcodes[self.instructions[index].opcode]
        return name


class Thread:
    """One hardware thread: its path (indices of Kernel.blocks) and its accesses, both
    in the order of execution, and how many instructions, lanes of them and FLOPs."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.path: list[int] = []
        self.accesses: list[Access] = []
        self.instructions = self.lane_instructions = self.flops = 0


class Launch:
    """One execution of a kernel. message: the protobuf Launch with sizes, arguments and
    totals. chunks: its thread sections, as numbers of the trace's."""

    def __init__(self, trace: Trace, offset: int, message: Any, chunks: range) -> None:
        if message.kernel >= len(trace.kernels):
            raise Damage(f"a launch of kernel {message.kernel} of {len(trace.kernels)}")
        self.trace, self.offset, self.message, self.chunks = trace, offset, message, chunks
        self.kernel = trace.kernels[message.kernel]

    def threads(self) -> Iterator[Thread]:
        """Every thread, complete, in the order in which they end in the file. Segments
        are kept in memory. TraceError as soon as damage is met."""
        stored = _Segments(self.trace)
        running: dict[int, Thread] = {}
        ended: set[int] = set()
        for section in self.chunks:
            offset, chunk = self.trace.threads(section)
            with self.trace.located(offset):
                reader = _ChunkReader(chunk, stored, section)
            for number, flags in reader.pieces:
                with self.trace.located(offset):
                    if number in ended or not 0 <= number < self.message.threads:
                        raise Damage(f"a piece of thread {number}, which has ended or is "
                                     f"not one of {self.message.threads}")
                    thread = running.setdefault(number, Thread(number))
                    self._add_piece(thread, flags, reader)
                if flags & END_OF_THREAD:
                    ended.add(number)
                    yield running.pop(number)
        if len(ended) != self.message.threads:
            raise TraceError(self.trace.path, self.offset,
                             f"{len(ended)} of the launch's {self.message.threads} "
                             f"threads are there")

    def _add_piece(self, thread: Thread, flags: int, reader: _ChunkReader) -> None:
        if flags & HAS_PATH:
            thread.path += read_path(reader.segment(), self.kernel.blocks)
        if flags & HAS_ACCESSES:
            data, ways = reader.access_segment(flags)
            accesses = read_accesses(data, len(self.kernel.instructions),
                                     self.kernel.families)
            thread.accesses += moved(accesses, ways) if ways else accesses
        if flags & END_OF_THREAD:
            thread.instructions, thread.lane_instructions, thread.flops = next(reader.ends)


class _Segments:
    """The segments that chunks bring, by number of the chunk: of this launch or of an
    earlier one of its kernel."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.of: dict[int, list[bytes]] = {}

    def get(self, number: int, index: int) -> bytes:
        if number not in self.of:
            _, chunk = self.trace.threads(number)
            data = Bytes(chunk.segments)
            self.of[number] = [data.take(size) for size in chunk.segment_size]
        if index >= len(self.of[number]):
            raise Damage(f"segment {index} of thread section {number} is not there")
        return self.of[number][index]


class _ChunkReader:
    """The columns of one ThreadChunk, which is the trace's number-th. pieces: (thread,
    flags). ends: the totals of the threads that end here."""

    def __init__(self, chunk: Any, stored: _Segments, number: int) -> None:
        if len(chunk.piece_thread) != len(chunk.piece_flags):
            raise Damage("a chunk's columns of pieces have different lengths")
        ends = sum(1 for flags in chunk.piece_flags if flags & END_OF_THREAD)
        if not ends == len(chunk.instructions) == len(chunk.lane_instructions) \
                == len(chunk.flops):
            raise Damage(f"totals of {len(chunk.instructions)} threads, {ends} end here")
        self.stored, self.number = stored, number
        self.fresh = self.stored.of[number] = []
        self.last = (0, 0)  # chunk and number of the last segment
        self.pieces: list[tuple[int, int]] = []
        thread = 0
        for delta, flags in zip(chunk.piece_thread, chunk.piece_flags):
            thread += delta
            self.pieces.append((thread, flags))
        self.back, self.index = iter(chunk.segment_back), iter(chunk.segment_index)
        self.sizes, self.data = iter(chunk.segment_size), Bytes(chunk.segments)
        self.ways = iter(chunk.segment_way)
        self.before: dict[tuple[int, int], list[int]] = {}
        self.ends = zip(chunk.instructions, chunk.lane_instructions, chunk.flops)

    def segment(self) -> bytes:
        """The bytes of the next segment."""
        back: int = next(self.back, -1)
        if back < 0:
            raise Damage("a chunk has fewer segments than its pieces need")
        if back == 0:
            self.fresh.append(self.data.take(next(self.sizes, MAX_SECTION)))
            self.last = (self.number, len(self.fresh) - 1)
            return self.fresh[-1]
        index: int = next(self.index, MAX_SECTION)
        if back - 1 > self.number:
            raise Damage(f"there is no section {back - 1} before thread section "
                         f"{self.number}")
        self.last = (self.number - (back - 1), index)
        return self.stored.get(*self.last)

    def access_segment(self, flags: int) -> tuple[bytes, list[int]]:
        """The next segment, and if it is moved its ways."""
        data = self.segment()
        before = self.before.pop(self.last, [])
        if not flags & MOVED:
            return data, []
        count: int = next(self.index, 0)
        ways = list(itertools.islice(self.ways, count))
        if count == 0 or len(ways) < count:
            raise Damage(f"{len(ways)} ways of a segment that is moved, {count} expected")
        if len(before) == count:
            ways = [a + b for a, b in zip(ways, before)]
        self.before[self.last] = ways
        return data, ways


class Trace:
    """An open trace.

    path: its name. header, footer: the protobuf messages. kernels: all of them.
    A context manager; close() closes the file.
    """

    def __init__(self, path: str, file: BinaryIO) -> None:
        self.path, self.file = path, file
        self.kernels: list[Kernel] = []
        self._launches: list[Launch] = []
        self._threads: list[int] = []  # offsets of thread sections
        try:
            self._read_ends()
            self._read_static()
        except OSError as error:
            raise TraceError(path, 0, f"cannot read: {error.strerror}") from error

    @contextlib.contextmanager
    def located(self, offset: int) -> Iterator[None]:
        """Damage found within is that of the section at `offset`."""
        try:
            yield
        except Damage as error:
            raise TraceError(self.path, offset, str(error)) from error

    def _read_ends(self) -> None:
        """Magic, trailer and footer."""
        magic = self.file.read(8)
        if magic[:6] != MAGIC[:len(magic)] or not magic:
            raise TraceError(self.path, 0, "no trace; expected a file made by igpu record")
        self.size = self.file.seek(0, io.SEEK_END)
        if self.size < len(MAGIC) + 2 + TRAILER.size:
            raise TraceError(self.path, self.size, "cut short; record it again")
        if magic[6] != MAJOR:
            raise TraceError(self.path, 6, f"trace format version {magic[6]}.{magic[7]}, "
                             f"but this reader knows version {MAJOR}; record it again")
        self.minor = magic[7]
        self.file.seek(self.size - TRAILER.size)
        trailer = self.file.read(TRAILER.size)
        offset, crc, mark = TRAILER.unpack(trailer)
        if mark != b"VGTE" or crc32c(trailer[:8]) != crc:
            raise TraceError(self.path, self.size - TRAILER.size,
                             "cut short: no trailer at the end; record it again")
        self.footer = self.section(offset, proto.messages().SECTION_FOOTER)
        if len(self.footer.offset) != len(self.footer.kind):
            raise TraceError(self.path, offset, "the index's columns have different lengths")

    def _read_static(self) -> None:
        pb = proto.messages()
        index = list(zip(self.footer.offset, self.footer.kind))
        if not index or index[0][1] != pb.SECTION_HEADER:
            raise TraceError(self.path, len(MAGIC) + 2, "the first section is no header")
        self.header = self.section(index[0][0], pb.SECTION_HEADER)
        first = 0  # thread section of the next launch
        for offset, kind in index[1:]:
            if kind == pb.SECTION_THREADS:
                self._threads.append(offset)
            elif kind == pb.SECTION_KERNEL:
                message = self.section(offset, kind)
                with self.located(offset):
                    self.kernels.append(Kernel(message))
                if self.kernels[-1].families is not None and self.minor < MINOR_GRAPHICS:
                    raise TraceError(self.path, 7, f"a frame in trace format version "
                                     f"{MAJOR}.{self.minor}, but this reader knows frames "
                                     f"from version {MAJOR}.{MINOR_GRAPHICS} on; make it "
                                     f"again: igpu frame trace -o FILE CAPTURE")
            elif kind == pb.SECTION_LAUNCH:
                message = self.section(offset, kind)
                with self.located(offset):
                    chunks = range(first, len(self._threads))
                    self._launches.append(Launch(self, offset, message, chunks))
                first = len(self._threads)

    def threads(self, number: int) -> tuple[int, Any]:
        """Offset and message of the trace's thread section with this number."""
        offset = self._threads[number]
        return offset, self.section(offset, proto.messages().SECTION_THREADS)

    def section(self, offset: int, kind: int) -> Any:
        """The message of the section at an offset, checked. TraceError when it is not
        whole, its checksum is wrong or it is of another kind."""
        frame = self._frame(offset)
        if frame.kind != kind:
            raise TraceError(self.path, offset,
                             f"a section of kind {frame.kind}, {kind} expected")
        with self.located(offset):
            return proto.parse(proto.kinds()[kind], self._payload(frame))

    def _frame(self, offset: int) -> Any:
        if not len(MAGIC) + 2 <= offset <= self.size - TRAILER.size:
            raise TraceError(self.path, offset, f"a section outside of the file, which has "
                             f"{self.size} bytes")
        try:
            self.file.seek(offset)
            head = self.file.read(10)
            with self.located(offset):
                length = Bytes(head)
                size = length.count(MAX_FRAME, "bytes of a section")
            self.file.seek(offset + length.at)
            data = self.file.read(size)
        except OSError as error:
            raise TraceError(self.path, offset, f"cannot read: {error.strerror}") from error
        if len(data) != size:
            raise TraceError(self.path, offset, f"a section of {size} bytes is cut short; "
                             f"record it again")
        with self.located(offset):
            frame = proto.parse(proto.messages().Frame, data)
        fixed = struct.pack("<III", frame.kind & 0xFFFFFFFF, frame.codec & 0xFFFFFFFF,
                            frame.raw_size)
        if crc32c(frame.payload, crc32c(fixed)) != frame.checksum:
            raise TraceError(self.path, offset, "the checksum does not match; the file is "
                             "damaged, record it again")
        return frame

    def _payload(self, frame: Any) -> bytes:
        """The bytes of a frame's message, uncompressed."""
        pb = proto.messages()
        payload: bytes = frame.payload
        if frame.raw_size > MAX_SECTION or frame.codec not in (pb.CODEC_NONE, pb.CODEC_ZSTD):
            raise Damage(f"a section of {frame.raw_size} bytes, at most {MAX_SECTION} "
                         f"expected, with codec {frame.codec}")
        if frame.codec == pb.CODEC_ZSTD:
            zstandard = need("zstandard")
            # A stream gives what there is, whatever size the data claim to have.
            stream = zstandard.ZstdDecompressor().stream_reader(payload)
            try:
                payload = stream.read(frame.raw_size + 1)
            except zstandard.ZstdError as error:
                raise Damage(f"cannot be decompressed: {error}") from error
        if len(payload) != frame.raw_size:
            raise Damage(f"a message of {frame.raw_size} bytes expected, not "
                         f"{len(payload)}")
        return payload

    def launches(self) -> list[Launch]:
        """All launches, in order."""
        return list(self._launches)

    def close(self) -> None:
        self.file.close()

    def __enter__(self) -> Trace:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 traceback: TracebackType | None) -> None:
        self.close()


def open_trace(path: str | os.PathLike[str]) -> Trace:
    """Open the trace at `path`. OSError when there is no such file, TraceError when it
    is no trace or damaged, MissingModule when a library is not there."""
    proto.messages()
    need("zstandard")
    name = os.fspath(path)
    if os.path.exists(name) and not os.path.isfile(name):
        raise TraceError(name, 0, "not a regular file; expected a trace")
    file = io.open(name, "rb")
    try:
        return Trace(name, file)
    except BaseException:
        file.close()
        raise

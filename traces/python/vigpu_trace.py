"""vigpu_trace.py - read Vigpu traces (format v1) in Python.

    import vigpu_trace
    trace = vigpu_trace.open("traces/samples/mad_sp.pb")
    print(trace.header.device, [k.name for k in trace.kernels])
    for launch in trace.launches():
        for thread in launch.threads():
            print(thread.number, len(thread.path), thread.accesses[:1])

It is written from the format's description alone (igpu_trace.proto, docs/7-formats.md)
and shares nothing with the C reader. Needs igpu_trace_pb2.py (`make python`), Debian's
python3-protobuf and python3-zstandard. A file that is no trace, cut short or corrupt
raises TraceError. One launch's segments are kept in memory at a time.
"""
import collections
import io
import struct

import zstandard

import igpu_trace_pb2 as pb

MAGIC = b"\x89VGT\r\n"
MAJOR = 1
TRAILER = struct.Struct("<QI4s")
MAX_SECTION = 1 << 30
END_OF_THREAD = 4
AFFINE, IRREGULAR, AS_BEFORE = 0, 1, 2  # kinds of accesses with several lanes

Access = collections.namedtuple("Access", "instruction mask addresses")
Access.__doc__ = "One executed send: index of the instruction, lanes, their addresses."


class TraceError(Exception):
    """What is wrong with a file, and where."""


def crc32c(data, crc=0):
    """CRC-32C (Castagnoli) of the bytes."""
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc = CRC_TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def _crc_table():
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
        yield value


CRC_TABLE = tuple(_crc_table())


# ---- numbers ----------------------------------------------------------------

def signed(value, bits=64):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


class Bytes:
    """Reads numbers from the front of some bytes."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if count > len(self.data) - self.at:
            raise TraceError("a segment ends early")
        self.at += count
        return self.data[self.at - count:self.at]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value & ((1 << 64) - 1)
            if shift > 63:
                raise TraceError("a varint is too long")

    def zigzag(self):
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    # -- columns: the code above ThreadChunk in igpu_trace.proto --

    def literals(self, count):
        if count == 0:
            return []
        shift, base, width = self.take(1)[0], self.zigzag(), self.take(1)[0]
        top_plane, width = width & 0x80, width & 0x7F
        values = [0] * count
        for plane in range(width // 8):
            for i, byte in enumerate(self.take(count)):
                values[i] |= byte << (8 * plane)
        bits, low = width % 8, width // 8 * 8
        if bits and top_plane:
            for i, byte in enumerate(self.take(count)):
                values[i] |= byte << low
        elif bits:
            packed = int.from_bytes(self.take((count * bits + 7) // 8), "little")
            for i in range(count):
                values[i] |= (packed >> (i * bits) & ((1 << bits) - 1)) << low
        return [base + (v << shift) for v in values]

    def matches(self, count):
        literals = iter(self.literals(self.varint()))
        out = []

        def copy_literals():
            for _ in range(self.varint()):
                out.append(next(literals))

        copy_literals()
        while len(out) < count:
            length, distance = self.varint(), self.varint()
            if distance == 0 or distance > len(out):
                raise TraceError("a column copies from before its start")
            for _ in range(length):
                out.append(out[-distance])
            if len(out) < count:
                copy_literals()
        if len(out) != count:
            raise TraceError("a column has too many numbers")
        return out

    def column(self, count):
        """`count` numbers, modulo 2^64."""
        mask = (1 << 64) - 1
        if count == 0:
            return []
        form = self.take(1)[0]
        if form == 0:
            return [self.zigzag() & mask] * count
        if form not in (4, 5, 6, 7):
            raise TraceError(f"a column has the unknown form {form}")
        differences, first = form & 1, None
        if differences:
            first = self.zigzag() & mask
            count -= 1
        values = self.matches(count) if form & 2 else self.literals(count)
        if not differences:
            return [v & mask for v in values]
        out = [first]
        for v in values:
            out.append((out[-1] + v) & mask)
        return out


# ---- segments ---------------------------------------------------------------

def read_path(data, successors):
    """The blocks of one path segment; successors[b] is block b's list."""
    b = Bytes(data)
    count, block = b.varint(), b.varint()
    asked = {b.varint() for _ in range(b.varint())}
    decisions = iter(b.column(b.varint()))
    path = [block] if count else []
    for _ in range(count - 1):
        options = successors[block]
        if len(options) == 1 and block not in asked:
            block = options[0]
        else:
            decision = next(decisions)
            block = options[decision] if decision < 3 else decision - 3
        path.append(block)
    return path


def bit_list(mask):
    return [lane for lane in range(32) if mask >> lane & 1]


def read_accesses(data):
    """The accesses of one segment, in path order."""
    b = Bytes(data)
    count = b.varint()
    sends = b.column(b.varint())
    which = b.column(count) if len(sends) > 1 else [0] * count
    masks = b.column(count)
    lanes = [bit_list(m) for m in masks]
    stored = iter(b.column(sum(len(l) > 1 for l in lanes)))
    kinds = [next(stored) if len(l) > 1 else AFFINE for l in lanes]
    mode = b.take(1)[0]
    groups = [range(count)] if mode == 0 else [
        [i for i in range(count) if which[i] == s] for s in range(len(sends))]
    addresses = [[] for _ in range(count)]
    for group in groups:
        bases = iter(b.column(sum(1 for i in group if lanes[i])))
        strides = iter(b.column(sum(1 for i in group
                                    if len(lanes[i]) > 1 and kinds[i] == AFFINE)))
        differences = iter(b.column(sum(len(lanes[i]) - 1 for i in group
                                        if kinds[i] == IRREGULAR)))
        for i in group:
            addresses[i] = _lane_addresses(lanes[i], kinds[i], bases, strides,
                                           differences)
    _repeat(lanes, kinds, addresses)
    return [Access(sends[which[i]], masks[i], addresses[i]) for i in range(count)]


def _repeat(lanes, kinds, addresses):
    """Accesses as before have their base only: give them the other lanes."""
    mask = (1 << 64) - 1
    last = None
    for i, kind in enumerate(kinds):
        if len(lanes[i]) < 2 or kind == AFFINE:
            continue
        if kind == AS_BEFORE:
            if last is None or lanes[last] != lanes[i]:
                raise TraceError("an access as before that has none before it")
            shift = addresses[i][0] - addresses[last][0]
            addresses[i] = [(a + shift) & mask for a in addresses[last]]
        last = i


def _lane_addresses(lanes, kind, bases, strides, differences):
    mask = (1 << 64) - 1
    if not lanes:
        return []
    out = [next(bases)]
    if kind == IRREGULAR:
        for _ in lanes[1:]:
            out.append((out[-1] + next(differences)) & mask)
    elif len(lanes) > 1 and kind == AFFINE:
        stride = next(strides)
        out += [(out[0] + stride * (lane - lanes[0])) & mask for lane in lanes[1:]]
    return out


# ---- the file ---------------------------------------------------------------

class Kernel:
    """Static code: `message` is the protobuf, the rest is what one mostly wants."""

    def __init__(self, message):
        self.message, self.name, self.simd = message, message.name, message.simd
        self.instructions, self.pcs = [], []
        stream, pc = Bytes(message.inst), 0
        for _ in range(message.inst_count):
            inst = pb.Instruction.FromString(bytes(stream.take(stream.varint())))
            pc += inst.pc_delta
            self.pcs.append(pc)
            pc += 8 if inst.compacted else 16
            self.instructions.append(inst)
        self.blocks, self.successors = [], []
        first, succ = 0, iter(message.blocks.succ)
        for count, number in zip(message.blocks.count, message.blocks.nsucc):
            self.blocks.append(range(first, first + count))
            self.successors.append([next(succ) for _ in range(number)])
            first += count

    def opcode(self, index):
        """GED's name of an instruction's opcode, such as GED_OPCODE_mad."""
        return self.message.opcodes[self.instructions[index].opcode]


class Thread:
    """One hardware thread: its path (blocks) and its accesses, in order."""

    def __init__(self, number):
        self.number, self.path, self.accesses = number, [], []
        self.instructions = self.lane_instructions = self.flops = 0


class Launch:
    """`message` is the protobuf: sizes, arguments, totals."""

    def __init__(self, trace, message, chunks):
        self.trace, self.message, self.chunks = trace, message, chunks
        self.kernel = trace.kernels[message.kernel]

    def threads(self):
        """Every thread, complete, in the order in which they end in the file."""
        stored, open_threads = [], {}
        for offset in self.chunks:
            chunk = self.trace.section(offset)[1]
            reader = ChunkReader(chunk, stored)
            for number, flags in reader.pieces():
                thread = open_threads.setdefault(number, Thread(number))
                if flags & 1:
                    thread.path += read_path(reader.segment(), self.kernel.successors)
                if flags & 2:
                    thread.accesses += read_accesses(reader.segment())
                if flags & END_OF_THREAD:
                    reader.totals(thread)
                    yield open_threads.pop(number)
            stored.append(reader.fresh)
        if open_threads:
            raise TraceError(f"thread {min(open_threads)} has no end")


class ChunkReader:
    """The columns of one ThreadChunk, taken from the front."""

    def __init__(self, chunk, stored):
        self.chunk, self.stored, self.fresh = chunk, stored, []
        self.back, self.index = iter(chunk.segment_back), iter(chunk.segment_index)
        self.sizes, self.data = iter(chunk.segment_size), Bytes(chunk.segments)
        self.ends = zip(chunk.instructions, chunk.lane_instructions, chunk.flops)

    def pieces(self):
        number = 0
        for delta, flags in zip(self.chunk.piece_thread, self.chunk.piece_flags):
            number += delta
            yield number, flags

    def segment(self):
        back = next(self.back)
        if back == 0:
            self.fresh.append(self.data.take(next(self.sizes)))
            return self.fresh[-1]
        chunks = self.stored + [self.fresh]
        return chunks[len(chunks) - back][next(self.index)]

    def totals(self, thread):
        thread.instructions, thread.lane_instructions, thread.flops = next(self.ends)


class Trace:
    """An open trace; see the top of this file."""

    KINDS = {pb.SECTION_HEADER: pb.Header, pb.SECTION_KERNEL: pb.Kernel,
             pb.SECTION_LAUNCH: pb.Launch, pb.SECTION_THREADS: pb.ThreadChunk,
             pb.SECTION_FOOTER: pb.Footer}

    def __init__(self, file):
        self.file = file
        magic = file.read(8)
        if magic[:6] != MAGIC:
            raise TraceError("not a Vigpu trace")
        if magic[6] != MAJOR:
            raise TraceError(f"format {magic[6]}, this reader knows {MAJOR}")
        file.seek(-TRAILER.size, io.SEEK_END)
        offset, crc, mark = TRAILER.unpack(file.read(TRAILER.size))
        if mark != b"VGTE" or crc32c(struct.pack("<Q", offset)) != crc:
            raise TraceError("cut short: no trailer at the end")
        self.footer = self.section(offset)[1]
        self.header, self.kernels, self._launches = None, [], []
        self._read_static()

    def _read_static(self):
        chunks = []
        for offset, kind in zip(self.footer.offset, self.footer.kind):
            if kind == pb.SECTION_THREADS:
                chunks.append(offset)
            elif kind in self.KINDS:
                message = self.section(offset)[1]
                if kind == pb.SECTION_HEADER:
                    self.header = message
                elif kind == pb.SECTION_KERNEL:
                    self.kernels.append(Kernel(message))
                elif kind == pb.SECTION_LAUNCH:
                    self._launches.append(Launch(self, message, chunks))
                    chunks = []

    def section(self, offset):
        """(kind, message) of the section at an offset, checked."""
        self.file.seek(offset)
        size = shift = 0
        while True:
            byte = self.file.read(1)
            if not byte or shift > 28:
                raise TraceError(f"offset {offset}: a section's length is not valid")
            size |= (byte[0] & 0x7F) << shift
            shift += 7
            if byte[0] < 0x80:
                break
        data = self.file.read(size) if size < MAX_SECTION else b""
        if len(data) != size:
            raise TraceError(f"offset {offset}: cut short")
        frame = pb.Frame.FromString(data)
        head = struct.pack("<III", frame.kind, frame.codec, frame.raw_size)
        if crc32c(frame.payload, crc32c(head)) != frame.checksum:
            raise TraceError(f"offset {offset}: the checksum does not match")
        payload = frame.payload
        if frame.codec == pb.CODEC_ZSTD:
            payload = zstandard.ZstdDecompressor().decompress(
                payload, max_output_size=frame.raw_size)
        return frame.kind, self.KINDS[frame.kind].FromString(payload)

    def launches(self):
        return list(self._launches)

    def close(self):
        self.file.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def open(path):  # pylint: disable=redefined-builtin
    """Open the trace at `path`."""
    file = io.open(path, "rb")
    try:
        return Trace(file)
    except (OSError, struct.error) as error:
        file.close()
        raise TraceError(f"{path}: {error}") from error
    except Exception:
        file.close()
        raise

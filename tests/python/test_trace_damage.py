"""Damaged traces: always TraceError, with the file and an offset in it."""
import collections
import os
import random
import re
import struct

import pytest

import vigpu.trace
from vigpu.trace import proto
from vigpu.trace.file import MAGIC, TRAILER

SEED = 20260
# Mutated files of the two kinds.
BYTES, MESSAGES = (700, 900) if "IGPU_LONG" in os.environ else (200, 150)
SOURCES = ["ext_native.pb", "atomics32.pb", "ids_3d.pb", "chase_a64.pb", "stencil.pb"]


def read(path):
    """Read all that a trace has; how many threads."""
    with vigpu.trace.open(path) as trace:
        return sum(1 for launch in trace.launches() for _ in launch.threads())


def outcome(path, size):
    """'fine', 'TraceError', or what else was raised."""
    try:
        read(path)
    except vigpu.trace.TraceError as error:
        assert error.path == str(path) and 0 <= error.offset
        assert str(error).startswith(f"{path}: offset {error.offset}: ")
        assert "\n" not in str(error) and size >= 0
        return "TraceError"
    except Exception as error:  # pylint: disable=broad-except
        return type(error).__name__
    return "fine"


def damage_bytes(data, rng):
    """Change, cut, take out or put in some bytes."""
    data, at = bytearray(data), rng.randrange(len(data))
    kind = rng.randrange(4)
    if kind == 0:
        for _ in range(rng.randint(1, 8)):
            data[rng.randrange(len(data))] = rng.randrange(256)
    elif kind == 1:
        del data[at:]
    elif kind == 2:
        del data[at:at + rng.randint(1, 64)]
    else:
        data[at:at] = rng.randbytes(rng.randint(1, 64))
    return bytes(data)


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def sealed(messages):
    """A trace of (kind, message's bytes), with lengths, checksums and index as a writer
    makes them, so that only what is in the messages can be wrong."""
    pb = proto.messages()
    out, footer = bytearray(MAGIC + b"\1\0"), pb.Footer()

    def add(kind, payload):
        head = struct.pack("<III", kind, 0, len(payload))
        crc = vigpu.trace.crc32c(payload, vigpu.trace.crc32c(head))
        frame = pb.Frame(kind=kind, codec=0, raw_size=len(payload), payload=payload,
                         checksum=crc).SerializeToString()
        out.extend(varint(len(frame)) + frame)

    for kind, payload in messages:
        footer.offset.append(len(out))
        footer.kind.append(kind)
        add(kind, payload)
    at = struct.pack("<Q", len(out))
    add(pb.SECTION_FOOTER, footer.SerializeToString())
    out.extend(at + struct.pack("<I", vigpu.trace.crc32c(at)) + b"VGTE")
    return bytes(out)


def messages_of(path):
    with vigpu.trace.open(path) as trace:
        return [(kind, trace.section(offset, kind))
                for offset, kind in zip(trace.footer.offset, trace.footer.kind)]


def numbers_of(message):
    """(message, field, index or None) of every number and string of bytes, messages
    inside included."""
    for field, value in message.ListFields():
        repeated = field.label == field.LABEL_REPEATED
        for index, one in enumerate(value if repeated else [value]):
            if field.type == field.TYPE_MESSAGE:
                yield from numbers_of(one)
            else:
                yield message, field, index if repeated else None


def other_value(field, value, rng):
    if field.type in (field.TYPE_BYTES, field.TYPE_STRING):
        if field.type == field.TYPE_STRING or not value:
            return value[1:]
        return damage_bytes(value, rng)
    if field.type == field.TYPE_BOOL:
        return not value
    most = {field.TYPE_UINT64: 64, field.TYPE_FIXED64: 64, field.TYPE_SINT64: 63}.get(
        field.type, 31)
    return rng.choice([0, 1, value + 1, max(value - 1, 0), (1 << most) - 1,
                       rng.getrandbits(most), rng.getrandbits(8)]) & ((1 << most) - 1)


def damage_message(messages, rng):
    """Change one to three numbers of one message, or leave out, repeat or swap
    messages."""
    copies = []
    for kind, message in messages:
        copy = type(message)()
        copy.CopyFrom(message)
        copies.append((kind, copy))
    if rng.random() < 0.1:
        at = rng.randrange(len(copies))
        copies[at:at + 1] = rng.choice([[], [copies[at]] * 2, copies[at - 1:at]])
    # Launches and threads (the last ones) are small beside the code.
    _, target = rng.choice(copies[-2:] if rng.random() < 0.7 else copies)
    for _ in range(rng.randint(1, 3)):
        places = collections.defaultdict(list)  # each field as likely as the others
        for message, field, index in numbers_of(target):
            places[field.full_name].append((message, field, index))
        if not places:
            break
        message, field, index = rng.choice(places[rng.choice(sorted(places))])
        values = getattr(message, field.name)
        if index is None:
            setattr(message, field.name, other_value(field, values, rng))
        elif rng.random() < 0.2:
            del values[index]
        else:
            values[index] = other_value(field, values[index], rng)
    return sealed([(kind, copy.SerializeToString()) for kind, copy in copies])


def check(outcomes, files):
    assert sum(outcomes.values()) == files
    assert set(outcomes) <= {"fine", "TraceError"}, outcomes
    assert outcomes["TraceError"] > files / 3, outcomes


def test_damaged_bytes_give_a_trace_error(samples, tmp_path):
    rng, outcomes = random.Random(SEED), collections.Counter()
    for number in range(BYTES):
        data = damage_bytes((samples / SOURCES[number % len(SOURCES)]).read_bytes(), rng)
        path = tmp_path / "damaged.pb"
        path.write_bytes(data)
        outcomes[outcome(path, len(data))] += 1
    check(outcomes, BYTES)


def test_damaged_messages_give_a_trace_error(samples, tmp_path):
    rng, outcomes = random.Random(SEED + 1), collections.Counter()
    sources = [messages_of(samples / name) for name in SOURCES]
    for number in range(MESSAGES):
        data = damage_message(sources[number % len(sources)], rng)
        path = tmp_path / "damaged.pb"
        path.write_bytes(data)
        outcomes[outcome(path, len(data))] += 1
    check(outcomes, MESSAGES)


def test_an_undamaged_trace_that_was_sealed_again_is_read(samples, tmp_path):
    path = tmp_path / "sealed.pb"
    path.write_bytes(sealed([(kind, message.SerializeToString()) for kind, message in
                             messages_of(samples / "stencil.pb")]))
    assert read(path) == read(samples / "stencil.pb")


def test_every_cut_is_refused(samples, tmp_path):
    data, path = (samples / "mad_sp.pb").read_bytes(), tmp_path / "cut.pb"
    for size in range(len(data)):
        path.write_bytes(data[:size])
        with pytest.raises(vigpu.trace.TraceError):
            read(path)


@pytest.mark.parametrize("size", [0, 3, 7, 8, 23])
def test_a_cut_tells_where(samples, tmp_path, size):
    path = tmp_path / "short.pb"
    path.write_bytes((samples / "mad_sp.pb").read_bytes()[:size])
    with pytest.raises(vigpu.trace.TraceError, match=re.escape(f"{path}: offset ")):
        read(path)


def test_another_version_is_named(samples, tmp_path):
    path, data = tmp_path / "v2.pb", bytearray((samples / "mad_sp.pb").read_bytes())
    data[6:8] = 2, 3
    path.write_bytes(data)
    with pytest.raises(vigpu.trace.TraceError, match="offset 6: .*version 2.3"):
        read(path)


def test_what_claims_to_be_large_takes_no_memory(samples, tmp_path):
    pb, path = proto.messages(), tmp_path / "large.pb"
    for column in (b"\0\2", b"\4\0\0\0", b"\6\0\1\xff\xff\xff\xff\x0f\1"):
        # A path of 2^31 blocks, so many decisions from a few bytes.
        segment = varint(1 << 31) + b"\0\0" + varint(1 << 31) + column
        messages = messages_of(samples / "mad_sp.pb")
        for kind, message in messages:
            if kind == pb.SECTION_THREADS:
                message.segments, message.segment_size[:] = segment, [len(segment)]
        path.write_bytes(sealed([(k, m.SerializeToString()) for k, m in messages]))
        with pytest.raises(vigpu.trace.TraceError, match="at most"):
            read(path)


def test_a_file_that_is_not_there_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        vigpu.trace.open(tmp_path / "nothing.pb")
    with pytest.raises(vigpu.trace.TraceError, match="not a regular file"):
        vigpu.trace.open(tmp_path)
    assert TRAILER.size == 16

"""The messages of igpu_trace.proto, whose Python code is generated when this package
is built, and the libraries that they need. Imported at the first use."""
from __future__ import annotations

import functools
import warnings
from typing import Any

from vigpu.errors import MissingModule
from vigpu.modules import need
from vigpu.trace.numbers import Damage


@functools.cache
def messages() -> Any:
    """The module igpu_trace_pb2. MissingModule when it or protobuf is not there."""
    need("google.protobuf")
    try:
        from vigpu.trace import igpu_trace_pb2  # type: ignore[attr-defined]
    except ModuleNotFoundError as error:
        raise MissingModule(
            "the trace format's Python code is not made yet: make python, or "
            "pip install ./bridge/python") from error
    return igpu_trace_pb2


@functools.cache
def kinds() -> dict[int, Any]:
    """The message of each kind of section."""
    pb = messages()
    return {pb.SECTION_HEADER: pb.Header, pb.SECTION_KERNEL: pb.Kernel,
            pb.SECTION_LAUNCH: pb.Launch, pb.SECTION_THREADS: pb.ThreadChunk,
            pb.SECTION_FOOTER: pb.Footer, pb.SECTION_VALUES: pb.Values}


def parse(message: Any, data: bytes) -> Any:
    """The bytes as one `message` (a class). Damage when they are none."""
    # Some implementations only warn of data that end in the middle of a group.
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            parsed = message.FromString(data)
        except _decode_errors() as error:
            raise Damage(f"{len(data)} bytes are no {message.__name__} message") from error
    if warned:
        raise Damage(f"{len(data)} bytes are no {message.__name__} message")
    return parsed


@functools.cache
def _decode_errors() -> tuple[type[Exception], ...]:
    return (need("google.protobuf.message").DecodeError, UnicodeDecodeError)

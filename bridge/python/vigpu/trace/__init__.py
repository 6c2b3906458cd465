"""Read Vigpu traces (format v1).

    import vigpu.trace
    with vigpu.trace.open("traces/samples/mad_sp.pb") as trace:
        print(trace.header.device, [k.name for k in trace.kernels])
        for launch in trace.launches():
            for thread in launch.threads():
                print(thread.number, len(thread.path), thread.accesses[:1])

It is written from the format's description alone (igpu_trace.proto, docs/contract/formats.md)
and shares nothing with the C reader. A file that is no trace, cut short or corrupt
raises TraceError with file and offset. Needs the modules google.protobuf and zstandard;
what gives a table needs pandas.
"""
from vigpu.errors import TraceError
from vigpu.trace.file import Kernel, Launch, Thread, Trace, crc32c
from vigpu.trace.file import open_trace as open  # pylint: disable=redefined-builtin
from vigpu.trace.segments import (Access, Block, DepthRun, Payload, Target, Texture,
                                  lanes_of)
from vigpu.trace.tables import accesses, opcode_counts, opcodes, threads

__all__ = ["Access", "Block", "DepthRun", "Kernel", "Launch", "Payload", "Target",
           "Texture", "Thread", "Trace", "TraceError", "accesses", "crc32c", "lanes_of",
           "opcode_counts", "opcodes", "open", "threads"]

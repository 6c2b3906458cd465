"""Result files that appear whole or not at all."""
from __future__ import annotations

import os
import pathlib
import sys
import tempfile

from vigpu.errors import UsageError


def check_writable(path: str) -> None:
    """UsageError when write() could not write there: asked before a long run. Nothing is
    left, and a file that is there stays."""
    if path == "-":
        return
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise UsageError(f"{path}: cannot write: it is a folder")
    if not os.path.isdir(folder):
        raise UsageError(f"{path}: cannot write: no folder {folder}")
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise UsageError(f"{path}: cannot write: permission denied")


_PROC = "/proc/self/fd/{}"  # an open file, as one that can be given a name


def _unnamed(folder: str) -> int | None:
    """A new file there without a name, which goes with the process, whatever ends that;
    None where the file system has none."""
    try:
        handle = os.open(folder, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o666)
    except (AttributeError, OSError):  # not Linux
        return None
    if os.path.exists(_PROC.format(handle)):
        return handle
    os.close(handle)
    return None


def _beside(path: str) -> str:
    """A name for a moment, as those of the programs: csim/util/output.c."""
    folder, base = os.path.split(path)
    return os.path.join(folder, f"{base[:200]}.{os.getpid()}.{os.urandom(4).hex()}.part")


def write(path: str, data: bytes) -> None:
    """Write a whole file; "-" is stdout. A device or pipe is written directly. OSError
    when it cannot be: then what was there is there still."""
    if path == "-":
        sys.stdout.buffer.write(data)
        return
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as device:
            device.write(data)
        return
    path = os.path.realpath(path)  # a link stays one
    mask = os.umask(0)
    os.umask(mask)
    handle = _unnamed(os.path.dirname(path))
    name: str | None = None
    if handle is None:
        handle, name = tempfile.mkstemp(prefix=os.path.basename(path) + ".",
                                        dir=os.path.dirname(path))
    try:
        with open(handle, "wb") as part:
            part.write(data)
            part.flush()
            os.fchmod(part.fileno(), 0o666 & ~mask)
            os.fsync(part.fileno())
            if name is None:
                name = _beside(path)
                os.link(_PROC.format(handle), name, src_dir_fd=handle)
        os.replace(name, path)
    except BaseException:
        if name is not None:
            pathlib.Path(name).unlink(missing_ok=True)
        raise

"""Result files that appear whole or not at all."""
from __future__ import annotations

import os
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
    handle, name = tempfile.mkstemp(prefix=os.path.basename(path) + ".",
                                    dir=os.path.dirname(path))
    try:
        with open(handle, "wb") as part:
            part.write(data)
            part.flush()
            os.fchmod(part.fileno(), 0o666 & ~mask)
            os.fsync(part.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise

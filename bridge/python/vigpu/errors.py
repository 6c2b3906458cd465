"""What goes wrong, as exceptions whose text is one line for the user.

`exit_status` is what the command line ends with, the same as igpu's: 1 a simulation
failed, 2 usage, 3 bad input.
"""
from __future__ import annotations


class VigpuError(Exception):
    """Any error of this package."""

    exit_status = 1


class UsageError(VigpuError):
    """The call is wrong: an unknown name, a file that cannot be written."""

    exit_status = 2


class InputError(VigpuError):
    """A file is not what was expected."""

    exit_status = 3


class TraceError(InputError):
    """A trace is damaged, cut short, or none: which file, where, and what is wrong.

    path: the file. offset: the byte at which the broken section (or number) begins.
    """

    def __init__(self, path: str, offset: int, text: str) -> None:
        super().__init__(f"{path}: offset {offset}: {text}")
        self.path, self.offset = path, offset


class MissingModule(UsageError, ImportError):
    """A library that this call needs is not installed; the text says what to install."""

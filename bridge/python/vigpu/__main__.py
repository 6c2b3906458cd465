"""`igpu COMMAND` of what is Python, and `python3 -m vigpu`: the command line."""
from __future__ import annotations

import argparse
import errno
import os
import signal
import sys
from collections.abc import Callable, Sequence

from vigpu import __version__, commands
from vigpu.errors import InputError, UsageError, VigpuError

# What could not be written; any other OSError is of a file to read.
LOST = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class _Parser(argparse.ArgumentParser):
    """One line for what is wrong, as igpu prints it."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise UsageError(f"{message}; see {self.prog} --help")


def _parser(command: str) -> argparse.ArgumentParser:
    """With all commands, or with the one that is asked for alone: to import all takes longer
    than most of them run."""
    parser = _Parser(prog="igpu", description="The commands of igpu that are Python.",
                     epilog="Exit status: 0 done, 1 simulation error, 2 usage, "
                     "3 bad input, 5 out of memory.")
    parser.add_argument("--version", action="store_true", help="print the version")
    sub = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    for name in [command] if command in commands.MODULES else commands.MODULES:
        commands.module(name).add(sub)
    return parser


def _joined(words: Sequence[str]) -> list[str]:
    """`sweep show` is a command's name of two words; some arrange the rest themselves."""
    pair = " ".join(words[:2])
    if words and words[0] in commands.ARRANGE:
        return [words[0], *commands.module(words[0]).arrange(words[1:])]
    return [pair, *words[2:]] if pair in commands.PAIRS else list(words)


def _run(words: Sequence[str]) -> None:
    words = _joined(words)
    parser = _parser(words[0] if words else "")
    args = parser.parse_args(words)
    if args.version:
        print(f"vigpu {__version__}")
        return
    if args.command is None:
        raise UsageError("expected a command; see igpu --help")
    run: Callable[[argparse.Namespace], None] = args.run
    run(args)


def _stop(number: int, _: object) -> None:
    """End as after an error: files that are half written go, a simulation stops."""
    sys.exit(128 + number)


def _drop_stdout() -> None:
    """What it still holds cannot be written: the interpreter would try again at its end,
    complain once more and end with a status of its own."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _line(text: str) -> str:
    """One line, whatever of a file is in it."""
    text = "".join(c if c.isprintable() else " " for c in text)
    return text if len(text) <= 560 else f"{text[:550]}..."


def _name(words: Sequence[str]) -> str:
    """Who speaks: `igpu sweep`, as igpu's other commands tell it."""
    return f"igpu {words[0]}" if words and words[0] in commands.FIRST else "igpu"


def main(words: Sequence[str] | None = None) -> int:
    """Run the command of `words` (None: of the process); the exit status."""
    for number in (signal.SIGHUP, signal.SIGTERM):
        if signal.getsignal(number) is signal.SIG_DFL:  # nohup stays in force
            signal.signal(number, _stop)
    words = sys.argv[1:] if words is None else words
    try:
        _run(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:
        _drop_stdout()
        return 1
    except VigpuError as error:
        print(f"{_name(words)}: {_line(str(error))}", file=sys.stderr)
        return error.exit_status
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"{_name(words)}: {_line(f'{where}{error.strerror or error}')}", file=sys.stderr)
        if error.errno in LOST and not error.filename:
            _drop_stdout()
        return 1 if error.errno in LOST else InputError.exit_status
    return 0


if __name__ == "__main__":
    sys.exit(main())

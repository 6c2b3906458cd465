"""What is predicted: the launches of a trace, of a kernel that the emulator runs, of a case
of the suite, or of a program; and their features."""
from __future__ import annotations

import csv
import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING

from vigpu import igpu
from vigpu.errors import InputError, UsageError, VigpuError
from vigpu.modules import need

if TYPE_CHECKING:
    from vigpu.predict.bound import Array

DATA = pathlib.Path(__file__).resolve().parent / "data"
_NAMES = ("kernel", "threads", "threads_read")


@dataclasses.dataclass(frozen=True)
class Launches:
    """names: kernel, threads and threads_read of each launch, in order. features: a column
    for each feature. kinds: each feature's kind (fixed, sum, shape)."""

    names: list[dict[str, str | int]]
    features: dict[str, Array]
    kinds: dict[str, str]


def kinds() -> dict[str, str]:
    """The kind of each feature, in order."""
    with open(DATA / "features.csv", encoding="utf-8", newline="") as file:
        return {row["name"]: row["kind"] for row in csv.DictReader(file)}


def meanings() -> dict[str, str]:
    """What each feature is, in words."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in igpu.run(["features", "--list"]).splitlines()[2:]]
    return {row[0].strip("`"): row[4] for row in rows if len(row) == 5}


def _of(words: Sequence[str], sample: int) -> list[list[str]]:
    """The lines of `igpu features --csv`; the first one has the names."""
    more = ["--sample", str(sample)] if sample else []
    text = igpu.run(["features", "--csv", "-", *more, *words])
    return list(csv.reader(text.splitlines()))


def _launches(lines: list[list[str]]) -> Launches:
    np = need("numpy")
    head = lines[0]
    known = kinds()
    values = np.array([[float(cell) for cell in line[4:]] for line in lines[1:]])
    column = {name: i for i, name in enumerate(head[4:])}
    if missing := [name for name in known if name not in column]:
        raise InputError(f"igpu features does not give {missing[0]}: it and the Python "
                         "package are of different versions; make igpu python")
    values = values.reshape(len(lines) - 1, len(column))
    return Launches([{"kernel": line[1], "threads": int(line[2]), "threads_read": int(line[3])}
                     for line in lines[1:]],
                    {name: values[:, column[name]] for name in known}, known)


def of_trace(path: str | os.PathLike[str], sample: int = 0) -> Launches:
    """Each launch of the trace. sample: hardware threads to look at, 0 for all."""
    return _launches(_of([os.fspath(path)], sample))


def of_kernel(words: Sequence[str], sample: int = 0) -> Launches:
    """Of a kernel that the emulator runs, by the words of `igpu record`; with `sample` only
    these threads' groups run."""
    return _launches(_of(words, sample))


def _joined(parts: list[list[list[str]]]) -> Launches:
    return _launches([parts[0][0], *(line for lines in parts for line in lines[1:])])


def of_case(name: str, sample: int = 0) -> Launches:
    """Of a case of the suite (traces/kernels/cases.yaml), a launch at each SIMD width."""
    cases = igpu.shared("kernels/cases.yaml")
    if cases is None:
        raise UsageError(f"{name}: no such file, and no traces/kernels/cases.yaml for a case "
                         "of that name")
    with tempfile.TemporaryDirectory(prefix="vigpu.") as folder:
        try:
            igpu.run(["suite", "--case", name, "--traces", folder, cases])
        except UsageError as error:
            raise UsageError(f"{name}: no such file, and no case of {cases} ({error})") from error
        paths = sorted(pathlib.Path(folder).glob("*.pb"), key=lambda p: (len(p.name), p.name))
        if not paths:
            raise UsageError(f"{name}: no such file, and no case of {cases}")
        return _joined([_of([str(path)], sample) for path in paths])


def of_program(words: Sequence[str], sample: int = 0) -> Launches:
    """Of an OpenCL program, run under igpu run; its output goes to stderr."""
    with tempfile.TemporaryDirectory(prefix="vigpu.") as folder:
        command = [igpu.find(), "run", "--quiet", "--one", "-o", folder, "--", *words]
        sys.stdout.flush()
        status = subprocess.run(command, stdout=sys.stderr, check=False).returncode
        if status in (2, 127):
            raise UsageError(f"{words[0]}: igpu run ended with status {status}")
        if status != 0:
            raise VigpuError(f"{words[0]}: ended with status {status} under igpu run; nothing "
                             "is predicted")
        paths = sorted(pathlib.Path(folder).glob("*.pb"))
        if not paths:
            raise InputError(f"{words[0]}: launched no kernel on the device 'Vigpu'")
        return _joined([_of([str(path)], sample) for path in paths])

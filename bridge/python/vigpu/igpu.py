"""The program `igpu`, which simulates; this package reads what it prints as JSON."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from vigpu.errors import InputError, UsageError, VigpuError
from vigpu.modules import need

if TYPE_CHECKING:
    import pandas as pd

_ERRORS: dict[int, type[VigpuError]] = {2: UsageError, 3: InputError}


def find(name: str = "igpu") -> str:
    """The path of igpu (or Vigpu): that of the environment's IGPU (VIGPU), of the build
    around this package, or of PATH. UsageError when there is none."""
    given = os.environ.get(name.upper())
    if given:
        return given
    beside = pathlib.Path(__file__).resolve().parents[2] / "bin" / name
    found = str(beside) if beside.is_file() else shutil.which(name)
    if found is None:
        target = "igpu" if name == "igpu" else "verilate"
        raise UsageError(f"the program {name} is not found: make {target}, or set "
                         f"{name.upper()} to its path")
    return found


def shared(place: str) -> str | None:
    """A file of traces/ (`kernels/cases.yaml`, `samples/mad_sp.pb`): of the folder that one
    is in, of the build's or checkout's, or the installed one. None: it is not there."""
    own = pathlib.Path(find()).resolve().parent
    here = pathlib.Path(__file__).resolve().parents
    for folder in (pathlib.Path("traces"), own / "traces", own / "../../traces",
                   own / "../../../traces", own / "../share/vigpu",
                   *(up / "traces" for up in here[2:5])):
        if os.access(folder / place, os.R_OK):
            return os.path.normpath(folder / place)
    return None


def sample(name: str) -> str:
    """The path of a recorded sample, such as `mad_sp`. UsageError: there is none."""
    found = shared(f"samples/{name}.pb")
    if found is None:
        raise UsageError(f"{name}: no sample of that name (traces/samples/{name}.pb) is with "
                         f"{find()}")
    return found


def killed(path: str, words: Sequence[str], status: int) -> str:
    """What to say of a program that a signal has ended (status as subprocess gives it)."""
    return (f"{path} {' '.join(words)} was killed by signal {-status}; "
            "run the same command again")


def run(words: Sequence[str], program: str = "igpu") -> str:
    """What `igpu WORDS` prints; its stderr (progress, warnings) goes to ours. Its failure
    is a VigpuError (2: UsageError, 3: InputError) with its own last line."""
    path = find(program)
    try:
        process = subprocess.Popen([path, *words], stdout=subprocess.PIPE,
                                   stderr=None if _progress(words) else subprocess.PIPE)
    except OSError as error:
        raise UsageError(f"{path}: cannot run: {error.strerror}") from error
    with process:
        try:
            out, told = process.communicate()
        except BaseException:  # ours is the one that was stopped
            process.terminate()
            process.wait()
            raise
    if process.returncode == 0:
        return out.decode("utf-8")
    if process.returncode < 0:
        raise VigpuError(killed(path, words, process.returncode))
    lines = (told or b"").decode("utf-8", "replace").strip().splitlines()
    text = lines[-1] if lines else f"{program} {' '.join(words)}: exit status " \
        f"{process.returncode}"
    raise _ERRORS.get(process.returncode, VigpuError)(text)


def _progress(words: Sequence[str]) -> bool:
    """May the program draw its progress? Only where somebody looks."""
    return "--quiet" not in words and os.isatty(2)


def bench(words: Sequence[str]) -> pd.DataFrame:
    """Run `igpu bench WORDS` (the experiment's name and its options): one row for each
    point, in igpu's order; the columns' names tell the units (docs/guide/bench.md). A value
    that is not known, such as one that is not published, is NaN."""
    return table(json.loads(run(["bench", *words, "--json", "-"])))


def table(rows: Any) -> pd.DataFrame:
    """What `igpu bench --json` wrote, an object or an array, as a table."""
    frame: pd.DataFrame = need("pandas").DataFrame(
        [rows] if isinstance(rows, dict) else rows)
    return frame


def params() -> pd.DataFrame:
    """The machine's parameters, indexed by key: `default`, `min`, `max`, `unit`,
    `source`."""
    frame: pd.DataFrame = need("pandas").DataFrame(json.loads(run(["params", "--json"])))
    return frame.set_index("key")

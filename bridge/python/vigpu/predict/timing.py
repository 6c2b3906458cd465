"""Which timing a model was trained on: the defaults of all parameters that its cycles follow,
kept beside the table and in the model's file. A prediction tells, in one line, where those of
the simulator at hand are other ones.
"""
from __future__ import annotations

import json
import os
import pathlib
from typing import TYPE_CHECKING

from vigpu import igpu
from vigpu.errors import InputError
from vigpu.modules import need
from vigpu.predict.bound import MACHINE

if TYPE_CHECKING:
    from vigpu.predict.model import Model

# What no cycle of a launch follows, and what a launch without graphics does not.
_NEVER = ("power.", "cpu.", "disp.launch_ps", "dram.copy_percent")
_GRAPHICS = ("ff.", "rt.", "ds.", "pi.")
_SHOWN = 4


def now(graphics: bool) -> dict[str, int]:
    """Of the simulator at hand: default of each parameter. What is asked of a machine with
    each prediction of a launch is left out."""
    left_out = _NEVER if graphics else (*_NEVER, *_GRAPHICS)
    return {one["key"]: int(one["default"]) for one in json.loads(igpu.run(["params", "--json"]))
            if not one["key"].startswith(left_out) and (graphics or one["key"] not in MACHINE)}


def words(timing: dict[str, int]) -> list[str]:
    """As a model's file has it: KEY=VALUE, by name."""
    return [f"{key}={timing[key]}" for key in sorted(timing)]


def text(timing: dict[str, int]) -> str:
    """The file beside a table."""
    return "\n".join(["key,default", *(f"{key},{timing[key]}" for key in sorted(timing))]) + "\n"


def read(path: str | os.PathLike[str]) -> dict[str, int]:
    """InputError: damaged; OSError: not there."""
    from vigpu.predict.table import check_names, check_numbers, read_frame
    frame = read_frame(pathlib.Path(path))
    check_names(frame, ("key",), os.fspath(path), once=True)
    check_numbers(frame, ("default",), os.fspath(path))
    whole = need("numpy").asarray(frame["default"], float)
    if (whole != whole.round()).any():
        raise InputError(f"{os.fspath(path)}: damaged: a default is no whole number")
    return {str(key): int(value) for key, value in zip(frame["key"], whole, strict=True)}


def beside(table: str | os.PathLike[str]) -> pathlib.Path:
    """Where the timing of a table of frames lies."""
    at = pathlib.Path(table)
    return at.with_name(at.name.split(".")[0] + ".timing.csv")


def changed(model: Model, graphics: bool) -> str:
    """One line where the defaults are other ones than in training, else ""."""
    then = dict(word.partition("=")[::2] for word in model.content["timing"])
    today = {key: str(value) for key, value in now(graphics).items()}
    moved = [f"{key} {then[key]}, now {today[key]}" for key in sorted(then.keys() & today.keys())
             if then[key] != today[key]]
    if len(moved) > _SHOWN:
        moved[_SHOWN:] = [f"{len(moved) - _SHOWN} more"]
    if (other := len(then.keys() ^ today.keys())):
        moved.append(f"parameters that only one of them has: {other}")
    return ("the model was trained on another timing, and tells cycles of that one: "
            f"{'; '.join(moved)}") if moved else ""

"""`igpu predict FRAME.igf` and `igpu predict frames`: cycles of frames of graphics."""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import sys
from collections.abc import Callable
from typing import Any

from vigpu.errors import UsageError
from vigpu.output import check_writable, write

TASKS = ("table", "train", "validate")


def is_capture(words: list[str]) -> bool:
    """One word that names a file of captured frames."""
    return len(words) == 1 and words[0].endswith(".igf")


def predict(args: argparse.Namespace) -> None:
    from vigpu.predict import frames, model, timing
    if args.config not in frames.MACHINES or args.set or args.sample:
        raise UsageError(f"{args.words[0]}: frames are predicted on -c "
                         f"{' or '.join(frames.MACHINES)}, without -s and --sample")
    if args.frame is not None and not (args.frame.isdecimal() and int(args.frame) > 0):
        raise UsageError(f"--frame {args.frame}: expected a number of 1 or more")
    if args.json:
        check_writable(args.json)
    number = int(args.frame) if args.frame else None
    chosen = model.Model.read(args.model or frames.MODEL, model.FRAMES)
    told = frames.of_capture(args.words[0], number, chosen, args.config)
    told["timing"] = timing.changed(chosen, True)
    if told["timing"]:
        print(f"igpu predict: {told['timing']}", file=sys.stderr)
    if args.json:
        content = {"file": args.words[0], "frame": number, "config": args.config,
                   "cover": chosen.content["cover"], **told}
        write(args.json, (json.dumps(content, indent=1) + "\n").encode())
    if args.json != "-":
        _print(told, number, 100 * chosen.content["cover"],
               f"{os.path.basename(args.words[0])}, {args.config}")


def _print(told: dict[str, Any], number: int | None, cover: float, name: str) -> None:
    from vigpu.predict import frames
    print(f"{f'frame {number}' if number else 'the last frame'} of {name}\n"
          f"  cycles      {told['cycles']:.0f}, {cover:.0f} % between {told['cycles_low']:.0f} "
          f"and {told['cycles_high']:.0f}\n"
          f"  at least    {told['bound_cycles']:.0f} cycles, for "
          f"{frames.BOUNDS[told['bound']]}")
    print_deciding(told, frames.words)


def print_deciding(told: dict[str, Any], words: Callable[[str], str]) -> None:
    """What moved the prediction of a frame or launch, and what training did not see. words:
    of a column."""
    for column, value, weight in told["deciding"]:
        means = words(column)
        print(f"  {100 * weight:+7.1f} %   {f'{means}: ' if means else ''}{column} = "
              f"{value:.5g}")
    if told["outside"]:
        names = ", ".join(told["outside"][:5])
        more = f" and {len(told['outside']) - 5} more" if len(told["outside"]) > 5 else ""
        print(f"  outside the training data: {names}{more}")


def run(args: argparse.Namespace) -> None:
    """`frames table CACHE`, `frames train`, `frames validate`."""
    from vigpu.predict import frames, frames_report, model, table, timing, train
    task, *rest = args.words[1:] or [""]
    if task not in TASKS or len(rest) != (task == "table"):
        raise UsageError(f"frames {' '.join(args.words[1:])}: expected table CACHE, train or "
                         "validate")
    if task != "validate" and not args.output:
        raise UsageError(f"frames {task}: expected -o FILE")
    if unknown := [part for part in args.part if part not in frames_report.PARTS]:
        raise UsageError(f"--part {unknown[0]}: expected one of "
                         f"{', '.join(frames_report.PARTS)}")
    if args.output:
        check_writable(args.output)
    if task == "table":
        made = frames.make(rest[0])
        write(args.output, table.packed(pathlib.Path(args.output), made.to_csv(index=False)))
        write(os.fspath(timing.beside(args.output)), timing.text(timing.now(True)).encode())
        print(f"{len(made)} frames of {made['program'].nunique()} programs")
        return
    data = frames.read(args.data or frames.TABLE)
    if task == "train":
        timed = timing.read(timing.beside(args.data or frames.TABLE))
        made = train.text(frames.trained(data, timed, args.seed))
        write(args.output, model.packed(args.output, made))
    else:
        write(args.output or "-", frames_report.validation(data, args.quick, args.seed,
                                                           args.part).encode())

"""`igpu predict`: cycles and energy from functional execution alone; and the models."""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from vigpu.commands import predict_frames
from vigpu.errors import UsageError
from vigpu.output import check_writable, write

if TYPE_CHECKING:
    from vigpu.predict.launches import Launches

TASKS = ("train", "validate", "rank", "table", "frames")
# Of a prediction. What else there is belongs to the kernel, and goes to igpu features.
_VALUES = ("-c", "--config", "-s", "--set", "--sample", "--model", "--json", "--frame")
_RECORD = ("-k", "--kernel", "-g", "--global", "-l", "--local", "--arg", "-d", "--device",
           "-O", "--options", "--offset", "--repeat", "--again", "--threads",
           "--max-instructions")


def arrange(words: Sequence[str]) -> list[str]:
    """The command line as argparse wants it: our options, `--`, what is predicted. The words
    of a kernel and of a program stay as they are and in their order."""
    if not words or words[0] in TASKS:
        return list(words)
    ours: list[str] = []
    rest: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--":
            return [*ours, "--", *rest, *words[at:]]
        name = word.split("=")[0]
        short = len(word) > 2 and word[:2] in ("-c", "-s") and word[1] != "-"
        mine = name in _VALUES or word in ("-h", "--help") or short
        alone = "=" in word or short or not (name in _VALUES or name in _RECORD)
        (ours if mine else rest).extend(words[at:at + (1 if alone else 2)])
        at += 1 if alone else 2
    return [*ours, "--", *rest]


def add(sub: Any) -> None:
    parser = sub.add_parser(
        "predict", help="the cycles of launches by a trained model, in no time",
        allow_abbrev=False,
        usage="igpu predict [options] TRACE.pb|CASE\n"
        "       igpu predict [options] -k KERNEL -g .. -l .. [--arg ..]... FILE.cl\n"
        "       igpu predict [options] -- PROGRAM [ARGUMENTS]\n"
        "       igpu predict [--frame N] FRAMES.igf\n"
        "       igpu predict train|validate|rank [--data FOLDER] [--seed N] [-o FILE] "
        "[--quick] [--part NAME]...\n       igpu predict table SWEEP.sqlite -o FOLDER\n"
        "       igpu predict frames table CACHE -o FILE\n"
        "       igpu predict frames train|validate [--data FILE] [--seed N] [-o FILE] "
        "[--quick] [--part NAME]...",
        description="Predicts cycles and energy of each launch, with intervals, from what "
        "igpu features counts and the machine's parameters: of a trace, of a case of the "
        "suite (traces/kernels/cases.yaml), of a kernel with the options of igpu record, or "
        "of an OpenCL program, which is run. Of a capture of igpu gl it predicts a frame's "
        "cycles from the counters of its execution; frames makes table, model and validation "
        "of that. train makes a model of the committed table, "
        "validate and rank tell how good it is and what decides, table makes the table of a "
        "sweep's database.")
    parser.add_argument("words", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("-c", "--config", default="skl-gt2", metavar="CONFIG",
                        help="the machine: a name or a file (default skl-gt2)")
    parser.add_argument("-s", "--set", action="append", default=[], metavar="KEY=VALUE",
                        help="one of its parameters")
    parser.add_argument("--sample", type=int, default=0, metavar="N",
                        help="look at N hardware threads of a launch (default: all)")
    parser.add_argument("--frame", metavar="N", help="of a capture (default: the last one)")
    parser.add_argument("--model", metavar="FILE", help="a model (default: ours)")
    parser.add_argument("--json", metavar="FILE", help="- is stdout")
    parser.add_argument("--data", metavar="FOLDER", help="the table (default: ours)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", metavar="FILE", help="where the result goes")
    parser.add_argument("--quick", action="store_true",
                        help="validate: leave out what takes minutes")
    parser.add_argument("--part", action="append", default=[], metavar="NAME",
                        help="validate: only this table (ours, programs, machines, energy, "
                        "intervals, held-out, paper, trees)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    words = args.words
    if not words:
        raise UsageError("expected a trace, a kernel or a program; see igpu predict --help")
    if predict_frames.is_capture(words):
        predict_frames.predict(args)
    elif args.frame is not None:
        raise UsageError("--frame has no meaning without a capture (FRAMES.igf)")
    elif words[0] == "frames":
        predict_frames.run(args)
    elif words[0] not in TASKS:
        _predict(args)
    elif words[0] == "table":
        _table(args)
    elif len(words) != 1:
        raise UsageError(f"{words[0]} takes no further word, got {words[1]}")
    else:
        {"train": _train, "validate": _validate, "rank": _rank}[words[0]](args)


def _settings(words: list[str]) -> dict[str, object]:
    out: dict[str, object] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise UsageError(f"-s {word}: expected KEY=VALUE")
        out[key] = value
    return out


def _launches(words: list[str], sample: int) -> Launches:
    from vigpu.predict import launches
    if words[0] == "--":
        if len(words) == 1:
            raise UsageError("--: expected a program behind it")
        return launches.of_program(words[1:], sample)
    if any(word.startswith("-") for word in words):
        if "--" in words:
            raise UsageError("expected a kernel or a program behind --, got both")
        return launches.of_kernel(words, sample)
    if len(words) != 1:
        raise UsageError(f"expected one trace, got {len(words)}; see igpu predict --help")
    name = words[0]
    if not os.path.exists(name) and "/" not in name and "." not in name:
        return launches.of_case(name, sample)
    return launches.of_trace(name, sample)


def _predict(args: argparse.Namespace) -> None:
    from vigpu.predict import model, timing
    if args.sample < 0:
        raise UsageError(f"--sample {args.sample}: expected a number of hardware threads")
    if args.json:
        check_writable(args.json)
    chosen = model.Model.read(args.model) if args.model else model.default_model()
    settings = _settings(args.set)
    model.machine(args.config, settings)  # before a program runs for nothing
    rows = model.of_launches(_launches(args.words, args.sample), args.config, settings, chosen)
    if (other := timing.changed(chosen, False)):
        print(f"igpu predict: {other}", file=sys.stderr)
    if args.json:
        content = {"config": args.config, "timing": other, "cover": chosen.content["cover"], "launches": rows,
                   "total": model.total(rows)}
        write(args.json, (json.dumps(content, indent=1) + "\n").encode())
    if args.json != "-":
        from vigpu.predict import launches
        cover, meanings = f"{100 * chosen.content['cover']:.0f} %", launches.meanings()
        for row in rows:
            _print(row, cover, args.config, meanings)
        if len(rows) > 1:
            print(f"all {len(rows)} launches\n" + _sums(model.total(rows), cover))


def _sums(row: dict[str, Any], cover: str) -> str:
    """Cycles and energy, the same of a launch and of all."""
    return (f"  cycles      {row['cycles']:.0f}, {cover} between {row['cycles_low']:.0f} and "
            f"{row['cycles_high']:.0f}\n  energy      {row['energy_nj'] / 1e3:.4g} uJ, {cover} "
            f"between {row['energy_nj_low'] / 1e3:.4g} and {row['energy_nj_high'] / 1e3:.4g} "
            "(package and DRAM)")


def _print(row: dict[str, Any], cover: str, config: str, meanings: dict[str, str]) -> None:
    from vigpu.predict.bound import BOUNDS
    from vigpu.predict.design import words
    print(f"launch {row['launch']}: {row['kernel']}, {row['threads']} threads, {config}\n"
          f"{_sums(row, cover)}\n"
          f"  bottleneck  {BOUNDS[row['bound']]}; by a simple sum some "
          f"{row['bottleneck_cycles']:.0f} cycles\n"
          f"  at least    {row['bound_cycles']:.0f} cycles, for {BOUNDS[row['floor']]}")
    predict_frames.print_deciding(row, lambda column: words(column, meanings))


def _read(args: argparse.Namespace) -> Any:
    from vigpu.predict import table
    return table.read(args.data or table.DATA)


def _train(args: argparse.Namespace) -> None:
    from vigpu.predict import model, train
    if not args.output:
        raise UsageError("train: expected -o FILE, the model to write")
    check_writable(args.output)
    made = train.text(train.train(_read(args), args.seed))
    write(args.output, model.packed(args.output, made))


def _table(args: argparse.Namespace) -> None:
    from vigpu.predict import table
    if len(args.words) != 2 or not args.output:
        raise UsageError("table: expected a sweep's database and -o FOLDER")
    if not pathlib.Path(args.words[1]).is_file():
        raise UsageError(f"{args.words[1]}: no sweep's database")
    made = table.make(args.words[1])
    table.write(made, pathlib.Path(args.output))
    print(f"{len(made.launches)} launches of {made.launches['program'].nunique()} programs, "
          f"{made.launches['kernel'].nunique()} kernels; {len(made.cycles)} cycle counts on "
          f"{len(made.machines)} machines")


def _out(args: argparse.Namespace, text: str) -> None:
    write(args.output or "-", text.encode())


def _validate(args: argparse.Namespace) -> None:
    from vigpu.predict import report
    if unknown := [part for part in args.part if part not in report.PARTS]:
        raise UsageError(f"--part {unknown[0]}: expected one of {', '.join(report.PARTS)}")
    _out(args, report.validation(_read(args), args.quick, args.seed, args.part))


def _rank(args: argparse.Namespace) -> None:
    from vigpu.predict import report
    _out(args, report.ranking(_read(args), args.seed))

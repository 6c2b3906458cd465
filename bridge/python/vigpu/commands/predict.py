"""`vigpu predict`: cycles from functional execution alone; and its models."""
from __future__ import annotations

import argparse
import json
import pathlib
from typing import Any

from vigpu.errors import UsageError
from vigpu.output import check_writable, write

TASKS = ("train", "validate", "rank", "table")


def add(sub: Any) -> None:
    parser = sub.add_parser(
        "predict", help="the cycles of a trace's launches by a trained model, in no time",
        usage="vigpu predict [-c CONFIG] [-s KEY=VALUE]... [--sample N] [--model FILE] "
        "[--json FILE] TRACE.pb\n       vigpu predict train|validate|rank [--data FOLDER] "
        "[--seed N] [-o FILE] [--quick]\n       vigpu predict table SWEEP.sqlite -o FOLDER",
        description="Predicts the cycles of each launch of a trace, with an interval, from "
        "what igpu features counts and the machine's parameters. train makes a model of the "
        "committed table, validate and rank tell how good it is and what decides, table "
        "makes the table of a sweep's database.")
    parser.add_argument("words", nargs="+", metavar="TRACE.pb", help=argparse.SUPPRESS)
    parser.add_argument("-c", "--config", default="skl-gt2", metavar="CONFIG",
                        help="the machine: a name or a file (default skl-gt2)")
    parser.add_argument("-s", "--set", action="append", default=[], metavar="KEY=VALUE",
                        help="one of its parameters")
    parser.add_argument("--sample", type=int, default=0, metavar="N",
                        help="look at N hardware threads of a launch (default: all)")
    parser.add_argument("--model", metavar="FILE", help="a model (default: ours)")
    parser.add_argument("--json", metavar="FILE", help="- is stdout")
    parser.add_argument("--data", metavar="FOLDER", help="the table (default: ours)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", metavar="FILE", help="where the result goes")
    parser.add_argument("--quick", action="store_true",
                        help="validate: leave out what takes minutes")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    task = args.words[0]
    if task not in TASKS:
        if len(args.words) != 1:
            raise UsageError(f"expected one trace, got {len(args.words)}; see vigpu predict "
                             "--help")
        _predict(args, task)
    elif task == "table":
        _table(args)
    elif len(args.words) != 1:
        raise UsageError(f"{task} takes no further word, got {args.words[1]}")
    else:
        {"train": _train, "validate": _validate, "rank": _rank}[task](args)


def _settings(words: list[str]) -> dict[str, object]:
    out: dict[str, object] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise UsageError(f"-s {word}: expected KEY=VALUE")
        out[key] = value
    return out


def _predict(args: argparse.Namespace, trace: str) -> None:
    from vigpu.predict import model
    if args.sample < 0:
        raise UsageError(f"--sample {args.sample}: expected a number of hardware threads")
    if args.json:
        check_writable(args.json)
    chosen = model.Model.read(args.model) if args.model else model.default_model()
    frame = model.cycles(trace, args.config, _settings(args.set), args.sample, chosen)
    if args.json:
        rows = json.loads(frame.to_json(orient="records"))
        write(args.json, (json.dumps(rows, indent=1) + "\n").encode())
    if args.json != "-":
        for _, row in frame.iterrows():
            _print(row, chosen.content["cover"], args.config)


def _print(row: Any, cover: float, config: str) -> None:
    from vigpu.predict.bound import BOUNDS
    print(f"launch {row['launch']}: {row['kernel']}, {row['threads']} threads, {config}\n"
          f"  cycles      {row['cycles']:.0f}, {100 * cover:.0f} % between "
          f"{row['cycles_low']:.0f} and {row['cycles_high']:.0f}\n"
          f"  bottleneck  {BOUNDS[row['bound']]} ({row['bound_cycles']:.0f} cycles)")
    for name, value, weight in row["deciding"]:
        print(f"  {100 * weight:+7.1f} %   {name} = {value:.5g}")
    if row["outside"]:
        names = ", ".join(row["outside"][:5])
        more = f" and {len(row['outside']) - 5} more" if len(row["outside"]) > 5 else ""
        print(f"  outside the training data: {names}{more}")


def _read(args: argparse.Namespace) -> Any:
    from vigpu.predict import table
    return table.read(args.data or table.DATA)


def _train(args: argparse.Namespace) -> None:
    from vigpu.predict import train
    if not args.output:
        raise UsageError("train: expected -o FILE, the model to write")
    check_writable(args.output)
    write(args.output, train.text(train.train(_read(args), args.seed)).encode())


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
    _out(args, report.validation(_read(args), args.quick, args.seed))


def _rank(args: argparse.Namespace) -> None:
    from vigpu.predict import report
    _out(args, report.ranking(_read(args), args.seed))

"""What `igpu frame render` makes of a frame."""
from __future__ import annotations

import csv
import dataclasses
import json
import pathlib
import tempfile
from typing import Any

from vigpu import igpu
from vigpu.errors import InputError, VigpuError

TOPOLOGIES = {1: "points", 2: "lines", 3: "line strip", 4: "triangles", 5: "triangle strip",
              6: "triangle fan", 7: "quads", 8: "quad strip", 14: "polygon", 15: "rectangles",
              16: "line loop"}


@dataclasses.dataclass(frozen=True)
class Draw:
    """A draw of the frame, counted from 1, and what it counted."""

    number: int
    topology: str
    driver: bool
    counters: dict[str, int]
    cycles: int | None  # behind the draws before it; None: it has no thread


@dataclasses.dataclass(frozen=True)
class Frame:
    """A frame: pictures as PNG files' bytes, definitions (name, unit, group, text)."""

    file: str
    number: int | None
    picture: bytes
    overdraw: bytes
    heat: bytes | None  # a float map: cycles on each pixel; None: no draw has cycles
    definitions: list[dict[str, str]]
    counters: dict[str, int]
    draws: list[Draw]


def render(file: str, number: int | None = None) -> Frame:
    """Execute the frame `number` of a capture (the last one without it). A VigpuError of
    igpu's own text when that fails."""
    table = _table(file, number)
    times = {int(row["draw"]): int(row["cycles"]) for row in csv.DictReader(table.splitlines())
             if row["draw"].isdigit()}  # not of dispatches
    heated = any(times.values())
    with tempfile.TemporaryDirectory(prefix="vigpu-frame-") as folder:
        names = {key: str(pathlib.Path(folder, key))
                 for key in ("json", "o", "overdraw", "times", "heat")}
        words = ["frame", "render", "--json", names["json"], "--overdraw", names["overdraw"],
                 "--busiest", "-o", names["o"]]
        if heated:
            pathlib.Path(names["times"]).write_text(table, "utf-8")
            words += ["--times", names["times"], "--heat", names["heat"]]
        igpu.run([*words, *(["--frame", str(number)] if number else []), file])
        data: dict[str, Any] = json.loads(pathlib.Path(names["json"]).read_text("utf-8"))
        picture, overdraw = (pathlib.Path(names[key]).read_bytes() for key in ("o", "overdraw"))
        heat = pathlib.Path(names["heat"]).read_bytes() if heated else None
    draws = [Draw(d["draw"], TOPOLOGIES.get(d["topology"], str(d["topology"])), d["driver"],
                  d["counters"], times.get(d["draw"])) for d in data["draws"]]
    if not draws:
        raise InputError(f"{file}: the frame has no draw")
    return Frame(file, number, picture, overdraw, heat, data["definitions"], data["counters"],
                 draws)


def _table(file: str, number: int | None) -> str:
    """Cycles of each draw that has threads, on skl-gt2, as CSV; "" when none has any."""
    words = ["frame", "time", "--csv", *(["--frame", str(number)] if number else []), file]
    try:
        return igpu.run(words)
    except VigpuError as error:
        if "ran no shader" in str(error):
            return ""
        raise

"""What was read from a file, checked once where it comes in. Each check gives back what it
was given, or raises InputError with one line that says where, what, and what was expected."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from vigpu.errors import InputError

_SHOWN = 60  # characters of what is wrong


def short(value: object) -> str:
    """A value for a message, however long it is."""
    try:
        text = repr(value)
    except ValueError:  # Python prints no integers of more than 4,300 digits
        return "a number of thousands of digits"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def is_whole(value: object) -> bool:
    """An integer, which a truth is not."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Finite, and no truth. An integer may be too large for a float."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 1000


def number(value: Any, low: float, high: float, where: str) -> float:
    """A finite number from low to high."""
    if not is_number(value) or not low <= value <= high:
        raise InputError(f"{where}: {short(value)}; expected a number from {low:g} to {high:g}")
    return float(value)


def numbers(values: Any, where: str, count: int | None = None) -> list[float]:
    """A list of finite numbers; count: how many."""
    listed(values, where, count)
    for i, value in enumerate(values):
        if not is_number(value):
            raise InputError(f"{where}, entry {i}: {short(value)}; expected a number")
    return list(values)


def listed(values: Any, where: str, count: int | None = None) -> Sequence[Any]:
    """A list; count: how long."""
    if not isinstance(values, list) or (count is not None and len(values) != count):
        told = f"{len(values)} entries" if isinstance(values, list) else short(values)
        raise InputError(f"{where}: {told}; expected a list"
                         f"{f' of {count}' if count is not None else ''}")
    return values


def words(values: Any, where: str) -> list[str]:
    """A list of texts, each there once."""
    seen: set[str] = set()
    for i, value in enumerate(listed(values, where)):
        if not isinstance(value, str) or not value or value in seen:
            raise InputError(f"{where}, entry {i}: {short(value)}; expected a name that is not "
                             "there yet")
        seen.add(value)
    return list(values)

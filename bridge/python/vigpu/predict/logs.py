"""Logarithms, exponentials and powers by the C library, one number after the other: NumPy has its
own for processors with AVX-512. They differ in the last bit, so that training would make
other trees there."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from vigpu.modules import need

if TYPE_CHECKING:
    from collections.abc import Callable

    from vigpu.predict.bound import Array


def _each(function: Callable[[float], float], x: Any) -> Array:
    np = need("numpy")
    numbers = np.asarray(x, float)
    made: Array = np.fromiter(map(function, numbers.ravel().tolist()), float, numbers.size)
    return made.reshape(numbers.shape)


def log(x: Any) -> Array:
    """Natural logarithm of each number, which is above 0."""
    return _each(math.log, x)


def log1p(x: Any) -> Array:
    """log(1 + x) of each number, which is above -1."""
    return _each(math.log1p, x)


def exp(x: Any) -> Array:
    """e to the power of each number."""
    return _each(math.exp, x)


def power(x: Any, y: Any) -> Array:
    """x to the power of y, number by number; x is above 0."""
    np = need("numpy")
    x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
    made: Array = np.fromiter(map(math.pow, x.ravel().tolist(), y.ravel().tolist()), float,
                              x.size)
    return made.reshape(x.shape)

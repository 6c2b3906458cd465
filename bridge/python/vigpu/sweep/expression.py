"""Expressions over parameters, for a sweep's `where` and `set`: numbers, keys, arithmetic,
comparisons, `and`, `or`, `not`, min() and max(). Nothing of them is run as Python."""
from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from vigpu.checks import is_number, short
from vigpu.errors import InputError

Number = int | float
MOST = 100  # levels of operations, and what a constant may have: 64 bits
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge}
_CALLS: dict[str, Callable[..., Any]] = {"min": min, "max": max}


class Expression:
    """A parsed text. `keys` are the parameters that it reads."""

    def __init__(self, text: str, known: Mapping[str, Any], where: str) -> None:
        """known: the permitted keys. where: for the error's text, such as `FILE: where`."""
        self.text, self._where = short(text), where
        self.keys: set[str] = set()
        try:
            self._tree = ast.parse(text, mode="eval").body
            self._check(self._tree, known, MOST)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            told = getattr(error, "msg", None) or str(error) or "it is too deep"
            raise InputError(f"{where}: {self.text} is no expression over parameters: "
                             f"{told[:200]}") from error

    def value(self, values: Mapping[str, int]) -> Number:
        """Its value where the parameters have these."""
        try:
            result: Number = self._value(self._tree, values)
        except (ZeroDivisionError, OverflowError) as error:
            raise InputError(f"{self._where}: {self.text}: {error}") from error
        if not isinstance(result, bool) and not is_number(result):
            raise InputError(f"{self._where}: {self.text}: {short(result)} is no finite number")
        return result

    def _check(self, node: ast.expr, known: Mapping[str, Any], levels: int) -> None:
        if levels == 0:
            raise ValueError(f"it has more than {MOST} levels")
        key = _key(node)
        if key is not None:
            if key not in known:
                raise ValueError(f"there is no parameter {key}")
            self.keys.add(key)
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            if not is_number(node.value) or abs(node.value) > 1 << 64:
                raise ValueError(f"{short(node.value)} is no number of at most 64 bits")
        else:
            for part in _parts(node):
                self._check(part, known, levels - 1)

    def _value(self, node: ast.expr, values: Mapping[str, int]) -> Any:
        key = _key(node)
        if key is not None:
            return values[key]
        if isinstance(node, ast.Constant):
            return node.value
        parts = [self._value(part, values) for part in _parts(node)]
        if isinstance(node, ast.BinOp):
            return _BINARY[type(node.op)](*parts)
        if isinstance(node, ast.UnaryOp):
            return not parts[0] if isinstance(node.op, ast.Not) else -parts[0]
        if isinstance(node, ast.BoolOp):
            return all(parts) if isinstance(node.op, ast.And) else any(parts)
        if isinstance(node, ast.Compare):
            return all(_COMPARE[type(op)](a, b)
                       for op, a, b in zip(node.ops, parts, parts[1:], strict=False))
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        return _CALLS[node.func.id](*parts)


def _key(node: ast.expr) -> str | None:
    """`l3.ways` as it is parsed: an attribute of a name."""
    words = []
    while isinstance(node, ast.Attribute):
        words.append(node.attr)
        node = node.value
    if not words or not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(words)])


def _parts(node: ast.expr) -> list[ast.expr]:
    """The operands of a permitted operation."""
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return [node.left, node.right]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        return [node.operand]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.Compare) and all(type(op) in _COMPARE for op in node.ops):
        return [node.left, *node.comparators]
    if (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords
            and node.func.id in _CALLS and len(node.args) > 1):
        return node.args
    raise ValueError("only numbers, keys such as l3.ways, + - * / // %, comparisons, and, "
                     "or, not, min() and max()")

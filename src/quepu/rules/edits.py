"""Changes of rows: a name that is another now, a value in the shape of the old one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from operator import index
from typing import Any

from quepu.errors import OverlayError
from quepu.rules.row import Fan, Value

_MOST_VALUE = 1000  # so that no sum, product or square of them leaves 32 bits


def renamed(row: Fan, names: Mapping[str, str]) -> Fan:
    """A row after some fans were renamed, its own name and those it is related to."""

    def swap(listed: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names.get(name, name) for name in listed)

    row = replace(row, drops=swap(row.drops), conflicts=swap(row.conflicts))
    if row.name in names:
        new = names[row.name]
        row = replace(row, name=new, aliases=(*(alias for alias in row.aliases if alias != new), row.name))
    return row


def natural(number: int, name: str) -> int:
    """A number of a rulebook that cannot be below 0; `name` is what the refusal calls it.

    Raises:
        OverlayError: it is none.
    """
    if isinstance(number, bool) or not hasattr(number, "__index__") or index(number) < 0:
        raise OverlayError(
            f"{name} 应是不小于 0 的整数，不是 {number!r}。", f"{name} must be a whole number from 0, not {number!r}."
        )
    return index(number)


def like(old: Value, new: Any, name: str) -> Value:
    """`new` in the shape of `old`: an int for an int, as many numbers for a tuple; from 0 to a thousand.

    Raises:
        OverlayError: it does not fit.
    """
    given = new.values() if isinstance(new, Mapping) else new if isinstance(new, (list, tuple)) else (new,)
    if any(isinstance(x, int) and not 0 <= x <= _MOST_VALUE for x in given):
        raise OverlayError(
            f"“{name}”的值应在 0 到 {_MOST_VALUE} 之间。",
            f"the value of {name!r} must lie between 0 and {_MOST_VALUE}.",
        )
    whole = all(isinstance(x, int) and not isinstance(x, bool) for x in given)
    if isinstance(old, tuple):
        from quepu.rules.row_value import plain

        fields = tuple(plain(old))
        if isinstance(new, Mapping) and (unknown := [key for key in new if key not in fields]):
            raise OverlayError(
                f"“{name}”的值里没有“{unknown[0]}”，可用：{'、'.join(fields)}。",
                f"the value of {name!r} has no {unknown[0]!r}; there are: {', '.join(fields)}.",
            )
        if whole and isinstance(new, Mapping):
            return old._replace(**new)  # type: ignore[attr-defined]  # it has _fields, so it is a named tuple
        if whole and isinstance(new, (list, tuple)) and len(new) == len(old):
            return type(old)(*new)
        parts = ", ".join(f"{part} = {n}" for part, n in plain(old).items())
        shape = f"{{ {parts} }}", str(list(old))
        raise OverlayError(
            f"“{name}”的值应写作 {shape[0]} 或 {shape[1]}。",
            f"the value of {name!r} must be like {shape[0]} or {shape[1]}.",
        )
    if not whole or not isinstance(new, int):
        raise OverlayError(f"“{name}”的值应是一个整数。", f"the value of {name!r} must be an integer.")
    return new

"""Differences in columns of a family (priority, groups …) and in what fans leave each other, between two books."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from quepu.errors import Text
from quepu.rules.arithmetic import ResidueArithmetic
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook

Cell = tuple[str, Text, Text, Text]
"""A cell that differs: its key, its name, and its content in the old book and in the new one."""

_EMPTY = Text("无", "none")


def figure_changes(old: Rulebook, new: Rulebook, pairs: Mapping[str, str]) -> Iterator[Cell]:
    """Yield cells of fans of both books (`pairs`: old name → new name) and residues that differ.

    Books of different families have no columns in common.
    """
    if old.family != new.family:
        return
    for name, other in pairs.items():
        yield from _columns(old, new, old.fan(name), new.fan(other))
    if all(isinstance(one.arithmetic, ResidueArithmetic) for one in (old, new)):
        yield from _residues(old, new, pairs)


def _columns(old: Rulebook, new: Rulebook, a: Fan, b: Fan) -> Iterator[Cell]:
    kind: Any = type(a.extra if a.extra is not None else b.extra)
    before, after = a.own(kind), b.own(kind)
    values = {*a.other_values, *b.other_values}
    for key in getattr(kind, "__dataclass_fields__", ()):
        x, y = getattr(before, key), getattr(after, key)
        if x != y and key not in values:
            label = new.columns.get(key) or old.columns.get(key) or Text(key, key)
            yield (
                f"{b.name} {key}",
                Text(f"{b.name}：{label.zh}", f"{b.english}: {label.en}"),
                _cell(x),
                _cell(y),
            )


def _cell(value: Any) -> Text:
    if isinstance(value, bool):
        return Text("是", "yes") if value else Text("否", "no")
    return Text(str(value), str(value)) if value not in (None, "", ()) else _EMPTY


def _residues(old: Rulebook, new: Rulebook, pairs: Mapping[str, str]) -> Iterator[Cell]:
    before, after = _find_residues(old), _find_residues(new)
    for a, x in pairs.items():
        for b, y in pairs.items():
            was, now = before[old.index[a], old.index[b]], after[new.index[x], new.index[y]]
            if was != now and a != b:
                yield (
                    f"{x} → {y}",
                    Text(f"“{y}”对“{x}”的剩余数", f"residue of {new.fan(y).english} after {new.fan(x).english}"),
                    Text(was, was),
                    Text(now, now),
                )


def _find_residues(book: Rulebook) -> dict[tuple[int, int], str]:
    """Return the residue of every row after every other, as d/h."""
    assert isinstance(book.arithmetic, ResidueArithmetic)  # noqa: S101  # asked before
    figures = book.arithmetic.residue_figures(book)
    rows = range(len(book.fans))
    return {(i, j): f"{figures.remaining[i][j]}/{figures.groups[j]}" for i in rows for j in rows}

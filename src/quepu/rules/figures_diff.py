"""Differences in columns of a family (priority, groups …) and in what fans leave each other, between two books."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quepu.errors import Text
from quepu.rules.arithmetic import ResidueArithmetic
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook

Cell = tuple[str, Text, Text, Text]
"""A cell that differs: its key, its name, and its content in the old book and in the new one."""

_EMPTY = Text("无", "none")
_FILLED = Text("每个番种都有", "given for every fan")


def figure_changes(old: Rulebook, new: Rulebook, pairs: Mapping[str, str]) -> Iterator[Cell]:
    """Yield cells of fans of both books (`pairs`: old name → new name) and residues that differ.

    Books of different families have no columns in common.
    """
    if old.family != new.family:
        return
    cells = [cell for name, other in pairs.items() for cell in _columns(old, new, old.fan(name), new.fan(other))]
    for key in dict.fromkeys(key for key, _ in cells):
        filled = _fill_of([cell for column, cell in cells if column == key], len(pairs))
        if filled is not None:
            label = new.columns.get(key) or old.columns.get(key) or Text(key, key)
            cells = [(column, cell) for column, cell in cells if column != key]
            yield (key, label, *filled)
    yield from (cell for _, cell in cells)
    if all(isinstance(one.arithmetic, ResidueArithmetic) for one in (old, new)):
        yield from _residues(old, new, pairs)


def _fill_of(cells: Sequence[Cell], fans: int) -> tuple[Text, Text] | None:
    """Return the change of a column that one book has for every fan and the other for none; None if it is another."""
    if fans > 1 and len(cells) == fans:
        if all(cell[2] == _EMPTY for cell in cells):
            return _EMPTY, _FILLED
        if all(cell[3] == _EMPTY for cell in cells):
            return _FILLED, _EMPTY
    return None


def _columns(old: Rulebook, new: Rulebook, a: Fan, b: Fan) -> Iterator[tuple[str, Cell]]:
    kind: Any = type(a.extra if a.extra is not None else b.extra)
    before, after = a.own(kind), b.own(kind)
    values = {*a.other_values, *b.other_values}
    for key in getattr(kind, "__dataclass_fields__", ()):
        x, y = getattr(before, key), getattr(after, key)
        if x != y and key not in values:
            label = new.columns.get(key) or old.columns.get(key) or Text(key, key)
            named = Text(f"{b.name}：{label.zh}", f"{b.english}: {label.en}")
            yield key, (f"{b.name} {key}", named, _cell(x), _cell(y))


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

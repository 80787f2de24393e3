"""Suggest values that fit a law the author wants, fewest changes first, each with its effect. Nothing is applied.

Laws: `bits` (the value of a fan follows its rarity along the book's own line), `mean` (all hands have this mean),
`rare` (at most one in this many winning hands has the fan). Every suggestion is tallied over all hands. Only values
that the book already uses for another fan are suggested, so that they look natural in print.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from quepu.errors import HandError, Text, UnknownName
from quepu.fast.universe.census import Census
from quepu.fast.universe.classed_cache import classed_for
from quepu.fast.universe.standard_hands import HandState
from quepu.fast.universe.valued import census_of, valued
from quepu.lab.calibrate import FittedLine, fit, place_fans, scale
from quepu.lab.captions import exactly, fan_words
from quepu.lab.sheet import Sheet, SheetColumn
from quepu.rules.row import split_value
from quepu.rules.rulebook import Rulebook

LAWS = ("bits", "mean", "rare")
_MOST_STEPS = 8
_TRIED = 10
_TRIES = 3
_LEFT = 0.1
"""The least share of today's winning hands that must still win under a suggested minimum."""
_LESS = 0.005
"""The least improvement of the distance to the line that is worth a change."""
_NEAR = 0.05
"""The share of the way left at which a mean counts as met."""


class ValueChange(NamedTuple):
    """A changed value, or the minimum if no fan is named: before and after, by part."""

    fan: str
    old: Mapping[str, int]
    new: Mapping[str, int]


class Suggestion(NamedTuple):
    """Changes made together, and their effect: the law's own measure, the mean, and the share that can win."""

    changes: tuple[ValueChange, ...]
    measure: float
    mean: float
    payable: float


@dataclass(frozen=True)
class Suggested:
    """Suggestions for a law, the one with the fewest changes first; and the book's current state."""

    law: str
    measure: Text
    today: Suggestion
    wanted: float | None
    found: tuple[Suggestion, ...]


class _Bench:
    """A book whose values are varied, over all hands of a state."""

    def __init__(self, book: Rulebook, state: HandState) -> None:
        self.book = book
        self.classed = classed_for((book,), state)
        self.near = valued(book, self.classed)
        self.today = census_of(self.near)

    def under(self, changes: tuple[ValueChange, ...]) -> Census:
        """Return all hands with these changes."""
        values = {one.fan: _value(self.book, one) for one in changes if one.fan}
        minimum = next((one.new["minimum"] for one in changes if not one.fan), None)
        made = self.book.having(values=values, minimum=minimum)
        return census_of(valued(made, self.classed, self.near))


def _value(book: Rulebook, change: ValueChange) -> Any:
    value = book.fan(change.fan).value
    return value._replace(**change.new) if hasattr(value, "_replace") else change.new["fan"]


def suggest(book: Rulebook, state: HandState, law: str, fan: str = "", wanted: float | None = None) -> Suggested:
    """Suggest changes so that the book follows a law.

    Args:
        book: the book or draft.
        state: the state of the hands.
        law: one of `LAWS`.
        fan: for `rare`, the fan that is to be rare.
        wanted: for `mean` the mean, for `rare` one hand in that many.

    Raises:
        UnknownName: no such law or fan.
        HandError: a figure that the law needs is missing.
    """
    if law not in LAWS:
        raise UnknownName(f"没有“{law}”这样的要求；可取：{' '.join(LAWS)}。", f"no law {law!r}: {' '.join(LAWS)}.")
    if law != "bits" and (wanted is None or not 0 < wanted < 1e9):
        raise HandError("请给出要达到的数（大于 0）。", "give a target number above 0.")
    bench = _Bench(book, state)
    if law == "bits":
        return _bits(bench)
    if law == "mean":
        return _mean_of(bench, float(wanted or 0))
    return _rare(bench, book.fan(fan).name, float(wanted or 1))


def _mean(census: Census) -> float:
    sets = census.whole.by_class("sets")
    return float((census.points * (sets / sets.sum())).sum())


def _payable(census: Census) -> float:
    sets = census.whole.by_class("sets")
    return float(sets[census.points >= census.book.minimum].sum() / sets.sum())


def _suggestion(changes: tuple[ValueChange, ...], measure: float, census: Census) -> Suggestion:
    return Suggestion(changes, measure, _mean(census), _payable(census))


# ---- values of the book's own


class _Sized(NamedTuple):
    """A value of the book with its rank among them."""

    size: float
    value: dict[str, int]


def values_of(book: Rulebook, fan: str) -> list[_Sized]:
    """Return the values that a fan may get, its own included: those of other fans, without any part 0.

    A value of one number has that size; one of several has the ranks of its parts among the book's as size.
    """
    own = split_value(book.fan(fan).value)
    found = [value for value in (split_value(other.value) for other in book.fans) if value.keys() == own.keys()]
    found = [value for value in found if value == own or all(value.values())]
    places = {part: sorted({value[part] for value in found}) for part in own}

    def size(value: dict[str, int]) -> float:
        return sum(n if len(own) == 1 else places[part].index(n) for part, n in value.items())

    return [_Sized(size(dict(value)), dict(value)) for value in sorted({tuple(one.items()) for one in found})]


def _find_nearest(values: list[_Sized], own: _Sized, target: float) -> _Sized | None:
    """Return the value nearest to a size, on its side of the current one; None if there is none on that side."""

    def away(one: _Sized) -> tuple[float, ...]:
        parts = sum(one.value[part] != n for part, n in own.value.items())
        return abs(one.size - target), parts, abs(one.size - own.size)

    return min((one for one in values if (one.size - own.size) * (target - own.size) > 0), key=away, default=None)


def minimums_of(book: Rulebook) -> list[int]:
    """Return higher minimums: those that the book offers, or else numbers that occur as its values."""
    option = next((one for one in book.options if one.key == "minimum"), None)
    values = {n for fan in book.fans for n in split_value(fan.value).values()}
    choices = values if option is None else {n for n in option.choices if isinstance(n, int)}
    return sorted(n for n in choices if n > book.minimum)


# ---- one 番 a bit


def _bits(bench: _Bench) -> Suggested:
    """Move the fan farthest from the line towards it, then the next, as long as that brings all nearer.

    A later suggestion has the changes of those before.
    """
    line, rest = _fit(bench.today)
    name = scale(bench.today)
    measure = Text(f"{name.zh} 与直线之差（标准差）", f"{name.en} off the line (s.d.)")
    if line is None:
        return Suggested("bits", measure, _suggestion((), 0.0, bench.today), None, ())
    rows = [one for one in sorted(rest, key=lambda one: -abs(rest[one])) if abs(rest[one]) >= line.sd]
    found: list[Suggestion] = []
    held: tuple[ValueChange, ...] = ()
    census = bench.today
    spread = line.sd
    for fan in rows[:_MOST_STEPS]:
        tried = [(_spread(made, line), change, made) for change, made in _yield_values(bench, held, census, fan, line)]
        best = min(tried, key=lambda one: one[0], default=None)
        if best is not None and best[0] < spread - _LESS:
            spread, held, census = best[0], (*held, best[1]), best[2]
            found.append(_suggestion(held, spread, census))
    return Suggested("bits", measure, _suggestion((), line.sd, bench.today), None, tuple(found))


def _fit(census: Census) -> tuple[FittedLine | None, dict[str, float]]:
    at = place_fans(census)
    line = fit(at.bits, at.value)
    if line is None:
        return None, {}
    off = at.value - line.at(at.bits)
    fans = census.book.fans
    return line, {fans[rows[0]].name: float(x) for rows, x in zip(at.rows, off, strict=True) if len(rows) == 1}


def _spread(census: Census, line: FittedLine) -> float:
    at = place_fans(census)
    return float((at.value - line.at(at.bits)).std())


def _off(census: Census, fan: str, line: FittedLine) -> float | None:
    """Return how far a fan now lies above today's line."""
    at = place_fans(census)
    row = census.book.index[fan]
    return next((float(v - line.at(x)) for r, x, v in zip(at.rows, at.bits, at.value, strict=True) if r == [row]), None)


def _yield_values(
    bench: _Bench, held: tuple[ValueChange, ...], census: Census, fan: str, line: FittedLine
) -> Iterator[tuple[ValueChange, Census]]:
    """Yield other values of a fan: one towards the line, then those suggested by the effect of the last."""
    value = split_value(bench.book.fan(fan).value)
    start = _off(census, fan, line)
    if start is None:
        return
    values, tried = values_of(bench.book, fan), list[_Sized]()
    own = next(one for one in values if one.value == value)
    target = own.size - start
    for _ in range(_TRIES):
        new = _find_nearest(values, own, target)
        if new is None or new in tried:
            break
        tried.append(new)
        change = ValueChange(fan, value, new.value)
        made = bench.under((*held, change))
        yield change, made
        off = _off(made, fan, line)
        if off is None or (off - start) * (new.size - own.size) <= 0:
            break  # it no longer counts, or its rarity does not follow its value
        target = own.size - start * (new.size - own.size) / (off - start)


# ---- keep a mean


def _mean_of(bench: _Bench, wanted: float) -> Suggested:
    """Change one fan's value to bring the mean nearest, trying the commonest fans; exact matches come first."""
    measure = Text("平均点数", "mean points")
    today = _suggestion((), _mean(bench.today), bench.today)
    sets = bench.today.whole.by_class("sets")
    common = (bench.today.counts * (sets / sets.sum())[:, None]).sum(axis=0)
    found = []
    for row in np.argsort(-common)[:_TRIED].tolist():
        fan = bench.book.fans[row]
        value = split_value(fan.value)
        if not common[row]:
            continue
        values = values_of(bench.book, fan.name)
        own = next(one for one in values if one.value == value)
        tried: dict[float, Suggestion] = {}
        target = own.size + wanted - today.measure
        for _ in range(2 * _TRIES):
            new = _find_nearest(values, own, target)
            if new is None or new.size in tried:
                break
            changes = (ValueChange(fan.name, value, new.value),)
            census = bench.under(changes)
            tried[new.size] = _suggestion(changes, _mean(census), census)
            slope = (tried[new.size].measure - today.measure) / (new.size - own.size)
            if slope <= 0:
                break
            target = own.size + (wanted - today.measure) / slope
        better = [one for one in tried.values() if abs(one.measure - wanted) < abs(today.measure - wanted)]
        found += sorted(better, key=lambda one: abs(one.measure - wanted))[:1]
    way = _NEAR * abs(today.measure - wanted)
    off = [abs(one.measure - wanted) for one in found]
    order = sorted(range(len(found)), key=lambda i: (off[i] > way, _step(found[i]) if off[i] <= way else off[i]))
    found = [found[i] for i in order]
    return Suggested("mean", measure, today, wanted, tuple(found[:_MOST_STEPS]))


def _step(one: Suggestion) -> int:
    """Return how much values are changed."""
    return sum(abs(change.new[part] - change.old[part]) for change in one.changes for part in change.new)


# ---- at most once in this many wins


def _rare(bench: _Bench, fan: str, wins: float) -> Suggested:
    """Suggest a lower value, or another minimum, under which few enough winning hands count the fan."""
    measure = Text(f"可和的牌中计{fan}的占比", f"share of valid hands that count {bench.book.fan(fan).english}")
    today = _suggestion((), _share(bench.today, fan), bench.today)
    limit = 1 / wins
    found: list[Suggestion] = []
    value = split_value(bench.book.fan(fan).value)
    minimum = bench.book.minimum
    values = values_of(bench.book, fan)
    own = next(one for one in values if one.value == value)
    less = sorted((one for one in values if one.size < own.size), key=lambda one: -one.size)[:_TRIED]
    lower = [ValueChange(fan, value, one.value) for one in less]
    higher = [ValueChange("", {"minimum": minimum}, {"minimum": n}) for n in minimums_of(bench.book)[:_TRIED]]
    for some in (lower, higher) if today.measure > limit else ():
        for change in some:
            census = bench.under((change,))
            made = _suggestion((change,), _share(census, fan), census)
            if not change.fan and made.payable < _LEFT * today.payable:
                break
            if made.measure <= limit:
                found.append(made)
                break
    return Suggested("rare", measure, today, limit, tuple(found))


def _share(census: Census, fan: str) -> float:
    sets = census.whole.by_class("sets")
    pays = census.points >= census.book.minimum
    counted = census.counts[:, census.book.index[fan]] > 0
    return float(sets[pays & counted].sum() / max(1, sets[pays].sum()))


# ---- a table


def change_text(book: Rulebook, change: ValueChange) -> Text:
    """Describe a change for a reader."""
    pair = "/".join(str(n) for n in change.old.values()) + " → " + "/".join(str(n) for n in change.new.values())
    if not change.fan:
        return Text(f"起和 {pair}", f"minimum {pair}")
    return Text(f"{change.fan} {pair}", f"{book.fan(change.fan).english_and_name} {pair}")


def suggest_sheet(book: Rulebook, state: HandState, found: Suggested) -> Sheet:
    """Tabulate the suggestions; the first row is the current book."""
    columns = (
        SheetColumn("n", Text("改动", "changes"), "int"),
        SheetColumn("changes", Text("改什么", "change"), "word"),
        SheetColumn("measure", found.measure, "number"),
        SheetColumn("mean", Text("平均", "average"), "number"),
        SheetColumn("payable", Text("可和占比", "valid hands"), "share"),
    )
    words: dict[str, Text] = dict(fan_words(book))
    rows = []
    for one in (found.today, *found.found):
        texts = [change_text(book, change) for change in one.changes] or [Text("照旧", "as it is")]
        whole = Text("；".join(x.zh for x in texts), "; ".join(x.en for x in texts))
        words[whole.zh] = whole
        rows.append((len(one.changes), whole.zh, one.measure, one.mean, one.payable))
    lines = [Text("只是建议，不会自行改动。", "Suggestions only: nothing changes automatically.")]
    if not found.found:
        reached = Text("只改番值达不到目标。", "no change of values reaches the target.")
        if found.law == "rare" and found.wanted is not None and found.today.measure <= found.wanted:
            reached = Text("现在已经如此。", "it already is.")
        lines.insert(0, reached)
    title = Text(f"{book.title.zh}：建议", f"{book.title.en}: suggestions")
    facts = {"law": found.law, "wanted": found.wanted}
    return Sheet("suggest", title, exactly(book, state), columns, rows, facts, lines, words=words)

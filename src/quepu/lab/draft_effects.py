"""Effects of a draft rulebook on the hands of a state, before and after, as plain data for a page."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.errors import Error, HandError
from quepu.fast.universe.census import Census
from quepu.fast.universe.classed_cache import classed_for, is_cached
from quepu.fast.universe.limits import is_countable
from quepu.fast.universe.standard_hands import STATES, HandState
from quepu.fast.universe.valued import Valued, census_of, valued
from quepu.hands.hand import Luck
from quepu.hands.planes import Planes
from quepu.lab import calibrate, relations
from quepu.lab.compare import most_changed, summary
from quepu.lab.draft_check import check
from quepu.lab.formula_hands import MOST_SHOWN, ask_condition, write_examples
from quepu.lab.hand_text import reading_text, write_won
from quepu.lab.pairing import ClassPairs, pair_up
from quepu.lab.rarity import Rarity, rarity
from quepu.rulebooks import find_registered
from quepu.rules.diff import difference, edition_changes
from quepu.rules.export import python_rows
from quepu.rules.row import Example, Fan
from quepu.rules.rulebook import Rulebook
from quepu.scoring.describe import score_example

Array = NDArray[Any]
MOST_HANDS = 30
_MOST_RELATIONS = 40
_SHOWN_IN = ("closed-discard", "open-discard", "kongs", "closed-draw")
"""States whose hands are looked through for an example."""
_TRIED = 60


def effects(old: Rulebook, new: Rulebook, state: HandState) -> dict[str, Any]:
    """Return points, fans, relations, calibration and the most changed hands under two books, side by side.

    Raises:
        HandError: the two books have different shapes.
    """
    if old.shapes != new.shapes:
        raise HandError(
            "两本规则的和牌形不同，工坊里不能比较；请用 quepu lab compare。",
            "the two rulebooks have different winning shapes: compare them with quepu lab compare.",
        )
    pairs = pair_up(old, new, state)
    sides = tuple(_measure(book, (old, new), state) for book in (old, new))
    return {
        "digests": [old.fingerprint, new.fingerprint],
        "state": state.key,
        "minimum": [old.minimum, new.minimum],
        "summary": _summary(pairs),
        "points": _points(pairs),
        "fans": _fans(pairs, sides),
        "relations": _relations(*sides),
        "calibration": [side.calibration for side in sides],
        "hands": _hands(pairs),
        "changes": {key: [one._asdict() for one in lines] for key, lines in edition_changes(old, new).items()},
        "added": list_added_hands(old, new, state),
        "findings": [one.to_json() for one in check(new, old, keys=(state.key,)) if not state.each],
    }


class _Side(NamedTuple):
    """Measures of one book."""

    of: Valued
    rarity: list[Rarity]
    relations: set[tuple[Any, ...]]
    calibration: dict[str, Any]


_REMEMBERED = 8
_sides: OrderedDict[tuple[str, str, str], _Side] = OrderedDict()


def _measure(book: Rulebook, books: tuple[Rulebook, ...], state: HandState) -> _Side:
    """Measure a book, cached for the last few: the old side of a draft stays the same."""
    value, key = valued(book, classed_for(books, state)), (book.id, book.fingerprint, state.key)
    found = _sides.pop(key, None)
    if found is None or found.of is not value:
        census = census_of(value)
        rows = {tuple(row[:3]) for row in relations.compare_declared(census).rows}
        found = _Side(value, rarity(census), rows, _calibration(census))
    _sides[key] = found
    while len(_sides) > _REMEMBERED:
        _sides.popitem(last=False)
    return found


def _summary(pairs: ClassPairs) -> dict[str, Any]:
    sheet = summary(pairs)
    sets = pairs.sets.sum()
    payable = [float(pairs.sets[pairs.pays(side)].sum() / sets) for side in (0, 1)]
    points = [pairs.points(side) for side in (0, 1)]
    return {
        "mean": [sheet.facts["mean_old"], sheet.facts["mean_new"]],
        "median": [_median(values, pairs.sets) for values in points],
        "payable": payable,
        "payable_mean": [_mean(values, pairs.sets * pairs.pays(side)) for side, values in enumerate(points)],
        "most": [int(values.max()) for values in points],
        "hands": int(pairs.hands.sum()),
        "moves": {row[0]: {"hands": row[1], "share": row[4]} for row in sheet.rows},
    }


def _median(values: Array, weight: Array) -> int:
    order = np.argsort(values, kind="stable")
    at = np.searchsorted(np.cumsum(weight[order]), weight.sum() / 2)
    return int(values[order][min(int(at), len(order) - 1)])


def _mean(values: Array, weight: Array) -> float | None:
    total = weight.sum()
    return float((values * (weight / total)).sum()) if total else None


def _points(pairs: ClassPairs) -> list[list[float]]:
    """Return the points, and the share of tile sets with those points before and after."""
    every = np.unique(np.concatenate([pairs.points(0), pairs.points(1)]))
    sets = pairs.sets / pairs.sets.sum()
    shares = [np.bincount(np.searchsorted(every, pairs.points(side)), sets, len(every)) for side in (0, 1)]
    return [[int(p), float(a), float(b)] for p, a, b in zip(every.tolist(), *shares, strict=True)]


def _fans(pairs: ClassPairs, sides: tuple[_Side, ...]) -> list[dict[str, Any]]:
    """Return every fan of either book: its hands, bits, least and most points before and after."""
    found = [{one.name: one for one in side.rarity} for side in sides]
    renamed = {change.old.name: change.new.name for change in difference(pairs.old, pairs.new).changed}
    first = {renamed.get(name, name): one for name, one in found[0].items()}
    at = np.flatnonzero(pairs.points(0) != pairs.points(1))
    other = replace(pairs, number=pairs.number[at], hands=pairs.hands[at])
    rows = []
    for name in dict.fromkeys([*found[1], *first]):
        book = pairs.new if name in found[1] else pairs.old
        old, new = first.get(name), found[1].get(name)
        counted = other.counts(1, name) > 0
        if old is not None:
            counted = counted | (other.counts(0, old.name) > 0)
        changed = int(other.hands[counted].sum())
        both = (old, new)
        rows.append({
            "name": name,
            "english": book.fan(name).english,
            "value": [None if one is None else side.fan(one.name).parts
                      for one, side in zip(both, (pairs.old, pairs.new), strict=True)],
            "hands": [None if one is None else one.hands for one in both],
            "share": [None if one is None else one.share for one in both],
            "bits": [None if one is None else one.bits for one in both],
            "least": [None if one is None else one.least for one in both],
            "most": [None if one is None else one.most for one in both],
            "standing": [None if one is None else _standing(one.holding, one.hands) for one in both],
            "changed": changed,
        })  # fmt: skip
    return rows


def _standing(holding: int, hands: int) -> str:
    """Return whether a fan counts in some hand of the state, only holds, or cannot even hold."""
    return "counts" if hands else "redundant" if holding else "impossible"


def _relations(old: _Side, new: _Side) -> dict[str, list[list[str]]]:
    """Return new and resolved differences between stated and derived relations: fan, other, kind."""
    before, after = old.relations, new.relations
    order = [fan.name for fan in new.of.book.fans] + [fan.name for fan in old.of.book.fans]

    def list_rows(rows: set[tuple[Any, ...]]) -> list[list[str]]:
        return [list(row) for row in sorted(rows, key=lambda row: (order.index(row[0]), row))[:_MOST_RELATIONS]]

    return {"new": list_rows(after - before), "gone": list_rows(before - after)}


def _calibration(census: Census) -> dict[str, Any]:
    at = calibrate.place_fans(census)
    line = calibrate.fit(at.bits, at.value)
    scale = calibrate.scale(census)
    return {
        "scale": {"zh": scale.zh, "en": scale.en},
        "fans": [[name, float(x), float(y)] for name, x, y in zip(at.names, at.bits, at.value, strict=True)],
        "line": None if line is None else [line.slope, line.intercept, line.r2, line.sd],
    }


def _hands(pairs: ClassPairs) -> list[dict[str, Any]]:
    rows = most_changed(pairs, MOST_HANDS).rows
    return [
        {"hand": row[0], "points": [row[1], row[2]], "hands": row[4], "fans": [row[5] or "", row[6] or ""]}
        for row in rows
    ]


# ---- hands of a new fan


def list_added_hands(old: Rulebook, new: Rulebook, state: HandState) -> list[dict[str, Any]]:
    """Return, for every fan of only the new book, hands in which it holds, and near misses."""
    classed = classed_for((old, new), state)
    every = np.concatenate([classed.examples, *(part.several.examples for part in classed.parts.values())])
    found = []
    for fan in difference(old, new).added:
        held = ask_condition(fan.when, Planes(*every.T), len(every))
        matches = every[held]
        some = matches[np.linspace(0, len(matches) - 1, min(MOST_SHOWN, len(matches))).astype(int)]
        texts, near = write_examples(some, every[~held])
        found.append({"name": fan.name, "matches": texts, "near": near})
    return found


def add_examples(book: Rulebook, *, counting: bool = True) -> Rulebook:
    """Return a draft in which every fan that a hand can show has an example; other books are returned as they are.

    Fans without an example, or with one that no longer counts them, get the plainest hand found. `counting`: every
    hand may be sorted by the draft's own conditions, which takes seconds where it was not done before.
    """
    base = find_registered(book)
    if base is book or not is_countable(book):
        return book
    lacking = [fan for fan in book.fans if fan.example is None or fan.name not in _count_fans(book, fan.example)]
    found: dict[str, Example] = {}
    for books, keys in (((base,), _SHOWN_IN), ((base, book), _SHOWN_IN[:2])):
        for state in (STATES[key] for key in keys):
            left = [fan for fan in lacking if fan.name not in found]
            if not left or not (counting or is_cached(books, state)):
                continue
            classed = classed_for(books, state)
            every = np.concatenate([classed.examples, *(part.several.examples for part in classed.parts.values())])
            for fan in left:
                example = _find_example(book, fan, every[ask_condition(fan.when, Planes(*every.T), len(every))], state)
                if example is not None:
                    found[fan.name] = example
    fans = [replace(fan, example=found.get(fan.name, fan.example)) for fan in book.fans]
    return replace(book, fans=tuple(fans)) if found else book


def _find_example(book: Rulebook, fan: Fan, held: Array, state: HandState) -> Example | None:
    """Return the hand with the fewest fans that counts this one, among some of those in which it holds."""
    best: tuple[int, str] | None = None
    drawn = bool(state.luck & Luck.SELF_DRAW)
    for at in np.linspace(0, len(held) - 1, min(_TRIED, len(held))).astype(int).tolist():
        text = write_won(reading_text(Planes(*held[at].tolist())))
        counted = _count_fans(book, Example(text, self_draw=drawn))
        if fan.name in counted:
            rank = (len(counted), text)
            best = rank if best is None else min(best, rank)
    return None if best is None else Example(best[1], self_draw=drawn)


def draft_module(old: Rulebook, new: Rulebook, state: HandState) -> str:
    """Return a draft as Python rows, each new fan with a hand that counts it and one that nearly does."""
    hands = {}
    for one in list_added_hands(old, new, state):
        shown_by = [text for text in map(write_won, one["matches"]) if one["name"] in _count_fans(new, Example(text))]
        others = [text for text in map(write_won, one["near"]) if one["name"] not in _count_fans(new, Example(text))]
        if shown_by and others:
            hands[one["name"]] = (shown_by[0], others[0])
    return python_rows(old, new, hands)


def _count_fans(book: Rulebook, example: Example) -> list[str]:
    try:
        return [fan.name for fan in score_example(example, book).fans]
    except Error:
        return []

"""Groups of a reading that make a fan, on arrays; the plain twin is `quepu.scoring.occurrences`.

Only as far as a signature needs it: for a row made of n groups, one number for which n of the chows (or of the pungs
and the pair) those are. Chows are identified by their place in the order of their starts, pungs likewise.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import add_chows
from quepu.hands.planes import Condition, Planes
from quepu.rules.row import Fan

Array = NDArray[Any]
CHOWS = frozenset({"c1", "c2", "c3", "c4"})
PUNGS = frozenset({"p", "xp", "pc", "k", "kc", "pair"})
ABOUT_NOTHING = frozenset({"form", "seat", "round", "luck", "win", "place", "waits", "pair_waits", "dead_waits"})
MELDS = 4
_CONDITIONS_MOST = 4096


class _Part:
    """Some groups of each reading, as planes; the planes of no group are the whole reading's."""

    def __init__(self, h: Any, own: dict[str, Any]) -> None:
        self._h = h
        self.__dict__.update(own)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._h, name)


def chow_slots(h: Any) -> Any:
    """Return the chows of each reading by start: four planes of one bit, 0 where there are fewer."""

    def find() -> list[Array]:
        r1, r2, r3, r4 = h.c1, h.c2, h.c3, h.c4
        slots = []
        for _ in range(MELDS):
            low = r1 & -r1
            slots.append(low)
            r1, r2, r3, r4 = r1 & ~low | r2 & low, r2 & ~low | r3 & low, r3 & ~low | r4 & low, r4 & ~low
        return slots

    return _remember(h, "_chow_slots", find)


def pung_slots(h: Any) -> Any:
    """Return the pungs of each reading by kind: four planes of one bit, 0 where there are fewer."""

    def find() -> list[Array]:
        rest, slots = h.p, []
        for _ in range(MELDS):
            low = rest & -rest
            slots.append(low)
            rest = rest ^ low
        return slots

    return _remember(h, "_pung_slots", find)


def _remember(h: Any, name: str, find: Any) -> Any:
    if isinstance(h, Planes):
        return find()
    if name not in h.__dict__:
        h.__dict__[name] = find()
    return h.__dict__[name]


def occurrence_condition(fan: Fan) -> Condition | None:
    """Return a condition for the groups on which a row of n groups holds; None if its holding determines them.

    Raises:
        ValueError: the row relates chows and pungs in a way that has no such number.
    """
    n, looks = fan.of, fan.reads
    if looks <= CHOWS | ABOUT_NOTHING:
        return None if n >= MELDS else _of_chows(fan.when, n)
    if looks <= PUNGS | ABOUT_NOTHING:
        if n >= MELDS and "pair" not in looks:
            return None
        return _of_pungs(fan.when, fan.reads, n)
    if n >= MELDS and "pair" not in looks:
        return None  # all four melds
    raise ValueError(fan.name)


def groups_of(fan: Fan, chows: Sequence[int], pungs: Sequence[int], pair: int) -> list[int]:
    """Return the groups that the bits of `occurrence_condition` choose from, in its order, by these numbers."""
    if fan.reads <= CHOWS | ABOUT_NOTHING:
        return [*chows]
    return [*pungs, pair] if "pair" in fan.reads else [*pungs]


def looks(fan: Fan) -> frozenset[str]:
    """Return the planes that the condition of `occurrence_condition` reads."""
    return fan.reads | (CHOWS if fan.reads <= CHOWS | ABOUT_NOTHING else {"p"})


@lru_cache(_CONDITIONS_MOST)
def _of_chows(when: Condition, n: int) -> Condition:
    """Return the same condition each time, so that its expression is worked out once."""
    return lambda h: _on_chows(when, n, h)


@lru_cache(_CONDITIONS_MOST)
def _of_pungs(when: Condition, looks: frozenset[str], n: int) -> Condition:
    """Return the same for pungs."""
    return lambda h: _on_pungs(when, looks, n, h)


def _on_chows(when: Condition, n: int, h: Any) -> Any:
    slots = chow_slots(h)
    found: Any = 0
    for i, some in enumerate(combinations(slots, n)):
        none = some[0] & 0
        c1, c2, c3, c4 = add_chows((none, none, none, none), some)
        part = _Part(h, {"c1": c1, "c2": c2, "c3": c3, "c4": c4})
        found = found | (when(part) != 0) * (1 << i)  # type: ignore[arg-type]  # stands in for Planes
    return found


def _on_pungs(when: Condition, looks: frozenset[str], n: int, h: Any) -> Any:
    slots: list[Array] = pung_slots(h)
    groups: list[tuple[Any, Any]] = [(slot, 0) for slot in slots]
    if "pair" in looks:
        groups.append((0, h.pair))
    found: Any = 0
    for i, some in enumerate(combinations(groups, n)):
        p: Any = 0
        pair: Any = 0
        for pung, two in some:
            p, pair = p | pung, pair | two
        own: dict[str, Any] = {name: getattr(h, name) & p for name in ("xp", "pc", "k", "kc") if name in looks}
        part = _Part(h, {"p": p, "pair": pair, **own})
        found = found | (when(part) != 0) * (1 << i)  # type: ignore[arg-type]
    return found

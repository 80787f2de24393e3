"""Which states are asked for what: those of a table of rarity, and those in which the cheapest hands are looked for."""

from __future__ import annotations

from quepu.circumstances import situate
from quepu.errors import Error, UnknownName
from quepu.hand import Hand, Luck, Meld, MeldKind
from quepu.lab.universe import STATES, State
from quepu.rulebook import Rulebook

# A plain hand in each of the states that a circumstance may need, winning tile 2 of 234p.
_CHOWS = tuple(Meld(MeldKind.CHOW, kind) for kind in (0, 12, 21))
_SAMPLES = {
    "open-discard": Hand((9, 10, 3, 3), _CHOWS, 11),
    "open-draw": Hand((9, 10, 3, 3), _CHOWS, 11, luck=int(Luck.SELF_DRAW)),
    "closed-discard": Hand((0, 1, 2, 3, 3, 9, 10, 12, 13, 14, 21, 22, 23), (), 11),
    "closed-draw": Hand((0, 1, 2, 3, 3, 9, 10, 12, 13, 14, 21, 22, 23), (), 11, luck=int(Luck.SELF_DRAW)),
    "kongs": Hand(
        (9, 10, 3, 3), tuple(Meld(MeldKind.KONG, kind) for kind in (0, 12, 21)), 11, luck=int(Luck.SELF_DRAW)
    ),
}


def state(key: str) -> State:
    """The state of this name.

    Raises:
        UnknownName: there is none.
    """
    if key not in STATES:
        known = " ".join(STATES)
        raise UnknownName(f"没有状态“{key}”。现有：{known}。", f"no state {key!r}; there are: {known}.")
    return STATES[key]


def lucky_states(book: Rulebook) -> list[State]:
    """One state for each circumstance that the book names: the plainest in which it can come about."""
    found = []
    for name, luck in book.circumstances.items():
        for key, hand in _SAMPLES.items():
            drawn = bool(hand.luck & Luck.SELF_DRAW)
            plain = hand._replace(luck=0)
            for seat in ("E", "S"):
                try:
                    situate(plain, book, seat=seat, self_draw=drawn, circumstances=[name])
                except Error:
                    continue
                break
            else:
                continue
            # a kong stands in the hand or not: what it is worth itself is no part of the circumstance
            base = STATES["open-draw" if key == "kongs" else key]
            found.append(base.with_luck(name, int(luck)))
            break
    return found


def all_states(book: Rulebook) -> list[State]:
    """Every state in which a cheapest hand is looked for."""
    return [*STATES.values(), *lucky_states(book)]

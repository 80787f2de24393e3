"""States of hands: those of a table of rarity, and those searched for the lowest-scoring hands."""

from __future__ import annotations

from collections.abc import Iterator

from quepu.errors import Error, UnknownName
from quepu.fast.universe.standard_hands import MORE_STATES, STATES, HandState
from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.rules.circumstances import situate
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import score_hand

# A plain hand in each state that a circumstance may need, winning tile 2 of 234p.
_CHOWS = tuple(Meld(MeldKind.CHOW, kind) for kind in (0, 12, 21))
_SAMPLES = {
    "open-discard": Hand((9, 10, 3, 3), _CHOWS, 11),
    "open-draw": Hand((9, 10, 3, 3), _CHOWS, 11, luck=int(Luck.SELF_DRAW)),
    "closed-discard": Hand((0, 1, 2, 3, 3, 9, 10, 12, 13, 14, 21, 22, 23), (), 11),
    "closed-draw": Hand((0, 1, 2, 3, 3, 9, 10, 12, 13, 14, 21, 22, 23), (), 11, luck=int(Luck.SELF_DRAW)),
}


def _with_kongs(kongs: int) -> Hand:
    melds = tuple(Meld(MeldKind.KONG if n < kongs else MeldKind.PUNG, kind) for n, kind in enumerate((0, 12, 21)))
    return Hand((9, 10, 3, 3), melds, 11, luck=int(Luck.SELF_DRAW))


def _plainest(book: Rulebook, name: str) -> tuple[HandState, Hand] | None:
    """Return the plainest state in which a circumstance is possible, and a hand in that state."""
    for key, hand in _SAMPLES.items():
        if any(True for _ in _yield_situations(book, hand._replace(luck=0), name, hand.self_draw)):
            return STATES[key], hand
    for kongs in (1, 2, 3):  # it needs kongs, whose value is part of such a win
        hand = _with_kongs(kongs)
        if any(True for _ in _yield_situations(book, hand._replace(luck=0), name, drawn=True)):
            base = MORE_STATES["one-kong"] if kongs == 1 else STATES["kongs"]
            return base._replace(luck=hand.luck, least_kongs=kongs), hand
    return None


def state(key: str) -> HandState:
    """Return the state of this name.

    Raises:
        UnknownName: the name is unknown.
    """
    states = STATES | MORE_STATES
    if key not in states:
        names = " ".join(states)
        raise UnknownName(f"没有状态“{key}”。现有：{names}。", f"no state {key!r}; there are: {names}.")
    return states[key]


def lucky_states(book: Rulebook) -> list[HandState]:
    """Return one state for each circumstance that the book names: the plainest in which it is possible.

    The seat is East, or South if the dealer cannot count the fan of that name.
    """
    found = []
    for name, luck in book.circumstances.items():
        plainest = _plainest(book, name)
        if plainest is None:
            continue
        base, hand = plainest
        seats = list(_yield_situations(book, hand._replace(luck=0), name, hand.self_draw))
        counting = (one for one in seats if any(line.name == name for line in score_hand(one, book).fans))
        found.append(base.with_luck(name, int(luck))._replace(seat=next(counting, seats[0]).seat))
    return found


def _yield_situations(book: Rulebook, plain: Hand, name: str, drawn: bool) -> Iterator[Hand]:
    """Yield the hand in this circumstance as the dealer's and as another player's, if possible."""
    for seat in ("E", "S"):
        try:
            yield situate(plain, book, seat=seat, self_draw=drawn, circumstances=[name])
        except Error:
            continue


def more_states(book: Rulebook) -> list[HandState]:
    """Return further states that matter for this book: those with flowers only if a fan reads flowers.

    The robber of a kong may have kongs of both kinds.
    """
    flowers = any("flowers" in fan.reads for fan in book.fans)
    found = [state for state in MORE_STATES.values() if flowers or not state.flowers]
    robbing = [(name, luck) for name, luck in book.circumstances.items() if luck & Luck.ROBBED_KONG]
    return found + [MORE_STATES["mixed-kongs"].with_luck(name, int(luck)) for name, luck in robbing[:1]]


def all_states(book: Rulebook) -> list[HandState]:
    """Return every state searched for the lowest-scoring hands."""
    return [*STATES.values(), *more_states(book), *lucky_states(book)]

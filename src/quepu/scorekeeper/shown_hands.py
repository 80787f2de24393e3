"""Hands laid open at the end of a hand: how they are read, and the tiles that each seat sees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quepu.errors import HandError
from quepu.hands.hand import Hand
from quepu.hands.notation import parse
from quepu.hands.notation import tiles as tiles_of
from quepu.scoring.score import Score
from quepu.tiles import EAST, NAMES, SIMPLIFIED

COPIES = 4


def read_shown(text: str, seat: int, round: int, name: str) -> Hand:
    """Return the thirteen tiles that a player shows, at his seat.

    Raises:
        NotationError: it is not a hand.
        HandError: it has a winning tile.
    """
    hand = parse(text)
    if hand.winning is not None:
        raise HandError(f"{name} 亮的应是 13 张，不含和张。", f"{name} shows 13 tiles.")
    return hand._replace(seat=EAST + seat, round=EAST + round)


def too_many_copies(hands: Sequence[Hand | None], seen: str) -> Iterator[tuple[int, int]]:
    """Yield the kinds of which these hands and the tiles seen on the table have more than four, with how many."""
    there = [hand.counts() for hand in hands if hand is not None]
    for kind, copies in enumerate(zip(*there, strict=True)):
        n = sum(copies) + tiles_of(seen).count(kind)
        if n > COPIES:
            yield kind, n


def count_visible(hands: Sequence[Hand | None], seat: int, score: Score | None, seen: str, name: str) -> list[int]:
    """Count the tiles that a seat sees: its own, those seen on the table, melds, the winning discard.

    Raises:
        HandError: it sees more than four of a kind.
    """
    own = hands[seat]
    assert own is not None  # noqa: S101  # asked only for hands that are there
    visible = own.counts()
    others = [hand for at, hand in enumerate(hands) if hand is not None and at != seat]
    if score is not None:
        others.append(score.hand)
        if not score.hand.self_draw and score.hand.winning is not None:
            visible[score.hand.winning] += 1
    for hand in others:
        for meld in hand.melds:
            for kind in meld.tiles:
                visible[kind] += 1
    for kind in tiles_of(seen):
        visible[kind] += 1
    for kind, n in enumerate(visible):
        if n > COPIES:
            raise HandError(
                f"{name} 看得见 {n} 张{SIMPLIFIED[kind]}，一副牌只有 {COPIES} 张。",
                f"{name} sees {n} copies of {NAMES[kind]}; there are only {COPIES}.",
            )
    return visible

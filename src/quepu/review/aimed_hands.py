"""Hands that a choice leads to: the tiles that must come, the resulting hand, and its score.

Only a few likely ways are followed, tile by tile, by the same valuation; there are thousands of hands in reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from quepu.errors import Error, Text
from quepu.fast.nearest.payable import FAR
from quepu.hands.hand import Hand, Luck, Meld
from quepu.hands.notation import write
from quepu.review.valuation import Eye
from quepu.scoring.score import Score, score_hand
from quepu.tiles import KINDS, NAMES

LIKELIEST = 3
"""Number of tiles with which ways begin, those with most copies left; one fewer for the farthest hands."""
FARTHEST = 5
"""Most tiles that may be missing: farther hands have too many ways."""


def fan_texts(score: Score) -> list[Text]:
    """Return the fans of a score in both languages."""
    return [fan.text for fan in score.fans]


class Aim(NamedTuple):
    """A hand that can win: the kinds that must still come, in order, and its score (by self-draw if only so)."""

    draws: tuple[int, ...]
    score: Score
    hand: Hand

    def to_json(self, lang: str = "zh") -> dict[str, Any]:
        """Return plain data, its fans in one language."""
        return {
            "tiles": [NAMES[kind] for kind in self.draws],
            "hand": write(self.hand),
            "points": self.score.total,
            "fans": [name.say(lang) for name in fan_texts(self.score)],
        }


def aims(eye: Eye, tiles: Sequence[int], melds: tuple[Meld, ...], most: int = 3) -> list[Aim]:
    """List hands that these tiles (one short of a hand with the melds) lead to, the most valuable way first."""
    look = eye.look(tiles, melds, 0)
    if not 1 <= look.missing <= FARTHEST:
        return []
    found: dict[tuple[str, ...], Aim] = {}
    first = [kind for kind in range(KINDS) if look.helps >> kind & 1 and eye.unseen[kind] > 0]
    first = sorted(first, key=lambda kind: (-int(eye.unseen[kind]), kind))[: LIKELIEST - (look.missing == FARTHEST)]
    gains = {kind: _gain(eye, [*tiles, kind], melds, kind) for kind in first} if look.missing > 1 else {}
    for kind in sorted(first, key=lambda one: (-gains.get(one, float(eye.unseen[one])), one))[: most + 1]:
        aim = _follow(eye, list(tiles), melds, kind)
        if aim is not None:
            found.setdefault(tuple(str(fan) for fan in aim.score.fans), aim)
        if len(found) == most:
            break
    return list(found.values())


def _gain(eye: Eye, tiles: Sequence[int], melds: tuple[Meld, ...], drawn: int) -> float:
    """Return the value of a draw: its copies times the best value that it leaves."""
    return float(eye.unseen[drawn]) * float(eye.look(tiles, melds, 0).values.max())


def _follow(eye: Eye, tiles: list[int], melds: tuple[Meld, ...], kind: int) -> Aim | None:
    """Draw this kind, discard the least valuable tile, and continue with the likeliest useful tile."""
    draws = [kind]
    while len(draws) <= FARTHEST:
        won = _score_win(eye, tiles, melds, draws[-1])
        if won is not None:
            return Aim(tuple(draws), won[1], won[0])
        whole = [*tiles, draws[-1]]
        look = eye.look(whole, melds, 0)
        if look.missing >= FAR or look.values.max() <= 0:
            return None
        out = max(sorted(set(whole)), key=lambda one: float(look.values[one]))
        mask = int(look.useful[out])
        left = {one: int(eye.unseen[one]) - draws.count(one) for one in range(KINDS) if mask >> one & 1}
        if not left or max(left.values()) <= 0:
            return None
        whole.remove(out)
        tiles = whole
        draws.append(max(left, key=lambda one: (left[one], -one)))
    return None


def _score_win(eye: Eye, tiles: Sequence[int], melds: tuple[Meld, ...], kind: int) -> tuple[Hand, Score] | None:
    """Return the hand with this tile and its score, if it can win."""
    hand = Hand(tuple(sorted(tiles)), melds, kind, eye.seat, eye.round)
    for luck in (0, int(Luck.SELF_DRAW)):
        try:
            score = score_hand(hand._replace(luck=luck), eye.book)
        except Error:
            return None  # incomplete
        if score.can_win:
            return hand._replace(luck=luck), score
    return None

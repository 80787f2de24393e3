"""Lines of JSON answered many at a time: the bytes of `json_lines.answers.score_lines`, scored by `quepu.batch`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from quepu.batch import from_hands
from quepu.errors import Error
from quepu.fast.arrays.suit_tables import placed_splits
from quepu.fast.engine import Settled, engine_of
from quepu.hands.hand import Hand, Meld
from quepu.hands.planes import STANDARD, Planes
from quepu.hands.win import Reading, standard_text
from quepu.json_lines.answers import encoded, encoded_refusal, parse_request, read_line
from quepu.rules.arithmetic import Tally
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import Score, score_hand


def warm() -> None:
    """Build the tables now, so that processes forked from this one share them."""
    placed_splits()


def answers(lines: Sequence[str], rules: Rulebook, lang: str = "zh") -> list[str]:
    """The responses of `score_lines` to these lines."""
    found: list[str] = []
    groups: dict[Rulebook, list[tuple[int, Hand]]] = {}
    for line in lines:
        try:
            hand, book = parse_request(read_line(line.strip()), rules)
            groups.setdefault(book, []).append((len(found), hand))
            found.append("")
        except Error as error:
            found.append(encoded_refusal(error, lang))
    for book, some in groups.items():
        for (at, _), answer in zip(some, _answered(book, [hand for _, hand in some], lang), strict=True):
            found[at] = answer
    return found


def _answered(book: Rulebook, hands: list[Hand], lang: str) -> list[str]:
    engine = engine_of(book)
    settled = engine.score(from_hands(hands), fans=False)
    planes = _best_planes(settled)
    tallies = engine.classes.tallies
    made: list[str] = []
    for hand, valid, number, h in zip(hands, settled.valid.tolist(), settled.classes.tolist(), planes, strict=True):
        if not valid or h.form != STANDARD or hand.winning is None:
            made.append(_alone(hand, book, lang))  # errors, and shapes whose parts do not follow from the planes
            continue
        tally: Tally = tallies[number] if number >= 0 else book.tally(h)
        made.append(encoded(Score(hand, book, [_Standard(h, hand.melds)], [tally]), lang))
    return made


class _Standard(Reading):
    """Four melds and a pair, of which only the text is read."""

    __slots__ = ("melds",)

    def __init__(self, h: Planes, melds: tuple[Meld, ...]) -> None:
        self.h = h
        self.melds = melds

    def text(self) -> str:
        return standard_text(self.h, self.melds)


def _best_planes(settled: Settled) -> list[Planes]:
    """The planes of each hand's best reading; of any reading where the hand has none."""
    n = len(settled.valid)
    if not len(settled.readings.of):
        return [Planes(*(0,) * len(Planes._fields))] * n
    at = np.maximum(settled.best, 0)
    columns: list[list[int]] = []
    for name in Planes._fields:
        column: Any = getattr(settled.readings.h, name)
        columns.append(column[at].tolist() if isinstance(column, np.ndarray) else [int(column)] * n)
    return [Planes(*row) for row in zip(*columns, strict=True)]


def _alone(hand: Hand, book: Rulebook, lang: str) -> str:
    try:
        return encoded(score_hand(hand, book), lang)
    except Error as error:
        return encoded_refusal(error, lang)

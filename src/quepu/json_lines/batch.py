"""Answer lines of JSON many at a time: the bytes of `json_lines.answers.score_lines`, scored by `quepu.batch`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quepu.batch import Engine, from_hands
from quepu.errors import Error
from quepu.fast.arrays.suit_tables import placed_splits
from quepu.fast.compiled.code_cache import installed
from quepu.fast.plan import Backend, Settled, choose_backend
from quepu.hands.hand import Hand, Meld
from quepu.hands.planes import STANDARD, Planes
from quepu.hands.win import Reading, standard_text
from quepu.json_lines.answers import encode_refusal, encode_score, parse_request, read_line
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import Score, score_hand


def preload() -> None:
    """Build the tables now, so that forked processes share them."""
    placed_splits()


def answers(lines: Sequence[str], rules: Rulebook, lang: str = "zh") -> list[str]:
    """Return the responses of `score_lines` to these lines."""
    found: list[str] = []
    groups: dict[Rulebook, list[tuple[int, Hand]]] = {}
    for line in lines:
        try:
            hand, book = parse_request(read_line(line.strip()), rules)
            groups.setdefault(book, []).append((len(found), hand))
            found.append("")
        except Error as error:
            found.append(encode_refusal(error, lang))
    for book, some in groups.items():
        for (at, _), answer in zip(some, _answer(book, [hand for _, hand in some], lang), strict=True):
            found[at] = answer
    return found


def _answer(book: Rulebook, hands: list[Hand], lang: str) -> list[str]:
    backend = choose_backend(book, len(hands), installed(), fans=False)
    if backend is Backend.PLAIN:
        return [_alone(hand, book, lang) for hand in hands]
    settled = Engine(book, backend).score(from_hands(hands), fans=False)
    planes = _best_planes(settled)
    made: list[str] = []
    for hand, valid, h in zip(hands, settled.valid.tolist(), planes, strict=True):
        if not valid or h.form != STANDARD or hand.winning is None:
            made.append(_alone(hand, book, lang))  # errors, and shapes whose parts do not follow from the planes
            continue
        made.append(encode_score(Score(hand, book, [_Standard(h, hand.melds)], [book.tally(h)]), lang))
    return made


class _Standard(Reading):
    """Four melds and a pair, of which only the text is needed."""

    __slots__ = ("melds",)

    def __init__(self, h: Planes, melds: tuple[Meld, ...]) -> None:
        self.h = h
        self.melds = melds

    def text(self) -> str:
        return standard_text(self.h, self.melds)


def _best_planes(settled: Settled) -> list[Planes]:
    """Return the planes of each hand's best reading; arbitrary numbers if it has none."""
    n = len(settled.valid)
    columns = [np.broadcast_to(getattr(settled.h, name), (n,)).tolist() for name in Planes._fields]
    return [Planes(*row) for row in zip(*columns, strict=True)]


def _alone(hand: Hand, book: Rulebook, lang: str) -> str:
    try:
        return encode_score(score_hand(hand, book), lang)
    except Error as error:
        return encode_refusal(error, lang)

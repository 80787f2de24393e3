"""Hands given one by one, as texts or `Hand`s: checked all at once, and one by one where something may be wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from quepu.errors import Error, HandError
from quepu.fast.arrays.hand_arrays import Wins, from_hands, misfits
from quepu.fast.arrays.texts import read_texts
from quepu.hands.hand import Hand, check_tiles
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES
from quepu.tiles import EAST


class GivenHands(NamedTuple):
    """Hands that were given one by one: as arrays, each on its own, and the errors of those that are impossible."""

    wins: Wins
    hand: Callable[[int], Hand]
    errors: dict[int, Error]


def read_hands(hands: Iterable[str | Hand | Error], book: Rulebook) -> GivenHands:
    """Strings and Hands; what cannot be read, or is an error, leaves an impossible hand and its error."""
    given = list(hands)
    kinds = set(map(type, given))
    if kinds == {str}:
        return _of_texts(cast("list[str]", given), book)
    if kinds == {Hand}:
        read = cast("list[Hand]", given[:])
        wins, doubtful = misfits(read)
        if not _boundless(book):
            doubtful = sorted({*doubtful, *(i for i, hand in enumerate(read) if hand.winning is None)})
        if wins is not None and not doubtful:
            return GivenHands(wins, read.__getitem__, {})
    else:
        read, doubtful = [Hand(())] * len(given), list(range(len(given)))
    some, errors = _one_by_one(given, doubtful, book)
    for i, hand in zip(doubtful, some, strict=True):
        read[i] = hand
    return GivenHands(from_hands(read), read.__getitem__, errors)


def _of_texts(texts: list[str], book: Rulebook) -> GivenHands:
    """Most of them at once, the others one by one."""
    from quepu.hands.notation import parse

    found = read_texts(texts)
    slow = np.flatnonzero(found.unread).tolist()
    some, errors = _one_by_one(texts, slow, book)
    place = dict(zip(slow, some, strict=True))
    if not slow:
        return GivenHands(Wins(*found[:3]), lambda i: parse(texts[i]), errors)
    others = from_hands(some)
    n = len(texts)
    columns = [np.full(n, EAST), np.full(n, EAST), np.zeros(n, np.int64), np.zeros(n, np.int64)]
    counts, melds, winning, _ = found
    counts[slow], winning[slow] = others.counts, others.winning
    if others.meld_array is not None:
        melds[slow] = others.meld_array[:, :4]
    for column, values in zip(
        columns, (others.seat_kind, others.round_kind, others.given_luck, others.flowers), strict=True
    ):
        column[slow] = values
    return GivenHands(Wins(counts, melds, winning, *columns), lambda i: place.get(i) or parse(texts[i]), errors)


def _boundless(book: Rulebook) -> bool:
    return any(SHAPES[name].boundless for name in book.shapes)


def _one_by_one(given: Sequence[Any], which: Sequence[int], book: Rulebook) -> tuple[list[Hand], dict[int, Error]]:
    """These of the hands, checked; an impossible hand and its error for what cannot be read."""
    from quepu.hands.notation import parse

    read: list[Hand] = []
    errors: dict[int, Error] = {}
    for i in which:
        one = given[i]
        try:
            if isinstance(one, Error):
                raise one
            if isinstance(one, Hand):
                check_tiles(one.concealed, one.melds, one.winning)
                hand = one
            elif isinstance(one, str):
                hand = parse(one)
            else:
                kind = type(one).__name__
                raise HandError(f"第 {i + 1} 手是 {kind}，应为字符串或 Hand。", f"hand {i + 1} is a {kind}, not text.")
            if hand.winning is None and not _boundless(book):
                raise HandError("这手牌还没有和牌张（写作 +3s）。", "no winning tile: mark it with +, as in +3s.")
        except Error as error:
            errors[i] = error
            hand = Hand(())
        read.append(hand)
    return read, errors

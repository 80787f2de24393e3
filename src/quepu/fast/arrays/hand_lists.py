"""Turn hands given one by one into arrays, or set them aside; the plain twin is `hands.hand.check_tiles`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.errors import HandError
from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.hands.hand import Hand, MeldKind, flower_plane
from quepu.tiles import KINDS

Array = NDArray[Any]


class _FlowerPlanes(dict[Any, int]):
    """The planes of flowers by the flowers of a hand; there are few."""

    def __missing__(self, flowers: Any) -> int:
        plane = self[flowers] = flower_plane(flowers)
        return plane


_PLANES_OF_FLOWERS = _FlowerPlanes()


def _numbers(given: Iterable[int], n: int) -> Array:
    """Return some numbers, most often below 256, as int64 [n]."""
    try:
        return np.frombuffer(bytes(given), np.uint8).astype(np.int64)  # by far the fastest
    except ValueError:
        return np.fromiter(given, np.int64, n)


def from_hands(hands: Sequence[Hand]) -> HandArrays:
    """Return hands as arrays (about half a microsecond each).

        >>> import quepu
        >>> from_hands([quepu.parse("123m456p789sCCEE+E")]).counts.shape
        (1, 34)

    Raises:
        HandError: more than four of a kind among the concealed tiles and the winning one of a hand.
    """
    if not hands:
        return HandArrays(np.zeros((0, KINDS), np.uint8), None, np.zeros(0, np.int64))
    n = len(hands)
    concealed, melded, winning, seat, round, luck, flowers = zip(*hands, strict=True)
    size = _numbers(tuple(map(len, concealed)), n)
    won = _numbers(winning, n) if None not in winning else np.array([-1 if k is None else k for k in winning], np.int64)
    if int(won.min()) < -1:
        at = int(won.argmin())
        raise HandError(
            f"第 {at} 行（从 0 数起）的和张不是牌。",
            f"the winning tile of row {at} (counted from 0) is not a tile.",
            at,
        )
    total = int(size.sum())
    try:
        kinds = np.frombuffer(b"".join(map(bytes, concealed)), np.uint8).astype(np.int64)
    except ValueError:
        kinds = np.fromiter(chain.from_iterable(concealed), np.int64, total)
    rows = np.repeat(np.arange(n), size)
    wrong = (kinds < 0) | (kinds >= KINDS)
    if wrong.any() or int(won.max()) >= KINDS:
        at = int(np.concatenate([rows[wrong], np.flatnonzero(won >= KINDS)])[0])
        raise HandError(
            f"第 {at} 行（从 0 数起）有一张不是牌。", f"row {at} (counted from 0) has a kind that is not a tile.", at
        )
    rows *= KINDS
    rows += kinds
    counts = np.minimum(np.bincount(rows, minlength=n * KINDS), 254).astype(np.uint8)
    named = np.flatnonzero(won >= 0)
    counts[named * KINDS + won[named]] += np.uint8(1)
    number = _numbers(tuple(map(len, melded)), n)
    every = tuple(chain.from_iterable(melded))
    melds = np.full((n, max(4, int(number.max())), 2), -1, np.int8)
    if every:
        of = np.repeat(np.arange(n), number)
        slot = np.arange(len(every)) - np.repeat(np.cumsum(number) - number, number)
        melds[of, slot] = _numbers(tuple(chain.from_iterable(every)), 2 * len(every)).reshape(-1, 2)
    planes = tuple(map(_PLANES_OF_FLOWERS.__getitem__, flowers))
    columns = [_numbers(values, n) for values in (seat, round, luck, planes)]
    return HandArrays(counts.reshape(n, KINDS), melds, won, *columns)


def misfits(hands: Sequence[Hand]) -> tuple[HandArrays | None, list[int]]:
    """Return the hands as arrays, if they can be; the numbers of those that `check_tiles` refuses, or some more."""
    try:
        wins = from_hands(hands)
    except HandError:
        return None, list(range(len(hands)))
    melds = wins.meld_array
    if melds is not None and melds.shape[1] > 4:
        return None, list(range(len(hands)))
    copies = wins.counts
    size = wins.counts.sum(axis=1) - (wins.winning >= 0)
    if melds is None:
        return wins, np.flatnonzero((size != 13) | (copies > 4).any(axis=1)).tolist()
    kinds, low = melds[:, :, 0], melds[:, :, 1]
    chow = kinds == MeldKind.CHOW
    wrong = (low < 0) | (low >= KINDS) | chow & ((low >= 27) | (low % 9 > 6)) | (kinds > int(max(MeldKind)))
    odd = ((kinds >= 0) & wrong).any(axis=1)
    copies = copies.copy()
    for slot in range(4):
        for kind, number, tiles in ((0, 1, 3), (1, 3, 1), (2, 4, 1), (3, 4, 1)):  # a chow has three kinds
            of = np.flatnonzero((kinds[:, slot] == kind) & ~odd)
            for more in range(tiles):
                copies[of, low[of, slot] + more] += np.uint8(number)
    fits = (size == 13 - 3 * wins.melds.astype(np.int64)) & (copies <= 4).all(axis=1) & ~odd
    return wins, np.flatnonzero(~fits).tolist()

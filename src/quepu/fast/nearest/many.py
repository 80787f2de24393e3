"""Shanten, useful tiles, waits and discards of many hands; the plain twins are the functions of one hand."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quepu.errors import Error, HandError, Text
from quepu.fast.compiled.code_cache import installed
from quepu.fast.nearest import distance_exact as exact
from quepu.fast.nearest.distance_code import distance_code, distance_tables, loops
from quepu.fast.nearest.many_input import (
    Discards,
    HandRows,
    Shantens,
    Useful,
    Waits,
    fault,
    left_of,
    of,
    read_rows,
    rows_and_kinds,
    seen_copies,
)
from quepu.fast.plan import tell_terminal
from quepu.fast.score_many import score_many
from quepu.hands.hand import Hand, Luck
from quepu.rulebooks import find_book
from quepu.rules.rulebook import Rulebook
from quepu.scoring.signatures import DEFAULT_RULES
from quepu.scoring.waits import wait_of
from quepu.shapes.automaton import FAR
from quepu.shapes.distance import missing, tiles_of, useful_plane
from quepu.shapes.readings import wait_planes
from quepu.tiles import KINDS, NAMES

Hands = Iterable[str] | Iterable[Hand] | NDArray[Any]
_REPAID, _COMPILED_ANYWAY = 2_000, 200_000
"""From how many hands on it pays to load the compiled loops, and to compile them."""
_COMPILING = Text("编译向听与进张（每台机器一次，约十秒）", "compiling distances (once per machine, about ten seconds)")
_DISTANCE, _USEFUL, _WAITS, _DISCARDS = range(4)


class Surroundings(TypedDict, total=False):
    """Keywords beside many hands: one value for all of them, or one for each."""

    seat: Any
    """Own wind, E S W N or 东南西北 or a kind; East if not given."""
    round: Any
    """Round wind; East if not given."""
    self_draw: Any
    """Whether only self-drawn wins are meant."""
    circumstances: Any
    """The book's own names (岭上开花 …) that will hold for the win."""
    flowers: Any
    """Names of flowers, or how many."""
    melds: ArrayLike | None
    """Beside an array, int [N, up to 4, 2]: the kind of each meld (0 chow, 1 pung, 2 kong, 3 concealed kong, -1 none)
    and of its lowest tile."""


def shanten_many(
    hands: Hands, rules: str | Rulebook = DEFAULT_RULES, *, fast: bool | None = None, **around: Unpack[Surroundings]
) -> Shantens:
    """Count the steps from ready of many hands; equal to `quepu.shanten` of each.

        >>> shanten_many(["123m456p789sCCEE", "123m456p789sCCEF"], "guobiao").shanten.tolist()
        [0, 1]

    Args:
        hands: texts or `Hand`s of 13 or 14 tiles, melds included as three each, or an integer array [N, 34] of the
            concealed copies of each kind.
        rules: id or alias of a rulebook, the path of a house-rule file, or a `Rulebook`.
        fast: whether to use compiled loops (the extra `fast`); None: where that pays. They answer the same.
        around: see `Surroundings`; what surrounds each hand, and `melds` beside an array.

    Raises:
        HandError: one hand instead of many, or an array or column of the wrong shape. What is wrong with one hand is
            its error in `errors`, and the hand is not `valid`.
        UnknownName: no such rulebook, wind, circumstance or flower.
    """
    book, rows = _read("shanten_many", hands, rules, around)
    lacks, _, errors = _look(rows, book, _DISTANCE, fast)
    return Shantens(book, *_valid(rows, errors), lacks[:, 0] - 1)


def useful_many(
    hands: Hands, rules: str | Rulebook = DEFAULT_RULES, *, seen: Any = (), fast: bool | None = None,
    **around: Unpack[Surroundings],
) -> Useful:  # fmt: skip
    """Find the tiles that bring many hands nearer; equal to `quepu.useful` of each.

        >>> useful_many(["123m456p789sCCEF"], "guobiao").to_dict()["useful"].tolist()
        ['E C F']

    Args:
        hands: as `shanten_many`.
        rules: as `shanten_many`.
        seen: tiles in view outside the hands: text, kinds, or counts [N, 34]; they are not left to be drawn.
        fast: as `shanten_many`.
        around: as `shanten_many`.

    Raises:
        HandError, UnknownName: as `shanten_many`.
    """
    book, rows = _read("useful_many", hands, rules, around)
    lacks, planes, errors = _look(rows, book, _USEFUL, fast)
    view = _in_view(rows, seen, errors)
    return Useful(book, *_valid(rows, errors), lacks[:, 0] - 1, planes[:, 0], rows, view)


def waits_many(
    hands: Hands, rules: str | Rulebook = DEFAULT_RULES, *, points: bool = False, seen: Any = (),
    fast: bool | None = None, **around: Unpack[Surroundings],
) -> Waits:  # fmt: skip
    """Find the waits of many hands of thirteen tiles; equal to `quepu.waits` of each.

        >>> waits_many(["123m456p789sCCEE"], "guobiao", points=True).to_dict()["by_discard"].tolist()
        [20, 18]

    Args:
        hands: as `shanten_many`, thirteen tiles each.
        rules: as `shanten_many`.
        points: whether to score each wait, by discard and by self-draw.
        seen: as `useful_many`.
        fast: as `shanten_many`.
        around: as `shanten_many`.

    Raises:
        HandError, UnknownName: as `shanten_many`.
    """
    book, rows = _read("waits_many", hands, rules, around)
    lacks, planes, errors = _look(rows, book, _WAITS, fast)
    view = _in_view(rows, seen, errors)
    valid, errors = _valid(rows, errors)
    ready = np.flatnonzero(lacks[:, 0] == 1)
    which, tile = rows_and_kinds(planes[ready, 0])
    which = ready[which]
    scored = _score_waits(rows, book, which, tile, view, fast) if points else ()
    return Waits(book, valid, errors, lacks[:, 0] - 1, planes[:, 0], rows, view, planes[:, 1], which, tile, *scored)


def discards_many(
    hands: Hands, rules: str | Rulebook = DEFAULT_RULES, *, seen: Any = (), fast: bool | None = None,
    **around: Unpack[Surroundings],
) -> Discards:  # fmt: skip
    """Look at the hand that each discard of fourteen tiles leaves, for many hands; equal to `quepu.discards` of each.

        >>> [int(kind) for kind in discards_many(["123m456p789sCCEEF"], "guobiao").best]
        [32]

    Args:
        hands: as `shanten_many`, fourteen tiles each.
        rules: as `shanten_many`.
        seen: as `useful_many`; the discard itself counts as seen.
        fast: as `shanten_many`.
        around: as `shanten_many`.

    Raises:
        HandError, UnknownName: as `shanten_many`.
    """
    book, rows = _read("discards_many", hands, rules, around)
    lacks, planes, errors = _look(rows, book, _DISCARDS, fast)
    view = _in_view(rows, seen, errors)
    return Discards(book, *_valid(rows, errors), np.minimum(lacks - 1, FAR), planes, rows, view)


# ---- the work


def _read(function: str, hands: Any, rules: str | Rulebook, around: Surroundings) -> tuple[Rulebook, HandRows]:
    if unknown := around.keys() - Surroundings.__annotations__.keys():
        from quepu.errors import unknown_keywords

        raise unknown_keywords(function, sorted(unknown), ["hands", "rules", *Surroundings.__annotations__])
    book = find_book(rules)
    settings = {name: value for name, value in around.items() if name != "melds"}
    return book, read_rows(function, hands, book, settings, around.get("melds"))


def _look(
    rows: HandRows, book: Rulebook, wanted: int, fast: bool | None
) -> tuple[NDArray[np.int8], NDArray[np.int64], dict[int, Error]]:
    """Find the least missing tiles of each row (those with an error: FAR), planes of kinds, and the errors."""
    n, width = len(rows.counts), KINDS if wanted == _DISCARDS else 1
    lacks = np.full((n, width), FAR, np.int8)
    planes = np.zeros((n, wanted if wanted < _DISCARDS else KINDS), np.int64)
    tables = distance_tables(book.shapes, book.tiles)
    if tables is not None and _compile(n, fast):
        words = np.array(
            [
                n, rows.counts.ctypes.data, rows.melds.ctypes.data, rows.melds.shape[1], rows.luck.ctypes.data,
                len(rows.luck) > 1, wanted, lacks.ctypes.data, planes.ctypes.data, tables.address,
            ],
            np.int64,
        )  # fmt: skip
        loops().function("look_many")(ctypes.c_void_p(words.ctypes.data))
    else:
        for i in range(n):
            _look_plainly(rows, i, book, wanted, lacks[i], planes[i])
    wrong = np.flatnonzero(lacks[:, 0] < 0)
    errors = dict(rows.errors)
    for i, code in zip(wrong.tolist(), lacks[wrong, 0].tolist(), strict=True):
        if i not in errors:
            errors[i] = fault(code, i, rows, book)
    lacks[wrong] = FAR + (wanted == _DISCARDS)
    planes[wrong] = 0
    return lacks, planes, dict(sorted(errors.items()))


def _compile(n: int, fast: bool | None) -> bool:
    """Choose whether to use the compiled loops, and compile them if need be."""
    code = distance_code()
    if fast and not installed():
        raise HandError("fast 需要 numba：pip install 'quepu[fast]'。", "fast needs numba: pip install 'quepu[fast]'.")
    if fast is None:
        if code.loaded:
            return True
        fast = installed() and n >= _REPAID
        fast = fast and (n >= _COMPILED_ANYWAY or code.there)
    if fast and not code.there:
        tell_terminal(_COMPILING, 0, 1)
    return fast


def _look_plainly(
    rows: HandRows, i: int, book: Rulebook, wanted: int, lacks: NDArray[np.int8], planes: NDArray[np.int64]
) -> None:
    """Do the same for one row, by the plain functions."""
    code = _fault_of(rows, i, book)
    if code:
        lacks[0] = code
        return
    hand = rows.hand(i)
    tiles = tiles_of(hand.concealed, hand.melds, int(of(rows.luck, i)))
    number = len(hand.concealed) % 3
    if wanted > _USEFUL and number != (1 if wanted == _WAITS else 2):
        lacks[0] = exact.NOT_13 if wanted == _WAITS else exact.NOT_14
    elif wanted == _DISCARDS:
        lacks[:] = FAR + 1
        for kind in set(hand.concealed):
            rest = tiles.without_tile(kind)
            lacks[kind] = now = missing(rest, book.shapes)
            planes[kind] = useful_plane(rest, book.shapes, now)
    else:
        lacks[0] = now = missing(tiles, book.shapes)
        if wanted:
            planes[0] = useful_plane(tiles, book.shapes, now)
        if wanted == _WAITS:
            planes[1] = wait_planes(hand._replace(luck=int(of(rows.luck, i))), book.shapes)[2]


def _fault_of(rows: HandRows, i: int, book: Rulebook) -> int:
    """Return why a row is not a hand, or 0."""
    if rows.counts[i].max() > 4:
        return exact.BAD_COUNT
    for kind, tile in rows.melds[i].tolist():
        if kind >= 0 and (kind > 3 or not 0 <= tile < KINDS or (kind == 0 and (tile > 26 or tile % 9 > 6))):
            return exact.BAD_MELD
    hand = rows.hand(i)
    held = hand.counts()
    if max(held) > 4:
        return exact.FIVE_ALIKE
    if any(n and kind not in book.tiles.kinds for kind, n in enumerate(held)):
        return exact.OTHER_TILE
    return 0 if len(hand.concealed) - 13 + 3 * len(hand.melds) in {0, 1} else exact.BAD_NUMBER


def _valid(rows: HandRows, errors: dict[int, Error]) -> tuple[NDArray[np.bool_], dict[int, Error]]:
    valid = np.ones(len(rows.counts), np.bool_)
    valid[list(errors)] = False
    return valid, errors


def _in_view(rows: HandRows, seen: Any, errors: dict[int, Error]) -> NDArray[np.int64]:
    """Return the copies in view outside the hands; more than four in all are an error of the row."""
    if isinstance(seen, tuple) and not seen:
        return np.zeros((1, KINDS), np.int64)
    view = seen_copies(seen, len(rows.counts))
    left = left_of(rows, view)
    for i in np.flatnonzero((left < 0).any(axis=1)).tolist():
        if i not in errors:
            kind = int(np.flatnonzero(left[i] < 0)[0])
            errors[i] = HandError(
                f"第 {i} 行（从 0 数起）：手牌与已见牌合计有 {4 - left[i, kind]} 张{NAMES[kind]}。",
                f"row {i} (counted from 0): hand and seen tiles hold {4 - left[i, kind]} copies of {NAMES[kind]}.",
                i,
            )
    return view


def _score_waits(
    rows: HandRows, book: Rulebook, which: NDArray[np.int64], tile: NDArray[np.int64], view: NDArray[np.int64],
    fast: bool | None,
) -> tuple[NDArray[Any], ...]:  # fmt: skip
    """Return points by discard and by self-draw of waits (a row and a tile each), and whether one can win."""
    luck = np.broadcast_to(rows.luck, len(rows.counts))[which] if len(which) else np.zeros(0, np.int64)
    sides = np.full((2, len(which)), -1, np.int64)
    can_win = np.zeros(len(which), np.bool_)
    for at in np.flatnonzero(luck & ~int(Luck.SELF_DRAW)).tolist():  # a circumstance may contradict a way to win
        i = int(which[at])
        wait = wait_of(rows.hand(i), book, int(tile[at]), 4)
        for side, score in zip(sides, (wait.by_discard, wait.by_self_draw), strict=True):
            side[at] = -1 if score is None else score.points
        can_win[at] = wait.can_win
    for at, drawn in enumerate((0, int(Luck.SELF_DRAW))):
        some = np.flatnonzero((luck & ~int(Luck.SELF_DRAW) == 0) & ((luck == 0) | (drawn > 0)))
        hands, kinds = which[some], tile[some]
        counts = rows.counts[hands]
        counts[np.arange(len(some)), kinds] += 1
        columns = {name: of(getattr(rows, name), hands) for name in ("seat", "round", "flowers")}
        melds = rows.melds[hands] if rows.melds.shape[1] else None
        scores = score_many(
            counts, book, melds=melds, winning=kinds, luck=drawn, fans=False, reading=False, fast=fast, **columns
        )
        sides[at, some] = np.where(scores.valid, scores.points, -1)
        can_win[some] |= scores.can_win
    if view.any():  # the hand itself holds three of them at most
        can_win &= left_of(rows, view)[which, tile] > 0
    return *sides, can_win

"""Many hands of 13 or 14 tiles with their circumstances as arrays, and the answers for them.

The plain twins are `quepu.scoring.keywords.hand_of` and `scoring.waits.Outlook`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.errors import Error, HandError, many
from quepu.fast.arrays.columns import column_of, plain_setting, read_around
from quepu.fast.arrays.entries import entries, is_column
from quepu.fast.arrays.hand_lists import from_hands
from quepu.fast.nearest import distance_exact as exact
from quepu.hands.hand import Hand, Meld, MeldKind, check_tiles
from quepu.hands.notation import parse, tiles
from quepu.rules.circumstances import luck_of, other_tiles, refuse_beside_hand, refuse_impossible, situate
from quepu.rules.rulebook import Rulebook
from quepu.shapes.automaton import FAR
from quepu.tiles import BIT, KINDS, NAMES

_DEFAULTS: dict[str, Any] = {"seat": "E", "round": "E", "self_draw": False, "circumstances": (), "flowers": ()}


class HandRows(NamedTuple):
    """N hands as arrays; a column is [N] or [1]. A row with an error has no tiles."""

    counts: NDArray[np.uint8]  # [N, 34]: concealed tiles, of fourteen the last one too
    melds: NDArray[np.int8]  # [N, up to 4, 2]
    luck: NDArray[np.int64]
    seat: NDArray[np.int64]
    round: NDArray[np.int64]
    flowers: NDArray[np.int64]
    errors: dict[int, Error]

    def hand(self, i: int) -> Hand:
        """Return a row as a hand."""
        melds = tuple(Meld(MeldKind(kind), tile) for kind, tile in self.melds[i].tolist() if kind >= 0)
        concealed = tuple(kind for kind, n in enumerate(self.counts[i].tolist()) for _ in range(n))
        seat, round_, luck = (int(of(column, i)) for column in (self.seat, self.round, self.luck))
        return Hand(concealed, melds, None, seat, round_, luck)


def of(column: NDArray[np.int64], rows: Any) -> Any:
    """Return the entries of a column for some rows."""
    return column[rows] if len(column) > 1 else column[0]


def read_rows(function: str, hands: Any, book: Rulebook, settings: Mapping[str, Any], melds: Any = None) -> HandRows:
    """Read hands given as texts, `Hand`s or an array, with one setting for all or one for each.

    Raises:
        HandError: one hand instead of many; an array or column of the wrong shape or type.
        UnknownName: a wind, circumstance or flower given for all hands that there is not.
    """
    given = {name: value for name, value in settings.items() if value is not None}
    if not isinstance(hands, np.ndarray) and not is_column(hands):
        one = function.removesuffix("_many")
        raise HandError(
            f"{function} 要一列手牌，一手请用 {one}。", f"{function} takes a list of hands; {one} takes one."
        )
    hands = entries(hands)
    if isinstance(hands, np.ndarray):
        return _of_array(hands, book, given, melds)
    if melds is not None:
        raise HandError(
            "melds 只与牌张数组同用；文字与 Hand 自己说明副露。",
            "melds can only be given with an array of counts: text and Hands contain their melds.",
        )
    return _of_hands(hands, book, given)


def seen_copies(seen: Any, n: int) -> NDArray[np.int64]:
    """Return the copies of each kind in view outside the hands, int64 [N or 1, 34], from text, kinds or counts.

    Raises:
        HandError: it is none of these.
    """
    if isinstance(seen, str):
        seen = tiles(seen)
    found = np.asarray(seen)
    if found.ndim == 2 and found.shape in {(n, KINDS), (1, KINDS)} and found.dtype.kind in "iu":
        return found.astype(np.int64)
    if found.ndim == 1 and (not found.size or (found.dtype.kind in "iu" and 0 <= found.min() <= found.max() < KINDS)):
        return np.bincount(found.astype(np.int64), minlength=KINDS)[None, :].astype(np.int64)
    raise HandError(
        f"seen 应是牌的文字、0 到 33 的编号，或 [{n}, 34] 的张数。",
        f"seen must be tiles as text, kinds from 0 to 33, or counts of shape [{n}, 34].",
    )


def fault(code: int, i: int, rows: HandRows, book: Rulebook) -> Error:
    """Return the error of a row that is not a hand, by its code."""
    melds = int((rows.melds[i, :, 0] >= 0).sum())
    found, few = int(rows.counts[i].sum()), 13 - 3 * melds
    texts = {
        exact.BAD_COUNT: (
            f"第 {i} 行（从 0 数起）有一种牌不是 0 到 4 张。",
            f"row {i} (counted from 0) has a kind outside 0 to 4 copies.",
        ),
        exact.BAD_MELD: (
            f"第 {i} 行（从 0 数起）有一副不成副露：种类应为 0 到 3，最小的牌应成立。",
            f"a meld of row {i} (counted from 0) is not possible: it needs a kind from 0 to 3 and its lowest tile.",
        ),
        exact.FIVE_ALIKE: (
            f"第 {i} 行（从 0 数起）连副露有一种牌超过 4 张。",
            f"row {i} (counted from 0) has more than 4 copies of a kind, melds included.",
        ),
        exact.BAD_NUMBER: (
            f"第 {i} 行（从 0 数起）有 {found} 张手牌；{melds} 副副露之外应有 {few} 或 {few + 1} 张。",
            f"row {i} (counted from 0) has {many(found, 'concealed tile')}; with {many(melds, 'meld')} it needs "
            f"{few} or {few + 1}.",
        ),
        exact.NOT_13: (
            f"第 {i} 行（从 0 数起）有 14 张；听牌看 13 张，看打哪张请用 discards_many。",
            f"row {i} (counted from 0) has 14 tiles; waits need 13: to choose a discard, use discards_many.",
        ),
        exact.NOT_14: (
            f"第 {i} 行（从 0 数起）有 13 张；看打哪张要 14 张，看听牌请用 waits_many。",
            f"row {i} (counted from 0) has 13 tiles; choosing a discard needs 14: for waits, use waits_many.",
        ),
    }
    if code == exact.OTHER_TILE:
        held = rows.hand(i).counts()
        error = other_tiles([kind for kind in range(KINDS) if held[kind] and kind not in book.tiles.kinds], book)
        return HandError(f"第 {i} 行（从 0 数起）：{error.text.zh}", f"row {i} (counted from 0): {error.text.en}", i)
    return HandError(*texts[code], i)


# ---- arrays


def _of_array(counts: NDArray[Any], book: Rulebook, given: Mapping[str, Any], melds: Any) -> HandRows:
    if counts.ndim != 2 or counts.shape[1] != KINDS or counts.dtype.kind not in "iu":
        raise HandError(
            f"牌张数组应为 [手数, 34] 的整数，实为 {counts.shape} {counts.dtype}。",
            f"counts must be integers of shape [hands, 34], not {counts.dtype} {counts.shape}.",
        )
    n = len(counts)
    laid = np.zeros((n, 0, 2), np.int8) if melds is None else np.asarray(melds)
    if laid.ndim != 3 or laid.shape[0] != n or laid.shape[1] > 4 or laid.shape[2] != 2 or laid.dtype.kind not in "iu":
        raise HandError(
            f"副露数组应为 [{n}, 4, 2] 的整数，实为 {laid.shape} {laid.dtype}。",
            f"melds must be integers of shape [{n}, 4, 2], not {laid.dtype} {laid.shape}.",
        )
    few = counts if counts.dtype == np.uint8 else np.where((counts < 0) | (counts > 4), 255, counts)
    laid = laid if laid.dtype == np.int8 else np.clip(laid, -1, 127)
    around = read_around(given, n, book, counts=True)
    if wrong := list(around.errors):
        few, laid = few.copy(), laid.copy()
        few[wrong], laid[wrong] = 0, -1
    errors: dict[int, Error] = {i: _of_row(i, error) for i, error in around.errors.items()}
    tiles = np.ascontiguousarray(few, np.uint8), np.ascontiguousarray(laid, np.int8)
    return HandRows(*tiles, around.luck, around.seat, around.round, around.flowers, errors)


def _of_row(i: int, error: Error) -> HandError:
    return HandError(f"第 {i} 行（从 0 数起）：{error.text.zh}", f"row {i} (counted from 0): {error.text.en}", error.at)


# ---- texts and hands


def _of_hands(given: list[Any], book: Rulebook, settings: Mapping[str, Any]) -> HandRows:
    n = len(given)
    each = {name: column_of(name, settings[name], n) for name in settings}
    whole = _DEFAULTS | {name: value for name, value in settings.items() if each[name] is None}
    situate(Hand(()), book, **{**whole, "circumstances": ()})  # an error in what all hands share belongs to no row
    luck_of(whole["circumstances"], book)
    several = {name: values for name, values in each.items() if values is not None}
    read: list[Hand] = []
    errors: dict[int, Error] = {}
    for i, one in enumerate(given):
        try:
            if type(one) is Hand:
                read.append(_check(one, settings, book))
                continue
            if not isinstance(one, str):
                kind = type(one).__name__
                raise HandError(
                    f"第 {i} 行（从 0 数起）是 {kind}，应为文字或 Hand。",
                    f"row {i} (counted from 0) is a {kind}: give text or a Hand.",
                )
            mine = whole | {name: plain_setting(name, column[i], book) for name, column in several.items()}
            read.append(situate(parse(one), book, **mine, waiting=True))
        except Error as error:
            errors[i] = _of_row(i, error)
            read.append(Hand(()))
    wins = from_hands(read)
    melds = np.zeros((n, 0, 2), np.int8) if wins.meld_array is None else wins.meld_array
    columns = wins.given_luck, wins.seat_kind, wins.round_kind, wins.flowers
    luck, seat, round_, flowers = (np.ascontiguousarray(np.atleast_1d(column), np.int64) for column in columns)
    tiles = np.ascontiguousarray(wins.counts, np.uint8), np.ascontiguousarray(melds, np.int8)
    return HandRows(*tiles, luck, seat, round_, flowers, errors)


def _check(hand: Hand, settings: Mapping[str, Any], book: Rulebook) -> Hand:
    if settings:
        refuse_beside_hand({name: is_column(value) or value for name, value in settings.items()})
    if hand.luck:
        refuse_impossible(hand, book)
    if len(hand.melds) > 4:
        check_tiles(hand.concealed, hand.melds, hand.winning)
    return hand


@dataclass(frozen=True, eq=False)
class _Many:
    book: Rulebook
    valid: NDArray[np.bool_]
    errors: dict[int, Error] = field(repr=False)

    def __len__(self) -> int:
        return len(self.valid)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.book.id!r}: {many(len(self), 'hand')}, {many(len(self.errors), 'error')})"


@dataclass(frozen=True, eq=False, repr=False)
class Shantens(_Many):
    """Steps of N hands from ready: 0 ready, -1 complete; 14 where no shape is within reach, or a hand is not valid."""

    shanten: NDArray[np.int8]

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return columns with an entry for each hand, as a DataFrame takes them."""
        return {"valid": self.valid, "shanten": self.shanten}


class _Counting:
    """Answers that count the tiles not in sight."""

    _given: HandRows
    _seen: NDArray[np.int64]

    @cached_property
    def left(self) -> NDArray[np.int64]:
        """Copies of each kind that are neither in a hand nor seen: int64 [N, 34]."""
        return np.maximum(left_of(self._given, self._seen), 0)


@dataclass(frozen=True, eq=False, repr=False)
class Useful(_Counting, Shantens):
    """The same, and which `kinds` bring each hand nearer."""

    planes: NDArray[np.int64]
    _given: HandRows
    _seen: NDArray[np.int64]

    @property
    def kinds(self) -> NDArray[np.bool_]:
        """Whether a kind brings a hand nearer: bool [N, 34]."""
        return kinds_of_planes(self.planes)

    @property
    def tiles(self) -> NDArray[np.int64]:
        """Number of tiles that bring each hand nearer: int64 [N]."""
        found: NDArray[np.int64] = np.where(self.kinds, self.left, 0).sum(axis=1)
        return found

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return columns with an entry for each hand, as a DataFrame takes them."""
        return {**super().to_dict(), "useful": _texts(self.kinds), "tiles": self.tiles}


@dataclass(frozen=True, eq=False, repr=False)
class Waits(Useful):
    """The same of thirteen tiles each. Of those that are ready, the useful kinds are the waits.

    `dead` are kinds that would complete a hand if it did not hold all four copies itself. All waits of all hands stand
    in columns, one entry each: the number of the hand in `rows`, and the `tile`; with points also `by_discard` and
    `by_self_draw` (-1: the circumstances allow no such win), and whether it `can_win` at least one way.
    """

    dead_planes: NDArray[np.int64]
    rows: NDArray[np.int64]
    tile: NDArray[np.int64]
    by_discard: NDArray[np.int64] | None = None
    by_self_draw: NDArray[np.int64] | None = None
    can_win: NDArray[np.bool_] | None = None

    @property
    def ready(self) -> NDArray[np.bool_]:
        """Whether a hand is ready: bool [N]."""
        found: NDArray[np.bool_] = self.valid & (self.shanten == 0)
        return found

    @property
    def dead(self) -> NDArray[np.bool_]:
        """Whether a kind is a dead wait of a hand: bool [N, 34]."""
        return kinds_of_planes(self.dead_planes)

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return columns with an entry for each wait, as a DataFrame takes them."""
        made: dict[str, NDArray[Any]] = {
            "hand": self.rows, "tile": np.array(NAMES)[self.tile], "left": self.left[self.rows, self.tile]
        }  # fmt: skip
        for name in ("by_discard", "by_self_draw", "can_win"):
            if getattr(self, name) is not None:
                made[name] = getattr(self, name)
        return made


@dataclass(frozen=True, eq=False, repr=False)
class Discards(_Counting, _Many):
    """Distances after each discard out of fourteen tiles: `shanten`, int8 [N, 34], with FAR for kinds not held.

    `planes` are the kinds that bring the other thirteen nearer, int64 [N, 34].
    """

    shanten: NDArray[np.int8]
    planes: NDArray[np.int64]
    _given: HandRows
    _seen: NDArray[np.int64]

    @property
    def tiles(self) -> NDArray[np.int64]:
        """Number of tiles that help after each discard: int64 [N, 34]."""
        found = np.zeros(self.planes.shape, np.int64)
        for kind in range(KINDS):
            found += (self.planes >> _PLACES[kind] & 1) * self.left[:, kind, None]
        return found

    @property
    def best(self) -> NDArray[np.int64]:
        """The discard of each hand that leaves it nearest, with the most tiles that help among those: int64 [N]."""
        found: NDArray[np.int64] = np.argmin(self.shanten.astype(np.int64) * 1000 - self.tiles, axis=1)
        return found

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return columns with an entry for each discard of each hand, best first, as a DataFrame takes them."""
        tiles = self.tiles
        rows, kinds = np.nonzero(self.shanten < FAR)
        order = np.lexsort((kinds, -tiles[rows, kinds], self.shanten[rows, kinds], rows))
        rows, kinds = rows[order], kinds[order]
        return {
            "hand": rows, "discard": np.array(NAMES)[kinds], "shanten": self.shanten[rows, kinds],
            "useful": _texts(kinds_of_planes(self.planes[rows, kinds])), "tiles": tiles[rows, kinds],
        }  # fmt: skip


def left_of(rows: HandRows, view: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the copies of each kind outside hand and view, int64 [N, 34]; below 0 where more than four are in view."""
    left = 4 - rows.counts.astype(np.int64) - view
    for slot in range(rows.melds.shape[1]):
        kinds, tiles = (rows.melds[:, slot, column].astype(np.int64) for column in (0, 1))
        for more in range(3):
            which = np.flatnonzero((kinds == 0) | ((kinds > 0) & (more == 0)))
            copies = np.where(kinds[which] > 1, 4, np.where(kinds[which] == 1, 3, 1))
            np.subtract.at(left, (which, np.clip(tiles[which] + more, 0, KINDS - 1)), copies)
    return left


_PLACES = [bit.bit_length() - 1 for bit in BIT]
_KIND_AT = np.zeros(64, np.int64)
_KIND_AT[_PLACES] = np.arange(KINDS)


def _bits(planes: NDArray[np.int64]) -> NDArray[np.uint8]:
    return np.unpackbits(np.ascontiguousarray(planes).view(np.uint8), bitorder="little")


def kinds_of_planes(planes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return planes as bool [N, 34]."""
    return _bits(planes).reshape(-1, 64)[:, _PLACES].view(np.bool_)


def rows_and_kinds(planes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return each kind of each plane: the number of the plane, and the kind."""
    found = np.flatnonzero(_bits(planes).view(np.bool_))
    return found >> 6, _KIND_AT[found & 63]


def _texts(kinds: NDArray[np.bool_]) -> NDArray[Any]:
    """Return the names of the kinds of each hand, as a column of texts."""
    return np.array([" ".join(NAMES[kind] for kind in np.flatnonzero(row)) for row in kinds], object)

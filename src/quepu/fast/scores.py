"""Public entry point: hands of any kind in, arrays out, in chunks and on several cores."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from quepu.errors import Error, HandError
from quepu.fast.arrays.each_hand import GivenHands, read_hands
from quepu.fast.arrays.hand_arrays import Wins
from quepu.fast.compiled.code_cache import installed
from quepu.fast.compiled.scorer import fit
from quepu.fast.engine import Engine, engine_of
from quepu.hands.hand import Hand, MeldKind, wrong_number
from quepu.rulebooks import book as find_book
from quepu.rules.circumstances import other_tiles
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import no_shape
from quepu.scoring.signatures import DEFAULT_RULES
from quepu.tiles import KINDS, PLAIN

Array = Any
_LOAD_FROM, _IMPORT_FROM, _COMPILE_FROM = 100_000, 1_000_000, 5_000_000
"""Hands that repay loading cached loops, importing numba for it (most of a second), compiling."""
_CHECKED, _REUSED = 1 << 16, 24 << 20  # hands, bytes
_CHOWS = np.array([kind < 27 and kind % 9 < 7 for kind in range(KINDS)])
CHUNK = 16_384
"""Hands settled together; what fits the processor's cache is fastest."""


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of N hands, as arrays; entry i is hand i.

    Attributes:
        book: the rulebook.
        valid: bool [N]; where it is False the hand is no win or could not be read, and everything else is 0.
        points: int32 [N], towards the minimum; `total` has bonus fans and flowers too.
        total: int32 [N].
        fans: uint8 [N, fans of the book], how often each counts, or None if not requested.
        reading: planes of the best reading, int64 [N] each (c1 … c4, p, pc, pair, form, place), or None.
        errors: sentences for hands that are not valid, by hand number in their order (of an array
            those that cannot be hands; a row of as many tiles as a win has, and no win, has none).
    """

    book: Rulebook
    valid: Array
    points: Array
    total: Array
    fans: Array | None = None
    reading: dict[str, Array] | None = None
    errors: dict[int, Error] = field(default_factory=dict)

    @property
    def can_win(self) -> Array:
        """Whether the points reach the book's minimum: bool [N]."""
        return self.valid & (self.points >= self.book.minimum)

    def __len__(self) -> int:
        return len(self.points)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scores):
            return NotImplemented
        pairs = [(getattr(self, name), getattr(other, name)) for name in ("valid", "points", "total", "fans")]
        own, others = self.reading or {}, other.reading or {}
        pairs += [(own.get(name), others.get(name)) for name in {*own, *others}]
        return self.book == other.book and all(np.array_equal(one, two) for one, two in pairs)

    __hash__ = None  # type: ignore[assignment]  # arrays may be written to

    def __repr__(self) -> str:
        wins = np.count_nonzero(self.valid)
        return f"Scores({self.book.id!r}: {len(self)} hands, {wins} wins, {len(self.errors)} errors)"

    def _repr_html_(self) -> str:
        from quepu.fast.notebook import scores_html

        return scores_html(self)

    def fan(self, name: str) -> Array:
        """Number of times one fan counts: uint8 [N].

        Raises:
            UnknownName: the book has no such fan.
            ValueError: the fans were not requested.
        """
        row = self.book.index[self.book.fan(name).name]
        if self.fans is None:
            raise ValueError("score_many was called with fans=False")
        return self.fans[:, row]


def score_many(
    hands: Iterable[str] | Iterable[Hand] | Array,
    rules: str | Rulebook = DEFAULT_RULES,
    *,
    melds: Array | None = None,
    winning: Array | int | None = None,
    seat: Array | int | None = None,
    round: Array | int | None = None,
    luck: Array | int = 0,
    flowers: Array | int = 0,
    fans: bool = True,
    reading: bool = True,
    jobs: int = 1,
    chunk: int = CHUNK,
    fast: bool | None = None,
) -> Scores:
    """Score many hands at once; equal to `quepu.score` on every one of them.

    Args:
        hands: notation strings (`123m456p789sEEE5m+5m`), `Hand`s, or an integer array [N, 34] of the copies of each
            kind among the concealed tiles, the winning tile included. The other arguments go with such an array (a
            `Hand` has all of it itself; strings are read as won by a discard, east seat and round).
        rules: a rulebook or its name.
        melds: int [N, up to 4, 2], each meld's kind (0 chow, 1 pung, 2 kong, 3 concealed kong, -1 none) and its
            lowest tile's kind.
        winning: int [N], the kind that completed the hand (-1 if none is named), or one kind for all.
        seat: int [N] wind kinds 27-30, or one for all; east if not given.
        round: the same for the round wind.
        luck: int [N] `quepu.hands.hand.Luck` bits (SELF_DRAW …; CLOSED follows from the melds), or one for all.
        flowers: int [N] flowers as bits (春 at bit 0; any from bit 8 up if only their number is known), or one for all.
        fans: whether to give `Scores.fans` (leaving it out saves time and memory).
        reading: whether to give `Scores.reading`.
        jobs: processes to use; 0 means one for each core.
        chunk: hands settled together.
        fast: whether to compile the book's conditions with numba (the extra `fast`), which takes ten to thirty seconds
            once and changes no score; None: for five million hands, or for one million if compiled code is cached (a
            hundred thousand if this process has imported numba anyway).

    Raises:
        UnknownName: no such rulebook.
        HandError: one hand instead of many, arrays of the wrong shape, type or range, not enough memory, or `fast`
            without numba.
    """
    book = find_book(rules)
    if fast and not installed():
        raise HandError("fast 需要 numba：pip install 'quepu[fast]'。", "fast needs numba: pip install 'quepu[fast]'.")
    if chunk < 1 or jobs < 0:
        raise HandError("chunk 至少为 1，jobs 至少为 0。", "chunk must be at least 1, jobs at least 0.")
    if isinstance(hands, (str, Hand)):
        raise HandError("score_many 要一列手牌，一手请用 score。", "score_many takes a list of hands; score takes one.")
    wants = _Wants(fans, reading, chunk)
    given_hands: GivenHands | None = None
    if isinstance(hands, np.ndarray) and hands.ndim == 1 and hands.dtype.kind in "UO":
        hands = hands.tolist()
    if isinstance(hands, np.ndarray):
        _fuse(book, len(hands) if hands.ndim else 0, wants, fast)
        wins, errors = _checked(hands, melds, winning, seat, round, luck, flowers)
        parts = _in_parts(book, wins, wants, jobs, fast)
    else:
        beside = {"melds": melds, "winning": winning, "seat": seat, "round": round, "luck": luck, "flowers": flowers}
        for name, given in beside.items():
            if given is not None and not (name in ("luck", "flowers") and np.array_equal(given, 0)):
                raise HandError(
                    f"{name} 只与牌张数组同用；文字与 Hand 自己说明一切。",
                    f"{name} goes with an array of counts: text and Hands say all of it themselves.",
                )
        given_hands = read_hands(hands, book)
        wins, _, errors = given_hands
        parts = _in_parts(book, wins, wants, jobs, fast)
    try:
        scores = _joined(book, wins, parts, wants)
    except MemoryError:
        raise HandError(
            f"内存不足：每批 {chunk} 手太多，请减小 chunk，或不要 fans 与 reading。",
            f"not enough memory for chunks of {chunk} hands: lower chunk, or leave out fans and reading.",
        ) from None
    _refuse_other_tiles(book, wins, scores, errors)
    if given_hands is None:
        _add_wrong_numbers(wins, scores, errors)
    else:
        for i in np.flatnonzero(~scores.valid).tolist():
            if i not in errors:
                errors[i] = no_shape(book, given_hands.hand(i))
    in_order = dict(sorted(errors.items()))
    return Scores(book, scores.valid, scores.points, scores.total, scores.fans, scores.reading, in_order)


def _add_wrong_numbers(wins: Wins, scores: Scores, errors: dict[int, Error]) -> None:
    """Give rows that are no win, and have another number of tiles than a hand, their errors."""
    rows = np.flatnonzero(~scores.valid)
    melds = np.zeros(len(rows), np.int64)
    if wins.meld_array is not None:
        melds = (wins.meld_array[rows, :, 0] >= 0).sum(axis=1)
    found = wins.counts[rows].sum(axis=1, dtype=np.int64)
    wrong = np.flatnonzero(found != 14 - 3 * melds)
    alike: dict[tuple[int, int], Error] = {}  # thousands of rows have the same error
    for i, sets, tiles in zip(rows[wrong].tolist(), melds[wrong].tolist(), found[wrong].tolist(), strict=True):
        if i not in errors:
            key = sets, tiles
            errors[i] = alike.get(key) or alike.setdefault(key, wrong_number(sets, 14 - 3 * sets, tiles))


def _refuse_other_tiles(book: Rulebook, wins: Wins, scores: Scores, errors: dict[int, Error]) -> None:
    """Make hands with tiles that are not in the book's game invalid, each with its error."""
    if book.tiles == PLAIN:
        return
    other = np.ones(KINDS, np.bool_)
    other[list(book.tiles.kinds)] = False
    held = wins.counts > 0
    if wins.meld_array is not None:
        kinds, tiles = wins.meld_array[:, :, 0], wins.meld_array[:, :, 1]
        for more in range(3):  # the tiles of a chow; of anything else one kind
            there = (kinds >= 0) & ((kinds == MeldKind.CHOW) | (more == 0))
            rows, places = np.nonzero(there)
            held[rows, tiles[rows, places] + more] = True
    for i in np.flatnonzero((held & other).any(axis=1)).tolist():
        if i not in errors:
            errors[i] = other_tiles(np.flatnonzero(held[i] & other).tolist(), book)
        for values in (scores.valid, scores.points, scores.total, scores.fans, *(scores.reading or {}).values()):
            if values is not None:
                values[i] = 0


@dataclass(frozen=True)
class _Wants:
    fans: bool
    reading: bool
    chunk: int


_Part = tuple[Array, Array, Array, Array | None, dict[str, Array] | None]


def _parts(engine: Engine, wins: Wins, wants: _Wants) -> Iterator[_Part]:
    """The results chunk by chunk."""
    if wins.n > wants.chunk // 4:
        _reuse_freed_memory()
    chunk = wants.chunk * (
        4 if engine.straight or engine.tallied else 1
    )  # without signatures to look up, more at once is quicker
    for start in range(0, wins.n, chunk):
        some = wins.part(start, start + chunk)
        extra = engine.book.flower_value * some.flower_count.astype(np.int32)
        if not wants.fans and not wants.reading:
            valid, points, bonus = engine.points(some)
            yield valid, points, np.where(valid, points + bonus + extra, 0).astype(np.int32), None, None
            continue
        settled = engine.score(some, wants.fans)
        total = np.where(settled.valid, settled.points + settled.bonus + extra, 0).astype(np.int32)
        counts = settled.counts if wants.fans else None
        yield settled.valid, settled.points, total, counts, settled.planes() if wants.reading else None


@cache
def _reuse_freed_memory() -> None:
    """Make the C library reuse what arrays of a chunk leave, instead of asking the system for new pages each time.

    glibc takes the largest block freed so far for what is worth keeping; elsewhere this does nothing.
    """
    np.empty(_REUSED, np.uint8)


_work: tuple[Rulebook, Wins, _Wants] | None = None


def _share(bounds: tuple[int, int]) -> list[_Part]:
    if _work is None:  # only ever called in a process forked while it is set
        raise RuntimeError
    book, wins, wants = _work
    return list(_parts(engine_of(book), wins.part(*bounds), wants))


def _fuse(book: Rulebook, n: int, wants: _Wants, fast: bool | None) -> None:
    """Have the book's conditions compiled for so many hands, if they are to be."""
    if fast or (fast is None and n >= (_LOAD_FROM if "numba" in sys.modules else _IMPORT_FROM) and installed()):
        only_cached = not fast and n < _COMPILE_FROM
        if wants.fans or wants.reading:
            engine_of(book).fuse(only_cached, wants.fans)
        else:
            engine_of(book).fuse_points(only_cached)


def _in_parts(book: Rulebook, wins: Wins, wants: _Wants, jobs: int, fast: bool | None) -> Iterator[_Part]:
    """The results of this process, or of forked ones (which see the book and the arrays without copying them)."""
    global _work  # noqa: PLW0603  # read by the forked processes
    _fuse(book, wins.n, wants, fast)
    jobs = jobs or multiprocessing.cpu_count()
    if jobs > 1 and wins.n > 4 * wants.chunk and "fork" in multiprocessing.get_all_start_methods():
        step = max(wants.chunk, -(-wins.n // (4 * jobs)) // wants.chunk * wants.chunk)
        bounds = [(start, min(start + step, wins.n)) for start in range(0, wins.n, step)]
        _work = (book, wins, wants)
        try:
            with ProcessPoolExecutor(jobs, multiprocessing.get_context("fork")) as pool:
                for parts in pool.map(_share, bounds):
                    yield from parts
        finally:
            _work = None
    else:
        yield from _parts(engine_of(book), wins, wants)


def _joined(book: Rulebook, wins: Wins, parts: Iterable[_Part], wants: _Wants) -> Scores:
    """One result out of the chunks', written into place as they come."""
    n = wins.n
    valid = np.zeros(n, np.bool_)
    points, total = np.zeros(n, np.int32), np.zeros(n, np.int32)
    fans = np.zeros((n, len(book.fans)), np.uint8) if wants.fans else None
    reading: dict[str, Array] | None = None
    at = 0
    for part in parts:
        cut = slice(at, at + len(part[0]))
        valid[cut], points[cut], total[cut] = part[:3]
        if fans is not None and part[3] is not None:
            fans[cut] = part[3]
        if part[4] is not None:
            if reading is None:
                reading = {name: np.zeros(n, np.int64) for name in part[4]}
            for name, plane in part[4].items():
                reading[name][cut] = plane
        at = cut.stop
    return Scores(book, valid, points, total, fans, reading)


# ---- arguments


def _array(given: Any) -> Array:
    """An argument as an array; of objects where it has no shape, so that it is refused like any wrong type."""
    try:
        return np.asarray(given)
    except ValueError:  # lists of different lengths
        return np.asarray(None)


def _checked(
    counts: Array, melds: Any, winning: Any, seat: Any, round: Any, luck: Any, flowers: Any
) -> tuple[Wins, dict[int, Error]]:
    """Arrays as hands; rows that cannot be a hand are made empty and have an error each."""
    counts = np.asarray(counts)  # a subclass may override indexing
    if counts.ndim != 2 or counts.shape[1] != KINDS or counts.dtype.kind not in "iu":
        raise HandError(
            f"牌张数组应为 [手数, 34] 的整数，实为 {counts.shape} {counts.dtype}。",
            f"counts must be integers of shape [hands, 34], not {counts.dtype} {counts.shape}.",
        )
    n = len(counts)
    errors: dict[int, Error] = {}

    def refuse(rows: Any, zh: str, en: str) -> None:
        for at in rows.tolist():
            errors.setdefault(at, HandError(zh, en, at))

    sound = _sound(counts, melds, winning)
    if n and not sound and (int(counts.max()) > 4 or int(counts.min()) < 0):
        refuse(
            np.flatnonzero(((counts < 0) | (counts > 4)).any(axis=1)),
            "有一种牌不是 0 到 4 张。",
            "a kind has fewer than 0 or more than 4 copies.",
        )
    if melds is not None:
        melds = _array(melds)
        fits = melds.ndim == 3 and melds.shape[0] == n and melds.shape[1] <= 4 and melds.shape[2] == 2
        if not fits or melds.dtype.kind not in "iu":
            raise HandError(
                f"副露数组应为 [{n}, 4, 2] 的整数，实为 {melds.shape} {melds.dtype}。",
                f"melds must be integers of shape [{n}, 4, 2], not {melds.dtype} {melds.shape}.",
            )
    if melds is not None and not sound:
        kinds, tiles = (melds[:, :, column].reshape(-1) for column in (0, 1))
        wrong = (kinds > 3) | (kinds >= 0) & ((tiles < 0) | (tiles >= KINDS))
        chows = np.flatnonzero(kinds == 0)
        wrong[chows] |= ~_CHOWS.take(tiles.take(chows).astype(np.int64), mode="clip")
        refuse(np.unique(wrong.nonzero()[0] // max(melds.shape[1], 1)), "有一副不成副露。", "a meld of it cannot be.")
    columns: dict[str, tuple[Any, int, int, int]] = {
        "winning": (winning, -1, -1, KINDS - 1), "seat": (seat, 27, 27, 30), "round": (round, 27, 27, 30),
        "luck": (luck, 0, 0, 1 << 40), "flowers": (flowers, 0, 0, 0xFFFF),
    }  # fmt: skip
    made = {}
    for name, (given, default, low, high) in columns.items():
        column = _array(default if given is None else given)
        if column.dtype.kind not in "iu" or column.shape not in ((), (n,)):
            raise HandError(f"{name} 应为 {n} 个整数或一个整数。", f"{name} must be {n} integers or one.")
        if column.size and (int(column.min()) < low or int(column.max()) > high):
            zh, en = f"{name} 应在 {low} 到 {high} 之间。", f"{name} must lie between {low} and {high}."
            if not column.shape:
                raise HandError(zh, en)
            refuse(np.flatnonzero((column < low) | (column > high)), zh, en)
            column = np.where((column < low) | (column > high), default, column)
        made[name] = column
    named_any = not sound and (made["winning"].shape or (n and made["winning"] >= 0))
    for start in range(0, n, _CHECKED) if named_any else ():
        some = counts[start : start + _CHECKED]
        named = np.broadcast_to(made["winning"], (n,))[start : start + _CHECKED].astype(np.int64)
        own = np.ascontiguousarray(some).reshape(-1).take(np.arange(len(some)) * KINDS + np.maximum(named, 0))
        refuse(
            start + np.flatnonzero((named >= 0) & (own == 0)),
            "和牌张不在手牌里。",
            "the winning tile is not among its tiles.",
        )
    if errors:
        counts, melds, made["winning"] = _emptied(counts, melds, made["winning"], sorted(errors))
    return Wins(counts, melds, made["winning"], made["seat"], made["round"], made["luck"], made["flowers"]), errors


def _sound(counts: Array, melds: Any, winning: Any) -> bool:
    """Whether the compiled check, where it is loaded, finds nothing wrong with any tile."""
    n, winning, melds = len(counts), _array(winning), None if melds is None else _array(melds)
    if not n or winning.shape != (n,) or winning.dtype.kind not in "iu":
        return False
    if not -1 <= int(winning.min()) <= int(winning.max()) < KINDS:
        return False
    return (melds is None or melds.shape[::2] == (n, 2)) and fit(counts, melds, winning)


def _emptied(counts: Array, melds: Any, winning: Array, rows: list[int]) -> tuple[Array, Any, Array]:
    """The same arrays with some rows without tiles: no win, whatever the book."""
    counts, winning = counts.copy(), np.broadcast_to(winning, (len(counts),)).copy()
    counts[rows], winning[rows] = 0, -1
    if melds is not None:
        melds = melds.astype(np.int64)
        melds[rows] = -1
    return counts, melds, winning

"""Score many hands: hands of any kind in, arrays out, in chunks and on several cores.

The plain twin is `quepu.scoring.score.score_hand`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from quepu.errors import Error, HandError
from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.hand_input import GivenHands, check_arrays, read_hands
from quepu.fast.compiled.code_cache import installed
from quepu.fast.engine import Engine
from quepu.fast.plan import Backend, choose_backend, compile_book, plan_of, tell_terminal
from quepu.fast.scores import Scores
from quepu.hands.hand import Hand, Luck, MeldKind, flower_plane, wrong_number
from quepu.hands.notation import parse
from quepu.rulebooks import book as find_book
from quepu.rules.circumstances import luck_of, other_tiles, refuse_beside_hand, situate
from quepu.rules.rulebook import Rulebook
from quepu.rules.winds_and_flowers import flower_numbers, wind
from quepu.scoring.score import no_shape
from quepu.scoring.signatures import DEFAULT_RULES
from quepu.tiles import KINDS, PLAIN

Array = NDArray[Any]
_REUSED = 24 << 20
"""Bytes."""
CHUNK = 65_536
"""Hands settled together; what fits the processor's cache is fastest."""


class Columns(TypedDict, total=False):
    """Columns beside an array of hands: an entry for every hand, or (but for `melds`) one for all."""

    melds: Array | None
    winning: Array | int | None
    seat: Array | int | None
    round: Array | int | None
    luck: Array | int
    flowers: Array | int


def score_many(
    hands: Iterable[str] | Iterable[Hand] | Array,
    rules: str | Rulebook = DEFAULT_RULES,
    *,
    fans: bool = True,
    reading: bool = True,
    jobs: int = 1,
    chunk: int = CHUNK,
    fast: bool | None = None,
    **columns: Unpack[Columns],
) -> Scores:
    """Score many hands at once; equal to `quepu.score` on every one of them.

    Args:
        hands: notation strings (`123m456p789sEEE5m+5m`), `Hand`s, or an integer array [N, 34] of the copies of each
            kind among the concealed tiles, the winning tile included. The other arguments go with such an array (a
            `Hand` has all of it itself; strings are read as won by a discard, east seat and round).
        rules: a rulebook or its name.
        fans: whether to give `Scores.fans` (leaving it out saves time and memory).
        reading: whether to give `Scores.reading`.
        jobs: processes to use; 0 means one for each core.
        chunk: hands settled together.
        fast: whether to score by compiled code (the extra `fast`). Compiling takes ten to thirty seconds once and
            changes no score. None: where it repays, see `quepu.fast.plan.choose_backend`.
        columns: what goes with an array.
            melds: int [N, up to 4, 2], each meld's kind (0 chow, 1 pung, 2 kong, 3 concealed kong, -1 none) and its
                lowest tile's kind.
            winning: int [N], the kind that completed the hand (-1 if none is named), or one kind for all.
            seat: int [N] wind kinds 27-30, or one for all; east if not given.
            round: the same for the round wind.
            luck: int [N] `quepu.hands.hand.Luck` bits (SELF_DRAW …; CLOSED follows from the melds), or one for all.
            flowers: int [N] flowers as bits (春 at bit 0; from bit 8 up if only their number is known), or one for all.

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
    if unknown := columns.keys() - Columns.__annotations__.keys():
        raise TypeError(f"score_many() got an unexpected keyword argument {min(unknown)!r}")
    if isinstance(hands, np.ndarray):
        backend = _prepare(book, len(hands) if hands.ndim else 0, wants, fast)
        wins, errors = check_arrays(hands, **columns)
    else:
        for name, given in columns.items():
            if given is not None and not (name in ("luck", "flowers") and np.array_equal(np.asarray(given), 0)):
                raise HandError(
                    f"{name} 只与牌张数组同用；文字与 Hand 自己说明一切。",
                    f"{name} goes with an array of counts: text and Hands say all of it themselves.",
                )
        given_hands = read_hands(hands, book)
        wins, _, errors = given_hands
        backend = _prepare(book, wins.n, wants, fast)
    parts = _in_parts(Engine(book, backend), wins, wants, jobs)
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


def _add_wrong_numbers(wins: HandArrays, scores: Scores, errors: dict[int, Error]) -> None:
    """Add an error for each row that has the wrong number of tiles and is not a win."""
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


def _refuse_other_tiles(book: Rulebook, wins: HandArrays, scores: Scores, errors: dict[int, Error]) -> None:
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


def _parts(engine: Engine, wins: HandArrays, wants: _Wants) -> Iterator[_Part]:
    """The results chunk by chunk."""
    if wins.n > wants.chunk // 4:
        _reuse_freed_memory()
    for start in range(0, wins.n, wants.chunk):
        some = wins.part(start, start + wants.chunk)
        extra = engine.book.flower_value * some.flower_count.astype(np.int32)
        settled = engine.score(some, wants.fans, wants.reading)
        total = np.where(settled.valid, settled.points + settled.bonus + extra, 0).astype(np.int32)
        counts = settled.counts if wants.fans else None
        yield settled.valid, settled.points, total, counts, settled.planes() if wants.reading else None


@cache
def _reuse_freed_memory() -> None:
    """Make the C library reuse what arrays of a chunk leave, instead of asking the system for new pages each time.

    glibc keeps blocks up to the size of the largest freed so far; elsewhere this does nothing.
    """
    np.empty(_REUSED, np.uint8)


_work: tuple[Engine, HandArrays, _Wants] | None = None


def _share(bounds: tuple[int, int]) -> list[_Part]:
    if _work is None:  # only ever called in a process forked while it is set
        raise RuntimeError
    engine, wins, wants = _work
    return list(_parts(engine, wins.part(*bounds), wants))


def _prepare(book: Rulebook, n: int, wants: _Wants, fast: bool | None) -> Backend:
    """Choose the backend for so many hands, and have its code compiled."""
    otherwise = plan_of(book).without_numba
    backend = choose_backend(book, n, installed(), wants.fans) if fast is None else otherwise
    if fast or backend is Backend.COMPILED:
        return Backend.COMPILED if compile_book(book, wants.fans, tell_terminal) else otherwise
    return backend


def _in_parts(engine: Engine, wins: HandArrays, wants: _Wants, jobs: int) -> Iterator[_Part]:
    """The results of this process, or of forked ones (which see the book and the arrays without copying them)."""
    global _work  # noqa: PLW0603  # read by the forked processes
    jobs = jobs or os.cpu_count() or 1
    if jobs > 1 and wins.n > 4 * wants.chunk and hasattr(os, "fork"):
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        step = max(wants.chunk, -(-wins.n // (4 * jobs)) // wants.chunk * wants.chunk)
        bounds = [(start, min(start + step, wins.n)) for start in range(0, wins.n, step)]
        _work = (engine, wins, wants)
        try:
            with ProcessPoolExecutor(jobs, multiprocessing.get_context("fork")) as pool:
                for parts in pool.map(_share, bounds):
                    yield from parts
        finally:
            _work = None
    else:
        yield from _parts(engine, wins, wants)


def _joined(book: Rulebook, wins: HandArrays, parts: Iterable[_Part], wants: _Wants) -> Scores:
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


# ---- the keywords of `quepu.score`


def columns_of(
    hands: Any, book: Rulebook, settings: Mapping[str, Any], beside: Mapping[str, Any]
) -> tuple[Any, dict[str, Any]]:
    """Return hands and columns for `score_many` from the arguments of `quepu.score_many`.

    `settings` has seat, round, self_draw, circumstances and flowers, as `quepu.score` takes them or as columns;
    `beside` the columns that only an array has.

    Raises:
        HandError: something that cannot go with hands of this kind.
        UnknownName: no such wind, circumstance or flower.
    """
    given = {name: value for name, value in beside.items() if value is not None}
    if isinstance(hands, np.ndarray):
        return hands, given | _columns(book, settings, given.get("luck"))
    for name in given:
        raise HandError(
            f"{name} 只与牌张数组同用；文字与 Hand 自己说明一切。",
            f"{name} goes with an array of counts: text and Hands say all of it themselves.",
        )
    if isinstance(hands, (str, Hand)) or not isinstance(hands, Iterable):
        return hands, {}
    if all(value is None or value is False or _empty(value) for value in settings.values()):
        return hands, {}
    whole = {**settings, "seat": _or_east(settings["seat"]), "round": _or_east(settings["round"])}
    situate(Hand(()), book, **{**whole, "circumstances": ()})  # what is wrong with all of them is no row's error
    luck_of(whole["circumstances"], book)
    return [_situated(hand, book, whole) for hand in hands], {}


def _empty(value: Any) -> bool:
    return isinstance(value, (tuple, list, str)) and not value


def _or_east(value: Any) -> Any:
    return "E" if value is None else value


def _situated(hand: Any, book: Rulebook, settings: Mapping[str, Any]) -> Any:
    """Parse a text in its circumstances, or return the error of its row."""
    if isinstance(hand, Hand):
        refuse_beside_hand({name: value for name, value in settings.items() if value != "E"})
    if not isinstance(hand, str):
        return hand
    try:
        return situate(parse(hand), book, **settings)
    except Error as error:
        return error


def _columns(book: Rulebook, settings: Mapping[str, Any], luck: Any) -> dict[str, Any]:
    """The columns of what surrounds the hands of an array."""
    made: dict[str, Any] = {}
    for name in ("seat", "round"):
        value = settings[name]
        if value is not None:
            made[name] = wind(value) if isinstance(value, str) else value
    bits = int(Luck.SELF_DRAW) if settings["self_draw"] else 0
    for _, more in luck_of(settings["circumstances"], book):
        bits |= more
    if bits or luck is not None:
        made["luck"] = bits if luck is None else np.bitwise_or(luck, bits)
    flowers = settings["flowers"]
    if isinstance(flowers, str) or (isinstance(flowers, (tuple, list)) and any(isinstance(f, str) for f in flowers)):
        made["flowers"] = flower_plane(flower_numbers(flowers))
    elif not _empty(flowers):
        made["flowers"] = flowers
    return made

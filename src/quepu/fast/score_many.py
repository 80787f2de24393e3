"""Score many hands: hands of any kind in, arrays out, in chunks and on several cores.

The plain twin is `quepu.scoring.score.score_hand`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from quepu.errors import Error, HandError, UnknownName, unknown_keywords
from quepu.fast.arrays.columns import Around, column_of, read_around, summary
from quepu.fast.arrays.entries import Texts, entries, is_column, is_missing, texts_of
from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.hand_input import check_arrays, read_hands
from quepu.fast.compiled.code_cache import installed
from quepu.fast.plan import Backend, Engine, choose_backend, compile_book, plan_of, tell_terminal
from quepu.fast.scores import Scores, error_texts, join_scores
from quepu.hands.hand import Hand, MeldKind, wrong_number
from quepu.rulebooks import find_book
from quepu.rules.circumstances import other_tiles, refuse_beside_hand, refuse_named
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import no_shape
from quepu.scoring.signatures import DEFAULT_RULES, MANY_DEFAULTS, ManyKeywords
from quepu.tiles import KINDS, PLAIN

Array = NDArray[Any]
_REUSED = 24 << 20
"""Bytes."""
CHUNK = 65_536
"""Hands settled together; what fits the processor's cache is fastest."""


_SETTINGS = ("seat", "round", "self_draw", "circumstances", "flowers")
_BESIDE = ("melds", "winning", "luck")
"""Keywords that only go with an array of counts."""


def score_many(
    hands: Iterable[str] | Iterable[Hand] | Array,
    rules: str | Rulebook | Iterable[str] | Iterable[Rulebook] = DEFAULT_RULES,
    **keywords: Unpack[ManyKeywords],
) -> Scores:
    """Score many hands at once, as `quepu.score_many` says.

        >>> scores = score_many(["123m456p789sCCEE+E", "11m"], "guobiao", seat=["E", "S"])
        >>> scores.points.tolist(), list(scores.errors)
        ([20, 0], [1])

    Args:
        hands: texts, `Hand`s, or an integer array [N, 34]; any column of a frame.
        rules: a rulebook or its name, or a column of them.
        keywords: see `ManyKeywords`.

    Raises:
        UnknownName: no such rulebook, wind, circumstance, flower or keyword.
        HandError: one hand instead of many, arrays of the wrong shape, type or range, not enough memory, `fast`
            without numba; with `errors="raise"` any row that is not valid.
    """
    if unknown := [name for name in keywords if name not in MANY_DEFAULTS]:
        raise unknown_keywords("score_many", unknown, ["hands", "rules", *MANY_DEFAULTS])
    given: dict[str, Any] = {**MANY_DEFAULTS, **keywords}
    fast, jobs, chunk = given["fast"], given["jobs"], CHUNK if given["chunk"] is None else given["chunk"]
    if fast and not installed():
        raise HandError("fast 需要 numba：pip install 'quepu[fast]'。", "fast needs numba: pip install 'quepu[fast]'.")
    if chunk < 1 or jobs < 0:
        raise HandError("chunk 至少为 1，jobs 至少为 0。", "chunk must be at least 1, jobs at least 0.")
    if given["errors"] not in ("keep", "raise"):
        raise HandError('errors 应为 "keep" 或 "raise"。', 'errors must be "keep" or "raise".')
    if callable(getattr(hands, "collect", None)):
        raise HandError(
            "score_many 要算好的一列：惰性的表先 .collect()，再取手牌那一列。",
            "score_many takes a column of values: .collect() the lazy frame first, then choose its column of hands.",
        )
    if not isinstance(hands, np.ndarray) and not is_column(hands):
        raise HandError("score_many 要一列手牌，一手请用 score。", "score_many takes a list of hands; score takes one.")
    work = _Work(_Wants(given["fans"], given["reading"], chunk), jobs, fast)
    index = getattr(hands, "index", None) if hasattr(hands, "iloc") else None
    many = texts_of(hands) or entries(hands)
    by: Any = rules
    scores = _by_rules(many, by, given, work) if is_column(by) else _by_book(many, find_book(by), given, work)
    scores = replace(scores, index=index)
    if given["errors"] == "raise" and (texts := error_texts(scores)):
        raise summary(texts, len(scores))
    return scores


def _by_rules(hands: Any, rules: Any, given: Mapping[str, Any], work: _Work) -> Scores:
    """Score hands each under its own rulebook."""
    n = len(hands)
    names = [
        name if isinstance(name, (str, Rulebook)) else _Unnamed(name) for name in column_of("rules", rules, n) or []
    ]
    books: dict[Rulebook, int] = {}
    which: dict[Any, int] = {}
    wrong: dict[Any, Error] = {}
    for name in dict.fromkeys(names):
        try:
            which[name] = books.setdefault(_book_of_entry(name), len(books))
        except Error as error:
            which[name], wrong[name] = -1, type(error)(f"rules：{error.text.zh}", f"rules: {error.text.en}")
    of = np.fromiter(map(which.__getitem__, names), np.int64, n)
    columns = {name: column_of(name, given[name], n) for name in _SETTINGS}
    columns |= {name: _beside(given[name], n) for name in _BESIDE}
    parts: list[tuple[Array, Scores]] = []
    for number, book in enumerate(books):
        rows = np.flatnonzero(of == number)
        mine = {**given, **{name: _some(column, rows) for name, column in columns.items() if column is not None}}
        parts.append((rows, _by_book(_some(hands, rows), book, mine, work)))
    errors = {i: wrong[name] for i, name in enumerate(names) if name in wrong}
    return join_scores(tuple(books), of, parts, errors)


class _Unnamed(NamedTuple):
    """An entry that cannot be a rulebook."""

    value: Any

    def __hash__(self) -> int:
        return id(self.value)


def _book_of_entry(name: Any) -> Rulebook:
    if isinstance(name, _Unnamed):
        value = name.value
        if is_missing(value):
            raise UnknownName("缺值；应为规则的名称。", "a value is missing; it should be the name of a rulebook.")
        return find_book(value)
    return find_book(name)


def _beside(given: Any, n: int) -> Array | None:
    column = np.asarray(given) if is_column(given) else None
    return column if column is not None and column.shape[:1] == (n,) else None


def _some(column: Any, rows: Array) -> Any:
    if isinstance(column, Texts):
        return column.some(rows)
    return column[rows] if isinstance(column, np.ndarray) else [column[i] for i in rows.tolist()]


def _by_book(hands: Any, book: Rulebook, given: Mapping[str, Any], work: _Work) -> Scores:
    """Score hands, texts in a list or counts in an array, all under one rulebook."""
    wants = work.wants
    if isinstance(hands, np.ndarray):
        backend = _prepare(book, len(hands) if hands.ndim else 0, wants, work.fast)
        wins, errors = _of_counts(hands, book, given)
    else:
        wins, errors = _of_list(hands, book, given)
        backend = _prepare(book, wins.n, wants, work.fast)
    parts = _in_parts(Engine(book, backend), wins, wants, work.jobs)
    try:
        scores = _join_parts(book, wins, parts, wants)
    except MemoryError:
        raise HandError(
            f"内存不足：每批 {wants.chunk} 手太多，请减小 chunk，或不要 fans 与 reading。",
            f"not enough memory for chunks of {wants.chunk} hands: lower chunk, or leave out fans and reading.",
        ) from None
    _refuse_other_tiles(book, wins, scores, errors)
    if isinstance(hands, np.ndarray):
        _add_wrong_numbers(wins, scores, errors)
    else:
        for i in np.flatnonzero(~scores.valid).tolist():
            if i not in errors:
                errors[i] = no_shape(book, wins.hand(i))
    return replace(scores, errors=dict(sorted(errors.items())))


def _of_counts(counts: Array, book: Rulebook, given: Mapping[str, Any]) -> tuple[HandArrays, dict[int, Error]]:
    """Return an array of counts, with its columns, as hands; and the errors of rows."""
    if counts.ndim != 2:
        return check_arrays(counts)  # refuses it
    around = read_around(given, len(counts), book, counts=True, bits_of_flowers=True)
    luck: Any = around.luck
    if given["luck"] is not None:
        column = np.asarray(given["luck"])
        luck = np.bitwise_or(column, luck) if column.dtype.kind in "iu" else column
    columns = {"seat": around.seat, "round": around.round, "flowers": around.flowers, "luck": luck}
    columns = {name: value[0] if value.shape == (1,) else value for name, value in columns.items()}
    wins, errors = check_arrays(counts, given["melds"], given["winning"], **columns)
    errors |= {i: error for i, error in around.errors.items() if i not in errors}
    return wins.without_tiles(sorted(around.errors)), errors


def _of_list(hands: list[Any] | Texts, book: Rulebook, given: Mapping[str, Any]) -> tuple[HandArrays, dict[int, Error]]:
    """Return texts or `Hand`s as hands, and the errors of rows."""
    for name in _BESIDE:
        if given[name] is not None:
            raise HandError(
                f"{name} 只与牌张数组同用；文字与 Hand 自己说明一切。",
                f"{name} can only be given with an array of counts: text and Hands contain it.",
            )
    wins, _, errors = read_hands(hands, book)
    beside = {name: is_column(given[name]) or given[name] for name in _SETTINGS if not _plain(given[name])}
    if not beside:
        return wins, errors
    if not isinstance(hands, Texts) and any(issubclass(kind, Hand) for kind in set(map(type, hands))):
        refuse_beside_hand(beside)
    around = read_around(given, len(hands), book, counts=False)
    errors |= {i: error for i, error in around.errors.items() if i not in errors}
    wins = wins.around(around.seat, around.round, around.luck, around.flowers)
    errors |= _contradictions(wins, around, book, errors)
    return wins.without_tiles(sorted(errors)), errors


def _plain(value: Any) -> bool:
    """Return whether it is a setting's default."""
    return value is None or value is False or (isinstance(value, (tuple, list, str)) and not value)


def _contradictions(wins: HandArrays, around: Around, book: Rulebook, errors: Mapping[int, Error]) -> dict[int, Error]:
    """Ask once about hands that are alike in all that a circumstance may contradict."""
    there = np.broadcast_to(np.array([bool(names) for names in around.named])[around.of], (wins.n,)).copy()
    there[list(errors)] = False
    rows = np.flatnonzero(there)
    some = wins.some(rows)
    own = np.take_along_axis(some.counts, np.maximum(some.winning, 0)[:, None], axis=1)[:, 0]
    open_tiles = some.xp
    for chows in (some.o1, some.o2, some.o3, some.o4):
        open_tiles = open_tiles | chows | chows << 1 | chows << 2
    features = [
        np.broadcast_to(around.of, (wins.n,))[rows], some.seat_kind, some.given_luck, some.flower_count,
        some.winning < 0, some.melds, some.kongs, some.closed, own, (some.win & open_tiles) != 0,
        (some.win & some.meld_p) != 0,
    ]  # fmt: skip
    if not len(rows):
        return {}
    alike = np.zeros(len(rows), np.int64)
    for feature in features:  # sorting whole rows would take ten times as long
        values, numbers = np.unique(feature, return_inverse=True)
        alike = np.unique(alike * len(values) + numbers, return_inverse=True)[1]
    _, first, of = np.unique(alike, return_index=True, return_inverse=True)
    found: dict[int, Error] = {}
    for number, at in enumerate(first.tolist()):
        row = int(rows[at])
        names = around.named[int(np.broadcast_to(around.of, (wins.n,))[row])]
        try:
            refuse_named(names, wins.hand(row), book)
        except Error as error:
            found |= dict.fromkeys(rows[of.reshape(-1) == number].tolist(), error)
    return found


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
        for array in (scores.valid, scores.points, scores.total, scores.fans, *(scores.reading or {}).values()):
            if array is not None:
                array[i] = 0


@dataclass(frozen=True)
class _Wants:
    fans: bool
    reading: bool
    chunk: int


@dataclass(frozen=True)
class _Work:
    """Settings of scoring: the number of processes, and whether compiled code is used."""

    wants: _Wants
    jobs: int
    fast: bool | None


_Part = tuple[Array, Array, Array, Array | None, dict[str, Array] | None]


def _parts(engine: Engine, wins: HandArrays, wants: _Wants) -> Iterator[_Part]:
    """Yield the results chunk by chunk."""
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
    """Yield the results of this process, or of forked ones (which see the book and arrays without a copy)."""
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


def _join_parts(book: Rulebook, wins: HandArrays, parts: Iterable[_Part], wants: _Wants) -> Scores:
    """Return one result out of the chunks', written into place as they come."""
    n = wins.n
    valid = np.zeros(n, np.bool_)
    points, total = np.zeros(n, np.int32), np.zeros(n, np.int32)
    fans = np.zeros((n, len(book.fans)), np.uint8) if wants.fans else None
    reading: dict[str, Array] | None = {} if wants.reading and not n else None
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
    return Scores((book,), valid, points, total, fans, reading, parts=((None, wins),) if wants.reading else ())

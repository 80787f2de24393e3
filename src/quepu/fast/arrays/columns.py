"""Read the surroundings of many hands: one value for all of them, or a column with one for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.errors import Error, HandError, Text, many
from quepu.fast.arrays.entries import SHORT, brief, is_column, is_missing, number_entries, values
from quepu.folding import fold
from quepu.hands.hand import Luck, flower_plane
from quepu.rules.circumstances import luck_of, spellings
from quepu.rules.rulebook import Rulebook
from quepu.rules.winds_and_flowers import flower_numbers, wind
from quepu.tiles import EAST, WINDS

_SELF_DRAW = int(Luck.SELF_DRAW)
_BETWEEN_NAMES = re.compile(r"[,，、;；|]")
_MOST_FLOWERS = 0xFFFF
"""Bits of flowers in a plane: eight for named ones, eight for a mere number of them."""


def column_of(name: str, given: Any, n: int) -> list[Any] | NDArray[Any] | None:
    """Return the entries of a column beside `n` hands, or None if the value is one for all of them.

    Raises:
        HandError: it has another number of entries.
    """
    found = _check_length(name, given, n)
    return None if found is None else values(found)


def _check_length(name: str, given: Any, n: int) -> Any:
    """Return a column beside `n` hands as it is, or None if the value is one for all of them.

    Raises:
        HandError: it has another number of entries.
    """
    if not is_column(given):
        return None
    if name in ("circumstances", "flowers") and isinstance(given, (list, tuple, set, frozenset)):
        given = list(given)
        if all(isinstance(one, str) for one in given):
            return None  # a list of names, for all hands
    column = given if hasattr(given, "__len__") else values(given)
    if len(column) != n or getattr(column, "ndim", 1) != 1:
        raise HandError(
            f"{name} 有 {len(column)} 个，手牌有 {n} 手：请每手一个。",
            f"{name} has {many(len(column), 'entry', 'entries')} for {many(n, 'hand')}: give one each.",
        )
    return column


class Around(NamedTuple):
    """Seats, rounds, luck and flowers of N hands, each int64 [N] or [1], and the errors of rows.

    `named` are the distinct circumstances, `of` the number of each row's among them, int64 [N] or [1].
    """

    seat: NDArray[np.int64]
    round: NDArray[np.int64]
    luck: NDArray[np.int64]
    flowers: NDArray[np.int64]
    named: list[tuple[str, ...]]
    of: NDArray[np.int64]
    errors: dict[int, Error]


def read_around(
    settings: Mapping[str, Any], n: int, book: Rulebook, *, counts: bool, bits_of_flowers: bool = False
) -> Around:
    """Read seat, round, self_draw, circumstances and flowers of `n` hands.

    Args:
        settings: the settings given, by name.
        n: how many hands there are.
        book: whose names the circumstances have.
        counts: whether the hands are an array of counts. Then the circumstances of a self-drawn win say that it is one.
        bits_of_flowers: whether whole numbers in a column of flowers are planes, and not how many there are.

    Raises:
        HandError: a column of another length; anything wrong with a value that is for all hands.
        UnknownName: a name for all hands that there is not.
    """
    errors: dict[int, Error] = {}
    if isinstance(settings.get("circumstances"), str):
        luck_of(settings["circumstances"], book)  # raises the same error as for one hand
    settings = {name: list(given) if isinstance(given, Iterator) else given for name, given in settings.items()}
    read = _Reader(settings, n, errors)
    seat, round_ = read.numbers("seat", _wind, "E"), read.numbers("round", _wind, "E")
    drawn = read.numbers("self_draw", _truth, False)
    bits = bits_of_flowers and is_column(settings.get("flowers"))
    flowers = read.numbers(
        "flowers", lambda one: _plane(one) if bits and _is_whole(one) else _flowers(one, book, counts), ()
    )
    groups: dict[tuple[str, ...], int] = {}
    lucks: list[int] = []

    def group(one: Any) -> int:
        names = _names(one, book)
        if names not in groups:
            bits = 0
            for name, more in luck_of(names, book):
                bits |= more if counts or name == "自摸" else more & ~_SELF_DRAW
            groups[names] = len(groups)
            lucks.append(bits)
        return groups[names]

    of = read.numbers("circumstances", group, ())
    luck = np.array(lucks or [0], np.int64)[of] | drawn
    return Around(seat, round_, luck, flowers, list(groups) or [()], of, errors)


class _Reader:
    """Turns settings into numbers, each distinct value once."""

    def __init__(self, settings: Mapping[str, Any], n: int, errors: dict[int, Error]) -> None:
        self.settings = settings
        self.n = n
        self.errors = errors

    def numbers(self, name: str, number: Callable[[Any], int], default: Any) -> NDArray[np.int64]:
        """Return the numbers of a setting, [N] or [1]; an entry without one is an error of its row."""
        given = self.settings.get(name)
        column = _check_length(name, given, self.n)
        if column is None:
            try:
                return np.array([number(default if given is None else given)], np.int64)
            except Error as error:
                raise _of_column(name, error) from None
        of, different = number_entries(column)
        known = np.full(len(different), number(default), np.int64)
        wrong: dict[int, Error] = {}
        for i, one in enumerate(different):
            try:
                known[i] = number(one)
            except Error as error:
                wrong[i] = _of_column(name, error)
        if wrong:
            for row in np.flatnonzero(np.isin(of, list(wrong))).tolist():
                self.errors.setdefault(row, wrong[int(of[row])])
        return known[of]


def _of_column(name: str, error: Error) -> Error:
    return type(error)(f"{name}：{error.text.zh}", f"{name}: {error.text.en}")


def _report_missing(zh: str, en: str) -> HandError:
    return HandError(f"缺值；{zh}。", f"a value is missing; {en}.")


def _wind(one: Any) -> int:
    if is_missing(one):
        raise _report_missing("应为 E、S、W、N", "it should be E, S, W or N")
    if isinstance(one, (int, float, np.number)) and not isinstance(one, bool):
        if EAST <= one <= EAST + 3 and one == int(one):
            return int(one)
        raise HandError(
            f"应为 E、S、W、N 或 27 到 30，不是 {brief(one)}。", f"it must be E, S, W, N or 27 to 30, not {brief(one)}."
        )
    return wind(one if isinstance(one, str) and len(one) < SHORT else brief(one))


def _truth(one: Any) -> int:
    if is_missing(one):
        raise _report_missing("应为 true 或 false", "it should be true or false")
    if isinstance(one, (bool, int, float, np.bool_, np.number)) and one in (0, 1):
        return _SELF_DRAW * int(one)
    raise HandError(f"应是 true 或 false，不是 {brief(one)}。", f"it must be true or false, not {brief(one)}.")


def _is_whole(one: Any) -> bool:
    return isinstance(one, (int, np.integer)) and not isinstance(one, bool)


def _plane(one: int) -> int:
    if not 0 <= one <= _MOST_FLOWERS:
        raise HandError(f"应在 0 到 {_MOST_FLOWERS} 之间。", f"it must lie between 0 and {_MOST_FLOWERS}.")
    return int(one)


def _flowers(one: Any, book: Rulebook, counts: bool) -> int:
    if is_missing(one):
        return 0
    if isinstance(one, (float, np.number)) and one == int(one):
        one = int(one)
    plane = flower_plane(flower_numbers(one))
    if plane and not counts and not book.flower_value and "flowers" not in book.reads:
        raise HandError(f"{book.title.zh}不用花牌。", f"{book.title.en} is played without flowers.")
    return plane


def _names(one: Any, book: Rulebook) -> tuple[str, ...]:
    if is_missing(one):
        return ()
    if isinstance(one, str):
        if fold(one) in spellings(book):
            return (one,)  # its English name may have a comma
        return tuple(name.strip() for name in _BETWEEN_NAMES.split(one) if name.strip())
    if not isinstance(one, Iterable):
        raise HandError("应是名称的列表。", "it must be a list of names.")
    return tuple(one)


def plain_setting(name: str, one: Any, book: Rulebook) -> Any:
    """Return an entry of a column as the setting of one hand.

    Raises:
        Error: the entry cannot be that.
    """
    try:
        if name in ("seat", "round"):
            return WINDS[_wind(one) - EAST]
        if name == "self_draw":
            return bool(_truth(one))
        if name == "circumstances":
            return _names(one, book)
    except Error as error:
        raise _of_column(name, error) from None
    return () if is_missing(one) else int(one) if isinstance(one, np.integer) else one


MOST_SHOWN = 10
"""Errors that one message lists."""
_LONGEST = 150


def summary(errors: Mapping[int, Text], n: int) -> HandError:
    """Build one error out of those of rows, with the first ten of them."""
    first = [(i, errors[i]) for i in sorted(errors)[:MOST_SHOWN]]
    more = len(errors) - len(first)
    zh = "；".join(f"第 {i} 行：{_cut(text.zh.rstrip('。'))}" for i, text in first)
    en = "; ".join(f"row {i}: {_cut(text.en.rstrip('.'))}" for i, text in first)
    return HandError(
        f"{n} 行中有 {len(errors)} 行有误（从 0 数起）：{zh}{f'；另有 {more} 行' if more else ''}。",
        f"{len(errors)} of {n} rows have errors (counted from 0): {en}{f'; and {more} more' if more else ''}.",
        first[0][0],
    )


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"

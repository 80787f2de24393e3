"""Corrections that changed the scores of 广东 since it was first played, and the earlier versions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from quepu.errors import Text
from quepu.hands.planes import ALL_TILES, Planes
from quepu.rulebooks.canton import house
from quepu.rulebooks.canton.conditions import all_chows, in_chows, nine_gates_shape
from quepu.rulebooks.canton.options import restore
from quepu.rulebooks.canton.row import CantonExtra
from quepu.rules.rulebook import Correction, Rulebook, was


def _four_in_one(h: Planes) -> Any:
    return (h.t4 & h.p & (h.k ^ ALL_TILES) & in_chows(h)) != 0


def _four_in_four(h: Planes) -> Any:
    return all_chows(h) & ((h.t4 & (h.pair ^ ALL_TILES)) != 0)


_FOURS = {"四归一": {"when": _four_in_one, "most": 1}, "四归四": {"when": _four_in_four, "most": 1}}


def _each_four(book: Rulebook, choice: bool) -> Rulebook:
    """The option of N36 as it was: the other choice counts each four, of 四归一 alone."""
    if not choice:
        return was(fans=_FOURS)(book)
    return replace(book, fans=tuple(restore(row) if row.name == "四归一" else row for row in book.fans))


def _change_extra(book: Rulebook, name: str, **columns: Any) -> Rulebook:
    """Return the book with other values in a row's columns of this family; a house rule may have left the row out."""
    if name not in book.index:
        return book
    extra = replace(book.fan(name).own(CantonExtra), **columns)
    return replace(book, fans=tuple(replace(row, extra=extra) if row.name == name else row for row in book.fans))


def _turn_option(book: Rulebook, key: str, apply: Callable[[Rulebook, bool], Rulebook]) -> Rulebook:
    """Return the book with an option that was off by default."""
    options = tuple(
        replace(option, choices=(False, True), apply=apply) if option.key == key else option for option in book.options
    )
    return replace(book, options=options)


def _find_first(book: Rulebook) -> Rulebook:
    """Return the book as it was first played, before the correction of 2026-11-22."""
    book = _change_extra(book, "满分花杠", only_with=None)
    book = _turn_option(book, "four_in_one_each", _each_four)
    return was(
        fans={
            "九莲花灯": {"when": nine_gates_shape},
            **_FOURS,
            "人糊": {"when": house.humanly_undeclared},
            "地糊": {"when": house.earthly_undeclared},
        },
        settings={"last_tile_kongs": False},
    )(book)


def _keep_concealed(book: Rulebook, choice: bool) -> Rulebook:
    """The option of N41 as it was: by default a closed 同般低 did not count 门前清."""
    return _change_extra(book, "乱蛇", frees=("门前清",) if choice else ())


def _find_second(book: Rulebook) -> Rulebook:
    """Return the book as it was before the correction of 2026-11-29."""
    return _keep_concealed(_turn_option(book, "twin_steps_add_concealed", _keep_concealed), choice=False)


CORRECTIONS = (
    Correction(  # rulings A16, N36, N39, N37
        "2026-11-22",
        Text(
            "嗌九子旁不再计九莲花灯；四归一、四归四每四张各计；抢杠的满分花杠另计三杠子；"
            "人糊、地糊要宣布过天听；牌墙摸完仍可开杠，万炮齐发和得到。",
            "No false nine gates beside nine gates with melds; four in pung and chow and in four chows count for "
            "each four; mixed kongs won by robbing add three kongs; wins on the first tile need the "
            "declaration; a kong may be made on the empty wall and robbed.",
        ),
        _find_first,
    ),
    Correction(  # ruling N41
        "2026-11-29",
        Text(
            "门清的同般低另计门前清：它不计乱蛇，但门清不是同般低必然的。",
            "Closed twin steps also count the concealed hand: they leave out two steps, but can be won open.",
        ),
        _find_second,
    ),
)

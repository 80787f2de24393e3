"""The loop of `tables.loop` compiled for one list of shapes, and the numbers of a book that it takes."""

from __future__ import annotations

import hashlib
import inspect
import re
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.errors import Text
from quepu.fast.compiled import reading_loops
from quepu.fast.compiled.code_cache import CachedCode
from quepu.fast.compiled.conditions import HEAD, written
from quepu.fast.compiled.suit_arrays import suit_arrays, ways_to_stand
from quepu.fast.plan import compile_book, tell_terminal
from quepu.fast.tables import (
    aims,
    allowed,
    choices,
    columns,
    effects,
    gain,
    loop,
    mersenne,
    nearest,
    plain,
)
from quepu.fast.tables import rare_decisions as occasions
from quepu.fast.tables import tiles as tiles_held
from quepu.hands import planes
from quepu.hands.hand import Luck
from quepu.rules.play_rules import PlayRules, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.rules.symbols import Symbol, Symbols
from quepu.shapes import SHAPES, Shape
from quepu.shapes.automaton import FAR, automaton
from quepu.table.ready import LASTING, WHATEVER
from quepu.table.wall import WallPlan
from quepu.tiles import BIT, KINDS

Array = NDArray[Any]
_LOOPS = ("run", "seed_all")
_CALLED = ("gain_look", "near_gains", "wait")  # large, and long enough at work for the call not to matter, or rare
_INLINED_LIGHT = ("happened", "option", "may_win", "add_tile", "take_tile", "drop", "rank_of")
MODULES = (
    columns, mersenne, tiles_held, effects, allowed, nearest, plain, aims, gain, choices, occasions,
    loop,
)  # fmt: skip
"""What is compiled, each after what it imports."""
_HEAVY = (aims, gain)
_WITHOUT_GAIN = """def gain_turn(i, tables, far, rooms, number):
    return 0


def gain_claim(i, tables, far, rooms, seat, options, number):
    return 0
"""
"""In place of the modules that take most of the time to compile, where no seat is played by `gain`."""
_OWN_IMPORTS = re.compile(
    r"^from (?:__future__|quepu\.fast\.tables\.\w+|quepu\.hands\.planes) import (\([^)]*\)|.*)\n", re.MULTILINE
)
LUCK = np.array(
    [
        int(bit)
        for bit in (
            Luck.SELF_DRAW, Luck.KONG_DRAW, Luck.TWO_KONGS, Luck.THREE_KONGS, Luck.LAST_DRAW, Luck.LAST_DISCARD,
            Luck.ROBBED_KONG, Luck.HEAVENLY, Luck.EARTHLY, Luck.HUMANLY, Luck.FIRST_ROUND, Luck.FOURTH_TILE,
            Luck.FRESH_TILE, Luck.SEVEN_FLOWERS, Luck.EIGHT_FLOWERS, Luck.ROBBED_FLOWER, Luck.OUTER_DISCARDS,
            Luck.READY_AT_DEAL, Luck.READY_AT_FIRST, Luck.FIRST_CHANCE,
        )
    ],
    np.int64,
)  # fmt: skip
"""Circumstances in the order of the loop's names."""


_UNKNOWN = Text("这种和牌形", "shapes of this kind")


@lru_cache(64)
def missing(book: Rulebook) -> Text | None:
    """Return what this book has that the loop does not know; None where it can be played."""
    shapes = [SHAPES[name] for name in book.shapes]
    if play_rules(book).table.most_winners > 1:
        return Text("几家同和一张牌", "several winners on one tile")
    try:
        loops_text(book.shapes)
    except TypeError:  # a function of a shape branches
        return _UNKNOWN
    playable = any(shape.plain for shape in shapes) and all(
        (shape.sets and (shape.plain or (shape.melds == 1 and _nine(shape))))
        or (shape.whole and (shape.whole.bare or shape.boundless))
        or (shape.fours and shape.fours.number == 2)
        for shape in shapes
    )
    return None if playable else _UNKNOWN


def _nine(shape: Shape) -> bool:
    """Whether there are nine single tiles beside a set and a pair."""
    return all(plane.bit_count() == 9 for plane in shape.sets.beside) if shape.sets else False


def loops_text(shapes: tuple[str, ...], with_gain: bool = True) -> str:
    """The loops, for hands that wait for these shapes, as text that Python runs."""
    modules = [module for module in MODULES if with_gain or module not in _HEAVY]
    loops = "\n\n".join(_OWN_IMPORTS.sub("", inspect.getsource(module)) for module in modules)
    waits = "\n\n".join(
        _waits_text(name, luck, shapes) for name, luck in (("whole_waits", WHATEVER), ("lasting_waits", LASTING))
    )
    last = _special_text(shapes) if with_gain else _WITHOUT_GAIN
    return f"{loops}\n\n{waits}\n\n{_nearest_text(shapes)}\n\n{last}"


def _waits_text(name: str, luck: int, shapes: tuple[str, ...]) -> str:
    """Write the text of a function: what a hand without melds waits for to be one of the whole shapes."""
    symbols = Symbols()
    found: Any = symbols.const(0)
    before = symbols.planes._replace(luck=luck)
    for shape in (SHAPES[name] for name in shapes):
        if shape.whole is not None:
            waits, _ = shape.waits(before)  # type: ignore[arg-type]  # stands in for thirteen tiles
            found = found | waits
    lines, (result,) = written([found if isinstance(found, Symbol) else symbols.const(int(found))])
    body = "".join(f"    {line}\n" for line in lines)
    return f"def {name}(t1, t2, t3, t4):\n{body}    return {result}\n"


class _SymbolTiles(NamedTuple):
    """Tiles without melds, as symbols: what the distances of whole shapes look at."""

    t1: Symbol
    t2: Symbol
    planes: tuple[Symbol, Symbol, Symbol, Symbol]
    need: int = 4
    luck: int = 0
    closed: bool = True


def _nearest_text(shapes: tuple[str, ...]) -> str:
    """Distances to the whole shapes among these, as `quepu.fast.tables.nearest` has them for none."""
    symbols = Symbols()
    h = symbols.planes
    tiles: Any = _SymbolTiles(h.t1, h.t2, (h.t1, h.t2, h.t3, h.t4))
    far: list[Any] = []
    nearer: list[Any] = []
    for shape in (SHAPES[name] for name in shapes):
        distance: Any = shape.distance(tiles) if shape.whole is not None else FAR
        if isinstance(distance, Symbol):
            far.append(distance)
            nearer.append(shape.helping(tiles))
    lines, names = written([*far, *nearer])
    body = "".join(f"    {line}\n" for line in lines)
    planes = "t1, t2, t3, t4"
    least = f"min({', '.join(['FAR', *names[: len(far)]])}, FAR)"
    pairs = zip(names[: len(far)], names[len(far) :], strict=True)
    helps = " | ".join(["0", *(f"numba.int64({one} <= now) * ({plane})" for one, plane in pairs)])
    return (
        f"def whole_missing({planes}):\n{body}    return {least}\n\n\n"
        f"def whole_helping({planes}, now):\n{body}    return {helps}\n"
    )


def special_shapes(shapes: tuple[str, ...]) -> tuple[Shape, ...]:
    """Those of the shapes that `gain` aims at beside sets and a pair, as `quepu.fast.nearest.payable` does."""
    return tuple(shape for shape in (SHAPES[name] for name in shapes) if shape.share and shape.whole is not None)


def _special_text(shapes: tuple[str, ...]) -> str:
    """Distances to each of these shapes, as `quepu.fast.tables.gain` has them for none."""
    far, helping = ([f"def {name}(n, t1, t2, t3, t4):"] for name in ("special_missing", "special_helping"))
    for n, shape in enumerate(special_shapes(shapes)):
        symbols = Symbols()
        h = symbols.planes
        tiles: Any = _SymbolTiles(h.t1, h.t2, (h.t1, h.t2, h.t3, h.t4))
        for text, found in ((far, shape.distance(tiles)), (helping, shape.helping(tiles))):
            lines, (result,) = written([found if isinstance(found, Symbol) else symbols.const(int(found))])
            text += [
                f"    if n == {n}:",
                *(f"        {line}" for line in lines),
                f"        return numba.int64({result})",
            ]
    return "\n".join([*far, "    return NOWHERE", "", "", *helping, "    return 0"])


class Distances(NamedTuple):
    """The automaton of `quepu.shapes.automaton`, and tables of kinds, as the loop takes them."""

    suit: Array  # uint8 [5 ** 9]
    honour: Array  # uint8 [5 ** 7]
    left: Array  # uint8 [suits, suits]
    right: Array  # uint8 [suits, honours]
    final: Array  # uint8 [5, lefts, rights]
    lanes: Array  # int64 [512]: the key of every plane of a suit, one copy of each tile
    five: Array  # int64 [34]: what a tile of each kind adds to its suit's key
    bits: Array  # int64 [34]: the plane of each kind
    copies: Array  # int64 [34]: of each kind in the game


def distances(rules: PlayRules) -> Distances:
    """The tables of a book's game."""
    table = automaton()

    def rows(made: tuple[bytes, ...]) -> Array:
        return np.frombuffer(b"".join(made), np.uint8).reshape(len(made), -1)

    five = np.array([5 ** (kind % 9) for kind in range(KINDS)], np.int64)
    return Distances(
        np.frombuffer(table.suit, np.uint8),
        np.frombuffer(table.honour, np.uint8),
        rows(table.left),
        rows(table.right),
        np.stack([rows(of) for of in table.final]),
        np.array([sum(5**rank for rank in range(9) if lane >> rank & 1) for lane in range(512)], np.int64),
        five,
        np.array(BIT, np.int64),
        np.array(rules.table.tiles.counts, np.int64),
    )


@cache
def compiled(shapes: tuple[str, ...], with_gain: bool = True) -> CachedCode:
    """The same as text for numba, without reference counts: the loops own no array."""
    digest = hashlib.sha256(inspect.getsource(reading_loops).encode()).hexdigest()
    functions = {
        name
        for module in MODULES
        for name, what in vars(module).items()
        if inspect.isfunction(what) and what.__module__ != planes.__name__
        if with_gain or what.__module__ not in {heavy.__name__ for heavy in _HEAVY}
    } | {"gain_turn", "gain_claim"}
    # Inlined, since a call hands over every field of every array: half the time of a hand.
    whole = {*_LOOPS, *_CALLED} if with_gain else functions - set(_INLINED_LIGHT)
    how = {name: "cache" if name in whole else "forceinline" for name in sorted(functions)}
    made = "".join(
        f"{name} = numba.njit(_nrt=False, error_model='numpy', {flag}=True)({name})\n" for name, flag in how.items()
    )
    return CachedCode("table", f"# {digest}\n{HEAD}{loops_text(shapes, with_gain)}\n\n{made}")


def loops_of(book: Rulebook, with_gain: bool = True) -> Any:
    """The loops for a book, its own conditions compiled as well: who may win is asked of many hands at once."""
    compile_book(book, fans=False, report=tell_terminal)
    return compiled(book.shapes, with_gain).functions


def numbers_of(rules: PlayRules, size: int, round: int) -> Array:
    """A book's numbers for a wall of so many tiles, as the loop names them: int64 [22]."""
    table = rules.table
    plan = WallPlan.of(table, size)
    last = table.last_discard & table.claims
    numbers = [
        size, plan.dead, plan.feeds, table.flowers_replaced, table.kong_after_claim, table.kong_without_replacement,
        "chow" in table.claims, "pung" in table.claims, "kong" in table.claims, "chow" in last, "pung" in last,
        "kong" in last, table.last_discard >= table.claims, table.earthly == "first draw", table.heavenly_after_kong,
        rules.ready_value is not None, round, table.concealed_kongs_hidden, table.declares_ready,
        table.flower_wins, table.outer_discards, table.concealed_kong_robbed_by,
    ]  # fmt: skip
    return np.array(numbers, np.int64)


def suits(shapes: tuple[str, ...]) -> tuple[Any, ...]:
    """The tables of suits, the ways to stand, and whether two fours beside sets win, as the loop takes them."""
    arrays = suit_arrays()
    fours = any(SHAPES[name].fours for name in shapes)
    return arrays.bits, arrays.five, arrays.start, arrays.end, arrays.lookup, ways_to_stand(shapes), fours

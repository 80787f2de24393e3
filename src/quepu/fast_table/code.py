"""The loop of `quepu.fast_table.loop` compiled for one list of shapes, and the numbers it takes of a book."""

from __future__ import annotations

import hashlib
import inspect
import re
from functools import cache
from typing import Any

import numpy as np

from quepu.batch import numba_loops
from quepu.batch.code_cache import CachedCode
from quepu.batch.fused import HEAD, written
from quepu.batch.numba_readings import suit_arrays, ways_to_stand
from quepu.errors import Text
from quepu.fast_table import allowed, columns, effects, loop, mersenne, tiles_held, win_questions
from quepu.hands.hand import Luck
from quepu.rules.play_rules import PlayRules
from quepu.rules.rulebook import Rulebook
from quepu.rules.symbols import Symbol, Symbols
from quepu.shapes import SHAPES
from quepu.table.ready import WHATEVER
from quepu.table.wall import WallPlan

Array = Any
_LOOPS = ("run", "seed_all")
MODULES = (columns, mersenne, tiles_held, win_questions, effects, allowed, loop)
"""What is compiled, each after what it imports."""
_OWN_IMPORTS = re.compile(r"^from (?:__future__|quepu\.fast_table\.\w+) import (\([^)]*\)|.*)\n", re.MULTILINE)
LUCK = np.array(
    [
        int(bit)
        for bit in (
            Luck.SELF_DRAW, Luck.KONG_DRAW, Luck.TWO_KONGS, Luck.THREE_KONGS, Luck.LAST_DRAW, Luck.LAST_DISCARD,
            Luck.ROBBED_KONG, Luck.HEAVENLY, Luck.EARTHLY, Luck.HUMANLY, Luck.FIRST_ROUND, Luck.FOURTH_TILE,
            Luck.FRESH_TILE,
        )
    ],
    np.int64,
)  # fmt: skip
"""Circumstances in the order of the loop's names."""


def missing(book: Rulebook, rules: PlayRules) -> Text | None:
    """What this table has that the loop does not; None where it can be played."""
    table = rules.table
    if table.declares_ready or table.flower_wins or table.outer_discards or table.concealed_kong_robbed_by:
        return Text(
            "报听、花和、抢暗杠与十三幺打法", "declarations, wins by flowers or discards, robbed concealed kongs"
        )
    shapes = [SHAPES[name] for name in book.shapes]
    if any(shape.sets is None and (shape.whole is None or not shape.whole.bare) for shape in shapes):
        return Text("这种和牌形", "shapes of this kind")
    return None


def loops_text(shapes: tuple[str, ...]) -> str:
    """The loops, for hands that wait for these shapes, as text that Python runs."""
    symbols = Symbols()
    found: Any = symbols.const(0)
    before = symbols.planes._replace(luck=WHATEVER)
    for shape in (SHAPES[name] for name in shapes):
        if shape.whole is not None:
            waits, _ = shape.waits(before)  # type: ignore[arg-type]  # stands in for thirteen tiles
            found = found | waits
    lines, (result,) = written([found if isinstance(found, Symbol) else symbols.const(int(found))])
    body = "".join(f"    {line}\n" for line in lines)
    loops = "\n\n".join(_OWN_IMPORTS.sub("", inspect.getsource(module)) for module in MODULES)
    return f"{loops}\n\ndef whole_waits(t1, t2, t3, t4):\n{body}    return {result}\n"


@cache
def compiled(shapes: tuple[str, ...]) -> CachedCode:
    """The same as text for numba, without reference counts: the loops own no array."""
    digest = hashlib.sha256(inspect.getsource(numba_loops).encode()).hexdigest()
    functions = {name for module in MODULES for name, what in vars(module).items() if inspect.isfunction(what)}
    made = "".join(
        f"{name} = numba.njit(_nrt=False, error_model='numpy'{', cache=True' if name in _LOOPS else ''})({name})\n"
        for name in sorted(functions)
    )
    return CachedCode("table", f"# {digest}\n{HEAD}{loops_text(shapes)}\n\n{made}")


def numbers_of(rules: PlayRules, size: int, round: int) -> Array:
    """A book's numbers for a wall of so many tiles, as the loop names them: int64 [17]."""
    table = rules.table
    plan = WallPlan.of(table, size)
    last = table.last_discard & table.claims
    numbers = [
        size, plan.dead, plan.feeds, table.flowers_replaced, table.kong_after_claim, table.kong_without_replacement,
        "chow" in table.claims, "pung" in table.claims, "kong" in table.claims, "chow" in last, "pung" in last,
        "kong" in last, table.last_discard >= table.claims, table.earthly == "first draw", table.heavenly_after_kong,
        rules.ready_value is not None, round,
    ]  # fmt: skip
    return np.array(numbers, np.int64)


def suits(shapes: tuple[str, ...]) -> tuple[Array, ...]:
    """The tables of suits and the ways to stand, as the loop takes them."""
    arrays = suit_arrays()
    return arrays.bits, arrays.five, arrays.start, arrays.end, arrays.lookup, ways_to_stand(shapes)

"""The loops of `tables.loop` as machine code for all books, and the context that they are passed. No plain twin."""

from __future__ import annotations

import ast
import hashlib
import inspect
from copy import deepcopy
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.errors import Text
from quepu.fast.compiled.code_cache import MachineCode, loops_text
from quepu.fast.nearest import distance, distance_exact, parts
from quepu.fast.nearest.distance_code import distance_tables
from quepu.fast.plan import Report, compile_book, plan_of
from quepu.fast.tables import (
    aims,
    choices,
    columns,
    effects,
    gain,
    loop,
    memory,
    mersenne,
    plain,
    special_shapes,
    tiles,
)
from quepu.hands.hand import Luck
from quepu.rules.play_rules import PlayRules, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES
from quepu.table.wall import WallPlan

Array = NDArray[Any]
_LUCK = (
    Luck.SELF_DRAW, Luck.KONG_DRAW, Luck.TWO_KONGS, Luck.THREE_KONGS, Luck.LAST_DRAW, Luck.LAST_DISCARD,
    Luck.ROBBED_KONG, Luck.HEAVENLY, Luck.EARTHLY, Luck.HUMANLY, Luck.FIRST_ROUND, Luck.FOURTH_TILE, Luck.FRESH_TILE,
    Luck.SEVEN_FLOWERS, Luck.EIGHT_FLOWERS, Luck.ROBBED_FLOWER, Luck.OUTER_DISCARDS, Luck.READY_AT_DEAL,
    Luck.READY_AT_FIRST, Luck.FIRST_CHANCE,
)  # fmt: skip
"""Circumstances in the order of the loop's names."""
_UNKNOWN = Text("这种和牌形", "shapes of this kind")
_LIGHT = frozenset(("record", "option", "bit_of", "add_tile", "take_tile", "may_win", "rank_of"))
"""Functions that take no longer than a call."""
_WORD = "int64"


def missing(book: Rulebook) -> Text | None:
    """Return what this book has that the loop does not know; None where it can be played."""
    shapes = [SHAPES[name] for name in book.shapes]
    rules = play_rules(book)
    if rules.table.most_winners > 1:
        return Text("几家同和一张牌", "several winners on one tile")
    if rules.liable is not None:
        return Text("包", "liability for a whole hand")
    if rules.table.flowers_held:
        return Text("花牌留在手里", "flowers held in the hand")
    bare = all(shape.whole.bare or shape.boundless for shape in shapes if shape.whole)
    two = all(shape.fours.number == 2 for shape in shapes if shape.fours)
    return None if bare and two and distance_tables(book.shapes) is not None else _UNKNOWN


class _WrittenOut(ast.NodeTransformer):
    """Puts the numbers of `columns` and the expressions of `memory` where they are named: calls return no array."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[list[str], ast.expr]] = {}
        for function in ast.parse(inspect.getsource(memory)).body:
            last = function.body[-1] if isinstance(function, ast.FunctionDef) else None
            if isinstance(function, ast.FunctionDef) and isinstance(last, ast.Return) and last.value is not None:
                self._made[function.name] = [one.arg for one in function.args.args], self.visit(last.value)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id == "c":
            return ast.Constant(getattr(columns, node.attr))
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id not in self._made:
            return node
        names, made = self._made[node.func.id]
        found: ast.expr = _Given(dict(zip(names, node.args, strict=True))).visit(deepcopy(made))
        return found


class _Given(ast.NodeTransformer):
    """Puts the arguments of a call in place of a function's parameters."""

    def __init__(self, given: dict[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._given.get(node.id, node)


def _machine_code(stem: str, modules: tuple[ModuleType, ...], signatures: dict[str, str]) -> MachineCode:
    digest = hashlib.sha256("".join(map(inspect.getsource, (columns, memory))).encode()).hexdigest()
    text = loops_text(modules, signatures, _LIGHT.__contains__)
    return MachineCode(stem, f"# {digest}\n{text}", signatures, _write_out)


def _write_out(text: str) -> str:
    return ast.unparse(_WrittenOut().visit(ast.parse(text)))


@cache
def tables_code() -> MachineCode:
    """Return the loop over tables, for all books."""
    modules = distance, parts, distance_exact, mersenne, tiles, effects, plain, choices, loop
    return _machine_code("tables", modules, {"run": _signature(1), "seed_all": _signature(4)})


@cache
def gain_code() -> MachineCode:
    """Return the choices of the bot `gain`, which the loop over tables calls by their addresses."""
    modules = distance, mersenne, plain, aims, special_shapes, gain
    return _machine_code(
        "gain", modules, {"gain_turn": _signature(3), "gain_claim": _signature(5), "gain_draws": _signature(6)}
    )


def _signature(arguments: int) -> str:
    return f"{_WORD}({', '.join([_WORD] * arguments)})"


_COMPILING = (
    Text("编译牌桌（每台机器一次，约十秒）", "compiling tables (once per machine, about ten seconds)"),
    Text("编译机器人 gain（每台机器一次，约十秒）", "compiling the bot gain (once per machine, about ten seconds)"),
)


def compiled_before(book: Rulebook, with_gain: bool) -> bool:
    """Report whether all code for tables of a book was compiled before, in this process or another."""
    scorer = plan_of(book).scorer
    codes = [tables_code(), *([gain_code()] if with_gain else [])]
    return scorer is not None and scorer.compiled(fans=False) and all(code.there for code in codes)


def compile_tables(book: Rulebook, with_gain: bool, report: Report | None = None) -> None:
    """Compile the loops, or load them from the cache, and a book's conditions: who may win is asked of many at once.

    report: called before each step where something has to be compiled.
    """
    compile_book(book, fans=False, report=report)
    codes = [tables_code(), *([gain_code()] if with_gain else [])]
    for done, (code, text) in enumerate(zip(codes, _COMPILING, strict=False)):
        if report is not None and not code.there:
            report(text, done, len(codes))
        code.load()


def numbers_of(rules: PlayRules, size: int, round: int) -> Array:
    """Return a book's numbers for a wall of so many tiles, as the loop names them: int64 [22]."""
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


def book_entries(book: Rulebook, rules: PlayRules) -> dict[int, Any]:
    """Return the entries of a context that a book needs whatever bots play."""
    tables = distance_tables(book.shapes, rules.table.tiles)
    if tables is None:
        raise TypeError(book.id)
    return {
        columns.AT_LUCK: np.array([int(bit) for bit in _LUCK], np.int64),
        columns.FAR: tables.address,
        columns.AT_OPTIONS: np.zeros((4, columns.MOST_OPTIONS, 3), np.int64),
        columns.AT_OPTION_NUMBERS: np.zeros(4, np.int64),
    } | {name: np.zeros(columns.KINDS, np.int64) for name in (columns.AT_HELD, columns.AT_LACKS, columns.AT_UNSEEN)}


def context_of(entries: dict[int, Any]) -> Array:
    """Return the words of a context; the arrays have to live as long as it."""
    words = np.zeros((columns.ENTRIES, columns.ENTRY_WORDS), np.int64)
    for name, value in entries.items():
        if isinstance(value, np.ndarray):
            if not value.flags.c_contiguous:
                raise ValueError(f"entry {name} is not in C order")
            words[name, 0] = value.ctypes.data
            shape = value.shape[: columns.ENTRY_WORDS - 1]
            words[name, 1 : 1 + len(shape)] = shape
        else:
            words[name, 0] = value
    return words

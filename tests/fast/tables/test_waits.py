"""Waits at compiled tables are the plain ones, with melds, kongs, four of a kind and near special shapes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from quepu.fast.tables import FastTables, code, columns, fast_tables, walls
from quepu.fast.tables.tiles import ANY_LUCK, NO_LUCK
from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.shapes import SHAPES
from quepu.shapes.readings import wait_planes
from quepu.table.ready import WHATEVER
from quepu.tiles import KINDS
from tests.fast_loops import interpret_tables
from tests.interpreted import FUNCTIONS, interpreted

Held = tuple[tuple[int, ...], tuple[Meld, ...]]


@cache
def loops() -> dict[str, Any]:
    """Return the functions of compiled tables as Python runs them."""
    interpreted(code.tables_code.__wrapped__())
    run = FUNCTIONS[-1]
    assert isinstance(run, FunctionType)
    return run.__globals__


def hands(rules: Rulebook, n: int, seed: int) -> Iterator[Held]:
    """Yield hands that lack a tile of a win, of special shapes and of many fours, some with tiles exchanged."""
    rng = random.Random(seed)
    for hand in wins(rules, n, seed):
        for exchanged in range(3):
            concealed = list(hand.concealed)
            for _ in range(exchanged):
                concealed[rng.randrange(len(concealed))] = rng.randrange(KINDS)
            yield tuple(concealed), hand.melds
    for shape in (SHAPES[name] for name in rules.shapes if not SHAPES[name].boundless):
        for _ in range(n // 4):
            tiles = [kind for part in shape.sample(rng) for kind in part]
            tiles.pop(rng.randrange(len(tiles)))
            yield tuple(tiles), ()
            for kind, copies in Counter(tiles).items():
                if copies == 3:
                    rest = tuple(tile for tile in tiles if tile != kind)
                    yield rest, (Meld(rng.choice((MeldKind.PUNG, MeldKind.KONG, MeldKind.CONCEALED_KONG)), kind),)
    for _ in range(n):
        tiles, first = [], rng.choice((0, 9, 18))
        while len(tiles) < 13:
            kind = first + rng.randrange(9) if rng.random() < 0.6 else rng.randrange(KINDS)
            tiles += [kind] * min(rng.choice((1, 2, 3, 4, 4)), 13 - len(tiles), 4 - tiles.count(kind))
        yield tuple(tiles), ()


@pytest.mark.parametrize("n", [4, pytest.param(120, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ["lingque-29", "lingque-26", "yuque-54", "guobiao-mcr", "canton"])
def test_waits_at_compiled_tables_are_the_plain_ones(name: str, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    interpret_tables(monkeypatch)
    rules = book(name)
    tables = FastTables(rules, walls(rules, 1), np.zeros((1, 4), np.int64))
    entries = tables._entries()
    context = fast_tables.context_of(entries)
    ready = Counter[bool]()
    for concealed, melds in hands(rules, n, n):
        if max(Counter([*concealed, *(kind for meld in melds for kind in meld.tiles)]).values()) > 4:
            continue
        tables._counts[0, 0] = np.bincount(concealed, minlength=columns.ALL_KINDS)
        tables._melds[0, 0] = 0
        for at, meld in enumerate(melds):
            tables._melds[0, 0, at, :2] = meld.kind, meld.tile
        tables._of_seat[0, 0, columns.MELDS] = len(melds)
        for luck, same in ((ANY_LUCK, WHATEVER), (NO_LUCK, 0)):
            found = loops()["waits_of"](context.ctypes.data, 0, 0, luck)
            hand = Hand(concealed, melds, luck=same)
            assert found == wait_planes(hand, rules.shapes)[0], hand
            ready[found != 0] += 1
    assert min(ready[True], ready[False]) >= n

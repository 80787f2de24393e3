"""Many hands at once: `score_many` on arrays of tile counts, one core; beside PyMahjongGB on the same MCR hands.

The hands are random legal wins of mixed rarity (`scoring.samples`) with melds, kongs, seats and circumstances, seeded.
Both score the same list in the same run; hands are given to either in the form it takes fastest (arrays; prepared
tuples), and the totals are compared hand by hand before anything is timed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from rows import Row, seconds

from quepu.batch import Scores, Wins, from_hands, score_many
from quepu.fast.compiled.code_cache import installed
from quepu.hands.hand import Hand, Luck, MeldKind
from quepu.rulebooks import book, book_ids
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins

HANDS = 40_000
TILES = (*(f"{'WBT'[k // 9]}{k % 9 + 1}" for k in range(27)), "F1", "F2", "F3", "F4", "J1", "J2", "J3")
PACKS = {MeldKind.CHOW: "CHI", MeldKind.PUNG: "PENG", MeldKind.KONG: "GANG", MeldKind.CONCEALED_KONG: "GANG"}


def measure() -> Iterator[Row]:
    """One row a book, and the peer; with numba (the extra `fast`) where it is installed."""
    ways = (False, True) if installed() else (False,)
    for fast in ways:
        yield from _beside_the_peer(fast)
    for name in book_ids():
        rules = book(name).having()  # a value of its own, for which nothing is compiled yet
        hands = from_hands(list(wins(rules, HANDS, seed=20261121)))
        for fast in ways:  # first without: what is compiled stays with the book
            how = "numba" if fast else "numpy"
            warm = seconds(partial(_many, rules, hands, fast), 5)
            yield Row(f"{name}: score_many, arrays to points, {how}", _rate(warm, hands.n))


def _many(rules: Rulebook, hands: Wins, fast: bool) -> Scores:
    return score_many(hands.counts, rules, fans=False, reading=False, fast=fast, **_given(hands))


def _given(hands: Wins) -> dict[str, Any]:
    return {
        "melds": hands.meld_array, "winning": hands.winning, "seat": hands.seat_kind, "round": hands.round_kind,
        "luck": hands.given_luck, "flowers": hands.flowers,
    }  # fmt: skip


def _rate(spent: float, n: int) -> str:
    return f"{spent / n * 1e6:.2f} µs ({n / spent:,.0f}/s)"


def _question(hand: Hand) -> tuple[object, ...]:
    """The arguments of PyMahjongGB's calculator, made beforehand."""
    packs = tuple(
        (PACKS[m.kind], TILES[m.tile + (m.kind == MeldKind.CHOW)], 0 if m.kind == MeldKind.CONCEALED_KONG else 1)
        for m in hand.melds
    )
    luck = Luck(hand.luck)
    return (
        packs, tuple(TILES[k] for k in hand.concealed), TILES[hand.winning or 0], hand.flower_count, hand.self_draw,
        bool(luck & Luck.FOURTH_TILE), bool(luck & (Luck.KONG_DRAW | Luck.ROBBED_KONG)),
        bool(luck & (Luck.LAST_DRAW | Luck.LAST_DISCARD)), hand.seat - 27, hand.round - 27,
    )  # fmt: skip


def _beside_the_peer(fast: bool) -> Iterator[Row]:
    from MahjongGB import MahjongFanCalculator

    rules = book("guobiao-mcr")
    hands = list(wins(rules, HANDS, seed=20261121))
    questions = [_question(hand) for hand in hands]

    def theirs() -> list[int]:
        return [sum(row[0] * row[1] for row in MahjongFanCalculator(*question, True)) for question in questions]

    def bare() -> None:
        for question in questions:
            MahjongFanCalculator(*question)

    arrays = from_hands(hands)
    ours = score_many(arrays.counts, rules, fast=fast, **_given(arrays))
    different = int((ours.total != np.array(theirs())).sum())
    how = "numba" if fast else "numpy alone"
    bare()
    spent = seconds(bare)
    if not fast:
        yield Row(f"PyMahjongGB ({len(hands)} hands, tuples made beforehand)", _rate(spent, len(hands)))
    for what, wanted in (("arrays to points", False), ("points and all fan counts", True)):

        def mine(wanted: bool = wanted) -> Scores:
            return score_many(arrays.counts, rules, fans=wanted, reading=False, fast=fast, **_given(arrays))

        taken = seconds(mine, 7)
        yield Row(
            f"guobiao-mcr, the same hands: score_many, {what}, {how}",
            _rate(taken, len(hands)),
            f"{spent / taken:.1f} × PyMahjongGB in the same run; totals differ on {different} of {len(hands)} hands",
        )

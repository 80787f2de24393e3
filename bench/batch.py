"""Many hands at once: `score_many` on arrays of tile counts, one core; beside PyMahjongGB on the same MCR hands.

The hands are random legal wins of mixed rarity (`quepu.generate`) with melds, kongs, seats and circumstances, seeded.
Both score the same list in the same run; hands are given to either in the form it takes fastest (arrays; prepared
tuples), and the totals are compared hand by hand before anything is timed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from rows import Row, seconds

from quepu.batch import Engine, Wins, from_hands
from quepu.batch.many import CHUNK, score_many
from quepu.generate import wins
from quepu.hand import Hand, Luck, MeldKind
from quepu.rulebooks import book, book_ids

TITLE = "Many hands at once, one core"
HANDS = 40_000
TILES = (*(f"{'WBT'[k // 9]}{k % 9 + 1}" for k in range(27)), "F1", "F2", "F3", "F4", "J1", "J2", "J3")
PACKS = {MeldKind.CHOW: "CHI", MeldKind.PUNG: "PENG", MeldKind.KONG: "GANG", MeldKind.CONCEALED_KONG: "GANG"}


def measure() -> Iterator[Row]:
    """One row a book, and the peer."""
    yield from _beside_the_peer()
    for name in book_ids():
        rules = book(name)
        hands = from_hands(list(wins(rules, HANDS, seed=20261121)))
        engine = Engine(rules)
        _run(engine, hands)
        warm = seconds(lambda engine=engine, hands=hands: _run(engine, hands))
        cold = seconds(lambda rules=rules, hands=hands: _run(Engine(rules), hands), 1)
        yield Row(f"{name}: arrays to points", _rate(warm, hands.n), f"{cold / hands.n * 1e6:.1f} µs the first time")


def _run(engine: Engine, hands: Wins) -> list[int]:
    return [int(engine.score(hands.part(at, at + CHUNK), fans=False).points.sum()) for at in range(0, hands.n, CHUNK)]


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


def _beside_the_peer() -> Iterator[Row]:
    from MahjongGB import MahjongFanCalculator

    rules = book("guobiao-mcr")
    hands = list(wins(rules, HANDS, seed=20261121))
    asked = [_question(hand) for hand in hands]

    def theirs() -> list[int]:
        return [sum(row[0] * row[1] for row in MahjongFanCalculator(*question, True)) for question in asked]

    def bare() -> None:
        for question in asked:
            MahjongFanCalculator(*question)

    arrays = from_hands(hands)
    given = {
        "melds": arrays.meld_array, "winning": arrays.winning, "seat": arrays.seat_kind, "round": arrays.round_kind,
        "luck": arrays.given_luck, "flowers": arrays.flowers,
    }  # fmt: skip
    ours = score_many(arrays.counts, rules, fans=False, reading=False, **given).total
    different = int((ours != np.array(theirs())).sum())
    spent = seconds(bare)
    yield Row(f"PyMahjongGB ({len(hands)} hands, tuples made beforehand)", _rate(spent, len(hands)))
    mine = seconds(lambda: score_many(arrays.counts, rules, fans=False, reading=False, **given))
    yield Row(
        "guobiao-mcr, the same hands: score_many, arrays to points",
        _rate(mine, len(hands)),
        f"{spent / mine:.1f} × PyMahjongGB; totals differ on {different} of {len(hands)} hands",
    )
    with_fans = seconds(lambda: score_many(arrays.counts, rules, reading=False, **given))
    yield Row("guobiao-mcr, the same hands: points and all fan counts", _rate(with_fans, len(hands)),
              f"{spent / with_fans:.1f} × PyMahjongGB")  # fmt: skip

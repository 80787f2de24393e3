"""Settlements by functions of their own, written from the books' sentences and not from `play.py`."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from quepu.match import settle
from quepu.rulebooks import book
from quepu.rules.play_rules import Ending, play_rules

Totals = tuple[list[int], int]
"""What each seat and the pool gain."""


def to_winner(winner: int, owed: dict[int, int]) -> Totals:
    seats = [0, 0, 0, 0]
    for payer, points in owed.items():
        seats[payer] -= points
        seats[winner] += points
    return seats, 0


def lingque(ending: Ending) -> Totals:
    """三乙: 3p/2 each, or 2p and p; four tiles from one player: half of the others' debts, five: all of them."""
    winner, p = ending.winner, ending.points
    assert winner is not None
    owed = {seat: 3 * p // 2 if ending.self_draw else p for seat in range(4) if seat != winner}
    if ending.discarder is not None:
        owed[ending.discarder] += p
    for giver, tiles in enumerate(ending.supplied):
        if tiles >= 4:
            for seat in set(owed) - {giver}:
                left = 0 if tiles >= 5 else owed[seat] // 2
                owed[giver] += owed[seat] - left
                owed[seat] = left
    return to_winner(winner, owed)


def guobiao(ending: Ending) -> Totals:
    """Eight from each, and the fan from each or from the discarder."""
    assert ending.winner is not None
    owed = {seat: 8 for seat in range(4) if seat != ending.winner}
    for seat in owed:
        if ending.self_draw or seat == ending.discarder:
            owed[seat] += ending.points
    return to_winner(ending.winner, owed)


def canton(ending: Ending) -> Totals:
    """The fan from each, or from the discarder alone; the dealer pays one more."""
    assert ending.winner is not None
    paying = [ending.discarder] if ending.discarder is not None else [s for s in range(4) if s != ending.winner]
    return to_winner(ending.winner, {seat: ending.points + (seat == 0) for seat in paying if seat is not None})


def yuque(ending: Ending) -> Totals:
    """All with the pool: p, half of the own p of who is ready, minus a half or a sixth of the winner's p."""
    seats = [0, 0, 0, 0]
    for seat in range(4):
        if seat == ending.winner:
            seats[seat] = ending.points
            continue
        worth = ending.ready[seat]
        seats[seat] += round(Fraction(worth, 2)) if worth is not None else 0
        if ending.self_draw:
            seats[seat] -= round(Fraction(ending.points, 6))
        elif seat == ending.discarder:
            seats[seat] -= round(Fraction(ending.points, 2))
    return seats, -sum(seats)


BY_BOOK: dict[str, Callable[[Ending], Totals]] = {
    "lingque-29": lingque, "lingque-26": lingque, "guobiao": guobiao, "guobiao-mcr": guobiao, "canton": canton,
    "yuque-54": yuque,
}  # fmt: skip


def endings(name: str, n: int, seed: int) -> list[Ending]:
    """Won hands that can be: points as the book has them, melds claimed from anybody, ready hands for 玉雀."""
    rng = random.Random(seed)
    made = []
    for _ in range(n):
        winner = rng.randrange(4)
        others = [seat for seat in range(4) if seat != winner]
        discarder = rng.choice([None, *others])
        supplied = [0, 0, 0, 0]
        melds = rng.randrange(5)
        one = rng.choice(others)
        for _ in range(melds):
            supplied[one if rng.random() < 0.7 else rng.choice(others)] += 1
        if discarder is not None:
            supplied[discarder] += 1
        points = rng.randrange(10, 900)
        ready: list[int | None] = [None] * 4
        if name.startswith("lingque"):
            points -= points % 2
        elif name.startswith("yuque"):
            points = rng.randrange(60) ** 2
            for seat in others:
                ready[seat] = rng.choice([None, rng.randrange(40) ** 2])
        made.append(
            Ending(
                winner, points, discarder is None, discarder,
                supplied=(supplied[0], supplied[1], supplied[2], supplied[3]),
                ready=(ready[0], ready[1], ready[2], ready[3]),
            )
        )  # fmt: skip
    return made


def compare(name: str, n: int, seed: int) -> None:
    rulebook = book(name)
    rules = play_rules(rulebook)
    for ending in endings(name, n, seed):
        made = settle(ending, rulebook, rules)
        assert (list(made.seats), made.pool) == BY_BOOK[name](ending), ending


@pytest.mark.parametrize("name", BY_BOOK)
def test_settlements(name: str) -> None:
    compare(name, 1000, 81)


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_BOOK)
def test_a_hundred_thousand_settlements(name: str) -> None:
    compare(name, 100_000, 82)

"""Settlements by functions of their own, written from the books' sentences and not from `play.py`."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest

from quepu.hands.hand import Luck
from quepu.match import settle
from quepu.rulebooks import book, readings
from quepu.rules.play_rules import Ending, SeatWin, play_rules
from quepu.rules.rulebook import Rulebook
from tests.books import PLAYED

Totals = tuple[list[int], int]
"""What each seat and the pool gain."""
House = Mapping[str, Any]
"""The options that a house chose."""


def to_winner(winner: int, owed: Mapping[int, int]) -> Totals:
    seats = [0, 0, 0, 0]
    for payer, points in owed.items():
        seats[payer] -= points
        seats[winner] += points
    return seats, 0


def lingque(ending: Ending, _house: House) -> Totals:
    """三乙: 3p/2 each, or 2p and p; four tiles from one player: half of the others' debts, five: all of them."""
    if not ending.winners:
        return [0, 0, 0, 0], 0
    winner, p, supplied, *_ = ending.winners[0]
    owed = {seat: 3 * p // 2 if ending.self_draw else p for seat in range(4) if seat != winner}
    if ending.discarder is not None:
        owed[ending.discarder] += p
    for giver, tiles in enumerate(supplied):
        if tiles >= 4:
            for seat in set(owed) - {giver}:
                left = 0 if tiles >= 5 else owed[seat] // 2
                owed[giver] += owed[seat] - left
                owed[seat] = left
    return to_winner(winner, owed)


def guobiao(ending: Ending, _house: House, most: int = 10**6) -> Totals:
    """Eight from each, and the fan from each or from the discarder."""
    if not ending.winners:
        return [0, 0, 0, 0], 0
    owed = {seat: 8 for seat in range(4) if seat != ending.winners[0].seat}
    for seat in owed:
        if ending.self_draw or seat == ending.discarder:
            owed[seat] += min(ending.winners[0].points, most)
    return to_winner(ending.winners[0].seat, owed)


def japan(ending: Ending, house: House) -> Totals:
    """No hand above 88."""
    return guobiao(ending, house, 88)


def units(fan: int, table: str) -> int:
    """Rulings, N35: the tables of Hong Kong, those in halves of the unit of 1 fan as written there."""
    if table == "doubling":
        return int(2 ** min(fan, 10))  # 0:0.5 1:1 2:2 3:4 4:8, then doubling on to 10
    if table == "half_doubling":  # after 8: 12 16 24 32 48 64, each by a half and by a third more in turn
        if fan <= 4:
            return int(2**fan)
        halves = Fraction(16)
        for step in range(5, min(fan, 10) + 1):
            halves *= Fraction(3, 2) if step % 2 else Fraction(4, 3)
        return int(halves)
    if table == "tiers_4_7_10":
        return 64 if fan >= 10 else 32 if fan >= 7 else 16 if fan >= 4 else int(2**fan)
    if table == "base_3_4_7_10":
        return 8 if fan >= 10 else 4 if fan >= 7 else 2 if fan >= 4 else 1 if fan == 3 else 0
    return fan


def canton(ending: Ending, house: House) -> Totals:
    """The fan from each, or from the discarder; the dealer pays one more; 明杠出冲包自摸 of three kongs in a row."""
    if not ending.winners:
        return [0, 0, 0, 0], 0
    winner, points, _, luck, *_ = ending.winners[0]
    as_drawn = ending.self_draw or luck & (Luck.SEVEN_FLOWERS | Luck.EIGHT_FLOWERS | Luck.OUTER_DISCARDS)
    way, owed = house.get("discard", "alone"), {}
    for seat in set(range(4)) - {winner}:
        fan = points + (seat == 0)
        once = units(min(fan, house["cap"]) if house.get("cap") else fan, house.get("payment", "linear"))
        if as_drawn:
            times = 2 if way in ("half", "full") else 1
        elif seat == ending.discarder:
            times = {"alone": 1, "double": 2, "for_three": 3, "half": 2, "full": 4}[way]
        else:
            times = 1 if way == "half" else 0
        owed[seat] = once * times * house.get("base", 1)
    feeder = ending.kong_feeder
    if as_drawn and luck & Luck.THREE_KONGS and feeder is not None and feeder != winner:
        owed = {feeder: sum(owed.values())}
    return to_winner(winner, owed)


def yuque(ending: Ending, house: House) -> Totals:
    """All with the pool: p, half of the own p of who is ready, minus a half or a sixth of the winner's p.

    By the other way, a self-drawn win gains a sixth more and nobody loses it. Who is not ready gets what was agreed.
    """
    seats = [0, 0, 0, 0]
    winner, p = (ending.winners[0].seat, ending.winners[0].points) if ending.winners else (None, 0)
    sixth, gains = round(Fraction(p, 6)), house.get("self_draw") == "winner_gains"
    for seat in range(4):
        if seat == winner:
            seats[seat] = round(Fraction(7 * p, 6)) if ending.self_draw and gains else p
            continue
        value = ending.ready[seat]
        seats[seat] += house.get("unready_quarter", 0) if value is None else round(Fraction(value, 2))
        if ending.winners and ending.self_draw:
            seats[seat] -= 0 if gains else sixth
        elif ending.winners and seat == ending.discarder:
            seats[seat] -= round(Fraction(p, 2))
    return seats, -sum(seats)


BY_BOOK: dict[str, Callable[[Ending, House], Totals]] = {
    "lingque-29": lingque, "lingque-26": lingque, "guobiao": guobiao, "guobiao-mcr": guobiao,
    "guobiao-mil-2025": guobiao, "guobiao-ema": guobiao, "guobiao-jmsa": japan, "canton": canton, "yuque-54": yuque,
}  # fmt: skip

CHOICES: dict[str, dict[str, tuple[Any, ...]]] = {
    "canton": {
        "payment": ("linear", "doubling", "half_doubling", "tiers_4_7_10", "base_3_4_7_10"),
        "discard": ("alone", "double", "for_three", "half", "full"),
        "base": (1, 2, 5, 10, 37),
        "cap": (0, 8, 10, 13, 50, 100, 7),
    },
    "yuque-54": {"self_draw": ("others_pay", "winner_gains"), "unready_quarter": (0, 1, 4, 25)},
}
"""What houses may settle otherwise."""


def houses(name: str, n: int, rng: random.Random) -> list[tuple[Rulebook, House]]:
    """The book as it is, and with other choices."""
    made: list[tuple[Rulebook, House]] = [(book(name), {})]
    for _ in range(n if name in CHOICES else 0):
        chosen = {key: rng.choice(choices) for key, choices in CHOICES[name].items()}
        made.append((book(name).having(id="house", options=chosen), chosen))
    return made


def ending_of(name: str, rng: random.Random) -> Ending:
    """A hand that can end so: drawn or won, melds claimed from anybody, a kong robbed, ready hands for 玉雀."""
    winner = rng.randrange(4) if rng.random() < 0.9 else None
    others = [seat for seat in range(4) if seat != winner]
    discarder = None if winner is None else rng.choice([None, *others])
    robbed = discarder is not None and rng.random() < 0.1
    supplied = [0, 0, 0, 0]
    one = rng.choice(others)
    for _ in range(rng.randrange(5) if winner is not None else 0):
        supplied[one if rng.random() < 0.7 else rng.choice(others)] += 1
    if discarder is not None:
        supplied[discarder] += 1
    points, luck, feeder = rng.randrange(10, 900), 0, None
    ready: list[int | None] = [None] * 4
    if name.startswith("lingque"):
        points -= points % 2
    elif name.startswith("yuque"):
        points = rng.randrange(60) ** 2
        for seat in others:
            ready[seat] = rng.choice([None, rng.randrange(40) ** 2])
    elif name == "canton":
        points = rng.choice([rng.randrange(14), rng.randrange(150)])
        if winner is not None and discarder is None:
            luck = int(rng.choice([0, Luck.THREE_KONGS, Luck.SEVEN_FLOWERS, Luck.EIGHT_FLOWERS, Luck.OUTER_DISCARDS]))
            feeder = rng.choice([None, *others])
    else:
        points = rng.choice([rng.randrange(8, 60), points])
    counts = supplied[0], supplied[1], supplied[2], supplied[3]
    wins = () if winner is None else (SeatWin(winner, points, counts, luck),)
    drawn = winner is not None and discarder is None
    return Ending(wins, drawn, discarder, robbed, feeder, (ready[0], ready[1], ready[2], ready[3]))


def compare(name: str, n: int, seed: int) -> None:
    rng = random.Random(seed)
    tables = houses(name, 40, rng)
    for i in range(n):
        rulebook, chosen = tables[i % len(tables)]
        ending = ending_of(name, rng)
        made = settle(ending, rulebook, play_rules(rulebook))
        assert (list(made.seats), made.pool) == BY_BOOK[name](ending, chosen), (ending, chosen)


def test_every_book_is_settled_here() -> None:
    assert set(BY_BOOK) == {*PLAYED, *(other.id for other in readings())}


@pytest.mark.parametrize("name", BY_BOOK)
def test_settlements(name: str) -> None:
    compare(name, 2000, 81)


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_BOOK)
def test_a_hundred_thousand_settlements(name: str) -> None:
    compare(name, 100_000, 82)

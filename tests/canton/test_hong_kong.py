"""Hong Kong's payments: curves, liability and several winners, confirmed by a second settlement written apart."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

import quepu
from quepu.errors import OverlayError
from quepu.hands.hand import Luck, Meld, MeldKind
from quepu.match import Match, SettleError, settle
from quepu.rulebooks import book
from quepu.rulebooks.canton.liability import find_liable
from quepu.rulebooks.canton.payment_tables import units
from quepu.rules.play_rules import Ending, SeatWin, WinFacts, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scorekeeper.hand_endings import read_ending
from quepu.scorekeeper.records import HandRecord, WonHand
from quepu.scorekeeper.transfers import Transfer, transfer_text
from quepu.table import Table, make_wall
from quepu.tiles import FLOWERED
from tests.table.players import play

CANTON = book("canton")
PRINTED = {  # portions by fan, 0 to 13, as public tables print them (rulings, Hong Kong)
    "half_spicy": (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384),
    "full_spicy": (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192),
    "tiers_4_7_10": (1, 2, 4, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64, 64),
    "4-7-10": (1, 2, 4, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64, 64),
    "4-6-8": (1, 2, 4, 8, 16, 16, 32, 32, 64, 64, 64, 64, 64, 64),
    "tiers_5_7_10": tuple(2 * Fraction(n) for n in ("1/2", 2, 4, 8, 16, 32, 32, 64, 64, 64, 128, 128, 128, 128)),
}


def house(**options: Any) -> Rulebook:
    return CANTON.having(id="hong-kong", options=options)


@pytest.mark.parametrize("table", PRINTED)
def test_payment_tables_as_printed(table: str) -> None:
    assert [units(house(payment=table), fan) for fan in range(14)] == list(PRINTED[table])
    assert units(house(payment=table), 40) == PRINTED[table][13]
    assert units(house(payment=table, cap=8), 12) == PRINTED[table][8]


@pytest.mark.parametrize("wrong", ["4-4-8", "8-4", "4-", "0-4", "4-21", "four"])
def test_thresholds_that_cannot_be(wrong: str) -> None:
    with pytest.raises(OverlayError, match="payment 应是"):
        house(payment=wrong)


# ---- who is liable

C, F, P = 31, 32, 33


def facts(*melds: tuple[str, int, int | None], **more: Any) -> WinFacts:
    kinds = {"chow": MeldKind.CHOW, "pung": MeldKind.PUNG, "kong": MeldKind.KONG, "own": MeldKind.CONCEALED_KONG}
    return WinFacts(0, tuple((Meld(kinds[kind], tile), giver) for kind, tile, giver in melds), **more)


FOUR = (("chow", 0, 3), ("pung", 13, 1), ("kong", 27, 2), ("pung", 5, 1))


def test_twelve_tiles() -> None:
    rules = house(bao_twelve="any")
    assert find_liable(rules, facts(*FOUR)) == 1
    assert find_liable(rules, facts(*FOUR[:3])) is None
    assert find_liable(rules, facts(*FOUR[:3], ("own", 5, None))) is None
    only = house(bao_twelve="flush")
    assert find_liable(only, facts(*FOUR)) is None  # two suits, and not only terminals
    assert find_liable(only, facts(("chow", 0, 3), ("pung", 5, 1), ("kong", 27, 2), ("pung", 8, 2))) == 2
    assert find_liable(only, facts(("pung", 0, 3), ("pung", 9, 1), ("kong", 27, 2), ("pung", 26, 3))) == 3
    assert find_liable(house(bao_dragons=True), facts(*FOUR)) is None


def test_dragons_and_winds() -> None:
    rules = house(bao_dragons=True, bao_winds=True)
    dragons = (("pung", C, 1), ("kong", F, 2), ("pung", P, 3))
    assert find_liable(rules, facts(*dragons)) == 3
    assert find_liable(rules, facts(*dragons[:2])) is None
    assert find_liable(rules, facts(*dragons[:2], ("own", P, None))) is None  # nobody gave the last one
    assert find_liable(rules, facts(("own", P, None), *dragons[:2])) == 2
    winds = tuple(("pung", 27 + n, 1 + n % 3) for n in range(4))
    assert find_liable(rules, facts(*winds)) == 1
    assert find_liable(rules, facts(*winds[:3])) is None
    assert find_liable(house(bao_dragons=True), facts(*winds)) is None
    # the set made last decides where two rules hold
    both = house(bao_dragons=True, bao_twelve="any")
    assert find_liable(both, facts(*dragons, ("chow", 0, 2))) == 2


def test_four_kongs() -> None:
    rules = house(bao_kongs=True)
    kongs = (("kong", 3, 1), ("kong", 12, 2), ("kong", 30, 3))
    assert find_liable(rules, facts(*kongs, ("kong", C, 2))) == 2
    assert find_liable(rules, facts(*kongs)) is None
    assert find_liable(rules, facts(*kongs, ("own", C, None))) is None
    assert find_liable(rules, facts(*kongs, ("pung", C, 2))) is None
    assert find_liable(house(bao_dragons=True), facts(*kongs, ("kong", C, 2))) is None


@pytest.mark.parametrize(
    ("hand", "liable"),
    [
        ("3455m(123m)(777m)(999m)+5m", 2),
        ("5m(123m)(777m)(999m)(4444m)+5m", 2),
        ("3455m(123m)(777m)[9999m]+5m", None),  # a concealed kong is not open
        ("3455m(123m)(777m)(CCC)+5m", None),  # no flush
        ("11123m55m(777m)(999m)+5m", None),  # two sets are open
        ("NN(EEE)(SSS)(WWW)CC+C", None),  # honours are no suit
    ],
)
def test_nine_tiles(hand: str, liable: int | None) -> None:
    rules = house(bao_nine=True)
    won = quepu.parse(hand)
    told = WinFacts(0, tuple((meld, 1) for meld in won.melds), 2, 30, 0, won)
    assert find_liable(rules, told) == liable
    assert find_liable(rules, told._replace(discarder=None)) is None
    assert find_liable(rules, told._replace(hand=None)) is None
    assert find_liable(house(bao_last=True), told) is None


@pytest.mark.parametrize(("on", "liable"), [(True, 0), (False, None)])
def test_the_scorekeeper_finds_nine_tiles(on: bool, liable: int | None) -> None:
    """The hand is entered with its tiles; who gave the open sets need not be known."""
    match = Match(house(bao_nine=on, minimum=0), ("A", "B", "C", "D"))
    record = HandRecord(winner=1, discarder=0, tiles=WonHand(hand="4456p(123p)(777p)(999p)+7p"))
    (win,) = read_ending(match, record, frozenset()).ending.winners
    assert win.liable == liable


def test_without_the_dealers_fan_nobody_pays_more() -> None:
    """Hong Kong's old style has no such fan: the dealer wins and loses like any other."""
    plain = house(dealer_counts=False)
    assert seats(plain, Ending((SeatWin(2, 3),), self_draw=True)) == (-3, -3, 9, -3)
    assert seats(house(), Ending((SeatWin(2, 3),), self_draw=True)) == (-4, -3, 10, -3)
    hand = "123m456p789sCCEE+E"
    assert quepu.score(hand, CANTON, seat="E").total == quepu.score(hand, plain, seat="E").total + 1
    assert quepu.score(hand, CANTON, seat="S").total == quepu.score(hand, plain, seat="S").total
    assert house(dealer_counts=True).fingerprint == CANTON.fingerprint


def test_the_last_five_tiles() -> None:
    rules = house(bao_last=True)
    assert find_liable(rules, facts(discarder=2, left=5)) == 2
    assert find_liable(rules, facts(discarder=2, left=6)) is None
    assert find_liable(rules, facts(discarder=2, left=0, seen=1)) is None
    assert find_liable(rules, facts(discarder=2)) is None
    assert find_liable(house(bao_dragons=True), facts(discarder=2, left=5)) is None


def test_without_an_option_there_is_no_liability() -> None:
    assert play_rules(CANTON).liable is None
    assert play_rules(house(bao_twelve="off")).liable is None
    assert house(bao_twelve="off", bao_last=False).fingerprint == CANTON.fingerprint


# ---- who pays


def seats(rules: Rulebook, ending: Ending) -> tuple[int, ...]:
    return settle(ending, rules, play_rules(rules)).seats


def test_the_guarantor_pays_for_all() -> None:
    half = {"discard": "half", "payment": "half_spicy", "bao_twelve": "any"}
    drawn = Ending((SeatWin(2, 3, liable=1),), self_draw=True)
    assert seats(house(**half), drawn) == (0, -(16 * 2 + 8 * 2 + 8 * 2), 64, 0)  # East owes for a fan more
    by_himself = Ending((SeatWin(2, 3, liable=1),), discarder=1)
    assert seats(house(**half), by_himself) == (0, -(8 * 2 + 16 + 8), 40, 0)
    by_another = Ending((SeatWin(2, 3, liable=1),), discarder=3)
    assert seats(house(**half), by_another) == (-16, -8, 40, -16)
    assert seats(house(**half, bao_discard="guarantor"), by_another) == (0, -40, 40, 0)
    assert seats(house(**half, bao_discard="both"), by_another) == (-16, -16, 48, -16)


@pytest.mark.parametrize("liable", [0, 2, 4])
def test_an_impossible_guarantor_is_refused(liable: int) -> None:
    ending = Ending((SeatWin(2, 3, liable=liable), SeatWin(0, 3)), discarder=1)
    with pytest.raises(SettleError, match="包的应是没有和的一家"):
        seats(house(winners=2, bao_twelve="any"), ending)


# ---- a second settlement

SHARES = {"alone": (1, 1, 0), "double": (1, 2, 0), "for_three": (1, 3, 0), "half": (2, 2, 1), "full": (2, 4, 0)}
"""Shares of the units: each for a self-draw, the discarder, each of the other two."""
AS_DRAWN = Luck.SEVEN_FLOWERS, Luck.EIGHT_FLOWERS, Luck.OUTER_DISCARDS
"""Wins that are paid as self-draws (花糊, 八仙过海, 流局十番)."""


def portion(fan: int, rules: dict[str, Any]) -> int:
    """By the printed tables, the rows of which end at 13."""
    fan = min(fan, rules["cap"] or fan)
    table = rules["payment"]
    return fan if table == "linear" else int(PRINTED[table][min(fan, 13)])


def second(ending: Ending, rules: dict[str, Any]) -> list[int]:
    """Fill a table of debts first, seat by seat, then move debts to guarantors, then add up."""
    debts = {(payer, win.seat): 0 for payer in range(4) for win in ending.winners}
    won = {win.seat for win in ending.winners}
    shares = SHARES[rules["discard"]]
    for win in ending.winners:
        for payer in set(range(4)) - won:
            fan = win.points + (1 if payer == 0 else 0)
            times = shares[0] if ending.discarder is None else shares[1] if payer == ending.discarder else shares[2]
            if win.liable == payer != ending.discarder is not None and rules["bao_discard"] == "both":
                times = shares[1]
            debts[payer, win.seat] = portion(fan, rules) * times * rules["base"]
        third = ending.discarder is not None and win.liable != ending.discarder
        guarantor = win.liable if not third or rules["bao_discard"] == "guarantor" else None
        if win.luck & Luck.THREE_KONGS and ending.kong_feeder is not None:
            guarantor = ending.kong_feeder  # 明杠出冲包自摸
        if guarantor is not None:
            whole = sum(debts[payer, win.seat] for payer in range(4))
            for payer in range(4):
                debts[payer, win.seat] = whole if payer == guarantor else 0
    totals = [0] * 4
    for (payer, payee), owed in debts.items():
        totals[payer] -= owed
        totals[payee] += owed
    return totals


def random_houses(rng: random.Random) -> list[tuple[dict[str, Any], Rulebook]]:
    """Houses with every kind of table, share, base, cap, stake and liability."""
    houses = []
    for _ in range(120):
        options = {
            "payment": rng.choice(["linear", *PRINTED]), "discard": rng.choice(list(SHARES)),
            "base": rng.choice([1, 2, 5, 25]), "cap": rng.choice([0, 8, 10, 13]), "winners": rng.choice([1, 2, 3]),
            "winners_order": rng.choice(["turn", "fan"]), "winners_dealer": rng.choice(["any", "first", "never"]),
            "bao_twelve": "any", "bao_discard": rng.choice(["discarder", "guarantor", "both"]),
            "stake": rng.choice(["1/4", "1/2", "1"]),
        }  # fmt: skip
        houses.append((options, house(**options)))
    return houses


def random_ending(rng: random.Random, most: int) -> Ending:
    """A self-draw, or one to `most` winners of a discard or a robbed kong, any of them guaranteed by a loser."""
    first, self_draw = rng.randrange(4), rng.random() < 0.4
    others = [(first + n) % 4 for n in range(1, 4)]
    if self_draw:
        luck = int(rng.choice([0, 0, Luck.THREE_KONGS, *AS_DRAWN]))
        liable = rng.choice([None, None, *others])
        return Ending((SeatWin(first, rng.randint(0, 60), luck=luck, liable=liable),), True, None, False,
                      rng.choice([None, *others]))  # fmt: skip
    won = [others[at] for at in sorted(rng.sample(range(3), rng.randint(1, most)))]
    losers = [seat for seat in range(4) if seat not in won]
    wins = tuple(SeatWin(seat, rng.randint(0, 60), liable=rng.choice([None, None, *losers])) for seat in won)
    return Ending(wins, False, first, rng.random() < 0.1)


def stays(ending: Ending, way: str) -> bool:
    """Whether the dealer plays on: he wins alone, or as the house says of several winners."""
    if 0 not in ending.seats:
        return False
    return len(ending.winners) == 1 or way == "any" or (way == "first" and ending.seats[0] == 0)


def compare(number: int, seed: int) -> None:
    rng = random.Random(seed)
    houses = random_houses(rng)
    for _ in range(number):
        options, rules = rng.choice(houses)
        ending = random_ending(rng, options["winners"])
        made = settle(ending, rules, play_rules(rules))
        assert list(made.seats) == second(ending, options), (options, ending)
        paid = [payment.payee for payment in made.payments]
        order = (
            sorted(ending.winners, key=lambda win: -win.points) if options["winners_order"] == "fan" else ending.winners
        )
        assert list(dict.fromkeys(paid)) == [win.seat for win in order if win.seat in paid]
        match = Match(rules).add_hand(ending)
        assert bool(match.place.repeat) == stays(ending, options["winners_dealer"])
        worth = play_rules(rules).point_value
        assert worth == Fraction(options["stake"])
        for payment in made.payments:  # what a hand costs is a whole number of the stake's units
            assert (payment.points * worth).denominator in (1, 2, 4)


def test_a_second_settlement_agrees() -> None:
    compare(3000, 1)


@pytest.mark.slow
def test_a_second_settlement_agrees_on_a_hundred_thousand_endings() -> None:
    compare(100_000, 2)


def test_more_winners_than_the_house_allows_are_refused() -> None:
    rng = random.Random(4)
    for options, rules in random_houses(rng)[:40]:
        for _ in range(20):
            ending = random_ending(rng, 3)
            if len(ending.winners) > options["winners"]:
                with pytest.raises(SettleError, match="同一张牌"):
                    settle(ending, rules, play_rules(rules))


# ---- a second look for the guarantor


def second_liable(melds: list[tuple[Meld, int | None]], ways: dict[str, Any], discarder: int | None, left: int,
                  seen: int) -> int | None:  # fmt: skip
    """Lay the sets down one after another; the last set that made a hand dangerous names its giver."""
    if ways["bao_last"] and discarder is not None and left <= 5 and not seen:
        return discarder
    found: int | None = None
    table: list[tuple[Meld, int | None]] = []
    for meld, giver in melds:
        table.append((meld, giver))
        sets = [one for one, _ in table if one.kind is not MeldKind.CHOW]
        claimed = [one for one, who in table if who is not None]
        tiles = [tile for one in claimed for tile in one.tiles]
        one_suit = len({tile // 9 for tile in tiles if tile < 27}) <= 1
        outer = all(tile >= 27 or tile % 9 in (0, 8) for tile in tiles)
        twelve = len(claimed) == 4 and giver is not None
        if (
            (ways["bao_twelve"] == "any" and twelve)
            or (ways["bao_twelve"] == "flush" and twelve and (one_suit or outer))
            or (ways["bao_dragons"] and meld.tile >= 31 and sum(one.tile >= 31 for one in sets) == 3)
            or (ways["bao_kongs"] and len([one for one, _ in table if one.kind is MeldKind.KONG]) == 4)
            or (ways["bao_winds"] and 27 <= meld.tile < 31 and sum(27 <= one.tile < 31 for one in sets) == 4)
        ):
            found = giver
    return found


def random_melds(rng: random.Random) -> list[tuple[Meld, int | None]]:
    """Up to four sets, most of them of honours or of one suit."""
    kinds = rng.choice([range(27, 34), range(31, 34), range(27, 31), range(9), range(34)])
    made: list[tuple[Meld, int | None]] = []
    for tile in rng.sample(list(kinds), min(len(kinds), rng.randint(0, 4))):
        kind = rng.choice([MeldKind.PUNG, MeldKind.KONG, MeldKind.CONCEALED_KONG, MeldKind.CHOW])
        if kind is MeldKind.CHOW and (tile >= 27 or tile % 9 > 6):
            kind = MeldKind.PUNG
        made.append((Meld(kind, tile), None if kind is MeldKind.CONCEALED_KONG else rng.randint(1, 3)))
    return made


def test_a_second_look_finds_the_same_guarantor() -> None:
    rng = random.Random(6)
    ways = [
        {"bao_twelve": twelve, "bao_dragons": dragons, "bao_winds": winds, "bao_last": last, "bao_kongs": kongs}
        for twelve in ("off", "any", "flush") for dragons in (False, True) for winds in (False, True)
        for last in (False, True) for kongs in (False, True)
    ]  # fmt: skip
    houses = [(way, house(**way)) for way in ways]
    found = 0
    for _ in range(20_000):
        way, rules = rng.choice(houses)
        melds, discarder, left, seen = (
            random_melds(rng),
            rng.choice([None, 1, 2, 3]),
            rng.randrange(12),
            rng.randrange(3),
        )
        facts_of = WinFacts(0, tuple(melds), discarder, None if discarder is None else left, seen)
        liable = find_liable(rules, facts_of)
        assert liable == second_liable(melds, way, discarder, left, seen), (way, facts_of)
        found += liable is not None
    assert found > 1000


# ---- at the table

EVENING: dict[str, Any] = {
    "payment": "half_spicy", "discard": "half", "minimum": 0, "cap": 10, "winners": 3, "winners_order": "fan",
    "bao_twelve": "any", "bao_dragons": True, "bao_winds": True, "bao_last": True, "bao_discard": "guarantor",
    "base": 1,
}  # fmt: skip


def play_hands(n: int) -> dict[str, int]:
    """Play hands by players who claim all that they can; confirm the payments of each."""
    rules, found = house(**EVENING), {"several": 0, "liable": 0}
    for number in range(n):
        table = play(Table(rules, make_wall("hong kong", number, FLOWERED), round=number % 4))
        assert table.ending is not None
        wins = table.ending.winners
        assert list(seats(rules, table.ending)) == second(table.ending, EVENING), number
        found["several"] += len(wins) > 1
        found["liable"] += any(win.liable is not None for win in wins)
    return found


def test_every_payment_of_played_hands_is_confirmed() -> None:
    found = play_hands(200)
    assert found["liable"]
    assert found["several"]


# ---- stakes


def test_the_stakes_by_their_names() -> None:
    """二五鸡 pays ¼ and ½ for a chicken hand under half shares, 五一 ½ and 1, 一二蚊 1 and 2."""
    for stake, others, discarder in (("1/4", "1/4", "1/2"), ("1/2", "1/2", "1"), ("1", "1", "2")):
        rules = house(stake=stake, discard="half", payment="half_spicy", minimum=0)
        value = play_rules(rules).point_value
        assert value is not None
        found = seats(rules, Ending((SeatWin(1, 0),), discarder=2))
        assert [-points * value for points in (found[3], found[2])] == [Fraction(others), Fraction(discarder)]
    assert play_rules(house(stake="")).point_value is None
    assert house(stake="").fingerprint == CANTON.fingerprint


def test_debts_are_told_in_money() -> None:
    one = Transfer("甲", "乙", 119)
    assert transfer_text(one, True, Fraction(1, 4)).zh == "甲 给 乙 119（29.75 元）"
    assert transfer_text(one, True).zh == "甲 给 乙 119"


@pytest.mark.parametrize("wrong", ["0", "1/0", "-1", "a", 2, "1/2/3"])
def test_stakes_that_cannot_be(wrong: object) -> None:
    with pytest.raises(OverlayError, match="stake 应是"):
        house(stake=wrong)

"""Payable hands found and scored on demand against the tables: what hands pay, what is near, what bots do."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest

from quepu.arena import play_hand
from quepu.bots import Bot, make_bot
from quepu.bots.aiming import NearestBot
from quepu.fast.nearest.join import DRAWN_SHARE, join
from quepu.fast.nearest.on_demand import Gains, HandsAt, PayableOnDemand, levels_from
from quepu.fast.nearest.receipts import DEEPEST, FAR, receipt
from quepu.fast.nearest.suit_readings import NearLane, NearPart, rows_of
from quepu.fast.universe.classes import Classes
from quepu.fast.universe.hand_index import bases, half
from quepu.fast.universe.standard_hands import MELD_SETS, STATES, Universe
from quepu.hands.suit_tables import suit_rows
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, View, make_wall
from quepu.tiles import EAST, KINDS
from tests.fast.nearest.test_joining import points, question
from tests.test_books import ALL_BOOKS

PLAYED = [b.id for b in ALL_BOOKS if b.play and not b.base]


@cache
def numbers() -> dict[tuple[int, ...], int]:
    """The row of each reading of a suit, and of the honours (seven ranks): by ranks, planes and pair."""
    return {(ranks, *row.planes, row.pair): i for ranks in (9, 7) for i, row in enumerate(suit_rows(ranks))}


def some_hands(universe: Universe, kind: int, seed: int, n: int) -> tuple[Any, list[int]]:
    """Hands with this pair: their planes for the batch engine, and their numbers on demand."""
    fits = next(index for pair, index in universe.pairs() if pair == kind)
    h: Any = universe.block(kind, np.sort(np.random.default_rng(seed).choice(fits, n, replace=False)))
    found = []
    for at in range(n):
        number = 0
        for s, shift in enumerate((42, 27, 12, 0)):
            lanes = [int(plane[at]) >> 16 * s & 0x1FF for plane in (h.c1, h.c2, h.c3, h.c4, h.p)]
            number |= numbers()[7 if s == 3 else 9, *lanes, (1 << kind % 9) * (kind // 9 == s)] << shift
        found.append(number)
    return h, found


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("name", ["lingque-29", "guobiao"])
def test_what_a_hand_pays_is_what_the_tables_have(name: str, closed: bool) -> None:
    rules, n = book(name), 60
    double = "round" in rules.reads
    gains = Gains(rules, closed, double)
    for kind in (4, 27):
        paid = np.zeros(n, np.float32)
        for drawn, share in ((False, 1 - DRAWN_SHARE), (True, DRAWN_SHARE)):
            state = STATES[f"{'closed' if closed else 'open'}-{'draw' if drawn else 'discard'}"]
            universe = Universe(state, EAST, EAST if double else EAST + 1)
            if not closed:
                universe.base = universe.base._replace(o1=0, o2=0, o3=0, o4=0, xp=0)
            h, made = some_hands(universe, kind, kind, n)
            classes = Classes(rules)
            of = classes.classify(h, n)
            totals = classes.points[of] + classes.bonus[of]
            receipts = [max(receipt(rules, int(total), drawn), 0.1) for total in totals]
            paid += share * np.where(classes.points[of] >= rules.minimum, np.array(receipts, np.float32), 0)
        assert [gains[number] for number in made] == np.ceil(paid).astype(int).tolist()


class Drawn(Gains):
    """What hands pay by the made-up table of `test_joining`."""

    def __init__(self) -> None:
        dict.__init__(self)

    def __missing__(self, hand: int) -> int:
        rows, shifts = rows_of(hand), (42, 27, 12, 0)
        m, p, s, z = (hand >> shift & ((1 << 15) - 1 if shift else (1 << 12) - 1) for shift in shifts)
        left, right = half(9), half(7)
        a, b, c, d = (row.cls for row in rows)
        first, second = ({x[:2]: x[2] for some in of.parts.values() for x in some} for of in (left, right))
        one, two = first[a, b], second[c, d]
        one += int(left.left.bare[m]) * left.right.size(b - b % 2) + int(left.right.bare[p])
        two += int(right.left.bare[s]) * right.right.size(d - d % 2) + int(right.right.bare[z])
        pair = next(9 * i + row.pair.bit_length() - 1 for i, row in enumerate(rows) if row.cls % 2)
        on_left = a // 2 + b // 2
        place = bases()[on_left] + one * right.size[4 - on_left] + two + pair * MELD_SETS
        return self.setdefault(hand, int(points()[place]) >> 1)


@pytest.mark.parametrize("seed", range(6))
def test_the_nearest_hands_are_those_of_the_join(seed: int) -> None:
    q = question(seed, seed % 3, 13 + seed % 2)
    q = q._replace(levels=2, points=np.where(points() == 1, np.uint16(0), points()))
    lanes = [
        NearLane(s, q.own[9 * s : 9 * s + 9].tolist(), q.could[9 * s : 9 * s + 9].tolist(), q.chows[s], q.pungs[s])
        for s in range(4)
    ]
    missing, levels = levels_from(lanes, Drawn(), 0, 1, DEEPEST)
    found = join(q, missing + 1)
    assert found.missing == missing < FAR
    by = tuple(range(KINDS))
    for n, level in enumerate(levels):
        assert level.of_kinds(by).sums == found.by_discard[n, 1].tolist()
    nearest = levels[0].of_kinds(by)
    assert nearest.useful == found.useful.tolist()
    assert nearest.helps == found.helps
    assert join(q, missing - 1).missing == FAR  # nothing nearer pays
    assert levels_from(lanes, Drawn(), 0, 1, missing - 1)[0] == FAR


def some_parts(rng: random.Random, n: int, first: int) -> list[NearPart]:
    return [NearPart(first + i, rng.choice([0, 1, 4, 6, 12]), rng.getrandbits(4), rng.getrandbits(2)) for i in range(n)]


class Made(Gains):
    """Made-up gains; how many were looked up."""

    def __init__(self) -> None:
        dict.__init__(self)
        self.looks = 0

    def __getitem__(self, hand: int) -> int:
        self.looks += 1
        return hand * 7919 % 11 // 4


@pytest.mark.parametrize("most", [0, 1, 37, 150, 199, 200])
def test_where_too_many_hands_are_near_those_drawn_in_the_fewest_ways_are_left_out(most: int) -> None:
    rng = random.Random(most)
    blocks = [(some_parts(rng, 10, 32 * i), some_parts(rng, 10, 1024)) for i in range(2)]
    every = [(one.ways * other.ways, one, other) for left, right in blocks for one in left for other in right]
    taken = sorted(every, key=lambda hand: -hand[0])[:most]
    drawn = sum(ways for ways, *_ in taken)
    sums: dict[int, float] = {}
    lack: dict[int, int] = {}
    for ways, one, other in taken:
        if gain := Made()[one.number | other.number]:
            spare = one.spare | other.spare
            sums[spare] = sums.get(spare, 0) + ways * gain * sum(ways for ways, *_ in every) / drawn
            lack[spare] = lack.get(spare, 0) | one.lack | other.lack
    level, gains = HandsAt(), Made()
    assert level.add(blocks, most, gains) == gains.looks == most
    assert level.sums == pytest.approx(sums)
    assert level.lack == lack
    assert (len(sums) > 0) == (most > 0)


@pytest.mark.long
def test_a_bound_on_hands_holds_for_a_look_and_leaves_what_is_nearest() -> None:
    q = question(2, 0, 14)
    lanes = [
        NearLane(s, q.own[9 * s : 9 * s + 9].tolist(), q.could[9 * s : 9 * s + 9].tolist(), q.chows[s], q.pungs[s])
        for s in range(4)
    ]
    gains = Made()
    missing, (nearest, farther) = levels_from(lanes, gains, 0, 1, DEEPEST)
    whole = gains.looks
    for most in (whole, whole - 1, whole // 2):
        gains.looks = 0
        found, levels = levels_from(lanes, gains, 0, 1, DEEPEST, most)
        assert (found, levels[0].sums) == (missing, nearest.sums)
        assert (levels[1].sums == farther.sums) == (gains.looks == whole)
        assert gains.looks <= most
    for most in (50, 7, 0):
        gains.looks = 0
        levels_from(lanes, gains, 0, 1, DEEPEST, most)
        assert gains.looks <= most


def test_a_hand_below_the_minimum_is_no_aim() -> None:
    gains = Gains(book("guobiao"), closed=False, double_wind=False)
    at = numbers()
    straight, twice = at[9, 0b1001001, 0, 0, 0, 1, 0b10], at[9, 0b1001, 0, 0, 0, 0, 0]
    assert gains[straight << 42] > 0  # one suit alone
    one, last = at[9, 0b10, 0, 0, 0, 0, 0], at[9, 0b100000, 0, 0, 0, 0, 1 << 8]
    assert gains[one << 42 | twice << 27 | last << 12] == 0  # four claimed chows that have little to do with each other


class Twice(NearestBot[Any, Any]):
    """A bot with tables, beside which another is asked without: they must agree."""

    def __init__(self, level: str) -> None:
        self.bots: tuple[Any, Any] = make_bot(level), make_bot(level, tables=False)
        self.looks = 0

    def begin(self, book: Rulebook, seat: int) -> None:
        """Both."""
        for bot in self.bots:
            bot.begin(book, seat)
        self.bots[1]._payable = PayableOnDemand(book, 10**9)

    def act(self, view: View, options: Any) -> Action:
        """The same of both, for the same reasons."""
        tables, plain = self.bots
        action: Action = tables.act(view, options)
        assert plain.act(view, options) == action
        tiles = [kind for kind in view.tiles if kind < KINDS]
        if len(options) > 1:
            one, other = (bot.look(bot.sight(view), tiles, view.melds) for bot in self.bots)
            assert (one.missing, one.reachable) == (other.missing, other.reachable)
            if one.missing < FAR:
                assert (one.useful.tolist(), one.helps) == (other.useful, other.helps)
                assert other.values == pytest.approx(one.values.tolist(), rel=1e-12)
            self.looks += 1
        return action


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("level", ["steps", "gain"])
@pytest.mark.parametrize("name", PLAYED)
def test_the_same_moves_with_tables_and_without(name: str, level: str) -> None:
    rules = book(name)
    bots = [Twice(level) for _ in range(4)]
    for number in range(8):
        table = play_hand(rules, make_wall(11, number, play_rules(rules).table.tiles), bots)
        assert table.over
    assert sum(bot.looks for bot in bots) > 200


def test_bots_without_tables_play_a_hand_to_its_end_and_alike() -> None:
    rules = book("lingque-29")

    def played() -> Any:
        bots: list[Bot] = [make_bot(level, tables=False) for level in ("steps", "gain", "steps", "plain")]
        return play_hand(rules, make_wall(random.Random(3).randrange(99)), bots).events

    assert played() == played()

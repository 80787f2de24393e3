"""The payable distance against scoring every standard hand near by, one by one."""

from __future__ import annotations

import gc
import random
from collections.abc import Sequence
from math import comb
from pathlib import Path
from weakref import ref

import numpy as np
import pytest

from quepu.fast.nearest import receipts
from quepu.fast.nearest.gain_files import GainCase
from quepu.fast.nearest.join import Joined, JoinQuery, join
from quepu.fast.nearest.payable import FAR, Payable, rates
from quepu.fast.nearest.payments import mix
from quepu.fast.nearest.receipts import special_gain, special_ways
from quepu.fast.universe.hand_index import bases, half, lane, order
from quepu.fast.universe.standard_hands import MELD_SETS, melds
from quepu.hands.hand import Hand, Luck
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import deal
from quepu.scoring.score import best_points
from quepu.shapes import SHAPES, Shape
from quepu.shapes.automaton import Tiles
from quepu.shapes.distance import tiles_of
from quepu.tiles import KINDS
from tests.review.flat import write_flat


def test_the_index_names_every_meld_set_once() -> None:
    assert sorted(order().tolist()) == list(range(MELD_SETS))
    left, right = half(9), half(7)
    assert bases()[-1] + left.size[4] * right.size[0] == MELD_SETS
    assert len(lane(9).cls) == 23_533
    assert len(melds().p) == MELD_SETS


def ways_to_draw(shape: Shape, tiles: Tiles, unseen: Sequence[int], missing: int, first: int = 0) -> int:
    """The sets of physical tiles that complete a shape, tried kind by kind."""
    found = 0 if missing else 1
    for kind in range(first, KINDS):
        more = tiles
        for n in range(1, min(missing, unseen[kind]) + 1):
            more = more.with_tile(kind)
            if shape.distance(more) == missing - n:
                found += comb(unseen[kind], n) * ways_to_draw(shape, more, unseen, missing - n, kind + 1)
    return found


def near_a_shape(rng: random.Random, shape: Shape, changed: int) -> list[int]:
    """A hand of fourteen tiles of which so many were exchanged for any others."""
    tiles = [tile for part in shape.sample(rng) for tile in part]
    for at in rng.sample(range(14), changed):
        tiles[at] = rng.choice([kind for kind in range(KINDS) if tiles.count(kind) < 4])
    return sorted(tiles)


@pytest.mark.parametrize(
    ("rules", "name"),
    [("guobiao-mcr", "any_pairs"), ("guobiao-mcr", "orphans"), ("guobiao-mcr", "loose"), ("lingque-29", "pairs"),
     ("canton", "pyramid")],
)  # fmt: skip
def test_ways_to_a_special_shape_are_those_of_drawing_what_is_missing_after_each_discard(
    rules: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tile that is discarded is not counted among those that would help."""
    none = np.zeros(KINDS * MELD_SETS, np.uint16)
    monkeypatch.setattr("quepu.fast.nearest.payable.table", lambda *_: none)
    monkeypatch.setattr("quepu.fast.nearest.payable.joiner", lambda: join)
    rng, queries, checked = random.Random(5), Payable(book(rules)), 0
    shape = SHAPES[name]
    monkeypatch.setattr(Payable, "_special_shapes", lambda _: (name,))
    for changed in (1, 2, 2, 3, 3, 4):
        held = near_a_shape(rng, shape, changed)
        unseen = [rng.randint(held.count(kind) < 4, 4 - held.count(kind)) for kind in range(KINDS)]
        if not 1 <= shape.distance(tiles_of(held)) <= 3:
            continue
        look = queries.look(Hand(tuple(held)), np.array(unseen), 0)
        for discard in {*held, KINDS}:
            rest = tiles_of([*held]) if discard == KINDS else tiles_of(held).without_tile(discard)
            near = shape.distance(rest) == look.missing
            ways = ways_to_draw(shape, rest, unseen, look.missing) if near else 0
            assert look.by_discard[0, 0, discard] == ways, (held, discard)
            checked += near
    assert checked > 10


@pytest.mark.parametrize("name", ["pairs", "any_pairs"])
def test_pairs_come_whole_if_too_few_tiles_are_alone(name: str) -> None:
    rng, shape = random.Random(6), SHAPES[name]
    for kinds in (4, 5, 5, 6, 6):
        held = rng.choices(rng.sample(range(KINDS), kinds), k=13)
        if max(map(held.count, held)) > 4:
            continue
        unseen = [rng.randint(0, 4 - held.count(kind)) for kind in range(KINDS)]
        tiles = tiles_of(held)
        missing = shape.distance(tiles)
        if missing <= 5:
            assert special_ways(shape, tiles, unseen, missing) == ways_to_draw(shape, tiles, unseen, missing)


def test_what_a_special_shape_pays_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked up at every decision: scoring its hands each time was most of a review."""
    scored: list[Hand] = []

    def scoring(hand: Hand, rules: Rulebook) -> int | None:
        scored.append(hand)
        return best_points(hand, rules)

    monkeypatch.setattr(receipts, "best_points", scoring)
    special_gain.cache_clear()
    rules = book("guobiao-mcr")
    first = [special_gain(rules, SHAPES[name]) for name in ("pairs", "orphans")]
    once = len(scored)
    assert once > 0 and first[0] > 0
    assert [special_gain(rules, SHAPES[name]) for name in ("pairs", "orphans")] == first
    assert len(scored) == once
    assert [special_gain.__wrapped__(rules, SHAPES[name]) for name in ("pairs", "orphans")] == first
    special_gain.cache_clear()


def test_what_pays_only_if_closed_counts_less_by_the_hands_that_are_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    paying = np.full(KINDS * MELD_SETS, 40 << 1 | 1, np.uint16)
    none = np.zeros_like(paying)

    def look(exposed: np.ndarray, hand: Hand, opened: float) -> float:
        def table(_book: Rulebook, case: GainCase) -> np.ndarray:
            return paying if case.closed else exposed

        monkeypatch.setattr("quepu.fast.nearest.payable.table", table)
        monkeypatch.setattr("quepu.fast.nearest.payable.joiner", lambda: join)
        return Payable(book("canton")).look(hand, 4 - np.array(hand.counts()), 0, rates(12, 90), opened=opened).total

    far = Hand((0, 1, 4, 5, 9, 10, 11, 18, 19, 20, 27, 27, 28))
    near = Hand((0, 1, 9, 10, 11, 18, 19, 20, 21, 22, 23, 27, 27))
    for hand in (far, near):
        assert look(none, hand, 0.0) == look(paying, hand, 0.5) > 0
    assert look(none, far, 0.5) == pytest.approx(look(none, far, 0.0) / 2)
    assert look(none, near, 0.5) == look(none, near, 0.0)  # it is ready, and nothing will open it


def test_beside_a_special_shape_nothing_is_joined_that_is_farther_and_nothing_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Joins so far away were most of the reviews that took longest."""
    paying = np.zeros(KINDS * MELD_SETS, np.uint16)
    paying[np.random.default_rng(3).integers(0, len(paying), 40_000)] = 40 << 1 | 1  # few hands pay
    caps: list[int] = []

    def counting(question: JoinQuery, cap: int) -> Joined:
        caps.append(cap)
        return join(question, cap)

    monkeypatch.setattr("quepu.fast.nearest.payable.table", lambda *_: paying)
    monkeypatch.setattr("quepu.fast.nearest.payable.joiner", lambda: counting)
    hands = [
        Hand((0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 2)),  # thirteen orphans but for one
        Hand((0, 0, 3, 3, 7, 7, 11, 11, 14, 14, 22, 22, 30, 31)),  # six pairs
        Hand((0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 28, 29, 30)),  # thirteen unconnected
        Hand((0, 0, 5, 5, 9, 13, 13, 19, 24, 24, 27, 28, 29)),
        Hand((0, 1, 2, 9, 10, 11, 18, 19, 20, 27, 27, 28, 29)),
    ]
    ways, rate, found = (Payable._special_within, lambda *_: False), rates(12, 90), []
    for within in ways:
        monkeypatch.setattr(Payable, "_special_within", within)
        caps.clear()
        queries = Payable(book("guobiao-mcr"))
        looks = [queries.look(hand, 4 - np.array(hand.counts()), extra, rate) for hand in hands for extra in (0, 1)]
        found.append((len(caps), [[np.asarray(part).tolist() for part in vars(look).values()] for look in looks]))
    (few, nearest), (many, all_) = found
    assert nearest == all_
    assert few < many / 2


def resident(folder: Path) -> int:
    """KiB that this process holds of files in a folder."""
    held, inside = 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if not line.split()[0].endswith(":"):  # a mapping begins
            inside = str(folder) in line
        elif inside and line.startswith("Rss:"):
            held += int(line.split()[1])
    return held


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="this system does not say what a process holds")
def test_only_the_book_used_last_holds_memory_and_one_dropped_holds_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    monkeypatch.setattr("quepu.fast.nearest.payable.joiner", lambda: join)
    books = [book(name) for name in ("canton", "yuque-54")]
    for one in books:
        write_flat(one, tmp_path)
    hand = Hand((0, 1, 2, 9, 10, 11, 18, 19, 20, 27, 27, 27, 28))
    unseen = 4 - np.array(hand.counts())
    first, second = map(Payable, books)
    for table in (first, second):
        table.look(hand, unseen)
        for closed in (True, False):
            assert table.table(closed).max() > 0  # every page
        assert 40_000 < resident(tmp_path) < 60_000, "two tables, not four"
    assert first.look(hand._replace(seat=29), unseen).missing == second.look(hand._replace(seat=29), unseen).missing
    weak = ref(second)
    gc.disable()
    try:
        del second, table
        assert weak() is None, "nothing waits for the garbage collector"
    finally:
        gc.enable()


@pytest.mark.slow
def test_a_ready_hand_is_one_tile_from_winning_exactly_when_a_wait_pays() -> None:
    rulebook = book("lingque-29")
    queries = Payable(rulebook)
    rng = random.Random(8)
    checked = 0
    while checked < 60:
        hand = deal(rng, 14)
        look = queries.look(hand, 4 - np.array(hand.counts()), 0)
        points = best_points(hand._replace(luck=int(Luck.SELF_DRAW)), rulebook)
        if points is not None:
            assert look.missing == 0
        assert 0 <= look.missing < FAR
        checked += 1


@pytest.mark.slow
def test_discards_that_keep_the_nearest_hand_are_worth_more_than_nothing() -> None:
    rulebook = book("lingque-29")
    queries = Payable(rulebook)
    rng = random.Random(9)
    for _ in range(20):
        hand = deal(rng, 14)
        unseen = 4 - np.array(hand.counts())
        look = queries.look(hand, unseen, 1, rates(15, 122))
        held = np.array(Hand((*hand.concealed, hand.winning or 0)).counts())
        assert look.values[held == 0].max(initial=0) == 0
        assert look.total > 0
        assert look.values.max() <= look.total * 1.000001
        best = look.best(held)
        rest = [*hand.concealed, hand.winning or 0]
        rest.remove(best)
        after = queries.look(Hand(tuple(sorted(rest)), (), None, hand.seat, hand.round), unseen)
        assert after.missing <= look.missing + 1


@pytest.mark.slow
def test_the_plan_of_the_command_line_is_the_bots_own() -> None:
    from quepu.cli.waits import plan
    from quepu.hands.notation import parse

    rulebook = book("lingque-29")
    hand = parse("13m456p1189sCCEEF")
    hand = hand._replace(concealed=hand.concealed[:-1], winning=hand.concealed[-1])
    made = plan(hand, rulebook, ())
    assert made["missing"] == 3
    assert made["discards"][0]["discard"] == "F"
    assert made["discards"][0]["keeps"] == 1.0
    thirteen = plan(parse("13m456p1189sCCEE"), rulebook, ())
    assert thirteen["discards"] == []
    assert thirteen["missing"] == 3
    gone = tuple(kind for kind in range(34) for _ in range(4 - hand.counts()[kind]))
    assert plan(hand, rulebook, gone)["missing"] is None


def test_what_follows_from_tables_alone_is_in_files_that_processes_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    rules = book("guobiao")
    write_flat(rules, tmp_path)
    first = Payable(rules)
    opened, ordinary = first.opened_table(0.5), first.ordinary_points
    assert np.array_equal(opened, mix(np.asarray(first.table(True)), np.asarray(first.table(False)), 0.5))
    assert ordinary >= rules.minimum
    monkeypatch.setattr(Payable, "_ordinary_points", None)  # nothing is worked out again
    second = Payable(rules)
    assert second.ordinary_points == ordinary
    assert isinstance(second.opened_table(0.5), np.memmap)
    assert np.array_equal(second.opened_table(0.5), opened)

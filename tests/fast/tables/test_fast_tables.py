"""Fast tables play event for event what the table plays, with the same bots, seeds and walls."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from quepu.arena.bot_hand import play_hand
from quepu.arena.compiled_play import on_compiled_tables, play_compiled
from quepu.arena.plan import Plan
from quepu.arena.seat_value import fast_seats_part, seats_part
from quepu.arena.simulate import play
from quepu.bots import make_bot
from quepu.errors import HandError, Text
from quepu.fast.compiled.code_cache import installed
from quepu.fast.tables import FastTables, code, fast_tables, mersenne, walls
from quepu.fast.tables.aim_tables import joins
from quepu.fast.universe.hand_index import lane
from quepu.review.playouts import refuse_unplayable
from quepu.rl import vec
from quepu.rulebooks import book, book_ids
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES
from quepu.shapes.automaton import automaton
from quepu.table import make_wall
from quepu.table.wall import build_wall, dealt_places
from quepu.tiles import FLOWERED, KINDS
from tests.fast_loops import interpret_tables

PLAYED = [b for b in map(book, book_ids()) if b.play and code.missing(b) is None]
BOOKS = [pytest.param(b, id=b.id) for b in PLAYED]


def test_some_books_are_played() -> None:
    assert {b.family for b in PLAYED} >= {"lingque", "guobiao", "yuque", "canton"}


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    interpret_tables(monkeypatch)


def the_same(rules: Rulebook, n: int, seed: int, round: int = 0, levels: tuple[str, ...] = ("random",) * 4) -> None:
    the_same_on(walls(rules, n, seed), rules, seed, round, levels)


def the_same_on(order: np.ndarray, rules: Rulebook, seed: int, round: int, levels: tuple[str, ...]) -> None:
    n = len(order)
    seeds = np.random.default_rng(seed).integers(0, 1 << 40, (n, 4))
    fast = FastTables(rules, order, seeds, round=round, levels=levels).play()
    for i in range(n):
        bots = [make_bot(level, int(one)) for level, one in zip(levels, seeds[i], strict=True)]
        table = play_hand(rules, build_wall(order[i].tolist(), (1, 1, 1, 1)), bots, round=round)
        assert table.events[1:] == fast.events(i), (seed, i)
        ending = table.ending
        assert ending is not None
        won = (ending.winners[0].seat, ending.winners[0].points) if ending.winners else (-1, 0)
        assert won == (int(fast.winners[i]), int(fast.points[i])), (seed, i)


@pytest.mark.usefixtures("interpreted")
def test_walls_come_as_walls_or_in_the_order_of_drawing() -> None:
    given, seeds = [make_wall(seed, 0, FLOWERED) for seed in range(3)], np.arange(12).reshape(3, 4)
    tables = FastTables("guobiao", given, seeds).play()
    same = FastTables("guobiao", np.array([wall.order() for wall in given], np.uint8), seeds).play()
    assert [tables.events(i) for i in range(3)] == [same.events(i) for i in range(3)]
    assert FastTables("guobiao", [make_wall(1)], seeds[:1]).play().winners.shape == (1,)  # without flowers


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("n", [8, pytest.param(24, marks=pytest.mark.long)])
@pytest.mark.parametrize("rules", BOOKS)
def test_event_for_event(rules: Rulebook, n: int) -> None:
    the_same(rules, n, 3, round=1)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("n", [1, pytest.param(4, marks=pytest.mark.long)])
@pytest.mark.parametrize("rules", BOOKS)
def test_plain_bots_event_for_event(rules: Rulebook, n: int) -> None:
    the_same(rules, n, 5, levels=("plain",) * 4)
    the_same(rules, n, 6, round=2, levels=("random", "plain", "closed", "plain"))


@pytest.mark.usefixtures("interpreted")
def test_gain_bots_event_for_event() -> None:
    the_same(book("lingque-29"), 1, 2, levels=("closed", "gain", "plain", "random"))


def near_shapes(seed: int, names: tuple[str, ...]) -> np.ndarray:
    """A wall from which each seat is dealt a hand two or three tiles from one of these shapes."""
    rng, hands = random.Random(seed), []
    left = [kind for kind in range(KINDS) for _ in range(4)]
    for name in names:
        while True:
            hand = [kind for part in SHAPES[name].sample(rng) for kind in part][:11]
            rest = left.copy()
            for kind in hand:
                if kind in rest:
                    rest.remove(kind)
            if len(rest) == len(left) - 11:
                break
        more = rng.sample(rest, 2)
        for kind in more:
            rest.remove(kind)
        hands.append([*hand, *more])
        left = rest
    rng.shuffle(left)
    order = np.zeros(136, np.uint8)
    places = [place for seat in range(4) for place in dealt_places(seat)]
    order[places] = [kind for hand in hands for kind in hand]
    order[[place for place in range(136) if place not in places]] = left
    return order


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(
    ("rules", "names"),
    [("guobiao-mcr", ("any_pairs", "orphans", "loose", "any_pairs")),
     ("canton", ("pyramid", "orphans", "pyramid", "orphans"))],
)  # fmt: skip
def test_gain_bots_near_special_shapes_event_for_event(rules: str, names: tuple[str, ...]) -> None:
    order = np.array([near_shapes(seed, names) for seed in range(2)])
    the_same_on(order, book(rules), 4, 0, ("gain", "gain", "gain", "closed"))


@pytest.mark.parametrize("ranks", [9, 7])
def test_the_automaton_counts_the_tiles_missing_to_each_class_of_readings(ranks: int) -> None:
    of, rng, row = lane(ranks), random.Random(ranks), int(ranks == 7)
    numbers = automaton().honour if row else automaton().suit
    for _ in range(200):
        held = [0] * ranks
        for tile in rng.sample([rank for rank in range(ranks) for _ in range(4)], rng.randrange(15)):
            held[tile] += 1
        missing = np.maximum(of.count - np.array(held), 0).sum(axis=1)
        least = [missing[of.cls == cls].min() for cls in range(10)]
        number = numbers[sum(n * 5**rank for rank, n in enumerate(held))]
        assert joins()[3][row, number].tolist() == least, held


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(
    ("name", "walls"), [("lingque-29", 1), ("yuque-54", 4)]
)  # supplied tiles, ready hands are paid
def test_seats_add_up_as_the_tables_do(name: str, walls: int) -> None:
    assert fast_seats_part(name, "plain", 3, 2, 2 + walls) == seats_part(name, "plain", 3, 2, 2 + walls)


@pytest.mark.long
@pytest.mark.usefixtures("interpreted")
def test_simulations_count_the_same() -> None:
    """Every round wind, seats that turn with bots of three levels, and a wall played by every seating."""
    plan = Plan("yuque-54", ("random", "closed", "random", "random"), 16, seed=4)
    assert play_compiled(plan, 3, 16) == play(plan, 3, 16)
    twice = Plan("guobiao-mcr", ("random", "random", "closed", "random"), 1, all_seatings=True)
    assert play_compiled(twice, 0, 1) == play(twice, 0, 1)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.skipif(not installed(), reason="needs the extra fast")
@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize("all_seatings", [False, True])
def test_simulations_count_the_same_on_many_walls(rules: Rulebook, all_seatings: bool) -> None:
    plan = Plan(rules, ("gain", "plain", "closed", "random"), 150, 8, all_seatings)
    assert play_compiled(plan, 0, 30 if all_seatings else 150) == play(plan, 0, 30 if all_seatings else 150)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.skipif(not installed(), reason="needs the extra fast")
@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize("level", ["plain", "random"])
def test_seats_add_up_on_many_walls(rules: Rulebook, level: str) -> None:
    assert fast_seats_part(rules.id, level, 5, 0, 3000) == seats_part(rules.id, level, 5, 0, 3000)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.skipif(not installed(), reason="needs the extra fast")
@pytest.mark.parametrize("rules", BOOKS)
def test_event_for_event_on_many_walls(rules: Rulebook) -> None:
    for seed in range(25):
        the_same(rules, 4000, 100 + seed, round=seed % 4)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.skipif(not installed(), reason="needs the extra fast")
@pytest.mark.parametrize("rules", BOOKS)
def test_plain_bots_event_for_event_on_many_walls(rules: Rulebook) -> None:
    for seed in range(25):
        the_same(rules, 4000, 100 + seed, round=seed % 4, levels=("plain",) * 4)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.skipif(not installed(), reason="needs the extra fast")
@pytest.mark.parametrize("rules", BOOKS)
def test_gain_bots_event_for_event_on_many_walls(rules: Rulebook) -> None:
    for seed in range(8):
        levels = ("gain",) * 4 if seed % 4 else ("gain", "plain", "gain", "random")
        the_same(rules, 500, 100 + seed, round=seed % 4, levels=levels)


@pytest.mark.usefixtures("interpreted")
def test_the_generator_is_pythons() -> None:
    seeds = [0, 1, 12345, (1 << 32) - 1, 1 << 32, (1 << 63) - 25, *range(7, 7 + mersenne.LANES)]
    words = np.zeros((len(seeds), mersenne.WORDS + 1), np.uint32)
    fast_tables.seed_all(words, np.array(seeds))
    for seed, own in zip(seeds, words, strict=True):
        rng = random.Random(seed)
        assert [mersenne.uniform(own) for _ in range(1000)] == [rng.random() for _ in range(1000)]


def test_what_a_table_cannot_do_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_tables, "installed", lambda: True)
    without_sets = replace(book("lingque-29"), shapes=("pairs",))
    with pytest.raises(HandError, match="不支持"):
        FastTables(without_sets, walls(without_sets, 1), np.zeros((1, 4), np.int64))
    for rules, options, said in (
        ("canton", {"winners": 2}, "不支持香港的几家同和一张牌，请用普通牌桌。"),
        ("canton", {"bao_twelve": "any"}, "不支持香港的包，请用普通牌桌。"),
        ("guobiao", {"held_flowers": True}, "不支持香港的花牌留在手里，请用普通牌桌。"),
    ):
        house = book(rules).having(id="hk", title=Text("香港", "Hong Kong"), options=options)
        with pytest.raises(HandError, match=said):
            FastTables(house, walls(rules, 1), np.zeros((1, 4), np.int64))
    with pytest.raises(HandError, match="四家各是其中之一"):
        FastTables("guobiao", walls("guobiao", 1), np.zeros((1, 4), np.int64), levels="master")
    for wrong in (
        np.zeros((2, 144), np.uint8), walls("guobiao", 2)[:, :136], walls("guobiao", 2)[0], [], [make_wall(1), 3],
        [make_wall(1), make_wall(1, 0, FLOWERED)], np.zeros((2, 136)), [*walls("guobiao", 2).tolist(), [1]],
    ):  # fmt: skip
        with pytest.raises(HandError, match=r"136 或 144"):
            FastTables("guobiao", wrong, np.zeros((2, 4), np.int64))
    with pytest.raises(HandError, match="2 行种子，每行四个"):
        FastTables("guobiao", walls("guobiao", 2), np.zeros((3, 4), np.int64))
    monkeypatch.setattr(fast_tables, "installed", lambda: False)
    with pytest.raises(HandError, match="numba"):
        FastTables("lingque-29", walls("lingque-29", 1), np.zeros((1, 4), np.int64))


@pytest.mark.parametrize(
    ("rules", "options"),
    [("canton", {"winners": 2}), ("canton", {"bao_twelve": "any"}), ("guobiao", {"held_flowers": True})],
)
def test_books_that_fast_tables_do_not_know_are_played_at_plain_ones(rules: str, options: dict[str, object]) -> None:
    """However many hands are wanted; bots, the simulator and the environment need no other arguments."""
    house = book(rules).having(id="house", options=options)
    plan = Plan(house, ("closed",) * 4, 1, 5)
    assert not on_compiled_tables(plan, 1_000_000)
    stats = play(plan, 0, 1)
    assert stats.hands == 1 and sum(player.net for player in stats.players) == 0
    environment = vec(house, 2)
    environment.reset(seed=3)
    assert type(environment._tables).__name__ == "PlainTables"
    with pytest.raises(HandError, match="快速牌桌不会"):
        refuse_unplayable(house)
    refuse_unplayable(book(rules))

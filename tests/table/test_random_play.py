"""Thousands of hands played at random under every book, with what must hold checked after every event."""

from __future__ import annotations

import random

import pytest

from quepu.hand import Hand, Luck, Meld
from quepu.match import settle
from quepu.play_rules import play_rules
from quepu.readings import readings, wait_planes
from quepu.rulebook import Rulebook
from quepu.rulebooks import book, book_ids
from quepu.scoring import score_hand
from quepu.table import Table, View, make_wall, seen_by
from quepu.table.events import read_event
from quepu.table.wall import FLOWER_TILES, TILES
from quepu.tiles import BIT, EAST, FIRST_FLOWER
from tests.table.players import choose

BOOKS = [name for name in book_ids() if book(name).play]
HANDS = 20  # of each book with every event checked, and 25 times as many checked at the end; `make slow` plays more


def play(name: str, seed: int, hand: int, checks: bool = True, eager: bool = True) -> Table:
    """A hand of random choices; `eager` players mostly win when they can, kong often, and seldom break a pair up."""
    rules = play_rules(book(name))
    rng = random.Random(f"{seed} {hand}")
    table = Table(book(name), make_wall(seed, hand, flowers=rules.table.flowers), round=hand % 4)
    whole = sorted((*TILES, *FLOWER_TILES) if rules.table.flowers else TILES)
    steps = 0
    while table.asked:
        if checks:
            check(table, whole)
        seat = rng.choice(table.asked)
        options = table.options(seat)
        keen = [o for o in options if o.do in ("win", "added", "concealed", "kong", "ready") or o.ready]
        action = rng.choice(keen) if keen and eager and rng.random() < 0.8 else rng.choice(options)
        table.step(seat, action)
        steps += 1
        assert steps < 1000
    if checks:
        check(table, whole)
    return table


def check(table: Table, whole: list[int]) -> None:
    counts = table.tiles()
    assert counts == [whole.count(kind) for kind in range(42)], "tiles are conserved"
    assert table.over == (not table.asked)
    for seat in range(4):
        options = table.options(seat)
        assert bool(options) == (seat in table.asked)
        assert len({option[:5] for option in options}) == len(options)
        hand = table.hands[seat]
        assert hand == sorted(hand)
        drawn = table.drawn if seat == table.turn else -1
        concealed = len(hand) + (drawn >= 0) + 3 * len(table.melds[seat])
        assert concealed in (13, 14)
        assert table.views[seat].hand is hand
        assert table.views[seat].drawn == drawn
        assert table.melds[seat] == tuple(shown.meld for shown in table.board.melds[seat])
        counted = [hand.count(kind) + (kind == drawn) for kind in range(34)]
        assert table.counts[seat] == counted
        assert sorted(table.fours[seat]) == [kind for kind in range(34) if counted[kind] == 4]
        if len(hand) + 3 * len(table.melds[seat]) == 13:
            assert table.waits[seat] == slow_waits(table.book.shapes, tuple(hand), table.melds[seat])


def slow_waits(shapes: tuple[str, ...], hand: tuple[int, ...], melds: tuple[Meld, ...]) -> int:
    """The waits without any shortcut."""
    return wait_planes(Hand(hand, melds), shapes)[0]


def check_win(table: Table, rules_book: Rulebook) -> None:
    """The score is that of the final hand scored anew from what lies on the table."""
    ending = table.ending
    assert ending is not None
    assert ending.winner is not None
    win = next(event for event in table.events if event.e == "win")
    assert win.seat == ending.winner
    hand = Hand(
        tuple(table.hands[win.seat]),
        table.melds[win.seat],
        win.tile if win.tile >= 0 else None,
        EAST + win.seat,
        EAST + table.board.round,
        ending.luck,
        tuple(flower - FIRST_FLOWER for flower in table.board.flowers[win.seat]),
    )
    score = score_hand(hand, rules_book)
    assert score.total == ending.points
    assert score.can_win
    assert bool(ending.luck & Luck.SELF_DRAW) == ending.self_draw
    if win.tile >= 0 and len(hand.concealed) + 3 * len(hand.melds) == 13:
        found = readings(hand, rules_book.shapes)
        assert found
        waits = slow_waits(rules_book.shapes, hand.concealed, hand.melds)
        assert waits & BIT[win.tile] or ending.luck & (Luck.SEVEN_FLOWERS | Luck.EIGHT_FLOWERS)


def check_fold(table: Table) -> None:
    """Folding the record over an empty board gives the same hands, melds, rivers and flowers."""
    hands: list[list[int]] = [[] for _ in range(4)]
    melds: list[list[tuple[str, int]]] = [[] for _ in range(4)]
    rivers: list[list[int]] = [[] for _ in range(4)]
    flowers: list[list[int]] = [[] for _ in range(4)]
    for n, event in enumerate(table.events):
        assert read_event(event.to_json()) == event
        e, seat, tile = event.e, event.seat, event.tile
        if e == "deal":
            hands[seat] = list(event.tiles)
        elif e in ("draw", "replace"):
            hands[seat].append(tile)
        elif e == "discard":
            hands[seat].remove(tile)
            rivers[seat].append(tile)
        elif e == "flower":
            hands[seat].remove(tile)
            flowers[seat].append(tile)
        elif e in ("chow", "pung", "kong"):
            assert rivers[event.source].pop() == tile
            hands[seat].append(tile)
            used = [event.low, event.low + 1, event.low + 2] if e == "chow" else [tile] * (3 if e == "pung" else 4)
            for kind in used:
                hands[seat].remove(kind)
            melds[seat].append((e, event.low if e == "chow" else tile))
        elif e == "added":
            hands[seat].remove(tile)
            melds[seat][melds[seat].index(("pung", tile))] = ("kong", tile)
        elif e == "concealed":
            for _ in range(4):
                hands[seat].remove(tile)
            melds[seat].append(("concealed", tile))
        elif e == "win" and event.source >= 0 and tile >= 0:
            before = table.events[n - 1]
            if before.e == "added":
                melds[event.source][melds[event.source].index(("kong", tile))] = ("pung", tile)
            elif before.e == "concealed":
                melds[event.source].remove(("concealed", tile))
                hands[event.source] += [tile] * 3
            else:
                assert rivers[event.source].pop() == tile
        elif e == "win" and tile >= 0:
            hands[seat].remove(tile)
        elif e == "show":
            assert sorted(event.tiles) == sorted(hands[seat])
    names = ("chow", "pung", "kong", "concealed")
    assert melds == [[(names[meld.kind], meld.tile) for meld in own] for own in table.melds]
    assert rivers == table.board.rivers
    assert flowers == table.board.flowers
    assert [sorted(hand) for hand in hands] == table.hands


def check_settled(table: Table) -> None:
    ending = table.ending
    assert ending is not None
    rules = play_rules(table.book)
    settlement = settle(ending, table.book, rules)
    if rules.zero_sum:
        assert settlement.pool == 0
        assert sum(settlement.seats) == 0
    if ending.winner is not None:
        assert settlement.seats[ending.winner] >= 0
        supplied = [0] * 4
        for shown in table.board.melds[ending.winner]:
            if shown.source >= 0:
                supplied[shown.source] += 1
        if ending.discarder is not None:
            supplied[ending.discarder] += 1
        assert list(ending.supplied) == supplied


@pytest.mark.parametrize("name", BOOKS)
def test_random_hands(name: str) -> None:
    wins = 0
    for hand in range(HANDS):
        table = play(name, 1, hand)
        check_fold(table)
        check_settled(table)
        assert table.ending is not None
        if table.ending.winner is not None:
            wins += 1
            check_win(table, table.book)
    for hand in range(25 * HANDS):
        table = play(name, 2, hand, checks=False)
        check_fold(table)
        check_settled(table)
        if table.ending is not None and table.ending.winner is not None:
            wins += 1
            check_win(table, table.book)
    assert wins


@pytest.mark.parametrize("name", BOOKS)
def test_hands_that_mostly_win(name: str) -> None:
    rules = play_rules(book(name))
    whole = sorted((*TILES, *FLOWER_TILES) if rules.table.flowers else TILES)
    wins = 0
    for hand in range(30):
        table = Table(book(name), make_wall("win", hand, flowers=rules.table.flowers), round=hand % 4)
        while table.asked:
            if hand < 3:
                check(table, whole)
            table.step(table.asked[0], choose(table, table.asked[0]))
        check(table, whole)
        check_fold(table)
        check_settled(table)
        if table.ending is not None and table.ending.winner is not None:
            wins += 1
            check_win(table, table.book)
    assert wins >= 15


@pytest.mark.slow
@pytest.mark.parametrize("name", BOOKS)
def test_many_random_hands(name: str) -> None:
    for hand in range(20_000):
        table = play(name, 3, hand, checks=hand % 20 == 0, eager=hand % 2 == 0)
        check_fold(table)
        check_settled(table)
        if table.ending is not None and table.ending.winner is not None:
            check_win(table, table.book)


@pytest.mark.parametrize("name", BOOKS)
def test_nothing_hidden_is_in_a_view_or_an_event(name: str) -> None:
    """Shuffle everything a seat cannot know among the places it cannot see: what it is told stays the same."""
    for hand in range(10):
        rng = random.Random(hand)
        rules = play_rules(book(name))
        table = Table(book(name), make_wall(4, hand, flowers=rules.table.flowers))
        told: list[list[object]] = [[], [], [], []]
        at = 0
        while table.asked:
            for n in range(at, len(table.events)):
                event = table.events[n]
                for seat in range(4):
                    seen = seen_by(event, seat, n)
                    if isinstance(seen, int):
                        assert seen == n
                        assert event.e in ("deal", "draw", "replace")
                        assert event.seat != seat
                    else:
                        assert seen.e not in ("deal", "draw", "replace") or seen.seat == seat
                    told[seat].append(seen)
            at = len(table.events)
            for seat in range(4):
                assert knowledge(told[seat], seat) == shown(table.view(seat))
            seat = rng.choice(table.asked)
            table.step(seat, rng.choice(table.options(seat)))


def knowledge(told: list[object], seat: int) -> tuple[object, ...]:
    """What follows from the events a seat was told, by the counts alone where it sees only a number."""
    own: list[int] = []
    rivers: list[list[int]] = [[] for _ in range(4)]
    flowers: list[list[int]] = [[] for _ in range(4)]
    melds = [0] * 4
    for event in told:
        if isinstance(event, int):
            continue
        e, who, tile = event.e, event.seat, event.tile  # type: ignore[attr-defined]
        mine = who == seat
        if e == "deal":
            own += event.tiles  # type: ignore[attr-defined]
        elif e in ("draw", "replace"):
            own.append(tile)
        elif e in ("discard", "flower"):
            (rivers if e == "discard" else flowers)[who].append(tile)
            if mine:
                own.remove(tile)
        elif e in ("chow", "pung", "kong"):
            rivers[event.source].pop()  # type: ignore[attr-defined]
            melds[who] += 1
            if mine:
                low = event.low  # type: ignore[attr-defined]
                kinds = [low, low + 1, low + 2] if e == "chow" else [tile] * (3 if e == "pung" else 4)
                kinds.remove(tile)
                for kind in kinds:
                    own.remove(kind)
        elif e == "concealed":
            melds[who] += 1
            if mine:
                for _ in range(4):
                    own.remove(tile)
        elif e == "added" and mine:
            own.remove(tile)
    return sorted(own), rivers, flowers, melds


def shown(view: View) -> tuple[object, ...]:
    """The same out of the copy that leaves the process."""
    from quepu.table.actions import TILE_NUMBER

    data = view.to_json()
    assert set(data) == {"seat", "rules", "hand", "drawn", "board", "options"}
    assert set(data["board"]) == {
        "round", "dice", "rivers", "melds", "flowers", "left", "turn", "offer", "offerer", "declared", "barred", "over",
    }  # fmt: skip
    own = [TILE_NUMBER[name] for name in data["hand"]]
    if data["drawn"]:
        own.append(TILE_NUMBER[data["drawn"]])
    board = data["board"]
    rivers = [[TILE_NUMBER[name] for name in river] for river in board["rivers"]]
    flowers = [[TILE_NUMBER[name] for name in row] for row in board["flowers"]]
    return sorted(own), rivers, flowers, [len(melds) for melds in board["melds"]]


def test_a_view_holds_nothing_but_what_it_says() -> None:
    table = Table(book("lingque-29"), make_wall(9))
    for seat, view in enumerate(table.views):
        assert set(View.__slots__) == {"board", "book", "drawn", "hand", "seat"}
        assert view.hand is table.hands[seat]
        reachable = {id(getattr(view.board, name)) for name in view.board.__slots__}
        secrets = [table._order, *(hand for other, hand in enumerate(table.hands) if other != seat)]
        assert not reachable & {id(secret) for secret in secrets}


@pytest.mark.parametrize("name", BOOKS)
def test_what_is_hidden_does_not_matter_to_what_is_told(name: str) -> None:
    """Two walls that differ only in undrawn tiles give every seat the same views and options."""
    rules = play_rules(book(name))
    for hand in range(10):
        wall = make_wall(6, hand, flowers=rules.table.flowers)
        one = Table(book(name), wall)
        rng = random.Random(hand)
        for _ in range(30):
            if one.asked:
                seat = rng.choice(one.asked)
                one.step(seat, rng.choice(one.options(seat)))
        if not one.asked:
            continue
        other = one.copy()
        other._order = other._order[:]
        front, back = other._front, len(other._order) - other.back - 1
        middle = other._order[front:back]
        rng.shuffle(middle)
        other._order[front:back] = middle
        hidden = [s for s in range(4) if s != one.asked[0]]
        a, b = other.hands[hidden[0]], other.hands[hidden[1]]
        if a and b:
            other.hands[hidden[0]][0], other.hands[hidden[1]][0] = b[0], a[0]
        seat = one.asked[0]
        options = [option[:5] for option in one.options(seat)]
        assert one.view(seat).to_json() == other.view(seat).to_json()
        assert options == [option[:5] for option in other.options(seat)]

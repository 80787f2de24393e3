"""The belief about the others' hands: exact on small situations, public, and better than an even guess."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

import quepu
from quepu.arena import play_hand
from quepu.bots import make_bot
from quepu.bots.belief import Past, begin_histories, believe, flat_automaton, load_weights, loops_code, walk
from quepu.fast.tables import hidden_hands as loops
from quepu.rules.play_rules import play_rules
from quepu.shapes.automaton import automaton, missing_sets
from quepu.shapes.distance import tiles_of
from quepu.table import Action, Event, Table, View, make_wall, seen_by
from quepu.table.events import KongConcealed
from quepu.table.sampling import can_sample, sample_table
from quepu.tiles import KINDS

BOOKS = ("yuque-54", "guobiao-mcr", "lingque-29", "canton")


class Observer:
    """A bot that keeps what it saw at each of its turns."""

    def __init__(self, level: str, seed: int) -> None:
        self.bot = make_bot(level, seed)
        self.events: list[Event | int] = []
        self.moments: list[tuple[View, int]] = []

    def begin(self, book: quepu.Rulebook, seat: int) -> None:
        """Begin."""
        self.bot.begin(book, seat)
        self.seat = seat

    def watch(self, event: Event | int) -> None:
        """Keep an event."""
        self.events.append(event)

    def act(self, view: View, options: Any) -> Action:
        """Act as the bot."""
        if not view.has_flower:
            self.moments.append((view, len(self.events)))
        return self.bot.act(view, options)

    def past(self, events: int) -> Past:
        """Return the past up to a number of events."""
        found = Past(self.moments[0][0].book, self.seat)
        for event in self.events[:events]:
            found.watch(event)
        return found


def played(book: str, number: int, level: str = "plain") -> tuple[Table, list[Observer]]:
    """Play a hand of four bots."""
    observers = [Observer(level, seat) for seat in range(4)]
    return play_hand(book, make_wall("beliefs", number), observers), observers


def moments(book: str, hands: int, level: str = "plain") -> Iterator[tuple[View, Past]]:
    """Yield every moment at which a seat acts."""
    for number in range(hands):
        for observer in played(book, number, level)[1]:
            for view, events in observer.moments:
                yield view, observer.past(events)


@pytest.mark.parametrize("book", BOOKS)
def test_histories_hold_what_was_seen(book: str) -> None:
    """Hands have the right size, known tiles are where they were, and nothing is made up."""
    for number, (view, past) in enumerate(moments(book, 3, "random")):
        start = begin_histories(view, past, np.random.default_rng(number))
        here = start.slots[(start.slots[:, loops.BEFORE] == 0)]
        for owner in range(3):
            seat = (view.seat + 1 + owner) & 3
            mine = (here[:, loops.OWNER] == owner).sum()
            drawn = view.board.turn == seat and view.board.offerer is None
            assert mine == 13 - 3 * len(view.board.melds[seat]) + drawn
        hidden = np.bincount(here[:, loops.TILE], minlength=KINDS)
        kongs = sum(shown.hidden for melds in view.board.melds for shown in melds)
        assert (np.array(view.unseen()) - hidden).sum() == 4 * kongs
        for row, held in zip(start.decisions, start.held, strict=True):
            whole = 3 * row[loops.NEED] + (2 if row[loops.ABOUT] == loops.DISCARD else 1)
            assert held.sum() == whole
            if row[loops.ABOUT] == loops.DISCARD:
                assert held[row[loops.WHICH]] > 0
        assert (start.held <= start.copies).all()


def test_every_decision_is_counted() -> None:
    """Each discard of another seat is a decision of that seat, and an offer to the two others unless it was won."""
    table, observers = played("guobiao-mcr", 1)
    past = observers[0].past(len(observers[0].events))
    discards = [event for event in table.events_from(0) if event.tag == "discard" and event.tile < KINDS]  # type: ignore[attr-defined]
    about = Counter(row[loops.ABOUT] for row in past.decisions)
    assert about[loops.DISCARD] == sum(event.seat != 0 for event in discards)  # type: ignore[attr-defined]
    made = [row for row in past.decisions if row[loops.ABOUT] == loops.OFFER and row[loops.LOW] != loops.PASSED]
    claims = [event for event in table.events_from(0) if event.tag in ("chow", "pung", "kong")]
    assert len(made) == sum(event.seat != 0 for event in claims)  # type: ignore[attr-defined]


def small(seed: int) -> loops.Histories:
    """Make a situation of two seats with eight tiles of unknown place, two of them discards; two are in the wall."""
    always, rng = 1 << 40, random.Random(seed)
    tiles = [rng.choice((0, 1, 2, 3, 4, 5, 27)) for _ in range(13)]
    rows = [[0, 0, tiles[n], always, 0, 0] for n in range(4)]
    rows[3][loops.FIXED] = 1
    rows[0] = [0, 0, tiles[0], 12, 11, 0]  # discarded at 12 from the hand, after a draw at 11
    rows += [[0, 11, tiles[4], always, 0, 0], [0, 21, tiles[5], 22, 22, 1]]  # kept the first draw, not the second
    rows += [[1, 0, 6, always, 0, 1], [1, 0, 7, always, 0, 1], [1, 0, tiles[6], always, 0, 1]]
    rows += [[1, 15, tiles[7], always, 0, 0], [1, 0, tiles[8], 16, 15, 0]]
    rows += [[loops.WALL, 0, tile, always, 0, 0] for tile in tiles[9:11]]
    slots = np.array(rows, np.int64)
    free = np.flatnonzero(slots[:, loops.FIXED] == 0)
    #              by at about tile low chows need turn exposed suits valued
    decisions = [
        [0, 12, loops.DISCARD, tiles[0], 0, 0, 1, 3, 3, 1, 0],
        [0, 16, loops.OFFER, tiles[8], loops.PASSED, 1, 1, 4, 3, 1, 0],
        [0, 22, loops.DISCARD, tiles[5], 0, 0, 1, 4, 3, 1, 0],
        [1, 16, loops.DISCARD, tiles[8], 0, 0, 1, 3, 3, 2, 1],
    ]
    decided = np.array(decisions, np.int64)
    return loops.Histories(
        slots, free, decided, np.array([0, 3, 4, 4]), np.full((4, KINDS), 1, np.int64), hands_of(slots, decided),
        np.full(KINDS, 4, np.int64),
    )  # fmt: skip


def hands_of(slots: Any, decisions: Any) -> Any:
    """Return the hand at each decision, slot by slot."""
    held = np.zeros((len(decisions), KINDS), np.int64)
    for d, row in enumerate(decisions):
        for slot in slots:
            if slot[loops.OWNER] == row[loops.BY] and slot[loops.ENTER] < row[loops.AT] <= slot[loops.LEAVE]:
                held[d, slot[loops.TILE]] += 1
    return held


def log_likelihood(start: loops.Histories, held: Any, weights: Any) -> float:
    """Return the logarithm of the chance of all decisions."""
    rated, room, none = np.zeros((KINDS, loops.DISCARD_TERMS)), np.zeros((3, KINDS), np.int64), np.zeros(1, np.int64)
    given = (
        start._replace(held=held),
        loops.Policy(flat_automaton(), weights),
        loops.Room(room, rated, rated, none, none),
    )
    return float(sum(loops_code().functions.log_chance(d, *given) for d in range(len(held))))


def enumerate_hands(start: loops.Histories, weights: Any) -> Any:
    """Return the expected copies in each hand by going through all arrangements of the tiles that may be anywhere."""
    free = start.movable
    contents = start.slots[free][:, loops.TILE : loops.FIXED]
    owners, enters = start.slots[free, loops.OWNER], start.slots[free, loops.ENTER]
    total, sums, known = 0.0, np.zeros((3, KINDS)), {}
    for order in permutations(range(len(free))):
        fits = all(
            contents[c][2] == 0 or (owners[p] == owners[c] and enters[p] < contents[c][2]) for p, c in enumerate(order)
        )
        if not fits:
            continue
        slots = start.slots.copy()
        slots[free, loops.TILE : loops.FIXED] = contents[list(order)]
        key = slots.tobytes()
        if key not in known:
            known[key] = math.exp(log_likelihood(start, hands_of(slots, start.decisions), weights))
        total += known[key]
        for slot in slots:
            if slot[loops.OWNER] != loops.WALL and slot[loops.BEFORE] == 0:
                sums[slot[loops.OWNER], slot[loops.TILE]] += known[key]
    return sums / total


@pytest.mark.parametrize("seed", [1, 2])
def test_walk_agrees_with_enumeration(seed: int) -> None:
    """The hands met on a long walk are those of all arrangements, weighed by what the seats did."""
    start, weights = small(seed), load_weights(quepu.book("yuque-54")) / 2
    exact = enumerate_hands(start, weights)
    even = enumerate_hands(start, np.zeros(loops.WEIGHTS))
    belief = walk(start, weights, seed, loops.Plan(400_000, 4_000, 13, 1.0))
    assert abs(exact - even).max() > 0.05  # the decisions say something
    assert abs(belief.shares() - exact).max() < 0.02


def test_walk_is_the_same_in_plain_python() -> None:
    """Machine code and Python meet the same hands."""
    weights = load_weights(quepu.book("guobiao-mcr"))
    for number, (view, past) in enumerate(moments("guobiao-mcr", 1)):
        if number % 15 == 0:
            found = [
                walk(
                    begin_histories(view, past, np.random.default_rng(3)),
                    weights,
                    3,
                    loops.Plan(150, 20, 3, 0.7),
                    compiled,
                )
                for compiled in (True, False)
            ]
            assert (found[0].hands == found[1].hands).all()
            assert found[0].accepted == found[1].accepted


@pytest.mark.parametrize("book", ["yuque-54", "guobiao-mcr"])
def test_terms_are_those_of_the_distances(book: str) -> None:
    """Distances and useful tiles after each discard are those of `quepu.shapes`; so is the distance after a claim."""
    run, checked, claims = loops_code().functions, 0, 0
    terms, room = np.zeros((KINDS, loops.DISCARD_TERMS)), np.zeros((3, KINDS), np.int64)
    for number, (view, past) in enumerate(moments(book, 1)):
        if number % 6:
            continue
        start = begin_histories(view, past, np.random.default_rng(number))
        for d, row in enumerate(start.decisions):
            tiles = [kind for kind in range(KINDS) for _ in range(start.held[d, kind])]
            need = int(row[loops.NEED])
            if row[loops.ABOUT] == loops.DISCARD:
                run.discard_terms(d, start, flat_automaton(), room, terms)
                whole = tiles_of(tiles)._replace(need=need)
                after = {kind: missing_sets(whole.without_tile(kind)) for kind in set(tiles)}
                best = min(after.values())
                free = [max(0, 4 - int(start.seen[d, kind]) - tiles.count(kind)) for kind in range(KINDS)]
                for kind, lacks in after.items():
                    assert terms[kind, 0] == min(lacks - best, 2)
                    if lacks == best:
                        helping = automaton().helping(whole.without_tile(kind).key, need, best, free)
                        assert math.isclose(terms[kind, 2], math.log(1 + sum(free[one] for one in helping)))
                checked += 1
            elif row[loops.ABOUT] == loops.OFFER and tiles.count(row[loops.WHICH]) >= 2 and need:
                for suit in range(4):
                    room[0, suit] = run.key_of(start.held, d, suit)
                now = missing_sets(tiles_of(tiles)._replace(need=need))
                assert run.claim_terms(d, -1, now, start, flat_automaton(), room, terms)
                rest = tiles[:]
                rest.remove(row[loops.WHICH])
                rest.remove(row[loops.WHICH])
                assert terms[0, 1] == (missing_sets(tiles_of(rest)._replace(need=need - 1)) < now)
                claims += 1
    assert checked > 20
    assert claims > 5


@pytest.mark.parametrize("book", ["guobiao-mcr", "lingque-29"])
def test_only_public_information_enters(book: str) -> None:
    """A table with other hidden tiles, on which the seat has seen the same, gives the same belief."""
    table, compared = Table(quepu.book(book), make_wall("public", 4)), 0
    bots = [make_bot("plain", seat) for seat in range(4)]
    for seat, bot in enumerate(bots):
        bot.begin(table.book, seat)
    while table.to_act and compared < 3:
        seat = table.to_act[0]
        if can_sample(table, seat) and table.event_count % 9 == 0:
            other = sample_table(table, seat, table.event_count)
            assert [*map(tuple, other.hands)] != [*map(tuple, table.hands)]
            found = []
            for one in (table, other):
                past = Past(table.book, seat)
                for number, event in enumerate(one.events_from(0)):
                    past.watch(seen_by(event, seat, number, play_rules(table.book).table.concealed_kongs_hidden))
                found.append(believe(one.view(seat), past, 5, loops.Plan(600, 100, 10, 0.6)).hands)
            assert (found[0] == found[1]).all()
            compared += 1
        table.step(seat, bots[seat].act(table.view(seat), table.options(seat)))
    assert compared == 3


@pytest.mark.parametrize("steps", [3_000, pytest.param(12_000, marks=pytest.mark.long)])
def test_belief_knows_more_than_an_even_guess(steps: int) -> None:
    """In a book without a minimum, tiles of `plain` hands are known better than by the unseen tiles alone."""
    gains = []
    for number in range(12):
        table, observers = played("yuque-54", 100 + number)
        observer = observers[number % 4]
        turns = [one for one in observer.moments if 60 < one[0].board.left < 84 and one[0].drawn is not None]
        if not turns:
            continue
        view, events = turns[-1]
        shares = believe(view, observer.past(events), number, loops.Plan(steps, steps // 4, 20, 0.6)).shares()
        true = hands_at(table, events, hidden=observer.seat)
        even = np.array(view.unseen(), float) / sum(view.unseen())
        for n in range(3):
            share = 0.9 * shares[n] / shares[n].sum() + 0.1 * even
            gains.append(float(true[n] @ np.log2(np.maximum(share, 1e-12) / np.maximum(even, 1e-12)) / true[n].sum()))
    assert len(gains) > 20
    assert np.mean(gains) > 0.0


def hands_at(table: Table, events: int, hidden: int) -> Any:
    """Return the hands of the three others after so many events."""
    hands = np.zeros((4, 42), np.int64)
    for event in table.events_from(0)[:events]:
        if event.tag == "deal":
            np.add.at(hands[event.seat], list(event.tiles), 1)  # type: ignore[attr-defined]
        elif event.tag in ("draw", "replace"):
            hands[event.seat, event.tile] += 1  # type: ignore[attr-defined]
        elif event.tag in ("discard", "flower", "added"):
            hands[event.seat, event.tile] -= 1  # type: ignore[attr-defined]
        elif isinstance(event, KongConcealed):
            hands[event.seat, event.tile] -= 4
        elif event.tag in ("chow", "pung", "kong"):
            np.subtract.at(hands[event.seat], list(event.own), 1)  # type: ignore[attr-defined]
    return [hands[(hidden + 1 + n) & 3, :KINDS] for n in range(3)]

"""What a seat cannot see is dealt anew: what it saw stays, all tiles are there, and each way comes alike."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from quepu.bots import make_bot
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.table import Table, make_wall, seen_by
from quepu.table.sampling import SampleError, sample_hidden, sample_table
from quepu.tiles import FIRST_FLOWER
from tests.books import PLAYED


def played(rules: str, seed: int, steps: int) -> Table:
    own = book(rules)
    table = Table(own, make_wall(seed, 0, play_rules(own).table.tiles))
    bot = make_bot("plain", seed)
    bot.begin(own, 0)
    for _ in range(steps):
        if table.to_act:
            seat = table.to_act[0]
            table.step(seat, bot.act(table.view(seat), table.options(seat)))
    return table


@pytest.mark.parametrize("rules", PLAYED)
def test_what_was_seen_stays(rules: str) -> None:
    rng = random.Random(1)
    for seed in range(6):
        table = played(rules, seed, rng.randrange(5, 60))
        if table.over:
            continue
        seat = table.to_act[0]
        made, again = (sample_table(table, seat, 5) for _ in range(2))
        hidden = table.rules.table.concealed_kongs_hidden
        for mine, theirs in zip(made.events, table.events, strict=True):
            one, other = (seen_by(event, seat, 0, hidden) for event in (mine, theirs))
            assert one == other
        assert made.view(seat) == table.view(seat)
        assert made == again
        assert made.tiles() == table.tiles()
        while made.to_act:  # it can be played on
            made.step(made.to_act[0], rng.choice(made.options(made.to_act[0])))
        left = sample_hidden(table.view(seat), 5)
        assert left == sample_hidden(table.view(seat), 5) != sample_hidden(table.view(seat), 6)
        assert [len(hand) for hand in left.hands] == [
            len(hand) + (table.drawn is not None and who == table.turn) for who, hand in enumerate(table.hands)
        ]
        assert Counter(left.wall) + Counter(k for hand in left.hands for k in hand) == Counter(
            table.undrawn() + [k for hand in table.hands for k in hand] + ([] if table.drawn is None else [table.drawn])
        )
        assert all(kind < FIRST_FLOWER for who in range(4) if who != seat for kind in left.hands[who])


def test_only_a_tile_just_drawn_can_be_a_flower() -> None:
    """In 国标 a flower can be discarded, so who has just drawn may hold one; whoever has discarded holds none."""
    table = played("guobiao-mcr", 4, 13)
    offers = 0
    while not table.over and offers < 3:
        seat = next(who for who in table.to_act)
        if table.offered[1] is not None:
            offers += 1
            for seed in range(40):
                hands = sample_table(table, seat, seed).hands
                assert all(kind < FIRST_FLOWER for who in range(4) if who != seat for kind in hands[who])
        bot = make_bot("plain", 4)
        bot.begin(table.book, 0)
        table.step(seat, bot.act(table.view(seat), table.options(seat)))
    assert offers == 3
    while table.offered[1] is not None or table.drawn is None:
        table.step(table.to_act[0], table.options(table.to_act[0])[-1])
    other = (table.turn + 1) % 4
    drawn = [sample_table(table, other, seed).drawn for seed in range(150)]
    assert {kind is not None and kind >= FIRST_FLOWER for kind in drawn} == {True, False}


def test_each_way_comes_alike() -> None:
    """An unseen tile is in each hand and in the wall in proportion to their sizes."""
    table = played("guobiao-mcr", 4, 12)
    seat = table.to_act[0]
    unseen = table.view(seat).unseen()
    kind = max(range(34), key=lambda k: unseen[k])
    runs = 400
    found: Counter[int] = Counter()
    for seed in range(runs):
        made = sample_table(table, seat, seed)
        for other in range(4):
            found[other] += made.hands[other].count(kind) if other != seat else 0
    expected = runs * unseen[kind] * 13 / sum(unseen)
    closed = [other for other in range(4) if other != seat and not table.melds[other]]
    assert closed
    for other in closed:
        assert abs(found[other] - expected) < 5 * expected**0.5


def test_where_nothing_can_be_sampled() -> None:
    table = played("lingque-29", 1, 500)
    with pytest.raises(SampleError, match=r"打完|over"):
        sample_table(table, 0, 1)
    for seed in range(40):
        table = played("lingque-29", seed, 20)
        if table.offered[1] is not None:
            stranger = next(seat for seat in range(4) if seat not in table.to_act)
            with pytest.raises(SampleError, match=r"应答|answer"):
                sample_table(table, stranger, 1)
            return


def test_a_hand_that_was_declared_ready_and_changed_cannot_be_made() -> None:
    table, rng = Table(book("canton"), make_wall(8, own=True)), random.Random(8)
    for _ in range(9):
        options = table.options(rng.choice(table.to_act))
        ready = [option for option in options if option.do == "ready" or option.ready]
        seat = next(seat for seat in table.to_act if table.options(seat) == options)
        table.step(seat, ready[-1] if ready else rng.choice(options))
    assert any(event.tag == "ready" or getattr(event, "declares", False) for event in table.events)
    assert not any(table.board.declared)
    with pytest.raises(SampleError, match="报听"):
        sample_table(table, table.to_act[0], 8)

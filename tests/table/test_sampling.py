"""What a seat cannot see is dealt anew: what it saw stays, all tiles are there, and each way comes alike."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from quepu.bots import make_bot
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.table import Table, make_wall, seen_by
from quepu.table.actions import PASS
from quepu.table.events import DiceThrown, Drawn, Exhausted, KongConcealed
from quepu.table.sampling import SampleError, _play_again, can_sample, sample_hidden, sample_table
from quepu.tiles import FIRST_FLOWER, FLOWERED
from tests.books import PLAYED
from tests.table.players import choose
from tests.table.walls import go, stacked, throw_away


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


# ---- the sizes of what is hidden, and who may sample


@pytest.mark.parametrize("rules", ["lingque-29", "guobiao-mcr"])
def test_every_seat_counts_the_tiles_of_the_others_rightly_at_every_moment(rules: str) -> None:
    """After a draw the seat on turn has one tile more, after a claim as well; after its discard it has not."""
    moments = Counter[str]()
    for seed in range(3):
        table = Table(book(rules), make_wall("sizes", seed, play_rules(book(rules)).table.tiles))
        while not table.over:
            claimed = table.offered[1] is None and table.drawn is None
            moments["offer" if table.offered[1] is not None else "claim" if claimed else "draw"] += 1
            if claimed or table.event_count % 16 < 2:
                check_sizes(table)
            table.step(table.to_act[0], choose(table, table.to_act[0]))
        if table.drawn is None:
            check_sizes(table)
            moments["over"] += 1
    assert all(moments[moment] for moment in ("offer", "claim", "draw", "over")), moments


def check_sizes(table: Table) -> None:
    held = [len(hand) for hand in table.hands]
    held[table.turn] += table.drawn is not None
    for seat in range(4):
        assert [len(hand) for hand in sample_hidden(table.view(seat), 3).hands] == held


def test_kongs_that_lie_face_down_take_four_tiles_of_one_kind_that_is_not_in_sight() -> None:
    table = Table(book("guobiao-mcr"), stacked(["1111m46p222s789mE", "47m2589pESWNCF9s"], "E", tail="9p", flowers=True))
    go(table, "E concealed 1m")
    view, kongs = table.view(1), set()
    for seed in range(20):
        left = sample_hidden(view, seed)
        gone = Counter(FLOWERED.tiles) - Counter([*left.wall, *(kind for hand in left.hands for kind in hand)])
        gone.subtract(kind for flowers in view.board.flowers for kind in flowers)
        gone.subtract(kind for river in view.board.rivers for kind in river)
        ((kind, copies),) = (+gone).items()
        assert copies == 4 and kind not in view.tiles
        kongs.add(kind)
    assert len(kongs) > 5


def test_a_view_with_five_tiles_of_a_kind_cannot_be() -> None:
    view = Table(book("lingque-29"), make_wall(1)).view(2)
    sample_hidden(view._replace(hand=(5, 5, 5, 5)), 1)
    with pytest.raises(SampleError, match="比一副牌还多") as refused:
        sample_hidden(view._replace(hand=(5, 5, 5, 5, 5)), 1)
    assert "more tiles than a set" in refused.value.say("en")


READY = ["147m258p369sESWN", "123789m123s46pEE", "1379p258s369mCSW", "1379p258s147mCPW"]


def test_only_who_is_asked_may_sample_while_a_hand_may_be_declared_ready() -> None:
    """No tile is on offer then, yet the others do not know that South is asked."""
    table = Table(book("canton"), stacked(READY, "9m", flowers=True))
    assert (table.to_act, table.offered) == ((1,), (None, 0))
    assert [can_sample(table, seat) for seat in range(4)] == [False, True, False, False]
    assert sample_table(table, 1, 4).view(1) == table.view(1)
    go(table, "S ready")
    for seat in range(4):
        assert can_sample(table, seat)
        made = sample_table(table, seat, 4)
        assert made.view(seat) == table.view(seat)
        assert made.board.declared[1] == "deal" and made.waits[1]


def test_a_held_table_and_one_that_is_over_give_no_sample() -> None:
    table = Table(book("lingque-29"), make_wall(1), shielded=True)
    table.step(0, table.options(0)[-1])
    while not table.held:
        table.step(table.to_act[0], PASS)
    assert not can_sample(table, 0)
    over = throw_away(Table(book("lingque-29"), make_wall(1)))
    assert over.over and not can_sample(over, 0)


def test_a_player_who_passed_up_seven_flowers_and_is_then_ready_can_be_sampled() -> None:
    """Two answers without an event between them."""
    hands = ["147m258p369sESWN", "123789m春夏秋冬梅兰竹", *READY[2:]]
    table = Table(book("canton"), stacked(hands, "9mF9m", tail="123s46pEE", flowers=True), round=2)
    assert (table.to_act, table.options(1)[0].do) == ((1,), "win")
    assert sample_table(table, 1, 5).view(1) == table.view(1)
    go(table, "S pass")
    assert table.options(1)[0].do == "ready"
    assert sample_table(table, 1, 5).view(1) == table.view(1)
    go(table, "S ready")
    for seat in range(4):
        assert sample_table(table, seat, 5).view(seat) == table.view(seat)


def test_who_is_asked_after_anothers_seven_flowers_is_asked_on_the_sampled_table() -> None:
    hands = ["147m258p369sESWN", "123789m春夏秋冬梅兰竹", "456p456789s99pSS", READY[3]]
    table = go(Table(book("canton"), stacked(hands, "9mF9m", tail="123s46pWWE", flowers=True)), "S pass")
    assert 2 in table.to_act
    for seed in range(5):
        made = sample_table(table, 2, seed)
        assert made.view(2) == table.view(2)
        assert 2 in made.to_act
    go(table, "W ready", "S pass")
    for seat in range(4):
        assert sample_table(table, seat, 5).view(seat) == table.view(seat)


def test_two_hidden_kongs_keep_their_tiles_together() -> None:
    hands = ["1111m46p33s789m99s", "2222s589pESWNCF", "147p369s258mCPW", "147p369s258mCPW"]
    table = Table(book("guobiao-mcr"), stacked(hands, "E9p", tail="9p8p", flowers=True), round=3)
    go(table, "E concealed 1m", "E discard E", "S concealed 2s")
    seen = set()
    for seed in range(12):
        made = sample_table(table, 2, seed)
        assert made.view(2) == table.view(2)
        assert made.tiles() == table.tiles()
        kinds = [made.melds[seat][0].tile for seat in (0, 1)]
        assert len(set(kinds)) == 2 and not set(kinds) & set(table.view(2).tiles)
        seen.add(tuple(kinds))
        assert [event.seat for event in made.events if isinstance(event, KongConcealed)] == [0, 1]
    assert len(seen) > 8
    own = sample_table(table, 1, 1)
    assert own.melds[1] == table.melds[1]


# ---- playing again


def test_a_record_that_the_table_does_not_repeat_is_refused() -> None:
    wall = make_wall(1)
    record = list(Table(book("lingque-29"), wall).events)
    _play_again(Table(book("lingque-29"), wall), record, (), 0)
    other = Drawn(0, (record[-1].tile + 1) % 34) if isinstance(record[-1], Drawn) else None
    assert other is not None
    for wrong in (
        [DiceThrown((6, 6, 6, 5)), *record[1:]],  # another beginning
        [*record[:-1], other],
        [*record, Drawn(1, 5)],  # East has not discarded
        [*record, Exhausted()],
        record[:-1],  # the table does more
    ):
        with pytest.raises(SampleError, match="重演"):
            _play_again(Table(book("lingque-29"), wall), wrong, (), 0)

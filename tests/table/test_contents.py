"""What a table shows of a hand at every moment; and that it can be copied, compared, stored and played again."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import pytest

from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import NotAllowed, Table, make_wall
from quepu.table.contents import play_again
from quepu.table.events import Drawn, Exhausted
from quepu.table.open_melds import OpenMeld, visible
from quepu.tiles import FLOWERED, WINDS
from tests.table.walls import JUNK, go, stacked, throw_away

LINGQUE = book("lingque-29")
HANDS = ["5p147m258sESWNCF", "123789m123s46pEE", "55p28m37s2899mWN", "1133m1199p19sCFP"]


def moments(name: str, seed: int, *, shielded: bool = False, bars: bool = False) -> Iterator[Table]:
    """Yield a table after every step of a hand played at random, with seats barred and freed in between."""
    rng = random.Random(seed)
    table = Table(book(name), make_wall("moments", seed, FLOWERED), round=seed % 4, shielded=shielded)
    yield table
    while not table.over:
        if bars and rng.random() < 0.1:
            table.bar(rng.randrange(4), rng.random() < 0.5)
        elif table.held:
            table.go_on()
        else:
            seat = rng.choice(table.to_act)
            options = table.options(seat)
            keen = [option for option in options if option.do in ("pung", "kong", "concealed", "added", "chow")]
            table.step(seat, rng.choice(keen if keen and rng.random() < 0.7 else options))
        yield table


def known(table: Table) -> tuple[object, ...]:
    """Return everything a table can be asked."""
    return (
        table, table.to_act, table.held, table.position, table.answers, table.missed, table.ending,
        [table.options(seat) for seat in range(4)], table.undrawn(),
    )  # fmt: skip


@pytest.mark.parametrize(("name", "shielded", "bars"), [("guobiao-mcr", False, False), ("canton", True, True)])
def test_a_table_is_stored_and_played_again_from_any_moment(name: str, shielded: bool, bars: bool) -> None:
    for at, table in enumerate(moments(name, 4, shielded=shielded, bars=bars)):
        if at % 13 == 5 or table.over:
            again = pickle.loads(pickle.dumps(table))
            assert known(again) == known(table)
            assert hash(again) == hash(table)


def test_a_copy_is_equal_and_goes_its_own_way() -> None:
    table = go(Table(LINGQUE, stacked(HANDS, "9m")), "E discard 5p", "S pass")
    for made in (table.copy(), copy.copy(table), copy.deepcopy(table)):
        assert known(made) == known(table)
        before = known(table.copy())
        go(made, "W pung 5p")
        assert known(table.copy()) == before
        assert made != table


def test_tables_that_began_otherwise_differ() -> None:
    wall = make_wall(1)
    table = Table(LINGQUE, wall)
    rules = play_rules(LINGQUE)
    assert table == Table(LINGQUE, wall, rules=rules)
    house = replace(rules, table=replace(rules.table, most_winners=2))
    others = [
        Table(LINGQUE, wall, round=1), Table(LINGQUE, wall, shielded=True), Table(LINGQUE, make_wall(2)),
        Table(book("yuque-54"), wall), Table(LINGQUE, wall, rules=house),
    ]  # fmt: skip
    for other in others:
        assert table != other
        make, args = other.__reduce__()
        assert make(*args) == other
    assert make(*args).rules.table.most_winners == 2
    assert table != 3 and not table == None  # noqa: E711, SIM201  # asks the table itself


def test_a_stored_hand_that_went_otherwise_is_refused() -> None:
    table = go(Table(LINGQUE, stacked(HANDS, "9m")), "E discard 5p", "W pung 5p", "W discard N")
    _, (made, value) = table.__reduce__()
    *start, events, answers = value
    assert play_again(made, value) == table
    for wrong in ((*events, Drawn(0, 5)), (*events, Exhausted()), events[:-1], (*events[:5], events[6])):
        with pytest.raises(NotAllowed):
            play_again(made, (*start, wrong, answers))
    with pytest.raises(NotAllowed):
        play_again(made, (*start, events, ()))
    with pytest.raises(NotAllowed):
        play_again(made, (*start[:-1], True, events, answers))


def test_a_held_table_stays_held_and_one_that_went_on_goes_on() -> None:
    table = Table(LINGQUE, stacked(JUNK, "9m"), shielded=True)
    go(table, "E discard 9m drawn")
    assert table.held and repr(table) == "Table('lingque-29': 7 events, nobody to act, 83 tiles left)"
    assert pickle.loads(pickle.dumps(table)).held
    table.go_on()
    again = pickle.loads(pickle.dumps(table))
    assert not again.held and again == table and again.to_act == (1,)
    _, (made, value) = table.__reduce__()
    *start, events, answers = value
    with pytest.raises(NotAllowed):  # it went on, but nothing follows
        play_again(made, (*start, events[:-1], answers))


def test_what_a_table_says_of_itself() -> None:
    table = Table(LINGQUE, stacked(HANDS, "9m"))
    assert repr(table) == "Table('lingque-29': 6 events, E to act, 83 tiles left)"
    assert table.offered == (None, None)
    assert (table.turn, table.drawn, table.event_count) == (0, 8, 6)
    go(table, "E discard 5p")
    assert repr(table) == "Table('lingque-29': 7 events, SWN to act, 83 tiles left)".replace("SWN", "".join(
        WINDS[seat] for seat in table.to_act))  # fmt: skip
    assert table.offered == (13, 0)
    assert (table.board.offer, table.board.offerer) == (13, 0)
    assert table.answer_count == 0
    go(table, "S win")
    assert repr(table) == f"Table('lingque-29': {len(table.events)} events, over)"
    assert table.over and table.offered == (None, None)


def test_events_are_numbered_from_nought() -> None:
    table = Table(LINGQUE, stacked(HANDS, "9m"))
    events = table.events
    assert [table.event(number) for number in range(len(events))] == list(events)
    assert table.event(-1) is None and table.event(len(events)) is None
    assert table.events_from(0) == list(events)
    assert table.events_from(4) == list(events[4:])


@pytest.mark.parametrize("name", ["guobiao-mcr", "lingque-29"])
def test_every_seat_sees_the_board_that_is_shown_to_it(name: str) -> None:
    for table in islice(moments(name, 3), 0, None, 3):
        counts = table.tiles()
        assert counts == [FLOWERED.tiles.count(kind) for kind in range(42)]
        assert table.board_for(None).over is table.over
        for seat in range(4):
            view = table.view(seat)
            shown = table.board_for(seat)
            assert view.board._replace(open_counts=None) == shown._replace(open_counts=None)
            assert view.board.visible() == shown.visible()
            assert view.hand == table.hands[seat]
            assert view.drawn == (table.drawn if table.turn == seat else None)


def test_ready_hands_are_known_when_the_hand_is_over() -> None:
    hands = ["123m456p789pWWW5m", "46m11p123789sEEE", "123m789m456sNNNF", "999m234p222678sP"]
    table = Table(book("yuque"), stacked(hands, "C"))
    assert table.ready_hands() == (None,) * 4
    given = go(table.copy(), "E discard 5m", "S win")
    found = given.ready_hands()
    assert [None if one is None else one.tile for one in found] == [31, None, 32, 33]
    # of C, drawn by East, three copies are left; F and P are alone in their hands
    assert all(one is None or one.live for one in found)


def test_what_others_see_of_a_winning_tile_that_was_given() -> None:
    """A discard that won counts among the tiles that a ready hand sees; a tile drawn by the winner does not."""
    seen: list[list[int]] = []
    rules = play_rules(book("yuque"))

    def count(_: Hand, __: Rulebook, copies: Sequence[int]) -> None:
        seen.append(list(copies))

    rules = replace(rules, ready_value=count)
    hands = ["123m456p789pWWW5m", "46m11p123789sEEE", "123m789m456sNNNF", "999m234p222678sP"]
    given = go(Table(book("yuque"), stacked(hands, "C"), rules=rules), "E discard 5m", "S win")
    drawn = go(Table(book("yuque"), stacked(hands, "C5m"), rules=rules), "E discard C drawn", "S win")
    for table, copies in ((given, [1, 1, 1]), (drawn, [1, 0, 0])):
        seen.clear()
        table.ready_hands()
        assert [one[4] for one in seen] == copies
    exhausted = throw_away(Table(book("yuque"), make_wall(21), rules=rules))
    seen.clear()
    assert exhausted.ready_hands() == (None,) * 4 and len(seen) == 4


# ---- open melds


@pytest.mark.parametrize(
    ("shown", "data"),
    [
        (OpenMeld(Meld(MeldKind.CHOW, 3), 4, 0),
         {"kind": "chow", "tiles": "4m5m6m", "claimed": "5m", "from": "E"}),
        (OpenMeld(Meld(MeldKind.PUNG, 0), 0, 3), {"kind": "pung", "tiles": "1m1m1m", "claimed": "1m", "from": "N"}),
        (OpenMeld(Meld(MeldKind.KONG, 33), 33, 1, True),
         {"kind": "kong", "tiles": "PPPP", "claimed": "P", "from": "S", "added": True}),
        (OpenMeld(Meld(MeldKind.CONCEALED_KONG, 8)), {"kind": "concealed_kong", "tiles": "9m9m9m9m"}),
        (OpenMeld(Meld(MeldKind.CONCEALED_KONG, 0), hidden=True), {"kind": "concealed_kong", "tiles": ""}),
        (OpenMeld(Meld(MeldKind.PUNG, 0), None, 3), {"kind": "pung", "tiles": "1m1m1m"}),
        (OpenMeld(Meld(MeldKind.PUNG, 0), 0), {"kind": "pung", "tiles": "1m1m1m"}),
    ],
)  # fmt: skip
def test_an_open_meld_as_data(shown: OpenMeld, data: dict[str, object]) -> None:
    assert shown.to_json() == data


def test_rivers_and_melds_are_counted_but_not_what_lies_face_down() -> None:
    melds = [
        [OpenMeld(Meld(MeldKind.CHOW, 3), 4, 0), OpenMeld(Meld(MeldKind.CONCEALED_KONG, 0), hidden=True)],
        [OpenMeld(Meld(MeldKind.KONG, 5), 5, 0), OpenMeld(Meld(MeldKind.CONCEALED_KONG, 8))],
    ]
    seen = visible([[3, 3, 41], [33]], melds)
    assert seen == [{3: 3, 4: 1, 5: 5, 8: 4, 33: 1, 41: 1}.get(kind, 0) for kind in range(42)]
    assert visible([], []) == [0] * 42

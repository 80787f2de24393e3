"""What all four see, what one seat knows, and how both are written and shown."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from quepu.hands.hand import Meld, MeldKind
from quepu.rulebooks import book
from quepu.table import Table, View, seen_by
from quepu.table.events import Dealt, Discarded, Drawn, KongConcealed, KongFaceDown, ReplacementDrawn
from quepu.table.open_melds import OpenMeld
from quepu.table.visibility import FACE_DOWN, Board, face_down, owner
from quepu.table.wall import WallPlan, make_wall
from tests.table.walls import go, kinds, settle_offer, stacked, throw_away

LINGQUE = book("lingque-29")
PUNG, CHOW = OpenMeld(Meld(MeldKind.PUNG, 4), 4, 0), OpenMeld(Meld(MeldKind.CHOW, 0), 1, 2)
HIDDEN = OpenMeld(Meld(MeldKind.CONCEALED_KONG, 8))
BOARD = Board(
    round=2,
    rivers=((4, 4), (), (27,), ()),
    melds=((), (PUNG, HIDDEN), (CHOW,), ()),
    flowers=((), (34, 41), (), ()),
    left=60,
    turn=1,
)


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        # 136 tiles: four hands and 24 draws are gone from the head
        (Board(left=60), {"head": 76, "tail": 0, "dead": 0, "each": 17, "sides": [17] * 4}),
        (Board(left=60, tail=3), {"head": 73, "tail": 3, "dead": 0}),
        # 14 dead tiles: replacements shorten the rest, unless they come out of them
        (Board(left=60, tail=3, plan=WallPlan(136, 14)), {"head": 59, "tail": 3, "dead": 14}),
        (Board(left=60, tail=3, plan=WallPlan(136, 14, True)), {"head": 62, "tail": 3, "dead": 11}),
        (Board(left=20, plan=WallPlan(110)), {"head": 90, "each": 14, "sides": [14, 13, 14, 14]}),
        (Board(left=20, plan=WallPlan(144, own=True), piles=(5, 6, 4, 5)), {"piles": [5, 6, 4, 5], "each": 18}),
        # the example of the book: South opens, and the deal begins with his 13th stack
        (Board(dice=(2, 4, 1, 5)), {"seat": "S", "stack": 13}),
        (Board(dice=(6, 3, 6, 5), plan=WallPlan(144)), {"seat": "N", "stack": 3}),
    ],
)
def test_the_wall_as_it_stands(board: Board, expected: dict[str, Any]) -> None:
    stacks = board.stacks_json()
    assert {key: stacks[key] for key in expected} == expected
    assert ("piles" in stacks) is ("piles" in expected)
    assert board.to_json()["stacks"] == stacks


def test_a_board_is_written_with_names() -> None:
    written = BOARD._replace(offer=4, offerer=0, declared=("", "deal", "", ""), barred=(False, False, True, False))
    assert {key: value for key, value in written.to_json().items() if key not in ("stacks", "melds")} == {
        "round": "W", "dice": [1, 1, 1, 1], "rivers": [["5m", "5m"], [], ["E"], []],
        "flowers": [[], ["春", "菊"], [], []], "left": 60, "turn": "S", "offer": "5m", "offerer": "E",
        "declared": ["", "deal", "", ""], "barred": [False, False, True, False], "over": False,
    }  # fmt: skip
    assert written.to_json()["melds"][1:3] == [
        [{"kind": "pung", "tiles": "5m5m5m", "claimed": "5m", "from": "E"},
         {"kind": "concealed_kong", "tiles": "9m9m9m9m"}],
        [{"kind": "chow", "tiles": "1m2m3m", "claimed": "2m", "from": "W"}],
    ]  # fmt: skip
    bare = BOARD._replace(offer=0, offerer=None).to_json()
    assert (bare["offer"], bare["offerer"]) == ("1m", None)
    assert BOARD.to_json()["offer"] is None


def test_tiles_in_sight_are_those_of_rivers_and_melds() -> None:
    seen = BOARD.visible()
    assert {kind: n for kind, n in enumerate(seen) if n} == {0: 1, 1: 1, 2: 1, 4: 5, 8: 4, 27: 1}
    for viewer, nines in ((None, 0), (0, 0), (1, 4), (3, 0)):
        board = BOARD._replace(open_counts=tuple(seen)).seen_from(viewer)
        assert board.visible()[8] == nines
        assert board.melds[1] == (PUNG, HIDDEN if viewer == 1 else FACE_DOWN)
        assert board.melds[2] == (CHOW,)
    assert BOARD._replace(over=True).seen_from(0).visible()[8] == 4
    assert face_down(((HIDDEN,), (HIDDEN,)), 1) == ((FACE_DOWN,), (HIDDEN,))


def view(hand: str = "123m", drawn: int | None = None, seat: int = 1) -> View:
    return View(seat, LINGQUE, BOARD, tuple(kinds(hand)), drawn)


def test_a_view_knows_its_own_tiles_and_counts_what_is_left() -> None:
    one = view("1113mE", 27)
    assert one.tiles == [0, 0, 0, 2, 27, 27]
    assert view("13m").tiles == [0, 2]
    assert one.melds == (PUNG.meld, HIDDEN.meld)
    assert view(seat=0).melds == ()
    seen = one.count_seen()
    assert len(seen) == 34
    assert {kind: n for kind, n in enumerate(seen) if n} == {0: 4, 1: 1, 2: 2, 4: 5, 8: 4, 27: 3}
    left = one.unseen()
    assert (left[0], left[2], left[27], left[30]) == (0, 2, 1, 4)
    assert left[4] == 0  # a fifth was reported: none is left, not -1
    assert view()._replace(board=Board()).unseen() == [3, 3, 3, *([4] * 31)]
    assert view()._replace(board=Board(), book=replace(LINGQUE, play=None)).unseen() == [3, 3, 3, *([4] * 31)]
    # outside its own hand and melds: the discards, and the chow of West
    assert one.open_tiles() == (0, 1, 2, 4, 4, 27)
    assert view(seat=2).open_tiles() == (4, 4, 4, 4, 4, 8, 8, 8, 8, 27)


def test_a_view_as_a_hand_has_its_winds_and_flowers() -> None:
    hand = view("123m", 30).as_hand()
    assert (hand.concealed, hand.melds, hand.winning) == ((0, 1, 2), (PUNG.meld, HIDDEN.meld), None)
    assert (hand.seat, hand.round, hand.flowers) == (28, 29, (0, 7))


@pytest.mark.parametrize(
    ("hand", "drawn", "flowers"),
    [("123m", None, False), ("123m", 33, False), ("123m", 34, True), ("12m春", None, True), ("春菊", 1, True),
     ("", 41, True), ("", None, False), ("P", None, False)],
)  # fmt: skip
def test_a_held_flower_is_known_and_not_part_of_the_hand(hand: str, drawn: int | None, flowers: bool) -> None:
    own = view(hand, drawn)
    assert own.has_flower is flowers
    assert own.as_hand().concealed == tuple(kind for kind in kinds(hand) if kind < 34)


def test_a_view_is_told_in_a_line_and_written() -> None:
    assert repr(view("123m", 30)) == "View(S: 1m 2m 3m N (555m)[9999m], 60 tiles left)"
    assert repr(view("123m", seat=0)) == "View(E: 1m 2m 3m, 60 tiles left)"
    table = Table(LINGQUE, make_wall(1))
    written = table.view(0).to_json(table.options(0)[:2])
    assert written["options"] == [option.to_json() for option in table.options(0)[:2]]
    assert (written["seat"], written["rules"], len(written["hand"])) == ("E", "lingque-29", 13)
    drawn = table.drawn
    assert drawn is not None
    assert written["drawn"] == view(drawn=drawn).to_json()["drawn"]
    assert view().to_json()["drawn"] is None
    assert view(drawn=0).to_json()["drawn"] == "1m"


@pytest.mark.parametrize("name", ["guobiao-mcr", "guobiao"])
def test_only_a_hidden_kong_of_another_is_kept_from_a_view(name: str) -> None:
    hands = ["1111m46p222s789mE", "47m2589pESWNCF9s", "EE258m147p369sNC"]
    table = Table(book(name), stacked(hands, "3m", tail="9p", flowers=True))
    go(table, "E concealed 1m", "E discard E", "W pung E")
    hidden = name == "guobiao-mcr"
    for seat in range(4):
        board = table.view(seat).board
        covered = hidden and seat != 0
        assert board.melds[0] == ((FACE_DOWN,) if covered else (OpenMeld(Meld(MeldKind.CONCEALED_KONG, 0)),))
        assert board.melds[2] == (OpenMeld(Meld(MeldKind.PUNG, 27), 27, 0),)
        assert board.visible()[0] == (0 if covered else 4)
        assert board.visible()[27] == 3
        assert table.view(seat).board == table.board_for(seat)._replace(open_counts=board.open_counts)
    throw_away(table)
    assert table.over
    assert all(table.view(seat).board.visible()[0] == 4 for seat in range(4))


def test_a_view_shows_the_drawn_tile_to_its_own_seat_alone() -> None:
    table = Table(LINGQUE, make_wall(3))
    assert [table.view(seat).drawn for seat in range(4)] == [table.drawn, None, None, None]


def test_secret_events_are_bare_numbers_to_the_others() -> None:
    secret = [Dealt(2, (0, 1)), Drawn(2, 5), ReplacementDrawn(2, 6)]
    for event in secret:
        assert owner(event) == 2
        assert [seen_by(event, seat, 7) for seat in (0, 2, None)] == [7, event, 7]
    public = Discarded(2, 5)
    assert owner(public) is None
    assert seen_by(public, 0, 7) is public is seen_by(public, None, 7, hidden=True)
    kong = KongConcealed(2, 5)
    assert [seen_by(kong, seat, 7, hidden=True) for seat in (0, 2, None)] == [KongFaceDown(2), kong, KongFaceDown(2)]
    assert seen_by(kong, 0, 7) is kong


def tiles_of_rows(html: str) -> list[list[int]]:
    """How many tiles each cell of each row shows."""
    rows = re.findall(r"<tr>(.*?)</tr>", html)
    return [[cell.count("<svg") for cell in re.findall(r"<td>(.*?)</td>", row)] for row in rows[1:]]


def test_a_notebook_shows_the_own_hand_in_a_view_and_all_hands_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = ["1111m46p222s789mE", "47m2589pESWNCF9s", "EE258m147p369s春N"]
    table = go(
        Table(book("guobiao-mcr"), stacked(hands, "3m", tail="9s9p", flowers=True)), "E concealed 1m", "E discard E"
    )
    go(table, "W pung E", "W discard 2m")
    settle_offer(table)
    shown = table._repr_html_()
    assert tiles_of_rows(shown) == [[0, 10, 4, 0], [0, 13, 0, 0], [0, 10, 4, 1], [0, 14, 0, 0]]
    assert tiles_of_rows(table.view(3)._repr_html_()) == [[0, 0, 4, 0], [0, 0, 0, 0], [0, 0, 4, 1], [0, 14, 0, 0]]
    assert tiles_of_rows(table.view(0)._repr_html_())[0] == [0, 10, 4, 0]
    state = {"zh": ("<td>西</td>", "<th>牌河</th>", f"余 {table.board.left} 张", "本盘已结束"),
             "en": ("<td>W</td>", "<th>discards</th>", f"{table.board.left} tiles left", "hand is over")}  # fmt: skip
    over = throw_away(table.copy())
    for lang, (wind, head, left, end) in state.items():
        monkeypatch.setenv("QUEPU_LANG", lang)
        assert all(text in table._repr_html_() for text in (wind, head, left))
        assert end in over._repr_html_() and end not in table._repr_html_()

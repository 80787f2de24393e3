"""Concealed kongs lie face down where 国标 is played in competitions: no other seat, spectator or bot sees the tile."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from quepu.rulebooks import book
from quepu.rulebooks.house_rules import read
from quepu.rules.play_rules import FACE_DOWN, play_rules
from quepu.table import Table, seen_by
from quepu.table.events import KongConcealed, KongFaceDown
from quepu.table.sampling import can_sample, sample_table
from tests.table.walls import go, stacked

HANDS = ["1111m46p222s789mE", "47m2589pESWNCF9s"]


def konged(name: str) -> Table:
    return go(Table(book(name), stacked(HANDS, "E", tail="9p", flowers=True)), "E concealed 1m")


@pytest.mark.parametrize("name", ["guobiao-mcr", "guobiao-mil-2025"])
def test_the_others_see_a_kong_and_not_its_tile(name: str) -> None:
    table = konged(name)
    for seat in (1, 2, 3):
        view = table.view(seat)
        assert view.count_seen()[0] == view.tiles.count(0)
        shown = view.to_json()["board"]["melds"][0]
        assert shown == [{"kind": "concealed_kong", "tiles": ""}]
    assert table.view(0).to_json()["board"]["melds"][0][0]["tiles"] == "1m1m1m1m"
    assert table.board_for(None).visible()[0] == 0
    assert table.board.visible()[0] == 4


def test_the_event_says_no_tile_to_the_others_and_the_log_does() -> None:
    table = konged("guobiao-mcr")
    number, event = next((n, one) for n, one in enumerate(table.events) if isinstance(one, KongConcealed))
    assert seen_by(event, 0, number, hidden=True) is event
    other = seen_by(event, 1, number, hidden=True)
    assert isinstance(other, KongFaceDown)
    assert other.to_json() == {"e": "concealed", "seat": "E"}
    assert other.text().zh == "东家暗杠"
    line = json.dumps({"n": number, **event.to_json(), "h": 1}, separators=(",", ":"), ensure_ascii=False)
    assert "1m" in line


def test_it_is_shown_when_the_hand_is_over() -> None:
    table = Table(book("guobiao-mcr"), stacked(["1111m46p222s99s78m", HANDS[1]], "9m", tail="5p", flowers=True))
    go(table, "E concealed 1m", "E win")
    assert table.over
    assert table.view(1).board.visible()[0] == 4
    assert table.board_for(None).visible()[0] == 4


@pytest.mark.parametrize(("name", "hidden"), [("guobiao-mcr", True), ("guobiao", False), ("canton", False)])
def test_a_sample_changes_only_kongs_of_others_that_lie_face_down(name: str, hidden: bool) -> None:
    table = konged(name)
    for seat in range(4):
        if can_sample(table, seat):
            kongs = {sample_table(table, seat, seed).melds[0][0].tile for seed in range(12)}
            assert (len(kongs) > 1) is (hidden and seat != 0), seat
    assert can_sample(table, 0) and can_sample(table, 1)


@pytest.mark.parametrize("name", ["guobiao", "canton"])
def test_books_that_say_nothing_show_them(name: str) -> None:
    assert konged(name).view(1).board.visible()[0] == 4


@pytest.mark.parametrize("name", ["guobiao", "canton", "lingque-29", "yuque-54"])
def test_any_house_may_lay_them_face_down(name: str) -> None:
    house = read(f'base = "{name}"\n[table]\nconcealed_kongs_hidden = true')
    rules = play_rules(house)
    assert rules.table == replace(play_rules(book(name)).table, concealed_kongs_hidden=True)
    assert rules.notes[-1] == FACE_DOWN
    flowers = rules.table.flowers
    table = go(Table(house, stacked(HANDS, "E", tail="9p", flowers=flowers)), "E concealed 1m")
    assert table.view(1).count_seen()[0] == table.view(1).tiles.count(0)
    assert house.fingerprint != book(name).fingerprint


def test_a_house_may_show_what_its_book_hides() -> None:
    house = read('base = "guobiao-mcr"\n[table]\nconcealed_kongs_hidden = false\nkong_after_claim = true')
    rules = play_rules(house)
    assert not rules.table.concealed_kongs_hidden
    assert rules.table.kong_after_claim
    assert FACE_DOWN not in rules.notes
    table = go(Table(house, stacked(HANDS, "E", tail="9p", flowers=True)), "E concealed 1m")
    assert table.view(1).board.visible()[0] == 4

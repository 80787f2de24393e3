"""What readers of other programs' records make of them: each move with its place, whose result is compared with whose.

The moves are those of the hand that our table played; the places are looked up in the record itself.
"""

from __future__ import annotations

import json
from itertools import takewhile
from typing import Any

import pytest

from quepu.match import mjai, open_mahjong, tziakcha
from quepu.match.botzone_facts import read_requests
from quepu.match.foreign_hand import ForeignHand
from quepu.match.imports import read_any
from quepu.match.settle import settle
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.table import Table
from quepu.table.events import Dealt, FlowerSetAside, ReplacementDrawn
from quepu.table.facts import Fact
from tests.match import foreign_writers as write
from tests.match.test_foreign import NAMES
from tests.match.test_foreign import hands as foreign_hands

HANDS = foreign_hands(6)
GUOBIAO = book("guobiao-mcr")
IN_TURN = [[0, 1, 2, 3], [3, 0, 1, 2], [2, 3, 0, 1], [1, 2, 3, 0]]
"""Seats of players 0 to 3 in four hands, as a record of open_mahjong has them."""


def moves_of(table: Table) -> list[tuple[str, int | None, int | None]]:
    """Return what happened from the dealer's first draw on: kind, seat and tile (of a chow the middle one)."""
    names = {"replace": "draw", "discard": "play", "concealed": "kong", "exhausted": "drawn"}
    found: list[tuple[str, int | None, int | None]] = []
    for event in table.events:
        _, seat, tile, low, *_ = Fact.of(event)
        what = names.get(event.tag, event.tag)
        if not found and event.tag != "draw":
            continue  # the deal
        if what in ("draw", "play", "flower", "chow", "pung", "kong", "added", "win", "drawn"):
            tile = (low or 0) + 1 if what == "chow" else None if what in ("win", "drawn") else tile
            found.append((what, None if what == "drawn" else seat, tile))
    return found


def deal_of(table: Table) -> tuple[list[list[int]], list[list[int]]]:
    """Return each seat's dealt tiles, sorted, once flowers are replaced, and the flowers set aside by then."""
    hands: list[list[int]] = [[], [], [], []]
    flowers: list[list[int]] = [[], [], [], []]
    for event in takewhile(lambda event: event.tag != "draw", table.events):
        if isinstance(event, Dealt):
            hands[event.seat] += event.tiles
        elif isinstance(event, FlowerSetAside):
            hands[event.seat].remove(event.tile)
            flowers[event.seat].append(event.tile)
        elif isinstance(event, ReplacementDrawn):
            hands[event.seat].append(event.tile)
    return [sorted(hand) for hand in hands], flowers


def read_deal(hand: ForeignHand) -> tuple[list[list[int]], list[list[int]]]:
    return [sorted(tiles) for tiles in hand.dealt], [list(own) for own in hand.flowers]


def test_flowers_are_among_the_dealt_tiles() -> None:
    assert any(flowers for table in HANDS for flowers in deal_of(table)[1])


@pytest.mark.parametrize("table", HANDS, ids=range(len(HANDS)))
def test_moves_of_a_stream_and_their_lines(table: Table) -> None:
    lines = write.mjai([table], NAMES)
    (hand,) = mjai.read_stream(lines).hands
    assert [move[:3] for move in hand.moves] == moves_of(table)
    assert read_deal(hand) == deal_of(table)
    kinds = {
        "draw": "tsumo", "play": "dahai", "flower": "flower", "chow": "chi", "pung": "pon", "added": "kakan",
        "win": "hora", "drawn": "ryukyoku",
    }  # fmt: skip
    for move in hand.moves:
        line = json.loads(lines[move.entry - 1])
        assert line["type"] == kinds.get(move.what, line["type"])
        assert line.get("actor") == move.seat
    assert len({move.entry for move in hand.moves}) == len(hand.moves)


@pytest.mark.parametrize("table", HANDS, ids=range(len(HANDS)))
def test_moves_of_open_mahjong_and_their_entries(table: Table) -> None:
    record = write.open_mahjong([table], [[0, 1, 2, 3]])
    (hand,) = open_mahjong.read_record(record).hands
    ticks = record["game_round"]["round_index_1"]["action_ticks"]
    assert [move[:3] for move in hand.moves] == moves_of(table)
    assert read_deal(hand) == deal_of(table) and hand.rest == table.wall.order()
    kinds = {
        "play": ["c"], "flower": ["bh"], "chow": ["cl", "cm", "cr"], "pung": ["p"], "added": ["jg"],
        "kong": ["g", "ag"], "win": ["hu_self"], "drawn": ["liuju"], "draw": ["d", "gd", "bd"],
    }  # fmt: skip
    first, *rest = hand.moves
    assert first.entry == rest[0].entry  # the fourteenth tile of the dealer has no entry of its own
    for move in rest:
        assert ticks[move.entry - 1][0] in kinds[move.what]
    assert [move.entry for move in rest] == sorted({move.entry for move in rest})


@pytest.mark.parametrize("table", HANDS, ids=range(len(HANDS)))
def test_moves_of_tziakcha_and_their_entries(table: Table) -> None:
    step = write.tziakcha(table, 0, NAMES)
    (hand,) = tziakcha.read_record({"step": step}).hands
    assert [move[:3] for move in hand.moves if move.what != "drawn"] == [
        move for move in moves_of(table) if move[0] != "drawn"
    ]
    assert read_deal(hand) == deal_of(table)
    assert (hand.wall, hand.rest) == (table.wall, table.wall.order())
    kinds = {
        "draw": (0, 1, 7),
        "flower": (1,),
        "play": (2,),
        "chow": (3,),
        "pung": (4,),
        "kong": (5,),
        "added": (5,),
        "win": (6,),
    }
    for move in hand.moves:
        if move.what == "drawn":
            assert move.entry == len(step["a"])
            continue
        head = step["a"][move.entry - 1][0]
        assert head & 15 in kinds[move.what]
        assert head >> 4 & 3 == move.seat


def wins_and_draws(count: int) -> list[tuple[Table, list[int]]]:
    """Return hands with what each seat gains by the book; the last of them is won, so that they differ."""
    found: list[tuple[Table, list[int]]] = []
    for table in foreign_hands(40):
        assert table.ending is not None
        gains = list(settle(table.ending, GUOBIAO, play_rules(GUOBIAO)).seats)
        if any(gains) or len(found) < count - 1:
            found.append((table, gains))
        if len(found) >= count and any(found[-1][1]):
            return found[-count:]
    raise AssertionError("no hand is won")


def test_each_hand_of_a_match_is_compared_with_its_own_result() -> None:
    """By seat where the record has seats, by player where it has none; the number of the hand is told."""
    played = wins_and_draws(3)
    for seats in (IN_TURN, None):
        record = write.open_mahjong([table for table, _ in played], seats)
        for number, (_, gains) in enumerate(played, 1):
            ticks = record["game_round"][f"round_index_{number}"]["action_ticks"]
            shown = gains if seats else [gains[(at - number + 1) % 4] for at in range(4)]  # player n deals hand n
            for tick in ticks:
                if tick[0] == "hu_self":
                    tick[4] = shown
        found = read_any(json.dumps(record))
        assert not [text.zh for text in found.lost if "得分" in text.zh]
        last = record["game_round"]["round_index_3"]["action_ticks"][-2]
        assert last[0] == "hu_self"
        last[4] = [n + 1 for n in last[4]]
        (lost,) = [text for text in read_any(json.dumps(record)).lost if "得分" in text.zh]
        assert lost.zh.startswith("第 3 局：") and lost.en.startswith("hand 3: ")


@pytest.mark.parametrize("names", [["a", "b", "c"], ["a", "b", "c", "d", "e"], "abcd", None])
def test_names_of_a_stream_that_are_not_four_are_left_out(names: Any) -> None:
    lines = write.mjai(HANDS[:1], NAMES)
    assert mjai.read_stream(lines).names == tuple(NAMES)
    lines[0] = json.dumps({"type": "start_game", "names": names})
    assert mjai.read_stream(lines).names == ("东家", "南家", "西家", "北家")


# ---- requests of Botzone

DEAL = "1 {} W1 W1 W1 W2 W3 W4 W5 W6 W7 B1 B1 F1 F1{}"
PLAIN_DEAL = DEAL.format("0 0 0 0", "")


@pytest.mark.parametrize(
    ("told", "actor"),
    [
        (["2 B5"], 0),
        (["2 B5", "3 0 PLAY B5"], None),
        (["3 1 DRAW"], None),
        (["3 1 BUHUA H3"], None),
        (["3 3 DRAW", "3 3 PLAY W1"], 3),
        (["3 3 DRAW", "3 3 PLAY W1", "3 2 PENG W9"], 2),
        (["3 3 DRAW", "3 3 PLAY W1", "3 0 PENG W9"], None),
        (["3 3 DRAW", "3 3 PLAY W1", "3 0 CHI W2 W9"], None),
        (["3 3 DRAW", "3 3 PLAY W1", "3 1 GANG"], None),
        (["3 3 DRAW", "3 3 PLAY W1", "3 1 GANG", "3 1 DRAW", "3 1 BUGANG B9"], 1),
        (["2 W1", "3 0 BUGANG W1"], None),
    ],
)
def test_whose_tile_is_left_to_be_answered(told: list[str], actor: int | None) -> None:
    requests = ["0 0 2", PLAIN_DEAL, *told]
    seen = read_requests(requests, ["PASS"] * (len(requests) - 1))
    assert (seen.seat, seen.round, seen.actor) == (0, 2, actor)


@pytest.mark.parametrize("seat", range(4))
def test_flowers_of_a_deal_belong_to_the_seats_in_turn(seat: int) -> None:
    """The own ones came among the thirteen; which tiles replaced them, the last of the hand, does not matter."""
    counts = [2, 0, 3, 1]
    requests = [f"0 {seat} 0", DEAL.format("2 0 3 1", " H8 H1 H2 H7 H3 H6")]
    (deal, *rest) = read_requests(requests, ["PASS"]).facts
    flowers = [41, 34, 35, 40, 36, 39]
    owners = [0, 0, 2, 2, 2, 3]
    assert [(fact.seat, fact.tile) for fact in rest[::2]] == list(zip(owners, flowers, strict=True))
    assert [fact.seat for fact in rest[1::2]] == owners
    own = [tile for owner, tile in zip(owners, flowers, strict=True) if owner == seat]
    tiles = [0, 0, 0, 1, 2, 3, 4, 5, 6, 9, 9, 27, 27]
    assert deal.seat == seat and list(deal.tiles or ()) == [*tiles[: 13 - counts[seat]], *own]
    came = [fact.tile for fact in rest[1::2] if fact.seat == seat]
    assert came == tiles[13 - counts[seat] :]
    assert all(fact.tile is None for fact in rest[1::2] if fact.seat != seat)

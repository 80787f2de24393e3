"""A game of 108 tiles without chows and honours: a folder of its own, and table and logs know no other."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import quepu
from quepu import rulebooks
from quepu.arena.simulate import Plan, play
from quepu.cli import main
from quepu.match import LogWriter, Match
from quepu.match.frames import hand_frames
from quepu.match.reader import read_log
from quepu.match.settle import settle
from quepu.rules.play_rules import play_rules
from quepu.table import Table, View, make_wall
from quepu.table.visibility import Board
from quepu.table.wall import Wall, WallError, WallPlan, check_wall, read_wall, sides_taken
from quepu.tiles import FLOWERED, PLAIN, TileSet
from tests.books import MANY_HANDS
from tests.table.follower import Follower
from tests.tuidaohu import BOOK, SUITS


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rulebooks._MODULES, "tuidaohu", "tests.tuidaohu")
    monkeypatch.setitem(rulebooks._BOOKS, "tuidaohu", BOOK)


def test_a_set_of_tiles() -> None:
    assert [tiles.size for tiles in (PLAIN, FLOWERED, SUITS)] == [136, 144, 108]
    assert TileSet.of(reversed(SUITS.tiles)) == SUITS
    assert TileSet.of(FLOWERED.tiles) == FLOWERED
    assert FLOWERED.with_flowers(False) == PLAIN == PLAIN.with_flowers(None)
    assert TileSet.of(PLAIN.tiles[1:]) is None
    assert TileSet.of([*PLAIN.tiles[1:], 35]) is None
    assert TileSet.of([-1, -1]) is None
    assert sum(SUITS.counts) == 108


def test_a_wall_that_four_sides_cannot_share_equally() -> None:
    assert [sides_taken(size) for size in (136, 144, 108)] == [(17,) * 4, (18,) * 4, (14, 13, 14, 13)]
    assert WallPlan(108).sides == (14, 13, 14, 13)
    every = set()
    for dice in ((a, b, c, d) for a in range(1, 7) for b in range(1, 7) for c in (1, 6) for d in (1, 6)):
        wall = Wall(tuple(range(108)), dice)
        seat, stack = wall.opening
        assert 1 <= stack <= WallPlan(108).sides[seat]
        assert sorted(wall.order()) == list(range(108))
        every.add((seat, stack))
    assert len(every) > 20
    assert check_wall(make_wall(1, 0, SUITS), SUITS)
    with pytest.raises(WallError, match="136"):
        check_wall(make_wall(1, 0, SUITS))
    with pytest.raises(WallError):
        read_wall(make_wall(1).text(), (1, 1, 1, 1), SUITS)


def hand(seed: int, number: int = 1) -> Table:
    """A hand by any options at random, mostly wins and kongs where there are any."""
    rng = random.Random(seed)
    table = Table(BOOK, make_wall(seed, number, SUITS))
    follower = Follower(table)
    while table.to_act:
        seat = rng.choice(table.to_act)
        options = table.options(seat)
        assert not any(option.do == "chow" or (option.tile or 0) >= 27 for option in options)
        keen = [option for option in options if option.do in ("win", "pung", "kong", "added", "concealed")]
        table.step(seat, rng.choice(keen or options))
        follower.check()
        follower.check_closely()
    follower.check_end()
    return table


def test_it_is_played_to_the_end() -> None:
    kinds = Counter(type(event).__name__ for seed in range(30) for event in hand(seed).events)
    assert {"PungClaimed", "KongClaimed", "KongAdded", "KongConcealed", "Won", "Exhausted"} <= set(kinds)
    assert "ChowClaimed" not in kinds


def test_it_is_scored_and_its_waits_are_shown() -> None:
    score = quepu.score("111m222m333m444m5m+5m", rules=BOOK)
    assert [fan.name for fan in score.fans] == ["平胡", "碰碰胡", "清一色"]
    assert score.points == 7
    assert quepu.waits("123m456m789m11p23s", rules=BOOK)


def test_among_many_hands_only_those_with_other_tiles_are_refused() -> None:
    texts = ["111m222m333m444m5m+5m", "111m222m333m444mE+E", "111m222m333m5m(EEE)+5m", "12x", "111m222m333m5m(234s)+5m"]
    hands = [quepu.parse(text) for text in texts if text != "12x"]
    counts = np.zeros((3, 34), np.uint8)
    melds = np.full((3, 1, 2), -1)
    counts[:, :3], counts[:, 4] = 3, 2
    counts[0, 3], melds[1, 0], melds[2, 0] = 3, (1, 27), (0, 19)
    for many, refused in (
        (quepu.score_many(texts, BOOK), [1, 2, 3]),
        (quepu.score_many(texts, BOOK, seat="S"), [1, 2, 3]),
        (quepu.score_many(hands, BOOK), [1, 2]),
        (quepu.score_many(counts, BOOK, melds=melds, winning=4), [1]),
    ):
        assert sorted(many.errors) == refused == np.flatnonzero(~many.valid).tolist()
        assert not many.points[refused].any()
        assert not many.fans[refused].any()
        assert "没有东这样的牌" in str(many.errors[1])
        assert many.points[0] == quepu.score(texts[0], BOOK).points


def test_a_hand_with_tiles_of_another_game_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("111m222m333m444mE+E", "111m222m333m(CCC)5m+5m", "111m222m333m444m5m+E"):
        for hand in (text, quepu.parse(text)):
            with pytest.raises(quepu.HandError) as refused:
                quepu.score(hand, rules=BOOK)
            assert refused.value.text.zh in ("推倒胡（小）没有东这样的牌。", "推倒胡（小）没有中这样的牌。")
            assert " is played without " in refused.value.text.en
    with pytest.raises(quepu.HandError):
        quepu.waits("123m456m789m11pEE", rules=BOOK)
    with pytest.raises(SystemExit) as end:
        main(["score", "111m222m333m444mE+E", "-r", "tuidaohu"])
    assert end.value.code == 2
    assert "Traceback" not in capsys.readouterr().err
    assert BOOK.fingerprint != replace(BOOK, tiles=PLAIN).fingerprint
    assert all(book.tiles == PLAIN for book in quepu.books() if book is not BOOK)


def test_every_seat_is_dealt_thirteen_tiles() -> None:
    assert WallPlan(108).dealt == 52
    assert {len(tiles) for tiles in Table(BOOK, make_wall(1, 0, SUITS)).hands} == {13}


def test_what_a_seat_cannot_see_holds_no_honour() -> None:
    table = Table(BOOK, make_wall(2, 0, SUITS))
    unseen = table.view(0).unseen()
    assert sum(unseen) == 108 - 14
    assert not any(unseen[27:])
    assert View(0, quepu.book("guobiao"), Board(), (0, 0)).unseen()[0] == 2


def test_a_match_of_it_is_logged_and_verified() -> None:
    match, lines = Match(BOOK, ("甲", "乙", "丙", "丁")), []
    log = LogWriter(match, lines.append, seed=7)
    while not match.over:
        assert len(match.hands) < MANY_HANDS, "the dealer never leaves"
        table = hand_of(match, 7)
        log.hand(len(match.hands) + 1, match.place, table)
        assert table.ending is not None
        settled = settle(table.ending, BOOK, match.rules)
        match = match.add_hand(table.ending)
        log.result(settled, match.totals, table.ending)
    log.end()
    replay = read_log(lines)
    assert replay.finished
    assert replay.problems == ()
    assert replay.match.totals == match.totals
    for played in replay.hands:
        pictures = hand_frames(played, replay.book)
        assert len(pictures.order) == 108
        assert pictures.frames[-1].board.to_json()["stacks"]["sides"] == [14, 13, 14, 13]


def hand_of(match: Match, seed: int) -> Table:
    rng = random.Random(len(match.hands))
    table = Table(BOOK, make_wall(seed, len(match.hands) + 1, SUITS), round=match.place.round_wind)
    while table.to_act:
        seat = table.to_act[0]
        wins = [option for option in table.options(seat) if option.do == "win"]
        table.step(seat, rng.choice(wins or table.options(seat)))
    return table


def test_it_is_simulated() -> None:
    stats = play(Plan("tuidaohu", ("plain", "plain", "random", "random"), 6), 0, 6)
    assert stats.hands == 6
    assert play_rules(BOOK).table.tiles == SUITS

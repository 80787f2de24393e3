"""The levels that weigh payable hands: legal, alike for a seed, and what the strongest looks at.

The table of payable hands is a made-up one here (every hand pays the same), so that none has to be built.
"""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from quepu.arena import play_hand
from quepu.bots import LEVEL_NAMES, LEVELS, make_bot
from quepu.bots.chances import chance
from quepu.bots.danger import costs, risks
from quepu.bots.payable_bot import Sight, payable
from quepu.bots.styles import STYLES
from quepu.fast.nearest.join import join
from quepu.fast.nearest.payable import Look, Payable
from quepu.fast.universe.standard_hands import MELD_SETS
from quepu.hands.hand import Meld, MeldKind
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import View, make_wall
from quepu.table.actions import AS_DRAWN, FROM_HAND
from quepu.table.open_melds import OpenMeld
from quepu.table.visibility import Board
from quepu.tiles import FLOWERED, KINDS, NAMES
from tests.books import long_but
from tests.test_books import ALL_BOOKS

HEAVY = [name for name, level in LEVELS.items() if level.heavy and name not in STYLES]
BOOKS = [pytest.param(b, id=b.id) for b in ALL_BOOKS if b.play]


@pytest.fixture
def everything_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.full(KINDS * MELD_SETS, 40 << 1 | 1, np.uint16)
    monkeypatch.setattr("quepu.fast.nearest.payable.table", lambda _book, _case: table)
    monkeypatch.setattr("quepu.fast.nearest.payable.joiner", lambda: join)
    monkeypatch.setattr("quepu.fast.nearest.payable._TABLES", {})


def view_of(rules: str, hand: str, drawn: str, melds: tuple[Meld, ...] = (), left: int = 40) -> View:
    rulebook = book(rules)
    board = Board(left=left, melds=(tuple(OpenMeld(meld) for meld in melds), (), (), ()))
    return View(0, rulebook, board, tuple(sorted(kinds(hand))), kinds(drawn)[0])


def kinds(text: str) -> list[int]:
    """123mE → 0 1 2 27."""
    found = [NAMES.index(number + suit) for run, suit in re.findall(r"(\d+)([mps])", text) for number in run]
    return found + [NAMES.index(letter) for letter in text if letter in "ESWNCFP"]


def discards(view: View) -> list[Any]:
    return [*[FROM_HAND[kind] for kind in dict.fromkeys(view.hand)], AS_DRAWN[view.drawn]]


def test_people_know_every_level_by_a_name_of_its_own() -> None:
    assert list(LEVEL_NAMES) == list(LEVELS)
    for language in ("zh", "en"):
        names = [name.say(language) for name in LEVEL_NAMES.values()]
        assert len(set(names)) == len(names)
        assert all(names)
    assert [LEVEL_NAMES[key].zh for key in ("plain", "steps", "gain", "master")] == ["新手", "普通", "高手", "大师"]


def test_light_levels_need_no_numpy() -> None:
    light = [name for name, level in LEVELS.items() if not level.heavy]
    code = (
        "import sys; from quepu.arena import Plan, play_hand, simulate; from quepu.bots import make_bot\n"
        "from quepu.rulebooks import book; from quepu.table import make_wall\n"
        f"simulate(Plan('guobiao', {(light * 4)[:4]!r}, 1))\n"
        "bots = [make_bot(level, tables=False) for level in ('steps', 'gain', 'plain', 'plain')]\n"
        "play_hand(book('canton'), make_wall(1), bots)\n"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


@pytest.mark.parametrize("level", HEAVY)
@pytest.mark.usefixtures("everything_pays")
def test_heavy_levels_play_alike_for_the_same_seed(level: str) -> None:
    rulebook = book("guobiao")
    wall = make_wall(5, tiles=FLOWERED)
    played = [play_hand(rulebook, wall, [make_bot(level, seat) for seat in range(4)]).events for _ in range(2)]
    assert played[0] == played[1]


@pytest.mark.parametrize("rulebook", long_but([b for b in ALL_BOOKS if b.play], "lingque-29", "canton"))
@pytest.mark.usefixtures("everything_pays")
def test_all_levels_at_one_table_end_the_hand(rulebook: Rulebook) -> None:
    wall = make_wall(6, tiles=play_rules(rulebook).table.tiles)
    table = play_hand(rulebook, wall, [make_bot(level) for level in (*HEAVY, "plain")])
    assert table.over  # a bot that says what it may not is refused


def test_chances_grow_with_ways_and_turns_and_shrink_with_what_others_show() -> None:
    for missing in range(7):
        n = max(missing, 1)
        p = [chance(missing, ways**n, 80, 10.0, 1) for ways in (0.0, 2.0, 4.0, 8.0)]
        assert p[0] == 0
        assert 0 < p[1] < p[2] < p[3] < 1
        assert chance(missing, 4.0**n, 80, 12.0, 1) > p[2]
        assert chance(missing, 4.0**n, 80, 10.0, 3) < p[2]
    near = [chance(missing, 8.0**missing, 80, 10.0, 0) for missing in (1, 2, 3)]
    assert near == sorted(near, reverse=True)


def test_what_a_seat_threw_or_let_pass_is_safe_from_it() -> None:
    view = view_of("guobiao", "123456789m1234p", "9s")
    board = view.board._replace(rivers=((), (0, 30, 13), (4, 31, 12), (8, 32, 12)))
    view = view._replace(board=board)
    unseen = [4 - n for n in view.count_seen()]
    risk = risks(view, unseen, range(KINDS))
    assert all(0 <= r < 1 for r in risk.values())
    assert risk[12] < risk[13] < risk[14]  # let pass by two and thrown by one; thrown by one; unknown
    assert risk[0] < risk[1]
    pungs = tuple(OpenMeld(Meld(MeldKind.PUNG, kind), kind, 3) for kind in (27, 28))
    opened = View(0, view.book, board._replace(melds=((), (), pungs, ())), view.hand, view.drawn)
    assert risks(opened, unseen, [14])[14] > risk[14]


@pytest.mark.long
@pytest.mark.usefixtures("everything_pays")
def test_giving_a_win_costs_more_than_watching_one_where_the_book_says_so() -> None:
    for rulebook in (book(b.values[0].id) for b in BOOKS):
        cost = costs(Payable(rulebook))
        assert cost.given > cost.otherwise > 0


@pytest.mark.usefixtures("everything_pays")
def test_the_master_keeps_the_wait_that_may_win_where_the_table_sees_no_difference() -> None:
    # 国标, three chows claimed: 1p wins with 三色三同顺 8, 4p does not; the lone 9m or 9s goes either way
    chows = (Meld(MeldKind.CHOW, 0), Meld(MeldKind.CHOW, 18), Meld(MeldKind.CHOW, 12))
    view = view_of("guobiao", "23p99m", "5p", chows)
    bot = make_bot("master")
    bot.begin(view.book, 0)
    assert payable(view.book).book is view.book
    assert bot.act(view, discards(view)).tile == 13  # 5p: 23p wait for 1p and 4p, and 1p pays
    sight = Sight.of(view)
    look: Look = bot.look(sight, view.tiles, view.melds)  # type: ignore[attr-defined]
    assert look.by_discard[0, 0, 13] == 4  # four copies of 1p; 4p would pay nothing
    assert look.by_discard[0, 0, 10] == 0  # 2p: 35p wait for 4p alone


@pytest.mark.usefixtures("everything_pays")
def test_the_master_throws_the_safe_tile_of_two_alike() -> None:
    view = view_of("guobiao", "123m456p789sEEEW", "N", left=20)  # a single wait either way
    rivers = ((), (3, 4, 5, 3, 4, 5, 6, 29), (3, 4, 5, 3, 12, 5, 6, 29), (3, 12, 5, 3, 4, 5, 6, 15))
    view = view._replace(board=view.board._replace(rivers=rivers))
    bot = make_bot("master")
    bot.begin(view.book, 0)
    assert bot.act(view, discards(view)).tile == 29


@pytest.mark.usefixtures("everything_pays")
def test_what_a_master_works_out_does_not_change_an_answer_that_is_cached() -> None:
    chows = (Meld(MeldKind.CHOW, 0), Meld(MeldKind.CHOW, 18), Meld(MeldKind.CHOW, 12))
    view = view_of("guobiao", "23p99m", "5p", chows)
    sight = Sight.of(view)
    bot = make_bot("master")
    bot.begin(view.book, 0)
    cached = super(type(bot), bot).look(sight, view.tiles, view.melds)  # type: ignore[misc]
    before = cached.by_discard.copy()
    looks = [bot.look(sight, view.tiles, view.melds) for _ in range(2)]  # type: ignore[attr-defined]
    assert np.array_equal(cached.by_discard, before)
    assert not np.array_equal(looks[0].by_discard, before)
    assert np.array_equal(looks[0].by_discard, looks[1].by_discard)


def test_every_level_has_a_name_at_the_table_and_one_sentence_about_it() -> None:
    for which in (0, 1):
        names = [level.nickname[which] for level in LEVELS.values()]
        assert len(set(names)) == len(names)
        for level in LEVELS.values():
            sentence = level.manner[which]
            assert sentence[-1] == "。."[which]
            assert sentence.count("。."[which]) == 1
            assert len(sentence) <= (24, 80)[which], sentence

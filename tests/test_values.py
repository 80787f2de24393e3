"""What the library gives are values: they print, compare, travel between processes and show themselves in notebooks."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import random
import re
from concurrent.futures import ProcessPoolExecutor
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import quepu
from quepu.arena import Plan, simulate
from quepu.rulebooks import book_ids, pickles
from quepu.rulebooks.house_rules import read
from quepu.rules.row import Fan
from quepu.table import make_wall
from quepu.tiles import EAST

HAND = "11223sCC(NNNN)(123s)+3s"
TOML = 'base = "lingque-29"\nid = "club"\nminimum = 8\nwithout = ["喜相逢"]\n[values]\n"三连刻" = { fu = 20 }\n'


def played(book: quepu.Rulebook, seed: int, answers: int, *, shielded: bool = False) -> quepu.Table:
    """A table after so many answers at random."""
    table, choose = quepu.Table(book, make_wall(seed, 1), shielded=shielded), random.Random(seed)
    while answers and not table.over:
        if table.held:
            table.go_on()
            continue
        seat = choose.choice(table.to_act)
        table.step(seat, choose.choice(table.options(seat)))
        answers -= 1
    return table


def house() -> quepu.Rulebook:
    return read(TOML)


def counts_kongs(h: Any) -> Any:
    """A condition of a fan from outside."""
    return h.k != 0


def values() -> dict[str, Any]:
    score = quepu.score(HAND, house(), seat="N", self_draw=True)
    table = played(quepu.book("guobiao"), 5, 60)
    over = played(quepu.book("canton"), 7, 10_000)
    assert over.ending is not None
    return {
        "score": score,
        "hand": score.hand,
        "meld": score.hand.melds[0],
        "fan line": score.fans[0],
        "waits": quepu.waits("123m456p789sCCEE", "guobiao"),
        "not ready": quepu.waits("1479m12589p136sE", "canton"),
        "choice": quepu.discards("2345678m234p559s1m")[0],
        "scores": quepu.score_many([HAND, "12x"], house()),
        "book": quepu.book("yuque-54"),
        "revision": quepu.book("lingque-29@1"),
        "house rules": house(),
        "own fan": quepu.book("guobiao").having(
            id="mine", add=[Fan("有杠", 3, "自加", "有杠。", counts_kongs, "kongs")]
        ),
        "fan": quepu.book("guobiao").fan("清一色"),
        "tile": quepu.Tile("3m"),
        "text": quepu.Text("一", "one"),
        "action": table.options(table.to_act[0])[0],
        "event": table.events[-1],
        "view": table.view(1),
        "table": table,
        "match": quepu.Match(quepu.book("canton")).add_hand(over.ending),
        "wall": make_wall(1),
    }


def test_values_of_playing_and_scoring_have_a_short_and_useful_repr() -> None:
    score = quepu.score("123m456p789sCCEE+E", "guobiao")
    assert repr(score.best) == "Reading('123m 456p 789s EEE CC')"
    assert repr(score.tally) == f"Tally(20: {score.tally.how}; 5 counted, 1 dropped)"
    assert repr(make_wall(1)) == "Wall(136 tiles from 8s8p2p8p3m6s…, dice=(4, 1, 4, 2))"
    assert repr(quepu.book("lingque-29").fan("抢杠")) == "Fan('抢杠', 'robbing a kong', 8 fu 2 fan)"
    assert repr(quepu.book("guobiao").fan("清一色")) == "Fan('清一色', 'Full Flush', 24 fan)"
    stats = simulate(Plan("guobiao", ("plain", "random", "random", "random"), 2))
    nets = ", ".join(f"{one.level} {one.net / 2:+.2f}" for one in stats.players)
    assert repr(stats) == f"Stats(2 hands, {stats.drawn} drawn; net a hand: {nets})"


@pytest.mark.parametrize("name", list(values()))
def test_every_value_comes_back_from_a_pickle_equal_with_equal_hash_and_a_short_repr(name: str) -> None:
    value = values()[name]
    again = pickle.loads(pickle.dumps(value))
    assert again == value
    assert copy.deepcopy(value) == value
    assert len(repr(value)) < 300
    assert "0x" not in repr(value)
    assert str(value)
    if name != "scores":
        assert hash(again) == hash(value)


def _of_another_process(data: bytes) -> tuple[bytes, str, str]:
    value = pickle.loads(data)
    return pickle.dumps(value), repr(value), str(value)


@pytest.mark.long
def test_values_travel_to_a_process_that_was_started_afresh_and_back() -> None:
    every = list(values().values())
    table = played(quepu.book("yuque-54"), 3, 40)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        for value, (data, shown, text) in zip(
            every, pool.map(_of_another_process, map(pickle.dumps, every)), strict=True
        ):
            assert pickle.loads(data) == value
            assert (shown, text) == (repr(value), str(value))
        data, shown, _ = pool.submit(_of_another_process, pickle.dumps(table)).result()
    assert (pickle.loads(data).events, shown) == (table.events, repr(table))


@pytest.mark.parametrize("shielded", [False, True])
@pytest.mark.parametrize("rules", ["lingque-29", "guobiao", "canton"])
def test_a_table_is_played_again_to_the_same_place(rules: str, shielded: bool) -> None:
    for answers in (0, 1, 17, 50, 10_000):
        table = played(quepu.book(rules), answers, answers, shielded=shielded)
        if table.to_act and answers == 17:
            table.bar((table.to_act[0] + 1) % 4)
        for again in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
            assert again == table
            assert (again.events, again.answers, again.to_act) == (table.events, table.answers, table.to_act)
            assert (again.position, again.held, again.ending) == (table.position, table.held, table.ending)
            assert [again.options(seat) for seat in range(4)] == [table.options(seat) for seat in range(4)]


def test_tables_are_equal_where_the_same_was_done_at_them() -> None:
    book = quepu.book("guobiao")
    one, other = played(book, 5, 9), played(book, 5, 9)
    assert one == other and hash(one) == hash(other) and one != "table"
    other.step(other.to_act[0], other.options(other.to_act[0])[0])
    assert one != other and hash(one) == hash(other)  # what is a key in a dictionary stays one
    assert one not in (played(book, 6, 9), played(quepu.book("canton"), 5, 9), played(book, 5, 9, shielded=True))


def test_every_book_option_and_row_travels() -> None:
    for name in book_ids():
        book = quepu.book(name)
        assert pickle.loads(pickle.dumps(book)) is book
        assert [pickle.loads(pickle.dumps(fan)) for fan in book.fans] == list(book.fans)
        for option in book.options:
            made = book.having(options={option.key: option.choices[-1]})
            again = pickle.loads(pickle.dumps(made))
            assert again is not made
            assert again == made


def test_a_book_that_scores_otherwise_today_is_refused_and_an_earlier_revision_found() -> None:
    book = quepu.book("lingque-29")
    assert pickles.load_registered("lingque-29", book.at(1).fingerprint) == book.at(1)
    with pytest.raises(quepu.UnknownName) as caught:
        pickles.load_registered("lingque-29", "000000000000")
    assert caught.value.say("en").startswith("Lingque, 29th edition does not score as when it was pickled")


def test_a_condition_that_pickle_cannot_find_is_refused_with_a_sentence() -> None:
    own = Fan("有杠", 3, "自加", "有杠。", lambda h: h.k != 0, "kongs")
    for value in (quepu.book("guobiao").having(add=[own]), own):
        with pytest.raises(quepu.Error, match="不能在进程之间传送"):
            pickle.dumps(value)


def test_house_rules_are_equal_if_they_score_and_say_the_same() -> None:
    assert house() == house()
    assert house() != read(TOML.replace("20", "22"))
    assert house() != read(TOML.replace("club", "other"))
    assert quepu.score(HAND, house()) == quepu.score(HAND, house())
    assert quepu.score(HAND, house()) != quepu.score(HAND, "lingque-29")
    assert len({quepu.score(HAND, house()) for _ in range(3)}) == 1


def test_what_the_prompt_shows() -> None:
    score = quepu.score(HAND, seat="N", self_draw=True, circumstances=["岭上开花"], flowers="春")
    assert repr(score) == "Score(312 点: 岭上开花 杠 番牌 门风牌 番牌 中 混带幺 混一色 三同顺)"
    assert str(score) == score.explain("zh")
    assert repr(score.hand) == "Hand('11223sCC(NNNN)(123s)+3s', seat='N', luck=SELF_DRAW|KONG_DRAW, flowers=(0,))"
    assert str(score.hand) == HAND
    look = quepu.waits("123m456p789sCCEE", "guobiao")
    assert str(look) == "听 2 种 4 张\n  E×2 20/22\n  C×2 18/20"
    assert repr(look.waits[0]) == "Wait(E×2 20/22)"
    assert repr(quepu.book("lingque-29")) == f"Rulebook('lingque-29', {len(quepu.book('lingque-29').fans)} fans)"
    assert str(quepu.book("lingque-29")) == "灵雀（第二十九版）"
    assert repr(quepu.score_many([HAND, "12x"])) == "Scores('lingque-29': 2 hands, 1 win, 1 error)"
    assert "asked" not in repr(played(quepu.book("canton"), 1, 3))
    quepu.language("en")
    english = [row["english"] for row in score.to_json(explain=True, lang="en")["counted"]]
    assert repr(score) == f"Score(312 points: {', '.join(english)})"


def test_tiles_are_numbers_that_print() -> None:
    east = quepu.waits("123m456p789sCCEE", "guobiao").waits[0].tile
    assert east == EAST
    assert f"{east} {east!r} {east.chinese} {east.unicode}" == "E Tile('E') 東 🀀"
    assert [quepu.Tile(name) for name in ("3M", "三万", "🀙", "白", "春", "plum")] == [2, 2, 9, 33, 34, 38]
    assert [*map(str, quepu.parse_tiles("12mEE"))] == ["1m", "2m", "E", "E"]
    assert np.array([0, 1, 2])[quepu.Tile("2m")] == 1
    for wrong in ("x", "", -1, 42):
        with pytest.raises(quepu.NotationError):
            quepu.Tile(wrong)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_notebooks_show_pictures(lang: str) -> None:
    quepu.language(lang)
    score = quepu.score(HAND, seat="N")
    shown = score._repr_html_()
    assert shown.count("<svg") == 15
    assert ("三同顺" in shown) == (lang == "zh")
    look = quepu.waits("123m456p789sCCEE", "guobiao")
    assert look._repr_html_().count("<svg") == 15
    assert quepu.discards("2345678m234p559s1m")[0]._repr_html_().count("<svg") == 17
    assert quepu.parse("4567pFFF[1111s](PPP)+F")._repr_html_().count("<svg") == 15
    assert quepu.book("guobiao")._repr_html_().count("<tr>") == 82


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_value_of_the_library_draws_itself_in_a_notebook(lang: str) -> None:
    quepu.language(lang)
    offered = {name: value for name in quepu.__all__ if isinstance(value := getattr(quepu, name), type)}
    plain = {"Action", "Event", "FanLine", "Luck", "MeldKind", "Text", "Tile"}  # a word or two: their text is enough
    drawn = {name for name, value in offered.items() if hasattr(value, "_repr_html_")}
    errors = {name for name, value in offered.items() if issubclass(value, BaseException)}
    assert set(offered) == drawn | plain | errors and not drawn & plain
    shown = {
        **values(),
        "wait": quepu.waits("123m456p789sCCEE", "guobiao").waits[0],
        "completed": quepu.completion("123m456p789sCCEEE", "guobiao"),
        "not complete": quepu.completion("1479m12589p136sEE", "canton"),
    }
    assert drawn <= {kind.__name__ for value in shown.values() for kind in type(value).__mro__}
    for name, value in shown.items():
        if hasattr(value, "_repr_html_"):
            document = ElementTree.fromstring(f"<body>{value._repr_html_()}</body>")
            assert "".join(document.itertext()).strip() or document.findall(".//{*}svg"), name
            assert "FuFan" not in value._repr_html_()
            if lang == "en" and name not in ("fan", "book", "revision", "own fan", "house rules", "match"):
                text = "".join(each.text or "" for each in document.iter() if not each.tag.startswith("{"))
                assert not re.search("[\u4e00-\u9fff]", text), (name, text)


def test_what_a_notebook_draws_of_each_value() -> None:
    quepu.language("en")
    every = values()
    table, view = every["table"], every["view"]
    tiles = sum(map(len, table.hands)) + (table.drawn is not None)
    melds = sum(len(meld.tiles) for melds in table.melds for meld in melds)
    open_tiles = melds + sum(map(len, table.board.rivers)) + sum(map(len, table.board.flowers))
    assert table._repr_html_().count("<svg") == tiles + open_tiles
    assert view._repr_html_().count("<svg") == len(view.tiles) + open_tiles
    assert every["meld"]._repr_html_().count("<svg") == 4
    fan = quepu.book("guobiao").fan("清一色")
    assert fan._repr_html_().count("<svg") == 28 and "Full Flush" in fan._repr_html_() and "24" in fan._repr_html_()
    assert "48 fu 3 fan" in quepu.book("lingque-29").fan("天和")._repr_html_()
    assert quepu.waits("123m456p789sCCEE", "guobiao").waits[0]._repr_html_().count("<svg") == 1
    done = quepu.completion("123m456p789sCCEEE", "guobiao")
    assert repr(done) == "Completed('123m456p789sEEECC': 1m 2m 3m 4p 5p 6p 7s 8s 9s E C)"
    assert done._repr_html_().count("<svg") == 14 + 11
    many = quepu.score_many([HAND, "12x"] * 11, "lingque-29", seat="N")
    assert many._repr_html_().count("<tr>") == 21 and "22 hands, 11 wins, 11 errors" in many._repr_html_()
    match = every["match"]
    for total in match.totals:
        assert f"<b>{total:+d}</b>" in match._repr_html_()


def test_every_name_that_is_offered_is_there_and_nothing_else() -> None:
    assert set(quepu.__all__) <= set(dir(quepu))
    for name in quepu.__all__:
        assert getattr(quepu, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = quepu.nothing


def test_an_environment_travels_between_its_steps() -> None:
    rl = pytest.importorskip("quepu.rl")
    env = rl.env("guobiao")
    env.reset(3)
    for _ in range(9):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    again = pickle.loads(pickle.dumps(env))
    assert np.array_equal(again.state(), env.state())
    assert again.agent_selection == env.agent_selection


def test_a_book_is_found_by_its_name_in_capitals() -> None:
    assert quepu.book("MCR") is quepu.book("guobiao-mcr")
    assert quepu.book(" Guobiao ") is quepu.book("guobiao")

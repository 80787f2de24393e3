"""Waits in circumstances, and hands that wait for tiles of which they hold all four."""

import re

import pytest

import quepu
from quepu.cli import run
from quepu.hands.notation import parse, tiles
from quepu.rulebooks import book
from quepu.scoring.samples import wins
from quepu.scoring.waits import Outlook, Wait, outlook, waiting
from quepu.tiles import TILES
from tests.test_books import ALL_BOOKS

KONG = "123m456p78sEE[9999s]"


@pytest.mark.parametrize("name", ["yuque-54", "lingque-29", "lingque-26"])
def test_a_fifth_copy_is_no_wait(name):
    look = quepu.waits("12456789m77p[3333m]", name)
    assert not look.waits
    assert look.missing == 2
    assert look.dead == tiles("3m")
    assert look.useful
    answer = look.to_json()
    assert (answer["ready"], answer["dead"]) == (False, ["3m"])


def test_a_hand_with_other_waits_besides_is_ready():
    look = quepu.waits("123m456p45sEE[3333s]", "lingque-29")
    assert [wait.tile for wait in look.waits] == list(tiles("6s"))
    assert (look.missing, look.dead) == (1, tiles("3s"))


@pytest.mark.parametrize(
    ("lang", "words"),
    [("zh", "虚听 三万：四张都在自己手里，不算听牌"), ("en", "already holds all four, so it is not ready")],
)
def test_the_command_says_so(capsys, lang, words):
    assert run(["--lang", lang, "waits", "12456789m77p[3333m]", "-r", "yuque"]) == 0
    assert words in capsys.readouterr().out


def test_what_holds_only_when_self_drawn_is_scored_so():
    for given in ({"circumstances": ["岭上开花"]}, {"circumstances": ["岭上开花"], "self_draw": True}):
        (wait,) = (wait for wait in quepu.waits(KONG, **given).waits if wait.tile == tiles("6s")[0])
        assert wait.by_discard is None
        assert wait.by_self_draw is not None
        won = quepu.score(f"{KONG}+6s", self_draw=True, circumstances=["岭上开花"])
        assert wait.by_self_draw.total == won.total
        assert "岭上开花" in [fan.name for fan in wait.by_self_draw.fans]
        side = wait.to_json("en")["discard"]
        assert (side["can_win"], side["how"]) == (False, "not in the circumstances given")


def test_what_holds_only_on_a_discard_is_scored_so():
    (wait,) = (wait for wait in quepu.waits(KONG, circumstances=["河底捞鱼"]).waits)
    assert wait.by_self_draw is None
    assert wait.by_discard is not None
    assert wait.by_discard.total == quepu.score(f"{KONG}+6s", circumstances=["河底捞鱼"]).total


def test_a_circumstance_that_a_tile_cannot_have_is_refused_for_that_tile():
    waits = quepu.waits("123m456p789sCCEE", "guobiao", circumstances=["胡绝张"]).waits
    assert [wait.scores for wait in waits] == [(), ()]
    assert all(wait.reason is not None and "胡绝张" in wait.reason.zh for wait in waits)
    (wait,) = quepu.waits("123m456p78sCCEEE", "guobiao", circumstances=["胡绝张"]).waits[:1]
    assert wait.can_win


@pytest.mark.parametrize("rules", ALL_BOOKS, ids=lambda rules: rules.id)
def test_every_circumstance_is_answered_or_refused_with_a_sentence(rules):
    for name in rules.circumstances:
        for hand in (KONG, "123m456p789sCCEE", "123m456p78s(EEE)CC", "1112345678999s"):
            try:
                look = quepu.waits(hand, rules, seat="S", circumstances=[name])
            except quepu.HandError as error:
                refused = error.say("zh")
            else:
                refused = name
                assert look.waits
                for wait in look.waits:  # 万炮齐发 is a robbed kong too, and may be refused as one
                    assert wait.scores or (wait.reason is not None and wait.reason.zh.startswith("“"))
            assert name in refused


def test_the_example_of_the_help(capsys):
    assert run(["waits", KONG, "--with", "岭上开花"]) == 0
    out = capsys.readouterr().out
    assert "自摸" in out
    assert "点和" not in out
    assert run(["waits", KONG, "--with", "岭上开花", "-z", "--json"]) == 0


def test_a_way_that_was_not_asked_for_is_not_said_to_be_below_the_minimum():
    """A self-draw of 不求人, 4 番, is four short in 国标; nothing is said of a win by discard, which was not given."""
    (wait, *_) = quepu.waits("123m456p78sEE567s", "guobiao", self_draw=True).to_json()["waits"]
    assert wait["reason"] == "不够起和：自摸差 4"
    assert (wait["discard"]["points"], wait["discard"]["how"]) == (0, "所给情形下不会这样和")


SHORT = {
    "zh": {"discard": r"点和差 (\d+)", "draw": r"自摸差 (\d+)"},
    "en": {"discard": r"(\d+) short on a discard", "draw": r"(\d+)(?: short)? by self-draw|only on a discard: (\d+)"},
}


def short(wait: Wait, way: str, lang: str) -> int:
    """How many points the reason says are lacking by this way to win."""
    found = re.search(SHORT[lang][way], wait.reason.say(lang) if wait.reason else "")
    return int(next(number for number in found.groups() if number)) if found else 0


@pytest.mark.parametrize("rules", ["guobiao", "canton", "lingque-29"])
def test_the_reason_says_which_ways_fall_short_of_the_minimum_and_by_how_much(rules: str) -> None:
    kinds = set()
    base = book(rules)
    minima = {base.minimum, 3, 8, 20}
    for minimum in sorted(minima):
        house = base.having(minimum=minimum, id="house")
        for hand in wins(house, 60, seed=6):
            for wait in outlook(hand._replace(winning=None, luck=0), house).waits:
                lacking = {
                    way: max(0, minimum - score.points)
                    for way, score in (("discard", wait.by_discard), ("draw", wait.by_self_draw))
                    if score is not None
                }
                if not wait.left or len(lacking) < 2:
                    continue
                kinds.add(tuple(n > 0 for n in lacking.values()))
                for lang in ("zh", "en"):
                    assert {way: short(wait, way, lang) for way in lacking} == lacking, (str(hand), wait.reason)
                assert (wait.reason is None) == (not any(lacking.values()))
                one_way = 0 in lacking.values() and any(lacking.values())
                assert (wait.reason is not None and "只能" in wait.reason.zh) == one_way
    assert {(True, True), (False, False), (True, False)} <= kinds


def test_a_headline_counts_kinds_and_tiles_in_either_number() -> None:
    hand = parse("147m258p369sESWN")
    for useful, english, chinese in (
        (((TILES[0], 1),), "useful: 1 kind, 1 tile", "进张 1 种 1 张"),
        (((TILES[0], 2),), "useful: 1 kind, 2 tiles", "进张 1 种 2 张"),
        (((TILES[0], 1), (TILES[1], 0)), "useful: 2 kinds, 1 tile", "进张 2 种 1 张"),
        (((TILES[0], 2), (TILES[1], 1)), "useful: 2 kinds, 3 tiles", "进张 2 种 3 张"),
    ):
        line = Outlook(hand, 3, (), useful).headline()
        assert (line.en.partition("; ")[2], line.zh.partition("，")[2]) == (english, chinese)


def test_a_table_is_told_of_ready_hands_alone() -> None:
    """The hints of a table look farther themselves where a hand is not ready, or waits for what it holds itself."""
    rules = quepu.book("guobiao")
    ready = waiting(parse("123m456p789s11pEE"), rules)
    assert ready is not None and [wait.tile for wait in ready.waits] == [9, 27]
    seen = waiting(parse("123m456p789s11pEE"), rules, (9, 9, 27))
    assert seen is not None and [wait.left for wait in seen.waits] == [0, 1]
    assert waiting(parse("123m456p789s11pES"), rules) is None

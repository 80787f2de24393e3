"""What scores, waits and completions say: totals, groups, capitals, and which discard comes first."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest

import quepu
from quepu.errors import HandError, Text
from quepu.hands.hand import Luck
from quepu.hands.notation import parse
from quepu.rulebooks import books
from quepu.rules.arithmetic import Tally
from quepu.rules.rulebook import Rulebook
from quepu.scoring.keywords import shanten
from quepu.scoring.samples import wins
from quepu.scoring.score import Score, explain, score_hand
from quepu.scoring.waits import after_discards, choices, outlook
from quepu.shapes.readings import readings
from quepu.tiles import PLAIN

EVERY = pytest.mark.parametrize("rules", books(), ids=lambda one: one.id)


@EVERY
def test_an_explanation_has_a_total_only_where_it_is_more_than_the_points(rules: Rulebook) -> None:
    seen = set()
    for hand in wins(rules, 40, seed=3):
        for flowers in ((), (0, 1, 2)) if rules.counts_flowers else ((),):
            score = score_hand(hand._replace(flowers=flowers), rules)
            zh, en = explain(score).splitlines(), explain(score, "en").splitlines()
            apart = score.total != score.points
            seen.add(apart)
            assert [line for line in zh if line.startswith("合计")] == [f"合计 {score.total}"] * apart
            assert [line for line in en if line.startswith("Total")] == [f"Total {score.total}"] * apart
            short = [line for line in zh if line.startswith("差 ")]
            assert (
                len(short) == (not score.can_win) == len([line for line in en if " short of the minimum of " in line])
            )
            assert len(zh) == len(en)
    assert False in seen


@EVERY
def test_groups_stand_beside_a_fan_of_some_of_them_only(rules: Rulebook) -> None:
    shown = 0
    for hand in wins(rules, 25, seed=4):
        score = score_hand(hand, rules)
        data = score.to_json(explain=True)
        lines = explain(score).splitlines()[2:]
        whole = [group["text"] for group in data["groups"]]
        for fan, line in zip(data["counted"], lines, strict=False):
            places = [place for place in fan["groups"] if place and len(place) < len(whole)]
            beside = "  ".join(line.split("]  ")[1:]).split("  ")[0]
            for place in places:
                shown += 1
                assert " ".join(whole[i] for i in place) in line
            if not places and beside:
                assert beside not in (" ".join(whole), " · ".join(whole))
            assert (re.match(r"  \S+( \S+)?×\d+  ", line) is not None) == (fan["count"] > 1), line
    assert shown or rules.id not in ("guobiao", "yuque-54")


def test_what_is_paid_at_most_is_said_above_the_cap_only() -> None:
    rules = quepu.book("guobiao")
    score = quepu.score("123m456p789sCCEE+E", rules)
    for cap, said in ((score.points - 1, True), (score.points, False), (score.points + 1, False), (0, False)):
        capped = score_hand(score.hand, rules.having(options={"most": cap}) if cap != 88 else rules)
        text = capped.capped
        assert (text is not None) is said, cap
        assert text is None or (str(cap) in text.zh and str(cap) in text.en)
        assert ("封顶" in explain(capped)) is said


def test_a_headline_begins_with_a_capital_and_names_what_can_go() -> None:
    for name in ("guobiao", "lingque-29", "canton"):
        for tiles in ("123m456p789sCPEEN", "1479m12589p136sEE", "123m456p789sCCEEF"):
            found = quepu.completion(tiles, name)
            said = found.headline()
            sentences = re.split(r"(?<=[.?]) ", said.en)
            assert all(sentence[0].isupper() or sentence[0].isdigit() for sentence in sentences[1:]), said.en
            assert len(sentences) == 2
            spare = re.search(r"to spare: ([^.]*)\.", said.en)
            assert spare is not None and len(spare[1].split(", ")) == len(found.spare) == len(set(found.spare))
            assert said.zh.split("多余 ")[1].rstrip("。").count("、") == len(found.spare) - 1
            assert ("打一张就听牌" in said.zh) == (found.missing == 1)
    for tiles, good in (("123m456p789sCCEEE", True), ("123m456p789sCCEE", False), ("123m456p789sCCEE+E", False)):
        if good:
            assert quepu.completion(tiles, "guobiao").tiles
        else:
            with pytest.raises(HandError):
                quepu.completion(tiles, "guobiao")


@pytest.mark.parametrize("name", ["guobiao", "lingque-29"])
def test_discards_stand_by_distance_useful_tiles_and_worth(name: str) -> None:
    rules = quepu.book(name)
    worth_decides = 0
    for text in (
        "2345678m234p559s+1m",
        "123m456p789sCCEE+F",
        "1112345678999m+5m",
        "123m456p78sCCEE9s+6s",
        "22345m456p678sCC+9m",
    ):
        found = choices(parse(text), rules)
        assert {choice.discard for choice in found} == set(after_discards(_whole(text)))
        keys = []
        for choice in found:
            worth = 0
            for wait in choice.outlook.waits:
                least = wait.by_discard or wait.by_self_draw
                if wait.can_win and least is not None:
                    worth += wait.left * least.total
            keys.append((choice.outlook.missing, -choice.outlook.tiles_left, -worth, int(choice.discard)))
        assert keys == sorted(keys), text
        alike = [(a, b) for a, b in pairwise(keys) if a[:2] == b[:2]]
        worth_decides += any(a[2] < b[2] and a[3] > b[3] for a, b in alike)
    assert worth_decides or name != "guobiao"
    for text in ("123m456p789sCCEE", "123m"):
        with pytest.raises(quepu.Error):
            choices(parse(text), rules)
    drawn = choices(parse("123m456p789sCCEE+F")._replace(luck=Luck.SELF_DRAW), rules)
    waiting = [wait for choice in drawn for wait in choice.outlook.waits]
    assert waiting and all(wait.by_discard is None and wait.by_self_draw is not None for wait in waiting)
    with pytest.raises(HandError, match="听牌看 13 张"):
        outlook(parse("123m456p789sCCEE+E"), rules)


def _whole(text: str) -> quepu.Hand:
    hand = parse(text)
    return hand._replace(concealed=tuple(sorted((*hand.concealed, int(hand.winning or 0)))), winning=None)


def test_a_hand_of_tiles_that_the_game_has_not_is_refused_in_every_way() -> None:
    rules = replace(quepu.book("guobiao"), tiles=PLAIN._replace(kinds=tuple(range(27))))
    plain, wind = parse("123m456p789s1122s"), parse("123m456p789sEE11s")
    assert shanten(plain, rules, {}) == shanten(plain, quepu.book("guobiao"), {}) == 0
    with pytest.raises(HandError, match="没有东这样的牌"):
        shanten(wind, rules, {})
    assert shanten(wind, quepu.book("guobiao"), {}) == 0


def test_a_completion_shows_its_tiles_or_what_is_missing() -> None:
    done = quepu.completion("123m456p789sCCEEE", "guobiao")
    assert repr(done) == f"Completed({str(done.hand)!r}: 1m 2m 3m 4p 5p 6p 7s 8s 9s E C)"
    lacking = quepu.completion("123m456p789sCPEEN", "guobiao")
    assert repr(lacking) == f"Completed({str(lacking.hand)!r}: {lacking.headline()})"


def test_the_best_reading_is_worth_most_in_all_then_most_points_then_stands_first() -> None:
    rules = quepu.book("guobiao")
    hand = parse("111222333m44p56s+7s")
    found = readings(hand, rules.shapes, rules.reads)
    assert len(found) == 2
    for first, second, best in (
        ((3, 0), (1, 5), 1),
        ((1, 5), (3, 0), 0),
        ((3, 1), (2, 2), 0),
        ((2, 2), (3, 1), 1),
        ((3, 1), (3, 1), 0),
        ((2, 0), (3, 0), 1),
    ):
        tallies = [Tally(points, {}, (), (), Text("", ""), (), bonus) for points, bonus in (first, second)]
        score = Score(hand, rules, list(found), tallies)
        assert score.best is found[best] and score.tally is tallies[best]
        assert (score.points, score.total) == ((first, second)[best][0], sum((first, second)[best]))


def test_tiles_that_were_seen_are_kinds() -> None:
    for seen in ("EE", [27, 27], (0, 33), []):
        assert quepu.waits("123m456p789sCCEE", "guobiao", seen=seen).waits
    for seen in ([34], [-1], ["E"], [1.5], [None], 5):
        with pytest.raises(HandError, match="seen"):
            quepu.waits("123m456p789sCCEE", "guobiao", seen=seen)  # type: ignore[arg-type]

"""Sentences of a review: figures that tell two choices apart, words a player uses, what costs next to nothing."""

from __future__ import annotations

import re

import pytest

from quepu.hands.notation import parse
from quepu.review.aimed_hands import Aim
from quepu.review.choice_words import about, advice, amount, choice_text, fan_names, outlook, percent
from quepu.review.grades import grade
from quepu.review.insight import Insight, Side
from quepu.review.rated_decisions import Decision
from quepu.review.sentences import leads, reason
from quepu.review.turns import TurnChance
from quepu.review.valuation import Rated, RatedAction
from quepu.rulebooks import book
from quepu.scoring.score import score_hand
from quepu.table import Action

BOOK = book("guobiao-mcr")
BEST = RatedAction(Action("discard", 27), 1.0, 2, (0, 1, 2), 10, 49.3, chance=0.17, expected=8.4)
OTHER = RatedAction(Action("discard", 26), 0.8, 2, (0, 1, 2), 10, 48.7, chance=0.17, expected=8.0)


def side(ready: float, won: float, *aims: Aim) -> Side:
    return Side(aims, 2, tuple(TurnChance(turn, ready, won) for turn in range(1, 7)))


def decided(
    best: RatedAction, taken: RatedAction, seen: Insight | None = None, kind: str = "discard", rules: str = BOOK.id
) -> Decision:
    insight = seen or Insight(side(0.25, 0.05), side(0.25, 0.05), 0.0, best.expected - taken.expected, 0.2)
    return Decision(1, 0, kind, (best, taken), 1, False, book(rules), insight)


def test_a_chow_is_named_as_players_name_it() -> None:
    chow = RatedAction(Action("chow", 11, 10), 1.0, 2, (), 0, 8.0, then=28)
    assert choice_text(chow) == ("吃二三四筒打南", "chow 234p, then discard S")


def test_chances_are_no_formula() -> None:
    assert [percent(share).zh for share in (0, 0.004, 0.012, 0.5)] == ["不到 1%", "不到 1%", "1%", "50%"]
    assert about(0.004) == ("不到 1%", "under 1%")
    assert about(0.28) == ("约 28%", "about 28%")


def test_smaller_hands_are_smaller_in_figures() -> None:
    sentence = reason(decided(BEST, OTHER))
    assert "快慢差不多，可打九索能做的牌小：平均得 48.7 分，打东得 49.3 分。" in sentence.zh
    assert '"discard 9s" leads to smaller hands: 48.7 points on average, "discard E" to 49.3.' in sentence.en
    alike = reason(decided(BEST, OTHER._replace(reach=49.28)))
    assert "打九索能做的牌略小。" in alike.zh
    assert "49.3 分，打东得 49.3" not in alike.zh


def test_chances_by_turn_say_whose_they_are() -> None:
    seen = Insight(side(1, 0.23), side(0.26, 0.004), 0.0, 1.0, 0.5)
    sentence = reason(decided(BEST._replace(missing=1), OTHER, seen))
    assert "6 巡内，打东的话 23% 能和；打九索的话 26% 能听牌、不到 1% 能和。" in sentence.zh
    assert 'Within 6 turns: "discard E" won 23%; "discard 9s" ready 26%, won under 1%.' in sentence.en
    assert "6 巡内概率一样：25% 能听牌、5% 能和。" in reason(decided(BEST, OTHER)).zh


@pytest.mark.parametrize(("risked", "words"), [(0.02, ""), (0.4, "，平均多赔 0.4 分")])
def test_a_danger_that_costs_nothing_has_no_figure(risked: float, words: str) -> None:
    seen = Insight(side(0.2, 0.1), side(0.2, 0.1), risked, risked + 0.005, 0.2)
    taken = OTHER._replace(danger=0.07)
    assert f"打九索危险：约 7% 放铳，打东不到 1%{words}。" in reason(decided(BEST, taken, seen)).zh


def test_tiles_in_english_have_their_number() -> None:
    taken = OTHER._replace(useful=(0, 1, 5), left=9, chance=0.15, reach=50)
    sentence = reason(decided(BEST, taken))
    assert '"discard 9s" is slower: 1 fewer tile helps, no longer 3m but 6m.' in sentence.en
    assert "打九索较慢：进张少 1 张，不再要三万，改要六万。" in sentence.zh
    one = outlook(BEST._replace(missing=1, useful=(), chance=0.004))
    assert one.en == "1 tile from a win; wins under 1%, for 49 points on average"
    assert one.zh == "差 1 张可和，和牌率不到 1%，和牌均得 49 分"
    many = reason(decided(BEST._replace(useful=tuple(range(9)), left=30), taken))
    assert "不再要三万、四万、五万、七万、八万等 6 种" in many.zh


def test_a_hand_without_fans_has_a_name_for_it() -> None:
    rules = book("yuque-54")
    score = score_hand(parse("123m456p5s(678s)(234m)+5s"), rules)
    assert not score.fans
    assert fan_names(score) == ("无番", "no fan")
    aim = Aim((22,), score, score.hand)
    seen = Insight(side(0.2, 0.1, aim), side(0.2, 0.1), 0.0, 1.0, 0.5)
    sentence = leads(decided(BEST, OTHER, seen, rules="yuque-54"))
    assert sentence.zh == "打东可以做无番 0 点（来五索）。"
    assert sentence.en == '"discard E" leads to no fan, 0 points (with 5s).'
    assert [amount(n, rules.unit).en for n in (1, 2)] == ["1 point", "2 points"]


def test_what_costs_next_to_nothing_is_no_blunder() -> None:
    """Late in the wall one choice may be half as good as another, and neither worth anything."""
    poor = BEST._replace(chance=0.008, expected=0.4)
    seen = Insight(side(0.1, 0.01), side(0.1, 0.01), 0.0, 0.3, 0.6)
    assert grade(decided(poor, OTHER, seen)) == "slip"
    assert grade(decided(poor, OTHER, seen._replace(cost=0.6))) == "blunder"
    win = BEST._replace(action=Action("win"), points=8)
    assert grade(decided(win, OTHER, seen)) == "blunder"


def test_a_hint_counts_and_names() -> None:
    sentence = advice(Rated((BEST, OTHER), lost=False))
    assert (
        sentence.zh == "打东：差 2 张可和，进张 10 张，和牌率约 17%，和牌均得 49 分。"
        "其次打九索，价值约为前者的 80%，平均少得 0.4 分。"
    )
    assert not re.search(r"\b1 (tiles|points|turns)\b", sentence.en)


def test_a_chance_is_rounded_as_on_the_pages() -> None:
    assert [percent(share).en for share in (0.784, 0.785, 0.795, 0.0099, 0.01, 1.0)] == [
        "78%", "79%", "80%", "under 1%", "1%", "100%",
    ]  # fmt: skip

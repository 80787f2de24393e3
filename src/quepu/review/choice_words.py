"""Choices and their outlooks in words, and the advice of a hint."""

from __future__ import annotations

from quepu.errors import Text
from quepu.review.aimed_hands import fan_texts
from quepu.review.valuation import Rated, RatedAction
from quepu.scoring.score import Score
from quepu.table.actions import Action, tile_text

LEAST = 0.05
"""Points that are said: what is less rounds to nothing."""


def choice_text(choice: RatedAction) -> Text:
    """A choice in words, with the discard that goes with a claim."""
    text = Action(choice.action.do, choice.action.tile, choice.action.low).text()
    if choice.then is None:
        return text
    out = tile_text(choice.then)
    return Text(f"{text.zh}打{out.zh}", f"{text.en}, then discard {out.en}")


def percent(share: float) -> str:
    """A chance in words."""
    return "<1%" if 0 < share < 0.01 else f"{share:.0%}"


def points(number: float) -> str:
    """Points on the average: a decimal place where they are few."""
    return f"{number:.0f}" if number >= 10 else f"{number:.1f}"


def fan_names(score: Score) -> Text:
    """The fans of a score."""
    fans = fan_texts(score)
    return Text("、".join(fan.zh for fan in fans), ", ".join(fan.en for fan in fans))


def value_text(score: Score) -> Text:
    """Describe what a hand comes to."""
    unit = score.book.unit
    return Text(f"{score.total} {unit.zh}", f"{score.total} {unit.en}")


def outlook(choice: RatedAction) -> Text:
    """The outlook after a choice, in words."""
    if choice.points is not None:
        score = choice.action.score
        fans = Text("", "") if score is None else fan_names(score)
        return Text(
            f"和 {choice.points} {'点' if score is None else score.book.unit.zh}"
            + (f"（{fans.zh}）" if fans.zh else ""),
            f"wins {choice.points}" + (f" ({fans.en})" if fans.en else ""),
        )
    if choice.missing is None:
        return Text("离能和的牌又远了两张以上", "two tiles or more farther from any hand that may win")
    odds = percent(choice.chance)
    reach = Text(
        f"够得着的和牌平均收 {choice.reach:.0f} 分，约 {odds} 能和",
        f"hands in reach bring {choice.reach:.0f} on average and win about {odds}",
    )
    if not choice.useful:  # farther than need be: which tiles help is not looked up
        return Text(
            f"差 {choice.missing} 张起和，{reach.zh}", f"{choice.missing} tiles from a hand that may win; {reach.en}"
        )
    if choice.missing == 1:
        tiles = Text(
            "、".join(tile_text(k).zh for k in choice.useful), " ".join(tile_text(k).en for k in choice.useful)
        )
        return Text(
            f"听{tiles.zh}，余 {choice.left} 张，{reach.zh}", f"waits on {tiles.en}, {choice.left} left; {reach.en}"
        )
    return Text(
        f"差 {choice.missing} 张起和，{choice.left} 张有用，{reach.zh}",
        f"{choice.missing} tiles from a hand that may win, {choice.left} help; {reach.en}",
    )


def advice(found: Rated) -> Text:
    """Return what to do, what for, and what the next best costs."""
    if found.lost or not found.choices:
        return Text("哪样都够不着能和的牌。", "No choice leads to a hand that may win.")
    best = found.choices[0]
    first, where = choice_text(best), outlook(best)
    sentence = Text(f"{first.zh}：{where.zh}。", f"{first.en}: {where.en}.")
    if len(found.choices) == 1 or best.points is not None:
        return sentence
    other = found.choices[1]
    words, share, cost = choice_text(other), f"{other.share:.0%}", best.expected - other.expected
    less = Text(f"，平均少 {points(cost)} 分", f", {points(cost)} points less") if cost >= LEAST else Text("", "")
    return Text(
        f"{sentence.zh}其次{words.zh}，值它的 {share}{less.zh}。",
        f"{sentence.en} Next best: {words.en}, worth {share} of it{less.en}.",
    )

"""Sentences that explain why a choice is better."""

from __future__ import annotations

from quepu.errors import Text
from quepu.review.rated_decisions import Decision
from quepu.review.valuation import Rated, RatedAction
from quepu.table.actions import Action, tile_text


def choice_text(choice: RatedAction) -> Text:
    """A choice in words, with the discard that goes with a claim."""
    text = Action(choice.action.do, choice.action.tile, choice.action.low).text()
    if choice.then is None:
        return text
    out = tile_text(choice.then)
    return Text(f"{text.zh}打{out.zh}", f"{text.en}, then discard {out.en}")


def outlook(choice: RatedAction) -> Text:
    """The outlook after a choice, in words."""
    if choice.points is not None:
        return Text(f"和 {choice.points} 点", f"wins {choice.points}")
    if choice.missing is None:
        return Text("离能和的牌又远了两张以上", "two tiles or more farther from any hand that may win")
    odds = "<1%" if choice.chance < 0.01 else f"{choice.chance:.0%}"
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
    """What to do, what for, and what the next best costs."""
    if found.lost or not found.choices:
        return Text("哪样都够不着能和的牌。", "No choice leads to a hand that may win.")
    best = found.choices[0]
    first, where = choice_text(best), outlook(best)
    sentence = Text(f"{first.zh}：{where.zh}。", f"{first.en}: {where.en}.")
    if len(found.choices) == 1 or best.points is not None:
        return sentence
    other = found.choices[1]
    words, share = choice_text(other), f"{other.share:.0%}"
    return Text(
        f"{sentence.zh}其次{words.zh}，值它的 {share}。", f"{sentence.en} Next best: {words.en}, worth {share} of it."
    )


def reason(decision: Decision) -> Text:
    """Why the best choice is the best, beside what was chosen."""
    best = decision.choices[0] if decision.choices else None
    if decision.lost or best is None:
        return Text("哪样都够不着能和的牌。", "No choice leads to a hand that may win.")
    first, where = choice_text(best), outlook(best)
    if decision.chosen in (0, None):
        return Text(f"{first.zh}：{where.zh}。", f"{first.en}: {where.en}.")
    chosen = decision.choices[decision.chosen]
    if best.points is not None:
        return Text(f"可以和 {best.points} 点而没有和。", f"A win of {best.points} was passed up.")
    other, there = choice_text(chosen), outlook(chosen)
    share = f"{chosen.share:.0%}"
    return Text(
        f"{first.zh}：{where.zh}。{other.zh}：{there.zh}，只值前者的 {share}。",
        f"{first.en}: {where.en}. {other.en}: {there.en}, worth {share} of it.",
    )

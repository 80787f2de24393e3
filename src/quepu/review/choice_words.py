"""Describe choices and their outlooks in words, and the advice of a hint."""

from __future__ import annotations

from quepu.errors import Text, join_list, many
from quepu.review.aimed_hands import fan_texts
from quepu.review.valuation import Rated, RatedAction
from quepu.rules.row import amount
from quepu.scoring.score import Score
from quepu.shapes.distance import win_text
from quepu.table.actions import Action, tile_text
from quepu.tiles import CHINESE, NAMES

LEAST = 0.05
"""The least points that are mentioned: fewer would round to nothing."""


def action_text(action: Action) -> Text:
    """Describe an action, a chow by its three tiles."""
    if action.low is None:
        return Action(action.do, action.tile).text()
    ranks, suit = "".join(CHINESE[kind][0] for kind in action.run), CHINESE[action.low][1:]  # 吃二三四筒
    numbers = "".join(NAMES[kind][0] for kind in action.run)
    return Text(f"吃{ranks}{suit}", f"chow {numbers}{NAMES[action.low][1]}")


def choice_text(choice: RatedAction) -> Text:
    """Describe a choice, with the discard that follows a claim."""
    text = action_text(choice.action)
    if choice.then is None:
        return text
    out = tile_text(choice.then)
    return Text(f"{text.zh}打{out.zh}", f"{text.en}, then discard {out.en}")


def percent(share: float) -> Text:
    """Write a chance in words, halves rounded up as on the pages."""
    shown = f"{int(100 * share + 0.5)}%"
    return Text("不到 1%", "under 1%") if share < 0.01 else Text(shown, shown)


def about(share: float) -> Text:
    """Write an estimated chance."""
    words = percent(share)
    return words if share < 0.01 else Text(f"约 {words.zh}", f"about {words.en}")


def points(number: float) -> str:
    """Write average points: with a decimal place if they are few."""
    return f"{number:.0f}" if number >= 10 else f"{number:.1f}"


def fan_names(score: Score) -> Text:
    """List the fans of a score."""
    fans = fan_texts(score)
    if not fans:
        return Text("无番", "no fan")
    return join_list(fans)


def value_text(score: Score) -> Text:
    """Describe the value of a hand."""
    return amount(score.total, score.book.unit)


def outlook(choice: RatedAction) -> Text:
    """Describe the outlook after a choice."""
    if choice.points is not None:
        score = choice.action.score
        fans = Text("", "") if score is None else fan_names(score)
        value = amount(choice.points, Text("点", "points") if score is None else score.book.unit)
        return Text(
            f"和 {value.zh}" + (f"（{fans.zh}）" if fans.zh else ""),
            f"wins {value.en}" + (f" ({fans.en})" if fans.en else ""),
        )
    if choice.missing is None:
        return Text("离可和又远了两张以上", "at least two tiles further from a win")
    odds, pays = about(choice.chance), points(choice.reach)
    reach = Text(
        f"和牌率{odds.zh}，和牌均得 {pays} 分",
        f"wins {odds.en}, for {pays} points on average",
    )
    off = win_text(choice.missing)
    if not choice.useful:  # farther than necessary: its useful tiles are not computed
        return Text(f"{off.zh}，{reach.zh}", f"{off.en}; {reach.en}")
    if choice.missing == 1:
        tiles = Text(
            "、".join(tile_text(k).zh for k in choice.useful), " ".join(tile_text(k).en for k in choice.useful)
        )
        return Text(
            f"听{tiles.zh}，余 {choice.left} 张，{reach.zh}", f"waits on {tiles.en}, {choice.left} left; {reach.en}"
        )
    return Text(
        f"{off.zh}，进张 {choice.left} 张，{reach.zh}", f"{off.en}, {many(choice.left, 'tile')} useful; {reach.en}"
    )


def advice(found: Rated) -> Text:
    """Return the advice: what to do, which hand to aim at, and how much worse the next best is."""
    if found.lost or not found.choices:
        return Text("怎么打都做不成可和的牌。", "No choice leads to a valid hand.")
    best = found.choices[0]
    first, where = choice_text(best), outlook(best)
    sentence = Text(f"{first.zh}：{where.zh}。", f"{first.en}: {where.en}.")
    if len(found.choices) == 1 or best.points is not None:
        return sentence
    other = found.choices[1]
    words, share, cost = choice_text(other), f"{other.share:.0%}", best.expected - other.expected
    less = Text(f"，平均少得 {points(cost)} 分", f", {points(cost)} points less") if cost >= LEAST else Text("", "")
    return Text(
        f"{sentence.zh}其次{words.zh}，价值约为前者的 {share}{less.zh}。",
        f"{sentence.en} Next best: {words.en}, worth {share} of it{less.en}.",
    )

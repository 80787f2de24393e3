"""Explain a decision in sentences: the choice made, the better one, why, and the hands that both lead to."""

from __future__ import annotations

from collections.abc import Sequence

from quepu.errors import Text, many
from quepu.review.aimed_hands import Aim
from quepu.review.choice_words import (
    LEAST,
    about,
    choice_text,
    fan_names,
    outlook,
    percent,
    points,
    value_text,
)
from quepu.review.grades import mistake_of
from quepu.review.insight import Insight, Side
from quepu.review.rated_decisions import Decision
from quepu.review.valuation import RatedAction
from quepu.rules.row import amount
from quepu.shapes.distance import readiness_text
from quepu.table.actions import ActionKind, tile_text

_AS_FAST = 0.9
"""A chance that is at least this share of another counts as equally good."""
SOON = 6
"""Turns ahead for which chances are mentioned."""
_MOST_AIMS = 3
_MOST_NAMED = 5
NOTHING = Text("怎么打都做不成可和的牌。", "No choice leads to a valid hand.")


def reason(decision: Decision) -> Text:
    """Explain why the best choice is better than the chosen one, in sentences that name tiles and fans.

    Examples:
        >>> from quepu.arena import match
        >>> from quepu.match import read_log
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> hand = read_log("match.jsonl").hands[0]
        >>> from quepu.review import decisions
        >>> print(reason(decisions(hand, played.book, only=0)[0]).en)  # doctest: +ELLIPSIS
        Discard 3m: ... Better, discard E: ... It costs 4.0 points on average.
    """
    seen = decision.insight
    if decision.lost or not decision.choices or seen is None:
        return NOTHING
    best = decision.choices[0]
    if not decision.chosen:
        return _join([line_text(best), *_chances(best, seen.best)])
    taken = decision.choices[decision.chosen]
    if best.points is not None:
        return _join([_explain_missed(best, taken), *_cost(seen)])
    first, where = choice_text(best), outlook(best)
    return _join([
        line_text(taken),
        _sentence(Text(f"{first.zh}更好：{where.zh}", f"better, {first.en}: {where.en}")),
        *_why(decision, seen, best, taken),
        *_compare(seen, best, taken),
        *_cost(seen),
    ])  # fmt: skip


def line_text(choice: RatedAction) -> Text:
    """Describe a choice and its outlook in a sentence."""
    what, where = choice_text(choice), outlook(choice)
    return _sentence(Text(f"{what.zh}：{where.zh}", f"{what.en}: {where.en}"))


def _explain_missed(best: RatedAction, taken: RatedAction) -> Text:
    won, then, odds = outlook(best), choice_text(taken), about(taken.chance)
    return Text(
        f"可以{won.zh}而没有和；{then.zh}以后{odds.zh} 能再和。",
        f'A win was passed up: it {won.en}; after "{then.en}" the hand still wins {odds.en} of the time.',
    )


def _why(decision: Decision, seen: Insight, best: RatedAction, taken: RatedAction) -> list[Text]:
    """Describe the kind of mistake; empty for a choice that was nearly as good."""
    kind = mistake_of(decision)
    if kind == "claim":
        return [_claim(best, taken)]
    if kind == "unpayable":
        return [_unpayable(decision, seen.taken.shape or 0, taken)]
    if kind == "safety":
        return [_safety(seen, best, taken)]
    if kind == "speed":
        return [_speed(best, taken)]
    return [_value(best, taken)] if kind == "value" else []


def _unpayable(decision: Decision, shape: int, taken: RatedAction) -> Text:
    least, other = amount(decision.book.minimum, decision.book.unit), choice_text(taken)
    near = readiness_text(max(shape, 1))
    return Text(
        f"只看牌形，{other.zh}后{near.zh}，并不慢；但那样做成不够 {least.zh}，不能和。",
        f'By shape, "{other.en}" leaves the hand {near.en}, but such hands are below the minimum of {least.en}.',
    )


def _safety(seen: Insight, best: RatedAction, taken: RatedAction) -> Text:
    first, other = choice_text(best), choice_text(taken)
    odds, less = about(taken.danger), percent(best.danger)
    only = "" if best.danger < 0.01 else "只有 "
    more = Text("", "")
    if seen.risked >= LEAST:
        risked = points(seen.risked)
        more = Text(f"，平均多赔 {risked} 分", f", {risked} points more on average")
    return Text(
        f"{other.zh}危险：{odds.zh} 放铳，{first.zh}{only}{less.zh}{more.zh}。",
        f'"{other.en}" is dangerous: another wins on it {odds.en} of the time, on "{first.en}" {less.en}{more.en}.',
    )


def _value(best: RatedAction, taken: RatedAction) -> Text:
    first, other = choice_text(best), choice_text(taken)
    slow = taken.chance < _AS_FAST * best.chance
    pace = Text("慢一些，而且", "It is slower, and") if slow else Text("快慢差不多，可", "It is as fast, but")
    small, large = _apart(taken.reach, best.reach)
    if small == large:
        return Text(f"{pace.zh}{other.zh}能做的牌略小。", f'{pace.en} "{other.en}" leads to slightly smaller hands.')
    return Text(
        f"{pace.zh}{other.zh}能做的牌小：平均得 {small} 分，{first.zh}得 {large} 分。",
        f'{pace.en} "{other.en}" leads to smaller hands: {small} points on average, "{first.en}" to {large}.',
    )


def _apart(less: float, more: float) -> tuple[str, str]:
    """Write two averages with as many decimals as needed to tell them apart, one at most."""
    found = points(less), points(more)
    return (f"{less:.1f}", f"{more:.1f}") if found[0] == found[1] else found


def _speed(best: RatedAction, taken: RatedAction) -> Text:
    other = choice_text(taken)
    if taken.missing is None or best.missing is None or taken.missing > best.missing:
        more = 2 if taken.missing is None or best.missing is None else taken.missing - best.missing
        return Text(
            f"{other.zh}较慢：离可和远了 {more} 张。",
            f'"{other.en}" is slower: {many(more, "tile")} farther from a win.',
        )
    gone = [kind for kind in best.useful if kind not in taken.useful]
    if taken.left < best.left and gone:
        fewer = best.left - taken.left
        other_tiles = [kind for kind in taken.useful if kind not in best.useful]
        then = Text("", "")
        if other_tiles:
            then = Text(f"，改要{_some(other_tiles).zh}", f" but {_some(other_tiles).en}")
        return Text(
            f"{other.zh}较慢：进张少 {fewer} 张，不再要{_some(gone).zh}{then.zh}。",
            f'"{other.en}" is slower: {fewer} fewer tile{" helps" if fewer == 1 else "s help"}, '
            f"no longer {_some(gone).en}{then.en}.",
        )
    return Text(f"{other.zh}较慢：能做成的牌路少。", f'"{other.en}" is slower: fewer ways lead to a valid hand.')


def _claim(best: RatedAction, taken: RatedAction) -> Text:
    first, other = choice_text(best), choice_text(taken)
    if taken.action.do is ActionKind.PASS:
        return Text(f"该{first.zh}，却过了。", "You should have claimed the tile.")
    if best.action.do is ActionKind.PASS:
        return Text(f"不该{other.zh}。", f'You should not have claimed "{other.en}".')
    return Text(f"该{first.zh}，不该{other.zh}。", f'"{first.en}" was the right claim, not "{other.en}".')


def _at(side: Side, turns: int) -> tuple[float, float]:
    """Return the chance to be ready and to have won by then."""
    if not side.by_turn:
        return 0.0, 0.0
    _, ready, won = side.by_turn[min(turns, len(side.by_turn)) - 1]
    return ready, won


def _within(turns: int) -> Text:
    return Text(f"{turns} 巡内", f"Within {many(turns, 'turn')}")


def _odds(side: Side, turns: int) -> Text:
    """Describe the chances of a choice by then; being ready only if it is not yet."""
    ready, won = _at(side, turns)
    early, late = percent(ready), percent(won)
    if ready >= 1:
        return Text(f"{late.zh} 能和", f"won {late.en}")
    return Text(f"{early.zh} 能听牌、{late.zh} 能和", f"ready {early.en}, won {late.en}")


def _chances(best: RatedAction, side: Side) -> list[Text]:
    if not side.by_turn or best.points is not None:
        return []
    turns = min(SOON, len(side.by_turn))
    when, odds = _within(turns), _odds(side, turns)
    return [Text(f"{when.zh}：{odds.zh}。", f"{when.en}: {odds.en}.")]


def _compare(seen: Insight, best: RatedAction, taken: RatedAction) -> list[Text]:
    return lines_by_turn([(best, seen.best), (taken, seen.taken)])


def lines_by_turn(pair: Sequence[tuple[RatedAction, Side]]) -> list[Text]:
    """Compare the chances of two choices a few turns ahead; empty if those of one are unknown."""
    (best, side), (taken, beside) = pair
    turns = min(SOON, len(side.by_turn), len(beside.by_turn))
    if not turns:  # the chances of a distant choice are unknown
        return []
    when, first, other = _within(turns), _odds(side, turns), _odds(beside, turns)
    if first == other:
        return [Text(f"{when.zh}概率一样：{first.zh}。", f"{when.en} the chances are equal: {first.en}.")]
    better, done = choice_text(best), choice_text(taken)
    return [Text(
        f"{when.zh}，{better.zh}的话 {first.zh}；{done.zh}的话 {other.zh}。",
        f'{when.en}: "{better.en}" {first.en}; "{done.en}" {other.en}.',
    )]  # fmt: skip


def leads(decision: Decision) -> Text:
    """Describe the hands that the best choice and the taken one lead to; empty if there are none."""
    seen = decision.insight
    if seen is None:
        return Text("", "")
    best, taken = decision.choices[0], decision.choices[decision.chosen or 0]
    if not decision.chosen:
        return _join(_aims(seen.best))
    if seen.best.aims == seen.taken.aims:
        return _join(_aims(seen.best, Text("两样都", "either")))
    return _join([*_aims(seen.best, choice_text(best)), *_aims(seen.taken, choice_text(taken))])


def _aims(side: Side, of: Text | None = None) -> list[Text]:
    """The hands that a choice leads to."""
    if not side.aims:
        return []
    found = [_aim(aim) for aim in side.aims[:_MOST_AIMS]]
    who = Text("", "it ") if of is None else Text(of.zh, f"{of.en} " if of.en == "either" else f'"{of.en}" ')
    zh, en = "；".join(one.zh for one in found), "; ".join(one.en for one in found)
    return [_sentence(Text(f"{who.zh}可以做{zh}", f"{who.en}leads to {en}"))]


def _aim(aim: Aim) -> Text:
    fans, value, come = fan_names(aim.score), value_text(aim.score), _tiles(aim.draws)
    return Text(f"{fans.zh} {value.zh}（来{come.zh}）", f"{fans.en}, {value.en} (with {come.en})")


def _cost(seen: Insight) -> list[Text]:
    if seen.cost < LEAST:
        return []
    return [Text(f"平均少得 {points(seen.cost)} 分。", f"It costs {points(seen.cost)} points on average.")]


def _some(kinds: Sequence[int]) -> Text:
    """Name a few of these tiles."""
    named, more = _tiles(kinds[:_MOST_NAMED]), len(kinds) - _MOST_NAMED
    return named if more <= 0 else Text(f"{named.zh}等 {len(kinds)} 种", f"{named.en} and {more} more")


def _tiles(kinds: Sequence[int]) -> Text:
    return Text("、".join(tile_text(kind).zh for kind in kinds), " ".join(tile_text(kind).en for kind in kinds))


def _sentence(text: Text) -> Text:
    return Text(text.zh + "。", text.en[:1].upper() + text.en[1:] + ".")


def _join(parts: Sequence[Text]) -> Text:
    return Text("".join(part.zh for part in parts), " ".join(part.en for part in parts))

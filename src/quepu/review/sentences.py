"""Sentences about a decision: what was done, what was better, why; and the hands that both lead to."""

from __future__ import annotations

from collections.abc import Sequence

from quepu.errors import Text
from quepu.review.aimed_hands import Aim
from quepu.review.choice_words import LEAST, choice_text, fan_names, outlook, percent, points
from quepu.review.grades import mistake_of
from quepu.review.insight import Insight, Side
from quepu.review.rated_decisions import Decision
from quepu.review.valuation import RatedAction
from quepu.table.actions import ActionKind, tile_text

_AS_FAST = 0.9
"""A chance that is at least this part of another is as good."""
SOON = 6
"""Turns ahead for which chances are said."""
_MOST_AIMS = 3
NOTHING = Text("哪样都够不着能和的牌。", "No choice leads to a hand that may win.")


def reason(decision: Decision) -> Text:
    """Return why the best choice is the best, beside what was chosen, in sentences that name tiles and fans."""
    seen = decision.insight
    if decision.lost or not decision.choices or seen is None:
        return NOTHING
    best = decision.choices[0]
    if not decision.chosen:
        return _joined([_alone(best), *_chances(best, seen.best)])
    taken = decision.choices[decision.chosen]
    if best.points is not None:
        return _joined([_missed(best, taken), *_cost(seen)])
    first, where = choice_text(best), outlook(best)
    return _joined([
        _alone(taken),
        _sentence(Text(f"{first.zh}更好：{where.zh}", f"better, {first.en}: {where.en}")),
        *_why(decision, seen, best, taken),
        *_compared(seen),
        *_cost(seen),
    ])  # fmt: skip


def _alone(choice: RatedAction) -> Text:
    what, where = choice_text(choice), outlook(choice)
    return _sentence(Text(f"{what.zh}：{where.zh}", f"{what.en}: {where.en}"))


def _missed(best: RatedAction, taken: RatedAction) -> Text:
    won, then = outlook(best), choice_text(taken)
    odds = percent(taken.chance)
    return Text(
        f"可以{won.zh}而没有和；{then.zh}以后约 {odds} 能再和。",
        f'A win was passed up: it {won.en}; after "{then.en}" such hands win about {odds}.',
    )


def _why(decision: Decision, seen: Insight, best: RatedAction, taken: RatedAction) -> list[Text]:
    """The kind of mistake in words; nothing for a choice that was nearly as good."""
    kind = mistake_of(decision)
    first, other = choice_text(best), choice_text(taken)
    if kind == "claim":
        return [_claim(best, taken)]
    if kind == "unpayable":
        least, unit = decision.book.minimum, decision.book.unit
        shape = seen.taken.shape or 0
        near = (
            Text(f"差 {shape} 张成牌形", f"{shape} tiles from a complete shape")
            if shape > 1
            else Text("已听牌形", "ready by shape")
        )
        return [Text(
            f"{other.zh}后{near.zh}，看着不慢，可那样的牌不够 {least} {unit.zh}起和。",
            f"After \"{other.en}\" the hand is {near.en}, but such hands are below the minimum of {least}.",
        )]  # fmt: skip
    if kind == "safety":
        return [Text(
            f"{other.zh}危险：约 {percent(taken.danger)} 放铳，{first.zh}只有 {percent(best.danger)}，"
            f"平均多赔 {points(seen.risked)} 分。",
            f"\"{other.en}\" is dangerous: it is won upon about {percent(taken.danger)}, \"{first.en}\" "
            f"{percent(best.danger)}: {points(seen.risked)} points more on the average.",
        )]  # fmt: skip
    if kind == "speed":
        return [_speed(best, taken)]
    if kind == "value":
        slow = taken.chance < _AS_FAST * best.chance
        pace = Text("慢一些，而且", "It is slower, and") if slow else Text("快慢差不多，可", "It is as fast, but")
        return [Text(
            f"{pace.zh}{other.zh}够得着的牌小：平均 {points(taken.reach)} 分，{first.zh}有 {points(best.reach)} 分。",
            f"{pace.en} \"{other.en}\" leads to smaller hands: {points(taken.reach)} on the average, "
            f"\"{first.en}\" to {points(best.reach)}.",
        )]  # fmt: skip
    return []


def _speed(best: RatedAction, taken: RatedAction) -> Text:
    other = choice_text(taken)
    if taken.missing is None or best.missing is None or taken.missing > best.missing:
        more = 2 if taken.missing is None or best.missing is None else taken.missing - best.missing
        return Text(
            f"{other.zh}慢了：离能和的牌远了 {more} 张。",
            f'"{other.en}" is slower: {more} tile{"" if more == 1 else "s"} farther from a hand that may win.',
        )
    gone = [kind for kind in best.useful if kind not in taken.useful]
    if taken.left < best.left and gone:
        return Text(
            f"{other.zh}慢了：有用的牌少 {best.left - taken.left} 张，不再要{_tiles(gone).zh}。",
            f'"{other.en}" is slower: {best.left - taken.left} fewer tiles help, not {_tiles(gone).en} any more.',
        )
    return Text(f"{other.zh}慢了：做成的路子少。", f'"{other.en}" is slower: fewer ways lead to hands that may win.')


def _claim(best: RatedAction, taken: RatedAction) -> Text:
    first, other = choice_text(best), choice_text(taken)
    if taken.action.do is ActionKind.PASS:
        return Text(f"该{first.zh}，没有要。", "The tile was worth claiming.")
    if best.action.do is ActionKind.PASS:
        return Text(f"不该{other.zh}。", f'"{other.en}" was not worth it.')
    return Text(f"该{first.zh}，不该{other.zh}。", f'"{first.en}" was called for, not "{other.en}".')


def _at(side: Side, turns: int) -> tuple[float, float]:
    """The chance to be ready and to have won by then."""
    if not side.by_turn:
        return 0.0, 0.0
    _, ready, won = side.by_turn[min(turns, len(side.by_turn)) - 1]
    return ready, won


def _chances(best: RatedAction, side: Side) -> list[Text]:
    if not side.by_turn or best.points is not None:
        return []
    turns = min(SOON, len(side.by_turn))
    ready, won = _at(side, turns)
    early = (
        Text(f"听牌 {percent(ready)}、", f"ready {percent(ready)}, ")
        if best.missing and best.missing > 1
        else Text("", "")
    )
    return [
        Text(f"{turns} 巡内{early.zh}和牌 {percent(won)}。", f"Within {turns} turns: {early.en}won {percent(won)}.")
    ]


def _compared(seen: Insight) -> list[Text]:
    turns = min(SOON, len(seen.best.by_turn), len(seen.taken.by_turn))
    if not turns:  # after a choice that is far off no chance is known
        return []
    (ready, won), (slow, less) = _at(seen.best, turns), _at(seen.taken, turns)
    if (percent(ready), percent(won)) == (percent(slow), percent(less)):
        return [Text(
            f"{turns} 巡内都是听牌 {percent(ready)}、和牌 {percent(won)}。",
            f"Within {turns} turns either is ready {percent(ready)} and has won {percent(won)}.",
        )]  # fmt: skip
    early = Text("", "")
    if ready < 1 or slow < 1:
        early = Text(f"听牌 {percent(slow)} 对 {percent(ready)}，", f"ready {percent(slow)} against {percent(ready)}, ")
    return [Text(
        f"{turns} 巡内{early.zh}和牌 {percent(less)} 对 {percent(won)}。",
        f"Within {turns} turns: {early.en}won {percent(less)} against {percent(won)}.",
    )]  # fmt: skip


def leads(decision: Decision) -> Text:
    """The hands that the best choice and the one taken lead to; empty where there are none."""
    seen = decision.insight
    if seen is None:
        return Text("", "")
    best, taken = decision.choices[0], decision.choices[decision.chosen or 0]
    if not decision.chosen:
        return _joined(_aims(seen.best))
    if seen.best.aims == seen.taken.aims:
        return _joined(_aims(seen.best, Text("两样都", "either")))
    return _joined([*_aims(seen.best, choice_text(best)), *_aims(seen.taken, choice_text(taken))])


def _aims(side: Side, of: Text | None = None) -> list[Text]:
    """The hands that a choice leads to."""
    if not side.aims:
        return []
    found = [_aim(aim) for aim in side.aims[:_MOST_AIMS]]
    who = Text("", "it ") if of is None else Text(of.zh, f"{of.en} " if of.en == "either" else f'"{of.en}" ')
    zh, en = "；".join(one.zh for one in found), "; ".join(one.en for one in found)
    return [_sentence(Text(f"{who.zh}可以做{zh}", f"{who.en}leads to {en}"))]


def _aim(aim: Aim) -> Text:
    fans, total, unit = fan_names(aim.score), aim.score.total, aim.score.book.unit
    come = _tiles(aim.draws)
    return Text(f"{fans.zh} {total} {unit.zh}（来{come.zh}）", f"{fans.en}, {total} (with {come.en})")


def _cost(seen: Insight) -> list[Text]:
    if seen.cost < LEAST:
        return []
    return [Text(f"平均少收 {points(seen.cost)} 分。", f"It costs {points(seen.cost)} points on the average.")]


def _tiles(kinds: Sequence[int]) -> Text:
    return Text("、".join(tile_text(kind).zh for kind in kinds), " ".join(tile_text(kind).en for kind in kinds))


def _sentence(text: Text) -> Text:
    return Text(text.zh + "。", text.en[:1].upper() + text.en[1:] + ".")


def _joined(parts: Sequence[Text]) -> Text:
    return Text("".join(part.zh for part in parts), " ".join(part.en for part in parts))

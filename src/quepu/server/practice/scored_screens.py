"""Screens about the value of a hand: fans, totals, the minimum, payments, false wins."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from quepu.errors import NotAWin, Text
from quepu.hands.notation import parse
from quepu.rules.faults import RECEIVERS
from quepu.rules.lessons import ScreenData, describe_fan
from quepu.rules.measured_figures import commonest
from quepu.rules.play_rules import USUAL_WORDS, Words, play_rules
from quepu.rules.row import Example, Fan, amount, value_text
from quepu.rules.rulebook import Rulebook
from quepu.scoring.describe import score_example
from quepu.scoring.occurrences import TILE_PLANES
from quepu.scoring.score import Score
from quepu.server.payments import settle_win
from quepu.server.practice.lessons import find_counted_hand
from quepu.server.practice.screens import Made, Option, group_tiles
from quepu.tiles import WINDS

_OF_GROUPS = frozenset({"p", "k", "c1", "c2", "c3", "pair"}) | TILE_PLANES
_NOT_OF_TILES = frozenset({"luck", "flowers", "seat", "place", "waits", "dead_waits", "win"})
_COMMON = 5
_NUMBERS = 4
"""Totals to choose from."""
_WINNER, _DISCARDER = 1, 2
"""South wins, on West's tile or by self-draw."""
_LONGEST = {"zh": 60, "en": 34}
"""Characters or words of a book's own sentence that a screen has room for."""


def words_of(book: Rulebook) -> Words:
    """Return the book's own words for a hand and its end."""
    return play_rules(book).words if book.play else USUAL_WORDS


def _example(data: Mapping[str, Any], hand: str) -> Example:
    return Example(
        hand,
        data.get("seat", "E"),
        data.get("round", "E"),
        data.get("self_draw", False),
        tuple(data.get("circumstances", ())),
        tuple(data.get("flowers", ())),
    )


def _score_win(example: Example, book: Rulebook) -> Score | None:
    try:
        return score_example(example, book)
    except NotAWin:
        return None


def winning(data: ScreenData, book: Rulebook) -> Made:
    """Make a screen that asks which of some hands can win."""
    found = []
    for text in data["hands"]:
        example = _example(data, text)
        score = _score_win(example, book)
        if score is None:
            why = Text("有几张牌凑不成组，不成和牌的样子。", "Some tiles fit no group: this is not a winning shape.")
        elif score.can_win:
            why = _worth(score)
        else:
            why = _below(score)
        right = score is not None and score.can_win
        found.append(Option(right, why, hand=parse(text), groups=group_tiles(score) if score else ()))
    return Made(tuple(found))


def _worth(score: Score) -> Text:
    """Return the value of a win and how it comes about."""
    points = amount(score.points, score.book.unit)
    if not score.fans:
        return Text(f"一个番种也没有，共 {points.zh}。", f"Not a single fan: {points.en}.")
    names = "、".join(fan.text.zh for fan in score.fans), ", ".join(fan.text.en for fan in score.fans)
    return Text(f"计{names[0]}，共 {points.zh}。", f"{names[1][0].upper()}{names[1][1:]}: {points.en}.")


def _below(score: Score) -> Text:
    """Return the value of a hand below the minimum."""
    worth, least = _worth(score), score.book.minimum
    return Text(f"{worth.zh}不到 {least}，不能和。", f"{worth.en} That is below {least}: no win.")


def common_fans(book: Rulebook) -> tuple[Fan, ...]:
    """Return the fans that wins hold most often, of those that a beginner can see in the tiles of an example."""
    found: list[Fan] = []
    for name in (*commonest(book), *(fan.name for fan in book.fans)):
        fan = book.fans[book.index[name]] if name in book.index else None
        if fan is None or fan in found or fan.example is None or fan.reads & _NOT_OF_TILES:
            continue
        alike = re.split("[:： ]", fan.name)[0]
        if any(one.name.startswith(alike) for one in found) or not fan.reads & _OF_GROUPS:
            continue
        score = _score_win(fan.example, book)
        if score is not None and any(line.name == fan.name for line in score.fans):
            found.append(fan)
        if len(found) == _COMMON:
            break
    return tuple(found)


def of_fan(data: ScreenData, book: Rulebook) -> Made | None:
    """Make a screen that asks which hand has a fan; `key` is its rank among the common ones."""
    rank, common = int(data["key"]) - 1, common_fans(book)
    if rank >= len(common):
        return None
    fan = common[rank]
    assert fan.example is not None  # noqa: S101  # common fans have one
    hands = [fan.example, *([fan.near_miss] if fan.near_miss else []), *(one.example for one in common if one.example)]
    options: list[Option] = []
    for example in hands:
        score = _score_win(example, book)
        counted = score is not None and any(line.name == fan.name for line in score.fans)
        if (options and counted) or score is None or any(one.hand == score.hand for one in options):
            continue
        if not counted and any(one.row == book.index[fan.name] for one in book.explain_tally(score.best.h).dropped):
            continue  # it is there, and why it does not count is more than a beginner has to know
        options.append(_of_fan(fan, score, counted=counted))
        if len(options) == 3:  # enough to compare
            break
    random.Random(f"{book.id} {fan.name}").shuffle(options)
    value = fan.parts
    text = describe_fan(book, fan.name) or _shorten(fan)
    name = Text(
        f"{fan.name}（{value_text(value, 'zh', book.printed_value(fan), book.unit)}）：",
        f"{fan.english[:1].upper()}{fan.english[1:]} ({value_text(value, 'en', book.printed_value(fan), book.unit)}): ",
    )
    ask = Text(f"哪一手有{fan.name}？", "Which hand has it?")
    return Made(tuple(options), text=Text(name.zh + text.zh, name.en + text.en), ask=ask)


def _shorten(fan: Fan) -> Text:
    """Return the first words of a fan's own sentence, as far as a screen has room."""
    zh = re.split("(?<=[。；])", fan.sentence)[0][: _LONGEST["zh"]]
    return Text(zh, " ".join((fan.definition or fan.english).split()[: _LONGEST["en"]]))


def _of_fan(fan: Fan, score: Score, *, counted: bool) -> Option:
    """Return a hand to choose by a fan: with the groups that make it, or with its groups, which do not."""
    if counted:
        groups = _groups_of(score, fan)
        return Option(True, _why_counted(fan, score, groups), hand=score.hand, groups=groups)
    why = Text(f"没有{fan.name}。拆开看：", f"There is no {fan.english} in these groups.")
    return Option(False, why, hand=score.hand, groups=group_tiles(score))


def _why_counted(fan: Fan, score: Score, groups: tuple[tuple[str, ...], ...]) -> Text:
    """Return which groups make a fan, and what it is worth in this hand."""
    value, unit = next(line.value for line in score.fans if line.name == fan.name), score.book.unit
    worth = Text(value_text(value, "zh", unit=unit), value_text(value, "en", unit=unit))
    if len(groups) == len(group_tiles(score)):
        return Text(f"整手牌符合{fan.name}，计 {worth.zh}。", f"The whole hand counts as {fan.english}: {worth.en}.")
    if len(groups) == 1:
        return Text(f"这一组就是{fan.name}，计 {worth.zh}。", f"This group counts as {fan.english}: {worth.en}.")
    return Text(f"这几组就是{fan.name}，计 {worth.zh}。", f"These groups count as {fan.english}: {worth.en}.")


def _groups_of(score: Score, fan: Fan) -> tuple[tuple[str, ...], ...]:
    """Return the groups that make a fan that counts; the whole hand where it is not of some groups."""
    lines = score.book.explain_tally(score.best.h).counted
    line = next((one for one in lines if one.row == score.book.index[fan.name]), None)
    places, whole = score.places(line) if line is not None else None, group_tiles(score)
    return tuple(whole[i] for i in places[0]) if places and places[0] else whole


def _find_counted(data: ScreenData, book: Rulebook) -> Score | None:
    if "hand" in data:
        return _score_win(_example(data, data["hand"]), book)
    found = find_counted_hand(book)
    return None if found is None else found[1]


def counting(data: ScreenData, book: Rulebook) -> Made | None:
    """Make a screen that asks which fans count in a hand."""
    score = _find_counted(data, book)
    if score is None or not score.fans:
        return None
    counted = {fan.name for fan in score.fans}
    others = [fan for fan in common_fans(book) if fan.name not in counted][:3]
    options = []
    for name in (*counted, *(fan.name for fan in others)):
        fan = book.fans[book.index[name]] if name in book.index else None
        english = fan.english if fan else name
        label = Text(name, english[:1].upper() + english[1:])
        if name in counted:
            line = next(one for one in score.fans if one.name == name)
            worth = Text(value_text(line.value, "zh", unit=book.unit), value_text(line.value, "en", unit=book.unit))
            said = (describe_fan(book, name) or _shorten(fan)) if fan else Text("", "")
            why = Text(f"{name}：{worth.zh}。{said.zh}", f"{label.en}: {worth.en}. {said.en}".strip())
        else:
            why = Text(f"这手没有{name}。", f"There is no {english} in this hand.")
        groups = _groups_of(score, fan) if fan and name in counted else ()
        options.append(Option(name in counted, why, label=label, groups=groups))
    random.Random(f"{book.id} count").shuffle(options)
    return Made(tuple(options), all_of=True, hand=score.hand)


def total(data: ScreenData, book: Rulebook) -> Made | None:
    """Make a screen that asks for the total of a hand."""
    score = _find_counted(data, book)
    if score is None:
        return None
    lines = [
        Text(
            f"{line.text.zh} {value_text(line.value, 'zh', unit=book.unit)}",
            f"{line.text.en} {value_text(line.value, 'en', unit=book.unit)}",
        )
        for line in score.fans
    ]
    counted = Text("、".join(one.zh for one in lines), ", ".join(one.en for one in lines))
    added = sum(sum(line.value.values()) * line.count for line in score.fans)
    near = [added, score.total * 2, score.total + len(lines)]
    how = Text(f"{score.tally.how.zh}。", f"{score.tally.how.en}.")
    return Made(_number_options(score.total, near, how), hand=score.hand, facts={"counted": counted})


def _number_options(right: int, near: list[int], why: Text) -> tuple[Option, ...]:
    """Return the right number among others that a beginner may come to."""
    numbers = list(dict.fromkeys((right, *near, *(right + by for by in (5, 10, 20)))))[:_NUMBERS]
    return tuple(Option(n == right, why, label=Text(f"{n}", f"{n}")) for n in sorted(numbers))


def paying(data: ScreenData, book: Rulebook) -> Made | None:
    """Make a screen that asks how much a seat gains or loses after a win."""
    if not book.play:
        return None
    drawn, base = data.get("self_draw", False), find_counted_hand(book)
    if "hand" in data:
        example = _example({**data, "seat": WINDS[_WINNER]}, data["hand"])
    elif base is not None:
        example = base[0]._replace(seat=WINDS[_WINNER], self_draw=drawn, circumstances=())  # any may need the other
    else:
        return None
    score = _score_win(example, book)
    if score is None or not score.can_win:
        return None
    flows = settle_win(score, None if drawn else _DISCARDER)
    asked = WINDS.index(data.get("seat_asked", WINDS[_WINNER]))
    right = flows["gains"][asked]
    zh, en = [], []
    for one in flows["payments"]:
        if WINDS[asked] not in (one["payee"], one["payer"]):
            continue
        payer, payee = _party(one["payer"]), _party(one["payee"])
        to = Text("", "") if asked == _WINNER else Text(f"给{payee.zh}", f" {payee.en}")
        zh.append(f"{payer.zh}付{to.zh} {one['points']}（{one['why']['zh']}）")
        en.append(f"{payer.en} pays{to.en} {one['points']} ({one['why']['en']})")
    why = Text(f"{'；'.join(zh)}。", f"{'; '.join(en)}.")
    near = [score.total, 3 * score.total, 2 * score.total] if right > 0 else [-score.total, 2 * right, -right]
    options = _number_options(right, near, why)
    return Made(options, hand=score.hand, facts={"total": score.total})


def _party(seat: str) -> Text:
    if seat not in WINDS:
        return Text("公池", "the pool")
    at = WINDS.index(seat)
    return Text(f"{'东南西北'[at]}家", ("East", "South", "West", "North")[at])


def calling(data: ScreenData, book: Rulebook) -> Made | None:
    """Make a screen that asks whether to call a win."""
    hand = parse(data["hand"])
    score = _score_win(_example(data, data["hand"])._replace(self_draw=True), book)
    can = score is not None and score.can_win
    found = play_rules(book).faults if book.play else ()
    fault = next((one for one in found if one.key == data.get("fault")), found[0] if found else None)
    cost = Text("", "")
    if fault is not None:
        to, hand_word = RECEIVERS[fault.to], words_of(book).hand.zh
        many = "point" if fault.points == 1 else "points"
        points = (
            Text(f"，罚 {fault.points} 分（{to.zh}）", f", {fault.points} {many} ({to.en})") if fault.points else cost
        )
        barred = Text(f"，这一{hand_word}不能再和", ", and no win for the rest of the hand") if fault.barred else cost
        cost = Text(
            f"喊了就是{fault.name.zh}{points.zh}{barred.zh}。",
            f"Calling it is a fault: {fault.name.en}{points.en}{barred.en}.",
        )
    won = words_of(book).won
    if can:
        assert score is not None  # noqa: S101  # `can` says so
        worth = _worth(score)
        yes, no = worth, Text(f"这手其实能和：{worth.zh}", f"It does win: {worth.en}")
    else:
        short = Text("还有牌凑不成组。", "Some tiles fit no group.") if score is None else _below(score)
        yes, no = Text(short.zh + cost.zh, f"{short.en} {cost.en}"), short
    options = (
        Option(can, yes, label=Text(f"喊“{won.zh}”", "Call a win"), groups=group_tiles(score) if can and score else ()),
        Option(not can, no, label=Text("不喊，打一张", "Keep quiet and discard")),
    )
    return Made(options, hand=hand)

"""The terms of a book's table in words: how hands follow each other, which claims are allowed, who pays whom.

Every term is read from the book's `PlayRules`, or found by calling its settlement; nothing here knows a specific book.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from quepu.errors import Text, many
from quepu.hands.hand import Luck
from quepu.rules.faults import RECEIVERS
from quepu.rules.play_rules import POOL, SEATS, Ending, Payment, PlayRules, SeatWin, play_rules
from quepu.rules.row import amount
from quepu.rules.rulebook import Rulebook
from quepu.tiles import WINDS_CHINESE

_NOBODY = (0, 0, 0, 0)
_DEALER, _WINNER, _DISCARDER = 0, 1, 2  # seats in the hands given to the settlement: only the first deals
_FAN = 18
_WIND_EN = "ESWN"
_YES, _NO = Text("可以", "yes"), Text("不可以", "no")
_CLAIMS = {"chow": Text("吃", "chow"), "pung": Text("碰", "pung"), "kong": Text("杠", "kong"), "win": Text("和", "win")}
_REPEATS = {
    "never": Text("不连庄", "never"),
    "win": Text("庄家和牌连庄", "after a win of the dealer"),
    "win or draw": Text("庄家和牌或{drawn}连庄", "after a win of the dealer, or a hand without a winner"),
}
_EARTHLY = {
    "first discard": Text("闲家和庄家的首张舍牌", "another player's win on the dealer's first discard"),
    "first draw": Text("闲家首次摸牌自摸", "another player's win on the first own draw"),
}


class Term(NamedTuple):
    """One term of a book's table; `key` is the same in every book."""

    key: str
    label: Text
    value: Text


def terms(book: Rulebook) -> tuple[Term, ...]:
    """Return all terms of a book's table; () for a book without one."""
    if not book.play:
        return ()
    rules = play_rules(book)
    return tuple(Term(key, Text(zh, en), value) for key, zh, en, value in (*_match(rules), *_table(rules, book)))


def _both(zh: object, en: object) -> Text:
    return Text(str(zh), str(en))


def _match(rules: PlayRules) -> Iterator[tuple[str, str, str, Text]]:
    match = rules.match
    yield (
        "rounds",
        f"一{rules.words.match.zh}",
        f"a {rules.words.match.en}",
        _both(f"{match.rounds} 圈", many(match.rounds, "round")),
    )
    yield "dealer", "连庄", "the dealer stays", _repeats(rules)
    yield "moves", "换座", "seats change", _moves(match.moves)
    if match.another_round is not None:
        yield "another", "加赛", "extra rounds", Text("按名次计时按规则加赛", "in ranked matches, as the rulebook says")
    if match.start:
        yield "start", "起始分", "each begins with", _both(match.start, match.start)
    if match.reduced is not None:
        alpha, scale = match.reduced
        yield (
            "reduced",
            "约化分数",
            "reduced score",
            _both(f"α = {alpha:g}，T₀ = {scale:g}", f"α = {alpha:g}, T₀ = {scale:g}"),
        )


def _repeats(rules: PlayRules) -> Text:
    text = _REPEATS[rules.match.dealer_repeats]
    return text._replace(zh=text.zh.format(drawn=rules.words.drawn.zh))


def _moves(moves: tuple[tuple[int, int, int, int], ...]) -> Text:
    if not moves:
        return Text("不换", "never")
    zh = "；".join(
        f"第 {n} 圈后 " + " ".join(f"{WINDS_CHINESE[old]}→{WINDS_CHINESE[new]}" for old, new in enumerate(move))
        for n, move in enumerate(moves, 1)
    )
    en = "; ".join(
        f"after round {n}: " + " ".join(f"{_WIND_EN[old]}→{_WIND_EN[new]}" for old, new in enumerate(move))
        for n, move in enumerate(moves, 1)
    )
    return Text(zh, en)


def _table(rules: PlayRules, book: Rulebook) -> Iterator[tuple[str, str, str, Text]]:
    table, needed = rules.table, find_needed_facts(book)
    points, each = _example(rules, book)
    discard = Ending((SeatWin(_WINNER, points),), discarder=_DISCARDER)
    drawn = Ending((SeatWin(_WINNER, points),), self_draw=True)
    yield (
        "discard",
        f"点和 {each.zh}",
        f"{each.en} on a discard",
        _describe_payments(rules, discard, book),
    )
    yield "drawn", f"自摸 {each.zh}", f"{each.en} self-drawn", _describe_payments(rules, drawn, book)
    yield "supplied", "包牌", "liability for supplied tiles", _there_is(bool(needed["supplied"]))
    yield "ready", "听牌也得分", "ready hands are paid", _there_is(bool(needed["ready"]))
    yield "faults", "罚分", "penalties", _faults(rules)
    yield "flowers", "花牌", "flowers", _flowers(rules, book)
    yield (
        "dead_wall",
        "王张",
        "dead wall",
        _both(f"留 {table.dead_wall} 张", many(table.dead_wall, "tile")) if table.dead_wall else Text("不留", "none"),
    )
    yield "kong", "吃碰之后开杠", "kong right after a claim", _YES if table.kong_after_claim else _NO
    claims = [_CLAIMS[name] for name in _CLAIMS if name in table.last_discard]
    yield (
        "last",
        "最后一张舍牌",
        "the last discard",
        Text(f"可{'、'.join(one.zh for one in claims)}", f"can be claimed for a {', '.join(one.en for one in claims)}")
        if claims
        else Text("不能要", "cannot be claimed"),
    )
    yield (
        "robbed",
        "抢暗杠",
        "robbing a concealed kong",
        Text("有的和牌可以", "by some wins") if table.concealed_kong_robbed_by else _NO,
    )
    if any(bits & Luck.EARTHLY for bits in book.circumstances.values()):
        yield "earthly", "地和", "earthly win", _EARTHLY[table.earthly]
    yield "declares", "报听", "declaring ready", _there_is(table.declares_ready)


def _example(rules: PlayRules, book: Rulebook) -> tuple[int, Text]:
    """Return a possible value of a win, to show its cost: 18 fan if fan are announced, else 24."""
    if rules.announced is not None:
        points = rules.announced(_FAN)
        worth = amount(points, book.unit)
        return points, Text(f"{_FAN} 番 {worth.zh}", f"{_FAN} fan, {worth.en}")
    points = max(book.minimum, 24)
    return points, amount(points, book.unit)


def _there_is(yes: bool) -> Text:
    return Text("有", "yes") if yes else Text("无", "no")


def _describe_payments(rules: PlayRules, ending: Ending, book: Rulebook) -> Text:
    """Describe the payments; equal payments between the same roles are described once."""
    discard = ending.discarder is not None
    names: dict[int, Text] = {}  # the dealer, if the dealer pays differently

    def part(seat: int) -> Text:
        if seat == POOL:
            return Text("公池", "the pool")
        if seat in ending.seats:
            return Text("和家", "the winner")
        if seat == ending.discarder:
            return Text(f"{rules.words.discarded.zh}者", "the discarder")
        return names.get(seat, Text("其余各家", "each other") if discard or names else Text("各家", "each other"))

    sums: dict[tuple[int, int], int] = {}
    for flow in rules.settle(ending, book):
        sums[flow.payer, flow.payee] = sums.get((flow.payer, flow.payee), 0) + flow.points
    others = set(range(SEATS)) - {_DEALER, *ending.seats, ending.discarder}
    if sums.get((_DEALER, _WINNER), 0) not in {sums.get((seat, _WINNER), 0) for seat in others}:
        names[_DEALER] = Text("庄家", "the dealer")
    flows = sorted(sums.items(), key=lambda flow: -flow[1])
    unique = dict.fromkeys((part(payer), part(payee), amount) for (payer, payee), amount in flows)
    if not unique:
        return Text("没有收付", "no payments")
    return Text(
        "，".join(f"{payer.zh}付{payee.zh} {amount}" for payer, payee, amount in unique),
        ", ".join(f"{payer.en} pays {payee.en} {amount}" for payer, payee, amount in unique),
    )


def _faults(rules: PlayRules) -> Text:
    if not rules.faults:
        return Text("规则没有", "none in the rulebook")
    groups: dict[tuple[Text, Text], list[Text]] = {}
    for one in rules.faults:
        then = Text("停和", "dead hand") if one.barred else Text("", "")
        price = one.price if one.points or one.again or one.open else then
        where = RECEIVERS[one.to] if one.points or one.again else Text("", "")
        if one.barred and price is not then:
            price = Text(f"{price.zh}、停和", f"{price.en} and dead hand")
        groups.setdefault((price, where), []).append(one.name)
    zh = [
        "、".join(name.zh for name in names) + (f" {price.zh}" if price.zh else "") + (f"（{to.zh}）" if to.zh else "")
        for (price, to), names in groups.items()
    ]
    en = [
        ", ".join(name.en for name in names) + (f": {price.en}" if price.en else "") + (f" ({to.en})" if to.en else "")
        for (price, to), names in groups.items()
    ]
    return Text("；".join(zh), "; ".join(en))


def _flowers(rules: PlayRules, book: Rulebook) -> Text:
    if not rules.table.flowers:
        return Text("不用，可另加", "none, unless the table adds them") if book.flower_value else Text("不用", "none")
    one = amount(book.flower_value, book.unit)
    value = f"，每张 {one.zh}" if book.flower_value else ""
    each = f", {one.en} each" if book.flower_value else ""
    destination = Text("，也可打出", ", can be discarded")
    if rules.table.flowers_replaced:
        destination = Text("，摸到须补", ", replaced at once")
    elif rules.table.flowers_held:
        destination = Text("，也可留在手里或打出", ", can be held or discarded")
    return Text(f"八张{value}{destination.zh}", f"eight{each}{destination.en}")


@lru_cache(maxsize=64)
def find_needed_facts(book: Rulebook) -> dict[str, Any]:
    """Find out which facts a book's settlement depends on, so that irrelevant ones are not asked for."""
    rules = play_rules(book)
    points = max(book.minimum, 24)

    def settle_discard(supplied: tuple[int, int, int, int] = _NOBODY, robbed: bool = False) -> tuple[Payment, ...]:
        return rules.settle(Ending((SeatWin(_WINNER, points, supplied),), discarder=_DISCARDER, robbed=robbed), book)

    def settle_self_draw(supplied: tuple[int, int, int, int] = _NOBODY) -> tuple[Payment, ...]:
        return rules.settle(Ending((SeatWin(_WINNER, points, supplied),), self_draw=True), book)

    return {
        "supplied": settle_discard() != settle_discard((0, 0, 5, 0))
        or settle_self_draw() != settle_self_draw((0, 0, 4, 0)),
        "winners": rules.table.most_winners,
        "liable": rules.liable is not None,
        "kong_feeder": bool(feeder_luck(book)),
        "ready": rules.ready_value is not None,
        "robbed": _amounts(settle_discard()) != _amounts(settle_discard(robbed=True)),
        "flower_value": book.flower_value,
        "minimum": book.minimum,
        "zero_sum": rules.zero_sum,
        "announced": rules.announced is not None,
    }


def _amounts(payments: Sequence[Payment]) -> list[tuple[int, int, int]]:
    return sorted((p.payer, p.payee, p.points) for p in payments)


@lru_cache(maxsize=64)
def feeder_luck(book: Rulebook) -> int:
    """Return the luck of a self-drawn win for which the player who discarded the kong's tile pays for all; 0: none."""
    rules = play_rules(book)
    points = max(book.minimum, 24)
    for bit in Luck:
        luck = int(bit | Luck.SELF_DRAW | Luck.KONG_DRAW)
        won = Ending((SeatWin(_WINNER, points, luck=luck),), self_draw=True)
        alone, fed = (rules.settle(won._replace(kong_feeder=seat), book) for seat in (None, _DISCARDER))
        if _amounts(alone) != _amounts(fed):
            return luck
    return 0

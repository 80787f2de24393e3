"""玉雀 at the table: dead wall, kongs, seats, the settlement of four hands with the pool, sticks and 罚例."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from quepu.errors import Text
from quepu.hands.hand import Hand
from quepu.rulebooks.yuque import point_fractions
from quepu.rulebooks.yuque.point_fractions import explain_rounding, half_even
from quepu.rules.faults import Fault
from quepu.rules.play_rules import (
    POOL,
    SEATS,
    Ending,
    MatchRules,
    Payment,
    PlayRules,
    QuickTable,
    ReadyHand,
    TableRules,
)
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import score_hand
from quepu.shapes.readings import list_waits

DEAD_WALL = 14
ENOUGH_APART = 100
"""圈数: in a ranked match, rounds continue until every two players are this many points apart."""

_ODD, _EVEN, _FOURTH = (1, 0, 3, 2), (3, 2, 0, 1), (2, 3, 1, 0)
MOVES = (_ODD, _EVEN, _ODD, _FOURTH)
"""座位轮换: after rounds 1, 2, 3, 4 … the players at E S W N move there."""


class Stick(NamedTuple):
    """计分棒 of one value: how many each player starts with, and how many the pool has."""

    value: int
    each: int
    pool: int
    colour: Text


_LOST = Text("", "")
STICKS = (
    Stick(1, 30, 120, _LOST), Stick(2, 20, 80, _LOST), Stick(5, 10, 40, _LOST), Stick(10, 5, 20, _LOST),
    Stick(20, 3, 12, _LOST), Stick(50, 3, 12, Text("绿", "green")), Stick(100, 5, 20, _LOST),
    Stick(200, 3, 12, _LOST), Stick(500, 3, 12, _LOST), Stick(1000, 3, 12, _LOST), Stick(2000, 0, 3, _LOST),
)  # fmt: skip
"""The book's proposal; all but one of its colours are lost."""

FAULTS = (
    Fault(
        "错摭牌",
        Text("摭牌流程或摭牌位置错误；不再纠正", "a tile drawn in the wrong order or place; not corrected"),
        40,
    ),
    Fault(
        "错鸣牌",
        Text(
            "鸣牌流程错误：错吃、错碰、错直杠、错暗杠、鸣海底张或河底张；不能弥补则停和陪打",
            "a wrong chow, pung or kong, or a call on the last tile; dead hand unless put right",
        ),
        40,
        barred=True,
        remedies=(
            Text("错吃：用确实可吃的手牌代替", "wrong chow: use tiles from the hand that fit"),
            Text(
                "错碰、错直杠：用手中该牌的对子或暗刻代替",
                "wrong pung or kong: use a pair or pung of that tile from the hand",
            ),
            Text("错暗杠：取消，用正确的暗杠弥补", "wrong concealed kong: take it back and declare a correct one"),
            Text("鸣海底张、河底张：鸣牌取消", "a call on the last tile: the call is cancelled"),
        ),
    ),
    Fault(
        "错加杠",
        Text(
            "如 333p 加杠 5p：手中有确实可加之牌则以之加杠，否则打出加杠之牌",
            "a wrong tile added to a pung: add the right one if it is in the hand, otherwise discard the wrong one",
        ),
        40,
        remedies=(
            Text("用正确的牌加杠", "add the right tile"),
            Text("打出加杠之牌", "discard the tile that was added"),
        ),
    ),
    Fault(
        "错报鸣牌",
        Text(
            "错报鸣牌类型，如碰牌喊“吃”：他家亦鸣同一张牌的，可坚持或取消",
            "the wrong word for a call, such as “chow” for a pung: others who called the same tile may stand by the call or withdraw it",
        ),
        40,
    ),
    Fault(
        "错喊和",
        Text(
            "鸣牌错喊成“和”：另罚停和陪打，他家亦鸣同一张牌的，可坚持或取消",
            "a call announced as a win: dead hand; others who called the same tile may stand by the call or withdraw it",
        ),
        40,
        barred=True,
    ),
    Fault("冲和", Text("不满足和牌牌形而报和并明出整手牌", "a false win with the whole hand shown"), 120, barred=True),
    Fault("毁坏牌河", Text("毁坏牌河，应尽可能复原", "discards disturbed; restore them"), 120, barred=True),
    Fault("毁坏牌墙", Text("毁坏牌墙，打乱后复原", "wall destroyed; mix and restore it"), 120, barred=True),
    Fault("错明牌:自家", Text("错明出自家手牌：再次立起", "a tile of one's own hand shown: stand it up again"), 0),
    Fault("错明牌:别家", Text("错明出别家手牌", "another player's tile shown"), 40, barred=True),
    Fault(
        "错明牌:多张",
        Text("一次错明出大量牌张（参考：五张以上）", "many tiles shown at once (about five or more)"),
        120,
        barred=True,
    ),
)


def another_round(_n: int, totals: Sequence[int]) -> bool:
    """Return whether two players are still less than 100 points apart, so that a ranked match goes on."""
    return any(abs(a - b) < ENOUGH_APART for a, b in combinations(totals, 2))


def settle(ending: Ending, book: Rulebook) -> tuple[Payment, ...]:
    """计分: every payment is with the pool, and each fraction is rounded half to even by itself.

    The winner gets p; a ready hand half of its own p, also when another wins, and also the discarder; a hand that is not ready the
    agreed sum of the option `unready_quarter`. The discarder loses half of the winner's p, after a self-draw each of
    the others a sixth (or, by the option `self_draw`, the winner gets a sixth more).
    """
    return tuple(payment for payment in _flows(ending, book) if payment.points > 0)


def _flows(ending: Ending, book: Rulebook) -> Iterator[Payment]:
    gains = book.settings.get("self_draw") == "winner_gains"
    win = ending.first
    p, winner = (0, None) if win is None else (win.points, win.seat)
    if winner is not None:
        if ending.self_draw and gains:
            share = explain_rounding(f"{p}×7/6", 7 * p, 6)
            why = Text(
                f"自摸，得己点数的六分之七：{share.zh}", f"self-draw: seven sixths of the hand's points, {share.en}"
            )
            yield Payment(POOL, winner, half_even(7 * p, 6), why)
        else:
            yield Payment(POOL, winner, p, Text(f"和牌，得己点数 {p}", f"win: the hand's points, {p}"))
    for seat in range(SEATS):
        if seat == winner:
            continue
        value = ending.ready[seat]
        if value is None:
            why = Text("未听牌", "not ready")
            yield Payment(POOL, seat, int(book.settings.get("unready_quarter", 0)), why)
        else:
            share = explain_rounding(f"{value}/2", value, 2)
            why = Text(f"听牌，得己点数之半：{share.zh}", f"ready: half of the hand's points, {share.en}")
            yield Payment(POOL, seat, half_even(value, 2), why)
    if winner is None:
        return
    if ending.self_draw:
        if not gains:
            share = explain_rounding(f"{p}/6", p, 6)
            why = Text(f"他家自摸，失和家点数的六分之一：{share.zh}", f"self-draw: a sixth of the winner's, {share.en}")
            for seat in range(SEATS):
                if seat != winner:
                    yield Payment(seat, POOL, half_even(p, 6), why)
    elif ending.discarder is not None:
        share = explain_rounding(f"{p}/2", p, 2)
        why = Text(f"放铳，失和家点数之半：{share.zh}", f"discarder: half of the winner's points, {share.en}")
        yield Payment(ending.discarder, POOL, half_even(p, 2), why)


def quick_table(most: int | None = None) -> QuickTable:
    """点数速查表, as printed or up to this many 番."""
    heads = (
        Text("番 f", "fan f"),
        Text("自摸，他家各失 p/6", "self-draw: each loses p/6"),
        Text("听牌得、放铳失 p/2", "ready: gains p/2; discarder: loses it"),
        Text("和牌得 p", "win: p"),
        Text("自摸另得时 7p/6", "other self-draw: 7p/6"),
    )
    note = Text(
        "57 番的 p/6 为 541.5，凑偶为 542，原表印作 541。",
        "A sixth of 57 fan is 541.5, to the even number 542; the book prints 541.",
    )
    rows = point_fractions.quick_table(point_fractions.QUICK_MOST if most is None else most)
    return QuickTable(heads, tuple(tuple(row) for row in rows), note if len(rows) > 57 else None)


def rules(book: Rulebook) -> PlayRules:
    """Return the table rules under this book's options."""
    return PlayRules(
        table=TableRules(
            dead_wall=DEAD_WALL,
            dead_wall_feeds=book.settings.get("kong_tiles") == "dead_wall",
            kong_after_claim=True,
            last_discard=frozenset({"win"}),
            earthly="first discard",
        ),
        match=MatchRules(
            rounds=4,
            dealer_repeats=book.settings.get("dealer_repeats", "never"),
            moves=MOVES,
            another_round=another_round,
        ),
        settle=settle,
        defence=True,
        faults=FAULTS,
        ready_value=ready_value,
        announced=point_fractions.points,
        zero_sum=False,
        quick_table=quick_table,
        counters=tuple((stick.value, stick.colour, stick.each) for stick in STICKS),
        notes=(
            Text("王张 14 张，摸到只剩 14 张即荒牌；岭上牌使可摸之牌减少。",
                 "The last 14 tiles are never drawn; a replacement tile shortens the live wall."),
            Text("吃、碰之后也可以开杠；海底张、河底张不可鸣，只可和。",
                 "A kong may follow a chow or pung; the last tile may be claimed only to win."),
            Text("一家放铳多家时截和；无振听、无食替、不设起和。",
                 "If several players can win on a tile, only the next in turn wins; no furiten, no swap-calling ban, no minimum."),
            Text("未明出手牌者放弃得分；停和陪打者不算听牌。",
                 "A player who does not show the hand gets no points for it; a player with a dead hand does not count as ready."),
        ),
    )  # fmt: skip


def ready_value(hand: Hand, book: Rulebook, visible: Sequence[int] | None = None) -> ReadyHand | None:
    """Return the value of thirteen tiles at the end of a hand (听牌算番), None if they are not ready.

    Every wait is scored as a win on a discard without any circumstance (天和 地和 岭上开花 海底捞月 河底捞鱼 抢杠). The
    highest with a copy that the holder cannot see counts; if all copies of all waits are visible, the lowest of all. A
    tile of which the hand holds all four is not a wait (虚听).

    Args:
        hand: thirteen tiles; its luck is ignored.
        book: an edition or house rule of this family.
        visible: copies of each of the 34 kinds that the holder can see, the own hand and melds included; by default
            the own hand alone.
    """
    hand = hand._replace(winning=None, luck=0)
    if visible is None:
        visible = hand.counts()
    waits = list_waits(hand, book.shapes)
    if not waits:
        return None
    scores = {tile: score_hand(hand._replace(winning=tile), book) for tile in waits}
    live = [tile for tile in waits if visible[tile] < 4]
    if live:
        best = max(live, key=lambda tile: scores[tile].points)
        return ReadyHand(best, scores[best], True)
    least = min(waits, key=lambda tile: scores[tile].points)
    return ReadyHand(least, scores[least], False)

"""国标 at the table: how a hand is played, how hands follow each other, who pays whom."""

from __future__ import annotations

from functools import partial

from quepu.errors import Text, many
from quepu.rulebooks.guobiao.faults import faults
from quepu.rulebooks.guobiao.options import BASE
from quepu.rules.play_rules import SEATS, Ending, MatchRules, Payment, PlayRules, QuickTable, TableRules, Words
from quepu.rules.rulebook import Rulebook
from quepu.tiles import FLOWERED

MOST_SHOWN = 88


_REPLACED_OR_DISCARDED = Text(
    "花牌从牌墙末端补牌；未补的花牌可以打出。",
    "flowers are replaced from the back of the wall; a flower may be discarded instead",
)
_HELD = Text(
    "配牌的花先补；摸到的花牌可以补，可以打出，也可以留在手里，以后轮到自己摸了牌再补；手里有花不能和牌。",
    "dealt flowers are replaced first; a drawn flower may be replaced, discarded, or held and replaced after a later draw; "
    "a hand with a flower in it cannot win",
)


def settle(ending: Ending, book: Rulebook) -> tuple[Payment, ...]:
    """Return who pays whom. 自摸：(底分 + 基本分) * 3方。点和：底分 * 3方 + 基本分 * 1方(点和方).

    The player whose kong was robbed pays as the discarder does. A drawn hand pays nothing.
    """
    win = ending.first
    if win is None:
        return ()
    base, points = int(book.settings.get("base", BASE)), win.points
    most = int(book.settings.get("most", 0))
    capped = Text(f"（封顶 {most}）", f" (at most {most})") if most and points > most else Text("", "")
    points = min(points, most) if most else points
    payments = []
    for seat in range(SEATS):
        if seat == win.seat:
            continue
        if ending.self_draw:
            owed, why = (
                base + points,
                Text(
                    f"自摸：底分 {base}＋{points} 番{capped.zh}",
                    f"self-draw: base {base} + {many(points, 'point')}{capped.en}",
                ),
            )
        elif seat == ending.discarder:
            what = Text("被抢杠", "robbed of a kong") if ending.robbed else Text("点炮", "discarded it")
            owed = base + points
            why = Text(
                f"{what.zh}：底分 {base}＋{points} 番{capped.zh}",
                f"{what.en}: base {base} + {many(points, 'point')}{capped.en}",
            )
        else:
            owed, why = base, Text(f"底分 {base}", f"base {base}")
        if owed > 0:
            payments.append(Payment(seat, win.seat, owed, why))
    return tuple(payments)


def quick_table(book: Rulebook, most: int | None = None) -> QuickTable:
    """Return the payments for each number of 番, from the minimum to 88 or to `most`."""
    base, cap = int(book.settings.get("base", BASE)), int(book.settings.get("most", 0))
    heads = (
        Text("番", "points"),
        Text("自摸，每家付", "self-draw: each pays"),
        Text("自摸共得", "self-draw: in all"),
        Text("点和者付", "discarder pays"),
        Text("另两家各付", "the other two pay"),
        Text("点和共得", "discard: in all"),
    )
    rows = []
    for fan in range(book.minimum, (MOST_SHOWN if most is None else most) + 1):
        paid = base + (min(fan, cap) if cap else fan)
        rows.append((fan, paid, 3 * paid, paid, base, paid + 2 * base))
    return QuickTable(heads, tuple(rows))


def rules(book: Rulebook) -> PlayRules:
    """Return the rules of 国标 for tables and matches."""
    held = bool(book.settings.get("held_flowers", False))
    return PlayRules(
        table=TableRules(tiles=FLOWERED, flowers_replaced=False, flowers_held=held),
        # G4: after the first and third round 东南 and 西北 change places, after the second all move
        match=MatchRules(
            rounds=4, dealer_repeats="never", moves=((1, 0, 3, 2), (2, 3, 1, 0), (1, 0, 3, 2)), standard=(4, 2, 1, 0)
        ),
        settle=settle,
        quick_table=partial(quick_table, book),
        club=("base", "cap", "penalties", "held_flowers", "dead_waits", "two_kongs_beside_three"),
        words=Words(
            hand=Text("盘", "hand"),
            drawn=Text("荒牌", "drawn"),
            match=Text("局", "game"),
            discarded=Text("点炮", "discarded it"),
        ),
        ema_rules="MCR",
        defence=True,
        pay_power=1.8,
        danger_price=0.9,
        claim_share=0.75,
        pace=0.26,
        meld_turns=1.0,
        faults=faults(book, int(book.settings.get("base", BASE)) + book.minimum),
        notes=(
            Text(
                "无论是否和牌，庄家不连庄；四圈十六盘为一局。", "the dealer never repeats; sixteen hands make a match"
            ),
            Text(
                "几家都能和同一张牌时，只有按座次离打牌者最近的一家能和。",
                "if several players can win on a tile, only the next in turn wins",
            ),
            Text(
                "吃、碰之后只能打牌，不能开杠。",
                "after a chow or pung the player must discard, and cannot declare a kong",
            ),
            Text("最后一张打出的牌只能和。", "the last discard can be claimed only to win"),
            _HELD if held else _REPLACED_OR_DISCARDED,
            Text(
                "原文提到罚张、错和，没有定罚分：默认按 1998 年竞赛规则，可选 2025 年补充细则，也可自定。",
                "the book names faults and gives no penalties: by default those of the rules of 1998, or the League's "
                "of 2025, or a house's own",
            ),
        ),
    )

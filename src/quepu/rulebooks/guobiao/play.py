"""国标 at the table: how a hand is played, how hands follow each other, who pays whom (seed 003)."""

from __future__ import annotations

from quepu.errors import Text
from quepu.play_rules import SEATS, Ending, Fault, MatchRules, Payment, PlayRules, TableRules
from quepu.rulebook import Rulebook

BASE = 8
"""底分: what every player who did not win pays the winner."""


def settle(ending: Ending, book: Rulebook) -> tuple[Payment, ...]:
    """Who pays whom. 自摸：(底分 + 基本分) * 3方。点和：底分 * 3方 + 基本分 * 1方(点和方).

    The player whose kong was robbed pays as the discarder does. A drawn hand pays nothing.
    """
    if ending.winner is None:
        return ()
    base, points = int(book.settings.get("base", BASE)), ending.points
    payments = []
    for seat in range(SEATS):
        if seat == ending.winner:
            continue
        if ending.self_draw:
            owed, why = base + points, Text(f"自摸：底分 {base}＋{points} 番", f"self-draw: base {base} + {points} fan")
        elif seat == ending.discarder:
            what = Text("被抢杠", "robbed of a kong") if ending.robbed else Text("点和", "discarded it")
            owed = base + points
            why = Text(f"{what.zh}：底分 {base}＋{points} 番", f"{what.en}: base {base} + {points} fan")
        else:
            owed, why = base, Text(f"底分 {base}", f"base {base}")
        if owed > 0:
            payments.append(Payment(seat, ending.winner, owed, why))
    return tuple(payments)


def rules(book: Rulebook) -> PlayRules:
    """What tables and matches ask of 国标."""
    return PlayRules(
        table=TableRules(flowers=True, flowers_kept_out=False),
        # G4: after the first and third round 东南 and 西北 change places, after the second all move
        match=MatchRules(rounds=4, dealer_repeats="never", moves=((1, 0, 3, 2), (2, 3, 1, 0), (1, 0, 3, 2))),
        settle=settle,
        defence=True,
        faults=(
            Fault(
                "错和",
                Text(
                    "不符合和牌规定而宣布的和牌。原文未定罚分：向每家付最小自摸之数，当局停和陪打",
                    "a win that is none; the book sets no amount: to each what the least self-draw costs, and barred",
                ),
                int(book.settings.get("false_win", int(book.settings.get("base", BASE)) + book.minimum)),
                to="others",
                barred=True,
            ),
        ),
        notes=(
            Text(
                "无论是否和牌，庄家不连庄；四圈十六盘为一局。", "the dealer never repeats; sixteen hands make a match"
            ),
            Text(
                "几家同时和一张牌，只有依次在前的一家和。", "of several winners of one tile only the next in turn wins"
            ),
            Text("吃、碰之后只能打牌，不能开杠。", "after a chow or pung only a discard follows, no kong"),
            Text("最后一张打出的牌只能和。", "the last discard can only be won"),
            Text(
                "花牌从牌墙末端补牌；未补的花牌可以打出。",
                "flowers are replaced from the tail; one may be discarded instead",
            ),
            Text("原文只列罚张、错和的名目而未定罚分。", "the book names faults and gives no penalties"),
        ),
    )

"""灵雀 at the table: how a hand is played, how hands follow each other, who pays whom.

Rulings: §5 and §6 of the family's notes. If an edition is silent, the other's sentence is not borrowed: v26 names
neither 连庄 nor seat changes.
"""

from __future__ import annotations

from quepu.errors import Error, Text, many
from quepu.rules.faults import Fault
from quepu.rules.play_rules import SEATS, Ending, MatchRules, Payment, PlayRules, TableRules
from quepu.rules.rulebook import Rulebook

_SEATS = (Text("东家", "East"), Text("南家", "South"), Text("西家", "West"), Text("北家", "North"))
_HALF, _WHOLE = 4, 5  # tiles supplied: 半包牌, 全包牌
_SMALLEST_SELF_DRAW = 15  # each payment for a self-drawn hand of 10


class PointsError(Error):
    """Points that no hand of 灵雀 can have."""


def settle(ending: Ending, book: Rulebook) -> tuple[Payment, ...]:  # noqa: ARG001 - both editions pay alike
    """Return who pays whom: self-draw 3p/2 each; discard 2p, the other two p each; a supplier of 4 or 5 tiles pays for others.

    "若一家向和牌家…提供 4 枚牌张，则称此家“半包牌”，代其余两家支付他们本应支付分数之半（上取整）；若…提供 5 枚牌张，则称此家
    “全包牌”，代其余两家支付全部分数。" Rounding is per player paid for. A robbed kong is paid as a discard of the konger.

    Raises:
        PointsError: the points are odd or negative.
    """
    win = ending.first
    if win is None:
        return ()
    winner, p, supplied = win.seat, win.points, win.supplied
    if p < 0 or p % 2:
        raise PointsError(
            f"灵雀的和牌点数都是偶数，不会是 {p}。", f"points in Lingque are even and not negative, not {p}."
        )
    due = {}
    why = {}
    for seat in range(SEATS):
        if seat == winner:
            continue
        if ending.self_draw:
            due[seat], why[seat] = 3 * p // 2, Text(f"自摸：{p}×3/2", f"self-draw: {p}×3/2")
        elif seat == ending.discarder:
            what = _how(ending)
            due[seat], why[seat] = 2 * p, Text(f"{what.zh}：2×{p}", f"{what.en}: 2×{p}")
        else:
            due[seat], why[seat] = p, Text(f"他家{_how(ending).zh}：{p}", f"another {_how(ending).en}: {p}")
    most = max(due, key=lambda seat: supplied[seat])
    k = supplied[most]
    payments = []
    for seat, owed in due.items():
        covered = 0
        if seat != most and k >= _HALF:
            covered = owed if k >= _WHOLE else -(-owed // 2)
        if owed - covered:
            reason = why[seat]
            if covered:
                half = _SEATS[most]
                reason = Text(f"{reason.zh}，{half.zh}代付一半", f"{reason.en}, half of it paid by {half.en}")
            payments.append(Payment(seat, winner, owed - covered, reason))
        if covered:
            whom = _SEATS[seat]
            if k >= _WHOLE:
                reason = Text(
                    f"全包牌（提供 {k} 枚）：代{whom.zh}付全部 {owed}",
                    f"supplied {many(k, 'tile')}: pays all {owed} for {whom.en}",
                )
            else:
                reason = Text(
                    f"半包牌（提供 {k} 枚）：代{whom.zh}付 {owed} 之半（上取整）",
                    f"supplied {many(k, 'tile')}: pays half of {owed} for {whom.en}, rounded up",
                )
            payments.append(Payment(most, winner, covered, reason))
    return tuple(payments)


def _how(ending: Ending) -> Text:
    return Text("被抢杠", "was robbed of a kong") if ending.robbed else Text("放铳", "dealt in")


_ANY = frozenset({"win", "chow", "pung", "kong"})


def rules(book: Rulebook) -> PlayRules:
    """Return the rules of 灵雀 for tables and matches; the editions differ in how hands follow each other."""
    older = book.edition == "26"
    return PlayRules(
        table=TableRules(kong_after_claim=True, last_discard=_ANY, kong_without_replacement=True),
        match=MatchRules(rounds=4, dealer_repeats="never", reduced=(1.0, 480.0))
        if older
        # 東起家“東、南、北、西”，南起家“南、東、西、北” …; the fifth round begins as the first
        else MatchRules(rounds=4, dealer_repeats="win", moves=((1, 0, 3, 2), (2, 3, 1, 0), (1, 0, 3, 2), (3, 2, 0, 1))),
        settle=settle,
        pay_power=2.0,
        faults=(
            Fault(
                "错和",
                Text(
                    "报和而不能和。原文未定罚分：向每家付最小自摸的 15 分，当局停和陪打",
                    "a win declared on a hand that cannot win; the book sets no amount: 15 to each other player, the least a "
                    "self-draw costs, and a dead hand",
                ),
                _SMALLEST_SELF_DRAW,
                to="others",
                barred=True,
            ),
        ),
        notes=(
            Text(
                "轮到自己出牌时可以加杠或暗杠，吃、碰之后也可以。",
                "a kong may be declared on any turn to discard, also after a claim",
            ),
            Text(
                "不设王张：最后一张也能摸，也能用来补杠。",
                "no dead wall: the last tile may be drawn, also to replace a kong",
            ),
            Text(
                "最后一张打出的牌仍可吃、碰、杠、和；这时开杠没有牌补，没被抢杠就流局。",
                "the last discard may be claimed; a kong then gets no replacement tile, and the hand ends drawn unless it is robbed",
            ),
            Text(
                "截和：几家都能和时，只有按座次离打牌者最近的一家能和。",
                "if several players can win on a tile, only the next in turn wins",
            ),
        ),
    )

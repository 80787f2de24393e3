"""广东 at the table: how a hand is played, how hands follow each other, who pays whom."""

from __future__ import annotations

from functools import partial

from quepu.errors import Text
from quepu.hands.planes import ORPHANS
from quepu.rulebooks.canton.liability import liability
from quepu.rulebooks.canton.payment_tables import dealer_fan, settle, share_of, stake_of, units
from quepu.rules.faults import Fault
from quepu.rules.play_rules import MatchRules, PlayRules, QuickTable, TableRules, Words
from quepu.rules.rulebook import Rulebook
from quepu.tiles import PLAIN

CLUB = (
    "minimum", "flowers", "dealer_counts", "payment", "discard", "base", "stake", "cap", "winners", "winners_order",
    "winners_dealer", "bao_twelve", "bao_dragons", "bao_winds", "bao_kongs", "bao_nine", "bao_last", "bao_discard",
    "dealer_repeats",
)  # fmt: skip
"""What tables in Hong Kong agree on before they play."""
MOST_SHOWN = 13
"""The most fan on the card, unless more are asked for."""


def quick_table(book: Rulebook, most: int | None = None) -> QuickTable:
    """Return the payments for each number of 番 by the book's table, base, cap and shares, up to 13 or to `most`."""
    drawn, by_discarder, by_others = share_of(book.settings["discard"])
    heads = (
        Text("番", "fan"),
        Text("自摸，每家付", "self-draw: each pays"),
        Text("自摸共得", "self-draw: in all"),
        Text("出冲者付", "discarder pays"),
        Text("另两家各付", "the other two pay"),
        Text("出冲共得", "discard: in all"),
    )
    rows = []
    for fan in range(book.minimum, (MOST_SHOWN if most is None else most) + 1):
        unit = units(book, fan)
        rows.append((
            fan, unit * drawn, 3 * unit * drawn, unit * by_discarder, unit * by_others,
            unit * (by_discarder + 2 * by_others),
        ))  # fmt: skip
    option = {one.key: one for one in book.options}
    listed = [f"{key}={book.choice(option[key])}" for key in ("payment", "discard", "base", "cap") if key in option]
    more = dealer_fan(book)
    dealer_zh, dealer_en = (
        (f"庄家收付按多 {more} 番的一行。", f"For the dealer, read the row {more} fan higher. ") if more else ("", "")
    )
    note = Text(
        f"{dealer_zh}付钱表、出冲谁付、单位、封顶都是选项：{'，'.join(listed)}。",
        f"{dealer_en}Table, shares, base and cap are options: {', '.join(listed)}.",
    )
    return QuickTable(heads, tuple(rows), note)


def rules(book: Rulebook) -> PlayRules:
    """Return the rules of 广东 for tables and matches."""
    flowers = bool(book.settings["flowers"])
    return PlayRules(
        table=TableRules(
            tiles=PLAIN.with_flowers(flowers),
            kong_without_replacement=book.settings.get("last_tile_kongs", False),
            concealed_kong_robbed_by=ORPHANS,
            earthly="first draw",
            heavenly_after_kong=True,
            declares_ready=True,
            flower_wins=flowers,
            most_winners=book.settings.get("winners") or 1,
            outer_discards=True,
        ),
        match=MatchRules(
            rounds=4,
            dealer_repeats=book.settings["dealer_repeats"],
            shared_win=book.settings.get("winners_dealer") or "any",
        ),
        settle=settle,
        liable=liability(book),
        quick_table=partial(quick_table, book),
        club=CLUB,
        point_value=stake_of(book.settings.get("stake") or ""),
        words=Words(won=Text("食糊", "wins"), discarded=Text("出冲", "discarded it")),
        faults=(
            Fault(
                "诈糊",
                Text(
                    "报食糊而不能食糊。原文未定罚分：向每家付最小自摸之数，当局停和陪打",
                    "a win declared on a hand that cannot win; the book sets no amount: the price of the least self-draw to each "
                    "other player, and a dead hand",
                ),
                units(book, max(book.minimum, 1)),
                to="others",
                barred=True,
                names=("错和", "诈和", "诈胡"),
            ),
        ),
        notes=_notes(book),
    )


def _notes(book: Rulebook) -> tuple[Text, ...]:
    """Say what players of this table should know besides: only what holds there."""
    flowers, linear = book.settings["flowers"], book.settings["payment"] == "linear"
    found = (
        (dealer_fan(book) > 0, "庄家多算一番，也多赔一番。", "the dealer wins and loses one fan more."),
        (
            not book.settings["minimum_of_all"],
            "起和不算花牌和庄家的番。",
            "flowers and the dealer's fan do not count towards the minimum.",
        ),
        (True, "十三幺可以抢暗杠。", "thirteen orphans may rob a concealed kong."),
        (
            True,
            "牌墙摸完仍可开杠，但没有牌补；没人抢杠（万炮齐发）就流局。",
            "a kong may be declared on an empty wall: it gets no replacement tile, and the hand ends unless it is robbed.",
        ),
        (
            flowers,
            "有七张花就可食糊，也可抢别家的第八张；八张花直接食糊。",
            "seven flowers win, or rob the eighth; eight flowers win.",
        ),
        (
            True,
            "流局时门清而弃牌全为幺九、番子且无人上碰杠者，得流局十番。",
            "in a drawn hand, a concealed hand gets ten fan if all its discards are terminals or honours and none was "
            "claimed.",
        ),
        (
            linear and book.settings["dealer_repeats"] == "win or draw",
            "原文没有连庄与付钱表：默认庄家食糊或流局连庄，每番一个单位。",
            "the book has no payment table and does not say when the dealer repeats: by default the dealer stays "
            "after a win or a drawn hand, and each fan is paid as one unit.",
        ),
    )
    return tuple(Text(zh, en) for holds, zh, en in found if holds)

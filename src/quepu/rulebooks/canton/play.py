"""广东 at the table: how a hand is played, how hands follow each other, who pays whom (seed 004)."""

from __future__ import annotations

from quepu.errors import Text
from quepu.planes import ORPHANS
from quepu.play_rules import Fault, MatchRules, PlayRules, TableRules
from quepu.rulebook import Rulebook
from quepu.rulebooks.canton.payments import settle, units


def rules(book: Rulebook) -> PlayRules:
    """What tables and matches ask of 广东."""
    flowers = bool(book.settings["flowers"])
    return PlayRules(
        table=TableRules(
            flowers=flowers,
            concealed_kong_robbed_by=ORPHANS,
            earthly="first draw",
            heavenly_after_kong=True,
            declares_ready=True,
            flower_wins=flowers,
            outer_discards=True,
        ),
        match=MatchRules(rounds=4, dealer_repeats=book.settings["dealer_repeats"]),
        settle=settle,
        faults=(
            Fault(
                "错和",
                Text(
                    "诈糊：报食糊而不能食糊。原文未定罚分：向每家付最小自摸之数，当局停和陪打",
                    "a win that is none; the book sets no amount: to each what the least self-draw costs, and barred",
                ),
                int(book.settings.get("false_win", units(book, max(book.minimum, 1)))),
                to="others",
                barred=True,
            ),
        ),
        notes=(
            Text("庄家多算一番，也多赔一番。", "the dealer gets and pays one fan more."),
            Text(
                "起和不计花牌与庄家的番。",
                "flowers and the dealer's fan do not count towards the minimum.",
            ),
            Text("十三幺可以抢暗杠。", "thirteen orphans may rob a concealed kong."),
            Text(
                "七张花可即食糊，别家第八张可抢；八张花即食糊。",
                "seven flowers win, or rob the eighth; eight flowers win.",
            ),
            Text(
                "流局时门清而弃牌全为幺九、番子且无人上碰杠者，得流局十番。",
                "in a drawn hand, concealed with only outer discards, none claimed: ten fan.",
            ),
            Text(
                "原文没有连庄与付钱表：默认庄家食糊或流局连庄，每番一个单位。",
                "the seed has no table of payments and no word on the dealer's repeats: by default the dealer stays "
                "after a win or a drawn hand, and a fan is a unit.",
            ),
        ),
    )

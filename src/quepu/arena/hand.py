"""One hand played by four bots."""

from __future__ import annotations

from collections.abc import Sequence

from quepu.bots.protocol import Bot
from quepu.rules.play_rules import PlayRules
from quepu.rules.rulebook import Rulebook
from quepu.table import Table, Wall


def play_hand(
    book: Rulebook, wall: Wall, bots: Sequence[Bot], *, round: int = 0, rules: PlayRules | None = None
) -> Table:
    """Play a hand to its end; `bots[seat]` sits at East, South, West, North. The table has the whole course after.

    Raises:
        NotAllowed: a bot returned an action that is not allowed.
    """
    for seat, bot in enumerate(bots):
        bot.begin(book, seat)
    table = Table(book, wall, round=round, rules=rules)
    while table.to_act:
        seat = table.to_act[0]
        table.step(seat, bots[seat].act(table.view(seat), table.options(seat)))
    return table

"""One hand played by four bots."""

from __future__ import annotations

from collections.abc import Sequence

from quepu.bots.protocol import Bot
from quepu.play_rules import PlayRules
from quepu.rulebook import Rulebook
from quepu.table import Table, Wall


def play_hand(
    book: Rulebook, wall: Wall, bots: Sequence[Bot], *, round: int = 0, rules: PlayRules | None = None
) -> Table:
    """Play a hand to its end; `bots[seat]` sits at East, South, West, North. The table tells everything after.

    Raises:
        NotAllowed: a bot said something it may not say.
    """
    for seat, bot in enumerate(bots):
        bot.begin(book, seat)
    table = Table(book, wall, round=round, rules=rules)
    views = table.views
    while table.asked:
        seat = table.asked[0]
        table.step(seat, bots[seat].act(views[seat], table.options(seat)))
    return table

"""One hand played by four bots."""

from __future__ import annotations

from collections.abc import Sequence

from quepu.bots.protocol import Bot, Watcher
from quepu.rules.play_rules import PlayRules
from quepu.rules.rulebook import Rulebook
from quepu.table import Table, Wall, seen_by


def play_hand(
    book: Rulebook, wall: Wall, bots: Sequence[Bot], *, round: int = 0, rules: PlayRules | None = None
) -> Table:
    """Play a hand to its end; `bots[seat]` sits at East, South, West, North. The table has the whole course after.

    A bot that has a method `watch` is shown every event as its seat sees it (`quepu.table.seen_by`), when it happens.

    Raises:
        NotAllowed: a bot returned an action that is not allowed.
    """
    for seat, bot in enumerate(bots):
        bot.begin(book, seat)
    table = Table(book, wall, round=round, rules=rules)
    watchers = [(seat, bot.watch) for seat, bot in enumerate(bots) if isinstance(bot, Watcher)]
    hidden = table.rules.table.concealed_kongs_hidden
    shown = 0
    while True:
        if watchers:
            for number, event in enumerate(table.events_from(shown), shown):
                for seat, watch in watchers:
                    watch(seen_by(event, seat, number, hidden))
            shown = table.event_count
        if not table.to_act:
            return table
        seat = table.to_act[0]
        table.step(seat, bots[seat].act(table.view(seat), table.options(seat)))

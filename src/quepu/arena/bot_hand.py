"""One hand played by four bots."""

from __future__ import annotations

from collections.abc import Sequence

from quepu.arena.plan import Player, book_of, name_of, seated
from quepu.bots.protocol import Watcher
from quepu.match.settle import SEAT_NAMES
from quepu.rules.play_rules import PlayRules
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, NotAllowed, Table, Wall, seen_by


def play_hand(
    book: str | Rulebook,
    wall: Wall,
    bots: Sequence[Player],
    *,
    round: int = 0,
    rules: PlayRules | None = None,
    seed: int = 0,
) -> Table:
    """Play a hand to its end; `bots[seat]` sits at East, South, West, North. The table has the whole course after.

    A bot that has a method `watch` is shown every event as its seat sees it (`quepu.table.seen_by`), when it happens.
    `seed` is of the bots that are made here, from a level or a class.

    Raises:
        PlanError: one of them is no bot.
        NotAllowed: a bot returned an action that is not allowed, or none; with the name of the bot.
    """
    book = book_of(book)
    playing = [seated(player, seed * 4 + seat) for seat, player in enumerate(bots)]
    for seat, bot in enumerate(playing):
        bot.begin(book, seat)
    table = Table(book, wall, round=round, rules=rules)
    watchers = [(seat, bot.watch) for seat, bot in enumerate(playing) if isinstance(bot, Watcher)]
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
        chosen = playing[seat].act(table.view(seat), table.options(seat))
        if not isinstance(chosen, Action):
            zh, en = (
                f"act 应返回 options 中的一项，而不是 {chosen!r}。",
                f"act returns one of the options, not {chosen!r}.",
            )
            raise _of(bots[seat], seat, NotAllowed(zh, en))
        try:
            table.step(seat, chosen)
        except NotAllowed as refused:
            raise _of(bots[seat], seat, refused) from refused


def _of(player: Player, seat: int, refused: NotAllowed) -> NotAllowed:
    """The refusal of what a bot did, with its name."""
    name, (zh, en), at = name_of(player), refused.text, SEAT_NAMES[seat]
    return NotAllowed(f"机器人 {name}（{at.zh}）：{zh}", f"bot {name} ({at.en}): {en}")

"""Compare the choices of a played hand with those of a net."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from quepu.bots.nets import NetBot, load_net
from quepu.bots.protocol import show_to_watchers
from quepu.match.frames import frame_at
from quepu.match.log import PlayedHand
from quepu.match.log_lines import Step
from quepu.match.steps import decide
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, Table
from quepu.tiles import WINDS


class NetChoice(NamedTuple):
    """A choice of a player: the action made and the one that the net rates highest, with their probabilities.

    `frame` is the frame of the hand (quepu.match.frames) at that moment.
    """

    hand: int
    frame: int
    player: int
    seat: int
    chosen: Action
    odds: float
    wanted: Action
    best: float

    @property
    def same(self) -> bool:
        """Whether the net would have done the same."""
        return self.chosen[:3] == self.wanted[:3]

    def to_json(self, names: Sequence[str]) -> dict[str, Any]:
        """Return plain data."""
        chosen, wanted = self.chosen.to_json(), self.wanted.to_json()
        about = {"hand": self.hand, "player": names[self.player], "seat": WINDS[self.seat]}
        return {**about, "chosen": chosen, "odds": self.odds, "net": wanted, "net_odds": self.best, "same": self.same}


def net_choices(hand: PlayedHand, book: Rulebook, net: str) -> Iterator[NetChoice]:
    """Yield every choice of a hand that had alternatives, in their order; `net` is as after `net:`.

    Raises:
        BotError: the file is not a net, or a rating is not a number.
    """
    loaded = load_net(net)
    table = Table(book, hand.wall, round=hand.place.round_wind)
    bots = [NetBot(loaded) for _ in range(4)]
    for seat, bot in enumerate(bots):
        bot.begin(book, seat)
        bot.sit(table)
    shown, done = 0, -1

    def counted() -> Iterator[Step]:
        nonlocal done
        for step in hand.steps:
            done += 1
            yield step

    for seat, chosen, by in decide(table, counted()):
        shown = show_to_watchers(table, list(enumerate(bots)), shown)
        options = table.options(seat)
        odds = bots[seat].odds(table.view(seat), options) if len(options) > 1 and not by else []
        if len(odds) > 1:
            made = next((share for action, share in odds if action[:3] == chosen[:3]), 0.0)
            yield NetChoice(hand.number, frame_at(hand, done), hand.place.seats[seat], seat, chosen, made, *odds[0])

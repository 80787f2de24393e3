"""Styles: players who weigh hands as `gain` does, but like some hands beyond what they pay, claim more or less.

A style is a few numbers in words of no book, so that one made for a book plays the others too. "people" was fitted to
how often fans stand in people's wins of 国标; the others are a gauntlet: each of them
goes for one thing more than pays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from quepu.bots.payable_bot import GainBot, Sight, Weight
from quepu.fast.nearest.payable import Look
from quepu.fast.nearest.preferences import Preferences, liking
from quepu.rules.rulebook import Rulebook


class Style(NamedTuple):
    """A style: all that sets a player apart from `gain`. Costs and gains are powers of two.

    Attributes: preferences: hands preferred beyond their value. pace: as in `fast.nearest.payable.rates`: higher, and
    distance matters less. called: how much likelier the third tile of a pung is taken to come than another. opening:
    how much more a closed hand must be worth after its first claim. claiming: the same for later claims. kong: how much
    more a kong is taken to be worth than a pung.
    """

    preferences: Preferences = Preferences()
    pace: float = GainBot.pace
    called: float = GainBot.called
    opening: float = 0.0
    claiming: float = 0.0
    kong: float = 0.0


class StyleBot(GainBot):
    """Bot of a style."""

    def __init__(self, style: Style, seed: int = 0) -> None:
        super().__init__(seed)
        self.style = style
        self.preferences = style.preferences
        self.pace, self.called = style.pace, style.called

    def rate_claim(self, look: Look, weights: Sequence[Weight], now: Look, sight: Sight) -> Weight | None:
        """Rate a hand after a claim, None if passing is better."""
        style = self.style
        value = max(weights, default=self.rate_hand(look, sight))
        if not weights:  # a kong, nothing is discarded
            value = tuple(part * 2.0**style.kong for part in value)
        closed = not any(meld.exposed for meld in sight.view.melds)
        cost = 2.0 ** (style.opening if closed else style.claiming)
        return value if value[0] > self.rate_hand(now, sight)[0] * cost else None

    def kong_gain(self, after: Look, concealed: bool) -> float:
        """Return the factor of a hand's value with a kong."""
        return float(2.0**self.style.kong)

    def begin(self, book: Rulebook, seat: int) -> None:
        """Load the tables and the features of hands now instead of in the first turn of a hand."""
        super().begin(book, seat)
        for double_wind in (False, True) if self._payable.looks_at_round else (False,):
            liking(self.style.preferences, double_wind)


PEOPLE = Style(
    Preferences(
        (
            ("pungs", 0.55), ("all_pungs", 1.15), ("pure_suit", 4.1), ("half_suit", 2.15), ("two_suits", -0.3),
            ("five_sorts", 1.2), ("dragons", 0.65), ("own_winds", 0.4), ("outer_pungs", 0.25), ("simples", -0.55),
            ("narrow", 2.4), ("outside", 1.1), ("all_chows", 0.3), ("straight", 0.9), ("steps", -0.85),
            ("mixed_steps", -0.3), ("mixed_straight", 0.35), ("mixed_triple", 0.4),
        ),
        power=3.3,
        special=-1.0,
    ),
    called=2.0,
    opening=0.2,
    kong=1.15,
)  # fmt: skip

STYLES: dict[str, Style] = {
    "people": PEOPLE,
    "flush": Style(Preferences((("pure_suit", 5.0), ("half_suit", 4.0)))),
    "pungs": Style(Preferences((("pungs", 1.5), ("all_pungs", 2.0))), called=2.0, kong=1.0),
    "fast": Style(Preferences(power=0.3), called=2.0, opening=-0.5, claiming=-0.5),
    "value": Style(Preferences(power=4.0), pace=0.25, opening=0.5),
}
"""Styles by key; each is a level of `quepu.bots.protocol`."""

people = partial(StyleBot, STYLES["people"])
flush = partial(StyleBot, STYLES["flush"])
pungs = partial(StyleBot, STYLES["pungs"])
fast = partial(StyleBot, STYLES["fast"])
value = partial(StyleBot, STYLES["value"])

"""The place of a hand in its match: round, dealership, and seats."""

from __future__ import annotations

from typing import NamedTuple

from quepu.rules.play_rules import SEATS, Ending, MatchRules
from quepu.tiles import WINDS


class RoundPosition(NamedTuple):
    """A hand's place: round (圈) from 1, dealership 0-3, how often its dealer has stayed, starting seats.

        >>> place = RoundPosition(round=2, dealership=1, repeat=1)
        >>> place.name, place.seats
        ('S2+1', (1, 2, 3, 0))

    `start[w]` is the player (0-3) who began the round at wind w, and who deals the w-th dealership.
    """

    round: int = 1
    dealership: int = 0
    repeat: int = 0
    start: tuple[int, int, int, int] = (0, 1, 2, 3)

    @property
    def seats(self) -> tuple[int, int, int, int]:
        """The player at East, South, West and North in this hand."""
        east, south, west, north = (*self.start[self.dealership :], *self.start[: self.dealership])
        return east, south, west, north

    @property
    def round_wind(self) -> int:
        """The round wind: 0 East in the first round … 3 North in the fourth, then again from East."""
        return (self.round - 1) % SEATS

    @property
    def name(self) -> str:
        """A short name: E1 for the first round's first dealership, E1+2 when its dealer stays for the second time."""
        return f"{WINDS[self.round_wind]}{self.dealership + 1}" + (f"+{self.repeat}" if self.repeat else "")


_DEALER = 0
ORIGIN = RoundPosition()
"""The first place of a match."""


def stays(rules: MatchRules, ending: Ending) -> bool:
    """Return whether the dealer deals again (连庄)."""
    if not ending.winners:
        return rules.dealer_repeats == "win or draw"
    if rules.dealer_repeats == "never" or (len(ending.winners) > 1 and rules.shared_win == "never"):
        return False
    return _DEALER in (ending.seats[:1] if rules.shared_win == "first" else ending.seats)


def move_seats(rules: MatchRules, place: RoundPosition) -> tuple[int, int, int, int]:
    """Return the starting seats of the next round."""
    if not rules.moves:
        return place.start
    move = rules.moves[(place.round - 1) % len(rules.moves)]
    start = {move[wind]: player for wind, player in enumerate(place.start)}
    return start[0], start[1], start[2], start[3]


def following(rules: MatchRules, place: RoundPosition, ending: Ending) -> RoundPosition:
    """Return the place of the next hand (whether the match is over is not checked here)."""
    if stays(rules, ending):
        return place._replace(repeat=place.repeat + 1)
    if place.dealership < SEATS - 1:
        return place._replace(dealership=place.dealership + 1, repeat=0)
    return RoundPosition(place.round + 1, 0, 0, move_seats(rules, place))

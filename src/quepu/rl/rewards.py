"""Rewards of players: the points of a hand, their rank at the end, or anything of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from quepu.errors import UnknownName
from quepu.match.match import share_place_values
from quepu.match.seats import RoundPosition
from quepu.rules.play_rules import Ending
from quepu.table import Table

Four = tuple[float, float, float, float]
RANKS = (3, 1, -1, -3)
"""What first, second, third and fourth place are worth; equal totals share their places."""


class HandOutcome(NamedTuple):
    """The outcome of a hand. `points` and `totals` go by player, in a hand alone also by seat.

        >>> import quepu.rl
        >>> def wins(outcome: HandOutcome) -> list[float]:
        ...     return [float(player in outcome.info()["winners"]) for player in range(4)]
        ...
        >>> quepu.rl.gym_env("guobiao-mcr", ("random", "random", "random"), reward=wins)
        SingleMahjongEnv('guobiao-mcr', bots=('random', 'random', 'random'))

    `over`: the episode is over too. `table` is the hand with its whole course (compiled tables have none).
    """

    ending: Ending
    points: tuple[int, int, int, int]
    totals: tuple[int, int, int, int]
    place: RoundPosition
    over: bool
    table: Table | None

    def info(self) -> dict[str, Any]:
        """Return it as `infos` has it: ending, score (None: nobody won), points, totals, place, winner (a player)."""
        first = self.ending.first
        return {
            "ending": self.ending,
            "score": None if first is None else first.score,
            "points": self.points,
            "totals": self.totals,
            "place": self.place.name,
            "winner": None if first is None else self.place.seats[first.seat],
            "winners": [self.place.seats[seat] for seat in self.ending.seats],
            "over": self.over,
        }


def stackable(info: dict[str, Any]) -> dict[str, Any]:
    """Return `HandOutcome.info` for gymnasium to stack: the winner is -1 if nobody won, for an array of numbers."""
    return info | {"winner": -1 if info["winner"] is None else info["winner"]}


Reward = Callable[[HandOutcome], Four]
RewardName = Literal["points", "rank"]


def points_reward(outcome: HandOutcome) -> Four:
    """Return the points of the hand by the book's settlement."""
    a, b, c, d = outcome.points
    return float(a), float(b), float(c), float(d)


def rank_reward(outcome: HandOutcome) -> Four:
    """3, 1, -1, -3 for the places at the end of the episode, 0 before."""
    if not outcome.over:
        return 0.0, 0.0, 0.0, 0.0
    a, b, c, d = share_place_values(outcome.totals, RANKS)
    return a, b, c, d


REWARDS: dict[str, Reward] = {"points": points_reward, "rank": rank_reward}


def reward_of(reward: str | Reward) -> Reward:
    """The reward of this name, or the function itself.

    Raises:
        UnknownName: there is none.
    """
    if callable(reward):
        return reward
    if not isinstance(reward, str) or reward not in REWARDS:
        listed = ", ".join(REWARDS)
        raise UnknownName(
            f"没有奖励“{reward}”。现有：{listed}，或一个函数。",
            f"no reward {reward!r}; there are: {listed}, or a function.",
        )
    return REWARDS[reward]

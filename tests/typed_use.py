"""Uses of the library as users write them, for mypy to check (`files` in pyproject.toml); nothing here is run."""

from __future__ import annotations

from collections.abc import Sequence

import quepu
import quepu.rl
from quepu import Action, Rulebook, View, logs
from quepu.arena import match
from quepu.match import read_log


class Plain:
    """A bot whose class takes no seed."""

    def begin(self, book: Rulebook, seat: int) -> None:
        """Do nothing."""

    def act(self, view: View, options: Sequence[Action]) -> Action:
        return options[0]


class Seeded(Plain):
    """A bot whose class takes one."""

    def __init__(self, seed: int) -> None:
        self.seed = seed


def uses() -> int:
    played = match("guobiao", [Plain, Seeded, "plain", Seeded], seed=1, rounds=1, log="x.jsonl")
    quepu.rl.gym_env("guobiao", (Plain, Seeded, "plain")).reset(seed=1)
    quepu.rl.vec("guobiao", 2, bots=(Plain, Plain, Plain))
    scores = quepu.score_many(["123m456p789sCCEE+E"], ["guobiao"], seat=["E"], flowers=[2], errors="raise")
    points = [int(row["points"][0]) for row in logs.hands("x.jsonl") if row["winners"]]
    one = quepu.score("123m456p789sCCEE+E", "guobiao", seat="S")
    return one.points + sum(points) + len(scores.to_dict()) + len(read_log("x.jsonl").hands) + len(played.hands)

"""Mistakes of one player found by reviews, additive: by kind, points lost, the costliest decisions.

Reviews come as plain data (`quepu.review.encoded`); no values are computed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from quepu.figures.figures import add_up
from quepu.figures.intervals import mean, rate

WORST = 5
"""Number of costliest decisions listed."""
_BAD = ("mistake", "blunder")


class Costly(NamedTuple):
    """A costly mistake: its match, hand, frame and seat, its kind, and why, in both languages."""

    cost: float
    at: str
    hand: int
    frame: int
    seat: str
    kind: str
    why: tuple[str, str]


class TrendPoint(NamedTuple):
    """A match on a player's trend: hands, decisions, mistakes, and the sum and squares of points lost per hand."""

    when: float
    at: str
    hands: int
    decisions: int
    mistakes: int
    cost: float
    squares: float


@dataclass
class Mistakes:
    """Numbers of one player. `kinds` has the number of mistakes of each kind, and the points they cost.

    `cost` are the points lost in all decisions, `squares` the squares of those of each hand; `share_sum` adds up the
    shares of the best choices' values.
    """

    hands: int = 0
    decisions: int = 0
    share_sum: float = 0.0
    mistakes: int = 0
    blunders: int = 0
    cost: float = 0.0
    squares: float = 0.0
    kinds: dict[str, list[float]] = field(default_factory=dict)
    worst: list[Costly] = field(default_factory=list)
    curve: list[TrendPoint] = field(default_factory=list)

    def add(self, other: Mistakes) -> None:
        """Add the mistakes from other matches of the same player."""
        add_up(self, other, ("hands", "decisions", "share_sum", "mistakes", "blunders", "cost", "squares"))
        for kind, (count, cost) in other.kinds.items():
            old = self.kinds.get(kind, [0, 0.0])
            self.kinds[kind] = [old[0] + count, old[1] + cost]
        self.worst = sorted([*self.worst, *other.worst], key=_by_cost)[:WORST]
        self.curve = sorted([*self.curve, *other.curve])

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Mistakes:
        """Read the data of `to_json`."""
        made = cls(**data)
        made.worst = [Costly(*one[:6], (one[6][0], one[6][1])) for one in made.worst]
        made.curve = [TrendPoint(*one) for one in made.curve]
        return made

    def figures(self) -> dict[str, Any]:
        """Return the figures of a page: shares and means with 95% intervals, kinds by cost, the trend."""
        bad = self.mistakes + self.blunders
        return {
            "matches": len(self.curve),
            "hands": self.hands,
            "decisions": self.decisions,
            "mistakes": self.mistakes,
            "blunders": self.blunders,
            "share": self.share_sum / self.decisions if self.decisions else 0.0,
            "rate": rate(bad, self.decisions)._asdict(),
            "cost": _mean(self.cost, self.squares, self.hands),
            "kinds": [
                {"kind": kind, "count": int(count), "cost": cost}
                for kind, (count, cost) in sorted(self.kinds.items(), key=lambda item: (-item[1][1], item[0]))
            ],
            "worst": [
                {**one._asdict(), "why": {"zh": one.why[0], "en": one.why[1]}} for one in self.worst
            ],
            "curve": [
                {
                    "when": one.when, "at": one.at, "hands": one.hands, "decisions": one.decisions,
                    "mistakes": one.mistakes, "cost": _mean(one.cost, one.squares, one.hands),
                }
                for one in self.curve
            ],
        }  # fmt: skip


def _mean(total: float, squares: float, of: int) -> dict[str, float | int | None]:
    """Return a mean with its interval; a single value has no interval."""
    found = mean(total, squares, of)
    several = of > 1
    return {
        "of": of, "mean": found.mean,
        "low": max(0.0, found.low) if several else None, "high": found.high if several else None,
    }  # fmt: skip


def _by_cost(one: Costly) -> tuple[float, str, int, int]:
    return -one.cost, one.at, one.hand, one.frame


def of_reviews(
    names: Mapping[int, Sequence[str]], hands: Iterable[Mapping[str, Any]], *, at: str = "", when: float = 0.0
) -> dict[str, Mistakes]:
    """Return everyone's mistakes in the reviewed hands of a match; `at` names it.

    `names` are those who played each hand, by its number: a person may have taken a bot's place.
    """
    found: dict[str, Mistakes] = {}
    for hand in hands:
        player_of = {line["seat"]: line["player"] for line in hand["seats"]}
        called = names[hand["hand"]]
        lost = dict.fromkeys(player_of, 0.0)
        for one in hand["decisions"]:
            seat = one["seat"]
            if seat not in player_of:
                continue
            mine = found.setdefault(called[player_of[seat]], Mistakes())
            lost[seat] += one["cost"]
            if one["grade"] not in _BAD or one["mistake"] is None:
                continue
            kind = one["mistake"]["kind"]
            old = mine.kinds.get(kind, [0, 0.0])
            mine.kinds[kind] = [old[0] + 1, old[1] + one["cost"]]
            why = one["why"]["zh"], one["why"]["en"]
            mine.worst.append(Costly(one["cost"], at, hand["hand"], one["frame"], seat, kind, why))
        for line in hand["seats"]:
            if not line["decisions"]:
                continue
            mine = found.setdefault(called[line["player"]], Mistakes())
            mine.hands += 1
            mine.decisions += line["decisions"]
            mine.share_sum += line["share"] * line["decisions"]
            mine.mistakes += line["mistakes"]
            mine.blunders += line["blunders"]
            mine.cost += lost[line["seat"]]
            mine.squares += lost[line["seat"]] ** 2
    for one in found.values():
        one.worst = sorted(one.worst, key=_by_cost)[:WORST]
        one.curve = [TrendPoint(when, at, one.hands, one.decisions, one.mistakes + one.blunders, one.cost, one.squares)]
    return found


def merge_mistakes(several: Iterable[Mapping[str, Mistakes]]) -> dict[str, Mistakes]:
    """Return everyone's mistakes over several matches."""
    found: dict[str, Mistakes] = {}
    for match in several:
        for name, one in match.items():
            found.setdefault(name, Mistakes()).add(one)
    return found

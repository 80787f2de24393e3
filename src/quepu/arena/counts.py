"""Counts of a simulation: sums of integers only, so that parts add up to the same total in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any, ClassVar, NamedTuple

from quepu.errors import many
from quepu.figures.figures import HandFigures, add_up
from quepu.match.settle import Settlement
from quepu.rules.play_rules import Ending
from quepu.table import Table
from quepu.table.events import Drawn, ReplacementDrawn


@dataclass
class PlayerStats(HandFigures):
    """One entry of the line-up, over all seats it held."""

    level: str = ""
    closed_wins: int = 0
    claims: int = 0
    net: int = 0

    SUMS: ClassVar[tuple[str, ...]] = (*HandFigures.SUMS, "closed_wins", "claims", "net")

    def to_json(self) -> dict[str, Any]:
        """Return counts and the shares derived from them."""
        n = max(1, self.hands)
        mean = self.net / n
        variance = max(0.0, self.squares / n - mean * mean)
        return {
            "level": self.level,
            "hands": self.hands,
            "wins": self.wins,
            "win_share": self.wins / n,
            "self_draws": self.self_draws,
            "closed_wins": self.closed_wins,
            "deal_ins": self.deal_ins,
            "deal_in_share": self.deal_ins / n,
            "claims_a_hand": self.claims / n,
            "points_a_win": self.won / max(1, self.wins),
            "net_a_hand": mean,
            "net_se": sqrt(variance / (n - 1)) if n > 1 else None,
        }


class HandCounts(NamedTuple):
    """Counts of one finished hand."""

    ending: Ending
    events: int
    draws: int  # tiles drawn, replacements among them
    claims: Sequence[int]  # melds claimed by each seat
    fans: tuple[str, ...] = ()  # of the winners

    @classmethod
    def of(cls, table: Table) -> HandCounts:
        """Return the counts of a table whose hand is over."""
        ending = table.ending
        assert ending is not None  # noqa: S101  # nobody is asked any more
        return cls(
            ending,
            len(table.events),
            sum(isinstance(event, Drawn | ReplacementDrawn) for event in table.events),
            [sum(shown.source is not None for shown in melds) for melds in table.board.melds],
            fans_of(ending),
        )


def fans_of(ending: Ending) -> tuple[str, ...]:
    """Return the fans of all winners."""
    return tuple(line.name for win in ending.winners if win.score is not None for line in win.score.fans)


@dataclass
class Stats:
    """All counts over some hands.

    Examples:
        >>> from quepu.arena import Plan, simulate
        >>> stats = simulate(Plan("yuque-54", ("random",) * 4, walls=4))
        >>> stats.hands
        4
    """

    players: list[PlayerStats]
    hands: int = 0
    drawn: int = 0
    points: int = 0
    events: int = 0
    lengths: Counter[int] = field(default_factory=Counter)  # draws a hand
    fans: Counter[str] = field(default_factory=Counter)
    pairs: dict[str, list[int]] = field(default_factory=dict)
    """Of two names with a line break between: walls, sum and sum of squares of the differences, seats of each."""
    partial: bool = False
    ranked: list[list[int]] = field(default_factory=list)
    """Of each player in IJCAI's form: walls, sum and sum of squares of its rank points, doubled."""

    def __repr__(self) -> str:
        players = ", ".join(
            f"{player.level} {player.net / player.hands:+.2f}" if player.hands else player.level
            for player in self.players
        )
        return (
            f"Stats({many(self.hands, 'hand')}, {self.drawn} drawn; net a hand: {players}{'; partial' * self.partial})"
        )

    @classmethod
    def of(cls, levels: Sequence[str]) -> Stats:
        """Return empty counts for this line-up."""
        return cls([PlayerStats(level=level) for level in levels])

    def count(self, hand: HandCounts, who: Sequence[int], settled: Settlement) -> None:
        """Count a finished hand; `who[seat]` is the position in the line-up of the bot in that seat."""
        ending = hand.ending
        self.hands += 1
        self.events += hand.events
        self.lengths[hand.draws] += 1
        for seat, at in enumerate(who):
            player, net = self.players[at], settled.seats[seat]
            win = ending.win_of(seat)
            points, dealt_in = None if win is None else win.points, seat == ending.discarder
            player.count(points, net, self_draw=ending.self_draw, dealt_in=dealt_in)
            player.net += net
            player.claims += hand.claims[seat]
        self.drawn += not ending.winners
        for win in ending.winners:
            self.players[who[win.seat]].closed_wins += not hand.claims[win.seat]
            self.points += win.points
        self.fans.update(hand.fans)

    def compare(self, nets: Iterable[tuple[str, int, int]]) -> None:
        """Count one wall that was played with all seatings: the summed net and number of seats of each level.

        Stored are differences per seat and hand, times the seats of both, so that they stay integers.
        """
        seen = sorted(nets)
        for i, (a, net_a, seats_a) in enumerate(seen):
            for b, net_b, seats_b in seen[i + 1 :]:
                sums = self.pairs.setdefault(f"{a}\n{b}", [0, 0, 0, seats_a, seats_b])
                difference = net_a * seats_b - net_b * seats_a
                sums[0] += 1
                sums[1] += difference
                sums[2] += difference * difference

    def rank(self, nets: Sequence[Fraction]) -> None:
        """Count the rank points of one wall, from each player's points on it over all seatings."""
        if not self.ranked:
            self.ranked = [[0, 0, 0] for _ in nets]
        for sums, points in zip(self.ranked, rank_points(nets), strict=True):
            for i, more in enumerate((1, points, points * points)):
                sums[i] += more

    def add(self, other: Stats) -> None:
        """Add another part's counts."""
        if not self.ranked:
            self.ranked = [[0, 0, 0] for _ in other.ranked]
        for own, theirs_too in zip(self.ranked, other.ranked, strict=False):
            own[:] = map(sum, zip(own, theirs_too, strict=True))
        for mine, theirs in zip(self.players, other.players, strict=True):
            mine.add(theirs)
        add_up(self, other, ("hands", "drawn", "points", "events"))
        self.lengths.update(other.lengths)
        self.fans.update(other.fans)
        self.partial |= other.partial
        for key, sums in other.pairs.items():
            mine_sums = self.pairs.setdefault(key, [0, 0, 0, *sums[3:]])
            for i in range(3):
                mine_sums[i] += sums[i]

    def counts(self) -> dict[str, Any]:
        """Return only the counts as plain data, for `from_counts`."""
        data = {**vars(self), "players": [vars(player) for player in self.players]}
        return {**data, "lengths": {str(n): times for n, times in self.lengths.items()}, "partial": False}

    @classmethod
    def from_counts(cls, data: Any) -> Stats:
        """Read the data of `counts`."""
        lengths = Counter({int(n): times for n, times in data["lengths"].items()})
        players = [PlayerStats(**_rename_fields(player)) for player in data["players"]]
        return cls(**{**data, "players": players, "lengths": lengths, "fans": Counter(data["fans"])})

    def standing(self) -> list[dict[str, Any]]:
        """Return the players by rank points, then by points: total rank points, and per wall with their error."""
        rows = []
        for player, (walls, total, squares) in zip(self.players, self.ranked, strict=True):
            mean = total / walls
            error = sqrt(max(0.0, squares / walls - mean * mean) / (walls - 1)) / 2 if walls > 1 else None
            a_wall = {"rank_points_a_wall": mean / 2, "se": error}
            rows.append({"level": player.level, "walls": walls, "rank_points": total / 2, **a_wall, "net": player.net})
        return sorted(rows, key=lambda row: (-row["rank_points"], -row["net"]))

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each player, for a table or a data frame."""
        return [player.to_json() for player in self.players]

    def to_json(self) -> dict[str, Any]:
        """Return plain data: counts, shares, differences with 95% intervals if walls were played with all seatings.

        `duplicate` is the former name of `differences`.
        """
        n = max(1, self.hands)
        differences = [_difference(key, sums) for key, sums in sorted(self.pairs.items())]
        standing = {"standing": self.standing()} if self.ranked else {}
        return {
            "hands": self.hands,
            "partial": self.partial,
            "drawn": self.drawn,
            "drawn_share": self.drawn / n,
            "points_a_hand": self.points / n,
            "draws_a_hand": sum(k * v for k, v in self.lengths.items()) / n,
            "events_a_hand": self.events / n,
            "players": [player.to_json() for player in self.players],
            "differences": differences,
            "duplicate": differences,
            **standing,
            "fans": dict(sorted(self.fans.items(), key=lambda item: (-item[1], item[0]))),
        }


def rank_points(nets: Sequence[Fraction]) -> list[int]:
    """Return the doubled rank points of one wall: 4, 3, 2, 1 by the points won; players with equal points share theirs.

    The sheet of the contest does not say what ties are worth.
    """
    return [2 * (sum(other < net for other in nets) + 1) + nets.count(net) - 1 for net in nets]


def _rename_fields(player: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a stored player; older files store the points of wins as `points`."""
    return {"won" if name == "points" else name: value for name, value in player.items()}


def _difference(key: str, sums: Sequence[int]) -> dict[str, Any]:
    a, b = key.split("\n")
    walls, total, squares, seats_a, seats_b = sums
    mean = total / walls
    error = sqrt(max(0.0, squares / walls - mean * mean) / max(1, walls - 1))
    scale = seats_a * seats_b
    if mean < 0:
        a, b, mean = b, a, -mean
    return {
        "better": a,
        "than": b,
        "walls": walls,
        "net_a_hand": mean / scale,
        "se": error / scale,
        "low95": (mean - 1.96 * error) / scale,
        "high95": (mean + 1.96 * error) / scale,
    }

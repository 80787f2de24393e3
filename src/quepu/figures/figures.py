"""Figures of one player, additive: the figures of two sets of matches are the sum of theirs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self

BEST = 5
"""Number of best hands listed for each book."""


class WinResult(NamedTuple):
    """A win as figures need it; the player is 0-3."""

    player: int
    points: int
    fans: Sequence[tuple[str, int]] | None = None
    """Fans of the win and how often each counted; None if its tiles are unknown."""
    tiles: str = ""


class HandResult(NamedTuple):
    """A hand as figures need it: players, wins and discarder, and everyone's gain. Players are 0-3."""

    names: Sequence[str]
    wins: Sequence[WinResult]
    discarder: int | None
    gains: Sequence[int]


class BestHand(NamedTuple):
    """A high-scoring win; `at` is the match, `when` its time in seconds."""

    points: int
    tiles: str
    at: str
    when: float


class Place(NamedTuple):
    """A match on a player's curve."""

    when: float
    total: int
    place: int
    at: str


def add_up(mine: object, other: object, names: Iterable[str]) -> None:
    """Add another's numbers to one's own."""
    for name in names:
        setattr(mine, name, getattr(mine, name) + getattr(other, name))


@dataclass
class HandFigures:
    """Numbers of one player over hands. `squares` are those of each hand's gain, `won` the points of all wins."""

    hands: int = 0
    wins: int = 0
    self_draws: int = 0
    deal_ins: int = 0
    squares: int = 0
    won: int = 0

    SUMS: ClassVar[tuple[str, ...]] = ("hands", "wins", "self_draws", "deal_ins", "squares", "won")
    """The fields that add up as numbers."""

    def count(self, points: int | None, gain: int, *, self_draw: bool, dealt_in: bool) -> None:
        """Count one more hand for a player; `points` are those of the player's win (None: no win)."""
        self.hands += 1
        self.squares += gain * gain
        if points is not None:
            self.wins += 1
            self.self_draws += self_draw
            self.won += points
        self.deal_ins += dealt_in

    def add(self, other: Self) -> None:
        """Add the figures of other hands of the same player."""
        add_up(self, other, self.SUMS)


@dataclass
class Figures(HandFigures):
    """Numbers of one player over matches. `places` counts first to fourth; equal totals share the better place."""

    matches: int = 0
    drawn: int = 0
    total: int = 0
    dealt: int = 0
    places: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    read: dict[str, int] = field(default_factory=dict)
    """Wins with known tiles, by book."""
    fans: dict[str, dict[str, int]] = field(default_factory=dict)
    """How many of those count each fan, by book."""
    against: dict[str, list[int]] = field(default_factory=dict)
    """By opponent: matches together, in how many this player had more, less, and the difference of all totals."""
    best: dict[str, list[BestHand]] = field(default_factory=dict)
    curve: list[Place] = field(default_factory=list)

    SUMS: ClassVar[tuple[str, ...]] = (*HandFigures.SUMS, "matches", "drawn", "total", "dealt")

    def add(self, other: Self) -> None:
        """Add the figures of other matches of the same player."""
        self.add_counts(other)
        self.curve = sorted([*self.curve, *other.curve])

    def add_counts(self, other: Self) -> None:
        """Add all counts except the curve."""
        super().add(other)
        self.places = [a + b for a, b in zip(self.places, other.places, strict=True)]
        for book, count in other.read.items():
            self.read[book] = self.read.get(book, 0) + count
        for book, fans in other.fans.items():
            mine = self.fans.setdefault(book, {})
            for fan, count in fans.items():
                mine[fan] = mine.get(fan, 0) + count
        for name, row in other.against.items():
            old = self.against.get(name)
            self.against[name] = list(row) if old is None else [a + b for a, b in zip(old, row, strict=True)]
        for book, hands in other.best.items():
            self.best[book] = sorted([*self.best.get(book, ()), *hands], key=_by_points)[:BEST]

    def to_json(self) -> dict[str, Any]:
        """Return plain data; zero and empty values are left out."""
        return {key: value for key, value in asdict(self).items() if value and value != [0, 0, 0, 0]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Figures:
        """Read the data of `to_json`."""
        made = cls(**data)
        made.best = {book: [BestHand(*one) for one in hands] for book, hands in made.best.items()}
        made.curve = [Place(*one) for one in made.curve]
        return made


def _by_points(hand: BestHand) -> tuple[int, float, str]:
    return -hand.points, hand.when, hand.at


def of_match(
    book: str,
    totals: Mapping[str, int],
    hands: Iterable[HandResult],
    part: Mapping[str, int] = MappingProxyType({}),
    *,
    at: str = "",
    when: float = 0.0,
) -> dict[str, Figures]:
    """Return everyone's figures in one match: `totals` at its end by name, and its hands.

    `part` are those who played only a part of it, a bot and the person who took its place, and what each gained: their
    hands count, and the match counts for neither.
    """
    found = {name: Figures() for name in (*totals, *part)}
    for hand in hands:
        for player, name in enumerate(hand.names):
            if name not in found:
                continue
            mine, gain = found[name], hand.gains[player]
            win = next((one for one in hand.wins if one.player == player), None)
            dealt_in = player == hand.discarder
            points = None if win is None else win.points
            mine.count(points, gain, self_draw=hand.discarder is None, dealt_in=dealt_in)
            mine.drawn += not hand.wins
            if dealt_in:
                mine.dealt += sum(one.points for one in hand.wins)
            if win is not None:
                mine.best.setdefault(book, []).append(BestHand(win.points, win.tiles, at, when))
                if win.fans is not None:
                    mine.read[book] = mine.read.get(book, 0) + 1
                    counts = mine.fans.setdefault(book, {})
                    for fan, _ in win.fans:
                        counts[fan] = counts.get(fan, 0) + 1
    whole = {name: total for name, total in totals.items() if name not in part and found[name].hands}
    for name, total in {**totals, **part}.items():
        mine = found[name]
        mine.total = total
        mine.best = {key: sorted(best, key=_by_points)[:BEST] for key, best in mine.best.items()}
        if name not in whole:
            continue
        mine.matches = 1
        place = min(3, sum(other > total for other in totals.values()))
        mine.places[place] += 1
        mine.curve = [Place(when, total, place + 1, at)]
        for other, theirs in whole.items():
            if other != name:
                mine.against[other] = [1, int(total > theirs), int(total < theirs), total - theirs]
    return found


def merge_figures(several: Iterable[Mapping[str, Figures]]) -> dict[str, Figures]:
    """Return everyone's figures over several matches."""
    found: dict[str, Figures] = {}
    curves: dict[str, list[Place]] = {}
    for one in several:
        for name, figures in one.items():
            found.setdefault(name, Figures()).add_counts(figures)
            curves.setdefault(name, []).extend(figures.curve)
    for name, curve in curves.items():  # sorted once, so that thousands of matches per player stay cheap
        found[name].curve = sorted(curve)
    return found


def by_id(figures: Mapping[str, Figures], ids: Mapping[str, str]) -> dict[str, Figures]:
    """Return one match's figures by player id instead of name, opponents included."""
    found: dict[str, Figures] = {}
    for name, one in figures.items():
        against = {ids.get(other, other): row for other, row in one.against.items()}
        found[ids.get(name, name)] = replace(one, against=against)
    return found

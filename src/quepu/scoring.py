"""From a hand to its score: every reading detected and combined, the best one taken, and the whole explained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quepu.errors import NotAWin
from quepu.hand import Hand
from quepu.occurrences import Parts, occurrences
from quepu.readings import readings
from quepu.rulebook import Rulebook, Tally
from quepu.win import Reading


@dataclass(slots=True)  # not frozen: that would double the price of making one
class FanLine:
    """One line of a score: a fan that counts, how often, and what a single one is worth here."""

    name: str
    count: int
    value: Mapping[str, int]

    def __str__(self) -> str:
        return self.name if self.count == 1 else f"{self.name}×{self.count}"


class Score:
    """What a hand is worth under a rulebook, and why.

    `points` count towards the minimum, `total` has flowers and other extras too. `best` is the reading taken; among
    readings of equal worth the first in a fixed order. Everything else is worked out when asked for.
    """

    __slots__ = ("_parts", "best", "book", "hand", "readings", "tallies", "tally")

    def __init__(self, hand: Hand, book: Rulebook, found: list[Reading], tallies: list[Tally]) -> None:
        self.hand = hand
        self.book = book
        self._parts: Parts | None = None
        self.readings = found
        self.tallies = tallies
        at = 0
        if len(found) > 1:
            at = max(range(len(found)), key=lambda i: (tallies[i].points + tallies[i].bonus, tallies[i].points, -i))
        self.best = found[at]
        self.tally = tallies[at]

    @property
    def points(self) -> int:
        """Points that count towards the minimum."""
        return self.tally.points

    @property
    def total(self) -> int:
        """Points with flowers and whatever else the book keeps out of the minimum."""
        return self.tally.points + self.tally.bonus + self.book.flower_value * self.hand.flower_count

    @property
    def minimum(self) -> int:
        """Points needed to win."""
        return self.book.minimum

    @property
    def can_win(self) -> bool:
        """Whether the points reach the book's minimum."""
        return self.tally.points >= self.book.minimum

    @property
    def parts(self) -> Mapping[str, int]:
        """The sums the book speaks of: 灵雀 fu and fan, the others fan."""
        return self.tally.parts

    @property
    def fans(self) -> list[FanLine]:
        """The fans that count, in the order the book's arithmetic gives."""
        rows = self.book.fans
        return [FanLine(rows[c.row].name, c.times, c.value) for c in self.tally.counted]

    @property
    def others(self) -> list[tuple[Reading, Tally]]:
        """The other readings with what they would have scored, dearest first."""
        rest = [(r, t) for r, t in zip(self.readings, self.tallies, strict=True) if r is not self.best]
        return sorted(rest, key=lambda pair: -(pair[1].points + pair[1].bonus))

    def groups_of(self, row: int) -> list[list[int]]:
        """Which groups make a row that holds: each occurrence as positions in `best.groups`."""
        if self._parts is None:
            self._parts = Parts(self.best.groups, self.best.h)
        masks = occurrences(self.book.fans[row], self._parts)
        places = range(len(self._parts.groups))
        return [[i for i in places if mask >> i & 1] for mask in masks]

    def to_json(self, explain: bool = False, lang: str = "zh") -> dict[str, Any]:
        """The answer as plain data (see the JSON contract in docs/design.md); `explain` adds the reasons."""
        answer: dict[str, Any] = {
            "valid": True,
            "points": self.points,
            "total": self.total,
            "minimum": self.minimum,
            "can_win": self.can_win,
            "parts": dict(self.parts),
            "fans": [{"name": f.name, "count": f.count, "value": dict(f.value)} for f in self.fans],
            "reading": self.best.text(),
            "how": self.tally.how.say(lang),
        }
        if explain:
            answer.update(self._reasons(lang))
        return answer

    def _reasons(self, lang: str) -> dict[str, Any]:
        rows = self.book.fans
        tally = self.book.told(self.best.h)
        counted = []
        for c in tally.counted:
            row = rows[c.row]
            entry: dict[str, Any] = {
                "name": row.name, "english": row.english, "count": c.times, "value": dict(c.value),
                "category": row.category, "sentence": row.sentence, "groups": self.groups_of(c.row),
            }  # fmt: skip
            if c.note is not None:
                entry["note"] = c.note.say(lang)
            counted.append(entry)
        return {
            "rules": self.book.id,
            "fingerprint": self.book.fingerprint,
            "groups": [
                {"text": g.text(), "tiles": list(g.tiles), "exposed": g.exposed, "kong": g.kong, "won": g.won}
                for g in self.best.groups
            ],
            "counted": counted,
            "suppressed": [
                {
                    "name": rows[d.row].name,
                    "english": rows[d.row].english,
                    "by": rows[d.by].name if d.by is not None else None,
                    "why": d.why.say(lang),
                }
                for d in tally.dropped
            ],
            "steps": [step.say(lang) for step in tally.steps],
            "flowers": self.hand.flower_count,
            "short": max(0, self.minimum - self.points),
            "others": [
                {
                    "reading": reading.text(),
                    "points": other.points,
                    "how": other.how.say(lang),
                    "fans": [
                        f"{rows[c.row].name}×{c.times}" if c.times > 1 else rows[c.row].name for c in other.counted
                    ],
                }
                for reading, other in self.others
            ],
        }

    def explain(self, lang: str = "zh") -> str:
        """The whole explanation as plain text."""
        from quepu.explain import explain

        return explain(self, lang)


def no_shape(book: Rulebook) -> NotAWin:
    """What is said of tiles that make none of a book's shapes."""
    return NotAWin(
        f"按{book.title.zh}，这些牌不成和牌形。", f"these tiles make no winning shape under {book.title.en}."
    )


def score_hand(hand: Hand, book: Rulebook) -> Score:
    """The best score of a complete hand under a book.

    Raises:
        NotAWin: the tiles make none of the book's shapes, or the hand has no winning tile.
    """
    # some wins lie outside the tiles (by flowers, say): those alone need no winning tile
    shapes = book.shapes if hand.winning is not None else tuple(s for s in book.shapes if s == "outside")
    found = readings(hand, shapes, book.reads) if shapes else []
    if not found and hand.winning is None:
        raise NotAWin("这手牌还没有和牌张（写作 +3s）。", "this hand has no winning tile (write it as +3s).")
    if not found:
        raise no_shape(book)
    return Score(hand, book, found, [book.tally(reading.h) for reading in found])


def best_points(hand: Hand, book: Rulebook) -> int | None:
    """The points of the best reading, or None if the hand is no win: for callers that only compare."""
    found = readings(hand, book.shapes, book.reads)
    return max(book.tally(reading.h).points for reading in found) if found else None

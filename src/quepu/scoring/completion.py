"""Is this a win? Fourteen tiles with none marked: every tile that may have completed them, or how many are missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from quepu.errors import HandError, Text
from quepu.hands.hand import Hand
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import no_shape
from quepu.scoring.waits import Wait, wait_of
from quepu.shapes.distance import hand_missing, readiness_text
from quepu.tiles import NAMES, SIMPLIFIED, TILES, Tile


@dataclass(frozen=True, slots=True)
class Completed:
    """The completion of fourteen tiles.

        >>> import quepu
        >>> completed = quepu.completion("123m456p789sCCEEF", "guobiao")
        >>> completed.missing, len(completed.tiles)
        (1, 0)

    `tiles` are the kinds that may have completed them, each with its scores (`left` counts the own copy too); none if
    they are not a win. Then `missing` is how many of them must be exchanged, and `spare` are the kinds that can be
    discarded without falling back.
    """

    hand: Hand
    book: Rulebook
    tiles: tuple[Wait, ...]
    missing: int
    spare: tuple[Tile, ...]

    def headline(self) -> Text:
        """Say which tile is asked for, or how many are missing."""
        if self.tiles:
            if any(wait.can_win for wait in self.tiles):
                return Text("可和。和张是哪张？", "This is a win. Which tile completed it?")
            return Text(
                "成和牌形，但不够起和。和张是哪张？", "A winning shape below the minimum. Which tile completed it?"
            )
        zh, en = no_shape(self.book, self.hand).text
        state = readiness_text(self.missing)
        if self.missing == 1:
            state = Text("打一张就听牌", "one discard leaves it ready")
        return Text(
            f"{zh}{state.zh}，多余 {'、'.join(SIMPLIFIED[kind] for kind in self.spare)}。",
            f"{en} {state.en[0].upper()}{state.en[1:]}; to spare: {', '.join(NAMES[kind] for kind in self.spare)}.",
        )

    def __str__(self) -> str:
        return "\n".join([str(self.headline()), *(f"  {wait}" for wait in self.tiles)])

    def __repr__(self) -> str:
        return f"Completed({str(self.hand)!r}: {' '.join(str(wait.tile) for wait in self.tiles) or self.headline()})"

    def _repr_html_(self) -> str:
        from quepu.scoring.notebook import completed_html

        return completed_html(self)

    def to_json(self, lang: str = "zh") -> dict[str, Any]:
        """Return plain data."""
        return {
            "complete": bool(self.tiles),
            "sentence": self.headline().say(lang),
            "tiles": [wait.to_json(lang) for wait in self.tiles],
            "missing": self.missing,
            "spare": [NAMES[kind] for kind in self.spare],
        }


def completion(hand: Hand, book: Rulebook) -> Completed:
    """Return the completion of fourteen tiles, none of them marked, under a book.

    Raises:
        HandError: the hand has another number of tiles, or a winning tile.
    """
    if hand.winning is not None or len(hand.concealed) % 3 != 2:
        raise HandError("请给出 14 张牌，不标和张。", "give fourteen tiles, with no winning tile marked.")
    kinds = sorted(set(hand.concealed))
    missing = hand_missing(hand, book.shapes)
    if missing == 0:
        return Completed(hand, book, tuple(wait_of(_without(hand, kind), book, kind, 1) for kind in kinds), 0, ())
    nearest = {kind: hand_missing(_without(hand, kind), book.shapes) for kind in kinds}
    least = min(nearest.values())
    return Completed(hand, book, (), least, tuple(TILES[kind] for kind in kinds if nearest[kind] == least))


def _without(hand: Hand, kind: int) -> Hand:
    """Return the other thirteen tiles."""
    rest = list(hand.concealed)
    rest.remove(kind)
    return hand._replace(concealed=tuple(rest))

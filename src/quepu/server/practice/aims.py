"""Aims of a hand: the ready hands that its discards lead to, and what each is worth.

The worth of an aim is exact: over the tiles left that it can win with, the sum of the points of a win by discard.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from quepu.errors import Text, many
from quepu.scoring.score import Score
from quepu.scoring.waits import Outlook
from quepu.tiles import NAMES, SIMPLIFIED, Tile

CLEARLY = 1.2
"""The best aim is worth at least so many times as much as any other, or the question is not asked."""


class Aim(NamedTuple):
    """A ready hand to go for: the discard, the fans that tell it from the other aims, tiles that win, their points."""

    tile: Tile
    fans: tuple[str, ...]
    tiles: int
    worth: int
    look: Outlook

    @property
    def key(self) -> str:
        """The fans as one text, by which the aim is chosen."""
        return "+".join(self.fans)

    def text(self) -> Text:
        """Say how the worth is computed."""
        tiles = [wait.tile for wait in self.look.waits if wait.left and wait.can_win]
        zh, en = "".join(SIMPLIFIED[tile] for tile in tiles), " ".join(NAMES[tile] for tile in tiles)
        mean = self.worth / self.tiles
        return Text(
            f"打{SIMPLIFIED[self.tile]}听{zh}，{self.tiles} 张，平均 {mean:.3g} 分，合计 {self.worth}",
            f"discard {NAMES[self.tile]}, wait for {en}: {many(self.tiles, 'tile')} at {mean:.3g} points, "
            f"{self.worth} in all",
        )


def find_aims(ready: Mapping[Tile, Outlook]) -> list[Aim]:
    """Return the aims of a hand, the most valuable first; of aims with the same fans, the better one.

    An aim's fans are those of its most valuable win that not every aim has. None if a hand without any is the best.
    """
    lines: list[tuple[Tile, Outlook, list[tuple[int, Score]]]] = []
    for tile, look in ready.items():
        scores = [(wait.left, wait.by_discard) for wait in look.waits if wait.left]
        wins = [(left, score) for left, score in scores if score is not None and score.can_win]
        if wins:
            lines.append((tile, look, wins))
    fans = [[fan.name for fan in max(wins, key=lambda win: win[1].total)[1].fans] for _, _, wins in lines]
    common = set.intersection(*map(set, fans)) if fans else set()
    found: dict[str, Aim] = {}
    nameless = 0  # the worth of the best ready hand without fans of its own
    for (tile, look, wins), names in zip(lines, fans, strict=True):
        own = tuple(name for name in names if name not in common)
        worth = sum(left * score.total for left, score in wins)
        aim = Aim(tile, own, sum(left for left, _ in wins), worth, look)
        if not own:
            nameless = max(nameless, worth)
        elif aim.key not in found or found[aim.key].worth < worth:
            found[aim.key] = aim
    aims = sorted(found.values(), key=lambda aim: (-aim.worth, aim.tile))
    return aims if aims and aims[0].worth >= CLEARLY * nameless else []


def is_clear(aims: list[Aim]) -> bool:
    """Return whether there is a choice, and one aim is clearly the best."""
    return len(aims) > 1 and aims[0].worth >= CLEARLY * aims[1].worth

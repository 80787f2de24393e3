"""Open melds before the seats, and how many copies of each kind they and the rivers show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from quepu.hands.hand import Meld
from quepu.table.wall import TILE_NAMES
from quepu.tiles import WINDS


class OpenMeld(NamedTuple):
    """A meld on the table: which tile was claimed for it (None: none), and from which seat (None: none).

    `added`: the fourth tile was added to a pung.
    """

    meld: Meld
    claimed: int | None = None
    source: int | None = None
    added: bool = False
    hidden: bool = False
    """Whether it is a concealed kong that lies face down for this viewer; its tile is then arbitrary."""

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        data: dict[str, Any] = {
            "kind": self.meld.kind.name.lower(),
            "tiles": "" if self.hidden else "".join(TILE_NAMES[kind] for kind in self.meld.tiles),
        }
        if self.source is not None and self.claimed is not None:
            data["claimed"] = TILE_NAMES[self.claimed]
            data["from"] = WINDS[self.source]
        if self.added:
            data["added"] = True
        return data


def visible(rivers: Iterable[Iterable[int]], melds: Iterable[Iterable[OpenMeld]]) -> list[int]:
    """Count the visible copies of each of the 42 kinds, in rivers and melds."""
    seen = [0] * len(TILE_NAMES)
    for river in rivers:
        for kind in river:
            seen[kind] += 1
    for of_seat in melds:
        for shown in of_seat:
            if not shown.hidden:
                for kind in shown.meld.tiles:
                    seen[kind] += 1
    return seen

"""Time for a move and in reserve: who has used it up, and when somebody next will have."""

from __future__ import annotations

import time
from collections.abc import Iterable

from quepu.server.rooms.places import SeatSlot


class Clock:
    """The clock of a room: `move` seconds for each move, `bank` in reserve for a hand; both 0: no clock.

    Where bots alone play with one person it does not run either: see `Room.timed`.
    """

    def __init__(self, move: float, bank: float) -> None:
        self.move = move
        self.bank = bank
        self.since = time.monotonic()  # when those who act now began

    @property
    def runs(self) -> bool:
        """Whether there is a clock."""
        return self.move + self.bank > 0

    def restart(self) -> None:
        """Time runs for those who act now."""
        self.since = time.monotonic()

    def fill(self, places: Iterable[SeatSlot]) -> None:
        """A new hand: everybody has the whole reserve again."""
        for place in places:
            place.bank = self.bank

    def charge(self, place: SeatSlot) -> None:
        """Take what a move took beyond its time out of the reserve."""
        over = time.monotonic() - self.since - self.move
        place.bank = max(0.0, place.bank - max(0.0, over))

    def end(self, place: SeatSlot) -> float:
        """Time at which this place will have used up everything."""
        return self.since + self.move + place.bank

    def to_json(self, place: SeatSlot) -> dict[str, float]:
        """As plain data; `used`: seconds since."""
        return {"move": self.move, "bank": round(place.bank, 1), "used": round(time.monotonic() - self.since, 1)}

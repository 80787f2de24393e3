"""The listeners of a room: four places with their connections, and spectators."""

from __future__ import annotations

import time
from collections.abc import Sequence

from quepu.server.rooms.messages import Message
from quepu.server.rooms.places import UNREAD, Listener, SeatSlot


class Audience:
    """The listeners of a room."""

    def __init__(self, places: Sequence[SeatSlot]) -> None:
        self.places = places
        self.spectators: set[Listener] = set()

    def everybody(self) -> list[Listener]:
        """All of them."""
        return [*(listener for place in self.places for listener in place.listeners), *self.spectators]

    def send(self, message: Message) -> None:
        """Send the same to all."""
        for listener in self.everybody():
            listener.send(message)

    def join(self, listener: Listener) -> None:
        """Add a listener."""
        if listener.place is None:
            self.spectators.add(listener)
        else:
            place = self.places[listener.place]
            place.quit = place.away = place.silent = False
            place.missed = 0
            place.listeners.add(listener)

    def leave(self, listener: Listener) -> None:
        """Remove a listener; a place without any remembers since when."""
        self.spectators.discard(listener)
        if listener.place is not None:
            place = self.places[listener.place]
            place.listeners.discard(listener)
            if not place.listeners:
                place.left_at = time.monotonic()

    def close(self, code: int = UNREAD) -> None:
        """End every connection."""
        for listener in self.everybody():
            listener.close(code)

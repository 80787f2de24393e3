"""The start of a match that plays on from a replay."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from quepu.match.log import Replay
from quepu.match.reader import read_log
from quepu.match.seats import RoundPosition
from quepu.rules.rulebook import Rulebook
from quepu.server.http.messages import ReplayStart
from quepu.table import Table


class StartPosition:
    """A position of a replay. `lines` are of a log that breaks off there: they stand in the store with the room.

    `alone`: the match is over after this hand. The replay is only named; nothing here changes it.
    """

    def __init__(self, shown: ReplayStart, lines: tuple[str, ...], book: Rulebook) -> None:
        self.shown = shown
        self.lines = lines
        self.book = book

    @classmethod
    def load(cls, stored: Any, book: Rulebook) -> StartPosition | None:
        """The start of a stored room; None for one that began with a deal."""
        if stored is None:
            return None
        return cls(ReplayStart.model_validate(stored["shown"]), tuple(stored["lines"]), book)

    def to_json(self) -> dict[str, Any]:
        """The start as it is stored."""
        return {"shown": self.shown.model_dump(), "lines": list(self.lines)}

    @cached_property
    def _log(self) -> Replay:
        return read_log(self.lines, self.book, unfinished=True)

    @property
    def alone(self) -> bool:
        """Whether the match is over after this hand."""
        return self.shown.alone

    @property
    def place(self) -> RoundPosition:
        """The place of the hand in its match."""
        return self._log.hands[0].place

    def table(self) -> Table:
        """The table of that moment, to be played on."""
        return self._log.hands[0].table(self._log.book)

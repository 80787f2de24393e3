"""A table that stops after every discard, so that nobody can tell from the pace who could have claimed it."""

from __future__ import annotations

from quepu.table import Table


class HeldTable(Table):
    """Stops before what follows when nobody claims: after a discard, and after a kong that could have been robbed.

    While `held` it looks to everybody as if claims were open, and asks nobody; `go_on` lets it draw.
    """

    __slots__ = ()

    @property
    def held(self) -> bool:
        """Whether it waits for `go_on`."""
        return self._offer == "held"

    def go_on(self) -> None:
        """Draw, or replace, or end the hand: what follows when nobody has claimed."""
        last = self.events[-1]
        self._offer = ""
        self.board.offer = self.board.offerer = -1
        if last.e == "discard":
            super()._draw((last.seat + 1) & 3)
        else:
            super()._replace(last.seat)

    def _draw(self, seat: int) -> None:
        last = self.events[-1]
        if last.e == "discard":
            self._open("held", {}, last.seat, last.tile)
        else:
            super()._draw(seat)

    def _replace(self, seat: int) -> None:
        last = self.events[-1]
        if last.e == "added" or (last.e == "concealed" and self.rules.table.concealed_kong_robbed_by):
            self._open("held", {}, last.seat, last.tile)
        else:
            super()._replace(seat)

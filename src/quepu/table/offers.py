"""An offer: a choice of several seats at once, and which of their answers stands."""

from __future__ import annotations

from quepu.table.actions import PASS, Action, ActionKind
from quepu.table.legal import Claims
from quepu.table.luck import BY_OPENING, Chance

_RANK = {
    ActionKind.WIN: 30, ActionKind.KONG: 20, ActionKind.PUNG: 20, ActionKind.CHOW: 10, ActionKind.READY: 5,
    ActionKind.PASS: 0,
}  # fmt: skip


class Offer:
    """A choice offered to several seats at once, until everybody who matters has answered.

    `claims` are those who have not answered yet, `answers` what was claimed: rank, seat, action. `tile` (None: none) is
    what `seat` has put down.
    """

    __slots__ = ("answers", "chance", "claims", "seat", "tile")

    def __init__(self, chance: Chance, claims: Claims, seat: int, tile: int | None) -> None:
        self.chance = chance
        self.claims = claims
        self.seat = seat
        self.tile = tile
        self.answers: list[tuple[int, int, Action]] = []

    def copy(self) -> Offer:
        """The same offer, to be answered apart."""
        made = Offer(self.chance, dict(self.claims), self.seat, self.tile)
        made.answers = self.answers[:]
        return made

    def answer(self, seat: int, chosen: Action) -> bool:
        """Count an answer; whether no other that is awaited could still change what follows."""
        del self.claims[seat]
        if chosen is not PASS and chosen.do is not ActionKind.PASS:
            rank = self._rank(seat, chosen) if chosen.do is not ActionKind.READY else 0
            self.answers.append((rank, seat, chosen))
        if not self.claims:
            return True
        if self.chance is BY_OPENING or not self.answers:
            return False
        best = max(self.answers)[0]
        return not any(self._rank(other, options[0]) > best for other, options in self.claims.items())

    def _rank(self, seat: int, action: Action) -> int:
        """Return which claim goes before which; of the same kind the one next in turn."""
        return _RANK[action.do] - (seat - self.seat & 3)

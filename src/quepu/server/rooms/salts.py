"""Salts that the people at a table put into its next wall: each commits to one, and shows it when all have.

Nobody can hold the table up: who does not show his salt in time is left out of this wall, and who does so twice in a
match is left out from then on. Bots and people who are away put nothing in.
"""

from __future__ import annotations

from collections.abc import Iterable

from quepu.server.rooms.places import RoomError
from quepu.table.mixed_wall import COMMITMENT, SALT, Sealed, committed

SHOWN_WITHIN = 3.0
"""Seconds for salts to be shown once all commitments are."""
MOST_WITHHELD = 2
"""Salts of one place that may be missing in a match before nobody waits for it any more."""


class Salts:
    """Commitments to the next wall, and salts to the one that is sealed, by place ("": none)."""

    def __init__(self) -> None:
        self._commitments = [""] * 4
        self._salts = [""] * 4
        self._withheld = [0] * 4

    def forget(self, at: int) -> None:
        """Drop what a place committed to: it is somebody else's now."""
        self._commitments[at] = self._salts[at] = ""
        self._withheld[at] = 0

    def hear(self, at: int, salt: str | None, commitment: str | None, sealed: Sealed | None) -> None:
        """Take a place's `salt` for the wall that is sealed, its `commitment` for the next one, or both.

        Raises:
            RoomError: it is none, or not the one that was committed to; nothing of it is taken then.
        """
        if commitment is not None and not COMMITMENT.fullmatch(commitment):
            raise RoomError("承诺应是 64 位十六进制数。", "a commitment is 64 hexadecimal digits.")
        if salt is not None:
            if not SALT.fullmatch(salt):
                raise RoomError("盐应是 32 位十六进制数。", "a salt is 32 hexadecimal digits.")
            wanted = sealed.commitments[at] if sealed is not None else ""
            if wanted and committed(at, salt) != wanted:
                raise RoomError("这不是所承诺的盐。", "this is not the salt that was committed to.")
            if wanted:  # else it is late, which is nobody's mistake
                self._salts[at] = salt
        if commitment is not None:
            self._commitments[at] = commitment

    def uncommitted(self, places: Iterable[int]) -> bool:
        """Whether one of these places has committed to nothing."""
        return not all(self._commitments[at] for at in places)

    def sealed(self) -> list[str]:
        """The commitments for a wall that is sealed now; each is good for one wall."""
        taken = [
            "" if withheld >= MOST_WITHHELD else commitment
            for commitment, withheld in zip(self._commitments, self._withheld, strict=True)
        ]
        self._commitments = [""] * 4
        return taken

    def missing(self, sealed: Sealed) -> list[int]:
        """The places that committed to a salt and have not shown it."""
        return [at for at, commitment in enumerate(sealed.commitments) if commitment and not self._salts[at]]

    def taken(self, sealed: Sealed) -> list[str]:
        """The salts for the wall that is dealt now."""
        for at in self.missing(sealed):
            self._withheld[at] += 1
        salts, self._salts = self._salts, [""] * 4
        return salts

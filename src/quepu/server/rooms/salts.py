"""Salts of the people at a table for its next wall: each commits to one, and reveals it when all have committed.

No player can hold up the table: one who does not reveal the salt in time is left out of this wall, and one who does so
twice in a match is left out from then on. Bots and absent people add none.
"""

from __future__ import annotations

from collections.abc import Iterable

from quepu.server.rooms.places import RoomError
from quepu.table.mixed_wall import COMMITMENT, SALT, Sealed, commit_to

SHOWN_WITHIN = 3.0
"""Seconds in which salts must be revealed once all commitments are published."""
MOST_WITHHELD = 2
"""Salts of one place that may be withheld in a match before it is no longer waited for."""


class Salts:
    """Commitments to the next wall, and salts for the sealed one, by place ("": none)."""

    def __init__(self) -> None:
        self._commitments = [""] * 4
        self._salts = [""] * 4
        self._withheld = [0] * 4

    def forget(self, at: int) -> None:
        """Drop a place's commitment: the place has changed hands."""
        self._commitments[at] = self._salts[at] = ""
        self._withheld[at] = 0

    def hear(self, at: int, salt: str | None, commitment: str | None, sealed: Sealed | None) -> None:
        """Take a place's `salt` for the sealed wall, its `commitment` for the next one, or both.

        Raises:
            RoomError: one is malformed, or the salt does not match its commitment; then neither is taken.
        """
        if commitment is not None and not COMMITMENT.fullmatch(commitment):
            raise RoomError("承诺应是 64 位十六进制数。", "a commitment must be 64 hexadecimal digits.")
        if salt is not None:
            if not SALT.fullmatch(salt):
                raise RoomError("盐应是 32 位十六进制数。", "a salt must be 32 hexadecimal digits.")
            wanted = sealed.commitments[at] if sealed is not None else ""
            if wanted and commit_to(at, salt) != wanted:
                raise RoomError("这不是所承诺的盐。", "this is not the salt that was committed to.")
            if wanted:  # otherwise it is late, which is not a mistake
                self._salts[at] = salt
        if commitment is not None:
            self._commitments[at] = commitment

    def lacks_commitment(self, places: Iterable[int]) -> bool:
        """Return whether one of these places has no commitment."""
        return not all(self._commitments[at] for at in places)

    def seal(self) -> list[str]:
        """Return the commitments for a wall that is sealed now; each is valid for one wall."""
        taken = [
            "" if withheld >= MOST_WITHHELD else commitment
            for commitment, withheld in zip(self._commitments, self._withheld, strict=True)
        ]
        self._commitments = [""] * 4
        return taken

    def missing(self, sealed: Sealed) -> list[int]:
        """Return the places that committed to a salt and have not revealed it."""
        return [at for at, commitment in enumerate(sealed.commitments) if commitment and not self._salts[at]]

    def take_salts(self, sealed: Sealed) -> list[str]:
        """Return the salts for the wall that is dealt now."""
        for at in self.missing(sealed):
            self._withheld[at] += 1
        salts, self._salts = self._salts, [""] * 4
        return salts

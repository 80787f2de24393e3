"""A wall that no single party chooses: derived from the dealer's secret and a salt of each player.

Each party first commits by SHA-256: the dealer to the secret, each player to a salt. Once all commitments are
published, the salts are revealed and the wall follows from everything; the secret is revealed after the hand.
docs/guide/fair-walls.md says why.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import struct
from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

from quepu.table.wall import Wall, WallError
from quepu.tiles import PLAIN, TileSet

SALT = re.compile("[0-9a-f]{32}")
COMMITMENT = SECRET = re.compile("[0-9a-f]{64}")
NO_SALTS = ("", "", "", "")
_WORDS = 1 << 32


class Sealed(NamedTuple):
    """A sealed deal: the hand's number, the secret, and each player's commitment ("": none).

    Published without the secret; only its `commitment` is shown.
    """

    number: int
    secret: str
    commitments: tuple[str, str, str, str]

    @property
    def commitment(self) -> str:
        """The commitment to the secret."""
        return commit_to("secret", self.secret)


def commit_to(whose: int | str, text: str) -> str:
    """Return the commitment to a salt of a player (0 to 3), or to the secret (`whose` is "secret")."""
    return hashlib.sha256(f"{whose} {text}".encode()).hexdigest()


def seal(number: int, commitments: Sequence[str] = NO_SALTS) -> Sealed:
    """Create a new secret for a hand, with the players' commitments."""
    a, b, c, d = commitments
    return Sealed(number, secrets.token_hex(32), (a, b, c, d))


def mix_wall(number: int, secret: str, salts: Sequence[str], tiles: TileSet = PLAIN, own: bool = False) -> Wall:
    """Return the wall and dice of a secret and four salts ("": none); they never change."""
    words = _words(f"{number} {secret} {' '.join(salts)}")
    order = list(tiles.tiles)
    for last in range(len(order) - 1, 0, -1):
        at = _below(last + 1, words)
        order[at], order[last] = order[last], order[at]
    a, b, c, d = (1 + _below(6, words) for _ in range(4))
    return Wall(tuple(order), (a, b, c, d), own)


def _words(text: str) -> Iterator[int]:
    """Yield big-endian words of 32 bits from SHA-256 of a text and a counter."""
    for block in count():
        digest = hashlib.sha256(f"{text} {block}".encode()).digest()
        yield from struct.unpack(">8I", digest)


def _below(bound: int, words: Iterator[int]) -> int:
    fair = _WORDS - _WORDS % bound  # words from here on would make small numbers more likely
    return next(word for word in words if word < fair) % bound


def read_sealed(number: int, secret: str, commitments: Sequence[str], commitment: str) -> Sealed:
    """Read a recorded `Sealed`.

    Raises:
        WallError: the secret does not match its commitment, or a commitment is malformed.
    """
    if not SECRET.fullmatch(secret) or not all(one == "" or COMMITMENT.fullmatch(one) for one in commitments):
        raise WallError("封存的密数或承诺写得不对。", "the secret or a commitment is not written as it should be.")
    if len(commitments) != 4:
        raise WallError("封存的承诺应有四位玩家的。", "there is a commitment for each of the four players.")
    found = Sealed(number, secret, (commitments[0], commitments[1], commitments[2], commitments[3]))
    if not secrets.compare_digest(found.commitment, commitment):
        raise WallError(
            "揭示的密数与开局前的承诺不符。", "the revealed secret does not match the commitment made before the deal."
        )
    return found


def verify_mixed(wall: Wall, sealed: Sealed, salts: Sequence[str]) -> None:
    """Check a wall against everything committed to before the deal.

    Raises:
        WallError: a salt does not match its commitment, or the wall does not follow from secret and salts.
    """
    if len(salts) != 4:
        raise WallError("应有四位玩家的盐。", "there is a salt for each of the four players.")
    for player, salt in enumerate(salts):
        if salt != "" and (not SALT.fullmatch(salt) or commit_to(player, salt) != sealed.commitments[player]):
            raise WallError(
                f"第 {player + 1} 位玩家的盐与他的承诺不符。",
                f"the salt of player {player + 1} is not the one committed to.",
            )
    tiles = TileSet.of(wall.tiles)
    if tiles is None or mix_wall(sealed.number, sealed.secret, salts, tiles, wall.own) != wall:
        raise WallError("牌墙不是由密数和盐得出的。", "the wall does not follow from the secret and the salts.")

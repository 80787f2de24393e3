"""The same shared walls at all tables of a round: derived from one secret, committed to before and revealed after.

A file of them is {"quepu": "walls", "title", "round", "commitment", "secret", "tiles": how many a wall has,
"walls": [{"hand": 1, "wall": "…", "dice": [a, b, c, d]}, …]}.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quepu.table.mixed_wall import NO_SALTS, SECRET, commit_to, mix_wall
from quepu.table.wall import WallError, read_wall
from quepu.tiles import TileSet


def commitment_to(secret: str) -> str:
    """Return the commitment published before the round."""
    return commit_to("secret", secret)


def wall_file(title: str, round: int, secret: str, hands: int, tiles: TileSet) -> dict[str, Any]:
    """Return the file of all walls of a round."""
    walls = [mix_wall(number, secret, NO_SALTS, tiles) for number in range(1, hands + 1)]
    return {
        "quepu": "walls",
        "title": title,
        "round": round,
        "commitment": commitment_to(secret),
        "secret": secret,
        "tiles": tiles.size,
        "walls": [
            {"hand": number, "wall": wall.text(), "dice": list(wall.dice)} for number, wall in enumerate(walls, 1)
        ],
    }


def verify_walls(data: Mapping[str, Any]) -> int:
    """Check a file of walls against the commitment published before the round; return the number of walls.

    Raises:
        WallError: the secret does not match the commitment, or a wall does not follow from it.
    """
    secret, walls = data.get("secret"), data.get("walls")
    if not isinstance(secret, str) or not SECRET.fullmatch(secret) or not isinstance(walls, list) or not walls:
        raise WallError("没有密数或牌墙：这一轮还没有揭示。", "there is no secret or wall: the round is not shown yet.")
    if commitment_to(secret) != data.get("commitment"):
        raise WallError(
            "揭示的密数与开轮前的承诺不符。", "the secret is not the one that was committed to before the round."
        )
    for number, one in enumerate(walls, 1):
        try:
            wall = read_wall(one["wall"], one["dice"])
            right = one["hand"] == number
        except (KeyError, TypeError, IndexError):
            right = False
        tiles = TileSet.of(wall.tiles) if right else None
        if tiles is None or mix_wall(number, secret, NO_SALTS, tiles) != wall:
            raise WallError(f"第 {number} 副牌墙不是由密数得出的。", f"wall {number} does not follow from the secret.")
    return len(walls)

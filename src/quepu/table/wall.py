"""The wall: stacks before each player, the four dice, where the deal begins, and the order of drawing.

Source: 灵雀 v29, 配牌 ("庄家首先掷骰 … 确定开牌方位 … 然后由开牌家掷骰 … 南家面前从右往左第 12 墩为岭上（墙尾），
配牌从第 13 墩开始 … 若开牌家面前牌墙墩数不足四枚骰子之和，则开牌位置顺延至开牌家上家面前的牌墙"); the tail gives the
upper tile of a stack first (国标: 从牌墙末端补牌（先上后下）).
"""

from __future__ import annotations

import hashlib
import random
import re
import secrets
from collections import Counter
from collections.abc import Sequence
from functools import cache, partial
from typing import NamedTuple

from quepu.errors import Error
from quepu.tiles import FIRST_FLOWER, FLOWERS, KINDS, NAMES

TILES = tuple(kind for kind in range(KINDS) for _ in range(4))
FLOWER_TILES = tuple(range(FIRST_FLOWER, FIRST_FLOWER + len(FLOWERS)))
TILE_NAMES = (*NAMES, *FLOWERS)
"""The name of each of the 42 kinds as logs write it: 1m … P, 春 … 菊."""
_NUMBER = {name: kind for kind, name in enumerate(TILE_NAMES)}
_TILE = re.compile("[1-9][mps]|[ESWNCFP]|[" + "".join(FLOWERS) + "]")


class WallError(Error):
    """A wall that cannot be one: wrong tiles, wrong dice, or not the one that was promised."""


class Wall(NamedTuple):
    """A built wall and the dice thrown for it.

    `tiles` go stack by stack, the upper tile of each first: East's side from his right to his left, then North's,
    West's and South's, as the tiles are taken. `dice` are the dealer's two and the opener's two.
    """

    tiles: tuple[int, ...]
    dice: tuple[int, int, int, int]

    @property
    def stacks(self) -> int:
        """Stacks before each player: 17, or 18 with flowers."""
        return len(self.tiles) // 8

    @property
    def opener(self) -> int:
        """Whose wall is opened: 5 and 9 East's, 2 6 10 South's, 3 7 11 West's, 4 8 12 North's."""
        return (self.dice[0] + self.dice[1] - 1) % 4

    @property
    def opening(self) -> tuple[int, int]:
        """The seat and the stack (1 is its rightmost) where the deal begins; the stack before it is the tail."""
        return opening_of(self.dice, self.stacks)

    @property
    def tail(self) -> tuple[int, int]:
        """The seat and the stack (1 is its rightmost) that is the tail of the wall (岭上)."""
        side, stack = divmod((self._start() - 1) % (4 * self.stacks), self.stacks)
        return -side % 4, stack + 1

    def _start(self) -> int:
        return _start_of(self.dice, self.stacks)

    def order(self) -> list[int]:
        """The tiles in the order of drawing, from the first dealt to the tail."""
        at = 2 * self._start()
        return [*self.tiles[at:], *self.tiles[:at]]

    def text(self) -> str:
        """The tiles as one string of names."""
        return "".join(map(TILE_NAMES.__getitem__, self.tiles))


def _start_of(dice: tuple[int, int, int, int], stacks: int) -> int:
    """The first stack dealt, counted from East's rightmost as the wall is taken."""
    return (-(dice[0] + dice[1] - 1) % 4 * stacks + sum(dice)) % (4 * stacks)


def opening_of(dice: tuple[int, int, int, int], stacks: int) -> tuple[int, int]:
    """`Wall.opening` of a wall with that many stacks a side, of which nothing else is known."""
    side, stack = divmod(_start_of(dice, stacks), stacks)
    return -side % 4, stack + 1


def wall_drawn(order: Sequence[int], dice: tuple[int, int, int, int]) -> Wall:
    """The wall whose tiles are drawn in this order under these dice: `Wall.order` the other way round."""
    at = len(order) - 2 * Wall(tuple(order), dice)._start()
    return Wall((*order[at:], *order[:at]), dice)


@cache
def dealt_places(seat: int) -> tuple[int, ...]:
    """Where the thirteen tiles dealt to a seat lie in the order of drawing: three times four, then one."""
    at = 4 * seat
    return (*range(at, at + 4), *range(at + 16, at + 20), *range(at + 32, at + 36), 48 + seat)


def head_place(size: int, front: int, back: int) -> int:
    """Where the next tile from the head lies, with `front` tiles gone from the head and `back` from the tail."""
    # the last tile of all may be the lower one of a stack whose upper one went to a kong
    return front + (back & 1 and front == size - back - 1)


def tail_place(size: int, front: int, back: int) -> int:
    """Where the next tile from the tail lies: the upper tile of a stack first."""
    # one tile may be left of a stack whose upper one was drawn from the head
    return max(size - back - (0 if back & 1 else 2), front)


def read_wall(text: str, dice: Sequence[int]) -> Wall:
    """A wall from `Wall.text` and its dice.

    Raises:
        WallError: not 136 or 144 right tiles, or dice that are none.
    """
    names = _TILE.findall(text)
    if "".join(names) != text:
        raise WallError("牌墙里有认不出的牌。", "the wall has something in it that is no tile.")
    return check_wall(Wall(tuple(_NUMBER[name] for name in names), (dice[0], dice[1], dice[2], dice[3])))


def check_wall(wall: Wall) -> Wall:
    """The wall itself, if it holds every tile of a set once and its dice are dice.

    Raises:
        WallError: it does not.
    """
    have = Counter(wall.tiles)
    plain, flowered = Counter(TILES), Counter((*TILES, *FLOWER_TILES))
    if have not in (plain, flowered):
        raise WallError(
            f"牌墙应是一副完整的 136 或 144 张牌，现有 {len(wall.tiles)} 张且牌种不符。",
            f"a wall holds one whole set of 136 or 144 tiles; these {len(wall.tiles)} are none.",
        )
    if len(wall.dice) != 4 or not all(isinstance(die, int) and 1 <= die <= 6 for die in wall.dice):
        raise WallError("骰子应是四个 1 到 6 的数。", f"the dice are four numbers from 1 to 6, not {list(wall.dice)}.")
    return wall


def wall_from(rng: random.Random, flowers: bool = False) -> Wall:
    """A wall and dice out of this generator (what it gives for a seed never changes)."""
    draw = rng.random
    numbers = iter(draw, None)  # one for each tile: `next` takes the tile for a default that is never needed
    tiles = sorted((*TILES, *FLOWER_TILES) if flowers else TILES, key=partial(next, numbers))
    return Wall(tuple(tiles), (int(draw() * 6) + 1, int(draw() * 6) + 1, int(draw() * 6) + 1, int(draw() * 6) + 1))


def make_wall(seed: int | str, hand: int = 0, *, flowers: bool = False) -> Wall:
    """The wall of a match's seed and the number of the hand in it."""
    return wall_from(random.Random(f"quepu {seed} {hand}"), flowers)  # people get secret_wall


def secret_wall(flowers: bool = False) -> tuple[Wall, str]:
    """A wall from the operating system's random source, and a salt: for play between people."""
    return wall_from(secrets.SystemRandom(), flowers), secrets.token_hex(16)


def commitment(wall: Wall, salt: str) -> str:
    """What may be shown before the deal: a hash of wall, dice and salt. Shown again with them, it proves them."""
    dice = "".join(map(str, wall.dice))
    return hashlib.sha256(f"{wall.text()} {dice} {salt}".encode()).hexdigest()


def verify(wall: Wall, salt: str, promised: str) -> None:
    """Check a revealed wall against what was promised before the deal.

    Raises:
        WallError: it is another wall.
    """
    if not secrets.compare_digest(commitment(wall, salt), promised):
        raise WallError("揭示的牌墙与开局前的承诺不符。", "the wall revealed is not the one that was promised.")

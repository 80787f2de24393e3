"""The wall: stacks before each player, the four dice, where the deal begins, and the order of drawing.

A wall may also be four own walls, as in duplicate play: each seat draws from a quarter of its own, so what a seat draws
does not depend on the claims of others.

Source: 灵雀 v29, 配牌 ("庄家首先掷骰 … 确定开牌方位 … 然后由开牌家掷骰 … 南家面前从右往左第 12 墩为岭上（墙尾），
配牌从第 13 墩开始 … 若开牌家面前牌墙墩数不足四枚骰子之和，则开牌位置顺延至开牌家上家面前的牌墙"); the tail gives the
upper tile of a stack first (国标: 从牌墙末端补牌（先上后下）).
"""

from __future__ import annotations

import hashlib
import random
import re
import secrets
from collections.abc import Sequence
from functools import cache, partial
from typing import NamedTuple

from quepu.errors import Error
from quepu.rules.play_rules import TableRules
from quepu.tiles import FLOWERS, NAMES, PLAIN, TileSet

TILE_NAMES = (*NAMES, *FLOWERS)
"""The name of each of the 42 kinds as logs write it: 1m … P, 春 … 菊."""
_NUMBER = {name: kind for kind, name in enumerate(TILE_NAMES)}
_TILE = re.compile("[1-9][mps]|[ESWNCFP]|[" + "".join(FLOWERS) + "]")


class WallError(Error):
    """An invalid wall: wrong tiles, wrong dice, or not the one that was committed to."""


class Wall(NamedTuple):
    """A built wall and the dice thrown for it.

        >>> import quepu
        >>> from quepu.table import make_wall
        >>> wall = make_wall(7)
        >>> len(wall.tiles), len(wall.dice)
        (136, 4)

    `tiles` go stack by stack, the upper tile of each first: East's side from East's right to left, then North's, West's
    and South's, as the tiles are taken. `dice` are the dealer's two and the opener's two. If `own`, they are four own
    walls instead: East's tiles as East draws them, then South's, West's and North's; the dice then mean nothing.
    """

    tiles: tuple[int, ...]
    dice: tuple[int, int, int, int]
    own: bool = False

    def __repr__(self) -> str:
        first = "".join(map(TILE_NAMES.__getitem__, self.tiles[:6]))
        return f"Wall({len(self.tiles)} tiles from {first}…, dice={self.dice}{', own=True' * self.own})"

    @property
    def opener(self) -> int:
        """The seat whose wall is opened: 5 and 9 East's, 2 6 10 South's, 3 7 11 West's, 4 8 12 North's."""
        return (self.dice[0] + self.dice[1] - 1) % 4

    @property
    def opening(self) -> tuple[int, int]:
        """The seat and the stack (1 is its rightmost) where the deal begins; the stack before it is the tail."""
        return opening_of(self.dice, len(self.tiles))

    @property
    def tail(self) -> tuple[int, int]:
        """The seat and the stack (1 is its rightmost) that is the tail of the wall (岭上)."""
        return _stack_at(self._start() - 1, len(self.tiles))

    def _start(self) -> int:
        return _start_of(self.dice, len(self.tiles))

    def order(self) -> list[int]:
        """The tiles in the order of drawing, from the first dealt to the tail; of own walls, one after another."""
        if self.own:
            return list(self.tiles)
        at = 2 * self._start()
        return [*self.tiles[at:], *self.tiles[:at]]

    def text(self) -> str:
        """Return the tiles as one string of names."""
        return "".join(map(TILE_NAMES.__getitem__, self.tiles))


HAND = 13
"""Tiles dealt to each seat."""


class WallPlan(NamedTuple):
    """The plan of a wall of a given size: `dead` tiles stay at its end; replacements are taken from them if `feeds`.

    `own`: four own walls, which have no dead tiles.
    """

    size: int
    dead: int = 0
    feeds: bool = False
    own: bool = False

    @classmethod
    def of(cls, rules: TableRules, size: int, own: bool = False) -> WallPlan:
        """Return the plan of a book's table for a wall of `size` tiles."""
        return cls(size, 0, False, True) if own else cls(size, rules.dead_wall, rules.dead_wall_feeds)

    @property
    def dealt(self) -> int:
        """Tiles dealt to the four seats together."""
        return 4 * HAND

    def piles(self) -> list[int] | None:
        """Return how many tiles each seat's own wall has after the deal; None for one shared wall."""
        return [self.size // 4 - HAND] * 4 if self.own else None

    def dealt_places(self, seat: int) -> tuple[int, ...]:
        """Return the places of a seat's dealt tiles in the order of drawing."""
        first = self.size // 4 * seat
        return tuple(range(first, first + HAND)) if self.own else dealt_places(seat)

    @property
    def sides(self) -> tuple[int, ...]:
        """Stacks before East, South, West and North."""
        east, north, west, south = sides_taken(self.size)
        return (east, south, west, north)


@cache
def sides_taken(size: int) -> tuple[int, int, int, int]:
    """Return the stacks before East, North, West and South (the order of taking): 17 each for 136 tiles, 18 for 144.

    If stacks cannot be shared equally, East has one more, then West, then North: 14 13 14 13 for 108 tiles.
    """
    each, more = divmod(size // 2, 4)
    return (each + (more > 0), each + (more > 2), each + (more > 1), each)


def _start_of(dice: tuple[int, int, int, int], size: int) -> int:
    """Return the first stack dealt, counted from East's rightmost in the order of taking."""
    sides = sides_taken(size)
    return (sum(sides[: -(dice[0] + dice[1] - 1) % 4]) + sum(dice)) % sum(sides)


def _stack_at(number: int, size: int) -> tuple[int, int]:
    """Return the seat and the stack (1 is its rightmost) of a stack counted that way."""
    sides = sides_taken(size)
    number %= sum(sides)
    for side, stacks in enumerate(sides):
        if number < stacks:
            return -side % 4, number + 1
        number -= stacks
    raise AssertionError("a stack lies before somebody")


def opening_of(dice: tuple[int, int, int, int], size: int) -> tuple[int, int]:
    """Return `Wall.opening` for a wall of this size of which only the dice are known."""
    return _stack_at(_start_of(dice, size), size)


def build_wall(order: Sequence[int], dice: tuple[int, int, int, int], own: bool = False) -> Wall:
    """Build the wall that is drawn in this order under these dice, the inverse of `Wall.order`."""
    if own:
        return Wall(tuple(order), dice, own)
    at = len(order) - 2 * Wall(tuple(order), dice)._start()
    return Wall((*order[at:], *order[:at]), dice)


@cache
def dealt_places(seat: int) -> tuple[int, ...]:
    """Return the places of a seat's tiles dealt from a shared wall: three times four, then one."""
    return (*(16 * turn + 4 * seat + i for turn in range(3) for i in range(4)), 48 + seat)


def head_place(size: int, front: int, back: int) -> int:
    """Return the place of the next tile from the head, with `front` tiles gone from it and `back` from the tail."""
    # the last tile may be the lower one of a stack whose upper one replaced a kong
    return front + (back & 1 and front == size - back - 1)


def tail_place(size: int, front: int, back: int) -> int:
    """Return the place of the next tile from the tail: the upper tile of a stack first."""
    # a stack may have one tile left, its upper one having been drawn from the head
    return max(size - back - (0 if back & 1 else 2), front)


def own_place(size: int, seat: int, left: int) -> int:
    """Return the place of the next tile of a seat's own wall with `left` tiles, in a wall of `size` tiles."""
    return size // 4 * (seat + 1) - left


class WallWalk:
    """A walk along a wall: `head()` and `tail()` return the place of the tile that a seat draws, and advance."""

    def __init__(self, plan: WallPlan) -> None:
        self.plan = plan
        self.front = plan.dealt
        self.back = 0
        self.piles: list[int] | None = plan.piles()

    def head(self, seat: int) -> int:
        """Return the place of the tile that the seat draws next, from the head of a shared wall."""
        place = head_place(self.plan.size, self.front, self.back) if self.piles is None else self._own(seat)
        self.front += 1
        return place

    def tail(self, seat: int) -> int:
        """Return the place of the seat's next replacement, from the tail of a shared wall."""
        place = tail_place(self.plan.size, self.front, self.back) if self.piles is None else self._own(seat)
        self.back += 1
        return place

    def _own(self, seat: int) -> int:
        assert self.piles is not None  # noqa: S101  # there are own walls
        self.piles[seat] -= 1
        return own_place(self.plan.size, seat, self.piles[seat] + 1)


def undrawn_places(size: int, front: int, back: int) -> list[int]:
    """List the places of the tiles still in a shared wall, from head to tail."""
    if not back & 1:
        return list(range(front, size - back))
    # the lower tile of the last stack is there unless it was taken from the head
    return [*range(front, size - back - 1), size - back] if size - back - 1 >= front else []


def read_wall(text: str, dice: Sequence[int], tiles: TileSet | None = None, own: bool = False) -> Wall:
    """Read a wall from `Wall.text` and its dice; `tiles` must be in it, flowers aside (None: any whole set).

    Raises:
        WallError: the tiles or the dice are wrong.
    """
    names = _TILE.findall(text)
    if "".join(names) != text:
        raise WallError("牌墙里有认不出的牌。", "the wall contains something that is not a tile.")
    wall = Wall(tuple(_NUMBER[name] for name in names), (dice[0], dice[1], dice[2], dice[3]), own)
    return check_wall(wall, tiles)


def check_wall(wall: Wall, tiles: TileSet | None = PLAIN) -> Wall:
    """Return the wall if it holds every tile of a set once and its dice are valid.

    `tiles` are the set, with flowers or without; None: any whole set.

    Raises:
        WallError: it does not.
    """
    have = TileSet.of(wall.tiles)
    if have is None or (tiles is not None and have != tiles.with_flowers(bool(have.flowers))):
        sizes = [] if tiles is None else [tiles.with_flowers(flowers).size for flowers in (False, True)]
        zh = f" {sizes[0]} 或 {sizes[1]} 张" if sizes else ""
        en = f" of {sizes[0]} or {sizes[1]} tiles" if sizes else ""
        raise WallError(
            f"牌墙应是一副完整的{zh}牌，现有 {len(wall.tiles)} 张且牌种不符。",
            f"a wall holds one whole set{en}; these {len(wall.tiles)} are none.",
        )
    if len(wall.dice) != 4 or not all(isinstance(die, int) and 1 <= die <= 6 for die in wall.dice):
        raise WallError("骰子应是四个 1 到 6 的数。", f"the dice are four numbers from 1 to 6, not {list(wall.dice)}.")
    return wall


def wall_from(rng: random.Random, tiles: TileSet = PLAIN) -> Wall:
    """Return a wall and dice from this generator (the result for a seed never changes)."""
    draw = rng.random
    numbers = iter(draw, None)  # one per tile: `next` takes the tile as a default that is never needed
    order = sorted(tiles.tiles, key=partial(next, numbers))
    return Wall(tuple(order), (int(draw() * 6) + 1, int(draw() * 6) + 1, int(draw() * 6) + 1, int(draw() * 6) + 1))


def make_wall(seed: int | str, hand: int = 0, tiles: TileSet = PLAIN, own: bool = False) -> Wall:
    """Return the wall for a match's seed and a hand's number; `own`: the same tiles as four own walls.

    Examples:
        >>> len(make_wall(7).order()), make_wall(7) == make_wall(7)
        (136, True)
    """
    return wall_from(random.Random(f"quepu {seed} {hand}"), tiles)._replace(own=own)  # people get secret_wall


def secret_wall(tiles: TileSet = PLAIN, own: bool = False) -> tuple[Wall, str]:
    """Return a wall from the operating system's random source, and a salt: for play between people.

    Examples:
        >>> wall, salt = secret_wall()
        >>> len(wall.order())
        136
    """
    return wall_from(secrets.SystemRandom(), tiles)._replace(own=own), secrets.token_hex(16)


def commitment(wall: Wall, salt: str) -> str:
    """Return a commitment to a wall to publish before the deal: a hash of wall, dice and salt, which prove it later.

    Examples:
        >>> wall, salt = secret_wall()
        >>> commitment(wall, salt) == commitment(make_wall(7), salt)
        False
    """
    dice = "".join(map(str, wall.dice))
    form = " own" * wall.own
    return hashlib.sha256(f"{wall.text()} {dice} {salt}{form}".encode()).hexdigest()


def verify(wall: Wall, salt: str, promised: str) -> None:
    """Check a revealed wall against its commitment.

    Raises:
        WallError: it is another wall.
    """
    if not secrets.compare_digest(commitment(wall, salt), promised):
        raise WallError("揭示的牌墙与开局前的承诺不符。", "the revealed wall does not match its commitment.")

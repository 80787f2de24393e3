"""The exact distance of a hand from a win, for every shape: how many tiles it lacks, and which ones help.

"Missing" is the least number of tiles that must still come for the hand to be complete: 0 complete, 1 ready,
steps to ready plus one otherwise. Only the hand's own tiles are looked at, melds included: a kind of which it holds all
four copies cannot come. Whether a book's minimum is reached is computed elsewhere (`quepu.fast.nearest.payable`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec

from quepu.errors import Text, many
from quepu.hands.hand import Hand, Meld
from quepu.hands.suit_tables import KEY, KEY_BITS, KEY_MASK, LEVELS
from quepu.hands.win import meld_planes
from quepu.shapes import SHAPES
from quepu.shapes.automaton import FAR, Tiles
from quepu.tiles import kinds_of


def tiles_of(concealed: Iterable[int], melds: tuple[Meld, ...] = (), luck: int = 0) -> Tiles:
    """Prepare concealed kinds (13 or 14, less three for each meld) and melds for the distances."""
    key = sum(map(KEY.__getitem__, concealed))
    a, b, c, z = (
        LEVELS[key & KEY_MASK], LEVELS[key >> KEY_BITS & KEY_MASK], LEVELS[key >> 2 * KEY_BITS & KEY_MASK],
        LEVELS[key >> 3 * KEY_BITS],
    )  # fmt: skip
    t1, t2 = a[0] | b[0] << 16 | c[0] << 32 | z[0] << 48, a[1] | b[1] << 16 | c[1] << 32 | z[1] << 48
    if not melds:
        return Tiles(key, 4, t1, t2, 0, True, luck)
    mine = meld_planes(melds)
    return Tiles(key, mine.need, t1, t2, mine.key, bool(mine.closed), luck)


@lru_cache(64)
def _measures(shapes: tuple[str, ...]) -> list[tuple[Callable[[Tiles], int] | None, Callable[[Tiles], int]]]:
    """Return the lower bound of each shape, if it has one, and its distance."""
    return [(shape.at_least, shape.distance) for shape in (SHAPES[name] for name in shapes)]


def missing(tiles: Tiles, shapes: tuple[str, ...]) -> int:
    """Return the least number of missing tiles to any of these shapes; FAR if none can be reached."""
    least = FAR
    for at_least, distance in _measures(shapes):
        if at_least is None or at_least(tiles) < least:
            found = distance(tiles)
            least = min(found, least)
    return least


def within(tiles: Tiles, shapes: tuple[str, ...], most: int) -> bool:
    """Return whether any of these shapes is at most `most` tiles away; quicker than `missing`."""
    for name in shapes:
        shape = SHAPES[name]
        if (shape.at_least is None or shape.at_least(tiles) <= most) and shape.distance(tiles) <= most:
            return True
    return False


Look = Callable[[Hand, tuple[str, ...], bool], int | None]
"""Least missing tiles of a hand, and from bit 4 on the plane of its useful kinds if wanted; None if it cannot say."""
_LOADED_AFTER = 20_000
"""Hands after which loading numba has repaid."""


class _Compiled:
    """The compiled loops, once this process has loaded them, and the hands asked about before."""

    look: Look | None = None
    asked = 0


def use_compiled(look: Look) -> None:
    """Have single hands answered by compiled loops from now on."""
    _Compiled.look = look


def hand_missing(hand: Hand, shapes: tuple[str, ...]) -> int:
    """Return the least number of missing tiles of a hand, its winning tile included if it has one."""
    if _Compiled.look is not None and (found := _Compiled.look(hand, shapes, False)) is not None:
        return found & 15
    return missing(_tiles(hand), shapes)


def look(hand: Hand, shapes: tuple[str, ...]) -> tuple[int, int]:
    """Return the least number of missing tiles of a hand, and the plane of the kinds that bring it nearer."""
    if _Compiled.look is not None and (found := _Compiled.look(hand, shapes, True)) is not None:
        return found & 15, found >> 4
    tiles = _tiles(hand)
    now = missing(tiles, shapes)
    return now, useful_plane(tiles, shapes, now)


def _tiles(hand: Hand) -> Tiles:
    _Compiled.asked += 1
    if _Compiled.asked == _LOADED_AFTER and find_spec("numba") is not None:
        import_module("quepu.fast.nearest.distance_code").load()  # by name: all of `fast` stands above
    concealed = hand.concealed if hand.winning is None else (*hand.concealed, hand.winning)
    return tiles_of(concealed, hand.melds, int(hand.luck))


def readiness_text(missing: int) -> Text:
    """Say how far tiles are from waiting for a win (听牌), by shape alone; `missing` is that of this module.

    Every place that shows this distance takes its words from here.
    """
    if missing >= FAR:
        return Text("做不成和牌形", "no winning shape within reach")
    if missing <= 1:
        return Text("听牌", "ready") if missing else Text("成和牌形", "complete")
    return Text(f"差 {missing - 1} 步听牌", f"{missing - 1} from ready")


def win_text(missing: int | None) -> Text:
    """Say how many tiles a hand lacks for a win under its book, which may be farther than the shape.

    None means too far away to count. Every place that shows this distance takes its words from here, too.
    """
    if missing is None or missing >= FAR:
        return Text("离可和太远", "too far from a win")
    if not missing:
        return Text("可和", "valid hand")
    return Text(f"差 {missing} 张可和", f"{many(missing, 'tile')} from a win")


def useful(hand: Hand, shapes: tuple[str, ...]) -> list[int]:
    """List the kinds that bring a hand one step nearer, none of which it holds all four; of a ready hand, its waits."""
    return kinds_of(look(hand, shapes)[1])


def useful_plane(tiles: Tiles, shapes: tuple[str, ...], now: int) -> int:
    """Return the kinds, as a plane, that bring tiles nearer of which `now` are missing."""
    found = 0
    for name in shapes if now < FAR else ():  # a tile brings no shape nearer by more than one step
        shape = SHAPES[name]
        if (shape.at_least is None or shape.at_least(tiles) <= now) and shape.distance(tiles) == now:
            found |= shape.helping(tiles)
    return sum([bit for _, bit in tiles.free_kinds() if found & bit])

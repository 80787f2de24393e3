"""The exact distance of a hand from a win, for every shape: how many tiles it lacks, and which ones help.

"Missing" is the least number of tiles that must still come for the hand to be complete: 0 complete, 1 ready,
steps to ready plus one otherwise. Only the hand's own tiles are looked at, melds included: a kind of which it holds all
four copies cannot come. Whether a book's minimum is reached is computed elsewhere (`quepu.fast.nearest.payable`).
"""

from __future__ import annotations

from collections.abc import Iterable

from quepu.errors import Text
from quepu.hands.hand import Hand, Meld
from quepu.hands.suit_tables import KEY, tile_planes
from quepu.hands.win import meld_planes
from quepu.shapes import SHAPES
from quepu.shapes.automaton import FAR, Tiles


def tiles_of(concealed: Iterable[int], melds: tuple[Meld, ...] = (), luck: int = 0) -> Tiles:
    """Prepare concealed kinds (13 or 14, less three for each meld) and melds for the distances."""
    key = sum(map(KEY.__getitem__, concealed))
    t1, t2, _, _ = tile_planes(key)
    if not melds:
        return Tiles(key, 4, t1, t2, 0, True, luck)
    mine = meld_planes(melds)
    return Tiles(key, mine.need, t1, t2, mine.key, bool(mine.closed), luck)


def missing(tiles: Tiles, shapes: tuple[str, ...]) -> int:
    """Return the least number of missing tiles to any of these shapes; FAR if none can be reached."""
    least = FAR
    for name in shapes:
        shape = SHAPES[name]
        if shape.at_least is None or shape.at_least(tiles) < least:
            least = min(least, shape.distance(tiles))
    return least


def within(tiles: Tiles, shapes: tuple[str, ...], most: int) -> bool:
    """Return whether any of these shapes is at most `most` tiles away; quicker than `missing`."""
    for name in shapes:
        shape = SHAPES[name]
        if (shape.at_least is None or shape.at_least(tiles) <= most) and shape.distance(tiles) <= most:
            return True
    return False


def hand_missing(hand: Hand, shapes: tuple[str, ...]) -> int:
    """Return the least number of missing tiles of a hand, its winning tile included if it has one."""
    concealed = hand.concealed if hand.winning is None else (*hand.concealed, hand.winning)
    return missing(tiles_of(concealed, hand.melds, int(hand.luck)), shapes)


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
    return Text(f"差 {missing} 张可和", f"{missing} tile{'' if missing == 1 else 's'} from a win")


def useful(hand: Hand, shapes: tuple[str, ...]) -> list[int]:
    """List the kinds that bring a hand of thirteen tiles one step nearer; none of which it holds all four."""
    tiles = tiles_of(hand.concealed, hand.melds, int(hand.luck))
    now = missing(tiles, shapes)
    found = 0
    for name in shapes:  # one tile brings any shape nearer by one step at most
        shape = SHAPES[name]
        if (shape.at_least is None or shape.at_least(tiles) <= now) and shape.distance(tiles) == now:
            found |= shape.helping(tiles)
    return [kind for kind, bit in tiles.free_kinds() if found & bit]

"""The mirror of a symmetric hand: the rank it is mirrored about, and its reading after the mirror."""

from __future__ import annotations

from quepu.errors import Text
from quepu.hands.planes import SUIT_TILES, Planes
from quepu.hands.win import CHOW, PAIR, PUNG, Group
from quepu.rulebooks.lingque.conditions import ends, mirror_hand, mirror_pairs
from quepu.rules.row import Fan

_CHOWS = (("c1", "o1"), ("c2", "o2"), ("c3", "o3"), ("c4", "o4"))


def mirror_remark(fan: Fan, h: Planes) -> Text | None:
    """Return q (or n) and the mirrored reading if 镜数 or 镜数对 holds; None for other fans."""
    if fan.when is mirror_pairs:
        low, high = ends(h)
        n = (low + high) // 2 + 1
        return Text(f"n = {n}：每个对子镜像后仍是这手牌的对子", f"n = {n}: every pair mirrors to a pair of this hand")
    if fan.when is not mirror_hand:
        return None
    twice = sum(ends(h)) + 2
    q = f"{twice // 2}" if twice % 2 == 0 else f"{twice / 2}"
    here, there = _groups(h), sorted(_mirror(one, twice) for one in _groups(h))
    if there == sorted(here):
        return Text(f"q = {q}：各部分镜像后仍是这一拆解", f"q = {q}: mirrored, the parts are the same ones")
    text = " ".join(one.text() for one in _with_melds(there, h))
    return Text(f"q = {q}：镜像后拆作 {text}，仍是这手牌", f"q = {q}: mirrored it is {text}, the same tiles")


def _groups(h: Planes) -> list[tuple[int, int]]:
    """Return the parts of a reading of suited tiles: kind and lowest tile, a kong as a pung."""
    found = [(CHOW, tile) for closed, _ in _CHOWS for tile in _tiles(getattr(h, closed))]
    return [*found, *((PUNG, tile) for tile in _tiles(h.p)), *((PAIR, tile) for tile in _tiles(h.pair))]


def _tiles(plane: int) -> list[int]:
    """List the kinds of tile (0-26) in a plane."""
    return [suit * 9 + rank for suit in range(3) for rank in range(9) if (plane & SUIT_TILES) >> (16 * suit + rank) & 1]


def _mirror(group: tuple[int, int], twice: int) -> tuple[int, int]:
    """Mirror a part about q = twice / 2."""
    kind, tile = group
    suit, rank = divmod(tile, 9)
    return kind, suit * 9 + twice - 2 - rank - (2 if kind == CHOW else 0)


def _with_melds(groups: list[tuple[int, int]], h: Planes) -> list[Group]:
    """Return parts as groups, those that are melds of the hand marked and moved to the end."""
    rest = list(groups)
    melds = []
    for kind, tile, exposed, kong in (
        *((CHOW, tile, True, False) for _, melded in _CHOWS for tile in _tiles(getattr(h, melded))),
        *((PUNG, tile, True, bool(tile in _tiles(h.k))) for tile in _tiles(h.xp)),
        *((PUNG, tile, False, True) for tile in _tiles(h.kc)),
    ):
        rest.remove((kind, tile))
        melds.append(Group(kind, tile, exposed, kong))
    return [*(Group(kind, tile) for kind, tile in rest), *melds]

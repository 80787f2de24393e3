"""Complete a wall from everything that was seen of a hand: known tiles in their places, arbitrary ones elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from quepu.errors import Error, Text, many
from quepu.table.actions import tile_text
from quepu.tiles import CHOW_STARTS, KINDS, TileSet


class Contradiction(Error):
    """Facts that cannot all hold with one set of tiles."""


class Slot(NamedTuple):
    """A tile that came to a seat: when (an increasing number), and its place in the order of drawing."""

    time: int
    place: int


class Use(NamedTuple):
    """Tiles that left a seat's concealed hand; None stands for an unseen one.

    `drawn`: whether it was the tile just drawn, or None if unknown.
    """

    seat: int
    time: int
    kinds: tuple[int | None, ...]
    drawn: bool | None = None
    fact: int | None = None  # the number of its fact, if it has one


@dataclass
class Layout:
    """The layout that the facts fix. `slots` and `finals` go by seat; a final is a hand that the seat showed."""

    tiles: TileSet
    slots: list[list[Slot]]
    uses: list[Use] = field(default_factory=list)
    fixed: dict[int, int] = field(default_factory=dict)
    """Kinds of tiles whose place is known."""
    finals: dict[int, tuple[int, ...]] = field(default_factory=dict)
    ready: frozenset[int] = frozenset()
    """Seats that declared themselves ready and did not show their hand."""
    hints: dict[int, list[int]] = field(default_factory=dict)
    """Kinds that a seat will use later, soonest first: preferred for unknown tiles."""
    flowers_held: bool = False
    """Whether hands may hold drawn flowers."""

    @property
    def size(self) -> int:
        """The number of tiles."""
        return self.tiles.size


class CompletedWall(NamedTuple):
    """The tiles in the order of drawing, and the kind assumed for each unseen tile, by the number of the fact."""

    order: list[int]
    taken: dict[int, int]


def complete_wall(layout: Layout) -> CompletedWall:
    """Find a possible order of all tiles.

    Raises:
        Contradiction: none is possible; the sentence names the tile.
    """
    fixed = dict(layout.fixed)
    used: set[int] = set()
    unseen: list[tuple[int, list[int]]] = []
    for use in layout.uses:
        places = _places(use, layout.slots[use.seat], fixed, used)
        if None in use.kinds and use.fact is not None:
            unseen.append((use.fact, places))
    for seat, tiles in layout.finals.items():
        _show(tiles, [slot.place for slot in layout.slots[seat] if slot.place not in used], fixed)
    left = Counter(layout.tiles.tiles)
    left.subtract(fixed.values())
    for kind, n in left.items():
        if n < 0:
            name = tile_text(kind)
            if kind not in layout.tiles.tiles:
                raise Contradiction(f"这副牌里没有{name.zh}。", f"there is no {name.en} in this set.")
            raise Contradiction(f"{name.zh}已经超过一副牌里的张数。", f"there are not so many {name.en} in a set.")
    return _rest(layout, fixed, used, left, unseen)


def _places(use: Use, slots: list[Slot], fixed: dict[int, int], used: set[int]) -> list[int]:
    """Return the places that a use's tiles came from: places known to hold them, then the earliest unknown ones."""
    open_slots = [slot.place for slot in slots if slot.time < use.time]
    if use.drawn is not None and open_slots:
        open_slots = open_slots[-1:] if use.drawn else open_slots[:-1]
    found = []
    for kind in use.kinds:
        free = [place for place in open_slots if place not in used]
        place = None if kind is None else next((p for p in free if fixed.get(p) == kind), None)
        if place is None:
            place = next((p for p in free if p not in fixed), None)
        if place is None:
            name = Text("牌", "tile") if kind is None else tile_text(kind)
            raise Contradiction(
                f"这家手里不会有{name.zh}：已知的牌对不上。",
                f"this seat cannot have held a {name.en}: known tiles differ.",
            )
        if kind is not None:
            fixed[place] = kind
        used.add(place)
        found.append(place)
    return found


def _show(tiles: Iterable[int], places: list[int], fixed: dict[int, int]) -> None:
    """Fix the tiles shown at the end in places that were not used."""
    shown = Counter(tiles)
    if shown.total() != len(places):
        raise Contradiction(
            f"亮出 {shown.total()} 张，应是 {len(places)} 张（不连和的那一张和副露）。",
            f"shown: {many(shown.total(), 'tile')}; expected: {len(places)} (without melds and the winning tile).",
        )
    for place in places:
        if place in fixed:
            if not shown[fixed[place]]:
                name = tile_text(fixed[place])
                raise Contradiction(f"亮出的牌里没有{name.zh}。", f"there is no {name.en} among the tiles shown.")
            shown[fixed[place]] -= 1
    rest = shown.elements()
    for place in places:
        if place not in fixed:
            fixed[place] = next(rest)


def _rest(
    layout: Layout, fixed: dict[int, int], used: set[int], left: Counter[int], unseen: list[tuple[int, list[int]]]
) -> CompletedWall:
    """Fill the remaining places without changing anything: no kind of the shown hands, no flower that is drawn."""
    taken: dict[int, int] = {}
    shown = {kind for tiles in layout.finals.values() for kind in tiles}
    plain = sorted(
        (kind for kind in left.elements() if kind < KINDS), key=lambda kind: (kind in shown, kind * 7 % KINDS)
    )
    for number, places in unseen:
        kinds = Counter(plain)
        kind = next((k for k in dict.fromkeys(plain) if kinds[k] >= len(places)), None)
        if kind is None:
            raise Contradiction("没有四张相同的牌可以暗杠了。", "no four tiles alike are left for a concealed kong.")
        taken[number] = kind
        for place in places:
            fixed[place] = kind
            plain.remove(kind)
    for seat in sorted(layout.ready):
        places = [slot.place for slot in layout.slots[seat] if slot.place not in used]
        for place, kind in zip(places, _ready_tiles(plain, len(places)), strict=False):
            if place not in fixed:
                fixed[place] = kind
                plain.remove(kind)
    flowers = [kind for kind in left.elements() if kind >= KINDS]
    free = [[slot.place for slot in slots if slot.place not in fixed] for slots in layout.slots]
    short = sum(map(len, free)) - len(plain)
    for places in free if layout.flowers_held else ():
        while short > 0 and places and flowers:
            fixed[places.pop()] = flowers.pop()  # held since it was drawn
            short -= 1
    if short > 0:
        raise Contradiction(
            f"还有 {len(flowers)} 张花没有记是谁摸的。", f"{len(flowers)} drawn flowers were not reported."
        )
    for seat, places in enumerate(free):
        for kind in layout.hints.get(seat, ()):
            if places and kind in plain:
                fixed[places.pop(0)] = kind
                plain.remove(kind)
    plain.reverse()  # harmless tiles come first; the seats take the rest from the end
    for places in free:
        for place in places:
            fixed[place] = plain.pop(0)
    # flowers go where they are drawn last: in the middle of what is left
    middle = (len(plain) + 1) // 2
    undrawn = iter([*plain[:middle], *flowers, *plain[middle:]])
    return CompletedWall([fixed[place] if place in fixed else next(undrawn) for place in range(layout.size)], taken)


def _ready_tiles(left: list[int], size: int) -> list[int]:
    """Return tiles (one more than a multiple of three) that wait for something: sets, and one tile over."""
    have = Counter(left)
    found: list[int] = []
    for kind in sorted(have):
        while len(found) + 3 < size:
            chow = kind in CHOW_STARTS and all(have[k] for k in range(kind, kind + 3))
            group = [kind, kind + 1, kind + 2] if chow else [kind] * 3
            if not chow and have[kind] < 3:
                break
            have.subtract(group)
            found += group
    found += [kind for kind in have if have[kind]][: size - len(found)]
    return found

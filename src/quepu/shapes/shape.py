"""The `Shape` of a win, one value with everything that the rest of quepu needs of it, and the registry."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from quepu.errors import Text
from quepu.hands.hand import Hand
from quepu.hands.planes import Condition, most
from quepu.hands.win import Reading, Win
from quepu.shapes.automaton import FAR, Tiles

if TYPE_CHECKING:
    from random import Random

Waits = tuple[int, int]
"""The tiles that complete a hand, and those of them that finish a pair."""
NOTHING: Waits = (0, 0)
Part = tuple[int, ...]
"""Kinds that stand together, with repetition: a set, a pair, a single tile."""


class Thirteen(NamedTuple):
    """Thirteen tiles, melds included, that wait for one more."""

    hand: Hand
    key: int  # the concealed tiles, see quepu.hands.suit_tables
    need: int  # melds still to be made of them
    t1: int  # all tiles, at least one … four copies
    t2: int
    t3: int
    t4: int
    luck: int


def none(_h: Any) -> int:
    """The empty plane, whatever the hand."""
    return 0


@dataclass(frozen=True)
class Whole:
    """A shape with a single reading, computed from t1-t4, the winning tile and luck.

    Its functions never branch, so they are written once for one hand (ints) and for many (arrays).
    """

    form: int
    when: Callable[[Any], Any]  # whether the shape is there
    pair: Callable[[Any], Any] = none  # the planes of the reading
    place: Callable[[Any], Any] = none
    fours: Callable[[Any], Any] = none  # four alike without a kong: they stand as concealed pungs
    bare: bool = True  # whether it allows no melds

    def read(self, win: Win) -> list[Reading]:
        """Return the one reading, if there is one."""
        h = HeldPlanes(*win.t, win.win, win.luck)
        if not self.when(h) or (self.bare and not win.bare):
            return []
        fours = self.fours(h)
        return [Reading(win.planes(self.form, p=fours, pc=fours, pair=self.pair(h), place=self.place(h)), win)]


class HeldPlanes(NamedTuple):
    """The fields that a `Whole` may read."""

    t1: int
    t2: int
    t3: int
    t4: int
    win: int = 0
    luck: int = 0


class Sets(NamedTuple):
    """A shape of sets and a pair, with single tiles beside them."""

    form: int
    beside: tuple[int, ...]  # the planes that the single tiles may be; 0: no single tiles


class Fours(NamedTuple):
    """A shape of concealed fours of a kind that were not konged, and sets; without a pair or claims."""

    form: int
    number: int


class Singles(NamedTuple):
    """A shape of so many different tiles out of one of some planes, without melds; with `again`, one of them twice."""

    number: int
    planes: tuple[int, ...]
    again: bool

    def distance(self, tiles: Tiles) -> int:
        """Return the tiles missing to the plane that lacks the fewest. It never branches, for symbols may be given."""
        if tiles.need < 4:
            return FAR
        number, planes, again = self
        t1, t2 = tiles.t1, tiles.t2
        kept = [
            (n := (t1 & plane).bit_count()) - (n > number) * (n - number) - (t2 & plane == 0) * again
            for plane in planes
        ]
        return number - most(*kept) if len(kept) > 1 else number - kept[0]

    def nearer(self, tiles: Tiles) -> int:
        """Return the tiles that each nearest plane lacks, and any of its tiles while none is there twice."""
        lacking = [self.lacking(plane, tiles) for plane in self.planes]
        least, found = -most(*[-lack for lack in lacking]), 0
        for plane, lack in zip(self.planes, lacking, strict=True):
            new = (plane & ~tiles.t1) * ((tiles.t1 & plane).bit_count() < self.number)
            twice = (plane & tiles.t1) * (tiles.t2 & plane == 0) * self.again
            found = found | (new | twice) * (lack == least)
        return found

    def lacking(self, plane: int, tiles: Tiles) -> int:
        """Return the tiles missing to one of the planes."""
        return most(0, self.number - (tiles.t1 & plane).bit_count()) + (tiles.t2 & plane == 0) * self.again


class Almost(NamedTuple):
    """A near miss that people mistake for a shape: copies of each kind in fourteen concealed tiles, and why not."""

    when: Callable[[list[int]], bool]
    why: Text


class MadeOf(NamedTuple):
    """Fours of a kind and pairs that fourteen tiles of a shape may be."""

    fours: int
    pairs: int


@dataclass(frozen=True, eq=False)
class Shape:
    """A kind of win.

    Tiles of which all four copies are in the hand may be among the `waits`: they are removed afterwards.

    Every set of tiles of a shape is enumerated (by the lab) from its parts: `sets` or `fours`,
    `made_of` beside a `whole`, or `tile_sets`, which lists few sets one by one.
    """

    name: str
    form: int  # one bit, shared only with shapes that read the same (see `register`)
    words: Text
    read: Callable[[Win], list[Reading]]
    waits: Callable[[Thirteen], Waits]
    distance: Callable[[Tiles], int]  # least missing tiles: 0 complete, 1 ready
    sample: Callable[[Random], list[Part]]  # a random win of it; where it allows melds, the sets come first
    share: int = 0  # how many of these are generated for a hundred standard hands (see quepu.scoring.samples)
    melds: int = 4  # how many melds it allows
    kinds: tuple[int, int] = (0, 13)  # fewest and most different kinds in thirteen tiles that are one tile away
    nearer: Callable[[Tiles], int] | None = None  # the plane of the kinds that reduce the distance; None: each is tried
    at_least: Callable[[Tiles], int] | None = None  # a cheaper lower bound of the distance
    may_win: Condition | None = None  # a cheap condition that every such win fulfils, on t1-t4, k and luck
    may_wait: Callable[[Any], Any] | None = None  # the same for thirteen tiles: t1-t4 and luck, ints or arrays
    whole: Whole | None = None  # if it is a `Whole`: `waits` then looks at t1-t4 and luck only, and never branches
    sets: Sets | None = None  # if the shape is a `Sets`
    fours: Fours | None = None  # if the shape is a `Fours`
    singles: Singles | None = None  # if the shape is a `Singles`, in any circumstance or in one of `needs`
    made_of: tuple[MadeOf, ...] = ()  # for a `whole` of fours and pairs
    tile_sets: Callable[[], Iterator[Part]] | None = None  # every set of fourteen tiles, each once
    needs: int = 0  # the `Luck` bits of which at least one must be set
    boundless: bool = False  # whether any tiles win, given the circumstances; `tile_sets` then has an example
    almost: Almost | None = None  # a near miss that is not this shape
    single: bool = False  # whether it consists of single tiles, so that no standard hand is one tile from it

    def allows(self, melds: int, kinds: int) -> bool:
        """Return whether thirteen tiles with these melds and different kinds may be one tile from this shape."""
        return melds <= self.melds and self.kinds[0] <= kinds <= self.kinds[1]

    @property
    def plain(self) -> bool:
        """Whether it is four sets and a pair with nothing else."""
        return self.sets is not None and self.sets.beside == (0,)

    @property
    def of_pairs(self) -> bool:
        """Whether it consists of pairs (four alike may be two of them)."""
        return bool(self.made_of) and self.whole is not None and self.whole.fours is none

    def covers(self, other: Shape) -> bool:
        """Return whether every win of another shape is also one of this shape, with the same form."""
        return self.form == other.form and set(other.made_of) < set(self.made_of)

    def helping(self, tiles: Tiles) -> int:
        """Return the kinds, as a plane, that bring these tiles nearer; a fifth copy of a kind may be among them."""
        if self.nearer is not None:
            return self.nearer(tiles)
        now = self.distance(tiles)
        return sum(bit for kind, bit in tiles.free_kinds() if self.distance(tiles.with_tile(kind)) < now)

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle by name: a registered shape is found under its name wherever the family is imported."""
        return _find_shape, (self.name,)


def _find_shape(name: str) -> Shape:
    return SHAPES[name]


SHAPES: dict[str, Shape] = {}
"""Every shape by name; filled by `register`."""


def register(shape: Shape) -> Shape:
    """Add a shape to the registry under its name, and return it.

    Raises:
        ValueError: its name or its form is taken. Shapes that cover each other have the same form.
    """
    if shape.name in SHAPES:
        raise ValueError(f"there is a shape {shape.name!r}")
    if shape.form.bit_count() != 1:
        raise ValueError(f"the form of {shape.name!r} is not one bit")
    for other in SHAPES.values():
        if other.form == shape.form and not (other.covers(shape) or shape.covers(other)):
            raise ValueError(f"{shape.name!r} and {other.name!r} have the same form")
    SHAPES[shape.name] = shape
    return shape


@lru_cache(256)
def near_shapes(shapes: tuple[str, ...]) -> tuple[tuple[tuple[Shape, ...], ...], ...]:
    """Group the shapes that thirteen tiles may be one tile from, by melds still to make and different kinds."""
    listed = [SHAPES[name] for name in shapes]
    return tuple(
        tuple(tuple(shape for shape in listed if shape.allows(4 - need, kinds)) for kinds in range(15))
        for need in range(5)
    )

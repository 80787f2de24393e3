"""A hand: concealed tiles, melds, the winning tile, and the circumstances of the win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import IntEnum, IntFlag
from typing import NamedTuple

from quepu.errors import HandError, many
from quepu.tiles import EAST, FIRST_FLOWER, FLOWERS, KINDS, NAMES, SIMPLIFIED


class MeldKind(IntEnum):
    """The kind of a meld. Everything but a concealed kong opens the hand.

    Examples:
        >>> import quepu
        >>> [kind.name for kind in quepu.MeldKind]
        ['CHOW', 'PUNG', 'KONG', 'CONCEALED_KONG']
    """

    CHOW = 0
    PUNG = 1
    KONG = 2
    CONCEALED_KONG = 3


class Meld(NamedTuple):
    """A set taken out of the hand. `tile` is its lowest kind (0-33).

    Examples:
        >>> import quepu
        >>> quepu.parse("11223sCC(NNNN)(123s)+3s").melds[1]
        Meld('(123s)')
    """

    kind: MeldKind
    tile: int

    @property
    def exposed(self) -> bool:
        """Whether it opens the hand (every kind but a concealed kong does)."""
        return self.kind is not MeldKind.CONCEALED_KONG

    @property
    def tiles(self) -> tuple[int, ...]:
        """Its kinds, with repetition."""
        if self.kind is MeldKind.CHOW:
            return (self.tile, self.tile + 1, self.tile + 2)
        return (self.tile,) * (3 if self.kind is MeldKind.PUNG else 4)

    def __str__(self) -> str:
        return meld_text(self)

    def __repr__(self) -> str:
        return f"Meld({str(self)!r})"

    def _repr_html_(self) -> str:
        from quepu.hands.drawing import meld_html

        return meld_html(self)


class Luck(IntFlag):
    """Circumstances of a win, independent of any rulebook. Each book maps its own names onto these bits.

    Examples:
        >>> import quepu
        >>> [luck.name for luck in quepu.Luck(9)]
        ['SELF_DRAW', 'LAST_DRAW']
    """

    SELF_DRAW = 1 << 0
    CLOSED = 1 << 1  # derived: no chow, pung or exposed kong
    KONG_DRAW = 1 << 2  # the tile drawn in place of a kong
    LAST_DRAW = 1 << 3  # the last tile of the wall
    LAST_DISCARD = 1 << 4  # a discard made when the wall is empty
    ROBBED_KONG = 1 << 5  # the tile another player adds to a pung
    HEAVENLY = 1 << 6  # the dealer's dealt hand and first draw
    EARTHLY = 1 << 7  # a non-dealer's dealt hand and the first chance the book names
    FOURTH_TILE = 1 << 8  # the other three copies are on the table for all to see
    FRESH_TILE = 1 << 9  # no copy has been seen this hand
    FIRST_ROUND = 1 << 10  # the first go-round, nothing claimed
    TWO_KONGS = 1 << 11  # the second replacement in a row
    THREE_KONGS = 1 << 12  # the third replacement in a row
    READY_AT_DEAL = 1 << 13  # declared ready on the dealt hand
    READY_AT_FIRST = 1 << 14  # declared ready with the first discard
    FIRST_CHANCE = 1 << 15  # won at the first chance after such a declaration
    HUMANLY = 1 << 16  # a dealt ready hand that wins on another player's first discard
    SEVEN_FLOWERS = 1 << 17
    EIGHT_FLOWERS = 1 << 18
    ROBBED_FLOWER = 1 << 19
    OUTER_DISCARDS = 1 << 20  # drawn hand; every own discard 1, 9 or honour, none claimed


class Hand(NamedTuple):
    """Thirteen tiles (three for each meld less), or fourteen with `winning`.

        >>> import quepu
        >>> hand = quepu.parse("11223sCC(NNNN)(123s)+3s")
        >>> len(hand.concealed), hand.winning, [meld.kind.name for meld in hand.melds]
        (7, 20, ['KONG', 'CHOW'])

    `concealed` are the kinds in hand without the winning tile, sorted; `winning` the kind that completes it, or None.
    `seat` and `round` are wind kinds (27-30). `luck` holds `Luck` bits without CLOSED, which follows from the melds.
    `flowers` holds flower numbers 0-7 (春夏秋冬梅兰竹菊), or is a plain count if it does not matter which.
    """

    concealed: tuple[int, ...]
    melds: tuple[Meld, ...] = ()
    winning: int | None = None
    seat: int = EAST
    round: int = EAST
    luck: int = 0
    flowers: tuple[int, ...] | int = ()

    def __str__(self) -> str:
        """Return the tiles in the notation, without seat, circumstances or flowers."""
        return write(self)

    def __repr__(self) -> str:
        if not all(0 <= kind < KINDS for kind in (*self.concealed, self.winning or 0)):
            return f"Hand{tuple(self)}"  # flowers still held at a table have no place in the notation
        beside = [
            f"{name}={NAMES[kind]!r}" for name, kind in (("seat", self.seat), ("round", self.round)) if kind != EAST
        ]
        if self.luck:
            beside.append(f"luck={Luck(self.luck).name}")
        if self.flower_count:
            beside.append(f"flowers={self.flowers}")
        return f"Hand({', '.join([repr(str(self)), *beside])})"

    def _repr_html_(self) -> str:
        from quepu.hands.drawing import hand_html

        return hand_html(self)

    @property
    def self_draw(self) -> bool:
        """Whether the winning tile was drawn by the winner."""
        return bool(self.luck & Luck.SELF_DRAW)

    @property
    def closed(self) -> bool:
        """Whether nothing was claimed but for the winning tile (concealed kongs keep a hand closed)."""
        return all(meld.kind is MeldKind.CONCEALED_KONG for meld in self.melds)

    @property
    def flower_count(self) -> int:
        """Number of flowers the hand has."""
        return self.flowers if isinstance(self.flowers, int) else len(self.flowers)

    def counts(self) -> list[int]:
        """Copies of each of the 34 kinds, melds and winning tile included."""
        counts = [0] * KINDS
        for kind in self.concealed:
            counts[kind] += 1
        for meld in self.melds:
            for kind in meld.tiles:
                counts[kind] += 1
        if self.winning is not None:
            counts[self.winning] += 1
        return counts


def check_tiles(concealed: Iterable[int], melds: Iterable[Meld], winning: int | None) -> None:
    """Raise HandError for a fifth copy of a tile or a wrong number of tiles.

    Raises:
        HandError: naming the kind, or the number expected and found.
    """
    concealed, melds = tuple(concealed), tuple(melds)
    counts = Counter(concealed)
    for meld in melds:
        counts.update(meld.tiles)
    if winning is not None:
        counts[winning] += 1
    for kind, n in counts.items():
        if n > 4:
            raise HandError(
                f"{SIMPLIFIED[kind]}有 {n} 张，一种牌最多 4 张。", f"{n} copies of {NAMES[kind]}: there are only 4."
            )
    expected = 13 - 3 * len(melds)
    if len(concealed) != expected:
        found = len(concealed) + (winning is not None)
        raise wrong_number(len(melds), expected + (winning is not None), found)


def wrong_number(melds: int, expected: int, found: int) -> HandError:
    """Build the error for a wrong number of concealed tiles, given the melds."""
    return HandError(
        f"{melds} 副副露之外应有 {expected} 张手牌，实有 {found} 张。",
        f"expected {many(expected, 'concealed tile')} beside {many(melds, 'meld')}, found {found}.",
    )


def flower_plane(flowers: tuple[int, ...] | int) -> int:
    """Return flowers as a plane: named ones in the low 8 bits; for a bare count, that many bits from bit 8 up."""
    if isinstance(flowers, int):
        return (1 << flowers) - 1 << 8
    plane = 0
    for flower in flowers:
        plane |= 1 << flower
    return plane


FLOWER_NUMBER = {name: number for number, name in enumerate(FLOWERS)}


def tiles_text(kinds: Iterable[int]) -> str:
    """Return tiles in the canonical form, sorted: `123m45pCC`."""
    parts: list[str] = []
    suit = -1
    for kind in sorted(kinds):
        if kind >= FIRST_FLOWER:
            raise ValueError(f"flower {kind} is no tile of a hand")
        if kind // 9 != suit and suit in (0, 1, 2):
            parts.append("mps"[suit])
        suit = kind // 9
        parts.append(NAMES[kind][0])
    if suit in (0, 1, 2):
        parts.append("mps"[suit])
    return "".join(parts)


def meld_text(meld: Meld) -> str:
    """Return a meld in its brackets: `(123m)`, `(EEEE)`, `[5555p]`."""
    inside = tiles_text(meld.tiles)
    return f"({inside})" if meld.exposed else f"[{inside}]"


def write(hand: Hand) -> str:
    """Return the canonical text of a hand; `parse` reads it back."""
    text = tiles_text(hand.concealed) + "".join(meld_text(meld) for meld in hand.melds)
    return text if hand.winning is None else f"{text}+{NAMES[hand.winning]}"

"""The position of a hand's tiles after some of its events, and `apply`, the only place where events change it.

Play, logs, replays, a referee's reconstruction and imports all fold events with `apply`. It depends on no rulebook, so
an old hand can be read even if its rules have changed. What seats may do is `quepu.table.legal`, what they see
`visibility`.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, TypeVar

from quepu.hands.hand import Meld, MeldKind
from quepu.hands.suit_tables import KEY as KEY_OF_KIND
from quepu.table.events import (
    BarLifted,
    Barred,
    ChowClaimed,
    Claimed,
    Dealt,
    DiceThrown,
    Discarded,
    Drawn,
    Event,
    Exhausted,
    FlowerSetAside,
    HandShown,
    KongAdded,
    KongClaimed,
    KongConcealed,
    PungClaimed,
    ReadyDeclared,
    ReplacementDrawn,
    Won,
)
from quepu.table.open_melds import OpenMeld
from quepu.table.wall import TILE_NAMES, WallPlan, head_place, own_place, tail_place, undrawn_places
from quepu.tiles import KINDS

T = TypeVar("T")
KEY = (*KEY_OF_KIND, *(0 for _ in TILE_NAMES[KINDS:]))
"""The number that a tile of each of the 42 kinds adds to the key of a hand; flowers add 0."""


class Position:
    """All tiles of a hand after some events; lists go by seat, 0 East … 3 North.

    `hands` are the concealed kinds, sorted, without the tile just `drawn` (of the seat whose `turn` it is, None: none);
    `counts` copies of each of the 42 kinds held, with it; `keys` the sums of `KEY` without it; `fours` the kinds of
    which four are held, `pungs` those of exposed pungs. `melds` lie on the table, `hand_melds` are the same as `Hand`
    has them. `rivers` are the discards that nobody took, `open_counts` the copies of each kind in melds and rivers.
    `front` and `back` tiles are gone from the head and the tail of the wall, `left` can still be drawn. `piles` are the
    tiles left in each seat's own wall (None: one shared wall). `exposed` is the last event whose tile others might
    take, `won` the win, or the first of several.
    """

    __slots__ = (
        "back",
        "barred",
        "counts",
        "dealt",
        "declared",
        "dice",
        "drawn",
        "exposed",
        "flowers",
        "fours",
        "front",
        "hand_melds",
        "hands",
        "keys",
        "left",
        "melds",
        "open_counts",
        "over",
        "piles",
        "plan",
        "pungs",
        "rivers",
        "round",
        "turn",
        "won",
    )

    def __init__(self, plan: WallPlan, round: int = 0) -> None:
        """Create the position before the deal. `round` is the round wind."""
        self.plan: WallPlan = plan
        self.round: int = round
        self.dice: tuple[int, int, int, int] = (1, 1, 1, 1)
        self.front: int = plan.dealt
        self.back: int = 0
        self.left: int = plan.size - plan.dealt - plan.dead
        self.piles: list[int] | None = plan.piles()
        self.dealt: bool = False  # a tile was drawn from the head: the deal and its flowers are over
        self.turn: int = 0  # who draws or discards next; after a discard, who made it
        self.drawn: int | None = None
        self.hands: list[list[int]] = [[], [], [], []]
        self.counts: list[list[int]] = [[0] * len(TILE_NAMES) for _ in range(4)]
        self.keys: list[int] = [0, 0, 0, 0]
        self.fours: list[list[int]] = [[], [], [], []]
        self.pungs: list[list[int]] = [[], [], [], []]
        self.rivers: list[tuple[int, ...]] = [(), (), (), ()]
        self.melds: tuple[tuple[OpenMeld, ...], ...] = ((), (), (), ())
        self.hand_melds: tuple[tuple[Meld, ...], ...] = ((), (), (), ())
        self.open_counts: list[int] = [0] * len(TILE_NAMES)
        self.flowers: tuple[tuple[int, ...], ...] = ((), (), (), ())
        self.declared: tuple[str, ...] = ("", "", "", "")  # "deal" or "first": declared ready, no tile changed since
        self.barred: tuple[bool, ...] = (False, False, False, False)
        self.exposed: Event | None = None
        self.won: Won | None = None
        self.over: bool = False

    def next_head(self, seat: int) -> int:
        """Return the place in the wall of the tile that the seat would draw now."""
        size, piles = self.plan.size, self.piles
        return head_place(size, self.front, self.back) if piles is None else own_place(size, seat, piles[seat])

    def next_tail(self, seat: int) -> int:
        """Return the place in the wall of the tile that would replace a kong or flower of the seat now."""
        size, piles = self.plan.size, self.piles
        return tail_place(size, self.front, self.back) if piles is None else own_place(size, seat, piles[seat])

    def undrawn_places(self) -> list[int]:
        """List the places of the tiles still in the wall: from head to tail, or one own wall after another."""
        size = self.plan.size
        if self.piles is None:
            return undrawn_places(size, self.front, self.back)
        ends = [(own_place(size, seat, left), left) for seat, left in enumerate(self.piles)]
        return [place for first, left in ends for place in range(first, first + left)]

    @property
    def last(self) -> bool:
        """Whether the tile drawn or put down last is the last one: no tile is left for the seat after that one."""
        return not (self.left if self.piles is None else self.piles[self.turn + 1 & 3])

    def visible(self) -> list[int]:
        """Count the copies of each of the 42 kinds in melds and rivers."""
        return self.open_counts[:]

    def copy(self) -> Position:
        """Copy the position, to be changed independently."""
        made: Position = object.__new__(Position)
        for name in Position.__slots__:
            setattr(made, name, getattr(self, name))
        for name in ("hands", "counts", "fours", "pungs"):
            setattr(made, name, [one[:] for one in getattr(self, name)])
        made.keys, made.rivers, made.open_counts = self.keys[:], self.rivers[:], self.open_counts[:]
        if self.piles is not None:
            made.piles = self.piles[:]
        return made

    def __eq__(self, other: object) -> bool:
        """Return whether every tile lies in the same place and the same is known of every seat."""
        if not isinstance(other, Position):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in Position.__slots__)

    __hash__ = None  # type: ignore[assignment]  # it changes

    def tiles(self) -> list[int]:
        """Count the copies of each of the 42 kinds outside the wall: hands, melds, rivers, flowers, tiles won."""
        counts = [0] * len(TILE_NAMES)
        melded = (kind for melds in self.melds for shown in melds for kind in shown.meld.tiles)
        for kind in chain(*self.hands, *self.rivers, *self.flowers, melded):
            counts[kind] += 1
        if self.drawn is not None:
            counts[self.drawn] += 1
        if self.won is not None and self.won.giver is not None and self.won.tile is not None:
            counts[self.won.tile] += 1
        return counts


def apply(position: Position, event: Event) -> None:
    """Change the position as the event says.

    Raises:
        ValueError: a tile is not where the event takes it from.
    """
    _APPLY[type(event)](position, event)


def _with(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """Return the values with one of them replaced."""
    changed = list(values)
    changed[at] = value
    return tuple(changed)


def apply_drawn(p: Position, event: Drawn) -> None:
    """Apply a draw; play calls it directly because it does little else."""
    seat, tile = event.seat, event.tile
    p.front += 1
    p.left -= 1
    if p.piles is not None:
        p.piles[seat] -= 1
    p.dealt = True
    p.turn = seat
    p.drawn = tile
    counts = p.counts[seat]
    n = counts[tile] = counts[tile] + 1
    if n == 4:
        p.fours[seat].append(tile)


def apply_discarded(p: Position, event: Discarded) -> None:
    """Apply a discard; play calls it directly because it does little else."""
    seat, tile, drawn = event.seat, event.tile, p.drawn
    if event.as_drawn:
        if drawn != tile or seat != p.turn:
            raise ValueError(event)
    else:
        hand = p.hands[seat]
        hand.remove(tile)
        if drawn is not None:
            insort(hand, drawn)
            p.keys[seat] += KEY[drawn] - KEY[tile]
        else:
            p.keys[seat] -= KEY[tile]
        if p.declared[seat]:
            p.declared = _with(p.declared, seat, "")  # changing tiles voids a declaration
    p.drawn = None
    counts = p.counts[seat]
    n = counts[tile] = counts[tile] - 1
    if n == 3:
        p.fours[seat].remove(tile)
    p.rivers[seat] += (tile,)
    p.open_counts[tile] += 1
    p.exposed = event
    if event.declares:
        p.declared = _with(p.declared, seat, "first")


def _apply_dice(p: Position, event: DiceThrown) -> None:
    p.dice = event.dice


def _apply_dealt(p: Position, event: Dealt) -> None:
    p.hands[event.seat] = sorted(event.tiles)
    counts = p.counts[event.seat]
    for kind in event.tiles:
        counts[kind] += 1
        if counts[kind] == 4:
            p.fours[event.seat].append(kind)
    p.keys[event.seat] = sum([KEY[kind] for kind in event.tiles])


def _apply_replaced(p: Position, event: ReplacementDrawn) -> None:
    seat, tile = event.seat, event.tile
    p.back += 1
    p.left -= not p.plan.feeds
    if p.piles is not None:
        p.piles[seat] -= 1
    if p.dealt:
        p.turn = seat
        p.drawn = tile
    else:  # instead of a flower dealt
        insort(p.hands[seat], tile)
        p.keys[seat] += KEY[tile]
    p.counts[seat][tile] += 1
    if p.counts[seat][tile] == 4:
        p.fours[seat].append(tile)


def _take(p: Position, seat: int, kinds: Iterable[int]) -> None:
    """Put the drawn tile into the hand, then take these kinds out of it."""
    hand, counts = p.hands[seat], p.counts[seat]
    if p.drawn is not None and seat == p.turn:
        insort(hand, p.drawn)
        p.keys[seat] += KEY[p.drawn]
        p.drawn = None
    for kind in kinds:
        hand.remove(kind)
        p.keys[seat] -= KEY[kind]
        counts[kind] -= 1
        if counts[kind] == 3:
            p.fours[seat].remove(kind)


def _apply_set_aside(p: Position, event: FlowerSetAside) -> None:
    seat, tile = event.seat, event.tile
    _take(p, seat, (tile,))
    p.flowers = _with(p.flowers, seat, (*p.flowers[seat], tile))
    p.exposed = event


def _apply_declared(p: Position, event: ReadyDeclared) -> None:
    p.declared = _with(p.declared, event.seat, "deal")


def _apply_claimed(p: Position, event: Claimed) -> None:
    seat, giver = event.seat, event.giver
    _take_discard(p, giver, event.tile)
    p.turn = seat
    _take(p, seat, event.own)
    _add_meld(p, seat, OpenMeld(event.meld, event.tile, giver))
    if type(event) is PungClaimed:
        p.pungs[seat].append(event.tile)


def _take_discard(p: Position, giver: int, tile: int) -> None:
    if p.rivers[giver][-1:] != (tile,):
        raise ValueError(tile)
    p.rivers[giver] = p.rivers[giver][:-1]
    p.open_counts[tile] -= 1


def _add_meld(p: Position, seat: int, shown: OpenMeld) -> None:
    for kind in shown.meld.tiles:
        p.open_counts[kind] += 1
    p.melds = _with(p.melds, seat, (*p.melds[seat], shown))
    p.hand_melds = _with(p.hand_melds, seat, (*p.hand_melds[seat], shown.meld))
    if p.declared[seat]:
        p.declared = _with(p.declared, seat, "")


def _set_melds(p: Position, seat: int, melds: tuple[OpenMeld, ...]) -> None:
    p.melds = _with(p.melds, seat, melds)
    p.hand_melds = _with(p.hand_melds, seat, tuple([shown.meld for shown in melds]))


def _apply_added_kong(p: Position, event: KongAdded) -> None:
    _take(p, event.seat, (event.tile,))
    _turn_pung(p, event.seat, event.tile, MeldKind.PUNG, MeldKind.KONG)
    p.pungs[event.seat].remove(event.tile)
    p.declared = _with(p.declared, event.seat, "")
    p.exposed = event


def _apply_concealed_kong(p: Position, event: KongConcealed) -> None:
    _take(p, event.seat, (event.tile,) * 4)
    _add_meld(p, event.seat, OpenMeld(Meld(MeldKind.CONCEALED_KONG, event.tile)))
    p.exposed = event


def _turn_pung(p: Position, seat: int, kind: int, was: MeldKind, to: MeldKind) -> None:
    """Turn a pung into a kong, or a robbed kong back into a pung."""
    melds = p.melds[seat]
    at = p.hand_melds[seat].index(Meld(was, kind))
    changed = melds[at]._replace(meld=Meld(to, kind), added=to is MeldKind.KONG)
    p.open_counts[kind] += 1 if to is MeldKind.KONG else -1
    _set_melds(p, seat, _with(melds, at, changed))


def _apply_won(p: Position, event: Won) -> None:
    """Remove the winning tile from its place; the rest of a robbed kong stays."""
    giver, tile, exposed = event.giver, event.tile, p.exposed
    if p.won is not None:  # a further win on the tile that was already taken
        if giver is None or (giver, tile) != (p.won.giver, p.won.tile):
            raise ValueError(event)
        return
    if giver is not None and tile is not None:
        if type(exposed) is KongAdded:
            _turn_pung(p, giver, tile, MeldKind.KONG, MeldKind.PUNG)
            p.pungs[giver].append(tile)
        elif type(exposed) is KongConcealed:
            at = p.hand_melds[giver].index(Meld(MeldKind.CONCEALED_KONG, tile))
            _set_melds(p, giver, p.melds[giver][:at] + p.melds[giver][at + 1 :])
            p.open_counts[tile] -= 4
            for _ in range(3):
                insort(p.hands[giver], tile)
                p.keys[giver] += KEY[tile]
                p.counts[giver][tile] += 1
        else:
            _take_discard(p, giver, tile)
    p.won = event
    p.over = True


def _apply_exhausted(p: Position, _: Exhausted) -> None:
    p.over = True


def _apply_barred(p: Position, event: Barred) -> None:
    p.barred = _with(p.barred, event.seat, True)


def _apply_bar_lifted(p: Position, event: BarLifted) -> None:
    p.barred = _with(p.barred, event.seat, False)


def _apply_shown(p: Position, event: HandShown) -> None:
    """Accept a hand laid open; no tile moves."""


_APPLY: dict[type[Event], Callable[[Position, Any], None]] = {
    DiceThrown: _apply_dice,
    Dealt: _apply_dealt,
    Drawn: apply_drawn,
    ReplacementDrawn: _apply_replaced,
    FlowerSetAside: _apply_set_aside,
    Discarded: apply_discarded,
    ReadyDeclared: _apply_declared,
    ChowClaimed: _apply_claimed,
    PungClaimed: _apply_claimed,
    KongClaimed: _apply_claimed,
    KongAdded: _apply_added_kong,
    KongConcealed: _apply_concealed_kong,
    Won: _apply_won,
    Exhausted: _apply_exhausted,
    HandShown: _apply_shown,
    Barred: _apply_barred,
    BarLifted: _apply_bar_lifted,
}

"""The public board (`Board`), one seat's knowledge (`View`), and which events a seat may see.

All are immutable values: they do not follow the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from operator import sub
from typing import TYPE_CHECKING, Any, NamedTuple

from quepu.errors import Text, language, many
from quepu.hands.drawing import meld_html, table_html, tiles_html
from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table.actions import Action
from quepu.table.events import Dealt, Drawn, Event, KongConcealed, KongFaceDown, ReplacementDrawn
from quepu.table.open_melds import OpenMeld, visible
from quepu.table.position import Position
from quepu.table.wall import TILE_NAMES, WallPlan, opening_of
from quepu.tiles import EAST, FIRST_FLOWER, KINDS, PLAIN, WINDS, WINDS_CHINESE

if TYPE_CHECKING:
    from quepu.table.contents import TableContents

FACE_DOWN = OpenMeld(Meld(MeldKind.CONCEALED_KONG, 0), hidden=True)
"""Stands for others' concealed kongs that lie face down; its tile means nothing."""


class Board(NamedTuple):
    """The board: everything public at one moment; lists go by seat, 0 East … 3 North.

    Examples:
        >>> import quepu
        >>> from quepu.table import make_wall
        >>> board = quepu.Table(quepu.book("guobiao"), make_wall(7)).view(0).board
        >>> type(board).__name__, board.left
        ('Board', 83)
    """

    round: int = 0
    """The round wind, 0 East … 3 North."""
    dice: tuple[int, int, int, int] = (1, 1, 1, 1)
    rivers: tuple[tuple[int, ...], ...] = ((), (), (), ())
    """Unclaimed discards, in order."""
    melds: tuple[tuple[OpenMeld, ...], ...] = ((), (), (), ())
    flowers: tuple[tuple[int, ...], ...] = ((), (), (), ())
    """Kinds 34-41."""
    left: int = 0
    """Number of tiles that can still be drawn."""
    plan: WallPlan = WallPlan(136)
    tail: int = 0
    """Number of tiles taken from the tail."""
    turn: int = 0
    """The seat that draws or discards next; after a discard, the seat that made it."""
    offer: int | None = None
    """The tile that others may claim now."""
    offerer: int | None = None
    """The seat that put it down; for a choice without a tile, the seat it begins with."""
    declared: tuple[str, ...] = ("", "", "", "")
    """"deal" or "first": declared ready, no tile changed since."""
    barred: tuple[bool, ...] = (False, False, False, False)
    over: bool = False
    open_counts: tuple[int, ...] | None = None
    """The value of `visible`, if already known."""
    piles: tuple[int, ...] | None = None
    """Tiles left in each seat's own wall; None: one shared wall."""

    @classmethod
    def of(cls, position: Position, offer: int | None = None, offerer: int | None = None) -> Board:
        """Return the public part of a position, with the tile on offer."""
        p = position
        return cls(
            p.round, p.dice, tuple(p.rivers), p.melds, p.flowers, p.left, p.plan, p.back, p.turn,
            offer, offerer, p.declared, p.barred, p.over, tuple(p.open_counts), piles_of(p),
        )  # fmt: skip

    def seen_from(self, seat: int | None) -> Board:
        """Return the board with others' concealed kongs face down until the hand is over (None: a spectator)."""
        return self if self.over else self._replace(melds=face_down(self.melds, seat), open_counts=None)

    def visible(self) -> list[int]:
        """Count the visible copies of each of the 42 kinds (melds and rivers)."""
        return visible(self.rivers, self.melds) if self.open_counts is None else list(self.open_counts)

    def stacks_json(self) -> dict[str, Any]:
        """Return the state of the wall: stacks by side (E S W N), where it was opened and how much is gone.

        The deal began at `seat`'s `stack` (1: rightmost); `head` tiles are gone from there on, `tail` tiles from the
        other end, where `kept` more stay to the last. Own walls have `piles`: tiles left to each seat.
        """
        plan = self.plan
        seat, stack = opening_of(self.dice, plan.size)
        fed = self.tail if plan.feeds else 0
        return {
            "each": max(plan.sides),
            "sides": list(plan.sides),
            "seat": WINDS[seat],
            "stack": stack,
            "head": plan.size - plan.dead - self.left - (self.tail - fed),
            "tail": self.tail,
            "dead": plan.dead - fed,
            **({} if self.piles is None else {"piles": list(self.piles)}),
        }

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "round": WINDS[self.round],
            "dice": list(self.dice),
            "stacks": self.stacks_json(),
            "rivers": [[TILE_NAMES[kind] for kind in river] for river in self.rivers],
            "melds": [[shown.to_json() for shown in melds] for melds in self.melds],
            "flowers": [[TILE_NAMES[kind] for kind in flowers] for flowers in self.flowers],
            "left": self.left,
            "turn": WINDS[self.turn],
            "offer": TILE_NAMES[self.offer] if self.offer is not None else None,
            "offerer": WINDS[self.offerer] if self.offerer is not None else None,
            "declared": list(self.declared),
            "barred": list(self.barred),
            "over": self.over,
        }


class View(NamedTuple):
    """The view of one seat at one moment: its own tiles and the board, immutable.

    Examples:
        >>> import quepu
        >>> from quepu.table import make_wall
        >>> view = quepu.Table(quepu.book("guobiao"), make_wall(7)).view(0)
        >>> view.seat, len(view.hand), sum(view.unseen())
        (0, 13, 122)
    """

    seat: int
    book: Rulebook
    board: Board
    hand: tuple[int, ...]
    """The concealed kinds, sorted, without the tile just drawn."""
    drawn: int | None = None
    """The tile just drawn."""

    def __repr__(self) -> str:
        tiles = " ".join(TILE_NAMES[kind] for kind in self.tiles)
        melds = "".join(str(meld) for meld in self.melds)
        return f"View({WINDS[self.seat]}: {tiles}{' ' if melds else ''}{melds}, {many(self.board.left, 'tile')} left)"

    def _repr_html_(self) -> str:
        return view_html(self)

    @property
    def melds(self) -> tuple[Meld, ...]:
        """The seat's own melds."""
        melds = self.board.melds[self.seat]
        return tuple([shown.meld for shown in melds]) if melds else ()

    @property
    def tiles(self) -> list[int]:
        """Return the concealed kinds, the drawn one last."""
        return [*self.hand, self.drawn] if self.drawn is not None else list(self.hand)

    @property
    def has_flower(self) -> bool:
        """Whether a flower is among the seat's concealed tiles: just drawn, or held where the rules allow it."""
        return (self.drawn is not None and self.drawn >= KINDS) or (bool(self.hand) and self.hand[-1] >= KINDS)

    def as_hand(self) -> Hand:
        """Return the tiles without the drawn one as a hand, to score or to ask for waits; held flowers are left out."""
        hand = self.hand
        return Hand(
            hand if not hand or hand[-1] < KINDS else tuple([kind for kind in hand if kind < KINDS]),
            self.melds,
            seat=EAST + self.seat,
            round=EAST + self.board.round,
            flowers=tuple(kind - FIRST_FLOWER for kind in self.board.flowers[self.seat]),
        )

    def count_seen(self) -> list[int]:
        """Count the copies of each of the 34 kinds that this seat can see: the board and its own tiles."""
        seen = self.board.visible()
        for kind in self.hand:
            seen[kind] += 1
        if self.drawn is not None:
            seen[self.drawn] += 1
        return seen[:KINDS]

    def unseen(self) -> list[int]:
        """Count the copies of each of the 34 kinds that this seat cannot see: in other hands and in the wall."""
        tiles = play_rules(self.book).table.tiles if self.book.play else PLAIN
        left = list(map(sub, tiles.counts, self.count_seen()))  # of the 34 kinds
        return left if min(left) >= 0 else [max(0, n) for n in left]

    def open_tiles(self) -> tuple[int, ...]:
        """Return the visible kinds outside the seat's own hand and melds, with repetition (for `scoring.waits`)."""
        open_tiles = self.board.visible()
        for meld in self.melds:
            for kind in meld.tiles:
                open_tiles[kind] -= 1
        return tuple(kind for kind, n in enumerate(open_tiles[:KINDS]) for _ in range(n))

    def to_json(self, options: Iterable[Action] = ()) -> dict[str, Any]:
        """Return plain data with the seat's options."""
        return {
            "seat": WINDS[self.seat],
            "rules": self.book.id,
            "hand": [TILE_NAMES[kind] for kind in self.hand],
            "drawn": TILE_NAMES[self.drawn] if self.drawn is not None else None,
            "board": self.board.to_json(),
            "options": [option.to_json() for option in options],
        }


def face_down(melds: tuple[tuple[OpenMeld, ...], ...], seat: int | None) -> tuple[tuple[OpenMeld, ...], ...]:
    """Return melds by seat with the concealed kongs of all but `seat` face down."""
    return tuple(
        own if of == seat else tuple(FACE_DOWN if one.meld.kind is MeldKind.CONCEALED_KONG else one for one in own)
        for of, own in enumerate(melds)
    )


def view_of(
    position: Position,
    book: Rulebook,
    seat: int,
    offer: int | None,
    offerer: int | None,
    over: bool,
    hidden: bool = False,
) -> View:
    """Return a seat's view of a position: `Board.of` and the own hand in one step, since bots need it often.

    `hidden`: the others' concealed kongs lie face down until the hand is over.
    """
    p = position
    melds, counts = p.melds, tuple(p.open_counts)
    if hidden and not over and any(melds):
        melds = face_down(melds, seat)
        if melds != p.melds:
            counts = tuple(visible(p.rivers, melds))
    board = tuple.__new__(Board, (
        p.round, p.dice, tuple(p.rivers), melds, p.flowers, p.left, p.plan, p.back, p.turn,
        offer, offerer, p.declared, p.barred, over, counts, piles_of(p),
    ))  # fmt: skip
    drawn = p.drawn if seat == p.turn else None
    return tuple.__new__(View, (seat, book, board, tuple(p.hands[seat]), drawn))


def piles_of(position: Position) -> tuple[int, ...] | None:
    """Return the tiles left in each seat's own wall; None for a shared wall."""
    return None if position.piles is None else tuple(position.piles)


_OWN = (Dealt, Drawn, ReplacementDrawn)


def owner(event: Event) -> int | None:
    """The only seat that may see the event; None if all may."""
    return event.seat if isinstance(event, _OWN) else None


def seen_by(event: Event, seat: int | None, number: int, hidden: bool = False) -> Event | int:
    """Return the event as this seat (None: a spectator) may see it, or its bare number if its tiles are secret.

        >>> import quepu
        >>> from quepu.table import make_wall
        >>> table = quepu.Table(quepu.book("guobiao"), make_wall(7))
        >>> event = table.events_from(0)[-1]
        >>> seen_by(event, 0, table.event_count - 1) == event, seen_by(event, 1, table.event_count - 1)
        (True, 5)

    `hidden`: concealed kongs lie face down, so others' are shown without a tile.
    """
    if hidden and isinstance(event, KongConcealed) and event.seat != seat:
        return KongFaceDown(event.seat)
    return event if owner(event) in (None, seat) else number


def table_contents_html(table: TableContents) -> str:
    """Show all four hands, their melds, flowers and discards; the tile just drawn is the last of its hand."""
    hands = [list(hand) for hand in table.hands]
    if table.drawn is not None:
        hands[table.turn].append(table.drawn)
    return _board(table.book, table.board, dict(enumerate(hands)))


def view_html(view: View) -> str:
    """Show the seat's own hand and everything that all four can see."""
    return _board(view.book, view.board, {view.seat: view.tiles})


def _board(book: Rulebook, board: Board, hands: Mapping[int, Sequence[int]]) -> str:
    lang = language()
    winds = WINDS_CHINESE if lang == "zh" else WINDS
    rows = [
        (
            winds[seat],
            tiles_html(hands.get(seat, ())),
            " ".join(meld_html(shown.meld, hidden=shown.hidden) for shown in board.melds[seat])
            + tiles_html(board.flowers[seat]),
            tiles_html(board.rivers[seat]),
        )
        for seat in range(4)
    ]
    heads = [Text("门风", "seat"), Text("手牌", "hand"), Text("副露", "melds"), Text("牌河", "discards")]
    if board.over:
        state = Text("本盘已结束", "the hand is over")
    else:
        state = Text(f"余 {board.left} 张", f"{many(board.left, 'tile')} left")
    table = table_html([head.say(lang) for head in heads], rows)
    return f"<div><div><b>{escape(book.title.say(lang))}</b> {escape(state.say(lang))}</div>{table}</div>"

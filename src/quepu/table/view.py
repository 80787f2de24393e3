"""What everybody sees (`Board`), what one seat knows (`View`), and which events a seat may see.

A view is live: it follows the table. `to_json` is the copy that leaves the process.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from quepu.hand import Hand, Meld
from quepu.rulebook import Rulebook
from quepu.table.actions import Action
from quepu.table.events import Event
from quepu.table.wall import TILE_NAMES, opening_of
from quepu.tiles import EAST, FIRST_FLOWER, KINDS, WINDS


class Set(NamedTuple):
    """A meld on the table: which tile was claimed for it (-1: none) and from whom (-1: nobody).

    `added`: a fourth tile was put to the pung that it was.
    """

    meld: Meld
    claimed: int = -1
    source: int = -1
    added: bool = False

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        data: dict[str, Any] = {
            "kind": self.meld.kind.name.lower(),
            "tiles": "".join(TILE_NAMES[kind] for kind in self.meld.tiles),
        }
        if self.source >= 0:
            data["claimed"] = TILE_NAMES[self.claimed]
            data["from"] = WINDS[self.source]
        if self.added:
            data["added"] = True
        return data


class Board:
    """What lies open for all four: rivers, melds, flowers, how many tiles can still be drawn, whose turn it is."""

    __slots__ = (
        "barred",
        "dead",
        "declared",
        "dice",
        "feeds",
        "flowers",
        "left",
        "melds",
        "offer",
        "offerer",
        "over",
        "rivers",
        "round",
        "size",
        "tail",
        "turn",
    )

    def __init__(self, round: int, dice: tuple[int, int, int, int]) -> None:
        self.round = round  # 0 East … 3 North
        self.dice = dice
        self.rivers: list[list[int]] = [[], [], [], []]  # discards that nobody claimed, in order
        self.melds: list[list[Set]] = [[], [], [], []]
        self.flowers: list[list[int]] = [[], [], [], []]  # 34-41
        self.left = 0  # tiles that can still be drawn
        self.size = 136  # tiles of the whole wall
        self.dead = 0  # tiles at its end that are never drawn, or only as replacements (`feeds`)
        self.feeds = False
        self.tail = 0  # tiles taken from its end
        self.turn = 0  # who draws or discards next; after a discard, who made it
        self.offer = -1  # the tile others may claim now
        self.offerer = -1
        self.declared = ["", "", "", ""]  # "deal" or "first": declared ready, no tile changed since
        self.barred = [False] * 4
        self.over = False

    def visible(self) -> list[int]:
        """Copies of each of the 34 kinds that lie open (melds and rivers)."""
        seen = [0] * KINDS
        for river in self.rivers:
            for kind in river:
                if kind < KINDS:
                    seen[kind] += 1
        for melds in self.melds:
            for shown in melds:
                for kind in shown.meld.tiles:
                    seen[kind] += 1
        return seen

    def copy(self) -> Board:
        """A board of its own."""
        made = Board(self.round, self.dice)
        made.rivers = [river[:] for river in self.rivers]
        made.melds = [melds[:] for melds in self.melds]
        made.flowers = [flowers[:] for flowers in self.flowers]
        made.left, made.turn, made.offer, made.offerer = self.left, self.turn, self.offer, self.offerer
        made.size, made.dead, made.feeds, made.tail = self.size, self.dead, self.feeds, self.tail
        made.declared, made.barred, made.over = self.declared[:], self.barred[:], self.over
        return made

    def stacks_json(self) -> dict[str, Any]:
        """Where the wall lies: stacks a side, the seat and its stack (1: rightmost) where the deal began, tiles gone.

        `head` tiles are gone from there on, `tail` tiles from the other end, where `kept` more stay to the last.
        """
        stacks = self.size // 8
        seat, stack = opening_of(self.dice, stacks)
        fed = self.tail if self.feeds else 0
        return {
            "each": stacks,
            "seat": WINDS[seat],
            "stack": stack,
            "head": self.size - self.dead - self.left - (self.tail - fed),
            "tail": self.tail,
            "kept": self.dead - fed,
        }

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "round": WINDS[self.round],
            "dice": list(self.dice),
            "stacks": self.stacks_json(),
            "rivers": [[TILE_NAMES[kind] for kind in river] for river in self.rivers],
            "melds": [[shown.to_json() for shown in melds] for melds in self.melds],
            "flowers": [[TILE_NAMES[kind] for kind in flowers] for flowers in self.flowers],
            "left": self.left,
            "turn": WINDS[self.turn],
            "offer": TILE_NAMES[self.offer] if self.offer >= 0 else None,
            "offerer": WINDS[self.offerer] if self.offerer >= 0 else None,
            "declared": self.declared[:],
            "barred": self.barred[:],
            "over": self.over,
        }


class View:
    """What one seat knows: its own tiles and the board. It holds nothing else, so it can give nothing else away."""

    __slots__ = ("board", "book", "drawn", "hand", "seat")

    def __init__(self, seat: int, book: Rulebook, board: Board, hand: list[int], drawn: int = -1) -> None:
        self.seat = seat
        self.book = book
        self.board = board
        self.hand = hand  # concealed kinds, sorted, without the tile just drawn; not to be changed
        self.drawn = drawn  # the tile just drawn, or -1

    @property
    def melds(self) -> tuple[Meld, ...]:
        """The seat's own melds."""
        return tuple(shown.meld for shown in self.board.melds[self.seat])

    @property
    def tiles(self) -> list[int]:
        """The concealed kinds, the drawn one last."""
        return [*self.hand, self.drawn] if self.drawn >= 0 else self.hand[:]

    def as_hand(self) -> Hand:
        """The tiles held, without the drawn one, as a hand to score or to ask for waits."""
        return Hand(
            tuple(self.hand),
            self.melds,
            seat=EAST + self.seat,
            round=EAST + self.board.round,
            flowers=tuple(kind - FIRST_FLOWER for kind in self.board.flowers[self.seat]),
        )

    def seen(self) -> list[int]:
        """Copies of each of the 34 kinds that this seat can see: the board and its own tiles."""
        seen = self.board.visible()
        for kind in self.tiles:
            if kind < KINDS:
                seen[kind] += 1
        return seen

    def elsewhere(self) -> tuple[int, ...]:
        """The kinds that lie open but for the seat's own melds, with repetition: what `quepu.waiting` calls seen."""
        open_tiles = self.board.visible()
        for meld in self.melds:
            for kind in meld.tiles:
                open_tiles[kind] -= 1
        return tuple(kind for kind, n in enumerate(open_tiles) for _ in range(n))

    def to_json(self, options: Iterable[Action] = ()) -> dict[str, Any]:
        """As plain data, with what the seat may say now."""
        return {
            "seat": WINDS[self.seat],
            "rules": self.book.id,
            "hand": [TILE_NAMES[kind] for kind in self.hand],
            "drawn": TILE_NAMES[self.drawn] if self.drawn >= 0 else None,
            "board": self.board.to_json(),
            "options": [option.to_json() for option in options],
        }


_OWN = frozenset({"deal", "draw", "replace"})


def seen_by(event: Event, seat: int, number: int) -> Event | int:
    """The event as this seat may see it: itself, or its bare number where the tiles are another's secret."""
    return number if event.e in _OWN and event.seat != seat else event

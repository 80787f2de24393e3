"""What a table is made of: the wall, hands, melds and the record, and moving tiles between them."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from itertools import chain
from typing import Self

from quepu.hand import Hand, Meld, MeldKind
from quepu.play_rules import Ending, PlayRules, play_rules
from quepu.rulebook import Rulebook
from quepu.suits import KEY
from quepu.table.actions import Action
from quepu.table.events import Event
from quepu.table.ready import waits_of
from quepu.table.view import Board, Set, View
from quepu.table.wall import TILE_NAMES, Wall, dealt_places
from quepu.tiles import EAST, FIRST_FLOWER, KINDS

ALL_CLAIMS = frozenset({"win", "chow", "pung", "kong"})


class State:
    """The data of a hand being played. `Table` is what is played with; the layers between them are its rules.

    For each seat: `hands` the concealed kinds, sorted, without the tile just drawn (`drawn`, of the seat whose `turn`
    it is, or -1); `counts` copies of each kind with it; `keys` see quepu.suits, without it; `waits` the plane of what
    the hand waits for; `fours` the kinds held four times, `pungs` those that a fourth tile may be added to.
    """

    __slots__ = (
        "_claims",
        "_dealing",
        "_declares",
        "_flower_wins",
        "_free_last",
        "_front",
        "_missed",
        "_offer",
        "_options",
        "_order",
        "_said",
        "_waits_of",
        "answers",
        "asked",
        "back",
        "board",
        "book",
        "counts",
        "drawn",
        "ending",
        "events",
        "fours",
        "hands",
        "keys",
        "melds",
        "pungs",
        "rules",
        "turn",
        "views",
        "waits",
        "wall",
    )

    def __init__(self, book: Rulebook, wall: Wall, *, round: int = 0, rules: PlayRules | None = None) -> None:
        """Lay the wall and deal thirteen each. `round` is 0 East … 3 North."""
        self.book = book
        self.rules = rules or play_rules(book)
        self.wall = wall
        table = self.rules.table
        board = self.board = Board(round, wall.dice)
        order = self._order = wall.order()
        board.size, board.dead, board.feeds = len(order), table.dead_wall, table.dead_wall_feeds
        board.left = len(order) - 52 - table.dead_wall
        self._front = 52
        self._dealing = (
            0  # whose dealt flowers are replaced next; 4: everybody's are, 5: seven of them were asked about
        )
        self.back = 0
        self._declares = table.declares_ready
        self._flower_wins = table.flower_wins
        self._free_last = table.last_discard == ALL_CLAIMS
        self._waits_of = waits_of(book.shapes)
        self.drawn = -1
        self.turn = 0
        self.events: list[Event] = [Event("dice", tiles=wall.dice)]
        self.answers: list[tuple[int, int, Action]] = []
        self.ending: Ending | None = None
        self.melds: list[tuple[Meld, ...]] = [(), (), (), ()]
        self.fours: list[list[int]] = [[], [], [], []]
        self.pungs: list[list[int]] = [[], [], [], []]
        self._claims: dict[int, list[Action]] = {}
        self._said: list[tuple[int, int, Action]] = []
        self._offer = ""
        self._options: list[Action] | None = None
        self._missed = [False] * 4  # a win let go by since declaring ready: nobody else may see it
        self.hands: list[list[int]] = []
        for s in range(4):
            dealt = [order[place] for place in dealt_places(s)]
            self.events.append(Event("deal", s, tiles=tuple(dealt)))
            self.hands.append(dealt)
        self.counts: list[list[int]] = []
        self.keys: list[int] = []
        self.waits: list[int] = []
        self.views = [View(s, book, board, self.hands[s]) for s in range(4)]
        self.asked: tuple[int, ...] = ()

    def _sort(self) -> None:
        """Work out what each hand holds and waits for, once dealt flowers are replaced (as far as they are)."""
        self.counts, self.keys, self.waits = [], [], []
        for s, hand in enumerate(self.hands):
            hand.sort()
            counts = [0] * KINDS
            for kind in hand:
                if kind < KINDS:
                    counts[kind] += 1
            self.fours[s] = [kind for kind in range(KINDS) if counts[kind] == 4] if 4 in counts else []
            self.counts.append(counts)
            self.keys.append(sum([KEY[kind] for kind in hand if kind < KINDS]))
            self.waits.append(0 if hand[-1] >= KINDS else self._waits_of(self.keys[s], hand, ()))

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.ending is not None

    def view(self, seat: int) -> View:
        """What the seat knows (live; `View.to_json` copies)."""
        return self.views[seat]

    def _give(self, seat: int, kinds: Iterable[int]) -> None:
        """Put the drawn tile into the hand, then take these kinds out of it."""
        hand, counts, key = self.hands[seat], self.counts[seat], self.keys[seat]
        drawn = self.drawn
        if drawn >= 0 and seat == self.turn:
            insort(hand, drawn)
            key += KEY[drawn]
            self.drawn = self.views[seat].drawn = -1
        for kind in kinds:
            hand.remove(kind)
            counts[kind] -= 1
            if counts[kind] == 3:
                self.fours[seat].remove(kind)
            key -= KEY[kind]
        self.keys[seat] = key

    def _meld(self, seat: int, shown: Set) -> None:
        self.board.melds[seat].append(shown)
        self.melds[seat] = (*self.melds[seat], shown.meld)

    def _change_pung(self, seat: int, kind: int, to: MeldKind) -> None:
        melds = self.board.melds[seat]
        at = next(
            i for i, s in enumerate(melds) if s.meld.tile == kind and s.meld.kind in (MeldKind.PUNG, MeldKind.KONG)
        )
        melds[at] = melds[at]._replace(meld=Meld(to, kind), added=to == MeldKind.KONG)
        self.melds[seat] = tuple(shown.meld for shown in melds)

    def _look(self, seat: int) -> None:
        """Work out what the hand now waits for."""
        self.waits[seat] = self._waits_of(self.keys[seat], self.hands[seat], self.melds[seat])

    def _hand(self, seat: int, winning: int | None, luck: int) -> Hand:
        flowers = self.board.flowers[seat]
        return Hand(
            tuple(self.hands[seat]),
            self.melds[seat],
            winning,
            EAST + seat,
            EAST + self.board.round,
            luck,
            tuple(kind - FIRST_FLOWER for kind in flowers) if flowers else (),
        )

    def _open(self, offer: str, claims: dict[int, list[Action]], seat: int, tile: int) -> None:
        self._offer = offer
        self._claims = claims
        self._said = []
        self.asked = tuple(claims)
        self.board.offer, self.board.offerer = tile, seat

    def copy(self) -> Self:
        """A table of its own in the same position."""
        made = object.__new__(type(self))
        for name in State.__slots__:
            setattr(made, name, getattr(self, name))
        made.board = self.board.copy()
        for name in ("hands", "counts", "fours", "pungs"):
            setattr(made, name, [one[:] for one in getattr(self, name)])
        for name in ("keys", "waits", "melds", "events", "answers", "_said", "_missed"):
            setattr(made, name, getattr(self, name)[:])
        made._claims = dict(self._claims)
        made.views = [View(s, self.book, made.board, made.hands[s], self.views[s].drawn) for s in range(4)]
        return made

    def tiles(self) -> list[int]:
        """How many of each of the 42 kinds there are in hands, melds, rivers, flowers and wall together."""
        counts = [0] * len(TILE_NAMES)
        board = self.board
        melded = (kind for melds in board.melds for shown in melds for kind in shown.meld.tiles)
        for kind in chain(*self.hands, *board.rivers, *board.flowers, melded, self.undrawn()):
            counts[kind] += 1
        if self.drawn >= 0:
            counts[self.drawn] += 1
        if self.ending is not None and self.ending.discarder is not None and self.events:
            win = next(event for event in reversed(self.events) if event.e == "win")
            if win.tile >= 0:
                counts[win.tile] += 1  # it lies with the winner
        return counts

    def undrawn(self) -> list[int]:
        """The tiles still in the wall, dead wall included, from the head to the tail."""
        order, front, back = self._order, self._front, self.back
        rest = order[front : len(order) - back]
        if back & 1 and rest:
            rest = (
                [*order[front : len(order) - back - 1], order[len(order) - back]]
                if len(order) - back - 1 >= front
                else []
            )
        return rest

"""A hand of a log, one picture after each event: what a replay shows. The events are folded; no rule is asked.

The table itself answers a step as a whole (a discard and the draw after it); a replay stops between the two. Who is
asked and what hands wait for is the table's, followed beside the fold.
"""

from __future__ import annotations

from bisect import insort
from typing import NamedTuple

from quepu.hand import Meld, MeldKind
from quepu.match.log import PlayedHand, follow
from quepu.match.penalties import Penalty
from quepu.rulebook import Rulebook
from quepu.table.actions import Action
from quepu.table.events import Event
from quepu.table.play import Table
from quepu.table.view import Board, Set

CLAIMS = ("chow", "pung", "kong")


class Taken(NamedTuple):
    """A tile of the wall that was taken: its place in the order of drawing, by whom, and the frame that shows it."""

    at: int
    seat: int
    frame: int
    how: str  # deal, draw or replace


class Frame(NamedTuple):
    """The table after one event. All values are copies; seats are 0 East … 3 North.

    `events` have happened, `event` is the newest (None: the tiles have just been dealt). `hands` are the concealed
    kinds, sorted, without `drawn`: the tile (seat, kind) that was drawn last and is still in hand, or that wins
    (`won`). `turn` counts whose turn it became. `waits` are planes of kinds that complete each hand's shape. `said`
    are the answers given to the offer before this event, `penalties` what was noted since the frame before.
    """

    events: int
    steps: int
    turn: int
    event: Event | None
    board: Board
    hands: tuple[tuple[int, ...], ...]
    drawn: tuple[int, int] | None
    won: bool
    asked: tuple[int, ...]
    waits: tuple[int, ...]
    said: tuple[tuple[int, Action], ...]
    penalties: tuple[Penalty, ...]


class Film(NamedTuple):
    """Every frame of a hand, and where the tiles of its wall went."""

    frames: tuple[Frame, ...]
    order: tuple[int, ...]
    taken: tuple[Taken, ...]


class _Fold:
    """What lies where, event by event."""

    def __init__(self, table: Table, hand: PlayedHand) -> None:
        rules = table.rules.table
        self.feeds = rules.dead_wall_feeds
        self.order = hand.wall.order()
        self.board = Board(table.board.round, hand.wall.dice)
        self.board.size, self.board.dead, self.board.feeds = len(self.order), rules.dead_wall, rules.dead_wall_feeds
        self.board.left = len(self.order) - 52 - rules.dead_wall
        self.hands: list[list[int]] = [[] for _ in range(4)]
        self.drawn: tuple[int, int] | None = None
        self.won = False
        self.turn = 0
        self.before: Event | None = None
        self._front, self._back = 52, 0
        self.taken: list[Taken] = []

    def fold(self, event: Event, frame: int) -> None:
        e, seat, tile = event.e, event.seat, event.tile
        if e == "deal":
            self.hands[seat] = sorted(event.tiles)
            at = 4 * seat
            dealt = (*range(at, at + 4), *range(at + 16, at + 20), *range(at + 32, at + 36), 48 + seat)
            self.taken += [Taken(n, seat, 0, "deal") for n in dealt]
        elif e in ("draw", "replace"):
            self._take(e, seat, frame)
            if self.drawn is not None:  # flowers of the deal are replaced into the hand
                insort(self.hands[self.drawn[0]], self.drawn[1])
            self.drawn = (seat, tile)
            if e == "draw":
                self._now(seat)
        elif e == "discard":
            self._out(seat, (tile,))
            self.board.rivers[seat].append(tile)
        elif e == "flower":
            self._out(seat, (tile,))
            self.board.flowers[seat].append(tile)
        elif e in CLAIMS:
            self._claim(event)
        elif e == "added":
            self._out(seat, (tile,))
            self._change(seat, tile, MeldKind.PUNG, MeldKind.KONG)
        elif e == "concealed":
            self._out(seat, (tile,) * 4)
            self.board.melds[seat].append(Set(Meld(MeldKind.CONCEALED_KONG, tile)))
        elif e == "win":
            self._win(event)
        elif e == "exhausted":
            self.board.over = True
        elif e in ("barred", "freed"):
            self.board.barred[seat] = e == "barred"
        self.before = event

    def _now(self, seat: int) -> None:
        self.turn += 1
        self.board.turn = seat

    def _take(self, how: str, seat: int, frame: int) -> None:
        """Which tile of the wall it was: from the head, or from the tail, where the upper one of a stack goes first."""
        board, front, back, size = self.board, self._front, self._back, len(self.order)
        if how == "draw":
            at = front + (board.left == 1 and back & 1 and front == size - back - 1)
            self._front += 1
            board.left -= 1
        else:
            at = max(size - back - (0 if back & 1 else 2), front)
            self._back = board.tail = back + 1
            board.left -= not self.feeds
        self.taken.append(Taken(at, seat, frame, how))

    def _out(self, seat: int, kinds: tuple[int, ...]) -> None:
        """Put the drawn tile into its hand, then take these out of it."""
        hand = self.hands[seat]
        if self.drawn is not None and self.drawn[0] == seat:
            insort(hand, self.drawn[1])
            self.drawn = None
        for kind in kinds:
            hand.remove(kind)

    def _claim(self, event: Event) -> None:
        e, seat, tile = event.e, event.seat, event.tile
        self.board.rivers[event.source].pop()
        if e == "chow":
            meld = Meld(MeldKind.CHOW, event.low)
            used = tuple(kind for kind in range(event.low, event.low + 3) if kind != tile)
        else:
            meld = Meld(MeldKind.PUNG if e == "pung" else MeldKind.KONG, tile)
            used = (tile,) * (2 if e == "pung" else 3)
        self._out(seat, used)
        self.board.melds[seat].append(Set(meld, tile, event.source))
        self._now(seat)

    def _change(self, seat: int, tile: int, was: MeldKind, to: MeldKind) -> None:
        melds = self.board.melds[seat]
        at = next(i for i, one in enumerate(melds) if one.meld == Meld(was, tile))
        melds[at] = melds[at]._replace(meld=Meld(to, tile), added=to == MeldKind.KONG)

    def _win(self, event: Event) -> None:
        seat, tile, source = event.seat, event.tile, event.source
        self.board.over = self.won = True
        if source < 0:
            return
        before = self.before
        if tile < 0 or before is None:
            return
        if before.e == "added":
            self._change(source, tile, MeldKind.KONG, MeldKind.PUNG)
        elif before.e == "concealed":
            self.board.melds[source].remove(Set(Meld(MeldKind.CONCEALED_KONG, tile)))
            for _ in range(3):
                insort(self.hands[source], tile)
        else:
            self.board.rivers[source].pop()
        self.drawn = (seat, tile)


def film(hand: PlayedHand, book: Rulebook) -> Film:
    """Every frame of a hand, from the deal to its end (or to where the log breaks off)."""
    table = Table(book, hand.wall, round=hand.place.round_wind)
    fold = _Fold(table, hand)
    frames: list[Frame] = []
    said: list[tuple[int, Action]] = []
    penalties: list[Penalty] = []

    def shoot(steps: int, events: int, event: Event | None) -> None:
        at_end = events == len(table.events)
        board = fold.board.copy()
        board.declared = table.board.declared[:]
        frames.append(
            Frame(
                events, steps, fold.turn, event, board, tuple(map(tuple, fold.hands)), fold.drawn, fold.won,
                table.asked if at_end else (), tuple(table.waits), tuple(said), tuple(penalties),
            )
        )  # fmt: skip
        said.clear()
        penalties.clear()

    told = 0
    for steps, step in enumerate(hand.steps, 1):
        follow(table, step)
        if step.event is None:
            if step.action is not None:
                said.append((step.seat, step.action))
            elif step.penalty is not None:
                penalties.append(step.penalty)
            continue
        told += 1
        fold.fold(step.event, len(frames))
        if step.event.e == "deal" and step.event.seat == 3:
            shoot(steps, told, None)
        elif step.event.e not in ("dice", "deal"):
            shoot(steps, told, step.event)
    return Film(tuple(frames), tuple(fold.order), tuple(fold.taken))

"""The frames of a hand in a log, one after each event, as a replay shows them.

The table itself answers a step as a whole (a discard and the draw after it); a replay stops between the two. The seats
to act and the waits come from a table that is played alongside. The frames themselves fold the events, without any
rules.
"""

from __future__ import annotations

from typing import NamedTuple

from quepu.match.log import PlayedHand
from quepu.match.penalties import Penalty
from quepu.match.steps import follow
from quepu.rules.play_rules import TableRules, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table.actions import Action
from quepu.table.events import Claimed, Dealt, DiceThrown, Drawn, Event, FlowerSetAside, ReplacementDrawn
from quepu.table.play import Table
from quepu.table.position import Position, apply
from quepu.table.visibility import Board


class Taken(NamedTuple):
    """A tile taken from the wall: its place in the order of drawing, the seat, and the frame that shows it."""

    at: int
    seat: int
    frame: int
    how: str  # deal, draw or replace


class Frame(NamedTuple):
    """The table after one event. All values are copies; seats are 0 East … 3 North.

    `events` have happened, `event` is the newest (None: right after the deal). `hands` are the concealed kinds, sorted,
    without `drawn`: the tile (seat, kind) that was drawn last and is still in hand, or that wins (`won`). `turn` counts
    turns so far. `waits` are planes of kinds that complete each hand's shape. `answers` are the answers given to the
    offer before this event, with who gave them for their seats, `penalties` those noted since the frame before, `by`
    tells who acted for the seat (see `log_lines.ACTED_FOR`).
    """

    events: int
    steps: int
    turn: int
    event: Event | None
    board: Board
    hands: tuple[tuple[int, ...], ...]
    drawn: tuple[int, int] | None
    won: bool
    to_act: tuple[int, ...]
    waits: tuple[int, ...]
    answers: tuple[tuple[int, Action, str], ...]
    penalties: tuple[Penalty, ...]
    by: str


class HandFrames(NamedTuple):
    """Every frame of a hand, and where the tiles of its wall went."""

    frames: tuple[Frame, ...]
    order: tuple[int, ...]
    taken: tuple[Taken, ...]


class _Fold:
    """Folds the position event by event, and tracks where the tiles of the wall went."""

    def __init__(self, hand: PlayedHand, rules: TableRules) -> None:
        self.position = Position(hand.plan(rules), hand.place.round_wind)
        self.turn = 0
        self.taken: list[Taken] = []
        self._apart: tuple[int, int] | None = None  # a dealt flower's replacement, shown beside the hand for a while

    def fold(self, event: Event, frame: int) -> None:
        p = self.position
        if isinstance(event, Dealt):
            self.taken += [Taken(at, event.seat, 0, event.tag) for at in self.position.plan.dealt_places(event.seat)]
        elif isinstance(event, Drawn | ReplacementDrawn):
            at = p.next_head(event.seat) if isinstance(event, Drawn) else p.next_tail(event.seat)
            self.taken.append(Taken(at, event.seat, frame, event.tag))
            before_play = isinstance(event, ReplacementDrawn) and not p.dealt
            self._apart = (event.seat, event.tile) if before_play else None
        elif isinstance(event, FlowerSetAside) and self._apart is not None and event.seat == self._apart[0]:
            self._apart = None
        apply(p, event)
        self.turn += isinstance(event, Drawn | Claimed)

    @property
    def drawn(self) -> tuple[int, int] | None:
        """The seat and kind of the tile shown beside a hand."""
        p = self.position
        if p.won is not None and p.won.giver is not None and p.won.tile is not None:
            return p.won.seat, p.won.tile
        return (p.turn, p.drawn) if p.drawn is not None else self._apart

    def hands(self) -> tuple[tuple[int, ...], ...]:
        """The concealed kinds without that tile."""
        hands = [list(hand) for hand in self.position.hands]
        if self._apart is not None:
            hands[self._apart[0]].remove(self._apart[1])
        return tuple(map(tuple, hands))


def hand_frames(hand: PlayedHand, book: Rulebook) -> HandFrames:
    """Return every frame of a hand, from the deal to its end (or to where the log breaks off).

    A hand that cannot be replayed still has a frame for every event, without the seats to act and the waits.
    """
    table = Table(book, hand.wall, round=hand.place.round_wind) if hand.problem is None else None
    fold = _Fold(hand, play_rules(book).table)
    frames: list[Frame] = []
    answers: list[tuple[int, Action, str]] = []
    penalties: list[Penalty] = []

    def add(steps: int, events: int, event: Event | None, by: str) -> None:
        position = fold.position
        at_end = table is not None and events == len(table.events)
        frames.append(
            Frame(
                events, steps, fold.turn, event, Board.of(position), fold.hands(), fold.drawn, position.won is not None,
                table.to_act if table is not None and at_end else (), table.waits if table is not None else (0,) * 4,
                tuple(answers), tuple(penalties), by,
            )
        )  # fmt: skip
        answers.clear()
        penalties.clear()

    happened = 0
    for steps, step in enumerate(hand.steps, 1):
        if table is not None:
            follow(table, step)
        if step.event is None:
            if step.action is not None:
                assert step.seat is not None  # noqa: S101  # every action is a seat's
                answers.append((step.seat, step.action, step.by))
            elif step.penalty is not None:
                penalties.append(step.penalty)
            continue
        happened += 1
        fold.fold(step.event, len(frames))
        if has_frame(step.event):
            add(steps, happened, None if isinstance(step.event, Dealt) else step.event, step.by)
    return HandFrames(tuple(frames), tuple(hand.wall.order()), tuple(fold.taken))


def steps_at(hand: PlayedHand, frame: int) -> int | None:
    """Return how many steps of a hand the frame of this number (from 0) shows; None if the frame does not exist."""
    shown = [n for n, step in enumerate(hand.steps, 1) if step.event is not None and has_frame(step.event)]
    return shown[frame] if 0 <= frame < len(shown) else None


def frame_at(hand: PlayedHand, steps: int) -> int:
    """Return the newest frame (from 0) after this many steps of a hand."""
    return sum(step.event is not None and has_frame(step.event) for step in hand.steps[:steps]) - 1


def has_frame(event: Event) -> bool:
    """Return whether an event has a frame of its own: the deal has one as a whole."""
    return event.seat == 3 if isinstance(event, Dealt) else not isinstance(event, DiceThrown)

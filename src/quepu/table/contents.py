"""Contents of a table: a hand's wall, record, position and open offer, and the properties derived from them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from quepu.errors import many
from quepu.hands.hand import Meld
from quepu.rules.play_rules import Ending, PlayRules, ReadyHand, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table.actions import Action, NotAllowed
from quepu.table.events import BarLifted, Barred, Event, SeatEvent
from quepu.table.legal import Offer, Options, State
from quepu.table.luck import BY_HELD
from quepu.table.position import Position
from quepu.table.visibility import Board, View, table_contents_html, view_of
from quepu.table.wall import Wall
from quepu.tiles import WINDS

if TYPE_CHECKING:
    from quepu.table.play import Table


class TableContents:
    """A hand being played, as it stands. `quepu.table.play.Table` plays it."""

    __slots__ = (
        "_answers",
        "_dealing",
        "_events",
        "_flowers_dealt",
        "_hidden",
        "_offer",
        "_options",
        "_order",
        "_position",
        "_state",
        "book",
        "ending",
        "rules",
        "shielded",
        "to_act",
        "wall",
    )

    _answers: list[tuple[int, int, Action]]
    _dealing: int
    _events: list[Event]
    _flowers_dealt: bool
    _hidden: bool
    _offer: Offer | None
    _options: Options | None
    _order: list[int]
    _position: Position
    _state: State
    book: Rulebook
    ending: Ending | None
    rules: PlayRules
    shielded: bool
    to_act: tuple[int, ...]
    wall: Wall

    def _value(self) -> tuple[Any, ...]:
        """Return the value of a table for comparison: how it began and everything done since."""
        rules = None if self.rules == play_rules(self.book) else self.rules
        done = (self._position.round, rules, self.shielded, self.held, self.events, self.answers)
        return self.book, self.wall, *done

    def __reduce__(self) -> tuple[Any, ...]:
        return play_again, (type(self), self._value())

    def __eq__(self, other: object) -> bool:
        return self._value() == other._value() if isinstance(other, TableContents) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.book, self.wall, self._position.round))  # these never change

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()  # everything shared with a copy is immutable

    def __repr__(self) -> str:
        to_act = "".join(WINDS[seat] for seat in self.to_act)
        state = "over" if self.over else f"{to_act or 'nobody'} to act, {many(self.board.left, 'tile')} left"
        return f"Table({self.book.id!r}: {len(self._events)} events, {state})"

    def _repr_html_(self) -> str:
        return table_contents_html(self)

    @property
    def position(self) -> Position:
        """A copy of the position of every tile; it does not follow later changes."""
        return self._position.copy()

    @property
    def events(self) -> tuple[Event, ...]:
        """The numbered record so far."""
        return tuple(self._events)

    @property
    def event_count(self) -> int:
        """The length of the record so far."""
        return len(self._events)

    def event(self, number: int) -> Event | None:
        """Return the event of this number; None if there is none yet."""
        return self._events[number] if 0 <= number < len(self._events) else None

    def events_from(self, first: int) -> list[Event]:
        """Return the events of the record from number `first` on."""
        return self._events[first:]

    @property
    def answers(self) -> tuple[tuple[int, int, Action], ...]:
        """Answers of seats to offers: how many events there were, seat, action. A pass leaves no event."""
        return tuple(self._answers)

    @property
    def answer_count(self) -> int:
        """Length of `answers`."""
        return len(self._answers)

    @property
    def offered(self) -> tuple[int | None, int | None]:
        """The tile that others may claim now and the seat that put it down, as in `Board`; (None, None) if none."""
        offer = self._offer
        return (None, None) if offer is None else (offer.tile, offer.seat)

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.ending is not None

    @property
    def turn(self) -> int:
        """The seat that draws or discards next; after a discard, who made it."""
        return self._position.turn

    @property
    def drawn(self) -> int | None:
        """The tile just drawn by the seat whose turn it is; None if none was."""
        return self._position.drawn

    @property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """The concealed kinds of each seat, sorted, without the tile just drawn."""
        return tuple(map(tuple, self._position.hands))

    @property
    def melds(self) -> tuple[tuple[Meld, ...], ...]:
        """The melds of each seat."""
        return self._position.hand_melds

    @property
    def waits(self) -> tuple[int, ...]:
        """Planes of the waits of each hand of thirteen tiles."""
        return tuple(self._state.waits)

    @property
    def missed(self) -> tuple[bool, ...]:
        """Whether each seat passed up a win since it declared itself ready."""
        return tuple(self._state.missed)

    @property
    def board(self) -> Board:
        """Return the board now: everything that all four can see."""
        offer = self._offer
        if offer is None:
            return Board.of(self._position)
        return Board.of(self._position, offer.tile, offer.seat)

    def view(self, seat: int) -> View:
        """Return the seat's view."""
        offer = self._offer
        if offer is None:
            return view_of(self._position, self.book, seat, None, None, self.ending is not None, self._hidden)
        return view_of(self._position, self.book, seat, offer.tile, offer.seat, False, self._hidden)

    def board_for(self, seat: int | None) -> Board:
        """Return the board as a seat (None: a spectator) sees it."""
        return self.board.seen_from(seat) if self._hidden else self.board

    def undrawn(self) -> list[int]:
        """Return the tiles still in the wall, dead wall included, from head to tail; of own walls, seat after seat."""
        return [self._order[place] for place in self._position.undrawn_places()]

    def ready_hands(self) -> tuple[ReadyHand | None, ...]:
        """Return the waits of each hand beside the winner's when play ended, by seat; None: not ready."""
        won = self._position.won
        if self.ending is None:
            return (None,) * 4
        given = won.tile if won is not None and won.giver is not None else None
        return self._state.judge.ready_hands(self._position, self.ending.seats, given)

    def tiles(self) -> list[int]:
        """Count the copies of each of the 42 kinds in hands, melds, rivers, flowers and wall together."""
        counts = self._position.tiles()
        for kind in self.undrawn():
            counts[kind] += 1
        return counts

    @property
    def held(self) -> bool:
        """Whether a shielded table waits for `go_on`."""
        return self._offer is not None and self._offer.chance is BY_HELD

    def copy(self) -> Self:
        """Return an independent table in the same position."""
        made = object.__new__(type(self))
        for name in TableContents.__slots__:
            setattr(made, name, getattr(self, name))
        state = made._state = self._state.copy()
        made._position, made._events = state.position, state.events
        made._answers = self._answers[:]
        made._offer = self._offer.copy() if self._offer is not None else None
        return made


def play_again(table_class: Callable[..., Table], value: tuple[Any, ...]) -> Table:
    """Replay events and answers (how many events before, seat, action) on a new table with this wall.

    `value`: see `TableContents._value`; `held`: it was a shielded table that waited at the end.

    Raises:
        NotAllowed: the book does not allow an action, or a different event follows from it.
    """
    book, wall, round, rules, shielded, held, events, answers = value
    table = table_class(book, wall, round=round, rules=rules, shielded=shielded)
    given = deque(answers)
    for n, event in enumerate((*events, None)):
        while given and given[0][0] == n:
            _, seat, action = given.popleft()
            table.step(seat, action)
        if event is not None:
            _happen(table, event, n)
    if table.events != events or table.held != held:
        raise NotAllowed("重演这一局，结果与原来不同。", "replaying this hand gives a different result.")
    return table


def _happen(table: Table, event: Event, n: int) -> None:
    """Make the event of this number happen unless it follows by itself."""
    barring = isinstance(event, Barred | BarLifted)
    if n == len(table.events) and table.held and not barring:
        table.go_on()
    if n == len(table.events):
        action = event.action()
        if barring:
            table.bar(event.seat, isinstance(event, Barred))  # type: ignore[attr-defined]  # both have one
        elif action is not None and isinstance(event, SeatEvent):
            table.step(event.seat, action)

"""Bring a new table to the position of another one by repeating its actions."""

from __future__ import annotations

from quepu.rules.play_rules import PlayRules
from quepu.rules.rulebook import Rulebook
from quepu.table.actions import Action
from quepu.table.events import BarLifted, Barred, Event, SeatEvent
from quepu.table.play import NotAllowed, Table
from quepu.table.wall import Wall


def play_again(
    book: Rulebook,
    wall: Wall,
    round: int,
    rules: PlayRules | None,
    shielded: bool,
    held: bool,
    events: tuple[Event, ...],
    answers: tuple[tuple[int, int, Action], ...],
) -> Table:
    """Replay events and answers (how many events before, seat, action) on a new table with this wall.

    `held`: it was a shielded table that waited at the end.

    Raises:
        NotAllowed: the book does not allow an action, or a different event follows from it.
    """
    table = Table(book, wall, round=round, rules=rules, shielded=shielded)
    answered = 0
    for n in range(len(events) + 1):
        while answered < len(answers) and answers[answered][0] == n:
            _, seat, action = answers[answered]
            table.step(seat, action)
            answered += 1
        if n < len(events):
            _happen(table, events[n], n)
    if table.held and not held:
        table.go_on()
    if table.events != events:
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

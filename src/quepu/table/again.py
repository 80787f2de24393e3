"""A table brought to where another one stands, by doing again what was done there."""

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
    """The table of this wall after these events, and the answers between them (how many events before, seat, action).

    `held`: a shielded table that waited at the end.

    Raises:
        NotAllowed: the book does not allow what was done, or something else follows from it.
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
    """Let the event of this number happen, if it does not follow by itself."""
    barring = isinstance(event, Barred | BarLifted)
    if n == len(table.events) and table.held and not barring:
        table.go_on()
    if n == len(table.events):
        action = event.action()
        if barring:
            table.bar(event.seat, isinstance(event, Barred))  # type: ignore[attr-defined]  # both have one
        elif action is not None and isinstance(event, SeatEvent):
            table.step(event.seat, action)

"""Steps of a hand: play them on a table, and read from a table those that led to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quepu.match.log_lines import Step
from quepu.table.actions import Action, ActionKind
from quepu.table.events import BarLifted, Barred, SeatEvent
from quepu.table.play import Table


def follow(table: Table, step: Step) -> None:
    """Play a step of a log on a table; events that follow by themselves need no action.

    Raises:
        NotAllowed: the table's rules do not allow it.
    """
    if step.action is not None and step.seat is not None:
        table.step(step.seat, step.action)
    elif isinstance(step.event, Barred | BarLifted):
        table.bar(step.event.seat, isinstance(step.event, Barred))


def decide(table: Table, steps: Iterable[Step]) -> Iterator[tuple[int, Action, str]]:
    """Play the steps of a hand on a table, and yield seat, action and who acted before each decision is carried out.

    Raises:
        Error: the table does not allow a step.
    """
    for step in steps:
        seat, chosen, event = step.seat, step.action, step.event
        if event is not None and isinstance(event, SeatEvent) and event.seat in table.to_act:
            seat, chosen = event.seat, event.action()
            if table.offered[1] is not None:
                chosen = None  # the event follows from answers that the log has
        if seat is not None and chosen is not None and table.options(seat):
            yield seat, chosen, step.by
        follow(table, step)


def table_steps(table: Table, fresh: Table) -> list[Step]:
    """Return the steps that led to a table, without their lines. `fresh` is the same deal before them; it is played on.

    An event that follows by itself is part of the step before it.
    """
    answers = list(table.answers)
    steps: list[Step] = []

    def add(step: Step) -> None:
        follow(fresh, step)
        steps.append(step)

    def add_answers(events: int) -> None:
        while answers and answers[0][0] == events:
            _, seat, action = answers.pop(0)
            add(Step(0, None, seat, action))

    for number, event in enumerate(table.events_from(0)):
        add_answers(number)
        if number == fresh.event_count:
            add(Step(0, event, event.seat if isinstance(event, SeatEvent) else None, event.action()))
    add_answers(table.event_count)
    return steps


def last_choice(steps: list[Step], seat: int) -> int | None:
    """Return the number of a seat's last step that was a choice; None if it has made none. Flowers are not choices."""
    return next(
        (
            at
            for at in range(len(steps) - 1, -1, -1)
            if steps[at].seat == seat and (action := steps[at].action) and action.do is not ActionKind.FLOWER
        ),
        None,
    )

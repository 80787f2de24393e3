"""Tables resumed at a choice play the rest of the hand as it was played."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from quepu.errors import HandError
from quepu.fast.tables import FastTables, walls
from quepu.fast.tables.resumed import Moment, ResumedTables
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, Table
from quepu.table.actions import ActionKind
from quepu.table.events import (
    ChowClaimed,
    Event,
    KongClaimed,
    PungClaimed,
    ReadyDeclared,
    SeatEvent,
    Won,
)
from quepu.table.wall import build_wall

BOOKS = ["lingque-29", "guobiao-mcr", "yuque-54", "canton"]
_CLAIMS = {
    Won: ActionKind.WIN, ReadyDeclared: ActionKind.READY, ChowClaimed: ActionKind.CHOW, PungClaimed: ActionKind.PUNG,
    KongClaimed: ActionKind.KONG,
}  # fmt: skip


def find_taken(options: tuple[Action, ...], seat: int, event: Event) -> Action:
    """Return the option that the next event shows; a pass if it is another seat's."""
    if isinstance(event, SeatEvent) and event.seat == seat:
        wanted = _CLAIMS.get(type(event))
        low = event.low if isinstance(event, ChowClaimed) else None
        for option in options:
            if wanted is not None and option.do is wanted and option.low == low:
                return option
            if wanted is None and option == event.action():
                return option
    return options[-1]


def moments(
    rules: Rulebook, order: np.ndarray, events: tuple[Event, ...], round: int
) -> Iterator[tuple[Table, int, Action]]:
    """Yield a copy of the table before each choice that compiled tables can resume at."""
    table = Table(rules, build_wall(order.tolist(), (1, 1, 1, 1)), round=round)
    while table.to_act:
        seat = table.to_act[0]
        options = table.options(seat)
        action = find_taken(options, seat, events[len(table.events) - 1])
        drawn = any(type(event).__name__ == "Drawn" for event in table.events)
        by_discard = table.offered[1] is None or type(table.position.exposed).__name__ == "Discarded"
        if len(options) > 1 and drawn and by_discard and len(table.to_act) == 1 and action.do is not ActionKind.FLOWER:
            yield table.copy(), seat, action
        table.step(seat, action)


@pytest.mark.parametrize("name", BOOKS)
def test_a_resumed_hand_goes_on_as_it_was_played(name: str) -> None:
    rules, n, rng = book(name), 6, random.Random(5)
    order = walls(rules, n, 11)
    played = FastTables(rules, order, np.zeros((n, 4), np.int64), round=2, levels="gain").play()
    seen = set()
    for i in range(n):
        events = played.events(i)
        found = list(moments(rules, order[i], events, 2))
        rare = [one for one in found if one[2].do not in (ActionKind.DISCARD, ActionKind.PASS)]
        for table, seat, action in rng.sample(found, min(12, len(found))) + rare:
            again = ResumedTables(Moment.of(table, seat), order[[i, i]]).choose(action)
            seen.add(action.do)
            assert again.events(0) == events, (name, i, len(table.events), action)
            assert again.winners.tolist() == [int(played.winners[i])] * 2
            assert again.points.tolist() == [int(played.points[i])] * 2
            assert again.luck.tolist() == [int(played.luck[i])] * 2
    assert {ActionKind.DISCARD, ActionKind.PASS} <= seen
    assert len(seen) > 3


def test_an_action_that_is_not_offered_is_refused() -> None:
    rules = book("lingque-29")
    order = walls(rules, 1, 11)
    played = FastTables(rules, order, np.zeros((1, 4), np.int64), levels="gain").play()
    table, seat, _ = next(
        one for one in moments(rules, order[0], played.events(0), 0) if one[2].do is ActionKind.DISCARD
    )
    missing = next(kind for kind in range(34) if kind not in table.view(seat).tiles)
    with pytest.raises(HandError, match="没有这个选择"):
        ResumedTables(Moment.of(table, seat), order).choose(Action(ActionKind.DISCARD, missing))

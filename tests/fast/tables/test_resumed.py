"""Tables resumed at a choice play the rest of the hand as it was played."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from quepu.bots.payable_bot import GainBot
from quepu.errors import HandError
from quepu.fast.compiled.code_cache import installed
from quepu.fast.nearest.aimed import aimed
from quepu.fast.nearest.payable import FAR, payable, rates
from quepu.fast.tables import FastTables, walls
from quepu.fast.tables.resumed import Moment, ResumedTables
from quepu.hands.hand import Hand
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, Table, View
from quepu.table.actions import ActionKind
from quepu.table.events import (
    ChowClaimed,
    Claimed,
    Event,
    KongClaimed,
    PungClaimed,
    ReadyDeclared,
    SeatEvent,
    Won,
)
from quepu.table.sampling import HiddenPlaces
from quepu.table.wall import build_wall
from quepu.tiles import EAST, KINDS

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


class Aimed(GainBot):
    """The plain twin of a seat that goes for one fan."""

    def __init__(self, rules: Rulebook, fan: str) -> None:
        super().__init__()
        self.rules, self._payable = rules, aimed(rules, fan)
        self.gave_up = False

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """Choose as `gain`, of the hands with the fan as long as one can still come."""
        concealed = [kind for kind in view.tiles if kind < KINDS]
        if not self.gave_up and self.look(self.sight(view), concealed, view.melds).missing >= FAR:
            self._payable, self.gave_up = payable(self.rules), True
        return super().act(view, options)


@pytest.mark.parametrize(
    ("name", "fan"),
    [("guobiao-mcr", "碰碰和"), ("guobiao-mcr", "七对"), pytest.param("canton", "混一色", marks=pytest.mark.long)],
)
def test_a_seat_that_goes_for_a_fan_chooses_as_its_plain_twin(name: str, fan: str) -> None:
    rules, n = book(name), 3
    order = walls(rules, n, 17)
    played = FastTables(rules, order, np.zeros((n, 4), np.int64), round=1, levels="gain").play()
    chosen = 0
    for i in range(n):
        table, seat, action = next(moments(rules, order[i], played.events(i), 1))
        usual = ResumedTables(Moment.of(table, seat), order[[i]]).choose(action).events(0)
        events = ResumedTables(Moment.of(table, seat), order[[i]], fan).choose(action).events(0)
        assert events != usual
        twin, first = Aimed(rules, fan), True
        while table.to_act:
            who = table.to_act[0]
            options, event = table.options(who), events[len(table.events) - 1]
            taken = find_taken(options, who, event)
            preempted = isinstance(event, Claimed | Won) and event.seat != seat
            if who == seat and len(options) > 1 and not first and not preempted:
                assert twin.act(table.view(seat), options) == taken
                chosen += 1
            first = first and who != seat
            table.step(who, taken)
    assert chosen > 20


@pytest.mark.long
@pytest.mark.skipif(not installed(), reason="tables are compiled by numba")
@pytest.mark.parametrize("name", ["lingque-29", "guobiao-mcr"])
def test_hidden_hands_are_exchanged_as_the_plain_bot_would(name: str) -> None:
    rules, turns = book(name), [0, 5, 2, 9]
    order = walls(rules, 1, 5)
    table = Table(rules, build_wall(order[0].tolist(), (1, 1, 1, 1)))
    moment, source = Moment.of(table, 0), HiddenPlaces(table, 0)
    free = source.undrawn[:40]
    before = np.repeat(order, 3, axis=0)
    rng = np.random.default_rng(3)
    for row in before:
        row[free] = rng.permutation(row[free])
    after = ResumedTables(moment, before.copy()).exchange(free, turns, [4])
    assert (np.sort(after) == np.sort(before)).all()
    hidden = {*free, *(place for held in moment.held[1:] for place in held)}
    still = [place for place in range(order.shape[1]) if place not in hidden]
    assert (after[:, still] == before[:, still]).all()
    for row, made in zip(before, after, strict=True):
        wall, taken = row.copy(), iter(free * 3)
        for seat in (1, 2, 3):
            own = [int(wall[place]) for place in moment.held[seat]]
            for _ in range(turns[seat]):
                place = next(taken)
                drawn = int(wall[place])
                if drawn < KINDS:
                    own.append(drawn)
                    wall[place] = thrown(rules, table, seat, own, drawn)
                    own.remove(wall[place])
            assert sorted(own) == sorted(made[moment.held[seat]].tolist()), seat
        assert (wall[free] == made[free]).all()


def thrown(rules: Rulebook, table: Table, seat: int, own: list[int], drawn: int) -> int:
    """The discard that the plain bot values most; none of 5m, which is kept."""
    unseen = [4 - own.count(kind) - n for kind, n in enumerate(table.position.visible()[:KINDS])]
    turns, left = max(1.0, table.board.left / 4), max(8, sum(unseen))
    hand = Hand(tuple(sorted(own)), (), None, EAST + seat, EAST)
    look = payable(rules).look(hand, np.array(unseen), GainBot.extra, rates(turns, left, GainBot.pace))
    if not 0 < look.missing < FAR:
        return drawn
    kinds = [drawn, *(kind for kind in sorted(set(own)) if kind != 4)]
    return max(kinds, key=lambda kind: round(float(look.values[kind]), 12))
